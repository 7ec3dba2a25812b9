"""Every way to do with little memory, on random games: the values are the oracle's all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import zermelo
from support.games.strategies import random_games, random_score_games
from support.oracles import oracle
from support.sizes import but, counts
from zermelo import LOSS, BudgetError, Game, RulesError, limits


def table_of(solution: Any) -> dict[Any, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


@pytest.fixture(params=["in parts", "not transposed", "not kept"])
def short(request) -> Iterator[str]:
    """Transpose moves in parts or not at all, or do not store them, as memory is short."""
    # In parts as in large games: by buckets, and with lists that are too short for most levels.
    changed = {
        "in parts": {"transposed": 0.34, "at_once": 1},
        "not transposed": {"transposed": 0, "at_once": 3},
        "not kept": {"in_memory": False},
    }
    with limits.using(**changed[request.param]):
        yield request.param


SAYS = {
    "in parts": ("sweep", "may repeat", "transposed in about"),
    "not transposed": ("sweep", "may repeat", "rounds over the moves"),
    "not kept": ("running the rules again",),
}


@pytest.mark.parametrize("threads", but([1, 3], 1))
@counts(60, None, 400)
def test_random_games_are_right_however_little_memory_there_is(
    short: str, threads: int, count: int
) -> None:
    """Outcome, remoteness and the certificate do not depend on the way, which the choice says."""
    ways = set()
    for game in random_games(41, count):
        solution = zermelo.solve(game, threads=threads)
        assert table_of(solution) == oracle.solve(game), game
        assert solution.verify(), game
        ways.update(way for way in SAYS[short] if way in solution.choice)
        assert any(way in solution.choice for way in SAYS[short])
    assert ways == set(SAYS[short])


@counts(None, 50, 150)
def test_random_horizons_are_right_however_little_memory_there_is(short: str, count: int) -> None:
    """The bounded-turn programme looks just as far ahead when it runs the rules each time."""
    for game in random_games(42, count):
        for horizon in (0, 1, 3):
            solution = zermelo.solve(game, method="horizon", horizon=horizon, threads=2)
            expected = oracle.within(game, horizon)
            assert {p: int(v.outcome) for p, v in solution.items()} == expected, game
        assert table_of(zermelo.solve(game, method="horizon")) == oracle.solve(game), game


@counts(None, 150, 400)
def test_random_scores_are_right_however_little_memory_there_is(short: str, count: int) -> None:
    """Margins and the certificate, which needs an order, are right in every way."""
    for game in random_score_games(43, count):
        solution = zermelo.solve(game, threads=2)
        assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game), game
        assert solution.verify(), game


@pytest.mark.slow
@pytest.mark.parametrize("at_once", but([1, 3], 1))
def test_small_buffers_and_many_parts_change_nothing(at_once: int) -> None:
    """Positions are expanded and looked through in parts; where the cuts are does not matter."""
    with limits.using(in_memory=False, at_once=at_once):
        _right_without_moves()


def _right_without_moves() -> None:
    for game in random_games(44, 100):
        solution = zermelo.solve(game, threads=2)
        assert "again" in solution.choice
        assert table_of(solution) == oracle.solve(game), game
    for game in random_score_games(45, 80):
        solution = zermelo.solve(game, threads=2)
        assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game), game


@dataclass(frozen=True)
class Roundabout(Game):
    """Points for going round a number of places, from one of which there is a way out."""

    places: int = 5

    def start(self):
        return 0

    def moves(self, place):
        if place < self.places:
            yield 1
            if place == 2:
                yield 0

    def play(self, place, on):
        return (place + 1) % self.places if on else self.places

    def gain(self, place, on):
        return on


@pytest.mark.slow
def test_points_in_a_cycle_are_found_if_there_is_memory_for_the_moves(short: str) -> None:
    """The error says what to do about them, or that cycles need memory."""
    if short == "in parts":
        with pytest.raises(RulesError, match=r"move 1 from . makes 1 point and can be part of a"):
            zermelo.solve(Roundabout())
    else:
        with pytest.raises(BudgetError, match="whose moves lead in cycles, needs"):
            zermelo.solve(Roundabout())


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("at_once", but([1, 2], 2))
def test_random_games_are_right_with_packed_moves(threads: int, at_once: int) -> None:
    """Moves that are packed while positions are explored give the values of the oracle."""
    packed = 0
    for game in random_games(46, 60):
        events: list[Any] = []
        with limits.using(at_once=at_once, sharing=0):
            solution = zermelo.solve(game, threads=threads, progress=events.append)
        assert table_of(solution) == oracle.solve(game), game
        packed += any(event.phase == "unpack" for event in events)
    assert packed > 2


@dataclass(frozen=True)
class Jumps(Game):
    """Long jumps in a circle, of which most places have many; few places are lost."""

    places: int = 8_000

    def start(self):
        return 1

    def outcome(self, place):
        if place % 997 == 0:
            return LOSS

    def moves(self, place):
        yield from range(1 + place * place % 41)

    def play(self, place, move):
        return (31 * place + 7 + move * move) % self.places


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_packed_moves_that_fit_in_no_other_form_change_nothing(threads: int) -> None:
    """However much of the moves fits in memory, packed or not, the values are those of the rest."""
    expected, ways = table_of(zermelo.solve(Jumps(), method="retrograde")), set()
    for memory in range(500, 2100, 100):
        events: list[Any] = []
        with limits.using(at_once=1 << 9, plain_seconds=0, sharing=0):
            solution = zermelo.solve(
                Jumps(), memory=1000 * memory, threads=threads, progress=events.append
            )
        assert table_of(solution) == expected
        unpacked = any(event.phase == "unpack" for event in events)
        ways.update((way, unpacked) for way in WAYS if way in solution.choice)
    assert ways >= {(way, True) for way in WAYS}


#: What becomes of packed moves, with less and less memory.
WAYS = ("transposed in about", "rounds over the moves", "running the rules again")
