"""Boards of pits as text, which several games share."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.errors import PositionError

Row = tuple[int, ...]


def show_pits(mine: Row, theirs: Row, player: int, players: Sequence[str]) -> str:
    """Return the board as the first player sees it, and the player to move.

    Args:
        mine: the pits of the player to move, in the order of sowing.
        theirs: those of the other player.
        player: the number of the player to move.
        players: the names of the players.
    """
    first, second = (theirs, mine) if player else (mine, theirs)
    width = len(str(max(*mine, *theirs)))
    rows = (" ".join(f"{seeds:{width}}" for seeds in row) for row in (second[::-1], first))
    return "\n".join([*rows, f"{players[player]} to move"])


def read_pits(
    text: str, pits: int, greatest_sum: int, players: Sequence[str]
) -> tuple[Row, Row, int]:
    """Read a board as ``show_pits`` writes it; without a turn, the first player is to move.

    Args:
        text: two rows of numbers, separated by a line break or a slash, and the player to move.
        pits: the number of pits on a side.
        greatest_sum: the largest number of seeds.
        players: the names of the players.

    Returns:
        The pits of the player to move, those of the other player, and the number of the player to
        move.

    Raises:
        PositionError: the text is not such a board.
    """
    board, player = text.strip(), 0
    for number, name in enumerate(players):
        if board.endswith(f"{name} to move"):
            board, player = board.removesuffix(f"{name} to move"), number
    rows = [row.split() for row in board.replace("/", "\n").splitlines()]
    rows = [row for row in rows if row]
    numbers = [word for row in rows for word in row]
    if [len(row) for row in rows] != [pits, pits] or not all(w.isdecimal() for w in numbers):
        message = (
            f"{text!r} is not two rows of {pits} pits; write the second player's from right to "
            f"left, /, the first player's, and then '{players[0]} to move'"
        )
        raise PositionError(message)
    seeds = sum(map(int, numbers))
    if seeds > greatest_sum:
        message = f"{text!r} has {seeds} seeds; write {greatest_sum} or fewer"
        raise PositionError(message)
    second, first = tuple(map(int, rows[0][::-1])), tuple(map(int, rows[1]))
    return (second, first, 1) if player else (first, second, 0)
