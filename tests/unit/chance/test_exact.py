"""Exact expectations as fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from support.games.chance_games import OwnedScoreChanceGame, random_chance_game
from support.oracles import expectations
from support.sizes import counts
from zermelo import ParameterError
from zermelo.games import EinsteinWuerfeltNicht, Pig, RandomTurnHex, TicTacToe


@counts(60, 500, 5000)
def test_exact_values_are_those_of_the_oracle(count):
    """Games that only lead forward have the oracle's fraction at every position."""
    for seed in range(count):
        kind = OwnedScoreChanceGame if seed % 3 == 0 else None
        game = random_chance_game(24_000_000 + seed, kind=kind, forward=True)
        solution = zermelo.solve(game)
        for position, value in expectations.solve(game).items():
            assert solution.exact(position) == value


def test_published_fractions_are_exact():
    """Random-turn Hex (counted fillings), and EinStein würfelt nicht (an independent program)."""
    assert zermelo.solve(RandomTurnHex(3, 2)).exact() == 2 * Fraction(21, 64) - 1
    assert zermelo.solve(EinsteinWuerfeltNicht(3, 3)).exact() == 2 * Fraction(170, 243) - 1


def test_a_circle_has_no_exact_value():
    """The sentence says where play comes back, and what to ask instead."""
    with pytest.raises(ParameterError, match=r"can come back to it.*ask for its bounds"):
        zermelo.solve(Pig(2)).exact()


def test_a_game_without_chance_is_exact_already():
    """Its values are asked for as always."""
    with pytest.raises(ParameterError, match=r"TicTacToe has no chance\(\)"):
        zermelo.solve(TicTacToe()).exact()
