"""The picture of a position with its moves marked by their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape, unescape
from math import hypot

from zermelo.forms.markup import COLOURS, SIGNS

_SPOT = re.compile(r"<(?:rect|polygon|circle|path)\b[^>]*\bdata-move=\"([^\"]*)\"[^>]*>")
_POINT = re.compile(r"(-?[\d.]+)[ ,]+(-?[\d.]+)")
#: The separator between the parts of a name: b2-c3 goes from b2 to c3.
_BETWEEN = re.compile(r" ?[-–×x:,→]? ?")  # noqa: RUF001  # as names are written
#: The most moves with arrows; more would hide the board.
_MOST_ARROWS = 8
_RADIUS, _TIP = 7.0, 8.0

Spot = tuple[float, float]


def mark_moves(svg: str, moves: Sequence[tuple[str, str, str, bool]]) -> str:
    """Return a picture with a mark for each move.

    A move that is made on one spot gets a disc there, and the best of those that go from one spot
    to another get arrows. A picture without places of moves remains unchanged.

    Args:
        svg: one ``<svg>`` element whose spots have the attribute ``data-move``.
        moves: for each move its name, the outcome for the player who makes it (``"win"``,
            ``"draw"`` or ``"loss"``), its value in words, and whether it is a best one.
    """
    spots = _spots(svg)
    if not spots:
        return svg
    discs: list[str] = []
    arrows: list[str] = []
    for name, outcome, text, best in moves:
        if name in spots:
            discs.append(_disc(spots[name], outcome, f"{name}: {text}", best=best))
        elif best and len(arrows) < _MOST_ARROWS and (spot_pair := _move_ends(name, spots)):
            arrows.append(_arrow(*spot_pair, outcome, f"{name}: {text}"))
    end = svg.rindex("</svg>")
    return f"{svg[:end]}<g>{''.join(arrows)}{''.join(discs)}</g>{svg[end:]}"


def _spots(svg: str) -> dict[str, Spot]:
    """Return the middle of each spot by its name; in a column of spots, that at the top."""
    middles: dict[str, Spot] = {}
    for match in _SPOT.finditer(svg):
        name, tag = unescape(match[1]), match[0]
        numbers = {
            key: float(number)
            for key, number in re.findall(r"\b(x|y|width|height|cx|cy)=\"(-?[\d.]+)\"", tag)
        }
        points = re.search(r"\bpoints=\"([^\"]*)\"", tag)
        if {"x", "y", "width", "height"} <= numbers.keys():
            across = numbers["x"] + numbers["width"] / 2
            down = numbers["y"] + min(numbers["height"], 2 * _RADIUS + 26) / 2
        elif {"cx", "cy"} <= numbers.keys():
            across, down = numbers["cx"], numbers["cy"]
        elif points and (corners := _POINT.findall(points[1])):
            across = sum(float(x) for x, _ in corners) / len(corners)
            down = sum(float(y) for _, y in corners) / len(corners)
        else:
            continue
        middles.setdefault(name, (across, down))
    return middles


def _move_ends(name: str, spots: dict[str, Spot]) -> tuple[Spot, Spot] | None:
    """Return the source and the target of a move: the first and the last spot of its name."""
    for first in sorted((spot for spot in spots if spot and name.startswith(spot)), key=len):
        remainder = name[len(first) :]
        while remainder and (between := _BETWEEN.match(remainder)):
            remainder = remainder[between.end() :]
            if remainder in spots:
                return spots[first], spots[remainder]
            step = next(
                (s for s in sorted(spots, key=len, reverse=True) if remainder.startswith(s)), ""
            )
            if not step:
                break
            remainder = remainder[len(step) :]
    return None


def _disc(middle: Spot, outcome: str, title: str, *, best: bool) -> str:
    x, y = middle
    ring = ' stroke="currentColor" stroke-width="2"' if best else ' stroke="none"'
    ink = "#000" if outcome == "loss" else "#fff"
    return (
        f'<g><title>{escape(title)}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" '
        f'fill="{COLOURS[outcome]}"{ring}/><text x="{x:.1f}" y="{y:.1f}" dy=".35em" '
        f'font-size="11" font-weight="700" text-anchor="middle" fill="{ink}" stroke="none">'
        f"{SIGNS[outcome]}</text></g>"
    )


def _arrow(start: Spot, end: Spot, outcome: str, title: str) -> str:
    (x, y), (a, b) = start, end
    length = hypot(a - x, b - y)
    if length < _TIP:
        return ""
    across, down = (a - x) / length, (b - y) / length
    left, top = a - across * _TIP, b - down * _TIP
    wing = (
        f"{left - down * 5:.1f},{top + across * 5:.1f} {left + down * 5:.1f},{top - across * 5:.1f}"
    )
    return (
        f'<g stroke="{COLOURS[outcome]}" fill="{COLOURS[outcome]}" opacity=".85">'
        f"<title>{escape(title)}</title>"
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{left:.1f}" y2="{top:.1f}" stroke-width="4"/>'
        f'<polygon points="{a:.1f},{b:.1f} {wing}" stroke="none"/></g>'
    )
