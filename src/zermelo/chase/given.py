"""A pursuit as it was given: whose move it is, where moves lead, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo.game.adjacency import Adjacency

#: Whoever has won, as a sign for the evader.
EVADER, PURSUERS = 1, -1


class Placement(NamedTuple):
    """Where everybody stands, and whose turn it is.

    Attributes:
        evader: the evader's node.
        pursuers: the node of each pursuer.
        turn: 0 where the evader moves next, 1 where the pursuers do, or where they move one after
            another the first of them, then 2 and 3 for the others.
    """

    evader: int
    pursuers: tuple[int, ...]
    turn: int = 0


@dataclass(frozen=True)
class Given:
    """A pursuit as it was given.

    Attributes:
        graphs: where each node leads the evader, then each pursuer; the same object where these are
            the same.
        safe: nodes where the evader has won, by node.
        forbidden: nodes where no pursuer may be, by node.
        together: whether one turn moves all pursuers; otherwise each has a turn of its own.
        waits: whether staying is a move everywhere, for the evader and for pursuers.
        stays: whether it is one where there is no other.
    """

    graphs: tuple[Adjacency, ...]
    safe: npt.NDArray[np.bool_]
    forbidden: npt.NDArray[np.bool_]
    together: bool
    waits: tuple[bool, bool]
    stays: bool

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.safe)

    @property
    def pursuers(self) -> int:
        """How many pursuers there are."""
        return len(self.graphs) - 1

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return 2 if self.together else 1 + self.pursuers

    @cached_property
    def placements(self) -> int:
        """How many placements there are, whoever moves next."""
        free = self.nodes - int(np.count_nonzero(self.forbidden))
        count: int = self.turns * self.nodes * free**self.pursuers
        return count

    @property
    def own_bytes(self) -> int:
        """Bytes that the graphs take, each counted once."""
        arrays = {id(array): array.nbytes for graph in self.graphs for array in graph}
        return sum(arrays.values())

    def number(self, placement: Placement) -> int:
        """Return where a placement stands among those of its turn.

        The pursuers' nodes count from the first one on; the evader's more than these in its own
        turn, and less in theirs.
        """
        evader, pursuers, turn = placement
        team = 0
        for node in pursuers:
            team = team * self.nodes + node
        whole: int = self.nodes**self.pursuers
        return evader * whole + team if turn == 0 else team * self.nodes + evader

    def over(self, placement: Placement) -> bool:
        """Whether the pursuit is over at a placement, if its mover can move."""
        return bool(self.safe[placement.evader]) or placement.evader in placement.pursuers

    def end(self, placement: Placement) -> int:
        """Return who has won at a placement where it is over, or nobody can move."""
        if self.safe[placement.evader]:
            return EVADER
        if placement.evader in placement.pursuers or placement.turn == 0:
            return PURSUERS
        return EVADER

    def children(self, placement: Placement) -> list[Placement]:
        """Return what moves lead to, each once, in the order in which graphs list them."""
        evader, pursuers, turn = placement
        if self.over(placement):
            return []
        if turn == 0:
            return [Placement(node, pursuers, 1) for node in self.steps(0, evader)]
        after = (turn + 1) % self.turns
        choices: list[list[int]] = [[node] for node in pursuers]
        for i in range(self.pursuers) if self.together else [turn - 1]:
            choices[i] = self.steps(1 + i, pursuers[i])
        return [Placement(evader, team, after) for team in product(*choices)]

    def moved(self, before: Placement, after: Placement) -> int | tuple[int, ...]:
        """Return the move from one placement to the next: the new node of who moves, or nodes."""
        if before.turn == 0:
            return after.evader
        if self.together:
            return after.pursuers if self.pursuers > 1 else after.pursuers[0]
        return after.pursuers[before.turn - 1]

    def steps(self, mover: int, node: int) -> list[int]:
        """Return where one can go from a node: 0 is the evader, then come the pursuers."""
        indptr, indices = self.graphs[mover]
        listed = indices[int(indptr[node]) : int(indptr[node + 1])].tolist()
        if mover > 0:
            listed = [there for there in listed if not self.forbidden[there]]
        if self.waits[mover > 0] or (self.stays and not listed):
            listed.append(node)
        return list(dict.fromkeys(listed))
