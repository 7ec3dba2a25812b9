"""Expansion: run the rules on a batch of positions, and write their children into buffers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array, Uint64Array
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
BAD_WEIGHT = 8


class Expand(Protocol):
    """Compiled rules: fills buffers with the children of a range of positions.

    ``expand(keys, begin, end, out)`` handles the packed positions ``begin`` to ``end`` of ``keys``.
    For the i-th it writes the cumulative number of children (``out.ends[i]``), its value if it is
    terminal and ``kind.unknown`` if not, or ``CHANCE`` if chance decides (``out.values[i]``), and
    the player to move
    (``out.owners[i]``, unless ``out.owners`` is empty). Returns the number of positions handled,
    the number of children written, and a status.
    """

    #: 64-bit words a packed position takes.
    words: int
    #: The bits of a one-word packed position that may differ from 0.
    used: int
    #: Whether the players strictly alternate, so that ``owners`` is not needed.
    alternate: bool
    #: The kind of value that positions have.
    kind: Kind

    def __call__(
        self, keys: Uint64Array, begin: int, end: int, out: Buffers
    ) -> tuple[int, int, int]:
        """Expand positions; see the class."""

    def endless(self, packed: Uint64Array, count: int, owners: Uint8Array) -> Int64Array:
        """Return the points that the player to move gets for endless play, in a score game.

        Args:
            packed: packed positions.
            count: the number of positions.
            owners: the player to move in each.

        Returns:
            The points; empty if they are 0 in all positions.
        """

    def explain(self, packed: Uint64Array, status: int) -> Exception:
        """Return the error that describes how the rules break the contract at a packed position."""


@dataclass
class Buffers:
    """The buffers that an expansion fills; see ``Expand``.

    Attributes:
        children: the packed positions after the moves.
        ends: the cumulative number of moves of each position.
        values: the value of each terminal position, else ``kind.unknown``.
        owners: the player to move in each position; empty if the players strictly alternate.
        gains: the points of each move, or the weight of each result of chance; empty if the kind of
            value has none.
        words: 64-bit words per packed position.
    """

    children: Uint64Array
    ends: Int32Array
    values: npt.NDArray[Any]
    owners: Uint8Array
    gains: Int64Array
    words: int

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The arrays, as a kernel takes them."""
        return self.children, self.ends, self.values, self.owners, self.gains

    @classmethod
    def for_rules(cls, expand: Expand, chunk: int, capacity: int) -> Buffers:
        """Create buffers for ``chunk`` positions with ``capacity`` children in all."""
        return cls(
            zeros(capacity * expand.words, np.uint64),
            np.empty(chunk, np.int32),
            np.empty(chunk, expand.kind.dtype),
            np.empty(0 if expand.alternate else chunk, np.uint8),
            zeros(capacity if expand.kind.gains else 0, np.int64),
            expand.words,
        )


def buffer_bytes(expand: Expand) -> int:
    """Return the bytes of buffers for each position of a chunk."""
    return 8 * CAPACITY * (expand.words + expand.kind.gains) + 8 * (1 + expand.kind.gains)


def chunk_size(allowed: int, position_bytes: int) -> int:
    """Return the positions of a chunk within a memory budget; each takes ``position_bytes``."""
    chunk = CHUNK
    while chunk > LEAST_CHUNK and chunk * position_bytes * _BUFFERS_SHARE > allowed:
        chunk //= 2
    return chunk


def run_expand(
    expand: Expand, keys: Uint64Array, begin: int, end: int, buffers: Buffers
) -> tuple[int, int]:
    """Expand positions ``begin`` to ``end``, as far as their children fit in the buffers.

    If the buffers are too small for the very first position, they are enlarged.

    Returns:
        The number of positions expanded, and the number of their children.

    Raises:
        Exception: the error of ``expand.explain`` for a position that breaks the contract.
    """
    while True:
        expanded_count, child_count, status = expand(keys, begin, end, buffers)
        if status not in (OK, FULL):
            first_word = (begin + expanded_count) * expand.words
            raise expand.explain(keys[first_word : first_word + expand.words], status)
        if status == OK or expanded_count:
            return expanded_count, child_count
        buffers.children = np.empty(4 * len(buffers.children), np.uint64)
        buffers.gains = np.empty(4 * len(buffers.gains), np.int64)


