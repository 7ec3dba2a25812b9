"""The oracle itself, on games small enough to work out by hand or by trying everything."""

from __future__ import annotations

import random
from itertools import product

import pytest

from support.oracles.oracle import (
    DRAW,
    LOSS,
    NOBODY,
    WIN,
    best,
    problem,
    rank,
    solve,
    solve_scores,
    within,
)


class Graph:
    """A token on a graph, moved by the players in turn from vertex 0; ``ends`` holds outcomes."""

    def __init__(self, rows, ends=(), no_moves=LOSS):
        self.rows = rows
        self.ends = dict(ends)
        self.no_moves = no_moves

    def start(self):
        return 0

    def outcome(self, vertex):
        return self.ends.get(vertex)

    def moves(self, vertex):
        return self.rows[vertex]

    def play(self, vertex, target):
        return target


class Owned(Graph):
    """The same, but each vertex has an owner who moves there, and the game may begin anywhere."""

    def __init__(self, rows, owners, ends=(), no_moves=LOSS):
        super().__init__(rows, ends, no_moves)
        self.owners = owners

    def starts(self):
        return range(len(self.rows))

    def turn(self, vertex):
        return self.owners[vertex]


class Unrolled:
    """A Graph with the player to move written into the position, which names its winner."""

    def __init__(self, graph):
        self.graph = graph
        self.no_moves = graph.no_moves

    def start(self):
        return (0, 0)

    def turn(self, position):
        return position[1]

    def winner(self, position):
        vertex, mover = position
        return {None: None, WIN: mover, LOSS: 1 - mover, DRAW: NOBODY}[self.graph.outcome(vertex)]

    def moves(self, position):
        return self.graph.moves(position[0])

    def play(self, position, target):
        return (target, 1 - position[1])


class Scored(Graph):
    """A Graph whose edges are worth points, and so is each vertex where the game ends."""

    def __init__(self, gains, margins=()):
        super().__init__([list(row) for row in gains])
        self.gains = gains
        self.margins = dict(margins)

    def gain(self, vertex, target):
        return self.gains[vertex][target]

    def score(self, vertex):
        return self.margins.get(vertex, 0)


class OwnedScored(Scored):
    """The same, but one player moves at vertices 0 and 1 and the other elsewhere."""

    def turn(self, vertex):
        return 0 if vertex <= 1 else 1


def random_games(seed, count, vertices, degree):
    """Yield small random Owned games with self-loops, duplicate edges, dead ends and ties."""
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(1, vertices)
        rows = [[rng.randrange(n) for _ in range(rng.randint(0, degree))] for _ in range(n)]
        ends = {v: rng.choice([WIN, DRAW, LOSS]) for v in range(n) if rng.random() < 0.2}
        yield Owned(rows, [rng.randrange(2) for _ in rows], ends, rng.choice([WIN, DRAW, LOSS]))


def test_chain():
    """Along a chain that ends in a loss, values alternate and remoteness counts up."""
    table = solve(Graph([[1], [2], [3], []]))
    assert table == {0: (WIN, 3), 1: (LOSS, 2), 2: (WIN, 1), 3: (LOSS, 0)}


@pytest.mark.slow
def test_long_chain():
    """The depth of a game is bounded neither by Python's stack nor by a byte."""
    length = 1500
    assert solve(Graph([[v + 1] for v in range(length)] + [[]]))[0] == (LOSS, length)
    assert solve_scores(Scored([{v + 1: 2} for v in range(length)] + [{}], {length: 7}))[0] == 7


def test_self_loop():
    """A position whose only move leads back to itself is an endless draw."""
    assert solve(Graph([[0]])) == {0: (DRAW, None)}


def test_self_loop_saves():
    """A player who may go round for ever does so rather than lose, with the turn kept or not."""
    assert solve(Graph([[0, 1], [2], []])) == {0: (DRAW, None), 1: (WIN, 1), 2: (LOSS, 0)}
    assert solve(Owned([[0, 1], []], [0, 0]))[0] == (DRAW, None)


def test_self_loop_is_no_detour():
    """A player who can win does not go round first."""
    assert solve(Graph([[0, 1], []]))[0] == (WIN, 1)
    assert solve(Owned([[0, 1], []], [0, 1]))[0] == (WIN, 1)


