"""Sim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

from zermelo.drawing.links import links, round_spots
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import DRAW, Outcome

#: The most points: six have 15 lines and 2.2 million positions, seven have 21 lines.
MOST_POINTS = 7
_RADIUS = 110

LOSING = (
    "binary of GamesmanClassic at b9dd232 (msim option 1), run by us; Mead, Rosa & "
    "Huang 1974 (second wins) via awesome-game-solving list"
)
WINNING = "binary of GamesmanClassic at b9dd232 (msim option 2), run by us"


@dataclass(frozen=True)
class Sim(Game):
    """Players colour the lines between points; a triangle of one's own colour loses.

    A move colours one line that is not coloured yet. Whoever completes three lines between three
    points, all of their own colour, loses at once. If all lines are coloured without a triangle,
    which happens with five points but never with six, it is a tie.

    Attributes:
        vertices: the number of points.
        triangle: whether a player who completes a triangle ``loses`` or ``wins``.
    """

    vertices: int = 6
    triangle: str = "loses"

    players: ClassVar[tuple[str, str]] = ("blue", "orange")
    no_moves: ClassVar[Outcome] = DRAW

    facts = (
        Fact(
            {"vertices": 6},
            "loss",
            15,
            positions=2_230_702,
            win=1_722_240,
            loss=508_462,
            longest_win=14,
            longest_loss=15,
            source=LOSING,
        ),
        Fact(
            {"vertices": 6, "triangle": "wins"},
            "win",
            7,
            positions=2_230_702,
            win=1_257_067,
            loss=973_635,
            longest_win=9,
            longest_loss=10,
            source=WINNING,
        ),
    )

    def start(self) -> Sides:
        """Return the points without coloured lines."""
        return Sides(0, 0, 0)

    def turn(self, p: Sides) -> int:
        """Return the player to move."""
        return p.player

    def winner(self, p: Sides) -> int | None:
        """Return the winner if the other player has just completed a triangle."""
        for triangle in self.triangles:
            if p.theirs & triangle == triangle:
                return p.player if self.triangle == "loses" else 1 - p.player
        return None

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each line without a colour."""
        for line in range(len(self.lines)):
            if not (p.mine | p.theirs) >> line & 1:
                yield line

    def play(self, p: Sides, line: int) -> Sides:
        """Return the lines with one more coloured, as the other player sees them."""
        return Sides(p.theirs, p.mine | 1 << line, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of coloured lines."""
        return (p.mine | p.theirs).bit_count()

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """The two points of each line, from 0."""
        return list(combinations(range(self.vertices), 2))

    @cached_property
    def triangles(self) -> list[int]:
        """The three lines of each triangle, one bit each."""
        numbers = {line: 1 << n for n, line in enumerate(self.lines)}
        return [
            sum(numbers[line] for line in combinations(points, 2))
            for points in combinations(range(self.vertices), 3)
        ]

    def symmetries(self) -> Symmetry:
        """Return the permutations of lines by those of points; with 7 points, turns and mirrors."""
        n = self.vertices
        swapped, turned = [1, 0, *range(2, n)], [*range(1, n), 0]
        numbers = {line: number for number, line in enumerate(self.lines)}
        cells = [
            tuple(numbers[min(new[a], new[b]), max(new[a], new[b])] for a, b in self.lines)
            for new in ((swapped, turned) if n < MOST_POINTS else (turned, turned[::-1]))
        ]
        return Symmetry(tuple(cells), masks=("mine", "theirs"))

    def space(self) -> Sides:
        """Return the range of each field; no line has two colours."""
        lines: Any = Disjoint(len(self.lines))
        player: Any = range(2)
        return Sides(lines, lines, player)

    def validate(self) -> None:
        """Raise ParameterError unless there are triangles, and ``triangle`` is known."""
        check_number("vertices", self.vertices, 3, MOST_POINTS)
        if self.triangle not in ("loses", "wins"):
            message = f"triangle={self.triangle!r} is not known; give 'loses' or 'wins'"
            raise ParameterError(message)

    def show(self, p: Sides) -> str:
        """Return the lines of each colour and the turn: ``blue 1-2 3-4, orange 1-3, ...``."""
        sides = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        colour_texts = [
            " ".join([player, *(self.name(n) for n in range(len(self.lines)) if side >> n & 1)])
            for player, side in zip(self.players, sides, strict=True)
        ]
        return ", ".join([*colour_texts, f"{self.players[p.player]} to move"])

    def svg(self, p: Sides) -> str:
        """Draw the points in a circle, and the lines."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        places = round_spots(self.vertices, _RADIUS)
        spots = [(x, y, str(n + 1), "any") for n, (x, y) in enumerate(places)]
        line_links = [
            (
                places[a],
                places[b],
                "first" if first >> n & 1 else "second" if second >> n & 1 else "free",
            )
            for n, (a, b) in enumerate(self.lines)
        ]
        names = [self.name(line) for line in range(len(self.lines))]
        return links(spots, line_links, title=f"sim: {self.show(p)}", moves=names)

    def name(self, line: int) -> str:
        """Return the two points of a line, such as ``1-2``."""
        a, b = self.lines[line]
        return f"{a + 1}-{b + 1}"

    def parse(self, text: str) -> Sides:
        """Read a position as ``show`` writes it."""
        numbers = {self.name(line): line for line in range(len(self.lines))}
        sides, player = [0, 0], None
        for part in text.split(","):
            name, *words = part.split() or [""]
            wrong = next((w for w in words if w not in numbers and w not in ("to", "move")), None)
            if name not in self.players or wrong is not None:
                message = (
                    f"{text!r} has {wrong or name!r}, which is not a line or a colour; write it "
                    "such as 'blue 1-2, orange 3-4, blue to move'"
                )
                raise PositionError(message)
            side = self.players.index(name)
            if words == ["to", "move"]:
                player = side
            else:
                sides[side] = sum(1 << numbers[word] for word in set(words))
        if player is None:
            player = sides[0].bit_count() - sides[1].bit_count()
        return Sides(sides[1], sides[0], 1) if player else Sides(sides[0], sides[1], 0)
