"""Rules that would be solved with wrong values if nobody looked: ``solve`` looks, and refuses."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.small_games import Heap
from support.oracles import oracle
from support.sizes import but, some
from zermelo import LOSS, WIN, Game, RulesError, Symmetry, check

#: Their sum is True in NumPy, and 2 compiled, as that of Python's own truth values.
BOTH = np.array([True, True])


class Wide(Heap):
    """A position of 81 bits on the way to a small one."""

    def play(self, left: Any, taken: Any) -> Any:
        return (left - taken << 78) >> 78


class Wrapping(Heap):
    """A product past 64 bits decides where a move leads."""

    def play(self, left: Any, taken: Any) -> Any:
        big = (left + 1) * (1 << 32) * (1 << 31)
        return left - taken if big > 0 else 0


class Shifting(Heap):
    """A negative shift, of which plain Python says that it is an error."""

    def outcome(self, left: Any) -> Any:
        return LOSS if (1 << left - 1) == 1 else None


class Recursive(Heap):
    """A helper that calls itself for ever."""

    def deep(self, left: Any) -> int:
        return self.deep(left + 1) + 1 if left < 1 << 60 else left

    def outcome(self, left: Any) -> Any:
        return LOSS if self.deep(left) < 0 else None


class Least(Heap):
    """The least of nothing."""

    def outcome(self, left: Any) -> Any:
        return LOSS if min(n for n in range(left) if n > 3) == 9 else None


class Huge(Heap):
    """More memory than there is."""

    def outcome(self, left: Any) -> Any:
        return LOSS if np.zeros(1 << 46, np.int64)[left] == 1 else None


class Nothing(Heap):
    """A move that is none."""

    def moves(self, left: Any) -> Any:
        if left:
            yield None

    def play(self, left: Any, taken: Any) -> Any:
        return left - 1


class FarOut(Heap):
    """A number outside an array, by way of an array of indexes."""

    def moves(self, left: Any) -> Any:
        seen = np.zeros(4, np.int64)
        seen[np.array([left * 1000])] = 1
        if left:
            yield 1


#: Rules that are refused, with what is said. The first of each three is run by default.
DIFFERENT = [
    (Wide, "play computes left - taken << 78, which is past 64 bits at 7 ("),
    (Wrapping, "play computes (left + 1) * (1 << 32) * (1 << 31), which is past 64 bits at 7"),
    (Recursive, "RecursionError: maximum recursion depth exceeded"),
    (Shifting, "ValueError: negative shift count at 0 ("),
    (Least, "arg is an empty sequence at 4 ("),
    (Huge, "MemoryError: "),
    (FarOut, "IndexError: index 7000 is out of bounds"),
    (Nothing, "gives a move with None in it; leave that part out"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "said"),
    some(DIFFERENT, 12),
    ids=lambda case: case.__name__ if isinstance(case, type) else "",
)
def test_solve_refuses_rules_that_differ_from_python(kind: type[Any], said: str) -> None:
    """Each is refused with the class, the hook and a position, and the process lives on."""
    for _ in range(2):  # asking again does not make them right
        with pytest.raises(RulesError) as caught:
            zermelo.solve(kind())
        assert re.match(rf"(\S+:\d+: )?{kind.__name__}\.", str(caught.value))
        assert said in str(caught.value)


@dataclass(frozen=True)
class Late(Game):
    """A heap in which a number differs only where very many stones are left."""

    stones: int

    def start(self) -> Any:
        return self.stones

    def moves(self, left: Any) -> Any:
        for taken in range(1, min(2, left) + 1):
            yield taken

    def play(self, left: Any, taken: Any) -> Any:
        return left - taken if left < 60_000 else left - taken + 1 - int(BOTH[0] + BOTH[1])


@pytest.mark.slow
@pytest.mark.compiled
def test_parameters_of_another_size_are_looked_at_again() -> None:
    """Rules that are right for small numbers are not believed for large ones."""
    assert zermelo.solve(Late(20)).value.remoteness
    with pytest.raises(RulesError, match=r"^Late\.play\(60000, 1\) is 59999 in Python and 59998"):
        zermelo.solve(Late(60_000))


@dataclass(frozen=True)
class Rarely(Game):
    """Two counters; what goes wrong needs one high and one low, as in no game played at random."""

    side: int

    def start(self) -> Any:
        return 0

    def moves(self, at: Any) -> Any:
        if at // self.side < self.side - 1:
            yield 0
        if at % self.side < self.side - 1:
            yield 1

    def play(self, at: Any, move: Any) -> Any:
        across = at % self.side > 3 * self.side // 4 and at // self.side < self.side // 4
        down = move == 0
        if across and int(BOTH[0] + BOTH[1]) > 1:  # never in Python
            down = not down
        return at + self.side if down else at + 1


@pytest.mark.compiled
def test_what_a_solve_has_found_is_looked_at_too() -> None:
    """A fault that no sample from the start meets shows among the positions that were found."""
    for _ in range(2):
        with pytest.raises(RulesError, match=r"^Rarely\.play\(\d+, \d\) is \d+ in Python and \d+"):
            zermelo.solve(Rarely(400))


class Corner(NamedTuple):
    """Where the token of ``Astray`` is."""

    row: int
    column: int


@dataclass(frozen=True)
class Astray(Game):
    """A token goes down or right to the far corner; one step counts double far from the diagonal.

    It says that rows and columns are alike, which they are, but for a corner that no game played at
    random comes to.
    """

    side: int

    def start(self) -> Any:
        return Corner(0, 0)

    def moves(self, at: Any) -> Any:
        if at.row < self.side - 1:
            yield 0
        if at.column < self.side - 1:
            yield 1

    def play(self, at: Any, move: Any) -> Any:
        if move == 0:
            return Corner(at.row + 1, at.column)
        if at.row > 3 * self.side // 4 and at.column < self.side // 4:
            return Corner(at.row, at.column + 2)
        return Corner(at.row, at.column + 1)

    def symmetries(self) -> Any:
        return Symmetry(alike=(("row", "column"),))

    def space(self) -> Any:
        return Corner(range(self.side), range(self.side))


class Leaning(Astray):
    """The same where ``canonical`` makes two places one that are a step apart, in that corner."""

    symmetries = None

    def play(self, at: Any, move: Any) -> Any:
        return Corner(at.row + (move == 0), at.column + (move == 1))

    def canonical(self, at: Any) -> Any:
        if at.row > 3 * self.side // 4 and at.column < self.side // 4:
            return Corner(at.row, at.column | 1)
        return at


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "said"),
    [(Astray, r"^Astray.symmetries\(\) makes Corner"), (Leaning, r"^Leaning\.canonical\(Corner")],
)
def test_what_is_one_is_looked_at_where_a_solve_has_been(kind: type[Any], said: str) -> None:
    """A lie that no sample from the start meets shows among the positions that were found."""
    game = kind(400)
    for _ in range(2):
        with pytest.raises(RulesError, match=said):
            zermelo.solve(game)


class FarAway(Heap):
    """A write outside an array of its own, at a position that no sample meets."""

    def start(self) -> Any:
        return 5_000

    def moves(self, left: Any) -> Any:
        seen = np.zeros(4, np.int64)
        seen[left // 2_500 * -1_000 if left < 2_501 else 0] = 1
        if left:
            yield 1


class FarAwayByIndexes(FarAway):
    """The same by an array of indexes."""

    def moves(self, left: Any) -> Any:
        seen = np.zeros(4, np.int64)
        seen[np.array([left // 2_500 * 1_000 if left < 2_501 else 0])] = 1
        if left:
            yield 1


@pytest.mark.compiled
@pytest.mark.parametrize("kind", but([FarAway, FarAwayByIndexes], FarAwayByIndexes))
def test_compiled_rules_write_nowhere_but_into_their_arrays(kind: type[Any]) -> None:
    """Arrays that rules make are checked as those they are given: an error, and no crash."""
    with pytest.raises(RulesError, match=r"IndexError: .* at 2500 \("):
        zermelo.solve(kind())


class Deep(FarAway):
    """A helper that calls another, which calls it again, for ever at a position far away."""

    def moves(self, left: Any) -> Any:
        if left and self.one(left) > -1:
            yield 1

    def one(self, left: Any) -> int:
        return self.other(left) + 1 if left == 2_500 or left % 100 == 1 else 1

    def other(self, left: Any) -> int:
        return any(self.one(n) > 5 for n in range(left, left + 1)) if left == 2_500 else 2


@pytest.mark.slow
@pytest.mark.compiled
def test_a_rule_that_calls_itself_for_ever_far_away_is_an_error() -> None:
    """No sample meets the position, and the process lives on."""
    with pytest.raises(RulesError, match=r"^Deep\.moves.* raised RecursionError: .* at 2500 \("):
        zermelo.solve(Deep())


@dataclass(frozen=True)
class Last(Game):
    """Who cannot take wins, or loses, as a parameter says."""

    stones: int
    no_moves: int = LOSS

    def start(self) -> int:
        return self.stones

    def moves(self, left: int) -> Any:
        for taken in range(1, min(3, left) + 1):
            yield taken

    def play(self, left: int, taken: int) -> int:
        return left - taken


@dataclass(frozen=True)
class Misere(Late):
    """The same, as a property says."""

    misere: bool = False

    @property
    def no_moves(self) -> Any:  # type: ignore[override]
        return WIN if self.misere else LOSS


@pytest.mark.slow
@pytest.mark.parametrize("ending", but([LOSS, WIN], WIN))
def test_what_having_no_moves_means_may_be_a_parameter_or_a_property(ending: Any) -> None:
    """Both are asked of the game, not of its class."""
    for game in (Last(11, no_moves=int(ending)), Misere(11, misere=ending == WIN)):
        solution = zermelo.solve(game)
        found = {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}
        assert found == oracle.solve(game)
        assert solution.verify()
        assert check(game).ok


def test_a_parameter_may_say_what_having_no_moves_means_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a file keeps the games apart."""
    from zermelo.cli import main

    won = {}
    for ending in (-1, 1):
        path = tmp_path / f"{ending}.table"
        line = f"solve {__file__}:Last --stones 8 --no-moves {ending} --json"
        with pytest.raises(SystemExit):
            main([*line.split(), "--table", str(path)])
        won[ending] = json.loads(capsys.readouterr().out)["value"]["outcome"]
        with zermelo.open(path, game=Last(8, no_moves=ending)) as opened:
            assert opened.value.outcome.name.lower() == won[ending]
    assert won == {-1: "loss", 1: "win"}


