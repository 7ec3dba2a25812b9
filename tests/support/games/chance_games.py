"""Small games with chance: random ones, and hard ones whose values are known.

There are few classes here and many parameters, as in ``strategies``: thousands of games cost one
compilation a class. A vertex with faces is a chance position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from support.games.strategies import OPEN, OUTCOMES, WINNERS, Row, Rows, Spot
from zermelo import DRAW, LOSS, NOBODY, WIN, Game


@dataclass(frozen=True)
class ChanceGame(Game):
    """A token on a graph is moved by the players in turn and, at some vertices, by chance.

    A position is the vertex alone. A move passes the turn, and chance keeps it.
    """

    rows: Rows  # the vertices that moves lead to
    faces: Rows  # the vertices that chance leads to
    weights: Rows  # the weight of each face
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

    def chance(self, vertex: int) -> Iterator[tuple[int, int]]:
        for face in range(len(self.faces[vertex])):
            yield self.weights[vertex][face], self.faces[vertex][face]

    def moves(self, vertex: int) -> Iterator[int]:
        for edge in range(len(self.rows[vertex])):
            yield edge

    def play(self, vertex: int, edge: int) -> int:
        return self.rows[vertex][edge]


class StalemateChanceGame(ChanceGame):
    """An alternating game with chance that is drawn when a player cannot move."""

    no_moves = DRAW


@dataclass(frozen=True)
class OwnedChanceGame(ChanceGame):
    """A game with chance in which the owner of a vertex moves there, so that turns repeat.

    The value of a chance vertex is the owner's, too.
    """

    owners: Row
    endless: int = field(default=NOBODY, kw_only=True)

    def turn(self, vertex: int) -> int:
        return self.owners[vertex]


@dataclass(frozen=True)
class LevelChanceGame(OwnedChanceGame):
    """A game with chance and owners whose vertices have levels."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]


@dataclass(frozen=True)
class WinnerChanceGame(Game):
    """Each player may reach every vertex; some edges keep the turn with the player who had it.

    The rules name a winner instead of giving an outcome.
    """

    rows: Rows
    faces: Rows
    weights: Rows
    keeps: Rows  # 1 for each move or face after which the same player is to move
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

    def chance(self, spot: Spot) -> Iterator[tuple[int, Spot]]:
        for face in range(len(self.faces[spot.vertex])):
            mover = spot.mover if self.keeps[spot.vertex][face] else 1 - spot.mover
            yield self.weights[spot.vertex][face], Spot(self.faces[spot.vertex][face], mover)

    def moves(self, spot: Spot) -> Iterator[int]:
        for edge in range(len(self.rows[spot.vertex])):
            yield edge

    def play(self, spot: Spot, edge: int) -> Spot:
        mover = spot.mover if self.keeps[spot.vertex][edge] else 1 - spot.mover
        return Spot(self.rows[spot.vertex][edge], mover)


@dataclass(frozen=True)
class ScoreChanceGame(Game):
    """A token moves along edges that are worth points, and by chance along others that are not."""

    rows: Rows
    faces: Rows
    weights: Rows
    gains: Rows  # what each move brings the player who makes it
    margins: Row  # what a vertex brings the player to move if the game ends there
    roots: Row

    def start(self) -> int:
        return self.roots[0]

    def starts(self) -> Row:
        return self.roots

    def chance(self, vertex: int) -> Iterator[tuple[int, int]]:
        for face in range(len(self.faces[vertex])):
            yield self.weights[vertex][face], self.faces[vertex][face]

    def moves(self, vertex: int) -> Iterator[int]:
        for edge in range(len(self.rows[vertex])):
            yield edge

    def play(self, vertex: int, edge: int) -> int:
        return self.rows[vertex][edge]

    def gain(self, vertex: int, edge: int) -> int:
        return self.gains[vertex][edge]

    def score(self, vertex: int) -> int:
        return self.margins[vertex]


@dataclass(frozen=True)
class OwnedScoreChanceGame(ScoreChanceGame):
    """A score game with chance and owners, with the first player's points of endless play."""

    owners: Row
    endless: int = field(default=0, kw_only=True)

    def turn(self, vertex: int) -> int:
        return self.owners[vertex]


class Heap(NamedTuple):
    """A heap, and the number on a die that has been rolled; 0 before."""

    left: int
    pips: int


