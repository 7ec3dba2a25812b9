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
Drawn = Callable[[Keys, int, int], bool | None]


@dataclass(frozen=True)
class Tie:
    """The end of a drawn position.

    Attributes:
        plies: plies to the tie; None if play is endless.
        way: the packed positions of the shortest path, a row each, the tie included.
    """

    plies: int | None
    way: Keys

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
        here = np.concatenate([first.reshape(1, -1), self.way])[:-1]
        found = np.flatnonzero((here == packed).all(axis=1))
        return self.way[found[0]].copy() if len(found) else None

    def plies_left(self, first: Keys, packed: Keys) -> int | None:
        """Return the plies from a position on the path to the tie, or None if it is not on it."""
        here = np.concatenate([first.reshape(1, -1), self.way])
        found = np.flatnonzero((here == packed).all(axis=1))
        return len(self.way) - int(found[0]) if len(found) else None

    def to_json(self) -> list[Any]:
        """Return the tie as JSON values."""
        return [self.plies, self.way.tolist()]

    @classmethod
    def from_json(cls, kept: list[Any], words: int) -> Tie:
        """Return the tie from the result of ``to_json``."""
        return cls(kept[0], np.array(kept[1], np.uint64).reshape(-1, words))


def nearest_tie(compiled: CompiledRules, packed: Keys, owner: int, drawn: Drawn) -> Tie | None:
    """Return the end of a drawn position; None if a limit was met.

    This visits every drawn position that is nearer than the tie, and takes memory for each.

    Args:
        compiled: the rules, canonicalising as they are searched.
        packed: the words of the position, which is drawn, and not terminal.
        owner: the player to move there.
        drawn: returns whether another position is drawn.

    Raises:
        RulesError: a rule breaks the contract.
    """
    return _Ways(compiled, packed, owner, drawn).run()


class _Ways:
    """The positions in the order of the breadth-first search, each with its predecessor."""

    def __init__(self, compiled: CompiledRules, packed: Keys, owner: int, drawn: Drawn) -> None:
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import Arena
        from zermelo._engine.index.hash_index import HashIndex

        claim = Claim(mover=True, least=0, far=False, great=1)
        self._replies = Replies(compiled, owner, claim)
        self._words, self._drawn = compiled.words, drawn
        limit = Ledger.for_budget(None).allowed
        self._index = HashIndex(compiled.words, compiled.used)
        self._keys = Arena(np.uint64, limit)
        #: The number of each position's predecessor, and the player who moved there.
        self._from, self._movers = Arena(np.int64, limit), Arena(np.uint8, limit)
        self._known = 0
        self._number_new(packed.reshape(1, -1), np.full(1, -1), np.array([1 - owner], np.uint8))

    def run(self) -> Tie | None:
        """Find the nearest tie, ply by ply."""
        begin = plies = 0
        while begin < self._known:
            end = self._known
            for numbers in self._parts(begin, end):
                expanded = self._replies.expand(self._rows[numbers])
                ties = np.flatnonzero(expanded.over & (expanded.worths == 0))
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
        held: Keys = self._keys.array[: self._known * self._words]
        return held.reshape(-1, self._words)

    def _expand_drawn(self, numbers: Numbers) -> bool:
        """Expand those of some positions that are drawn; return False if a limit was met."""
        expanded = self._replies.expand(self._rows[numbers])
        turns = expanded.owners if len(expanded.owners) else 1 - self._movers.array[numbers]
        drawn = ~expanded.over
        for row in np.flatnonzero(drawn).tolist():
            if numbers[row] == 0:  # the root is drawn
                continue
            mover = int(self._movers.array[numbers[row]])
            found = self._drawn(expanded.keys[row], int(turns[row]), mover)
            if found is None:
                return False
            drawn[row] = found
        origins = expanded.origins
        on = drawn[origins]
        self._number_new(expanded.children[on], numbers[origins[on]], turns[origins[on]])
        return True

    def _number_new(self, keys: Keys, origins: Numbers, movers: npt.NDArray[np.uint8]) -> None:
        """Number positions that have not been reached before."""
        from zermelo._engine.index.hash_index import entries_for

        count, words, before = len(keys), self._words, self._known
        stored = self._keys.ensure((before + count) * words, before * words)
        if self._index.is_full(before + count):
            self._index.grow(entries_for(before + count), stored, before, direct=False)
        numbers = np.empty(count, np.uint32)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self._known = self._index.insert(flat, count, stored, before, numbers, 0)
        new, first = np.unique(numbers, return_index=True)
        first = first[new >= before]
        for arena, each in ((self._from, origins), (self._movers, movers)):
            arena.ensure(self._known, before)[before : self._known] = each[first]

    def _path_to(self, number: int) -> Keys:
        """Return the positions on the path to one of them, without the root."""
        numbers = []
        while number:
            numbers.append(number)
            number = int(self._from.array[number])
        return self._rows[numbers[::-1]].copy()
