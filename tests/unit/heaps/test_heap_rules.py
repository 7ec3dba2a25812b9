"""Heap games as ordinary classes: what ``zermelo.solve`` says of them is what heaps say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import zermelo
from support.sizes import counts
from zermelo import Game
from zermelo.heaps import Code, HeapGame


class Row(NamedTuple):
    heaps: tuple[int, ...]


class Step(NamedTuple):
    place: int
    first: int
    second: int


@dataclass(frozen=True)
class TokensInHeaps(Game):
    """Heaps under a code to 7, written as rules: a move names a heap and what it leaves."""

    heaps: tuple[int, ...]
    digits: tuple[int, ...]

    def start(self) -> Row:
        return Row(zermelo.bag(self.heaps, 8))

    def moves(self, row: Row) -> Iterator[Step]:
        for place in range(8):
            heap = row.heaps[place]
            for taken in range(min(heap + 1, len(self.digits))):
                left = heap - taken
                digit = self.digits[taken]
                if heap > 0 and left == 0 and digit & 1:
                    yield Step(place, 0, 0)
                if left > 0 and digit & 2:
                    yield Step(place, left, 0)
                if digit & 4:
                    for small in range(1, left // 2 + 1):
                        yield Step(place, left - small, small)

    def play(self, row: Row, step: Step) -> Row:
        heaps = zermelo.put(row.heaps, step.place, step.first)
        return Row(zermelo.bag((*heaps, step.second), 8))


@counts(None, 30, 60)
def test_ordinary_rules_have_the_same_nimbers(count):
    """Every position that can be reached has the nimber of its heaps together."""
    choose = random.Random(21)
    for _ in range(count):
        digits = (choose.choice([0, 4]), *(choose.randrange(8) for _ in range(3)))
        heaps = tuple(choose.randrange(1, 4) for _ in range(2))
        if digits[0] == 0:
            heaps = tuple(choose.randrange(2, 8) for _ in range(2))
        game = HeapGame(Code(digits), "")
        solution = zermelo.solve(TokensInHeaps(heaps, digits), value="nimber")
        for row in solution:
            assert solution[row].nimber == game.nimber([h for h in row.heaps if h]), (digits, row)
