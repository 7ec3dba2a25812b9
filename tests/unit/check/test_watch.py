"""Giving up on calls that do not return."""

from __future__ import annotations

import sys
import threading
from time import monotonic

import pytest

from check_games import Heap
from zermelo import check
from zermelo.conformance.watch import OverdueError, TimedCalls


def for_ever():
    """Do not return."""
    while True:
        pass


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
            begun = monotonic()
            with pytest.raises(OverdueError):
                watch.call(for_ever)
            assert monotonic() - begun < 60


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


def test_nothing_arrives_late():
    """Calls that end just when their time does leave no exception behind, nor harm a tracer."""

    def until(end):
        while monotonic() < end:
            pass

    with TimedCalls(0.01) as watch:
        for extra in range(20):
            try:
                watch.call(until, monotonic() + 0.01 + extra / 200)
            except OverdueError:
                continue
    before = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        exec("for _ in range(1000): pass", {})  # noqa: S102
    finally:
        sys.setprofile(before)


def test_check_in_another_thread():
    """A check works in a thread other than the main one."""

    class Stuck(Heap):
        def play(self, left, taken):
            while True:
                pass

    reports = []
    thread = threading.Thread(target=lambda: reports.append(check(Stuck, seconds=1)))
    thread.start()
    thread.join(20)
    assert [problem.kind for problem in reports[0].problems] == ["endless"]
