"""Moves of several steps: tuples of other lengths, told apart in Python and compiled alike."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.oracles.equivalence import check
from zermelo import Game, put


class Men(NamedTuple):
    step: int
    cells: tuple[int, ...]


class Steps(Game):
    """Each move takes up to three cells, and every way of taking a move apart reads it."""

    def start(self):
        return Men(0, (3, 0, 4, 1, 2))

    def moves(self, p):
        if p.step == 4:
            return
        yield (p.step,)
        for here in range(4):
            after = self.play(p, (here, p.step))
            if after.cells[0] % 2:
                yield here, p.step
            for taken in range(2):
                yield *(here, p.step), taken

    def play(self, p, move):
        first, *rest = move
        *_, last = move
        added = last
        for part in rest:
            added += 3 * part
        match move:
            case (here,):
                added += 1
            case here, there if there > 1:
                added += 10 * there
            case 0 | 2, there:
                here = there
            case here, _:
                added += 4
            case here, 3, taken:
                added += 5 * taken
            case 1, there, 1 as taken:
                here = there + taken
            case whole:
                here = len(whole) + sum(whole)
        return Men(p.step + 1, put(p.cells, here % 5, (added + first) % 11))

    def score(self, p):
        match p.cells[0] % 2, p.step:
            case 0, 4:
                end = 5
            case odd, step if odd:
                end = step
            case _:
                end = 0
        match p.cells:
            case a, *_, z:
                end += a * z
        for _ in p.cells[5:]:
            end += 100
        return end


@pytest.mark.slow
def test_moves_of_other_lengths_are_compiled_what_they_are_in_python() -> None:
    """``match``, stars and slices read moves of one, two and three parts."""
    check(Steps(), least=100)


class FirstItems(Game):
    """Loops that return at their first item, over functions that yield some or none."""

    def start(self):
        return Men(0, (3, 0, 4, 1, 2))

    def outcome(self, p):
        for _ in self.moves(p):
            return None
        return p.cells[0] % 3 - 1

    def moves(self, p):
        if p.step < 4:
            for here in range(5):
                if not self.none(p, here):
                    yield here

    def play(self, p, move):
        added = p.cells[(move + 1) % 5]
        for _ in self.parts(p, move):
            added += p.step
            break
        return Men(p.step + 1, put(p.cells, move, (p.cells[move] + added) % 7))

    def none(self, p, move):
        for _ in self.parts(p, move):
            return self.only(p, move)
        return move > 4

    def only(self, p, move):
        for part in self.parts(p, move):
            return part > 5
        for _ in self.cells(p, 0):
            return True
        return False

    def parts(self, p, move):
        if move == 1:
            return
        yield from (cell for cell in p.cells if cell > move)
        yield from self.cells(p, move)

    def cells(self, p, most):
        for cell in p.cells[:most]:
            if cell:
                yield 6 // cell


@pytest.mark.slow
def test_loops_that_return_at_the_first_item_ask_whether_there_is_one() -> None:
    """They are compiled what they are in Python, whether they read the item or not."""
    check(FirstItems(), least=100)
