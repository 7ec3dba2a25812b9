"""The buffers and stored moves of one thread while a dense space is explored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import Arena
from zermelo._engine.expand.expander import Expand, ExpandedPart
from zermelo._engine.index.ranks import Ranking
from zermelo._methods.dense.kernels import record_notes
from zermelo._methods.dense.move_buckets import MoveBuckets, bucket_bytes
from zermelo._methods.rule_rounds import RuleWorkspace

#: Positions expanded in one batch: with their children they fit in a core's cache.
CHUNK = 1 << 11
#: The initial capacity of a buffer in children, for each position.
_CAPACITY = 16


class OutsideSpaceError(Exception):
    """A move leads out of the space, or to a position that is not found where all must be.

    Attributes:
        packed: the position before the move.
        child: the position after the move.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], child: npt.NDArray[np.uint64]) -> None:
        """Store both positions."""
        super().__init__(packed, child)
        self.packed = packed
        self.child = child


class SpaceRules(Expand, Protocol):
    """Compiled rules that may have ``legal`` and ``level``.

    Attributes:
        is_folded: whether they make positions canonical.
    """

    is_folded: bool

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the canonical forms of ``count`` packed positions."""

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether each of ``count`` packed positions is legal."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions, if the rules have levels."""


class DenseWorkspace(RuleWorkspace):
    """The buffers of one thread, and the positions and moves that it has found.

    The numbers of children are their slots.

    Attributes:
        sources: the slots that it has expanded, in that order.
        notes: the number of moves of each, or the code of a terminal position.
        turns: the player to move in each, if the players do not strictly alternate.
        buckets: their moves, in buckets by the slots that they lead to.
        known: the number of sources.
        most: the most moves of a position.
    """

    def __init__(self, expand: SpaceRules, ranking: Ranking, limit: int) -> None:
        """Create empty arrays.

        Args:
            expand: the compiled rules.
            ranking: the slots of positions.
            limit: the most bytes of any array.
        """
        super().__init__(expand, CHUNK, _CAPACITY * CHUNK)
        self.ranking = ranking
        self.fresh = np.empty(CHUNK, np.int64)
        kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        self.sources = Arena(kind, limit)
        self.notes = Arena(np.int32, limit)
        self.turns = Arena(np.uint8, limit)
        self.buckets = MoveBuckets(ranking.slots, limit)
        self._limit = limit
        self.known = 0
        self.most = 0

    @staticmethod
    def initial_bytes(words: int, slots: int) -> int:
        """Return the initial bytes of its buffers, without the arrays that grow."""
        return CHUNK * (_CAPACITY * 8 * (words + 1) + 8 * words + 16) + bucket_bytes(slots)

    @property
    def moves(self) -> int:
        """The number of moves."""
        return self.buckets.moves

    def expand_slots(self, slots: npt.NDArray[np.int64]) -> Iterator[ExpandedPart]:
        """Expand the positions in slots, part by part; ``numbers`` has the children's slots.

        Raises:
            OutsideSpaceError: a move leads out of the space.
        """
        self.ranking.unrank(slots, len(slots), self.keys)
        for part in self.parts(len(slots)):
            if self.ranking.rank(part.buffers.children, part.moves, self.numbers) < part.moves:
                raise self.move_error(part, int(np.argmax(self.numbers[: part.moves] < 0)))
            yield part

    def move_error(self, part: ExpandedPart, move: int) -> OutsideSpaceError:
        """Return the error for a move of a part, by its number there."""
        words = self.expand.words
        i = part.begin + int(np.searchsorted(part.ends, move, side="right"))
        packed = self.keys[i * words : (i + 1) * words].copy()
        return OutsideSpaceError(packed, part.children[move].copy())

    def record(self, slots: npt.NDArray[np.int64], part: ExpandedPart) -> None:
        """Store a part of the positions in ``slots``, with its moves."""
        known, count = self.known, part.end - part.begin
        sources = self.sources.ensure(known + count, known)
        sources[known : known + count] = slots[part.begin : part.end]
        notes = self.notes.ensure(known + count, known)
        if not self.expand.alternate:
            turns = self.turns.ensure(known + count, known)
            turns[known : known + count] = part.owners
        most = record_notes(part.ends, part.values, notes[known : known + count])
        self.buckets.add(part.ends, self.numbers, known, part.moves)
        self.most = max(self.most, int(most))
        self.known += count

    def append(
        self,
        sources: npt.NDArray[Any],
        notes: npt.NDArray[np.int32],
        turns: npt.NDArray[np.uint8],
        edges: npt.NDArray[Any],
    ) -> None:
        """Append the given positions and moves."""
        known, count = self.known, len(sources)
        self.sources.ensure(known + count, known)[known : known + count] = sources
        self.notes.ensure(known + count, known)[known : known + count] = notes
        ends = np.cumsum(np.maximum(notes, 0)).astype(np.int32)
        self.buckets.add(ends, edges.astype(np.int64), known, len(edges))
        if not self.expand.alternate:
            self.turns.ensure(known + count, known)[known : known + count] = turns
        self.most = max(self.most, 1)
        self.known += count

    def renew(self, slots: int) -> None:
        """Clear the workspace, for moves that lead to ``slots`` slots."""
        self.drop()
        self.buckets = MoveBuckets(slots, self._limit)
        self.most = 0

    def drop_notes(self) -> None:
        """Release the notes and turns of the stored positions."""
        self.notes.clear()
        self.turns.clear()

    def drop(self) -> None:
        """Release the stored positions and moves."""
        self.drop_notes()
        self.sources.clear()
        self.buckets.clear()
        self.known = 0
