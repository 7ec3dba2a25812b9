"""Tables that hold their positions: sorted, each as its distance from the one before.

A block holds ``BLOCK`` positions, and the block of the same number their values, as places in a
palette of the values that occur. Of each block the first position is held in memory, so a probe
unpacks two blocks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.index import Index, entries_for
from zermelo._engine.ordered import LONGEST, ascending, at_or_before, decode, encode, same
from zermelo._engine.table import HashedTable
from zermelo._store.format import Stored
from zermelo._store.reader import Reader
from zermelo._store.writer import Writer
from zermelo.errors import CorruptTableError

if TYPE_CHECKING:
    from zermelo._engine.table import Table

#: Positions in a block: more take less room, and longer to unpack for one of them.
BLOCK = 1024
#: What tells a number of each packed position that every move raises.
Levels: TypeAlias = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.int64]]
#: Unpacked blocks that are kept.
_KEPT = 64


def write_listed(
    writer: Writer, table: Table, header: dict[str, Any], levels: Levels | None = None
) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file.
        table: the table.
        header: what else the file says of itself; the key ``table`` is added.
        levels: what tells the levels of packed positions, where every move raises them.
    """
    keys, values, owners = _gathered(table)
    order = ascending(keys, table.words)
    keys = np.ascontiguousarray(keys.reshape(-1, table.words)[order]).reshape(-1)
    values = values[order]
    palette, chosen = np.unique(values, return_inverse=True)
    turns = len(owners) > 0
    if turns:
        chosen = chosen * 2 + owners[order]
    chosen = chosen.astype(_narrowest(2 * len(palette)))
    count, blocks = len(values), -(-len(values) // BLOCK)
    arrays = {
        "positions": Stored(np.dtype(np.uint8), count, 0, 0, blocks),
        "values": Stored(chosen.dtype, count, BLOCK, blocks, blocks),
        "first": Stored(np.dtype(np.uint64), blocks * table.words, BLOCK, 2 * blocks, 0),
    }
    first = keys.reshape(-1, table.words)[::BLOCK].reshape(-1)
    arrays["first"] = _after(arrays["values"], first, BLOCK)
    ranks = _ranks(table, keys, values, order, levels)
    if len(ranks):
        arrays["ranks"] = _after(arrays["first"], ranks, BLOCK)
    starts = np.empty(len(table.starts), np.int64)
    places = np.empty(count, np.int64)
    places[order] = np.arange(count)
    starts = places[_positions_of(table)(table.starts)]
    document = {
        "kind": "listed",
        "positions": count,
        "words": table.words,
        "scored": table.scored,
        "turns": turns,
        "reach": table.reach,
        "palette": palette.tolist(),
        "starts": starts.tolist(),
    }
    writer.begin({**header, "table": document}, arrays)
    room = np.empty(BLOCK * table.words * LONGEST, np.uint8)
    for begin in range(0, count, BLOCK):
        size = encode(keys, begin, min(begin + BLOCK, count), table.words, room)
        writer.write(room[:size].tobytes())
    writer.write_array(chosen, BLOCK)
    writer.write_array(first, BLOCK)
    if len(ranks):
        writer.write_array(ranks, BLOCK)


class ListedTable:
    """A table on disk that holds its positions; see ``Table``. Threads may share it."""

    def __init__(self, reader: Reader) -> None:
        """Open it.

        Raises:
            CorruptTableError: it is not what was written.
        """
        self._reader = reader
        try:
            document = reader.header["table"]
            self.words: int = document["words"]
            self.scored: bool = document["scored"]
            self.reach = "any" if document["reach"] == "places" else document["reach"]
            self._count: int = document["positions"]
            self._turns: bool = document["turns"]
            kind = np.int64 if self.scored else np.int32
            self._palette = np.array(document["palette"], kind)
            self.starts = np.array(document["starts"], np.int64)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._corrupt("header") from None
        blocks = -(-self._count // BLOCK)
        self._first = reader.array("first").astype(np.uint64)
        self._positions, self._values = reader.stored("positions"), reader.stored("values")
        if len(self._first) != blocks * self.words or self._positions.blocks != blocks:
            raise self._corrupt("header")
        self._unpacked: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many positions there are."""
        return self._count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return self._count

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        words = self.words
        blocks = np.empty(count, np.int64)
        at_or_before(packed, count, words, self._first, len(self._first) // words, blocks)
        if count == 1:
            return self._place(packed, int(blocks[0]), out)
        rows = packed.reshape(-1, words)
        out[:count] = -1
        for block, chosen in _grouped(blocks):
            if block < 0:
                continue
            keys = self._keys(block)
            wanted = np.ascontiguousarray(rows[chosen]).reshape(-1)
            found = np.empty(len(chosen), np.int64)
            at_or_before(wanted, len(chosen), words, keys, len(keys) // words, found)
            same(wanted, len(chosen), words, keys, found)
            out[chosen] = np.where(found >= 0, found + block * BLOCK, -1)
        return int((out[:count] >= 0).sum())

    def _place(self, packed: npt.NDArray[np.uint64], block: int, out: npt.NDArray[np.int64]) -> int:
        """Find one position in its block."""
        out[0] = -1
        if block >= 0:
            keys = self._keys(block)
            at_or_before(packed, 1, self.words, keys, len(keys) // self.words, out)
            same(packed, 1, self.words, keys, out)
            if out[0] >= 0:
                out[0] += block * BLOCK
        return int(out[0] >= 0)

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at places."""
        values: npt.NDArray[Any] = self._palette[self._chosen(places) >> int(self._turns)]
        return values

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        if not self._turns:
            return np.zeros(len(places), np.uint8)
        return (self._chosen(places) & 1).astype(np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        out = np.empty((len(places), self.words), np.uint64)
        for block, chosen in _grouped(places // BLOCK):
            out[chosen] = self._keys(block).reshape(-1, self.words)[places[chosen] % BLOCK]
        return out.reshape(-1)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Go through all places in ascending order, which is that of the packed positions."""
        for begin in range(0, self._count, 8 * BLOCK):
            yield np.arange(begin, min(begin + 8 * BLOCK, self._count))

    def rank(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, in a score game, numbers that shrink along every move."""
        return self._gathered("ranks", places)

    def tally(self) -> list[tuple[int, int | None, int]]:
        """Return how many positions there are of each value."""
        size = len(self._palette) << int(self._turns)
        counts = np.zeros(size, np.int64)
        for block in range(self._values.blocks):
            counts += np.bincount(self._block("values", block), minlength=size)
        if self._turns:
            counts = counts.reshape(-1, 2).sum(1)
        pairs = zip(self._palette.tolist(), counts.tolist(), strict=True)
        if self.scored:
            return [(score, None, count) for score, count in reversed(list(pairs))]
        return [(*codes.decode(code), count) for code, count in reversed(list(pairs))]

    def loaded(self) -> HashedTable:
        """Return the same table in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        count, words = self._count, self.words
        keys = np.empty(count * words, np.uint64)
        chosen = np.empty(count, np.int64)
        for block in range(self._positions.blocks):
            begin, end = block * BLOCK, min((block + 1) * BLOCK, count)
            keys[begin * words : end * words] = self._unpacked_keys(block)
            chosen[begin:end] = self._unpacked_values("values", block)
        turns = (chosen & 1).astype(np.uint8) if self._turns else np.empty(0, np.uint8)
        values = self._palette[chosen >> int(self._turns)]
        starts, ranks, reach = self.starts, None, self.reach
        if "ranks" in self._reader.arrays:
            # In the order of ranks every move leads to a greater place, which vouches for both.
            ranks = self._reader.array("ranks").astype(np.uint32)
            order = np.argsort(-ranks.astype(np.int64), kind="stable")
            keys = np.ascontiguousarray(keys.reshape(-1, words)[order]).reshape(-1)
            values, ranks = values[order], ranks[order]
            turns = turns[order] if self._turns else turns
            places = np.empty(count, np.int64)
            places[order] = np.arange(count)
            starts, reach = places[starts], "places"
        index = Index(words)
        index.grow(entries_for(count), keys, count, direct=False)
        table = HashedTable(words, keys, index, values, turns, 0, ranks)
        table.starts, table.reach = starts, reach
        return table

    # -- blocks -----------------------------------------------------------------------------------

    def _chosen(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return self._gathered("values", places)

    def _gathered(self, name: str, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        if len(places) == 1:
            block, at = divmod(int(places[0]), BLOCK)
            return self._block(name, block)[at : at + 1].astype(np.int64)
        out = np.empty(len(places), np.int64)
        for block, chosen in _grouped(places // BLOCK):
            out[chosen] = self._block(name, block)[places[chosen] % BLOCK]
        return out

    def _keys(self, block: int) -> npt.NDArray[np.uint64]:
        keys: npt.NDArray[np.uint64] = self._kept(
            ("positions", block), lambda: self._unpacked_keys(block)
        )
        return keys

    def _unpacked_keys(self, block: int) -> npt.NDArray[np.uint64]:
        count = min(BLOCK, self._count - block * BLOCK)
        data = np.frombuffer(self._reader.block(self._positions.first + block), np.uint8)
        keys = np.empty(count * self.words, np.uint64)
        if not decode(data, count, self.words, keys):
            raise self._corrupt(f"block {block} of positions")
        return keys

    def _block(self, name: str, block: int) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = self._kept(
            (name, block), lambda: self._unpacked_values(name, block)
        )
        return values

    def _unpacked_values(self, name: str, block: int) -> npt.NDArray[Any]:
        stored = self._reader.stored(name)
        if not 0 <= block < stored.blocks:
            raise self._corrupt(f"array {name!r}")
        values = np.frombuffer(self._reader.block(stored.first + block), stored.dtype)
        size = len(self._palette) << int(self._turns)
        if len(values) != min(BLOCK, self._count - block * BLOCK) or (
            name == "values" and int(values.max(initial=0)) >= size
        ):
            raise self._corrupt(f"block {block} of {name}")
        return values

    def _kept(self, key: tuple[str, int], unpack: Callable[[], Any]) -> Any:
        with self._lock:
            found = self._unpacked.get(key)
            if found is not None:
                self._unpacked.move_to_end(key)
                return found
        found = unpack()
        with self._lock:
            self._unpacked[key] = found
            if len(self._unpacked) > _KEPT:
                self._unpacked.popitem(last=False)
        return found

    def _corrupt(self, what: str) -> CorruptTableError:
        message = f"{str(self._reader.path)!r} cannot be used: its {what} is wrong; make it again"
        return CorruptTableError(message)


def _gathered(table: Table) -> tuple[Any, Any, Any]:
    """Return all of a table: packed positions, values, and turns (or none)."""
    count = len(table)
    keys = np.empty((count, table.words), np.uint64)
    values = np.empty(count, np.int64 if table.scored else np.int32)
    owners = np.empty(count, np.uint8)
    at = 0
    for places in table.pages():
        end = at + len(places)
        keys[at:end] = table.packed(places).reshape(-1, table.words)
        values[at:end] = table.values(places)
        owners[at:end] = table.owners(places)
        at = end
    if not owners.any():
        owners = owners[:0]
    return keys.reshape(-1), values, owners


def _ranks(
    table: Table,
    keys: npt.NDArray[np.uint64],
    values: npt.NDArray[Any],
    order: npt.NDArray[np.int64],
    levels: Levels | None,
) -> npt.NDArray[np.uint32]:
    """Return numbers that shrink along every move, where the certificate needs them, or none.

    That is in score games, and where wins and losses have no remoteness: there levels are such
    numbers, and take little room. Otherwise it is the order that the table has.
    """
    timed = not table.scored and not (np.abs(values) == codes.LAST - codes.UNTIMED).any()
    if timed:
        return np.empty(0, np.uint32)
    if levels is not None and not table.scored:
        found = np.empty(len(values), np.int64)
        for begin in range(0, len(values), 1 << 16):
            part = keys[begin * table.words : (begin + (1 << 16)) * table.words]
            found[begin : begin + (1 << 16)] = -levels(part)
    elif table.scored:
        every = np.concatenate([table.rank(places) for places in table.pages()])
        found = every[order]
    else:
        found = -order
    found -= found.min(initial=0)
    return found.astype(np.uint32)


def _positions_of(table: Table) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
    """Return what tells the how-manieth of all places each of some is; some tables have gaps."""
    if table.span == len(table):
        return lambda places: places
    every = np.concatenate(list(table.pages()))
    return lambda places: np.searchsorted(every, places)


def _after(before: Stored, array: npt.NDArray[Any], per_block: int) -> Stored:
    blocks = -(-len(array) // per_block)
    return Stored(array.dtype, len(array), per_block, before.first + before.blocks, blocks)


def _grouped(blocks: npt.NDArray[np.int64]) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Go through the blocks that are wanted, each once, with the places that want it."""
    order = np.argsort(blocks, kind="stable")
    ordered = blocks[order]
    cuts = np.flatnonzero(np.diff(ordered)) + 1
    begins = [0, *cuts.tolist(), len(ordered)]
    for begin, end in pairwise(begins):
        if begin < end:
            yield int(ordered[begin]), order[begin:end]


def _narrowest(count: int) -> Any:
    return next(t for t in (np.uint8, np.uint16, np.uint32) if count <= np.iinfo(t).max + 1)
