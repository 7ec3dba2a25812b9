"""Solved graphs as files: what is read is what was written, or it is refused, or found wrong."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import check_checksums, forged
from support.sizes import some
from zermelo import (
    BudgetError,
    CorruptTableError,
    MissingTableError,
    ParameterError,
    PositionError,
    TableExistsError,
    TableWriteError,
    Value,
    limits,
)
from zermelo.errors import ZermeloError
from zermelo.games import TakeAway
from zermelo.graph import NONE, solve, solve_networkx
from zermelo.values.outcomes import DRAW, LOSS, WIN


def given(vertices: int, seed: int, *, near: bool = False, owned: bool = False, most: int = 9):
    """Return a random graph; edges lead anywhere, or to vertices with numbers nearby."""
    rng = np.random.default_rng(seed)
    degrees = rng.integers(0, most, vertices)
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    count = int(indptr[-1])
    indices = rng.integers(0, max(vertices, 1), count)
    if near:
        away = np.repeat(np.arange(vertices), degrees) + rng.integers(-3, 4, count)
        indices = np.clip(away, 0, vertices - 1)
    outcome = np.where(rng.random(vertices) < 0.05, rng.integers(-1, 2, vertices), NONE)
    return indptr, indices, outcome, rng.integers(0, 2, vertices) if owned else None


def way(length: int):
    """Return a graph that is one way of ``length`` edges."""
    return np.minimum(np.arange(length + 2), length), np.arange(1, length + 1)


GRAPHS = {
    "no vertex": ([0], []),
    "one vertex": ([0, 0], []),
    "one loop": ([0, 1], [0]),
    "no edges": ([0, 0, 0, 0], [], [WIN, NONE, DRAW]),
    "a few": given(90, 1),
    "near": given(2_500, 2, near=True),
    "far": given(2_048, 3),
    "owned": given(2_049, 4, owned=True),
    "long": way(16_384),
    "wide": ([0, 300, 301, 301], [*([1] * 299), 2, 2]),
    "dense": (np.arange(0, 121) * 120, np.tile(np.arange(120), 120)),
}


def same(solution: zermelo.Solution, opened: zermelo.Solution) -> None:
    """Assert that both answer alike, whatever they are asked."""
    for name in ("outcome", "remoteness", "best_edge", "best"):
        mine, theirs = getattr(solution.arrays, name), getattr(opened.arrays, name)
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)
    assert (opened.counts(), len(opened)) == (solution.counts(), len(solution))
    assert (list(opened.rules.nodes), repr(opened)) == (list(solution.rules.nodes), repr(solution))
    assert list(opened.items()) == list(solution.items())
    for mine, theirs in zip(solution.arrays.graph, opened.arrays.graph, strict=True):
        assert (mine is None) == (theirs is None)
        assert mine is None or np.array_equal(mine, theirs)
    if solution.arrays.graph[3] is not None:
        assert np.array_equal(solution.arrays.winner, opened.arrays.winner)


@pytest.mark.parametrize("case", some(GRAPHS, 5))
def test_what_is_opened_answers_as_what_was_saved(case, tmp_path):
    """Vertex by vertex, each in a file that has just been opened, and all of it."""
    solution = solve(*GRAPHS[case])
    path = solution.save(tmp_path / "x.table")
    for vertex in random.Random(1).sample(range(len(solution)), min(6, len(solution))):
        with zermelo.open(path) as opened:
            assert opened.options(vertex) == solution.options(vertex)
            assert opened[vertex] == solution[vertex]
            assert opened.line(vertex, longest=50) == solution.line(vertex, longest=50)
    opened = zermelo.open(path)
    assert opened.verify()
    same(solution, opened)


def test_a_graph_without_vertices_has_nobody_whose_turn_it_is(tmp_path):
    """Its table is opened, also where endless play would be a win for one of the players."""
    solution = solve([0], [], owner=[], endless=1)
    with zermelo.open(solution.save(tmp_path / "x.table")) as opened:
        assert (len(opened), bool(opened.verify())) == (0, True)


def test_a_table_is_solved_into_at_once(tmp_path):
    """It is the one that is saved; nothing is solved for a file that may not be replaced."""
    path, arrays = tmp_path / "x.table", GRAPHS["owned"]
    data = solve(*arrays, start=7).save(tmp_path / "saved.table").read_bytes()
    with solve(*arrays, start=7, table=path) as solution:
        assert (solution.start, solution.method) == (7, "explicit")
        assert (path.read_bytes(), max(tmp_path.iterdir())) == (data, path)
    with pytest.raises(TableExistsError):
        solve(*arrays, table=path)


@pytest.mark.parametrize("case", ["near", "owned", "wide"])
def test_the_same_graph_makes_the_same_file(case, tmp_path):
    """However many threads compress, and saved once more from the file."""
    solution = solve(*GRAPHS[case])
    data = solution.save(tmp_path / "x.table").read_bytes()
    for threads in (1, 3):
        solution.threads = threads
        assert solution.save(tmp_path / f"{threads}").read_bytes() == data
    again = zermelo.open(tmp_path / "x.table").save(tmp_path / "x.table", overwrite=True)
    assert again.read_bytes() == data


def test_edges_are_coded_as_is_smaller(tmp_path):
    """Steps for a grid, whose vertices have their neighbours nearby; numbers for random edges."""
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(60, 60))
    for solution, steps in ((solve_networkx(grid), True), (solve(*given(9_000, 5)), False)):
        path = solution.save(tmp_path / f"{steps}.table")
        assert zermelo.describe_table(path)["table"]["steps"] is steps
    assert (tmp_path / "True.table").stat().st_size < 3 * 60 * 60 + 2_000


def test_names_are_kept(tmp_path):
    """Text, numbers and tuples of these, apart though they look alike."""
    graph = nx.DiGraph()
    names = ["a", "1", 1, 2.5, (0, "b"), (), (("x", 1), None), "ä\n\ud800", 10**40]
    nx.add_path(graph, names)
    solution = solve_networkx(graph)
    opened = zermelo.open(solution.save(tmp_path / "x.table"))
    same(solution, opened)
    assert [type(node) for node in opened.rules.nodes] == [type(node) for node in names]
    assert opened[0, "b"] == solution[0, "b"] == Value(LOSS, 4)
    assert opened.options("a")[0].position == "1"
    for text, node in (("a", "a"), ("1", "1"), ('[0, "b"]', (0, "b")), ("(0, 'b')", (0, "b"))):
        assert opened.parse(text) == node
    with pytest.raises(PositionError, match="'b' is not a vertex; give a node of the graph"):
        opened.parse("b")
    assert solve(*GRAPHS["a few"]).parse("7") == 7
    with pytest.raises(PositionError, match="'x' is not a vertex; give a number from 0 to 89"):
        solve(*GRAPHS["a few"]).parse("x")


@pytest.mark.parametrize("node", [frozenset({1}), float("nan"), (1, 2j), 1 << 99_999], ids=type)
def test_a_name_that_a_file_cannot_have_is_refused(node, tmp_path):
    """The sentence says which, and what to do; nothing is written."""
    graph = nx.DiGraph([("a", node)])
    with pytest.raises(ParameterError, match=r"^node .* rename it, as networkx\.convert_node_l"):
        solve_networkx(graph).save(tmp_path / "x.table")
    assert list(tmp_path.iterdir()) == []


def test_a_table_says_what_it_holds_and_needs_no_game(tmp_path):
    """So a game for it is refused; and the table of another game likewise."""
    graph = solve([0, 1, 1], [1]).save(tmp_path / "graph.table")
    game = zermelo.solve(TakeAway(5)).save(tmp_path / "game.table")
    with pytest.raises(ParameterError, match=r"a graph of 2 vertices and 1 edge; leave out game="):
        zermelo.open(graph, TakeAway)
    assert zermelo.open(game).game == TakeAway(5)
    with pytest.raises(ParameterError, match="has no class"):
        _ = zermelo.open(graph).game
    described = zermelo.describe_table(graph)
    assert described["holds"] == "a graph of 2 vertices and 1 edge"
    assert described["counts"] == {"win": 1, "draw": 0, "loss": 1}
    with pytest.raises(MissingTableError):
        zermelo.open(tmp_path / "none")


def test_a_graph_with_a_start_is_asked_as_a_game_is(tmp_path):
    """Value, best moves, a line, an explanation, a picture: all begin there."""
    graph = nx.DiGraph([("hall", "door"), ("door", "exit"), ("hall", "exit"), ("door", "hall")])
    solution = solve_networkx(graph, start="door")
    assert (solution.start, solution.value, solution.winner) == ("door", Value(WIN, 1), "first")
    assert (solution.best(), solution.line().moves) == (["exit"], ["exit"])
    assert "The player to move wins in 1 ply with exit." in str(solution.explain())
    assert str(solution.show()).startswith("door\nwin in 1\n")
    assert solution.show().svg.startswith("<svg")
    assert solution.probe_many(["exit", "door"]).remoteness.tolist() == [0, 1]
    assert solution.get_many(["exit", "moon"]).found.tolist() == [True, False]
    match = zermelo.Match(solution)
    match.play("exit")
    assert (match.is_over, match.winner) == (True, "first")
    with zermelo.open(solution.save(tmp_path / "x.table")) as opened:
        assert (opened.start, opened.value) == ("door", solution.value)
    assert solve([0, 1, 1], [1], start=0).probe_many(np.array([1, 0])).outcome.tolist() == [-1, 1]
    with pytest.raises(PositionError, match="there is no start; give a position"):
        _ = solve([0, 1, 1], [1]).value
    with pytest.raises(PositionError, match="is not a vertex"):
        solve([0, 1, 1], [1], start=2)


@pytest.mark.slow
def test_a_graph_with_a_start_is_analysed():
    """From where the token stands: what random play comes to, and the way out of it."""
    graph = nx.DiGraph([("hall", "door"), ("door", "exit"), ("hall", "exit"), ("door", "hall")])
    analysis = solve_networkx(graph, start="hall").analyse()
    assert (analysis.game, analysis.exact, analysis.positions, analysis.moves) == (
        "graph",
        True,
        3,
        4,
    )
    # In random play the first player gets out at once, or after two moves that lead back.
    assert float(analysis.plays[-1].win) == pytest.approx(2 / 3)
    assert [opening.names for opening in analysis.openings] == [("exit",), ("door",)]
    assert analysis.to_json()["parameters"] == {"vertices": 3, "edges": 4}
    with pytest.raises(PositionError, match="there is no start"):
        solve_networkx(graph).analyse()


def test_what_is_there_is_not_overwritten_by_mistake(tmp_path):
    """Nor is anything left of a table that cannot be written."""
    solution = solve([0, 1, 1], [1])
    path = solution.save(tmp_path / "x.table")
    before = path.read_bytes()
    with pytest.raises(TableExistsError, match="already exists"):
        solve([0], []).save(path)
    assert path.read_bytes() == before
    with pytest.raises(TableWriteError, match="cannot be written"):
        solution.save(tmp_path / "none" / "x.table")
    assert [each.name for each in tmp_path.iterdir()] == ["x.table"]


def test_a_wrong_value_is_told_in_words(tmp_path):
    """The first vertex that is wrong, what it is called and what its edges make it."""
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d")])
    solution = solve_networkx(graph)
    solution._solved.table.column.stored[1] = solution._solved.table.column.stored[3]
    verification = zermelo.open(solution.save(tmp_path / "x.table")).verify()
    said = "'a' is stored as win in 3, but its successors make it win in 1 (b leads to loss in 0)"
    assert verification.problem == said
    assert (verification.ok, verification.position, verification.moves) == (False, "a", 3)
    solution = solve(*GRAPHS["far"])
    right = solution._solved.table.column.stored.copy()
    rng = random.Random(3)
    for _ in range(12):
        vertex = rng.randrange(len(right))
        solution._solved.table.column.stored[:] = right
        solution._solved.table.column.stored[vertex] = rng.choice(
            list({*right.tolist()} - {right[vertex]})
        )
        opened = zermelo.open(solution.save(tmp_path / "wrong.table", overwrite=True))
        assert opened.verify().problem == solution.verify().problem is not None


@pytest.fixture(params=["near", "owned"])
def table(request, tmp_path) -> Path:
    """A table with edges as steps, and one with edges as numbers, owners and names."""
    solution = solve(*GRAPHS[request.param])
    if request.param == "owned":
        solution.rules.nodes = [f"v{vertex}" for vertex in range(len(solution))]
    return solution.save(tmp_path / "x.table")


def verified(path: Path) -> None:
    """Check its certificate."""
    zermelo.open(path).verify()


def test_any_flipped_bit_or_cut_is_noticed(table):
    """Wherever it falls; a damaged file is told apart from one with a wrong value."""
    data = table.read_bytes()
    rng = random.Random(7)
    wrong = table.with_name("wrong")
    for n, place in enumerate(rng.randrange(8 * len(data)) for _ in range(250)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        wrong.write_bytes(flipped)
        with pytest.raises(CorruptTableError):
            (check_checksums if n % 25 else verified)(wrong)
    for end in [rng.randrange(len(data)) for _ in range(50)]:
        wrong.write_bytes(data[:end])
        with pytest.raises(CorruptTableError):
            zermelo.open(wrong)


def used(path: Path) -> zermelo.Solution | None:
    """Open a table and ask it everything; return it, or None where it is refused."""
    try:
        opened = zermelo.open(path)
        for vertex in (*opened.rules.nodes[:30], *opened.rules.nodes[-5:]):
            opened.options(vertex)
            opened.line(vertex, longest=9)
        opened.counts()
        opened.arrays.best_edge.sum()
        assert len(opened.arrays.graph) == 4
    except ZermeloError as error:
        assert str(path) in str(error)  # noqa: PT017  # either is right, but not another error
        return None
    return opened


def ones(parts, byte: int) -> bytearray:
    """Return the first block of edges, full of one byte."""
    return bytearray([byte]) * len(parts["edges"][0])


HOSTILE = {
    "a value past the palette": lambda h, p: p["values"][0].__setitem__(0, 255),
    "a longer block of values": lambda h, p: p["values"][-1].append(0),
    "a shorter one": lambda h, p: p["values"][-1].pop(),
    "no values": lambda h, p: p["values"].pop(),
    "no palette": lambda h, p: h["table"].pop("palette"),
    "a value that is none": lambda h, p: h["table"]["palette"].__setitem__(0, -1),
    "values of another kind": lambda h, p: h["table"].update(value_kind="nimber"),
    "a start that is none": lambda h, p: h["table"].update(starts=[1 << 40]),
    "a bomb of values": lambda h, p: p["values"].__setitem__(0, bytearray(1 << 23)),
    "another degree": lambda h, p: p["degrees"][0].__setitem__(0, p["degrees"][0][0] ^ 1),
    "a shorter block of degrees": lambda h, p: p["degrees"][-1].pop(),
    "wider degrees": lambda h, p: h["table"].update(degree_bytes=4),
    "degrees of no width": lambda h, p: h["table"].update(degree_bytes=0),
    "more edges in a block": lambda h, p: p["spans"][0].__setitem__(0, p["spans"][0][0] ^ 1),
    "edges before the first vertex": lambda h, p: p["edges"].__setitem__(0, ones(p, 0xFF)),
    "edges past the last": lambda h, p: p["edges"].__setitem__(0, ones(p, 0xFE)),
    "a shorter block of edges": lambda h, p: p["edges"][-1].pop(),
    "a longer one": lambda h, p: p["edges"][-1].append(0),
    "edges coded otherwise": lambda h, p: h["table"].update(steps=not h["table"]["steps"]),
    "edges coded somehow": lambda h, p: h["table"].update(steps="no"),
    "an outcome that is none": lambda h, p: p["outcomes"][0].__setitem__(0, 4),
    "more vertices": lambda h, p: h["table"].update(positions=1 << 31),
    "vertices beyond all": lambda h, p: h["table"].update(positions=1 << 60),
    "negative vertices": lambda h, p: h["table"].update(positions=-1),
    "fewer vertices": lambda h, p: h["table"].update(positions=3),
    "true for a number": lambda h, p: h["table"].update(positions=True),
    "fewer edges": lambda h, p: h["table"].update(edges=3),
    "edges beyond all": lambda h, p: h["table"].update(edges=1 << 70),
    "edges of text": lambda h, p: h["table"].update(edges="3"),
    "no such outcome": lambda h, p: h["table"].update(dead_end=2),
    "no words": lambda h, p: h.pop("holds"),
    "no choice": lambda h, p: h.update(choice=[]),
    "no table": lambda h, p: h.update(table=[]),
    "no such kind": lambda h, p: h["table"].update(kind="pickled"),
}


@pytest.mark.parametrize("how", some(HOSTILE, 3))
def test_a_table_that_somebody_forged_is_refused(table, how):
    """Its checksums are right, but it is not of a piece."""
    assert used(forged(table, HOSTILE[how])) is None


@pytest.mark.parametrize(
    "how", ["another degree", "a value past the palette", "edges past the last"]
)
def test_a_forged_block_is_noticed_by_whoever_asks_about_one_vertex(table, how):
    """It is looked at whole, however little of it is asked for."""
    with zermelo.open(forged(table, HOSTILE[how])) as opened:
        vertex = opened.rules.nodes[0 if how == "a value past the palette" else 9]
        with pytest.raises(CorruptTableError, match="is wrong; make the table again"):
            opened[vertex], opened.options(vertex)


NAMES = {
    "a name too few": lambda h, p: p["names"][0].__setitem__(slice(5), b""),
    "one that is no JSON": lambda h, p: p["names"][0].__setitem__(0, 0),
    "one that cannot be looked up": lambda h, p: p["names"][0].__setitem__(slice(4), b"{  }"),
    "one that another has": lambda h, p: p["names"][0].__setitem__(2, ord("1")),
    "one without end": lambda h, p: p["names"][0].__setitem__(slice(60_000), b"[" * 60_000),
}


@pytest.mark.parametrize("how", NAMES)
def test_names_that_somebody_forged_are_refused(how, tmp_path):
    """None is believed before it is looked at."""
    solution = solve(*GRAPHS["owned"])
    solution.rules.nodes = [f"v{vertex}" for vertex in range(len(solution))]
    table = solution.save(tmp_path / "x.table")
    assert used(forged(table, lambda header, parts: None)) is not None
    assert used(forged(table, NAMES[how])) is None


def test_whatever_is_forged_it_is_refused_or_found_wrong(table):
    """What the certificate lets pass is right for the graph that the file has."""
    rng = random.Random(4)

    def change(_, parts) -> None:
        blocks = parts[rng.choice([name for name in parts if parts[name]])]
        block = blocks[rng.randrange(len(blocks))]
        for _ in range(rng.choice((1, 1, 3, 20))):
            block[rng.randrange(len(block))] = rng.randrange(256)
        if rng.random() < 0.2:
            del block[rng.randrange(len(block)) :]
        if not block:
            block.append(0)

    passed = refused = 0
    for _ in range(15):
        opened = used(forged(table, change))
        refused += opened is None
        if opened is not None and opened.verify():
            passed += 1
            indptr, indices, outcome, owner = opened.arrays.graph
            truth = solve(indptr, indices, outcome, owner)
            assert np.array_equal(truth.arrays.outcome, opened.arrays.outcome)
            assert np.array_equal(truth.arrays.remoteness, opened.arrays.remoteness)
    assert passed < 8
    assert refused


def test_going_along_edges_keeps_to_the_memory(tmp_path):
    """In smaller parts, by fewer threads, or not at all; and what is found is the same."""
    solution = solve(*given(30_000, 6))
    solution._solved.table.column.stored[20_000] = 0
    path = solution.save(tmp_path / "x.table")
    told = [zermelo.open(path).verify(memory=memory) for memory in (None, "1MB")]
    assert told[0].problem == told[1].problem is not None
    with pytest.raises(BudgetError, match=r"following the edges of .* allow more memory"):
        zermelo.open(path).verify(memory=100_000)
    with limits.using(at_once=2_048):
        assert np.array_equal(zermelo.open(path).arrays.best_edge, solution.arrays.best_edge)


def test_a_table_that_is_closed_gives_its_file_back(tmp_path):
    """What was not read cannot be read any more, which is said."""
    solution = solve(*GRAPHS["near"])
    with zermelo.open(solution.save(tmp_path / "x.table")) as opened:
        assert opened[1] == solution[1]
    with pytest.raises(MissingTableError, match="has been closed; open it again"):
        opened.options(2_400)
    with pytest.raises(MissingTableError, match="has been closed; open it again"):
        opened.verify()
    assert opened[1] == solution[1]


@pytest.fixture
def arena(tmp_path, monkeypatch):
    """The table of a small graph with names and owners, in the current folder."""
    monkeypatch.chdir(tmp_path)
    graph = nx.DiGraph([("hall", "door"), ("door", "exit"), ("door", "hall"), ("exit", "hall")])
    owner = {"hall": 0, "door": 0, "exit": 1}
    solution = solve_networkx(graph, {"exit": LOSS}, owner)
    solution.save("arena.table")
    return solution


def test_vertices_are_exported(arena, tmp_path):
    """In every format, from memory and from the file: its value, and where to go."""
    opened = zermelo.open("arena.table")
    rows = [
        ["vertex", "name", "player", "outcome", "remoteness", "best_move", "best_move_name"],
        ["0", "hall", "0", "win", "2", "1", "door"],
        ["1", "door", "0", "win", "1", "2", "exit"],
        ["2", "exit", "1", "loss", "0", "", ""],
    ]
    for solution in (arena, opened):
        path = solution.export(tmp_path / "x.csv", overwrite=True)
        assert list(csv.reader(path.read_text().splitlines())) == rows
    with np.load(opened.export(tmp_path / "x.npz")) as columns:
        assert columns["best_move"].tolist() == [1, 2, -1]
        assert columns["name_labels"][columns["name"]].tolist() == ["hall", "door", "exit"]
        assert json.loads(str(columns["about"]))["positions"] == 3
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(opened.export(tmp_path / "x.parquet")).to_pydict()
    assert found["best_move_name"] == ["door", "exit", None]
    plain = solve(*GRAPHS["near"])
    plain.export(tmp_path / "y.csv", best_moves=False, memory="2MB")
    with (tmp_path / "y.csv").open() as file:
        assert next(file) == "vertex,outcome,remoteness\n"
        assert sum(1 for _ in file) == len(plain)
    with np.load(plain.export(tmp_path / "y.npz")) as columns:
        assert np.array_equal(columns["best_move"], plain.arrays.best)
        assert np.array_equal(columns["remoteness"], plain.arrays.remoteness)
