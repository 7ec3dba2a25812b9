"""Drawings of thermographs: as SVG for pages and notebooks, and as text for terminals.

As in the literature, the temperature rises upwards, and values rise to the left, so that what is
good for Left is on the left. Thermographs are accessed by their attributes only, as their module
imports this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

from zermelo.forms.braille import BrailleCanvas

#: The longest sides of the walls' rectangle in a picture, and the largest unit, in pixels.
_WIDTH, _HEIGHT, _UNIT = 360.0, 240.0, 80.0
#: The shortest side, in pixels, so that the words below do not overlap.
_LEAST_WIDTH = 120.0
#: The space for labels at the left and at the right, above and below, in pixels.
_SIDE, _TOP, _BOTTOM = 60.0, 12.0, 44.0
#: The size of letters, and the space between labels, in pixels.
_LETTER, _GAP = 12, 8
#: The most columns and rows of a sketch, and the most characters for one unit of the temperature.
_COLUMNS, _ROWS, _ROWS_OF_UNIT = 56, 18, 4
#: The most characters of a fraction; a longer one is shown in decimals.
_CHARACTERS = 9
_MINUS = "\N{MINUS SIGN}"


class _Frame(NamedTuple):
    """What a drawing shows: distances from the mean to the left, and temperatures.

    Attributes:
        left: how far it reaches to the left of the mean.
        right: how far it reaches to the right.
        top: the highest temperature; the lowest is -1.
    """

    left: float
    right: float
    top: float


def _frame(answer: Any) -> _Frame:
    """Return the frame of a thermograph, with room for the mast and beside the walls."""
    top = max(float(answer.temperature), 0.0)
    widest = max(_offsets(answer, answer.left_points + answer.right_points))
    narrowest = min(_offsets(answer, answer.left_points + answer.right_points))
    return _Frame(max(widest, 0.0) + 0.25, 0.25 - min(narrowest, 0.0), top + 0.5 + top / 4)


def _offsets(answer: Any, points: Iterable[tuple[Fraction, Fraction]]) -> list[float]:
    """Return the distances of points to the left of the mean."""
    return [float(value - answer.mean) for _, value in points]


def _label(number: Fraction) -> str:
    """Return a number as a label."""
    text = str(number)
    if len(text) > _CHARACTERS:
        text = f"≈{float(number):.4g}"
    return text.replace("-", _MINUS)


def _marked_values(answer: Any) -> list[Fraction]:
    """Return the values that deserve a label, the most important first."""
    ends = [points[0][1] for points in (answer.left_points, answer.right_points)]
    stops = [answer.left_wall(0), answer.right_wall(0)]
    return list(dict.fromkeys([answer.mean, *stops, *ends]))


def _marked_temperatures(answer: Any) -> list[Fraction]:
    """Return the temperatures that deserve a label, the most important first."""
    ends = [answer.temperature, Fraction(0), Fraction(-1)]
    return list(dict.fromkeys([*ends, *answer.breakpoints]))


def _apart(spots: Iterable[tuple[float, float, str]]) -> list[tuple[float, str]]:
    """Return the labels that keep their distance from those before: the spots and the texts.

    Args:
        spots: for each label its centre, half the space that it needs, and its text.
    """
    kept: list[tuple[float, float, str]] = []
    for spot, half, text in spots:
        if all(abs(spot - other) >= half + reach for other, reach, _ in kept):
            kept.append((spot, half, text))
    return [(spot, text) for spot, _, text in kept]


def thermograph_svg(answer: Any) -> str:
    """Return a ``Thermograph`` as one ``<svg>`` element, in the colours of the page.

    Args:
        answer: the thermograph.
    """
    frame = _frame(answer)
    unit = min(_WIDTH / (frame.left + frame.right), _HEIGHT / (frame.top + 1), _UNIT)
    narrow, high = unit * (frame.left + frame.right), unit * (frame.top + 1)
    across = max(narrow, _LEAST_WIDTH)

    def x(value: Fraction) -> float:
        offset = frame.left - float(value - answer.mean)
        return _SIDE + (across - narrow) / 2 + unit * offset

    def y(temperature: Fraction | float) -> float:
        return _TOP + unit * (frame.top - float(temperature))

    def path(points: Sequence[tuple[Fraction, Fraction]]) -> str:
        spots = [f"{x(value):.1f} {y(t):.1f}" for t, value in points]
        return f'<path d="M{"L".join(spots)}V{_TOP:.1f}" stroke-width="2"/>'

    def text(word: str, across: float, down: float, anchor: str) -> str:
        return (
            f'<text x="{across:.1f}" y="{down:.1f}" dy=".35em" font-size="{_LETTER}" '
            f'text-anchor="{anchor}" fill="currentColor" stroke="none">{escape(word)}</text>'
        )

    floor = y(-1)
    parts = [
        f'<path opacity=".45" d="M{_SIDE:.1f} {_TOP:.1f}V{floor:.1f}H{_SIDE + across:.1f}"/>',
        f'<path opacity=".45" stroke-dasharray="2 4" d="M{_SIDE:.1f} {y(0):.1f}h{across:.1f}"/>',
    ]
    heights = [(y(t), _LETTER / 2 + 1, _label(t)) for t in _marked_temperatures(answer)]
    for spot, word in _apart(heights):
        parts.append(f'<path opacity=".45" d="M{_SIDE - 4:.1f} {spot:.1f}h4"/>')
        parts.append(text(word, _SIDE - 8, spot, "end"))
    labels = [(value, _label(value)) for value in _marked_values(answer)]
    columns = [(x(value), (0.6 * _LETTER * len(word) + _GAP) / 2, word) for value, word in labels]
    for spot, word in _apart(columns):
        parts.append(f'<path opacity=".45" d="M{spot:.1f} {floor:.1f}v4"/>')
        parts.append(text(word, spot, floor + 14, "middle"))
    parts += [
        text("← Left", _SIDE, floor + 32, "start"),
        text("Right →", _SIDE + across, floor + 32, "end"),
        path(answer.left_points),
        path(answer.right_points),
    ]
    title = (
        f"Thermograph: mean {answer.mean}, temperature {answer.temperature}, left stop "
        f"{answer.left_wall(0)}, right stop {answer.right_wall(0)}"
    ).replace("-", _MINUS)
    width, height = (f"{side:.0f}" for side in (across + 2 * _SIDE, _TOP + high + _BOTTOM))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%" fill="none" '
        f'stroke="currentColor" font-family="system-ui,sans-serif">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )


def thermograph_sketch(answer: Any) -> str:
    """Return a ``Thermograph`` as lines of text: temperatures, walls, and values below.

    Args:
        answer: the thermograph.
    """
    frame = _frame(answer)
    # A character is twice as high as wide, so that lines of slope 1 look like it.
    unit = min(
        (_COLUMNS - 1) / (2 * (frame.left + frame.right)),
        (_ROWS - 1) / (frame.top + 1),
        _ROWS_OF_UNIT,
    )
    width, height = (
        round(2 * unit * (frame.left + frame.right)) + 1,
        round(unit * (frame.top + 1)) + 1,
    )
    middle, floor = 2 * unit * frame.left, height - 1

    def place(temperature: Fraction, value: Fraction) -> tuple[float, float]:
        column = middle - 2 * unit * float(value - answer.mean)
        return min(column, width - 1), max(0.0, floor - unit * (float(temperature) + 1))

    canvas = BrailleCanvas(width, height)
    for points in (answer.left_points, answer.right_points):
        places = [place(t, value) for t, value in points]
        for start, end in zip(places, [*places[1:], (places[-1][0], 0.0)], strict=True):
            canvas.draw_line(start, end)
    rows = ["".join(row).rstrip() for row in canvas.rows()]
    heights = [(round(place(t, answer.mean)[1]), t) for t in _marked_temperatures(answer)]
    named = dict(reversed([(row, _label(t)) for row, t in heights]))
    edge = max(map(len, named.values()))
    lines = [
        f"{named.get(n, ''):>{edge}} {'┤' if n in named else '│'}{row}"
        for n, row in enumerate(rows)
    ]
    lines.append(f"{'':{edge}} └{'─' * width}")
    values = [(place(Fraction(-1), value)[0], _label(value)) for value in _marked_values(answer)]
    spots = _apart((round(column), (len(word) + 1) / 2, word) for column, word in values)
    below = [" "] * (width + _COLUMNS)
    for column, word in spots:
        first = max(0, round(column) + edge + 2 - len(word) // 2)
        below[first : first + len(word)] = word
    return "\n".join([*lines, "".join(below).rstrip()])
