"""One game with its board written in three ways: as bit masks, and twice as a tuple of cells.

Dao, on four by four cells. The zoo has Dao with a bit mask for each player; this module has the
same rules for a tuple with a number for each cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.works.common import Answer, Prepared, told
from zermelo import LOSS, WIN, Game, put
from zermelo.games.morris.dao import CORNERS, GOALS, RAYS, Dao


class Cells(NamedTuple):
    cells: tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]
    player: int


@dataclass(frozen=True)
class DaoOfCells(Game):
    """A number for each cell: 1 for a piece of the player to move, 2 for one of the other."""

    def start(self):
        return Cells((1, 0, 0, 2, 0, 1, 2, 0, 0, 2, 1, 0, 2, 0, 0, 1), 0)

    def turn(self, p):
        return p.player

    def space(self):
        return Cells((range(3),) * 16, range(2))

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
                    for target in ray:
                        if p.cells[target]:
                            break
                        end = target
                    if end != cell:
                        yield cell, end

    def play(self, p, move):
        cell, end = move
        moved = put(put(p.cells, cell, 0), end, 1)
        return Cells(tuple(-n % 3 for n in moved), 1 - p.player)


@dataclass(frozen=True)
class DaoOfCellsAtOnce(DaoOfCells):
    """Dao on a tuple of cells, with the next board written as one comprehension."""

    def play(self, p, move):
        cell, end = move
        return Cells(
            tuple(0 if i == cell else 2 if i == end else -n % 3 for i, n in enumerate(p.cells)),
            1 - p.player,
        )


KINDS = {"bits": Dao, "cells": DaoOfCells, "at-once": DaoOfCellsAtOnce}


def dao(kind: str) -> Prepared:
    """Solve Dao with its board written as ``KINDS[kind]`` writes it."""
    import zermelo

    game = KINDS[kind]()
    zermelo.solve(game, method="retrograde", symmetry=False)

    def tell(solution: Any) -> Answer:
        return told(solution)

    return lambda: zermelo.solve(game, method="retrograde", symmetry=False), tell