@dataclass(frozen=True)
class DiceNim(Game):
    """Roll a die, and take from a heap at least one and at most as many as the die says.

    Who cannot take, as the heap is empty, has lost.
    """

    stones: int
    sides: int = 3

    def start(self) -> Heap:
        return Heap(self.stones, 0)

    def chance(self, heap: Heap) -> Iterator[tuple[int, Heap]]:
        if heap.pips == 0 and heap.left > 0:
            for pips in range(1, self.sides + 1):
                yield 1, Heap(heap.left, pips)

    def moves(self, heap: Heap) -> Iterator[int]:
        for take in range(1, min(heap.left, heap.pips) + 1):
            yield take

    def play(self, heap: Heap, take: int) -> Heap:
        return Heap(heap.left - take, 0)


CHANCE_GAMES: tuple[type[Any], ...] = (
    ChanceGame,
    StalemateChanceGame,
    OwnedChanceGame,
    WinnerChanceGame,
)
SCORE_CHANCE_GAMES: tuple[type[Any], ...] = (ScoreChanceGame, OwnedScoreChanceGame)
ALL_CHANCE_GAMES = CHANCE_GAMES + SCORE_CHANCE_GAMES


class Graph(NamedTuple):
    """The moves, faces and weights of each vertex."""

    rows: Rows
    faces: Rows
    weights: Rows


def random_chance_games(
    seed: int, count: int, *, vertices: int = 12, kinds: Sequence[type[Any]] = ALL_CHANCE_GAMES
) -> Iterator[Any]:
    """Yield games of the given kinds in turn, from seeds of their own that follow ``seed``."""
    for i in range(count):
        yield random_chance_game(seed + i, vertices=vertices, kind=kinds[i % len(kinds)])


