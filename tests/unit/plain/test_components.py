"""Small games whose positions are split into components: all that is asked of them, and sums."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import ParameterError
from zermelo.games import Kayles


def test_components_are_no_whole_positions():
    """There is no analysis of them, nor a data set."""
    solution = zermelo.solve(Kayles(7), value="nimber")
    for ask in (solution.analyse, lambda: list(solution.dataset().batches(10))):
        with pytest.raises(ParameterError, match="only components were solved, and there are no"):
            ask()
