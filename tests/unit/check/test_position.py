"""Broken rules whose fault shows at one position."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import NamedTuple

import pytest

from support.games.small_games import Heap, Ring, Spot, fault, hint


class Pits(NamedTuple):
    """A number, and a row of three."""

    hand: int
    row: tuple[int, int, int]


class Sown(Heap):
    """A row of pits that are filled one after another."""

    def start(self):
        return Pits(3, (0, 0, 0))

    def moves(self, pits):
        return range(pits.hand)

    def play(self, pits, pit):
        row = tuple(n + (i == pit) for i, n in enumerate(pits.row))
        return Pits(pits.hand - 1, row)  # type: ignore[arg-type]


class Other(NamedTuple):
    """Not a Spot, but as long as one."""

    place: int
    turn: int


def test_play_that_cannot_take_a_move():
    """A move that play raises on is one that moves should not have yielded."""

    class Eager(Heap):
        def moves(self, left):
            return range(1, 4)

        def play(self, left, taken):
            if taken > 2:
                raise ValueError("too many")
            return max(left - taken, 0)

    problem = fault(Eager, "play")
    assert problem.position == 7
    assert problem.message.startswith(
        "moves(7) yields 3, which play() cannot take: play(7, 3) raised ValueError: too many (line "
    )
    assert problem.message.endswith("of test_position.py); yield only what play() can take")


def test_play_that_returns_nothing():
    """A play that forgets its return is told so."""

    class Forgetful(Heap):
        def play(self, left, taken):
            left - taken

    assert fault(Forgetful, "position").message == (
        "play(7, 1) returned None; return the position after the move"
    )


@pytest.mark.parametrize("other", [tuple, list, Other], ids=lambda kind: kind.__name__)
def test_play_that_returns_another_class(other):
    """A position stays of the class that start gives it."""

    class Changing(Ring):
        def play(self, spot, steps):
            return other(*_pair(spot, steps))

    _pair = (
        (lambda spot, steps: ((spot.place + steps, 1 - spot.turn),))
        if other in (tuple, list)
        else (lambda spot, steps: (spot.place + steps, 1 - spot.turn))
    )
    assert fault(Changing, "position").message == (
        f"play(Spot(place=0, turn=0), 1) returned {other(*_pair(Spot(0, 0), 1))!r}, a "
        f"{other.__name__}; return a Spot"
    )


def test_play_that_gives_a_fraction():
    """A field is a whole number."""

    class Fractional(Ring):
        def play(self, spot, steps):
            return Spot(spot.place + steps / 2, 1 - spot.turn)

    assert fault(Fractional, "position").message == (
        "play(Spot(place=0, turn=0), 1) gives place = 0.5, a float; divide with //"
    )


def test_row_that_changes_its_length():
    """A row of a position keeps its length."""

    class Growing(Sown):
        def play(self, pits, pit):
            return Pits(pits.hand - 1, (*pits.row, pit))

    assert fault(Growing, "position").message == (
        "play(Pits(hand=3, row=(0, 0, 0)), 0) gives row = (0, 0, 0, 0), a tuple of 4; make it a "
        "tuple of 3, as in start()"
    )


def test_row_that_becomes_a_list():
    """A row of a position stays a tuple."""

    class Listing(Sown):
        def play(self, pits, pit):
            return Pits(pits.hand - 1, list(pits.row))  # type: ignore[arg-type]

    assert fault(Listing, "position").message == (
        "play(Pits(hand=3, row=(0, 0, 0)), 0) gives row = [0, 0, 0], a list; make it a tuple of 3, "
        "as in start()"
    )


def test_field_past_64_bits():
    """A field that outgrows 64 bits is named, with the move that makes it."""

    class Growing(Heap):
        def start(self):
            return 1

        def moves(self, left):
            return [1]

        def play(self, left, taken):
            return left << 21

    problem = fault(Growing, "width")
    assert problem.position == 1 << 42
    assert problem.message == (
        f"play({1 << 42}, 1) gives the position = {1 << 63}, past 64 bits; keep below 2**63, or "
        "split it over two fields"
    )


def test_field_past_the_bits_it_has():
    """Where many fields share 256 bits, one that needs more than its share is told of space."""

    class Row(NamedTuple):
        a: int
        b: int
        c: int
        d: int
        e: int

    class Crowded(Heap):
        def start(self):
            return Row(1, 0, 0, 0, 0)

        def moves(self, row):
            return [1]

        def play(self, row, taken):
            return row._replace(a=row.a << 8)

    assert fault(Crowded, "width").message.endswith(
        "gives a = 4294967296, outside -2147483648 to 2147483647, which is what 32 bits hold; "
        "declare space(), one range per field"
    )


def test_space_too_small():
    """A field that leaves its range is named with the range, even where its bits hold it."""

    class Tight(Ring):
        def space(self):
            return Spot(range(5), range(2))

    problem = fault(Tight, "space")
    assert problem.position == Spot(3, 0)
    assert problem.message == (
        "play(Spot(place=3, turn=0), 2) gives place = 5, outside range(0, 5), which is what "
        "space() gives it; widen that range"
    )


def test_space_of_another_shape():
    """A space has a range for each field."""

    class Mistaken(Ring):
        def space(self):
            return (range(6),)

    assert fault(Mistaken, "space").message == (
        "space() returned (range(0, 6),); return one range per field: place, turn"
    )


@pytest.mark.parametrize("outcome", [True, 1.0, 2, "win"], ids=repr)
def test_strange_outcome(outcome):
    """An outcome is WIN, DRAW, LOSS or None, and nothing that is merely equal to one."""

    class Strange(Heap):
        def outcome(self, left):
            return outcome if left == 0 else None

    problem = fault(Strange, "outcome")
    assert problem.position == 0
    assert problem.message == (
        f"outcome(0) returned {outcome!r}; return WIN, DRAW or LOSS for the player to move, or "
        "None while the game goes on"
    )


def test_strange_winner():
    """A winner is a player's number, not a name."""

    class Strange(Ring):
        def winner(self, spot):
            return self.players[1 - spot.turn] if spot.place == 5 else None

    assert fault(Strange, "winner").message == (
        "winner(Spot(place=5, turn=1)) returned 'red'; return 0, 1 or NOBODY, or None while the "
        "game goes on"
    )


