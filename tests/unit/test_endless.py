"""What a solution says of a game in which endless play is a win, and which games may say so."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

import networkx as nx
import pytest
from fastapi.testclient import TestClient

import zermelo
from facts import rows
from support.games.strategies import OPEN, OwnedGame
from support.sizes import but, some
from zermelo import (
    DRAW,
    LOSS,
    NOBODY,
    WIN,
    Game,
    ParameterError,
    RulesError,
    Symmetry,
    limits,
    web,
)
from zermelo.cli import main
from zermelo.games import CatAndMouse, CatAndMouseGrid
from zermelo.play.match import Match

GRID = ["M..#F", ".#.##", "..C##"]
#: Player 1 may leave vertex 0 for a tie at 2; player 0 may go round from 1 for ever.
LIKED = OwnedGame(((1, 2), (0, 1), ()), (OPEN, OPEN, DRAW), (1, 0, 0), (0, 1))


@pytest.fixture(scope="module")
def solution():
    """A chase round a wall in which the cat catches the mouse, or has the time to wait for it."""
    return zermelo.solve(CatAndMouseGrid(GRID, cat=1, mouse=1))


def test_an_endless_win_is_a_win_without_remoteness(solution):
    """The cat wins, in no number of plies, and the words say how."""
    assert solution.winner == "cat"
    assert (solution.value.outcome, solution.value.remoteness) == (LOSS, None)
    assert Match(solution).prospects == "the cat wins by endless play"
    assert "The player to move loses by endless play." in str(solution.explain())
    assert solution.line().ends == "repeats"
    probes = solution.probe_many([solution.start])
    assert (int(probes.outcome[0]), int(probes.remoteness[0])) == (LOSS, -1)


def test_endless_wins_are_counted_as_wins(solution):
    """Nothing is an endless draw; each win and loss has its remoteness, or None."""
    counts = solution.counts()
    by = counts.by_remoteness
    assert counts.endless == counts.draw == 0
    assert by[WIN, None] > 0 < by[LOSS, None]
    assert sum(by.values()) == counts.positions == len(solution)
    plies = [plies for outcome, plies in by if outcome is WIN]
    assert plies[-1] is None
    assert plies[:-1] == sorted(plies[:-1])


def test_the_favoured_player_stays_where_he_wins_and_ends_it_where_he_can(solution):
    """Each best move keeps the value; from an endless win no move is a quicker one."""
    for position, value in solution.items():
        for option in solution.options(position):
            if option.move in solution.best(position):
                assert option.value == value
            if value.remoteness is None:
                assert option.value.outcome <= value.outcome
                assert option.value.outcome is LOSS or option.value.remoteness is None


def test_a_table_of_endless_wins_is_opened_again(solution, tmp_path):
    """Values and counts are the same from a file."""
    with zermelo.open(solution.save(tmp_path / "chase.table")) as opened:
        assert dict(opened.items()) == dict(solution.items())
        assert opened.counts() == solution.counts()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["retrograde", "dense"])
def test_endless_wins_are_solved_into_a_table(solution, tmp_path, method):
    """By either index they are those in memory, and the certificate holds."""
    path = tmp_path / "chase.table"
    made = zermelo.solve(solution.game, method=method, table=path)
    with zermelo.open(path) as opened:
        assert dict(opened.items()) == dict(made.items()) == dict(solution.items())
        assert opened.counts() == made.counts() == solution.counts()
        assert opened.verify()


def test_an_export_has_no_remoteness_for_endless_wins(solution, tmp_path):
    """The column is empty there, as it is for endless draws."""
    path = tmp_path / "chase.csv"
    solution.export(path)
    header, *rows = (line.split(",") for line in path.read_text().splitlines())
    remoteness = header.index("remoteness")
    without = sum(not row[remoteness] for row in rows)
    by = solution.counts().by_remoteness
    assert without == by[WIN, None] + by[LOSS, None]


def test_the_explorer_and_the_analysis_tell_endless_wins(solution):
    """The value has no remoteness, and every statistic adds up."""
    client = TestClient(web.app(solution), base_url="http://localhost:8765")
    value = client.get("/api/game").json()["value"]
    assert (value["outcome"], value["remoteness"]) == ("loss", None)
    told = client.get("/api/statistics").json()
    assert (told["win"] + told["loss"], told["endless"]) == (len(solution), 0)
    liked = zermelo.solve(replace(LIKED, endless=1))
    assert f"{len(liked):,}" in str(liked.analyse())


def test_the_command_says_that_it_is_endless_play(capsys):
    """Once in the table, and as no remoteness in the document."""
    words = ["solve", "cat-and-mouse-grid", "--grid", json.dumps(GRID), "--mouse", "1"]
    main(words, standalone_mode=False)
    said = capsys.readouterr().out
    assert re.search(r"the cat wins by endless play", said)
    assert re.search(r"endless loss +\d+", said)
    main([*words, "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert (told["value"]["outcome"], told["value"]["remoteness"]) == ("loss", None)
    assert told["winner"] == "cat"


def test_who_likes_a_tie_better_than_endless_play_takes_it():
    """For each player in turn, and for nobody."""
    values = {}
    for player in (NOBODY, 0, 1):
        solution = zermelo.solve(replace(LIKED, endless=player))
        values[player] = [(solution[v].outcome, solution[v].remoteness) for v in (0, 1, 2)]
        assert solution.verify()
    assert values[NOBODY] == [(DRAW, 1), (DRAW, 2), (DRAW, 0)]
    assert values[0] == [(DRAW, 1), (WIN, None), (DRAW, 0)]
    assert values[1] == [(WIN, None), (LOSS, None), (DRAW, 0)]


def test_a_player_who_wins_by_endless_play_delays_a_tie():
    """Player 0 has two ways to a tie, and takes the longer; player 1 takes the shorter."""
    ways = OwnedGame(((1, 2), (2,), ()), (OPEN, OPEN, DRAW), (0, 1, 0), (0,))
    assert zermelo.solve(replace(ways, endless=0)).value.remoteness == 2
    assert zermelo.solve(replace(ways, endless=1)).value.remoteness == 1
    assert zermelo.solve(ways).value.remoteness == 1


@dataclass(frozen=True)
class Says(Game):
    """A token that goes round, in a game that says something of endless play."""

    endless: object = NOBODY

    def start(self):
        return 0

    def turn(self, place):
        return place

    def moves(self, place):
        yield 1

    def play(self, place, move):
        return 1 - place


class Silent(Game):
    """The same without a turn."""

    endless = 1

    def start(self):
        return 0

    def moves(self, place):
        yield 1

    def play(self, place, move):
        return 1 - place


class Scored(Silent):
    """The same with points."""

    def turn(self, place):
        return place

    def gain(self, place, move):
        return 1


@pytest.mark.slow
@pytest.mark.parametrize("worth", [2, -2, DRAW, True, "cat", None, 0.0])
def test_endless_play_is_worth_nothing_but_a_win_of_a_player(worth):
    """What is not a player is refused, and the message says what to write."""
    message = re.escape(f"Says.endless is {worth!r}; use 0 or 1, the player")
    with pytest.raises(RulesError, match=message):
        zermelo.solve(Says(worth))
    report = zermelo.check(Says(worth))
    assert "use 0 or 1, the player for whom endless play is a win" in str(report)


@pytest.mark.parametrize(
    ("kind", "message"),
    [(Silent, "but there is no turn"), (Scored, "makes 1 point and can be part of a cycle")],
)
def test_endless_play_needs_to_be_somebody_s_and_have_no_points(kind, message):
    """Where nobody knows whose turn it is, or points are made, it cannot be a win."""
    with pytest.raises(RulesError, match=message):
        zermelo.solve(kind())
    assert message in str(zermelo.check(kind()))


def test_endless_play_may_be_a_parameter():
    """Each game of the class has its own, and tables of one are not those of another."""
    first, second = (zermelo.solve(Says(player)) for player in (0, 1))
    assert (first.value.outcome, second.value.outcome) == (WIN, LOSS)
    assert zermelo.solve(Says()).value.is_endless


@pytest.mark.parametrize("method", ["levels", "horizon", "placement", "pursuit", "score"])
def test_methods_that_know_only_endless_draws_are_refused(method):
    """The message says which method to use."""
    with pytest.raises(ParameterError, match="use method='retrograde'"):
        zermelo.solve(Says(1), method=method)


class Pads(NamedTuple):
    """Where two frogs sit on a ring of pads, and whose turn it is."""

    mine: int
    yours: int
    turn: int


@dataclass(frozen=True)
class Frogs(Game):
    """Two frogs on a ring: one hops onward, or two pads, and wins on the other's pad."""

    pads: int
    endless: int

    def start(self):
        return Pads(0, 3, 0)

    def turn(self, p):
        return p.turn

    def winner(self, p):
        if p.mine == p.yours:
            return 1 - p.turn

    def moves(self, p):
        yield 1
        yield 2

    def play(self, p, hop):
        if p.turn == 0:
            return Pads((p.mine + hop) % self.pads, p.yours, 1)
        return Pads(p.mine, (p.yours + hop) % self.pads, 0)

    def space(self):
        return Pads(range(self.pads), range(self.pads), range(2))

    def symmetries(self):
        return Symmetry(swap=(("mine", "yours"),), flip=("turn",))


