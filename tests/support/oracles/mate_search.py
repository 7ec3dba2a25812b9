"""Mates found by looking at every move, with the rules of python-chess and nothing from Zermelo."""

from __future__ import annotations

import chess


class TooLongError(Exception):
    """The search looked at more positions than it may."""


class Mates:
    """Whether the player to move can give mate within a number of moves, whatever is replied.

    Attributes:
        left: positions that may still be looked at.
    """

    def __init__(self, most: int = 10**9) -> None:
        """Create a search without results."""
        self.left = most
        self._least: dict[tuple, int] = {}  # mate within that many moves
        self._not: dict[tuple, int] = {}  # no mate within that many

    def length(self, board: chess.Board, most: int) -> int | None:
        """Return the moves that the shortest mate takes, or None if it takes more than ``most``."""
        for moves in range(1, most + 1):
            if self.within(board, moves):
                return moves
        return None

    def within(self, board: chess.Board, moves: int) -> bool:
        """Whether there is a mate within a number of moves."""
        key = _key(board)
        if self._least.get(key, moves + 1) <= moves:
            return True
        if self._not.get(key, 0) >= moves:
            return False
        self.left -= 1
        if self.left < 0:
            raise TooLongError
        checks = _checks(board)
        other_moves = (
            [move for move in board.legal_moves if move not in checks] if moves > 1 else []
        )
        has_mate = any(self.forces(board, move, moves) for move in [*checks, *other_moves])
        if has_mate:
            self._least[key] = moves
        else:
            self._not[key] = moves
        return has_mate

    def forces(self, board: chess.Board, move: chess.Move, moves: int) -> bool:
        """Whether a move leads to mate within a number of moves, of which it is the first."""
        board.push(move)
        try:
            replies = list(board.legal_moves)
            if not replies:
                return board.is_check()
            if moves == 1:
                return False
            for reply in replies:
                board.push(reply)
                try:
                    if not self.within(board, moves - 1):
                        return False
                finally:
                    board.pop()
            return True
        finally:
            board.pop()


def _checks(board: chess.Board) -> list[chess.Move]:
    return [move for move in board.legal_moves if board.gives_check(move)]


def _key(board: chess.Board) -> tuple:
    return (
        board.turn,
        board.ep_square if board.has_legal_en_passant() else None,
        *(board.pieces_mask(kind, side) for side in (True, False) for kind in range(1, 7)),
    )