def test_strange_turn():
    """A turn is 0 or 1."""

    class Strange(Ring):
        def turn(self, spot):
            return spot.turn + 1

    assert fault(Strange, "turn").message == (
        "turn(Spot(place=1, turn=1)) returned 2; return 0 or 1, as only games of two "
        "players are solved"
    )


def test_moves_that_return_nothing():
    """A moves without yield or return is told so."""

    class Moveless(Heap):
        def moves(self, left):
            range(1, left)

    assert fault(Moveless, "moves").message == (
        "moves(7) returned None; yield each move, or return a list of them"
    )


def test_moves_that_are_text():
    """A move is a number or a tuple of them."""

    class Worded(Heap):
        def moves(self, left):
            yield "one"

    assert fault(Worded, "moves").message == (
        "moves(7) yields 'one', a str; make each move a whole number, or a tuple of them"
    )


def test_moves_that_never_end():
    """A generator that yields for ever is cut off."""

    class Endless(Heap):
        def moves(self, left):
            yield from count()

    assert fault(Endless, "endless").message == (
        "moves(7) yields more than 1,048,576 moves; check that its loops end"
    )


def test_rule_that_does_not_return():
    """A loop that never ends is stopped, also where it catches every exception."""

    class Stuck(Heap):
        def play(self, left, taken):
            while True:
                with suppress(Exception):
                    left = left + taken

    problem = fault(Stuck, "endless", seconds=1)
    assert problem.position == 7
    assert problem.message == (
        "play(7, 1) has not returned after 0.5 seconds; check that its loops end"
    )


@pytest.mark.slow
def test_generator_that_does_not_yield():
    """A generator that loops without a yield is stopped too."""

    class Stuck(Heap):
        def moves(self, left):
            while True:
                if left < 0:
                    yield 1

    assert fault(Stuck, "endless", seconds=1).message == (
        "moves(7) has not returned after 0.5 seconds; check that its loops end"
    )


def test_gain_that_is_a_fraction():
    """Points are whole numbers."""

    class Halved(Heap):
        def gain(self, left, taken):
            return taken / 2

    assert fault(Halved, "points").message == (
        "gain(7, 1) returned 0.5; return a whole number of points"
    )


def test_score_past_53_bits():
    """Sums of points fit 64 bits, and a float holds each exactly."""

    class Rich(Heap):
        def score(self, left):
            return 1 << 53

    assert fault(Rich, "points").message == (
        f"score(0) returned {1 << 53}; points and margins are within ±9,007,199,254,740,991, so "
        "divide all points by a common factor"
    )


def test_move_that_comes_twice(monkeypatch):
    """A move that is yielded twice gets a hint, as it does no harm."""

    class Repeating(Heap):
        def moves(self, left):
            return [1, 1] if left else []

    assert hint(Repeating, "repeated", monkeypatch).message == (
        "moves(7) yields 1 more than once, which costs time and changes nothing; yield each move "
        "once"
    )


def test_moves_that_are_positions(monkeypatch):
    """Moves that are positions get a hint, as they cannot be named."""

    class Positional(Ring):
        def moves(self, spot):
            for steps in (1, 2):
                yield Spot((spot.place + steps) % 6, 1 - spot.turn)

        def play(self, spot, move):
            return move

    assert hint(Positional, "positions", monkeypatch).message == (
        "moves(Spot(place=0, turn=0)) yields positions; yield what the player chooses, so that "
        "moves can be named, and let play() make the position of it"
    )
