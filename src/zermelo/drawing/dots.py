"""Boards of dots connected by lines."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.drawing import CELL, FIRST, MARGIN, clickable, document

__all__ = ["dots_board"]

#: The distance from the middle of a line at which it can be clicked.
_NEAR = 10


def dots_board(
    shape: tuple[int, int],
    ends: Sequence[tuple[int, int]],
    drawn: Sequence[bool],
    boxes: Sequence[bool],
    *,
    title: str,
    moves: Sequence[str],
) -> str:
    """Return a picture of dots, the lines between them, and the closed boxes.

    Args:
        shape: the rows and columns of boxes; dots are one more each way.
        ends: the two dots that each line joins, numbered row by row.
        drawn: whether each line is drawn; the others are faint.
        boxes: whether each box is closed, row by row.
        title: the description for screen readers.
        moves: for each line, the name of the move that draws it.
    """
    rows, columns = shape
    left = top = MARGIN + 6

    def place(dot: int) -> tuple[int, int]:
        row, column = divmod(dot, columns + 1)
        return left + CELL * column, top + CELL * row

    parts = []
    for box, closed in enumerate(boxes):
        if closed:
            row, column = divmod(box, columns)
            parts.append(
                f'<rect x="{left + CELL * column}" y="{top + CELL * row}" width="{CELL}" '
                f'height="{CELL}" stroke="none" opacity=".3" style="fill:{FIRST}"/>'
            )
    for (a, b), is_drawn in zip(ends, drawn, strict=True):
        (x, y), (u, v) = place(a), place(b)
        look = 'stroke-width="4"' if is_drawn else 'opacity=".25" stroke-dasharray="2 5"'
        parts.append(f'<path d="M{x} {y}L{u} {v}" {look}/>')
    for dot in range((rows + 1) * (columns + 1)):
        x, y = place(dot)
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="currentColor" stroke="none"/>')
    for (a, b), name in zip(ends, moves, strict=True):
        (x, y), (u, v) = place(a), place(b)
        corner = (x - _NEAR if x == u else x + _NEAR, y - _NEAR if y == v else y + _NEAR)
        long = CELL - 2 * _NEAR
        size = (2 * _NEAR, long) if x == u else (long, 2 * _NEAR)
        parts.append(clickable(name, *corner, *size))
    return document(parts, (2 * left + CELL * columns, 2 * top + CELL * rows), title=title)
