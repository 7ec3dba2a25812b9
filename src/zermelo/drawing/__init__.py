"""Small pictures for a game's ``svg``, such as a grid, a row of bars, a heap or a graph.

Each function returns one ``<svg>`` element as a string. Lines and letters have the colour of the
text around the picture, so that it is readable on a light and on a dark page; the two players'
colours can be set with the CSS variables ``--zermelo-first`` and ``--zermelo-second``, and the
pieces of the two players also differ in shape. The title is read by screen readers.

If a picture gets the names of moves, it marks their places: an element with the attribute
``data-move`` stands for a move of that name, or for the beginning of the names of several, and
clicks on one after another spell a name. ``zermelo explore`` uses this for play. A name that is not
a move in the position has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Any

__all__ = [
    "FIRST",
    "SECOND",
    "bars",
    "caption",
    "clickable",
    "clickable_disc",
    "clickable_polygon",
    "document",
    "fields",
    "graph",
    "grid",
    "heap",
    "letters",
    "number",
]

FIRST = "var(--zermelo-first,#3182bd)"
SECOND = "var(--zermelo-second,#e6761a)"
CELL = 40
MARGIN = 8
CHESSMEN = "\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f"
MOST_STONES = 120
MOST_NODES = 60
MOST_BOXES = 16
RIM = 13
SIDE = 76
#: The width of a board on a phone, and the least width of a touch target, in pixels.
PHONE, FINGER = 300, 24

Spot = tuple[float, float]

#: A node with its number, a few words beside it, and ``first``, ``second`` or ``ring``.
Tag = tuple[int, str, str]


def grid(
    rows: Sequence[Sequence[str]],
    *,
    title: str,
    discs: str = "",
    filled: str = "",
    below: Sequence[str] = (),
    moves: Sequence[Sequence[str]] = (),
    aside: str = "",
    faint: str = "",
    ranks: Sequence[str] = (),
    words: Mapping[str, str] | None = None,
) -> str:
    """Return a picture of a board of square cells, or of several with spaces between them.

    Args:
        rows: the cells, the top row first: a string of characters, or a list of words. A dot is an
            empty cell, ``X`` a cross, ``O`` a circle, a chessman that man, and a space is no cell;
            anything else is written into its cell.
        title: the description for screen readers.
        discs: the character drawn as the first player's disc, then the second player's, if any.
        filled: characters whose cells are filled, such as walls and covered cells.
        below: the text under each column.
        moves: for each cell, row by row as ``rows``, the name of the move made there, or its part
            of a name.
        aside: a move that is made on no cell, such as a pass: its name, to click below.
        faint: lower-case letters that are drawn like their capitals, but faintly.
        ranks: makes the board chequered, in its own colours on every page, as in chess: the text in
            the first cell of each row; ``below`` is then written in the last row.
        words: for the last part of a name that is on no cell, such as the piece of a promotion, a
            word without spaces.
    """
    width, height = max(map(len, rows)), len(rows)
    columns = () if ranks else below
    parts = [
        *(
            _checkerboard(width, height, ranks, below)
            if ranks
            else [f'<path opacity=".45" d="{_grid_lines(width, height, rows)}"/>']
        ),
        *(
            _block(column, row)
            if mark in set(filled)
            else f'<g opacity=".45">{_mark(mark.upper(), discs, *_centre(column, row))}</g>'
            if mark in set(faint)
            else _mark(mark, discs, *_centre(column, row))
            for row, marks in enumerate(rows)
            for column, mark in enumerate(marks)
            if mark not in {".", " "}
        ),
        *(caption(word, *_centre(at, height, up=10), 12) for at, word in enumerate(columns)),
        *([caption(aside, *_centre(0, height, up=10), 12)] if aside else []),
        clickable(aside, MARGIN, MARGIN + CELL * height, CELL, 20),
        *(
            clickable(name, MARGIN + CELL * column, MARGIN + CELL * row, CELL, CELL)
            for row, names in enumerate(moves)
            for column, name in enumerate(names)
        ),
    ]
    bottom = 24 if columns or aside else 0
    size = (2 * MARGIN + CELL * width, 2 * MARGIN + CELL * height + bottom)
    return document(parts, size, title=title, words=words)


def bars(
    values: Sequence[int], live: range, *, title: str, moves: Mapping[int, str] | None = None
) -> str:
    """Return a picture of a row of numbers as bars.

    Args:
        values: the numbers; those below zero hang from the line.
        live: the indices of the bars still in play; the others are drawn faintly.
        title: the description for screen readers.
        moves: for some indices, the name of the move that takes that number.
    """
    step = min(CELL, 640 / len(values))
    high, low = max(0, *values), max(0, *(-int(value) for value in values))
    unit = 120 / max(1, high + low)
    zero = 3 * MARGIN + high * unit
    numbered = step >= 24  # noqa: PLR2004  # room for three digits
    parts = []
    for place, value in enumerate(values):
        left, size = MARGIN + place * step, abs(value) * unit
        top = zero - size if value > 0 else zero
        look = "" if place in live else ' opacity=".25"'
        parts.append(
            f'<rect x="{left + step * 0.1:.1f}" y="{top:.1f}" width="{step * 0.8:.1f}" '
            f'height="{size:.1f}" stroke="none" style="fill:{FIRST}"{look}/>'
        )
        if numbered:
            label_height = top - 9 if value >= 0 else top + size + 9
            parts.append(
                caption(str(value), left + step / 2, label_height, 12, faint=place not in live)
            )
    right = MARGIN + step * len(values)
    parts.append(f'<path d="M{MARGIN} {zero:.1f}H{right:.1f}"/>')
    bottom = zero + low * unit + 3 * MARGIN
    for place, name in (moves or {}).items():
        parts.append(clickable(name, MARGIN + place * step, 0, step, bottom))
    return document(parts, (right + MARGIN, bottom), title=title)


def heap(count: int, *, title: str, moves: Sequence[str] = ()) -> str:
    """Return a picture of stones in a heap, with their number; very large heaps are abbreviated.

    Args:
        count: the number of stones.
        title: the description for screen readers.
        moves: the names of taking one stone, two stones, and so on; the stones to click are those
            on top.
    """
    drawn_count, radius = min(count, MOST_STONES), 9
    base = next(k for k in range(1, drawn_count + 2) if k * (k + 1) // 2 >= drawn_count)
    width = max(64, 2 * (MARGIN + radius * base))
    parts, spots, row, left = [], [], 0, drawn_count
    while left > 0:
        row_size = min(left, base - row)
        x, y = width / 2 - radius * (base - 1 - row), radius * (2 + 1.75 * (base - 1 - row))
        spots += [(x + 2 * radius * i, y) for i in range(row_size)]
        left, row = left - row_size, row + 1
    parts += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius - 0.5}" style="fill:{FIRST}"/>'
        for x, y in spots
    ]
    parts += [
        clickable(name, x - radius, y - radius, 2 * radius, 2 * radius)
        for name, (x, y) in zip(moves, reversed(spots), strict=False)
    ]
    bottom = radius * (2 + 1.75 * (base - 1)) + 2 * radius
    parts.append(caption(str(count), width / 2, bottom + 6, 14))
    return document(parts, (width, bottom + 24), title=title)


def number(value: int, *, title: str, moves: Sequence[str] = ()) -> str:
    """Return a picture of a number, with moves to click written below it.

    Args:
        value: the number.
        title: the description for screen readers.
        moves: their names.
    """
    step = 2 * MARGIN + 8 * max(map(len, moves), default=4)
    width = max(3 * CELL, step * len(moves) + 2 * MARGIN)
    parts = [caption(str(value), width / 2, MARGIN + CELL / 2, 28)]
    for place, name in enumerate(moves):
        x, y = (width - step * len(moves)) / 2 + step * place, MARGIN + CELL
        box = f'<rect x="{x:.1f}" y="{y}" width="{step - 6}" height="28" rx="8" opacity=".45"/>'
        parts += [box, caption(name, x + step / 2 - 3, y + 14, 13)]
        parts.append(clickable(name, x, y, step - 6, 28))
    return document(parts, (width, 2 * MARGIN + CELL + (28 if moves else 0)), title=title)


def graph(
    neighbours: Sequence[Sequence[int]],
    tags: Sequence[Tag],
    *,
    title: str,
    directed: bool = False,
    moves: Sequence[str] = (),
    gone: Iterable[tuple[int, int]] = (),
) -> str:
    """Return a picture of a graph with pieces on it, arranged so that its shape can be seen.

    If a graph has more than 60 nodes, only those nearest the tags are drawn, and a line below gives
    the total.

    Args:
        neighbours: one row of neighbours for each node.
        tags: the pieces and words at nodes. ``first`` and ``second`` fill the node with that
            player's colour, ``ring`` draws a second ring around it.
        title: the description for screen readers.
        directed: whether to draw an arrow on an edge that runs one way only.
        moves: for each node, the name of the move to it.
        gone: edges that are not drawn, so that nodes stay in place when edges are taken away.
    """
    from zermelo.drawing.graph_layout import nearest

    nodes = nearest(neighbours, [node for node, _, _ in tags], MOST_NODES)
    index = {node: i for i, node in enumerate(nodes)}
    rows = tuple(tuple(index[o] for o in neighbours[node] if o in index) for node in nodes)
    spots, (width, height) = _spread(rows)
    missing = {pair for a, b in gone for pair in ((a, b), (b, a))}
    if missing:
        rows = tuple(
            tuple(o for o in row if (node, nodes[o]) not in missing)
            for node, row in zip(nodes, rows, strict=True)
        )
    parts = _edges(rows, spots, directed=directed)
    words: dict[int, list[str]] = {}
    for node, word, kind in tags:
        x, y = spots[index[node]]
        words.setdefault(node, []).append(word)
        if kind == "ring":
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="17" stroke-width="1.5"/>')
    colours = {"first": FIRST, "second": SECOND}
    filled = {node: colours[kind] for node, _, kind in tags if kind in colours}
    for node, (x, y) in zip(nodes, spots, strict=True):
        parts.append(_node(node, x, y, filled.get(node)))
    for node, node_words in words.items():
        i = index[node]
        parts.append(_label(", ".join(node_words), spots[i], _around(rows, spots, i)))
    for node, (x, y) in zip(nodes, spots, strict=True):
        if moves:
            nearest_other = min(
                (hypot(u - x, v - y) for u, v in spots if (u, v) != (x, y)), default=width
            )
            reach = max(RIM, min(touch_size(width), nearest_other) / 2)
            parts.append(clickable_disc(moves[node], x, y, reach))
    if len(nodes) < len(neighbours):
        note = f"the nearest {len(nodes)} of {len(neighbours)} nodes"
        parts.append(caption(note, width / 2, height - 10, 12))
    return document(parts, (width, height), title=title)


def letters(text: str, *, title: str) -> str:
    """Return a picture of text, in a fixed-width font.

    Args:
        text: one line or several.
        title: the description for screen readers.
    """
    lines = text.expandtabs().splitlines() or [""]
    parts = [
        f'<text x="{MARGIN}" y="{MARGIN + 20 * n + 10}" dy=".35em" font-size="15" '
        f'xml:space="preserve" font-family="ui-monospace,monospace" fill="currentColor" '
        f'stroke="none">{_xml(line)}</text>'
        for n, line in enumerate(lines)
    ]
    size = 2 * MARGIN + 9.4 * max(map(len, lines)), 2 * MARGIN + 20 * len(lines)
    return document(parts, size, title=title)


def fields(pairs: Iterable[tuple[str, Any]], *, title: str) -> str:
    """Return a picture of named numbers: a box for a number, a row of boxes for a row of them.

    Args:
        pairs: names, each with an integer or a tuple of integers.
        title: the description for screen readers.
    """
    rows: list[tuple[str, list[str]]] = []
    for name, value in pairs:
        items = [str(item) for item in (value if isinstance(value, tuple) else (value,))]
        breaks = range(0, max(1, len(items)), MOST_BOXES)
        rows += [("" if at else name, items[at : at + MOST_BOXES]) for at in breaks]
    edge = 2 * MARGIN + 8 * max((len(name) for name, _ in rows), default=0)
    widest = max((len(item) for _, items in rows for item in items), default=1)
    step, parts = max(CELL, 9 * widest + 2 * MARGIN), []
    for n, (name, items) in enumerate(rows):
        y = MARGIN + (CELL + 6) * n
        parts.append(caption(name, MARGIN + edge / 2 - MARGIN, y + CELL / 2, 14))
        for i, item in enumerate(items):
            box = f'<rect x="{edge + step * i}" y="{y}" width="{step}" height="{CELL}" '
            parts += [f'{box}opacity=".45"/>', caption(item, edge + step * (i + 0.5), y + 20, 16)]
    across = max((len(items) for _, items in rows), default=1)
    size = edge + step * across + MARGIN, 2 * MARGIN + (CELL + 6) * len(rows) - 6
    return document(parts, size, title=title)


def document(
    parts: Sequence[str],
    size: tuple[float, float],
    *,
    title: str,
    words: Mapping[str, str] | None = None,
) -> str:
    """Return an ``<svg>`` element.

    Args:
        parts: its elements; the default outline has the colour of the text around the picture,
            without a fill.
        size: width and height, in pixels and in the units that ``parts`` use.
        title: the description for screen readers.
        words: for the last part of a move's name that is nowhere in the picture, a word without
            spaces.
    """
    width, height = (f"{number:.0f}" for number in size)
    words_text = " ".join(f"{part}={word}" for part, word in (words or {}).items())
    chosen = f' data-words="{_xml(words_text)}"' if words_text else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%" fill="none" '
        f'stroke="currentColor" font-family="system-ui,sans-serif"{chosen}>'
        f"<title>{_xml(title)}</title>{''.join(parts)}</svg>"
    )


def caption(word: str, x: float, y: float, size: int, *, faint: bool = False) -> str:
    """Return a word as an element, centred on a spot.

    Args:
        word: the text.
        x: its centre, from the left.
        y: its centre, from the top.
        size: the size of the letters, in pixels.
        faint: whether to write it faintly.
    """
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" font-size="{size}" text-anchor="middle" '
        f'fill="currentColor" stroke="none" opacity="{0.45 if faint else 1}">{_xml(word)}</text>'
    )


@lru_cache(maxsize=4096)  # as those of a game's many pictures are few
def clickable(name: str, x: float, y: float, width: float, height: float) -> str:
    """Return an invisible element to click for a move.

    Args:
        name: the move, or the beginning of the names of several; "" for no element.
        x: the left edge.
        y: the upper edge.
        width: the width.
        height: the height.
    """
    if not name:
        return ""
    return (
        f'<rect data-move="{_xml(name)}" x="{x:.1f}" y="{y:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" fill="none" stroke="none"/>'
    )


def clickable_disc(name: str, x: float, y: float, radius: float) -> str:
    """Return an invisible element like that of ``clickable``, in the form of a disc.

    Args:
        name: the move, or the beginning of the names of several; "" for no element.
        x: its centre, from the left.
        y: its centre, from the top.
        radius: its radius.
    """
    if not name:
        return ""
    return (
        f'<circle data-move="{_xml(name)}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" '
        'fill="none" stroke="none"/>'
    )


def clickable_polygon(name: str, corners: Iterable[Spot]) -> str:
    """Return an invisible element like that of ``clickable``, in the form of a polygon.

    Args:
        name: the move, or the beginning of the names of several; "" for no element.
        corners: its corners in order.
    """
    if not name:
        return ""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polygon data-move="{_xml(name)}" points="{points}" fill="none" stroke="none"/>'


def touch_size(width: float) -> float:
    """Return the least width of a clickable element for touch, in the units of a picture.

    Args:
        width: the width of the picture; on a phone it is scaled to the page.
    """
    return FINGER * max(1.0, width / PHONE)


def _grid_lines(width: int, height: int, rows: Sequence[Sequence[str]]) -> str:
    if any(" " in row for row in rows):
        return "".join(
            f"M{MARGIN + CELL * column} {MARGIN + CELL * row}h{CELL}v{CELL}h-{CELL}z"
            for row, marks in enumerate(rows)
            for column, mark in enumerate(marks)
            if mark != " "
        )
    across = (f"M{MARGIN} {MARGIN + CELL * row}h{CELL * width}" for row in range(height + 1))
    down = (f"M{MARGIN + CELL * column} {MARGIN}v{CELL * height}" for column in range(width + 1))
    return "".join([*across, *down])


def _checkerboard(width: int, height: int, ranks: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return light and dark squares with coordinates; the lower right one is light."""
    right, bottom = MARGIN + CELL * width, MARGIN + CELL * height
    whole = f'x="{MARGIN}" y="{MARGIN}" width="{CELL * width}" height="{CELL * height}"'
    dark = "".join(
        f"M{MARGIN + CELL * column} {MARGIN + CELL * row}h{CELL}v{CELL}h-{CELL}z"
        for row in range(height)
        for column in range(width)
        if (width - column + height - row) % 2
    )
    text_style = 'font-size="8" stroke="none" fill="#26303d"'
    return [
        f'<rect {whole} fill="#e8ecf1" stroke="none"/>',
        f'<path d="{dark}" fill="#9babbf" stroke="none"/>',
        f'<rect {whole} stroke="#5f6f83"/>',
        *(
            f'<text x="{MARGIN + 3}" y="{MARGIN + CELL * row + 9}" {text_style}>{_xml(word)}</text>'
            for row, word in enumerate(ranks)
        ),
        *(
            f'<text x="{right - CELL * (width - 1 - column) - 3}" y="{bottom - 4}" '
            f'text-anchor="end" {text_style}>{_xml(word)}</text>'
            for column, word in enumerate(files)
        ),
    ]


