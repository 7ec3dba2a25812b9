"""Explicit graphs against the oracle: thousands of random ones, in every form they may be given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zermelo.graph
from support.games.strategies import (
    VERTEX_GAMES,
    OwnedGame,
    owned_games,
    random_games,
    vertex_games,
)
from support.oracles import oracle
from support.sizes import counts
from zermelo import LOSS, limits

KINDS = (*VERTEX_GAMES, OwnedGame)
INTEGERS = (np.int32, np.uint32, np.int64)


def arrays_of(game: Any, dtype: Any = np.int64) -> tuple[Any, ...]:
    """Return what ``zermelo.graph.solve`` takes for a game on a graph."""
    indptr = np.cumsum([0, *(len(row) for row in game.rows)]).astype(dtype)
    indices = np.array([target for row in game.rows for target in row], dtype)
    return indptr, indices, np.array(game.endings, np.int8), getattr(game, "owners", None)


def everywhere(game: Any) -> Any:
    """Return the game with every vertex a start."""
    return replace(game, roots=tuple(range(len(game.rows))))


def table_of(solution: Any) -> dict[int, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {v: (int(value.outcome), value.remoteness) for v, value in solution.items()}


def solve(game: Any, **options: Any) -> Any:
    """Solve a game on a graph as an explicit graph."""
    return zermelo.graph.solve(
        *arrays_of(game), no_moves=getattr(game, "no_moves", LOSS), **options
    )


@counts(50, None, 2_000)
def test_thousands_of_random_graphs_agree_with_the_oracle(count: int) -> None:
    """Outcome and remoteness of every vertex are the oracle's, and the certificate accepts them."""
    for i, game in enumerate(random_games(1, count, kinds=KINDS)):
        arrays = arrays_of(game, INTEGERS[i % 3])
        no_moves = getattr(game, "no_moves", LOSS)
        solution = zermelo.graph.solve(*arrays, no_moves=no_moves, threads=1 + i % 3)
        expected = oracle.solve(everywhere(game))
        assert table_of(solution) == expected, game
        remoteness = [
            -1 if r is None else r for _, r in (expected[v] for v in range(len(expected)))
        ]
        assert solution.arrays.remoteness.tolist() == remoteness
        assert solution.arrays.outcome.tolist() == [expected[v][0] for v in range(len(expected))]
        assert solution.verify(), game


@pytest.mark.slow
@given(game=st.one_of(vertex_games(), owned_games()))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_random_graph_agrees_with_the_oracle(game: Any) -> None:
    """Hypothesis finds no small graph on which the solver and the oracle differ."""
    assert table_of(solve(game, threads=1)) == oracle.solve(everywhere(game))


@pytest.mark.slow
def test_without_a_reversed_graph_the_values_are_the_same() -> None:
    """With memory for a number or two a vertex, rounds find what the reversed graph finds."""
    for game in random_games(3, 200, kinds=KINDS):
        n = len(game.rows)
        solution = solve(game, threads=2, memory=(5 + n % 3) * n)
        assert "rounds" in solution.choice or n < 3
        assert table_of(solution) == oracle.solve(everywhere(game)), game


def stored(solution: zermelo.Solution) -> Any:
    """Return the codes of all vertices, as they stand in memory."""
    return solution._solved.table.column.stored  # type: ignore[attr-defined]


@pytest.mark.slow
def test_codes_of_few_bits_are_left_in_time() -> None:
    """Graphs too deep or too wide for the codes in use go over to wider ones, by either way."""
    wide = 0
    for game in random_games(4, 900, kinds=KINDS):
        for memory in (None, 7 * len(game.rows)):
            with limits.using(narrow=6):  # and no tie past 11 moves, no vertex of more than 11
                solution = solve(game, threads=1, memory=memory)
            assert table_of(solution) == oracle.solve(everywhere(game)), game
            assert solution.verify(), game
            wide += stored(solution).dtype == np.int32
    assert wide > 20


@pytest.mark.slow
def test_best_edges_lead_to_what_the_oracle_calls_best() -> None:
    """The strategy is one of the oracle's best moves, and a line of it ends as the value says."""
    for game in random_games(5, 400, kinds=KINDS):
        solution = solve(game, threads=1)
        table = oracle.solve(everywhere(game))
        for vertex in table:
            moves = oracle.best(game, table, vertex)
            targets = {game.play(vertex, move) for move in moves}
            assert int(solution.arrays.best[vertex]) in (targets or {-1})
            assert [o.position for o in solution.options(vertex)][:1] == (
                [int(solution.arrays.best[vertex])] if targets else []
            )
            line, value = solution.line(vertex), solution[vertex]
            if value.remoteness is None:
                assert line.ends == "repeats"
            else:
                assert (line.ends, len(line)) == ("terminal", value.remoteness)


