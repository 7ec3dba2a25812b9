"""Lies in games of hundreds of thousands of positions, some about one position alone: who notices?

``python -m pytest -m huge -s`` with this file tells how many of each kind.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import zermelo
from large_lies import Lie, large_lies, large_truths
from zermelo import RulesError
from zermelo.conformance import sampled


def is_wrong(folded: Any, plain: Any) -> bool:
    """Whether a solution has another value for a position, lacks one, or counts otherwise."""
    if folded.rules.has("symmetries") and folded.counts() != plain.counts():
        return True
    right = plain.arrays
    found = folded.get_many(right.positions)
    if right.score is not None:
        return not found.found.all() or bool((found.score != right.score).any())
    unlike = (found.outcome != right.outcome) | (found.remoteness != right.remoteness)
    return not found.found.all() or bool(unlike.any())


def gives_wrong_values(game: Any, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a game is solved wrong if nobody looks; then ``verify`` must notice it."""
    with monkeypatch.context() as patched:  # there is no other way to a wrong table
        patched.setattr(sampled, "check_sample", lambda *_, **__: None)
        folded = zermelo.solve(game, threads=1)
        plain = zermelo.solve(game, threads=1, symmetry=False)
    assert len(plain) > 100_000
    wrong = is_wrong(folded, plain)
    assert bool(folded.verify()) != wrong
    return wrong


def is_refused(game: Any) -> bool:
    """Whether ``solve`` notices what a game lies about."""
    try:
        zermelo.solve(game, threads=1)
    except RulesError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("about", ["legal", "points"])
def test_check_finds_a_lie_about_one_position_of_two_hundred_thousand(
    about: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says where, and what to do; no sample would meet it."""
    lies = (lie for lie in large_lies(1, 3) if (lie.about, lie.rare) == (about, "one alone"))
    game = next(lie.game for lie in lies if gives_wrong_values(lie.game, monkeypatch))
    report = zermelo.check(game, positions=1_000, seconds=60)
    kind = "symmetries" if about == "legal" else "canonical"
    assert [problem.kind for problem in report.errors] == [kind]
    said = report.errors[0].message
    assert ("Chase(" if about == "legal" else "Walk(") in said
    assert said.endswith(("; let it accept both or neither", "changes nothing", "not matter"))
    assert "zermelo check" not in said
    truth = next(each for each in large_truths(1, 1) if type(each) is type(game))
    assert zermelo.check(truth, positions=1_000, seconds=60)


@pytest.mark.huge
def test_nine_lies_in_ten_about_large_games_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what gives a wrong value or count ``verify`` notices all, and ``check`` nine in ten."""
    seen: Counter[tuple[str, str, str]] = Counter()

    def told(lie: Lie, what: str) -> None:
        seen[lie.about, lie.rare, what] += 1
        seen["all", "", what] += 1

    for lie in large_lies(1, 3):
        if gives_wrong_values(lie.game, monkeypatch):
            told(lie, "wrong")
            if not zermelo.check(lie.game):
                told(lie, "checked")
            if is_refused(lie.game):
                told(lie, "refused")
    for about, rare in sorted({key[:2] for key in seen}):
        counted = [f"{seen[about, rare, what]} {what}" for what in ("wrong", "checked", "refused")]
        print(f"{about} {rare}: {', '.join(counted)}")  # noqa: T201  # the figures of the docs
    assert seen["all", "", "wrong"] > 45
    assert seen["all", "", "checked"] >= 0.9 * seen["all", "", "wrong"]


@pytest.mark.huge
def test_large_games_that_tell_the_truth_are_believed() -> None:
    """Nothing is said of them."""
    for game in large_truths(3, 4):
        assert zermelo.check(game).errors == ()
        assert zermelo.solve(game, threads=1).verify()
