"""What makes solvers wrong: loops, duplicates, dead ends, extra turns, and great numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.strategies import (
    OPEN,
    MisereVertexGame,
    OwnedGame,
    StalemateVertexGame,
    VertexGame,
)
from support.oracles import oracle
from support.sizes import some
from zermelo import DRAW, LOSS, WIN, Game, Value, limits


def vertex_game(rows: Any, endings: dict[int, int] | None = None, kind: Any = VertexGame) -> Any:
    """Return a game on a graph that begins at vertex 0."""
    table = tuple((endings or {}).get(v, OPEN) for v in range(len(rows)))
    return kind(rows, table, (0,))


@pytest.mark.slow
def test_a_position_whose_only_move_is_to_itself_is_an_endless_draw() -> None:
    """Nobody can force an end where the only move leads nowhere else."""
    solution = zermelo.solve(vertex_game(((0,),)))
    assert solution.value == Value(DRAW, None)
    assert solution.line().ends == "repeats"


def test_a_self_loop_lets_a_lost_player_wait() -> None:
    """A player whose every other move loses stays where he is for ever."""
    solution = zermelo.solve(vertex_game(((0, 1), (2,), ()), {2: LOSS}))
    assert solution.value == Value(DRAW, None)
    assert solution.best() == [0]


def test_duplicate_moves_count_once_each() -> None:
    """Three moves to one winning position lose just as one does."""
    solution = zermelo.solve(vertex_game(((1, 1, 1), (2, 2), ())))
    assert solution.value == Value(LOSS, 2)
    assert solution.verify()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "outcome"),
    [(VertexGame, LOSS), (MisereVertexGame, WIN), (StalemateVertexGame, DRAW)],
    ids=["normal play", "misère", "stalemate"],
)
def test_a_start_without_moves_is_what_no_moves_says(kind: Any, outcome: Any) -> None:
    """A game of one position without moves has the outcome the class gives it, at once."""
    solution = zermelo.solve(vertex_game(((),), kind=kind))
    assert (solution.value, len(solution)) == (Value(outcome, 0), 1)
    assert (solution.best(), solution.options(), solution.line().moves) == ([], [], [])


def test_a_start_that_is_terminal_by_outcome_is_not_played_on() -> None:
    """Moves of a position that the rules have decided are not looked at."""
    solution = zermelo.solve(vertex_game(((1,), ()), {0: WIN}))
    assert (solution.value, len(solution)) == (Value(WIN, 0), 1)


def test_a_tie_is_preferred_to_an_endless_draw_and_a_near_tie_to_a_far_one() -> None:
    """Both players like a tie better than going round, and the shortest way to it best."""
    rows = ((0, 1, 2), (3,), (), (2,))
    solution = zermelo.solve(vertex_game(rows, {2: DRAW}))
    assert solution.value == Value(DRAW, 1)
    assert solution.best() == [2]
    assert [o.value.remoteness for o in solution.options()] == [1, 2, 3]


def test_an_extra_turn_does_not_turn_the_value_round() -> None:
    """What wins for a player who moves again wins already."""
    game = OwnedGame(((1,), (2,), ()), (OPEN, OPEN, LOSS), (0, 0, 1), (0,))
    solution = zermelo.solve(game)
    assert solution.value == Value(WIN, 2)
    assert solution.winner == "first"


def test_each_start_is_kept_once_in_the_order_given() -> None:
    """Several starts are all solved; repeated ones count once."""
    solution = zermelo.solve(VertexGame(((), (0,), (1,)), (OPEN,) * 3, (2, 0, 2, 1)))
    assert solution.starts == (2, 0, 1)
    assert [solution[p].remoteness for p in solution.starts] == [2, 0, 1]


@pytest.mark.parametrize("length", some([300, 70_000], 2), ids=["past a byte", "past two bytes"])
def test_remoteness_is_not_bounded_by_a_byte_or_two(length: int) -> None:
    """A chain of so many moves is exactly so long when it is swept."""
    solution = zermelo.solve(vertex_game((*((v + 1,) for v in range(length)), ())))
    assert "sweep" in solution.choice
    assert solution.value == Value(LOSS, length)
    assert solution.verify()


@dataclass(frozen=True)
class Ladder(Game):
    """A lost walk of any length beside a way back that only lengthens it."""

    length: int

    def start(self):
        return 0

    def moves(self, rung):
        yield 1
        if rung % 2 == 1:
            yield -1

    def outcome(self, rung):
        if rung == self.length:
            return LOSS
        return None

    def play(self, rung, step):
        return rung + step


@pytest.mark.parametrize(
    "length",
    [300, pytest.param(70_000, marks=pytest.mark.slow)],
    ids=["past a byte", "past two bytes"],
)
def test_long_walks_through_the_queue_have_exact_remoteness(length: int) -> None:
    """The queue counts past two bytes where odd rungs could go back all along the way."""
    solution = zermelo.solve(Ladder(length=length))
    assert "may repeat" in solution.choice
    assert solution.value == Value(LOSS, length)
    assert len(solution.line()) == length
    assert solution.verify()


def test_one_rung_more_and_the_player_who_would_lose_goes_back_for_ever() -> None:
    """On a ladder of odd length the odd rungs are the loser's, who need never climb it."""
    assert zermelo.solve(Ladder(length=301)).value == Value(DRAW, None)


