"""The check of a class: what is found in Python is reported before Numba is imported."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import zermelo
from zermelo import Game

class Forgetful(Game):
    def start(self):
        return 3

    def moves(self, p):
        return [1] if p else []

    def play(self, p, move):
        return p - move if move else None

    def turn(self, p):
        return 2

report = zermelo.check(Forgetful())
assert not report.ok and not report.compiled
print("numba" in sys.modules)
"""


def test_mistakes_found_in_python_compile_nothing(tmp_path):
    """The comparison with compiled rules comes last, and only where there is no mistake."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "False\n"
