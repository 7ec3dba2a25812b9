"""A new method of solving is a folder and a line in ``METHODS``.

A method is written inside the package, from what is private there.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
import zermelo._methods
from zermelo.conformance import sample_check
from zermelo.games import StoneGame, TakeAway, TicTacToe
from zermelo.methods import METHODS

METHOD = '''
"""Values by passes over all positions, until nothing changes."""

from zermelo._engine.column.codes import TIES, UNKNOWN
from zermelo._methods.graph_methods import budget_of, explore_graph, table_of
from zermelo._methods.task import Method, Result


class PassesMethod(Method):
    follows = True

    def unsuited(self, rules):
        return "which is a score game" if rules.kind.gains else None

    def run(self, task):
        graph, passes = explore_graph(task, budget_of(task)), 0
        values = graph.values
        open_positions = [n for n in range(graph.positions) if values[n] == UNKNOWN]
        while open_positions:
            passes += 1
            for position in reversed(open_positions):
                moves = graph.edges[graph.first[position] : graph.first[position + 1]]
                if all(values[child] != UNKNOWN for child in moves):
                    codes = [int(values[child]) for child in moves]
                    values[position] = max(map(one_ply_earlier, codes))
            open_positions = [n for n in open_positions if values[n] == UNKNOWN]
        return Result(table_of(task, graph), f"{passes} passes")


def one_ply_earlier(code):
    code = -code if abs(code) > TIES else code
    return code - (code > 0) + (code < 0)
'''


@pytest.fixture
def passes(tmp_path, monkeypatch):
    """Return the name of a method in a folder of its own."""
    folder = tmp_path / "passes"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "method.py").write_text(METHOD)
    monkeypatch.setattr(zermelo._methods, "__path__", [*zermelo._methods.__path__, str(tmp_path)])
    monkeypatch.setitem(METHODS, "passes", "values by passes over all positions")
    yield "passes"
    for name in [name for name in sys.modules if name.startswith("zermelo._methods.passes")]:
        del sys.modules[name]


def test_a_new_method_solves_checks_saves_and_answers_as_others_do(passes, tmp_path):
    """Its table is checked, saved, opened and explained like any other."""
    game = TicTacToe()
    solution = zermelo.solve(game, method=passes, table=tmp_path / "game.table")
    assert solution.method == passes
    assert solution.choice.startswith("1 passes")
    assert solution.verify().ok
    usual = zermelo.solve(game, method="retrograde")
    assert solution.counts() == usual.counts()
    assert solution.explain() == usual.explain()
    assert zermelo.open(tmp_path / "game.table").value == usual.value


def test_a_new_method_says_which_games_do_not_suit_it(passes):
    """The sentences are those of all methods."""
    with pytest.raises(zermelo.ParameterError, match=r"'passes' does not suit .* score game"):
        zermelo.solve(StoneGame((3, 9, 1, 2)), method=passes)
    with pytest.raises(zermelo.ParameterError, match=r"'passes', .* does not run on a cluster"):
        zermelo.solve(TakeAway(5), method=passes, cluster="local[2]", table="unwritten.table")


class Heap(NamedTuple):
    left: int
    last: int


@dataclass(frozen=True)
class RememberedHeap(zermelo.Game):
    """One or two are taken from a heap; the number taken last does not matter."""

    size: int = 9

    def start(self):
        return Heap(self.size, 0)

    def moves(self, heap):
        return [taken for taken in (1, 2) if taken <= heap.left]

    def play(self, heap, taken):
        return Heap(heap.left - taken, taken)

    def canonical(self, heap):
        return Heap(heap.left, 0)


@pytest.mark.slow
def test_values_within_a_horizon_need_not_follow_from_each_other(monkeypatch):
    """New rules with ``canonical`` are solved, though what lies beyond the horizon is undecided."""
    # Time enough to compare all values, if they were compared.
    monkeypatch.setattr(sample_check, "_FEW_SECONDS", 60.0)
    solution = zermelo.solve(RememberedHeap(), method="horizon", horizon=1)
    assert solution.folded
    assert solution.value.outcome == zermelo.DRAW
    assert zermelo.solve(RememberedHeap(), method="horizon").value.outcome == zermelo.LOSS
