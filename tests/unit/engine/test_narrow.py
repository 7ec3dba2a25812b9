"""Narrow layers that a kernel expands together: the graph is the same as one layer at a time."""

from __future__ import annotations

from dataclasses import dataclass
from unittest import mock

import numpy as np
import pytest

import zermelo
from support.games.strategies import OwnedScoreGame, WinnerGame, random_games, random_score_games
from zermelo import Game, RulesError
from zermelo._compile.rules import compile_rules
from zermelo._engine.certificate import order
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand import discovery
from zermelo._engine.expand.graph_memory import GraphMemory
from zermelo.games import TicTacToe
from zermelo.progress import Reporter
from zermelo.values.score_and_plies import TIMED_SCORES

ARRAYS = ("keys", "first", "edges", "values", "owners", "gains")


@dataclass(frozen=True)
class Countdown(Game):
    """Take one or, from multiples of seven, two; a wrong rule may stand anywhere."""

    top: int
    wrong: int = -1

    def start(self) -> int:
        """Nothing is taken."""
        return self.top

    def moves(self, left: int):
        """Yield how many to take."""
        if left:
            yield 1
        if left > 1 and left % 7 == 0:
            yield 2

    def play(self, left: int, taken: int) -> int:
        """Take some."""
        return left - taken

    def outcome(self, left: int):
        """Return what is no outcome at one position."""
        return 5 if left == self.wrong else None


def explored(game, patience, monkeypatch, kind=None, allowed=None):
    """Return the graph of a game, whose layers go together once so many were narrow."""
    monkeypatch.setattr(discovery, "PATIENCE", patience)
    compiled = compile_rules(game)
    compiled = compiled.valued(kind or compiled.kind)
    compiled = compiled.folded() if compiled.rules.foldable else compiled
    layout = compiled.words, compiled.kind, compiled.alternate
    budget = GraphMemory(Ledger.of(allowed), *layout)
    return discovery.explore(compiled, compiled.start_words(), budget, 1, Reporter())


def assert_same(game, monkeypatch, **how):
    """Compare the graphs of a game with and without layers together."""
    one, other = (explored(game, patience, monkeypatch, **how) for patience in (1 << 40, 3))
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), (game, name)
    rest = ("positions", "starts", "forward", "layers", "layered", "whole")
    assert [getattr(one, name) for name in rest] == [getattr(other, name) for name in rest]


def test_narrow_layers_give_the_same_graph(monkeypatch):
    """Games of a token have turns, gains, circles and layers of every width."""
    for game in random_games(3, 60, kinds=(WinnerGame,), vertices=120):
        assert_same(game, monkeypatch)
    for game in random_score_games(4, 30, kinds=(OwnedScoreGame,)):
        assert_same(game, monkeypatch)
        assert_same(game, monkeypatch, kind=TIMED_SCORES)


def test_layers_grow_wide_and_narrow_again(monkeypatch):
    """Positions of tic-tac-toe are folded by symmetries, and one layer has 1,680 of them."""
    assert_same(TicTacToe(), monkeypatch)


def test_a_long_chain_goes_through_many_calls(monkeypatch):
    """It has more layers and positions than one call takes; little memory is kept to."""
    assert_same(Countdown(40_000), monkeypatch)
    game = Countdown(30_000)
    assert_same(game, monkeypatch, allowed=1_200_000)
    assert not explored(game, 3, monkeypatch, allowed=1_200_000).whole


def test_a_chain_in_a_file_is_verified_together(tmp_path):
    """Places nearby are checked with the one that waits; each position and move counts once."""
    solution = zermelo.solve(Countdown(3_000))
    opened = zermelo.open(solution.save(tmp_path / "chain.table"), solution.game)
    following = order.QueueOrder.next
    with mock.patch.object(order.QueueOrder, "next", autospec=True, side_effect=following) as next_:
        found = opened.verify()
    assert found
    assert found.moves == solution.verify().moves
    assert next_.call_count < 400


def test_a_wrong_rule_in_a_chain_is_named(monkeypatch):
    """The kernel stops before it, and the layer alone says where it is."""
    monkeypatch.setattr(discovery, "PATIENCE", 3)
    zermelo.solve(Countdown(50))
    with pytest.raises(RulesError, match=r"outcome\(77\) is 5; use WIN"):
        zermelo.solve(Countdown(5_000, wrong=77))
