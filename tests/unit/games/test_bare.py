"""Every game of the zoo without parameters: it is there, and it is soon solved."""

from __future__ import annotations

import pytest

import zermelo
from support.sizes import but
from zermelo import limits
from zermelo.games import zoo
from zermelo.rules.hooks import Rules

#: Positions (or classes of equivalent ones) that are solved in about a second.
_SOON = 4_000_000


@pytest.fixture(autouse=True)
def _plain_seconds():
    """Explore in plain Python no longer than users do."""
    with limits.using(plain_seconds=limits.Limits().plain_seconds):
        yield


@pytest.mark.parametrize("name", sorted(zoo()))
def test_every_game_has_defaults(name):
    """So that ``zermelo solve NAME`` needs nothing else."""
    assert Rules(zoo()[name]()).starts()


@pytest.mark.parametrize("name", but(sorted(zoo()), *(zoo().keys() - {"tic-tac-toe"})))
def test_every_game_is_soon_solved(name):
    """The defaults are for those who try it, and want an answer."""
    kind = zoo()[name]
    published = [
        fact.positions
        for fact in kind.facts
        if fact.checked and fact.positions and kind(**fact.parameters) == kind()
    ]
    if not published or min(published) > _SOON:  # else test_zoo.py compares the fact
        assert len(zermelo.solve(kind())) <= _SOON
