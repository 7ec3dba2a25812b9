"""Giving up on calls that do not return."""

from __future__ import annotations

import sys
import threading
from time import monotonic, thread_time

import pytest

from support.compiled_rules import compile_rules
from support.games.small_games import Heap
from zermelo import check
from zermelo.conformance.checks.compiled import _Comparison
from zermelo.conformance.hook_calls import VisitedPosition
from zermelo.conformance.timeouts import OverdueError, TimedCalls

pytestmark = pytest.mark.timing


def for_ever():
    """Do not return."""
    while True:
        pass


def wait(seconds):
    """Return after a while in which next to nothing was computed, as where others compute."""
    end, pause = monotonic() + seconds, threading.Event()
    while monotonic() < end:
        pause.wait(0.05)  # no longer, as what interrupts it comes between two waits
    return seconds


def test_call_that_returns():
    """A call that returns is let alone, and so is one that raises."""
    with TimedCalls(5.0) as watch:
        assert watch.call(divmod, 7, 2) == (3, 1)
        with pytest.raises(ZeroDivisionError):
            watch.call(divmod, 7, 0)


def test_call_that_does_not_return():
    """A call is given up after its time, again and again."""
    with TimedCalls(0.1) as watch:
        for _ in range(3):
            with pytest.raises(OverdueError):
                watch.call(for_ever)


def test_call_that_catches_everything():
    """A call that swallows the first exception is sent another."""
    caught = []

    def stubborn():
        while True:
            try:
                for_ever()
            except BaseException as error:
                caught.append(error)
                if len(caught) > 1:
                    raise

    with TimedCalls(0.1) as watch, pytest.raises(OverdueError):
        watch.call(stubborn)
    assert len(caught) == 2


def test_time_that_a_call_only_waits_is_not_held_against_it():
    """What counts is what its thread computes, so that a busy machine refuses nothing."""
    with TimedCalls(0.25) as watch:
        assert watch.call(wait, 0.75) == 0.75


@pytest.mark.slow
def test_time_of_other_calls_is_not_held_against_a_call():
    """However many there were before it: each has its own."""

    def compute(until):
        while thread_time() < until:
            pass

    with TimedCalls(0.25) as watch:
        for _ in range(15):
            watch.call(compute, thread_time() + 0.03)


def test_call_that_waits_for_ever():
    """It is given up as well, if only after longer, and the error says after how long."""
    with TimedCalls(1.0, longest=0.2) as watch:
        with pytest.raises(OverdueError, match=r"after 0\.2 seconds") as caught:
            watch.call(wait, 3600)
        assert caught.value.seconds == 0.2
    with TimedCalls(0.1) as watch, pytest.raises(OverdueError, match=r"after 0\.1 seconds"):
        watch.call(for_ever)


@pytest.mark.parametrize(("longest", "stuck"), [(60.0, None), (0.2, (1, 0.2))])
def test_a_comparison_that_waits_is_let_alone_for_a_while(longest, stuck):
    """Compiled rules are not refused for what else the machine has to do, unless for too long.

    No rule that compiles can wait, so a comparison is made to.
    """
    game = Heap()
    places = [
        VisitedPosition(
            n, 0, None, list(game.moves(n)), [game.play(n, m) for m in game.moves(n)], [], 0
        )
        for n in (3, 4, 5)
    ]
    comparison = _Comparison(compile_rules(game), places)
    comparison.expand(0, 0)  # not to count compiling
    at_once = comparison.expand

    def expand(begin, end):
        wait(0.75 if begin == 1 else 0)
        return at_once(begin, end)

    comparison.expand = expand
    assert comparison.run(0.25, longest) == stuck
    if stuck is None:
        assert comparison.difference is None
        assert comparison.index == len(places)


def test_nothing_arrives_late():
    """Calls that end just when their time does leave no exception behind, nor harm a tracer."""

    def until(end):
        while monotonic() < end:
            pass

    with TimedCalls(0.01) as watch:
        for extra in range(20):
            try:
                watch.call(until, monotonic() + 0.01 + extra / 1000)
            except OverdueError:
                continue
    before = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        exec("for _ in range(1000): pass", {})  # noqa: S102
    finally:
        sys.setprofile(before)


@pytest.mark.slow
def test_check_in_another_thread():
    """A check works in a thread other than the main one."""

    class Stuck(Heap):
        def play(self, left, taken):
            while True:
                pass

    reports = []
    thread = threading.Thread(target=lambda: reports.append(check(Stuck, time=1)))
    thread.start()
    thread.join(600)
    assert [problem.kind for problem in reports[0].problems] == ["endless"]
