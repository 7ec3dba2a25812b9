"""Sprouts by planar maps: an oracle that knows spots, edges and faces, and no boundaries as text.

An edge is two darts, and the darts at a spot are in a row, in the order in which they leave it. A
face is found by turning at each spot. A region is a set of faces, one of each part of the drawing
that borders on it; a spot without edges is a part with one face. Nothing is ever left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

#: A spot and the number of the dart at it by which a face goes on; of a spot without darts, 0.
Corner = tuple[int, int]
#: The corners of a face as they follow each other, from the least one on.
Face = tuple[Corner, ...]
#: The darts at each spot; and the regions, each with its faces.
Drawing = tuple[tuple[tuple[int, ...], ...], frozenset[frozenset[Face]]]


def start(spots: int) -> Drawing:
    """Return the drawing without edges."""
    return ((),) * spots, frozenset([frozenset(((spot, 0),) for spot in range(spots))])


def children(drawing: Drawing) -> Iterator[Drawing]:
    """Yield the drawing after each move."""
    around, regions = drawing
    for region in regions:
        corners = sorted(corner for face in region for corner in face)
        for corner in corners:
            if len(around[corner[0]]) < 2:
                yield from _drawn(drawing, region, corner, corner)
        for corner, other in combinations(corners, 2):
            spots = corner[0], other[0]
            if spots[0] != spots[1] and all(len(around[spot]) < 3 for spot in spots):
                yield from _drawn(drawing, region, corner, other)


def _drawn(drawing: Drawing, region: Any, corner: Any, other: Any) -> Iterator[Drawing]:
    """Yield the drawings with an edge from a corner of a region to another, and a spot on it."""
    around, regions = drawing
    rows = [list(row) for row in around]
    dart = sum(map(len, rows))
    # Darts dart and dart + 1 are an edge to the new spot, dart + 2 and dart + 3 the one from there.
    if corner == other:
        rows[corner[0]][corner[1] : corner[1]] = [dart, dart + 3]
    else:
        for (spot, at), new in sorted(((corner, dart), (other, dart + 3)), reverse=True):
            rows[spot].insert(at, new)
    rows.append([dart + 1, dart + 2])
    after = tuple(map(tuple, rows))
    faces = _faces(after)
    old = {face for others in regions for face in others}
    touched = {face for face in region if corner in face or other in face}
    new = [face for face in faces if any(spot == len(around) for spot, _ in face)]
    kept = {_renumbered(face, around, after): face for face in old - touched}
    assert set(kept) | set(new) == set(faces)
    back = {face: name for name, face in kept.items()}
    elsewhere = {frozenset(back[face] for face in others) for others in regions - {region}}
    free = [back[face] for face in region - touched]
    if len(new) == 1:
        yield after, frozenset({*elsewhere, frozenset([*new, *free])})
        return
    for count in range(len(free) + 1):
        for chosen in combinations(free, count):
            inside = frozenset([new[0], *chosen])
            outside = frozenset([new[1], *(face for face in free if face not in chosen)])
            yield after, frozenset({*elsewhere, inside, outside})


def _renumbered(face: Face, before: Any, after: Any) -> Face:
    """Return a face with the corners that its darts have after a move."""
    return _turned(
        [(spot, after[spot].index(before[spot][at]) if before[spot] else 0) for spot, at in face]
    )


def _turned(corners: list[Corner]) -> Face:
    """Return a face from its least corner on."""
    least = corners.index(min(corners))
    return (*corners[least:], *corners[:least])


def _faces(around: Any) -> list[Face]:
    """Return all faces: at the end of a dart, a face goes on with the next dart there."""
    place = {dart: (spot, at) for spot, row in enumerate(around) for at, dart in enumerate(row)}
    faces: list[Face] = [((spot, 0),) for spot, row in enumerate(around) if not row]
    left = set(place)
    while left:
        corners, first = [], min(left)
        dart = first
        while True:
            corners.append(place[dart])
            left.discard(dart)
            spot, at = place[dart ^ 1]
            dart = around[spot][(at + 1) % len(around[spot])]
            if dart == first:
                break
        faces.append(_turned(corners))
    return faces


def text(drawing: Drawing) -> str:
    """Return the drawing as the game reads it; spots with three curves are left out."""
    around, regions = drawing
    live = [spot for spot, row in enumerate(around) if len(row) == 2]
    places = [spot for region in regions for face in region for spot, _ in face]
    names = {spot: chr(ord("a") + n) for n, spot in enumerate(live) if places.count(spot) == 2}
    marks = {
        spot: names.get(spot, str(len(row))) for spot, row in enumerate(around) if len(row) < 3
    }
    return "".join(
        ".".join(
            filter(None, ("".join(marks.get(spot, "") for spot, _ in face) for face in region))
        )
        + "}"
        for region in regions
        if any(spot in marks for face in region for spot, _ in face)
    )


def nimber(drawing: Drawing, known: dict[Drawing, int]) -> int:
    """Return the nimber of a drawing, with those that are known already."""
    if drawing not in known:
        reached = {nimber(child, known) for child in children(drawing)}
        known[drawing] = next(n for n in range(len(reached) + 1) if n not in reached)
    return known[drawing]
