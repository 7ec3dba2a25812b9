"""Explicit models of PRISM-games and UMB models: their meaning, and invalid ones."""

from __future__ import annotations

import random
import sys

import networkx as nx
import pytest

from support.sizes import counts
from zermelo import MissingExtraError, ParameterError
from zermelo.graph import attractor, read_prism, read_umb

#: A game of PRISM-games in which one choice is left to chance, as its exporter writes it.
CHANCE = """# Transitions (SMG)
3:2 3 4
0:0 0 0 1
0:0 1 1 0.15 send1
0:0 1 2 0.85 send1
2:1 0 2 1
"""


def random_model(rng):
    """Return the players of states, and where their choices lead."""
    n = rng.randint(1, 8)
    players = [rng.randint(0, 2) for _ in range(n)]
    moves = [[rng.randrange(n) for _ in range(rng.choice([0, 1, 1, 2, 3]))] for _ in range(n)]
    players = [player if to else 0 for player, to in zip(players, moves, strict=True)]
    return players, moves, [v for v in range(n) if rng.random() < 0.3]


def write_prism_model(folder, players, moves, goal):
    """Write a model as PRISM-games does; return the file of transitions."""
    n, choices = len(players), sum(map(len, moves))
    lines = ["# Transitions (SMG)", f"{n}:3 {choices} {choices}"]
    for v, to in enumerate(moves):
        lines += [f"{v}:{players[v]} {i} {w} 1 a{i} b" for i, w in enumerate(to)]
    (folder / "model.tra").write_text("\n".join(lines) + "\n")
    marks = [f"{v}:{' 0' * (v == 0)}{' 2' * (v in goal)}" for v in {0, *goal}]
    (folder / "model.lab").write_text('0="init" 1="deadlock" 2="goal"\n' + "\n".join(marks))
    states = "\n".join(f"{v}:({v},{'true' if v % 2 else 'false'})" for v in range(n))
    (folder / "model.sta").write_text("(x,odd)\n" + states)
    return folder / "model.tra"


def attractor_of(players, moves, goal, coalition):
    """Return the attractor of the goal for a coalition, by way of networkx."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from((v, {"owner": int(p not in coalition)}) for v, p in enumerate(players))
    graph.add_edges_from((v, w) for v, to in enumerate(moves) for w in to)
    return attractor(graph, goal, threads=1)


@counts(20, None, 400)
def test_random_models_of_prism(count, tmp_path):
    """The coalition wins exactly where it can reach the goal."""
    rng = random.Random(1)
    for _ in range(count):
        players, moves, goal = random_model(rng)
        path = write_prism_model(tmp_path, players, moves, goal)
        coalition = rng.choice([[0], [1], [0, 2], [0, 1, 2], []])
        solution = read_prism(path, "goal", coalition).solve(threads=1)
        won = {v for v in solution if solution.winner_at(v) == "first"}
        assert won == attractor_of(players, moves, goal, coalition)
        assert solution.start == 0
        assert solution.verify()
        again = read_prism(path, goal, coalition, states=tmp_path / "model.sta")
        assert again.vertex_names[0] == (0, False)
        assert again.solve(threads=1).counts() == solution.counts()


def test_a_decision_process_is_a_game_of_one_player(tmp_path):
    """All states are player 0's; without labels the target is given by its numbers."""
    path = tmp_path / "walk.tra"
    path.write_text("3 3 3\n0 0 1 1 go\n0 1 0 1.0\n1 0 2 1\n")
    game = read_prism(path, [2])
    assert game.owner.tolist() == [0, 0, 0]
    assert str(game.solve()[0]) == "win in 2"
    labels = tmp_path / "other.lab"
    labels.write_text('0="init" 1="goal"\n1: 0\n2: 0 1')
    marked = read_prism(path, "goal", labels=labels)
    assert marked.start is None  # there are two
    with pytest.raises(ParameterError, match="has no label 'gaol'; there is 'goal', 'init'"):
        read_prism(path, "gaol", labels=labels)
    with pytest.raises(
        ParameterError, match="the model, which has no file of labels, has no label"
    ):
        read_prism(path, "goal")


