"""Code that does not know a kind of value refuses it in a sentence, and none guesses.

A kind that no code knows is registered nowhere, so it is given to each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.boards import InARow
from zermelo import CorruptTableError, Game, UnknownKindError
from zermelo._compile.rules import CompiledRules, compile_rules
from zermelo._engine.certificate.table_check import certify
from zermelo._engine.column.best_moves import best_moves
from zermelo._engine.column.codes import NARROW
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.table import Table
from zermelo._methods.dense.method import DenseMethod
from zermelo._methods.explicit.index import VertexCodes
from zermelo._methods.graph_methods import budget_of, explore_graph, table_of
from zermelo._methods.horizon.method import HorizonMethod
from zermelo._methods.levels.method import LevelsMethod
from zermelo._methods.placement.method import PlacementMethod
from zermelo._methods.pursuit.method import PursuitMethod
from zermelo._methods.retrograde.method import RetrogradeMethod
from zermelo._methods.score.method import ScoreMethod
from zermelo._methods.task import Task
from zermelo.games import CatAndMouse, TicTacToe
from zermelo.plain.game import PlainGame
from zermelo.plain.play_graph import explore
from zermelo.plain.solver import values_of
from zermelo.progress import Reporter
from zermelo.rules.hooks import Rules
from zermelo.values.registry import KINDS
from zermelo.values.win_draw_loss import WinDrawLoss


class _MadeUp(WinDrawLoss):
    """A kind of value that is new: it says what its codes mean, and no code is written for it."""

    name = "made-up"


MADE_UP = _MadeUp()
#: The sentence of code that does not know it.
REFUSED = "does not know values of 'made-up', only those of .*; define"


class Steps(Game):
    """A heap of stones, of which each player takes one or two; the last stone wins."""

    def start(self) -> int:
        return 7

    def moves(self, stones: int) -> list[int]:
        return [n for n in (1, 2) if n <= stones]

    def play(self, stones: int, move: int) -> int:
        return stones - move

    def level(self, stones: int) -> int:
        return 7 - stones


def rules_of(game: Game) -> Rules:
    """Return the rules of a game whose values are of the new kind."""
    rules = Rules(game)
    rules.kind = MADE_UP
    return rules


def task_of(game: Game) -> Task:
    """Return a task to solve a game whose values are of the new kind."""
    compiled = compile_rules(game).with_kind(MADE_UP)
    return Task(compiled, Ledger.for_budget(None), 1, Reporter(None))


@pytest.mark.parametrize(
    ("method", "game"),
    [
        (LevelsMethod, Steps()),
        (RetrogradeMethod, Steps()),
        (RetrogradeMethod, CatAndMouse()),
        (HorizonMethod, Steps()),
        (DenseMethod, TicTacToe()),
        (ScoreMethod, Steps()),
    ],
    ids=["levels", "retrograde", "retrograde in cycles", "horizon", "dense", "score"],
)
def test_a_method_refuses_a_kind_that_it_does_not_know(method: Any, game: Game) -> None:
    """A method neither suits such a game, nor runs if it is told to."""
    why = method().unsuited(rules_of(game))
    assert why in ("which has values of 'made-up'", "which is not a score game")
    with pytest.raises(UnknownKindError, match=REFUSED):
        method().run(task_of(game))


def test_methods_of_declared_games_do_not_suit_such_a_kind() -> None:
    """Placement games and pursuits are found by bits that mean win, draw and loss."""
    placed, chased = InARow(), CatAndMouse()
    assert PlacementMethod().unsuited(rules_of(placed)) == "which has values of 'made-up'"
    assert PursuitMethod().unsuited(rules_of(chased)) == "which has values of 'made-up'"


def test_an_explicit_graph_refuses_such_a_kind() -> None:
    """The codes of vertices are of win, draw and loss."""
    stored, turns = np.zeros(2, np.int16), np.empty(0, np.uint8)
    with pytest.raises(UnknownKindError, match=REFUSED):
        VertexCodes(stored, turns, NARROW, MADE_UP)


def explored() -> tuple[CompiledRules, Table]:
    """Return rules with values of the new kind, and a table of it with right codes."""
    task = task_of(Steps())
    graph = explore_graph(task, budget_of(task))
    solved = zermelo.solve(Steps(), method="retrograde")
    for number in range(graph.positions):
        stones = task.compiled.rules.layout.unpack(graph.keys[number : number + 1])
        graph.values[number] = MADE_UP.encode(solved[stones])
    return task.compiled, table_of(task, graph)


def test_the_certificate_refuses_such_a_kind() -> None:
    """Even a table whose codes are right is not called right."""
    compiled, table = explored()
    with pytest.raises(UnknownKindError, match=REFUSED):
        certify(compiled, compiled.rules.start_words(), table, 1, Reporter(None))


def test_best_moves_are_not_chosen_of_such_a_kind() -> None:
    """A move is not called best by the order of another kind's codes."""
    one, out = np.ones(1, np.int64), np.zeros(1, np.int64)
    turns = np.empty(0, np.uint8)
    with pytest.raises(UnknownKindError, match=REFUSED):
        best_moves(MADE_UP, one, one, turns, one, turns, one, one, out)


def test_a_file_of_such_a_kind_is_read_once_the_kind_is_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind says what the codes of a file mean; only the certificate must know more."""
    solution = zermelo.solve(Steps(), method="retrograde")
    solved: Any = solution._answering
    solved.table.column.kind = solved.table.kind = MADE_UP
    path = solution.save(tmp_path / "new.table")
    with pytest.raises(CorruptTableError, match="header"):
        zermelo.open(path, Steps())
    monkeypatch.setitem(KINDS, MADE_UP.name, MADE_UP)
    opened = zermelo.open(path, Steps())
    assert (opened.value, opened.best()) == (solution.value, solution.best())
    with pytest.raises(UnknownKindError, match=REFUSED):
        opened.verify()


def test_python_solves_by_the_kind_where_it_says_enough() -> None:
    """Without cycles a kind's own methods are enough; in cycles, and for a check, they are not."""
    rules = Rules(Steps())
    values = values_of(explore(rules), MADE_UP)
    known = zermelo.solve(Steps())
    assert MADE_UP.decode(values.codes[0]) == known.value
    game = PlainGame.of_graph(explore(rules), values)
    with pytest.raises(UnknownKindError, match=REFUSED):
        game.check_by_rules(Reporter(None))
    cycles = explore(Rules(CatAndMouse()))
    with pytest.raises(UnknownKindError, match=REFUSED):
        values_of(cycles, MADE_UP)
