"""Exact expectations as fractions.

Values that are wrong, and equations that need another prime, are given to what solves them: no game
was found whose solve meets them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import zermelo
from support.games.chance_games import (
    HARD_CASES,
    SCORE_CHANCE_GAMES,
    L,
    OwnedScoreChanceGame,
    W,
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
from support.oracles import expectations
from support.sizes import counts
from zermelo import CorruptTableError, ParameterError, PrecisionError
from zermelo._methods.chance.linear_equations import solve_equations
from zermelo._methods.chance.strategy_iteration import (
    OUTSIDE,
    ChanceComponent,
    Edge,
    are_proved,
    component_values,
)
from zermelo.games import EinsteinWuerfeltNicht, Pig, RandomTurnHex, RoyalGameOfUr, TicTacToe

THIRD = Fraction(1, 3)


def check(game, solution, truth=None):
    """Compare the exact values of all positions with those of the oracle."""
    for position, value in (expectations.solve(game) if truth is None else truth).items():
        assert solution.exact(position) == value, (game, position)


@counts(60, None, 5_000)
def test_exact_values_are_those_of_the_oracle(count):
    """Games that only lead forward have the oracle's fraction at every position."""
    for seed in range(count):
        kind = OwnedScoreChanceGame if seed % 3 == 0 else None
        game = random_chance_game(24_000_000 + seed, kind=kind, forward=True)
        check(game, zermelo.solve(game))


@counts(50, None, 30_000)
def test_exact_values_of_games_with_cycles_are_those_of_the_oracle(count):
    """Games with cycles, scores, endless play and several starts have the oracle's fractions."""
    for game in random_chance_games(24_100_000, count):
        with suppress(PrecisionError):  # few games last for millions of rolls, and have no solution
            check(game, zermelo.solve(game))


@counts(None, 100, 300)
def test_exact_values_of_compiled_games_are_those_of_the_oracle(count):
    """Compiled solves, games with levels and larger games have the oracle's fractions."""
    larger = random_chance_games(24_200_000, count, vertices=30)
    for game in [*random_level_games(24_300_000, count), *larger]:
        check(game, zermelo.solve(game, method="chance"))


def coarse(game):
    """Return a score game with one more start, so great a margin that other bounds stay apart."""
    added = {name: (*getattr(game, name), ()) for name in ("rows", "faces", "weights", "gains")}
    if hasattr(game, "owners"):
        added["owners"] = (*game.owners, 0)
    margins, roots = (*game.margins, 1 << 44), (*game.roots, len(game.rows))
    return replace(game, **added, margins=margins, roots=roots)


@counts(60, None, 20_000)
def test_exact_values_within_bounds_that_stay_apart_are_those_of_the_oracle(count):
    """Where bounds do not tell moves apart, strategies are improved until they are the best."""
    for game in random_chance_games(24_400_000, count, vertices=10, kinds=SCORE_CHANCE_GAMES):
        wide = coarse(game)
        with suppress(PrecisionError):
            check(wide, zermelo.solve(wide))


@pytest.mark.parametrize("name", HARD_CASES)
def test_exact_values_of_hard_games_are_their_known_values(name):
    """The exact values of games written by hand are the known ones."""
    check(HARD_CASES[name].game, zermelo.solve(HARD_CASES[name].game), HARD_CASES[name].values)


def tiny(numerator):
    """Return vertices that are worth ``numerator / 2**31``, 0 and the first from vertex 4 on."""
    return roll((1, 5), (65_535, 6)), lottery(numerator, 1 << 15), lottery(0, 1)


#: Games whose moves are so alike that rough bounds do not tell them apart. In each, vertices 0 and
#: 1 lead to each other, and vertices 4, 5 and 6 are those of ``tiny``.
ALIKE = {
    "the first player leaves": (1, [first(1, 4), first(0)], [1, 1]),
    "the first player stays": (-1, [first(1, 4), first(0)], [0, 0]),
    "the second player leaves": (-1, [second(1, 4), second(0)], [-1, -1]),
    "the second player stays": (1, [second(1, 4), second(0)], [0, 0]),
    "both players stay": (-1, [first(1, 4), second(0, 3)], [0, 0]),
    "the second player lets the first one stay": (-1, [first(1, 4), second(0, 4)], [-1, -1]),
    "the first player lets the second one stay": (1, [second(1, 4), first(0, 4)], [1, 1]),
    "the first player chooses the better end": (-1, [first(1, 4), first(0, 6)], [0, 0]),
    "chance brings the first player back": (1, [first(1, 4, 6), roll((1, 0), (1, 6))], [1, "1/2"]),
}


