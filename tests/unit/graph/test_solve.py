"""Explicit graphs: what is asked of them, what is refused, and where they may come from."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from support.sizes import some
from zermelo import DRAW, LOSS, WIN, BudgetError, ParameterError, PositionError, Value
from zermelo.graph import NONE, solve, solve_matrix, solve_networkx

#: 0 may wait or go to 1; 1 goes to 2, where whoever is to move has lost.
INDPTR, INDICES = [0, 2, 3, 3], [0, 1, 2]


def chain(length):
    """Return a graph that is one way of ``length`` edges."""
    return np.minimum(np.arange(length + 2), length), np.arange(1, length + 1)


def test_a_vertex_without_edges_is_lost_by_normal_play():
    """Whoever cannot move has lost, unless the graph or the caller says otherwise."""
    solution = solve(INDPTR, INDICES)
    assert [solution[v] for v in solution] == [Value(DRAW), Value(WIN, 1), Value(LOSS, 0)]
    assert solution.arrays.outcome.dtype == np.int8
    assert solution.arrays.remoteness.tolist() == [-1, 1, 0]
    assert solve(INDPTR, INDICES, no_moves=WIN)[1] == Value(LOSS, 1)
    assert solve(INDPTR, INDICES, no_moves=DRAW)[0] == Value(DRAW, 2)
    assert solve(INDPTR, INDICES, [NONE, NONE, DRAW])[0] == Value(DRAW, 2)


def test_a_loop_lets_a_player_wait_for_ever():
    """A loop is a move like any other: it keeps a lost player from losing."""
    solution = solve([0, 2, 3, 3], [0, 1, 2])
    assert (solution[0], int(solution.arrays.best[0])) == (Value(DRAW), 0)
    assert solution.line(0).ends == "repeats"


def test_repeated_edges_count_once_each():
    """A vertex is lost once all its edges lose, however often each is there."""
    solution = solve([0, 3, 5, 5], [1, 1, 1, 2, 2])
    assert solution[0] == Value(LOSS, 2)


def test_a_tie_is_better_than_no_end_and_a_near_one_best():
    """Both players like a tie better than going round, and the shortest way to it best."""
    solution = solve([0, 3, 4, 4, 5], [0, 1, 2, 3, 2], [NONE, NONE, DRAW, NONE])
    assert solution[0] == Value(DRAW, 1)
    assert solution.arrays.best[0] == 2
    assert [option.value.remoteness for option in solution.options(0)] == [1, 2, 3]


def test_an_owner_may_move_twice():
    """What wins for the owner of both ends of an edge wins already."""
    solution = solve([0, 1, 2, 2], [1, 2], owner=[0, 0, 1])
    assert solution[0] == Value(WIN, 2)
    assert solution.arrays.winner.tolist() == [0, 0, 0]


def test_the_edges_of_a_decided_vertex_are_not_looked_at():
    """An outcome given to a vertex stands, whatever its edges lead to."""
    solution = solve([0, 1, 1], [1], [LOSS, NONE])
    assert solution[0] == Value(LOSS, 0)
    assert (solution.arrays.best.tolist(), solution.options(0), len(solution.line(0))) == (
        [-1, -1],
        [],
        0,
    )
    assert solution.verify()


@pytest.mark.parametrize("length", some([300, 70_000, 16_382, 16_383, 16_384], 5))
def test_remoteness_is_exact_past_any_width_of_code(length):
    """A way of so many edges is lost or won in as many moves, ties too."""
    for end, outcome in ((LOSS, (LOSS, WIN)[length % 2]), (DRAW, DRAW)):
        solution = solve(*chain(length), no_moves=end)
        assert solution[0] == Value(outcome, length)
        assert solution.arrays.remoteness.tolist() == list(range(length, -1, -1))
        assert solution.verify()


@pytest.mark.slow
@pytest.mark.parametrize("degree", [16_383, 16_384, 70_000])
def test_a_vertex_may_have_any_number_of_edges(degree):
    """Counters do not overflow where all of so many moves lose."""
    indices = np.concatenate([np.full(degree, 1), [2]])
    solution = solve([0, degree, degree + 1, degree + 1], indices)
    assert solution[0] == Value(LOSS, 2)
    assert solution.verify()


def test_a_vertex_may_be_entered_by_any_number_of_edges():
    """More reversed edges than are taken together at once are all followed."""
    n = 50_000
    indptr = np.concatenate([np.arange(n), [n - 1]])
    solution = solve(indptr, np.full(n - 1, n - 1))
    assert (solution.arrays.outcome == WIN).sum() == n - 1
    assert solution.verify()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), "indptr is empty"),
        (([[0, 1]], [0]), r"indptr is an array of int64 with shape \(1, 2\)"),
        (([0, 1.5], [0]), "indptr is an array of float64"),
        (([[0], [0, 1]], [0]), "indptr is an array"),
        (([1, 1], [0]), "indptr goes from 1 to 1"),
        (([0, 2], [0]), "indptr goes from 0 to 2"),
        (([0, 2, 1], [0]), r"indptr\[1\] is 2 and indptr\[2\] 1"),
        (([0, 1, -1, 1], [0]), r"indptr\[1\] is 1 and indptr\[2\] -1"),
        (([0, 1], [1]), r"indices\[0\] is 1; give vertices from 0 to 0"),
        (([0, 1], [-1]), r"indices\[0\] is -1"),
        (([0, 1], ["a"]), "indices is an array of <U1"),
        (([0, 1], [0], [NONE, NONE]), "outcome has 2 entries for 1 vertex"),
        (([0, 1], [0], [3]), r"outcome\[0\] is 3; use WIN, DRAW, LOSS or NONE"),
        (([0, 1], [0], [300]), r"outcome\[0\] is 300"),
        (([0, 1], [0], [0.5]), "outcome is an array of float64"),
        (([0, 1], [0], None, [2]), r"owner\[0\] is 2; use 0 or 1"),
        (([0, 1], [0], None, [-1]), r"owner\[0\] is -1"),
        (([0, 1], [0], None, [0, 1]), "owner has 2 entries for 1 vertex"),
    ],
    ids=str,
)
@pytest.mark.parametrize("decided", [False, True], ids=["open", "decided"])
def test_what_is_no_graph_is_refused_in_a_sentence(arguments, message, decided):
    """The message names the entry that is wrong, and nothing is solved."""
    if decided and len(arguments) == 2:
        arguments = (*arguments, [WIN] * max(0, len(arguments[0]) - 1))
    with pytest.raises(ParameterError, match=message):
        solve(*arguments)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64])
def test_descending_places_are_found_in_every_type(dtype):
    """Places that go down are refused whatever the type, before anything is read by them."""
    with pytest.raises(ParameterError, match="less"):
        solve(np.array([0, 3, 1, 3]).astype(dtype), np.array([0, 1, 2], dtype), [WIN] * 3)


@pytest.mark.parametrize(
    "options", [{"no_moves": 2}, {"no_moves": True}, {"threads": 0}, {"memory": "lots"}], ids=str
)
def test_options_that_make_no_sense_are_refused(options):
    """The offending value is in the message."""
    with pytest.raises(ParameterError):
        solve(INDPTR, INDICES, **options)


def test_a_vertex_that_is_not_there_is_an_error_or_a_default():
    """Asking raises, ``get`` and ``in`` do not."""
    solution = solve(INDPTR, INDICES)
    for strange in (3, -1, "0", None, 1.0):
        with pytest.raises(PositionError, match="give a number from 0 to 2"):
            solution[strange]
        assert solution.get(strange) is None
        assert strange not in solution
    with pytest.raises(PositionError):
        solution.line(17)


def test_a_graph_without_vertices_has_no_values():
    """Nothing is solved, and nothing goes wrong."""
    solution = solve([0], [])
    assert (len(solution), list(solution), solution.counts().win) == (0, [], 0)
    assert (solution.arrays.outcome.tolist(), solution.arrays.best.tolist()) == ([], [])
    assert solution.verify()


def test_counts_tell_ties_from_endless_draws():
    """Counts are by outcome and remoteness, ties and endless draws apart."""
    counts = solve([0, 1, 2, 2, 2], [0, 2], [NONE, NONE, DRAW, NONE]).counts()
    assert (counts.win, counts.draw, counts.loss) == (0, 3, 1)
    assert (counts.tie, counts.endless) == (2, 1)
    assert counts.by_remoteness[DRAW, 1] == 1


@pytest.mark.slow
def test_too_little_memory_is_refused_before_anything_is_done():
    """The refusal says how much is needed, and a graph that fits is solved within it."""
    indptr, indices = chain(1000)
    with pytest.raises(
        BudgetError, match=r"1,001 vertices needs at least 5.01 kB, but only 4 kB may be used"
    ) as info:
        solve(indptr, indices, memory=4000)
    assert solve(indptr, indices, memory=info.value.needed).peak_bytes == info.value.needed


def test_progress_is_told_phase_by_phase():
    """The phases are those that the solution lists, each with a last event."""
    events = []
    solution = solve(*chain(100), progress=events.append)
    assert [e.phase for e in events if e.finished] == ["prepare", "reverse", "retrograde"]
    assert [name for name, _ in solution.phases] == ["prepare", "reverse", "retrograde"]


def test_a_wrong_value_is_named_by_the_certificate():
    """The verdict is false, with a sentence on the vertex."""
    solution = solve(INDPTR, INDICES)
    solution._solved.table.column.stored[1] = 0
    verdict = solution.verify()
    assert not verdict
    assert (
        verdict.problem
        == "1 is stored as endless draw, but its successors make it win in 1 (2 leads to loss in 0)"
    )


def test_winners_need_owners():
    """Where players merely alternate, nobody is the first player."""
    with pytest.raises(ParameterError, match="owner="):
        _ = solve(INDPTR, INDICES).arrays.winner


def test_the_module_is_found_from_the_facade():
    """``zermelo.graph`` needs no import of its own."""
    assert zermelo.graph.solve is solve


@pytest.mark.parametrize("form", ["csr_array", "csr_matrix", "coo_array", "lil_array", "csc_array"])
def test_a_sparse_matrix_is_a_graph(form):
    """Each stored entry is an edge from its row to its column, in any form of matrix."""
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[1, 1, 0], [0, 0, 5], [0, 0, 0]])
    solution = solve_matrix(getattr(sparse, form)(dense), threads=1)
    assert solution.arrays.remoteness.tolist() == [-1, 1, 0]
    assert solve_matrix(getattr(sparse, form)(dense), None, [0, 0, 1])[1] == Value(WIN, 1)


def test_what_is_no_square_sparse_matrix_is_refused():
    """A dense array is not taken for a sparse one, nor an oblong one for a graph."""
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ParameterError, match="a ndarray is not a sparse matrix"):
        solve_matrix(np.eye(3))
    with pytest.raises(ParameterError, match=r"shape \(2, 3\)"):
        solve_matrix(sparse.csr_array((2, 3)))


def test_a_graph_of_networkx_is_solved_by_name():
    """Outcomes and owners are attributes or mappings; answers are by the graph's own nodes."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "a"), ("a", "b"), ("b", "end")])
    solution = solve_networkx(graph)
    assert solution["b"] == Value(WIN, 1)
    assert dict(solution.items())["a"] == Value(DRAW)
    assert solution.line("b").moves == ["end"]
    assert [option.name for option in solution.options("a")] == ["a", "b"]
    graph.nodes["end"]["outcome"] = DRAW
    assert solve_networkx(graph)["a"] == Value(DRAW, 2)
    owners = {"a": 0, "b": 0, "end": 1}
    assert solve_networkx(graph, {"end": LOSS}, owners)["a"] == Value(WIN, 2)
    networkx.set_node_attributes(graph, owners, "player")
    assert solve_networkx(graph, owner="player").arrays.winner.tolist() == [-1, -1, -1]
    with pytest.raises(PositionError, match="give a node"):
        solution["c"]
    with pytest.raises(PositionError, match="give a node"):
        solution[["a"]]


