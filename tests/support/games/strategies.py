"""Random small games: graphs with loops, duplicate edges, dead ends, ties and extra turns.

There are few classes here and many parameters. A rule set is compiled once, and a graph is only an
argument to it, so that thousands of games cost one compilation a class.

``random_games`` and ``random_score_games`` make games quickly from a seed; the hypothesis
strategies make fewer, but shrink the one that fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from zermelo import DRAW, LOSS, NOBODY, WIN, Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Stands in a table of endings for "the game goes on".
OPEN = 2

Row = tuple[int, ...]
Rows = tuple[Row, ...]


@dataclass(frozen=True)
class VertexGame(Game):
    """A token on a directed graph is moved along its edges by either player in turn.

    A position is the vertex alone: whose turn it is makes no difference to the rules.
    """

    rows: Rows  # the successors of each vertex
    endings: Row  # an outcome for the player to move there, or OPEN
    roots: Row

    def start(self) -> int:
        return self.roots[0]

    def starts(self) -> Row:
        return self.roots

    def outcome(self, vertex: int) -> int | None:
        if self.endings[vertex] != OPEN:
            return self.endings[vertex]
        return None

    def moves(self, vertex: int) -> Iterator[int]:
        for target in self.rows[vertex]:
            yield target

    def play(self, vertex: int, target: int) -> int:
        return target


class MisereVertexGame(VertexGame):
    """A vertex game in which a player who cannot move wins."""

    no_moves = WIN


class StalemateVertexGame(VertexGame):
    """A vertex game that is drawn when a player cannot move."""

    no_moves = DRAW


@dataclass(frozen=True)
class GuidedGame(VertexGame):
    """A vertex game with hints for a search, which shorten it or mislead it."""

    suffice: Rows  # the targets that are said to suffice; all are searched where there are none
    promises: Row  # how good it looks to move to each vertex
    least: Row  # what is said that a vertex is worth at least to the player to move
    most: Row  # and at most

    def enough(self, vertex: int) -> Iterator[int]:
        for target in self.suffice[vertex]:
            yield target

    def promise(self, vertex: int, target: int) -> int:
        return self.promises[target]

    def bounds(self, vertex: int) -> tuple[int, int]:
        return self.least[vertex], self.most[vertex]


def guided(
    rows: Sequence[Sequence[int]],
    *,
    ends: dict[int, int] | None = None,
    suffice: dict[int, Row] | None = None,
    promises: dict[int, int] | None = None,
    bounds: dict[int, tuple[int, int]] | None = None,
    root: int = 0,
) -> GuidedGame:
    """Return a game on a graph with its author's hints on some vertices.

    Args:
        rows: the successors of each vertex.
        ends: outcomes of vertices where the game is over.
        suffice: the moves that are said to suffice.
        promises: how good it looks to move to a vertex.
        bounds: what a vertex is said to be worth at least and at most.
        root: where the game begins.
    """
    every = range(len(rows))
    ends, suffice, promises, bounds = ends or {}, suffice or {}, promises or {}, bounds or {}
    return GuidedGame(
        tuple(map(tuple, rows)),
        tuple(ends.get(vertex, OPEN) for vertex in every),
        (root,),
        tuple(suffice.get(vertex, ()) for vertex in every),
        tuple(promises.get(vertex, 0) for vertex in every),
        tuple(bounds.get(vertex, (int(LOSS), int(WIN)))[0] for vertex in every),
        tuple(bounds.get(vertex, (int(LOSS), int(WIN)))[1] for vertex in every),
    )


def heap(stones: int) -> list[list[int]]:
    """Return the moves of taking one to three stones, by the stones that are left."""
    return [[left - take for take in range(1, 4) if take <= left] for left in range(stones + 1)]


#: Where a token can go on a ring of six places; whoever brings it to 0 wins. From 3 nobody can.
RING = guided([[(at + 1) % 6, (at + 5) % 6] for at in range(6)], ends={0: int(LOSS)}, root=3)


@dataclass(frozen=True)
class OwnedGame(Game):
    """Every vertex belongs to a player, who moves the token on from it along an edge by its number.

    An edge between two vertices of one owner gives that player an extra turn.
    """

    rows: Rows
    endings: Row
    owners: Row
    roots: Row
    endless: int = field(default=NOBODY, kw_only=True)

    def start(self) -> int:
        return self.roots[0]

    def starts(self) -> Row:
        return self.roots

    def turn(self, vertex: int) -> int:
        return self.owners[vertex]

    def outcome(self, vertex: int) -> int | None:
        if self.endings[vertex] != OPEN:
            return self.endings[vertex]
        return None

    def moves(self, vertex: int) -> Iterator[int]:
        for edge in range(len(self.rows[vertex])):
            yield edge

    def play(self, vertex: int, edge: int) -> int:
        return self.rows[vertex][edge]


class Spot(NamedTuple):
    """A vertex and the player to move."""

    vertex: int
    mover: int


@dataclass(frozen=True)
class WinnerGame(Game):
    """Each player may reach every vertex; some edges keep the turn with the player who takes them.

    The rules name a winner instead of giving an outcome.
    """

    rows: Rows
    keeps: Rows  # 1 for each edge after which the same player moves again
    winners: Row  # the player for whom a vertex is won, NOBODY or OPEN
    roots: Row
    endless: int = field(default=NOBODY, kw_only=True)

    def start(self) -> Spot:
        return Spot(self.roots[0], 0)

    def starts(self) -> list[Spot]:
        return [Spot(self.roots[i], i % 2) for i in range(len(self.roots))]

    def turn(self, spot: Spot) -> int:
        return spot.mover

    def winner(self, spot: Spot) -> int | None:
        if self.winners[spot.vertex] != OPEN:
            return self.winners[spot.vertex]
        return None

    def moves(self, spot: Spot) -> Iterator[int]:
        for edge in range(len(self.rows[spot.vertex])):
            yield edge

    def play(self, spot: Spot, edge: int) -> Spot:
        mover = spot.mover if self.keeps[spot.vertex][edge] else 1 - spot.mover
        return Spot(self.rows[spot.vertex][edge], mover)


@dataclass(frozen=True)
class ScoreGame(Game):
    """A token moves forward along edges that are worth points, by either player in turn."""

    rows: Rows
    gains: Rows  # what each edge brings the player who takes it
    margins: Row  # what a vertex brings the player to move if the game ends there
    owners: Row
    roots: Row

    def start(self) -> int:
        return self.roots[0]

    def starts(self) -> Row:
        return self.roots

    def moves(self, vertex: int) -> Iterator[int]:
        for edge in range(len(self.rows[vertex])):
            yield edge

    def play(self, vertex: int, edge: int) -> int:
        return self.rows[vertex][edge]

    def gain(self, vertex: int, edge: int) -> int:
        return self.gains[vertex][edge]

    def score(self, vertex: int) -> int:
        return self.margins[vertex]


class OwnedScoreGame(ScoreGame):
    """A score game in which the owner of a vertex moves there, so that turns repeat."""

    def turn(self, vertex: int) -> int:
        return self.owners[vertex]


@dataclass(frozen=True)
class StalledScoreGame(OwnedScoreGame):
    """A score game of owners in which endless play is worth points to the first player."""

    endless: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class LevelScoreGame(ScoreGame):
    """An alternating score game with the points of endless play by vertex."""

    levels: Row = field(default=(), kw_only=True)

    def endless(self, vertex: int) -> int:
        return self.levels[vertex]


class OwnedLevelScoreGame(LevelScoreGame):
    """A score game of owners with the points of endless play by vertex."""

    def turn(self, vertex: int) -> int:
        return self.owners[vertex]


VERTEX_GAMES: tuple[type[Any], ...] = (VertexGame, MisereVertexGame, StalemateVertexGame)
TURN_GAMES: tuple[type[Any], ...] = (OwnedGame, WinnerGame)
GRAPH_GAMES: tuple[type[Any], ...] = (*VERTEX_GAMES, OwnedGame, WinnerGame)
SCORE_GAMES: tuple[type[Any], ...] = (ScoreGame, OwnedScoreGame)
LOOPY_SCORE_GAMES: tuple[type[Any], ...] = (
    ScoreGame,
    OwnedScoreGame,
    StalledScoreGame,
    LevelScoreGame,
    OwnedLevelScoreGame,
)
OUTCOMES = (int(WIN), int(DRAW), int(LOSS))
WINNERS = (0, 1, NOBODY)


def random_games(
    seed: int,
    count: int,
    *,
    vertices: int = 30,
    kinds: Sequence[type[Any]] = GRAPH_GAMES,
) -> Iterator[Any]:
    """Yield ``count`` graph games of the given kinds in turn, of 1 to ``vertices`` vertices.

    The games differ in temper: how far edges reach, how many there are, how many lead backwards
    and how often the game ends, so that long forced wins arise as well as hopeless tangles.
    """
    rng = np.random.default_rng(seed)
    for i in range(count):
        kind = kinds[i % len(kinds)]
        rows = _random_rows(rng, int(rng.integers(1, vertices + 1)))
        n = len(rows)
        roots = _row(rng.integers(0, n, rng.integers(1, 4)))
        codes = WINNERS if kind is WinnerGame else OUTCOMES
        ends = _random_endings(rng, rows, codes)
        if kind is WinnerGame:
            share = rng.choice([0.0, 0.3, 0.7])
            yield WinnerGame(rows, _aligned(rows, rng.random(_edges(rows)) < share), ends, roots)
        elif kind is OwnedGame:
            yield OwnedGame(rows, ends, _row(rng.integers(0, 2, n)), roots)
        else:
            yield kind(rows, ends, roots)


def random_endless_games(seed: int, count: int, *, vertices: int = 30) -> Iterator[Any]:
    """Yield graph games in which play without end is a win, for either player in turn."""
    games = random_games(seed, count, vertices=vertices, kinds=TURN_GAMES)
    for i, game in enumerate(games):
        yield replace(game, endless=i // len(TURN_GAMES) % 2)


def random_impartial_game(random: Random) -> VertexGame:
    """Return a token on a graph with self-loops, duplicate edges and dead ends, several starts."""
    vertices = random.randint(1, 11)
    forward, largest_degree = random.random() < 0.5, random.choice([2, 3, 5])
    rows = []
    for vertex in range(vertices):
        row = [random.randrange(vertices) for _ in range(random.randint(0, largest_degree))]
        if forward:  # so that cycles are few, and many positions with them have nimbers
            row = [min(max(target, vertex + 1), vertices - 1) for target in row]
            row = [target for target in row if target > vertex]
            row += [random.randrange(vertices)] * (random.random() < 0.3)
        rows.append(tuple(row + row[: random.random() < 0.2]))
    roots = {random.randrange(vertices) for _ in range(random.randint(1, 3))}
    return VertexGame(tuple(rows), (OPEN,) * vertices, tuple(roots))


def random_score_games(
    seed: int,
    count: int,
    *,
    vertices: int = 24,
    kinds: Sequence[type[Any]] = SCORE_GAMES,
) -> Iterator[Any]:
    """Yield ``count`` acyclic score games of the given kinds in turn."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = int(rng.integers(1, vertices + 1))
        degrees = rng.integers(0, 6, n).tolist()
        targets_by_vertex = [rng.integers(v + 1, n, degrees[v]).tolist() for v in range(n - 1)]
        rows = (*(tuple(row) for row in targets_by_vertex), ())
        size = int(rng.choice([2, 100, 10**9]))
        gains = _aligned(rows, rng.integers(-size, size + 1, _edges(rows)))
        margins = _row(rng.integers(-size, size + 1, n))
        roots = _row(rng.integers(0, n, rng.integers(1, 4)))
        yield kinds[i % len(kinds)](rows, gains, margins, _row(rng.integers(0, 2, n)), roots)


