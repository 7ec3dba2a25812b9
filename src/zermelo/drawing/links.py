"""Pictures of points connected by links, which players take."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from zermelo.drawing import (
    FIRST,
    SECOND,
    Spot,
    caption,
    clickable_polygon,
    document,
    touch_size,
)

__all__ = ["links", "round_spots"]

#: The distance of the outermost points from the edge of the picture.
_EDGE = 24
#: The styles of links, by owner; the second player's are dashed, to differ without colour.
_LOOKS = {
    "first": f'stroke-width="5" style="stroke:{FIRST}"',
    "second": f'stroke-width="5" stroke-dasharray="9 3" style="stroke:{SECOND}"',
    "both": 'stroke-width="5" stroke-dasharray="3 3" style="stroke:var(--zermelo-both,#2f8a4c)"',
    "free": 'opacity=".35" stroke-dasharray="2 5"',
}

#: A link: its two points, and its owner: ``first``, ``second``, ``both``, ``free`` to take, or
#: ``gone``.
Link = tuple[Spot, Spot, str]


def links(
    spots: Sequence[tuple[float, float, str, str]],
    joined: Sequence[Link],
    *,
    title: str,
    moves: Sequence[str] = (),
) -> str:
    """Return a picture of points and the links between them.

    Args:
        spots: the points, each with its place from the left and from the top in pixels, a word to
            write in it, or "" for a dot, and its owner: ``first``, ``second`` or ``any``.
        joined: the links, each from a place to a place; one that is ``gone`` is not drawn.
        title: the description for screen readers.
        moves: for each link, the name of the move that takes it.
    """
    parts = []
    for (x, y), (u, v), owner in joined:
        if owner in _LOOKS:
            line = f"M{x + _EDGE:.1f} {y + _EDGE:.1f}L{u + _EDGE:.1f} {v + _EDGE:.1f}"
            parts.append(f'<path d="{line}" {_LOOKS[owner]}/>')
    colours = {"first": FIRST, "second": SECOND, "any": "canvas"}
    for x, y, word, owner in spots:
        fill = colours[owner]
        radius = 13 if word else 5
        circle = f'cx="{x + _EDGE:.1f}" cy="{y + _EDGE:.1f}" r="{radius}"'
        parts.append(f'<circle {circle} style="fill:{fill}"/>')
        if word:
            label = caption(word, x + _EDGE, y + _EDGE, 12)
            light = owner != "any"
            parts.append(label.replace("currentColor", "#fff") if light else label)
    wide, high = max(x for x, _, _, _ in spots), max(y for _, y, _, _ in spots)
    half_width = touch_size(wide + 2 * _EDGE) / 2
    for (start, end, _), name in zip(joined, moves, strict=False):
        parts.append(clickable_polygon(name, _strip(start, end, half_width)))
    return document(parts, (wide + 2 * _EDGE, high + 2 * _EDGE), title=title)


def round_spots(count: int, radius: float) -> list[Spot]:
    """Return places evenly spaced on a circle, the first at the top, then clockwise."""
    turns = [2 * pi * i / count for i in range(count)]
    return [(radius + radius * sin(turn), radius - radius * cos(turn)) for turn in turns]


def _strip(start: Spot, end: Spot, half_width: float) -> list[Spot]:
    """Return the corners of a link's clickable area: a strip over part of it."""
    (x, y), (u, v) = start, end
    x, y, u, v = x + _EDGE, y + _EDGE, u + _EDGE, v + _EDGE
    length = max(1.0, hypot(u - x, v - y))
    across, down = half_width * (v - y) / length, half_width * (x - u) / length
    # Not near the middle, where links may cross, unless the link is short.
    end_share = max(0.45, min(0.8, 0.18 + 2 * half_width / length))
    a, b, c, d = (
        x + (u - x) * 0.18,
        y + (v - y) * 0.18,
        x + (u - x) * end_share,
        y + (v - y) * end_share,
    )
    return [
        (a - across, b - down),
        (a + across, b + down),
        (c + across, d + down),
        (c - across, d - down),
    ]
