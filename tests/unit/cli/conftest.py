"""What the tests of the command share: running it in this process, and authors' files."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.cli import main

#: A game of one file, with little to compile.
COUNTDOWN = '''
from dataclasses import dataclass

from zermelo import Game


@dataclass(frozen=True)
class Countdown(Game):
    """Two players count down by one or two, and who cannot loses.

    Attributes:
        top: where they begin,
            which may be zero.
    """

    top: int = 5

    def start(self):
        return self.top

    def moves(self, n):
        for step in range(1, min(2, n) + 1):
            yield step

    def play(self, n, step):
        return n - step

    def space(self):
        return range(self.top + 1)

    def show(self, n):
        return str(n)
'''


@pytest.fixture
def run():
    """Run the command in this process; the result has ``exit_code``, ``stdout`` and ``stderr``."""

    def run_command(*words):
        return CliRunner().invoke(main, [str(word) for word in words], prog_name="zermelo")

    return run_command


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder, from which modules are imported and then forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def countdown(folder):
    """The file ``countdown.py`` with the game Countdown, in an empty current folder."""
    (folder / "countdown.py").write_text(COUNTDOWN)
    return folder / "countdown.py"


@pytest.fixture
def command():
    """The installed command, to be run as a process."""
    return str(Path(sysconfig.get_path("scripts")) / "zermelo")
