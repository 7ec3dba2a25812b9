"""Small games whose positions are split into components: all that is asked of them, and sums."""

from __future__ import annotations

import subprocess
import sys

import pytest

import zermelo
from zermelo import ParameterError
from zermelo.games import Kayles

PROGRAM = """
import sys
import zermelo
from zermelo.games import Domineering, Kayles, TakeAway

solution = zermelo.solve(Kayles(20), value="nimber")
opened = zermelo.open(solution.save("x.table"))
for each in (solution, opened):
    assert each.verify() and each.counts() and each.line() and each.explain()
    assert len(each.arrays.nimber) == 21
    each.export("x.csv", overwrite=True)
whole = zermelo.sum(opened, Kayles(7), TakeAway(21, 3))
assert whole.verify() and whole.line() and whole.explain() and whole.counts()
product = zermelo.sum(Kayles(3), Domineering(2, 2))
assert product.verify() and product.analyse().plays
print(solution.method, "numba" in sys.modules)
"""


def test_components_and_sums_import_no_numba(tmp_path):
    """They are solved, saved, opened, exported, verified and added in Python."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "plain False\n"


def test_components_are_no_whole_positions():
    """There is no analysis of them, nor a data set."""
    solution = zermelo.solve(Kayles(7), value="nimber")
    for ask in (solution.analyse, lambda: list(solution.dataset().batches(10))):
        with pytest.raises(ParameterError, match="only components were solved, and there are no"):
            ask()
