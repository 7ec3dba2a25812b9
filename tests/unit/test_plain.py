"""Small games in plain Python: the values of the oracle, the tables of compiled rules, no Numba."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from support.games.strategies import (
    random_endless_games,
    random_games,
    random_loopy_score_games,
    random_score_games,
)
from support.games.symmetric import random_symmetric
from support.oracles import oracle
from support.sizes import counts
from zermelo import DRAW, LOSS, WIN, Game, ParameterError, PositionError, RulesError, limits
from zermelo.games import CatAndMouse, ConnectFour, EllysCheckers, StoneGame, TakeAway, TicTacToe
from zermelo.plain.solve import TimeLimit

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
GAMES = [
    TicTacToe(),
    CatAndMouse(GRAPH),
    StoneGame([5, -3, 4, 5]),
    EllysCheckers(),
    TakeAway(21, 3),
]


@pytest.fixture(autouse=True)
def plain():
    """Solve small games in plain Python, however slow the machine is."""
    with limits.using(plain_seconds=60.0):
        yield


def outcomes(solution):
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


def assert_solved(games, form, solve):
    """Compare the solutions of games, in the oracle's form, with the oracle's."""
    for game in games:
        solution = zermelo.solve(game)
        assert solution.method == "plain"
        assert form(solution) == solve(game), game
        assert solution.verify(), game


@counts(300, 4000)
def test_random_games_agree_with_the_oracle(count):
    """Loops, duplicate edges, dead ends, extra turns and several starts change nothing."""
    assert_solved(random_games(5, count), outcomes, oracle.solve)


@counts(150, 2000)
def test_endless_wins_agree_with_the_oracle(count):
    """Endless play can be a win for one player."""
    assert_solved(random_endless_games(6, count), outcomes, oracle.solve)


@counts(150, 2000)
def test_random_scores_agree_with_the_oracle(count):
    """Margins are those of the oracle."""
    assert_solved(
        random_score_games(7, count),
        lambda solution: {p: v.score for p, v in solution.items()},
        oracle.solve_scores,
    )


def test_loopy_scores_are_left_to_compiled_rules():
    """Where points are made and play can repeat a position, plies decide too."""
    game = next(random_loopy_score_games(8, 1))
    assert zermelo.solve(game).method == "score"
    with pytest.raises(ParameterError, match="play can repeat a position, and moves make points"):
        zermelo.solve(game, method="plain")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_tables_are_those_of_compiled_rules(game, tmp_path):
    """Positions have the same numbers and values, and a saved table is the same to the byte."""
    plain = zermelo.solve(game)
    compiled = zermelo.solve(game, method="score" if plain.kind.gains else "retrograde")
    assert plain.method == "plain"
    assert list(plain.items()) == list(compiled.items())
    assert plain.counts() == compiled.counts()
    assert plain.verify().moves == compiled.verify().moves
    assert plain.options() == compiled.options()
    assert plain.line() == compiled.line()
    assert str(plain.explain()) == str(compiled.explain())
    paths = [s.save(tmp_path / name) for s, name in ((plain, "plain"), (compiled, "compiled"))]
    assert paths[0].read_bytes() == paths[1].read_bytes()


@counts(20, 200)
def test_symmetric_games_agree_with_the_oracle(count):
    """Each position of a class has the value that the oracle finds without symmetries."""
    methods = Counter()
    for game in random_symmetric(10, count):
        solution = zermelo.solve(game)  # compiled, where symmetries exchange who moves twice
        methods[solution.method] += 1
        expected = oracle.solve(game)
        assert {p: (int(solution[p].outcome), solution[p].remoteness) for p in expected} == expected
        assert solution.counts().positions == len(expected)
        assert solution.verify()
        methods["folded"] += solution.method == "plain" and len(solution) < len(expected)
    assert methods["plain"] > count // 2
    assert methods["folded"] > count // 4


@counts(None, 300)
def test_symmetric_games_have_the_classes_of_compiled_rules(count):
    """Classes, their numbers and how many positions they stand for do not depend on the method."""
    methods = Counter()
    for game in random_symmetric(9, count):
        plain = zermelo.solve(game)
        compiled = zermelo.solve(game, method="retrograde")
        methods[plain.method] += 1
        assert list(plain.items()) == list(compiled.items()), game
        assert plain.counts() == compiled.counts(), game
        assert plain.verify(), game
    assert methods["plain"] > count // 2


def test_misere_play_is_solved():
    """Under misère play, a player who cannot move wins."""
    solution = zermelo.solve(TakeAway(10, 3), misere=True)
    assert (solution.method, solution.winner) == ("plain", "second" if 10 % 4 == 1 else "first")
    assert solution.verify()


@dataclass(frozen=True)
class Doubled(Game):
    """A heap in which one takes one or two, and a mirror image that is wrong for large heaps."""

    stones: int = 12

    def start(self):
        return self.stones

    def moves(self, heap):
        return [n for n in (1, 2) if n <= heap]

    def play(self, heap, n):
        return heap - n

    def canonical(self, heap):
        return 9 if heap == 10 else heap


@dataclass(frozen=True)
class Listed(Doubled):
    """The same heap, with a canonical form that a table gives, for few heaps only."""

    stones: int = 6
    same: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)

    def canonical(self, heap):
        return self.same[heap]


def test_a_wrong_canonical_is_refused():
    """All positions of a small game are checked, so that rare mistakes are found as well."""
    with pytest.raises(RulesError, match=r"canonical\(\) makes positions equivalent that are not"):
        zermelo.solve(Doubled())


def test_large_games_go_on_to_compiled_rules():
    """What was explored within the time is thrown away."""
    with limits.using(plain_seconds=1e-9):
        assert zermelo.solve(TakeAway(2_000, 3)).method == "retrograde"


def test_boards_that_are_tables_of_all_positions_stay_so():
    """A game with ``folded_tables = False`` has every position, though it declares symmetries."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    assert solution.method == "plain"
    assert len(solution) == solution.counts().positions


