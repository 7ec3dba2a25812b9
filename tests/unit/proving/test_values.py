"""The value of a proof has the type of a solution's value, and equals it when it is known."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo import DRAW, LOSS, WIN, PartialValue, Value
from zermelo.games import ConnectFour, StoneGame, TakeAway, TicTacToe
from zermelo.values.proof_values import PROVED, PROVED_SCORES

#: Values with the words, the outcome, and whether nothing is known.
PARTIAL = [
    (PartialValue((LOSS, WIN)), "unknown", None, True),
    (PartialValue((DRAW, WIN)), "draw or win", None, False),
    (PartialValue((LOSS, DRAW)), "loss or draw", None, False),
    (PartialValue((DRAW, DRAW)), "draw", DRAW, False),
    (PartialValue((WIN, WIN), within=9), "win within 9", WIN, False),
    (PartialValue((LOSS, LOSS), within=8), "loss within 8", LOSS, False),
    (PartialValue((None, None)), "unknown", None, True),
    (PartialValue((0, None)), "score at least +0", None, False),
    (PartialValue((3, None)), "score at least +3", WIN, False),
    (PartialValue((None, -1)), "score at most -1", LOSS, False),
    (PartialValue((-2, 4)), "score at least -2 and at most +4", None, False),
]


@pytest.mark.parametrize(
    ("game", "how"),
    [
        (TakeAway(stones=21), {"remoteness": True}),
        (TakeAway(stones=20, limit=3), {"remoteness": True}),
        (TicTacToe(), {"remoteness": True}),
        (StoneGame([5, 3, 4, 5]), {}),
    ],
    ids=["win", "loss", "tie", "score"],
)
def test_a_known_value_equals_that_of_a_solution(game, how):
    """In the search, along the proof, and as JSON."""
    proof, solution = zermelo.prove(game, **how), zermelo.solve(game)
    assert proof.value == proof[proof.position] == proof.solution.value == solution.value
    assert proof.value.to_json() == solution.value.to_json()
    known = solution.value.score if proof.kind.gains else solution.value.outcome
    assert proof.value.bounds == solution.value.bounds == (known, known)
    assert proof.value.within == solution.value.within == solution.value.remoteness


@pytest.mark.parametrize(("value", "words", "outcome", "unknown"), PARTIAL)
def test_a_value_known_in_part_has_bounds(value, words, outcome, unknown):
    """They determine its outcome; its expression, its JSON and its code stand for it."""
    assert (str(value), value.outcome, value.is_unknown) == (words, outcome, unknown)
    assert (value.remoteness, value.score, value.is_tie, value.is_endless) == (
        None,
        None,
        False,
        False,
    )
    assert eval(repr(value)) == value  # noqa: S307  # of this module's list
    assert Value.from_json(json.loads(json.dumps(value.to_json()))) == value
    kind = (
        PROVED if isinstance(value.bounds[0] or value.bounds[1], zermelo.Outcome) else PROVED_SCORES
    )
    assert kind.decode(kind.encode(value)) == value


def test_a_limit_leaves_a_value_known_in_part():
    """It is a value, of which nothing is known yet; a later search knows it."""
    proof = zermelo.prove(ConnectFour(width=5, height=4), nodes=500, threads=1)
    assert isinstance(proof.value, Value)
    assert proof.value == PartialValue((LOSS, WIN))
    assert proof.line(longest=2).ends == "unproved"
    assert len(proof.line(longest=2)) == 2


def test_a_line_is_cut_or_begins_elsewhere():
    """As that of a solution does."""
    proof = zermelo.prove(TakeAway(stones=21, limit=3), threads=1)
    assert (len(proof.line(longest=3)), proof.line(longest=3).ends) == (3, "cut")
    assert proof.line(4, longest=1).start == 4