@pytest.mark.slow
def test_any_single_wrong_code_is_caught() -> None:
    """No code of any vertex can be any other than it is, those that mean nothing included."""
    tried = 0
    for game in random_games(6, 60, vertices=12, kinds=KINDS):
        solution = solve(game, threads=1)
        scale = solution._solved.values.scale
        codes = stored(solution)
        others = {scale.last - r for r in range(9)} | {scale.ties - r for r in range(9)}
        others |= {-code for code in others} | {0, 1, -1, -5, 2, -scale.last - 1}
        for vertex in range(len(solution)):
            right = int(codes[vertex])
            for wrong in others - {right}:
                codes[vertex] = wrong
                verdict = solution.verify()
                assert not verdict, (game, vertex, wrong)
                assert verdict.problem is not None
                tried += 1
            codes[vertex] = right
    assert tried > 10_000


def random_graph(n: int, seed: int, *, owned: bool) -> tuple[Any, ...]:
    """Return a graph with loops, repeated edges, ties and early ends, large enough to share."""
    rng = np.random.default_rng(seed)
    degrees = rng.integers(0, 9, n)
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    indices = rng.integers(0, n, indptr[-1]).astype(np.int32)
    outcome = np.where(rng.random(n) < 0.02, rng.integers(-1, 2, n), 2).astype(np.int8)
    return indptr, indices, outcome, rng.integers(0, 2, n).astype(np.uint8) if owned else None


@pytest.mark.parametrize("owned", [False, True], ids=["alternating", "owned"])
def test_any_number_of_threads_and_any_memory_give_the_same_bytes(owned: Any) -> None:
    """One, two and three threads, and every way to save memory, store the same codes."""
    n = 100_000
    arrays = random_graph(n, 7, owned=owned)
    edges = len(arrays[1])
    expected = zermelo.graph.solve(*arrays, threads=1)
    assert expected.verify()
    choices = {expected.choice}
    for threads, memory in ((2, None), (3, None), (2, 7 * edges + 10 * n), (3, 6 * n), (1, 6 * n)):
        other = zermelo.graph.solve(*arrays, threads=threads, memory=memory)
        assert np.array_equal(stored(expected), stored(other))
        assert np.array_equal(expected.arrays.best_edge, other.arrays.best_edge)
        choices.add(other.choice)
    assert len(choices) == 3


@pytest.mark.slow
def test_long_lists_and_full_scans_decide_alike() -> None:
    """Whether a frontier is listed or looked for makes no difference."""
    arrays = random_graph(20_000, 8, owned=True)
    expected = zermelo.graph.solve(*arrays, threads=1)
    for sharing, listed in ((0, 1 << 20), (0.004, 1 << 20), (0.004, 64), (0.004, 2)):
        for threads in (1, 2, 3):
            with limits.using(sharing=sharing, at_once=listed):
                other = zermelo.graph.solve(*arrays, threads=threads)
            assert np.array_equal(stored(expected), stored(other))


@pytest.mark.slow
def test_the_engine_reads_arrays_that_may_not_be_written() -> None:
    """Arrays that are read only, as a memory map may be, are solved without a copy."""
    arrays = list(random_graph(500, 9, owned=True))
    expected = zermelo.graph.solve(*arrays)
    for array in arrays:
        array.flags.writeable = False
    solution = zermelo.graph.solve(*arrays)
    assert np.array_equal(stored(expected), stored(solution))
    assert solution.verify()


@pytest.mark.slow
def test_random_graphs_come_back_from_their_files(tmp_path: Path) -> None:
    """What the oracle says of every vertex is what the file says, and its certificate holds."""
    for game in random_games(10, 60, kinds=KINDS):
        solution = solve(game, threads=1)
        with zermelo.open(solution.save(tmp_path / "x.table", overwrite=True)) as opened:
            assert {v: opened[v] for v in opened} == dict(solution.items())
            assert table_of(opened) == oracle.solve(everywhere(game)), game
            assert opened.arrays.best_edge.tolist() == solution.arrays.best_edge.tolist()
            assert opened.verify(), game
