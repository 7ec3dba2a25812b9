"""Slips that leave a game a game: a hint where the whole of it has a suspicious shape."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.games.small_games import Heap, uncompiled, well_said
from zermelo import DRAW, LOSS, NOBODY, Game, check, put
from zermelo.games import ChalkboardXor, TakeAway


class Board(NamedTuple):
    """A row of cells, and whose turn it is."""

    cells: tuple[int, ...]
    turn: int


class Row(Game):
    """Two players mark four cells; whoever has two neighbouring ones wins."""

    def start(self) -> Any:
        return Board((0,) * 4, 0)

    def turn(self, board: Any) -> Any:
        return board.turn

    def winner(self, board: Any) -> Any:
        for cell in range(3):
            if board.cells[cell] and board.cells[cell] == board.cells[cell + 1]:
                return board.cells[cell] - 1
        return None if 0 in board.cells else NOBODY

    def moves(self, board: Any) -> Any:
        for cell in range(4):
            if board.cells[cell] == 0:
                yield cell

    def play(self, board: Any, cell: Any) -> Any:
        return Board(put(board.cells, cell, 1 + board.turn), 1 - board.turn)

    def show(self, board: Any) -> str:
        return "".join(".XO"[mark] for mark in board.cells)


class Returned(Heap):
    """The first move is returned inside the loop."""

    def moves(self, left: Any) -> Any:
        for taken in range(1, min(2, left) + 1):
            return [taken]
        return []


class Occupied(Row):
    """Marks are put on marks."""

    def moves(self, board: Any) -> Any:
        return range(4)


class Masks(NamedTuple):
    """The cells of the player to move, and those of the other, one bit a cell."""

    mine: int
    theirs: int


class OccupiedMask(Row):
    """The same where each player has a mask, and a full board is the end."""

    turn = winner = None

    def start(self) -> Any:
        return Masks(0, 0)

    def outcome(self, board: Any) -> Any:
        return LOSS if board.theirs in (3, 6, 12) else DRAW if board.mine == 9 else None

    def play(self, board: Any, cell: Any) -> Any:
        return Masks(board.theirs, board.mine | 1 << cell)

    def moves(self, board: Any) -> Any:
        return range(4)

    def show(self, board: Any) -> str:
        return f"{board.mine:04b} {board.theirs:04b}"


class Blind(Row):
    """No line is ever found."""

    no_moves = DRAW

    def winner(self, board: Any) -> Any:
        return 0 if 3 in board.cells else None


class OneSided(Row):
    """Whoever completes a line, the first player wins."""

    def winner(self, board: Any) -> Any:
        return 0 if super().winner(board) is not None else None


class Counted(Row):
    """The board is filled, and no line counts: all games have as many moves."""

    turn = winner = None


class Over(Heap):
    """The heap is empty."""

    def start(self) -> Any:
        return 0


class Lost(Heap):
    """The player to move has lost."""

    def outcome(self, left: Any) -> Any:
        return LOSS

    def moves(self, left: Any) -> Any:
        return []


_HINTS = {
    Returned: "no position of 8 has two moves, so there is nothing to choose: moves(7) gives 1 alo",
    Occupied: "each move puts a mark on the board, and play(Board(cells=(1, 0, 0, 0), turn=1), 0) ",
    OccupiedMask: "each move puts a mark on the board, and play(Masks(mine=0, theirs=1), 0) puts ",
    Blind: "winner() is None at all 35 positions that were checked, so that games end only where ",
    OneSided: "every game is won by the first player, whatever the moves: so it is at all 9 ends, ",
    Counted: "every game is won by the second player, whatever the moves: so it is at all 6 ends,",
    Over: "moves(0) yields no move at the start, so the game is over before it begins; let it",
    Lost: "outcome(7) gives LOSS at the start, so the game is over before it begins; return None ",
}


@pytest.mark.parametrize("kind", _HINTS, ids=lambda kind: kind.__name__)
def test_a_suspicious_shape_gets_a_hint(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is one hint, and no error."""
    uncompiled(monkeypatch)
    report = check(kind)
    assert report.ok
    assert well_said(report.problems[0]).message.startswith(_HINTS[kind])
    assert len(report.problems) == 1


@pytest.mark.parametrize(
    "game",
    [Row(), ChalkboardXor(), TakeAway(12, 3)],
    ids=lambda game: type(game).__name__,
)
def test_right_games_get_no_hint(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is in the whole zoo, as its own tests show."""
    uncompiled(monkeypatch)
    assert check(game, max_positions=1500).problems == ()