def _centre(column: int, row: int, up: int = 0) -> tuple[float, float]:
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5) - up


def _block(column: int, row: int) -> str:
    x, y = MARGIN + CELL * column + 2, MARGIN + CELL * row + 2
    return (
        f'<rect x="{x}" y="{y}" width="{CELL - 4}" height="{CELL - 4}" rx="3" '
        'fill="currentColor" stroke="none" opacity=".45"/>'
    )


@lru_cache(maxsize=4096)
def _mark(mark: str, discs: str, x: float, y: float) -> str:
    if len(mark) > 1:
        return caption(mark, x, y, 16)
    if discs.startswith(mark):
        return f'<circle cx="{x}" cy="{y}" r="15" style="fill:{FIRST}"/>'
    if mark in discs:
        ring = f'<circle cx="{x}" cy="{y}" r="11" stroke-width="8" style="stroke:{SECOND}"/>'
        return ring + "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for r in (7, 15))
    if mark == "X":
        cross = f"M{x - 11} {y - 11}l22 22m0 -22l-22 22"
        return f'<path d="{cross}" stroke-width="4" style="stroke:{FIRST}"/>'
    if mark == "O":
        return f'<circle cx="{x}" cy="{y}" r="12" stroke-width="4" style="stroke:{SECOND}"/>'
    if mark in CHESSMEN:
        # In the colour of their names, with an outline of the other; \ufe0e: not an emoji.
        black, man = divmod(CHESSMEN.index(mark), 6)
        symbol = caption(CHESSMEN[6 + man] + "\ufe0e", x, y, 32)
        fill, line = ("#16181c", "#f4f6f8") if black else ("#fff", "#16181c")
        fill = f'fill="{fill}" stroke="{line}" stroke-width="1.1" paint-order="stroke"'
        return symbol.replace('fill="currentColor" stroke="none"', fill)
    return caption(mark, x, y, 16)


