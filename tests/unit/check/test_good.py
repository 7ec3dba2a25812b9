"""Games that keep the contract, and what a check says of them."""

from __future__ import annotations

import pytest

from support.games import strategies
from support.games.small_games import Heap, Ring, Spot, uncompiled
from zermelo import check
from zermelo.conformance import Report, walk
from zermelo.games import CatAndMouse, ConnectFour, Quixo, StoneGame, TicTacToe

GRAPH = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))


@pytest.mark.parametrize(
    ("game", "positions"),
    [
        (TicTacToe(), 5478),
        (CatAndMouse(graph=GRAPH), 60),
        (StoneGame(piles=[3, 9, 1, 2]), 14),
    ],
    ids=["outcomes", "turns-and-starts", "scores"],
)
def test_good_game(game, positions):
    """A good game has no problem: one with outcomes, one with turns and starts, one with scores."""
    report = check(game, time=100)  # on a busy machine, ten seconds may not be enough
    assert report.problems == ()
    assert report
    assert report.ok
    assert report.compiled
    assert report.complete
    assert report.positions == positions


def test_class_without_parameters():
    """A class is made where it needs no parameters."""
    assert check(TicTacToe, max_positions=100)


@pytest.mark.slow
def test_large_game():
    """Of a large game as many positions are looked at as are asked for, to the ends of games."""
    report = check(ConnectFour(7, 6), max_positions=100, time=1.5)
    assert report.problems == ()
    assert report.positions == 100
    assert not report.complete
    assert report.images > 0
    assert not report.every_image
    assert str(report) == (
        "ConnectFour keeps the contract: 100 positions checked, in Python and compiled, and "
        f"{report.images:,} images by symmetries"
    )


@pytest.mark.slow
def test_all_images_of_a_game_that_can_be_solved():
    """The report says that they are all: by sixteen symmetries but one, of 2,219 classes."""
    report = check(Quixo(3), max_positions=100)
    assert report.ok
    assert report.every_image
    assert report.images == 15 * 2_219
    assert str(report).endswith(f", and all {report.images:,} images by symmetries")


def test_time_is_up(monkeypatch):
    """When time is up, what has been looked at is enough, and no claim is made of the rest."""
    uncompiled(monkeypatch)
    monkeypatch.setattr(walk.WalkLimits, "is_past", lambda *_: True)
    report = check(TicTacToe())
    assert report.problems == ()
    assert 0 < report.positions < 5478
    assert not report.complete


def test_random_games(monkeypatch):
    """Self-loops, repeated moves, extra turns and several starts are no errors."""
    uncompiled(monkeypatch)
    for game in (*strategies.random_games(7, 60), *strategies.random_score_games(8, 20)):
        kinds = {problem.kind for problem in check(game).errors}
        # A drawn graph may be over at every start, or give all its vertices to one player.
        assert kinds <= {"over", "alternation"}


def test_symmetry_and_space(monkeypatch):
    """A right canonical, level and space pass."""

    class Rich(Ring):
        def canonical(self, spot):
            return Spot(spot.place, 0)

        def winner(self, spot):
            return 1 - spot.turn if spot.place == 5 else None

        def level(self, spot):
            return 0

        def space(self):
            return Spot(range(6), range(2))

    uncompiled(monkeypatch)
    assert check(Rich).problems == ()


def test_same_seed_same_report():
    """What is drawn at random is drawn from the seed."""

    class Deep(Heap):
        def start(self):
            return 1

        def moves(self, node):
            yield from range(10 if node < 10**9 else 0)

        def play(self, node, digit):
            return 10 * node + digit

        def level(self, node):
            return -1 if node > 10**9 else 0

    first, second, other = (check(Deep, max_positions=500, seed=seed).errors for seed in (3, 3, 4))
    assert first == second
    assert first[0].position != other[0].position


def test_report_of_a_broken_game():
    """A report is false, and tells its problems one a line, errors first."""

    class Falling(Heap):
        show = None

        def level(self, left):
            return left

    report = check(Falling)
    assert isinstance(report, Report)
    assert not report.ok
    assert [len(report.errors), len(report.hints)] == [1, 1]
    assert str(report) == (
        "Falling breaks the contract: all 8 positions checked, in Python\n"
        "  error: play(7, 1) gives 6, which lowers level() from 7 to 6; return a number that no "
        "move lowers, or drop level()\n"
        "  hint: there is no show(); write one that returns a position as text people can read"
    )
