"""Evaluations of agents on games with chance, compared with all lines of play followed singly."""

from __future__ import annotations

import random

import pytest

import zermelo
from support.games.chance_games import (
    ALL_CHANCE_GAMES,
    ChanceGame,
    OwnedChanceGame,
    OwnedScoreChanceGame,
    random_chance_game,
    random_chance_games,
)
from support.oracles.chance_agents import ChanceMeasure
from support.sizes import counts
from zermelo.agents import agent_games

#: Plies after which games are broken off here, so that those without end take no time.
LONGEST = 30


@pytest.fixture(autouse=True)
def early_end(monkeypatch):
    """Break games off early, which no argument can ask for."""
    monkeypatch.setattr(agent_games, "LONGEST", LONGEST)


class DrawnAgent:
    """An agent whose move in each position is drawn, often a best one."""

    def __init__(self, measure, seed):
        self.measure, self.seed, self.states = measure, seed, measure.positions()

    def __call__(self, position):
        chance = random.Random(f"{self.seed}/{position!r}")
        state = self.states[position]
        steps = self.measure.graph.steps[state]
        return chance.choice(self.measure.best(state) if chance.random() < 0.5 else steps).move


def compare(game, seed):
    """Compare an evaluation of an agent with the lines of play."""
    measure = ChanceMeasure(game)
    agent = DrawnAgent(measure, seed)
    found = zermelo.evaluate(agent, zermelo.solve(game))
    scale = max(map(abs, (1, *measure.graph.ends.values())))
    regrets = [
        measure.regret(state, next(s for s in measure.graph.steps[state] if s.move == agent(p)))
        for p, state in measure.positions().items()
    ]
    rates = found.everywhere.rates
    assert rates.moves == len(regrets)
    if regrets:
        assert rates.regret.value == pytest.approx(sum(regrets) / len(regrets), abs=1e-8 * scale)
        assert rates.perfect.value == pytest.approx(regrets.count(0) / len(regrets))
    assert rates.losing is rates.throwing is rates.plies is None
    for number, each in enumerate(found.games):
        result = each.result
        assert each.exact
        expected = measure.games(
            agent, perfect=result.opponent == "perfect", player=number % 2, longest=LONGEST
        )
        for name in ("win", "draw", "loss", "unfinished", "spoiled"):
            assert getattr(result, name).value == pytest.approx(expected[name], abs=1e-9), name
        assert each.rates.moves == pytest.approx(expected["moves"], abs=1e-9)
        if expected["moves"] > 1e-9:
            mean = expected["regret"] / expected["moves"]
            assert each.rates.regret.value == pytest.approx(mean, abs=1e-8 * scale)
        finished = expected["win"] + expected["draw"] + expected["loss"]
        if finished > 1e-9:
            assert result.length == pytest.approx(expected["length"] / finished)
            if measure.is_scored:
                mean = expected["margin"] / finished
                assert result.margin.value == pytest.approx(mean, abs=1e-8 * scale)
            else:
                assert result.margin is None


@counts(12, None, 600)
def test_an_agents_regret_and_the_ends_of_its_games_are_exact(count):
    """Regret, and how games end, agree with all lines of play, with and without ``turn``."""
    for seed, game in enumerate(random_chance_games(700, count, kinds=ALL_CHANCE_GAMES)):
        compare(game, seed)


@pytest.mark.parametrize(
    ("kind", "seed"), [(ChanceGame, 0), (OwnedChanceGame, 1294), (OwnedScoreChanceGame, 1294)]
)
def test_sampled_games_roll_dice_as_often_as_the_weights_say(kind, seed):
    """Sampled games end about as often in each way as the exact calculation says."""
    game = random_chance_game(seed, kind=kind)
    solution = zermelo.solve(game)
    exact = zermelo.evaluate(zermelo.agents.SkilledAgent(solution, 0), solution)
    arguments = {"exact_up_to": 0, "samples": 4000, "seed": 3}
    sampled, again = (
        zermelo.evaluate(zermelo.agents.SkilledAgent(solution, 0), solution, **arguments)
        for _ in range(2)
    )
    for each, drawn in zip(exact.games, sampled.games, strict=True):
        assert not drawn.exact
        for name in ("win", "draw", "loss"):
            share = getattr(each.result, name).value
            assert getattr(drawn.result, name).value == pytest.approx(share, abs=0.04)
    assert [each.result for each in sampled.games] == [each.result for each in again.games]


def test_the_text_of_an_evaluation_says_what_moves_cost_and_not_what_they_throw_away():
    """The table has regret as a share of a win, and no columns of wins thrown away."""
    game = random_chance_game(1294, kind=OwnedChanceGame)
    solution = zermelo.solve(game)
    text = str(zermelo.evaluate(zermelo.agents.SkilledAgent(solution, 0), solution))
    assert "of a win a move on average" in text
    assert "throws" not in text
