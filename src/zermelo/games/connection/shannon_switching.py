"""The Shannon switching game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from zermelo.drawing.graph_layout import place_nodes
from zermelo.drawing.links import links
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._sources import ENUMERATED
from zermelo.games.graphs._graph_names import graph_of

MOST_EDGES = 62
#: Five edges: two paths of two edges from 0 to 3, and a bridge between their middles.
WHEATSTONE = ((1, 2), (0, 2, 3), (0, 1, 3), (1, 2))
_WIDE, _HIGH = 300, 200


class Switches(NamedTuple):
    """The edges that are secured and those that are deleted, one bit per edge.

    Attributes:
        kept: the edges that Short has secured.
        cut: the edges that Cut has deleted.
        player: the player to move: 0 is Short, 1 is Cut.
    """

    kept: int
    cut: int
    player: int


@dataclass(frozen=True)
class ShannonSwitching(Game):
    """Short secures edges of a graph to join two nodes, Cut deletes edges to part them.

    A move secures or deletes an edge that is neither secured nor deleted. Short wins when secured
    edges join the two nodes, and Cut when deleted edges have parted them.

    Attributes:
        graph: the neighbours of each node, in a list, a dictionary or a networkx graph; or the name
            of a graph, such as ``grid 3 3``.
        one: the first of the two nodes.
        other: the second; -1 is the last node of the graph.
        first: the player who begins, ``short`` or ``cut``.
    """

    title = "Shannon Switching Game"

    graph: str | tuple[tuple[int, ...], ...] = WHEATSTONE
    one: int = 0
    other: int = -1
    first: str = "cut"

    players: ClassVar[tuple[str, str]] = ("Short", "Cut")

    facts = (
        Fact({"first": "short"}, "win", 5, positions=88, win=51, loss=37, source=ENUMERATED),
        Fact({"first": "cut"}, "win", 5, positions=88, win=51, loss=37, source=ENUMERATED),
        Fact(
            {"graph": "complete 4", "first": "short"},
            "win",
            1,
            positions=196,
            win=80,
            loss=116,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "complete 4", "first": "cut"},
            "loss",
            6,
            positions=225,
            win=100,
            loss=125,
            note="K4 has two spanning trees without a common edge, so Short wins: Lehman 1964",
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "cycle 4", "other": 2, "first": "short"},
            "loss",
            4,
            positions=33,
            win=20,
            loss=13,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "cycle 4", "other": 2, "first": "cut"},
            "win",
            3,
            positions=31,
            win=17,
            loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "grid 3 3", "first": "short"},
            "loss",
            6,
            positions=125_123,
            win=63_176,
            loss=61_947,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "grid 3 3", "first": "cut"},
            "win",
            5,
            positions=116_939,
            win=54_425,
            loss=62_514,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Switches:
        """Return the graph with no edge secured or deleted."""
        return Switches(0, 0, ("short", "cut").index(self.first))

    def turn(self, p: Switches) -> int:
        """Return the player to move."""
        return p.player

    def winner(self, p: Switches) -> int | None:
        """Return 0 if Short has joined the two nodes, 1 if Cut has parted them."""
        if self.joined(p.kept):
            return 0
        if not self.joined(self.all_edges & ~p.cut):
            return 1
        return None

    def moves(self, p: Switches) -> Iterator[int]:
        """Yield each edge that is neither secured nor deleted."""
        for edge in range(len(self.edges)):
            if not (p.kept | p.cut) >> edge & 1:
                yield edge

    def play(self, p: Switches, edge: int) -> Switches:
        """Return the graph with the edge secured or deleted."""
        if p.player == 0:
            return Switches(p.kept | 1 << edge, p.cut, 1)
        return Switches(p.kept, p.cut | 1 << edge, 0)

    def joined(self, edges: int) -> bool:
        """Return whether edges lead from the one node to the other."""
        reached, grows = 1 << self.one, True
        while grows:
            grows = False
            for edge in range(len(self.edges)):
                a, b = self.edges[edge]
                if edges >> edge & 1 and (reached >> a ^ reached >> b) & 1:
                    reached |= 1 << a | 1 << b
                    grows = True
        return reached >> self.end & 1 == 1

    def level(self, p: Switches) -> int:
        """Return the number of edges that are secured or deleted."""
        return (p.kept | p.cut).bit_count()

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """The two nodes that each edge joins, the smaller one first."""
        return sorted(
            {(min(a, b), max(a, b)) for a, row in enumerate(self.neighbours) for b in row}
        )

    @property
    def all_edges(self) -> int:
        """All edges, one bit each."""
        return (1 << len(self.edges)) - 1

    @property
    def end(self) -> int:
        """The number of the second node."""
        return self.other % len(self.neighbours)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each node."""
        return graph_of(self.graph)

    def space(self) -> Switches:
        """Return the range of each field; no edge is both secured and deleted."""
        edges: Any = Disjoint(len(self.edges))
        player: Any = range(2)
        return Switches(edges, edges, player)

    def validate(self) -> None:
        """Raise ParameterError unless the graph, the two nodes and the first player are valid."""
        count = len(self.neighbours)
        if not 1 <= len(self.edges) <= MOST_EDGES:
            message = f"graph has {len(self.edges)} edges; give it from 1 to {MOST_EDGES}"
            raise ParameterError(message)
        if not 0 <= self.one < count or not -1 <= self.other < count or self.one == self.end:
            message = (
                f"one={self.one!r} and other={self.other!r} are not two nodes of the graph; give "
                f"two of 0 to {count - 1}"
            )
            raise ParameterError(message)
        if self.first not in ("short", "cut"):
            message = f"first={self.first!r} is not a player; give 'short' or 'cut'"
            raise ParameterError(message)

    def show(self, p: Switches) -> str:
        """Return the edges that are secured and deleted, such as ``+0-1 x1-2``, and the turn."""
        edge_texts = [
            ("+" if p.kept >> edge & 1 else "x") + self.name(edge)
            for edge in range(len(self.edges))
            if (p.kept | p.cut) >> edge & 1
        ]
        return ", ".join([" ".join(edge_texts) or "nothing", f"{self.players[p.player]} to move"])

    def svg(self, p: Switches) -> str:
        """Draw the graph: secured edges as thick lines, deleted edges not at all."""
        spots = [(_WIDE * float(x), _HIGH * float(y)) for x, y in self.layout]
        lines = [
            (
                spots[a],
                spots[b],
                "first" if p.kept >> e & 1 else "gone" if p.cut >> e & 1 else "free",
            )
            for e, (a, b) in enumerate(self.edges)
        ]
        ends = (self.one, self.end)
        nodes = [(*spot, str(n), "first" if n in ends else "any") for n, spot in enumerate(spots)]
        names = [self.name(edge) for edge in range(len(self.edges))]
        return links(nodes, lines, title=f"shannon-switching: {self.show(p)}", moves=names)

    @cached_property
    def layout(self) -> list[tuple[float, float]]:
        """The place of each node in the picture, from 0 to 1 across and down."""
        places = place_nodes(self.neighbours)
        low, high = places.min(axis=0), places.max(axis=0)
        return [tuple(spot) for spot in ((places - low) / (high - low).clip(1e-9)).tolist()]

    def name(self, edge: int) -> str:
        """Return the two nodes that an edge joins, such as ``0-1``."""
        a, b = self.edges[edge]
        return f"{a}-{b}"

    def parse(self, text: str) -> Switches:
        """Read a position as ``show`` writes it."""
        edges_text, _, mover = text.strip().partition(",")
        player = self.start().player
        for number, name in enumerate(self.players):
            if mover.strip() == f"{name} to move":
                player = number
        numbers = {self.name(edge): edge for edge in range(len(self.edges))}
        edge_sets = {"+": 0, "x": 0}
        for word in edges_text.replace("nothing", "").split():
            if word[0] not in edge_sets or word[1:] not in numbers:
                message = (
                    f"{text!r} has {word!r}, which is not an edge secured or deleted; write "
                    f"+{self.name(0)} for a secured edge and x{self.name(0)} for a deleted one"
                )
                raise PositionError(message)
            edge_sets[word[0]] |= 1 << numbers[word[1:]]
        return Switches(edge_sets["+"], edge_sets["x"], player)
