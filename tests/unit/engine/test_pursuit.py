"""Pursuit by rows of bits agrees with a slow solver, however rounds are done.

Which way a round goes is chosen by its cost, so the costs are set here.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import zermelo
from support.oracles.chases import random_pursuit, random_rows, solve
from support.sizes import some
from zermelo import limits
from zermelo._methods.pursuit import driver as engine

HOW = ["rows", "lists", "by turns", "on disk"]


@pytest.fixture(params=HOW)
def forced(request, monkeypatch):
    """Choose rounds by rows, by lists or by turns, or codes on disk in parts."""
    initialise = engine.RowSolver.__init__
    turn = iter(range(1 << 30))

    class ByTurns(float):
        def __rmul__(self, other):
            return 0 if next(turn) // 2 % 2 else 1e18

    def made(self, *arguments, **options):
        initialise(self, *arguments, **options)
        costs = {"rows": 1e18, "on disk": 1e18, "lists": 0, "by turns": ByTurns(1)}
        self.list_cost = costs[request.param]

    monkeypatch.setattr(engine.RowSolver, "__init__", made)
    on_disk = {"in_memory": False, "at_once": 2}
    with limits.using(**(on_disk if request.param == "on disk" else {})):
        yield request.param


def agrees(graphs, safe, forbidden, *, together, stuck="lose"):
    """Assert that each position has the slow solver's value."""
    chase = zermelo.pursuit(
        graphs[0],
        pursuers=graphs[1:],
        safe=safe,
        forbidden=forbidden,
        together=together,
        stuck=stuck,
        threads=1,
    )
    if stuck == "stay":
        evader, *pursuers = graphs
        graphs = [[row or [v] for v, row in enumerate(evader)]]
        for rows in pursuers:
            kept = [[x for x in row if x not in forbidden] for row in rows]
            graphs.append([row or [v] for v, row in enumerate(kept)])
    expected = solve(graphs, safe, forbidden, together=together or len(graphs) == 2)
    n, k = len(graphs[0]), len(graphs) - 1
    for turn in range(chase.arrays.turns):
        winner, plies = chase.arrays.winner(turn), chase.arrays.remoteness(turn)
        for e, team in product(range(n), product(range(n), repeat=k)):
            mark = expected.get((turn, e, team), 0)
            sign = (mark > 0) - (mark < 0)
            assert plies[(e, *team)] == abs(mark) - 1
            evader = sign if turn == 0 else -sign
            assert winner[(e, *team)] == {1: 0, -1: 1, 0: zermelo.NOBODY}[evader]


@pytest.mark.slow
def test_every_position_is_right_however_rounds_are_done(forced):
    """One to three pursuers, together or in turn, on graphs of their own."""
    rng = np.random.default_rng(HOW.index(forced))
    for _ in range(150):
        graphs, safe, forbidden, together = random_pursuit(rng)
        stuck = "stay" if rng.random() < 0.5 else "lose"
        agrees(graphs, safe, forbidden, together=together, stuck=stuck)


@pytest.mark.slow
@pytest.mark.parametrize("n", some([65, 63, 64, 130], 4))
def test_rows_of_more_than_a_word_are_right(forced, n):
    """Sizes around a multiple of 64 are no exception."""
    rng = np.random.default_rng(n)
    graphs = [random_rows(rng, n, 2.5 / n) for _ in range(2)]
    agrees(graphs, [0, n - 1], [n - 1], together=True, stuck="stay")


def test_a_chase_past_sixteen_bits_goes_on_in_thirty_two(forced):
    """Where marks outgrow their bytes they are widened, and nothing else changes."""
    path = [[v for v in (u - 1, u + 1) if 0 <= v < 40] for u in range(40)]
    plain = zermelo.pursuit(path, may_stay=True)
    with limits.using(narrow=20):
        widened = zermelo.pursuit(path, may_stay=True)
    assert plain.arrays.rounds > 60
    assert ("on disk" in plain.choice) == (forced == "on disk")
    assert (
        plain._solved.table.column.marks[0].dtype,
        widened._solved.table.column.marks[0].dtype,
    ) == (
        np.int16,
        np.int32,
    )
    for turn in (0, 1):
        assert (plain.arrays.remoteness(turn) == widened.arrays.remoteness(turn)).all()
        assert (plain.arrays.winner(turn) == widened.arrays.winner(turn)).all()


def test_one_two_and_three_threads_give_the_same_answer():
    """Threads share rows and change nothing, for one pursuer and for two."""
    rng = np.random.default_rng(3)
    rows = random_rows(rng, 200, 0.03)
    small = random_rows(rng, 30, 0.1)
    for graph, options in (
        (rows, {"safe": [0], "forbidden": [0]}),
        (small, {"pursuers": 2}),
        (small, {"pursuers": 2, "together": False}),
    ):
        with limits.using(sharing=0):
            chases = [zermelo.pursuit(graph, threads=n, **options) for n in (1, 2, 3)]
        for turn in range(chases[0].arrays.turns):
            marks = [chase._solved.table.column.marks[turn].tobytes() for chase in chases]
            assert marks[0] == marks[1] == marks[2]


def test_too_little_memory_is_refused_before_anything_is_done():
    """The error says what is needed and what is allowed."""
    path = [[1], [0]] + [[] for _ in range(998)]
    with pytest.raises(zermelo.BudgetError, match="2,000,000,000 positions needs") as caught:
        zermelo.pursuit(path, pursuers=2, memory="100MB")
    assert caught.value.needed > caught.value.allowed == 100_000_000
