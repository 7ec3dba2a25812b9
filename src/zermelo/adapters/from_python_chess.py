"""Chess with few men, and its variants, by the rules of python-chess, explored board by board."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.adapters.finding.states import Facts, StateFunctions
from zermelo.adapters.imported_game import check_legal, import_game, import_library
from zermelo.errors import ParameterError, PositionError

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

#: Shifts in an action's number of the square that a move goes to, the type of a promoted pawn, and
#: the type of a dropped piece; the square that the move comes from has shift 0.
_TARGET_SHIFT, _PROMOTION_SHIFT, _DROP_SHIFT = 6, 12, 15
_SQUARE, _KIND = 63, 7
#: The clocks of python-chess end a game after this many moves, so longer play shows that they are
#: off.
_CLOCKS = 150


def python_chess(
    game: Any = "chess",
    *,
    start: str | None = None,
    opening: Sequence[int] = (),
    max_positions: int = 5_000_000,
    progress: Listener | None = None,
) -> ImportedGame:
    """Return chess with few men, or a variant of it, by the rules of python-chess.

    First all positions are found, through boards of python-chess. There are no clocks: neither
    repeated positions nor moves without a capture end a game, and endless play is a draw.
    Everything else on a board counts, including castling and captures in passing.

    Args:
        game: the name of a variant in python-chess, such as ``"chess"``, ``"antichess"`` or
            ``"atomic"``; or a board to begin with.
        start: the board to begin with, in Forsyth-Edwards notation; needed with the name of a
            variant, because with all men, as play usually begins, there are too many positions.
        opening: actions that are played before the game begins, by their numbers: the square that a
            man leaves, plus 64 times the square that it goes to, plus 4096 times the type of piece
            that a pawn becomes, or 32768 times the type of a dropped piece.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Returns:
        The game. The first player is white.

    Raises:
        MissingExtraError: python-chess is not installed.
        ParameterError: there is no such variant, ``start`` is missing, or the board or an action is
            not legal.
        BudgetError: the game has more positions than ``max_positions``.
    """
    return import_game(ChessSource(game, start, opening), max_positions, progress)


class ChessSource:
    """A variant of python-chess; a batch of states is a list of boards. See ``StateSource``."""

    longest: int | None = _CLOCKS
    complete_key: int | None = 0
    keys: Sequence[str] = ("the men, whose turn it is, castling and captures in passing",)

    def __init__(self, game: Any, start: str | None = None, opening: Sequence[int] = (), /) -> None:
        """Set up a board; the arguments are those of ``python_chess``."""
        library = import_library("chess", "python-chess", "chess")
        if isinstance(game, str):
            board = _board(game, start)
        elif not isinstance(game, library.Board):
            message = f"{game!r} is neither a variant of python-chess nor a board; give one of them"
            raise ParameterError(message)
        elif start is not None:
            message = f"start={start!r} is for a variant, and a board was given; leave it out"
            raise ParameterError(message)
        else:
            board = _clear_history(game.copy(stack=False))
        # Two rooks may give check at once here, though no move leads there.
        unlikely = library.STATUS_TOO_MANY_CHECKERS | library.STATUS_IMPOSSIBLE_CHECK
        if faults := library.Status(board.status() & ~unlikely):
            fault_text = (faults.name or "").lower().replace("_", " ").replace("|", ", ")
            kind = board.uci_variant
            message = (
                f"{board.fen()!r} is not a legal board of {kind}: {fault_text}; give another one"
            )
            raise ParameterError(message)
        self.name = f"python-chess:{board.uci_variant}"
        self._kind, self._standard = type(board), type(board) is library.Board
        for move in opening:
            check_legal(self.name, move, opening, _facts(board)[1])
            _play(board, move)
        # A board includes all that counts of its past, so games that begin with it have one name.
        if board != _clear_history(self._kind()):
            self.name += f" from {board.fen()}"
        self._start = board

    def start(self) -> list[Any]:
        """Return the start; see ``StateSource``."""
        return [self._start.copy()]

    def facts(self, states: list[Any]) -> list[Facts]:
        """Return the facts of boards; see ``StateSource``."""
        return list(map(_facts, states))

    def next_states(self, states: list[Any], indices: list[int], moves: list[int]) -> list[Any]:
        """Return the boards after moves; see ``StateSource``."""
        return [_child(states[i], move) for i, move in zip(indices, moves, strict=True)]

    def state_keys(self, states: list[Any], key: int) -> list[Hashable]:
        """Return the keys of boards; see ``StateSource``."""
        return list(map(self.single_functions(key).key, states))

    def single_functions(self, key: int) -> StateFunctions:  # noqa: ARG002  # there is one
        """Return the functions for one board at a time; see ``SingleSource``."""
        return StateFunctions(_child, _play, _squares if self._standard else self._kind.epd, _facts)

    def observations(self, states: list[Any]) -> list[Hashable] | None:  # noqa: ARG002  # none of them
        """Return None, as nothing is hidden in chess; see ``StateSource``."""
        return None

    def select(self, states: list[Any], indices: Sequence[int]) -> list[Any]:
        """Return some boards; see ``StateSource``."""
        return [states[i] for i in indices]

    def state_text(self, states: list[Any]) -> str:
        """Return a board as python-chess prints it, and the player to move; see ``StateSource``."""
        (board,) = states
        return f"{board}\n{'white' if board.turn else 'black'} to move"

    def move_text(self, state: Callable[[], list[Any]], move: int) -> str:
        """Return a move in standard algebraic notation; see ``StateSource``."""
        (board,) = state()
        return str(board.san(_move(move)))

    def to_library(self, states: list[Any]) -> Any:
        """Return a board; see ``StateSource``."""
        return states[0]

    def from_library(self, state: Any) -> list[Any]:
        """Return a batch of a board; see ``StateSource``."""
        if type(state) is not self._kind:
            message = f"{state!r} is not a board of {self.name}; give a {self._kind.__name__}"
            raise PositionError(message)
        return [state]


def _action(move: Any) -> int:
    """Return the action of a move of python-chess."""
    number = move.from_square | move.to_square << _TARGET_SHIFT
    if move.promotion:
        number |= move.promotion << _PROMOTION_SHIFT
    if move.drop:
        number |= move.drop << _DROP_SHIFT
    return int(number)


def _move(action: int) -> Any:
    """Return the move of python-chess for an action."""
    from chess import Move

    promotion, drop = action >> _PROMOTION_SHIFT & _KIND, action >> _DROP_SHIFT & _KIND
    return Move(
        action & _SQUARE, action >> _TARGET_SHIFT & _SQUARE, promotion or None, drop=drop or None
    )


def _child(board: Any, action: int) -> Any:
    """Return the board after a move."""
    child = board.copy(stack=False)
    _play(child, action)
    return child


def _play(board: Any, action: int) -> None:
    """Make a move on a board."""
    board.push(_move(action))
    _clear_history(board)


def _clear_history(board: Any) -> Any:
    """Clear a board's history and clocks, and return it."""
    board.clear_stack()
    board.halfmove_clock, board.fullmove_number = 0, 1
    return board


