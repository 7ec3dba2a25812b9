"""Can't Stop, on boards of few columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, Outcome

#: The most sides of a die, and the most steps of the outer columns.
MOST_SIDES, MOST_LENGTH = 6, 20

ITERATED = "value iteration by a program that shares no code with Zermelo"


class Climb(NamedTuple):
    """The steps that the players have climbed in each column, the first of which is that of 2.

    Attributes:
        mine: the steps of the player to move that are safe.
        theirs: the steps of the other player.
        runners: the further steps of the player to move in this turn, which can still be lost.
        dice: the dice in ascending order; zeros if they are rolled next.
        player: the player to move, 0 or 1.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    runners: tuple[int, ...]
    dice: tuple[int, int, int, int]
    player: int


@dataclass(frozen=True)
class CantStop(Game):
    """Roll four dice, climb in two columns, and stop in time; most columns win.

    The four dice make two pairs. The player climbs one step in the column of the sum of each pair,
    but in no more than three columns a turn. If only one of the two sums can be used, that
    one is climbed. Then the player either stops, which makes the steps of this turn safe, or rolls
    again. If no pair can be used, all steps of this turn are lost, and it is the other player's
    turn. A player who stops at the top of a column owns it, and nobody climbs there any more.
    Whoever first owns enough columns wins.

    Attributes:
        sides: the number of sides of a die; there is a column for each sum of two dice.
        length: the number of steps of the two outer columns; each other has two steps more than its
            neighbour on the outer side.
        columns: the number of columns that win.
        most: the most columns in which a player may climb in one turn.
    """

    title = "Can't Stop"

    sides: int = 2
    length: int = 1
    columns: int = 2
    most: int = 2

    facts = tuple(
        Fact(
            {"sides": 2, "length": length, "columns": 2, "most": most},
            probability=probability,
            source=ITERATED,
        )
        for length, most, probability in (
            (1, 1, "0.804586"),
            (1, 2, "0.902998"),
            (1, 3, "0.953001"),
            (2, 1, "0.656457"),
        )
    )

    def start(self) -> Climb:
        """Return the empty columns before the first roll."""
        none = (0,) * len(self.tops)
        return Climb(none, none, none, (0, 0, 0, 0), 0)

    def turn(self, p: Climb) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: Climb) -> Outcome | None:
        """Return LOSS if the other player owns enough columns."""
        owned = 0
        for column in range(len(self.tops)):
            if p.theirs[column] == self.tops[column]:
                owned += 1
        return LOSS if owned >= self.columns else None

    def chance(self, p: Climb) -> Iterator[tuple[int, Climb]]:
        """Yield each roll of four dice, if it is time to roll."""
        if not p.dice[0]:
            for weight, first, second, third, fourth in self.rolls:
                dice = (first, second, third, fourth)
                yield weight, Climb(p.mine, p.theirs, p.runners, dice, p.player)

    def moves(self, p: Climb) -> Iterator[tuple[int, int, int]]:
        """Yield the sums to climb by, each with 1 to stop and 0 to roll again.

        The second sum is 0 if one alone is used. If none can be used, the only move is ``(0, 0,
        1)``, which loses the steps of this turn.
        """
        if p.dice[0]:
            can_climb = False
            last = 0
            for partner in range(1, 4):
                # The dice ascend, so the lesser sums of different pairings ascend, too.
                total = p.dice[0] + p.dice[1] + p.dice[2] + p.dice[3]
                low = p.dice[0] + p.dice[partner]
                low, high = min(low, total - low), max(low, total - low)
                if low == last:
                    continue
                last = low
                if self.is_open(p, p.runners, low):
                    can_climb = True
                    if self.is_open(p, self.step(p.runners, low), high):
                        yield low, high, 0
                        yield low, high, 1
                        continue
                    yield low, 0, 0
                    yield low, 0, 1
                if high != low and self.is_open(p, p.runners, high):
                    can_climb = True
                    yield high, 0, 0
                    yield high, 0, 1
            if not can_climb:
                yield 0, 0, 1

    def play(self, p: Climb, move: tuple[int, int, int]) -> Climb:
        """Return the position after a move: another roll, or the other player's turn."""
        low, high, stops = move
        runners = p.runners
        if low:
            runners = self.step(runners, low)
        if high:
            runners = self.step(runners, high)
        if not stops:
            return Climb(p.mine, p.theirs, runners, (0, 0, 0, 0), p.player)
        mine, theirs, none = p.mine, p.theirs, p.runners
        for column in range(len(self.tops)):
            none = put(none, column, 0)
            if low:
                steps = mine[column] + runners[column]
                mine = put(mine, column, steps)
                if steps == self.tops[column]:
                    theirs = put(theirs, column, 0)
        return Climb(theirs, mine, none, (0, 0, 0, 0), 1 - p.player)

    def is_open(self, p: Climb, runners: tuple[int, ...], total: int) -> bool:
        """Return whether the player to move can climb in the column of a sum."""
        column = total - 2
        top = self.tops[column]
        if p.theirs[column] == top or p.mine[column] + runners[column] == top:
            return False
        if runners[column]:
            return True
        count = 0
        for steps in runners:
            if steps:
                count += 1
        return count < self.most

    def step(self, runners: tuple[int, ...], total: int) -> tuple[int, ...]:
        """Return the runners after a step in the column of a sum."""
        return put(runners, total - 2, runners[total - 2] + 1)

    def level(self, p: Climb) -> int:
        """Return the number of safe steps, a column that is owned being worth more than any."""
        total = 0
        for column in range(len(self.tops)):
            top = self.tops[column]
            if p.mine[column] == top or p.theirs[column] == top:
                total += 2 * top
            else:
                total += p.mine[column] + p.theirs[column]
        return total

    @cached_property
    def tops(self) -> list[int]:
        """The number of steps of each column."""
        middle = self.sides - 1
        return [self.length + 2 * (middle - abs(c - middle)) for c in range(2 * self.sides - 1)]

    @cached_property
    def rolls(self) -> list[tuple[int, int, int, int, int]]:
        """Each roll in ascending order, after the number of ways to roll it."""
        faces = range(1, self.sides + 1)
        ways = [tuple(sorted(dice)) for dice in product(faces, repeat=4)]
        return [
            (ways.count((a, b, c, d)), a, b, c, d)
            for a, b, c, d in combinations_with_replacement(faces, 4)
        ]

    def symmetries(self) -> Symmetry:
        """Return the exchange of the players."""
        return Symmetry(flip=("player",))

    def space(self) -> Any:
        """Return the range of each field."""
        steps = tuple(range(top + 1) for top in self.tops)
        return Climb(steps, steps, steps, (range(self.sides + 1),) * 4, range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless one of the players can win."""
        check_number("sides", self.sides, 1, MOST_SIDES)
        check_number("length", self.length, 1, MOST_LENGTH)
        check_number("columns", self.columns, 1, self.sides)
        check_number("most", self.most, 1, 2 * self.sides - 1)

    # -- text and pictures ----------------------------------------------------------------------

    def sides_of(self, p: Climb) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the safe steps of the first player and those of the second."""
        return (p.theirs, p.mine) if p.player else (p.mine, p.theirs)

    def show(self, p: Climb) -> str:
        """Return a row each for the sums, both players' steps, the steps of this turn, and dice."""
        sums = range(2, len(self.tops) + 2)
        names = ("column", *self.players, "turn")
        wide = max(map(len, names))
        rows = zip(names, (sums, *self.sides_of(p), p.runners), strict=True)
        lines = [f"{name:{wide}} {' '.join(f'{n:2}' for n in row)}" for name, row in rows]
        player = self.players[p.player]
        dice = f"{player} has {' '.join(map(str, p.dice))}" if p.dice[0] else f"{player} to roll"
        return "\n".join([*lines, dice])

    def svg(self, p: Climb) -> str:
        """Draw the columns, X and O for the safe steps, and * for the steps of this turn."""
        count = len(self.tops)
        wide = max(count, 4)
        first, second = self.sides_of(p)
        rows = []
        for height in range(max(self.tops), 0, -1):
            row = [" " if height > top else "." for top in self.tops]
            for column in range(count):
                men = "X" * (first[column] == height) + "O" * (second[column] == height)
                if p.runners[column] and p.mine[column] + p.runners[column] == height:
                    men += "*"
                row[column] = men or row[column]
            rows.append(row)
        sums = [str(column + 2) for column in range(count)]
        dice = [str(die) if die else "." for die in p.dice]
        words = ["roll", "stop", "lost"]
        rows = [[*row, *" " * (wide - len(row))] for row in (*rows, sums, dice, words)]
        moves = [*(sums for _ in rows[:-2]), [], words]
        return drawing.grid(rows, title=" / ".join(self.show(p).splitlines()), moves=moves)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the sums to climb by and what follows, such as ``3-4-stop``, or ``lost``."""
        low, high, stops = move
        if not low:
            return "lost"
        return "-".join([*(str(total) for total in (low, high) if total), ("roll", "stop")[stops]])

    def parse(self, text: str) -> Climb:
        """Read a position as ``show`` writes it; lines may be separated by slashes.

        Raises:
            PositionError: the text is not such a position.
        """
        names = "|".join(self.players)
        row = r"((?:\d+ )+)"
        found = re.fullmatch(
            rf"(?:column {row})?{self.players[0]} {row}{self.players[1]} {row}turn {row}"
            rf"({names}) (?:to roll|has (\d) (\d) (\d) (\d))",
            " ".join(text.replace("/", " ").split()),
        )
        rows = [[int(word) for word in found[n].split()] for n in (2, 3, 4)] if found else []
        dice = [int(found[n] or 0) for n in range(6, 10)] if found else []
        player = self.players.index(found[5]) if found else 0
        if (
            [len(row) for row in rows] != [len(self.tops)] * 3
            or any(n > top for row in rows for n, top in zip(row, self.tops, strict=True))
            or sorted(dice) != dice
            or max(dice) > self.sides
        ):
            example = self.show(self.start()).replace("\n", " / ")
            message = f"{text!r} is not a position of this board; write one such as {example!r}"
            raise PositionError(message)
        first, second, runners = map(tuple, rows)
        mine, theirs = (second, first) if player else (first, second)
        return Climb(mine, theirs, runners, (dice[0], dice[1], dice[2], dice[3]), player)
