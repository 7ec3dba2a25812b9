"""Boards of python-chess as positions of the zoo's chess endings, and back.

An ending has no castling, no fifty-move rule and no repetition, so the clocks and history of a
board are ignored; a board on which a side may still castle is refused.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from zermelo.errors import MissingExtraError, MoveError, ParameterError, PositionError
from zermelo.games import ChessEnding, RacingKings
from zermelo.games.chess._men import FAIRIES, KNIGHT, LETTERS, NAMES, NONE, OFF, QUEEN, Men

if TYPE_CHECKING:
    import chess

__all__ = ["ending_of", "from_board", "from_move", "to_board", "to_move"]

#: A move of an ending: the squares it comes from and goes to, and the kind of a promoted pawn or 0.
EndingMove = tuple[int, int, int]

#: The sum of a kind of man and the corresponding piece type of python-chess, from queen to knight.
_TYPES = 6
#: The games of python-chess's names of variants.
_VARIANTS = {"chess": ChessEnding, "racingkings": RacingKings}


def ending_of(board: chess.Board) -> ChessEnding:
    """Return the game of an ending that begins with a board.

    Args:
        board: two kings and up to two more men, of chess or of racing kings.

    Returns:
        A ``ChessEnding``, or a ``RacingKings`` for a board of that variant, whose start is the
        board's position.

    Raises:
        MissingExtraError: python-chess is not installed.
        ParameterError: there are more men, a side may castle, or it is another variant.
    """
    library = _library()
    kind = _VARIANTS.get(board.uci_variant or "")
    if kind is None:
        message = f"{board!r} is of the variant {board.uci_variant!r}; give a board of chess"
        raise ParameterError(message)
    sides = []
    for colour in (library.WHITE, library.BLACK):
        men = [
            piece.symbol().upper() for piece in board.piece_map().values() if piece.color is colour
        ]
        sides.append("".join(sorted(men, key="KQRBNP".index)))
    return kind("".join(sides), fen=_fen(board))


def from_board(board: chess.Board, game: ChessEnding) -> Men:
    """Return a board as a position of an ending.

    Args:
        board: the board. It must have no castling rights; its clocks are ignored.
        game: the ending. A board with fewer of its men, or with a promoted pawn, is one of its
            positions, too.

    Raises:
        MissingExtraError: python-chess is not installed.
        PositionError: the board has other men, is not legal, or is of another variant.
    """
    _library()
    if _VARIANTS.get(board.uci_variant or "") is not type(game):
        message = (
            f"{board!r} is of the variant {board.uci_variant!r}, and not of {type(game).__name__}; "
            "give a board of the same rules"
        )
        raise PositionError(message)
    return game.parse(_fen(board))


def to_board(position: Men, game: ChessEnding) -> chess.Board:
    """Return a position of an ending as a board of python-chess.

    Args:
        position: the position.
        game: the ending, which has the colours of the men.

    Returns:
        A ``chess.Board``, or a ``chess.variant.RacingKingsBoard`` if the game is racing kings.

    Raises:
        MissingExtraError: python-chess is not installed.
        PositionError: the position is not legal in the ending, or has a man of fairy chess.
    """
    library = _library()
    if not _is_position(position, game):
        message = f"{position!r} is not a legal position of {game!r}; game.parse reads one"
        raise PositionError(message)
    fairies = {man for man, _ in game.extra} & set(FAIRIES)
    if fairies:
        message = (
            f"{game!r} has a man that python-chess does not know, the {NAMES[min(fairies)]}; use "
            "game.show or game.svg, or an ending without fairy men"
        )
        raise PositionError(message)
    if isinstance(game, RacingKings):
        from chess.variant import RacingKingsBoard

        board: chess.Board = RacingKingsBoard(None)
    else:
        board = library.Board(None)
    extra = zip((position.first, position.second), position[4:6], game.extra, strict=True)
    men = [(square, LETTERS[kind], side) for square, kind, (_, side) in extra if square < OFF]
    kings = ((position.white_king, "K", 0), (position.black_king, "K", 1))
    for square, letter, side in (*kings, *men):
        piece = letter.lower() if side else letter
        board.set_piece_at(square, library.Piece.from_symbol(piece))
    board.turn = library.BLACK if position.side else library.WHITE
    if position.passing:
        board.ep_square = position.first - 8 if position.side else position.second + 8
    return board


def from_move(move: chess.Move) -> EndingMove:
    """Return a move of python-chess as a move of an ending.

    Raises:
        MoveError: it is a null move or a drop, which endings do not have.
    """
    if not move or move.drop is not None:
        message = f"{move!r} is not a move of an ending; give one from a square to another"
        raise MoveError(message)
    return move.from_square, move.to_square, _TYPES - move.promotion if move.promotion else 0


def to_move(move: EndingMove) -> chess.Move:
    """Return a move of an ending as a move of python-chess.

    Raises:
        MissingExtraError: python-chess is not installed.
        MoveError: it is not a move of an ending.
    """
    library = _library()
    if not _is_move(move):
        message = (
            f"{move!r} is not a move of an ending; give two squares from 0 to 63, and what a pawn "
            "becomes, or 0"
        )
        raise MoveError(message)
    origin, destination, promotion = move
    library_move: chess.Move = library.Move(
        origin, destination, _TYPES - promotion if promotion else None
    )
    return library_move


def _is_position(value: object, game: ChessEnding) -> bool:
    """Return whether an object is a legal position of an ending."""
    return isinstance(value, Men) and game.legal(value)


def _is_move(value: object) -> bool:
    """Return whether an object is two squares and the kind of a promoted pawn, or 0."""
    ranges = range(OFF), range(OFF), (NONE, *range(QUEEN, KNIGHT + 1))
    if not isinstance(value, tuple) or len(value) != len(ranges):
        return False
    return all(part in allowed for part, allowed in zip(value, ranges, strict=True))


def _fen(board: chess.Board) -> str:
    """Return a board in Forsyth-Edwards notation, with the square that a pawn has just passed."""
    return board.fen(en_passant="fen")


def _library() -> Any:
    """Import python-chess."""
    if find_spec("chess") is None:
        message = (
            "boards need python-chess, which is not installed; run pip install 'zermelo[chess]'"
        )
        raise MissingExtraError(message)
    import chess

    return chess
