"""Helpers, methods and classes that rules are spread over."""

from __future__ import annotations

import functools
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from support.oracles.equivalence import check
from support.sizes import some
from zermelo import DRAW, LOSS, WIN, Game, put

FIRST = """
from typing import NamedTuple

OFFSET = 5

class Mark(NamedTuple):
    step: int
    seed: int
    pits: tuple

class Extra(NamedTuple):
    seed: int
    step: int = 9

def scaled(n, by=3, *, plus=1):
    return n * by + plus + OFFSET

def any_big(row, n):
    return any(x > n for x in row)
"""

SECOND = """
OFFSET = -70
TABLE = ((1, 2), (3, 4, 5))

def scaled(n):
    return n + OFFSET + sum(TABLE[n % 2])

def any_big(row, n):
    return any(x < n for x in row)
"""


def module(folder: Path, name: str, text: str) -> ModuleType:
    """Import a module written on the spot."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def triangle(n):
    """Call itself."""
    if n <= 0:
        return 0
    return n + triangle(n - 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


@functools.lru_cache
def remembered(n):
    return n * n


def seen_from(game, p, n):
    """Take the game from a rule that hands it on."""
    return game.weight(p) * n + game.factor


class Base(Game):
    factor = 6

    def outcome(self, p):
        if p.step == 4:
            return (LOSS, DRAW, WIN)[p.seed % 3]

    def moves(self, p):
        for i in range(3):
            yield i

    def weight(self, p):
        return p.seed + 1

    def base_only(self, p, n):
        return self.weight(p) * 3 + n


@pytest.mark.slow
def test_helpers_of_all_kinds_do_compiled_what_they_do_in_python(tmp_path: Path) -> None:
    """Two modules' helpers of one name, defaults, recursion and closures are told apart."""
    first = module(tmp_path, "compile_first", FIRST)
    second = module(tmp_path, "compile_second", SECOND)
    mark, extra = first.Mark, first.Extra
    local = 11

    def closed(n):
        return n * local

    @dataclass(frozen=True)
    class Spread(Base):
        by: int = 4
        pits: tuple[int, ...] = (3, 3, 3)

        def start(self):
            return mark(0, 5, self.pits)

        def moves(self, p):
            yield from super().moves(p)
            if p.step == 1:
                yield 7

        def play(self, p, move):
            mixed = self.mix(p, move)
            pits = put(p.pits, move % 3, mixed % 7)
            return p._replace(step=p.step + 1, seed=mixed % 997, pits=pits)

        def weight(self, p):
            return super().weight(p) + 1

        @staticmethod
        def doubled(n):
            return 2 * n

        def mix(self, p, n):
            total = first.scaled(n) + first.scaled(n, 2) + first.scaled(by=n, n=4, plus=p.step)
            total += second.scaled(n) + first.any_big(p.pits, n) + 2 * second.any_big(p.pits, n)
            total += triangle(n) + even(n) + 2 * odd(n) + remembered(n) + closed(n) + local
            total += seen_from(self, p, n) + self.doubled(n) + self.base_only(p, n=n) + self.by
            e = extra(n)
            total += e.step * e.seed + extra(step=n, seed=2)._replace(step=6).seed
            return total + self.late(p) + p.pits[n % 3]

        def late(self, p):
            return Spread.factor + self.factor + len(p.pits)

    check(Spread(), least=50)


class Point(NamedTuple):
    count: int
    index: int


class Listed(Game):
    """Counts to nine; ``moves`` is what differs."""

    def start(self):
        return Point(0, 1)

    def play(self, p, move):
        return Point(p.count + move, (p.index * 3 + move) % 17)

    def outcome(self, p):
        return WIN if p.count > 9 else None


class AsList(Listed):
    def moves(self, p):
        found = []
        for i in range(1, 4):
            if (p.index + i) % 3:
                found.append(i)
        return found


class AsTuple(Listed):
    def moves(self, p):
        if p.count == 4:
            return ()
        return (1, 2) if p.index % 2 else (2,)


class AsRange(Listed):
    def moves(self, p):
        if p.count == 5:
            return []
        return range(1, 2 + p.index % 3)


class AsComprehension(Listed):
    def moves(self, p):
        if p.count == 3:
            return (n + 1 for n in range(2))
        return [a + b for a in range(1, 3) for b in range(2) if a + b != p.index]


class AsLiterals(Listed):
    def moves(self, p):
        if p.count == 2:
            return [*range(1, 3), 3]
        return list(self.some(p)) if p.count % 2 else [1] + [2]

    def some(self, p):
        yield 1
        if p.index > 3:
            return
        yield 2


