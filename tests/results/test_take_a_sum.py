"""Nimbers of Take a Sum, and the totals that OEIS A361457 lists as won."""

from __future__ import annotations

import pytest

import zermelo
from support.results import numbers
from zermelo.games import TakeASum

NIMBERS = {total: (nimber, sets) for total, nimber, sets in numbers("take-a-sum.txt")}
#: The totals that A361457 leaves out, up to 40.
LOST = {1, 2, 5, 9, 13, 18, 22, 25, 31, 32, 39}


def test_lost_totals_are_those_of_others():
    """A nimber of 0 says that the first player loses."""
    assert {total for total, (nimber, _) in NIMBERS.items() if nimber == 0} == {
        total for total in LOST if total in NIMBERS
    }


@pytest.mark.parametrize(
    "totals",
    [
        pytest.param((9, 15, 18), marks=pytest.mark.slow, id="some"),
        pytest.param(sorted(NIMBERS), marks=pytest.mark.huge, id="all"),
    ],
)
def test_nimbers_of_totals(totals):
    """Each nimber, and the number of sets that play comes to, is that of the file, verified."""
    for total in totals:
        solution = zermelo.solve(TakeASum(total), value="nimber", method="nimber")
        assert (solution.value.nimber, len(solution)) == NIMBERS[total]
        assert solution.verify()
