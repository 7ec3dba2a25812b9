"""Cops and Robbers on whole files of graphs: cop numbers and capture times of each."""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
from collections import Counter

import networkx as nx
import pytest
from click.testing import CliRunner

import zermelo
from facts import rows
from support.oracles.graphs import all_graphs, connected, graph6, slow_cops
from zermelo import ParameterError
from zermelo.cli import main


def small(n):
    """Return the connected graphs with n nodes, one of each class."""
    return [graph for graph in all_graphs(n) if connected(graph)]


def small_file(n):
    """Return the connected graphs with n nodes, made here, or by nauty where they are too many."""
    if n <= 8:
        return map(graph6, small(n))
    generator = shutil.which("geng") or shutil.which("nauty-geng")
    if generator is None:
        pytest.skip("nauty's geng is not installed")
    found = subprocess.run([generator, "-cq", str(n)], stdout=subprocess.PIPE, check=True)
    return io.BytesIO(found.stdout)


FACTS = {8: [pytest.mark.slow], 9: [pytest.mark.huge], 10: [pytest.mark.huge]}


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(fact, id=f"{fact['n']} nodes", marks=FACTS.get(int(fact["n"]), []))
        for fact in rows("cop_numbers")
    ],
)
def test_as_many_graphs_need_one_two_and_three_cops_as_were_published(fact):
    """All connected graphs with so many nodes, one of each class."""
    n = int(fact["n"])
    found = zermelo.cop_numbers(small_file(n))
    assert len(found) == int(fact["connected_graphs"])
    known = found.counts()
    expected = [int(fact[key]) for key in ("one_cop", "two_cops", "three_cops")]
    assert [known.pop((n, cops), 0) for cops in (1, 2, 3)] == expected
    assert known == {}


def test_every_small_graph_agrees_with_a_slow_solver():
    """Cop number and capture time of all connected graphs with 6 nodes, position by position."""
    graphs = [graph for n in range(1, 7) for graph in small(n)]
    found = zermelo.cop_numbers(map(graph6, graphs), threads=1)
    pairs = list(zip(found.cop_number.tolist(), found.capture_time.tolist(), strict=True))
    assert pairs == [slow_cops(graph) for graph in graphs]
    assert found.nodes.tolist() == [len(graph) for graph in graphs]


def test_larger_graphs_agree_with_the_method_for_pursuits():
    """Random graphs, in parts or not, up to 64 nodes, as one graph at a time is solved."""
    rng = random.Random(1)
    graphs = [nx.petersen_graph(), nx.disjoint_union(nx.petersen_graph(), nx.cycle_graph(5))]
    graphs += [nx.gnp_random_graph(n, 0.3, seed=n) for n in (15, 16, 17)]
    graphs += [nx.path_graph(63), nx.path_graph(64), nx.star_graph(61), nx.empty_graph(3)]
    for seed in range(40):
        n = rng.randint(7, 14)
        graphs.append(nx.gnp_random_graph(n, rng.choice([0.15, 0.3, 0.5]), seed=seed))
    found = zermelo.cop_numbers(nx.to_graph6_bytes(graph) for graph in graphs)
    assert found.cop_number.tolist() == [zermelo.cop_number(graph) for graph in graphs]
    for graph, time in zip(graphs, found.capture_time.tolist(), strict=True):
        parts = [graph.subgraph(part) for part in nx.connected_components(graph)]
        assert time == max(zermelo.capture_time(p, zermelo.cop_number(p)) for p in parts)


def test_a_graph_of_four_cops_has_no_number():
    """No triangle or square, and four neighbours each, as in Robertson's graph of 19 nodes."""
    robertson = nx.cycle_graph(19)
    nx.add_cycle(robertson, [0, 4, 9, 13, 17, 2, 6, 10, 15])
    nx.add_cycle(robertson, [1, 8, 16, 5, 12])
    nx.add_cycle(robertson, [3, 11, 18, 7, 14])
    assert set(dict(robertson.degree).values()) == {4}
    assert nx.girth(robertson) == 5
    found = zermelo.cop_numbers([nx.to_graph6_bytes(robertson)])
    assert (found.cop_number.tolist(), found.capture_time.tolist()) == ([-1], [-1])