def test_asked_for_by_name_it_takes_its_time():
    """``method="plain"`` solves games that would be compiled."""
    with limits.using(plain_seconds=0.0):
        solution = zermelo.solve(ConnectFour(3, 3, 3), method="plain")
    assert solution.counts() == zermelo.solve(ConnectFour(3, 3, 3), method="placement").counts()


def test_a_canonical_that_fails_is_named():
    """A position at which the author's ``canonical`` fails is an error of the rules."""
    solution = zermelo.solve(Listed())
    with pytest.raises(RulesError, match="canonical"):
        solution[40]
    assert solution[5].outcome is WIN


def test_options_that_need_compiled_rules_are_refused():
    """``method="plain"`` finds the usual value, in memory."""
    with pytest.raises(ParameterError, match="does not go with value='nimber'"):
        zermelo.solve(TakeAway(5), method="plain", value="nimber")


def test_positions_that_cannot_be_reached_are_refused():
    """The errors are those of other solutions."""
    solution = zermelo.solve(TakeAway(21, 3))
    with pytest.raises(PositionError, match="cannot be reached from the start of TakeAway"):
        solution[22]
    with pytest.raises(PositionError, match="is not a position of TakeAway"):
        solution["a"]
    assert solution.get(22) is None
    assert solution.get_many([3, 22]).found.tolist() == [True, False]
    boards = np.array([[0, 0], [1, 1]])
    assert zermelo.solve(TicTacToe()).get_many(boards).found.tolist() == [True, False]


class Forged(Game):
    """Tic-tac-toe's simplest relative: one move, then a loss."""

    def start(self):
        return 0

    def moves(self, p):
        return [1] if p == 0 else []

    def play(self, p, move):
        return move


@pytest.mark.parametrize(("place", "code"), [(0, "loss"), (1, "win"), (1, "draw")])
def test_the_certificate_finds_a_wrong_value(place, code):
    """The certificate runs the rules anew and compares each value with its successors'."""
    solution = zermelo.solve(Forged())
    assert solution.verify()
    outcome = {"loss": LOSS, "win": WIN, "draw": DRAW}[code]
    wrong = solution.kind.encode(zermelo.Value(outcome, place))
    solution._answering.table.codes[place] = wrong
    found = solution.verify()
    assert not found
    assert "is stored as" in found.problem


def test_a_small_game_imports_no_numba(tmp_path):
    """Solving, verifying, probing and explaining a small game compile nothing."""
    program = """
import sys, zermelo
from zermelo.games import TicTacToe
solution = zermelo.solve(TicTacToe())
assert solution.verify() and solution.counts() and solution.line() and solution.explain()
print(solution.method, solution, "numba" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, cwd=tmp_path
    )
    assert done.stdout.startswith("plain <Solution of TicTacToe(): tie in 9; 5,478 positions")
    assert done.stdout.endswith("False\n")


def test_the_pace_tells_early_that_a_game_is_too_large(monkeypatch):
    """After a tenth of the time, what is known to be left must fit into the rest."""
    now = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])  # no test may depend on the clock
    limit = TimeLimit(1.0)
    continues = limit.phase()
    now[0] = 0.09
    assert continues(1, 1_000)
    now[0] = 0.5
    assert continues(100, 190)
    assert not continues(100, 210)
    second = limit.phase()  # has half of the time
    now[0] = 0.75
    assert second(10, 19)
    assert not second(10, 21)
    assert TimeLimit(None).phase()(1, 1 << 60)


def test_boards_are_left_to_their_method_by_their_size():
    """The order of a table's positions does not depend on the speed of a machine."""
    assert zermelo.solve(ConnectFour(3, 3, 3)).method == "plain"
    assert zermelo.solve(ConnectFour(4, 3)).method == "placement"
