"""Cat and Mouse solved as a pursuit is the table that any game's method finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import zermelo
from support.games.heists import Heist
from support.oracles.chases import both_ways, random_rows
from support.sizes import counts
from zermelo import PositionError, PursuitRules, RulesError, limits
from zermelo._compile.read.rules_digest import digest
from zermelo.games import CatAndMouse
from zermelo.games.pursuit.cat_and_mouse import Position
from zermelo.rules.hooks import Rules

SIX_NODES = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))


def random_game(rng, n):
    """Return Cat and Mouse on a random graph, edges one way or both, with players anywhere."""
    rows = random_rows(rng, n, rng.random() * min(1, 6 / n))
    directed = bool(rng.random() < 0.5)
    if not directed:
        rows = both_ways(rows)
    mouse = int(rng.integers(n))
    hole = int(rng.choice([0, 1, n - 1] if n > 40 else [0, 1]))  # few: each is compiled
    cat = int(rng.choice([node for node in range(n) if node != hole]))
    if rng.random() < 0.2 and mouse != hole:
        cat = mouse
    if not rows[mouse]:
        rows[mouse] = [mouse]
    return CatAndMouse(rows, mouse=mouse, cat=cat, hole=hole, directed=directed)


def same(game):
    """Assert that both methods leave the same table, the starts in the same order."""
    ours, plain = zermelo.solve(game), zermelo.solve(game, method="retrograde")
    assert (ours.method, plain.method) == ("pursuit", "retrograde")
    assert ours.counts() == plain.counts()
    assert len(ours) == len(plain)
    mine, theirs = ours._solved.table, plain._solved.table
    here, there = np.asarray(mine.starts), np.arange(len(plain))
    assert sorted(here.tolist()) == there.tolist()
    assert (mine.packed(here) == theirs.packed(there)).all()
    assert (mine.values(here) == theirs.values(there)).all()
    assert (mine.owners(here) == theirs.owners(there)).all()
    return ours, plain


@counts(15, None, 300)
def test_the_table_is_that_of_retrograde_analysis(count):
    """On hundreds of graphs: directed ones, isolated nodes, a mouse on the cat."""
    rng = np.random.default_rng(31)
    for _ in range(count):
        ours, plain = same(random_game(rng, int(rng.integers(3, 15))))
        assert ours.value == plain.value
        assert all(ours[position] == value for position, value in plain.items())
        assert ours.start == plain.start


@pytest.mark.slow
def test_larger_graphs_and_all_a_solution_answers():
    """Up to 200 nodes: starts, iteration, probes, lines and the certificate are the same."""
    rng = np.random.default_rng(32)
    for n in (40, 64, 65, 129, 200):
        game = random_game(rng, n)
        ours, plain = same(game)
        assert ours.verify()
        if n == 40:
            assert dict(ours.items()) == dict(plain.items())
            assert ours.starts == plain.starts
        asked = np.stack([rng.integers(n, size=500), rng.integers(n + 3, size=500)], axis=1)
        asked = np.column_stack([asked, rng.integers(2, size=500)])
        found, expected = ours.get_many(asked), plain.get_many(asked)
        assert (found.found == expected.found).all()
        assert (found.outcome == expected.outcome).all()
        assert (found.remoteness == expected.remoteness).all()
        for row in asked.tolist():
            assert ours.get(Position(*row)) == plain.get(Position(*row))
        assert ours.line().moves == plain.line().moves
        assert ours.winner == plain.winner


def test_a_table_is_made_and_opened_without_a_list_of_all_placements(tmp_path, monkeypatch):
    """All are starts, of which a large graph has more than memory holds, so none are listed."""
    game = random_game(np.random.default_rng(5), 45)
    expected = dict(zermelo.solve(game).items())
    monkeypatch.setattr(CatAndMouse, "starts", lambda self: pytest.fail("starts() was called"))
    zermelo.solve(game, table=tmp_path / "large.table")
    opened = zermelo.open(tmp_path / "large.table")
    assert dict(opened.items()) == expected


@pytest.mark.slow
def test_marks_on_disk_make_the_same_table(tmp_path):
    """However few columns are held at once, and rows looked at."""
    game = random_game(np.random.default_rng(5), 90)
    expected = dict(zermelo.solve(game).items())
    for at_once in (1, 1 << 10, 1 << 30):
        path = tmp_path / str(at_once)
        with limits.using(at_once=at_once):
            solution = zermelo.solve(game, table=path, memory=105_000, threads=2)
        assert "on disk" in solution.choice
        assert dict(solution.items()) == expected


@pytest.mark.parametrize("name", ["safe", "forbidden", "stuck"])
def test_another_description_is_another_game(name):
    """Also where nodes stand in an array too long to be printed whole.

    Its digest, by which tables and caches know it, is asked for: one of the descriptions is not of
    the rules, so no game that has it is solved.
    """
    rows = tuple((node,) for node in range(3000))
    said = Heist(rows, rows, (), begin=(0, 1)).pursuit()
    nodes = np.arange(1500, 3000)
    other = nodes.copy()
    other[750] = 1499
    pairs = {"safe": (nodes, other), "forbidden": (nodes, other), "stuck": ("lose", "stay")}
    games = [
        Heist(rows, rows, (), begin=(0, 1), described=replace(said, **{name: each}))
        for each in (pairs[name][0], pairs[name][1], pairs[name][0])
    ]
    one, another, same = (digest(Rules(game)) for game in games)
    assert one == same != another


def test_positions_that_do_not_exist_are_refused():
    """The cat is never in the hole, and nobody is off the graph."""
    solution = zermelo.solve(CatAndMouse(SIX_NODES))
    for strange in (Position(1, 0, 0), Position(1, 6, 0), Position(7, 1, 0), (1, 2, 2)):
        assert solution.get(strange) is None
        with pytest.raises(PositionError):
            solution[strange]


def test_any_wrong_mark_is_caught():
    """The certificate finds each single value that is changed, with either to move."""
    solution = zermelo.solve(CatAndMouse(SIX_NODES))
    evader, pursuer = solution._solved.table.column.marks
    for marks, by_pursuer in ((evader, False), (pursuer, True)):
        for row in range(6):
            for column in range(6):
                right = marks[row, column]
                for wrong in {0, 1, -1, right + 1, right - 1, -right} - {right}:
                    marks[row, column] = wrong
                    cat = row if by_pursuer else column
                    assert bool(solution.verify()) == (cat == 0)  # where no cat ever is
                marks[row, column] = right
    assert solution.verify()


@pytest.mark.slow
def test_a_class_that_changes_a_rule_is_not_taken_for_the_pursuit_it_was():
    """Only the author of the youngest rule can say that the game still is a pursuit."""

    class Lazy(CatAndMouse):
        def moves(self, position):
            yield position.mouse if position.turn == 0 else position.cat

    class Renamed(CatAndMouse):
        players = ("prey", "hunter")

        def show(self, position):
            return str(position)

    assert zermelo.solve(Lazy(SIX_NODES)).method == "retrograde"
    assert zermelo.solve(Renamed(SIX_NODES)).method == "pursuit"
    with pytest.raises(zermelo.ParameterError, match="changes moves"):
        zermelo.solve(Lazy(SIX_NODES), method="pursuit")


@pytest.mark.slow
def test_a_game_of_ones_own_may_say_that_it_is_a_pursuit():
    """Two graphs, several exits, a player without a move loses, fields in another order."""
    rng = np.random.default_rng(33)
    for _ in range(60):
        n = int(rng.integers(2, 9))
        streets, roofs = (random_rows(rng, n, 0.3) for _ in range(2))
        game = Heist(streets, roofs, tuple(np.flatnonzero(rng.random(n) < 0.2).tolist()))
        ours, plain = zermelo.solve(game), zermelo.solve(game, method="retrograde")
        assert ours.method == "pursuit"
        assert dict(ours.items()) == dict(plain.items())
        assert ours.start == plain.start
        assert ours.verify()


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (PursuitRules(((1,), (0,))), "describes fields ('evader', 'pursuer', 'turn')"),
        (PursuitRules(((1,), (2,))), "does not describe a pursuit: graph[1] names node 2"),
        (PursuitRules(((1,), (0,)), ((0,),)), "describes graphs of 2 and 1 nodes"),
        (PursuitRules(((1,), (0,)), safe=(2,)), "describes a node 2 in safe"),
        (
            PursuitRules(((1,), (0,)), forbidden=(1,), fields=("thief", "guard", "turn")),
            "start() returned Spot(turn=0, thief=0, guard=1), which pursuit() does not allow",
        ),
        (7, "pursuit() returned 7"),
    ],
    ids=["fields", "graph", "sizes", "safe", "start", "type"],
)
def test_a_description_that_does_not_fit_is_refused(described, message):
    """What is wrong with it is said in a sentence that names the class."""
    fields = ("thief", "guard", "turn")
    if isinstance(described, PursuitRules) and "fields" not in message:
        described = PursuitRules(
            described.graph, described.pursuer_graph, described.safe, described.forbidden,
            fields=fields,
        )  # fmt: skip
    game = Heist(((1,), (0,)), ((1,), (0,)), ())
    object.__setattr__(game, "described", described)
    with pytest.raises(RulesError) as caught:
        zermelo.solve(game)
    assert message in str(caught.value)