@pytest.mark.slow
def test_a_file_is_read_in_pieces(tmp_path):
    """Lines that lie across two pieces, with and without a header and a last line's end."""
    graphs = [graph6(graph) for n in range(1, 6) for graph in all_graphs(n)]
    few = zermelo.cop_numbers(graphs)
    times = 6_000  # more than a megabyte
    path = tmp_path / "graphs.g6"
    path.write_bytes(b">>graph6<<" + b"".join(graphs * times).rstrip(b"\n"))
    events = []
    many = zermelo.cop_numbers(path, threads=2, progress=events.append)
    assert len(many) == times * len(few)
    assert many.cop_number.tolist() == few.cop_number.tolist() * times
    assert events[-1].finished
    with path.open("rb") as opened:
        assert zermelo.cop_numbers(opened).counts() == many.counts()
    windows = b"".join(graphs).replace(b"\n", b"\r\n") + b"\r\n"
    assert zermelo.cop_numbers(io.BytesIO(windows)).counts() == few.counts()
    assert sum(few.times().values()) == len(few.columns()["nodes"]) == len(few)
    assert zermelo.cop_numbers([]).counts() == {}


WRONG = {
    "sparse6": (":Fa@x^", "line 2, ':Fa@x^', is sparse6; write the graphs as graph6"),
    "digraph6": ("&AO", "line 2, '&AO', is digraph6"),
    "space": ("B w", "line 2, 'B w', is not graph6, which has the characters"),
    "short": ("D?", "is not as long as its number of nodes needs; correct the line"),
    "no nodes": ("?", "line 2, '?', is a graph without nodes"),
    "long": (
        "~?A" + "?" * 400,
        "…, has more than 64 nodes; leave it out",
    ),
    "cut": ("~?", "is not as long"),
}


@pytest.mark.parametrize("name", WRONG)
def test_lines_that_are_not_graphs_are_named(name):
    """The line, what it says, and what to do."""
    text, message = WRONG[name]
    with pytest.raises(ParameterError) as caught:
        zermelo.cop_numbers(["Bw", text, "Bw"])
    assert message in str(caught.value)


def test_what_is_not_a_file_is_refused():
    """A number, lines that are no text, a file open for text, and a path that is not there."""
    with pytest.raises(ParameterError, match="graphs=7 is not a file; give a path"):
        zermelo.cop_numbers(7)
    with pytest.raises(ParameterError, match="7 is not a line of graph6; give text or bytes"):
        zermelo.cop_numbers([7])
    with pytest.raises(ParameterError, match="open for text; open it for bytes, with mode 'rb'"):
        zermelo.cop_numbers(io.StringIO("Bw\n"))
    with pytest.raises(FileNotFoundError):
        zermelo.cop_numbers("nothing.g6")


def test_capture_times_by_where_the_cops_begin():
    """By the names of nodes; None where the robber goes free; the least is the capture time."""
    path = nx.path_graph(["a", "b", "c", "d"])
    assert zermelo.capture_times(path) == {"a": 3, "b": 2, "c": 2, "d": 3}
    rows = {"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c"]}
    assert zermelo.capture_times(rows) == zermelo.capture_times(path)
    assert zermelo.capture_times({1: [0], 0: [1]}) == {0: 1, 1: 1}
    square = nx.cycle_graph(4)
    assert set(zermelo.capture_times(square).values()) == {None}
    both = zermelo.capture_times(square, 2)
    assert (both[0, 0], both[0, 1], both[0, 2]) == (2, 1, 1)
    tree = nx.balanced_tree(2, 3)
    assert min(zermelo.capture_times(tree).values()) == zermelo.capture_time(tree)
    named = nx.relabel_nodes(nx.petersen_graph(), lambda v: (frozenset({v}), "x"))
    assert zermelo.cop_number(named) == 3
    assert zermelo.cop_number(nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "b")])) == 1


def run(*arguments, **options):
    """Run the command; return what came of it."""
    return CliRunner().invoke(main, ["cops", *map(str, arguments)], **options)


def test_the_command(tmp_path):
    """Counts for people, JSON, a row a graph, and numbers alone; from a file and a pipe."""
    path, table = tmp_path / "graphs.g6", tmp_path / "cops.csv"
    path.write_bytes(b"".join(map(graph6, small(5))))
    told = run(path)
    assert told.exit_code == 0, told.output
    lines = [line.split() for line in told.stdout.splitlines()]
    assert lines[0] == ["nodes", "cop", "number", "capture", "time", "graphs"]
    assert lines[-1] == ["21", "graphs"]
    found = Counter()
    for row in lines[1:-1]:
        found[row[1]] += int(row[3])
    assert found == {"1": 16, "2": 5}
    document = json.loads(run(path, "--json", "--csv", table).stdout)
    assert document["graphs"] == sum(row["graphs"] for row in document["counts"]) == 21
    written = table.read_text().splitlines()
    assert written[:2] == ["graph,nodes,cop_number,capture_time", "1,5,1,1"]
    assert len(written) == 22
    assert run(path, "--csv", table).exit_code == 2
    assert run("-", "--quiet", input=b"Bw\nC]\n").stdout == "1\n2\n"
    assert "there is no file 'x.g6'; give a file of graph6" in run("x.g6").stderr
    assert "line 1, 'a b'," in run("-", input=b"a b\n").stderr
