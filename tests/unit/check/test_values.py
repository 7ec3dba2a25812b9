"""The values by which ``check`` judges ``canonical``."""

from __future__ import annotations

import pytest

from support.games import strategies
from support.oracles import oracle
from zermelo.conformance.brute_force import Solver
from zermelo.conformance.hook_calls import CheckedHooks
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import TimedCalls
from zermelo.conformance.walk import WalkLimits
from zermelo.rules.hooks import Rules


@pytest.fixture
def solver_of():
    """Return a function that makes a solver for a game."""
    with TimedCalls(60.0) as watch:

        def make(game):
            rules = Rules(game)
            asked = CheckedHooks(rules, Shape(rules.layout, None), watch)
            return Solver(asked, {}, WalkLimits(10_000, 60.0))

        yield make


def test_values_agree_with_the_oracle(solver_of):
    """Outcomes and remotenesses are those of the oracle, endless draws and ties told apart."""
    for game in strategies.random_games(1, 200, vertices=15):
        solver = solver_of(game)
        assert solver.solve(game.starts())
        values = {p: solver.kind.decode(code) for p, code in solver.values.items()}
        found = {p: (value.outcome, value.remoteness) for p, value in values.items()}
        assert found == oracle.solve(game)


def test_scores_agree_with_the_oracle(solver_of):
    """Scores are those of the oracle."""
    for game in strategies.random_score_games(2, 100, vertices=15):
        solver = solver_of(game)
        assert solver.solve(game.starts())
        assert solver.values == oracle.solve_scores(game)


def test_looking_ahead_agrees_with_solving(solver_of):
    """Two positions whose values are the same are never told apart by looking ahead."""
    for game in strategies.random_games(3, 60, vertices=12):
        table = oracle.solve(game)
        solver = solver_of(game)
        for one in table:
            for other in table:
                for plies in range(4):
                    found = solver.difference(one, other, plies)
                    assert found is None or table[one] != table[other]
