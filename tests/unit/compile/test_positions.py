"""What positions may be besides tuples of numbers: classes with methods, in one another."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from support.oracles.equivalence import check
from zermelo import CompileError, Game, RulesError
from zermelo.game.parameters import as_json
from zermelo.web.position_codes import code_of, position_of


class Side(NamedTuple):
    """A row of pits and a store."""

    pits: tuple[int, ...]
    store: int = 0

    most = 9

    @property
    def left(self):
        return sum(self.pits)

    def playable(self):
        for pit, stones in enumerate(self.pits):
            if stones:
                yield pit

    def sown(self, pit, stones):
        return self._replace(pits=self.pits[:pit] + (stones,) + self.pits[pit + 1 :])

    def rich(self, by=1):
        return self.store > self.left + by

    @staticmethod
    def worth(stones):
        return stones // 2


class Phase(IntEnum):
    SOW = 0
    LAST = 1


class Board(NamedTuple):
    mine: Side
    theirs: Side
    phase: Phase
    marks: tuple[Side, ...]

    @property
    def over(self):
        return self.mine.left + self.theirs.left == 0

    def turned(self, mine):
        return Board(self.theirs, mine, self.phase, self.marks)


class Sowing(Game):
    """Halve a pit and store the rest; who has stored less in the end loses."""

    def start(self):
        side = Side((3, 2))
        return Board(side, side, Phase.SOW, (Side((1, 0)), Side((0, 1), 2)))

    def space(self):
        side = Side(range(8), range(16))
        return Board(side, Side([range(4), range(8)], range(16)), range(2), range(4))

    def outcome(self, p):
        if p.over:
            return zermelo.LOSS if p.theirs.rich() else zermelo.DRAW

    def moves(self, p):
        yield from p.mine.playable()

    def play(self, p, pit):
        stones = p.mine.pits[pit]
        mine = p.mine.sown(pit, Side.worth(stones))
        store = min(p.mine.most, p.mine.store + stones - p.mine.worth(stones))
        child = p.turned(mine._replace(store=store))
        last = p.marks[pit]
        marks = (last, p.marks[0]) if pit else p.marks
        phase = Phase.LAST if child.mine.left < 2 else p.phase
        return child._replace(phase=phase, marks=marks)


@dataclass(frozen=True)
class Seat:
    stones: int
    row: tuple[int, ...] = (0, 0)

    @property
    def full(self):
        return self.stones > 5

    def after(self, move):
        return dataclasses.replace(self, stones=self.stones - move, row=(move, self.row[0]))


@dataclass(frozen=True)
class Taking(Game):
    """Take one to three stones, not as many as the two moves before."""

    stones: int = 8

    def start(self):
        return Seat(self.stones)

    def moves(self, p):
        for move in range(1, 4):
            if move <= p.stones and move not in p.row and not (p.full and move == 3):
                yield move

    def play(self, p, move):
        return p.after(move)


@pytest.mark.slow
def test_a_position_with_methods_and_parts_is_compiled_what_it_is_in_python() -> None:
    """Methods, properties and constants of its class and of its fields' classes are called."""
    positions = check(Sowing())
    solution = zermelo.solve(Sowing())
    assert len(solution) == len(positions)
    decoded = next(position for position, _ in solution.items() if position.phase is Phase.LAST)
    assert type(decoded.mine) is type(decoded.marks[1]) is Side
    assert {position for position, _ in solution.items()} == set(positions)
    assert zermelo.check(Sowing()).errors == ()


def test_a_frozen_dataclass_is_a_position() -> None:
    """It compiles, comes back from a table as what it was, and keeps the contract."""
    positions = check(Taking(), least=9)
    solution = zermelo.solve(Taking())
    assert {position for position, _ in solution.items()} == set(positions)
    assert solution[Seat(8)] == solution.value
    assert zermelo.check(Taking()).errors == ()


@pytest.mark.slow
@pytest.mark.parametrize("game", [Sowing(), Taking()])
def test_positions_with_parts_are_shown_and_read_back(game: Any, tmp_path: Path) -> None:
    """What a position is as JSON its class reads again, and a file gives the same positions."""
    solution, start = zermelo.solve(game), game.start()
    assert solution.rules.parse(json.dumps(as_json(start))) == start
    assert "<svg" in solution.rules.position_svg(start)
    assert position_of(code_of(start), solution) == start
    solution.save(tmp_path / "game.zermelo")
    opened = zermelo.open(tmp_path / "game.zermelo", game=type(game))
    assert opened.best(start) == solution.best(start)
    assert dict(opened.items()) == dict(solution.items())


@dataclass
class Loose:
    stones: int


class Named(NamedTuple):
    """Has a field that is a property of another class."""

    full: int


class Mutable(Taking):
    def start(self):
        return Loose(3)


class Doubtful(Taking):
    def play(self, p, move):
        row = Named(move)
        return Seat(p.stones - row.full + (p.full and row.full > 1))


class Mistaken(Taking):
    def play(self, p, move):
        return Named(move).after(1)


def test_what_cannot_be_a_position_or_a_method_is_refused_with_what_to_write() -> None:
    """A class that can change, and a method of another class."""
    with pytest.raises(
        RulesError, match=r"whose class can change; write @dataclass\(frozen=True\)"
    ):
        zermelo.solve(Mutable())
    message = r"Mistaken.play takes .after of a Named; name it otherwise in Seat"
    with pytest.raises(CompileError, match=message):
        zermelo.solve(Mistaken())


@pytest.mark.slow
def test_a_property_of_one_class_may_be_a_field_of_another() -> None:
    """Each is read off the class that has it."""
    check(Doubtful(), least=8)
