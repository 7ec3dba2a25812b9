"""The oracle of games with chance, on closed forms, on hard cases and against other oracles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from support.games.chance_games import (
    ALL_CHANCE_GAMES,
    CHANCE_GAMES,
    HARD_CASES,
    SLOW_CASES,
    STALLED_CASES,
    OwnedChanceGame,
    OwnedScoreChanceGame,
    first,
    gamblers_ruin,
    hard_case,
    lottery,
    random_chance_game,
    random_chance_games,
    random_level_games,
    roll,
    second,
)
from support.games.strategies import (
    OPEN,
    OwnedScoreGame,
    ScoreGame,
    StalledScoreGame,
    random_endless_games,
    random_games,
    random_loopy_score_games,
    random_score_games,
)
from support.oracles import expectations, oracle
from support.oracles.expectations import (
    chain_values,
    explore,
    is_guaranteed,
    options,
    problem,
    solve,
    solve_by_strategies,
    strategy_pairs,
)
from support.sizes import counts

ALL_CASES = HARD_CASES | SLOW_CASES


def states_of(name):
    """Return the states of a hard case, by its name."""
    return explore(ALL_CASES[name].game)


def moves_to(graph, targets):
    """Return the strategy that moves from each of the given vertices to its target."""
    strategy = {}
    for state, steps in graph.steps.items():
        if state[0] in targets:
            target = targets[state[0]]
            strategy[state] = next(step for step in steps if step.child[0] == target)
    return strategy


def naive_bounds(game, rounds):
    """Return bounds of all states that start at -1 and 1 and follow their successors."""
    graph = explore(game)
    bounds = []
    for start in (-1.0, 1.0):
        values = {state: float(graph.ends.get(state, start)) for state in graph}
        for _ in range(rounds):
            for state, steps in graph.steps.items():
                best = min if state[1] else max
                values[state] = best(s.gain + values[s.child] for s in steps)
            for state, faces in graph.faces.items():
                values[state] = sum(float(p) * values[child] for p, child in faces)
        bounds.append(values)
    return bounds


@pytest.mark.parametrize("name", ALL_CASES)
def test_hard_cases_have_their_known_values(name):
    """The values of games written by hand are the known ones."""
    assert solve(ALL_CASES[name].game) == ALL_CASES[name].values


@pytest.mark.parametrize("name", ALL_CASES)
def test_all_strategies_give_hard_cases_their_known_values(name):
    """All pairs of strategies give games written by hand their known values."""
    if strategy_pairs(ALL_CASES[name].game) > 1024:
        pytest.skip("too many strategies")
    assert solve_by_strategies(ALL_CASES[name].game) == ALL_CASES[name].values


@pytest.mark.parametrize("name", STALLED_CASES)
def test_bounds_of_stalled_cases_stay_apart(name):
    """Bounds that follow only from successors do not meet in the cases that are said to stall."""
    lower, upper = naive_bounds(STALLED_CASES[name].game, 500)
    assert max(upper[state] - lower[state] for state in lower) > 0.1


def test_stalled_cases_stall_from_below_and_from_above():
    """In some stalled cases the lower bound is wrong, in some the upper one, in some both."""
    wrong = set()
    for hard in STALLED_CASES.values():
        lower, upper = naive_bounds(hard.game, 500)
        truth = {state: hard.values[state[0]] * (1 - 2 * state[1]) for state in lower}
        wrong.add(
            (
                any(truth[state] - lower[state] > 0.1 for state in lower),
                any(upper[state] - truth[state] > 0.1 for state in lower),
            )
        )
    assert wrong == {(True, False), (False, True), (True, True)}


@pytest.mark.parametrize(("goal", "up", "down"), [(2, 1, 1), (7, 1, 3), (12, 5, 4), (40, 1, 1)])
def test_gamblers_ruin_has_its_closed_form(goal, up, down):
    """A random walk between a win and a loss has the probabilities of the gambler's ruin."""
    ruin = gamblers_ruin(goal, up, down)
    assert solve(ruin.game) == ruin.values


@counts(50, 1_000, 20_000)
def test_random_values_are_those_of_all_strategies(count):
    """Improved strategies and all pairs of strategies give the same values of tiny games."""
    compared = fractions = 0
    for game in random_chance_games(100, count, vertices=6):
        if strategy_pairs(game) <= 256:
            table = solve(game)
            assert solve_by_strategies(game) == table, game
            compared += 1
            fractions += any(value.denominator > 2 for value in table.values())
    assert compared > 0.9 * count
    assert fractions > 0.05 * count


