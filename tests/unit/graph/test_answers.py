"""Solved graphs as pictures and for other programs: Graphviz, GraphML, PGSolver's solutions."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import subprocess
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
from click.testing import CliRunner

import zermelo
from support.games.parity import random_parity, written
from support.oracles import oracle
from support.sizes import counts
from zermelo import DRAW, LOSS, ParameterError, TableExistsError
from zermelo.cli import main
from zermelo.games import TakeAway
from zermelo.graph import (
    draw,
    node_attributes,
    read_pgsolver,
    solve,
    solve_networkx,
    solve_parity,
    write_dot,
    write_graphml,
    write_pgsolver_solution,
)

LIFT = b'parity 3; start 1; 0 2 0 0 "top"; 1 1 0 2,3 "hall"; 2 1 1 0,1 "lift"; 3 1 0 3 "pit";'


def odd_graph():
    """Return a graph whose names need quoting, with a tie, an endless draw and parallel edges."""
    graph = nx.MultiDiGraph()
    graph.add_edges_from([('a "b"', "<&>"), ('a "b"', "<&>"), ("<&>", (0, 1)), ("back\\slash", 7)])
    graph.add_edges_from([(7, "back\\slash"), ("<&>", "tie\x01")])
    nx.set_node_attributes(graph, {node: i % 2 for i, node in enumerate(graph)}, "owner")
    return graph, solve_networkx(graph, {"tie\x01": DRAW, (0, 1): LOSS}, "owner")


def test_attributes_of_nodes():
    """By the names of the vertices, ready for networkx; only what there is."""
    graph, solution = odd_graph()
    found = node_attributes(solution)
    assert list(found) == list(graph)
    assert found[0, 1] == {"player": 0, "value": "loss", "remoteness": 0, "winner": 1}
    assert found["<&>"]["best"] == (0, 1)
    assert found[7]["value"] == "draw"
    assert "winner" not in found[7]
    nx.set_node_attributes(graph, found)
    assert graph.nodes['a "b"']["winner"] == solution.arrays.winner[0]
    plain = node_attributes(solve([0, 1, 1], [1]))
    assert plain == {
        0: {"value": "win", "remoteness": 1, "best": 1},
        1: {"value": "loss", "remoteness": 0},
    }


def test_graphml_comes_back_from_networkx(tmp_path):
    """All attributes of nodes and edges, with names that XML would not take as they are."""
    graph, solution = odd_graph()
    path = write_graphml(solution, tmp_path / "x.graphml")
    found = nx.read_graphml(path, force_multigraph=True)
    assert [found.nodes[n]["name"] for n in found] == [str(n).replace("\x01", "�") for n in graph]
    for node, (_, known) in zip(found, node_attributes(solution).items(), strict=True):
        told = {key: value for key, value in found.nodes[node].items() if key != "name"}
        assert told == {key: str(v) if key == "best" else v for key, v in known.items()}
    assert found.number_of_edges() == graph.number_of_edges()
    assert sum(best for *_, best in found.edges(data="best")) == 4
    with pytest.raises(TableExistsError):
        write_graphml(solution, path)


def test_graphviz(tmp_path):
    """A line for each vertex and each edge; dot, where it is installed, takes it."""
    graph, solution = odd_graph()
    path = write_dot(solution, tmp_path / "x.dot")
    text = path.read_text()
    assert len(re.findall(r"^  v\d+ \[label=", text, re.MULTILINE)) == len(graph)
    assert len(re.findall(r"^  v\d+ -> v\d+( \[style=bold\])?;$", text, re.MULTILINE)) == 6
    assert text.count("style=bold") == 4
    assert 'v0 [label="a \\"b\\"\\n' in text
    assert "back\\\\slash" in text
    assert text.count("peripheries=2") == 2
    unowned = write_dot(solve([0, 1, 1], [1]), path, overwrite=True).read_text()
    assert 'fillcolor="#d9ead3"' in unowned
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", path], check=True, capture_output=True)


def elements(picture, name):
    """Return the elements of one kind in a picture."""
    return ET.fromstring(picture.svg).findall(f".//{{*}}{name}")  # noqa: S314  # our own picture


@pytest.mark.slow
def test_a_picture_of_a_game():
    """A box for each vertex, square for player 1, and a bold arrow for each best edge."""
    graph, solution = odd_graph()
    picture = draw(solution)
    assert [each.text for each in elements(picture, "text")][:5] == list(map(str, graph))[:5]
    assert len(elements(picture, "rect")) == len(graph)
    arrows = [each for each in elements(picture, "g") if len(each) == 2]
    assert len(arrows) == len(set(graph.edges()))
    assert sum(each.get("stroke-width") is not None for each in arrows) == 4
    game = {0: (2, 0, [0, 1]), 1: (1, 1, [0, 1]), 2: (3, 1, [2, 0])}
    priorities, owners, rows = zip(*game.values(), strict=True)
    parity = draw(solve_parity(rows, priorities, owners))
    assert [each.get("rx") for each in elements(parity, "rect")] == ["15", "0", "0"]
    title = elements(parity, "title")[0].text
    assert title == "graph of 3 vertices; player 0 wins: 0; player 1 wins: 1, 2"
    colours = {each.get("style") for each in elements(parity, "rect")}
    assert len(colours) == 2
    unowned = draw(solve([0, 1, 1], [1]))
    assert elements(unowned, "title")[0].text == "graph of 2 vertices; loss: 1; win: 0"
    assert elements(draw(solve([0], [])), "rect") == []


def test_boxes_of_a_picture_are_apart():
    """For random graphs with long names, each in the picture as a whole."""
    rng = random.Random(3)
    for size in (1, 2, 9, 20):
        graph = nx.DiGraph([(f"state {v}", f"state {rng.randrange(size)}") for v in range(size)])
        picture = draw(solve_networkx(graph))
        width, height = (float(each) for each in picture.svg.split('"')[5].split()[2:])
        boxes = [
            [float(each.get(key)) for key in ("x", "y", "width", "height")]
            for each in elements(picture, "rect")
        ]
        assert len(boxes) == len(graph)
        for i, (x, y, wide, high) in enumerate(boxes):
            assert 0 <= x <= x + wide <= width
            assert 0 <= y <= y + high <= height
            for u, v, other, _ in boxes[:i]:
                assert x + wide < u or u + other < x or abs(y - v) > high


def test_a_picture_of_many_vertices_is_refused():
    """It says what draws them."""
    with pytest.raises(
        ParameterError, match="has 61 vertices, and a picture at most 60; use write"
    ):
        draw(solve([0] * 62, []))
    with pytest.raises(ParameterError, match="is not the solution of a graph; give one of"):
        draw(zermelo.solve(TakeAway(5)))


@counts(None, 350, 1_000)
def test_strategies_of_pgsolver_win_the_game(count, tmp_path):
    """With either player's moves alone left, that player still wins where it is said to."""
    rng = random.Random(5)
    path = tmp_path / "x.sol"
    for _ in range(count):
        game = random_parity(rng)
        solution = read_pgsolver(io.BytesIO(written(game, rng))).solve(threads=1)
        lines = write_pgsolver_solution(solution, path, overwrite=True).read_text().splitlines()
        assert lines[0] == f"paritysol {max(game)};"
        told = [[int(word) for word in line.rstrip(";").split()] for line in lines[1:]]
        winner = {v: who for v, who, *_ in told}
        assert winner == oracle.solve_parity(game)
        for player in (0, 1):
            left = dict(game)
            for v, who, *move in told:
                assert bool(move) == (who == game[v][1])
                if move and who == player:
                    assert move[0] in game[v][2]
                    left[v] = (*game[v][:2], move)
            again = oracle.solve_parity(left)
            assert all(again[v] == player for v in game if winner[v] == player)