@lru_cache(maxsize=4096)
def _xml(text: str) -> str:
    """Return text for XML, with control characters replaced."""
    return escape("".join(c if c.isprintable() or c in " \t\n" else "\ufffd" for c in text))


def _spread(rows: tuple[tuple[int, ...], ...]) -> tuple[list[Spot], tuple[float, float]]:
    """Return the places of nodes, and a size with room for words around them."""
    from zermelo.drawing.graph_layout import place_nodes

    places = place_nodes(rows)
    span = min(440, 50 * len(rows))
    x, y = (places * span).T
    # A path is almost flat; a square graph would be too high for most screens.
    y = y * min(1, 300 / max(1e-9, float(y.max())))
    spots = [(SIDE + float(a), 44 + float(b)) for a, b in zip(x, y, strict=True)]
    return spots, (2 * SIDE + float(x.max()), 88 + float(y.max()))


def _edges(rows: Sequence[Sequence[int]], spots: Sequence[Spot], *, directed: bool) -> list[str]:
    two_way, one_way, loops = [], [], []
    for i, row in enumerate(rows):
        for j in dict.fromkeys(row):
            if i == j:
                angle = _free_angle(spots[i], _around(rows, spots, i))
                x, y = spots[i][0] + 20 * cos(angle), spots[i][1] + 20 * sin(angle)
                loops.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" opacity=".6"/>')
            elif directed and i not in rows[j]:
                one_way.append((spots[i], spots[j]))
            elif i < j or i not in rows[j]:
                two_way.append((spots[i], spots[j]))
    lines = [
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*_shorten_edge(a, b)) for a, b in [*two_way, *one_way]
    ]
    heads = [_arrow_head(start, end) for start, end in one_way]
    paths = [f'<path opacity=".6" d="{"".join(lines)}"/>'] if lines else []
    return [*paths, *heads, *loops]


