"""Compiled rules after an edit of one function: what calls it does what it does now."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import event

from support.compiled_rules import CompiledGame
from zermelo import RulesError

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

#: What is edited, and into what.
EDITS = {
    "another number": (
        "deep",
        """
def deep(n):
    return n % 5
""",
    ),
    "another type": (
        "deep",
        """
def deep(n):
    return n % 3 == 0
""",
    ),
    "another type of what many call": (
        "step",
        """
def step(n, k=1, more=2):
    return n > k
""",
    ),
    "another default": (
        "step",
        """
def step(n, k=2, more=2):
    return deep(n) - k + more
""",
    ),
    "another order": (
        "step",
        """
def step(k, n=1, more=2):
    return deep(n) - k + more
""",
    ),
    "one parameter more": (
        "step",
        """
def step(n, k=1, more=2, less=1):
    return deep(n) - k + more - less
""",
    ),
    "it raises": (
        "deep",
        """
def deep(n):
    if n > 30:
        raise ValueError
    return n % 7
""",
    ),
    "it calls itself": (
        "deep",
        """
def deep(n):
    if n > 3:
        return deep(n - 2) + 1
    return n
""",
    ),
    "all in a cycle": (
        "deep",
        """
def deep(n):
    if n < 90:
        return n
    return rest(n - 90, 1)
""",
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
    ),
    "a list": (
        "items",
        """
def items(n):
    return [step(n), 2, 3]
""",
    ),
    "fewer calls": (
        "rest",
        """
def rest(n, k):
    return n - sum(items(k))
""",
    ),
}


def text(name: str, edited: str) -> str:
    """Return the rules with a function edited."""
    return RULES.format(**{**FUNCTIONS, name: edited})


def compare(path: Path, said: str) -> int:
    """Compare the rules in a file with Python; return how many functions were compiled."""
    path.write_text(said, encoding="utf-8")
    # Python tells files of one size and one second by nothing.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game, recorder = module.Edited(), event.RecordingListener()
    with event.install_listener("numba:compile", recorder):
        compiled = CompiledGame(game)
        for n in range(1, 41):
            try:
                wanted = [game.play(n, k) for k in game.moves(n)]
            except ValueError:
                wanted = []
            try:
                (found,) = compiled.expand([n])
                made = found.children
            except RulesError:
                made = []
            assert made == wanted, (n, said)
    return len(recorder.buffer)


@pytest.mark.slow
def test_what_calls_an_edited_function_does_what_it_does_now(tmp_path):
    """In one process, forth and back: whatever was edited, and how."""
    path, before = tmp_path / "edited_rules.py", text("deep", FUNCTIONS["deep"])
    compare(path, before)
    for name, edited in EDITS.values():
        compare(path, text(name, edited))
        assert compare(path, before) == 0
        assert compare(path, text(name, edited)) == 0


@pytest.mark.slow
def test_another_process_does_what_it_does_now(tmp_path, monkeypatch):
    """Where another process has compiled the rules before the edit; for every fifth edit."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    path = tmp_path / "edited_rules.py"
    said = [text("deep", FUNCTIONS["deep"]), *(text(*edit) for edit in [*EDITS.values()][::5])]
    for each in (*said, said[0]):
        line = [sys.executable, __file__, str(path), json.dumps(each)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    compare(Path(sys.argv[1]), json.loads(sys.argv[2]))
