"""Matches: moves by name, mistakes, taking back, and records."""

from __future__ import annotations

import collections
import json
import random
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
from zermelo import Game, Match, MoveError, Opponent, ParameterError, PositionError
from zermelo.games import ConnectFour, StoneGame, TakeAway, TicTacToe
from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.nimbers import NIMBERS
from zermelo.values.outcomes import Value
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS


@pytest.fixture(scope="module")
def heap():
    """Twenty-one stones of which one takes up to three: a win in 11 for the first player."""
    return zermelo.solve(TakeAway(stones=21, limit=3))


def play(match, *moves):
    """Make some moves."""
    for move in moves:
        match.play(move)
    return match


def test_a_match_is_played_by_the_names_of_moves(noughts):
    """The first player's three in a row ends it, and his name is told."""
    match = play(Match(noughts), "a1", "b3", "b1", "c3", "c1")
    assert match.is_over
    assert match.winner == "X"
    assert match.prospects == "X wins"
    assert [each.player for each in match.played] == [0, 1, 0, 1, 0]
    assert match.text == ". O O\n. . .\nX X X"


def test_what_a_match_comes_to_is_said_of_the_players(noughts, heap):
    """Whoever is to move, the player who wins is named."""
    assert Match(noughts).prospects == "a tie in 9 plies"
    assert play(Match(noughts), "b2", "b3").prospects == "X wins in 5 plies"
    assert play(Match(noughts), "b2", "b3", "a1").prospects == "X wins in 4 plies"
    assert Match(heap).prospects == "the first player wins in 11 plies"
    assert play(Match(heap), "take 2").prospects.startswith("the second player wins")


def test_a_mistake_is_told_with_what_it_lost(heap):
    """Taking two of 21 leaves the other a multiple of four to reach, and nothing else does."""
    match = play(Match(heap), "take 2", "take 3")
    [first] = match.mistakes()
    assert (first.ply, first.player, first.lost) == (1, 0, "outcome")
    assert first.mistake == "turned a win in 11 into a loss in 10"
    assert first.best_names == ("take 1",)
    assert match.played[1].lost is None
    assert match.played[1].mistake == ""


@pytest.mark.parametrize("outcome", [zermelo.WIN, zermelo.LOSS])
def test_a_win_delayed_or_a_loss_hurried_is_a_slip_of_plies(noughts, outcome):
    """The outcome is kept, and yet something is lost."""
    matches = (Match(noughts, p) for p, value in noughts.items() if value.outcome is outcome)
    match, after = next(
        (match, option)
        for match in matches
        for option in match.options
        if option.value != match.value and option.value.outcome is outcome
    )
    slip = match.play(after)
    assert slip.lost == "plies"
    plies = abs(after.value.remoteness - slip.value.remoteness)
    how = "won {} later" if outcome is zermelo.WIN else "lost {} sooner"
    some = f"{plies} {'ply' if plies == 1 else 'plies'}"
    assert slip.mistake == f"{how.format(some)} than necessary"
    slower = after.value.remoteness > slip.value.remoteness
    assert slower == (outcome is zermelo.WIN)


def test_points_are_lost_in_a_score_game():
    """Of 1, 9, 1, 1 the ends are 1 and 1, and to uncover the nine costs points."""
    solution = zermelo.solve(StoneGame(piles=(1, 9, 1, 1)))
    match = Match(solution)
    best, worst = match.options[0], match.options[-1]
    made = match.play(worst)
    points = best.value.score - worst.value.score
    assert points > 0
    assert made.lost == "points"
    assert made.mistake == f"gave away {points} points"
    while not match.is_over:
        match.play(match.options[0])
    assert match.margin == worst.value.score
    assert match.winner == (None if match.margin == 0 else match.players[match.margin < 0])
    assert match.prospects == f"the {match.winner} player wins by {abs(match.margin)}"


@pytest.mark.parametrize("text", ["B2", " b2 ", "4"])
def test_a_move_is_found_by_name_or_as_itself(noughts, text):
    """Capitals and spaces do not matter."""
    assert Match(noughts).find(text).move == 4


def test_a_move_as_the_game_has_it_is_played(heap):
    """Here, a number of stones."""
    match = Match(heap)
    assert match.play(1).option.name == "take 1"
    assert match.position == 20


