"""Evaluations of random games: every number is what counting in plain Python gives."""

from __future__ import annotations

import random

import pytest

import zermelo
from support.games.strategies import random_games, random_score_games
from support.oracles import agent_measure, oracle
from support.sizes import counts
from zermelo.agents import agent_games

#: Plies after which games are broken off here, so that those without end take no time.
LONGEST = 40


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Break games off early, which nobody can ask for."""
    monkeypatch.setattr(agent_games, "LONGEST", LONGEST)


class Fickle:
    """An agent that chooses by a number drawn for each position, often a best move."""

    def __init__(self, brute, seed):
        self.brute, self.seed = brute, seed

    def __call__(self, position):
        chance = random.Random(f"{self.seed}/{position!r}")
        edges = self.brute.graph.edges[position]
        return chance.choice(self.brute.best(position) if chance.random() < 0.5 else edges).move


def agrees(found, expected, what):
    """Every share is as it was counted."""
    for name, number in expected.items():
        mine = getattr(found, name)
        mine = mine if name == "moves" or mine is None else mine.value
        if number is None or mine is None:
            assert number is mine, (what, name)
        else:
            assert mine == pytest.approx(number, abs=1e-9, rel=1e-9), (what, name)


def measured_alike(game, seed, *, scored=False):
    """Compare everything that is measured of one agent."""
    brute = agent_measure.Brute(game, scored=scored)
    agent = Fickle(brute, seed)
    found = zermelo.evaluate(agent, zermelo.solve(game))
    expected, by_ply = agent_measure.everywhere(brute, agent)
    agrees(found.everywhere.rates, expected, game)
    assert {row.ply for row in found.everywhere.plies if row.rates.moves} == set(by_ply)
    for row in found.everywhere.plies:
        if row.rates.moves:
            agrees(row.rates, by_ply[row.ply], (game, row.ply))
    wrong = expected["perfect"] is not None and expected["perfect"] < 1
    assert bool(found.everywhere.worst) == wrong
    for each in found.games:
        result = each.result
        player = 0 if each is found.games[0] or each is found.games[2] else 1
        shares, ends = agent_measure.against(
            brute, agent, perfect=result.opponent == "perfect", player=player, longest=LONGEST
        )
        agrees(each.rates, shares, (game, each.name))
        for name, key in (("win", 1), ("draw", 0), ("loss", -1), ("spoiled", "spoiled"),
                          ("unfinished", "unfinished")):  # fmt: skip
            number = getattr(result, name).value
            assert number == pytest.approx(ends[key], abs=1e-9), (game, each.name, name)
        over = ends[1] + ends[0] + ends[-1]
        if over > 1e-12:
            assert result.length == pytest.approx(ends["length"] / over)
        if scored:
            assert result.margin.value == pytest.approx(ends["margin"] / over)


@counts(8, 65, 1_000)
def test_outcomes_with_cycles_extra_turns_and_several_starts(count):
    """Random games have self-loops, double edges, dead ends and extra turns."""
    for seed, game in enumerate(random_games(18, count, vertices=16)):
        measured_alike(game, seed)


@counts(8, 80, 400)
def test_scores(count):
    """Random score games: regret is in points, and who wins is the sign of all points together."""
    for seed, game in enumerate(random_score_games(18, count, vertices=12)):
        measured_alike(game, seed, scored=True)


def test_the_oracle_calls_the_same_moves_best():
    """A perfect agent is found to be perfect by both."""
    for game in random_games(7, 6, vertices=12):
        brute = agent_measure.Brute(game)
        table = oracle.solve(game)

        def agent(position, game=game, table=table):
            return oracle.best(game, table, position)[0]

        found = zermelo.evaluate(agent, zermelo.solve(game))
        assert found.is_perfect
        assert not found.throws_wins
        assert agent_measure.everywhere(brute, agent)[0]["perfect"] in (1, None)
