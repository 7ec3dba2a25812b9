"""Rules whose text cannot be read: typed at a prompt, given to ``exec``; and notebook cells."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from support.compiled_rules import kernel_of
from support.oracles.equivalence import check
from zermelo import CompileError, RulesError

pytestmark = pytest.mark.timing

#: What compiles without its text. It ends with an empty line, as at a prompt.
RULES = """
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import math
import numpy as np
import zermelo
from zermelo import Game, put

WEIGHTS = ((1, 2), (3,), (4, 5, 6))
LONG = tuple(range(300))
EVEN = ((1, 2), (3, 4))
LIST = [5, 6, 7]
ARRAY = np.array([1, 2, 3])

class Kind(IntEnum):
    LOW = 3

class Mark(NamedTuple):
    step: int
    seed: int
    pits: tuple

def helper(n, by=2):
    total = 0
    for x in WEIGHTS[n]:
        total += x * by
    for row in WEIGHTS:
        total += len(row)
    return total + LONG[n] + EVEN[n % 2][1] + LIST[n] + ARRAY[n] + Kind.LOW + math.gcd(n, 6)

def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@dataclass(frozen=True)
class Walk(Game):
    graph: Any = ((1, 2), (2,), (0, 1))
    board: Any = ((1, 2), (3, 4))
    size: int = 3
    _hidden: int = 4
    __private = 7
    LIMIT = 5
    ROWS = ((1,), (2, 3), ())

    @property
    def n(self):
        return len(self.graph)

    @cached_property
    def degrees(self):
        return tuple(len(row) for row in self.graph)

    def start(self):
        return Mark(0, 1, (1, 2, 3))

    def moves(self, p):
        if p.step < 4:
            for x in self.graph[p.seed % self.n]:
                yield x
            for x in self.more(p):
                yield x

    def more(self, p):
        if p.step % 2:
            yield 3

    @staticmethod
    def double(n):
        return 2 * n

    def weight(self, k):
        return self.degrees[k] * 2 + self.n

    def score(self, p):
        k = p.seed % 3
        total = self.weight(k) + helper(k) + helper(k, 5) + self.size + self._hidden
        total += self.degrees[k] + factorial(k) + self.double(k) + self.board[0][k % 2]
        for row in self.graph:
            for y in row:
                total = total * 3 + y
        for row in self.ROWS:
            total += len(row)
        total += (k in LIST) + p.pits[k] + k.bit_count() + self.LIMIT + self.__private
        return total + sum([a * 2 for a in p.pits]) + min(p.pits) + any(self.degrees)

    outcome = lambda self, p: None
    play = lambda self, p, k: Mark(p.step + 1, (p.seed * 31 + k) % 97, put(p.pits, k % 3, k))

"""

SMALL = """
from dataclasses import dataclass
from typing import Any, NamedTuple

import zermelo
from zermelo import Game

class Mark(NamedTuple):
    step: int
    seed: int

def further(n):
    return n + 1

@dataclass(frozen=True)
class Walk(Game):
    graph: Any = ((1, 2), (2,), (0, 1))

    def start(self):
        return Mark(0, 1)

    def moves(self, p):
        if p.step < 4:
            for x in self.graph[p.seed]:
                yield x

    def play(self, p, k):
        return Mark(further(p.step), k)

    def score(self, p):
        return p.seed * self.weight(p)

    def weight(self, p):
        return len(self.graph) + max(self.graph[0])

"""

PROGRAM = SMALL + "print(zermelo.solve(Walk()).value)\n"


def typed(text: str, filename: str = "<stdin>") -> dict[str, Any]:
    """Run what was typed and return the names it defined."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, filename, "exec"), space)  # noqa: S102  # as a prompt does
    return space


@pytest.fixture(scope="module")
def prompt() -> dict[str, Any]:
    """Return the names that were typed at a prompt."""
    return typed(RULES)


