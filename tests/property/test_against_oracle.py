"""Every method against the oracle, on thousands of random games."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import zermelo
from support.games.strategies import graph_games, random_games, random_score_games, score_games
from support.oracles import oracle
from support.sizes import counts
from zermelo.games import CatAndMouse, TakeAway

BULK = 1000


def table_of(solution: Any) -> dict[Any, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


@counts(20, None, 2_000)
def test_random_games_agree_with_the_oracle(count: int) -> None:
    """Outcome and remoteness of every reachable position are those of the oracle."""
    kinds: Counter[str] = Counter()
    for game in random_games(1, count):
        solution = zermelo.solve(game, threads=1)
        expected = oracle.solve(game)
        assert table_of(solution) == expected, game
        assert solution.verify(), game
        kinds[solution.choice] += 1
    assert len(kinds) == 2  # the sweep and the queue were both used


@pytest.mark.slow
@given(game=graph_games())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_random_game_agrees_with_the_oracle(game: Any) -> None:
    """Hypothesis finds no small graph on which the solver and the oracle differ."""
    assert table_of(zermelo.solve(game, threads=1)) == oracle.solve(game)


@counts(33, None, 400)
def test_the_default_horizon_gives_the_same_table_as_retrograde_analysis(count: int) -> None:
    """The bounded-turn programme, run as far as there are positions, misses nothing."""
    for game in random_games(3, count):
        far = zermelo.solve(game, method="horizon", threads=1)
        assert table_of(far) == oracle.solve(game), game
        assert far.verify(), game


@pytest.mark.parametrize("horizon", [0, 1, 2, 5])
@counts(50, None, 200)
def test_a_horizon_gives_what_can_be_forced_within_it(horizon: int, count: int) -> None:
    """With so many plies left, a position is won or lost only if that can be forced in time."""
    for game in random_games(4, count):
        solution = zermelo.solve(game, method="horizon", horizon=horizon, threads=1)
        expected = oracle.within(game, horizon)
        assert {p: int(v.outcome) for p, v in solution.items()} == expected, game


@counts(40, None, 1_000)
def test_random_score_games_agree_with_the_oracle(count: int) -> None:
    """The margin of every reachable position is the oracle's."""
    for game in random_score_games(5, count):
        solution = zermelo.solve(game, threads=1)
        assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game), game
        assert solution.verify(), game


@pytest.mark.slow
@given(game=score_games())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_random_score_game_agrees_with_the_oracle(game: Any) -> None:
    """Hypothesis finds no small score game on which the solver and the oracle differ."""
    solution = zermelo.solve(game, threads=1)
    assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game)


@counts(40, None, 300)
def test_best_moves_and_lines_are_those_of_the_oracle(count: int) -> None:
    """The best moves are all the oracle's, and a line of play ends as the value says."""
    for game in random_games(6, count):
        solution = zermelo.solve(game, threads=1)
        table = oracle.solve(game)
        for position in table:
            assert sorted(solution.best(position)) == sorted(oracle.best(game, table, position))
        line, value = solution.line(), solution.value
        if value.remoteness is None:
            assert line.ends == "repeats"
        else:
            assert (line.ends, len(line)) == ("terminal", value.remoteness)


def test_probing_many_positions_gives_what_probing_each_does() -> None:
    """Arrays in, arrays out: the same outcomes and remotenesses as one at a time."""
    for game in random_games(7, 100):
        solution = zermelo.solve(game, threads=1)
        positions = list(solution)
        probes = solution.probe_many(positions)
        assert probes.found.all()
        values = [solution[p] for p in positions]
        assert probes.outcome.tolist() == [int(v.outcome) for v in values]
        remote = [-1 if v.remoteness is None else v.remoteness for v in values]
        assert probes.remoteness.tolist() == remote
        assert np.array_equal(solution.get_many(positions).outcome, probes.outcome)


def test_a_horizon_far_beyond_python_s_stack_is_no_recursion() -> None:
    """A game of 3,000 plies is decided ply by ply, as retrograde analysis decides it."""
    game = TakeAway(stones=3_000, limit=3)
    assert sys.getrecursionlimit() < game.stones
    far = zermelo.solve(game, method="horizon", threads=1)
    near = zermelo.solve(game, method="retrograde", threads=1)
    assert far.value.remoteness == game.stones // 2
    assert dict(far.items()) == dict(near.items())


@pytest.mark.huge
def test_cat_and_mouse_by_horizon_outlasts_python_s_stack() -> None:
    """On a path of 520 nodes a chase takes up to 1,035 plies, and each placement is right."""
    nodes = 520
    path = [[v for v in (u - 1, u + 1) if 0 <= v < nodes] for u in range(nodes)]
    solution = zermelo.solve(CatAndMouse(graph=path), method="horizon")
    counts = solution.counts().by_remoteness
    assert max(plies for _, plies in counts) == 1035 > sys.getrecursionlimit()
    assert counts == zermelo.solve(CatAndMouse(graph=path), method="pursuit").counts().by_remoteness
    assert solution.verify()
