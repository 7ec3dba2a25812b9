"""Parity games: winners, strategies, and a certificate that refuses wrong ones."""

from __future__ import annotations

import io
import random
from typing import get_args

import networkx as nx
import numpy as np
import pytest

from support.games import parity_families as families
from support.oracles import oracle
from support.processes.progress import every_event
from support.sizes import counts
from zermelo import WIN, BudgetError, ParameterError, PositionError, limits
from zermelo.cli.commands.solving import graph as graph_command
from zermelo.graph import (
    GraphGame,
    ParityGame,
    attractor,
    read_pgsolver,
    safe_strategy,
    solve,
    solve_buchi,
    solve_co_buchi,
    solve_edges,
    solve_matrix,
    solve_networkx,
    solve_parity,
)
from zermelo.graph.parity import Convention

#: Games that once made public solvers wrong, with the winner of each vertex.
NOTORIOUS = {
    "three vertices": ("0 2 0 0; 1 3 1 1; 2 4 1 0,1;", [0, 1, 1]),
    "all odd": (
        """0 6 1 2,5,7; 1 6 0 0,2,9; 2 3 1 3,4,9; 3 4 0 1,4; 4 9 0 4,5; 5 4 1 1,3; 6 8 0 0,2,8;
        7 2 1 6,7; 8 10 1 1,5,8; 9 5 1 3,4,8;""",
        [1] * 10,
    ),
    "all even": (
        """0 6 0 2,3,5; 1 10 0 3,4,8; 2 6 1 0,5,7; 3 2 0 0,3,9; 4 7 0 2,5,7; 5 0 0 0,4,8;
        6 7 0 0,5,8; 7 9 0 1,3,9; 8 9 0 4,6,9; 9 2 0 2,4,8;""",
        [0] * 10,
    ),
}


def solved(game, **options):
    """Return the solution of a game by vertex: priority, owner, successors."""
    priorities, owners, rows = zip(*(game[v] for v in range(len(game))), strict=True)
    return solve_parity(rows, priorities, owners, threads=1, **options)


def random_game(rng, size, *, ends=False):
    """Return a random game of up to ``size`` vertices, with loops and repeated edges."""
    count, greatest, fewest = rng.randint(1, size), rng.randint(0, 6), 0 if ends else 1
    return {
        v: (
            rng.randint(0, greatest),
            rng.randint(0, 1),
            [rng.randrange(count) for _ in range(rng.randint(fewest, 3))],
        )
        for v in range(count)
    }


@counts(20, None, 50_000)
def test_random_games_are_won_as_all_positional_strategies_say(count):
    """Also where a player cannot move, which loses."""
    rng = random.Random(41)
    for _ in range(count):
        game = random_game(rng, 5, ends=True)
        solution = solved(game)
        expected = oracle.parity_by_strategies(game)
        assert dict(enumerate(solution.winner.tolist())) == expected, game
        verification = solution.verify()
        assert verification, (game, verification.problem)


@counts(60, None, 1_000)
def test_larger_random_games_are_won_as_recursion_says(count):
    """Up to forty vertices."""
    rng = random.Random(7)
    for _ in range(count):
        game = random_game(rng, 40)
        solution = solved(game)
        assert dict(enumerate(solution.winner.tolist())) == oracle.solve_parity(game), game
        assert solution.verify()


@pytest.mark.parametrize("name", NOTORIOUS)
def test_games_that_made_other_solvers_wrong(name, tmp_path):
    """Each with its certificate."""
    text, expected = NOTORIOUS[name]
    path = tmp_path / "game.gm"
    path.write_text(text)
    game = read_pgsolver(path)
    owner = game.owner
    if isinstance(game, GraphGame):  # the first is one of reachability
        assert game.solve().arrays.winner.tolist() == expected
        game = (game.indptr, game.indices)
    priorities = [int(vertex.split()[1]) for vertex in text.split(";")[:-1]]
    solution = solve_parity(game, priorities, owner)
    assert solution.winner.tolist() == expected
    assert solution.verify()


