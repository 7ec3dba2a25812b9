"""A small game to make mistakes in, and what is said about them."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import CompileError

#: Marks the line that an error has to name; without it, it is the first line of the mistake.
HERE = "# here"

HEADER = """
import enum, functools, itertools, math, operator, random, statistics
from dataclasses import dataclass
from typing import Any, NamedTuple
import numpy as np
from zermelo import DRAW, LOSS, NOBODY, WIN, Game, put

SIZES = {1: 2}
NAMES = ("a", "b")
HUGE = 1 << 70
HALF = 0.5
WEIGHTS = np.array([0.5, 1.0])

class Kind(enum.Enum):
    A = 1

class Spot(NamedTuple):
    x: int
    turns: int

    def count_up(self):
        return self.x + 1
"""

GAME = """
@dataclass(frozen=True)
class Walk(Game):
    size: int = 9
    data: Any = 0

    def start(self):
        return Spot(0, 0)

    def space(self):
        return Spot(range(-50, 50), range(100))
"""

#: Each hook's head, and how it ends where the mistake does not.
HOOKS = {
    "outcome": ("outcome(self, p)", "return LOSS if p.x >= self.size else None"),
    "moves": ("moves(self, p)", "yield 1"),
    "play": ("play(self, p, move)", "return Spot(p.x + move, p.turns + 1)"),
}

_COUNT = itertools.count()


def written(hook: str, mistake: str, helpers: str = "") -> str:
    """Return the text of the game with a mistake in it.

    Args:
        hook: the hook whose body begins with the mistake; or "class", for whole methods.
        mistake: the lines.
        helpers: functions at the top of the module.
    """
    parts = [HEADER, helpers, GAME]
    for name, (head, end) in HOOKS.items():
        if name == hook:
            parts.append(_indented(f"def {head}:\n{_indented(mistake)}\n    {end}"))
        elif hook != "class" or f"{name}(" not in mistake:
            parts.append(_indented(f"def {head}:\n    {end}"))
    if hook == "class":
        parts.append(_indented(mistake))
    return "\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def imported(folder: Path, text: str) -> Any:
    """Return the module with this text, in a file of its own."""
    name = f"mistaken_{next(_COUNT)}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def complaint(folder: Path, text: str, mistake: str, data: Any = 0) -> str:
    """Compile a game and return the sentence it is refused with, which names the right line."""
    game = imported(folder, text).Walk(data=data)
    with pytest.raises(CompileError) as caught:
        zermelo.solve(game, threads=1)
    lines = text.splitlines()
    marked = HERE if HERE in text else mistake.splitlines()[0]
    assert caught.value.line is not None
    assert marked in lines[caught.value.line - 1]
    assert Path(str(caught.value.filename)).parent == folder
    sentence = str(caught.value.args[0])
    assert "\n" not in sentence
    assert str(caught.value) == f"{caught.value.filename}:{caught.value.line}: {sentence}"
    return sentence