def test_what_is_no_solution_of_a_graph_is_refused(tmp_path):
    """A game's solution, draws, names, and vertices without owners."""
    with pytest.raises(ParameterError, match="is not the solution of a graph; give one of"):
        node_attributes(zermelo.solve(TakeAway(5)))
    with pytest.raises(ParameterError, match="this graph has vertices without owners; read the"):
        write_pgsolver_solution(solve([0, 0], []), tmp_path / "x.sol")
    named = read_pgsolver(io.BytesIO(LIFT), names=True).solve()
    with pytest.raises(ParameterError, match="this graph has the vertex 'top'; read the game"):
        write_pgsolver_solution(named, tmp_path / "x.sol")
    with pytest.raises(ParameterError, match="vertex 0 is a draw, and in a parity game somebody"):
        write_pgsolver_solution(solve([0, 1], [0], owner=[0]), tmp_path / "x.sol")


@pytest.fixture
def lift(tmp_path, monkeypatch):
    """Change to a folder with a game of PGSolver."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lift.gm").write_bytes(LIFT)
    return tmp_path


def run(*arguments):
    """Run the command; return what came of it."""
    return CliRunner().invoke(main, ["graph", *map(str, arguments)])


def test_the_command_for_games_of_pgsolver(lift):
    """Winners for people and as JSON; files of every kind; the table is asked like any other."""
    told = run("lift.gm", "--names", "--verify", "--table", "lift.table")
    assert told.exit_code == 0, told.output
    assert "value         loss: the second player wins\nbest          lift\n" in told.stdout
    assert "first wins    1 of 4 vertices\n" in told.stdout
    assert "certificate   holds\n" in told.stdout
    document = json.loads(run("lift.gm", "--json", "--solution", "lift.sol").stdout)
    assert document["wins"] == {"first": 1, "second": 3, "nobody": 0}
    assert (document["start"], document["winner"], document["files"]["solution"]) == (
        "1",
        "second",
        "lift.sol",
    )
    assert (lift / "lift.sol").read_text() == "paritysol 3;\n0 0 0;\n1 1;\n2 1 1;\n3 1;\n"
    assert run("lift.gm", "--quiet").stdout == "second\n"
    drawn = run("lift.table", "--dot", "lift.dot", "--graphml", "lift.graphml")
    assert "dot           written to lift.dot\n" in drawn.stdout
    assert "lift" in (lift / "lift.dot").read_text()
    assert run("lift.table", "--dot", "lift.dot").exit_code == 2
    assert run("lift.table", "--dot", "lift.dot", "--force").exit_code == 0
    probed = CliRunner().invoke(main, ["probe", "lift.table", "hall", "--quiet"])
    assert probed.stdout == "loss\n"


@pytest.mark.slow
def test_the_command_for_parity_games(lift):
    """Winners, an explanation, the certificate, and a solution for other tools, also printed."""
    (lift / "round.gm").write_text('parity 2; start 0; 0 2 0 1,2 "a"; 1 1 1 0 "b"; 2 3 1 2 "c";')
    told = run("round.gm", "--verify")
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("graph         3 vertices and 4 edges\npriorities    3\n")
    words = " ".join(told.stdout.split())
    assert "player 0 wins from 0: the winner's moves may lead to the cycle 0 → 1 → 0" in words
    assert "second wins   1 of 3 vertices\n" in told.stdout
    assert "certificate   holds\n" in told.stdout
    solution = "paritysol 2;\n0 0 1;\n1 0;\n2 1 2;\n"
    assert run("round.gm", "--solution", "-").stdout == solution
    document = json.loads(run("round.gm", "--json", "--solution", "round.sol").stdout)
    assert (lift / "round.sol").read_text() == solution
    assert (document["start"], document["winner"], document["wins"]) == (
        "0",
        "first",
        {"first": 2, "second": 1},
    )
    assert run("round.gm", "--quiet").stdout == "first\n"
    assert run("round.gm", "--quiet", "--parity", "min even").stdout == "second\n"
    named = run("round.gm", "--names", "--dot", "round.dot", "--graphml", "round.graphml")
    assert "start         a\n" in named.stdout
    assert 'label="a\\nwin"' in (lift / "round.dot").read_text()
    refused = run("round.gm", "--table", "round.table")
    assert refused.exit_code == 2
    assert "'round.gm' is a parity game, which has no table; give --solution FILE" in refused.stderr
    probed = CliRunner().invoke(main, ["probe", "round.gm", "0"])
    assert "'round.gm' is a parity game; use zermelo graph with it" in probed.stderr
    (lift / "open.gm").write_text("0 2 0 1; 1 1 1 0;")
    assert run("open.gm", "--quiet").stdout == "2 0\n"


def test_the_command_for_models(lift):
    """A target by its label or its numbers, and a coalition."""
    (lift / "gate.tra").write_text(
        "4:2 5 5\n0:0 0 1 1\n0:0 1 2 1\n1:1 0 0 1\n2:0 0 3 1\n3:0 0 3 1\n"
    )
    (lift / "gate.lab").write_text('0="init" 1="inside"\n0: 0\n3: 1\n')
    assert run("gate.tra", "--target", "inside", "--quiet").stdout == "first\n"
    assert run("gate.tra", "--target", "1", "--coalition", "1", "--quiet").stdout == "second\n"
    (lift / "gate.sta").write_text("(s)\n0:(0)\n1:(1)\n2:(2)\n3:(3)\n")
    told = run("gate.tra", "--target", "3", "--states", "gate.sta", "--labels", "gate.lab")
    assert "start         (0,)\n" in told.stdout


def test_other_commands_take_games_of_pgsolver(lift):
    """They solve one at once; a game's command says which one to use."""

    def asked(*words):
        return CliRunner().invoke(main, [*words, "--quiet"])

    assert asked("probe", "lift.gm", "2").stdout == "win\n"
    assert asked("verify", "lift.gm").exit_code == 0
    assert asked("export", "lift.gm", "--csv", "lift.csv").exit_code == 0
    assert (lift / "lift.csv").read_text().splitlines()[1] == "0,0,win,0,"
    assert "is a file of graphs; use zermelo graph lift.gm" in asked("solve", "lift.gm").stderr
    (lift / "all.g6").write_bytes(b"Bw\n")
    assert "use zermelo cops all.g6" in asked("solve", "all.g6").stderr


REFUSED = {
    "missing": (["none.gm"], "there is no file 'none.gm'; give a .gm, .tra or .umb file, or a"),
    "target": (["lift.gm", "--target", "x"], "--target is for .tra and .umb files; leave it out"),
    "no target": (["x.tra"], "which states are to be reached? give --target LABEL, or their"),
    "names": (["x.tra", "--names"], "--names is for .gm files; leave it out"),
    "coalition": (["x.tra", "--coalition", "a"], "'a' is not a list of players; write their"),
    "game": (["heap.table"], "'heap.table' is a table of TakeAway"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_command_refuses(name, lift):
    """One sentence each, and the exit code of bad input."""
    (lift / "x.tra").write_text("1:2 0 0\n")
    if name == "game":
        zermelo.solve(TakeAway(5)).save("heap.table")
    arguments, message = REFUSED[name]
    told = run(*arguments)
    assert told.exit_code == 2
    assert message in told.stderr