def _shorten_edge(start: Spot, end: Spot) -> tuple[float, float, float, float]:
    """Return both ends of an edge from rim to rim, so that nodes need no fill."""
    (a, b), (c, d) = start, end
    share = RIM / max(2 * RIM, hypot(c - a, d - b))
    x, y = (c - a) * share, (d - b) * share
    return a + x, b + y, c - x, d - y


def _arrow_head(start: Spot, end: Spot) -> str:
    _, _, x, y = _shorten_edge(start, end)
    angle = atan2(end[1] - start[1], end[0] - start[0])
    corners = [(x, y), *((x - 9 * cos(angle + t), y - 9 * sin(angle + t)) for t in (-0.4, 0.4))]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" fill="currentColor" stroke="none"/>'


def _node(node: int, x: float, y: float, colour: str | None) -> str:
    fill = f' style="fill:{colour}"' if colour else ""
    number = caption(str(node), x, y, 12)
    number = number.replace('fill="currentColor"', 'fill="#fff"') if colour else number
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RIM}"{fill}/>{number}'


def _label(word: str, spot: Spot, around: Sequence[Spot]) -> str:
    """Return a word beside a node, in the direction with the most room between its edges."""
    angle = _free_angle(spot, around)
    distance = 24 + 3 * len(word) * abs(cos(angle))
    return caption(word, spot[0] + distance * cos(angle), spot[1] + distance * sin(angle), 13)


def _free_angle(spot: Spot, around: Sequence[Spot]) -> float:
    angles = sorted(atan2(y - spot[1], x - spot[0]) for x, y in around if (x, y) != spot)
    if not angles:
        return -pi / 2
    gaps = [*pairwise(angles), (angles[-1], angles[0] + 2 * pi)]
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (start + end) / 2


def _around(rows: Sequence[Sequence[int]], spots: Sequence[Spot], node: int) -> list[Spot]:
    return [spots[i] for i, row in enumerate(rows) if i in rows[node] or node in row]
