"""The boundaries of the regions of a drawing, as rows of numbers in an order of their own.

A corner of a boundary has a kind, and spots with two corners a letter for a kind. So the same
drawing can be written in many ways: regions, boundaries and letters can be in any order, a boundary
begins anywhere, and a region can be mirrored. ``normal`` puts it in one that depends on none of
this, but for rare drawings in which different corners have the same surroundings.
"""

from __future__ import annotations

from collections.abc import Sequence

#: What a corner is: a spot without curves, with one, and with two if its other corner is of no use;
#: from LETTER on, a spot with two curves that has another corner of the same number.
FREE, TIP, LAST, LETTER = 1, 2, 3, 4
#: Whether a boundary or a region ends after a corner: the last two bits of its number.
WITHIN, BOUNDARY_END, REGION_END = range(3)
#: The hashes are below this, so that a product of two is below 2**60.
_HASH = (1 << 30) - 1
#: How many steps away corners change a colour.
_ROUNDS = 3
#: A number greater than all letters.
_MOST_NAMES = 64


def boundary_numbers(corners: Sequence[int]) -> list[int]:
    """Return the number of the boundary of each corner."""
    numbers, number = [0] * 0, 0
    for corner in corners:
        if corner:
            numbers.append(number)
            number += 1 if corner & 3 else 0
    return numbers


def region_numbers(corners: Sequence[int]) -> list[int]:
    """Return the number of the region of each corner."""
    numbers, number = [0] * 0, 0
    for corner in corners:
        if corner:
            numbers.append(number)
            number += 1 if corner & 3 == REGION_END else 0
    return numbers


def largest(numbers: Sequence[int]) -> int:
    """Return the largest of some numbers, and at least LETTER."""
    most = LETTER
    for number in numbers:
        most = max(most, number)
    return most


def normal(kinds: list[int], boundary: list[int], region: list[int], room: int) -> list[int]:
    """Return the corners of a position in order; regions without moves are left out.

    Args:
        kinds: the kind of each corner, a boundary after another; 0 for a spot with three curves.
        boundary: the number of the boundary of each.
        region: the number of the region of each.
        room: the most corners of a position.
    """
    _clear(kinds, region)
    shapes, starts, regions = [0] * 0, [0] * 0, [0] * 0
    begin = 0
    while begin < len(kinds):
        end = begin
        while end < len(kinds) and boundary[end] == boundary[begin]:
            end += 1
        first = len(shapes)
        _add_boundary(shapes, kinds, begin, end)
        if len(shapes) > first:
            starts.append(first)
            regions.append(region[begin])
        begin = end
    starts.append(len(shapes))
    colours = _coloured(shapes, starts, regions)
    walks, walk_starts = _sorted_walks(colours, starts, regions)
    names = _names(shapes, walks)
    if sum(names):  # corners of one colour are sorted again, by the letters that they have now
        named = [colours[k] * _MOST_NAMES + names[shapes[k]] for k in range(len(shapes))]
        walks, walk_starts = _sorted_walks(named, starts, regions)
        names = _names(shapes, walks)
    return _numbered(shapes, names, walks, walk_starts, room)


def _clear(kinds: list[int], region: list[int]) -> None:
    """Clear corners of regions in which no move is left, and letters that have one corner left."""
    size = largest(kinds) + 1
    lives, last_region, uses = [0] * (largest(region) + 1), [-1] * size, [0] * size
    for k in range(len(kinds)):
        if kinds[k] >= LETTER:
            lives[region[k]] += 1 if last_region[kinds[k]] != region[k] else 0
            last_region[kinds[k]] = region[k]
        elif kinds[k]:
            lives[region[k]] += LETTER - kinds[k]
    for k in range(len(kinds)):
        if lives[region[k]] < 2:
            kinds[k] = 0
        uses[kinds[k]] += 1
    for k in range(len(kinds)):
        if kinds[k] >= LETTER and uses[kinds[k]] == 1:
            kinds[k] = LAST


def _add_boundary(shapes: list[int], kinds: list[int], begin: int, end: int) -> None:
    """Add the corners of a boundary that are left; neighbouring ones of one spot are merged."""
    first = len(shapes)
    for k in range(begin, end):
        if kinds[k] >= LETTER and len(shapes) > first and shapes[len(shapes) - 1] == kinds[k]:
            shapes[len(shapes) - 1] = LAST
        elif kinds[k]:
            shapes.append(kinds[k])
    is_closed = len(shapes) > first + 1 and shapes[first] == shapes[len(shapes) - 1]
    if is_closed and shapes[first] >= LETTER:
        shapes[first] = LAST
        shapes.pop()