def random_loopy_score_games(
    seed: int,
    count: int,
    *,
    vertices: int = 9,
    kinds: Sequence[type[Any]] = LOOPY_SCORE_GAMES,
) -> Iterator[Any]:
    """Yield score games of the given kinds in turn that may go round in cycles.

    Moves make no points there, or as many as endless play is worth less after them.
    """
    rng = np.random.default_rng(seed)
    for i in range(count):
        kind = kinds[i % len(kinds)]
        rows = _random_rows(rng, int(rng.integers(1, vertices + 1)))
        n = len(rows)
        cycle = _cycles(rows)
        owners = _row(rng.integers(0, 2, n))
        size = int(rng.choice([0, 1, 1, 2, 3]))
        unit = int(rng.choice([1, 1, 1, 40_000]))
        gains = tuple(
            tuple(
                0 if cycle[v] == cycle[t] else unit * int(rng.integers(-size, size + 1))
                for t in row
            )
            for v, row in enumerate(rows)
        )
        margins = _row(unit * rng.integers(-3, 4, n))
        roots = _row(rng.integers(0, n, rng.integers(1, 4)))
        if kind is StalledScoreGame:
            points = int(rng.choice([-2, 0, 1, 3])) * unit
            yield kind(rows, gains, margins, owners, roots, endless=points)
        elif issubclass(kind, LevelScoreGame):
            turns = owners if kind is OwnedLevelScoreGame else None
            levels = _levels(rng, rows, cycle, turns)
            if rng.random() < 0.5:
                levels = _row(unit * rng.integers(-2, 3, n))
                gains = _made_up_for(rows, gains, levels, cycle, turns)
            yield kind(rows, gains, margins, owners, roots, levels=levels)
        else:
            yield kind(rows, gains, margins, owners, roots)


