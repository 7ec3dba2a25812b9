"""Variants of small games: each is solved as plain Python has it, or refused in a sentence."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from support.games.written.bodies import HEADER
from support.oracles import oracle
from zermelo import CompileError, ParameterError, RulesError

#: A walk on six cells that each body steers: whoever comes to the last cell has lost.
GAME = """

class Spot(NamedTuple):
    x: int
    turns: int
    row: tuple[int, int, int]
    body: int = 0

    def total(self):
        return sum(self.row) + self.x

    @property
    def first(self):
        return self.row[0]


class Base(Game):
    def twice(self, v):
        return 2 * v


@dataclass(frozen=True)
class Walk(Base):
    size: int = 6
    steps: tuple[int, ...] = (1, 2, 4)
    near: Any = ((1, 2), (0,), (0, 1, 2))
    rule: str = "normal"

    CELLS = 6
    LINES = ((0, 1, 2), (3, 4, 5))

    @cached_property
    def board(self):
        return np.array([[1, 2, 3], [4, 5, 6]])

    @property
    def area(self):
        return self.size * 2

    @cached_property
    def lines(self):
        return [(i, i + self.size) for i in range(3)]

    def twice(self, v):
        return super().twice(v) + 1

    def best(self, v):
        return v + 1

    def between(self, v, low=1, high=5):
        return min(max(v, low), high)

    @staticmethod
    def apart(a, b):
        return abs(a - b)

    @classmethod
    def counted(cls, v):
        return cls.CELLS + v

    def forever(self, v):
        return self.forever(v + 1) + 1 if v < 1 << 60 else v

    def starts(self):
        for body in self.bodies:
            for x in range(5):
                yield Spot(x, 0, (x % 3, 2, 1), body)

    def start(self):
        return next(self.starts())

    def outcome(self, p):
        if p.x == 5:
            return LOSS

    def moves(self, p):
        if p.turns < 3:
            yield 1
            yield 2

    def play(self, p, move):
        if p.turns > 9:
            return p
        v = self.valued(p, move)
        return Spot((p.x + v) % 6, p.turns + 1, put(p.row, v % 3, (p.x + v) % 5), p.body)
"""

_COUNT = itertools.count()


class Said(NamedTuple):
    """What became of a variant: "same", "refused", or "wrong", and in which words."""

    how: str
    words: str


def said_of_bodies(bodies: dict[int, str], folder: Path, top: str = "") -> dict[int, Said]:
    """Solve a game with several bodies, each from starts of its own, and tell of each.

    Args:
        bodies: what to write, by number.
        folder: where to write it.
        top: what else stands at the top of the module.
    """
    verdicts: dict[int, Said] = {}
    bodies_left = dict(bodies)
    while bodies_left:
        text, lines = _walk(bodies_left, top)
        game = written(text, folder).Walk()
        try:
            solution = zermelo.solve(game, threads=1)
        except RulesError as error:
            body_number = _body_at(error, text, lines)
            if body_number is None and len(bodies_left) > 1:
                for number, body in bodies_left.items():
                    verdicts |= said_of_bodies({number: body}, folder, top)
                return verdicts
            number = next(iter(bodies_left)) if body_number is None else body_number
            verdicts[number] = _refused(error, text)
            del bodies_left[number]
            continue
        expected = oracle.solve(game)
        for number in bodies_left:
            body_values = {p: v for p, v in expected.items() if p.body == number}
            assert 5 < len(body_values) < 200
            solved_values = {
                p: (int(solution[p].outcome), solution[p].remoteness) for p in body_values
            }
            verdicts[number] = Said("same" if solved_values == body_values else "wrong", "")
        break
    return verdicts


def said_of_game(text: str, folder: Path, name: str = "Mine") -> Said:
    """Solve a game that is written out, and tell what became of it."""
    text = HEADER + text
    try:
        game = getattr(written(text, folder), name)()
        solution = zermelo.solve(game, threads=1)
    except (ParameterError, RulesError) as error:
        return _refused(error, text)
    if game.moves.__doc__ == "scores":
        expected: Any = oracle.solve_scores(game)
        solved_values: Any = {p: solution[p].score for p in expected}
    else:
        expected = oracle.solve(game)
        solved_values = {p: (int(solution[p].outcome), solution[p].remoteness) for p in expected}
    assert 1 < len(expected) < 200
    return Said("same" if solved_values == expected else "wrong", "")


def _walk(bodies: dict[int, str], top: str) -> tuple[str, dict[int, tuple[int, int]]]:
    """Return the text of the game, and which lines are whose."""
    parts = [HEADER, top, GAME, f"    bodies = {tuple(bodies)}\n"]
    parts.append("    def valued(self, p, n):")
    *first, last = bodies
    parts += [
        f"        if p.body == {number}:\n            return self.value_{number}(p, n)"
        for number in first
    ]
    parts.append(f"        return self.value_{last}(p, n)\n")
    lines = {}
    for number, body in bodies.items():
        begin = "\n".join(parts).count("\n") + 2
        indented = textwrap.indent(body, " " * 8)
        parts.append(f"    def value_{number}(self, p, n):\n{indented}\n")
        lines[number] = (begin, "\n".join(parts).count("\n") + 1)
    return "\n".join(parts), lines


def written(text: str, folder: Path) -> Any:
    """Return the module with this text, in a file of its own."""
    name = f"variant_{next(_COUNT)}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: Words of Numba's and of the compiler's own, which tell an author nothing.
_INNER = re.compile(
    r"numba|nopython|(?<!data type )int64|uint|typing|UniTuple|OptionalType|_z|<zermelo|reflected"
)
_LINE = re.compile(r"line (\d+) of variant_\d+\.py")


def _refused(error: ParameterError | RulesError, text: str) -> Said:
    """Return what is said, after looking whether it is said as it should be."""
    words = str(error)
    assert "\n" not in words, words
    if isinstance(error, CompileError):
        words = str(error.args[0])
        assert error.line is None or 0 < error.line <= text.count("\n") + 1
        if error.line is None:
            words = f"(no line) {words}"
    if _INNER.search(words):
        words = f"(inner words) {words}"
    if "; " not in words:
        words = f"(no remedy) {words}"
    return Said("refused", words)


def _body_at(error: RulesError, text: str, lines: dict[int, tuple[int, int]]) -> int | None:
    """Return the body that an error is about, or None where it does not say."""
    line = getattr(error, "line", None)
    if line is None:
        match = _LINE.search(str(error))
        line = int(match[1]) if match else None
    for number, (begin, end) in lines.items():
        if line is not None and begin - 1 <= line <= end:
            return number
    match = re.search(r"body=(\d+)", str(error))
    return int(match[1]) if match else None
