"""Games with several target sets: winners, strategies with a memory, and their certificate."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from support.oracles import oracle
from support.sizes import counts
from zermelo import BudgetError, ParameterError, PositionError
from zermelo.graph import (
    attractor,
    safe_strategy,
    solve_buchi,
    solve_generalised_buchi,
    solve_generalised_reachability,
    solve_generalised_safety,
)

SOLVERS = {"once": solve_generalised_reachability, "for ever": solve_generalised_buchi}


def random_game(rng, size, most_sets):
    """Return a random game by vertex (owner, successors), sets and a player."""
    count = rng.randint(1, size)
    fewest = 0 if rng.random() < 0.4 else 1
    game = {
        v: (rng.randint(0, 1), [rng.randrange(count) for _ in range(rng.randint(fewest, 3))])
        for v in range(count)
    }
    share = rng.choice([0.2, 0.5])
    sets = [{v for v in game if rng.random() < share} for _ in range(rng.randint(1, most_sets))]
    return game, sets, rng.randint(0, 1)


def solved(solver, game, sets, player):
    """Return the solution of a game by vertex."""
    owners, rows = zip(*(game[v] for v in range(len(game))), strict=True)
    return solver(rows, sets, player, owners, threads=1)


def targets_of(solution, game, side, v, memory, after):
    """Return where play may go from a pair, or None if the side loses the pair.

    It loses if it has no move, or if a move leads to a pair that it is not said to win.
    """
    owner, successors = game[v]
    once = isinstance(memory, frozenset)
    if not successors:
        return None if side == (solution.player if once else owner) else []
    moves = solution.strategy(side)
    if owner == side:
        successors = [moves[v, memory]] if (v, memory) in moves else [None]
    row = solution.memories.index(after)
    wins = all(w in game[v][1] and solution.winners[row, w] == side for w in successors)
    return [(w, after) for w in successors] if wins else None


def plays_of(solution, game, sets, side):
    """Return the moves between pairs of a vertex and a memory that a side wins, or None.

    A pair says whether it advances: whether a set is visited for the first time, or the next one.
    """
    everything = frozenset(range(len(sets)))
    plays = nx.MultiDiGraph()
    for row, memory in enumerate(solution.memories):
        for v in np.flatnonzero(solution.winners[row] == side).tolist():
            after = solution.next_memory(memory, v)
            once = isinstance(memory, frozenset)
            plays.add_node((v, memory), far=after != memory if once else v in sets[memory])
            if after == everything:
                targets = [] if side == solution.player else None
            else:
                targets = targets_of(solution, game, side, v, memory, after)
            if targets is None:
                return None
            plays.add_edges_from(((v, memory), target) for target in targets)
    return plays


def wins_by(solution, game, sets):
    """Return whether each player's moves win all pairs that they are said to win."""
    once = isinstance(solution.memories[0], frozenset)
    for side in (0, 1):
        plays = plays_of(solution, game, sets, side)
        if plays is None:
            return False
        if side == solution.player:
            idle = plays.subgraph([pair for pair, far in plays.nodes(data="far") if not far])
            if not nx.is_directed_acyclic_graph(idle):
                return False
        elif not once:
            for part in nx.strongly_connected_components(plays):
                inside = plays.subgraph(part)
                if inside.edges and any(far for _, far in inside.nodes(data="far")):
                    return False
    return True


@counts(150, None, 3_000)
def test_each_set_is_visited_once_where_the_product_says_so(count):
    """With every memory; the moves of both players win, and the certificate holds."""
    rng = random.Random(21)
    for _ in range(count):
        game, sets, player = random_game(rng, 6, 4)
        solution = solved(solve_generalised_reachability, game, sets, player)
        expected = oracle.winners_by_visits(game, sets, player)
        for row, memory in enumerate(solution.memories):
            assert solution.winners[row].tolist() == [expected[v, memory] for v in game], game
        assert [solution[v] for v in game] == [expected[v, frozenset()] for v in game]
        assert wins_by(solution, game, sets), (game, sets, player)
        verification = solution.verify()
        assert verification, (game, sets, player, verification.problem)


@counts(150, None, 3_000)
def test_each_set_is_visited_for_ever_where_fixed_points_say_so(count):
    """Whichever set is next; the moves of both players win, and the certificate holds."""
    rng = random.Random(22)
    for _ in range(count):
        game, sets, player = random_game(rng, 8, 4)
        solution = solved(solve_generalised_buchi, game, sets, player)
        expected = oracle.winners_by_recurrence(game, sets, player)
        assert (solution.winners == [expected[v] for v in game]).all(), (game, sets, player)
        assert wins_by(solution, game, sets), (game, sets, player)
        verification = solution.verify()
        assert verification, (game, sets, player, verification.problem)