@pytest.mark.slow
def test_a_position_with_thousands_of_moves_is_counted_right() -> None:
    """A counter past a byte goes down to nothing exactly when the last move is lost."""
    wide = 5_000
    rows = (tuple(range(1, wide + 1)), *((wide + 1,) for _ in range(wide)), (wide + 2, 0), ())
    game = vertex_game(rows, {wide + 2: LOSS})
    solution = zermelo.solve(game)
    assert "may repeat" in solution.choice
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == oracle.solve(game)
    assert solution[1] == Value(LOSS, 2)
    assert solution.verify()


@pytest.mark.slow
def test_the_table_is_the_same_for_one_two_and_three_threads() -> None:
    """Numbers, values and order of positions do not depend on how many threads there are."""
    from zermelo.games import ConnectFour

    tables = []
    for threads in (1, 2, 3):
        table = zermelo.solve(ConnectFour(5, 3), method="retrograde", threads=threads)._solved.table
        tables.append((table.index.keys.tobytes(), table.column.stored.tobytes()))
    assert tables[0] == tables[1] == tables[2]


def test_moves_are_turned_round_alike_at_once_and_by_buckets() -> None:
    """Few positions need no buckets; the values are those of the oracle either way."""
    rng = np.random.default_rng(12)
    rows = tuple(tuple(rng.integers(0, 500, rng.integers(0, 6)).tolist()) for _ in range(500))
    game = vertex_game(rows)
    expected = oracle.solve(game)
    for limit, memory in ((1 << 15, None), (1, None), (1, "20MB")):
        with limits.using(at_once=limit):
            solution = zermelo.solve(game, method="retrograde", memory=memory)
        assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == expected


@pytest.mark.slow
def test_a_random_graph_with_loops_is_solved_alike_by_any_number_of_threads() -> None:
    """The queue's table does not depend on the number of threads either."""
    rng = np.random.default_rng(11)
    rows = tuple(tuple(rng.integers(0, 40_000, rng.integers(0, 5)).tolist()) for _ in range(40_000))
    game = vertex_game(rows)
    tables = [zermelo.solve(game, threads=n)._solved.table for n in (1, 2, 3)]
    assert len({(t.index.keys.tobytes(), t.column.stored.tobytes()) for t in tables}) == 1


def test_rounds_before_transposing_change_no_value() -> None:
    """Wins, losses and ties of a graph with extra turns are those without rounds over its moves."""
    rng = np.random.default_rng(13)
    rows = tuple(tuple(rng.integers(0, 2_000, rng.integers(0, 7)).tolist()) for _ in range(2_000))
    endings = rng.choice([OPEN, WIN, LOSS, DRAW], 2_000, p=[0.85, 0.05, 0.05, 0.05]).tolist()
    game = OwnedGame(rows, tuple(endings), tuple(rng.integers(0, 2, 2_000).tolist()), (0,))
    tables, phases = [], []
    for most, threads in ((1 << 20, 1), (500, 1), (500, 2)):
        seen: list[str] = []
        with limits.using(at_once=most):
            solution = zermelo.solve(
                game, threads=threads, progress=lambda event, seen=seen: seen.append(event.phase)
            )
        tables.append(solution._solved.table.column.stored.tobytes())
        phases.append("rounds" in seen)
    assert phases == [False, True, True]
    assert tables[0] == tables[1] == tables[2]
