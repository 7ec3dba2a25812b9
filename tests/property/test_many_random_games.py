"""Ten thousand random games, over all methods, against the oracle and the certificate."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.strategies import (
    GRAPH_GAMES,
    VERTEX_GAMES,
    OwnedGame,
    OwnedScoreGame,
    ScoreGame,
    VertexGame,
    random_games,
    random_score_games,
)
from support.oracles import chases, oracle
from support.sizes import counts
from zermelo import DRAW, LOSS, WIN, PlacementGame

#: Most of these are more of what other files ask of fewer games.
more = pytest.mark.huge

#: How many games are solved by each way, ten thousand and some over all of them.
EACH = {
    "retrograde": 2000,
    "horizon": 1000,
    "levels": 1000,
    "dense": 1000,
    "score": 1500,
    "nimber": 1000,
    "explicit": 1500,
    "pursuit": 1000,
}


def with_hooks(kind: type[Any], **hooks: Any) -> type[Any]:
    """Return a class of random games that declares more."""
    return type(kind.__name__, (kind,), {"__module__": kind.__module__, **hooks})


def space_of(game: Any) -> Any:
    """Return the range of vertices, with that of players where a position has one."""
    start, vertices = game.start(), range(max(2, len(game.rows)))
    return vertices if isinstance(start, int) else type(start)(vertices, range(2))


SPACED = {kind: with_hooks(kind, space=space_of) for kind in GRAPH_GAMES}
LEVELLED = {
    kind: with_hooks(kind, level=lambda _, vertex: vertex)
    for kind in (*VERTEX_GAMES, OwnedGame, ScoreGame, OwnedScoreGame)
}


def altered(game: Any, kinds: dict[type[Any], type[Any]], **given: Any) -> Any:
    """Return the same game in the class that stands for its own."""
    mine = {field.name: getattr(game, field.name) for field in fields(game)}
    return kinds.get(type(game), type(game))(**mine | given)


def forward(game: Any) -> Any:
    """Return the game without the edges that do not lead to a vertex of a higher number."""
    rows = tuple(tuple(t for t in row if t > v) for v, row in enumerate(game.rows))
    return altered(game, {}, rows=rows)


def values_of(solution: Any) -> dict[Any, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


def agrees(game: Any, method: str) -> None:
    """Assert that a method finds the oracle's values, and that they pass the certificate."""
    solution = zermelo.solve(game, method=method, threads=1)
    assert values_of(solution) == oracle.solve(game), game
    assert solution.verify(), game


@more
@pytest.mark.parametrize("method", ["retrograde", "horizon"])
def test_games_on_any_graph(method: str) -> None:
    """Loops, duplicate moves, dead ends, ties, extra turns, several starts."""
    for game in random_games(1001 + len(method), EACH[method]):
        agrees(game, method)


@more
def test_games_with_levels() -> None:
    """Every move leads to a higher level."""
    kinds = (*VERTEX_GAMES, OwnedGame)
    for game in random_games(1002, EACH["levels"], kinds=kinds):
        agrees(altered(forward(game), LEVELLED), "levels")


@more
def test_games_with_a_dense_space() -> None:
    """Every position has a place in the space that the game declares."""
    for game in random_games(1003, EACH["dense"]):
        agrees(altered(game, SPACED), "dense")


@more
def test_score_games() -> None:
    """Half of them say that their moves lead on, and half are left to show it."""
    for i, game in enumerate(random_score_games(1004, EACH["score"])):
        asked = altered(game, LEVELLED) if i % 2 else game
        solution = zermelo.solve(asked, threads=1)
        assert {p: v.score for p, v in solution.items()} == oracle.solve_scores(game), game
        assert solution.verify(), game


@more
def test_nimbers() -> None:
    """The least number that no successor has, on any graph without cycles."""

    def nimber_of(rows: Any) -> Any:
        @cache
        def nimber(vertex: int) -> int:
            taken = {nimber(target) for target in rows[vertex]}
            return min(set(range(len(taken) + 1)) - taken)

        return nimber

    for drawn in random_games(1005, EACH["nimber"], kinds=(VertexGame,)):
        game = altered(forward(drawn), {}, endings=(2,) * len(drawn.rows))
        expected = nimber_of(game.rows)
        solution = zermelo.solve(game, value="nimber", threads=1)
        assert set(solution) == set(oracle.explore(game)), game
        assert all(value.nimber == expected(vertex) for vertex, value in solution.items()), game
        assert solution.verify(), game


@more
def test_explicit_graphs() -> None:
    """Arrays of edges, in which every vertex is a position."""
    for game in random_games(1006, EACH["explicit"], kinds=(*VERTEX_GAMES, OwnedGame)):
        solution = zermelo.graph.solve(
            np.cumsum([0, *map(len, game.rows)]),
            np.array([target for row in game.rows for target in row], np.int64),
            np.array(game.endings, np.int8),
            getattr(game, "owners", None),
            no_moves=getattr(game, "no_moves", LOSS),
            threads=1,
        )
        everywhere = altered(game, {}, roots=tuple(range(len(game.rows))))
        assert values_of(solution) == oracle.solve(everywhere), game
        assert solution.verify(), game


@more
def test_pursuits() -> None:
    """One to three pursuers, in turn or together, with safe and forbidden nodes."""
    rng = np.random.default_rng(1007)
    for _ in range(EACH["pursuit"]):
        graphs, safe, forbidden, together = chases.random_pursuit(rng)
        solution = zermelo.pursuit(
            graphs[0],
            pursuers=graphs[1:],
            safe=safe,
            forbidden=forbidden,
            together=together,
            stuck="lose",
            threads=1,
        )
        together = together or len(graphs) == 2  # one pursuer moves as all of them do
        expected = chases.solve(graphs, safe, forbidden, together=together)
        found = {
            (place.turn, place.evader, place.pursuers): int(value.outcome)
            * (1 + (value.remoteness or 0))
            for place, value in solution.items()
        }
        assert found == expected
        assert solution.verify()


@dataclass(frozen=True)
class RandomLines(PlacementGame):
    """A board with any lines, and rules of any temper."""

    width: int
    height: int
    masks: tuple[tuple[int, ...], ...]

    def lines(self) -> Any:
        return self.masks


class RandomGoals(RandomLines):
    """The same, with the even lines for one player and the odd ones for the other."""

    def lines(self, player: int) -> Any:
        return self.masks[player::2]


def placement_kinds() -> list[type[Any]]:
    """Return classes with and without gravity, lines that lose, and each end of a full board.

    Of these, there are those with the same lines for both, and with lines for each.
    """
    return [
        with_hooks(goals, gravity=gravity, line_loses=loses, full_board=full)
        for goals in (RandomLines, RandomGoals)
        for gravity in (False, True)
        for loses in (False, True)
        for full in (DRAW, LOSS, WIN)
    ]


@counts(None, 3, 75)
def test_placement_games(count: int) -> None:
    """Any sets of cells as lines, on boards of up to nine cells."""
    rng = np.random.default_rng(1008)
    kinds = placement_kinds()
    for i in range(count):
        kind = kinds[5 * i % len(kinds)]  # all of them in turn, unlike ones first
        width, height = (int(n) for n in rng.integers(1, 4, 2))
        blank = kind(width, height, ())
        cells = [blank.bit(column, row) for column in range(width) for row in range(height)]
        lines = tuple(
            tuple(rng.choice(cells, min(len(cells), rng.integers(1, 5)), replace=False).tolist())
            for _ in range(rng.integers(0, 6))
        )
        agrees(kind(width, height, lines), "placement")
