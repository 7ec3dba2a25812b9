"""Boards with pits of seeds, for sowing games."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from zermelo.drawing import FIRST, MARGIN, SECOND, caption, clickable, document

__all__ = ["pits_board", "pits_row"]

PIT = 56
#: The most seeds in a pit that are drawn; more are only a number.
_MOST_SEEDS = 12
#: The angle between one seed and the next, so that they fill a pit evenly.
_GOLDEN = pi * (3 - 5**0.5)


def pits_board(
    mine: Sequence[int],
    theirs: Sequence[int],
    player: int,
    *,
    title: str,
    stores: bool = False,
) -> str:
    """Return a picture of two rows of pits from the first player's view, with the own pits below.

    Args:
        mine: seeds in the pits of the player to move, in the order of sowing.
        theirs: seeds in the other player's pits.
        player: the player to move, 0 or 1; a click on a pit of that row is the move ``pit 1``, ….
        title: the description for screen readers.
        stores: whether to draw a store at each end.
    """
    first, second = (theirs, mine) if player else (mine, theirs)
    count, left = len(first), MARGIN + (PIT if stores else 0)
    width = 2 * left + PIT * count
    height = 2 * MARGIN + 2 * PIT
    parts = [f'<rect x="2" y="2" width="{width - 4}" height="{height - 4}" rx="24" opacity=".45"/>']
    if stores:
        parts += [
            f'<rect x="{x}" y="{MARGIN + 6}" width="{PIT - 12}" height="{2 * PIT - 12}" rx="20" '
            'opacity=".45"/>'
            for x in (MARGIN + 6, width - MARGIN - PIT + 6)
        ]
    for row, seeds, colour in ((0, second[::-1], SECOND), (1, first, FIRST)):
        for column, number in enumerate(seeds):
            x, y = left + PIT * (column + 0.5), MARGIN + PIT * (row + 0.5)
            parts += _pit(number, x, y, colour)
            if row == 1 - player:
                pit = column if row else count - 1 - column
                parts.append(clickable(f"pit {pit + 1}", x - PIT / 2, y - PIT / 2, PIT, PIT))
    return document(parts, (width, height), title=title)


def pits_row(seeds: Sequence[int], *, title: str, moves: Sequence[str] = ()) -> str:
    """Return a picture of one row of pits.

    Args:
        seeds: the number of seeds of each pit, from the left.
        title: the description for screen readers.
        moves: for each pit, the name of the move that is made by clicking it.
    """
    width, height = 2 * MARGIN + PIT * len(seeds), 2 * MARGIN + PIT
    parts = [f'<rect x="2" y="2" width="{width - 4}" height="{height - 4}" rx="24" opacity=".45"/>']
    for column, number in enumerate(seeds):
        parts += _pit(number, MARGIN + PIT * (column + 0.5), MARGIN + PIT / 2, FIRST)
    for column, name in enumerate(moves):
        parts.append(clickable(name, MARGIN + PIT * column, MARGIN, PIT, PIT))
    return document(parts, (width, height), title=title)


def _pit(number: int, x: float, y: float, colour: str) -> list[str]:
    parts = [f'<circle cx="{x}" cy="{y}" r="{PIT / 2 - 4}"/>']
    seed_count = number if number <= _MOST_SEEDS else 0
    for seed in range(seed_count):
        away, angle = 5 * (seed + 0.4) ** 0.5, _GOLDEN * seed
        parts.append(
            f'<circle cx="{x + away * cos(angle):.1f}" cy="{y - 5 + away * sin(angle):.1f}" '
            f'r="3.5" stroke="none" style="fill:{colour}"/>'
        )
    parts.append(caption(str(number), x, y + 17 if seed_count else y, 11 if seed_count else 16))
    return parts