def test_the_beginning_of_a_name_will_do_if_it_is_of_one_only(heap):
    """``take`` alone could be three moves."""
    match = Match(zermelo.solve(TakeAway(stones=1, limit=3)))
    assert match.find("ta").move == 1
    with pytest.raises(MoveError, match="'ta' could be take 1, take 2 or take 3; type more of it"):
        Match(heap).find("ta")


def test_what_is_no_move_is_refused_with_those_that_are(noughts):
    """Nothing changes, and the message lists what is legal."""
    match = play(Match(noughts), "b2")
    before = match.position
    with pytest.raises(MoveError, match=r"'b2' is not a move here; play a3, b3, .* or c1"):
        match.play("b2")
    assert [option.name for option in match.options][1] == "c3", "they are listed as they come"
    with pytest.raises(MoveError, match="'' is not a move"):
        match.play("")
    other = Match(noughts).find("b2")
    with pytest.raises(MoveError, match="'b2' is not a move here"):
        match.play(other)
    with pytest.raises(MoveError, match="99 is not a move here"):
        match.play(99)
    assert match.position == before
    play(match, "a1", "a2", "b1", "c2")
    with pytest.raises(MoveError, match="the game is over; take a move back"):
        match.play("c1")


def test_moves_are_taken_back_one_by_one(noughts):
    """Back at the start there is none left to take back."""
    match = play(Match(noughts), "b2", "a1")
    assert [match.undo().option.name, match.undo().option.name] == ["a1", "b2"]
    assert match.position == noughts.start
    assert match.options == noughts.options()
    with pytest.raises(MoveError, match="no move to take back"):
        match.undo()


def test_a_match_may_begin_anywhere(noughts):
    """The player to move there is the first; what is not a position is refused."""
    board = TicTacToe().parse("X../.O./...")
    assert Match(noughts, board).player == 0
    with pytest.raises(PositionError, match="cannot be reached"):
        Match(noughts, board._replace(mine=511, theirs=511))


class Twice(NamedTuple):
    """Stones left, and whose turn it is."""

    left: int
    whose: int


@dataclass(frozen=True)
class Again(Game):
    """Take one and move again, or two and pass the turn; who takes the last one wins."""

    players = ("white", "black")

    def start(self):
        """Five stones."""
        return Twice(5, 1)

    def turn(self, p):
        """Say whose turn it is."""
        return p.whose

    def moves(self, p):
        """Take one or two."""
        for n in range(1, min(2, p.left) + 1):
            yield n

    def play(self, p, n):
        """Take them."""
        return Twice(p.left - n, p.whose if n == 1 and p.left > 1 else 1 - p.whose)


def test_the_rules_say_whose_turn_it_is():
    """Where a player may move again, the turn is read off the position."""
    match = play(Match(zermelo.solve(Again())), "1", "1", "2", "1")
    assert [each.player for each in match.played] == [1, 1, 1, 0]
    assert match.is_over
    assert match.winner == "white"


def test_a_record_is_resumed_where_it_was_left(noughts):
    """It passes through JSON, and every move's worth is known again."""
    match = play(Match(noughts), "b2", "b3", "a1")
    record = json.loads(json.dumps(match.to_json()))
    again = Match.from_json(noughts, record)
    assert again.played == match.played
    assert again.to_json() == match.to_json() == record
    assert [move["name"] for move in record["moves"]] == ["b2", "b3", "a1"]


def test_a_record_may_begin_anywhere(noughts):
    """The position it begins in is part of it."""
    board = TicTacToe().parse("X../.O./...")
    match = play(Match(noughts, board), "c1")
    assert Match.from_json(noughts, json.loads(json.dumps(match.to_json()))).start == board


#: What is changed in a record, the error, and what it says.
CHANGES = {
    "a list": (lambda _: [], ParameterError, "is not the record of a match"),
    "empty": (lambda _: {}, ParameterError, "is not the record of a match"),
    "newer": (
        lambda r: {**r, "record": 2},
        ParameterError,
        "has the version 2, and this Zermelo reads 1",
    ),
    "cut short": (lambda _: {"record": 1}, ParameterError, "is incomplete"),
    "moves of numbers": (
        lambda r: {**r, "moves": [3]},
        ParameterError,
        "has entries that are not moves",
    ),
    "another game": (lambda r: {**r, "game": "Go"}, ParameterError, "of game Go, not TicTacToe"),
    "parameters": (
        lambda r: {**r, "parameters": {"n": 3}},
        ParameterError,
        'of parameters {"n": 3}, not {}',
    ),
    "a move": (
        lambda r: {**r, "moves": [{"name": "d4", "move": 77}]},
        MoveError,
        "move 1 of the record, 'd4', cannot be played",
    ),
    "half a start": (lambda r: {**r, "start": {"mine": 1}}, PositionError, "is not a position"),
    "no start": (lambda r: {**r, "start": "nowhere"}, PositionError, "is not a position"),
}


