"""How much of a table that is gone through in parts the certificate does at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.expander import Buffers, Expand, run_expand
from zermelo._engine.table import Table

Places: TypeAlias = npt.NDArray[np.int64]

#: Positions that are read, or looked up, by one call.
PIECE = 1 << 12
#: A batch has a move for so many positions of the table at the least, so that going through them
#: for each batch takes no more than some times what a move does; and so many positions.
_BATCHES, _LEAST = 64, 1 << 10
#: The memory is so many times what all threads take that is not for batches.
_DEAR = 4
#: The bytes of blocks that are unpacked together, and the share of the memory for those.
_WINDOW, _WINDOWS = 1 << 21, 8
#: The fewest blocks of those, and bytes that each thread leaves in holes.
_FEWEST, _THREAD = 16, 1 << 18
#: Bytes of what a piece takes, beside those of its words.
_OF_PIECE = 64
#: An array is kept where what is left is so many times as much: it need not be unpacked for each
#: batch then, though batches are smaller.
_OF_LEFT = 1.6
#: Positions that are expanded to see how many moves they have, of so many parts of the table.
_LOOKED, _PARTS = 1 << 8, 1 << 4
#: By how much more room there is than for so many moves.
_SPARE = 1.1


class Parted(Table, Protocol):
    """A table in a file, of which parts can be unpacked.

    Attributes:
        bounds: the first place of each block of positions, and a number past the last place.
        block_bytes: the bytes that a block takes once it is unpacked, with its values.
        part_bytes: what each array takes once it is unpacked, by name, with what is most useful
            to keep first.
    """

    @property
    def bounds(self) -> Places:
        """See the class."""

    @property
    def block_bytes(self) -> int:
        """See the class."""

    @property
    def part_bytes(self) -> dict[str, int]:
        """See the class."""

    def keep(self, names: list[str]) -> None:
        """Unpack some arrays, and keep them for all windows."""

    def window(self) -> Self:
        """Return the same table, of which nothing but what is kept has been unpacked."""

    def unpack(self, blocks: Places) -> None:
        """Unpack some blocks of positions together, as they are going to be asked for."""

    def blocks_for(self, packed: npt.NDArray[np.uint64], count: int) -> Places:
        """Return the block that would hold each packed position, -1 for none."""

    def places_in(
        self, packed: npt.NDArray[np.uint64], count: int, blocks: Places, out: Places
    ) -> int:
        """Find packed positions, of which the blocks are known; see ``places``."""


@dataclass(frozen=True)
class Plan:
    """How much is done at once.

    Attributes:
        threads: threads to use, each with a bench.
        page: positions of a bench.
        room: moves of a bench.
        window: blocks that a thread unpacks at once.
        kept: arrays that are unpacked once and kept.
        bytes: what all of it takes, beside the table's marks.
    """

    threads: int
    page: int
    room: int
    window: int
    kept: list[str]
    bytes: int

    @classmethod
    def within(cls, expand: Expand, table: Parted, threads: int, allowed: int) -> Plan:
        """Return the plan that makes the most of some memory, or the least there is."""
        blocks = len(table.bounds) - 1
        position, move = _position_bytes(expand), _move_bytes(expand)
        ratio = max(_moves_each(expand, table) * _SPARE, 1)
        each = position + ratio * move
        # Lists of where blocks begin, what windows keep about blocks, and what pieces take.
        fixed = 24 * (blocks + 2) + PIECE * (8 * expand.words + _OF_PIECE) + _THREAD
        fewest = min(_FEWEST, blocks)
        fixed += fewest * table.block_bytes
        least = int(max(len(table) / (_BATCHES * ratio), min(_LEAST, len(table))) * each)
        # Another thread takes room that batches are in need of.
        threads = max(1, min(threads, (allowed - least) // (_DEAR * fixed)))
        left, kept = allowed - threads * fixed - least, []
        for name, size in table.part_bytes.items():
            if _OF_LEFT * size <= left:
                kept.append(name)
                left -= size
        window = min(_WINDOW, max(left, 0) // (_WINDOWS * threads)) // table.block_bytes
        window = min(max(window, fewest), blocks)
        fixed += (window - fewest) * table.block_bytes
        left += least - threads * (window - fewest) * table.block_bytes
        page = max(min(int(max(left, least) / each), len(table)) // threads, 1)
        room = max(int(ratio * page), 1)
        fixed += int(page * position + room * move)
        kept_bytes = sum(table.part_bytes[name] for name in kept)
        return cls(threads, page, room, window, kept, threads * fixed + kept_bytes)


def _position_bytes(expand: Expand) -> int:
    wide = 8 if expand.scored else 4
    return 8 + 8 * expand.words + 4 + 2 * wide + 2 + 8 * expand.scored


def _move_bytes(expand: Expand) -> int:
    found = 8 if expand.words > 1 else 0
    wide = 8 if expand.scored else 4
    return 8 * expand.words + found + 8 + wide + (not expand.alternate) + 16 * expand.scored


def _moves_each(expand: Expand, table: Parted) -> float:
    """Return how many moves positions have on the average, of some from all over a table."""
    bounds = table.bounds
    blocks = np.unique(np.linspace(0, len(bounds) - 2, _PARTS, dtype=np.int64))
    positions = moves = 0
    for block in blocks.tolist():
        begin, end = bounds.item(block), bounds.item(block + 1)
        if begin == end:
            continue
        places = np.unique(np.linspace(begin, end - 1, _LOOKED // _PARTS, dtype=np.int64))
        keys = table.window().packed(places)
        buffers = Buffers.for_rules(expand, len(places), len(places))
        at = 0
        while at < len(places):
            done, made = run_expand(expand, keys, at, len(places), buffers)
            at += done
            moves += made
        positions += len(places)
    return moves / positions
