"""Proofs: what they say, what stops them, and that a wrong one is caught."""

from __future__ import annotations

import json
import random
import re
import runpy
import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

import zermelo
from support.games.strategies import RING, ScoreGame, guided, heap
from zermelo import (
    DRAW,
    LOSS,
    WIN,
    Game,
    ParameterError,
    PositionError,
    UnprovedError,
    limits,
)
from zermelo.cli import main
from zermelo.games import ChessEnding, ConnectFour, TakeAway, TicTacToe
from zermelo.proving import search
from zermelo.values.proof_values import FAR


class Chase(NamedTuple):
    """Where hunter and prey stand, and how many plies are left."""

    hunter: int
    prey: int
    left: int


@dataclass(frozen=True)
class Hunt(Game):
    """A hunter wins by catching a prey on a large board in time, and steps aslant as well."""

    size: int = 30
    prey: int = 62
    plies: int = 400

    def start(self):
        return Chase(0, self.prey, self.plies)

    def space(self):
        return Chase(range(self.size**2), range(self.size**2), range(self.plies + 1))

    def turn(self, chase):
        return (self.plies - chase.left) % 2

    def outcome(self, chase):
        if chase.hunter == chase.prey:
            return WIN if self.turn(chase) == 0 else LOSS
        if chase.left == 0:
            return LOSS if self.turn(chase) == 0 else WIN

    def moves(self, chase):
        hunts = self.turn(chase) == 0
        place = chase.hunter if hunts else chase.prey
        for down in range(-1, 2):
            for right in range(-1, 2):
                row, column = place // self.size + down, place % self.size + right
                inside = 0 <= row < self.size and 0 <= column < self.size
                if inside and (hunts or down == 0 or right == 0):
                    yield row * self.size + column

    def play(self, chase, place):
        if self.turn(chase) == 0:
            return Chase(place, chase.prey, chase.left - 1)
        return Chase(chase.hunter, place, chase.left - 1)


@dataclass(frozen=True)
class Narrow(Game):
    """A token walks on from place to place, and past its space unless that is wide enough."""

    room: int

    def start(self):
        return 3

    def space(self):
        return range(self.room)

    def moves(self, place):
        if place < 5:
            yield 1

    def play(self, place, step):
        return place + step


#: The last of many moves wins: the opponent has no move there, and wins after any other.
MANY = guided([range(1, 4501), *([4500],) * 4499, ()])

#: A file that no other is like.
HEAP = """
from dataclasses import dataclass
from zermelo import Game

@dataclass(frozen=True)
class Heap(Game):
    def start(self):
        return 21

    def moves(self, left):
        for take in range(1, min(left, 3) + 1):
            yield take

    def play(self, left, take):
        return left - take if take < {new} else left
"""


def proved(game, **how):
    """Prove with little memory."""
    return zermelo.prove(game, memory="50MB", **how)


def test_a_draw_is_proved_by_a_strategy_of_each_player():
    """Tic-tac-toe is drawn, and both strategies hold against everything."""
    proof = proved(TicTacToe())
    assert (proof.value.outcome, proof.value.bounds, proof.answer, proof.is_complete) == (
        DRAW,
        (DRAW, DRAW),
        False,
        True,
    )
    assert proof.value.remoteness is None
    assert str(proof) == "draw"
    assert proof.verify()
    mover, other = proof.strategy(), proof.strategy("other")
    assert (mover.side, other.side) == ("mover", "other")
    board = proof.position
    assert mover[board] == proof.best_move
    assert board not in other
    with pytest.raises(PositionError, match="is not in the strategy"):
        other[board]
    assert proof.line().ends == "terminal"
    assert len(proof.line()) == 9


def test_remoteness_is_that_of_a_solve():
    """A win and a loss take as many plies as the solution says, and so does the line."""
    game = TakeAway(stones=21, limit=3)
    solution = zermelo.solve(game)
    for position in (21, 20):
        proof = proved(game, position=position, remoteness=True)
        assert proof.value.outcome == solution[position].outcome
        assert proof.value.remoteness == solution[position].remoteness == len(proof.line())
        assert proof.verify()


def test_less_is_asked():
    """A question is answered by as much as it takes, and bounds say no more than that."""
    yes = proved(TakeAway(stones=21, limit=3), ask="win")
    assert (yes.answer, yes.value.bounds) == (True, (WIN, WIN))
    drawn = proved(TicTacToe(), ask="draw")
    assert (drawn.answer, drawn.value.bounds, drawn.value.outcome) == (True, (DRAW, WIN), None)
    assert str(drawn) == "draw or win"
    assert drawn.verify()


