"""What calls an edited function of the rules: it is linked anew, or compiled where it must be."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import event

from zermelo import RulesError
from zermelo._compile.rules import compile_rules
from zermelo._engine.expand.expander import Buffers

#: Each function calls some of those before it.
FUNCTIONS = {
    "deep": """
def deep(n):
    return n % 7
""",
    "step": """
def step(n, k=1, more=2):
    if n < 0:
        return 0
    return deep(n) - k + more
""",
    "items": """
def items(n):
    for k in range(1, 3):
        yield step(n) + k
""",
    "rest": """
def rest(n, k):
    if n < 0:
        return 0
    return step(k=k, n=n) + sum(items(n + k))
""",
    "half": """
def half(n, k):
    return step(n) - step(k=k, n=n)
""",
    "play": """
    def play(self, n, k):
        return max(0, min(rest(n, k) + half(n, k), n - 1))
""",
}

RULES = """
from dataclasses import dataclass

from zermelo import Game

{deep}
{step}
{items}
{rest}
{half}

@dataclass(frozen=True)
class Edited(Game):
    size: int = 40

    def start(self):
        return self.size

    def space(self):
        return range(self.size + 1)

    def outcome(self, n):
        return None if n else -1

    def moves(self, n):
        for k in range(1, 4):
            yield k
{play}
"""

#: What stays as it is compiled where ``rest`` changes, and gives a number still.
ABOVE = {"play", "emit", "moves"}

#: What is edited, into what, and which functions that call it are not compiled again for that.
EDITS = {
    "another number": (
        "deep",
        """
def deep(n):
    return n % 5
""",
        {"step", "half", *ABOVE},
    ),
    "another type": (
        "deep",
        """
def deep(n):
    return n % 3 == 0
""",
        ABOVE,
    ),
    "another type of what many call": (
        "step",
        """
def step(n, k=1, more=2):
    return n > k
""",
        ABOVE,
    ),
    "another default": (
        "step",
        """
def step(n, k=2, more=2):
    return deep(n) - k + more
""",
        ABOVE,
    ),
    "another order": (
        "step",
        """
def step(k, n=1, more=2):
    return deep(n) - k + more
""",
        ABOVE,
    ),
    "one parameter more": (
        "step",
        """
def step(n, k=1, more=2, less=1):
    return deep(n) - k + more - less
""",
        ABOVE,
    ),
    "it raises": (
        "deep",
        """
def deep(n):
    if n > 30:
        raise ValueError
    return n % 7
""",
        ABOVE,
    ),
    "it calls itself": (
        "deep",
        """
def deep(n):
    if n > 3:
        return deep(n - 2) + 1
    return n
""",
        set(),
    ),
    "all in a circle": (
        "deep",
        """
def deep(n):
    if n < 90:
        return n
    return rest(n - 90, 1)
""",
        set(),
    ),
    "other items": (
        "items",
        """
def items(n):
    last = n
    for k in range(4):
        last += k
        yield step(last)
""",
        {"deep", "step", *ABOVE},
    ),
    "a list": (
        "items",
        """
def items(n):
    return [step(n), 2, 3]
""",
        {"deep", "step", *ABOVE},
    ),
    "fewer calls": (
        "rest",
        """
def rest(n, k):
    return n - sum(items(k))
""",
        ABOVE,
    ),
}


def text(name: str, edited: str) -> str:
    """Return the rules with a function edited."""
    return RULES.format(**{**FUNCTIONS, name: edited})


class Compiled(event.Listener):
    """Notes which functions are compiled."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def on_start(self, event: Any) -> None:
        name = event.data["dispatcher"].py_func.__name__
        self.names.add(name.removeprefix("_z_"))

    def on_end(self, event: Any) -> None:
        """Note nothing."""


def compared(path: Path, said: str) -> set[str]:
    """Compare the rules in a file with Python, and return what was compiled for that."""
    path.write_text(said, encoding="utf-8")
    # Python tells files of one size and one second by nothing.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game, compiler = module.Edited(), Compiled()
    with event.install_listener("numba:compile", compiler):
        compiled = compile_rules(game)
        buffers = Buffers.for_rules(compiled, 1, 400)
        parts = [getattr(buffers, name) for name in buffers.__dataclass_fields__]
        for n in range(1, 41):
            try:
                wanted = [game.play(n, k) for k in game.moves(n)]
            except ValueError:
                wanted = []
            try:
                _, made, _ = compiled(np.array([n], np.uint64), 0, 1, *parts)
            except RulesError:
                made = 0
            assert buffers.children[:made].tolist() == wanted, (n, said)
    return compiler.names


@pytest.mark.slow
def test_what_calls_an_edited_function_does_what_it_does_now(tmp_path):
    """In one process, forth and back: whatever was edited, and how."""
    path, before = tmp_path / "edited_rules.py", text("deep", FUNCTIONS["deep"])
    compared(path, before)
    for name, edited, stays in EDITS.values():
        assert not compared(path, text(name, edited)) & stays, edited
        assert compared(path, before) == set()
        assert compared(path, text(name, edited)) == set()


@pytest.mark.slow
def test_another_process_does_what_it_does_now(tmp_path, monkeypatch):
    """Where another process has compiled the rules before the edit."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "edited_rules.py"
    said = [text("deep", FUNCTIONS["deep"]), *(text(*edit[:2]) for edit in EDITS.values())]
    for each in (*said, *reversed(said)):
        line = [sys.executable, __file__, str(path), json.dumps(each)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    compared(Path(sys.argv[1]), json.loads(sys.argv[2]))
