"""Cops and Robbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.graphs._graph_names import graph_of
from zermelo.values.outcomes import LOSS, WIN, Outcome

COPS, ROBBER = 0, 1
MOST_COPS = 4
_NUMBERS = 'public repository file "Exact computations" of cop numbers'


class Beat(NamedTuple):
    """The nodes of the cops and the robber, and the side to move; node n stands for none yet.

    Attributes:
        cops: the nodes of the cops, in ascending order.
        robber: the node of the robber.
        side: 0 if the cops are to move, 1 if the robber is.
    """

    cops: tuple[int, ...]
    robber: int
    side: int


@dataclass(frozen=True)
class CopsAndRobbers(Game):
    """Cops chase a robber along the edges of a graph; the robber wins if it is never caught.

    First the cops choose their nodes, then the robber. From then on, they move in turn: each cop
    may stay or follow an edge, all of them in one move, and so may the robber. The cops win when
    one of them is on the robber's node.

    Attributes:
        graph: a name, such as ``"petersen"`` or ``"grid 3 4"``, or one list of neighbours for each
            node, a dictionary of such lists, or a networkx graph.
        cops: the number of cops, one to four.
    """

    graph: Sequence[Sequence[int]] | str = "dodecahedron"
    cops: int = 3

    players = ("cops", "robber")
    endless = ROBBER

    facts = (
        Fact({"graph": "path 5", "cops": 1}, "win", 5, source=_NUMBERS),
        Fact({"graph": "path 12", "cops": 1}, "win", 13, source=ENUMERATED),
        Fact({"graph": "cycle 4", "cops": 2}, "win", 3, source=_NUMBERS),
        Fact({"graph": "cycle 12", "cops": 2}, "win", 7, source=ENUMERATED),
        Fact({"graph": "grid 3 3", "cops": 2}, "win", 5, source=ENUMERATED),
        Fact({"graph": "grid 4 4", "cops": 2}, "win", 7, source=_NUMBERS),
        Fact({"graph": "grid 5 5", "cops": 2}, "win", 9, source=ENUMERATED),
        Fact({"graph": "grid 3 7", "cops": 2}, "win", 9, source=ENUMERATED),
        Fact({"graph": "grid 6 6", "cops": 2}, "win", 11, source=ENUMERATED),
        Fact({"graph": "binary-tree 3", "cops": 1}, "win", 7, source=ENUMERATED),
        Fact({"graph": "cube 3", "cops": 2}, "win", 3, source=ENUMERATED),
        Fact({"graph": "petersen", "cops": 3}, "win", 3, source=_NUMBERS),
        Fact({"graph": "octahedron", "cops": 2}, "win", 3, source=ENUMERATED),
        Fact({"graph": "dodecahedron", "cops": 3}, "win", 7, source=_NUMBERS),
        Fact({"graph": "truncated-tetrahedron", "cops": 2}, "win", 5, source=ENUMERATED),
        Fact({"graph": "moebius-kantor", "cops": 3}, "win", 5, source=_NUMBERS),
        Fact({"graph": "desargues", "cops": 3}, "win", 7, source=_NUMBERS),
        Fact({"graph": "frucht", "cops": 2}, "win", 5, source=ENUMERATED),
        Fact({"graph": "krackhardt-kite", "cops": 1}, "win", 7, source=ENUMERATED),
        Fact({"graph": "karate-club", "cops": 2}, "win", 5, source=ENUMERATED),
        Fact({"graph": "cycle 4", "cops": 1}, "loss", source=_NUMBERS),
        Fact({"graph": "petersen", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "dodecahedron", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "desargues", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "nauru", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "nauru", "cops": 3}, "win", source=_NUMBERS),
        Fact({"graph": "mcgee", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "mcgee", "cops": 3}, "win", source=_NUMBERS),
        Fact({"graph": "coxeter", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "coxeter", "cops": 3}, "win", source=_NUMBERS),
        Fact({"graph": "dyck", "cops": 2}, "loss", source=_NUMBERS),
        Fact({"graph": "dyck", "cops": 3}, "win", source=_NUMBERS),
        Fact({"graph": "robertson", "cops": 3}, "loss", source=_NUMBERS),
        Fact(
            {"graph": "robertson", "cops": 4},
            "win",
            checked=False,
            note="agrees, and takes half a minute",
            source=_NUMBERS,
        ),
    )

    @cached_property
    def reach(self) -> list[list[int]]:
        """The nodes that a move leads to from each node, itself included; all from node n."""
        rows = graph_of(self.graph)
        return [*([node, *row] for node, row in enumerate(rows)), [*range(len(rows))]]

    @cached_property
    def nowhere(self) -> int:
        """The number of nodes, which stands for none."""
        return len(graph_of(self.graph))

    def start(self) -> Beat:
        """Return the position in which nobody has chosen a node."""
        return Beat((self.nowhere,) * self.cops, self.nowhere, COPS)

    def turn(self, p: Beat) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Beat) -> Outcome | None:
        """Return the winner if the robber is caught."""
        if p.robber < self.nowhere and p.robber in p.cops:
            return WIN if p.side == COPS else LOSS
        return None

    def moves(self, p: Beat) -> Iterator[tuple[int, ...]]:
        """Yield the nodes that the cops go to, or the robber's node padded with -1."""
        if p.side == ROBBER:
            for node in self.reach[p.robber]:
                yield tuple(node if cop == 0 else -1 for cop in range(self.cops))
        else:
            # A counter whose digits are the cops' choices.
            choice = [0] * self.cops
            while choice[0] < len(self.reach[p.cops[0]]):
                yield tuple(self.reach[p.cops[cop]][choice[cop]] for cop in range(self.cops))
                digit = self.cops - 1
                choice[digit] += 1
                while digit > 0 and choice[digit] == len(self.reach[p.cops[digit]]):
                    choice[digit] = 0
                    digit -= 1
                    choice[digit] += 1

    def play(self, p: Beat, move: tuple[int, ...]) -> Beat:
        """Return the position after a move."""
        if p.side == ROBBER:
            return Beat(p.cops, move[0], COPS)
        return Beat(tuple(sorted(move)), p.robber, ROBBER)

    def space(self) -> Beat:
        """Return the range of each field."""
        node: Any = range(self.nowhere + 1)
        side: Any = range(2)
        return Beat(node, node, side)

    def validate(self) -> None:
        """Raise ParameterError unless the graph is valid and there are one to four cops."""
        graph_of(self.graph)
        check_number("cops", self.cops, 1, MOST_COPS)

    def name(self, move: tuple[int, ...]) -> str:
        """Return the nodes of a move: one for each cop, as in ``3-5``, or the robber's."""
        return "-".join(str(node) for node in move if node >= 0)

    def show(self, p: Beat) -> str:
        """Return a phrase such as ``cops 3 5, robber 7, cops to move``, with ``-`` for no node."""
        return (
            f"cops {' '.join(map(self._node, p.cops))}, robber {self._node(p.robber)}, "
            f"{self.players[p.side]} to move"
        )

    def svg(self, p: Beat) -> str:
        """Draw the graph with the cops and the robber."""
        tags = [(node, "cop", "second") for node in p.cops if node < self.nowhere]
        if p.robber < self.nowhere:
            tags.append((p.robber, "robber", "first"))
        moves = [str(node) for node in range(self.nowhere)]
        return drawing.graph(graph_of(self.graph), tags, title=self.show(p), moves=moves)

    def parse(self, text: str) -> Beat:
        """Read a phrase as ``show`` writes it.

        Raises:
            PositionError: the text is not such a phrase, or has a node that is not in the graph.
        """
        match = re.fullmatch(
            r"\s*cops ((?:\d+|-)(?: (?:\d+|-))*), robber (\d+|-), (cops|robber) to move\s*", text
        )
        words = [*match[1].split(), match[2]] if match else []
        nodes = [self.nowhere if word == "-" else int(word) for word in words]
        if match is None or len(nodes) != self.cops + 1 or max(nodes) > self.nowhere:
            message = (
                f"{text!r} is not a position; write one such as '"
                f"{self.show(Beat((0,) * self.cops, self.nowhere - 1, COPS))}'"
            )
            raise PositionError(message)
        return Beat(tuple(sorted(nodes[:-1])), nodes[-1], self.players.index(match[3]))

    def _node(self, node: int) -> str:
        return "-" if node == self.nowhere else str(node)