def _mixed(first: int, second: int) -> int:
    """Return a hash of two numbers."""
    number = (first * 1103515245 + second * 12345677 + 1013904223) & _HASH
    number = (number ^ number >> 13) * 668265263 & _HASH
    return number ^ number >> 15


def _coloured(shapes: list[int], starts: list[int], regions: list[int]) -> list[int]:
    """Return a colour of each corner: its kind, or in regions with letters a hash of what is near.

    Args:
        shapes: the kinds of the corners, a boundary after another.
        starts: the first corner of each boundary, and the number of corners.
        regions: the number of the region of each boundary.
    """
    colours, partner = [0] * len(shapes), _partners(shapes)
    has_letters = [0] * (largest(regions) + 1)  # for each region
    for n in range(len(regions)):
        for k in range(starts[n], starts[n + 1]):
            is_within = partner[k] >= starts[n] and partner[k] < starts[n + 1]
            colours[k] = min(shapes[k], LETTER) + (0 if partner[k] < 0 or is_within else 1)
            if partner[k] >= 0:
                has_letters[regions[n]] = 1
    for _ in range(_ROUNDS if sum(has_letters) else 0):
        near = _surroundings(colours, starts, regions)
        for n in range(len(regions)):
            if has_letters[regions[n]]:
                for k in range(starts[n], starts[n + 1]):
                    colours[k] = near[k] if partner[k] < 0 else _mixed(near[k], near[partner[k]])
    return colours


def _partners(shapes: list[int]) -> list[int]:
    """Return the index of the other corner of each spot, or -1."""
    partner = [-1] * len(shapes)
    for k in range(len(shapes)):
        if shapes[k] >= LETTER:
            for other in range(k):
                if shapes[other] == shapes[k]:
                    partner[k], partner[other] = other, k
    return partner


def _surroundings(colours: list[int], starts: list[int], regions: list[int]) -> list[int]:
    """Return a hash of each corner, its neighbours, its boundary and its region."""
    near, around = [0] * len(colours), [0] * len(regions)
    by_region = [0] * (largest(regions) + 1)
    for n in range(len(regions)):
        begin, end = starts[n], starts[n + 1]
        for k in range(begin, end):
            before = colours[k - 1] if k > begin else colours[end - 1]
            after = colours[k + 1] if k + 1 < end else colours[begin]
            near[k] = _mixed(colours[k], _mixed(before + after, before ^ after))
            around[n] += near[k]
        around[n] = _mixed(around[n] & _HASH, end - begin)
        by_region[regions[n]] += around[n]
    for n in range(len(regions)):
        outside = _mixed(around[n], by_region[regions[n]] & _HASH)
        for k in range(starts[n], starts[n + 1]):
            near[k] = _mixed(near[k], outside)
    return near


def _sorted_walks(
    colours: list[int], starts: list[int], regions: list[int]
) -> tuple[list[int], list[int]]:
    """Return the corners of all regions in order, and the begin of each region among them.

    A corner is twice its index, and 1 more at the end of a boundary.
    """
    count = len(regions)
    found, mirrored, order, firsts = (
        [0] * len(colours),
        [0] * len(colours),
        [0] * count,
        [0] * count,
    )
    begins, ends, is_done, begin = [0] * 0, [0] * 0, [0] * count, 0
    for number in range(count):
        if not is_done[number]:
            chosen, longest = 0, 0
            for n in range(number, count):
                if regions[n] == regions[number]:
                    order[chosen] = n
                    longest = max(longest, starts[n + 1] - starts[n])
                    chosen, is_done[n] = chosen + 1, 1
            end = _walk(colours, starts, order, firsts, chosen, 1, found, begin)
            if longest > 2:  # else the region does not differ from its mirror image
                _walk(colours, starts, order, firsts, chosen, -1, mirrored, begin)
                if _precedes(colours, mirrored, begin, end, found, begin, end):
                    for k in range(begin, end):
                        found[k] = mirrored[k]
            _insert(colours, found, begin, end, begins, ends)
            begin = end
    walk_starts, at = [0] * (len(begins) + 1), 0
    for place in range(len(begins)):
        for k in range(begins[place], ends[place]):
            mirrored[at] = found[k]
            at += 1
        walk_starts[place + 1] = at
    return mirrored, walk_starts


def _insert(
    colours: list[int], walks: list[int], begin: int, end: int, begins: list[int], ends: list[int]
) -> None:
    """Insert a region, from ``begin`` to ``end`` in ``walks``, into those that are in order."""
    place = len(begins)
    begins.append(begin)
    ends.append(end)
    while place > 0 and _precedes(
        colours, walks, begin, end, walks, begins[place - 1], ends[place - 1]
    ):
        begins[place], ends[place] = begins[place - 1], ends[place - 1]
        place -= 1
    begins[place], ends[place] = begin, end


