"""The random games of the tests: that they hold all that a solver may get wrong."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from support.games.strategies import (
    GRAPH_GAMES,
    SCORE_GAMES,
    graph_games,
    random_games,
    random_score_games,
    score_games,
)
from support.oracles.oracle import DRAW, LOSS, WIN, explore, problem, solve, solve_scores


@pytest.mark.parametrize("kind", GRAPH_GAMES, ids=lambda kind: kind.__name__)
def test_random_games_are_varied(kind):
    """Each kind of game has every kind of position, of move and of value, near and remote."""
    seen = Counter()
    for game in random_games(5, 400, kinds=[kind]):
        graph = explore(game)
        seen["one position"] += len(list(graph)) == 1
        seen["start that is terminal"] += graph.starts[0] in graph.ends
        seen["different starts"] += len(set(graph.starts)) > 1
        seen["dead end"] += any(not game.rows[getattr(p, "vertex", p)] for p in graph.ends)
        for position, edges in graph.edges.items():
            children = [edge.child for edge in edges]
            seen["self-loop"] += position in children
            seen["duplicate"] += len(set(children)) < len(children)
            seen["extra turn"] += any(edge.sign == 1 for edge in edges)
        for outcome, remoteness in solve(game).values():
            seen[outcome, remoteness is None] += 1
            seen["remote", outcome] += remoteness is not None and remoteness >= 12
    if not hasattr(kind, "turn"):
        assert seen.pop("extra turn") == 0
    assert min(seen.values()) > 0
    assert {(WIN, False), (DRAW, False), (DRAW, True), (LOSS, False)} < set(seen)


def test_random_games_repeat():
    """One seed always gives the same games, another gives others."""
    assert list(random_games(6, 20)) == list(random_games(6, 20)) != list(random_games(7, 20))
    assert list(random_score_games(6, 20)) == list(random_score_games(6, 20))


@pytest.mark.parametrize("kind", SCORE_GAMES, ids=lambda kind: kind.__name__)
def test_random_score_games_are_varied(kind):
    """Score games end, with margins of either sign or none, and extra turns if there are owners."""
    signs = Counter()
    stays = 0
    for game in random_score_games(8, 200, kinds=[kind]):
        signs.update((margin > 0) - (margin < 0) for margin in solve_scores(game).values())
        stays += any(edge.sign == 1 for row in explore(game).edges.values() for edge in row)
    assert set(signs) == {-1, 0, 1}
    assert (stays > 0) == hasattr(kind, "turn")


@pytest.mark.slow
@given(graph_games())
def test_graph_games(game):
    """Every drawn game can be explored and solved."""
    assert problem(game, solve(game)) is None


@pytest.mark.slow
@given(score_games())
def test_score_games(game):
    """Every drawn score game ends."""
    assert solve_scores(game)