@pytest.mark.slow
def test_a_limit_returns_what_is_known_and_the_search_goes_on():
    """What stopped it is said, and in the end the value is that of a search without limits."""
    proof = proved(ConnectFour(width=5, height=4), nodes=500)
    assert proof.value.outcome is None
    assert not proof.is_complete
    assert proof.nodes == 500
    assert "the nodes are used up" in proof.choice
    assert str(proof) == "unknown"
    with pytest.raises(UnprovedError, match="resume"):
        proof.verify()
    assert (len(proof.line()) > 0, proof.line().ends) == (True, "unproved")
    proof.resume()
    assert (proof.value.outcome, proof.is_complete) == (DRAW, True)
    assert "stopped" not in proof.choice


@pytest.mark.slow
def test_a_table_that_is_full_gives_the_same_values():
    """With 60 kB most entries are soon replaced; what they said is searched again."""
    game = ConnectFour(width=5, height=4)
    proof = zermelo.prove(game, memory="60kB", threads=1)
    ample = proved(game, threads=1)
    assert (proof.value.outcome, ample.value.outcome) == (DRAW, DRAW)
    assert proof.nodes > ample.nodes
    assert proof.verify()


@pytest.mark.slow
@pytest.mark.timing
def test_time_that_is_used_up_ends_a_search():
    """It looks at the clock often enough, and returns the bounds that it has."""
    proof = proved(ConnectFour(width=7, height=6), time=0.001, threads=1)
    assert (proof.is_complete, proof.value.bounds) == (False, (LOSS, WIN))
    assert "the time is used up" in proof.choice
    assert proof.nodes < 1_000_000  # either bound takes more
    assert proof.line().ends == "unproved"


@pytest.mark.slow
@pytest.mark.timing
def test_time_counts_searching_only(tmp_path):
    """What it takes to compile a class that was never seen before is not of the time."""
    path = tmp_path / "heap.py"
    path.write_text(HEAP.format(new=time.time_ns()))
    proof = proved(runpy.run_path(str(path))["Heap"](), time=0.3)
    assert (proof.value.outcome, proof.seconds < 0.3) == (WIN, True)


@pytest.mark.slow
def test_fruitless_trials_leave_alpha_beta_alone():
    """Alpha-beta goes on where it was, and visits hardly more than without trials."""
    game = ConnectFour(width=5, height=5)
    alone = proved(game, search="alpha-beta", threads=1)
    proof = proved(game, threads=1)
    assert proof.value == alone.value
    assert alone.nodes < proof.nodes < 1.1 * alone.nodes
    assert proof.choice.startswith("alpha-beta")


@pytest.mark.slow
def test_trial_settles_a_long_chase():
    """Alpha-beta knows nothing of it after 3 million positions, as it follows the prey too far."""
    alone = proved(Hunt(), search="alpha-beta", nodes=3_000_000)
    assert alone.value.outcome is None
    other = proved(Hunt(), search="proof-number")
    proof = proved(Hunt())
    assert (proof.value.outcome, other.value.outcome) == (WIN, WIN)
    assert proof.nodes < (1 << 16) + 2 * other.nodes
    assert proof.choice == "proof-number search, as it answered this sooner than alpha-beta"
    assert proof.verify()


def test_win_in_one_needs_no_search():
    """A move after which the other player has none is seen at once, among any number of moves."""
    proof = proved(MANY, remoteness=True)
    assert (proof.value.outcome, proof.best_move, proof.value.remoteness, proof.nodes) == (
        WIN,
        4500,
        1,
        0,
    )
    assert proof.choice == "a move wins at once"
    assert len(proof.line()) == 1
    assert proof.verify()
    assert proved(RING, position=5).choice == "a move wins at once"


@pytest.mark.slow
def test_search_names_any_of_many_moves():
    """Entries of the table have room for 4,095 moves; the first position needs no entry."""
    assert proved(MANY, search="alpha-beta").best_move == 4500


@pytest.mark.slow
def test_search_that_finds_nothing_names_another():
    """Where alpha-beta is the default, another search is suggested, in words of the place."""
    game = ConnectFour(width=5, height=4)
    reason = proved(game, nodes=500).choice
    assert reason.endswith(
        "; stopped as the nodes are used up; search='proof-number' may find more"
    )
    assert "may find more" not in proved(game, nodes=500, search="alpha-beta").choice
    words = ["prove", "connect-four", "--width", "5", "--height", "4", "--nodes", "500"]
    shown = CliRunner().invoke(main, words).stdout
    assert "--search proof-number may find more" in " ".join(shown.split())