@pytest.mark.parametrize("name", ALIKE)
def test_strategies_are_improved_where_rough_bounds_do_not_tell_moves_apart(name):
    """Leaving a cycle, and staying in it, are told apart by less than the bounds' precision."""
    numerator, vertices, values = ALIKE[name]
    case = hard_case(*vertices, lottery(0, 1), lottery(1, 3), *tiny(numerator), values=[])
    solution = zermelo.solve(case.game, precision=0.01)
    assert len(solution.best(0)) > 1
    truth = expectations.solve(case.game)
    check(case.game, solution, truth)
    owners = case.game.owners
    assert [(1 - 2 * owners[v]) * truth[v] * 2**31 for v in (0, 1)] == list(map(Fraction, values))


def test_two_coins_of_two_cycles_are_thirds():
    """A coin that returns half of the time halves what is left, which adds up to thirds."""
    case = hard_case(roll((1, 1), (1, W)), roll((1, 0), (1, L)), values=[THIRD, -THIRD])
    check(case.game, zermelo.solve(case.game), case.values)
    longer = hard_case(roll((1, W), (1, 1)), roll((1, W), (1, 2)), roll((1, 0), (1, L)))
    assert zermelo.solve(longer.game).exact(0) == Fraction(5, 7)


@pytest.mark.parametrize(("endless", "value"), [(zermelo.NOBODY, 0), (0, 1), (1, -THIRD)])
def test_a_player_may_pass_for_ever(endless, value):
    """Passing is worth what endless play is, if that is better than to leave."""
    game = hard_case(first(0, 1), lottery(-1, 3), endless=endless).game
    assert zermelo.solve(game).exact(0) == value


@pytest.mark.parametrize(
    ("game", "probability"),
    [
        (RandomTurnHex(3, 2), Fraction(21, 64)),
        pytest.param(EinsteinWuerfeltNicht(3, 3), Fraction(170, 243), marks=pytest.mark.slow),
    ],
    ids=["hex", "einstein"],
)
def test_published_fractions_are_exact(game, probability):
    """Random-turn Hex (counted fillings), and EinStein würfelt nicht (an independent program)."""
    assert zermelo.solve(game).exact() == 2 * probability - 1


@pytest.mark.parametrize("goal", [2, 5, pytest.param(7, marks=pytest.mark.slow)])
def test_pig_is_exact(goal):
    """In Pig a turn may bring nothing again and again; the oracle has the same fraction."""
    game = Pig(goal)
    assert zermelo.solve(game).exact() == expectations.solve(game)[game.start()]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_the_royal_game_of_ur_with_one_piece_is_exact(rules):
    """The fraction is the same whether throws are stored or not, and has the published decimals."""
    game = RoyalGameOfUr(1, rules=rules)
    value = zermelo.solve(game).exact()
    assert zermelo.solve(replace(game, keep_throws=False)).exact() == value
    published = next(
        fact for fact in game.facts if fact.parameters == {"rules": rules, "pieces": 1}
    )
    assert round((1 + value) / 2, 8) == Fraction(published.probability)


@pytest.mark.huge
@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_the_royal_game_of_ur_has_the_value_of_the_oracle(rules):
    """The oracle, which takes a minute, has the same fractions."""
    game = RoyalGameOfUr(1, rules=rules)
    solution, truth = zermelo.solve(game), expectations.solve(game)
    places = Random(3).sample(sorted(truth), 20)
    check(game, solution, {position: truth[position] for position in (game.start(), *places)})


def test_a_saved_table_has_exact_values(tmp_path):
    """A table that is opened has the exact values of the solve."""
    game = HARD_CASES["unfair walk of 20 steps"].game
    path = zermelo.solve(game).save(tmp_path / "walk.table")
    with zermelo.open(path, game) as opened:
        check(game, opened, HARD_CASES["unfair walk of 20 steps"].values)


@pytest.mark.parametrize(("position", "bounds"), [(1, (0.25, 0.25)), (3, (1 - 2**-30, 1.0))])
def test_a_wrong_bound_is_found(position, bounds):
    """An exact value that is not within its bounds, or an end between two, shows a wrong table."""
    solution = zermelo.solve(gamblers_ruin(4, 1, 1).game, method="plain")
    stored = solution._solved.table.column.stored
    place = solution._solved.place(position)
    stored[place] = solution.kind.encode(zermelo.ExpectedValue(bounds))
    sentence = rf"^{position} is stored with bounds from {bounds[0]} to {bounds[1]}, which are not"
    with pytest.raises(CorruptTableError, match=sentence):
        solution.exact(1)


@pytest.mark.slow
def test_a_cycle_of_too_many_positions_is_refused():
    """The sentence counts the positions, and says what to ask instead."""
    steps = 2100
    walk = [roll((9, n + 1 if n < steps - 1 else W), (1, max(n - 1, 0))) for n in range(steps)]
    solution = zermelo.solve(hard_case(*walk).game)
    sentence = (
        r"through 2,1\d\d positions at which chance decides.* at most 2,048 .*ask for its bou"
    )
    with pytest.raises(ParameterError, match=sentence):
        solution.exact(0)


