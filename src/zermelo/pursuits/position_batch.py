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
_POSITIONS_PER_BATCH = 1 << 16


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

    def select(self, indices: Any) -> PositionBatch:
        """Return a subset of the positions."""
        return PositionBatch(self.turn, self.evader[indices], self.team[indices])

    @classmethod
    def from_places(cls, definition: PursuitDefinition, places: Numbers) -> PositionBatch:
        """Return the positions at some places of one turn."""
        rows = definition.index.positions(places)
        turn = int(rows[0, -1]) if len(rows) else 0
        return cls(turn, rows[:, 0].copy(), rows[:, 1:-1].copy())

    def places(self, definition: PursuitDefinition) -> Numbers:
        """Return the places of the positions."""
        places: Numbers = definition.index.place(self.turn, self.evader, self.team.T)
        return places


class MoveTable:
    """The nodes that each node leads each mover to, as arrays.

    Attributes:
        most_moves: the most moves of a position.
    """

    def __init__(self, definition: PursuitDefinition) -> None:
        """List the steps from every node."""
        self._definition = definition
        self._steps = []
        for mover in range(1 + definition.pursuers):
            lists = [definition.steps(mover, node) for node in range(definition.nodes)]
            ends = np.cumsum([0, *map(len, lists)])
            flat = np.array([node for row in lists for node in row], np.int64)
            self._steps.append((ends, flat))
        degrees = [int(np.diff(ends).max()) for ends, _ in self._steps]
        team_moves = (
            int(np.prod(degrees[1:])) if definition.together else max(degrees[1:], default=0)
        )
        self.most_moves = max(1, team_moves, *degrees[:1])

    def children(self, rows: PositionBatch) -> tuple[PositionBatch, Numbers]:
        """Return the positions after all moves of some positions, and the parent of each."""
        definition, turn = self._definition, rows.turn
        caught = (rows.team == rows.evader[:, np.newaxis]).any(axis=1)
        parent = np.flatnonzero(~(caught | definition.safe[rows.evader]))
        child = rows.select(parent)
        child.turn = (turn + 1) % definition.turns
        movers = range(1, 1 + definition.pursuers) if definition.together else (turn,)
        for mover in movers if turn else (0,):
            ends, steps = self._steps[mover]
            node = child.team[:, mover - 1] if mover else child.evader
            counts = ends[node + 1] - ends[node]
            parents = np.repeat(np.arange(len(node)), counts)
            begins = ends[node] - (np.cumsum(counts) - counts)
            new = steps[np.arange(len(parents)) + begins[parents]]
            child, parent = child.select(parents), parent[parents]
            if mover:
                child.team[:, mover - 1] = new
            else:
                child.evader = new
        return child, parent

    @property
    def count(self) -> int:
        """The number of moves from all positions, terminal positions included."""
        definition = self._definition
        free = np.flatnonzero(~definition.forbidden)
        steps = [np.diff(ends) for ends, _ in self._steps]
        total = [int(steps[0].sum())] + [int(step_counts[free].sum()) for step_counts in steps[1:]]
        evader_moves = total[0] * int(len(free) ** definition.pursuers)
        if definition.together:
            return evader_moves + definition.nodes * int(np.prod(total[1:]))
        return evader_moves + definition.nodes * int(len(free) ** (definition.pursuers - 1)) * sum(
            total[1:]
        )

    def list_moves(self) -> tuple[Numbers, Numbers, npt.NDArray[np.uint8]]:
        """Return all moves: ``first``, ``edges`` and ``owners`` of a ``MoveGraph``."""
        half = self._definition.index.half
        degrees, edges = [np.zeros(1, np.int64)], []
        for turn in range(self._definition.turns):
            for start in range(turn * half, (turn + 1) * half, _POSITIONS_PER_BATCH):
                end = min(start + _POSITIONS_PER_BATCH, (turn + 1) * half)
                children, parent = self.children(
                    PositionBatch.from_places(self._definition, np.arange(start, end))
                )
                degrees.append(np.bincount(parent, minlength=end - start))
                edges.append(children.places(self._definition))
        owners = (np.arange(self._definition.positions) >= half).astype(np.uint8)
        return np.cumsum(np.concatenate(degrees)), np.concatenate(edges), owners