@pytest.mark.slow
def test_the_first_of_tromps_positions_is_won():
    """After 45461667 the player to move wins (J. Tromp, the Fhourstones benchmark)."""
    game = ConnectFour(7, 6)
    board = game.start()
    for column in "45461667":
        board = game.play(board, int(column) - 1)
    proof = proved(game, position=board, ask="win")
    assert proof.answer is True


def test_a_saved_proof_is_read_and_verified(tmp_path):
    """The file holds the strategies, and a wrong move in it is found."""
    proof = proved(TakeAway(stones=21, limit=3), remoteness=True)
    path = proof.save(tmp_path / "a.proof")
    opened = zermelo.open(path)
    assert str(opened) == str(proof)
    assert opened.best_move == proof.best_move
    assert (opened.position, opened.nodes) == (21, proof.nodes)
    assert opened.verify()
    assert opened.line().ends == "terminal"
    assert opened.resume().is_complete
    strategy = opened.strategy()
    strategy.moves = np.full_like(strategy.moves, 3)
    found = opened.verify()
    assert not found.ok
    assert "goes where no move leads" in found.problem
    with pytest.raises(zermelo.TableExistsError):
        proof.save(path)


def test_a_forged_strategy_is_caught():
    """A move that gives the win away, a missing one, and a claim of too much."""
    proof = proved(TakeAway(stones=21, limit=3))
    strategy = proof.strategy()
    seventeen = strategy.place(17)
    strategy.moves[seventeen] = 1  # takes 2 instead of 1
    assert not proof.verify()
    strategy.moves[seventeen] = 0
    assert proof.verify()
    ranks = strategy.ranks.copy()
    strategy.ranks[seventeen] = ranks.max()
    assert "round" in proof.verify().problem
    strategy.ranks[:] = ranks
    strategy.least[seventeen] = -1
    assert "claims less" in proof.verify().problem
    strategy.least[seventeen] = 2
    assert "claims more" in proof.verify().problem
    strategy.least[seventeen] = 1
    stays = np.arange(len(ranks)) != seventeen
    for name in ("keys", "moves", "least", "ranks"):
        setattr(strategy, name, getattr(strategy, name)[stays])
    assert "has no move" in proof.verify().problem


@pytest.mark.slow
def test_bounds_that_lie_do_not_pass():
    """The proof follows the strategy to the ends, where the rules speak."""
    assert proved(guided(heap(12), root=12)).verify()
    proof = proved(guided(heap(12), bounds={4: (WIN, WIN)}, root=12))
    with pytest.raises(UnprovedError, match=r"bounds\(\)"):
        proof.verify()


@pytest.mark.slow
def test_play_that_can_go_round():
    """An endless draw is proved by strategies that never end; a win by one that does."""
    drawn = proved(RING)
    assert (drawn.value.outcome, drawn.is_complete) == (DRAW, True)
    assert "positions can repeat" in drawn.choice
    assert drawn.line().ends == "repeats"
    assert drawn.verify()
    won = proved(RING, position=5, remoteness=True)
    assert (won.value.outcome, won.value.remoteness) == (WIN, 1)
    assert won.verify()
    assert proved(RING, ask="win").answer is False
    assert proved(RING, ask="draw").answer is True


def test_a_search_that_does_not_suit_is_refused():
    """Alpha-beta where positions come again, and proof-number search of scores, say so."""
    with pytest.raises(ParameterError, match="'alpha-beta' does not suit GuidedGame, whose"):
        proved(RING, search="alpha-beta")
    with pytest.raises(ParameterError, match="'proof-number' does not suit ScoreGame, a score"):
        proved(ScoreGame(((),), ((),), (1,), (0,), (0,)), search="proof-number")


def test_the_search_that_is_asked_for_goes_on():
    """After a limit, for another half of the question, and for another position."""
    proof = proved(RING, search="proof-number", ask="win", nodes=2)
    assert proof.choice == "proof-number search, as was asked for; stopped as the nodes are used up"
    proof.resume()
    assert (proof.answer, proof.nodes > 2) == (False, True)
    proof.resume(ask="value")
    for each, value in ((proof, DRAW), (proof.prove(5), WIN)):
        assert each.value.outcome == value
        assert each.choice == "proof-number search, as was asked for"
        assert each.verify()
    assert "as positions can repeat" in proved(RING).prove(2).choice


def test_a_strategy_that_goes_round_does_not_pass_for_a_win():
    """A forged strategy that never loses, and never ends, is no proof of a win."""
    proof = proved(RING, position=5)
    assert proof.verify()
    strategy = proof.strategy()
    strategy.keys = np.array([3, 5], np.uint64)  # from 5 to 4, and from 3 to 2, and so on
    strategy.moves = np.array([1, 1], np.uint16)
    strategy.least = np.array([1, 1], np.int32)
    for ranks in ([2, 1], [1, 2], [1, 1]):
        strategy.ranks = np.array(ranks, np.uint32)
        assert not proof.verify()