@pytest.mark.parametrize("name", ["start", "space", "validate", "moves"])
def test_a_parameter_with_the_name_of_a_method_is_refused(name: str) -> None:
    """It would hide the method."""
    body = {"__annotations__": {name: int}, "__module__": __name__, name: 3}
    kind = dataclass(frozen=True)(type("Hidden", (Heap,), body))
    with pytest.raises(RulesError, match=rf"^Hidden has a parameter '{name}'"):
        kind()


class Colour(IntEnum):
    """Whose turn it is, with a name."""

    RED = 0
    BLUE = 1


class Turn(NamedTuple):
    """A heap, and who takes next."""

    mover: Colour
    odd: bool
    left: int


class Coloured(Game):
    """Two players of colours take one or two stones."""

    def start(self) -> Any:
        return Turn(Colour.RED, odd=True, left=7)

    def moves(self, at: Any) -> Any:
        for taken in range(1, min(2, at.left) + 1):
            yield taken

    def play(self, at: Any, taken: Any) -> Any:
        mover = Colour.RED if at.mover == Colour.BLUE else Colour.BLUE
        return Turn(mover, (at.left - taken) % 2 == 1, at.left - taken)

    def show(self, at: Any) -> str:
        return f"{at.mover.name}: {at.left}, {'odd' if at.odd is True else 'even'}"


def test_positions_of_a_table_have_the_types_that_rules_give_them(tmp_path: Path) -> None:
    """Members of an enumeration and truth values come back as such, from memory and from a file."""
    solution = zermelo.solve(Coloured())
    with zermelo.open(solution.save(tmp_path / "x.table"), game=Coloured()) as opened:
        for each in (solution, opened):
            for position in each:
                assert type(position.mover) is Colour
                assert type(position.odd) is bool
                assert each.show(position)
            assert all(a != b for a, b in pairwise(each.line().positions))


def test_check_shows_positions_as_a_table_gives_them() -> None:
    """What ``show`` may rely on is what the start has, and no more."""

    class Careless(Coloured):
        def start(self) -> Any:
            return Turn(0, odd=True, left=7)  # type: ignore[arg-type]

        def show(self, at: Any) -> str:
            return "even" if at.left < 7 and at.mover.name else "odd"

    report = check(Careless())
    assert any("show(" in problem.message for problem in report.errors), str(report)
