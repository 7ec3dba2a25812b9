"""Lies in games of hundreds of thousands of positions, some about one position alone: who notices?

``python -m pytest -m huge -s`` with this file tells how many of each kind.
"""

from __future__ import annotations

import dataclasses

import pytest

import zermelo
from support.faults.large_false_declarations import (
    found_of,
    gives_wrong_values,
    is_refused,
    large_lies,
    large_truths,
)
from support.faults.zoo_false_declarations import (
    GAMES,
    TWISTS,
    LyingBreakthrough,
    MirroredBreakthrough,
    zoo_lies,
)

#: A check ends after some seconds, wherever it is.
pytestmark = pytest.mark.timing


@pytest.mark.parametrize(
    "about",
    [pytest.param("legal", marks=pytest.mark.huge), pytest.param("points", marks=pytest.mark.slow)],
)
def test_check_finds_a_lie_about_one_position_of_two_hundred_thousand(
    about: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says where, and what to do; no sample would meet it."""
    lies = (lie for lie in large_lies(1, 3) if (lie.about, lie.rare) == (about, "one alone"))
    game = next(lie.game for lie in lies if gives_wrong_values(lie.game, monkeypatch))
    report = zermelo.check(game, max_positions=1_000, time=60)
    kind = "symmetries" if about == "legal" else "canonical"
    assert [problem.kind for problem in report.errors] == [kind]
    said = report.errors[0].message
    assert ("Chase(" if about == "legal" else "Walk(") in said
    assert said.endswith(("; let it accept both or neither", "changes nothing", "not matter"))
    assert "zermelo check" not in said
    truth = next(each for each in large_truths(1, 1) if type(each) is type(game))
    assert zermelo.check(truth, max_positions=1_000, time=60)


@pytest.mark.huge
def test_check_finds_a_lie_about_one_position_of_three_million(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All images are looked at, and neither ``solve`` nor a sample would meet this one."""
    lies = zoo_lies(1, [LyingBreakthrough])
    lie = next(lie for lie in lies if lie.rare == "one alone")
    assert gives_wrong_values(lie.game, monkeypatch, verified=False)
    report = zermelo.check(lie.game, max_positions=1_000, time=60)
    assert [problem.kind for problem in report.errors] == ["symmetries"]
    assert zermelo.check(LyingBreakthrough(), max_positions=1_000, time=60)


@pytest.mark.huge
def test_solve_refuses_a_canonical_that_lies_about_one_position_of_a_hundred() -> None:
    """Those are looked at that have other moves than what it replaces them by."""
    lie = next(zoo_lies(2, [MirroredBreakthrough]))
    assert lie.rare == "1 of 100"
    assert is_refused(lie.game)
    assert zermelo.solve(MirroredBreakthrough(), threads=1).verify()


@pytest.mark.slow
def test_check_finds_a_lie_where_a_solve_would_take_too_long() -> None:
    """Thousands of games at random come to what a few dozen in Python do not come to."""
    game = LyingBreakthrough(rows=5)
    middle = {"masks": (0x33F0, 0x33F0, 1), "values": (0x2100, 0x0230, 0)}
    lie = dataclasses.replace(game, how=tuple(int(each == "won") for each in TWISTS), **middle)
    report = zermelo.check(lie, max_positions=40, time=10)
    assert [problem.kind for problem in report.errors] == ["symmetries"]
    assert zermelo.check(game, max_positions=40, time=10)


@pytest.mark.huge
def test_nine_lies_in_ten_about_large_games_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what gives a wrong value or count ``verify`` notices all, and ``check`` nine in ten."""
    wrong = [lie for lie in large_lies(1, 3) if gives_wrong_values(lie.game, monkeypatch)]
    assert len(wrong) > 45
    assert found_of(wrong) >= 0.9 * len(wrong)


@pytest.mark.huge
def test_nine_lies_in_ten_about_games_of_millions_of_positions_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By ``check``, in its usual time; ``verify`` looks at a million images alone."""
    lies = zoo_lies(1)
    wrong = [lie for lie in lies if gives_wrong_values(lie.game, monkeypatch, verified=False)]
    assert len(wrong) > 60
    assert found_of(wrong) >= 0.9 * len(wrong)
    for kind in GAMES:
        assert zermelo.check(kind()).errors == ()


@pytest.mark.huge
def test_large_games_that_tell_the_truth_are_believed() -> None:
    """Nothing is said of them."""
    for game in large_truths(3, 4):
        assert zermelo.check(game).errors == ()
        assert zermelo.solve(game, threads=1).verify()
