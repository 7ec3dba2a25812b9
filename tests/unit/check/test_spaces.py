"""What ``check`` says of spaces with descriptors and of ``legal``, and wrong descriptors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
from zermelo import Disjoint, Game, ParameterError, Permutation, RulesError, Squares, Subsets


class Pair(NamedTuple):
    """Two numbers."""

    one: int
    other: int


@dataclass(frozen=True)
class Steps(Game):
    """Two tokens on a row step to the right, from 0 and 2."""

    cells: int

    def start(self):
        return Pair(0, 2)

    def moves(self, pair):
        if pair.one + 2 < self.cells:
            yield 2

    def play(self, pair, step):
        return Pair(pair.other, pair.one + step)

    def space(self):
        each = Squares(self.cells)
        return Pair(each, each)


class Alone(Steps):
    """The same with a space that says nothing of two tokens."""

    def space(self):
        return Pair(range(self.cells), range(self.cells))


class Shy(Alone):
    """Tokens that may not meet, and do."""

    def legal(self, pair):
        return pair.one != pair.other


def kinds(game):
    """Return the kinds of errors that check finds."""
    return {problem.kind for problem in zermelo.check(game).problems if problem.severity == "error"}


def test_a_position_that_a_descriptor_does_not_allow_is_named():
    """Tokens on one square are not what Squares allow."""
    report = zermelo.check(Steps(9))
    assert "space" in kinds(Steps(9))
    assert "is not what the Squares in space() allows" in str(report)
    assert not kinds(Alone(9))


def test_moves_to_positions_that_are_not_legal_are_named():
    """A move from a legal position leads to a legal one."""
    assert kinds(Shy(9)) == {"legal"}
    assert "which legal() refuses" in str(zermelo.check(Shy(9)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Subsets(5, 6),
        lambda: Subsets([1, 1]),
        lambda: Disjoint(64),
        lambda: Disjoint(5, (2, "two")),
        lambda: Squares(0),
        lambda: Permutation(1.5),
        lambda: Disjoint([-1, 2]),
    ],
    ids=["too many", "twice", "too wide", "no number", "none", "half", "below zero"],
)
def test_descriptors_that_describe_nothing_are_refused(make):
    """A mistake in a descriptor is said when it is made."""
    with pytest.raises(ParameterError):
        make()


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (Pair(Disjoint(5, (2, 2)), range(3)), "2 counts for one integer"),
        (Permutation(3), "a Permutation of 3 numbers for 2 integers"),
        (Subsets(4), "one Subsets for 2 integers"),
        (Squares(1), "2 pieces on 1 squares"),
        (Disjoint(3, (2, 2)), "no way to put"),
    ],
    ids=["counts", "permutation", "subsets", "squares", "crowded"],
)
def test_descriptors_that_do_not_fit_their_fields_are_refused(space, message):
    """A descriptor for another number of fields is the fault of ``space``."""

    class Wrong(Steps):
        def space(self):
            return space

    with pytest.raises(RulesError, match=message):
        zermelo.solve(Wrong(9))