def _facts(board: Any) -> Facts:
    """Return the facts of a board: the player to move and the moves, or how the game has ended."""
    moves = list(map(_action, board.legal_moves))
    # Otherwise only clocks and repetitions could end the game; ``outcome`` checks these, too.
    if moves and not (board.is_variant_end() or board.is_insufficient_material()):
        return int(not board.turn), moves, None
    winner = board.outcome().winner
    return -1, [], 0.0 if winner is None else 1.0 if winner else -1.0


def _squares(board: Any) -> Hashable:
    """Return the key of a standard board; it takes a third of the time of ``epd``."""
    white, passed_square = board.occupied_co[True], board.ep_square
    if passed_square is not None and not board.has_legal_en_passant():
        passed_square = None
    men = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
    return (white, *men, board.turn, board.clean_castling_rights(), passed_square)


def _board(variant: str, start: str | None) -> Any:
    """Return a board of a variant.

    Raises:
        ParameterError: there is no such variant, or the text is missing, or not of a board.
    """
    from chess.variant import find_variant

    try:
        kind = find_variant(variant)
    except ValueError:
        message = f"python-chess has no variant {variant!r}; use chess, antichess or atomic"
        raise ParameterError(message) from None
    if start is None:
        message = (
            f"{variant} begins with all its men, and so with far too many positions; say where to "
            f"begin, with few of them: start=, or 'python-chess:{variant} from FEN'"
        )
        raise ParameterError(message)
    try:
        return _clear_history(kind(start))
    except ValueError as error:
        message = f"start={start!r} is not a board of {variant}: {error}; write it in FEN"
        raise ParameterError(message) from None
