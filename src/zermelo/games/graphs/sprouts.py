"""Sprouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters, ascii_uppercase
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.graphs._boundaries import (
    BOUNDARY_END,
    FREE,
    LAST,
    LETTER,
    REGION_END,
    TIP,
    WITHIN,
    boundary_numbers,
    largest,
    normal,
    region_numbers,
)

#: The most spots at the start: a position has two letters for each at most, small and capital ones.
MOST_SPOTS = 26
_LETTERS = ascii_letters
#: The names of a region's boundaries, of which there are no more than spots.
BOUNDARIES = ascii_uppercase
#: The distance of corners in a picture.
_STEP = 26

AJS = "Applegate, Jacobson and Sleator 1991"
AJS_LV = f"{AJS}; nimber: Lemoine and Viennot 2010, arXiv 1008.2320"
LV = "Lemoine and Viennot 2010, arXiv 1008.2320"
COMPILED = "zermelo prove finds it"


class Curves(NamedTuple):
    """The regions of a drawing in which moves are left.

    Attributes:
        corners: the corners of their boundaries, a boundary and a region after another; 0 for none.
            A corner is 4 times its kind, and 1 more if a boundary ends there, 2 more if a region
            does.
    """

    corners: tuple[int, ...]


@dataclass(frozen=True)
class Sprouts(Game):
    """Draw a curve between two spots and a spot on it; none may cross, nor four meet at a spot.

    A player who cannot draw a curve loses.

    Attributes:
        spots: the number of spots at the start.
    """

    spots: int = 2

    facts = (
        Fact({"spots": 1}, "loss", nimber=0, source=AJS_LV),
        Fact({"spots": 2}, "loss", nimber=0, source=AJS_LV),
        Fact({"spots": 3}, "win", nimber=1, source=AJS_LV),
        Fact({"spots": 4}, "win", nimber=1, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 5}, "win", nimber=1, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 6}, "loss", nimber=0, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 7}, "loss", nimber=0, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 8}, "loss", nimber=0, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 9}, "win", nimber=1, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 10}, "win", nimber=1, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 11}, "win", nimber=1, checked=False, note=COMPILED, source=AJS_LV),
        Fact({"spots": 12}, "loss", nimber=0, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 13}, "loss", nimber=0, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 14}, "loss", nimber=0, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 15}, "win", nimber=1, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 16}, "win", nimber=1, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 17}, "win", nimber=1, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 18}, "loss", nimber=0, checked=False, note=COMPILED, source=LV),
        Fact({"spots": 1}, "win", misere=True, source=AJS),
        Fact({"spots": 2}, "loss", misere=True, source=AJS),
        Fact({"spots": 3}, "loss", misere=True, source=AJS),
    )

    def start(self) -> Curves:
        """Return the spots without curves."""
        corners = [0] * self.room
        for spot in range(self.spots):
            corners[spot] = 4 * FREE + BOUNDARY_END
        corners[self.spots - 1] = 4 * FREE + REGION_END
        return Curves(tuple(corners))

    @property
    def room(self) -> int:
        """The most corners: after a move for each spot, twice as many spots can have two each."""
        return 4 * self.spots

    def moves(self, p: Curves) -> Iterator[tuple[int, int, int]]:
        """Yield two corners to join, and the boundaries on one side of the curve, one bit each.

        Of equal boundaries, the first is joined and the first are put on that side.
        """
        begin = 0
        while begin < len(p.corners) and p.corners[begin]:
            starts = boundary_starts(p.corners, begin)
            count = len(starts) - 1
            equal = equal_boundaries(p.corners, starts)
            for here in range(count):
                for i in range(
                    starts[here], starts[here] if equal >> here & 1 else starts[here + 1]
                ):
                    for there in range(here + 1, count):
                        if there == here + 1 or not equal >> there & 1:
                            for j in range(starts[there], starts[there + 1]):
                                yield i, j, 0
                    for j in range(i, starts[here + 1]):
                        side, end = 0, 1 << count if can_join(p.corners, i, j) else 0
                        while side < end:
                            yield i, j, side
                            side = next_side(side + 1, equal, here)
            begin = starts[count]

    def play(self, p: Curves, move: tuple[int, int, int]) -> Curves:
        """Return the regions that are left when two corners have been joined."""
        i, j, side = move
        corners, boundary = p.corners, boundary_numbers(p.corners)
        region, spot = region_numbers(corners), largest(corners) // 4 + LETTER
        here, beyond = boundary[i], len(boundary)  # a boundary and a region that the curve makes
        kind, other = corners[i] >> 2, corners[j] >> 2
        first = after_curve(kind, spot + 1, is_loop=i == j)
        second = first if i == j else after_curve(other, spot + 2, is_loop=False)
        near, far = [first, spot], [0] * 0
        if boundary[j] != here:
            near = arc(corners, boundary, i, i, first, first if kind == TIP else 0, spot)
            near.extend(arc(corners, boundary, j, j, second, second if other == TIP else 0, spot))
        else:
            if i != j:
                near = arc(corners, boundary, i, j, first, second, spot)
            far = arc(corners, boundary, j, i, second, 0 if i == j else first, spot)
        kinds = near + far
        new_boundary = [here] * len(near) + [beyond] * len(far)
        new_region = [region[i]] * len(near) + [beyond] * len(far)
        least = boundary[region.index(region[i])]  # the first boundary of the region
        for k in range(len(boundary)):
            if boundary[k] not in (here, boundary[j]):
                kinds.append(corners[k] >> 2)
                new_boundary.append(boundary[k])
                is_near = region[k] != region[i] or len(far) == 0 or side >> boundary[k] - least & 1
                new_region.append(region[k] if is_near else beyond)
        kinds = [0 if k >= LETTER and k in (kind, other) else k for k in kinds]
        return Curves(tuple(normal(kinds, new_boundary, new_region, self.room)))

    def pass_turn(self, p: Curves) -> Curves:
        """Return the same position, as both players have the same moves."""
        return p

    def split(self, p: Curves) -> Iterator[Curves]:
        """Yield regions that share spots, with letters of their own."""
        region = region_numbers(p.corners)
        group = region_groups(p.corners, region)
        for chosen in range(len(group)):
            corners, names, letters = [0] * self.room, [0] * (largest(p.corners) + 1), LETTER
            count = 0
            for k in range(len(region)):
                if group[region[k]] == chosen:
                    kind = p.corners[k] >> 2
                    if kind >= LETTER:
                        if names[kind] == 0:
                            names[kind] = letters
                            letters += 1
                        kind = names[kind]
                    corners[count] = 4 * kind + (p.corners[k] & 3)
                    count += 1
            if count:
                yield Curves(tuple(corners))

    def space(self) -> Curves:
        """Return the range of a corner."""
        corners: Any = range(4 * (LETTER + 2 * self.spots))
        return Curves(corners)

    def validate(self) -> None:
        """Raise ParameterError unless there are spots, and not too many."""
        check_number("spots", self.spots, 1, MOST_SPOTS)

    def show(self, p: Curves) -> str:
        """Return the boundaries of each region as in the literature, such as ``0.1a1a}``.

        Digits are spots with no, one and two curves, and letters spots with two that have two
        corners.
        """
        text = ""
        for corner in p.corners:
            if corner:
                kind = corner >> 2
                text += str(kind - 1) if kind < LETTER else _LETTERS[kind - LETTER]
                text += ("", ".", "}")[corner & 3]
        return text or "!"

    def svg(self, p: Curves) -> str:
        """Draw a row for each region: its boundaries, each with its name, and their corners."""
        parts, spots, x, row, boundary, widest = [], [], 0, 0, 0, 1
        for number, corner in enumerate(corner for corner in p.corners if corner):
            if number == 0 or p.corners[number - 1] & 3:
                name, y = BOUNDARIES[boundary], _STEP * row
                parts.append(
                    drawing.caption(name, x + 0.5 * _STEP, y + 0.5 * _STEP, 10, faint=True)
                )
                spots.append(drawing.clickable(name, x, y, _STEP, _STEP))
                x += _STEP
            kind, y = corner >> 2, _STEP * row
            mark = str(kind - 1) if kind < LETTER else _LETTERS[kind - LETTER]
            parts.append(drawing.caption(mark, x + 0.5 * _STEP, y + 0.5 * _STEP, 15))
            spots.append(drawing.clickable(str(number + 1), x, y, _STEP, _STEP))
            x, boundary = x + _STEP, boundary + (1 if corner & 3 else 0)
            widest = max(widest, x)
            if corner & 3 == REGION_END:
                x, row, boundary = 0, row + 1, 0
        size = widest, _STEP * max(row, 1)
        return drawing.document([*parts, *spots], size, title=self.show(p))

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the corners that are joined, and the boundaries on one side, such as ``1-3:B,D``.

        Corners are counted in the whole position from 1, and boundaries are lettered in the region.
        """
        i, j, side = move
        letters = [BOUNDARIES[n] for n in range(side.bit_length()) if side >> n & 1]
        return f"{i + 1}-{j + 1}" + (":" + ",".join(letters) if letters else "")

    def parse(self, text: str) -> Curves:
        """Read a position as ``show`` writes it."""
        corners: list[int] = []
        names: dict[str, int] = {}
        uses: dict[str, int] = {}
        compact = "".join(text.split()).removesuffix("!")
        for mark in compact:
            if mark in "012":
                corners.append(4 * (int(mark) + 1))
            elif mark in _LETTERS:
                corners.append(4 * names.setdefault(mark, LETTER + len(names)))
                uses[mark] = uses.get(mark, 0) + 1
            elif mark in ".}" and corners and corners[-1] & 3 == WITHIN:
                corners[-1] += BOUNDARY_END if mark == "." else REGION_END
            else:
                message = f"{text!r} has {mark!r} where it cannot be; write it such as '0.1a1a}}'"
                raise PositionError(message)
        odd = next((mark for mark, count in uses.items() if count != 2), None)
        if odd is not None:
            message = f"{text!r} has {odd!r} {uses[odd]} times; write each letter twice"
            raise PositionError(message)
        too_many = len(corners) > self.room or len(names) > 2 * self.spots
        if too_many or (corners and corners[-1] & 3 != REGION_END):
            message = f"{text!r} is not a position of {self.spots} spots; end each region with '}}'"
            raise PositionError(message)
        return Curves((*corners, *[0] * (self.room - len(corners))))