@pytest.mark.slow
def test_chess_agrees_with_the_table():
    """A queen wins from where the table says, though men can go round, and as soon."""
    game = ChessEnding()
    solution = zermelo.solve(game)
    for position in random.Random(1).sample(list(solution), 20):
        value = solution[position]
        if value.remoteness is not None and value.remoteness > 7:
            continue
        proof = proved(game, position=position, remoteness=True)
        wanted = value.remoteness if value.outcome else None
        assert (proof.value.outcome, proof.value.remoteness) == (value.outcome, wanted)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"ask": "tie"}, "ask='tie' is not known"),
        ({"search": "best"}, "search='best' is not known; use one of alpha-beta, proof-number"),
        ({"time": 0}, "time=0 is not a number of seconds"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1, not 0"),
        ({"memory": "much"}, "memory='much' is not an amount"),
    ],
)
def test_mistakes(how, said):
    """Each is refused in a sentence with the value."""
    with pytest.raises(ParameterError, match=said):
        zermelo.prove(TicTacToe(), **how)


@pytest.mark.parametrize("plies", [1, 2, 3, 8, 41])
@pytest.mark.parametrize("sign", [1, -1])
def test_two_plies_are_tested_at_once(plies, sign):
    """The bounds meet at the right distance, after half as many tests as there are plies."""
    worth = sign * (FAR - plies)
    bounds = search.Bounds(1, FAR) if sign > 0 else search.Bounds(-FAR, -1)
    tests = 0
    for target in search.distances_to_test(bounds):
        tests += 1
        bounds.narrow(target, worth if worth >= target else target - 1)
    assert (bounds.low, bounds.high) == (worth, worth)
    assert tests <= plies // 2 + 3


@pytest.mark.slow
def test_threads_find_the_same():
    """They share one table, whatever stops them and however often, and go on together."""
    with limits.using(sharing=0.01):
        proof = proved(ConnectFour(width=5, height=4), threads=3, nodes=10_000)
        assert (proof.is_complete, proof.nodes >= 10_000) == (False, True)
        proof.resume()
    assert (proof.value.outcome, bool(proof.verify())) == (DRAW, True)
    with pytest.raises(ParameterError, match="threads must be a whole number"):
        proved(TicTacToe(), threads=0)


@pytest.mark.slow
def test_a_play_past_the_space_is_named():
    """Entries use the bits that the declared space leaves, so nothing may stand there."""
    with pytest.raises(zermelo.RulesError, match=r"gives a field past its range at \d; widen"):
        proved(Narrow(room=4))
    with pytest.raises(PositionError, match=r"9 is not a position of Narrow: .*past space\(\)"):
        proved(Narrow(room=4), position=9)


def test_a_position_of_another_game():
    """It is refused, with a position of this one."""
    with pytest.raises(PositionError, match=r"'start' is not a position of TicTacToe"):
        zermelo.prove(TicTacToe(), position="start")


def test_the_command(tmp_path):
    """It writes one JSON document, saves the proof, and exits with 1 where a limit was met."""
    path = tmp_path / "heap.proof"
    given = ["prove", "take-away", "--stones", "21", "--json", "--verify", "--save", str(path)]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert (said["value"]["outcome"], said["best_move"], said["verified"]) == ("win", 1, True)
    assert zermelo.open(path).value.outcome == WIN
    given = ["prove", "connect-four", "--width", "5", "--height", "4", "--nodes", "100"]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 1
    assert "unknown" in result.stdout
    assert "zermelo prove connect-four --time 1h" in result.stdout
    assert re.search(r"best so far +[a-e], [a-e]", result.stdout)
    said = json.loads(CliRunner().invoke(main, [*given, "--json"]).stdout)
    assert (said["value"]["outcome"], said["line_proved"]) == (None, False)
    assert len(said["line"]) > 0
    result = CliRunner().invoke(main, ["prove", "take-away", "--stones", "21", "--remoteness"])
    assert "With perfect play the first player wins in 11 plies." in result.stdout
    assert "--save take-away.proof" in result.stdout
    assert CliRunner().invoke(main, ["prove", "tic-tac-toe", "--time", "x"]).exit_code == 2


@pytest.mark.slow
def test_the_command_takes_a_search():
    """And says that it was asked for."""
    given = ["prove", "cat-and-mouse", "--search", "proof-number", "--json"]
    said = json.loads(CliRunner().invoke(main, given).stdout)
    assert said["choice"] == "proof-number search, as was asked for"
