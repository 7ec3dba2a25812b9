"""Estimates of how many positions a board has, and the refusal of what is hopeless.

A board that is not refused does not tell its estimate, and no game has positions drawn as freely.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from support.sizes import some
from zermelo import BudgetError, Game, limits
from zermelo._engine.expand.expander import OK
from zermelo._engine.expand.size_estimate import lower_bound
from zermelo._methods.placement.estimate import estimated_positions
from zermelo.games import ConnectFour, WildTicTacToe, zoo
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS


@pytest.mark.parametrize(
    "game",
    [
        ConnectFour(**fact.parameters)
        for fact in ConnectFour.facts
        if fact.positions is not None and set(fact.parameters) == {"width", "height"}
    ],
    ids=str,
)
def test_estimates_are_near_what_is_published(game):
    """Up to a factor of three, from 12,031 to 4,531,985,219,092 positions."""
    published = next(
        fact.positions
        for fact in ConnectFour.facts
        if fact.parameters == {"width": game.width, "height": game.height}
    )
    assert published / 3 <= estimated_positions(game) <= published * 3


def test_marks_that_are_shared_have_no_estimate():
    """Whoever put a mark there does not matter, and the count would be another."""
    assert estimated_positions(WildTicTacToe()) is None


def test_a_hopeless_board_is_refused_at_once():
    """With the estimate and what to do; it would otherwise explore for days."""
    began = time.process_time()
    with pytest.raises(BudgetError, match=r"has about .e.12 positions, estimated from a sample"):
        zermelo.solve(ConnectFour(width=7, height=6))
    assert time.process_time() - began < 20


@pytest.mark.slow
def test_a_large_board_of_few_positions_is_solved():
    """Two in a row are soon there: not the board is refused, but what there is to solve."""
    assert zermelo.solve(ConnectFour(width=7, height=6, length=2)).value.outcome is zermelo.WIN


class Draws:
    """Rules of a made-up game: from each position, one of eight numbers below ``size``, each ply.

    The higher ``power`` is, the likelier are small numbers.
    """

    words = 1
    alternate = True
    kind = WIN_DRAW_LOSS

    def __init__(self, size, power):
        self.size, self.power = size, power

    def __call__(self, keys, begin, end, out):
        count = end - begin
        seeds = keys[begin:end, None] * np.uint64(8) + np.arange(8, dtype=np.uint64)
        mixed = (seeds * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)
        drawn = (mixed / 2.0**53) ** self.power * self.size
        out.children[: 8 * count] = drawn.astype(np.uint64).ravel()
        out.ends[:count] = np.arange(8, 8 * count + 8, 8)
        return count, 8 * count, OK


@pytest.mark.slow
@pytest.mark.parametrize("power", some([1, 2, 5], 3))
def test_the_bound_of_a_sample_is_never_too_high(power):
    """And within a factor of ten where all positions are alike; samples of different sizes."""
    size, starts = 20_000, np.zeros((1, 1), np.uint64)
    for games in range(1_000, 31_000, 3_000):
        bound = lower_bound(Draws(size, power), starts, games, size, 40 * games, 1 << 8)
        assert bound <= size
        if power == 1 and games > 2_000:
            assert bound >= min(size, games**2 / 32) / 10


class Marks(NamedTuple):
    """Cells marked by the player to move, and by the other, as bits."""

    mine: int
    theirs: int


@dataclass(frozen=True)
class Marking(Game):
    """Cells are marked until none is empty; whoever then has to move loses."""

    cells: int = 24

    def start(self):
        return Marks(0, 0)

    def moves(self, marks):
        for cell in range(self.cells):
            if not (marks.mine | marks.theirs) >> cell & 1:
                yield cell

    def play(self, marks, cell):
        return Marks(marks.theirs, marks.mine | 1 << cell)


@pytest.mark.slow
def test_a_sample_tells_early_that_positions_have_no_room():
    """Before half of those have been found for which there is room."""
    found = []
    with limits.using(foreseen=60_000), pytest.raises(BudgetError) as refused:
        zermelo.solve(
            Marking(),
            memory="40MB",
            threads=1,
            progress=lambda event: found.append(event.done),
        )
    assert "by a sample of" in str(refused.value)
    assert max(found) < refused.value.allowed / 2
    assert refused.value.needed > refused.value.allowed


def test_samples_refuse_nothing_that_has_room():
    """They are drawn from the first position on, and the memory is just enough."""
    free = zermelo.solve(Marking(cells=9), threads=1)
    with limits.using(foreseen=1):
        tight = zermelo.solve(Marking(cells=9), threads=1, memory=free.peak_bytes)
    assert str(tight) == str(free)


@pytest.mark.slow
def test_small_sample_says_how_long_it_takes():
    """Positions are counted from below before a quarter of them are found, without any limit."""
    told = []
    with limits.using(foretold=20_000):
        solution = zermelo.solve(Marking(cells=14), threads=1, progress=told.append)
    first = next(event for event in told if event.least)
    assert first.done < len(solution) / 4
    assert first.done < first.least <= len(solution)


@pytest.mark.huge
def test_levels_on_disk_are_refused_by_a_sample():
    """Hex 6x6 has more positions than can be numbered, which half a minute shows."""
    with pytest.raises(BudgetError, match=r"at least 5,481,964,005 positions, by a sample of"):
        zermelo.solve(zoo()["hex"](rows=6, columns=6), memory="4GB")