@counts(15, 150, 1_000)
def test_one_set_is_an_attractor_or_a_buchi_game(count):
    """And to keep one of several sets unvisited is the opponent's side of visiting all."""
    rng = random.Random(23)
    for _ in range(count):
        game, sets, player = random_game(rng, 8, 3)
        owners, rows = zip(*(game[v] for v in game), strict=True)
        one = [sets[0]]
        reached = solved(solve_generalised_reachability, game, one, player)
        assert (reached.region(player) == attractor(rows, sets[0], player, owners)).all()
        safe = solved(solve_generalised_safety, game, one, player)
        assert (safe.region(player) == safe_strategy(rows, sets[0], player, owners).region).all()
        for_ever = solved(solve_generalised_buchi, game, one, player)
        assert (for_ever.winner == solve_buchi(rows, sets[0], player, owners).winner).all()
        several = solved(solve_generalised_safety, game, sets, player)
        opponents = solved(solve_generalised_reachability, game, sets, 1 - player)
        assert several.winner.tolist() == opponents.winner.tolist()
        assert several.player == 1 - player
        assert several.verify()


@pytest.mark.parametrize("goal", SOLVERS)
@counts(25, None, 400)
def test_the_certificate_refuses_each_changed_winner_and_each_losing_move(count, goal):
    """A winner that is flipped for some memory, and every move that does not win."""
    rng = random.Random(24)
    refused = 0
    for _ in range(count):
        game, sets, player = random_game(rng, 5, 3)
        solution = solved(SOLVERS[goal], game, sets, player)
        winners, moves = solution.winners.copy(), solution.best_edge.copy()
        ends = np.cumsum([0, *(len(game[v][1]) for v in game)])
        for row, v in np.ndindex(winners.shape):
            solution.winners[row, v] ^= 1
            assert not solution.verify(), (game, sets, player, row, v)
            solution.winners[row, v] ^= 1
            if moves[row, v] < 0:
                continue
            for edge in range(ends[v], ends[v + 1]):
                solution.best_edge[row, v] = edge
                right = wins_by(solution, game, sets)
                assert bool(solution.verify()) == right, (game, sets, player, row, v, edge)
                refused += not right
            for edge in (-1, ends[v] - 1, ends[v + 1]):
                solution.best_edge[row, v] = edge
                assert solution.verify().problem == f"{v} has no winning move"
            solution.best_edge[row, v] = moves[row, v]
        assert solution.verify()
    assert refused > count // 2


def test_forged_memories_are_named():
    """A memory too few, one twice, one that has visited something, and a winner of its own."""
    rows, owners = [[1, 2], [0], [0]], [0, 1, 1]
    solution = solve_generalised_reachability(rows, [[1], [2]], owner=owners)
    assert solution.memories == (frozenset(), frozenset({0}), frozenset({1}))
    memories, right = solution.memories, solution.winner
    solution.memories = (memories[0], memories[1], memories[1])
    assert "a memory is listed twice" in solution.verify().problem
    solution.memories = memories[::-1]
    assert "has visited a set before the beginning" in solution.verify().problem
    solution.memories = (memories[0], memories[1], frozenset({0, 1}))
    assert solution.verify().problem == "2 leads to a memory that is not listed"
    solution.memories = memories[:2]
    assert solution.verify().problem == "0 has no winner or no move for some memory"
    solution.memories = memories
    solution.winner = 1 - right
    assert solution.verify().problem == "0 has another winner with the first memory"
    solution.winner = right
    solution.winners[1, 2] = 7
    assert solution.verify().problem == "2 has no winner"


@pytest.fixture
def rooms():
    """A robot in a hall with two rooms; the door of the second may lock it in."""
    graph = nx.DiGraph([("hall", "east"), ("hall", "west"), ("east", "hall"), ("west", "hall")])
    graph.add_edges_from([("west", "cell"), ("cell", "cell")])
    nx.set_node_attributes(graph, {node: int(node == "west") for node in graph}, "owner")
    return graph


