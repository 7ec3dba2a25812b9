"""Cat and Mouse: published answers, the rules at their edges, and graphs that are none."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from facts import document, example
from support.oracles.oracle import DRAW, LOSS, WIN, explore, solve, within
from zermelo.errors import ParameterError, PositionError
from zermelo.games import CatAndMouse, NodeKayles, VertexGeography
from zermelo.games.pursuit.cat_and_mouse import Position

FACTS = document("seed_games")["cat_and_mouse"]
ANSWERS = {0: DRAW, 1: WIN, 2: LOSS}  # for the mouse, who moves first
PATH = [[1], [0, 2], [1, 3], [2]]

by_nodes = pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{len(fact['graph'])} nodes")


class Listed(CatAndMouse):
    """The game with its starts as the oracle wants them."""

    def starts(self):
        return [Position(*row) for row in super().starts().tolist()]


@st.composite
def games(draw):
    """Return a game on a random graph of up to 6 nodes, edges one way or both."""
    n = draw(st.integers(3, 6))
    directed = draw(st.booleans())
    pairs = [(i, j) for i in range(n) for j in range(n) if directed or i <= j]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=3 * n))
    rows = [[] for _ in range(n)]
    for i, j in [*edges, (1, 0)] if directed else [*edges, (0, 1)]:
        rows[i].append(j)
        if not directed:
            rows[j].append(i)
    return Listed(rows, directed=directed)


@by_nodes
def test_the_oracle_finds_the_published_answer(fact):
    """On each published graph the mouse gets what is published, in as many plies."""
    game = Listed(fact["graph"])
    outcome, remoteness = solve(game)[game.start()]
    assert outcome == ANSWERS[fact["answer"]]
    assert "remoteness" not in fact or remoteness == fact["remoteness"]


@by_nodes
def test_the_engine_finds_the_published_answer(fact):
    """So does the engine."""
    solution = zermelo.solve(CatAndMouse(fact["graph"]))
    assert solution.value.outcome == ANSWERS[fact["answer"]]
    assert solution.winner == (None, "mouse", "cat")[fact["answer"]]
    assert "remoteness" not in fact or solution.value.remoteness == fact["remoteness"]


def test_leetcode_example():
    """The example of LeetCode 913 is a draw."""
    graph, answer = example(913)
    assert solve(Listed(graph))[Position(1, 2, 0)][0] == ANSWERS[answer]


def test_two_n_plies_are_too_few_and_all_positions_are_enough():
    """Called off after 2n plies, the graph of 13 nodes looks like a draw; 2n(n-1) are safe."""
    fact = next(f for f in FACTS if "answer_when_turns_are_bounded_by_2n" in f)
    game = Listed(fact["graph"])
    n = len(fact["graph"])
    short = within(game, 2 * n)[game.start()]
    assert short == ANSWERS[fact["answer_when_turns_are_bounded_by_2n"]]
    assert within(game, fact["remoteness"] - 1)[game.start()] == DRAW
    assert within(game, 2 * n * (n - 1))[game.start()] == ANSWERS[fact["answer"]]


@pytest.mark.slow
@given(games())
def test_engine_agrees_with_the_oracle_everywhere(game):
    """Every placement on a random graph has the oracle's value, whichever way edges run."""
    graph = [list(row) for row in game.graph]
    solution = zermelo.solve(CatAndMouse(graph, directed=game.directed))
    expected = solve(game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == expected


@pytest.mark.slow
@given(games())
def test_every_placement_is_a_start(game):
    """Starts are the placements with either to move, once each, and no move leaves them."""
    n = len(game.graph)
    starts = game.starts()
    assert starts[0] == game.start()
    assert len(set(starts)) == len(starts) == 2 * n * (n - 1)
    assert set(explore(game)) == set(starts)
    assert all(start.cat != game.hole for start in starts)


def test_starts_are_an_array_with_any_hole():
    """Starts come as one row of numbers each, and skip the hole wherever it is."""
    starts = CatAndMouse(PATH, mouse=0, cat=2, hole=3).starts()
    assert starts.shape == (2 * 4 * 3, 3)
    assert starts[0].tolist() == [0, 2, 0]
    assert sorted(np.unique(starts[:, 1])) == [0, 1, 2]


def test_the_cat_may_not_enter_the_hole():
    """The cat's moves leave out the hole, and the mouse's do not."""
    game = CatAndMouse(PATH, mouse=1, cat=1)
    assert list(game.moves(Position(2, 1, 1))) == [2]
    assert list(game.moves(Position(1, 2, 0))) == [0, 2]


def test_a_player_without_a_move_stays():
    """A cat that only the hole is next to, and a mouse on a node without edges, stay put."""
    game = CatAndMouse([[1, 2], [0], [0], []], mouse=1, cat=2)
    stuck = Position(1, 2, 1)
    assert list(game.moves(stuck)) == [2]
    assert game.play(stuck, 2) == Position(1, 2, 0)
    assert list(game.moves(Position(3, 2, 0))) == [3]
    assert solve(Listed(game.graph))[Position(3, 2, 0)] == (DRAW, None)


def test_a_game_may_begin_where_it_ends():
    """A mouse that starts in the hole has won, and one that starts on the cat has lost."""
    assert CatAndMouse(PATH, mouse=0).winner(Position(0, 2, 0)) == 0
    assert solve(Listed(PATH, mouse=2, cat=2))[Position(2, 2, 0)] == (LOSS, 0)


@pytest.mark.parametrize(
    "graph",
    [
        nx.path_graph(4),
        nx.path_graph(["hole", "hall", "attic", "roof"]),
        {0: [1], 1: [0, 2], 2: [1, 3], 3: [2]},
        {3: {2}, 1: {2, 0}, 0: {1}, 2: {3, 1}},
        {"0": [1], "1": ["0", 2], "2": [1, 3], "3": [2]},
        {(0, 0): [(0, 1)], (0, 1): [(0, 0), "b"], "b": [(0, 1), "c"], "c": {"b": {"weight": 0.5}}},
    ],
    ids=["networkx", "named networkx", "numbers", "sets", "digits", "names"],
)
def test_graphs_by_node_are_taken(graph):
    """Numbers stay as they are, and nodes with names are numbered in their order."""
    assert CatAndMouse(graph) == CatAndMouse(PATH)
    assert VertexGeography(graph).graph == NodeKayles(graph).graph == CatAndMouse(PATH).graph
    assert zermelo.pursuit(graph).counts() == zermelo.pursuit(PATH).counts()


def test_duplicate_edges_and_loops_are_allowed():
    """An edge listed twice is one move twice, and a loop lets its player wait."""
    game = CatAndMouse([[1, 1], [0, 0, 1], [2]])
    assert list(game.moves(Position(1, 2, 0))) == [0, 0, 1]
    assert solve(Listed(game.graph))[game.start()] == (WIN, 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"graph": []}, "graph [] has no nodes"),
        ({"graph": "[[1]]"}, "graph must be a list of lists of nodes, not '[[1]]'"),
        ({"graph": 7}, "graph must be a list of lists of nodes, not 7"),
        ({"graph": np.eye(3, dtype=int)}, "graph must be a list of lists of nodes, not array("),
        ({"graph": [[1], 0]}, "graph[1] must be a list of neighbours, not 0"),
        ({"graph": [[1], [0, 5], []]}, "graph[1] names node 5, but nodes are 0 to 2"),
        ({"graph": [[1], [0, -1], []]}, "graph[1] names node -1, but nodes are 0 to 2"),
        ({"graph": [["1"], [0], []]}, "graph[0] names '1', and nodes are whole numbers"),
        ({"graph": [[1.0], [0], []]}, "graph[0] names 1.0, and nodes are whole numbers"),
        ({"graph": [[True], [0], []]}, "graph[0] names True, and nodes are whole numbers"),
        ({"graph": [[1, 2], [0], []]}, "graph[0] names 2, but graph[2] does not name 0"),
        ({"graph": [[1], [0]]}, "cat must be a node of the graph, not 2; use 0 to 1"),
        ({"graph": PATH, "mouse": 9}, "mouse must be a node of the graph, not 9; use 0 to 3"),
        ({"graph": PATH, "hole": "a"}, "hole must be a node of the graph, not 'a'"),
        ({"graph": PATH, "cat": 0}, "cat 0 starts in the hole, where it may not go"),
        ({"graph": {1: [2], 2: [1]}}, "graph has a node 2, but nodes with numbers must be 0 to 1"),
        ({"graph": {"0": [], 0: []}}, "graph has a node 0, but nodes with numbers must be 0 to 1"),
        ({"graph": {0: ["a"], "a": [0]}}, "graph has a node 'a', but nodes with numbers must be"),
        ({"graph": nx.path_graph([1, 2])}, "graph has a node 2, but nodes with numbers must be"),
        ({"graph": {0: [1]}}, "graph[0] names 1, which is not a node"),
        ({"graph": {"a": [["b"]]}}, "graph['a'] names ['b'], which is not a node"),
        ({"graph": {0: 1, 1: [0]}}, "graph[0] must be a list of neighbours, not 1"),
        ({"graph": {"a": "b", "b": ["a"]}}, "graph['a'] must be a list of neighbours, not 'b'"),
        ({"graph": {"a": "b"}}, "parameter 'graph' is a dict, which has no order"),
        (
            {"graph": {"a": ["b"], "b": ["a"]}, "mouse": "a"},
            "mouse must be a node of the graph, not",
        ),
        ({"graph": [[2], [], [0]]}, "mouse 1 starts on a node without neighbours"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_graph_is_refused_in_one_sentence(parameters, message):
    """Each thing that can be wrong with the parameters has its own message."""
    with pytest.raises(ParameterError) as caught:
        CatAndMouse(**parameters)
    assert str(caught.value).startswith(message)
    assert ";" in str(caught.value)


def test_one_way_edges_need_the_word():
    """With ``directed=True`` an edge may be listed at one end only."""
    game = CatAndMouse([[1, 2], [0], []], directed=True)
    assert list(game.moves(Position(0, 1, 0))) == [1, 2]
    complete = [[other for other in range(40) if other != node] for node in range(40)]
    complete[30].remove(7)
    with pytest.raises(ParameterError, match=r"graph\[7\] names 30, but graph\[30\] does not"):
        CatAndMouse(complete)


def test_short_form_is_read():
    """A placement can be typed as three words, and anything else is refused."""
    game = CatAndMouse(PATH)
    assert game.parse("3 1 cat") == Position(3, 1, 1)
    assert game.parse(" mouse 3, cat 1, cat to move ") == Position(3, 1, 1)
    with pytest.raises(PositionError, match="'3 1 dog' is not a position"):
        game.parse("3 1 dog")