@pytest.mark.parametrize("method", but(["retrograde", "dense"], "retrograde", "dense"))
def test_symmetries_that_exchange_the_players_are_left_out(method, tmp_path):
    """Who wins by endless play is another player in an image, so that images differ in value."""
    for game in (Frogs(7, 0), Frogs(7, 1), Frogs(6, 1)):
        plain = zermelo.solve(game, method=method, symmetry=False)
        folded = zermelo.solve(game, method=method, table=tmp_path / f"{game}.table")
        assert dict(folded.items()) == dict(plain.items())
        assert folded.verify()
        assert "none are used, as endless play is a win for one of them" in folded.choice
        with zermelo.open(tmp_path / f"{game}.table", game) as opened:
            assert dict(opened.items()) == dict(plain.items())
    assert len(zermelo.solve(Frogs(7, NOBODY), method=method)) < len(plain)


def test_the_robber_wins_on_as_many_graphs_as_are_published():
    """One cop wins on a graph if, and only if, some node is good against every robber's."""
    facts = {int(row["n"]): int(row["copwin_connected_graphs"]) for row in rows("cop_win_graphs")}
    found = Counter()
    for graph in nx.graph_atlas_g()[1:]:
        if len(graph) > 5 or not nx.is_connected(graph):
            continue
        chase = zermelo.pursuit(graph, may_stay=True, endless=0)
        winner = chase.arrays.winner(1)  # by the robber's node and the cop's, the cop to move
        assert chase.counts().draw == 0
        assert (winner != NOBODY).all()
        found[len(graph)] += bool((winner == 1).all(axis=0).any())
    assert found == {n: facts[n] for n in found}
    assert len(found) == 5


