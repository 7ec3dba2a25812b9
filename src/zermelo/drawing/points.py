"""Boards of points connected by lines, with men on some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.drawing import CELL, Spot, _mark, caption, clickable, document

__all__ = ["points_board"]

#: The distance in the picture between points one apart.
_UNIT = 64
#: The distance of the outermost points from the edge of the picture.
_EDGE = 32


def points_board(
    spots: Sequence[Spot],
    lines: Iterable[tuple[int, int]],
    marks: str,
    *,
    title: str,
    moves: Sequence[str] = (),
    labels: Sequence[str] = (),
    aside: str = "",
) -> str:
    """Return a picture of points, the lines between them, and the men on them.

    Args:
        spots: the place of each point, from the left and from the top; neighbours are about 1
            apart.
        lines: the pairs of points with a line between them.
        marks: the man on each point: ``X`` for the first player, ``O`` for the second, a dot for
            none.
        title: the description for screen readers.
        moves: for each point, the name of the move made there, or its part of a name.
        labels: for each point, the text beside it.
        aside: a move that is made on no point, such as a pass: its name, to click below.
    """
    places = [(_EDGE + _UNIT * x, _EDGE + _UNIT * y) for x, y in spots]
    path = "".join(
        f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}"
        for a, b in lines
    )
    parts = [f'<path opacity=".45" d="{path}"/>'] if path else []
    for (x, y), man in zip(places, marks, strict=True):
        point = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="currentColor" stroke="none"/>'
        parts.append(point if man == "." else _mark(man, "XO", round(x, 1), round(y, 1)))
    for (x, y), label in zip(places, labels, strict=False):
        parts.append(caption(label, x + 20, y + 18, 11, faint=True))
    half = CELL / 2
    for (x, y), name in zip(places, moves, strict=False):
        parts.append(clickable(name, x - half, y - half, CELL, CELL))
    right, bottom = (max(place[i] for place in places) + _EDGE for i in (0, 1))
    if aside:
        parts.append(caption(aside, _EDGE, bottom + 12, 12))
        parts.append(clickable(aside, _EDGE - half, bottom, CELL, 24))
        bottom += 24
    return document(parts, (right, bottom), title=title)
