"""Explanations: what is said of a position is so."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
from zermelo import DRAW, LOSS, WIN, Game, Outcome, PositionError
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe

ANSWERED = re.compile(r"  (\w+) is answered by (\w+), and loses in (\d+) pl")


def said(game, position=None):
    """Return what is said of a position, line by line."""
    return str(zermelo.solve(game).explain(position)).splitlines()


def test_a_win_is_one_move_and_an_answer_to_every_reply(noughts):
    """Replies stand in the order of how long they hold out."""
    corner = TicTacToe().parse("X../O../...")
    assert str(noughts.explain(corner)).splitlines() == [
        "The player to move wins in 5 plies with b3.",
        "  After b3 every reply loses:",
        "  c3 is answered by b2, and loses in 4 plies.",
        "  b2 is answered by c3, and loses in 2 plies.",
        "  c2 is answered by c3, and loses in 2 plies.",
        "  a1 is answered by c3, and loses in 2 plies.",
        "  b1 is answered by c3, and loses in 2 plies.",
        "  c1 is answered by c3, and loses in 2 plies.",
        "c3 and b2 also win.",
        "c2 (tie in 7), a1 (tie in 7), b1 (tie in 7) and c1 (tie in 7) throw the win away.",
        "Best play: b3, c3, b2, c2, b1.",
    ]


def test_a_loss_is_an_answer_to_every_move():
    """Four stones, of which one takes up to three."""
    assert said(TakeAway(stones=4, limit=3)) == [
        "The player to move loses in 2 plies. Every move loses:",
        "  take 1 is answered by take 3, and loses in 2 plies.",
        "  take 2 is answered by take 2, and loses in 2 plies.",
        "  take 3 is answered by take 1, and loses in 2 plies.",
        "Best play: take 1, take 3.",
    ]


def test_a_tie_is_held_and_nothing_wins(noughts):
    """Moves that lose are refuted."""
    position = TicTacToe().parse("X../.O./..X")
    lines = str(noughts.explain(position)).splitlines()
    assert lines[0] == "With best play it is a tie in 6 plies."
    assert lines[1].startswith("b3, a2, c2 and b1 keep the draw")
    assert lines[2:4] == [
        "No move wins, and some lose:",
        "  c3 is answered by a1, and loses in 4 plies.",
    ]


def test_an_endless_draw_goes_round():
    """The six nodes of the texts: neither mouse nor cat can force an end."""
    graph = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
    lines = said(CatAndMouse(graph))
    assert lines[0].startswith("With best play it is a draw, as neither side can force an end")
    assert lines[-1].endswith(", and so on for ever.")


def test_moves_that_win_too_are_counted_where_they_are_many():
    """Eighteen vertices where the other player is stuck at once, and one where only later."""
    ends = [[*range(1, 20)], *[[]] * 18, [20], [21], []]
    indptr = [0, *itertools.accumulate(map(len, ends))]
    solution = zermelo.graph.solve(indptr, list(itertools.chain(*ends)), start=0)
    others = ", ".join(map(str, range(2, 14)))
    lines = str(solution.explain()).splitlines()
    assert f"{others} and 6 more also win, some more slowly." in lines


def test_points_are_added_up():
    """What a move gains now and what comes later make its margin."""
    assert said(StoneGame(piles=(5, 3, 4, 5))) == [
        "The player to move makes a margin of +1 from here with left.",
        "  left: +5 now, -4 later, +1 in all.",
        "  right: +5 now, -4 later, +1 in all.",
        "Best play: left, right, right, left.",
    ]


class Spot(NamedTuple):
    """Steps left, and whose turn it is."""

    left: int
    whose: int


@dataclass(frozen=True)
class Walk(Game):
    """Go on as far as you like; who stands at 0 has lost, and at 0 one may not move."""

    def start(self) -> Spot:
        """Two steps."""
        return Spot(2, 0)

    def turn(self, p: Spot) -> int:
        """Say whose turn it is."""
        return p.whose

    def winner(self, p: Spot) -> int | None:
        """The player of number 1 wins at 0."""
        return 1 if p.left == 0 else None

    def moves(self, p: Spot) -> Iterator[int]:
        """Keep the turn, or pass it on."""
        yield 0
        yield 1

    def play(self, p: Spot, passed: int) -> Spot:
        """Step."""
        return Spot(p.left - 1, p.whose ^ passed)


def test_a_player_who_moves_again_answers_nobody():
    """Where the turn is kept, nothing is called a reply."""
    solution = zermelo.solve(Walk())
    lines = str(solution.explain()).splitlines()
    assert "  0 keeps the turn and still loses in 2 plies." in lines
    lines = str(solution.explain(Spot(1, 1))).splitlines()
    assert lines[0] == "The player to move wins in 1 ply with 0."
    assert "  After 0 the game is over." in lines


def test_the_end_of_a_game_is_told_with_whose_word_it_is(noughts):
    """The rules call it, or no move is left."""
    over = TicTacToe().parse("XXX/OO./...")
    assert (
        str(noughts.explain(over))
        == "The game is over: the rules say that the player to move has lost."
    )
    assert said(TakeAway(stones=3), 0) == ["The player to move has no move and so has lost."]
    last = zermelo.solve(StoneGame(piles=(2, 7)))
    empty = list(last)[-1]
    assert str(last.explain(empty)).startswith("The game is over; the final margin")


def test_of_many_moves_some_are_told_and_the_rest_counted():
    """Twelve, and how many more."""
    text = "\n".join(said(TakeAway(stones=20, limit=30)))
    assert "take 12 (loss in 2) and 7 more throw the win away." in text
    assert "  … and likewise 8 more." in said(TakeAway(stones=21, limit=20))


@pytest.mark.parametrize("each", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_everything_said_of_every_position_is_so(noughts, each):
    """Each answer named refutes its move, in as many plies as are told."""
    told = 0
    for position, value in itertools.islice(noughts.items(), 0, None, each):
        explanation = noughts.explain(position)
        lines = str(explanation).splitlines()
        assert explanation.value == value
        assert len(lines) <= 16
        options = {option.name: option for option in noughts.options(position)}
        if not options:
            continue
        base = 0
        if value.outcome is WIN:
            best = options[re.search(r"with (\w+)\.$", lines[0])[1]]
            assert best.value == value
            options = {option.name: option for option in noughts.options(best.position)}
            base = 1
        for match in filter(None, map(ANSWERED.match, lines)):
            move, answer, plies = match[1], match[2], int(match[3])
            assert options[move].value.outcome is LOSS
            assert options[move].value.remoteness == plies
            replies = {o.name: o for o in noughts.options(options[move].position)}
            assert replies[answer].value.outcome is WIN
            assert replies[answer].value.remoteness == plies - 1
            told += 1
        refuted = sum(bool(ANSWERED.match(line)) or "ends the game" in line for line in lines)
        if value.outcome is not DRAW and (value.remoteness or 0) > base:
            assert refuted == len(options), "every reply is told"
    assert told > 5_000 / each


def test_an_explanation_holds_the_line_of_best_play(noughts):
    """As moves, beside the sentences."""
    explanation = noughts.explain()
    assert explanation.position == noughts.start
    assert explanation.line.moves == noughts.line().moves
    assert explanation.value.outcome is Outcome.DRAW


def test_a_position_that_is_none_is_not_explained(noughts):
    """It is the error of every other question."""
    with pytest.raises(PositionError, match="is not a position of TicTacToe"):
        noughts.explain("nowhere")
