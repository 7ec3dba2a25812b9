"""Points and margins past what numbers hold exactly: they are refused, and never wrap around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
from support.games.strategies import OwnedScoreGame
from support.sizes import but
from zermelo import Game, RulesError
from zermelo.rules.hooks import Rules
from zermelo.values.scores import LARGEST_SCORE

HUGE = (5 * 10**18, 1, 5 * 10**18, 7)
SAID = "points and margins are within ±9,007,199,254,740,991, so divide all points by a common"


class Coins(NamedTuple):
    """The coins that are left in a row."""

    left: int
    right: int


@dataclass(frozen=True)
class CoinRow(Game):
    """Take a coin from either end of a row; the game of the guide."""

    coins: tuple[int, ...]

    def start(self) -> Coins:
        """All coins are left."""
        return Coins(0, len(self.coins))

    def moves(self, row: Coins):
        """Yield both ends."""
        if row.left < row.right:
            yield 0
            yield 1

    def play(self, row: Coins, end: int) -> Coins:
        """Take a coin."""
        return Coins(row.left + 1, row.right) if end == 0 else Coins(row.left, row.right - 1)

    def gain(self, row: Coins, end: int) -> int:
        """Return what the coin is worth."""
        return self.coins[row.left] if end == 0 else self.coins[row.right - 1]

    def level(self, row: Coins) -> int:
        """Return how many coins are gone."""
        return row.left - row.right


@pytest.mark.parametrize("method", but([None, "plain", "score", "levels"], "levels"))
def test_a_gain_too_large_is_named(method):
    """The message has the move, the position and what to do; there was no error, and score +6."""
    with pytest.raises(RulesError, match=rf"gain\(Coins\(left=0, right=4\), 0\) .*{SAID}"):
        zermelo.solve(CoinRow(HUGE), method=method)


@pytest.mark.parametrize("method", but([None, "plain", "score", "levels"], "levels"))
def test_a_margin_too_large_is_named(method):
    """Each gain fits; the position is one whose successors all have margins that fit."""
    coins = (0,) * 5 + (LARGEST_SCORE, -9, 3)
    with pytest.raises(
        RulesError, match=rf"margin 9,007,199,254,741,000 at Coins\(left=5, right=7\); {SAID}"
    ):
        zermelo.solve(CoinRow(coins), method=method)
    largest = zermelo.solve(CoinRow((4, LARGEST_SCORE - 5, -1)), method=method)
    assert largest[Coins(0, 2)].score == LARGEST_SCORE - 9
    assert largest.verify()


def test_the_plain_certificate_has_limits_of_its_own():
    """Python does not wrap around, but other parts that read the margins would."""
    solution = zermelo.solve(CoinRow((1, 2)), method="plain")
    solution._solved.table.column.stored[0] = LARGEST_SCORE + 1
    assert "points and margins are within ±9,0" in solution.verify().problem


def test_a_sample_that_is_passed_over_misses_no_gain():
    """Compiled rules raise the error, where Python was not asked about the position."""
    zermelo.solve(CoinRow((1,) * 40))
    coins = (1,) * 20 + HUGE + (1,) * 16
    with pytest.raises(RulesError, match=f"returned 5000000000000000000; {SAID}"):
        zermelo.solve(CoinRow(coins))


def test_check_reports_margins_too_large():
    """Python does not wrap around, and neither does what is compiled agree with it silently."""
    assert SAID in str(zermelo.check(CoinRow(HUGE)))
    report = zermelo.check(CoinRow((LARGEST_SCORE, 1, LARGEST_SCORE, 7)))
    assert not report
    assert f"the margin at Coins(left=0, right=4) is 18,014,398,509,481,974; {SAID}" in str(report)


@pytest.mark.parametrize("endless", [LARGEST_SCORE + 1, -(1 << 63), 1 << 70])
def test_endless_play_worth_too_much_is_refused(endless):
    """The attribute is read before anything is compiled."""

    class Endless(OwnedScoreGame):
        pass

    Endless.endless = endless
    with pytest.raises(RulesError, match=SAID):
        Rules(Endless(((0,),), ((0,),), (0,), (0,), (0,)))


@pytest.mark.slow
@pytest.mark.compiled
def test_unknown_scores_stay_unknown_in_proofs():
    """A gain was added to the least score of all, and made a bound of what nothing was known."""
    rows, owners = ((1, 3), (2,), (), ()), (0, 1, 0, 0)
    game = OwnedScoreGame(rows, ((300_000, 0), (500_000,), (), ()), (0, 0, 0, 0), owners, (0,))
    assert zermelo.prove(game).value.score == 0
    far = OwnedScoreGame(rows, ((10**6, 0), (2 * 10**6,), (), ()), (0, 0, 0, 0), owners, (0,))
    with pytest.raises(RulesError, match="scores of 524,287 points or more"):
        zermelo.prove(far)
