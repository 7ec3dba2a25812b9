"""Random games with levels, and with margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from support.games.strategies import (
    OPEN,
    OwnedGame,
    OwnedScoreGame,
    Row,
    ScoreGame,
    VertexGame,
    random_score_games,
)


@dataclass(frozen=True)
class AlternatingGame(VertexGame):
    """A token on a graph whose vertices have levels, moved by either player in turn."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]


@dataclass(frozen=True)
class OwnedLevelGame(OwnedGame):
    """A game with levels in which the owner of a vertex moves there, so that turns repeat."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]


class SpacedGame(AlternatingGame):
    """An alternating game with a space of vertices, so that positions take few bits."""

    def space(self):
        return range(max(3, len(self.rows)))


class OwnedSpacedGame(OwnedLevelGame):
    """A game of owners with a space of vertices."""

    def space(self):
        return range(max(3, len(self.rows)))


def random_levelled(seed: int, count: int, kind: Any, most: int = 24) -> Any:
    """Yield random games whose edges lead to higher levels, some of them several at once."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, most))
        heights = np.sort(rng.integers(-3, max(2, n // int(rng.integers(1, 4))), n))
        rows = []
        for v in range(n):
            above = np.flatnonzero(heights > heights[v])
            size = int(rng.integers(0, 5)) if len(above) else 0
            rows.append(tuple(rng.choice(above, size).tolist()) if size else ())
        order = rng.permutation(n)
        place = np.argsort(order)
        endings = tuple(int(rng.choice([OPEN, OPEN, OPEN, -1, 0, 1])) for _ in range(n))
        owned = (
            {"owners": tuple(rng.integers(0, 2, n).tolist())}
            if issubclass(kind, OwnedLevelGame)
            else {}
        )
        yield kind(
            **owned,
            rows=tuple(tuple(int(place[t]) for t in rows[v]) for v in order),
            endings=endings,
            roots=tuple(rng.integers(0, n, int(rng.integers(1, 4))).tolist()),
            heights=tuple(heights[order].tolist()),
        )


@dataclass(frozen=True)
class SparseLevels:
    """Levels of a game whose moves lead to greater numbers.

    Attributes:
        step: how far apart they are, in a row, so that the class is compiled once.
    """

    step: tuple[int, ...] = (1,)

    def level(self, vertex):
        return self.step[0] * (vertex - 5)


@dataclass(frozen=True)
class LevelScores(SparseLevels, ScoreGame):
    """A score game with levels, by either player in turn."""


@dataclass(frozen=True)
class OwnedLevelScores(SparseLevels, OwnedScoreGame):
    """A score game with levels and extra turns."""


def levelled_scores(seed: int, count: int) -> Any:
    """Yield random score games with levels, close together and far apart."""
    kinds = {ScoreGame: LevelScores, OwnedScoreGame: OwnedLevelScores}
    for n, game in enumerate(random_score_games(seed, count, kinds=tuple(kinds))):
        given = (game.rows, game.gains, game.margins, game.owners, game.roots)
        yield kinds[type(game)](*given, step=((1, 3, 10_000)[n % 3],))