def _cycles(rows: Rows) -> Row:
    """Return the least vertex on a cycle with each vertex."""
    n = len(rows)
    reach = np.eye(n, dtype=bool)
    for v, row in enumerate(rows):
        reach[v, list(row)] = True
    for middle in range(n):
        reach |= np.outer(reach[:, middle], reach[middle])
    return _row(np.argmax(reach & reach.T, axis=1))


def _levels(rng: np.random.Generator, rows: Rows, cycle: Row, owners: Row | None) -> Row:
    """Return the points of endless play at vertices, constant along each cycle."""
    worth = rng.integers(-2, 3, len(rows)).tolist()
    levels = [worth[first] for first in cycle]
    if owners is not None:
        return tuple(-x if owner else x for x, owner in zip(levels, owners, strict=True))
    # Players alternate: it changes its sign at each step, or else it is 0.
    signs = dict.fromkeys(cycle, 1)
    queue = list(signs)
    while queue:
        v = queue.pop()
        for t in rows[v]:
            if cycle[t] == cycle[v]:
                if t not in signs:
                    signs[t] = -signs[v]
                    queue.append(t)
                elif signs[t] != -signs[v]:
                    worth[cycle[v]] = 0
    return tuple(signs[v] * worth[cycle[v]] for v in range(len(rows)))


