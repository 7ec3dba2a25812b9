"""Rules that make nothing to be freed are compiled without counting; all others with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from zermelo import Game


@dataclass(frozen=True)
class Walk(Game):
    """A token on a graph, by rules that only read rows."""

    rows: Any = ((1, 2), (2,), ())

    def start(self):
        return 0

    def moves(self, node):
        for other in self.rows[node]:
            yield other

    def play(self, node, other):
        return other


class Listing(Walk):
    """The same by a list."""

    def moves(self, node):
        found = [other for other in self.rows[node] if other > node]
        return sorted(found)


class Handing(Walk):
    """The same by a helper that returns a row, which shows only when it is compiled."""

    def neighbours(self, node):
        return self.rows[node]

    def moves(self, node):
        for other in self.neighbours(node):
            yield other


class Failing(Walk):
    """The same with a check of its own."""

    def play(self, node, other):
        if other > 1:
            raise ValueError("too far")
        return other


@pytest.mark.slow
def test_the_rules_give_the_same_either_way() -> None:
    """All forms of the rules are one game, with what is freed and without."""
    for game in (Walk(), Listing(), Handing()):
        found = {p: (int(v.outcome), v.remoteness) for p, v in zermelo.solve(game).items()}
        assert found == oracle.solve(game)


def test_errors_of_rules_without_counting_are_told_as_ever() -> None:
    """A rule may raise; the message names the rule and the position."""
    with pytest.raises(zermelo.RulesError, match=r"play\(\) raised ValueError: too far at 0"):
        zermelo.solve(Failing())
