"""Thermographs: what a game is worth to each player if every move costs a tax, the temperature.

The left wall is the number at which play ends if Left begins and each move costs its player t, the
right wall that if Right begins. Where the two have met, nobody would move, and both continue as one
line, the mast: it stands at the mean, from the temperature on. (Conway, On Numbers and Games,
chapter 9; Berlekamp, Conway and Guy, Winning Ways, chapter 6; Siegel, Combinatorial Game Theory,
chapter II.5, for temperatures below 0.)

Walls are computed with integers. All their bends are at fractions whose denominators are powers of
two, and between bends a wall is vertical or has slope 1. The mirrored left wall and the right wall
both have slope 0 or 1 as the temperature rises, so that the two sides share their code, and lines
of two options cross at integers of the same unit. Only the meeting of the walls may need a smaller
unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from zermelo.errors import CombinatorialValueError
from zermelo.forms.pictures import Picture, PicturedAnswer
from zermelo.forms.thermograph_picture import thermograph_sketch, thermograph_svg
from zermelo.values.combinatorial.canonical_forms import CanonicalForms, options_first

#: A point of a wall: the temperature and the value there.
Point = tuple[Fraction, Fraction]
#: A wall in integers: points with ascending temperatures, the first at -1; vertical after the last.
_Wall = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, repr=False)
class Thermograph(PicturedAnswer):
    """The thermograph of a value: what the value is worth to each player at each temperature.

    Notebooks draw it. Between the points the walls are straight, and from the last point on both
    are the mast. At temperature 0 the walls are the stops.

    Attributes:
        left_points: the bends of the left wall, from temperature -1 up, each as temperature and
            value; the last is the foot of the mast.
        right_points: those of the right wall.
    """

    left_points: tuple[Point, ...]
    right_points: tuple[Point, ...]

    @property
    def mean(self) -> Fraction:
        """The value of the mast, which a copy is worth on average in a sum of many copies."""
        return self.left_points[-1][1]

    @property
    def temperature(self) -> Fraction:
        """The least temperature at which nobody gains by a move, where the mast begins.

        It is above 0 exactly if the value is hot, 0 for a number plus an infinitesimal, and -1/2^k
        for a number whose denominator is 2^k.
        """
        return self.left_points[-1][0]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The temperatures at which a wall bends or ends, ascending from -1."""
        return tuple(sorted({t for t, _ in self.left_points + self.right_points}))

    def left_wall(self, temperature: Fraction | int) -> Fraction:
        """Return the left stop of the value if each move costs its player a tax.

        Args:
            temperature: the tax, at least -1.

        Raises:
            CombinatorialValueError: the temperature is below -1.
        """
        return _value_at(self.left_points, temperature)

    def right_wall(self, temperature: Fraction | int) -> Fraction:
        """Return the right stop of the value if each move costs its player a tax.

        Args:
            temperature: the tax, at least -1.

        Raises:
            CombinatorialValueError: the temperature is below -1.
        """
        return _value_at(self.right_points, temperature)

    @property
    def svg(self) -> str:
        """The thermograph as one ``<svg>`` element.

        Temperatures ascend upwards, and values to the left, as what is good for Left is drawn on
        the left.
        """
        return thermograph_svg(self)

    def sketch(self) -> str:
        """Return the thermograph as lines of text for a terminal, drawn with Braille characters."""
        return thermograph_sketch(self)

    def __str__(self) -> str:
        """Return the mean and the temperature in words."""
        return f"mean {self.mean}, temperature {self.temperature}"

    def __repr__(self) -> str:
        """Return a text with the mean and the temperature."""
        return f"<Thermograph: {self}>"

    @property
    def picture(self) -> Picture:
        """The thermograph as a picture, which can be saved to a file."""
        return Picture((self.svg,))

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        return self.svg


def _value_at(points: Sequence[Point], temperature: Fraction | int) -> Fraction:
    """Return the value of a wall at a temperature."""
    if temperature < -1:
        message = f"there is no thermograph at temperature {str(temperature)!r}; give one from -1"
        raise CombinatorialValueError(message)
    last, value = points[-1]
    if temperature >= last:
        return value
    for (t, v), (end, w) in pairwise(points):
        if temperature < end:
            return v + (w - v) * (temperature - t) / (end - t)
    raise AssertionError  # the first point is at -1