def _made_up_for(rows: Rows, gains: Rows, levels: Row, cycle: Row, owners: Row | None) -> Rows:
    """Return the points of moves, which in cycles offset changes of the points of endless play."""

    def gain(v: int, t: int, otherwise: int) -> int:
        if cycle[v] != cycle[t]:
            return otherwise
        same_owner = owners is not None and owners[v] == owners[t]
        return levels[v] - (levels[t] if same_owner else -levels[t])

    return tuple(
        tuple(gain(v, t, otherwise) for t, otherwise in zip(row, row_gains, strict=True))
        for v, (row, row_gains) in enumerate(zip(rows, gains, strict=True))
    )


def _random_rows(rng: np.random.Generator, n: int) -> Rows:
    if rng.random() < 0.3:  # one long way through, with a few edges beside it, most of them back
        rows = [[v + 1] for v in range(n - 1)] + [[]]
        for _ in range(rng.integers(0, 4)):
            rows[rng.integers(n)].append(int(rng.integers(n)))
    else:
        degrees = np.minimum(rng.poisson(rng.choice([1.5, 2.0, 3.0]), n), 6)
        degrees[rng.random(n) < rng.choice([0.0, 0.1, 0.3])] = 0
        sources = np.repeat(np.arange(n), degrees)
        targets = rng.integers(0, n, len(sources))
        if rng.random() < 0.5:  # short edges, most of them forward
            targets = (sources + rng.choice([-2, -1, 0, 1, 1, 2, 2, 3], len(sources))) % n
        cuts = np.concatenate([[0], np.cumsum(degrees)]).tolist()
        flat = targets.tolist()
        rows = [flat[cuts[v] : cuts[v + 1]] for v in range(n)]
    if rng.random() < 0.3:  # numbers in no order that a solver could profit from
        names = rng.permutation(n).tolist()
        permuted: list[list[int]] = [[] for _ in range(n)]
        for v in range(n):
            permuted[names[v]] = [names[target] for target in rows[v]]
        rows = permuted
    return tuple(tuple(row) for row in rows)


