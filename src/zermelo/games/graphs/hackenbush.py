"""Hackenbush on trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.drawing.links import links
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED, WINNING_WAYS

#: The most edges that fit a number.
MOST_EDGES = 62
#: The distance between places of the picture, in pixels.
STEP = 44


class Edges(NamedTuple):
    """The edges that stand, and the player to move.

    Attributes:
        edges: one bit for each edge, in the order of the text.
        player: the player to move: 0 cuts blue edges, 1 red ones, and both cut green ones.
    """

    edges: int
    player: int


@dataclass(frozen=True)
class Hackenbush(Game):
    """Blue cuts blue edges of trees, red cuts red ones, both cut green; who cannot cut loses.

    Trees grow from the ground. When an edge is cut, all that it carries falls off.

    Attributes:
        forest: the trees, with a space between two of them: an edge is ``B`` (blue), ``R`` (red) or
            ``G`` (green), and stands on the edge before it; branches stand in brackets. So
            ``BRR`` is a string of three edges, and ``B(R)(B)G`` an edge that carries three.
    """

    forest: str = "BRB(RB)(G)R RBB"

    players = ("blue", "red")

    facts = (
        *(
            Fact({"forest": forest}, outcome, partizan=value, source=f"{WINNING_WAYS}; recalled")
            for forest, outcome, value in (
                ("B", "win", "1"),
                ("BR", "win", "1/2"),
                ("BRR", "win", "1/4"),
                ("BRB", "win", "3/4"),
                ("BBR", "win", "3/2"),
                ("BR BR R", "loss", "0"),
                ("G", "win", "*"),
                ("GGG", "win", "*3"),
                ("G G", "loss", "0"),
                ("GB", "win", "^*"),
            )
        ),
        Fact({"forest": "B(R)(B)G BR"}, "win", 3, positions=28, source=ENUMERATED),
        Fact({"forest": "BRB(RB)(G)R RBB"}, "win", 5, positions=80, source=ENUMERATED),
    )

    def start(self) -> Edges:
        """Return the whole forest, blue to move."""
        return Edges((1 << len(self.above)) - 1, 0)

    def turn(self, p: Edges) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Edges) -> Iterator[int]:
        """Yield each edge that the player may cut."""
        left = p.edges & (self.red_or_green if p.player else self.blue_or_green)
        while left:
            yield (left & -left).bit_length() - 1
            left &= left - 1

    def play(self, p: Edges, edge: int) -> Edges:
        """Return the edges that stand after a cut."""
        return Edges(p.edges & ~self.above[edge], 1 - p.player)

    def split(self, p: Edges) -> Iterator[Edges]:
        """Yield each tree, in the place of the first of its shape."""
        for edge, shift in self.trees:
            tree = p.edges & self.above[edge]
            if tree:
                yield Edges(tree >> shift, p.player)

    @cached_property
    def parents(self) -> list[int]:
        """The edge below each edge, -1 for the ground."""
        return _parents(self.forest)

    @cached_property
    def colours(self) -> str:
        """The letter of each edge."""
        return "".join(letter for letter in self.forest if letter in "BRG")

    @cached_property
    def above(self) -> list[int]:
        """For each edge, itself and all edges that it carries, one bit each."""
        masks = [1 << edge for edge in range(len(self.parents))]
        for edge in reversed(range(len(masks))):
            if self.parents[edge] >= 0:
                masks[self.parents[edge]] |= masks[edge]
        return masks

    @cached_property
    def blue_or_green(self) -> int:
        """The edges that the first player may cut."""
        return sum(1 << edge for edge, letter in enumerate(self.colours) if letter in "BG")

    @cached_property
    def red_or_green(self) -> int:
        """The edges that the second player may cut."""
        return sum(1 << edge for edge, letter in enumerate(self.colours) if letter in "RG")

    @cached_property
    def trees(self) -> list[tuple[int, int]]:
        """The lowest edge of each tree, and how far it is from the first tree of its shape."""
        first_edges: dict[tuple[str, tuple[int, ...]], int] = {}
        trees = []
        for edge, parent in enumerate(self.parents):
            if parent < 0:
                size = self.above[edge].bit_count()
                shape = (
                    self.colours[edge : edge + size],
                    tuple(below - edge for below in self.parents[edge + 1 : edge + size]),
                )
                trees.append((edge, edge - first_edges.setdefault(shape, edge)))
        return trees

    def space(self) -> Any:
        """Return the range of each field."""
        return Edges(range(1 << len(self.parents)), range(2))  # type: ignore[arg-type]  # ranges

    def validate(self) -> None:
        """Raise ParameterError unless the text describes a forest that fits."""
        forest: Any = self.forest
        if not isinstance(forest, str) or not _is_forest(forest):
            message = (
                f"forest must be a text of B, R, G, brackets and spaces, not {self.forest!r}; "
                "write such as 'BRR' or 'B(R)(B)G BR'"
            )
            raise ParameterError(message)
        count = len(_parents(self.forest))
        if not 1 <= count <= MOST_EDGES:
            message = f"forest has {count} edges; give it 1 to {MOST_EDGES}"
            raise ParameterError(message)

    # -- text and pictures ----------------------------------------------------------------------

    def show(self, p: Edges) -> str:
        """Return the forest, a dot for each edge that is gone, such as ``BR.``, and the turn."""
        places = [place for place, letter in enumerate(self.forest) if letter in "BRG"]
        cut = {place for edge, place in enumerate(places) if not p.edges >> edge & 1}
        text = "".join("." if n in cut else letter for n, letter in enumerate(self.forest))
        return f"{text}, {self.players[p.player]} to move"

    def svg(self, p: Edges) -> str:
        """Draw the trees above the ground, blue edges solid, red ones dashed, green ones dotted."""
        places, depth = self.places, max(up for _, up in self.places)
        spots, joined, names = [], [], []
        owners = {"B": "first", "R": "second", "G": "both"}
        for edge, (across, up) in enumerate(places):
            parent = self.parents[edge]
            below = places[parent] if parent >= 0 else (across, 0)
            start, end = ((x * STEP, (depth - y) * STEP) for x, y in (below, (across, up)))
            stands = p.edges >> edge & 1
            joined.append((start, end, owners[self.colours[edge]] if stands else "gone"))
            names.append(self.name(edge) if stands else "")
            spots += [(*start, "", "any")] if parent < 0 else []
            spots += [(*end, "", "any")] if stands else []
        return links(spots, joined, title=self.show(p), moves=names)

    @cached_property
    def places(self) -> list[tuple[float, int]]:
        """The upper end of each edge: from the left, and from the ground."""
        parents, count = self.parents, len(self.parents)
        heights = [0] * count
        for edge, parent in enumerate(parents):
            heights[edge] = heights[parent] + 1 if parent >= 0 else 1
        tops = [edge for edge in range(count) if edge not in set(parents)]
        columns = {edge: float(column) for column, edge in enumerate(tops)}
        for edge in reversed(range(count)):
            if edge not in columns:
                carried = [columns[other] for other in range(count) if parents[other] == edge]
                columns[edge] = (min(carried) + max(carried)) / 2
        return [(columns[edge], heights[edge]) for edge in range(count)]

    def name(self, edge: int) -> str:
        """Return the letter of an edge and its number in the text, such as ``B1``."""
        return f"{self.colours[edge]}{edge + 1}"

    def parse(self, text: str) -> Edges:
        """Read a forest as ``show`` writes it; without a turn, blue is to move."""
        shown, _, turn = text.partition(",")
        shown = shown.strip()
        player = int(turn.strip().startswith(self.players[1]))
        pairs = [*zip(shown, self.forest, strict=False)]
        fits = len(shown) == len(self.forest)
        if fits and all(a == b or (a == "." and b in "BRG") for a, b in pairs):
            standing = [a for a, b in pairs if b in "BRG"]
            edges = sum(1 << edge for edge, letter in enumerate(standing) if letter != ".")
            carried = (edge for edge, parent in enumerate(self.parents) if parent >= 0)
            if all(edges >> self.parents[e] & 1 or not edges >> e & 1 for e in carried):
                return Edges(edges, player)
        message = (
            f"{text!r} is not what stands of {self.forest!r}; write '{self.forest}', with a dot "
            "for each edge that is gone, and for all that it carried"
        )
        raise PositionError(message)


def _is_forest(text: str) -> bool:
    """Return whether brackets match, each with an edge before and after the opening one."""
    depth, before = 0, " "
    for letter in text:
        if letter not in "BRG() " or (letter == "(" and before in " ("):
            return False
        if (letter in ") " and before in "( ") or (letter == " " and depth):
            return False
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return False
        before = letter
    return depth == 0 and text == text.strip()


def _parents(text: str) -> list[int]:
    """Return the edge below each edge of a forest, -1 for the ground."""
    parents: list[int] = []
    below, branches = -1, []
    for letter in text:
        if letter in "BRG":
            parents.append(below)
            below = len(parents) - 1
        elif letter == "(":
            branches.append(below)
        elif letter == ")":
            below = branches.pop()
        else:
            below = -1
    return parents
