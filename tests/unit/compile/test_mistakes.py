"""An author's mistakes: one sentence, with the author's file and line, that says what to write."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from support.sizes import some
from zermelo import CompileError, RulesError

HEAD = """\
import itertools
import math
import random
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import DRAW, LOSS, WIN, Game, put

HUGE = 1 << 70
HALF = 0.5

def count(left):
    if left > 2:
        return 2

def two(a, b):
    return a + b

class Heap(Game):
    def start(self):
        return 5

    def moves(self, left):
        for taken in range(1, min(2, left) + 1):
            yield taken

    def play(self, left, taken):
        return left - taken

class Broken(Heap):
"""

#: What an author writes in the class, the wrong line, and a part of the message.
MISTAKES: dict[str, tuple[str, str, str]] = {
    "a string": (
        "def play(self, left, taken):\n    return 'five'",
        "'five'",
        "Broken.play uses the string 'five'",
    ),
    "a formatted string": (
        "def play(self, left, taken):\n    name = f'{left}'\n    return left - taken",
        "f'{left}'",
        "an f-string",
    ),
    "a dict": (
        "def play(self, left, taken):\n    return {1: left, 2: 3}[taken]",
        "{1: left",
        "a dict",
    ),
    "a fraction": (
        "def play(self, left, taken):\n    return int(left - 1.5)",
        "1.5",
        "the fraction 1.5",
    ),
    "a module's fraction": (
        "def play(self, left, taken):\n    return int(left * HALF)",
        "HALF",
        "0.5",
    ),
    "a division": (
        "def play(self, left, taken):\n    return left / 2",
        "left / 2",
        "divide with //",
    ),
    "a square root": (
        "def play(self, left, taken):\n    return math.sqrt(left) - 1",
        "def play",
        "a fraction (a float)",
    ),
    "a number past 64 bits": (
        "def play(self, left, taken):\n    return left - 1 + HUGE",
        "HUGE",
        "64 bits",
    ),
    "a missing return in a helper": (
        "def moves(self, left):\n    for taken in range(count(left)):\n        yield taken",
        "count(left)",
        "NoneType",
    ),
    "a missing return in play": (
        "def play(self, left, taken):\n    left -= taken",
        "def play",
        "return",
    ),
    "an unknown name": (
        "def play(self, left, taken):\n    return left - takn",
        "takn",
        "takn",
    ),
    "an unknown attribute of the game": (
        "def play(self, left, taken):\n    return left - self.step",
        "self.step",
        "self.step",
    ),
    "print": (
        "def play(self, left, taken):\n    print(left)\n    return left - taken",
        "print(left)",
        "print",
    ),
    "try": (
        "def play(self, left, n):\n    try:\n        return left - n\n    finally:\n        n = 1",
        "try:",
        "test with if",
    ),
    "a lambda": (
        "def play(self, left, taken):\n    less = lambda n: n - taken\n    return less(left)",
        "lambda",
        "lambda",
    ),
    "an import": (
        "def play(self, left, taken):\n    import math\n    return left - math.gcd(1, taken)",
        "import math",
        "at the top",
    ),
    "a change of the game": (
        "def play(self, left, taken):\n    self.last = taken\n    return left - taken",
        "self.last = taken",
        "self.last",
    ),
    "itertools": (
        "def moves(self, left):\n    yield from itertools.zip_longest(range(1, 3), range(left))",
        "itertools.zip_longest",
        "zip_longest",
    ),
    "random": (
        "def play(self, left, taken):\n    return left - random.randint(1, 2)",
        "random.randint",
        "randint",
    ),
    "too few arguments": (
        "def play(self, left, taken):\n    return two(left)",
        "two(left)",
        "two",
    ),
    "an outcome in words": (
        "def outcome(self, left):\n    if left == 0:\n        return 'loss'",
        "'loss'",
        "'loss'",
    ),
    "an outcome that is a truth value": (
        "def outcome(self, left):\n    return left == 0",
        "def outcome",
        "True",
    ),
    "a variable without a value": (
        "def play(self, left, n):\n    if n > 1:\n        rest = left - n\n    return rest",
        "return rest",
        "rest",
    ),
}


def load(folder: Path, text: str) -> Any:
    """Write a module, import it, and return its class ``Broken``."""
    path = folder / f"mistake_{abs(hash(text))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.Broken


@pytest.mark.parametrize("mistake", some(MISTAKES, 3), ids=str)
def test_the_message_on_a_mistake_names_its_line(mistake: str, tmp_path: Path) -> None:
    """The message has the file, the line and the remedy, and no word of Numba."""
    body, marked, expected = MISTAKES[mistake]
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    kind = load(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        zermelo.solve(kind(), threads=1)
    message = str(caught.value)
    assert expected in message
    assert "\n" not in message
    for word in ("numba", "nopython", "int64", "typing", "OptionalType", "_z"):
        assert word not in message, message
    if isinstance(caught.value, CompileError):
        lines = [n for n, line in enumerate(text.splitlines(), 1) if marked in line]
        assert caught.value.filename is not None
        assert Path(caught.value.filename).stem.startswith("mistake_")
        assert caught.value.line in [*lines, *(n + 1 for n in lines)], message
