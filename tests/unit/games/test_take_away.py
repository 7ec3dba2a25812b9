"""Take-away: the pattern of the multiples, and bad heaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from facts import example
from support.oracles.oracle import LOSS, WIN, best, solve
from zermelo.errors import ParameterError, PositionError
from zermelo.games import TakeAway


def pattern(stones, limit):
    """Return the value of a heap: multiples of limit + 1 lose, two plies for each."""
    rounds, rest = divmod(stones, limit + 1)
    return (WIN, 2 * rounds + 1) if rest else (LOSS, 2 * rounds)


def test_leetcode_example():
    """LeetCode 292: a heap of 4, up to 3 at a time, is lost for the first player."""
    stones, wins = example(292)
    game = TakeAway(stones, 3)
    assert (solve(game)[stones][0] == WIN) == wins
    assert (zermelo.solve(game).winner == "first") == wins


@given(st.integers(0, 40), st.integers(1, 9))
def test_multiples_lose(stones, limit):
    """Every heap up to the first has the value that the pattern says, remoteness included."""
    game = TakeAway(stones, limit)
    assert solve(game) == {left: pattern(left, limit) for left in solve(game)}


@given(st.integers(1, 40), st.integers(1, 9))
def test_the_winning_move_leaves_a_multiple(stones, limit):
    """From a heap that wins, exactly one move is best, and it leaves a multiple of limit + 1."""
    game = TakeAway(stones, limit)
    rest = stones % (limit + 1)
    if rest:
        assert best(game, solve(game), stones) == [rest]


@pytest.mark.slow
def test_a_large_heap():
    """The engine finds the pattern for a heap of a hundred thousand, remoteness and all."""
    solution = zermelo.solve(TakeAway(100_000, 3))
    assert solution.value.remoteness == 50_000
    assert solution.winner == "second"
    assert len(solution) == 100_001


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((-1, 3), "stones must be at least 0, not -1"),
        ((5, 0), "limit must be at least 1, not 0"),
        (("5", 3), "stones must be a whole number from 0, not '5'"),
        ((5, True), "limit must be a whole number from 1, not True"),
        ((1 << 70, 3), f"stones must be at most {(1 << 62) - 1:,}, not {1 << 70}"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_heaps_are_refused(parameters, message):
    """A heap and a limit are whole numbers of a sensible size."""
    with pytest.raises(ParameterError) as caught:
        TakeAway(*parameters)
    assert str(caught.value).startswith(message)


def test_heaps_are_read_with_or_without_the_word():
    """A typed heap is a number, and nothing else."""
    game = TakeAway(9)
    assert [game.parse(text) for text in ("7", "7 stones", "1 stone")] == [7, 7, 1]
    with pytest.raises(PositionError, match="'some' is not a heap"):
        game.parse("some")
