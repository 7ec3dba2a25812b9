"""How much is compiled: once for a class, whatever is in its rows and however many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import event

import zermelo
from support.compiled_rules import COMPILED, MOST_INLINED
from support.oracles.equivalence import check
from support.sizes import counts, some
from zermelo import CompileError, Game
from zermelo.games import TakeAway


class Place(NamedTuple):
    node: int
    turn: int


@dataclass(frozen=True)
class Graph(Game):
    """A token moves along the edges of a graph; the last node is where it stops."""

    rows: Any
    weights: Any = None

    @property
    def n(self):
        return len(self.rows)

    def start(self):
        return Place(0, 0)

    def space(self):
        return Place(range(self.n), range(2))

    def moves(self, p):
        if p.node != self.n - 1:
            for node in self.rows[p.node]:
                yield node

    def play(self, p, node):
        return Place(node, 1 - p.turn)


class Compilations(event.Listener):
    """Counts what Numba compiles."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_start(self, event: Any) -> None:
        self.names.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Nothing: the beginning was counted."""


def random_rows(rng: np.random.Generator) -> list[list[int]]:
    """Return a graph of 17 to 199 nodes, whose numbers all take eight bits."""
    n = int(rng.integers(17, 200))
    return [rng.integers(0, n, rng.integers(0, 4)).tolist() for _ in range(n)]


@counts(10, 650, 2_000)
def test_all_random_graphs_take_one_kernel(count: int) -> None:
    """Graphs of all sizes and contents are solved by what the first one compiled."""
    rng = np.random.default_rng(11)
    zermelo.solve(Graph(random_rows(rng)), threads=1)
    counted = Compilations()
    event.register("numba:compile", counted)
    try:
        for _ in range(count):
            solution = zermelo.solve(Graph(random_rows(rng)), threads=1)
    finally:
        event.unregister("numba:compile", counted)
    assert solution.verify()
    assert len(COMPILED[Graph]) == 1
    kernel = COMPILED[Graph][0].loaded.expand
    assert len(kernel.overloads) == 1
    assert kernel.py_func.__name__ not in counted.names


def test_rows_of_any_emptiness_share_a_kernel() -> None:
    """A graph without an edge fits what a graph with edges compiled."""
    check(Graph([[1], [0, 2], []]), least=3)
    before = len(COMPILED[Graph])
    check(Graph([[], [], []]), least=1)
    assert len(COMPILED[Graph]) == before


@dataclass(frozen=True)
class Sizes(Game):
    """Take one to ``most``; ``board`` is looked up."""

    most: int
    board: Any = ((0, 0), (0, 0))

    def start(self):
        return 12

    def moves(self, n):
        return range(1, 1 + min(n, self.most + self.board[0][0] * 0))

    def play(self, n, k):
        return n - k


@pytest.mark.slow
def test_a_number_is_written_into_a_few_kernels_and_then_handed_over() -> None:
    """However many numbers a class is made with, only a few kernels are compiled for it."""
    for most in range(1, MOST_INLINED + 3):
        check(Sizes(most))
    assert len(COMPILED[Sizes]) == MOST_INLINED + 1
    for most in (1, 7, 40):
        check(Sizes(most))
    assert len(COMPILED[Sizes]) == MOST_INLINED + 1
    with pytest.raises(CompileError, match="past 64 bits"):
        zermelo.solve(Sizes(1 << 70))


@pytest.mark.parametrize(
    "dtype", some(["uint8", "int8", "int32", "uint32", "int64", "uint64", "bool"], 6)
)
def test_arrays_of_all_integers_are_one_kind(dtype: str) -> None:
    """Whatever integers an array holds, rules see 64 bits; booleans stay true or false."""

    def game(values: Any) -> Any:
        return Looked(np.array(values, dtype), np.array([values, values], dtype))

    check(game([1, 0, 1, 1]), least=4)
    before = len(COMPILED[Looked])
    check(game([0, 1, 1, 1, 0, 1]), least=4)
    assert len(COMPILED[Looked]) == before <= 2


@dataclass(frozen=True)
class Looked(Game):
    row: Any
    table: Any

    def start(self):
        return 0

    def moves(self, n):
        if n < 6:
            yield from range(1 + self.table[1, n % 4] + self.row[n % 4])

    def play(self, n, k):
        return n + k + 1 - (1 if self.row[1] else 0) * 0


def test_a_tuple_and_an_array_of_the_same_numbers_are_read_alike() -> None:
    """Rows given as tuples, lists or an array lead to the same positions."""
    table = [[1, 0, 1, 1], [0, 1, 1, 0]]
    positions = check(Looked(np.array(table[0]), np.array(table)), least=4)
    assert positions == check(Looked(tuple(table[0]), np.array(table)), least=4)


def test_two_parameterisations_stand_side_by_side() -> None:
    """A number that rules read is part of what is compiled, and does not leak into the other."""
    few, many = TakeAway(stones=20, limit=2), TakeAway(stones=20, limit=5)
    values = [zermelo.solve(game).value.remoteness for game in (few, many, few, many)]
    assert values == [13, 7, 13, 7]


def test_a_number_that_only_the_start_reads_compiles_nothing_again() -> None:
    """Another heap of the same limit uses the rules that are there."""
    zermelo.solve(TakeAway(stones=5, limit=4))
    before = len(COMPILED[TakeAway])
    for stones in range(6, 30):
        zermelo.solve(TakeAway(stones=stones, limit=4))
    assert len(COMPILED[TakeAway]) == before