class _Walls(NamedTuple):
    """The walls of a form in integers, in units of 2^-exponent.

    Attributes:
        exponent: the number of binary digits of the unit.
        mirrored_left: the points of the left wall with negative values, which is the right wall of
            the negative form.
        right: the points of the right wall.
    """

    exponent: int
    mirrored_left: _Wall
    right: _Wall


class Thermographs:
    """Thermographs of forms, each computed once."""

    def __init__(self, forms: CanonicalForms) -> None:
        """Create the collection for some forms."""
        self._forms = forms
        self._walls: dict[int, _Walls] = {}

    def thermograph(self, form: int) -> Thermograph:
        """Return the thermograph of a form.

        Args:
            form: the number of the form.
        """
        exponent, mirrored, right = self._walls_of(form)
        unit = 1 << exponent
        return Thermograph(
            tuple((Fraction(t, unit), Fraction(-v, unit)) for t, v in mirrored),
            tuple((Fraction(t, unit), Fraction(v, unit)) for t, v in right),
        )

    def temperature(self, form: int) -> Fraction:
        """Return the temperature of a form.

        Args:
            form: the number of the form.
        """
        walls = self._walls_of(form)
        return Fraction(walls.right[-1][0], 1 << walls.exponent)

    def mean(self, form: int) -> Fraction:
        """Return the mean of a form.

        Args:
            form: the number of the form.
        """
        walls = self._walls_of(form)
        return Fraction(walls.right[-1][1], 1 << walls.exponent)

    def orthodox_options(self, form: int, temperature: Fraction | int) -> list[int]:
        """Return the left options by which Left loses nothing at an ambient temperature.

        Args:
            form: the number of the form.
            temperature: the ambient temperature. Above that of the form there are no options.
        """
        if temperature > self.temperature(form):
            return []
        best = self.thermograph(form).left_wall(temperature)
        return [
            x
            for x in self._forms.left[form]
            if self.thermograph(x).right_wall(temperature) - temperature == best
        ]

    def _walls_of(self, form: int) -> _Walls:
        """Return the walls of a form, from those of its options."""
        walls = self._walls
        known = walls.get(form)
        if known is not None:
            return known
        left, right, number_of = self._forms.left, self._forms.right, self._forms.number_of

        def options_of(x: int) -> tuple[int, ...]:
            return self._forms.options(x) if number_of(x) is None else ()

        for game in options_first(form, walls.__contains__, options_of):
            number = number_of(game)
            if number is not None:
                walls[game] = _walls_of_number(number)
                continue
            walls[game] = _walls_of_options(
                [(walls[x].exponent, walls[x].right) for x in left[game]],
                [(walls[x].exponent, walls[x].mirrored_left) for x in right[game]],
            )
        return walls[form]


def _walls_of_number(number: Fraction) -> _Walls:
    """Return the walls of a number.

    At temperature -1/2^j, the left wall is at the next multiple of 1/2^j from the number up, and
    the right wall at the next one down. By induction on the digits of the number: if it is halfway
    between two such multiples a < b, then {a|b} has the left wall a - t and the right wall b + t
    until the two meet, and otherwise an option is a number on the same side of the middle.
    """
    exponent = number.denominator.bit_length() - 1
    mirrored, right = [], []
    for shift in range(exponent, -1, -1):
        below = number.numerator >> shift << shift
        above = -(-number.numerator >> shift << shift)
        mirrored.append((-1 << shift, -above))
        right.append((-1 << shift, below))
    return _Walls(exponent, _without_straight(mirrored), _without_straight(right))


