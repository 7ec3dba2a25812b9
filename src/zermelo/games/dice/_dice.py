"""Scores, throws and their pictures, which several games of dice share."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.drawing import FIRST, MARGIN, SECOND, caption, clickable, document

#: Source of a probability that a test computes again from a description of the game.
RECURSION = "computed by a program that shares no code with Zermelo"

#: Source of a probability that nobody else has published, as far as we know.
MEASURED = "solved by Zermelo, and verified by the certificate"

#: The most sides of a die.
MOST_SIDES = 20
_BAR, _ROW = 260, 34


def scoreboard(
    scores: tuple[int, int], goal: int, total: int, player: int, title: str, moves: Sequence[str]
) -> str:
    """Return a picture of two scores as bars, with the total of the turn after the player's.

    Args:
        scores: the points of the first and of the second player.
        goal: the points at the end of a bar.
        total: the points of the turn, which are drawn faintly.
        player: the player, 0 or 1, whose turn it is.
        title: the description for screen readers.
        moves: the names of moves, which are written below to be clicked.
    """
    unit = _BAR / goal
    parts = []
    for row, (score, colour) in enumerate(zip(scores, (FIRST, SECOND), strict=True)):
        y, length = MARGIN + _ROW * row, unit * min(score, goal)
        box = f'y="{y}" height="{_ROW - 10}"'
        parts += [
            f'<rect x="{MARGIN}" {box} width="{_BAR}" opacity=".45"/>',
            f'<rect x="{MARGIN}" {box} width="{length:.1f}" fill="{colour}" stroke="none"/>',
            caption(str(score), MARGIN + _BAR + 20, y + _ROW / 2 - 5, 14),
        ]
        if row == player and total:
            rest = unit * min(total, goal - score)
            bar = f'<rect x="{MARGIN + length:.1f}" {box} width="{rest:.1f}" fill="{colour}" '
            parts += [
                f'{bar}stroke="none" opacity=".45"/>',
                caption(f"+{total}", MARGIN + _BAR + 52, y + _ROW / 2 - 5, 14),
            ]
    bottom, step = MARGIN + 2 * _ROW, max(26, 9 * max(map(len, moves), default=0) + 12)
    for n, name in enumerate(moves):
        x = MARGIN + step * n
        parts += [
            f'<rect x="{x}" y="{bottom}" width="{step - 4}" height="26" rx="6" opacity=".45"/>',
            caption(name, x + step / 2 - 2, bottom + 13, 14),
            clickable(name, x, bottom, step - 4, 26),
        ]
    width = max(2 * MARGIN + _BAR + 66, 2 * MARGIN + step * len(moves))
    return document(parts, (width, bottom + (34 if moves else 0)), title=title)
