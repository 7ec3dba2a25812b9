"""What is known when rules are compiled: dicts, sets, strings, records, members of an Enum."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import pytest

from support.compiled_rules import kernel_of
from support.games.forms import Marked
from support.oracles.equivalence import check

COST = {3: 10, -1: 20, 700: 30, 4: 40}
NEAR = {0: (1, 2), 1: (0,), 2: (), 3: (2, 1, 0)}
STEPS = {(0, 1): 5, (1, 0): 7, (-1, 2): 9}
NAMED = {"rook": 5, "pawn": 1}
LETTERS = {"#": 3, ".": 4, "o": 5}
LINKS = {0: {1, 2}, 1: {2, 40, 8}, 2: {0}}
PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}
SMALL = frozenset({8, 0, 16, -3})
PAIRS = {(0, 1), (2, 2), (1, 0)}
UNLIKE = ((1, 2), 3, "ab")


class Piece(NamedTuple):
    worth: int
    steps: tuple[int, ...]
    letter: str = "x"


PIECES = [Piece(1, (1, 2)), Piece(5, ()), Piece(9, (3, 4, 5), "yz")]
SIDES = ((Piece(1, (7,)), Piece(2, (8, 9))), (Piece(3, ()),))
ROWS = ((1, (2, 3)), (4, (5,)), (6, ()))
BEST = Piece(7, (1, 1))


class Corner(NamedTuple):
    row: int
    column: int


CORNERS = (Corner(0, 0), Corner(0, 3), Corner(4, -1))


class Way(Enum):
    NORTH = (-1, 0)
    SOUTH = (1, 0)
    EAST = (0, 1)


class Rule(Enum):
    NORMAL = "normal"
    MISERE = "misere"


class Colour(Enum):
    RED = auto()
    BLUE = auto()


class Kind(IntEnum):
    PAWN = 1
    ROOK = 5


TURNED = {
    Way.NORTH: Way.EAST,
    Way.EAST: Way.SOUTH,
    Way.SOUTH: Way.NORTH,
}
BY_KIND = {Kind.PAWN: (1,), Kind.ROOK: (1, 2, 3)}


class Dicts(Marked):
    WORTH: ClassVar = {0: 2, 1: 5, 2: 11}
    SAFE = frozenset({0, 2})

    def mix(self, p, i):
        total = COST[3] + COST[4 if i else -1] + COST.get(p.seed, -5) + len(COST)
        total += 100 * (p.seed in COST) + (i in self.WORTH) + self.WORTH[i] + (i in self.SAFE)
        for k in COST:
            total = total * 3 + k
        for k, v in COST.items():
            total += k * v + i
        total += sum(COST.values()) + max(COST) + sum(v for k, v in COST.items() if k > i)
        for other in NEAR[i]:
            total += other * 7
        total += len(NEAR[i]) + NEAR.get(3)[0] + (1 in NEAR[i])
        total += STEPS[(0, 1)] + STEPS.get((i, i - 1), 50) + 3 * ((i, 0) in STEPS)
        for (a, b), v in STEPS.items():
            total += a * v - b
        total += NAMED["rook"] * i + ("rook" in NAMED)
        total += {0: 4, 1: -7}.get(i, 5) + {0: (1, 2), 1: (3, 4), 2: (5, -6)}[i][1]
        found = COST.get(p.seed % 5)
        if found is not None:
            total += found
        for x in LINKS[i]:
            total = total * 2 + x
        total += 5 * (i in LINKS[i]) + len(LINKS[2])
        return total % 1_000_003 + self.sets(p, i)

    def sets(self, p, i):
        total = (p.seed % 50 in PRIMES) + 2 * (i not in SMALL) + 4 * ((i, 2) in PAIRS)
        for x in SMALL:
            total = total * 3 + x
        for a, b in PAIRS:
            total += a * 7 + b
        total += len(PRIMES) + max(SMALL) + (7 if SMALL else 8) + 8 * any(x > i for x in SMALL)
        return total + UNLIKE[0][1] + UNLIKE[1] + UNLIKE[0][i % 2] + len(UNLIKE[2])


class Records(Marked):
    def mix(self, p, i):
        piece = PIECES[i]
        total = piece.worth + len(piece.steps) + sum(piece.steps) + len(PIECES) + PIECES[2].worth
        for other in PIECES:
            total = total * 3 + other.worth
            for step in other.steps:
                total += step * i
            total += other.letter == "x"
        for n, (worth, steps, _) in enumerate(PIECES):
            total += n * worth + len(steps)
        total += max(other.worth for other in PIECES if other.steps)
        for side in SIDES:
            for other in side:
                total += other.worth * len(side)
        total += SIDES[i % 2][0].worth + len(SIDES[0][i % 2].steps)
        number, row = ROWS[i]
        total += number + len(row) + BEST.worth + BEST.steps[i % 2] + (BEST.letter == "x")
        best = BEST
        total += best.worth + best.steps[1] + CORNERS[i].column + CORNERS[-1].row
        for corner in CORNERS:
            total += 5 * (corner == Corner(0, i)) + corner.row
        return total + self.members(p, i)

    def members(self, p, i):
        total = 0
        for way in Way:
            row, column = way.value
            total = total * 3 + row - 2 * column
            if way is Way.SOUTH:
                total += 11
            turned = TURNED[way]
            total += turned.value[0] * 5 + (turned == Way.EAST)
        start = Way.NORTH
        total += start.value[0] + (start is not Way.EAST) + len(Way)
        for colour in Colour:
            total += colour.value * 3 + (colour == Colour.RED)
        for kind in Kind:
            total += kind * len(BY_KIND[kind]) + 2 * (kind is Kind.ROOK)
        total += len(BY_KIND[Kind(1)]) + (i in tuple(Kind))
        return total + (Kind(5) if i else Kind.PAWN) + Way["EAST"].value[1]


@dataclass(frozen=True)
class Strings(Marked):
    rule: str = "normal"
    mode: Rule = Rule.MISERE
    grid: Any = ("#.o#", "..##", "o.#")
    word: str = "acab"
    mixed: Any = ((1, 2), 7)

    TITLE = "long"

    @cached_property
    def near(self):
        return {n: {n - 1, n + 1} for n in range(len(self.word))}

    @property
    def walls(self):
        return frozenset(
            (r, c) for r, row in enumerate(self.grid) for c, x in enumerate(row) if x == "#"
        )

    def mix(self, p, i):
        total = 1 if self.rule != "odd" else "never compiled"
        if self.mode is Rule.NORMAL:
            return None + "nor this"
        if self.rule in ("normal", "other") and self.rule != "odd" and i < 2:
            total += 10
        match self.rule:
            case "misere" | "other":
                total += 1000
            case "normal":
                total += 20
            case _:
                total += 3000
        total += len(self.grid) + len(self.grid[i]) + len(self.word) + (self.TITLE == "long")
        total += (
            (self.grid[i][i] == "#") + 2 * (self.grid[i][0] in "o.") + 4 * ("#" in self.grid[i])
        )
        total += 8 * (self.grid[i][1] not in ("#", "o")) + 16 * (self.grid[i] == "..##")
        wall = "#"
        for r, row in enumerate(self.grid):
            for c, cell in enumerate(row):
                if cell == wall:
                    total += r * 5 + c
                elif cell == "o" and row[c - 1] != row[-1]:
                    total += 50
                total += LETTERS[cell] * i + LETTERS.get(cell, 0)
        total += sum(row.count("#") for row in self.grid) + self.word.index("b") + ord(self.word[i])
        total += self.word.count(self.word[i]) + (self.word[0] > "z") + int("205"[i])
        total += self.mixed[0][i % 2] + self.mixed[1]
        for n in self.near[i]:
            total = total * 3 + n
        return total + ((i, 2) in self.walls) + 2 * len(self.walls)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(Dicts(), marks=pytest.mark.slow),
        pytest.param(Records(), marks=pytest.mark.slow),
        pytest.param(Strings(), marks=pytest.mark.slow),
        pytest.param(Strings(rule="other", grid=("##", "o..", "..#")), marks=pytest.mark.slow),
    ],
    ids=["dicts", "records", "strings", "others"],
)
def test_what_is_known_is_read_as_in_python(game: Any) -> None:
    """Children and values are the same at every position that can be reached."""
    check(game, least=100)


@dataclass(frozen=True)
class Squares(Marked):
    squares: str = "#.o"

    def mix(self, p, i):
        return (self.squares[i] == "#") + len(self.squares)


def test_another_board_in_a_string_compiles_nothing() -> None:
    """A string that is read by place is handed over, like a row of numbers."""
    kernels = [kernel_of(Squares(squares)) for squares in ("#.o", "oo#.", "...")]
    assert all(kernel is kernels[0] for kernel in kernels)


@dataclass(frozen=True)
class Either(Marked):
    double: bool = False

    def mix(self, p, i):
        return self.of(i, 2) if self.double else self.of(i)

    def of(self, i):
        return i + 7


class Twice(Either):
    def of(self, i, times):
        return times * (i + 7)


@pytest.mark.parametrize("game", [Either(), Twice(double=True)], ids=["never", "always"])
def test_what_a_flag_rules_out_is_not_compiled(game: Any) -> None:
    """A parameter that is true or false decides before anything is compiled."""
    check(game, least=100)
