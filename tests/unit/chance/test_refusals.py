"""What games with chance are not for: each refusal names ``chance``."""

from __future__ import annotations

import pytest

import zermelo
from support.games.chance_games import DiceNim, ScoreChanceGame
from zermelo import ParameterError, RulesError
from zermelo.games import TakeAway

GAME = DiceNim(3)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: zermelo.prove(GAME), r"prove\(\) does not .* DiceNim, which has chance\(\)"),
        (lambda: zermelo.sum(GAME, TakeAway(3)), r"has chance\(\), and"),
        (lambda: zermelo.sum(GAME, GAME), r"has chance\(\), and"),
        (lambda: zermelo.genus(GAME), r"not of DiceNim, which has chance\(\)"),
        (lambda: zermelo.solve(GAME, value="nimber"), r"does not suit DiceNim, which has chance"),
        (lambda: zermelo.solve(GAME, value="outcome"), r"does not suit DiceNim, which has chance"),
        (
            lambda: zermelo.solve(GAME, value="score-and-plies"),
            r"does not suit DiceNim, which has chance",
        ),
        (lambda: zermelo.solve(GAME, misere=True), r"DiceNim, which has chance\(\)"),
    ],
    ids=["prove", "sum", "sum of two", "genus", "nimber", "outcome", "plies", "misere"],
)
def test_other_questions_are_refused(ask, message):
    """What has no meaning with chance, or is not known, is refused with a sentence."""
    with pytest.raises(ParameterError, match=message):
        ask()


@pytest.mark.parametrize("method", [m for m in zermelo.METHODS if m not in ("plain", "chance")])
def test_other_methods_are_refused(method):
    """Other methods do not suit a game with chance, and the error names the one that does."""
    value = "nimber" if method == "nimber" else None
    with pytest.raises(ParameterError, match=r"does not suit DiceNim"):
        zermelo.solve(GAME, method=method, value=value)


def test_the_method_of_chance_is_refused_without_chance():
    """A game without chance() is not solved between bounds."""
    message = r"method='chance' does not suit TakeAway, which has no chance\(\)"
    with pytest.raises(ParameterError, match=message):
        zermelo.solve(TakeAway(3), method="chance")


def test_a_cluster_is_refused(tmp_path):
    """A game with chance is not solved on a cluster, which the error says."""
    with pytest.raises(ParameterError, match=r"method='chance', which .*, does not run on a clust"):
        zermelo.solve(GAME, cluster="local[2]", table=tmp_path / "shared.table")


@pytest.mark.parametrize("method", ["plain", "chance"])
def test_points_in_a_cycle_are_refused(method):
    """Points that can be made again and again are refused, with the position."""
    game = ScoreChanceGame(
        rows=((1,), (), ()),
        faces=((), (0, 2), ()),
        weights=((), (1, 1), ()),
        gains=((3,), (), ()),
        margins=(0, 0, 0),
        roots=(0,),
    )
    with pytest.raises(RulesError, match="a move from 0 makes points and can be part of a cycle"):
        zermelo.solve(game, method=method)
