"""What the golden set solves: every method, its options, and how it does with little memory.

Nothing is drawn by a random generator whose numbers might change one day, and nothing is asked of
Zermelo but what users ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import zermelo
import zermelo.graph
from support.games.boards import Breaker, FallingMisere, FallingWild, InARow, Misere, Notakto
from support.games.dense import FreeRing, LooseRing, Ring
from support.games.heists import Heist
from support.games.strategies import (
    OPEN,
    MisereVertexGame,
    OwnedGame,
    OwnedScoreGame,
    Row,
    Rows,
    ScoreGame,
    StalemateVertexGame,
    VertexGame,
    WinnerGame,
)
from support.games.symmetric import ColouringGame, MirrorGame, PairGame, SowingGame, WheelGame
from zermelo.game.placement import Stones
from zermelo.games import (
    CatAndMouse,
    ConnectFour,
    Quixo,
    StoneGame,
    TakeAway,
    TicTacToe,
)

#: Memory is cut by this factor again and again, until a solve is refused.
CUT = 0.85


@dataclass(frozen=True)
class Case:
    """A solve whose values are known.

    Attributes:
        solve: called with ``memory``, and for games also with ``table`` and ``symmetry``.
        game: the game; None for a pursuit or a graph given as it is.
        little: whether it is solved with less and less memory, too.
        ways: what ``choice`` says at one memory or another, so that no way goes untested.
        folded: whether positions are one that symmetries make one.
    """

    solve: Callable[..., Any]
    game: Any = None
    little: bool = False
    ways: tuple[str, ...] = ()
    folded: bool = False
    options: dict[str, Any] = field(default_factory=dict)


def game(made: Any, *ways: str, little: bool = False, folded: bool = False, **options: Any) -> Case:
    """Return the case of a game that is solved with some options."""

    def solve(**more: Any) -> Any:
        return zermelo.solve(made, threads=1, **options, **more)

    return Case(solve, made, little, ways, folded, options)


def chase(*ways: str, little: bool = False, **options: Any) -> Case:
    """Return the case of a pursuit."""

    def solve(**more: Any) -> Any:
        return zermelo.pursuit(threads=1, **options, **more)

    return Case(solve, None, little, ways, options=options)


def graph(*ways: str, little: bool = False, **options: Any) -> Case:
    """Return the case of a graph that is given as it is."""

    def solve(**more: Any) -> Any:
        return zermelo.graph.solve(threads=1, **options, **more)

    return Case(solve, None, little, ways, options=options)


class Numbers:
    """Numbers that look random and are the same for ever (Knuth's MMIX generator)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, bound: int) -> int:
        """Return the next number, from 0 to ``bound`` - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % bound

    def row(self, length: int, bound: int, less: int = 0) -> Row:
        """Return so many of them, ``less`` taken from each."""
        return tuple(self.below(bound) - less for _ in range(length))


def tangle(seed: int, vertices: int, degree: int = 4) -> Rows:
    """Return a graph of short edges and a few long ones, with loops, repeats and dead ends."""
    numbers = Numbers(seed)

    def targets(vertex: int) -> Iterator[int]:
        for _ in range(numbers.below(degree + 1)):
            near = (vertex + numbers.below(40) - 9) % vertices
            yield near if numbers.below(8) else numbers.below(vertices)

    return tuple(tuple(targets(v)) for v in range(vertices))


def forward(seed: int, vertices: int) -> Rows:
    """Return a graph whose edges lead a little forward."""
    numbers = Numbers(seed)

    def targets(vertex: int) -> Iterator[int]:
        for _ in range(numbers.below(5)):
            yield min(vertex + 1 + numbers.below(20), vertices - 1)

    return (*(tuple(targets(v)) for v in range(vertices - 1)), ())


def endings(seed: int, vertices: int, one_in: int) -> Row:
    """Return for one vertex in so many an outcome, and for the others that the game goes on."""
    numbers = Numbers(seed)
    return tuple(OPEN if numbers.below(one_in) else numbers.below(3) - 1 for _ in range(vertices))


def like(rows: Rows, seed: int, bound: int, less: int = 0) -> Rows:
    """Return a number for each edge."""
    numbers = Numbers(seed)
    return tuple(numbers.row(len(row), bound, less) for row in rows)


@dataclass(frozen=True)
class LevelGame(VertexGame):
    """A token on a graph whose vertices have levels, which edges may stay on."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]

    def space(self) -> range:
        return range(len(self.rows))


@dataclass(frozen=True)
class OwnedLevelGame(OwnedGame):
    """The same, but the owner of a vertex moves there, so that there are extra turns."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]


class Unspaced(ConnectFour):
    """Connect Four whose positions may take all 64 bits, as far as its ranges say."""

    def space(self) -> Stones:
        return Stones(range(1 << 32), range(1 << 32))


class LegalChase(CatAndMouse):
    """Cat and Mouse that says which positions are legal; all are solved, reached or not."""

    def legal(self, position: Any) -> bool:
        return position.cat != self.hole


def circle(nodes: int, *steps: int) -> Rows:
    """Return the graph of nodes in a circle, each joined to those so many steps away."""
    return tuple(tuple((v + step) % nodes for step in steps) for v in range(nodes))


def cliffs(seed: int, vertices: int, levels: int) -> tuple[Rows, Row]:
    """Return a graph whose edges stay on their level or lead higher, and the levels."""
    heights = tuple(v * levels // vertices for v in range(vertices))
    width = vertices // levels
    rows = tangle(seed, vertices)
    return tuple(
        tuple(t if heights[t] >= heights[v] else v - v % width + t % width for t in row)
        for v, row in enumerate(rows)
    ), heights


SIZE = 20_000
TANGLE, ENDS = tangle(1, SIZE), endings(2, SIZE, 30)
OWNERS = Numbers(3).row(SIZE, 2)
CLIFFS, HEIGHTS = cliffs(4, SIZE, 20)
AHEAD, FAR = forward(5, 3_000), forward(5, SIZE)
HOUSES = tuple(sorted(row) for row in circle(24, 1, -1, 7, -7))
WALLS = ((1, 5), (0, 2), (1, 3, 6), (2, 4), (3, 5, 7), (4, 0), (2, 7), (6, 4))
SHORT = tangle(8, 300)
FOLDS = circle(7, 1, -1)


def csr(rows: Rows) -> dict[str, list[int]]:
    """Return a graph as ``zermelo.graph.solve`` takes it."""
    first = [0]
    for row in rows:
        first.append(first[-1] + len(row))
    return {"indptr": first, "indices": [target for row in rows for target in row]}


CASES = {
    # Any game: by a queue, or by a sweep where every move leads forward.
    "retrograde, in cycles": game(
        VertexGame(TANGLE, ENDS, (0, SIZE // 2)),
        "may repeat",
        "rounds over the moves",
        "again",
        little=True,
        method="retrograde",
    ),
    "retrograde, extra turns": game(
        OwnedGame(TANGLE, ENDS, OWNERS, (0, 7, 9)), "rounds", little=True, method="retrograde"
    ),
    "retrograde, winners and turns kept": game(
        WinnerGame(
            SHORT,
            like(SHORT, 9, 2),
            tuple(OPEN if Numbers(v).below(9) else v % 3 - 1 for v in range(300)),
            (0, 100, 200),
        ),
        method="retrograde",
    ),
    "retrograde, misère": game(MisereVertexGame(SHORT, endings(10, 300, 40), (0, 1, 2))),
    "retrograde, stalemate": game(StalemateVertexGame(SHORT, endings(11, 300, 40), (0, 1, 2))),
    "retrograde, 3,000 plies": game(TakeAway(stones=3_000, limit=1), "sweep"),
    "retrograde, handed over to levels": game(
        ConnectFour(4, 3), "level by level", little=True, method="retrograde"
    ),
    "horizon, all": game(
        VertexGame(TANGLE, ENDS, (0, SIZE // 2)), "again", little=True, method="horizon"
    ),
    "horizon, five plies": game(
        VertexGame(TANGLE, ENDS, (0, SIZE // 2)), method="horizon", horizon=5
    ),
    # Level by level.
    "levels, in slots and on disk": game(ConnectFour(4, 4), "disk", little=True, method="levels"),
    "levels, without slots": game(Unspaced(4, 3), method="levels"),
    "levels, in cycles after all": game(
        LevelGame(SHORT, endings(12, 300, 9), (0, 1), (0,) * 300),
        "not by levels",
        method="levels",
    ),
    "levels, extra turns": game(
        OwnedLevelGame(AHEAD, endings(13, 3_000, 20), OWNERS[:3_000], (0, 5), tuple(range(3_000))),
        method="levels",
    ),
    # The whole space, numbered.
    "dense, pebbles": game(Ring(12, 3), "rounds", little=True, method="dense"),
    "dense, pebbles in any number": game(FreeRing(9, 2), method="dense"),
    "dense, pebbles anywhere": game(LooseRing(9, 2), method="dense"),
    "dense, by tiers": game(
        LevelGame(CLIFFS, ENDS, (0, 1, 2, 3), HEIGHTS),
        "reversed moves",
        "tiers",
        "rounds",
        little=True,
        method="dense",
    ),
    "dense, extra turns": game(CatAndMouse(WALLS), method="dense"),
    "dense, folded": game(
        Quixo(3), "symmetries", "tiers", folded=True, little=True, method="dense"
    ),
    "dense, all that is legal": game(LegalChase(WALLS), method="dense"),
    # Cells and lines.
    "placement": game(TicTacToe()),
    "placement, stones fall": game(ConnectFour(4, 3), "disk", little=True),
    "placement, who wins": game(ConnectFour(4, 3), "disk", little=True, value="outcome"),
    "placement, misère": game(Misere(3, 3, 3), little=True),
    "placement, a full board wins": game(Breaker(3, 4, 3)),
    "placement, misère with stones that fall": game(FallingMisere(4, 3, 3)),
    "placement, crosses alone": game(Notakto()),
    "placement, either mark": game(FallingWild(3, 3, 3)),
    "placement, who wins in a row": game(InARow(4, 3, 3), value="outcome"),
    # Pursuits.
    "pursuit, cat and mouse": game(CatAndMouse(HOUSES), "rows of bits"),
    "pursuit, one-way, who is stuck loses": game(
        Heist(tangle(14, 40), tangle(15, 40), (0, 7), (3, 7)), "rows of bits"
    ),
    "pursuit, one after one": chase(evader_graph=HOUSES, safe=[0], forbidden=[0, 5]),
    "pursuit, two at once": chase(
        "disk", little=True, evader_graph=HOUSES, pursuers=2, may_stay=True
    ),
    "pursuit, two in turn on graphs of their own": chase(
        evader_graph=WALLS,
        pursuers=[circle(8, 1, -1), circle(8, 1, 3)],
        together=False,
        safe=[6],
    ),
    # Scores.
    "score, stones": game(StoneGame([3, 9, 1, 2, 7, 5, 6, 1, 8, 4])),
    "score, in little memory": game(
        ScoreGame(FAR, like(FAR, 6, 21, 10), Numbers(7).row(SIZE, 100), OWNERS, (0, 1)),
        "again",
        little=True,
    ),
    "score, extra turns": game(
        OwnedScoreGame(AHEAD, like(AHEAD, 8, 5, 2), (0,) * 3_000, OWNERS[:3_000], (0, 1))
    ),
    # Symmetries.
    "folded, a colouring": game(
        ColouringGame(FOLDS, ((1, 2, 3, 4, 5, 6, 0),), (0, 0), 9),
        "symmetries",
        folded=True,
        method="retrograde",
    ),
    "folded, a colouring by levels": game(
        ColouringGame(FOLDS, ((1, 2, 3, 4, 5, 6, 0),), (0, 0), 9), folded=True, method="levels"
    ),
    "folded, a mirror and extra turns": game(
        MirrorGame(
            circle(24, 1, -1, 5, -5),
            ((0, 0, 1, 1),) * 24,
            (*(OPEN,) * 7, 0, *(OPEN,) * 9, 1, *(OPEN,) * 6),
            tuple(-v % 24 for v in range(24)),
            (0,),
        ),
        "symmetries",
        folded=True,
    ),
    "folded, two alike": game(
        PairGame(circle(9, 1, -2), (OPEN,) * 9, ((*range(1, 9), 0),), (0, 4)),
        folded=True,
        method="retrograde",
    ),
    "folded, a wheel and a clock": game(
        WheelGame(
            circle(24, 1, 5, -2),
            (*(OPEN,) * 6, 0, -1) * 3,
            ((*range(8, 24), *range(8)),),
            (0,),
        ),
        folded=True,
        method="retrograde",
    ),
    "folded, scores": game(SowingGame((4, 1, 0, 3, 2), 5), folded=True),
    # Graphs that are given as they are.
    "graph, in cycles": graph(
        "edges, because", little=True, **csr(TANGLE), outcome=list(ENDS), owner=list(OWNERS)
    ),
    "graph, alternating, misère": graph(**csr(SHORT), no_moves=1),
}
