"""Parameters, properties and constants: compiled rules read them as Python does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest

from support.games.forms import Marked
from support.oracles.equivalence import check

ROWS = ((1, 2), (3,), (), (2, 0, 1))
EVEN = ((1, -2), (3, 4))
CUBE = (((1, 2), (3, 4)), ((5, 6), (7, 8)))
UNEVEN_CUBE = (((1,), (2, 3)), ((4, 5, 6),))
LIST = [3, 1, 4, 1, 5]
LONG = tuple((i * i) % 1009 for i in range(1500))
ARRAY = np.array([7, -8, 9])
TABLE = np.array([[1, 2, 3], [4, 5, 6]])
FLAGS = np.array([True, False, True])
LEAST = -(1 << 63)
NOTHING = None


class Level(IntEnum):
    LOW = -2
    HIGH = 40


class Size(NamedTuple):
    width: int
    rows: tuple[tuple[int, ...], ...]


class Constants(Marked):
    CLASS_ROW = (9, 8, 7)
    CLASS_NUMBER = 17
    CLASS_ARRAY = np.array([2, 3, 4])

    def mix(self, p, i):
        total = EVEN[i % 2][p.step % 2] + CUBE[1][i % 2][0] + UNEVEN_CUBE[i % 2][0][0]
        total += LIST[-1 - i] + LONG[p.seed] + ARRAY[i] + TABLE[i % 2, p.step % 3] + TABLE[1][i]
        total += sum(len(row) for row in ROWS) + ROWS[i][0] if ROWS[i] else 5
        for row in ROWS:
            for x in row:
                total = total * 3 + x
        for a, b in EVEN:
            total += a * b * i
        for j, row in enumerate(UNEVEN_CUBE):
            for inner, other in zip(row, (10, 20), strict=False):
                total += j * len(inner) + other * inner[-1]
        total += Level.HIGH * (i == Level.LOW + 2) + FLAGS[i] + (p.seed < LEAST + 5)
        total += self.CLASS_ROW[i] + self.CLASS_NUMBER + Constants.CLASS_ARRAY[i] + len(LONG)
        total += (NOTHING is None) + (i in LIST) + 2 * (p.seed in LONG) + 4 * (i not in ARRAY)
        return total + sum(ARRAY) + max(LONG) + int(TABLE.sum()) + int(np.min(ARRAY))


@dataclass(frozen=True)
class Parameters(Marked):
    graph: Any = ((1, 2), (2,), (0, 1, 1))
    deep: Any = (((1, 2), (3,)), ((), (4, 5, 6)), ((7,),))
    piles: Any = (3, 1, 4, 1, 5)
    board: Any = None
    open: Any = None
    edges: Any = ((0, 1), (1, 2), (2, 0))
    bias: int = -3
    strict: bool = True
    goal: Any = None
    size: Size = Size(4, ((1,), (2, 3)))
    names: str = "ab"
    hidden: int = 0
    zeros: Any = ((0,), (), (0, 0))

    __secret = 12

    def __post_init__(self):
        object.__setattr__(self, "_made", 6)

    @property
    def n(self):
        return len(self.graph)

    @cached_property
    def degrees(self):
        return tuple(len(row) for row in self.graph)

    @cached_property
    def reversed_rows(self):
        """Return lists, as a property may."""
        return [list(reversed(row)) for row in self.graph]

    @cached_property
    def distances(self):
        return np.arange(9).reshape(3, 3) * 5

    @property
    def letters(self):
        return tuple(ord(letter) for letter in self.names)

    def mix(self, p, i):
        total = len(self.graph) + len(self.graph[i]) + self.graph[i][-1] + self.n * self.bias
        for row in self.graph:
            for node in row:
                total = (total * 5 + node) % 10_007
        for node in self.graph[i]:
            total += node * node
        for j, row in enumerate(self.graph, start=2):
            total += j * len(row)
        for row, pile in zip(self.graph, self.piles):
            total += pile * row[0]
        for row in self.deep:
            for inner in row:
                for x in inner:
                    total = (total * 7 + x) % 10_007
        part = self.deep[i]
        total += len(part) + len(part[-1]) + len(self.deep[-1][0]) + self.deep[i - 1][-1][-1]
        for a, b in self.edges:
            total += a - b * i
        a, b = self.edges[i]
        total += a * 10 + b
        total += any(p.step in row for row in self.graph) + sum(max(row) for row in self.graph)
        total += self.piles[i] + self.piles[-1] + sum(self.piles[i:]) + self.piles.count(1)
        total += self.piles.index(4) + (p.step in self.piles) + min(self.piles) + len(self.piles)
        total += self.board[i, 1] + self.board[-1][i] + len(self.board) + self.board.shape[1]
        for row in self.board:
            for x in row:
                total += x
        total += self.open[i] + 2 * any(self.open) + 4 * all(self.open) + (3 if self.strict else 0)
        total += 0 if self.goal is None else self.goal
        total += self.degrees[i] + self.reversed_rows[i][0] + self.distances[i, 2]
        total += self.size.width + len(self.size.rows) + self.size.rows[1][i % 2]
        total += sum(self.letters) + self._made + self.__secret + self.hidden
        for x in self.degrees:
            total += x
        return total + self.truths(i)

    def truths(self, i):
        """Ask rows whether they are empty, one that holds nothing but 0 among them."""
        row, zero, graph = self.graph[i], self.piles[:0], self.graph
        total = 1 if row else 100
        total += 2 if not self.zeros[i] else 200
        total += bool(self.zeros[i]) * 4 + (5 if zero else 50) + sum(7 for r in self.zeros if r)
        if graph and (self.zeros[1] or not row):
            total += 9
        while not self.zeros[1]:
            total += 11
            break
        return total + any(self.zeros) * 3 + all(self.zeros) * 13 + len([r for r in graph if r])


BOARD = np.array([[1, 0, 2], [0, -5, 3], [9, 9, 1]])


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(Constants(), marks=pytest.mark.slow),
        pytest.param(
            Parameters(board=BOARD, open=np.array([True, False, True])), marks=pytest.mark.slow
        ),
    ],
    ids=["constants", "parameters"],
)
def test_data_reads_compiled_as_it_does_in_python(game: Any) -> None:
    """Children and values are the same at every position that can be reached."""
    check(game, least=100)