def _walls_of_options(left: list[tuple[int, _Wall]], right: list[tuple[int, _Wall]]) -> _Walls:
    """Return the walls of a form from those of its options, each with its exponent.

    Args:
        left: the right walls of the left options.
        right: the mirrored left walls of the right options.
    """
    exponent = max([exponent for exponent, _ in left + right])
    best = _greatest([_scaled(wall, exponent - each) for each, wall in left])
    worst = _greatest([_scaled(wall, exponent - each) for each, wall in right])
    # Left gets best - t, and Right, mirrored, worst - t. The walls meet where the sum is 0.
    temperature = _meeting(best, worst)
    if temperature is None:
        exponent += 1
        best, worst = _scaled(best, 1), _scaled(worst, 1)
        temperature = _meeting(best, worst)
        assert temperature is not None  # noqa: S101  # slopes are integers, so a half is enough
    mean = _at(best, temperature) - temperature
    return _Walls(
        exponent,
        _without_straight([*_taxed(best, temperature), (temperature, -mean)]),
        _without_straight([*_taxed(worst, temperature), (temperature, mean)]),
    )


def _taxed(wall: _Wall, end: int) -> _Wall:
    """Return the points of a wall below a temperature, the tax paid, mirrored."""
    return [(t, t - v) for t, v in wall if t < end]


def _scaled(wall: _Wall, shift: int) -> _Wall:
    """Return a wall in a smaller unit."""
    return [(t << shift, v << shift) for t, v in wall] if shift else wall


def _at(wall: _Wall, temperature: int) -> int:
    """Return the value of a wall at a temperature."""
    for (t, v), (end, w) in pairwise(wall):
        if temperature < end:
            return v + (temperature - t if w > v else 0)
    return wall[-1][1]


def _greatest(walls: list[_Wall]) -> _Wall:
    """Return the greatest of some walls at each temperature."""
    greatest = walls[0]
    for wall in walls[1:]:
        greatest = _greater(greatest, wall)
    return greatest


def _greater(a: _Wall, b: _Wall) -> _Wall:
    """Return the greater of two walls at each temperature."""
    # The mast of a wall is at its greatest value.
    if a[0][1] >= b[-1][1]:
        return a
    if b[0][1] >= a[-1][1]:
        return b
    points: _Wall = []
    before = 0
    for t, v, w in _together(a, b):
        ahead = v - w
        if before * ahead < 0:
            # One wall was vertical and the other has slope 1, so that they crossed after a step of
            # the distance between them, at the greater of the values at the start.
            start, value = points[-1]
            points.append((start + abs(before), value))
        points.append((t, max(v, w)))
        before = ahead
    return _without_straight(points)


def _together(a: _Wall, b: _Wall) -> list[tuple[int, int, int]]:
    """Return the temperatures at which either of two walls bends, with the values of both."""
    points = []
    i = j = 0
    t, (_, v), (_, w) = a[0][0], a[0], b[0]
    slope = other_slope = 0
    while True:
        if i < len(a) and a[i][0] == t:
            slope = int(i + 1 < len(a) and a[i + 1][1] > a[i][1])
            i += 1
        if j < len(b) and b[j][0] == t:
            other_slope = int(j + 1 < len(b) and b[j + 1][1] > b[j][1])
            j += 1
        points.append((t, v, w))
        if i < len(a) and (j >= len(b) or a[i][0] <= b[j][0]):
            end = a[i][0]
        elif j < len(b):
            end = b[j][0]
        else:
            return points
        v += slope * (end - t)
        w += other_slope * (end - t)
        t = end


def _meeting(best: _Wall, worst: _Wall) -> int | None:
    """Return the least temperature at which the walls meet after tax; None for half an integer.

    The sum of the walls minus twice the temperature does not increase, and is at least 0 at -1.
    """
    points = _together(best, worst)
    t, v, w = points[0]
    distance = v + w - 2 * t
    for end, v, w in points[1:]:
        rest = v + w - 2 * end
        if rest <= 0:
            slope = (distance - rest) // (end - t)
            break
        t, distance = end, rest
    else:
        slope = 2
    if distance == 0:
        return t
    return None if distance % slope else t + distance // slope


def _without_straight(points: _Wall) -> _Wall:
    """Return the points of a wall without those in a straight line between their neighbours.

    The first and the last remain.
    """
    kept: _Wall = []
    for t, v in points:
        if kept and kept[-1][0] == t:
            continue
        if len(kept) > 1:
            u, x = kept[-1][1], kept[-2][1]
            if (v > u) == (u > x):
                kept.pop()
        kept.append((t, v))
    return kept