@pytest.mark.slow
def test_rules_typed_at_a_prompt_do_what_they_do_in_python(prompt: dict[str, Any]) -> None:
    """Helpers, methods calling methods, properties, rows and lambdas compile as they are."""
    walk = prompt["Walk"]
    check(walk())
    check(walk(graph=((1,), (0, 2, 1), (2, 0)), board=((7, 8), (9, 1))))
    assert kernel_of(walk()).unchecked is None


@pytest.mark.slow
def test_typed_rules_are_compiled_once_for_all_contents_of_rows(prompt: dict[str, Any]) -> None:
    """Another graph compiles nothing, and another number does."""
    walk = prompt["Walk"]
    kernel = kernel_of(walk())
    assert kernel_of(walk(graph=((2,), (0,), (1,)))) is kernel
    assert kernel_of(walk(size=5)) is not kernel
    check(walk(size=5))


@pytest.mark.slow
def test_places_past_the_end_are_noticed_at_a_prompt_too() -> None:
    """A row is not read beyond its end, where whatever is in the memory would be a move."""
    game = typed(SMALL.replace("max(self.graph[0])", "self.graph[0][p.step]"))["Walk"]()
    with pytest.raises(RulesError, match="raised IndexError: tuple index out of range"):
        zermelo.solve(game, threads=1)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["stdin", "-c"])
def test_a_program_without_a_file_is_solved(how: str, tmp_path: Path) -> None:
    """``python -`` and ``python -c`` have no text to read, and get the same answer."""
    path = tmp_path / "walk.py"
    path.write_text(SMALL, encoding="utf-8")
    arguments, given = (["-"], PROGRAM) if how == "stdin" else (["-c", PROGRAM], None)
    ran = subprocess.run(
        [sys.executable, *arguments], input=given, capture_output=True, text=True, check=False
    )
    expected = zermelo.solve(typed(SMALL, str(path))["Walk"](), threads=1).value
    assert (ran.stdout, ran.stderr) == (f"{expected}\n", "")


def test_a_notebook_cell_has_its_text() -> None:
    """Cells stand in linecache, so their rules are rewritten like those of a file."""
    loop = "for x in self.graph[p.seed]:\n                yield x"
    text = SMALL.replace(loop, "yield from self.graph[p.seed]")
    text = text.replace("max(self.graph[0])", "any(x > 1 for x in self.graph[0])")
    name = "<ipython-input-7-0123456789ab>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    try:
        game = typed(text, name)["Walk"]()
        check(game, least=5)
        assert kernel_of(game).loaded.expand.stats.cache_path is not None
    finally:
        del linecache.cache[name]


NEEDS_TEXT = (
    "save the rules in a file (and start again if it was edited since), or write it without"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            "any(x > 1 for x in p)",
            f"Walk.weight uses a generator expression, and its text cannot be read; {NEEDS_TEXT}",
        ),
        (
            "p._replace(step=3).step",
            f"Walk.weight uses _replace(), and its text cannot be read; {NEEDS_TEXT}",
        ),
        pytest.param(
            "(1 if self.graph[0] else 0)",
            "Walk.weight uses a row as true or false; test its len()",
            marks=pytest.mark.slow,
        ),
        (
            "p.nowhere",
            (
                "Walk.weight uses .nowhere of a Mark, which is not one of its fields; use one "
                "of them"
            ),
        ),
        (
            "len(zip)",
            (
                "Walk.weight calls len() on a function, which rules cannot; keep to whole numbers "
                "and tuples of them"
            ),
        ),
    ],
)
def test_what_needs_its_text_says_so(new: str, message: str) -> None:
    """The message names the line that was typed, and what to do."""
    text = SMALL.replace("max(self.graph[0])", new)
    line = 1 + next(i for i, each in enumerate(text.splitlines()) if new in each)
    game = typed(text)["Walk"](graph=((1,), (2,), (0,)))
    with pytest.raises(CompileError) as caught:
        zermelo.solve(game, threads=1)
    assert (caught.value.filename, caught.value.line) == ("<stdin>", line)
    assert caught.value.args[0] == message
