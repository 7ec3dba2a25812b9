"""Pursuit by rows of bits agrees with a slow solver, however rounds are done."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import zermelo
from support.oracles.chases import random_pursuit, random_rows, solve
from support.sizes import but
from zermelo import limits
from zermelo._methods.pursuit import driver as engine
from zermelo._methods.pursuit.codes import place_columns, place_rows, tally
from zermelo._methods.pursuit.kernels_rows import turn_over

HOW = ["rows", "lists", "by turns", "on disk"]


@pytest.fixture(params=HOW)
def forced(request, monkeypatch):
    """Have rounds go by rows, by lists, or by one after the other, or times to disk in parts."""
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
        winners, plies = chase.arrays.winners(turn), chase.arrays.plies(turn)
        for e, team in product(range(n), product(range(n), repeat=k)):
            mark = expected.get((turn, e, team), 0)
            sign = (mark > 0) - (mark < 0)
            assert plies[(e, *team)] == abs(mark) - 1
            assert winners[(e, *team)] == (sign if turn == 0 else -sign)


def test_every_position_is_right_however_rounds_are_done(forced):
    """One to three pursuers, together or in turn, on graphs of their own."""
    rng = np.random.default_rng(HOW.index(forced))
    for _ in range(150):
        graphs, safe, forbidden, together = random_pursuit(rng)
        stuck = "stay" if rng.random() < 0.5 else "lose"
        agrees(graphs, safe, forbidden, together=together, stuck=stuck)


@pytest.mark.parametrize("n", but([63, 64, 65, 130], 63, 64, 130))
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
        assert (plain.arrays.plies(turn) == widened.arrays.plies(turn)).all()
        assert (plain.arrays.winners(turn) == widened.arrays.winners(turn)).all()


def test_a_long_chase_takes_time_in_proportion_to_what_it_decides():
    """On a path nearly every round goes by lists: rows of bits would be turned over each time."""
    n = 1500
    path = [[v for v in (u - 1, u + 1) if 0 <= v < n] for u in range(n)]
    rows = []
    by_rows = engine.RowSolver._round_by_rows
    engine.RowSolver._round_by_rows = lambda self, mark: rows.append(mark) or by_rows(self, mark)
    try:
        chase = zermelo.pursuit(path, may_stay=True)
    finally:
        engine.RowSolver._round_by_rows = by_rows
    assert chase.arrays.rounds > 2 * (n - 2)
    assert len(rows) < 20
    assert (chase.arrays.winners() == -1).all()
    assert chase[0, (n - 1,), 1].remoteness == 2 * n - 3


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


def test_turning_over_moves_each_bit_to_its_mirror_image():
    """The bit in row r and column c arrives in row c and column r."""
    rng = np.random.default_rng(5)
    rows, columns = 100, 150
    bits = rng.random((rows, columns)) < 0.2
    bits[64:, :] &= rng.random(36)[:, np.newaxis] < 0.1  # rows and blocks without any
    padded = np.zeros((rows, 192), bool)
    padded[:, :columns] = bits
    fresh = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    into = [np.zeros((columns, 2), np.uint64) for _ in range(2)]
    touched = np.zeros(columns, np.uint8)
    changed = bits.any(axis=1).astype(np.uint8)
    turn_over(fresh, np.zeros_like(fresh), changed, *into, touched, 0, 3)
    turned = np.unpackbits(into[0].view(np.uint8), axis=1, bitorder="little")
    assert (turned[:, :rows] == bits.T).all()
    assert not into[1].any()
    assert (touched == bits.any(axis=0)).all()


def test_too_little_memory_is_refused_before_anything_is_done():
    """The error says what is needed and what is allowed."""
    path = [[1], [0]] + [[] for _ in range(998)]
    with pytest.raises(zermelo.BudgetError, match="2,000,000,000 positions needs") as caught:
        zermelo.pursuit(path, pursuers=2, memory="100MB")
    assert caught.value.needed > caught.value.allowed == 100_000_000


@pytest.mark.parametrize("kind", [np.int16, np.int32])
def test_marks_are_counted_and_placed_from_anywhere_to_anywhere(kind: type) -> None:
    """Where pursuers may be on some nodes only, and parts begin and end in the midst of a row."""
    random = np.random.default_rng(3)
    size, nodes = 9, np.array([1, 2, 4, 7, 8])
    marks = random.integers(-5, 4, (size, size)).astype(kind)
    counts, middle = tally(marks.reshape(-1))
    assert counts.tolist() == [np.count_nonzero(marks == m) for m in range(-middle, middle + 1)]
    places = random.permutation(2 * middle + 1).astype(np.uint8)
    for place, held in ((place_rows, marks), (place_columns, marks.T)):
        every = places[middle + held[:, nodes]].reshape(-1)
        for begin, end in product(range(len(every)), repeat=2):
            if begin < end:
                out = np.full(end - begin, 255, np.uint8)
                place(marks.reshape(-1), size, nodes, begin, end, places, out)
                assert out.tolist() == every[begin:end].tolist()
