"""A position as a terminal shows it: as the game writes it, with coordinates where moves use them.

Nothing here asks a game for more than its text: a board is recognised by its shape, rows of single
characters with a space between them, and coordinates by the names of moves, such as ``a3`` or
``b1c3``, if these moves change those squares. Files are lettered from the left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import click

from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.rules.view import RulesView
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Options

#: How an outcome is marked: its sign is for those who do not see the colour.
_MARKS = {
    "win": ("+", "green"),
    "draw": ("=", "yellow"),
    "loss": ("-", "red"),
    "unknown": ("?", "bright_black"),
}
_SQUARE = re.compile(r"[a-z]\d+")
#: The text of a square: a single character, or such as ``X3``, or a stack such as ``XOX``.
_CELL = re.compile(r"\S|(?=\S*\d)\S+|[A-Z]+")
#: Columns of the smallest board, and of the widest, as there are letters.
_NARROWEST, _WIDEST = 2, len(ascii_lowercase)
#: Rows of the smallest board.
_SMALLEST = 2
#: Characters of what a result of chance changes.
_LONGEST_CHANGE = 60
#: Moves that are tried to check the coordinates of squares.
_MOVES = 12


def board(rules: RulesView, start: Any, position: Any) -> str:
    """Return a position as text, with coordinates if the moves from the start name squares.

    Args:
        rules: the rules.
        start: the position that the game begins in, whose moves say how squares are named.
        position: the position to show.
    """
    text = rules.terminal_text(position)
    for upwards in (True, False):  # ranks count from the bottom, or as in Othello from the top
        if _is_consistent(rules, start, upwards=upwards):
            return add_coordinates(text, upwards=upwards)
    return text


def add_coordinates(text: str, *, upwards: bool = True) -> str:
    """Return a text with letters below its board and numbers beside it, if it has just one board.

    Args:
        text: how the game shows a position.
        upwards: whether ranks are counted from the bottom.
    """
    rows = text.splitlines()
    place = _board_rows(rows)
    if place is None:
        return text
    first, last = place
    cells = [row.split() for row in rows[first:last]]
    height, width = len(cells), len(cells[0])
    margin = len(str(height))
    columns = [max(map(len, column)) for column in zip(*cells, strict=True)]
    labels = range(height, 0, -1) if upwards else range(1, height + 1)
    grid = [[str(label), *row] for label, row in zip(labels, cells, strict=True)]
    grid.append(["", *ascii_lowercase[:width]])
    lines = [
        " ".join([f"{label:>{margin}}", *(f"{c:{w}}" for c, w in zip(row, columns, strict=True))])
        for label, *row in grid
    ]
    around = [[f"{'':{margin}} {row}" for row in part] for part in (rows[:first], rows[last:])]
    return "\n".join(line.rstrip() for line in (*around[0], *lines, *around[1]))


def _is_consistent(rules: RulesView, start: Any, *, upwards: bool) -> bool:
    """Return whether moves from the start change the squares that they name."""
    cells_before = _cells(rules.position_text(start), upwards=upwards)
    names_squares = False
    for move in rules.moves(start)[:_MOVES]:
        squares = set(_SQUARE.findall(rules.move_name(move)))
        if not squares:
            if rules.move_name(move) == "pass":
                continue
            return False
        cells_after = _cells(rules.position_text(rules.play(start, move)), upwards=upwards)
        changed = {
            square for square in cells_before if cells_before[square] != cells_after.get(square)
        }
        if (
            len(cells_after) != len(cells_before)
            or not squares <= set(cells_before)
            or not squares & changed
        ):
            return False
        names_squares = True
    return names_squares


def _cells(text: str, *, upwards: bool) -> dict[str, str]:
    """Return the text of each square of a board, by its name."""
    rows = text.splitlines()
    place = _board_rows(rows)
    if place is None:
        return {}
    first, last = place
    return {
        f"{file}{last - at if upwards else at - first + 1}": cell
        for at in range(first, last)
        for file, cell in zip(ascii_lowercase, rows[at].split(), strict=False)
    }


def option_lines(options: Options, position: Any = None) -> Iterator[str]:
    """Return a line for each move with its value, and a sign for its outcome.

    In a game with chance, a move has its loss against the best, and a result of chance the change
    that it makes. With values of partizan games, a move has its role in the canonical form.

    Args:
        options: the moves, best first.
        position: the position, for the changes by chance.
    """
    width = max((len(option.name) for option in options), default=0)
    texts = [_value_text(option.value) for option in options]
    value_width = max(map(len, texts), default=0)
    for option, text, role in zip(options, texts, options.notes, strict=True):
        sign, colour = _MARKS[option.value.word]
        note = role
        if option.odds is not None:
            note = change_text(position, option.position)
        elif isinstance(option.value, ExpectedValue):
            note = _loss_text(options[0].value, option.value)
        cell = f"{sign} {text:{value_width}}  {note}".rstrip()
        yield f"  {option.name:{width}}  {click.style(cell, fg=colour)}"
    if options.undecided:
        names = [option.name for option in options.best_options]
        phrase = f"{', '.join(names[:-1])} and {names[-1]}"
        yield f"{phrase} may each be best; --precision with a smaller number may tell"


def change_text(position: Any, child: Any) -> str:
    """Return what chance changes: fields with their new values, or the whole new position."""
    fields = getattr(child, "_fields", ())
    changes = [
        f"{name}={getattr(child, name)!r}"
        for name in fields
        if position is None or getattr(child, name) != getattr(position, name)
    ]
    text = ", ".join(changes) if fields else repr(child)
    return text if len(text) <= _LONGEST_CHANGE else f"{text[: _LONGEST_CHANGE - 1]}…"


def _value_text(value: Value) -> str:
    """Return a value in words; the probability of a win in percent."""
    if isinstance(value, ExpectedValue) and not value.is_scored:
        return f"{(Decimal(value.number_text) * 100).normalize():f} %"
    return str(value)


def loss_of(best: Value, value: ExpectedValue) -> float:
    """Return what a move gives away against the best one at least: probability, or margin."""
    lost: float = max(0.0, best.bounds[0] - value.bounds[1])
    return lost if value.is_scored else lost / 2


def _loss_text(best: Value, value: ExpectedValue) -> str:
    """Return what a move gives away against the best one at least, or ""."""
    lost = loss_of(best, value)
    if not lost:
        return ""
    return f"loses {lost:.3g}" if value.is_scored else f"loses {100 * lost:.3g} %"


def bold_text(text: str) -> str:
    """Return a text that is bold on a terminal."""
    return click.style(text, bold=True)


def _board_rows(rows: Sequence[str]) -> tuple[int, int] | None:
    """Return the first and last row of the only board: rows with the same number of columns."""
    boards: list[tuple[int, int]] = []
    first = 0
    while first < len(rows):
        last, columns = first, rows[first].count(" ")
        while last < len(rows) and _is_row(rows[last]) and rows[last].count(" ") == columns:
            last += 1
        if last - first >= _SMALLEST:
            boards.append((first, last))
        first = max(last, first + 1)
    return boards[0] if len(boards) == 1 else None


def _is_row(text: str) -> bool:
    """Return whether a line is a row of a board: cells with one space between them."""
    cells = text.split(" ")
    return _NARROWEST <= len(cells) <= _WIDEST and all(map(_CELL.fullmatch, cells))