@counts(200, None, 4_000)
def test_random_forward_games_agree_with_recursion(count):
    """Where no edge leads back, values are those of a recursion over the table of the game."""
    for seed in range(count):
        game = random_chance_game(seed, kind=OwnedScoreChanceGame, forward=True)
        margins = {}  # of the first player
        for v in reversed(range(len(game.rows))):
            sign = 1 - 2 * game.owners[v]
            if game.rows[v]:
                pairs = zip(game.rows[v], game.gains[v], strict=True)
                margins[v] = sign * max(gain + sign * margins[target] for target, gain in pairs)
            elif game.faces[v]:
                pairs = list(zip(game.faces[v], game.weights[v], strict=True))
                total = sum(weight for _, weight in pairs)
                margins[v] = sum(Fraction(w, total) * margins[target] for target, w in pairs)
            else:
                margins[v] = sign * game.margins[v]
        for v, value in solve(game).items():
            assert value == margins[v] * (1 - 2 * game.owners[v]), game


@counts(200, None, 4_000)
def test_exchanged_players_have_the_same_values(count):
    """A position is worth as much to the player to move if the players are exchanged."""
    for game in random_chance_games(7, count, kinds=[OwnedChanceGame]):
        endless = game.endless if game.endless == oracle.NOBODY else 1 - game.endless
        owners = tuple(1 - owner for owner in game.owners)
        assert solve(replace(game, owners=owners, endless=endless)) == solve(game), game


@counts(200, None, 4_000)
def test_games_without_chance_have_their_outcomes(count):
    """Without chance, the value is that of the outcome which the other oracle finds."""
    games = [*random_games(3, count, vertices=12), *random_endless_games(4, count, vertices=12)]
    for game in games:
        outcomes = {p: outcome for p, (outcome, _) in oracle.solve(game).items()}
        assert solve(game) == outcomes, game


@counts(100, None, 2_000)
def test_score_games_without_chance_have_their_margins(count):
    """Without chance, the expected margin is the margin which the other oracle finds."""
    for game in random_score_games(5, count, vertices=12):
        assert solve(game) == oracle.solve_scores(game), game
    kinds = [ScoreGame, OwnedScoreGame, StalledScoreGame]
    for game in random_loopy_score_games(6, count, kinds=kinds):
        margins = {p: margin for p, (margin, _) in oracle.solve_loopy_scores(game).items()}
        assert solve(game) == margins, game


@counts(100, None, 2000)
def test_levels_are_not_lowered(count):
    """The levels of random games never fall along an edge, and are equal along cycles."""
    for game in random_level_games(9, count):
        for v, height in enumerate(game.heights):
            for target in (*game.rows[v], *game.faces[v]):
                assert height <= game.heights[target]


def test_random_games_have_every_feature():
    """The random games have self-loops, duplicate edges, dead ends, ends and several starts."""
    games = list(random_chance_games(1, 300))
    tables = [list(zip(game.rows, game.faces, strict=True)) for game in games]
    assert {type(game) for game in games} == set(ALL_CHANCE_GAMES)
    assert any(v in row for table in tables for v, (row, _) in enumerate(table))
    assert any(v in faces for table in tables for v, (_, faces) in enumerate(table))
    assert any(len(set(row)) < len(row) for table in tables for row, _ in table)
    assert any(len(set(faces)) < len(faces) for table in tables for _, faces in table)
    assert any(len(set(game.roots)) > 1 for game in games)
    assert {getattr(game, "endless", None) for game in games} >= {-1, 0, 1, -2}
    owned = [game for game in games if isinstance(game, OwnedChanceGame)]
    assert {e for game in owned for e in game.endings} == {-1, 0, 1, OPEN}
    assert any(
        ending == OPEN and not row and not faces
        for game in owned
        for ending, row, faces in zip(game.endings, game.rows, game.faces, strict=True)
    )


def test_random_games_are_drawn_from_their_seed():
    """The same seed gives the same game, and another seed another one."""
    assert random_chance_game(5) == random_chance_game(5)
    assert len({random_chance_game(seed) for seed in range(50)}) > 45


@pytest.mark.slow
def test_random_games_often_have_fractions_and_cycles():
    """Of the random games, many have values other than a win, a draw and a loss, and cycles."""
    tables = [solve(game) for game in random_chance_games(1, 400, kinds=CHANCE_GAMES)]
    assert sum(any(v.denominator > 2 for v in table.values()) for table in tables) > 80


def test_strategy_that_goes_round_for_ever_guarantees_no_win():
    """A cycle that keeps a value above that of endless play does not guarantee the value."""
    graph = states_of("upper bound held up by a cycle of the first player")
    leaving, staying = moves_to(graph, {0: 2, 1: 0}), moves_to(graph, {0: 1, 1: 0})
    values = chain_values(graph, leaving)
    assert is_guaranteed(graph, values, leaving, 0)
    assert not is_guaranteed(graph, values, staying, 0)


