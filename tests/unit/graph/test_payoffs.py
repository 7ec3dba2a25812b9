"""Energy and mean-payoff games: values, strategies, and certificates that refuse wrong ones.

Candidates nearly always suffice, so a test of fractions takes the candidates away.
"""

from __future__ import annotations

import random
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from support.oracles import oracle
from support.sizes import counts
from zermelo import BudgetError, ParameterError, PositionError
from zermelo._engine.infinite import mean_payoff
from zermelo.graph import solve_energy, solve_mean_payoff


def arrays(game):
    """Return a game by vertex (owner, moves with weights) as the arguments of a solve."""
    rows = [[target for target, _ in game[v][1]] for v in range(len(game))]
    weights = [weight for v in range(len(game)) for _, weight in game[v][1]]
    return rows, np.array(weights, np.int64), [game[v][0] for v in range(len(game))]


def random_game(rng, size, *, ends=False):
    """Return a random game of up to ``size`` vertices, with loops and repeated edges."""
    count, greatest = rng.randint(1, size), rng.choice([1, 3, 10])
    fewest = 0 if ends and rng.random() < 0.3 else 1
    return {
        v: (
            rng.randint(0, 1),
            [
                (rng.randrange(count), rng.randint(-greatest, greatest))
                for _ in range(rng.randint(fewest, 3))
            ],
        )
        for v in range(count)
    }


def with_moves(game, moves, player):
    """Return a game in which a player has only the given moves."""
    return {
        v: (owner, [moves[v]] if owner == player and v in moves else each)
        for v, (owner, each) in game.items()
    }


def chosen(game, solution):
    """Return the move, with its weight, of each vertex that has a best edge."""
    flat = [move for v in range(len(game)) for move in game[v][1]]
    return {v: flat[edge] for v, edge in enumerate(solution.best_edge.tolist()) if edge >= 0}


@counts(50, 1_000, 3_000)
def test_energy_games_need_the_least_credits_that_iteration_finds(count):
    """With the certificate; each player's moves alone win where that player wins."""
    rng = random.Random(11)
    for _ in range(count):
        game = random_game(rng, 7, ends=True)
        solution = solve_energy(*arrays(game), threads=1)
        expected = oracle.least_credits(game)
        assert {v: solution[v] for v in range(len(game))} == expected, game
        assert solution.verify(), game
        moves = chosen(game, solution)
        assert all((expected[v] is None) == bool(game[v][0]) for v in moves)
        kept = oracle.least_credits(with_moves(game, moves, 0))
        assert all(kept[v] == expected[v] for v in game if expected[v] is not None)
        fallen = oracle.least_credits(with_moves(game, moves, 1))
        assert all(fallen[v] is None for v in game if expected[v] is None)


@pytest.mark.parametrize("attempts", [10, 0], ids=["candidates", "fractions"])
@counts(None, 350, 1_000)
def test_mean_payoffs_are_those_of_all_positional_strategies(count, attempts, monkeypatch):
    """By candidates that are proved, and by fractions alone, which give the same values."""
    monkeypatch.setattr(mean_payoff, "_ATTEMPTS", attempts)
    rng = random.Random(12)
    for _ in range(count):
        game = random_game(rng, 5 if rng.random() < 0.2 else 4)
        solution = solve_mean_payoff(*arrays(game), threads=1)
        expected = oracle.mean_payoffs(game)
        assert {v: solution[v] for v in range(len(game))} == expected, game
        assert solution.verify(), game
        moves = chosen(game, solution)
        assert len(moves) == len(game)
        for player in (0, 1):
            assert oracle.mean_payoffs(with_moves(game, moves, player)) == expected


@counts(40, None, 200)
def test_an_energy_game_is_won_where_the_mean_payoff_is_not_negative(count):
    """Up to sixty vertices."""
    rng = random.Random(13)
    for _ in range(count):
        game = random_game(rng, 60)
        energy = solve_energy(*arrays(game), threads=1)
        payoffs = solve_mean_payoff(*arrays(game), threads=1)
        assert energy.verify()
        assert payoffs.verify()
        assert (payoffs.numerator >= 0).tolist() == energy.region(0).tolist()


def test_the_simplest_fraction_between_two():
    """Of all fractions between two, the one of the least denominator."""
    rng = random.Random(1)
    for _ in range(500):
        low, high = sorted(Fraction(rng.randint(-40, 40), rng.randint(1, 12)) for _ in range(2))
        if low == high:
            continue
        found = mean_payoff.simplest(low, high)
        assert low < found < high
        for denominator in range(1, found.denominator):
            assert low * denominator // 1 + 1 >= high * denominator


