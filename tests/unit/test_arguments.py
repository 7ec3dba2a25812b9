"""What callers give that is none of what was asked for: an error of Zermelo's, in one sentence."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import ParameterError, PositionError, RulesError
from zermelo.games import TakeAway

HEAP = TakeAway(stones=4)

#: What is called with a solution, and what is said of it.
GIVEN = {
    "horizon": (
        lambda _: zermelo.solve(HEAP, method="horizon", horizon="far"),
        ParameterError,
        "horizon must be a whole number of at least 0, not 'far'",
    ),
    "progress-as-a-switch": (
        lambda _: zermelo.solve(HEAP, progress=False),
        ParameterError,
        "progress=False cannot be called; give a function or None",
    ),
    "name-of-a-game": (
        lambda _: zermelo.solve("tic-tac-toe"),
        RulesError,
        r"expected a Game, such as zermelo.games.TicTacToe\(\), not 'tic-tac-toe'",
    ),
    "one-position-for-many": (
        lambda solution: solution.probe_many(4),
        PositionError,
        "expected many positions of TakeAway, not 4; give a list",
    ),
    "blunders": (
        lambda solution: solution.analyse(blunders=5),
        ParameterError,
        r"blunders=5 is not a list of percentages; give one such as \(5, 20\)",
    ),
    "name-for-a-game": (
        lambda solution: zermelo.open(solution.save("heap.table"), "take-away"),
        ParameterError,
        "game='take-away' is not a game; give a Game, or its class",
    ),
    "positions-to-check": (
        lambda _: zermelo.check(HEAP, max_positions="all"),
        ParameterError,
        "positions must be a whole number of at least 1, not 'all'",
    ),
    "text-for-a-graph": (
        lambda _: zermelo.pursuit("[[1], [0]]"),
        ParameterError,
        "a list of lists of nodes, .*, not str; give one of these",
    ),
}


@pytest.fixture(scope="module")
def solution():
    """A heap of four."""
    return zermelo.solve(HEAP)


@pytest.mark.parametrize("given", GIVEN)
def test_what_was_not_asked_for_is_told(solution, tmp_path, monkeypatch, given):
    """With what it was and what to give."""
    monkeypatch.chdir(tmp_path)
    call, kind, says = GIVEN[given]
    with pytest.raises(kind, match=says):
        call(solution)
