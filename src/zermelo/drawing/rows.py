"""Rows of counters, for heaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zermelo.drawing import FIRST, MARGIN, caption, clickable, document

__all__ = ["counters"]

#: The distance between counters.
STEP = 24
#: The most counters that are drawn in a row, and the most rows.
MOST_COUNTERS, MOST_ROWS = 60, 30

#: Returns, for a row and an index in it, from 0, the part of a move's name for a click there.
Click = Callable[[int, int], str]


def counters(
    heaps: Sequence[int],
    *,
    title: str,
    labels: Sequence[str] = (),
    moves: Sequence[Click] = (),
    between: Click | None = None,
) -> str:
    """Return a picture of heaps as rows of counters with their numbers.

    Large heaps are abbreviated.

    Args:
        heaps: the number of counters in each row.
        title: the description for screen readers.
        labels: the text before each row.
        moves: the moves that are made by a click on a counter, or on the number after the last one;
            with several functions, those for the first click, the second, ….
        between: the moves that are made by a click between a counter and the one before it.
    """
    visible = heaps[:MOST_ROWS]
    indent = MARGIN + 10 * max(map(len, labels), default=0)
    parts, spots = [], []
    for row, count in enumerate(visible):
        top, drawn_count = MARGIN + STEP * row, min(count, MOST_COUNTERS)
        middle = top + STEP / 2
        if row < len(labels):
            parts.append(caption(labels[row], indent / 2, middle, 12, faint=True))
        for place in range(drawn_count):
            x = indent + STEP * (place + 0.5)
            parts.append(
                f'<circle cx="{x}" cy="{middle}" r="{STEP / 2 - 3}" style="fill:{FIRST}"/>'
            )
        parts.append(caption(str(count), indent + STEP * (drawn_count + 0.5), middle, 12))
        for place in range(drawn_count + 1):
            x, counter = indent + STEP * place, place if place < drawn_count else count
            spots += [clickable(move(row, counter), x, top, STEP, STEP) for move in moves]
            if between is not None and 0 < place < drawn_count:
                spots.append(clickable(between(row, place), x - STEP / 6, top, STEP / 3, STEP))
    widest = min(max(visible, default=0), MOST_COUNTERS)
    size = (indent + STEP * (widest + 1) + MARGIN, 2 * MARGIN + STEP * max(1, len(visible)))
    return document([*parts, *spots], size, title=title)
