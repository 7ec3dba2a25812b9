"""Rules that are right in Python and something else compiled, which only a comparison shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support.games.small_games import Heap, Spot, well_said
from zermelo import check

SMALL = np.array([200, 100], np.uint8)
#: Their sum is True in NumPy, and 2 compiled, as that of Python's own truth values.
BOTH = np.array([True, True])


def compiled_fault(game, kind):
    """Return the one error a check finds, which shows only when the rules are compiled."""
    report = check(game, time=5)
    assert [(problem.kind, problem.severity) for problem in report.problems] == [(kind, "error")], (
        str(report)
    )
    assert not report
    return well_said(report.problems[0])


REMEDY = "; keep to Python's own whole numbers, and each step below 2**63"
KEEP = r"; keep each step below 2\*\*63, mask it in the same expression, or use two numbers"


def test_rules_that_differ():
    """Truth values of NumPy add up to True, of which nothing is known when rules are compiled."""

    class Adding(Heap):
        def play(self, left, taken):
            return left - taken + int(BOTH[0] + BOTH[1]) - 1

    problem = compiled_fault(Adding, "compiled")
    assert problem.position == 7
    assert problem.message == f"play(7, 1) is 6 in Python and 7 compiled{REMEDY}"


def test_sum_past_64_bits():
    """A step past 64 bits on the way to a small number is an error at the first such position."""

    class Wide(Heap):
        def play(self, left, taken):
            return ((left - taken) << 61) >> 61

    problem = compiled_fault(Wide, "compiled")
    assert problem.position == 7
    said = r"play computes left - taken << 61, which is past 64 bits at 7 \(.*:\d+\)"
    assert re.fullmatch(said + KEEP, problem.message)


@pytest.mark.slow
def test_shift_out_of_the_word():
    """A bit past the 64th decides an outcome in Python only."""

    class Shifted(Heap):
        def outcome(self, left):
            if left < 3 and (5 - left << 62) >> 62 > 3:
                return -1
            return None

    problem = compiled_fault(Shifted, "compiled")
    said = r"outcome computes 5 - left << 62, which is past 64 bits at 2 \(.*:\d+\)"
    assert re.fullmatch(said + KEEP, problem.message)


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_narrow_array():
    """A narrow array at the top of the module wraps in Python only, so rules may not use it."""

    class Narrow(Heap):
        def play(self, left, taken):
            return left - taken + int(SMALL[0] + SMALL[1]) - 44

    problem = compiled_fault(Narrow, "compile")
    assert "uses SMALL, which is an array of narrow numbers, which wrap around" in problem.message


def test_compiled_rules_that_raise():
    """What is 0 compiled only is divided by."""

    class Dividing(Heap):
        def play(self, left, taken):
            return left - taken + 1 // (2 - int(BOTH[0] + BOTH[1])) - 1

    problem = compiled_fault(Dividing, "compiled")
    assert problem.position == 7
    assert problem.message == (
        f"the compiled rules raise ZeroDivisionError: integer division by zero at 7{REMEDY}"
    )


def test_more_moves_compiled():
    """A number of moves that differs is told apart from where they lead."""

    class Moving(Heap):
        def moves(self, left):
            most = min(2, left)
            most -= int(BOTH[0] + BOTH[1]) // 2
            for taken in range(1, most + 1):
                yield taken

    problem = compiled_fault(Moving, "compiled")
    assert problem.message == f"moves(7) yields 2 moves in Python and 1 compiled{REMEDY}"


def test_what_cannot_be_compiled():
    """A rule that cannot be compiled is reported with its file and line."""

    class Worded(Heap):
        def play(self, left, taken):
            return left - len({1, taken})

    problem = compiled_fault(Worded, "compile")
    assert problem.message.startswith(f"{Path(__file__)}:")
    assert "Worded.play uses a set, which rules cannot; use a tuple" in problem.message


STUCK = """
import numpy as np
from support.games.small_games import Heap
from zermelo import check

BOTH = np.array([True, True])

class Stuck(Heap):
    def moves(self, left):
        while int(BOTH[0] + BOTH[1]) == 2 and left < 5:
            if left > 9:
                yield 2
        if left:
            yield 1

print(check(Stuck, time=1), flush=True)
"""


@pytest.mark.slow
@pytest.mark.timing
def test_compiled_rules_that_do_not_return(tmp_path):
    """A loop that ends in Python only is left behind, and the check ends all the same."""
    # In a process of its own, because what is left behind keeps a core busy.
    program = tmp_path / "stuck.py"
    program.write_text(STUCK)
    path = str(Path(__file__).parents[2])
    command = f"import sys, runpy; sys.path.insert(0, {path!r}); runpy.run_path({str(program)!r})"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, check=True, text=True
    )
    assert (
        "error: the rules at 4 return in Python, but compiled they have not returned after 0.5 "
        "seconds" in done.stdout
    )


@pytest.mark.slow
def test_position_is_shown_as_it_is():
    """A position with fields is compared as a whole."""

    class Ring(Heap):
        def start(self):
            return Spot(0, 0)

        def turn(self, spot):
            return spot.turn

        def moves(self, spot):
            if spot.place < 3:
                yield 1

        def play(self, spot, taken):
            return Spot(spot.place + 1, 1 - spot.turn + int(BOTH[0] + BOTH[1]) // 2)

    problem = compiled_fault(Ring, "compiled")
    assert problem.message == (
        "play(Spot(place=0, turn=0), 1) is Spot(place=1, turn=1) in Python and Spot(place=1, "
        f"turn=2) compiled{REMEDY}"
    )