@dataclass(frozen=True, slots=True)
class ExpandedPart:
    """Consecutive positions whose moves are in buffers, which the next part overwrites.

    Attributes:
        begin: the index of the first position.
        end: the index after the last position.
        moves: the number of moves.
        buffers: the buffers.
    """

    begin: int
    end: int
    moves: int
    buffers: Buffers

    @property
    def children(self) -> Uint64Array:
        """The packed positions after the moves, shape (moves, words)."""
        words = self.buffers.words
        return self.buffers.children[: self.moves * words].reshape(-1, words)

    @property
    def ends(self) -> Int32Array:
        """The cumulative number of moves of each position."""
        return self.buffers.ends[: self.end - self.begin]

    @property
    def degrees(self) -> Int32Array:
        """The number of moves of each position."""
        return np.diff(self.ends, prepend=np.int32(0))

    @property
    def values(self) -> npt.NDArray[Any]:
        """The value of each position, if it is terminal; else ``kind.unknown``."""
        return self.buffers.values[: self.end - self.begin]

    @property
    def owners(self) -> Uint8Array:
        """The player to move in each position; empty if the players strictly alternate."""
        return self.buffers.owners[: self.end - self.begin]

    @property
    def gains(self) -> Int64Array:
        """The points of each move; empty if the kind of value has none."""
        return self.buffers.gains[: self.moves]


def expanded_parts(
    expand: Expand,
    keys: Uint64Array,
    count: int,
    buffers: Buffers,
    most: int | None = None,
) -> Iterator[ExpandedPart]:
    """Expand the first ``count`` packed positions of ``keys``, part by part.

    Args:
        expand: the compiled rules.
        keys: packed positions.
        count: the number of positions.
        buffers: receive the moves of a part; too small buffers are enlarged.
        most: the most positions of a part; None for all that fit.

    Raises:
        Exception: the error of ``expand.explain`` for a position that breaks the contract.
    """
    begin = 0
    while begin < count:
        stop = count if most is None else min(begin + most, count)
        expanded_count, moves = run_expand(expand, keys, begin, stop, buffers)
        yield ExpandedPart(begin, begin + expanded_count, moves, buffers)
        begin += expanded_count


class ExpandedPositions(NamedTuple):
    """Positions with all their moves.

    Attributes:
        ends: the cumulative number of moves of each position.
        children: the packed positions after the moves, shape (moves, words).
        values: the value of each position, if it is terminal; else ``kind.unknown``.
        owners: the player to move in each position; empty if the players strictly alternate.
        gains: the points of each move; empty if the kind of value has none.
    """

    ends: Int64Array
    children: Uint64Array
    values: npt.NDArray[Any]
    owners: Uint8Array
    gains: Int64Array


def expanded(
    expand: Expand, keys: Uint64Array, count: int, buffers: Buffers | None = None
) -> ExpandedPositions:
    """Expand the first ``count`` packed positions of ``keys`` in one batch, for few positions.

    Args:
        expand: the compiled rules.
        keys: packed positions.
        count: the number of positions.
        buffers: buffers to use; None to allocate some.

    Raises:
        Exception: the error of ``expand.explain`` for a position that breaks the contract.
    """
    buffers = buffers or Buffers.for_rules(expand, max(count, 1), CAPACITY * max(count, 1))
    empty_part = ExpandedPart(0, 0, 0, buffers)
    part_copies, moves = [(empty_part.ends.astype(np.int64), *_copies(empty_part))], 0
    for part in expanded_parts(expand, keys, count, buffers):
        part_copies.append((part.ends.astype(np.int64) + moves, *_copies(part)))
        moves += part.moves
    return ExpandedPositions(*map(np.concatenate, zip(*part_copies, strict=True)))


def _copies(part: ExpandedPart) -> tuple[npt.NDArray[Any], ...]:
    return tuple(a.copy() for a in (part.children, part.values, part.owners, part.gains))
