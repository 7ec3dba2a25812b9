"""Comparison of a pursuit's rules with its graphs, at some positions.

The solver uses graphs and special nodes, and calls no rule. So the rules are compared first at
positions of each kind: with the evader safe, caught, next to the pursuer and anywhere, and either
to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

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
#: The most positions of a pursuit that is compared as a whole, and of one whose starts are counted.
_WHOLE, _COUNTED = 100, 3000


def check_rules(
    rules: Rules, board: PursuitGraphs, index: PursuitIndex, fields: Sequence[str]
) -> None:
    """Check that the rules of a pursuit agree with its graphs, in a sample.

    Args:
        rules: the rules.
        board: the pursuit.
        index: its positions.
        fields: the names of the evader's field, the pursuer's and the turn.

    Raises:
        RulesError: they disagree.
    """
    if index.span <= _COUNTED:
        _check_starts(rules, index)
    chase = _DeclaredChase(rules, board, fields)
    check_declaration(rules, "pursuit", chase.sample(index))


def _check_starts(rules: Rules, index: PursuitIndex) -> None:
    """Check that the starts of a pursuit are all of its positions.

    Raises:
        RulesError: they are not.
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
    """The positions of a pursuit by its graphs, without calling a rule."""

    def __init__(self, rules: Rules, board: PursuitGraphs, fields: Sequence[str]) -> None:
        names = [name for name, _ in rules.layout.fields]
        self.rules, self.board = rules, board
        self.columns = [names.index(name) for name in fields]

    def sample(self, index: PursuitIndex) -> Iterator[tuple[Any, DeclaredPosition]]:
        """Yield the start and positions of each kind, each with its declared facts."""
        for position in self._some(index):
            yield position, self.declared(position)

    def _some(self, index: PursuitIndex) -> Iterator[Any]:
        """Yield the start and positions of each kind, or all positions if they are few."""
        yield self.rules.game.start()
        if index.span <= _WHOLE:
            for position in index.positions(np.arange(index.span)).tolist():
                yield self.position(*position)
            return
        moves = 0
        for evader, pursuer in self._pairs(Random(0)):  # noqa: S311  # not for secrets
            if self.board.forbidden[pursuer]:
                continue
            for turn in range(2):
                yield self.position(evader, pursuer, turn)
            moves += len(_after(self.board.evader, evader))
            moves += len(_after(self.board.pursuers[0], pursuer))
            if moves > _MOVES:
                return

    def _pairs(self, random: Random) -> Iterator[tuple[int, int]]:
        """Yield nodes of an evader and a pursuer: kinds of pairs first, then every node."""
        board, size = self.board, self.board.size
        evading, pursuing = board.evader, board.pursuers[0]

        def elsewhere(node: int, closed: Any) -> int:
            """Return a random node, different and not closed if such a node is soon found."""
            tries = (random.randrange(size) for _ in range(_TRIES))
            return next((other for other in tries if other != node and not closed[other]), node)

        stuck = [np.flatnonzero(np.diff(side.indptr) == 0) for side in (evading, pursuing)]
        special = [np.flatnonzero(board.safe), np.flatnonzero(board.forbidden), *stuck]
        every = random.sample(range(size), min(size, _MOVES))
        for nodes in (every[:_NODES], *(each.tolist() for each in special)):
            for node in random.sample(nodes, min(_NODES, len(nodes))):
                yield node, node
                for after in (_after(evading, node), _after(pursuing, node)):
                    if after:
                        yield node, random.choice(after)
                        yield random.choice(after), node
        for node in every:
            yield node, elsewhere(node, board.forbidden)
            yield elsewhere(node, board.safe), node

    def position(self, evader: int, pursuer: int, turn: int) -> Any:
        """Return the position with both sides on some nodes, and one of them to move."""
        flat = [0, 0, 0]
        for column, number in zip(self.columns, (evader, pursuer, turn), strict=True):
            flat[column] = number
        return self.rules.layout.build(flat)

    def declared(self, position: Any) -> DeclaredPosition:
        """Return the outcome and the children of a position by the graphs."""
        flat = self.rules.layout.flatten(position)
        evader, pursuer, turn = (flat[column] for column in self.columns)
        board = self.board
        nodes = _after(board.pursuers[0], pursuer) if turn else _after(board.evader, evader)
        winner = None
        if board.safe[evader]:
            winner = 0
        elif evader == pursuer:
            winner = 1
        elif not nodes:
            winner = 1 - turn
        if winner is not None:
            return DeclaredPosition(turn, _outcome(winner, turn), frozenset())
        after = [(evader, node) if turn else (node, pursuer) for node in nodes]
        children = frozenset(self.position(*pair, 1 - turn) for pair in after)
        return DeclaredPosition(turn, None, children)


def _after(moves: NodeMoves, node: int) -> list[int]:
    """Return the nodes that a node leads to."""
    found: list[int] = moves.indices[moves.indptr[node] : moves.indptr[node + 1]].tolist()
    return found


def _outcome(winner: int, turn: int) -> Outcome:
    return WIN if winner == turn else LOSS
