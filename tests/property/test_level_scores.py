"""Margins level by level: the same as along the graph, in memory and on disk."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.level_games import LevelScores, levelled_scores
from support.oracles import oracle
from support.sizes import counts
from zermelo import limits
from zermelo.games import Kalah


def agrees(solution: Any, game: Any) -> None:
    """Assert that margins are the oracle's, and hold one another up."""
    assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game), game
    assert solution.starts == tuple(dict.fromkeys(game.roots))
    assert solution.verify(), game


def held(solution: Any) -> np.dtype[Any]:
    """Return the type that margins are held in."""
    return solution._solved.table.column.stored.dtype


@counts(None, 150, 1_000)
def test_random_games_agree_with_the_oracle(count: int) -> None:
    """Small margins and great ones, extra turns, several starts, levels of any distance."""
    types = set()
    for n, game in enumerate(levelled_scores(41, count)):
        solution = zermelo.solve(game, method="levels", threads=1 + n % 3)
        assert solution.choice == "level by level, as every move raises level()"
        agrees(solution, game)
        types.add(held(solution))
    assert types == {np.dtype(np.int16), np.dtype(np.int64)}


@pytest.mark.parametrize("changed", [{}, {"waiting": 0}, {"windows": 3}], ids=str)
@counts(None, 100, 300)
def test_random_games_on_disk_agree_with_the_oracle(count: int, changed: dict[str, int]) -> None:
    """Wherever levels are, what waits for them, and in how many parts they are looked up."""
    with limits.using(in_memory=False, **changed):
        for n, game in enumerate(levelled_scores(43, count)):
            solution = zermelo.solve(game, method="levels", threads=1 + n % 3)
            assert "on disk" in solution.choice
            agrees(solution, game)


@pytest.mark.slow
def test_tables_and_checkpoints(tmp_path) -> None:
    """A table has the same margins, though they outgrew the type they were first kept in."""
    game = max(filter(_great, levelled_scores(44, 90)), key=lambda g: len(list(oracle.explore(g))))
    for name, in_memory in (("memory", True), ("disk", False)):
        with limits.using(in_memory=in_memory, checkpoint_seconds=0, checkpoint_share=(1, 1)):
            solution = zermelo.solve(game, method="levels", table=tmp_path / name)
        agrees(solution, game)
        assert zermelo.open(tmp_path / name, game).counts() == solution.counts()


def _great(game: Any) -> bool:
    return max(map(abs, oracle.solve_scores(game).values())) > 1 << 15


@pytest.mark.slow
@pytest.mark.parametrize("size", [32_767, 32_768, -32_767, -32_768])
def test_the_greatest_margins_of_two_bytes(size: int) -> None:
    """One more, or the number that stands for none, takes eight."""
    game = LevelScores(((1,), ()), ((0,), ()), (0, size), (0, 0), (0,))
    solution = zermelo.solve(game, method="levels", threads=1)
    agrees(solution, game)
    assert held(solution) == (np.int16 if abs(size) < 32_768 else np.int64)


@pytest.mark.slow
def test_a_wrong_margin_is_noticed() -> None:
    """The certificate finds each position whose margin is changed in the table."""
    solution = zermelo.solve(Kalah(3, 2), method="levels", threads=1)
    stored = solution._solved.table.column.stored
    for place in range(0, len(stored), max(1, len(stored) // 40)):
        stored[place] += 1
        assert not solution.verify()
        stored[place] -= 1
    assert solution.verify()


@pytest.mark.slow
def test_kalah_is_the_same_by_levels_and_by_its_graph() -> None:
    """A large solve is handed over, and every thread puts every position at the same place."""
    game = Kalah(3, 2)
    graph = zermelo.solve(game)
    assert graph.method == "score"
    with limits.using(levels=500, wide=20):
        levels = zermelo.solve(game)
    assert levels.method == "levels"
    assert levels.choice.endswith(
        "level by level, as every move raises level(), and levels are wide"
    )
    assert dict(levels.items()) == dict(graph.items())
    assert levels.counts() == graph.counts()
    for threads in (1, 3):
        other = zermelo.solve(game, method="levels", threads=threads)._solved.table
        assert other.index.keys.tobytes() == levels._solved.table.index.keys.tobytes()
        assert other.column.stored.tobytes() == levels._solved.table.column.stored.tobytes()


@pytest.mark.slow
def test_ranks_of_a_file_are_levels(tmp_path) -> None:
    """A table stores one number for each level, so that most of them take few bits."""
    solution = zermelo.solve(Kalah(3, 2), method="levels", threads=1)
    table = solution._solved.table
    steps = table.steps(np.arange(len(table)))
    levels = [solution.game.level(position) for position in solution]
    assert len(set(steps.tolist())) == len(set(levels))
    assert all(
        (a > b) == (c < d) for (a, b), (c, d) in zip(pairwise(steps), pairwise(levels), strict=True)
    )
    solution.save(tmp_path / "table")
    assert zermelo.open(tmp_path / "table", solution.game).verify()


@pytest.mark.slow
def test_flat_levels_and_plies_are_left_to_the_graph() -> None:
    """The choice says that levels were no use."""
    rows = ((1, 2), (3,), (3,), ())
    flat = LevelScores(rows, ((1, 2), (3,), (4,), ()), (0,) * 4, (0,) * 4, (0,), step=(0,))
    solution = zermelo.solve(flat, method="levels", threads=1)
    assert solution.method == "score"
    assert "not by levels, as move 0 from 0 leaves level() at 0" in solution.choice
    agrees(solution, flat)
    plies = zermelo.solve(Kalah(3, 2), method="levels", value="score-and-plies", threads=1)
    assert "not by levels, which find no plies" in plies.choice
    assert plies.value.remoteness is not None


@pytest.mark.slow
def test_a_move_that_lowers_the_level_is_refused() -> None:
    """With the position it leads from."""
    game = LevelScores(((1,), ()), ((0,), ()), (0, 0), (0, 0), (0,), step=(-1,))
    with pytest.raises(zermelo.RulesError, match=r"move 0 from 0 lowers level\(\) from 5 to 4"):
        zermelo.solve(game, method="levels")
