"""Agents that play by temperature, measured against perfect play."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

import zermelo
from support.games.partizan_games import SplitTokens, random_tokens
from support.oracles.sums import Token
from support.sizes import but
from zermelo import ParameterError, PositionError
from zermelo.agents import Hotstrat, Thermostrat
from zermelo.games import Clobber, Domineering

AGENTS = (Hotstrat, Thermostrat)


def number_or_switch(random: Random) -> Token:
    """Return a switch {a|b} of whole numbers, or a number."""
    left: list[tuple[int, ...]] = [(), (), (1,), (2,), (3,)]
    right: list[tuple[int, ...]] = [(), (), (), (), ()]
    if random.random() < 0.5:  # node 1 is 0, and 2 to 4 are 1 to 3
        high = random.randint(2, 4)
        options = ((high,), (random.randint(1, high - 1),))
    else:
        options = random.choice([((1,), (2,)), ((4,), ()), ((), (1,)), ((2,), (3,))])
    left[0], right[0] = options
    return Token(tuple(left), tuple(right))


@cache
def solved(game, value=None):
    """Return a solution, which the tests of both agents share."""
    return zermelo.solve(game, value=value)


def throws_wins(kind, value_solution, solution) -> bool:
    """Return whether an agent throws wins away."""
    return zermelo.evaluate(kind(value_solution), solution).throws_wins


@pytest.mark.parametrize("kind", AGENTS)
def test_sums_of_numbers_and_switches_are_played_without_errors(kind):
    """In sums of numbers and switches, the hottest component first is always right."""
    random = Random(8)
    for _ in range(4):
        parts = [number_or_switch(random) for _ in range(3)]
        assert not throws_wins(kind, zermelo.sum(*parts, value="partizan"), zermelo.sum(*parts))


@pytest.mark.parametrize("kind", but(AGENTS, Hotstrat))
def test_the_share_of_wins_thrown_away(kind):
    """No wins are lost in Domineering 3×4, and 21 of 94 in Clobber 2×4 (measured by us)."""
    for game, share in ((Domineering(3, 4), 0), (Clobber(2, 4), 21 / 94)):
        values, solution = solved(game, "partizan"), solved(game)
        rates = zermelo.evaluate(kind(values), solution).everywhere.rates
        assert rates.throwing.value == pytest.approx(share)


@pytest.mark.parametrize("kind", AGENTS)
def test_a_move_secures_the_greatest_score_of_the_compound_thermograph(kind):
    """A move costs at most the greatest temperature T, and thermostrat's secures the most.

    With walls L and R, R of a sum is at least the sum of those of its parts, and R rises by at most
    t up to the temperature t. So the right stop after an orthodox move in G at t is at least L(G)
    at t and R of the other parts (Conway, On Numbers and Games, chapter 9, has both facts).
    """
    random, checked = Random(9), 0
    games = [random_tokens(random, SplitTokens) for _ in range(12)]
    for one, other in product(games[:6], games[6:]):
        parts = [solved(game, "partizan") for game in (one, other)]
        total = zermelo.sum(*parts)
        position = total.start
        options = {option.move: option.value for option in total.options(position)}
        components = [
            part[component]
            for part in parts
            for component in (part.start._replace(on=(node, 0, 0)) for node in part.start.on)
        ]
        heat = max(each.temperature for each in components)
        if not options or heat < 0:
            continue
        stop = options[kind(total)(position)].right_stop
        assert total.value.left_stop - stop <= heat
        checked += 1
        if kind is Thermostrat:
            walls = [each.thermograph for each in components]
            for t in {Fraction(0)}.union(*(each.breakpoints for each in walls)):
                if t >= 0:
                    right = sum(each.right_wall(t) for each in walls)
                    width = max(each.left_wall(t) - each.right_wall(t) for each in walls)
                    assert stop >= right + width
    assert checked >= 10


@pytest.mark.parametrize("kind", AGENTS)
def test_a_position_without_components_is_one_component(kind):
    """Values of whole positions measure the agent too, and a sum's start can be asked about."""
    solution = zermelo.solve(random_tokens(Random(3)), value="partizan")
    assert 0 <= zermelo.evaluate(kind(solution), solution).everywhere.rates.keeping.value <= 1
    total = zermelo.sum(Domineering(2, 2), Domineering(2, 3), value="partizan")
    assert kind(total)(total.start) in {option.move for option in total.options()}


def test_what_the_agents_need():
    """Other values are refused, as is a position in which the game is over."""
    with pytest.raises(ParameterError, match="no temperature; give one that was solved with"):
        Hotstrat(zermelo.solve(Domineering(2, 2)))
    solution = zermelo.solve(Domineering(2, 2), value="partizan")
    position = solution.rules.play(solution.start, solution.rules.moves(solution.start)[0])
    with pytest.raises(PositionError, match="the game is over"):
        Hotstrat(solution)(position)
    total = zermelo.sum(Domineering(2, 2), Domineering(2, 2), value="partizan")
    with pytest.raises(ParameterError, match="or solve it without value='partizan'"):
        zermelo.evaluate(Hotstrat(total), total)