@counts(60, None, 400)
def test_the_certificates_refuse_every_changed_number(count):
    """A credit that is greater or less, a value above or below, a winner exchanged."""
    rng = random.Random(14)
    for _ in range(count):
        game = random_game(rng, 6)
        energy = solve_energy(*arrays(game), threads=1)
        right = energy.credit.copy()
        for v in range(len(game)):
            for wrong in {-1, int(right[v]) - 1, int(right[v]) + 1} - {int(right[v]), -2}:
                energy.credit = right.copy()
                energy.credit[v] = wrong
                assert not energy.verify(), (game, v, wrong)
        payoffs = solve_mean_payoff(*arrays(game), threads=1)
        right = payoffs.numerator.copy()
        for v in range(len(game)):
            for change in (-1, 1):
                payoffs.numerator = right.copy()
                payoffs.numerator[v] += change
                assert not payoffs.verify(), (game, v, change)
        payoffs.numerator = right + 1
        assert not payoffs.verify()


def test_a_forged_proof_is_named():
    """Credits that support each other around a cycle of sum zero prove nothing."""
    rows, weights, owners = [[1], [0]], [3, -3], [0, 0]
    solution = solve_energy(rows, weights, owners)
    assert [solution[0], solution[1]] == [0, 3]
    solution.credit = np.array([4, 7])
    assert solution.verify().problem == ("0 has the credit 4, but less is not shown to fail")
    solution.credit = np.array([0, 2])
    assert "1 has the credit 2, which does not suffice" in str(solution.verify())
    solution.credit = np.array([-1, -1])
    assert solution.verify().problem == "0 has neither a credit nor a debt"
    payoffs = solve_mean_payoff(rows, weights, owners)
    payoffs.denominator = np.array([0, 1])
    assert "0 has no fraction as its value" in str(payoffs.verify())
    payoffs.denominator, payoffs.numerator = np.array([1, 1]), np.array([1, 1])
    assert "0 is not shown to be worth at least 1/1" in str(payoffs.verify())
    payoffs.numerator = np.array([-1, -1])
    assert "is not shown to be worth at most -1/1" in str(payoffs.verify())


@pytest.mark.slow
def test_answers_about_a_battery():
    """A rover drives up and down a hill with a wind that chooses; names, moves, and a start."""
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(
        [("base", "hill", -3), ("hill", "base", 2), ("hill", "top", -2), ("top", "base", 4)]
    )
    graph.add_weighted_edges_from([("base", "base", -1), ("top", "top", 0)])
    nx.set_node_attributes(graph, {"base": 0, "hill": 1, "top": 0}, "owner")
    energy = solve_energy(graph, start="base")
    assert (energy["base"], energy["hill"], energy["top"]) == (None, None, 0)
    assert energy.region(0) == {"top"}
    assert energy.region(1) == {"base", "hill"}
    assert energy.strategy(0) == {"top": "top"}
    assert energy.strategy(1) == {"hill": "base"}
    assert repr(energy) == "<EnergySolution of 3 vertices: player 0 wins 1>"
    payoffs = solve_mean_payoff(graph, start="base")
    assert (payoffs["base"], payoffs["top"]) == (Fraction(-1, 2), Fraction(0))
    assert payoffs.strategy(0) == {"base": "hill", "top": "top"}
    assert payoffs.strategy(1) == {"hill": "base"}
    assert payoffs.best.tolist() == [1, 0, 2]
    assert "values from -1/2 to 0" in repr(payoffs)
    assert list(payoffs) == ["base", "hill", "top"]
    with pytest.raises(PositionError):
        solve_energy(graph, start="moon")
    graph.edges["base", "hill"]["weight"] = 1
    assert solve_energy(graph)["hill"] == 2


def test_arguments_that_are_refused():
    """No weight, no edge, too large weights, too little memory."""
    graph = nx.DiGraph([("a", "b"), ("b", "a")])
    nx.set_node_attributes(graph, 0, "owner")
    with pytest.raises(ParameterError, match="weights of edge 0 is None; give a whole number"):
        solve_energy(graph)
    with pytest.raises(ParameterError, match="weights has the shape"):
        solve_energy([[0]], [1, 2], [0])
    with pytest.raises(ParameterError, match="node 1 has no edge, and a mean payoff is of endless"):
        solve_mean_payoff([[1], []], [1], [0, 0])
    large, cycle = 1 << 53, [[(n + 1) % 20] for n in range(20)]
    with pytest.raises(ParameterError, match="too large for a game of 20 vertices; divide them"):
        solve_energy(cycle, [large] * 20, [0] * 20)
    with pytest.raises(BudgetError, match="1 vertex and 1 edge with weights needs at least"):
        solve_energy([[0]], [1], [0], memory=10)


def test_an_empty_prize_for_whoever_is_stuck():
    """Player 1 who cannot move loses, with any credit; player 0 loses."""
    solution = solve_energy([[1, 2], [], []], [-2, -1], [0, 1, 0])
    assert [solution[v] for v in range(3)] == [2, 0, None]
    assert solution.verify()
