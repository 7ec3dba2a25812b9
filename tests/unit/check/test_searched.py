"""``promise``, ``bounds`` and ``enough``: liars are refused, with the position."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from support.games.small_games import uncompiled
from zermelo import DRAW, LOSS, WIN, Game, check
from zermelo.games import ConnectFour


@dataclass(frozen=True)
class Hinted(Game):
    """Whoever takes the last of some stones wins; hints are as the parameters say."""

    lie: int = 0
    odd: bool = False

    def start(self):
        return 12

    def moves(self, left):
        for take in range(1, min(left, 3) + 1):
            yield take

    def play(self, left, take):
        return left - take

    def show(self, left):
        return str(left)

    def promise(self, left, take):
        return "most" if self.odd else take

    def bounds(self, left):
        if self.lie == 1 and left == 8:
            return DRAW, WIN
        if self.lie == 2:
            return WIN, LOSS
        if self.lie == 3:
            return 7
        return (WIN, WIN) if left % 4 else (LOSS, DRAW)

    def enough(self, left):
        if self.lie == 4 and left == 7:
            yield 1
            yield 2
        elif self.lie == 5 and left == 6:
            yield 7
        elif left % 4:
            yield left % 4


@dataclass(frozen=True)
class Circling(Game):
    """A token walks round a ring, and whoever brings it to place 0 wins."""

    lie: bool = False
    sends: int = 0

    def start(self):
        return 3

    def outcome(self, place):
        if place == 0:
            return LOSS

    def moves(self, place):
        yield 1
        yield 5

    def play(self, place, step):
        return (place + step) % 6

    def show(self, place):
        return str(place)

    def bounds(self, place):
        if self.lie and place == 2:
            return WIN, WIN
        return (WIN, WIN) if place in (1, 5) else (LOSS, WIN)

    def enough(self, place):
        yield 1 if place in (2, 5) and place != self.sends else 5


pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def plain(monkeypatch):
    """Compile nothing."""
    uncompiled(monkeypatch)


def said(game):
    """Return the messages of errors."""
    return [problem.message for problem in check(game).errors]


def test_honest_hints_pass():
    """Of games that end, of games with cycles, and of the zoo."""
    assert said(Hinted()) == []
    assert said(Circling()) == []


@pytest.mark.slow
def test_connect_four_does_not_lie():
    """Its bounds hold the values of small boards and of endings of large ones."""
    for width, height in ((4, 4), (7, 6)):
        assert check(ConnectFour(width=width, height=height), time=3).ok


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Hinted(lie=1), "bounds(8) returned DRAW, WIN, and the position is worth LOSS"),
        (Hinted(lie=2), "return two of LOSS, DRAW and WIN"),
        (Hinted(lie=3), "returned 7; return two of LOSS, DRAW and WIN"),
        (Hinted(lie=4), "enough(7) leaves out 3, and none of the moves that it yields is as good"),
        (Hinted(lie=5), "enough(6) yields 7, which is not one of moves(6)"),
        (Circling(sends=5), "enough(5) leaves out 1, and none of the moves that it yields is as"),
        (Hinted(odd=True), "returned 'most'; return a whole number"),
        (Circling(lie=True), "bounds(2) returned WIN, WIN, and the position is worth DRAW"),
    ],
)
def test_liars_are_refused(game, sentence):
    """The message has the position, what was said, and what is right."""
    assert any(sentence in each for each in said(game)), said(game)