WRONG = {
    "chance": (
        CHANCE,
        "choice 1 of state 0 has the probability 0.15, so that chance decides; only",
    ),
    "several": ("2:1 1 2\n0:0 0 0 1\n0:0 0 1 1\n", "choice 0 of state 0 leads to several states"),
    "chain": ("2 2\n0 1 1\n", "begins with '2 2'; the transitions of a game begin with"),
    "source": (
        "smg\n",
        "begins with 'smg', as the source of a model does; let PRISM build it",
    ),
    "empty": ("", "begins with ''; the transitions"),
    "concurrent": ("2:2 1 1\n0 0 1 1 [a,b]\n", "both move at once, and only games in turns"),
    "state": ("2:2 1 1\n0:0 0 2 1\n", "line 2 of 'm.tra' is '0:0 0 2 1', and 'state:player"),
    "player": ("2:2 1 1\n0:2 0 1 1\n", "with states to 1 and players to 1"),
    "text": ("2:2 1 1\nhello\n", "line 2 of 'm.tra' is 'hello', and"),
    "owned": ("2 1 1\n0:1 0 1 1\n", "and 'state choice state 1' is expected"),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_models_are_refused(name, tmp_path, monkeypatch):
    """The message names the line or the choice, and the expected form."""
    monkeypatch.chdir(tmp_path)
    text, message = WRONG[name]
    (tmp_path / "m.tra").write_text(text)
    with pytest.raises(ParameterError) as caught:
        read_prism("m.tra", [0])
    assert message in str(caught.value)


def test_invalid_files_and_arguments_are_refused(tmp_path, monkeypatch):
    """Unknown labels, states, players and targets are refused."""
    monkeypatch.chdir(tmp_path)
    path = write_prism_model(tmp_path, [0, 1], [[1], [0]], [1])
    with pytest.raises(ParameterError, match="coalition=3 has 3, which is not a player; use"):
        read_prism(path, "goal", 3)
    with pytest.raises(ParameterError, match="target has 9, which is not a state; use 0 to 1"):
        read_prism(path, [9])
    with pytest.raises(FileNotFoundError):
        read_prism("none.tra", [0])
    (tmp_path / "x.lab").write_text("x")
    with pytest.raises(ParameterError, match=r"'x.lab' begins with 'x'; labels begin with a line"):
        read_prism(path, "goal", labels="x.lab")
    (tmp_path / "x.lab").write_text('0="goal"\n7: 0')
    with pytest.raises(ParameterError, match=r"line 2 of 'x.lab' is '7: 0'; give a state to 1"):
        read_prism(path, "goal", labels="x.lab")
    (tmp_path / "x.sta").write_text("(x)\n0:(0)")
    with pytest.raises(ParameterError, match=r"'x.sta' does not describe state 1; export it again"):
        read_prism(path, "goal", states="x.sta")
    (tmp_path / "x.sta").write_text("(x)\n0:(0)\n1:(0)")
    with pytest.raises(ParameterError, match=r"'x.sta' describes two states alike"):
        read_prism(path, "goal", states="x.sta")
    (tmp_path / "x.sta").write_text("(x)\nzero")
    with pytest.raises(ParameterError, match=r"line 2 of 'x.sta' is 'zero'; give a state to 1"):
        read_prism(path, "goal", states="x.sta")


def test_without_umbi_the_extra_is_named(monkeypatch):
    """The message is a sentence with the command that installs it."""
    monkeypatch.setitem(sys.modules, "umbi.umb", None)
    with pytest.raises(MissingExtraError, match=r"run pip install 'zermelo\[umb\]'"):
        read_umb("model.umb", "goal")


def write_umb_model(path, players, moves, goal, probability=None):
    """Write a model in UMB."""
    ats = pytest.importorskip("umbi.ats")
    model = ats.ExplicitAts()
    model.num_players = 3
    model.player_to_name = ["a", "b", "c"]
    for _ in players:
        model.add_state()
    model.state_to_player = players
    model.num_initial_states = 1
    model.state_is_initial = [v == 0 for v in range(len(players))]
    for v, to in enumerate(moves):
        for w in to:
            model.add_state_choice(state=v).add_branch(target=w, prob=probability)
    mark = ats.AtomicPropositionAnnotation(name="ap0", alias="goal")
    mark.set_state_values([v in goal for v in range(len(players))])
    model.annotations["aps"] = {"ap0": mark}
    ats.write(model, path)


@pytest.mark.slow
def test_random_models_in_umb(tmp_path):
    """In models that umbi writes, the coalition wins exactly where it can reach the goal."""
    rng = random.Random(2)
    path = tmp_path / "model.umb"
    for _ in range(60):
        players, moves, goal = random_model(rng)
        write_umb_model(path, players, moves, goal, rng.choice([None, 1.0]))
        coalition = rng.choice([[0], [1], [0, 2], []])
        for name in ("goal", "ap0", goal):
            solution = read_umb(path, name, coalition).solve(threads=1)
            won = {v for v in solution if solution.winner_at(v) == "first"}
            assert won == attractor_of(players, moves, goal, coalition)
        assert solution.start == 0


@pytest.mark.slow
def test_storm_reads_the_same_model(tmp_path):
    """Storm reads the same players and goals, and finds probability 1 where one player wins."""
    storm = pytest.importorskip("stormpy")
    ats = pytest.importorskip("umbi.ats")
    rng = random.Random(3)
    path = tmp_path / "model.umb"
    for _ in range(10):
        players, moves, goal = random_model(rng)
        moves = [to or [v] for v, to in enumerate(moves)]
        write_umb_model(path, players, moves, goal, 1.0)
        built = storm.build_model_from_umb(path)
        assert [built.get_player_of_state(v) for v in range(built.nr_states)] == players
        assert set(built.labeling.get_states("goal")) == set(goal)
        model = ats.read(path)
        model.num_players, model.player_to_name, model.state_to_player = 1, None, None
        ats.write(model, path)
        solution = read_umb(path, "goal").solve(threads=1)
        built = storm.build_model_from_umb(path)
        formula = storm.parse_properties('Pmax=? [F "goal"]')[0]
        found = storm.model_checking(built, formula, only_initial_states=False)
        for v in solution:
            assert (found.get_value(v) == 1) == (solution.winner_at(v) == "first")


@pytest.mark.slow
def test_umb_that_is_refused(tmp_path):
    """Models with chance, damaged files and missing files are refused."""
    pytest.importorskip("umbi.ats")
    path = tmp_path / "model.umb"
    write_umb_model(path, [0, 1], [[1], [0]], [1], 0.5)
    with pytest.raises(ParameterError, match=r"choice 0 of state 0 has the probability 0\.5, so"):
        read_umb(path, "goal")
    path.write_bytes(b"nothing")
    with pytest.raises(ParameterError, match=r"is not a model in UMB: .*; give one that umbi can"):
        read_umb(path, "goal")
    with pytest.raises(FileNotFoundError):
        read_umb(tmp_path / "none.umb", "goal")
