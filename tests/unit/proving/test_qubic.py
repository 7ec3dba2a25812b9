"""Qubic on four by four by four cells: more than a placement game holds, as a class of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import pytest

import zermelo
from support.sizes import counts
from zermelo import DRAW, LOSS, WIN, Game

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

SIZE, HALF = 4, 32


class Marks(NamedTuple):
    """The marks of both players, a bit a cell: two layers in each field."""

    mine: int
    mine_above: int
    theirs: int
    theirs_above: int


def rows() -> list[tuple[int, ...]]:
    """Return the 76 rows of four cells."""
    steps = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
    found = []
    for corner, step in product(product(range(SIZE), repeat=3), steps):
        cells = [tuple(a + i * b for a, b in zip(corner, step, strict=True)) for i in range(SIZE)]
        if all(0 <= at < SIZE for at in cells[-1]):
            found.append(tuple(16 * x + 4 * y + z for x, y, z in cells))
    return found


@dataclass(frozen=True)
class Box(Game):
    """Tic-tac-toe with four in a row in a box of 64 cells."""

    def start(self) -> Marks:
        return Marks(0, 0, 0, 0)

    def outcome(self, p: Marks) -> int | None:
        for low, high in self.lines:
            if p.theirs & low == low and p.theirs_above & high == high:
                return LOSS
        if (p.mine | p.theirs) & (p.mine_above | p.theirs_above) == (1 << 32) - 1:
            return DRAW
        return None

    def moves(self, p: Marks) -> Iterator[int]:
        for cell in range(64):
            filled = p.mine | p.theirs if cell < 32 else p.mine_above | p.theirs_above
            if not filled >> (cell & 31) & 1:
                yield cell

    def play(self, p: Marks, cell: int) -> Marks:
        if cell < 32:
            return Marks(p.theirs, p.theirs_above, p.mine | 1 << cell, p.mine_above)
        return Marks(p.theirs, p.theirs_above, p.mine, p.mine_above | 1 << cell - 32)

    def promise(self, p: Marks, cell: int) -> int:
        """Rows with many marks of one player and none of the other matter most."""
        found = 0
        for low, high in self.through[cell]:
            own = (p.mine & low).bit_count() + (p.mine_above & high).bit_count()
            other = (p.theirs & low).bit_count() + (p.theirs_above & high).bit_count()
            if own == 0 or other == 0:
                found += 1 << 3 * own + 3 * other
        return found

    def bounds(self, p: Marks) -> tuple[int, int]:
        """Three in a row win at once, and two threats cannot both be stopped."""
        threats, threats_above = 0, 0
        for low, high in self.lines:
            own = (p.mine & low).bit_count() + (p.mine_above & high).bit_count()
            other = (p.theirs & low).bit_count() + (p.theirs_above & high).bit_count()
            if own == 3 and other == 0:
                return WIN, WIN
            if other == 3 and own == 0:
                threats |= low & ~p.theirs
                threats_above |= high & ~p.theirs_above
        if threats.bit_count() + threats_above.bit_count() > 1:
            return LOSS, LOSS
        return LOSS, WIN

    def space(self) -> Marks:
        half: Any = range(1 << HALF)
        return Marks(half, half, half, half)

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        return [halves(row) for row in rows()]

    @cached_property
    def through(self) -> list[list[tuple[int, int]]]:
        return [[halves(row) for row in rows() if cell in row] for cell in range(64)]


def halves(row: tuple[int, ...]) -> tuple[int, int]:
    """Return the bits of cells in the two layers below, and in those above."""
    bits = sum(1 << cell for cell in row)
    return bits & (1 << HALF) - 1, bits >> HALF


def played(seed: int, empty: int) -> Any:
    """Return a position with so few empty cells, of moves at random that leave the game open."""
    game, rng = Box(), random.Random(seed)
    while True:
        position, left = game.start(), 64
        while left > empty:
            moves = list(game.moves(position))
            rng.shuffle(moves)
            after = (game.play(position, cell) for cell in moves)
            found = next((each for each in after if game.bounds(each) == (LOSS, WIN)), None)
            if found is None:
                break
            position, left = found, left - 1
        if left == empty:
            return position


def worth(mine: frozenset[int], theirs: frozenset[int], seen: dict[Any, int]) -> int:
    """Return who wins, by every move, on sets of cells."""
    key = (mine, theirs)
    if key not in seen:
        if any(theirs.issuperset(row) for row in ROWS):
            seen[key] = -1
        else:
            best = -1 if len(mine) + len(theirs) < 64 else 0
            for cell in set(range(64)) - mine - theirs:
                best = max(best, -worth(theirs, mine | {cell}, seen))
                if best == 1:
                    break
            seen[key] = best
    return seen[key]


ROWS = [frozenset(row) for row in rows()]


def cells(low: int, high: int) -> frozenset[int]:
    """Return the cells of two masks."""
    return frozenset(cell for cell in range(64) if (low | high << HALF) >> cell & 1)


def test_there_are_76_rows():
    """As everybody counts them."""
    assert len(ROWS) == len(set(ROWS)) == 76


@counts(None, 4, 12)
def test_ends_are_those_of_a_search_of_all_moves(count):
    """With eight empty cells, on sets; the proofs hold."""
    for seed in range(count):
        position = played(seed, 8)
        proof = zermelo.prove(Box(), position=position, memory="100MB")
        mine, theirs = cells(*position[:2]), cells(*position[2:])
        assert proof.value.outcome == worth(mine, theirs, {}), position
        assert proof.verify()


def test_positions_of_modest_depth_are_proved():
    """With 30 cells of 64 empty, and with 20, where the strategies are followed to the ends."""
    values = set()
    for seed in range(6):
        position = played(seed, 20 if seed < 2 else 30)
        proof = zermelo.prove(Box(), position=position, memory="500MB", threads=1)
        values.add(proof.value.outcome)
        assert seed > 1 or proof.verify()
    assert values == {WIN, DRAW, LOSS}