@pytest.mark.parametrize("no_moves", [LOSS, WIN, DRAW])
def test_dead_end(no_moves):
    """A position without moves has the outcome ``no_moves``, for the player to move, at once."""
    game = Graph([[1], []], no_moves=no_moves)
    assert solve(game) == {0: (-no_moves, 1), 1: (no_moves, 0)}
    assert solve(Unrolled(game)) == {(0, 0): (-no_moves, 1), (1, 1): (no_moves, 0)}


def test_rules_come_before_moves():
    """A position with an outcome is terminal although it has moves, and so may be the start."""
    assert solve(Graph([[1], [0]], {0: WIN})) == {0: (WIN, 0)}


def test_duplicate_moves():
    """Two moves to one position do not stand for a move to another."""
    assert solve(Graph([[1, 1], [2], []]))[0] == (LOSS, 2)
    assert solve(Graph([[1, 1, 3], [2], [], [3]]))[0] == (DRAW, None)


def test_tie_rather_than_endless():
    """Where nobody can win, both end the game in a tie rather than go round, however late."""
    table = solve(Graph([[0, 1], [1, 2], []], {2: DRAW}))
    assert table == {0: (DRAW, 2), 1: (DRAW, 1), 2: (DRAW, 0)}


def test_endless_rather_than_loss():
    """A player goes round for ever rather than lose."""
    table = solve(Graph([[1, 2], [0], []], {2: WIN}))
    assert table == {0: (DRAW, None), 1: (DRAW, None), 2: (WIN, 0)}


def test_win_rather_than_tie():
    """A win in three plies is better than a tie in one."""
    assert solve(Graph([[1, 2], [], [3], [4], []], {1: DRAW}))[0] == (WIN, 3)


def test_tie_rather_than_loss():
    """A tie at once is better than a loss in three plies."""
    assert solve(Graph([[1, 2], [], [3], [4], []], {1: DRAW, 4: WIN}))[0] == (DRAW, 1)


def test_shortest_tie():
    """Of two ways to a tie both players take the shorter."""
    assert solve(Graph([[1, 3], [2], [4], [4], []], {4: DRAW}))[0] == (DRAW, 2)


def test_no_tie_on_a_lost_way():
    """A tie is out of reach if the opponent, on the way there, would rather win."""
    table = solve(Graph([[0, 1], [2, 3], [], []], {2: DRAW}))
    assert table[1] == (WIN, 1)
    assert table[0] == (DRAW, None)


def test_winner_hurries():
    """The winner takes the shortest of the ways to win."""
    assert solve(Graph([[1, 4], [2], [3], [4], []]))[0] == (WIN, 1)


def test_loser_delays():
    """The loser takes the longest way, as far as the winner, who hurries, leaves it open."""
    assert solve(Graph([[1, 2], [5], [3], [4], [5], []]))[0] == (LOSS, 4)
    assert solve(Graph([[1, 2], [5], [3, 5], [4], [5], []]))[0] == (LOSS, 2)


def test_extra_turn():
    """What an extra turn leads to is as good before it: only a change of player turns it round."""
    rows = [[1], [2], []]
    assert solve(Owned(rows, [0, 0, 1])) == {0: (WIN, 2), 1: (WIN, 1), 2: (LOSS, 0)}
    assert solve(Owned(rows, [0, 0, 0])) == {0: (LOSS, 2), 1: (LOSS, 1), 2: (LOSS, 0)}
    assert solve(Owned(rows, [1, 0, 0])) == {0: (WIN, 2), 1: (LOSS, 1), 2: (LOSS, 0)}


def test_starts():
    """What can arise from any of the starts is solved, and nothing else."""
    rows = [[1], [], [1], [3]]
    table = solve(Owned(rows, [0, 1, 0, 1]))
    assert table == {0: (WIN, 1), 1: (LOSS, 0), 2: (WIN, 1), 3: (DRAW, None)}
    assert solve(Graph(rows)) == {0: (WIN, 1), 1: (LOSS, 0)}


def test_best():
    """The best moves are all that keep the value, each as often as the author gives it."""
    game = Graph([[1, 4, 5, 4, 0], [2], [3], [4], [], []])
    assert best(game, solve(game), 0) == [4, 5, 4]
    assert best(game, solve(game), 4) == []
    loop = Graph([[0, 1], [2], []])
    assert best(loop, solve(loop), 0) == [0]
    over = Graph([[1], []], {0: WIN})
    assert best(over, solve(over), 0) == []