def _random_endings(rng: np.random.Generator, rows: Rows, codes: Sequence[int]) -> Row:
    ends = np.full(len(rows), OPEN)
    if rng.random() < 0.3:  # else dead ends leave it to no_moves, which is rarely a tie
        ends[[not row for row in rows]] = rng.choice(codes)
    is_chosen = rng.random(len(rows)) < rng.choice([0.0, 0.05, 0.1, 0.3])
    ends[is_chosen] = rng.choice(codes, int(is_chosen.sum()))
    return _row(ends)


def _row(numbers: np.ndarray[Any, Any]) -> Row:
    return tuple(numbers.tolist())


def _edges(rows: Rows) -> int:
    return sum(len(row) for row in rows)


def _aligned(rows: Rows, numbers: np.ndarray[Any, Any]) -> Rows:
    flat = iter(numbers.astype(np.int64).tolist())
    return tuple(tuple(next(flat) for _ in row) for row in rows)


def _endings(n: int, codes: Sequence[int]) -> st.SearchStrategy[Row]:
    return st.tuples(*[st.sampled_from((OPEN, OPEN, OPEN, *codes))] * n)


def _like(rows: Rows, numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Rows]:
    return st.tuples(*(st.tuples(*[numbers] * len(row)) for row in rows))


def _roots(n: int) -> st.SearchStrategy[Row]:
    return st.lists(st.integers(0, n - 1), min_size=1, max_size=3).map(tuple)


@st.composite
def graphs(draw: st.DrawFn, max_vertices: int = 10) -> Rows:
    """Draw the successors of each vertex, in any number up to four, itself and repeats allowed.

    One graph in three or so has a chain through all its vertices besides.
    """
    n = draw(st.integers(1, max_vertices))
    row = st.lists(st.integers(0, n - 1), max_size=4)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    if draw(st.sampled_from((False, False, True))):
        rows = [[v + 1, *rows[v][:1]] for v in range(n - 1)] + [rows[-1][:1]]
    return tuple(tuple(targets) for targets in rows)


@st.composite
def vertex_games(draw: st.DrawFn, max_vertices: int = 10) -> Any:
    """Draw a game of strict alternation in which a position is a vertex."""
    rows = draw(graphs(max_vertices))
    kind = draw(st.sampled_from(VERTEX_GAMES))
    return kind(rows, draw(_endings(len(rows), OUTCOMES)), draw(_roots(len(rows))))


@st.composite
def owned_games(draw: st.DrawFn, max_vertices: int = 10) -> Any:
    """Draw a game whose vertices have owners, with extra turns."""
    rows = draw(graphs(max_vertices))
    n = len(rows)
    owners = draw(st.tuples(*[st.integers(0, 1)] * n))
    return OwnedGame(rows, draw(_endings(n, OUTCOMES)), owners, draw(_roots(n)))


@st.composite
def winner_games(draw: st.DrawFn, max_vertices: int = 10) -> Any:
    """Draw a game that names its winner, with edges that keep the turn."""
    rows = draw(graphs(max_vertices))
    n = len(rows)
    keeps = draw(_like(rows, st.sampled_from((0, 0, 1))))
    return WinnerGame(rows, keeps, draw(_endings(n, WINNERS)), draw(_roots(n)))


def graph_games(max_vertices: int = 10) -> st.SearchStrategy[Any]:
    """Draw a game of any of the kinds in GRAPH_GAMES."""
    return st.one_of(
        vertex_games(max_vertices), owned_games(max_vertices), winner_games(max_vertices)
    )


@st.composite
def score_games(draw: st.DrawFn, max_vertices: int = 10) -> Any:
    """Draw an acyclic score game of either kind in SCORE_GAMES."""
    n = draw(st.integers(1, max_vertices))
    forward = [st.lists(st.integers(v + 1, n - 1), max_size=3).map(tuple) for v in range(n - 1)]
    rows: Rows = (*draw(st.tuples(*forward)), ())
    points = st.integers(-20, 20)
    owners = draw(st.tuples(*[st.integers(0, 1)] * n))
    margins = draw(st.tuples(*[points] * n))
    kind = draw(st.sampled_from(SCORE_GAMES))
    return kind(rows, draw(_like(rows, points)), margins, owners, draw(_roots(n)))