def _walk(
    colours: list[int],
    starts: list[int],
    order: list[int],
    firsts: list[int],
    count: int,
    step: int,
    walk: list[int],
    at: int,
) -> int:
    """Write the corners of a region in order, in one of two directions; return the index after.

    Args:
        colours: the colour of each corner.
        starts: the first corner of each boundary.
        order: the boundaries of the region, which are put in order.
        firsts: receives the corner from which each is walked.
        count: the number of boundaries.
        step: the direction, 1 or -1.
        walk: receives the corners.
        at: the index of the first one.
    """
    for number in range(count):
        n = order[number]
        begin, end = starts[n], starts[n + 1]
        first, place = begin, number
        for corner in range(begin + 1, end):
            if colours[corner] < colours[first] or (
                colours[corner] == colours[first]
                and _compared(colours, begin, end, corner, begin, end, first, step) < 0
            ):
                first = corner
        while place > 0:
            m, first_m = order[place - 1], firsts[place - 1]
            begin_m, end_m = starts[m], starts[m + 1]
            longer, greater = end - begin - end_m + begin_m, colours[first] - colours[first_m]
            if longer > 0 or (longer == 0 and greater > 0):
                break
            if (
                longer == 0
                and greater == 0
                and (
                    end - begin == 1
                    or _compared(colours, begin, end, first, begin_m, end_m, first_m, step) >= 0
                )
            ):
                break
            order[place], firsts[place] = m, first_m
            place -= 1
        order[place], firsts[place] = n, first
    for place in range(count):
        begin, end, corner = starts[order[place]], starts[order[place] + 1], firsts[place]
        for _ in range(end - begin):
            walk[at] = 2 * corner
            at += 1
            corner = _next_corner(corner, begin, end, step)
        walk[at - 1] += 1
    return at


def _next_corner(corner: int, begin: int, end: int, step: int) -> int:
    """Return the corner after another one on a boundary, in one of two directions."""
    if step > 0:
        return begin if corner + 1 == end else corner + 1
    return end - 1 if corner == begin else corner - 1


def _compared(
    colours: list[int],
    begin: int,
    end: int,
    corner: int,
    other_begin: int,
    other_end: int,
    other: int,
    step: int,
) -> int:
    """Return -1, 0 or 1 by which of two boundaries comes first, each from a corner of its own."""
    length, other_length = end - begin, other_end - other_begin
    if length != other_length:
        return 1 if length > other_length else -1
    for _ in range(length):
        if colours[corner] != colours[other]:
            return 1 if colours[corner] > colours[other] else -1
        corner = _next_corner(corner, begin, end, step)
        other = _next_corner(other, other_begin, other_end, step)
    return 0


def _precedes(
    colours: list[int],
    walks: list[int],
    begin: int,
    end: int,
    others: list[int],
    other_begin: int,
    other_end: int,
) -> bool:
    """Return whether the corners of a region come before those of another one.

    Args:
        colours: the colour of each corner.
        walks: the corners of regions.
        begin: the index of the region's first corner.
        end: the index after its last one.
        others: the corners of regions; the other region is among these.
        other_begin: the index of its first corner.
        other_end: the index after its last one.
    """
    if end - begin != other_end - other_begin:
        return end - begin < other_end - other_begin
    for k in range(end - begin):
        corner, other = walks[begin + k], others[other_begin + k]
        key = 2 * colours[corner >> 1] + (corner & 1)
        other_key = 2 * colours[other >> 1] + (other & 1)
        if key != other_key:
            return key < other_key
    return False


def _names(shapes: list[int], walks: list[int]) -> list[int]:
    """Return the letter for each letter, in the order in which they occur; 0 for other kinds."""
    names, letters = [0] * (largest(shapes) + 1), LETTER
    for code in walks:
        shape = shapes[code >> 1]
        if shape >= LETTER and names[shape] == 0:
            names[shape] = letters
            letters += 1
    return names


def _numbered(
    shapes: list[int], names: list[int], walks: list[int], walk_starts: list[int], room: int
) -> list[int]:
    """Return the corners of a position."""
    corners, region = [0] * room, 1
    for k in range(len(walks)):
        shape = shapes[walks[k] >> 1]
        end = BOUNDARY_END if walks[k] & 1 else WITHIN
        if k + 1 == walk_starts[region]:
            end = REGION_END
            region += 1
        corners[k] = 4 * (names[shape] or shape) + end
    return corners
