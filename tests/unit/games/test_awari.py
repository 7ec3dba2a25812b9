"""Awari and Oware against rules on one ring of pits, and the margins of an independent program."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

import zermelo
from facts import rows
from support.sizes import counts
from zermelo import ParameterError, PositionError
from zermelo.games import Awari, Oware
from zermelo.games.sowing.awari import Houses, spread

FACTS = rows("awari")
KINDS = {"awari": Awari, "oware": Oware}
#: One by default, as each has rules of its own to compile.
each_kind = pytest.mark.parametrize(
    "name", ["awari", pytest.param("oware", marks=pytest.mark.slow)]
)


class Ring:
    """Awari on a ring of pits, the mover's first; a move is the ring after it and what is won."""

    def __init__(self, pits: int, *, slam: bool) -> None:
        self.pits, self.slam = pits, slam

    def moves(self, ring: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        """Return what each move leads to, seen by the next player, and what it captures."""
        found = []
        for pit in range(self.pits):
            if ring[pit]:
                after, won = self.move(ring, pit)
                if any(ring[self.pits :]) or any(after[: self.pits]) or won:
                    found.append((after, won))
        return found

    def move(self, ring: tuple[int, ...], pit: int) -> tuple[tuple[int, ...], int]:
        """Sow a pit."""
        board = list(ring)
        hand, board[pit] = board[pit], 0
        others = [k % len(ring) for k in range(pit + 1, pit + len(ring))]
        for k in range(hand):
            board[others[k % len(others)]] += 1
        last = others[(hand - 1) % len(others)]
        prey = []
        while last >= self.pits and board[last] in (2, 3):
            prey.append(last)
            last -= 1
        won = sum(board[k] for k in prey)
        if not self.slam and won == sum(board[self.pits :]):
            prey, won = [], 0
        for k in prey:
            board[k] = 0
        return tuple(board[self.pits :] + board[: self.pits]), won


def margins(rules: Ring, stones: int) -> dict[tuple[int, ...], int]:
    """Return all margins of so many stones and fewer, number by number, threshold by threshold."""
    known: dict[tuple[int, ...], int] = {}
    for count in range(stones + 1):
        rings = [r for r in map(tuple, spread(count, 2 * rules.pits).tolist()) if sum(r) == count]
        moves = {ring: rules.moves(ring) for ring in rings}
        found = {r: sum(r[: rules.pits]) - sum(r[rules.pits :]) for r in rings if not moves[r]}
        ends = dict(found)
        for least in range(count, 0, -1):
            for ring, side in sides(moves, ends, known, least).items():
                found.setdefault(ring, side * least)
        known |= {ring: found.get(ring, 0) for ring in rings}
    return known


def sides(moves: Any, ends: Any, known: Any, least: int) -> dict[tuple[int, ...], int]:
    """Return 1 where the mover can be sure of so much, and -1 where the other player can.

    They are found in rounds, so that nobody makes play that never ends count for anything.
    """

    def side(margin: int) -> int:
        return (margin >= least) - (margin <= -least)

    sure = {ring: side(margin) for ring, margin in ends.items() if side(margin)}
    while True:
        news = {}
        for ring in moves.keys() - sure.keys() - ends.keys():
            worths = [
                side(won - known[child]) if won else -sure.get(child, 0)
                for child, won in moves[ring]
            ]
            if max(worths):
                news[ring] = max(worths)
        if not news:
            return sure
        sure |= news


def plain(p: Houses) -> tuple[int, ...]:
    """Return a position as a ring."""
    return (*p.mine, *p.theirs)


@counts(1, 4)
@each_kind
def test_margins_are_those_of_rules_on_a_ring(count, name):
    """Every position of boards with few pits, also where stones go round more than once."""
    for pits, stones in ((6, 3), (1, 6), (3, 5), (2, 12))[:count]:
        solution = zermelo.solve(KINDS[name](stones, pits))
        expected = margins(Ring(pits, slam=name == "awari"), stones)
        assert {plain(p): v.score for p, v in solution.items()} == expected
        assert solution.verify()


@counts(3, 6, 10)
@each_kind
def test_margins_by_the_number_of_stones(count, name):
    """Of each number of stones: all positions, who is ahead in how many, and by how much."""
    solution = zermelo.solve(KINDS[name](count))
    arrays = solution.arrays
    stones = arrays.positions.sum(axis=1)
    for row in FACTS:
        if row["rule"] == name and int(row["stones"]) <= count:
            n = int(row["stones"])
            score = arrays.score[stones == n]
            assert len(score) == int(row["positions"]) == comb(n + 11, 11)
            found = [(score > 0).sum(), (score == 0).sum(), (score < 0).sum(), score.sum()]
            assert found == [int(row[key]) for key in ("ahead", "even", "behind", "sum")]
    assert solution.verify()


def test_all_ways_to_spread_stones():
    """So many and fewer, each once."""
    found = spread(4, 3)
    assert len(found) == comb(4 + 3, 3)
    assert len(np.unique(found, axis=0)) == len(found)
    assert set(found.sum(axis=1).tolist()) == set(range(5))
    game = Awari(4, 2)
    assert game.start() == Houses((1, 1), (1, 1))
    assert tuple(game.starts()[0]) == (1, 1, 1, 1)


def after(game, p, pit):
    """Return what a move leads to, and what it captures."""
    return game.play(p, pit), game.gain(p, pit)


def test_twos_and_threes_are_captured_backwards():
    """As far as they go without a gap, and on the opponent's side only."""
    game = Awari(12, 3)
    assert after(game, Houses((0, 1, 3), (3, 2, 1)), 2) == (Houses((4, 0, 0), (0, 1, 0)), 5)
    assert after(game, Houses((0, 1, 3), (2, 3, 1)), 2) == (Houses((3, 4, 0), (0, 1, 0)), 2)
    assert after(game, Houses((1, 1, 0), (2, 0, 0)), 0) == (Houses((2, 0, 0), (0, 2, 0)), 0)


def test_a_grand_slam_takes_all_or_nothing():
    """In Awari it takes what the opponent has; in Oware it leaves everything where it fell."""
    p = Houses((0, 1, 2), (1, 2, 0))
    assert after(Awari(6, 3), p, 2) == (Houses((0, 0, 0), (0, 1, 0)), 5)
    assert after(Oware(6, 3), p, 2) == (Houses((2, 3, 0), (0, 1, 0)), 0)


def test_the_opponent_has_to_be_given_stones():
    """Where a move can; where none can, the game is over, and each keeps the own stones."""
    game = Awari(6, 3)
    assert list(game.moves(Houses((1, 2, 1), (0, 0, 0)))) == [1, 2]
    assert list(game.moves(Houses((1, 1, 0), (0, 0, 0)))) == []
    assert game.score(Houses((1, 1, 0), (0, 0, 0))) == 2
    assert list(game.moves(Houses((0, 0, 0), (0, 2, 0)))) == []
    assert game.score(Houses((0, 0, 0), (0, 2, 0))) == -2


def test_a_pit_that_goes_round_is_left_out():
    """On four pits, the fourth stone of a pit falls past it."""
    assert Awari(4, 2).sown(Houses((4, 0), (0, 0)), 0) == [0, 2, 1, 1, 0]


def test_boards_that_are_none_are_refused():
    """Two rows of pits, with no more stones than there are."""
    game = Awari(6, 2)
    assert game.parse("1 2 / 3 0") == Houses((3, 0), (2, 1))
    with pytest.raises(PositionError, match="is not two rows of 2 pits"):
        game.parse("1 2 3")
    with pytest.raises(PositionError, match="has 7 seeds; write 6 or fewer"):
        game.parse("1 2 / 3 1")


def test_too_many_stones_are_refused():
    """All positions are begun from, and there must not be too many."""
    with pytest.raises(ParameterError, match="20 stones in 12 pits have 225,792,840 positions"):
        Awari(20)
    with pytest.raises(ParameterError, match="pits must be at least 1, not 0"):
        Oware(4, 0)