@pytest.mark.parametrize(("player", "pursuers"), some([(0, 1), (1, 1), (0, 2), (1, 2)], 3))
def test_a_pursuit_without_end_is_won_and_saved_so(player, pursuers, tmp_path):
    """What was an endless draw is somebody's win, in memory and from a file."""
    how = {"pursuers": pursuers, "together": False, "forbidden": [3]}
    graph = nx.petersen_graph()
    drawn = zermelo.pursuit(graph, **how)
    won = zermelo.pursuit(graph, **how, endless=player)
    assert drawn.counts().endless > 0 == won.counts().draw
    assert won.counts().positions == drawn.counts().positions == len(won)
    for position, value in drawn.items():
        if value.is_endless:
            assert won.winner_at(position) == won.rules.players[player]
            assert won[position].remoteness is None
        else:
            assert won[position] == value
    assert won.verify()
    won.save(tmp_path / "chase.table")
    with zermelo.open(tmp_path / "chase.table") as opened:
        assert opened.counts() == won.counts()
        assert dict(opened.items()) == dict(won.items())
        assert (opened.arrays.winner(1) == won.arrays.winner(1)).all()
        assert (opened.arrays.winner(1)[:, 3] == NOBODY).all()
        assert opened.verify()


def test_a_graph_needs_owners_and_a_player_to_be_won_without_end():
    """Else it cannot be said whose win endless play is."""
    with pytest.raises(ParameterError, match=r"endless=1 .* NOBODY; give owner, too"):
        zermelo.graph.solve([0, 1], [0], endless=1)
    with pytest.raises(ParameterError, match="endless=2 is not a player who may win; use 0, 1"):
        zermelo.graph.solve([0, 1], [0], None, [0], endless=2)
    assert zermelo.graph.solve([0, 1], [0], None, [0], endless=0)[0].outcome is WIN


def test_a_pursuit_refuses_who_is_no_player():
    """The message says what to give."""
    with pytest.raises(ParameterError, match="endless is 2; use 0 or 1"):
        zermelo.pursuit([[1], [0]], endless=2)


class Hunted(CatAndMouse):
    """Cat and Mouse in which the mouse wins if it is never caught."""

    endless = 0


@pytest.mark.slow
@pytest.mark.parametrize("bitwise", but([0, 1 << 16], 1 << 16))
def test_a_declared_pursuit_in_which_the_mouse_may_win_for_ever(tmp_path, bitwise):
    """What was an endless draw is a win for the mouse, and nothing else has changed."""
    graph = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
    drawn, won = zermelo.solve(CatAndMouse(graph)), zermelo.solve(Hunted(graph), method="pursuit")
    other = zermelo.solve(Hunted(graph), method="retrograde")
    assert (won.method, won.counts()) == ("pursuit", other.counts())
    assert dict(won.items()) == dict(other.items())
    assert (won.winner, won.value.remoteness) == ("mouse", None)
    for position, value in drawn.items():
        if value.is_endless:
            assert won.winner_at(position) == "mouse"
            assert won[position].remoteness is None
        else:
            assert won[position] == value
    won.save(tmp_path / "hunt.table")
    with zermelo.open(tmp_path / "hunt.table", won.game) as opened, limits.using(bitwise=bitwise):
        assert won.verify()
        assert opened.counts() == won.counts()
        assert dict(opened.items()) == dict(won.items())
        assert [opened[p] for p in won] == [won[p] for p in won]
        assert opened.verify()