def test_cycle_of_the_other_player_is_no_guarantee():
    """A value is not guaranteed if the other player can go round for ever and pay less."""
    hard = hard_case(first(1), second(0, 2), lottery(1, 4), values=[0, 0, "1/4"])
    graph = explore(hard.game)
    leaving, staying = moves_to(graph, {0: 1, 1: 2}), moves_to(graph, {0: 1, 1: 0})
    assert not is_guaranteed(graph, chain_values(graph, leaving), leaving, 0)
    assert is_guaranteed(graph, chain_values(graph, staying), staying, 0)
    assert solve(hard.game) == hard.values


def test_cycle_of_chance_is_no_guarantee():
    """A value that only rolls without an end hold up is not guaranteed."""
    graph = states_of("cycle of chance alone")
    values = chain_values(graph, {})
    assert is_guaranteed(graph, values, {}, 0)
    assert not is_guaranteed(graph, dict.fromkeys(graph, Fraction(1, 2)), {}, 0)


def test_raised_values_are_not_guaranteed():
    """A value above a payoff, a mean or the value of a move is not guaranteed."""
    graph = explore(hard_case(first(0, 1), roll((1, 0), (1, 2)), lottery(1, 2)).game)
    moves = moves_to(graph, {0: 1})
    values = chain_values(graph, moves)
    assert is_guaranteed(graph, values, moves, 0)
    for state, value in values.items():
        raised = values | {state: value + Fraction(1, 10**30)}
        assert not is_guaranteed(graph, raised, moves, 0)


def test_small_probability_of_stopping_is_made_smaller(monkeypatch):
    """Strategies that are best only in the game that breaks off fail the check, and are redone."""
    stops = []
    original = expectations.best_moves

    def noted(graph, stop):
        stops.append(stop)
        return original(graph, stop)

    monkeypatch.setattr(expectations, "best_moves", noted)
    hard = SLOW_CASES["way of a billion rolls worth more than a quick one"]
    assert solve(hard.game) == hard.values
    assert stops == [Fraction(1, 1 << 20), Fraction(1, 1 << 40)]


def test_options_are_worth_what_they_lead_to():
    """Each move has the value of its successor, and its points, for the player who moves."""
    hard = HARD_CASES["die rolled twice"]
    assert options(hard.game, hard.values, 3) == [(0, 3), (1, Fraction(7, 2))]
    assert options(hard.game, hard.values, 5) == [(0, 5), (1, Fraction(7, 2))]
    roulette = HARD_CASES["Russian roulette"]
    assert options(roulette.game, roulette.values, 0) == [(0, Fraction(-1, 11))]
    assert options(roulette.game, roulette.values, 2) == []


def test_problem_names_the_first_wrong_enclosure():
    """Enclosures have to contain the values, to be narrow, and to be those of all positions."""
    table = {0: Fraction(1, 3), 1: Fraction(0)}
    narrow = {0: (0.333, 0.334), 1: (0.0, 0.0)}
    assert problem(table, narrow, 0.01) is None
    wrong = problem(table, narrow | {0: (0.333, 0.3333)}, 0.01)
    assert wrong == "0 is worth 1/3, which is not from 0.333 to 0.3333"
    wide = problem(table, narrow | {1: (-0.125, 0.25)}, 0.25)
    assert wide == "1 has bounds from -0.125 to 0.25, wider than 0.25"
    assert problem(table, {0: (0, 1)}, 1) == "1 positions have enclosures, and 2 are reachable"


def test_nearest_float_does_not_contain_a_third():
    """An enclosure is compared exactly: the float nearest to 1/3 is not 1/3."""
    assert problem({0: Fraction(1, 3)}, {0: (1 / 3, 1 / 3)}, 1e-9) is not None


def faulty(**changes):
    """Return a game of two vertices, of which the first is a chance vertex, with a fault."""
    game = OwnedChanceGame(((), ()), ((1, 1), ()), ((1, 2), ()), (OPEN, 1), (0,), (0, 0))
    return replace(game, **changes)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (faulty(weights=((1, 0), ())), "weights"),
        (faulty(weights=((1, 65_536), ())), "weights"),
        (
            OwnedScoreChanceGame(
                ((0, 1), ()), ((), ()), ((), ()), ((1, 0), ()), (0, 0), (0,), (0, 0)
            ),
            "cycle that makes points",
        ),
    ],
    ids=["weight 0", "large sum", "points on a cycle"],
)
def test_broken_games_are_refused(game, sentence):
    """Rules that break the contract, or that have no finite values, are refused."""
    with pytest.raises(ValueError, match=sentence):
        solve(game)