def test_equilibrium():
    """Values are those of the best play from which no player gains by departing, anywhere.

    Found by trying all pairs of strategies: forced wins come out alike in every such play, and
    where none is forced the best such play is the shortest tie, or has no end.
    """
    for game in random_games(seed=1, count=150, vertices=5, degree=3):
        table = solve(game)
        inner = [v for v in table if game.rows[v] and v not in game.ends]
        own = [[v for v in inner if game.owners[v] == player] for player in (0, 1)]
        plans = [
            [dict(zip(mine, to, strict=True)) for to in product(*(set(game.rows[v]) for v in mine))]
            for mine in own
        ]
        ranks = {
            (i, j, v): [rank(value) for value in _play(game, plans[0][i] | plans[1][j], v)]
            for i, j, v in product(range(len(plans[0])), range(len(plans[1])), table)
        }
        stable = [
            (i, j)
            for i, j in product(range(len(plans[0])), range(len(plans[1])))
            if all(
                ranks[i, j, v][0] == max(ranks[k, j, v][0] for k in range(len(plans[0])))
                and ranks[i, j, v][1] == max(ranks[i, k, v][1] for k in range(len(plans[1])))
                for v in table
            )
        ]
        for v, value in table.items():
            reached = {ranks[i, j, v][game.owners[v]] for i, j in stable}
            assert max(reached) == rank(value)
            assert len(reached) == 1 or value[0] == DRAW


def _play(game, plan, vertex):
    """Return what both players get when the game is played by a plan from a vertex."""
    passed = []
    while vertex in plan and vertex not in passed:
        passed.append(vertex)
        vertex = plan[vertex]
    if vertex in plan:
        return (DRAW, None), (DRAW, None)
    outcome = game.ends.get(vertex, game.no_moves)
    first = outcome if game.owners[vertex] == 0 else -outcome
    return (first, len(passed)), (-first, len(passed))


def test_alternation_is_a_turn():
    """Strict alternation gives what the same game gives with its mover in the position."""
    for owned in random_games(seed=2, count=200, vertices=12, degree=3):
        game = Graph(owned.rows, owned.ends, owned.no_moves)
        table = solve(game)
        assert all(value == table[vertex] for (vertex, _), value in solve(Unrolled(game)).items())


def test_within():
    """With so many plies left, just the wins and losses that are no more remote stand."""
    for game in random_games(seed=3, count=100, vertices=12, degree=3):
        table = solve(game)
        for horizon in (0, 1, 2, 5, 30):
            outcomes = {
                p: o if r is not None and r <= horizon else DRAW for p, (o, r) in table.items()
            }
            assert within(game, horizon) == outcomes


def test_problem():
    """The right table passes; a table with any one value, remoteness or position wrong does not."""
    for game in random_games(seed=4, count=60, vertices=8, degree=3):
        table = solve(game)
        assert problem(game, table) is None
        for position in table:
            outcome, remoteness = table[position]
            near = {None, 0, 1, 2, *(r for _, r in table.values())}
            near |= {r + step for r in near - {None} for step in (-1, 1)}
            for wrong in set(product((WIN, DRAW, LOSS), near)) - {(outcome, remoteness)}:
                assert problem(game, table | {position: wrong})
            assert problem(game, {p: value for p, value in table.items() if p != position})
        assert problem(game, table | {-1: (DRAW, None)})


def test_problem_with_a_whole_cycle():
    """A cycle cannot vouch for itself: neither a win nor a loss without end passes."""
    assert problem(Graph([[1], [0]]), {0: (WIN, None), 1: (LOSS, None)})
    assert problem(Owned([[0]], [0]), {0: (WIN, None)})


def test_scores():
    """A margin is what the best move brings at once, less what the opponent makes from there."""
    game = Scored([{1: 3, 2: 5}, {3: 1}, {3: 9}, {}], {3: 7})
    assert solve_scores(game) == {0: 9, 1: -6, 2: 2, 3: 7}


def test_scores_with_extra_turns():
    """A player who moves again keeps what is made from there."""
    game = OwnedScored([{1: 3, 2: 5}, {3: 1}, {3: 9}, {}], {3: 7})
    assert solve_scores(game) == {0: -3, 1: -6, 2: 16, 3: 7}


def test_scores_on_a_cycle():
    """A score game that can come back to a position is refused."""
    with pytest.raises(ValueError, match="come back"):
        solve_scores(Scored([{1: 0}, {2: 0}, {1: 0}]))
