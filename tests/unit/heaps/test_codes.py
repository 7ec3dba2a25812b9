"""Codes of heap games: what they say, how they are written, and what is refused."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from zermelo import ParameterError
from zermelo.heaps import (
    DAWSONS_CHESS,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
    Code,
    Subtraction,
    TakeAndBreak,
)
from zermelo.heaps.codes import parse


def left_of(heap, digit_of, unequal):
    """Return what a move can leave of a heap, by all rows of up to three heaps there are."""
    found = set()
    for count in range(4):
        for heaps in itertools.product(range(1, heap + 1), repeat=count):
            taken = heap - sum(heaps)
            if taken < 0 or (taken == 0 and heaps == (heap,)) or (heap == 0):
                continue
            if unequal and count == 2 and heaps[0] == heaps[1]:
                continue
            if digit_of(taken) >> count & 1:
                found.add(tuple(sorted(heaps, reverse=True)))
    return found


def test_digits_say_what_may_be_left():
    """Any digits, any tail, and unequal halves give what the definition gives, each once."""
    choose = random.Random(1)
    for _ in range(60):
        first = choose.choice([0, 0, 4, 8, 12])
        digits = (first, *(choose.randrange(16) for _ in range(choose.randrange(5))))
        rest = choose.choice([0, 0, choose.randrange(16)])
        code = Code(digits, rest, max((*digits, rest)) < 8 and choose.random() < 0.5)
        for heap in range(9):
            options = list(code.options(heap))
            assert len(options) == len(set(options))
            assert set(options) == left_of(heap, code.digit, code.unequal), (code, heap)


@pytest.mark.parametrize(
    ("written", "shown", "digits", "rest"),
    [
        ("0.137", "0.137", (0, 1, 3, 7), 0),
        (".77", "0.77", (0, 7, 7), 0),
        ("0.7700", "0.77", (0, 7, 7), 0),
        (" 4.007 ", "4.007", (4, 0, 0, 7), 0),
        ("0.3f", "0.3F", (0, 3, 15), 0),
        ("c.8", "C.8", (12, 8), 0),
        ("0.333...", "0.333...", (0,), 3),
        ("0.3…", "0.333...", (0,), 3),
        ("4.3...", "4.333...", (4,), 3),
        ("0.0303...", "0.030333...", (0, 0, 3, 0), 3),
        ("0.", "0.0", (), 0),
        ("0.70...", "0.7", (0, 7), 0),
    ],
)
def test_codes_are_read_and_written(written, shown, digits, rest):
    """A code is written in one way, which reads as the same code."""
    code = parse(written)
    assert (str(code), code.digits, code.rest) == (shown, digits, rest)
    assert parse(shown) == code


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("137", "after a point: write 0.137"),
        ("0,137", "a point between its digits"),
        ("0.13G", "'G' is not a digit"),
        ("-0.7", "'-' is not a digit"),
        ("", "write a digit, a point and more digits"),
        (".", "has no digits"),
        ("...", "is not a code"),
        ("0....", "which digit repeats"),
        ("1.7", "play need not end"),
        ("2.7", "play need not end"),
        ("12.7", "is not a code"),
        ("0.7.7", "is not a code"),
        (0.137, "a code is a text such as '0.137', not 0.137"),
        (None, "put it in quotation marks"),
        ("0." + "1" * 100 + "x", "…"),
    ],
)
def test_what_is_not_a_code_is_refused(written, said):
    """The sentence shows what was given and what to write instead."""
    with pytest.raises(ParameterError, match=r"give|write|put|use") as refused:
        TakeAndBreak(written)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 200


def test_digits_out_of_range_are_refused():
    """A code of numbers is checked like one of text."""
    with pytest.raises(ParameterError, match="16 is not a digit"):
        Code((0, 16))
    with pytest.raises(ParameterError, match="use digits up to 7"):
        Code((0, 8), unequal=True)


def test_sets_are_codes():
    """What may be taken, and what may not, are digits 3; equal games are equal."""
    assert (
        Subtraction(np.array([1, 2]))
        == Subtraction({2, 1})
        == TakeAndBreak("0.33")
        == Subtraction([1, 2, 2])
    )
    assert AllBut({1, 3}) == TakeAndBreak("0.030333...")
    assert hash(AllBut([3, 1])) == hash(AllBut((1, 3)))
    assert Subtraction({1}) != AllBut({1})
    assert [repr(game) for game in (Subtraction({3, 1}), AllBut({2}), KAYLES, NIM)] == [
        "Subtraction({1, 3})",
        "AllBut({2})",
        "TakeAndBreak('0.77')",
        "TakeAndBreak('0.333...')",
    ]
    assert repr(GRUNDYS_GAME) == "GRUNDYS_GAME"


@pytest.mark.parametrize("kind", [Subtraction, AllBut])
@pytest.mark.parametrize("numbers", [set(), {0}, {-1}, {1.5}, {True}, 3, None, {"1"}, {10**9}])
def test_sets_that_are_none_are_refused(kind, numbers):
    """What is not a number of tokens is named, with what to give."""
    with pytest.raises(ParameterError, match="give"):
        kind(numbers)


def test_options_of_known_games():
    """What moves leave of a heap, by hand."""
    assert set(KAYLES.options(3)) == {(2,), (1, 1), (1,)}
    assert set(DAWSONS_CHESS.options(4)) == {(2,), (1,)}
    assert set(DAWSONS_CHESS.options(5)) == {(3,), (2,), (1, 1)}
    assert GRUNDYS_GAME.options(6) == [(5, 1), (4, 2)]
    assert GRUNDYS_GAME.options(2) == []
    assert set(LASKERS_NIM.options(3)) == {(2, 1), (2,), (1,), ()}
    assert set(NIM.options(2)) == {(1,), ()}
    assert NIM.options(0) == []


@pytest.mark.parametrize("heap", [-1, 1.5, "3", None, True])
def test_what_is_no_heap_is_refused(heap):
    """A heap is a whole number of tokens."""
    with pytest.raises(ParameterError, match="is not the size of a heap; give a whole number"):
        KAYLES.options(heap)