def boundary_starts(corners: Sequence[int], begin: int) -> list[int]:
    """Return the first corner of each boundary of a region, and the corner after the region."""
    starts, end = [begin], begin
    while corners[end] & 3 != REGION_END:
        end += 1
        if corners[end - 1] & 3 == BOUNDARY_END:
            starts.append(end)
    starts.append(end + 1)
    return starts


def equal_boundaries(corners: Sequence[int], starts: list[int]) -> int:
    """Return one bit for each boundary that equals the one before and has no letters."""
    equal = 0
    for n in range(1, len(starts) - 1):
        length = starts[n] - starts[n - 1]
        is_equal = starts[n + 1] - starts[n] == length
        for corner in range(starts[n], starts[n + 1]):
            kind = corners[corner] >> 2
            if is_equal and (kind >= LETTER or kind != corners[corner - length] >> 2):
                is_equal = False
        if is_equal:
            equal |= 1 << n
    return equal


def next_side(side: int, equal: int, here: int) -> int:
    """Return the least bits of boundaries on one side of a curve, from some bits on.

    The boundary that the curve divides has none, and of equal boundaries the first have theirs.

    Args:
        side: the bits.
        equal: a bit for each boundary that equals the one before.
        here: the number of the divided boundary.
    """
    is_found = False
    while not is_found:
        out_of_order = equal & side & ~(side << 1) & ~(2 << here)
        if side >> here & 1:
            side = (side >> here) + 1 << here
        elif out_of_order:  # the boundary before the last of these is needed, too
            before = out_of_order.bit_length() - 2
            side = (side >> before | 1) << before
        else:
            is_found = True
    return side


