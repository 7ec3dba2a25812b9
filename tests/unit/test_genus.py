"""The genus of positions: against brute force, as published, and refused with a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import zermelo
from facts import rows
from support.sizes import counts
from zermelo import LOSS, WIN, BudgetError, Game, Genus, ParameterError, PositionError, RulesError
from zermelo.games import StoneGame, TakeAway, TicTacToe
from zermelo.heaps import KAYLES, NIM, TakeAndBreak
from zermelo.heaps import genus as heap_genus


@dataclass(frozen=True)
class Walk(Game):
    """A token on a graph without cycles, moved along its edges by either player in turn."""

    rows: tuple[tuple[int, ...], ...]
    first: int = 0

    def start(self) -> int:
        return self.first

    def moves(self, vertex: int) -> Iterator[int]:
        yield from self.rows[vertex]

    def play(self, vertex: int, target: int) -> int:
        return target


def brute(rows: Any) -> Any:
    """Return what finds the misère value of a vertex beside heaps of two and of one."""

    @cache
    def value(vertex: int, twos: int, ones: int) -> int:
        after = [value(each, twos, ones) for each in rows[vertex]]
        if twos:
            after += [value(vertex, twos - 1, ones), value(vertex, twos - 1, ones + 1)]
        if ones:
            after.append(value(vertex, twos, ones - 1))
        if not after:
            return 1
        return next(n for n in range(len(after) + 1) if n not in after)

    return value


@counts(60, None, 2_000)
def test_random_graphs_agree_with_brute_force(count: int) -> None:
    """Each number of the sequence is the value of the sum, far beyond where it alternates."""
    rng = np.random.default_rng(5)
    wild = 0
    for _ in range(count):
        size = int(rng.integers(1, 16))
        rows = tuple(
            tuple(rng.integers(v + 1, size, rng.integers(0, 5)).tolist()) if v + 1 < size else ()
            for v in range(size)
        )
        found = zermelo.genus(Walk(rows))
        value = brute(rows)
        assert [found.misere_value(n) for n in range(9)] == [value(0, n, 0) for n in range(9)], rows
        assert found.misere is (LOSS if value(0, 0, 0) == 0 else WIN)
        wild += found.wild
    assert wild


@pytest.mark.parametrize(
    "row", rows("misere_genera"), ids=lambda row: f"{row['code']} {row['heap']}"
)
def test_heaps_are_as_published(row: dict[str, str]) -> None:
    """Heaps of Kayles, and the first wild one of 0.123."""
    game = TakeAndBreak(row["code"])
    assert str(heap_genus(game, int(row["heap"]))) == row["genus"]


def test_the_first_wild_heaps() -> None:
    """A heap of 5 in Kayles, and one of 8 in 0.123."""
    for game, first in ((KAYLES, 5), (TakeAndBreak("0.123"), 8)):
        wild = [heap_genus(game, heap).wild for heap in range(first + 1)]
        assert wild == [False] * first + [True]


def test_heaps_of_nim_are_fickle_or_firm() -> None:
    """Heaps of 0 and 1 are fickle, and their sums; all other sums are firm, with their nimber."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        heaps = rng.integers(0, 6, rng.integers(1, 5)).tolist()
        found = heap_genus(NIM, heaps)
        assert found.nimber == np.bitwise_xor.reduce(heaps)
        assert found.tame
        assert found.fickle == (max(heaps) <= 1)
    assert str(heap_genus(NIM, [8])) == "8^{8,10}"
    assert str(heap_genus(NIM, [2, 2])) == "0^{02}"


def test_a_game_and_its_solution_have_one_genus() -> None:
    """A heap of 13 from which 1 to 3 are taken is as a heap of 1 in Nim."""
    game = TakeAway(stones=13, limit=3)
    found = zermelo.genus(game)
    assert found == zermelo.genus(zermelo.solve(game)) == Genus(1, (0, 3, 1))
    assert str(found) == "1^{031}"
    assert (found.normal, found.misere) == (WIN, LOSS)
    assert zermelo.genus(game, 2) == Genus(2, (2, 0))
    misere = zermelo.solve(game, misere=True)
    for stones in range(14):
        assert misere[stones].outcome is zermelo.genus(game, stones).misere


@pytest.mark.parametrize(
    ("call", "kind", "why"),
    [
        (lambda: zermelo.genus(Walk(((1,), (0,)))), RulesError, "can lead in a cycle"),
        (lambda: zermelo.genus(Walk(((0,),))), RulesError, "from 0 can lead in a cycle"),
        (lambda: zermelo.genus(TicTacToe()), RulesError, "as the rules say who wins there"),
        (lambda: zermelo.genus(StoneGame(piles=(1, 2))), ParameterError, "is a score game"),
        (
            lambda: zermelo.genus(TakeAway(9), max_positions=0),
            ParameterError,
            "positions must be a whole",
        ),
        (lambda: zermelo.genus(TakeAway(9), max_positions=5), BudgetError, "more than 5 positions"),
        (lambda: zermelo.genus(TakeAway(9), "x"), PositionError, "'x' is not a position"),
        (lambda: heap_genus(KAYLES, [30, 30], max_sums=50), BudgetError, "more than 50 sums"),
        (lambda: heap_genus(KAYLES, "3"), ParameterError, "'3' is not a sum of heaps"),
        (lambda: heap_genus(KAYLES, -1), ParameterError, "-1 is not the size of a heap"),
    ],
)
def test_mistakes_are_told_with_a_remedy(call: Any, kind: type[Exception], why: str) -> None:
    """Each in a sentence."""
    with pytest.raises(kind, match=why):
        call()
