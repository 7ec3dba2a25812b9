"""The remoteness of a tie: the fewest plies in which play reaches one without a mistake.

Both players prefer a tie to endless play, and a near tie to a far one. So a tie's remoteness is no
contest: it is the length of the shortest path from a drawn position, over drawn positions alone, to
one in which the rules declare a tie. A breadth-first search finds it. For each position that it
reaches, the search for values decides one question: is it drawn, too? If no path leads to a tie,
the draw is endless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.proving.strategies.replies import Claim, Keys, Numbers, Replies

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules

#: Returns whether a packed child of a drawn position is drawn, or None if a limit was met. It takes
#: the position, the player to move there, and the player who moved.
DrawTest = Callable[[Keys, int, int], bool | None]


@dataclass(frozen=True)
class Tie:
    """The end of a drawn position.

    Attributes:
        plies: plies to the tie; None if play is endless.
        path: the packed positions of the shortest path, a row each, the tie included.
    """

    plies: int | None
    path: Keys

    @classmethod
    def at_root(cls, words: int) -> Tie:
        """Return the end of a position that is a tie itself."""
        return cls(0, np.zeros((0, words), np.uint64))

    def next_position(self, first: Keys, packed: Keys) -> Keys | None:
        """Return the next packed position on the path, or None for a position that is not on it.

        Args:
            first: the packed position at its begin.
            packed: the position.
        """
        positions = np.concatenate([first.reshape(1, -1), self.path])[:-1]
        indices = np.flatnonzero((positions == packed).all(axis=1))
        return self.path[indices[0]].copy() if len(indices) else None

    def plies_left(self, first: Keys, packed: Keys) -> int | None:
        """Return the plies from a position on the path to the tie, or None if it is not on it."""
        positions = np.concatenate([first.reshape(1, -1), self.path])
        indices = np.flatnonzero((positions == packed).all(axis=1))
        return len(self.path) - int(indices[0]) if len(indices) else None

    def to_json(self) -> list[Any]:
        """Return the tie as JSON values."""
        return [self.plies, self.path.tolist()]

    @classmethod
    def from_json(cls, document: list[Any], words: int) -> Tie:
        """Return the tie from the result of ``to_json``."""
        return cls(document[0], np.array(document[1], np.uint64).reshape(-1, words))


def nearest_tie(
    compiled: CompiledRules, packed: Keys, owner: int, is_drawn: DrawTest
) -> Tie | None:
    """Return the end of a drawn position; None if a limit was met.

    This visits every drawn position that is nearer than the tie, and takes memory for each.

    Args:
        compiled: the rules, canonicalising as they are searched.
        packed: the words of the position, which is drawn, and not terminal.
        owner: the player to move there.
        is_drawn: returns whether another position is drawn.

    Raises:
        RulesError: a rule breaks the contract.
    """
    return _BreadthFirstSearch(compiled, packed, owner, is_drawn).run()


class _BreadthFirstSearch:
    """The positions in the order of the breadth-first search, each with its predecessor."""

    def __init__(
        self, compiled: CompiledRules, packed: Keys, owner: int, is_drawn: DrawTest
    ) -> None:
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import Arena
        from zermelo._engine.index.hash_index import HashIndex

        claim = Claim(mover=True, least=0, with_distance=False, win_value=1)
        self._replies = Replies(compiled, owner, claim)
        self._words, self._is_drawn = compiled.words, is_drawn
        limit = Ledger.for_budget(None).allowed
        self._index = HashIndex(compiled.words, compiled.used)
        self._keys = Arena(np.uint64, limit)
        #: The number of each position's predecessor, and the player who moved there.
        self._predecessors, self._movers = Arena(np.int64, limit), Arena(np.uint8, limit)
        self._count = 0
        self._number_new(packed.reshape(1, -1), np.full(1, -1), np.array([1 - owner], np.uint8))

    def run(self) -> Tie | None:
        """Find the nearest tie, ply by ply."""
        begin = plies = 0
        while begin < self._count:
            end = self._count
            for numbers in self._parts(begin, end):
                expanded = self._replies.expand(self._rows[numbers])
                ties = np.flatnonzero(expanded.over & (expanded.terminal_values == 0))
                if len(ties):
                    return Tie(plies, self._path_to(int(numbers[ties[0]])))
            for numbers in self._parts(begin, end):
                if not self._expand_drawn(numbers):
                    return None
            begin, plies = end, plies + 1
        return Tie(None, np.zeros((0, self._words), np.uint64))

    def _parts(self, begin: int, end: int) -> Iterator[Numbers]:
        return (np.arange(begin, end)[part] for part in self._replies.batches(end - begin))

    @property
    def _rows(self) -> Keys:
        """The positions, a row each."""
        keys: Keys = self._keys.array[: self._count * self._words]
        return keys.reshape(-1, self._words)

    def _expand_drawn(self, numbers: Numbers) -> bool:
        """Expand those of some positions that are drawn; return False if a limit was met."""
        expanded = self._replies.expand(self._rows[numbers])
        turns = expanded.owners if len(expanded.owners) else 1 - self._movers.array[numbers]
        is_drawn = ~expanded.over
        for row in np.flatnonzero(is_drawn).tolist():
            if numbers[row] == 0:  # the root is drawn
                continue
            mover = int(self._movers.array[numbers[row]])
            result = self._is_drawn(expanded.keys[row], int(turns[row]), mover)
            if result is None:
                return False
            is_drawn[row] = result
        origins = expanded.origins
        from_drawn = is_drawn[origins]
        self._number_new(
            expanded.children[from_drawn], numbers[origins[from_drawn]], turns[origins[from_drawn]]
        )
        return True

    def _number_new(self, keys: Keys, origins: Numbers, movers: npt.NDArray[np.uint8]) -> None:
        """Number positions that have not been reached before."""
        from zermelo._engine.index.hash_index import entries_for

        count, words, old_count = len(keys), self._words, self._count
        stored = self._keys.ensure((old_count + count) * words, old_count * words)
        if self._index.is_full(old_count + count):
            self._index.grow(entries_for(old_count + count), stored, old_count, direct=False)
        numbers = np.empty(count, np.uint32)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self._count = self._index.insert(flat, count, stored, old_count, numbers, 0)
        new, first = np.unique(numbers, return_index=True)
        first = first[new >= old_count]
        for arena, values in ((self._predecessors, origins), (self._movers, movers)):
            arena.ensure(self._count, old_count)[old_count : self._count] = values[first]

    def _path_to(self, number: int) -> Keys:
        """Return the positions on the path to one of them, without the root."""
        numbers = []
        while number:
            numbers.append(number)
            number = int(self._predecessors.array[number])
        return self._rows[numbers[::-1]].copy()
