"""The stone game, with its margin and as a question of who wins."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from facts import document, example
from support.oracles.oracle import DRAW, LOSS, WIN, best, solve, solve_scores
from zermelo.errors import ParameterError, PositionError
from zermelo.games import StoneGame, StoneGameWinner
from zermelo.games.heaps.stone_game import TAKE_LEFT, TAKE_RIGHT, Row
from zermelo.games.heaps.stone_game_winner import Lead, richer_colour

FACTS = document("seed_games")
rows_of_piles = st.lists(st.integers(-5, 20), min_size=1, max_size=7)
even_rows = st.lists(st.integers(0, 20), min_size=1, max_size=4).flatmap(
    lambda piles: st.permutations(piles + [pile + 1 for pile in piles])
)


def margin(piles):
    """Return what the oracle says the first player comes out ahead by."""
    game = StoneGame(piles)
    return solve_scores(game)[game.start()]


def sign(number):
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("fact", FACTS["stone_game_margin"], ids=lambda f: str(f["piles"]))
def test_published_margin(fact):
    """The margin of the worked example comes out, by the oracle and by the engine."""
    assert margin(fact["piles"]) == fact["margin"]
    assert zermelo.solve(StoneGame(fact["piles"])).value.score == fact["margin"]


@pytest.mark.parametrize("fact", FACTS["stone_game_877"], ids=lambda f: str(f["piles"]))
def test_published_winner(fact):
    """The first player wins where the problem statement says so, in both forms of the game."""
    assert (margin(fact["piles"]) > 0) == fact["first_player_wins"]
    game = StoneGameWinner(fact["piles"])
    assert (solve(game)[game.start()][0] == WIN) == fact["first_player_wins"]
    assert (zermelo.solve(game).winner == "first") == fact["first_player_wins"]


def test_leetcode_examples():
    """LeetCode 877 and 486 come out; in 486 a draw counts as a win of the first player."""
    piles, first_wins = example(877)
    assert (margin(piles) > 0) == first_wins
    numbers, first_wins = example(486)
    assert (margin(numbers) >= 0) == first_wins


@given(rows_of_piles)
def test_both_forms_agree(piles):
    """The winner is the sign of the margin, for every row, and the end comes with the last pile."""
    game = StoneGameWinner(piles)
    assert solve(game)[game.start()] == (sign(margin(piles)), len(piles))


@given(rows_of_piles)
def test_engine_agrees_with_the_oracle(piles):
    """Every row of piles within the row has the oracle's margin."""
    game = StoneGame(piles)
    assert {p: v.score for p, v in zermelo.solve(game).items()} == solve_scores(game)


@pytest.mark.slow
@given(even_rows)
def test_first_player_never_loses_an_even_row(piles):
    """On an even number of piles the first player never loses, and with an odd total wins."""
    assert len(piles) % 2 == 0
    result = margin(piles)
    assert result >= 0
    if sum(piles) % 2:
        assert result > 0


@pytest.mark.slow
@given(even_rows, st.randoms(use_true_random=False))
def test_richer_colour_never_loses(piles, random: Random):
    """Taking piles of the richer colour only is always possible and never loses."""
    colour = richer_colour(piles)
    game = StoneGameWinner(piles)
    position, margin_of_first = game.start(), 0
    while position.left < position.right:
        mine = (len(piles) - (position.right - position.left)) % 2 == 0
        if mine:
            ends = [e for e in game.moves(position) if taken(position, e) % 2 == colour]
            assert len(ends) == 1
        else:
            ends = list(game.moves(position))
        end = random.choice(ends)
        margin_of_first += piles[taken(position, end)] * (1 if mine else -1)
        position = game.play(position, end)
    assert margin_of_first >= 0
    assert game.outcome(position) == sign(margin_of_first)


def taken(position, end):
    """Return the place of the pile at one end."""
    return position.left if end == TAKE_LEFT else position.right - 1


def test_equal_piles_are_a_draw():
    """Two equal piles end in a draw by the rules, after two plies."""
    game = StoneGameWinner([4, 4])
    assert solve(game)[game.start()] == (DRAW, 2)


def test_the_best_first_move_shows_what_is_at_stake():
    """In 3, 100, 1, 2 taking 3 uncovers the big pile, so taking 2 is far better."""
    solution = zermelo.solve(StoneGame([3, 100, 1, 2]))
    assert [(o.name, o.value.score) for o in solution.options()] == [("right", 98), ("left", -96)]


def test_lead_is_seen_by_the_player_to_move():
    """What the first player took is a lead against the second."""
    game = StoneGameWinner([7, 2])
    assert game.play(game.start(), TAKE_LEFT) == Lead(1, 2, -7)
    assert best(game, solve(game), game.start()) == [TAKE_LEFT]
    assert solve(game)[Lead(1, 2, -7)] == (LOSS, 1)


@pytest.mark.slow
def test_five_hundred_piles():
    """A row of 500 piles is solved: alternating colours let the first player take all tens."""
    assert zermelo.solve(StoneGame([0, 10] * 250)).value.score == 2500


def test_single_pile_has_one_move():
    """Both ends of a single pile are one move, not two."""
    assert list(StoneGame([4]).moves(Row(0, 1))) == [TAKE_LEFT]
    assert list(StoneGame([4]).moves(Row(0, 0))) == []
    assert list(StoneGameWinner([4]).moves(Lead(0, 1, 0))) == [TAKE_LEFT]


def test_arrays_of_piles_are_taken():
    """Piles may be a NumPy array of integers."""
    game = StoneGame(np.array([1, 100, 3]))
    assert [int(game.gain(game.start(), end)) for end in (TAKE_LEFT, TAKE_RIGHT)] == [1, 3]


@pytest.mark.parametrize("kind", [StoneGame, StoneGameWinner])
@pytest.mark.parametrize(
    ("piles", "message"),
    [
        ([], "piles must hold at least one pile, not []"),
        (7, "piles must be a list of whole numbers, not 7"),
        ("5,3", "piles must be a list of whole numbers, not '5,3'"),
        ([1, "2"], "piles[1] must be a whole number, not '2'"),
        ([1.5], "piles[0] must be a whole number, not 1.5"),
        ([[1, 2]], "piles[0] must be a whole number, not (1, 2)"),
        ([1 << 61, 1 << 61], "piles (2305843009213693952, 2305843009213693952) add up to more"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_row_of_piles_is_refused(kind, piles, message):
    """Each thing that can be wrong with the piles has its own message."""
    with pytest.raises(ParameterError) as caught:
        kind(piles)
    assert str(caught.value).startswith(message)
    assert ";" in str(caught.value)


def test_text_that_is_no_row_is_refused():
    """A typed position must have the game's piles, brackets, and a lead that is a number."""
    with pytest.raises(PositionError, match=r"write '\[5 3\]', the standing ones in brackets"):
        StoneGame([5, 3]).parse("5 [4]")
    with pytest.raises(PositionError, match="has a lead 'two'"):
        StoneGameWinner([5, 3]).parse("5 [3] lead two")
    assert StoneGameWinner([5, 3]).parse("5 [3]") == Lead(1, 2, 0)
