"""Boards of six-sided cells, for Hex, Y and Abalone."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from zermelo.drawing import FIRST, MARGIN, SECOND, caption, clickable_polygon, document

__all__ = ["hexes"]

#: The distance from the middle of a cell to its corners.
_RADIUS = 23
_WIDE = _RADIUS * 3**0.5
_CORNERS = [(_RADIUS * sin(k * pi / 3), -_RADIUS * cos(k * pi / 3)) for k in range(6)]
#: The corners of the clickable area, within the lines of a cell.
_INNER = [(0.95 * across, 0.95 * down) for across, down in _CORNERS]
#: The sides of a cell that face up, and so on, by their corners.
_UP, _DOWN, _LEFT, _RIGHT = (5, 0, 1), (2, 3, 4), (3, 4, 5), (0, 1, 2)


def hexes(
    rows: Sequence[str],
    *,
    title: str,
    indents: Sequence[int],
    discs: str = "",
    goals: bool = False,
    moves: Sequence[Sequence[str]] = (),
) -> str:
    """Return a picture of rows of six-sided cells, which stand on a corner.

    Args:
        rows: the cells, one character each, the top row first. A dot is an empty cell; a character
            that is not among ``discs`` is written into its cell.
        title: the description for screen readers.
        indents: the half cells by which each row is shifted right: 0, 1, 2 … for a rhombus.
        discs: the character drawn as the first player's disc, then the second player's.
        goals: whether to mark the upper and the lower edge with the first player's colour, and the
            left and the right edge with the second's.
        moves: for each cell, row by row as ``rows``, the name of the move made there, or its part
            of a name.
    """
    first = MARGIN + 4 + _WIDE / 2

    def middle(row: int, column: int) -> tuple[float, float]:
        x = first + _WIDE * (column + indents[row] / 2)
        return x, MARGIN + 4 + _RADIUS * (1 + 1.5 * row)

    cells = [
        (*middle(row, column), mark)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
    ]
    outline = " ".join(
        "M" + "L".join(_corner(x, y, k) for k in range(6)) + "Z" for x, y, _ in cells
    )
    parts = [f'<path opacity=".45" d="{outline}"/>']
    if goals:
        tops = [middle(0, column) for column in range(len(rows[0]))]
        bottoms = [middle(len(rows) - 1, column) for column in range(len(rows[-1]))]
        lefts = [middle(row, 0) for row in range(len(rows))]
        rights = [middle(row, len(marks) - 1) for row, marks in enumerate(rows)]
        parts += [_edge(tops, _UP, FIRST), _edge(bottoms, _DOWN, FIRST)]
        parts += [_edge(lefts, _LEFT, SECOND), _edge(rights, _RIGHT, SECOND)]
    parts += [_mark(mark, discs, x, y) for x, y, mark in cells if mark != "."]
    parts += [
        clickable_polygon(name, [(x + across, y + down) for across, down in _INNER])
        for (x, y, _), name in zip(cells, [name for names in moves for name in names], strict=False)
    ]
    right, low = max(x for x, _, _ in cells), max(y for _, y, _ in cells)
    return document(
        parts, (right + _WIDE / 2 + MARGIN + 4, low + _RADIUS + MARGIN + 4), title=title
    )


def _corner(x: float, y: float, k: int) -> str:
    across, down = _CORNERS[k]
    return f"{x + across:.1f} {y + down:.1f}"


def _edge(middles: Sequence[tuple[float, float]], corners: Sequence[int], colour: str) -> str:
    lines = "".join("M" + "L".join(_corner(x, y, k) for k in corners) for x, y in middles)
    return f'<path d="{lines}" stroke-width="4" stroke-linecap="round" style="stroke:{colour}"/>'


def _mark(mark: str, discs: str, x: float, y: float) -> str:
    if discs.startswith(mark):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="14" style="fill:{FIRST}"/>'
    if mark in discs:
        ring = (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" stroke-width="8" style="stroke:{SECOND}"/>'
        )
        return ring + "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>' for r in (6, 14))
    return caption(mark, x, y, 16)
