"""Parameters at the ends of their types, and of types that are none: a value or a sentence."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from support.sizes import some
from zermelo import Game, ParameterError, ZermeloError


@dataclass(frozen=True)
class Rowed(Game):
    """A countdown along a row of numbers."""

    row: tuple[int, ...]

    def start(self):
        """All of the row is left."""
        return len(self.row)

    def moves(self, left):
        """Take one number, unless it is seven."""
        if left > 0 and self.row[left - 1] != 7:
            yield 1

    def play(self, left, step):
        """One less is left."""
        return left - step


@dataclass(frozen=True)
class Nested(Game):
    """A countdown along rows of numbers."""

    rows: tuple[tuple[int, ...], ...]

    def start(self):
        """All of the rows are left."""
        return len(self.rows)

    def moves(self, left):
        """Take one row by as many moves as it has numbers that are not seven."""
        if left > 0:
            for number in self.rows[left - 1]:
                if number != 7:
                    yield 1

    def play(self, left, step):
        """One less is left."""
        return left - step


#: What somebody may give for a row, or for rows; by far not all of it makes sense.
GIVEN = {
    "empty": (),
    "zero": (0,),
    "minus one": (-1, 2),
    "the largest": (2**63 - 1, 1),
    "the smallest": (-(2**63), 1),
    "past the largest": (2**63, 1),
    "past the smallest": (1, -(2**63) - 1),
    "far past": [1, 2**70],
    "unsigned": np.array([2**64 - 1], np.uint64),
    "bytes": np.array([1, 255], np.uint8),
    "no numbers": np.array([]),
    "fractions": np.array([1.5]),
    "an array of texts": np.array(["a"]),
    "an array of objects": np.array([None]),
    "without dimensions": np.array(3),
    "a matrix": np.zeros((2, 0), int),
    "empty rows": ((), ()),
    "ragged": [[1], [2, 3], []],
    "ragged in depth": [1, [2]],
    "too deep": [[[1], []], [[2]]],
    "rows far past": [[1], [2**70]],
    "a fraction": [1.5],
    "not a number": [float("nan")],
    "truth": [True, False],
    "nothing": [None],
    "text": "ab\0é😀",
    "texts": ["a", "bc"],
    "a set": {1, 2},
    "a graph": {0: [1], 1: [0]},
    "a range": range(3),
    "something": [object()],
}


@pytest.mark.parametrize("kind", some([Rowed, Nested], 2))
@pytest.mark.parametrize("given", some(GIVEN, 6))
def test_parameters_are_taken_or_refused_in_a_sentence(kind, given):
    """No value of a parameter ends in an error of Python's or NumPy's own."""
    for act in (zermelo.solve, zermelo.check):
        with suppress(ZermeloError):
            act(kind(GIVEN[given]))


@pytest.mark.parametrize("given", [(2**63, 1), (1, -(2**63) - 1), [1, 2**70]])
def test_numbers_past_64_bits_name_their_parameter(given):
    """Rows are handed to compiled rules as they are, and 64 bits hold each number."""
    with pytest.raises(ParameterError, match=r"row of Rowed holds a number past 64 bits; use sm"):
        zermelo.solve(Rowed(given))
    assert str(zermelo.solve(Rowed((2**63 - 1, -(2**63)))).value) == "loss in 2"
