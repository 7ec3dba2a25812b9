"""Published values of boards too large for a test to solve, proved from their start."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import zoo

#: Games with the parameters of a fact, which they list with its source.
PROVED = [
    ("kalah", {"pits": 6, "seeds": 2}),
    ("kalah", {"pits": 5, "seeds": 3}),
    ("cram", {"rows": 5, "columns": 6}),
    ("connect-four", {"width": 4, "height": 7}),
    ("gobblet-gobblers", {"each": 2}),
    ("domineering", {"rows": 6, "columns": 6}),
    ("dots-and-boxes", {"rows": 3, "columns": 3}),
]
#: Those that take minutes.
LONG = [("connect-four", {"width": 7, "height": 6})]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [pytest.param(*each, marks=pytest.mark.slow) for each in PROVED]
    + [pytest.param(*each, marks=pytest.mark.huge) for each in LONG],
)
def test_the_proof_is_as_published(name, parameters):
    """The value is that of the fact, and so is the margin where there is one."""
    kind = zoo()[name]
    fact = next(fact for fact in kind.facts if dict(fact.parameters) == parameters)
    proof = zermelo.prove(kind(**parameters), memory="4GB")
    if fact.score is not None:
        assert proof.value == fact.score
    else:
        assert str(proof) == {"tie": "draw"}.get(fact.value, fact.value)
