"""Comparison of a pursuit's rules with its graphs, at a sample of positions.

The solver uses graphs and special nodes, and calls no rule. So the rules are compared before, at
positions of several kinds: with the evader safe, caught, next to the pursuer and at random nodes,
and with either player to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.array_types import BoolArray
from zermelo.errors import RulesError
from zermelo.rules.declaration import DeclaredPosition, check_declaration
from zermelo.values.outcomes import LOSS, WIN, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs
    from zermelo._methods.pursuit.index import PursuitIndex
    from zermelo.rules.hooks import Rules

#: Nodes of each kind to compare, and the number of moves after which the sample ends.
_NODES, _MOVES = 3, 700
#: Random nodes that are tried until one is suitable.
_TRIES = 8
#: The most positions of a pursuit for which all are compared, and for which starts are counted.
_FEW_POSITIONS, _COUNTED_STARTS = 100, 3000


def check_rules(
    rules: Rules, board: PursuitGraphs, index: PursuitIndex, fields: Sequence[str]
) -> None:
    """Check that the rules of a pursuit agree with its graphs at a sample of positions.

    Args:
        rules: the rules.
        board: the pursuit.
        index: the positions of the pursuit.
        fields: the names of the fields of the evader, the pursuer and the turn.

    Raises:
        RulesError: the rules and the graphs disagree.
    """
    if index.span <= _COUNTED_STARTS:
        _check_starts(rules, index)
    chase = _DeclaredChase(rules, board, fields)
    check_declaration(rules, "pursuit", chase.sample(index))


def _check_starts(rules: Rules, index: PursuitIndex) -> None:
    """Check that the starts of a pursuit are all its positions.

    Raises:
        RulesError: some position is not a start.
    """
    starts = len(np.unique(rules.start_words(), axis=0))
    if starts != index.span:
        message = (
            f"{rules.name}.starts() returns {starts:,} position{'s' * (starts != 1)}, and "
            f"pursuit() declares {index.span:,}, with either player to move; let starts() return "
            "all of them"
        )
        raise RulesError(message)


class _DeclaredChase:
    """The positions of a pursuit according to its graphs, without rules."""

    def __init__(self, rules: Rules, board: PursuitGraphs, fields: Sequence[str]) -> None:
        names = [name for name, _ in rules.layout.fields]
        self.rules, self.board = rules, board
        self.columns = [names.index(name) for name in fields]

    def sample(self, index: PursuitIndex) -> Iterator[tuple[Any, DeclaredPosition]]:
        """Yield the sampled positions, each with its declared outcome and children."""
        for position in self._positions(index):
            yield position, self.declared(position)

    def _positions(self, index: PursuitIndex) -> Iterator[Any]:
        """Yield the start and positions of each kind, or all positions if they are few."""
        yield self.rules.game.start()
        if index.span <= _FEW_POSITIONS:
            for position in index.positions(np.arange(index.span)).tolist():
                yield self.position(*position)
            return
        moves = 0
        for evader, pursuer in self._pairs(Random(0)):  # noqa: S311  # not for secrets
            if self.board.forbidden[pursuer]:
                continue
            for turn in range(2):
                yield self.position(evader, pursuer, turn)
            moves += len(_neighbours(self.board.evader, evader))
            moves += len(_neighbours(self.board.pursuers[0], pursuer))
            if moves > _MOVES:
                return

    def _pairs(self, random: Random) -> Iterator[tuple[int, int]]:
        """Yield nodes of evader and pursuer: special pairs, then pairs of random nodes."""
        board, size = self.board, self.board.size
        evader_moves, pursuer_moves = board.evader, board.pursuers[0]

        def other_node(node: int, closed: BoolArray) -> int:
            """Return a random open node other than ``node``; or ``node`` after some tries."""
            candidates = (random.randrange(size) for _ in range(_TRIES))
            for candidate in candidates:
                if candidate != node and not closed[candidate]:
                    return candidate
            return node

        dead_ends = [
            np.flatnonzero(np.diff(side.indptr) == 0) for side in (evader_moves, pursuer_moves)
        ]
        special = [np.flatnonzero(board.safe), np.flatnonzero(board.forbidden), *dead_ends]
        random_nodes = random.sample(range(size), min(size, _MOVES))
        for nodes in (random_nodes[:_NODES], *(array.tolist() for array in special)):
            for node in random.sample(nodes, min(_NODES, len(nodes))):
                yield node, node
                for moves in (evader_moves, pursuer_moves):
                    neighbours = _neighbours(moves, node)
                    if neighbours:
                        yield node, random.choice(neighbours)
                        yield random.choice(neighbours), node
        for node in random_nodes:
            yield node, other_node(node, board.forbidden)
            yield other_node(node, board.safe), node

    def position(self, evader: int, pursuer: int, turn: int) -> Any:
        """Return the position with the evader and the pursuer on these nodes."""
        flat = [0, 0, 0]
        for column, number in zip(self.columns, (evader, pursuer, turn), strict=True):
            flat[column] = number
        return self.rules.layout.build(flat)

    def declared(self, position: Any) -> DeclaredPosition:
        """Return the outcome and the children of a position according to the graphs."""
        flat = self.rules.layout.flatten(position)
        evader, pursuer, turn = (flat[column] for column in self.columns)
        board = self.board
        nodes = (
            _neighbours(board.pursuers[0], pursuer) if turn else _neighbours(board.evader, evader)
        )
        winner = None
        if board.safe[evader]:
            winner = 0
        elif evader == pursuer:
            winner = 1
        elif not nodes:
            winner = 1 - turn
        if winner is not None:
            return DeclaredPosition(turn, _outcome(winner, turn), frozenset())
        pairs = [(evader, node) if turn else (node, pursuer) for node in nodes]
        children = frozenset(self.position(*pair, 1 - turn) for pair in pairs)
        return DeclaredPosition(turn, None, children)


def _neighbours(moves: NodeMoves, node: int) -> list[int]:
    """Return the nodes that moves from a node reach."""
    nodes: list[int] = moves.indices[moves.indptr[node] : moves.indptr[node + 1]].tolist()
    return nodes


def _outcome(winner: int, turn: int) -> Outcome:
    return WIN if winner == turn else LOSS
