"""Analyses: every number agrees with one found another way."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest

import zermelo
from support.games.strategies import random_games, random_score_games
from support.oracles import chances, oracle
from support.sizes import but
from zermelo import DRAW, LOSS, Game, ParameterError, Symmetry
from zermelo.games import CatAndMouse, ConnectFour, StoneGame, TakeAway, TicTacToe
from zermelo.symmetry import grid

CHASE = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


@pytest.fixture(scope="module")
def noughts(noughts):
    """Tic-tac-toe, analysed."""
    return noughts.analyse()


def looked(position, found):
    """Return what a position looks like to its mover: wins and half of what is not decided."""
    win, _, loss, _ = found[position]
    return 0.5 + 0.5 * (win - loss)


@pytest.mark.slow
def test_random_play_at_tic_tac_toe_is_what_counting_all_games_gives(noughts):
    """The first wins 58.5 % of games at random and the second 28.8 %, counted here as fractions."""
    wins = Counter()
    waiting = {(0, 0): Fraction(1)}
    lines = (0o700, 0o070, 0o007, 0o111, 0o222, 0o444, 0o124, 0o421)
    for ply in range(10):
        following = Counter()
        for (mine, theirs), chance in waiting.items():
            if any(theirs & line == line for line in lines):
                wins[ply % 2] += chance
                continue
            empty = [cell for cell in range(9) if not (mine | theirs) >> cell & 1]
            wins["draw"] += chance * (not empty)
            for cell in empty:
                following[theirs, mine | 1 << cell] += chance / len(empty)
        waiting = following
    random = noughts.random
    assert wins[1] == Fraction(737, 1260)  # 58.5 %
    assert wins["draw"] == Fraction(8, 63)  # 12.7 %
    assert wins[0] == Fraction(121, 420)  # 28.8 %
    assert random.exact
    assert random.win.value == pytest.approx(float(wins[1]), abs=1e-11)
    assert random.draw.value == pytest.approx(float(wins["draw"]), abs=1e-11)
    assert random.loss.value == pytest.approx(float(wins[0]), abs=1e-11)
    assert random.win.low == random.win.value == random.win.high


@pytest.mark.parametrize("percent", but([0, 7, 50, 100], 7, 100))
def test_chances_and_lengths_solve_the_equations_of_random_games(percent):
    """Chances and lengths are those of a linear system, with cycles and repeated turns too."""
    for game in random_games(seed=percent, count=40, vertices=14):
        analysis = zermelo.solve(game, threads=1).analyse(blunders=(percent,))
        play = analysis.play(percent)
        start = next(iter(oracle.explore(game).starts))
        win, draw, loss, length = chances.outcomes(game, percent)[start]
        over = win + draw + loss
        found = (play.win.value, play.draw.value, play.loss.value, play.endless.value)
        assert found == pytest.approx((win, draw, loss, 1 - over), abs=1e-8)
        assert play.win.low - 1e-9 <= win <= play.win.high + 1e-9
        if over > 1e-6:
            assert play.length.value == pytest.approx(length / over, rel=1e-6, abs=1e-8)
        else:
            assert play.length is None


@pytest.mark.parametrize("percent", [0, 30, 100])
def test_margins_of_random_score_games_are_exact(percent):
    """The chance of ending ahead, even or behind is that of following every path."""
    for game in random_score_games(seed=percent, count=30, vertices=12):
        play = zermelo.solve(game, threads=1).analyse(blunders=(percent,)).play(percent)
        by_margin = chances.margins(game, percent)
        mean = sum(margin * chance for margin, chance in by_margin.items())
        scale = 1 + max(map(abs, by_margin))
        assert play.margin.value == pytest.approx(float(mean), abs=1e-8 * scale)
        square = sum((margin - mean) ** 2 * chance for margin, chance in by_margin.items())
        assert play.deviation == pytest.approx(float(square) ** 0.5, abs=1e-3 * scale)
        if play.win is not None:
            ahead = sum(chance for margin, chance in by_margin.items() if margin > 0)
            assert play.win.value == pytest.approx(float(ahead), abs=1e-9)
            assert play.draw.value == pytest.approx(float(by_margin.get(0, 0)), abs=1e-9)


@pytest.mark.slow
def test_counts_of_moves_and_traps_are_those_of_looking_at_every_move():
    """Branching, single saving moves and traps agree with their definitions, move by move."""
    for game in random_games(seed=5, count=40, vertices=14):
        analysis = zermelo.solve(game, threads=1).analyse()
        graph, table = oracle.explore(game), oracle.solve(game)
        found = chances.outcomes(game, 100)
        single, open_, traps, tempting, trapped = Counter(), Counter(), 0, 0, 0
        for p, edges in graph.edges.items():
            own = table[p][0]
            after = [e.sign * table[e.child][0] for e in edges]
            looks = [0.5 + e.sign * (looked(e.child, found) - 0.5) for e in edges]
            if len(edges) > 1:
                open_[own] += 1
                single[own] += after.count(own) == 1
            if own < 0:
                continue
            best = max(x for x, a in zip(looks, after, strict=True) if a >= 0)
            here = [x for x, a in zip(looks, after, strict=True) if a < 0 and x >= 0.5 - 1e-9]
            traps += len(here)
            trapped += bool(here)
            tempting += sum(x >= best - 1e-9 for x in here)
        saving = analysis.saving
        assert (saving.won, saving.single_win) == (open_[1], single[1])
        assert (saving.drawn, saving.single_draw) == (open_[0], single[0])
        degrees = Counter(len(edges) for edges in graph.edges.values())
        assert analysis.branching.histogram == dict(degrees)
        assert analysis.moves == sum(len(edges) for edges in graph.edges.values())
        near = [abs(looked(p, found) - 0.5) for p in found]
        if not any(1e-10 < off < 1e-7 for off in near):  # else rounding may decide
            assert analysis.traps.moves == traps
            assert (analysis.traps.positions, analysis.traps.tempting) == (trapped, tempting)
        for trap in analysis.traps.examples:
            assert trap.before.outcome is not LOSS
            assert trap.value.outcome is LOSS
            assert trap.expected_score >= 0.5 - 1e-9


def test_a_greedy_move_that_gives_up_margin_is_a_trap_of_a_score_game():
    """In a score game a trap takes as much at once as the best move, and more where it tempts."""
    for game in random_score_games(seed=8, count=30):
        analysis = zermelo.solve(game, threads=1).analyse()
        graph, table = oracle.explore(game), oracle.solve_scores(game)
        traps = tempting = single = 0
        for p, edges in graph.edges.items():
            best = [e.gain + e.sign * table[e.child] == table[p] for e in edges]
            most = max(e.gain for e, b in zip(edges, best, strict=True) if b)
            traps += sum(not b and e.gain >= most for e, b in zip(edges, best, strict=True))
            tempting += sum(not b and e.gain > most for e, b in zip(edges, best, strict=True))
            single += len(edges) > 1 and sum(best) == 1
        assert (analysis.traps.moves, analysis.traps.tempting) == (traps, tempting)
        assert analysis.saving.single_win == single


@pytest.mark.slow
def test_positions_by_ply_are_those_that_a_walk_from_the_start_meets():
    """Positions are counted at the fewest moves that lead to them, seen by the first player."""
    game = TicTacToe()
    graph = oracle.explore(game)
    table, plies = oracle.solve(game), {game.start(): 0}
    waiting = [game.start()]
    for p in waiting:
        for e in graph.edges.get(p, []):
            if e.child not in plies:
                plies[e.child] = plies[p] + 1
                waiting.append(e.child)
    expected = Counter((ply, table[p][0] * (-1) ** ply) for p, ply in plies.items())
    for row in zermelo.solve(game).analyse().plies:
        counted = (row.win, row.draw, row.loss)
        assert counted == tuple(expected[row.ply, outcome] for outcome in (1, 0, -1))


def test_openings_that_symmetry_makes_the_same_are_one(noughts):
    """Nine first moves are a corner, an edge or the centre, though no symmetry is declared."""
    names = {frozenset(opening.names) for opening in noughts.openings}
    corners, edges = {"a1", "a3", "c1", "c3"}, {"a2", "b1", "b3", "c2"}
    assert names == {frozenset(corners), frozenset(edges), frozenset({"b2"})}
    assert [round(opening.expected_score, 4) for opening in noughts.openings] == [0.6714, 0.6, 0.75]


@dataclass(frozen=True)
class Folded(TicTacToe):
    """Tic-tac-toe that says what is symmetric."""

    def symmetries(self):
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))


@pytest.mark.slow
def test_openings_of_a_folded_solve_are_those_of_a_plain_one():
    """Declared symmetries change neither the openings nor the chances."""
    folded = zermelo.solve(Folded()).analyse()
    plain = zermelo.solve(TicTacToe()).analyse()
    assert folded.random.win.value == pytest.approx(plain.random.win.value, abs=1e-11)
    assert folded.counts.positions == plain.counts.positions == 5478
    assert folded.classes == 765
    moves = [set(opening.moves) for opening in folded.openings]
    assert sorted(map(len, moves)) == [1, 4, 4]
    assert folded.longest.remoteness == plain.longest.remoteness


def test_a_pie_rule_is_fair_where_a_first_move_draws(noughts):
    """A first move that draws makes a pie rule fair; without one the second player wins."""
    assert noughts.pie.fair
    assert noughts.pie.winner is None
    heap = zermelo.solve(TakeAway(stones=21, limit=3)).analyse()
    assert not heap.pie.fair
    assert heap.pie.winner == heap.players[1]


@pytest.mark.huge
def test_a_pie_rule_on_a_board_of_connect_four_has_fair_openings():
    """Three columns draw on five by four."""
    five = zermelo.solve(ConnectFour(width=5, height=4)).analyse()
    assert set(five.pie.opening) == {"b", "c", "d"}


def test_a_pie_rule_of_a_score_game_leaves_the_least_margin():
    """In a score game the second player takes the better side of the evenest first move."""
    analysis = zermelo.solve(StoneGame(piles=[5, 3, 4, 5])).analyse()
    margins = [abs(opening.value.score) for opening in analysis.openings]
    assert analysis.pie.margin == min(margins)


@pytest.mark.slow
def test_the_longest_forced_win_takes_as_long_as_any_value_says(noughts):
    """The line of the longest win is as long as the greatest remoteness, and ends the game."""
    chase = CatAndMouse(CHASE, mouse=1, cat=2)
    solution = zermelo.solve(chase)
    longest = solution.analyse().longest
    decided = [v.remoteness for _, v in solution.items() if v.outcome is not DRAW]
    assert longest.remoteness == max(decided) == 4
    assert len(longest.names) == longest.remoteness
    assert solution[longest.position].remoteness == longest.remoteness
    assert noughts.longest.remoteness == 5


def test_a_chase_may_never_end():
    """Perfect play from the start of the first chase goes round for ever."""
    perfect = zermelo.solve(CatAndMouse(CHASE, mouse=1, cat=2)).analyse().play(0)
    assert perfect.endless.value == 1
    assert perfect.length is None
    assert perfect.win.value == perfect.loss.value == 0


@pytest.mark.slow
def test_what_does_not_fit_in_memory_is_sampled_and_says_so():
    """Games are sampled where the moves do not fit; the interval holds the exact chance."""
    solution = zermelo.solve(ConnectFour(width=4, height=4))
    exact = solution.analyse()
    sampled = solution.analyse(memory="2MB", samples=4000, seed=1)
    assert exact.exact
    assert not sampled.exact
    assert sampled.samples == 4000
    assert sampled.traps is None
    for percent in (0, 5, 20, 100):
        play, right = sampled.play(percent), exact.play(percent)
        assert play.games == 4000
        for name in ("win", "draw", "loss", "length"):
            found, known = getattr(play, name), getattr(right, name).value
            wide = 1.3 * (found.high - found.low) + 1e-9  # several deviations, for sixteen of them
            assert found.low - wide <= known <= found.high + wide
    assert sampled.branching.mean == pytest.approx(exact.branching.mean, rel=0.05)
    share = exact.saving.single_win / exact.saving.won
    assert sampled.saving.single_win / sampled.saving.won == pytest.approx(share, abs=0.05)
    again = solution.analyse(memory="2MB", samples=4000, seed=1)
    assert again.plays == sampled.plays


@pytest.mark.slow
@pytest.mark.compiled  # thousands of games that go round for long
def test_sampled_games_of_every_kind_come_near_the_exact_chances():
    """Sampling follows turns, gains and cycles as working out does."""
    games = [*random_games(seed=3, count=5, vertices=12), *random_score_games(seed=3, count=4)]
    for game in games:
        solution = zermelo.solve(game, threads=1)
        exact, sampled = solution.analyse(), solution.analyse(memory=1, samples=1000)
        for right, play in zip(exact.plays, sampled.plays, strict=True):
            if right.win is not None:
                assert play.win.value == pytest.approx(right.win.value, abs=0.08)
                assert play.loss.value == pytest.approx(right.loss.value, abs=0.08)


@pytest.mark.slow
def test_threads_and_a_stored_table_change_nothing(tmp_path, noughts):
    """An analysis is the same for 1 to 3 threads, and of a table that was kept."""

    def known(analysis):
        document = analysis.to_json()
        for name in ("seconds", "traps", "longest"):
            document.pop(name)
        return document

    for threads in (1, 2, 3):
        assert known(zermelo.solve(TicTacToe(), threads=threads).analyse()) == known(noughts)
    zermelo.solve(TicTacToe()).save(tmp_path / "noughts.table")
    stored = zermelo.open(tmp_path / "noughts.table").analyse()
    assert stored.traps.moves == noughts.traps.moves
    for ours, theirs in zip(stored.plays, noughts.plays, strict=True):
        assert ours.win.value == pytest.approx(theirs.win.value, abs=1e-11)


def test_an_analysis_has_a_json_form(noughts):
    """Everything is there as JSON, positions by their fields."""
    document = json.loads(json.dumps(noughts.to_json()))
    assert document["game"] == "TicTacToe"
    assert document["plays"][-1]["blunders"] == 100
    assert document["plays"][-1]["advantage"] == pytest.approx(0.29682539682539)
    assert document["traps"]["examples"][0]["position"].keys() == {"mine", "theirs"}
    assert document["counts"]["win"] == 2836


def test_senseless_arguments_are_refused():
    """What is no percentage, no number of games or no amount is said to be none."""
    solution = zermelo.solve(TicTacToe())
    for wrong in (
        {"blunders": (101,)},
        {"blunders": (-1,)},
        {"samples": 0},
        {"seed": -1},
        {"memory": "much"},
    ):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            solution.analyse(**wrong)
    with pytest.raises(KeyError, match="were not analysed"):
        solution.analyse().play(3)


@dataclass(frozen=True)
class Over(Game):
    """A game that is over before it begins."""

    def start(self):
        return 0

    def outcome(self, position):
        return DRAW

    def moves(self, position):
        return []

    def play(self, position, move):
        return position


def test_a_game_that_is_over_at_once_can_be_analysed():
    """Nothing to choose, nothing to count, and no error."""
    analysis = zermelo.solve(Over()).analyse()
    assert analysis.openings == ()
    assert analysis.pie is None
    assert analysis.longest is None
    assert analysis.branching.most == 0
    assert analysis.random.draw.value == 1
    assert analysis.random.length.value == 0
    assert analysis.branching.mean == 0
