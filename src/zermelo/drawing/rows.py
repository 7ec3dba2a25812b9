"""Rows of counters, as heaps are laid out on a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zermelo.drawing import FIRST, MARGIN, caption, clickable, document

__all__ = ["counters"]

#: How far counters lie apart.
STEP = 24
#: The most counters that are drawn in a row, and the most rows.
MOST_COUNTERS, MOST_ROWS = 60, 30

#: Given a row and a place in it, from 0, what a click there adds to the name of a move.
Click = Callable[[int, int], str]


def counters(
    heaps: Sequence[int],
    *,
    title: str,
    labels: Sequence[str] = (),
    moves: Sequence[Click] = (),
    between: Click | None = None,
) -> str:
    """Draw heaps as rows of counters with their numbers; of very large ones, only these are true.

    Args:
        heaps: how many counters each row has.
        title: what the picture shows, for screen readers.
        labels: what to write before each row.
        moves: the moves that are made by clicking a counter, or at the place after the last one,
            the number; with several of them, those by the first click, by the second, ….
        between: the moves that are made by clicking between a counter and the one before it.
    """
    shown = heaps[:MOST_ROWS]
    indent = MARGIN + 10 * max(map(len, labels), default=0)
    parts, spots = [], []
    for row, count in enumerate(shown):
        top, drawn = MARGIN + STEP * row, min(count, MOST_COUNTERS)
        middle = top + STEP / 2
        if row < len(labels):
            parts.append(caption(labels[row], indent / 2, middle, 12, faint=True))
        for place in range(drawn):
            x = indent + STEP * (place + 0.5)
            parts.append(
                f'<circle cx="{x}" cy="{middle}" r="{STEP / 2 - 3}" style="fill:{FIRST}"/>'
            )
        parts.append(caption(str(count), indent + STEP * (drawn + 0.5), middle, 12))
        for place in range(drawn + 1):
            x, counter = indent + STEP * place, place if place < drawn else count
            spots += [clickable(move(row, counter), x, top, STEP, STEP) for move in moves]
            if between is not None and 0 < place < drawn:
                spots.append(clickable(between(row, place), x - STEP / 6, top, STEP / 3, STEP))
    widest = min(max(shown, default=0), MOST_COUNTERS)
    size = (indent + STEP * (widest + 1) + MARGIN, 2 * MARGIN + STEP * max(1, len(shown)))
    return document([*parts, *spots], size, title=title)
