"""Rules that change while a process runs: what Python would run is what is compiled."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import zermelo
from support.compiled_rules import COMPILED, kernel_of
from support.oracles.equivalence import check
from support.sizes import some
from zermelo import CompileError

HELPERS = """
STEP = 3
TABLE = [1, 2]

class Tables:
    EXTRA = (0, 0)

def limit(n):
    return min(n, STEP) + TABLE[0] - 1 + Tables.EXTRA[1]
"""

RULES = """
from dataclasses import dataclass

import {name}_helpers as helpers
from {name}_helpers import limit
from zermelo import WIN, Game

BONUS = 0

@dataclass(frozen=True)
class Take(Game):
    stones: int = 12
    least = 1

    def start(self):
        return self.stones

    def outcome(self, n):
        if n < 0:
            return WIN

    def moves(self, n):
        return range(self.least, self.most(n) + 1)

    def most(self, n):
        return min(n, max(limit(n), helpers.limit(n))) + BONUS

    def play(self, n, k):
        return n - k
"""

COUNT = itertools.count()


class Project:
    """Rules and their helpers in two files, imported under names of their own."""

    def __init__(self, folder: Path) -> None:
        self.name = f"compile_changes_{next(COUNT)}"
        self.folder = folder
        self.write("_helpers", HELPERS)
        self.write("", RULES.format(name=self.name))
        importlib.invalidate_caches()
        self.helpers = importlib.import_module(f"{self.name}_helpers")
        self.rules = importlib.import_module(self.name)

    def write(self, suffix: str, text: str) -> None:
        (self.folder / f"{self.name}{suffix}.py").write_text(text, encoding="utf-8")

    def reload(self, module: ModuleType) -> None:
        importlib.invalidate_caches()
        Path(importlib.util.cache_from_source(str(module.__file__))).unlink(missing_ok=True)
        importlib.reload(module)

    def check(self) -> int:
        """Compare compiled and Python, and return how many moves the start has."""
        game = self.rules.Take()
        check(game)
        return len(list(game.moves(12)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """Yield a fresh project whose folder can be imported from."""
    monkeypatch.syspath_prepend(tmp_path)
    made = Project(tmp_path)
    yield made
    for name in (made.name, f"{made.name}_helpers"):
        sys.modules.pop(name, None)


@pytest.mark.slow
def test_a_file_edited_after_its_import_changes_nothing(project: Project) -> None:
    """The running code is what counts, whether it was compiled before the edit or after."""
    assert project.check() == 3
    project.write("_helpers", HELPERS.replace("min(n, STEP)", "min(n, STEP, 2)"))
    project.write("", RULES.format(name=project.name).replace("+ BONUS", "+ BONUS + 1"))
    assert project.check() == 3
    COMPILED.clear()
    assert project.check() == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    some(
        [
            ("min(n, STEP)", "max(1, STEP)"),
            ("STEP)", "len(TABLE))"),
            ("TABLE[0]", "TABLE[1]"),
            ("    return", "\n\n    return"),
            ("EXTRA[1] ", "EXTRA[0] "),
            ("    return", "    n = 9; return"),
        ],
        3,
    ),
)
def test_an_edited_file_is_believed_only_where_it_gives_the_running_code(
    project: Project, old: str, new: str
) -> None:
    """A function renamed to, a constant changed, a line moved: the text is compared as code."""
    project.write("_helpers", HELPERS.replace(old, new))
    assert project.check() == 3


@pytest.mark.slow
def test_a_reloaded_helper_is_noticed(project: Project) -> None:
    """A function called through its module is the new one; one imported by name is the old one."""
    assert project.check() == 3
    project.write("_helpers", HELPERS.replace("STEP)", "STEP + 2)"))
    project.reload(project.helpers)
    assert project.check() == 5
    project.write("_helpers", HELPERS.replace("STEP)", "STEP - 1)"))
    project.reload(project.helpers)
    assert project.check() == 3


@pytest.mark.slow
def test_reloaded_rules_are_another_class(project: Project) -> None:
    """A class of the same name with other rules is compiled anew, and the old one still works."""
    old = project.rules.Take()
    assert project.check() == 3
    text = RULES.format(name=project.name).replace("least = 1", "least = 2")
    project.write("", text.replace("+ BONUS", "+ BONUS + 2"))
    project.reload(project.rules)
    assert project.check() == 4
    check(old)
    check(project.rules.Take())


def one_move(self, n):
    """Take the place of a hook."""
    return [1] if n > 0 else []


def _set(name: str, value: Any) -> Any:
    return lambda project: setattr(project.helpers, name, value)


CHANGES: dict[str, tuple[Any, int]] = {
    "a module's number": (_set("STEP", 5), 5),
    "a list's contents": (lambda project: project.helpers.TABLE.__setitem__(0, 3), 5),
    "a class's tuple": (lambda project: setattr(project.helpers.Tables, "EXTRA", (0, 4)), 7),
    "the rules' own number": (lambda project: setattr(project.rules, "BONUS", 2), 5),
    "a number of the class": (lambda project: setattr(project.rules.Take, "least", 2), 2),
    "a helper": (_set("limit", lambda n: 6), 6),
    "a method": (lambda project: setattr(project.rules.Take, "most", lambda self, n: 2), 2),
    "a hook": (lambda project: setattr(project.rules.Take, "moves", one_move), 1),
    "a function's code": (
        lambda project: setattr(project.rules.limit, "__code__", (lambda n: n * 0 + 4).__code__),
        4,
    ),
}


@pytest.mark.parametrize("change", some(CHANGES, 9))
def test_a_change_at_run_time_is_noticed(project: Project, change: str) -> None:
    """What rules read besides parameters is looked at again before compiled rules serve again."""
    make, moves = CHANGES[change]
    assert project.check() == 3
    make(project)
    assert project.check() == moves


def test_rules_are_compiled_once_while_nothing_changes(project: Project) -> None:
    """Asking again, for another game of the class too, finds the kernel that is there."""
    kernel = kernel_of(project.rules.Take(5))
    assert kernel_of(project.rules.Take(5)) is kernel
    assert kernel_of(project.rules.Take(50)) is kernel


@pytest.mark.slow
def test_a_mistake_is_told_of_the_line_where_it_is_by_now(project: Project) -> None:
    """Lines that were added above it since it was told first do not lead elsewhere."""
    wrong = RULES.format(name=project.name).replace("return n - k", "return n - len([k] * n[0])")
    told = []
    for above in ("", "# One line more.\n", "# Two\n# lines.\n"):
        project.write("", wrong.replace("@dataclass", f"{above}@dataclass"))
        project.reload(project.rules)
        with pytest.raises(CompileError) as caught:
            zermelo.solve(project.rules.Take())
        told.append(caught.value.line)
    first = wrong[: wrong.index("return n - len")].count("\n") + 1
    assert told == [first, first + 1, first + 2]
