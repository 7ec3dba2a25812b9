"""What one thread works with while a dense space is explored, and what it keeps of the moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import Arena
from zermelo._engine.expand.expander import Buffers, Expand, run_expand
from zermelo._engine.index.ranks import Ranking
from zermelo._methods.dense.kernels import BUCKET, record_moves

#: Positions expanded at once: with their children they stay in a core's own cache.
CHUNK = 1 << 11
#: Children a buffer holds at first, for each position.
_CAPACITY = 16


class OutsideSpaceError(Exception):
    """A move leads out of the space, or to a position that is not among those it was to keep to.

    Attributes:
        packed: the position that it leads from.
        child: the position that it leads to.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], child: npt.NDArray[np.uint64]) -> None:
        """Keep both."""
        super().__init__(packed, child)
        self.packed = packed
        self.child = child


class SpaceRules(Expand, Protocol):
    """Compiled rules that may know which positions of a space are legal.

    Attributes:
        is_folded: whether they give one position of each class of equivalent ones.
    """

    is_folded: bool

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the positions that stand for the classes of ``count`` packed positions."""

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether each of ``count`` packed positions is to be solved."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions, where there are any."""


class DenseWorkspace:
    """What one thread works with, and what it has found.

    Attributes:
        sources: the slots it has expanded, in that order.
        notes: how many moves each has, or how the game ends there.
        turns: whose turn it is in each, where the players do not strictly alternate.
        edges: the slots that their moves lead to.
        counts: how many of them lead into each bucket of slots.
        known: how many sources there are.
        moves: how many moves were followed.
        most: the most moves that a position has.
    """

    def __init__(self, expand: SpaceRules, ranking: Ranking, limit: int) -> None:
        """Begin with nothing.

        Args:
            expand: the compiled rules.
            ranking: the slots of their positions.
            limit: bytes that no array will pass.
        """
        self.expand = expand
        self.ranking = ranking
        self.buffers = Buffers.for_rules(expand, CHUNK, _CAPACITY * CHUNK)
        self.keys = np.empty(CHUNK * expand.words, np.uint64)
        self.slots = np.empty(_CAPACITY * CHUNK, np.int64)
        self.fresh = np.empty(CHUNK, np.int64)
        kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        self.sources = Arena(kind, limit)
        self.notes = Arena(np.int32, limit)
        self.turns = Arena(np.uint8, limit)
        self.edges = Arena(kind, limit)
        self.counts = np.zeros((ranking.slots >> BUCKET) + 1, np.int64)
        self.known = 0
        self.moves = 0
        self.most = 0

    @staticmethod
    def needed(words: int, slots: int) -> int:
        """Return the bytes that its buffers take at first, arrays that grow apart."""
        return CHUNK * (_CAPACITY * 8 * (words + 1) + 8 * words + 16) + 8 * (slots >> BUCKET)

    def expanded(
        self, slots: npt.NDArray[np.int64]
    ) -> Iterator[tuple[int, int, int, npt.NDArray[np.int64]]]:
        """Expand positions; yields where a part begins, how many it is, moves, and their slots.

        Raises:
            OutsideSpaceError: a move leads out of the space.
        """
        self.ranking.unrank(slots, len(slots), self.keys)
        begin = 0
        while begin < len(slots):
            done, made = run_expand(self.expand, self.keys, begin, len(slots), self.buffers)
            if len(self.slots) < made:
                self.slots = np.empty(len(self.buffers.children) // self.expand.words, np.int64)
            if self.ranking.rank(self.buffers.children, made, self.slots) < made:
                raise self.strange(begin, done, int(np.argmax(self.slots[:made] < 0)))
            yield begin, done, made, self.slots
            begin += done

    def strange(self, begin: int, done: int, edge: int) -> OutsideSpaceError:
        """Return the error for a move, counted from the first of the part at ``begin``."""
        words = self.expand.words
        i = begin + int(np.searchsorted(self.buffers.ends[:done], edge, side="right"))
        packed = self.keys[i * words : (i + 1) * words].copy()
        return OutsideSpaceError(packed, self.buffers.children[edge * words :][:words].copy())

    def record(self, slots: npt.NDArray[np.int64], begin: int, done: int, made: int) -> None:
        """Keep what expanding ``slots[begin:]`` gave."""
        known, moves = self.known, self.moves
        sources = self.sources.ensure(known + done, known)
        sources[known : known + done] = slots[begin : begin + done]
        notes = self.notes.ensure(known + done, known)
        edges = self.edges.ensure(moves + made, moves)
        if not self.expand.alternate:
            turns = self.turns.ensure(known + done, known)
            turns[known : known + done] = self.buffers.owners[:done]
        buffers = self.buffers
        arguments = (buffers.ends, buffers.values, done, self.slots, made)
        most = record_moves(*arguments, notes, known, edges, moves, self.counts)
        self.most = max(self.most, int(most))
        self.known += done
        self.moves += made

    def append(
        self,
        sources: npt.NDArray[Any],
        notes: npt.NDArray[np.int32],
        turns: npt.NDArray[np.uint8],
        edges: npt.NDArray[Any],
    ) -> None:
        """Keep positions and moves as they are given."""
        known, moves, count, made = self.known, self.moves, len(sources), len(edges)
        self.sources.ensure(known + count, known)[known : known + count] = sources
        self.notes.ensure(known + count, known)[known : known + count] = notes
        self.edges.ensure(moves + made, moves)[moves : moves + made] = edges
        if not self.expand.alternate:
            self.turns.ensure(known + count, known)[known : known + count] = turns
        self.counts += np.bincount(edges >> BUCKET, minlength=len(self.counts))
        self.most = max(self.most, 1)
        self.known += count
        self.moves += made

    def renew(self, slots: int) -> None:
        """Restart, with moves that lead to this many slots."""
        self.drop()
        self.counts = np.zeros((slots >> BUCKET) + 1, np.int64)
        self.moves = self.most = 0

    def drop(self) -> None:
        """Release what was kept."""
        for arena in (self.sources, self.notes, self.turns, self.edges):
            arena.clear()
        self.known = 0
