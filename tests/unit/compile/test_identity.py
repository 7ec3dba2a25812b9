"""Two versions of a class have one name for their rules as long as the rules say the same."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import ParameterError, StaleTableError, limits

RULES = '''
from dataclasses import dataclass
from typing import NamedTuple
import enum
import numpy as np
from zermelo import DRAW, LOSS, WIN, Game, Symmetry
import piles_helper

MOST = 3
STEPS = np.array([0, 1, 2, 3])
NAMES = ("a", "b")
SPARE = [9, 8, 7]
SYMMETRY = Symmetry(relabel=(("right", (1, 0, 2)),))

class Step(enum.IntEnum):
    SMALL = 1
    LARGE = 2

class Heap(NamedTuple):
    left: int
    right: int = 0

def takes(game, position, most=MOST):
    if position.left < 0:
        raise ValueError("nothing is left")
    return min(game.reach, most, position.left + position.right + Heap(0).right)

class Base(Game):
    def start(self):
        return Heap(self.size, 2)

    def space(self):
        return Heap(range(self.size + 1), range(3))

    def moves(self, position):
        """Take some."""
        total = takes(self, position)
        for k in range(1, total + 1):
            if any(k == step for step in self.steps):
                yield k

    def play(self, position, move):
        return piles_helper.taken(position, move)

    def outcome(self, position):
        if position.left + position.right == 0:
            return LOSS
        return None

    @property
    def reach(self):
        return 3

    @staticmethod
    def doubled(n):
        return 2 * n

@dataclass(frozen=True)
class Piles(Base):
    size: int = 6
    steps: tuple = (1, 2, 3)
    unused: int = 1

    def moves(self, position):
        for move in super().moves(position):
            if move * Step.LARGE < self.doubled(STEPS[3]) + 2:
                yield move

    def level(self, position):
        return position.left + position.right

    def show(self, position):
        return str(position)

    # Symmetries
'''
HELPER = """
TABLE = (0, 1, 2, 3)

def taken(position, k):
    n = TABLE[k]
    if position.right:
        rest = [other for other in (1, 2) if other <= position.right]
        k = min(n, len(rest))
        return position._replace(right=position.right - k)
    return position._replace(left=position.left - n)
"""
#: What says the same of every position.
SAME = [
    ("return min(game", "# no more\n    return min(game"),
    ('"""Take some."""', '"""Take any number."""'),
    ('        """Take some."""\n', ""),
    ("total = takes(self, position)", "total: int = takes(self, position)  # at most"),
    ("total", "most_of_all"),
    (
        "def moves(self, position):\n        for",
        "def moves(self, position: Heap) -> object:\n        for",
    ),
    ("for move in super", "for move in  super"),
    ("any(k == step for step in self.steps)", "any(k == other for other in self.steps)"),
    ('"nothing is left"', '"there is nothing left"'),
    ('NAMES = ("a", "b")', 'NAMES = ("b", "a")'),
    ("SPARE = [9, 8, 7]", "SPARE = [9, 8, 6]"),
    ("return str(position)", "return repr(position)"),
    ("unused: int = 1", "unused: int = 2"),
    ("np.array([0, 1, 2, 3])", "np.array([0, 1, 1 + 1, 3])"),
    ("[other for other in (1, 2) if other <=", "[each for each in (1, 2) if each <="),
    ("rest", "remainder"),
]
#: What does not, or may not.
OTHER = [
    ("MOST = 3", "MOST = 2"),
    ("np.array([0, 1, 2, 3])", "np.array([0, 1, 2, 4])"),
    ("LARGE = 2", "LARGE = 3"),
    ("if position.left < 0", "if position.left <= 0"),
    ("Heap(self.size, 2)", "Heap(self.size, 1)"),
    ("range(3))", "range(-1, 3))"),
    ("range(1, total + 1)", "range(2, total + 1)"),
    ("right: int = 0", "right: int = 1"),
    ("return LOSS", "return WIN"),
    ("return None", "return DRAW if position.left == 1 else None"),
    ("        return 3\n", "        return 2\n"),
    ("return 2 * n", "return 3 * n"),
    ("steps: tuple = (1, 2, 3)", "steps: tuple = (1, 3)"),
    ("class Base(Game):", "class Base(Game):\n    no_moves = WIN"),
    ("def level", "def turn(self, position):\n        return 0\n\n    def level"),
    ("TABLE = (0, 1, 2, 3)", "TABLE = (0, 1, 2, 2)"),
    ("(left=position.left - n)", "(left=position.left - k)"),
    ("other <= position.right", "other < position.right"),
    ("(right=position.right - k)", "(right=position.right - n)"),
    ("# Symmetries", "def symmetries(self):\n        return SYMMETRY"),
]


def edited(folder: Path, old: str = "", new: str = "") -> Any:
    """Return the game of a module, after an edit of it or of its helper."""
    assert old in RULES + HELPER
    folder.mkdir()
    sys.path.insert(0, str(folder))
    try:
        (folder / "piles.py").write_text(RULES.replace(old, new) if old else RULES)
        (folder / "piles_helper.py").write_text(HELPER.replace(old, new) if old else HELPER)
        importlib.invalidate_caches()
        return importlib.import_module("piles").Piles(unused=1)
    finally:
        sys.path.remove(str(folder))
        for module in ("piles", "piles_helper"):
            sys.modules.pop(module, None)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table by the rules as they are written above."""
    folder = tmp_path_factory.mktemp("rules")
    with limits.using(plain_seconds=10.0):
        return zermelo.solve(edited(folder / "before")).save(folder / "piles.table")


@pytest.mark.parametrize(("old", "new"), SAME)
def test_an_edit_that_changes_nothing_keeps_the_name(
    old: str, new: str, before: Path, tmp_path: Path
) -> None:
    """Comments, docstrings, names of variables, what errors say, and what rules do not read."""
    zermelo.open(before, edited(tmp_path / "after", old, new)).close()


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_every_edit_that_matters_changes_the_name(
    old: str, new: str, before: Path, tmp_path: Path
) -> None:
    """In a helper, a constant, a default, a property, the start, the space or a base class."""
    # A parameter's default is told apart from a rule.
    error = ParameterError if new.startswith("steps:") else StaleTableError
    with pytest.raises(error):
        zermelo.open(before, edited(tmp_path / "after", old, new))