def random_chance_game(
    seed: int, *, vertices: int = 12, kind: type[Any] | None = None, forward: bool | None = None
) -> Any:
    """Return a game with chance of 1 to ``vertices`` vertices.

    The games differ in temper: how often chance moves and how evenly, how far edges lead, how many
    lead backwards, and how often the game ends. So there are self-loops, duplicate edges, dead
    ends, cycles of chance alone, and sets of vertices in which one player or both can stay.

    Args:
        seed: what the game is drawn from.
        vertices: the most vertices.
        kind: the class, by default any of ``ALL_CHANCE_GAMES``.
        forward: whether no edge leads back, by default drawn.
    """
    random = Random(seed)
    kind = random.choice(ALL_CHANCE_GAMES) if kind is None else kind
    fewest = random.choice([1, *(1 + vertices // 2,) * 3])
    n = random.randint(fewest, vertices)
    last = random.randint(1, 1 + n // 3)  # of the vertices are ends
    graph = _random_graph(random, n, last, forward=forward)
    owners = tuple(random.randrange(2) for _ in range(n))
    if kind in SCORE_CHANCE_GAMES:
        roots = _random_roots(random, graph, [OPEN] * n)
        size = random.choice([1, 3, 100, 40_000])
        margins = tuple(random.randint(-size, size) for _ in range(n))
        gains = _random_gains(random, graph, size * random.randint(0, 1))
        if kind is ScoreChanceGame:
            return kind(*graph, gains, margins, roots)
        points = random.choice([0, 0, 1, -2, size])
        return kind(*graph, gains, margins, roots, owners, endless=points)
    codes = random.sample(WINNERS if kind is WinnerChanceGame else OUTCOMES, 3)
    share = random.choice([0.0, 0.0, 0.2])
    endings = tuple(
        codes[(n - vertex) % 3] if vertex >= n - last or random.random() < share else OPEN
        for vertex in range(n)
    )
    roots = _random_roots(random, graph, endings)
    endless = random.choice([NOBODY, NOBODY, 0, 1])
    if kind is OwnedChanceGame:
        return kind(*graph, endings, roots, owners, endless=endless)
    if kind is WinnerChanceGame:
        share = random.choice([0.0, 0.3, 0.7])
        keeps = tuple(
            tuple(int(random.random() < share) for _ in (*row, *faces))
            for row, faces in zip(graph.rows, graph.faces, strict=True)
        )
        return kind(*graph, keeps, endings, roots, endless=endless)
    return kind(*graph, endings, roots)


def random_level_games(seed: int, count: int, *, vertices: int = 12) -> Iterator[LevelChanceGame]:
    """Yield games of owners with levels, of which every other has no cycles."""
    for i in range(count):
        game = random_chance_game(
            seed + i, vertices=vertices, kind=OwnedChanceGame, forward=[None, True][i % 2]
        )
        graph = Graph(game.rows, game.faces, game.weights)
        # Fewer vertices can be reached after an edge, or as many if it is on a cycle.
        heights = tuple(-len(each) for each in _reach(graph, [OPEN] * len(game.rows)))
        yield LevelChanceGame(
            *graph, game.endings, game.roots, game.owners, heights, endless=game.endless
        )


def _random_graph(random: Random, n: int, last: int, *, forward: bool | None) -> Graph:
    """Return a graph whose vertices have moves, faces, or, as the last ones do, neither."""
    is_forward = random.random() < 0.15 if forward is None else forward
    inner = n - last
    # Edges go to an end, stay in a block of vertices, lead a short way on or back, or anywhere.
    end_share, stay_share = random.choice([0.1, 0.25, 0.4]), random.choice([0.0, 0.2, 0.6])
    block, distance = random.choice([2, 3]), random.choice([1, 2, n, n])
    chance_share, dead_share = random.choice([0.2, 0.4, 0.6]), random.choice([0.0, 0.0, 0.1])
    fewest, most = random.choice([(1, 2), (1, 3), (2, 2), (2, 4)])

    def target(vertex: int, *, stays: bool) -> int:
        if random.random() < end_share:
            return random.randrange(inner, n)
        if is_forward:
            return random.randint(vertex + 1, n - 1)
        if stays:
            first_of_block = vertex - vertex % block
            return random.randint(first_of_block, min(first_of_block + block, inner) - 1)
        return (vertex + random.randint(-distance, distance)) % inner

    rows: list[Row] = []
    faces: list[Row] = []
    for vertex in range(n):
        is_dead = vertex >= inner or random.random() < dead_share
        is_chance, stays = random.random() < chance_share, random.random() < stay_share
        count = 0 if is_dead else random.randint(fewest, most)
        targets = [target(vertex, stays=stays) for _ in range(count)]
        targets += targets[: int(random.random() < 0.2)]
        rows.append(() if is_chance else tuple(targets))
        faces.append(tuple(targets) if is_chance else ())
    return Graph(tuple(rows), tuple(faces), tuple(_random_weights(random, len(f)) for f in faces))


def _random_weights(random: Random, count: int) -> Row:
    """Return weights whose sum is at most 65,536: even, small, or very uneven ones."""
    temper = random.randrange(4)
    if temper == 0:
        return (random.choice([1, 7]),) * count
    if temper == 1:
        return tuple(random.randint(1, 6) for _ in range(count))
    if temper == 2:
        return tuple(random.choice([1, 1000]) for _ in range(count))
    return tuple(random.randint(1, 10_000) for _ in range(count))


def _random_gains(random: Random, graph: Graph, size: int) -> Rows:
    """Return points for moves, none for those on a cycle."""
    reach = _reach(graph, [OPEN] * len(graph.rows))
    return tuple(
        tuple(0 if vertex in reach[target] else random.randint(-size, size) for target in row)
        for vertex, row in enumerate(graph.rows)
    )


def _random_roots(random: Random, graph: Graph, endings: Sequence[int]) -> Row:
    """Return a vertex from which many can be reached, and perhaps others."""
    sizes = [len(each) for each in _reach(graph, endings)]
    others = [random.randrange(len(sizes)) for _ in range(random.choice([0, 0, 1, 2]))]
    roots = [sizes.index(max(sizes)), *others]
    random.shuffle(roots)
    return tuple(roots)


def _reach(graph: Graph, endings: Sequence[int]) -> list[set[int]]:
    """Return for each vertex the vertices that play can come to from there."""
    reach = []
    for vertex in range(len(endings)):
        reach.append({vertex})
        queue = [vertex]
        while queue:
            v = queue.pop()
            children = {*graph.rows[v], *graph.faces[v]} if endings[v] == OPEN else set()
            queue += children - reach[vertex]
            reach[vertex] |= children
    return reach


class Vertex(NamedTuple):
    """A vertex of a game that is written by hand."""

    owner: int = 0
    row: Row = ()
    faces: Row = ()
    weights: Row = ()
    ending: int = OPEN


def first(*row: int) -> Vertex:
    """Return a vertex where the first player moves."""
    return Vertex(0, row)


def second(*row: int) -> Vertex:
    """Return a vertex where the second player moves."""
    return Vertex(1, row)


def roll(*faces: tuple[int, int]) -> Vertex:
    """Return a chance vertex with pairs of a weight and a vertex."""
    return Vertex(0, (), tuple(v for _, v in faces), tuple(weight for weight, _ in faces))


class HardCase(NamedTuple):
    """A game with the exact values of all its positions, for the player to move."""

    game: Any
    values: dict[int, Fraction]


#: The last vertices of every case below: a win and a loss of the first player.
W, L = -2, -1


def lottery(numerator: int, denominator: int) -> Vertex:
    """Return a chance vertex that ends the game and is worth a fraction to the first player."""
    return roll((denominator + numerator, W), (denominator - numerator, L))


def hard_case(
    *vertices: Vertex, values: Sequence[Fraction | int | str] = (), endless: int = NOBODY
) -> HardCase:
    """Return a game of owners that may begin at each vertex.

    Args:
        vertices: all but the two at the end; negative numbers count from the end.
        values: what the first of the vertices are worth to the first player.
        endless: who wins by endless play.
    """
    n = len(vertices) + 2
    every = (*vertices, Vertex(ending=WIN), Vertex(ending=LOSS))
    game = OwnedChanceGame(
        tuple(tuple(v % n for v in each.row) for each in every),
        tuple(tuple(v % n for v in each.faces) for each in every),
        tuple(each.weights for each in every),
        tuple(int(each.ending) for each in every),
        tuple(range(n)),
        tuple(each.owner for each in every),
        endless=endless,
    )
    table = {v: Fraction(value) * (1 - 2 * every[v].owner) for v, value in enumerate(values)}
    return HardCase(game, table | {n - 2: Fraction(1), n - 1: Fraction(-1)})


def gamblers_ruin(goal: int, up: int, down: int) -> HardCase:
    """Return a random walk between a loss at 0 and a win at ``goal``, with its closed form.

    Args:
        goal: the number of steps from the loss to the win.
        up: the weight of a step up.
        down: the weight of a step down.
    """
    ratio = Fraction(down, up)
    chances = [
        Fraction(n, goal) if ratio == 1 else (1 - ratio**n) / (1 - ratio**goal)
        for n in range(1, goal)
    ]
    vertices = [
        roll((up, n if n < goal - 1 else W), (down, n - 2 if n > 1 else L)) for n in range(1, goal)
    ]
    return hard_case(*vertices, values=[2 * chance - 1 for chance in chances])


def stakes(up: int, down: int) -> HardCase:
    """Return a gamble for 8 units in which the first player bets 1 or as much as is of use.

    If bets are not in her favour, the largest is best: L. E. Dubins and L. J. Savage, "How to
    Gamble If You Must", 1965.

    Args:
        up: the weight of winning a bet.
        down: the weight of losing one; at least as much.
    """
    goal, p = 8, Fraction(up, up + down)
    chances = {0: Fraction(0), goal: Fraction(1)}
    for step in (4, 2, 1):
        for n in range(step, goal, 2 * step):
            stake = min(n, goal - n)
            chances[n] = p * chances[n + stake] + (1 - p) * chances[n - stake]
    place = {n: n - 1 for n in range(1, goal)} | {0: L, goal: W}
    choices: list[Vertex] = []
    bets: list[Vertex] = []
    bet_chances = []
    for n in range(1, goal):
        choices.append(first(goal - 1 + len(bets), goal + len(bets)))
        for stake in (1, min(n, goal - n)):
            bets.append(roll((up, place[n + stake]), (down, place[n - stake])))
            bet_chances.append(p * chances[n + stake] + (1 - p) * chances[n - stake])
    all_chances = [*(chances[n] for n in range(1, goal)), *bet_chances]
    return hard_case(*choices, *bets, values=[2 * chance - 1 for chance in all_chances])


def roulette(chambers: int) -> HardCase:
    """Return Russian roulette: a player pulls the trigger, chance decides, and the other follows.

    The game has no ``turn``. If the first player survives a shot, the second player is as well off
    as the first one was.

    Args:
        chambers: one of so many is loaded, and the drum is spun before each shot.
    """
    rows, faces, weights = ((1,), (), ()), ((), (2, 0), ()), ((), (1, chambers - 1), ())
    game = ChanceGame(rows, faces, weights, (OPEN, OPEN, int(WIN)), (0,))
    value = Fraction(1, 2 * chambers - 1)
    return HardCase(game, {0: -value, 1: value, 2: Fraction(1)})


def die_until_kept() -> HardCase:
    """Return a die that one player may roll again for ever, and is paid for when she keeps it."""
    rows = ((), *((7, 0),) * 6, ())
    faces, weights = ((1, 2, 3, 4, 5, 6), *((),) * 7), ((1,) * 6, *((),) * 7)
    gains = ((), *((pips, 0) for pips in range(1, 7)), ())
    game = OwnedScoreChanceGame(rows, faces, weights, gains, (0,) * 8, (0,), (0,) * 8)
    return HardCase(game, dict.fromkeys(range(7), Fraction(6)) | {7: Fraction(0)})


def die_twice() -> HardCase:
    """Return a die that one player may roll a second time, and is paid for in any case.

    The second roll is worth 7/2, so that she keeps a 4, 5 or 6, and the first is worth 17/4.
    """
    # The first roll, its faces, the second roll, its faces, and the end.
    rows = ((), *((14, 7),) * 6, (), *((),) * 6, ())
    faces = (tuple(range(1, 7)), *((),) * 6, tuple(range(8, 14)), *((),) * 7)
    weights = tuple((1,) * len(row) for row in faces)
    gains = ((), *((pips, 0) for pips in range(1, 7)), *((),) * 8)
    margins = (*(0,) * 8, *range(1, 7), 0)
    game = OwnedScoreChanceGame(rows, faces, weights, gains, margins, (0,), (0,) * 15)
    kept = {pips: max(Fraction(pips), Fraction(7, 2)) for pips in range(1, 7)}
    paid = {7 + pips: Fraction(pips) for pips in range(1, 7)}
    known = {0: Fraction(17, 4), 7: Fraction(7, 2), 14: Fraction(0)}
    return HardCase(game, known | kept | paid)


#: Games in which bounds that follow only from successors stay apart for ever.
STALLED_CASES: dict[str, HardCase] = {
    "upper bound held up by a cycle of the first player": hard_case(
        first(1, 2), first(0), lottery(1, 4), values=["1/4", "1/4", "1/4"]
    ),
    "lower bound held up by a cycle of the second player": hard_case(
        second(1, 2), second(0), lottery(-1, 4), values=["-1/4", "-1/4", "-1/4"]
    ),
    "first player goes round rather than lose": hard_case(
        first(1, 2), first(0), lottery(-1, 2), values=[0, 0, "-1/2"]
    ),
    "second player goes round rather than lose": hard_case(
        second(1, 2), second(0), lottery(1, 2), values=[0, 0, "1/2"]
    ),
    "upper bound held up by a cycle of both players": hard_case(
        first(1, 2),
        second(0, 3),
        lottery(1, 4),
        lottery(3, 4),
        values=["1/4", "1/4", "1/4", "3/4"],
    ),
    "lower bound held up by a cycle of both players": hard_case(
        first(1, 2),
        second(0, 3),
        lottery(-3, 4),
        lottery(-1, 4),
        values=["-1/4", "-1/4", "-3/4", "-1/4"],
    ),
    "endless play between the exits of both players": hard_case(
        first(1, 2), second(0, 3), lottery(-1, 2), lottery(1, 2), values=[0, 0, "-1/2", "1/2"]
    ),
    "cycle of chance alone": hard_case(roll((1, 0), (2, 1)), roll((1, 0)), values=[0, 0]),
    "first player stays in a cycle through chance": hard_case(
        roll((1, 0), (1, 1)), first(0, 2), lottery(-1, 2), values=[0, 0, "-1/2"]
    ),
    "first player leaves a cycle through chance": hard_case(
        roll((1, 0), (1, 1)), first(0, 2), lottery(1, 2), values=["1/2", "1/2", "1/2"]
    ),
    "exit of the second player worth less than endless play": hard_case(
        first(1, 3),
        roll((1, 0), (1, 2)),
        second(0, 1, 4),
        lottery(-1, 2),
        lottery(-1, 3),
        values=["-1/3", "-1/3", "-1/3", "-1/2", "-1/3"],
    ),
    "exit of the first player worth more than endless play": hard_case(
        second(1, 3),
        roll((1, 0), (1, 2)),
        first(0, 1, 4),
        lottery(1, 2),
        lottery(1, 3),
        values=["1/3", "1/3", "1/3", "1/2", "1/3"],
    ),
    "cycle of the first player before one of the second": hard_case(
        first(1, 2),
        first(0),
        roll((1, 3), (1, 0)),
        second(4, 5),
        second(3),
        lottery(-1, 2),
        values=[0, 0, "-1/4", "-1/2", "-1/2", "-1/2"],
    ),
    "cycle between moves that are equally good": hard_case(
        first(1, 2), first(0, 2), lottery(1, 2), values=["1/2", "1/2", "1/2"]
    ),
    "second player has to leave as endless play is lost": hard_case(
        second(1, 2),
        first(0, 3),
        lottery(1, 2),
        lottery(1, 4),
        values=["1/2", "1/2", "1/2", "1/4"],
        endless=0,
    ),
    "first player has to leave as endless play is lost": hard_case(
        second(1, 2),
        first(0, 3),
        lottery(1, 2),
        lottery(1, 4),
        values=["1/4", "1/4", "1/2", "1/4"],
        endless=1,
    ),
    "cycle that leads to a chance vertex of a cycle that is a win": hard_case(
        first(1),
        second(0, 2),
        roll((1, 3), (1, L)),
        first(4, 2),
        second(3),
        values=[0, 0, 0, 1, 1],
        endless=0,
    ),
    "first player wins by going round through chance": hard_case(
        roll((1, 0), (1, 1)), first(0, L), values=[1, 1], endless=0
    ),
}

#: Games written by hand, those above included.
HARD_CASES: dict[str, HardCase] = STALLED_CASES | {
    "chance leaves a cycle that is a win, at last": hard_case(
        roll((1, 0), (1, L)), values=[-1], endless=0
    ),
    "cycle that chance leaves": hard_case(
        first(1, 2),
        roll((1, 0), (1, 3)),
        lottery(-1, 2),
        lottery(-1, 4),
        values=["-1/4", "-1/4", "-1/2", "-1/4"],
    ),
    "chance vertex left once in 1,000 rolls": hard_case(
        roll((999, 0), (1, 1)), lottery(-1, 3), values=["-1/3", "-1/3"]
    ),
    "slow way worth more than a quick one": hard_case(
        first(1, 2),
        roll((999, 1), (1, 3)),
        lottery(1, 4),
        lottery(1, 3),
        values=["1/3", "1/3", "1/4", "1/3"],
    ),
    "coin decides who may leave a cycle": hard_case(
        roll((1, 1), (1, 2)),
        first(0, 3),
        second(0, 4),
        lottery(1, 3),
        lottery(-1, 6),
        values=["1/12", "1/3", "-1/6", "1/3", "-1/6"],
    ),
    "fair walk of 20 steps": gamblers_ruin(20, 1, 1),
    "unfair walk of 20 steps": gamblers_ruin(20, 2, 3),
    "stakes of a gambler": stakes(2, 3),
    "Russian roulette": roulette(6),
    "die until it is kept": die_until_kept(),
    "die rolled twice": die_twice(),
}

#: Games whose play is so long that bounds need millions of rounds to meet.
SLOW_CASES: dict[str, HardCase] = {
    "cycle left once in a million rolls": hard_case(
        roll((999, 0), (1, 1)), roll((999, 0), (1, W)), values=[1, 1]
    ),
    "way of a billion rolls worth more than a quick one": hard_case(
        first(1, 4),
        roll((999, 1), (1, 2)),
        roll((999, 1), (1, 3)),
        roll((999, 1), (1, 5)),
        lottery(1, 4),
        lottery(1, 3),
        values=["1/3", "1/3", "1/3", "1/3", "1/4", "1/3"],
    ),
}
