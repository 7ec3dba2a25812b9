"""Two good little games for tests of ``check`` to break, and how a broken one is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from zermelo import Game, check
from zermelo.conformance import Problem


class Heap(Game):
    """One or two are taken from a heap of seven; whoever takes the last one wins."""

    def start(self) -> Any:
        return 7

    def moves(self, left: Any) -> Any:
        for taken in range(1, min(2, left) + 1):
            yield taken

    def play(self, left: Any, taken: Any) -> Any:
        return left - taken

    def show(self, left: Any) -> Any:
        return f"{left} left"


class Spot(NamedTuple):
    """A place on a ring of six, and who moves."""

    place: int
    turn: int


class Ring(Game):
    """Two players take one or two steps on along a ring of six; whoever comes to 5 wins."""

    players = ("red", "blue")

    def start(self) -> Any:
        return Spot(0, 0)

    def turn(self, spot: Any) -> Any:
        return spot.turn

    def winner(self, spot: Any) -> Any:
        if spot.place == 5:
            return 1 - spot.turn
        return None

    def moves(self, spot: Any) -> Iterator[int]:
        yield 1
        yield 2

    def play(self, spot: Any, steps: Any) -> Any:
        return Spot((spot.place + steps) % 6, 1 - spot.turn)

    def show(self, spot: Any) -> str:
        return f"at {spot.place}, {self.players[spot.turn]} to move"


def fault(game: Any, kind: str, *, seconds: float = 10.0) -> Problem:
    """Return the one error a check finds, which has to be of this kind and read as errors should.

    Nothing is compiled for it: an error that shows in Python comes before that.
    """
    report = check(game, time=seconds)
    assert not report, str(report)
    assert not report.compiled
    assert [(problem.kind, problem.severity) for problem in report.problems] == [(kind, "error")], (
        str(report)
    )
    return well_said(report.problems[0])


def hint(game: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Return the one hint a check gives, without compiling anything."""
    uncompiled(monkeypatch)
    report = check(game, time=60.0)  # so that a busy machine checks as many positions
    assert report
    assert [(problem.kind, problem.severity) for problem in report.problems] == [(kind, "hint")], (
        str(report)
    )
    return well_said(report.problems[0])


def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make checks stop before they compile, in tests that do not test compiling."""
    # By its module: the attribute of the package is the function.
    run = import_module("zermelo.conformance.run")
    monkeypatch.setattr(run, "check_compiled", lambda *_, **__: False)


def well_said(problem: Problem) -> Problem:
    """Return a problem whose message is one sentence that ends with what to do."""
    message = problem.message
    assert not message[0].isupper() or message.startswith(repr(problem.position))
    assert "; " in message or ", so " in message
    assert not message.endswith(".")
    assert "\n" not in message
    return problem
