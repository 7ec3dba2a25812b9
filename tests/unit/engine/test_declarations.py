"""Classes that change what a method goes by: each is solved as its rules say, or refused.

``PlacementGame`` and ``pursuit`` declare a game that is solved without its rules being run. These
are subclasses that override a hook so that the declaration and the rules differ, or seem to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.heists import Heist, Spot
from support.oracles import oracle
from support.sizes import some
from zermelo import (
    LOSS,
    NOBODY,
    WIN,
    Game,
    MarkingGame,
    PlacementGame,
    RulesError,
    limits,
)
from zermelo.game.placement import Marks, Stones


@dataclass(frozen=True)
class Pairs(PlacementGame):
    """Two cells next to each other win on a board of two rows."""

    width: int = 3
    height: int = 2

    def lines(self):
        return self.straight(2)


@dataclass(frozen=True)
class Ends(PlacementGame):
    """A row of four cells: the first player wants the left pair, the second the right one."""

    width: int = 4
    height: int = 1

    def lines(self, player):
        return [(2, 3)] if player else [(0, 1)]


@dataclass(frozen=True)
class Crosses(MarkingGame):
    """Both players place crosses in a row of four cells."""

    width: int = 4
    height: int = 1

    def lines(self):
        return [(0, 1)]


# -- placement: whose turn it is -----------------------------------------------------------------


class MarkOfMover(Ends):
    def start(self):
        return super().start()._replace(mine=1)


class MarkOfOther(Ends):
    def start(self):
        return Stones(0, 4)


class PairOfMover(Ends):
    def start(self):
        return Stones(3, 4)


class PairOfOther(Ends):
    def start(self):
        return Stones(1, 12)


class StartsInTurn(Ends):
    def starts(self):
        return [Stones(0, 0), Stones(0, 1), Stones(4, 1)]


class StartsOutOfTurn(Ends):
    def starts(self):
        return [Stones(0, 0), Stones(1, 0)]


class StartsAlike(Pairs):
    def starts(self):
        return [Stones(0, 0), Stones(1, 0), Stones(0, 33)]


class SharedMark(Crosses):
    def start(self):
        return Marks(4, 0)

    def line_winner(self, player):
        return 0


class SharedStarts(Crosses):
    def starts(self):
        return [Marks(0, 0), Marks(2, 0), Marks(12, 0)]

    def line_winner(self, player):
        return 1


class Overlap(Pairs):
    def start(self):
        return Stones(5, 4)


class OffTheBoard(Pairs):
    gravity = True

    def start(self):
        return Stones(4, 0)


class Hanging(Pairs):
    gravity = True

    def start(self):
        return Stones(2, 0)


class OtherTurn(Ends):
    def turn(self, board):
        return 1 - (board.mine | board.theirs).bit_count() % 2


class ToldTurn(OtherTurn):
    def player_to_move(self, board):
        return self.turn(board)


class OtherMover(Ends):
    def player_to_move(self, board):
        return 1 - (board.mine | board.theirs).bit_count() % 2


class Passing(Ends):
    def play(self, board, move):
        if move == 0:
            return Stones(board.theirs, board.mine)
        return super().play(board, move)


class TwoAtOnce(Ends):
    def play(self, board, move):
        if move == 0:
            return Stones(board.theirs, board.mine | 1 | (2 & ~board.theirs))
        return super().play(board, move)


class TwoAtOnceAlike(Pairs):
    def play(self, board, move):
        if move == 0:
            return Stones(board.theirs, board.mine | 1 | (2 & ~board.theirs))
        return super().play(board, move)


class Told(NamedTuple):
    mine: int
    theirs: int
    turn: int


class TurnField(Ends):
    def start(self):
        return Told(0, 0, 1)

    def turn(self, board):
        return board.turn

    def player_to_move(self, board):
        return board.turn

    def play(self, board, move):
        return Told(board.theirs, board.mine | 1 << move, 1 - board.turn)

    def space(self):
        return Told(range(16), range(16), range(2))


class ArrayOfStarts(Pairs):
    def starts(self):
        return np.array([[0, 0], [0, 2], [4, 4]])


# -- placement: what wins ------------------------------------------------------------------------


class NoLine(Pairs):
    def has_line(self, stones):
        return False


class MoreLines(Pairs):
    def has_line(self, stones):
        return stones.bit_count() >= 2


class OneSide(Pairs):
    def has_line_of(self, player, stones):
        return player == 1 and stones & 3 == 3


class Corner(Pairs):
    def lines(self):
        return [(0, 1)]

    def has_line(self, stones):
        return stones & 3 == 3


class OtherCorner(Corner):
    def lines(self):
        return [(1, 2)]


class FailingLine(Corner):
    def has_line(self, stones):
        return 1 // (stones - 3) > 9


class SharedLine(Crosses):
    def has_line(self, stones):
        return stones & 5 == 5


class BitOffTheBoard(Pairs):
    def lines(self):
        return [(0, 6)]


class MaskForBits(Pairs):
    def lines(self):
        return [3, 6]


class NobodyWins(Pairs):
    def line_winner(self, player):
        return NOBODY


class OddWinner(Pairs):
    def line_winner(self, player):
        return -player


class TruthWins(Pairs):
    def line_winner(self, player):
        return player == 0


class OpenEnd(Pairs):
    full_board = None


class TruthAtEnd(Pairs):
    full_board = True


class LastMoves(Pairs):
    no_moves = WIN


class DrawsLose(Pairs):
    def outcome(self, board):
        if self.has_line(board.theirs):
            return LOSS
        return WIN if board.mine | board.theirs == self.full_mask else None


class FewerMoves(Pairs):
    def moves(self, board):
        for move in super().moves(board):
            if move != 2:
                yield move


class OtherBits(Pairs):
    def bit(self, column, row):
        return 5 - (row * 3 + column)


class WideRows(Pairs):
    @property
    def stride(self):
        return 4


class ShiftedFields(Pairs):
    def space(self):
        return Stones(range(-1, 64), range(-5, 64))


@dataclass(frozen=True)
class NarrowFields(Pairs):
    height: int = 3

    def space(self):
        return Stones(range(256), range(512))


class AnyChoice(Crosses):
    choice = 2


PLACEMENT: list[tuple[type[Game], str | None]] = [
    (MarkOfMover, None),
    (MarkOfOther, None),
    (PairOfMover, "in which the player to move has a line already"),
    (PairOfOther, None),
    (StartsInTurn, None),
    (StartsOutOfTurn, "in which it is the turn of O, by the number of marks"),
    (StartsAlike, None),
    (SharedMark, None),
    (SharedStarts, None),
    (Overlap, "in which a cell has marks of both kinds"),
    (OffTheBoard, "in which a mark is on no cell of the board"),
    (Hanging, "in which a stone is above an empty cell"),
    (OtherTurn, "turn(Stones(mine=0, theirs=0)) is 1, but player_to_move() is 0 there"),
    (ToldTurn, None),
    (OtherMover, "is 1, but without turn() the first player begins"),
    (Passing, "where it is the other player's turn, but player_to_move() is 0 as before"),
    (TwoAtOnce, "where it is the other player's turn, but player_to_move() is 0 as before"),
    (TwoAtOnceAlike, None),
    (TurnField, None),
    (ArrayOfStarts, "starts() gives Stones(mine=4, theirs=4), in which a cell has marks of both"),
    (NoLine, " line among the bits ["),
    (MoreLines, " line among the bits ["),
    (OneSide, " line among the bits ["),
    (Corner, None),
    (OtherCorner, " line among the bits ["),
    (FailingLine, "has_line_of() raised ZeroDivisionError"),
    (SharedLine, " line among the bits ["),
    (BitOffTheBoard, "lines() has the line (0, 6); a line is the bits of its cells"),
    (MaskForBits, "lines() has the line 3; a line is the bits of its cells"),
    (NobodyWins, "line_winner(0) returned -1; return 0 or 1"),
    (OddWinner, "line_winner(1) returned -1; return 0 or 1"),
    (TruthWins, None),
    (OpenEnd, "full_board is None; use WIN, DRAW or LOSS"),
    (TruthAtEnd, "full_board is True; use WIN, DRAW or LOSS"),
    (LastMoves, None),
    (DrawsLose, None),
    (FewerMoves, None),
    (OtherBits, None),
    (WideRows, None),
    (ShiftedFields, None),
    (NarrowFields, "widen space()"),
    (AnyChoice, None),
]


# -- pursuits -------------------------------------------------------------------------------------

STREETS = ((1, 2), (2, 3), (3, 0), (4,), (0,))
ROOFS = ((1,), (0, 2), (1, 3), (4, 2), (3,))


def still_a_pursuit(kind: Any) -> Any:
    """Declare the pursuit of a heist in a class, whatever else the class changes."""
    kind.pursuit = Heist.pursuit
    return kind


@still_a_pursuit
class Caught(Heist):
    def winner(self, spot):
        if spot.thief == spot.guard:
            return 1
        return 0 if spot.thief in self.exits else None


@still_a_pursuit
class Escape(Heist):
    def winner(self, spot):
        if spot.thief in self.exits:
            return NOBODY
        return 1 if spot.thief == spot.guard else None


@still_a_pursuit
class OtherSides(Heist):
    def turn(self, spot):
        return 1 - spot.turn


@still_a_pursuit
class Shy(Heist):
    def moves(self, spot):
        for node in super().moves(spot):
            if spot.turn == 1 or node != spot.guard:
                yield node


@still_a_pursuit
class Leaping(Heist):
    def play(self, spot, node):
        if spot.turn == 0:
            return Spot(1, (node + 1) % 5, spot.guard)
        return super().play(spot, node)


@still_a_pursuit
class OnlyStart(Heist):
    def starts(self):
        return [self.start()]


@still_a_pursuit
class Stuck(Heist):
    no_moves = WIN


@still_a_pursuit
class Paid(Heist):
    def score(self, spot):
        return 1


@still_a_pursuit
class Narrow(Heist):
    def space(self):
        return Spot(range(2), range(2), range(5))


@still_a_pursuit
class Wide(Heist):
    def space(self):
        return Spot(range(2), range(-3, 8), range(9))


@still_a_pursuit
class Helper(Heist):
    def place(self, spot):
        return spot.thief

    def winner(self, spot):
        if self.place(spot) in self.exits:
            return 0
        return 1 if spot.thief == spot.guard else None


class OtherHelper(Helper):
    def place(self, spot):
        return spot.guard


class OtherWinner(Heist):
    def winner(self, spot):
        return 1 if spot.thief == spot.guard else None


@still_a_pursuit
class Late(Heist):
    def start(self):
        return Spot(1, 0, 3)


@still_a_pursuit
class Raising(Heist):
    def winner(self, spot):
        if spot.thief + spot.guard > 7:
            raise ValueError
        return super().winner(spot)


def other_rules(**changes: Any) -> Any:
    """Return a heist that declares something else."""
    told = Heist(STREETS, ROOFS, (4,)).pursuit()
    return Heist(STREETS, ROOFS, (4,), described=replace(told, **changes))


PURSUITS: list[tuple[Any, str | None]] = [
    (Heist, None),
    (Caught, "the player to move loses by the rules, but the player to move wins as declared"),
    (Escape, "the game is a draw by the rules, but the player to move wins as declared"),
    (OtherSides, "turn() returns 1, but it is declared as the turn of player 0"),
    (Shy, "where a declared one does"),
    (Leaping, "which is not declared"),
    (OnlyStart, "starts() returns 1 position, and pursuit() declares 50"),
    (Paid, None),
    (Narrow, "widen space()"),
    (Wide, None),
    (Helper, None),
    (OtherHelper, "the player to move wins by the rules, but the game goes on as declared"),
    (OtherWinner, None),
    (Late, None),
    (Raising, "the rules raise ValueError"),
    (Heist(((1,), (), (1,)), ((1,), (2,), (1,)), (2,)), None),
    (Stuck(((1,), (), (1,)), ((1,), (2,), (1,)), (2,)), "the player to move wins by the rules"),
    (other_rules(safe=(3,)), "the game goes on by the rules, but the player to move wins"),
    (other_rules(forbidden=(3,)), "starts() returns 50 positions, and pursuit() declares 40"),
    (other_rules(graph=ROOFS), "which is not declared"),
    (other_rules(fields=("guard", "thief", "turn")), "correct one of them"),
]


def named(cases: list[Any]) -> list[Any]:
    """Return cases named after their class, or by their number; one of 20 is not slow."""
    named_cases = [
        pytest.param(kind, says, id=getattr(kind, "__name__", f"{type(kind).__name__}-{number}"))
        for number, (kind, says) in enumerate(cases)
    ]
    return some(named_cases, 20, slow=2)


def made(kind: Any) -> Any:
    """Return a game of a class of heists, or the game that is given instead."""
    if isinstance(kind, Game):
        return kind
    return kind(STREETS, ROOFS, (4,)) if issubclass(kind, Heist) else kind()


def check_solved(kind: Any, says: str | None) -> None:
    """Compare a solution with the oracle at every position, or the refusal with a sentence."""
    if says is not None:
        with pytest.raises(RulesError) as refused:
            zermelo.solve(made(kind))
        message = str(refused.value)
        assert message.startswith(type(made(kind)).__name__)
        assert says in message
        assert ";" in message  # and then what to do
        return
    game = made(kind)
    solution = zermelo.solve(game)
    if hasattr(game, "score"):
        margins = {p: margin for p, (margin, _) in oracle.solve_loopy_scores(game).items()}
        assert {p: solution[p].score for p in margins} == margins
    else:
        found = {p: (solution[p].outcome, solution[p].remoteness) for p in solution}
        assert found == oracle.solve(game)
    assert solution.verify(), solution.verify()


@pytest.mark.parametrize(("kind", "says"), named(PLACEMENT))
def test_a_changed_placement_game_is_solved_by_its_rules_or_refused(kind, says):
    """No override gives a value that the rules in Python do not."""
    check_solved(kind, says)


@pytest.mark.parametrize(("kind", "says"), PLACEMENT, ids=range(len(PLACEMENT)))
def test_a_small_placement_game_in_plain_python_is_refused_too(kind, says):
    """What a large game is refused for is found in a small one at all positions."""
    with limits.using(plain_seconds=60.0):
        check_solved(kind, says)


@pytest.mark.parametrize(("kind", "says"), named(PURSUITS))
def test_a_changed_pursuit_is_solved_by_its_rules_or_refused(kind, says):
    """No override gives a value that the rules in Python do not."""
    check_solved(kind, says)


@pytest.mark.slow
def test_one_edge_too_many_of_a_pursuit_is_refused():
    """Each node of a graph that is not large is looked at, for both sides."""
    ring = tuple(((node + 1) % 30, (node + 7) % 30) for node in range(30))
    for name in ("graph", "pursuer_graph"):
        for node in range(1, 23):  # from 23, an edge leads to 0 as it is
            rows = (*ring[:node], (*ring[node], 0), *ring[node + 1 :])
            told = replace(Heist(ring, ring, (0,)).pursuit(), **{name: rows})
            with pytest.raises(RulesError, match=r"where a declared one does; correct one of"):
                zermelo.solve(Heist(ring, ring, (0,), described=told))


@pytest.mark.slow
def test_marks_at_the_start_are_the_first_players():
    """Whoever moves first has ``mine``, wants the first player's lines, and is shown as X."""
    game = MarkOfMover()
    solution = zermelo.solve(game)
    assert (str(solution.value), solution.best()) == ("win in 1", [1])
    assert game.show(solution.start) == "X . . ."
    after = game.play(solution.start, 1)
    assert game.show(after) == "X X . ."
    for board in (solution.start, after, game.play(solution.start, 3)):
        assert game.parse(game.show(board)) == board
    assert str(zermelo.solve(MarkOfOther()).value) == "tie in 3"
    assert MarkOfOther().show(Stones(0, 4)) == ". . O ."


@pytest.mark.parametrize(
    ("kind", "problem", "says"),
    some(
        [
            (OtherCorner, "declaration", "has_line(6) is False, but lines() has a line"),
            (Passing, "turn", "player_to_move() is 0 as before"),
            (Caught, "declaration", "the player to move loses by the rules"),
        ],
        3,
    ),
)
def test_check_finds_what_a_solve_refuses(kind, problem, says):
    """A declaration that differs from the rules is an error of the class."""
    report = zermelo.check(made(kind))
    assert not report
    assert says in next(found.message for found in report.problems if found.kind == problem)