def test_answers_about_a_robot(rooms):
    """The order of the rooms matters, so the move in the hall depends on what was visited."""
    goals = {"parcel": ["east"], "letter": ["west"]}
    solution = solve_generalised_reachability(rooms, goals, start="hall")
    nothing, parcel = frozenset(), frozenset({"parcel"})
    assert solution.region(0) == {"hall", "east"}
    assert solution.strategy(0)["hall", nothing] == "east"
    assert solution.strategy(0)["hall", parcel] == "west"
    assert solution.next_memory(nothing, "east") == parcel
    assert solution.next_memory(parcel, "west") == frozenset(goals)
    assert solution.line().path == ("hall", "east", "hall", "west")
    assert repr(solution) == (
        "<GeneralisedSolution of 4 vertices and 2 sets: player 0 2 and player 1 2>"
    )
    assert solution.explain() == (
        "player 0 wins from hall: the winner's moves may lead along hall → east → hall → west, "
        "which visits all sets"
    )
    assert solution.explain("cell") == (
        "player 1 wins from cell: the winner's moves may lead to the cycle cell → cell, which does "
        "not visit parcel, letter"
    )
    for_ever = solve_generalised_buchi(rooms, goals, start="hall")
    assert (for_ever.memories, for_ever.region(0)) == (("parcel", "letter"), set())
    assert for_ever.explain().endswith("which does not visit letter")
    rooms.remove_edge("west", "cell")
    for_ever = solve_generalised_buchi(rooms, goals, start="hall")
    assert for_ever.strategy(0)["hall", "letter"] == "west"
    assert for_ever.next_memory("letter", "west") == "parcel"
    assert for_ever.next_memory("letter", "east") == "letter"
    assert set(for_ever.line().cycle) == {"hall", "east", "west"}
    assert for_ever.explain().endswith("which visits all sets")
    assert for_ever.best.shape == (2, 4)
    with pytest.raises(PositionError, match="'stamp' is not a memory of the solution; give one"):
        for_ever.next_memory("stamp", "west")
    with pytest.raises(PositionError, match="'attic' is not a node"):
        for_ever.line("attic")


def test_where_play_ends():
    """It loses for a player who has a visit left; for ever, the player who cannot move loses."""
    rows, owners, sets = [[1], []], [0, 1], [[0], [1]]
    once = solve_generalised_reachability(rows, sets, owner=owners)
    assert (once.winner.tolist(), once.line(0).path) == ([0, 1], (0, 1))
    assert once.explain(1).endswith("lead along 1, which does not visit 0")
    for_ever = solve_generalised_buchi(rows, sets, owner=owners)
    assert for_ever.winner.tolist() == [0, 0]
    assert for_ever.explain(0).endswith("along 0 → 1, where the loser cannot move")


def test_what_is_refused():
    """No sets, too many, no graph, and a product that is too large."""
    rows, owners = [[0], [1]], [0, 1]
    for solver in (*SOLVERS.values(), solve_generalised_safety):
        with pytest.raises(ParameterError, match="there are no sets; give at least one"):
            solver(rows, [], owner=owners)
        with pytest.raises(ParameterError, match="'ab' is not several sets; give a list of sets"):
            solver(rows, "ab", owner=owners)
        with pytest.raises(ParameterError, match="0 is not a set of nodes; give a list or a set"):
            solver(rows, [0, 1], owner=owners)
        with pytest.raises(ParameterError, match="is not a player; use 0 or 1"):
            solver(rows, [[0]], 2, owners)
        with pytest.raises(PositionError, match="5 is not a node of the graph"):
            solver(rows, [[5]], owner=owners)
        with pytest.raises(BudgetError, match=r"a game of 2 vertices with 1 set needs at least .*"):
            solver(rows, [[0]], owner=owners, memory=100)
    with pytest.raises(ParameterError, match="there are 63 target sets, and 62 can be remembered"):
        solve_generalised_reachability(rows, [[0]] * 63, owner=owners)
    size = 40
    ring = [[(v + 1) % size] for v in range(size)]
    singles = [[v] for v in range(size)]
    with pytest.raises(BudgetError, match="allow more memory, or give fewer"):
        solve_generalised_reachability(ring, singles, owner=[0] * size, memory="50MB")
    assert solve_generalised_buchi(ring, singles, owner=[0] * size).verify()


def test_progress_and_a_larger_product():
    """Six sets on a thousand vertices: the certificate holds for all of their 63 memories."""
    rng = random.Random(25)
    size = 1_000
    rows = [[rng.randrange(size) for _ in range(rng.randint(2, 4))] for _ in range(size)]
    owners = [rng.randint(0, 1) for _ in range(size)]
    sets = [rng.sample(range(size), 40) for _ in range(6)]
    events = []
    solution = solve_generalised_reachability(rows, sets, owner=owners, progress=events.append)
    assert len(solution.memories) == 63
    assert 0 < solution.region(0).sum() < size
    assert solution.verify()
    assert {event.phase for event in events} == {"transpose", "parity"}