def can_join(corners: Sequence[int], i: int, j: int) -> bool:
    """Return whether a curve may join two corners of a boundary: no spot has over three then."""
    kind = corners[i] >> 2
    if i == j:
        return kind < LAST
    return kind < LETTER or kind != corners[j] >> 2


def after_curve(kind: int, letter: int, *, is_loop: bool) -> int:
    """Return the kind of a spot after a new curve: 0 with three curves, a letter with two."""
    if is_loop:
        return letter if kind == FREE else 0
    return TIP if kind == FREE else letter if kind == TIP else 0


def arc(
    corners: Sequence[int], boundary: list[int], i: int, j: int, first: int, last: int, spot: int
) -> list[int]:
    """Return the kinds along a boundary from one corner to another, and along the new curve back.

    Args:
        corners: all corners.
        boundary: the number of the boundary of each.
        i: the first corner.
        j: the last corner; the first one to go all round.
        first: the kind that the first corner becomes.
        last: the kind that the last corner becomes.
        spot: the kind of the spot on the curve.
    """
    begin, end = i, i + 1
    while begin > 0 and boundary[begin - 1] == boundary[i]:
        begin -= 1
    while end < len(boundary) and boundary[end] == boundary[i]:
        end += 1
    kinds, k = [first], i + 1 if i + 1 < end else begin
    while k != j:
        kinds.append(corners[k] >> 2)
        k = k + 1 if k + 1 < end else begin
    kinds.append(last)
    kinds.append(spot)
    return kinds


def region_groups(corners: Sequence[int], region: list[int]) -> list[int]:
    """Return the number of a group for each region: regions that share spots are in one."""
    group, of_letter = [0] * 0, [-1] * (largest(corners) + 1)
    for k in range(len(region)):
        if len(group) == region[k]:
            group.append(region[k])
        kind = corners[k] >> 2
        if kind >= LETTER and of_letter[kind] < 0:
            of_letter[kind] = region[k]
        elif kind >= LETTER:
            old, new = group[region[k]], group[of_letter[kind]]
            for n in range(len(group)):
                if group[n] == old:
                    group[n] = new
    return group
