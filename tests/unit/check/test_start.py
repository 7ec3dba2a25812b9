"""Broken starts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from support.games.small_games import Heap, Ring, fault


def test_start_that_is_a_plain_tuple():
    """A start has to have named fields."""

    class Plain(Heap):
        def start(self):
            return (7, 0)

    assert fault(Plain, "start").message == (
        "start() returned the plain tuple (7, 0); make positions a NamedTuple, so that their "
        "fields have names"
    )


def test_start_that_cannot_be_hashed():
    """A start may hold no list."""

    class Pits(NamedTuple):
        hand: int
        row: tuple[int, int, int]

    class Listed(Heap):
        def start(self):
            return Pits(3, [0, 0, 0])  # type: ignore[arg-type]

    message = fault(Listed, "start").message
    assert message.startswith("start() has row = [0, 0, 0], a list; make it a whole number, or a ")


def test_start_that_raises():
    """A start that raises is reported with the line that did."""

    class Failing(Heap):
        def start(self):
            return 7 // 0

    message = fault(Failing, "raises").message
    assert message.startswith("start() raised ZeroDivisionError: integer division or modulo by ")
    assert message.endswith("of test_start.py); correct it")


def test_no_starts():
    """Several starts are at least one."""

    class Startless(Heap):
        def starts(self):
            return []

    message = "starts() returned no position; return at least one"
    assert fault(Startless, "start").message == message


def test_start_that_is_not_the_first():
    """The start comes first among the starts."""

    class Disordered(Heap):
        def starts(self):
            return [5, 7]

    assert fault(Disordered, "start").message == (
        "start() returned 7, but starts() begins with 5; let starts() give the start first"
    )


def test_starts_of_the_wrong_width():
    """An array of starts has a column for each number of a position."""

    class Wide(Ring):
        def starts(self):
            return np.zeros((4, 3), np.int64)

    assert fault(Wide, "start").message == (
        "starts() returned an array with 3 numbers a row; give 2, one for each number of "
        "Spot(place, turn)"
    )
