"""The same position with the other player to move: what ``pass_turn`` may return."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.games.small_games import Heap, Ring, Spot, fault, hint, uncompiled
from zermelo import Game, RulesError, check
from zermelo.rules.hooks import Rules


class Mine(NamedTuple):
    """Counters of the player to move, and of the other one."""

    mine: int
    theirs: int


class Counters(Game):
    """Each player has counters, and takes one of them; who has none left loses."""

    def start(self):
        return Mine(3, 2)

    def moves(self, left):
        if left.mine:
            yield 1

    def play(self, left, taken):
        return Mine(left.theirs, left.mine - taken)

    def show(self, left):
        return f"{left.mine} against {left.theirs}"

    def pass_turn(self, left):
        return Mine(left.theirs, left.mine)


class Nested(NamedTuple):
    """A spot inside of something."""

    spot: Spot
    plies: int


class Deep(Ring):
    """A ring whose turn is two levels down, in a position that counts plies as well."""

    def start(self):
        return Nested(Spot(0, 0), 0)

    def turn(self, at):
        return at.spot.turn


class Plies(Ring):
    """A ring on which a place says whose turn it is."""

    def turn(self, spot):
        return spot.place % 2


class Doubled(Ring):
    """A ring whose turn is looked up."""

    def turn(self, spot):
        return (0, 1)[spot.turn]


def test_the_field_that_is_the_turn_is_flipped():
    """Wherever it is, and only where ``turn`` returns it as it is."""
    rules = Rules(Ring())
    assert rules.passes
    assert rules.pass_turn(Spot(3, 0)) == Spot(3, 1)
    assert rules.pass_turn(Spot(3, 1)) == Spot(3, 0)
    assert Rules(Deep()).pass_turn(Nested(Spot(3, 0), 7)) == Nested(Spot(3, 1), 7)
    assert Rules(Counters()).pass_turn(Mine(3, 2)) == Mine(2, 3)


@pytest.mark.parametrize("kind", [Heap, Plies, Doubled])
def test_rules_that_do_not_say_it(kind):
    """A game without turn, or whose turn is worked out, needs the hook."""
    rules = Rules(kind())
    assert not rules.passes
    with pytest.raises(RulesError, match=r"with the other player to move; write pass_turn\(\)"):
        rules.pass_turn(kind().start())


def test_a_hook_that_is_right(monkeypatch):
    """It is asked about positions that cannot be reached, and nothing is said of it."""
    uncompiled(monkeypatch)
    assert check(Counters).problems == ()


def test_a_hook_that_returns_no_position():
    """It has to return a position of the same class."""

    class Other(Counters):
        def pass_turn(self, left):
            return (left.theirs, left.mine)

    message = fault(Other, "position").message
    assert message.startswith("pass_turn(Mine(mine=3, theirs=2)) returned (2, 3), a tuple; return")


def test_a_hook_that_does_not_return():
    """Twice in a row, it changes nothing."""

    class Takes(Counters):
        def pass_turn(self, left):
            return Mine(left.theirs, max(left.mine - 1, 0))

    assert fault(Takes, "passing").message == (
        "pass_turn(Mine(mine=3, theirs=2)) gives Mine(mine=2, theirs=2), and "
        "pass_turn(Mine(mine=2, theirs=2)) Mine(mine=2, theirs=1); it must lead back to "
        "Mine(mine=3, theirs=2)"
    )


def test_a_hook_that_keeps_the_turn():
    """It is the other player's turn then."""

    class Keeps(Ring):
        def pass_turn(self, spot):
            return spot

    assert fault(Keeps, "passing").message == (
        "pass_turn(Spot(place=0, turn=0)) gives Spot(place=0, turn=0), where it is still the turn "
        "of player 0; change whose turn it is, and nothing else"
    )


def test_rules_that_fail_at_what_it_returns():
    """Moves and ends have to be known there."""

    class Strict(Counters):
        def moves(self, left):
            if left == (2, 3):
                raise ValueError("cannot be reached")
            yield from super().moves(left)

    message = fault(Strict, "passing").message
    assert message.startswith(
        "pass_turn(Mine(mine=3, theirs=2)) gives Mine(mine=2, theirs=3), at which the rules fail: "
        "moves(Mine(mine=2, theirs=3)) raised ValueError: cannot be reached (line "
    )
    assert message.endswith("; return a position that they accept")


def test_what_else_it_may_be_called(monkeypatch):
    """A method with another name for it is pointed out."""

    class Other(Heap):
        def null_move(self, left):
            return left

    assert "if you mean pass_turn(), rename" in hint(Other, "misspelt", monkeypatch).message
