"""Batches of positions of a pursuit, and the positions after their moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo.pursuits.definition import PursuitDefinition

Numbers = npt.NDArray[np.int64]

#: Positions whose moves are listed in one batch.
_AT_ONCE = 1 << 16


@dataclass
class PositionBatch:
    """A batch of positions of one turn.

    Attributes:
        turn: the turn.
        evader: the evader's node in each position.
        team: the pursuers' nodes, shape (positions, pursuers).
    """

    turn: int
    evader: Numbers
    team: Numbers

    def select(self, which: Any) -> PositionBatch:
        """Return a subset of the positions."""
        return PositionBatch(self.turn, self.evader[which], self.team[which])

    @classmethod
    def from_places(cls, given: PursuitDefinition, places: Numbers) -> PositionBatch:
        """Return the positions at some places of one turn."""
        rows = given.index.positions(places)
        turn = int(rows[0, -1]) if len(rows) else 0
        return cls(turn, rows[:, 0].copy(), rows[:, 1:-1].copy())

    def places(self, given: PursuitDefinition) -> Numbers:
        """Return the places of the positions."""
        places: Numbers = given.index.place(self.turn, self.evader, self.team.T)
        return places


class MoveTable:
    """The nodes that each node leads each mover to, as arrays.

    Attributes:
        most: the most moves of a position.
    """

    def __init__(self, given: PursuitDefinition) -> None:
        """List the steps from every node."""
        self._given = given
        self._steps = []
        for mover in range(1 + given.pursuers):
            lists = [given.steps(mover, node) for node in range(given.nodes)]
            ends = np.cumsum([0, *map(len, lists)])
            flat = np.array([node for row in lists for node in row], np.int64)
            self._steps.append((ends, flat))
        degrees = [int(np.diff(ends).max()) for ends, _ in self._steps]
        both = int(np.prod(degrees[1:])) if given.together else max(degrees[1:], default=0)
        self.most = max(1, both, *degrees[:1])

    def children(self, rows: PositionBatch) -> tuple[PositionBatch, Numbers]:
        """Return the positions after all moves of some positions, and the parent of each."""
        given, turn = self._given, rows.turn
        caught = (rows.team == rows.evader[:, np.newaxis]).any(axis=1)
        parent = np.flatnonzero(~(caught | given.safe[rows.evader]))
        after = rows.select(parent)
        after.turn = (turn + 1) % given.turns
        movers = range(1, 1 + given.pursuers) if given.together else (turn,)
        for mover in movers if turn else (0,):
            ends, steps = self._steps[mover]
            node = after.team[:, mover - 1] if mover else after.evader
            many = ends[node + 1] - ends[node]
            each = np.repeat(np.arange(len(node)), many)
            begins = ends[node] - (np.cumsum(many) - many)
            new = steps[np.arange(len(each)) + begins[each]]
            after, parent = after.select(each), parent[each]
            if mover:
                after.team[:, mover - 1] = new
            else:
                after.evader = new
        return after, parent

    @property
    def count(self) -> int:
        """The number of moves from all positions, terminal positions included."""
        given = self._given
        free = np.flatnonzero(~given.forbidden)
        steps = [np.diff(ends) for ends, _ in self._steps]
        total = [int(steps[0].sum())] + [int(each[free].sum()) for each in steps[1:]]
        found = total[0] * int(len(free) ** given.pursuers)
        if given.together:
            return found + given.nodes * int(np.prod(total[1:]))
        return found + given.nodes * int(len(free) ** (given.pursuers - 1)) * sum(total[1:])

    def list_moves(self) -> tuple[Numbers, Numbers, npt.NDArray[np.uint8]]:
        """Return all moves: ``first``, ``edges`` and ``owners`` of a ``MoveGraph``."""
        half = self._given.index.half
        degrees, edges = [np.zeros(1, np.int64)], []
        for turn in range(self._given.turns):
            for begin in range(turn * half, (turn + 1) * half, _AT_ONCE):
                end = min(begin + _AT_ONCE, (turn + 1) * half)
                after, parent = self.children(
                    PositionBatch.from_places(self._given, np.arange(begin, end))
                )
                degrees.append(np.bincount(parent, minlength=end - begin))
                edges.append(after.places(self._given))
        owners = (np.arange(self._given.positions) >= half).astype(np.uint8)
        return np.cumsum(np.concatenate(degrees)), np.concatenate(edges), owners
