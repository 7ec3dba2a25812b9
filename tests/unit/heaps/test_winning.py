"""Closed forms of known games, beside play itself and beside ``zermelo.solve``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import pytest

import zermelo
from zermelo import WIN, Game, ParameterError
from zermelo.heaps import ChompBar, EuclidsGame, FibonaccisNim, MooresNim, WythoffsGame


@pytest.mark.parametrize(
    ("game", "positions"),
    [
        *((MooresNim(k), list(product(range(5), repeat=3))) for k in (1, 2, 3)),
        (WythoffsGame(), list(combinations_with_replacement(range(30), 2))),
        (FibonaccisNim(), list(product(range(40), range(1, 20)))),
        (EuclidsGame(), list(combinations_with_replacement(range(1, 35), 2))),
        (ChompBar(), [(a, b) for a in range(8) for b in range(a + 1) if a]),
        (ChompBar(), [(a, b, c) for a in range(1, 7) for b in range(a + 1) for c in range(b + 1)]),
        (ChompBar(), [(4, 4, 4, 4), (5, 3, 2, 2), (4, 1, 1, 1)]),
    ],
    ids=[
        "moore-1",
        "moore-2",
        "moore-3",
        "wythoff",
        "fibonacci",
        "euclid",
        "chomp-2",
        "chomp-3",
        "chomp-4",
    ],
)
def test_closed_forms_beside_play(game, positions):
    """Who loses by the closed form loses by every move; winning moves lead there."""

    @cache
    def loses(at):
        if isinstance(game, ChompBar) and at == ():
            return False
        return not any(loses(after) for after in game.moves(at))

    for position in positions:
        at = tuple(row for row in position if row) if isinstance(game, ChompBar) else position
        assert game.loses(position) == loses(at), position
        assert all(loses(after) for after in game.best(position))
        assert bool(game.best(position)) != game.loses(position)


class Two(NamedTuple):
    small: int
    large: int


@dataclass(frozen=True)
class Wythoff(Game):
    """Wythoff's game as an ordinary class."""

    heap: int

    def start(self) -> Two:
        return Two(self.heap, self.heap)

    def moves(self, heaps: Two) -> Iterator[int]:
        for taken in range(1, heaps.large + 1):
            yield 3 * taken
        for taken in range(1, heaps.small + 1):
            yield 3 * taken + 1
            yield 3 * taken + 2

    def play(self, heaps: Two, move: int) -> Two:
        taken = move // 3
        small = heaps.small - (taken if move % 3 else 0)
        large = heaps.large - (taken if move % 3 != 1 else 0)
        return Two(min(small, large), max(small, large))


@pytest.mark.slow
def test_wythoff_beside_a_solution():
    """Every position of two heaps of 25 has the outcome that the closed form says."""
    solution = zermelo.solve(Wythoff(25))
    game = WythoffsGame()
    for position in combinations_with_replacement(range(26), 2):
        assert (solution[Two(*position)].outcome is WIN) != game.loses(position)


def test_large_positions():
    """Closed forms answer for numbers of any size, exactly."""
    cold = (6765, 10946)
    assert WythoffsGame().loses(cold)
    assert not WythoffsGame().loses((10**40, 10**40))
    assert MooresNim(2).loses([2**70] * 3)
    assert not MooresNim(2).loses([2**70] * 2)
    assert FibonaccisNim().loses((21, 20))
    assert not FibonaccisNim().loses((20, 19))
    assert FibonaccisNim().best((20, 19)) == [(18, 4)]
    assert EuclidsGame().loses((61 * 10**30, 98 * 10**30))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: MooresNim(0), "give 1 or more"),
        (lambda: MooresNim(1).loses([-1]), "is not the size of a heap"),
        (lambda: WythoffsGame().loses((1, 2, 3)), "give a pair"),
        (lambda: EuclidsGame().best((1,)), "give a pair"),
        (lambda: ChompBar().loses((1, 2)), "must descend"),
        (lambda: FibonaccisNim().loses((1.5, 2)), "is not the size of a heap"),
    ],
    ids=["none", "negative", "three", "one", "upside-down", "half"],
)
def test_what_is_no_position_is_refused(ask, said):
    """A sentence says what a position is."""
    with pytest.raises(ParameterError, match=said):
        ask()
