"""Cat and Mouse: pursuit on a graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo import drawing
from zermelo.drawing.sketch import sketch_graph
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.pursuit import PursuitRules
from zermelo.games._checks import is_whole
from zermelo.games.graphs._given import check_graph

MOUSE, CAT = 0, 1
_913 = "LeetCode 913, the problem statement"


class Position(NamedTuple):
    """The nodes of the cat and the mouse, and the player to move.

    Attributes:
        mouse: the node the mouse is on.
        cat: the node the cat is on; never the hole.
        turn: 0 if the mouse moves next, 1 if the cat does.
    """

    mouse: int
    cat: int
    turn: int


@dataclass(frozen=True)
class CatAndMouse(Game):
    """A mouse runs for its hole along the edges of a graph, and a cat tries to catch it first.

    The two take turns, the mouse first, and each must move along an edge. The mouse has won when
    it is in the hole; the cat, when it is on the mouse's node. The cat may not enter the hole. A
    player without a move (no edge, or for the cat none but into the hole) stays where it is.

    Attributes:
        graph: one list of neighbours for each node 0, 1, 2, …, a dictionary of such lists by node,
            or a networkx graph; nodes with names have the numbers of their order in it.
        mouse: the node the mouse starts on; on the cat's node it has lost before it moves.
        cat: the node the cat starts on; not the hole.
        hole: the node where the mouse is safe.
        directed: whether edges may lead one way; otherwise each must be listed at both its ends.
    """

    graph: Sequence[Sequence[int]] = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))
    mouse: int = 1
    cat: int = 2
    hole: int = 0
    directed: bool = False

    players = ("mouse", "cat")

    facts = (
        Fact(
            {"graph": ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))},
            "endless",
            source=_913,
        ),
        Fact({"graph": ((1, 3), (0,), (3,), (0, 2))}, "win", source=_913),
        Fact(
            {
                "graph": (
                    (6, 10),
                    (3, 5, 8, 11),
                    (10, 11),
                    (1, 5, 7),
                    (6, 7, 10, 12),
                    (1, 3, 6, 8, 9),
                    (0, 4, 5, 7, 10),
                    (3, 4, 6, 9, 12),
                    (1, 5, 10, 11, 12),
                    (5, 7, 11),
                    (0, 2, 4, 6, 8),
                    (1, 2, 8, 9),
                    (4, 7, 8),
                )
            },
            "loss",
            44,
            note="the bound of twice the nodes, that is 26 plies, calls it a draw",
            source="found by local search",
        ),
    )

    def title(self) -> str:
        """Return the name of the game and the size of its graph."""
        return f"Cat and Mouse, {len(self.graph)} nodes"

    def start(self) -> Position:
        """Return the position that the parameters give, the mouse to move."""
        return Position(self.mouse, self.cat, MOUSE)

    def turn(self, position: Position) -> int:
        """Return the player to move."""
        return position.turn

    def winner(self, position: Position) -> int | None:
        """Return the winner: the mouse in its hole, the cat on the mouse, or None in between."""
        if position.mouse == self.hole:
            return MOUSE
        if position.mouse == position.cat:
            return CAT
        return None

    def moves(self, position: Position) -> Iterator[int]:
        """Yield the nodes that the player to move can go to."""
        current = position.mouse if position.turn == MOUSE else position.cat
        stuck = True
        for node in self.graph[current]:
            if position.turn == MOUSE or node != self.hole:
                stuck = False
                yield node
        if stuck:
            yield current

    def play(self, position: Position, node: int) -> Position:
        """Return the position after the player to move has gone to ``node``."""
        if position.turn == MOUSE:
            return Position(node, position.cat, CAT)
        return Position(position.mouse, node, MOUSE)

    def starts(self) -> npt.NDArray[np.int64]:
        """Return every position with either player to move, one per row, the real start first.

        So a solution has all of them, including those that the start cannot lead to.
        """
        n = len(self.graph)
        places = np.indices((n, n - 1, 2)).reshape(3, -1).T
        places[:, 1] += places[:, 1] >= self.hole  # the cat is on one of the n - 1 other nodes
        first = 2 * (self.mouse * (n - 1) + self.cat - (self.cat > self.hole))
        places[[0, first]] = places[[first, 0]]
        return places

    def space(self) -> Position:
        """Return the range of each field."""
        nodes: Any = range(len(self.graph))
        return Position(nodes, nodes, range(2))  # type: ignore[arg-type]  # ranges, by contract

    def pursuit(self) -> PursuitRules:
        """Return the game as a pursuit, which is solved without running the rules."""
        hole = (self.hole,)
        return PursuitRules(self.graph, safe=hole, forbidden=hole, fields=("mouse", "cat", "turn"))

    def validate(self) -> None:
        """Raise ParameterError unless the graph is one and all three are placed on it."""
        check_graph(self.graph, directed=self.directed)
        n = len(self.graph)
        for name in ("mouse", "cat", "hole"):
            node = getattr(self, name)
            if not is_whole(node) or not 0 <= node < n:
                message = f"{name} must be a node of the graph, not {node!r}; use 0 to {n - 1}"
                if isinstance(node, str):
                    message += ", as nodes with names are numbered in their order"
                raise ParameterError(message)
        if self.cat == self.hole:
            message = f"cat {self.cat!r} starts in the hole, where it may not go; move one of them"
            raise ParameterError(message)
        if not self.graph[self.mouse]:
            message = f"mouse {self.mouse!r} starts on a node without neighbours; give it an edge"
            raise ParameterError(message)

    def show(self, position: Position) -> str:
        """Return a phrase such as ``mouse 1, cat 2, mouse to move``."""
        player = self.players[position.turn]
        return f"mouse {position.mouse}, cat {position.cat}, {player} to move"

    def sketch(self, position: Position) -> str:
        """Return the graph as text, with both players and the hole on it."""
        tags = [(self.hole, "hole"), (position.mouse, "mouse"), (position.cat, "cat")]
        return f"{sketch_graph(self.graph, tags)}\n\n{self.show(position)}"

    def svg(self, position: Position) -> str:
        """Draw the graph with both players and the hole on it."""
        tags = [(self.hole, "hole", "ring"), (position.cat, "cat", "second")]
        tags.append((position.mouse, "mouse", "first"))
        return drawing.graph(
            self.graph,
            tags,
            title=self.show(position),
            directed=self.directed,
            moves=[str(node) for node in range(len(self.graph))],
        )

    def parse(self, text: str) -> Position:
        """Read a phrase as ``show`` writes it, or in short ``1 2 mouse``."""
        match = re.fullmatch(
            r"\s*(?:mouse\s+)?(\d+)[\s,]+(?:cat\s+)?(\d+)[\s,]+(mouse|cat)(\s+to\s+move)?\s*", text
        )
        if match is None:
            message = (
                f"{text!r} is not a position; write one such as 'mouse 1, cat 2, mouse to move'"
            )
            raise PositionError(message)
        return Position(int(match[1]), int(match[2]), self.players.index(match[3]))