@pytest.mark.slow
def test_a_fraction_of_too_many_digits_is_refused():
    """Python writes numbers of 4,300 digits at most, and the sentence says what to ask instead."""
    walk = [roll((40_000, n), (20_000, n + 1 if n < 999 else W), (5521, L)) for n in range(1000)]
    solution = zermelo.solve(hard_case(*walk).game)
    with pytest.raises(ParameterError, match=r"has too many digits; ask for its bounds"):
        solution.exact(0)
    assert len(str(solution.exact(200))) > 5000


@pytest.mark.slow
def test_a_cycle_whose_fractions_have_too_many_digits_is_refused():
    """In one component they are refused in the same sentence."""
    walk = [
        roll((30_011, n + 1 if n < 999 else W), (5003, max(n - 1, 0)), (21_001 + n, L))
        for n in range(1000)
    ]
    solution = zermelo.solve(hard_case(*walk).game)
    with pytest.raises(ParameterError, match=r"has too many digits; ask for its bounds"):
        solution.exact(0)


def test_a_game_without_chance_is_exact_already():
    """Its values are asked for as always."""
    with pytest.raises(ParameterError, match=r"TicTacToe has no chance\(\)"):
        zermelo.solve(TicTacToe()).exact()


def component(*rows, by_chance=()):
    """Return a component of one player, in which other numbers than vertices are ends."""
    edges = [
        [
            Edge(to, 1, Fraction(0), 1) if type(to) is int else Edge(OUTSIDE, 1, Fraction(to), 1)
            for to in row
        ]
        for row in rows
    ]
    is_chance = [vertex in by_chance for vertex in range(len(rows))]
    return ChanceComponent(edges, is_chance, [0] * len(rows))


#: Components with their values, and wrong values that follow from those after them as well.
STALLED = {
    "a cycle that is left for a loss": (component([1, "-1"], [0]), [0, 0], [-1, -1]),
    "a cycle that may be left": (component([1, "1/2"], [0]), ["1/2", "1/2"], ["3/4", "3/4"]),
    "a loop of chance": (component([0, 1], [0, "-1"], by_chance={0}), [0, 0], ["-1/2", "-1/2"]),
    "a cycle with no end": (component([1], [0]), [0, 0], ["1/3", "1/3"]),
}


@pytest.mark.parametrize("name", STALLED)
def test_wrong_values_are_not_proved(name):
    """Values that vouch for each other pass all equations, and are refused."""
    cycle, right, wrong = STALLED[name]
    right, wrong = ([Fraction(value) for value in values] for values in (right, wrong))
    assert component_values(cycle, 99) == right
    assert are_proved(cycle, right)
    assert not are_proved(cycle, wrong)
    assert not are_proved(cycle, [right[0] + 1, right[1]])


@counts(60, None, 600)
def test_linear_equations_are_solved_exactly(count):
    """The solution of random equations is the one that they were made from."""
    for seed in range(count):
        random = Random(seed)
        size = random.randint(1, 20)
        truth = [Fraction(random.randint(-99, 99), random.randint(1, 99)) for _ in range(size)]
        rows = []
        for number in range(size):
            others = random.sample(range(size), random.randint(0, size - 1))
            row = {other: random.choice([-1, 1]) * random.randint(1, 9) for other in others}
            rows.append(row | {number: 1 + sum(map(abs, row.values()))})
        sides = [sum(factor * truth[n] for n, factor in row.items()) for row in rows]
        scale = 1
        for side in sides:
            scale *= side.denominator
        constants = [int(scale * side) for side in sides]
        assert solve_equations(rows, constants, 4096) == [scale * value for value in truth]


def test_linear_equations_have_another_prime_where_one_divides_a_minor():
    """The greatest prime below 2**21 has no inverse modulo itself."""
    prime = 2**21 - 9
    assert solve_equations([{0: prime}, {0: -1, 1: 2}], [1, 0], 99) == [
        Fraction(1, prime),
        Fraction(1, 2 * prime),
    ]


def test_linear_equations_with_longer_solutions_are_given_up():
    """A solution of more bits than are allowed is none."""
    rows = [{0: 3, 1: 1}, {0: 1, 1: 3}]
    assert solve_equations(rows, [1 << 200, 0], 100) is None
    solution = [Fraction(3 << 200, 8), Fraction(-1 << 200, 8)]
    assert solve_equations(rows, [1 << 200, 0], 300) == solution
    assert solve_equations([{0: 3}], [1 << 200], 300) == [Fraction(1 << 200, 3)]
    assert solve_equations([], [], 100) == []