FAMILIES = {
    "clique": (families.clique(60), [v % 2 for v in range(60)]),
    "ladder": (families.ladder(100), None),
    "Jurdziński": (families.jurdzinski(12, 12), None),
    "recursive ladder": (families.recursive_ladder(40), None),
    "two counters": (families.two_counters(6), None),
    "steady": (families.steady(500, 3, 6, 1), None),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_families_on_which_algorithms_differ(name):
    """Winners as recursion gives them where it takes little time, and the certificate."""
    game, expected = FAMILIES[name]
    solution = solved(game)
    assert solution.verify()
    if name in ("recursive ladder", "steady"):
        return  # the oracle takes exponential time, or a minute
    winners = oracle.solve_parity(game) if expected is None else dict(enumerate(expected))
    assert dict(enumerate(solution.winner.tolist())) == winners


@counts(40, None, 500)
def test_the_certificate_refuses_each_changed_winner_and_each_losing_move(count):
    """A winner that is flipped, alone or with all of its region, and every move that loses."""
    rng = random.Random(3)
    refused = 0
    for _ in range(count):
        game = random_game(rng, 7)
        solution = solved(game)
        right, moves = solution.winner.copy(), solution.best_edge.copy()
        for v in range(len(game)):
            solution.winner = right.copy()
            solution.winner[v] ^= 1
            assert not solution.verify(), game
        solution.winner = 1 - right
        solution.best_edge = np.where(right == solution.graph[3], -1, solution.graph[0][:-1])
        assert not solution.verify(), game
        solution.winner = right
        for v, (_, owner, targets) in game.items():
            for place in range(len(targets)):
                solution.best_edge = moves.copy()
                solution.best_edge[v] = int(solution.graph[0][v]) + place
                if right[v] != owner:
                    continue
                fixed = {**game, v: (game[v][0], owner, [targets[place]])}
                for other in range(len(game)):
                    edge = int(solution.best_edge[other])
                    if edge >= 0 and right[other] == game[other][1]:
                        target = int(solution.graph[1][edge])
                        fixed[other] = (*game[other][:2], [target])
                still_wins = oracle.solve_parity(fixed) == dict(enumerate(right.tolist()))
                assert bool(solution.verify()) == still_wins, (game, v, place)
                refused += not still_wins
    assert refused > count // 2


def test_a_forged_strategy_is_named():
    """A move out of the region, a cycle of the wrong parity, an edge of another vertex."""
    game = {0: (2, 0, [0, 1]), 1: (1, 0, [0, 1]), 2: (3, 1, [2])}
    solution = solved(game)
    assert solution.winner.tolist() == [0, 0, 1]
    solution.best_edge[1] = 3
    verification = solution.verify()
    assert verification.position == 1
    assert "1 lies on a cycle that the strategy allows and the opponent wins" in str(verification)
    solution.best_edge[1] = 0
    assert solution.verify().problem == "1 has no winning move"
    solution.winner[:] = [0, 0, 0]
    assert solution.verify().position in (1, 2)
    solution.winner[2] = 5
    assert solution.verify().problem == "2 has no winner"


@pytest.mark.parametrize("convention", ["max even", "max odd", "min even", "min odd"])
def test_the_conventions_of_priorities(convention):
    """The winner of every vertex is that of the game with priorities converted by hand."""
    rng = random.Random(5)
    for _ in range(60):
        game = random_game(rng, 8)
        solution = solved(game, parity=convention)
        converted = {}
        for v, (priority, owner, targets) in game.items():
            number = priority + ("odd" in convention)
            converted[v] = (20 - number if "min" in convention else number, owner, targets)
        assert dict(enumerate(solution.winner.tolist())) == oracle.solve_parity(converted)
        assert solution.verify()


def test_a_parity_game_brings_its_priorities_convention_and_start():
    """As the method of the game does; arguments that are given go before them."""
    arrays = np.array([0, 1, 2]), np.array([1, 0]), [1, 2], [0, 1]
    game = ParityGame(*map(np.asarray, arrays), parity="max odd", start=1)
    assert solve_parity(game).winner.tolist() == game.solve().winner.tolist() == [1, 1]
    assert solve_parity(game).start == 1
    assert solve_parity(game, parity="max even", start=0).winner.tolist() == [0, 0]
    with pytest.raises(ParameterError, match="priorities has rows of different lengths; give one"):
        solve_parity(game, [[1], [2, 3]])


def test_great_priorities_are_compared_like_small_ones():
    """Past the numbers that are counted instead of sorted, with the same order and parities."""
    rng = random.Random(6)
    for _ in range(60):
        game = random_game(rng, 8)
        great = {v: (p + 20_000_000 * p, *rest) for v, (p, *rest) in game.items()}
        solution = solved(great)
        assert solution.winner.tolist() == solved(game).winner.tolist()
        assert solution.verify()


def test_the_command_knows_the_same_conventions():
    """The command lists them itself, as it must not import NumPy for its help."""
    assert get_args(Convention) == graph_command.CONVENTIONS


@counts(60, None, 600)
def test_priorities_make_a_parity_game_of_arrays(count):
    """The answer of ``solve`` with priorities is that of ``solve_parity``, names included."""
    rng = random.Random(8)
    for _ in range(count):
        game = random_game(rng, 8, ends=True)
        priorities, owners, rows = zip(*(game[v] for v in range(len(game))), strict=True)
        indptr = np.cumsum([0, *map(len, rows)])
        indices = [target for row in rows for target in row]
        names = [f"v{v}" for v in game]
        convention = rng.choice(get_args(Convention))
        expected = solve_parity(rows, priorities, owners, parity=convention)
        solution = solve(
            indptr,
            indices,
            owner=owners,
            priorities=priorities,
            parity=convention,
            start="v0",
            vertex_names=names,
        )
        assert solution.winner.tolist() == expected.winner.tolist()
        assert solution.best_edge.tolist() == expected.best_edge.tolist()
        assert list(solution) == names
        assert solution.verify()
        assert solution.explain().startswith(f"player {expected[0]} wins from v0")


def test_arguments_that_do_not_go_with_priorities(tmp_path):
    """A parity game needs owners, and has neither outcomes nor a table nor distances."""
    game = {"indptr": [0, 1], "indices": [0], "priorities": [1]}
    for name, value in {
        "outcome": [WIN],
        "no_moves": WIN,
        "endless": 1,
        "table": tmp_path / "x.table",
    }.items():
        with pytest.raises(ParameterError, match=f"^{name} does not go with priorities, as"):
            solve(**game, owner=[0], **{name: value})
    with pytest.raises(ParameterError, match="owner=None does not say whose turn it is; give"):
        solve(**game)
    message = "priorities make a parity game; give the graph to solve_parity"
    graph = nx.DiGraph([(0, 0)])
    for solving in (
        lambda: solve_networkx(graph, priorities=[1]),
        lambda: solve_matrix(nx.to_scipy_sparse_array(graph), priorities=[1]),
        lambda: solve_edges([0], [0], 1, priorities=[1]),
    ):
        with pytest.raises(ParameterError, match=message):
            solving()


@pytest.mark.slow
def test_answers_about_a_game_of_networkx():
    """Regions and strategies by name, a play, and the explanation in words."""
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c"), ("a", "d")])
    nx.set_node_attributes(graph, {"a": 2, "b": 1, "c": 3, "d": 0}, "priority")
    nx.set_node_attributes(graph, {"a": 0, "b": 0, "c": 1, "d": 1}, "owner")
    solution = solve_parity(graph, start="b")
    assert solution["a"] == solution["b"] == solution["d"] == 0
    assert solution.region(1) == {"c"}
    assert solution.strategy(1) == {"c": "c"}
    assert set(solution.strategy(0)) == {"a", "b"}
    assert list(solution) == ["a", "b", "c", "d"]
    assert repr(solution) == "<ParitySolution of 4 vertices: player 0 3 and player 1 1>"
    line = solution.line("c")
    assert (line.path, line.cycle, line.priority, line.winner) == ((), ("c",), 3, 1)
    assert solution.explain("c") == (
        "player 1 wins from c: the winner's moves may lead to the cycle c → c, where the greatest "
        "priority is 3; on every other cycle that the loser can choose it is odd, too"
    )
    assert solution.line("d").cycle == ()
    assert "where the loser cannot move" in solution.explain("d")
    assert solution.explain().startswith("player 0 wins from b")
    with pytest.raises(PositionError, match="'x' is not a node of the graph"):
        solution["x"]
    with pytest.raises(PositionError, match="the game has no start; name a vertex"):
        solve_parity(graph).line()
    with pytest.raises(PositionError):
        solve_parity(graph, start="x")


@pytest.mark.slow
def test_the_forms_in_which_a_graph_is_given():
    """Rows, arrays, a sparse matrix, a graph of networkx and a game from a file are one game."""
    sparse = pytest.importorskip("scipy.sparse")
    rows, priorities, owners = [[1, 2], [0], [2]], [2, 1, 3], [0, 1, 1]
    arrays = np.array([0, 2, 3, 4]), np.array([1, 2, 0, 2])
    graph = nx.DiGraph([(v, w) for v, row in enumerate(rows) for w in row])
    by_node = dict(enumerate(priorities)), dict(enumerate(owners))
    matrix = sparse.csr_matrix((np.ones(4), arrays[1], arrays[0]), shape=(3, 3))
    text = b"0 2 0 1,2; 1 1 1 0; 2 3 1 2;"
    solutions = [solve_parity(each, priorities, owners) for each in (rows, arrays, matrix)]
    solutions += [solve_parity(graph, *by_node), read_pgsolver(io.BytesIO(text)).solve()]
    for solution in solutions:
        assert solution.winner.tolist() == [0, 0, 1]
        assert solution.best.tolist() == [1, -1, 2]


WRONG = {
    "priorities": (([[0]], [1, 2], [0]), "priorities has the shape (2,); give a whole number for"),
    "a negative one": (([[0]], [-1], [0]), "node 0 has the priority -1; use 0 or more"),
    "a large one": (([[0]], [1 << 60], [0]), "use numbers within ±2⁵³"),
    "a fraction": (([[0]], [0.5], [0]), "priorities of node 0 is 0.5; give a whole number"),
    "an owner": (([[0]], [1], [2]), "owner[0] is 2; use 0 or 1"),
    "a successor": (([[7]], [1], [0]), "names node 7; use 0 to 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_graph_that_is_no_parity_game_is_refused_in_a_sentence(name):
    """The sentence names the entry."""
    arguments, message = WRONG[name]
    with pytest.raises(ParameterError) as caught:
        solve_parity(*arguments)
    assert message in str(caught.value)


NO_GRAPHS = {
    "a successor": (([0, 1], [7]), "graph[0] names node 7; use 0 to 0"),
    "a negative one": (([0, 1], [-3]), "graph[0] names node -3; use 0 to 0"),
    "a row of edges": (([0, 2, 1, 2], [0, 1]), "give one that ascends from 0 to their number"),
    "fractions": (([0, 1], [0.5]), "graph names nodes by float64 numbers, shape (1,); give whole"),
}


@pytest.mark.parametrize("name", NO_GRAPHS)
def test_a_game_of_arrays_that_are_no_graph_is_refused(name):
    """Games are checked like other graphs, as a wrong number would make a search endless."""
    arrays, message = NO_GRAPHS[name]
    indptr, indices = map(np.asarray, arrays)
    ones = np.ones(len(indptr) - 1, np.int64)
    for solving in (
        ParityGame(indptr, indices, ones, ones).solve,
        lambda: attractor(GraphGame(indptr, indices, owner=ones), [0]),
    ):
        with pytest.raises(ParameterError) as caught:
            solving()
        assert message in str(caught.value)


def test_other_arguments_that_are_refused():
    """A convention, an amount of memory, a node without a priority, a player."""
    with pytest.raises(ParameterError, match="parity='max' is not known; use one of 'max even'"):
        solve_parity([[0]], [1], [0], parity="max")
    with pytest.raises(BudgetError, match="a parity game of 1 vertex and 1 edge needs at least"):
        solve_parity([[0]], [1], [0], memory=10)
    graph = nx.DiGraph([("a", "b")])
    with pytest.raises(ParameterError, match="priorities of node 'a' is None; give a whole number"):
        solve_parity(graph, owner={"a": 0, "b": 1})
    solution = solve_parity([[0]], [1], [0])
    for player in (2, True, "first"):
        with pytest.raises(ParameterError, match="is not a player; use 0 or 1"):
            solution.region(player)


def test_progress_is_told_and_a_solve_goes_on_after_each_report():
    """A search that returns after every few edges gives the same solution."""
    game = families.two_counters(4)
    whole = solved(game)
    events = []
    with limits.using(at_once=50):
        parts = solved(game, progress=events.append)
    assert parts.winner.tolist() == whole.winner.tolist()
    assert parts.verify(progress=events.append)
    assert {event.phase for event in events} == {"transpose", "parity", "verify"}


def test_a_solve_can_be_interrupted_between_its_parts():
    """An interrupt that the listener raises ends the solve, and the next one is whole."""
    events = []

    def stop(event):
        events.append(event)
        if event.phase == "parity" and len(events) == 6:
            raise KeyboardInterrupt

    with limits.using(at_once=50), every_event(), pytest.raises(KeyboardInterrupt):
        solved(families.two_counters(4), progress=stop)
    assert not any(event.phase == "parity" and event.finished for event in events)
    assert solved(families.two_counters(4)).verify()


@pytest.mark.slow
def test_a_long_path_needs_no_deep_recursion():
    """A hundred thousand vertices in a row, with as many priorities, to a cycle at the end."""
    size = 100_000
    game = {v: (v, v % 2, [min(v + 1, size - 1)]) for v in range(size)}
    solution = solved(game)
    assert solution.winner.all()
    assert solution.verify()


@counts(60, None, 600)
def test_buchi_games_and_their_relatives_agree(count):
    """Büchi against parity by recursion; attractors and safety are the special cases."""
    rng = random.Random(9)
    for _ in range(count):
        game = random_game(rng, 8)
        size, player = len(game), rng.randint(0, 1)
        rows, owners = [game[v][2] for v in range(size)], [game[v][1] for v in range(size)]
        target = np.array([rng.random() < 0.4 for _ in range(size)])
        buchi = solve_buchi(rows, target, player, owners)
        recurring = {v: (1 + int(target[v]) + player, owners[v], rows[v]) for v in range(size)}
        winners = oracle.solve_parity(recurring)
        assert [winners[v] == player for v in range(size)] == buchi.region(player).tolist()
        assert buchi.verify()
        # Whoever cannot stay outside the target in the end has to come to it again and again.
        other = solve_co_buchi(rows, ~target, 1 - player, owners)
        assert other.region(1 - player).tolist() == buchi.region(1 - player).tolist()
        # If the target is never left, once is as good as again and again.
        absorbing = [[v] if target[v] else rows[v] for v in range(size)]
        reached = solve_buchi(absorbing, target, player, owners).region(player)
        assert reached.tolist() == attractor(rows, target, player, owners).tolist()
        safe = solve_co_buchi(absorbing, ~target, player, owners).region(player)
        assert safe.tolist() == safe_strategy(rows, target, player, owners).region.tolist()


@pytest.mark.slow
def test_sets_of_names_and_the_player_of_a_buchi_game():
    """The door is the opponent's, who can keep the robot out for ever."""
    graph = nx.DiGraph([("in", "door"), ("door", "in"), ("door", "out"), ("out", "door")])
    nx.set_node_attributes(graph, {"in": 0, "door": 1, "out": 0}, "owner")
    assert solve_buchi(graph, ["door"]).region(0) == {"in", "door", "out"}
    assert solve_buchi(graph, ["in"]).region(0) == set()
    assert solve_co_buchi(graph, ["door", "out"], 1).region(1) == {"in", "door", "out"}
    with pytest.raises(PositionError):
        solve_buchi(graph, ["roof"])
    with pytest.raises(ParameterError, match="is not a player"):
        solve_buchi(graph, ["in"], player=3)
    for solving in (solve_buchi, solve_co_buchi):
        events = []
        solving(graph, ["door"], progress=events.append)
        assert {event.phase for event in events} == {"transpose", "parity"}
