"""Checks of what the rules of ``PlacementGame`` rely on, and no solver checks again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from zermelo.errors import RulesError
from zermelo.game.contract import declared_starts
from zermelo.game.placement import (
    MarkingGame,
    PlacementGame,
    base_of,
    begins_empty,
    marks_of,
)
from zermelo.values.outcomes import DRAW, LOSS, WIN

#: The most starts that are checked.
_STARTS = 1000


def check_placement(game: PlacementGame) -> None:
    """Check the assumptions of the inherited ``outcome`` of a placement game.

    Raises:
        RulesError: a player or an outcome is invalid, or a start is not a board on which the
            player to move has no line yet.
    """
    if type(game).outcome is not base_of(game).outcome:
        return
    name = type(game).__name__
    for player in range(2):
        winner = game.line_winner(player)
        if winner not in (0, 1):
            message = f"{name}.line_winner({player}) returned {winner!r}; return 0 or 1"
            raise RulesError(message)
    full: Any = game.full_board
    if isinstance(full, bool) or full not in (WIN, DRAW, LOSS):
        message = f"{name}.full_board is {full!r}; use WIN, DRAW or LOSS"
        raise RulesError(message)
    if begins_empty(game):
        return
    for hook, board in _some_starts(game):
        fault = _fault_of_marks(game, board)
        if fault is None and not isinstance(game, MarkingGame):  # whose marks belong to neither
            fault = _fault_of_sides(game, board)
        if fault is not None:
            message = f"{name}.{hook}() gives {board!r}, in which {fault}"
            raise RulesError(message)


def fault_of_turns(
    game: PlacementGame, position: Any, children: Iterable[Any], owner: int | None
) -> str | None:
    """Return how ``player_to_move`` differs from the turn though lines depend on it, or None.

    Args:
        game: the game, with rules of its own.
        position: a position.
        children: its successors.
        owner: the player to move, or None if the players alternate without ``turn``.
    """
    if type(game).outcome is not base_of(game).outcome or not _sides_differ(game):
        return None
    remedy = "outcome() goes by that, so override player_to_move()"
    player = game.player_to_move(position)
    if owner is not None:
        if player == owner:
            return None
        return (
            f"turn({position!r}) is {owner}, but player_to_move() is {player} there; {remedy} to "
            "return self.turn(board)"
        )
    if position == game.start() and player:
        return (
            f"player_to_move({position!r}) is 1, but without turn() the first player begins; "
            "return 0 there"
        )
    for child in children:
        if game.player_to_move(child) == player:
            return (
                f"a move from {position!r} leads to {child!r}, where it is the other player's "
                f"turn, but player_to_move() is {player} as before; {remedy}"
            )
    return None


def fault_of_lines(game: PlacementGame, position: Any) -> str | None:
    """Return how ``has_line`` or ``has_line_of`` differs from the declared lines, or None.

    Args:
        game: the game, without rules of its own.
        position: a position, with the marks to check.
    """
    hook = own_line_hook(game)
    if hook is None:
        return None
    first, second = marks_of(game, position)
    player = 1 - game.player_to_move(position)
    if not isinstance(game, MarkingGame):
        return fault_of_line(game, hook, player, second)
    return fault_of_line(game, hook, player, first) or fault_of_line(game, hook, player, second)


def own_line_hook(game: PlacementGame) -> str | None:
    """Return the author's ``has_line`` or ``has_line_of``, if the rules call it, or None."""
    kind, is_marking_game = type(game), isinstance(game, MarkingGame)
    if not is_marking_game and kind.has_line_of is not PlacementGame.has_line_of:
        return "has_line_of"
    return None if kind.has_line is PlacementGame.has_line else "has_line"


def fault_of_line(game: PlacementGame, hook: str, player: int, marks: int) -> str | None:
    """Return how a hook differs from the lines for some marks of a player, or None.

    Args:
        game: the game.
        hook: ``has_line`` or ``has_line_of``.
        player: whose marks they are.
        marks: the marks, one bit a cell.
    """
    right = any(marks & line == line for line in game.masks_by_player[player])
    arguments = (marks,) if hook == "has_line" else (player, marks)
    answer = getattr(game, hook)(*arguments)
    if bool(answer) == right:
        return None
    bits = [bit for bit in range(marks.bit_length()) if marks >> bit & 1]
    return (
        f"{hook}({', '.join(map(str, arguments))}) is {answer!r}, but lines() has "
        f"{'a' if right else 'no'} line among the bits {bits!r}; make them agree"
    )


def _some_starts(game: Any) -> Iterator[tuple[str, Any]]:
    """Yield the starting boards to check, each with the hook that gives it."""
    start = game.start()
    yield "start", start
    for board in islice(declared_starts(game), _STARTS) if hasattr(game, "starts") else ():
        yield "starts", board if isinstance(board, type(start)) else type(start)(*board.tolist())


def _fault_of_marks(game: PlacementGame, board: Any) -> str | None:
    """Return a fault in the marks on a board, with advice, or None."""
    first, second = marks_of(game, board)
    marks = first | second
    if first & second:
        return "a cell has marks of both kinds; give each cell one mark"
    if marks & ~game.full_mask:
        return "a mark is on no cell of the board; use self.bit(column, row) for each cell"
    for column in range(game.width) if game.gravity else ():
        stack = [marks >> game.bit(column, row) & 1 for row in range(game.height)]
        if stack != sorted(stack, reverse=True):
            return "a stone is above an empty cell; move it down"
    return None


def _fault_of_sides(game: PlacementGame, board: Any) -> str | None:
    """Return why the marks of a start cannot be those of the players, or None."""
    player, start = game.player_to_move(board), game.start()
    if game.has_line_of(player, board.mine):
        return (
            "the player to move has a line already, and outcome() looks for lines of the other "
            "player only; give a board without that line"
        )
    lead = (board.mine.bit_count() - board.theirs.bit_count()) * (1 - 2 * player)
    in_turn = lead - player == start.mine.bit_count() - start.theirs.bit_count()
    counts = type(game).player_to_move is PlacementGame.player_to_move
    if in_turn or not counts or not _sides_differ(game):
        return None
    return (
        f"it is the turn of {game.players[player]}, by the number of marks, who cannot have these "
        "marks by then from start(); give starts with the same player to move, or override "
        "player_to_move()"
    )


def _sides_differ(game: PlacementGame) -> bool:
    """Return whether the owner of a line matters."""
    own = type(game).has_line_of is not PlacementGame.has_line_of
    return game.lines_differ or own or game.line_winner(0) == game.line_winner(1)