class AsGenerator(Listed):
    def moves(self, p):
        if p.count == 8:
            return
        before = p
        p = Point(p.count + 1, p.index)
        yield from (1, 2)
        yield from self.climb(p.count % 4)
        if before.index > 2:
            yield from [x for x in range(3, 5) if x != p.index]
            return
        for x in self.steps(p):
            yield x

    def climb(self, n):
        """Call itself while it yields."""
        if n > 1:
            yield n
            yield from self.climb(n - 1)

    def steps(self, p):
        yield from range(p.count % 3)
        yield 5


class AsStatic(Listed):
    @staticmethod
    def moves(p):
        return [1, 2]

    play = Listed.play

    @staticmethod
    def outcome(p):
        return LOSS if p.count > 9 else None


class Jump(NamedTuple):
    by: int
    turn: int


class AsTuples(Listed):
    """Moves are pairs, or records."""

    def moves(self, p):
        yield Jump(1, 0)
        yield Jump(turn=1, by=2)
        if p.index == 3:
            yield Jump(3, p.index)

    def play(self, p, move):
        by, turn = move
        return Point(p.count + move.by, (p.index + by * 5 + turn) % 17)


class AsPairs(Listed):
    def moves(self, p):
        yield (1, 0)
        for i in range(2):
            yield (i + 1, p.index)

    def play(self, p, move):
        return Point(p.count + move[0], (p.index + move[1]) % 17)


KINDS = [
    *(AsList, AsTuple, AsRange, AsComprehension, AsLiterals),
    *(AsGenerator, AsStatic, AsTuples, AsPairs),
]


@pytest.mark.parametrize("kind", some(KINDS, 10))
def test_moves_may_be_given_in_any_form(kind: Any) -> None:
    """A list, a tuple, a range, a comprehension, a generator: all give the same moves."""
    check(kind())


class Turn(NamedTuple):
    left: int
    mover: int
    wide: int
    deltas: tuple[int, int]


@dataclass(frozen=True)
class TurnTaking(Game):
    """Taking two leaves the turn with the same player; fields are negative and of full width."""

    most: int = 12
    no_moves = DRAW

    def starts(self):
        return [Turn(self.most, 0, -(1 << 62), (0, -3)), Turn(self.most - 1, 1, 1 << 62, (1, 1))]

    def space(self):
        return Turn(range(40), range(2), range(-(1 << 63), 1 << 63), range(-40, 40))

    def turn(self, p):
        return p.mover

    def winner(self, p):
        if p.left == 1:
            return p.mover
        if p.left == 0:
            return -1 if p.wide > 0 else 1 - p.mover

    def moves(self, p):
        for n in range(1, min(4, p.left)):
            yield n

    def play(self, p, n):
        mover = p.mover if n == 2 else 1 - p.mover
        return Turn(p.left - n, mover, ~p.wide + n, (p.deltas[1], p.deltas[0] - n))


class Plain(Game):
    """A position is a number, and moves bring points."""

    def start(self):
        return 21

    def space(self):
        return range(-5, 22)

    def moves(self, n):
        return [k for k in (1, 3, 4) if k <= n + 5] if n > 2 else []

    def play(self, n, k):
        return n - k

    def gain(self, n, k):
        return n * k - 20

    def score(self, n):
        return -n


class Ending(Plain):
    """The same with an outcome, which ends a score game too."""

    def outcome(self, n):
        return WIN if n == 10 else None

    def turn(self, n):
        return n % 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", some([TurnTaking(), Ending(), Plain()], 3), ids=["turns", "both", "score"]
)
def test_turns_winners_gains_and_scores_are_the_same_compiled(game: Any) -> None:
    """Owners, values, gains and final scores are Python's at every position."""
    check(game)


def test_games_of_one_class_differ_by_their_parameters_side_by_side() -> None:
    """Two parameterisations in one process each keep to their own rules, whichever runs first."""
    small, large = TurnTaking(6), TurnTaking(30)
    check(small, least=5)
    check(large)
    check(small, least=5)
    check(large)


class KernelNames(Game):
    """Helpers with the names of functions that generated kernels define and call."""

    def start(self):
        return 12

    def emit(self, n):
        return min(n, 4)

    def part(self, n):
        return n + 1

    def size(self, n):
        return n + 2

    def moves(self, n):
        yield from range(1, 1 + min(self.emit(n), self.part(n), self.size(n)))

    def play(self, n, move):
        return n - move


def test_helpers_may_have_the_names_of_generated_functions():
    check(KernelNames())
