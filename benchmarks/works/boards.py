"""One game with its board written in three ways: two bit masks, or a tuple of cells.

Dao, on four by four cells: each player has four pieces, which slide as far as they can go. Four in
a row or a column win, and a square of two by two, and the four corners; and so does a piece in a
corner that three of the other's pieces shut in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.works.common import Answer, Prepared, told
from zermelo import LOSS, WIN, Game, put

_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def _ray(cell: int, x: int, y: int) -> tuple[int, ...]:
    column, row, cells = cell % 4 + x, cell // 4 + y, []
    while 0 <= column < 4 and 0 <= row < 4:
        cells.append(4 * row + column)
        column, row = column + x, row + y
    return tuple(cells)


#: The cells from each cell on, in each direction.
RAYS = tuple(tuple(_ray(cell, x, y) for x, y in _STEPS) for cell in range(16))
#: Four cells that win.
GOALS = (
    *(tuple(range(4 * n, 4 * n + 4)) for n in range(4)),
    *(tuple(range(n, 16, 4)) for n in range(4)),
    *((n, n + 1, n + 4, n + 5) for n in range(11) if n % 4 < 3),
    (0, 3, 12, 15),
)
#: Each corner, and its neighbours.
CORNERS = ((0, 1, 4, 5), (3, 2, 6, 7), (12, 8, 9, 13), (15, 10, 11, 14))
GOAL_BITS = tuple(sum(1 << cell for cell in goal) for goal in GOALS)
CORNER_BITS = tuple((1 << c[0], sum(1 << cell for cell in c[1:])) for c in CORNERS)


class Masks(NamedTuple):
    mine: int
    theirs: int


@dataclass(frozen=True)
class DaoOfBits(Game):
    """A bit for each cell, in a mask for each player."""

    def start(self):
        return Masks(0b1000_0100_0010_0001, 0b0001_0010_0100_1000)

    def outcome(self, p):
        if any(p.theirs == goal for goal in GOAL_BITS):
            return LOSS
        if any(p.mine & corner and p.theirs & near == near for corner, near in CORNER_BITS):
            return WIN

    def moves(self, p):
        both = p.mine | p.theirs
        for cell in range(16):
            if p.mine >> cell & 1:
                for ray in RAYS[cell]:
                    end = cell
                    for there in ray:
                        if both >> there & 1:
                            break
                        end = there
                    if end != cell:
                        yield cell, end

    def play(self, p, move):
        cell, end = move
        return Masks(p.theirs, p.mine ^ 1 << cell ^ 1 << end)


class Cells(NamedTuple):
    cells: tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class DaoOfCells(Game):
    """A number for each cell: 1 for a piece of the player to move, 2 for one of the other."""

    def start(self):
        return Cells((1, 0, 0, 2, 0, 1, 2, 0, 0, 2, 1, 0, 2, 0, 0, 1))

    def space(self):
        return Cells((range(3),) * 16)

    def outcome(self, p):
        if any(all(p.cells[cell] == 2 for cell in goal) for goal in GOALS):
            return LOSS
        if any(p.cells[c[0]] == 1 and all(p.cells[n] == 2 for n in c[1:]) for c in CORNERS):
            return WIN

    def moves(self, p):
        for cell in range(16):
            if p.cells[cell] == 1:
                for ray in RAYS[cell]:
                    end = cell
                    for there in ray:
                        if p.cells[there]:
                            break
                        end = there
                    if end != cell:
                        yield cell, end

    def play(self, p, move):
        cell, end = move
        moved = put(put(p.cells, cell, 0), end, 1)
        return Cells(tuple(-n % 3 for n in moved))


@dataclass(frozen=True)
class DaoOfCellsAtOnce(DaoOfCells):
    """The same, with the next board written as one comprehension."""

    def play(self, p, move):
        cell, end = move
        return Cells(
            tuple(0 if at == cell else 2 if at == end else -n % 3 for at, n in enumerate(p.cells))
        )


KINDS = {"bits": DaoOfBits, "cells": DaoOfCells, "at-once": DaoOfCellsAtOnce}


def dao(kind: str) -> Prepared:
    """Solve Dao with its board written in one of these ways."""
    import zermelo

    game = KINDS[kind]()
    zermelo.solve(game, method="retrograde")

    def tell(solution: Any) -> Answer:
        return told(solution)

    return lambda: zermelo.solve(game, method="retrograde"), tell
