"""Rules that are right in Python and something else compiled, which only a comparison shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from check_games import Heap, Spot, well_said
from zermelo import check

SMALL = np.array([200, 100], np.uint8)


def compiled_fault(game, kind):
    """Return the one error a check finds, which shows only when the rules are compiled."""
    report = check(game, seconds=5)
    assert [(problem.kind, problem.severity) for problem in report.problems] == [(kind, "error")], (
        str(report)
    )
    assert not report
    return well_said(report.problems[0])


REMEDY = "; compiled numbers have 64 bits and wrap around, so keep every step within them"


def test_numbers_that_wrap_around():
    """A step past 64 bits on the way to a small number is found at the first such position."""

    class Wide(Heap):
        def play(self, left, taken):
            return ((left - taken) << 61) >> 61

    problem = compiled_fault(Wide, "compiled")
    assert problem.position == 7
    assert problem.message == f"play(7, 1) is 6 in Python and -2 compiled{REMEDY}"


def test_shift_out_of_the_word():
    """A bit past the 64th decides an outcome in Python only."""

    class Shifted(Heap):
        def outcome(self, left):
            if left < 3 and (5 - left << 62) >> 62 > 3:
                return -1
            return None

    problem = compiled_fault(Shifted, "compiled")
    assert problem.message.startswith(f"outcome({problem.position}) is ")
    assert problem.message.endswith(f" compiled{REMEDY}")


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_narrow_array():
    """A narrow array at the top of the module wraps in Python, and has 64 bits compiled."""

    class Narrow(Heap):
        def play(self, left, taken):
            return left - taken + int(SMALL[0] + SMALL[1]) - 44

    problem = compiled_fault(Narrow, "compiled")
    assert problem.position == 7
    assert problem.message == f"play(7, 1) is 6 in Python and 262 compiled{REMEDY}"


def test_compiled_rules_that_raise():
    """A product that wraps around to 0 is divided by when compiled only."""

    class Dividing(Heap):
        def play(self, left, taken):
            return left - taken + 1 // ((left + 1) * (1 << 32) * (1 << 32))

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
            if (left << 62) >> 62 != left:
                most = 1
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
from check_games import Heap
from zermelo import check

class Stuck(Heap):
    def moves(self, left):
        step = left
        while 0 <= step <= 1 << 62 and left:
            step <<= 3
            if step == left:
                yield 2
        if left:
            yield 1

print(check(Stuck, seconds=1), flush=True)
"""


@pytest.mark.slow
def test_compiled_rules_that_do_not_return(tmp_path):
    """A loop that ends in Python only is left behind, and the check ends all the same."""
    # In a process of its own, because what is left behind keeps a core busy.
    program = tmp_path / "stuck.py"
    program.write_text(STUCK)
    path = str(Path(__file__).parents[2])
    command = f"import sys, runpy; sys.path.insert(0, {path!r}); runpy.run_path({str(program)!r})"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, check=True, text=True, timeout=100
    )
    assert (
        "error: the rules at 4 return in Python, but compiled they have not returned after 0.5 "
        "seconds" in done.stdout
    )


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
            return Spot(spot.place + 1, 1 - ((spot.turn << 63) >> 63))

    problem = compiled_fault(Ring, "compiled")
    assert problem.message == (
        "play(Spot(place=1, turn=1), 1) is Spot(place=2, turn=0) in Python and Spot(place=2, "
        f"turn=2) compiled{REMEDY}"
    )
