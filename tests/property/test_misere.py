"""Misère play of random games, by every method: what the oracle finds where no_moves is WIN."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from support.faults.tampered_tables import forged
from support.games.dense import LevelGame, OwnedLevelGame, levelled_games, table_of
from support.games.strategies import (
    GRAPH_GAMES,
    MisereVertexGame,
    OwnedGame,
    StalemateVertexGame,
    VertexGame,
    random_endless_games,
    random_games,
)
from support.games.symmetric import random_symmetric
from support.oracles import oracle
from support.sizes import counts
from zermelo import WIN

#: Kinds of graph games in which who cannot move loses.
NORMAL = [k for k in GRAPH_GAMES if k not in (MisereVertexGame, StalemateVertexGame)]


class Misere:
    """A game as the oracle reads it, of which only ``no_moves`` is another."""

    no_moves = WIN

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:  # noqa: D105  # all else is the game's
        return getattr(self._game, name)


def compared(game: Any, **how: Any) -> bool:
    """Compare a misère solution with the oracle; return whether normal play is another."""
    solution = zermelo.solve(game, misere=True, threads=1, **how)
    expected = oracle.solve(Misere(game))
    assert table_of(solution) == expected, game
    assert solution.verify(), game
    assert ("changes nothing" in solution.choice) == ((WIN, 0) not in expected.values())
    return expected != oracle.solve(game)


@counts(None, 110, 1_500)
def test_random_games_agree_with_the_oracle(count: int) -> None:
    """Loops, extra turns, ends by rule and several starts; in many games misère play differs."""
    kinds = NORMAL if count > 100 else (OwnedGame,)  # each is compiled
    differ = sum(compared(game) for game in random_games(71, count, kinds=kinds))
    assert differ > count / 5


@counts(None, 50, 500)
def test_other_methods_agree_with_the_oracle(count: int) -> None:
    """The bounded-turn programme, dense spaces and levels, asked for by name."""
    for game in random_games(72, count, kinds=NORMAL):
        compared(game, method="horizon")
    for kind in (LevelGame, OwnedLevelGame):
        for game in levelled_games(73, count, kind):
            compared(game, method="dense")
            compared(game, method="levels")


@counts(None, 10, 300)
def test_endless_wins_and_symmetries_agree_with_the_oracle(count: int) -> None:
    """Endless play stays what the game says, and equal positions stay equal."""
    for game in random_endless_games(74, count):
        compared(game)
    for game in random_symmetric(75, count):
        if game.no_moves == zermelo.LOSS:
            plain, folded = (
                zermelo.solve(game, misere=True, symmetry=symmetry, threads=1)
                for symmetry in (False, True)
            )
            expected = oracle.solve(Misere(game))
            assert table_of(plain) == expected
            assert all((folded[p].outcome, folded[p].remoteness) == expected[p] for p in expected)
            assert folded.counts() == plain.counts()
            assert folded.verify()


@pytest.mark.slow
def test_a_class_with_no_moves_of_its_own_has_the_same_values() -> None:
    """With and without changing the class, and in turn with normal play of the same game."""
    for game in random_games(76, 40, kinds=[VertexGame]):
        changed = MisereVertexGame(game.rows, game.endings, game.roots)
        for _ in range(2):
            assert table_of(zermelo.solve(game, misere=True)) == table_of(zermelo.solve(changed))
            assert table_of(zermelo.solve(game)) == oracle.solve(game)


def test_forged_values_are_caught(tmp_path) -> None:
    """A table of normal play that says it is of misère play is refused, and so is a wrong value."""
    game = VertexGame(((1,), ()), (2, 2), (0,))
    path = zermelo.solve(game).save(tmp_path / "normal")

    def claims(header: dict[str, Any], _: Any) -> None:
        header["misere"] = True

    with pytest.raises(zermelo.StaleTableError, match="have changed"):
        zermelo.open(forged(path, claims), VertexGame)
    found = zermelo.open(tmp_path / "forged", VertexGame, ignore_rules=True).verify()
    assert not found.ok
    assert found.position == 1
