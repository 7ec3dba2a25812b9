"""Expansion: run the rules on a batch of positions, and write their children into buffers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo.values.kind import Kind

#: Positions expanded in one batch: their children stay in a core's own cache.
CHUNK = 1 << 13
#: Positions expanded in one batch if there are few, or little memory.
LEAST_CHUNK = 1 << 8
#: The initial capacity of a buffer in children, for each position of a chunk.
CAPACITY = 12
#: The largest part of the memory that expansion buffers may take, as a divisor.
_BUFFERS_SHARE = 32

#: The status of an expansion.
OK, FULL, FIELD_OVERFLOW, BAD_OUTCOME, BAD_TURN, ENDLESS_MOVES, TURN_KEPT, TURN_FOLDED = range(8)


class Expand(Protocol):
    """Compiled rules: fills buffers with the children of a range of positions.

    ``expand(keys, begin, end, children, ends, values, owners, gains)`` handles the packed positions
    ``begin`` to ``end`` of ``keys``. For the i-th it writes the cumulative number of children
    (``ends[i]``), its value if it is terminal and ``kind.unknown`` if not (``values[i]``), and the
    player to move (``owners[i]``, unless ``owners`` is empty). Returns the number of positions
    handled, the number of children written, and a status.
    """

    #: 64-bit words a packed position takes.
    words: int
    #: The bits of a one-word packed position that may differ from 0.
    used: int
    #: Whether the players strictly alternate, so that ``owners`` is not needed.
    alternate: bool
    #: The kind of value that positions have.
    kind: Kind

    def __call__(  # one buffer each
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        children: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
        values: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        gains: npt.NDArray[np.int64],
    ) -> tuple[int, int, int]:
        """Expand positions; see the class."""

    def endless(
        self, packed: npt.NDArray[np.uint64], count: int, owners: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int64]:
        """Return the points that the player to move gets for endless play, in a score game.

        Args:
            packed: packed positions.
            count: the number of positions.
            owners: the player to move in each.

        Returns:
            The points; empty if they are 0 in all positions.
        """

    def explain(self, packed: npt.NDArray[np.uint64], status: int) -> Exception:
        """Return the error that describes how the rules break the contract at a packed position."""


@dataclass
class Buffers:
    """The buffers that an expansion fills."""

    children: npt.NDArray[np.uint64]
    ends: npt.NDArray[np.int32]
    values: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.int64]

    @classmethod
    def for_rules(cls, expand: Expand, chunk: int, capacity: int) -> Buffers:
        """Create buffers for ``chunk`` positions with ``capacity`` children in all."""
        return cls(
            zeros(capacity * expand.words, np.uint64),
            np.empty(chunk, np.int32),
            np.empty(chunk, expand.kind.dtype),
            np.empty(0 if expand.alternate else chunk, np.uint8),
            zeros(capacity if expand.kind.gains else 0, np.int64),
        )


def buffer_bytes(expand: Expand) -> int:
    """Return the bytes of buffers for each position of a chunk."""
    return 8 * CAPACITY * (expand.words + expand.kind.gains) + 8 * (1 + expand.kind.gains)


def chunk_size(allowed: int, each: int) -> int:
    """Return the positions of a chunk within a memory budget, if each takes ``each`` bytes."""
    chunk = CHUNK
    while chunk > LEAST_CHUNK and chunk * each * _BUFFERS_SHARE > allowed:
        chunk //= 2
    return chunk


def run_expand(
    expand: Expand, keys: npt.NDArray[np.uint64], begin: int, end: int, buffers: Buffers
) -> tuple[int, int]:
    """Expand positions ``begin`` to ``end``, or as many of them as fit in the buffers.

    If the buffers are too small for the very first position, they are enlarged.

    Returns:
        The number of positions expanded, and the number of their children.

    Raises:
        Exception: the error of ``expand.explain`` for a position that breaks the contract.
    """
    while True:
        done, made, status = expand(
            keys,
            begin,
            end,
            buffers.children,
            buffers.ends,
            buffers.values,
            buffers.owners,
            buffers.gains,
        )
        if status not in (OK, FULL):
            at = (begin + done) * expand.words
            raise expand.explain(keys[at : at + expand.words], status)
        if status == OK or done:
            return done, made
        buffers.children = np.empty(4 * len(buffers.children), np.uint64)
        buffers.gains = np.empty(4 * len(buffers.gains), np.int64)