def test_what_is_wrong_with_a_graph_of_networkx_is_named():
    """The node is named whose outcome or owner is none."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(3, networkx.DiGraph)
    with pytest.raises(ParameterError, match="node 2 has the outcome 'won'"):
        solve_networkx(graph, {2: "won"})
    with pytest.raises(ParameterError, match="node 1 has the owner None"):
        solve_networkx(graph, owner={0: 0})
    with pytest.raises(ParameterError, match="a list is not a graph"):
        solve_networkx([])


def test_payoffs_on_graphs_are_refused_by_name():
    """A number that a vertex or an edge pays is no outcome, and would go unread."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(3, networkx.DiGraph)
    said = "as solve_networkx finds who wins, and no payoffs$"
    with pytest.raises(ParameterError, match=f"^node 2 has the outcome 5; use .*, {said}"):
        solve_networkx(graph, {2: 5})
    for several in (graph, networkx.MultiDiGraph(graph)):
        several.add_edge(1, 2, payoff=3)
        with pytest.raises(ParameterError, match=f"from 1 to 2 has the attribute 'payoff'.*{said}"):
            solve_networkx(several)


def test_a_third_player_of_a_graph_is_refused_by_name():
    """Only games of two players are solved."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(2, networkx.DiGraph)
    with pytest.raises(ParameterError, match="owner 2; use 0 or 1, as only games of two players"):
        solve_networkx(graph, owner={0: 0, 1: 2})


def test_edges_without_directions_go_both_ways():
    """On a path that the token may go either way nobody is ever out of moves."""
    networkx = pytest.importorskip("networkx")
    assert solve_networkx(networkx.path_graph(4)).counts().endless == 4
    assert solve_networkx(networkx.MultiDiGraph([(0, 1), (0, 1)]))[0] == Value(WIN, 1)