@pytest.mark.parametrize("changed", CHANGES)
def test_what_is_no_record_of_this_game_is_refused(noughts, changed):
    """The message says what is wrong with it."""
    change, error, says = CHANGES[changed]
    record = play(Match(noughts), "b2").to_json()
    with pytest.raises(error, match=says):
        Match.from_json(noughts, change(record))


def test_a_perfect_opponent_never_errs():
    """Against itself it keeps the value and the remoteness to the end, whatever the seed."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    for seed in range(20):
        match = Match(solution)
        while not match.is_over:
            match.play(Opponent(seed=seed).choose(match))
        assert not match.mistakes()
        assert len(match.played) == solution.value.remoteness


def test_a_perfect_opponent_varies_its_moves_with_the_seed_and_repeats_them_without(noughts):
    """Equally good moves are all played; the same seed plays the same."""
    names = [Opponent(seed=seed).choose(Match(noughts)).name for seed in range(200)]
    assert set(names) == {option.name for option in noughts.options()}
    assert names == [Opponent(seed=seed).choose(Match(noughts)).name for seed in range(200)]


@pytest.mark.parametrize("skill", [0, 40, 90])
def test_skill_is_how_often_the_best_move_is_sought(heap, skill):
    """With one best move of three, it is played skill % of the time and a third of the rest."""
    match = Match(heap)
    seeds = random.Random(1).sample(range(10**9), 3000)
    chosen = collections.Counter(Opponent(skill, seed).choose(match).name for seed in seeds)
    expected = skill / 100 + (1 - skill / 100) / 3
    assert chosen["take 1"] / 3000 == pytest.approx(expected, abs=0.03)
    assert abs(chosen["take 2"] - chosen["take 3"]) < 150


@pytest.mark.parametrize("skill", [-1, 101, 50.5, True, "best"])
def test_a_skill_that_is_none_is_refused(skill):
    """It goes from 0 to 100."""
    with pytest.raises(ParameterError, match="is not a whole number from 0 to 100"):
        Opponent(skill)


def test_each_kind_of_mistake_has_words():
    """Of all kinds of values, in both directions in which a draw may be spoilt."""
    plain, endless = WIN_DRAW_LOSS, ENDLESS_WINS[0]
    tie, sooner, draw = Value(zermelo.DRAW, 4), Value(zermelo.DRAW, 2), Value(zermelo.DRAW)
    loss, win, slow = Value(zermelo.LOSS, 6), Value(zermelo.WIN, 1), Value(zermelo.WIN, 2)
    assert plain.words.mistake(draw, loss) == "turned a draw into a loss in 6"
    assert plain.words.mistake(win, tie) == "turned a win in 1 into a draw"
    assert plain.words.mistake(win, slow) == "won 1 ply later than necessary"
    sooner_lost = Value(zermelo.LOSS, 4)
    assert plain.words.mistake(loss, sooner_lost) == "lost 2 plies sooner than necessary"
    assert plain.words.mistake(sooner, tie) == "put the tie off by 2 plies"
    assert plain.words.mistake(tie, draw) == "turned a tie in 4 into an endless draw"
    assert plain.words.mistake(tie, tie) == ""
    never = Value(zermelo.WIN)
    assert endless.words.mistake(win, never) == "turned a win in 1 into an endless win"
    assert endless.words.mistake(never, loss) == "turned an endless win into a loss in 6"
    two, one = Value(zermelo.WIN, score=2, remoteness=3), Value(zermelo.WIN, score=1, remoteness=3)
    assert TIMED_SCORES.words.mistake(two, one) == "gave away 1 point"
    late = Value(zermelo.WIN, score=2, remoteness=5)
    assert TIMED_SCORES.words.mistake(two, late) == f"turned {two} into {late}"
    first, second = Value(zermelo.WIN, nimber=2), Value(zermelo.LOSS, nimber=0)
    assert NIMBERS.words.mistake(first, second) == "turned a win into a loss"
