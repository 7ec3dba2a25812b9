"""A picture of a solved graph: the players to move, the winners, and the winning moves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.drawing import FIRST, MARGIN, SECOND, caption, document
from zermelo.drawing.graph_layout import place_nodes
from zermelo.errors import ParameterError
from zermelo.forms.markup import COLOURS
from zermelo.forms.pictures import Picture
from zermelo.forms.quantities import count_phrase
from zermelo.graph.formats.solved_arrays import SolvedArrays

if TYPE_CHECKING:
    from zermelo.graph.parity import ParitySolution
    from zermelo.solution.solution import Solution

#: The most vertices of a picture; more would not be read.
MOST_VERTICES = 60
#: The height of a box, the width of a letter, the least width, and the space between boxes.
_HEIGHT, _LETTER, _LEAST_WIDTH, _GAP = 30, 7.5, 44, 34
#: The longest side of the part with the boxes, and the least length of an edge.
_LONGEST, _EDGE = 1400, 105
#: The height for loops above the boxes, and for the legend below them.
_LOOP, _LEGEND = 26, 26
#: How far an edge may be bent, as a share of its length: the first bend with which it touches no
#: box is used. Edges that run both ways have to bend.
_BENDS, _BENDS_OF_PAIRS = (0, 0.16, -0.16, 0.3, -0.3), (0.16, 0.3, 0.45)
#: Points of an edge that are compared with boxes.
_SAMPLES = 24

Point = tuple[float, float]


class _Box(NamedTuple):
    """A vertex in a picture.

    Attributes:
        name: its name.
        x: the middle, across.
        y: the middle, down.
        width: the width.
        is_square: whether its corners are square, as those of player 1 are.
        colour: the colour of the winner or the outcome; "" for a draw.
    """

    name: str
    x: float
    y: float
    width: float
    is_square: bool
    colour: str


def draw(solution: Solution | ParitySolution) -> Picture:
    """Return a picture of a small solved graph, which notebooks show and ``save`` writes.

    A vertex of player 0 is a round box, and one of player 1 a square one. The colour shows the
    winner or, if vertices have no owners, the value. The first best edge of each vertex is bold: in
    a game without end these are the winning moves.

    Args:
        solution: the solution of a graph, or of a parity game, of at most 60 vertices.

    Raises:
        ParameterError: the solution is not of a graph, or has more vertices.
    """
    solved = SolvedArrays.of(solution)
    if len(solved.nodes) > MOST_VERTICES:
        message = (
            f"the graph has {count_phrase(len(solved.nodes), 'vertices')}, and a picture at most "
            f"{MOST_VERTICES}; use write_dot and Graphviz"
        )
        raise ParameterError(message)
    best_of: dict[tuple[int, int], bool] = {}  # parallel edges are drawn as one
    for source, target, is_best in solved.edges():
        best_of[source, target] = best_of.get((source, target), False) or is_best
    boxes = _boxes(solved, best_of)
    width = max((box.x + box.width / 2 for box in boxes), default=0) + MARGIN
    height = max((box.y + _HEIGHT / 2 for box in boxes), default=0) + MARGIN
    parts = [_arrow(boxes, edge, best_of) for edge in sorted(best_of, key=best_of.__getitem__)]
    parts += map(_box_element, boxes)
    legend, legend_width = _legend(solved)
    width = max(width, legend_width + 2 * MARGIN)
    parts.append(caption(legend, width / 2, height + _LEGEND / 2 - 4, 12))
    svg = document(parts, (width, height + _LEGEND), title=_title(solved))
    return Picture((svg,))


def _boxes(solved: SolvedArrays, edges: Mapping[tuple[int, int], bool]) -> list[_Box]:
    """Return the boxes of all vertices, far enough from each other."""
    count = len(solved.nodes)
    rows: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        rows[source].append(target)
    names = [str(node) for node in solved.nodes]
    widths = np.array([max(_LEAST_WIDTH, _LETTER * len(name) + 18) for name in names])
    centres = place_nodes(tuple(map(tuple, rows))) * _scale(edges, rows, widths)
    if count:
        left = float((centres[:, 0] - widths / 2).min())
        top = MARGIN + _HEIGHT / 2 + (_LOOP if any(i == j for i, j in edges) else 0)
        centres += np.array([MARGIN - left, top - centres[:, 1].min()])
    return [
        _Box(
            names[v],
            float(centres[v, 0]),
            float(centres[v, 1]),
            float(widths[v]),
            is_square=solved.owner is not None and int(solved.owner[v]) == 1,
            colour=_colour(solved, v),
        )
        for v in range(count)
    ]


def _scale(
    edges: Mapping[tuple[int, int], bool], rows: Sequence[Sequence[int]], widths: Any
) -> float:
    """Return the size of a picture at which no boxes overlap and edges are long enough."""
    centres = place_nodes(tuple(map(tuple, rows)))
    lengths = [float(np.linalg.norm(centres[i] - centres[j])) for i, j in edges if i != j]
    scale = _EDGE / max(1e-9, min(lengths)) if lengths else _EDGE
    for i in range(len(widths)):
        for j in range(i):
            across, down = np.abs(centres[i] - centres[j])
            apart = (float(widths[i] + widths[j]) / 2 + _GAP) / max(1e-9, float(across))
            below = (_HEIGHT + _GAP) / max(1e-9, float(down))
            scale = max(scale, min(apart, below))
    return min(scale, float(_LONGEST))


def _colour(solved: SolvedArrays, vertex: int) -> str:
    """Return the colour of a vertex, or "" for a draw."""
    if solved.winner is not None:
        return {0: FIRST, 1: SECOND}.get(int(solved.winner[vertex]), "")
    return {1: COLOURS["win"], -1: COLOURS["loss"]}.get(int(solved.outcome[vertex]), "")


def _box_element(box: _Box) -> str:
    """Return the elements of a box, with its name."""
    x, y, radius = box.x - box.width / 2, box.y - _HEIGHT / 2, 0 if box.is_square else _HEIGHT / 2
    style = f'style="fill:{box.colour};stroke:{box.colour}"' if box.colour else ""
    size = f'width="{box.width:.1f}" height="{_HEIGHT}" rx="{radius:g}"'
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill-opacity=".18" stroke-width="2" {style}/>'
        f"{caption(box.name, box.x, box.y, 13)}"
    )


def _arrow(
    boxes: Sequence[_Box], edge: tuple[int, int], edges: Mapping[tuple[int, int], bool]
) -> str:
    """Return the elements of an edge with its arrowhead; a best edge is bold."""
    source, target = boxes[edge[0]], boxes[edge[1]]
    style = 'stroke-width="2.6"' if edges[edge] else 'opacity=".5"'
    if source is target:
        x, y = source.x, source.y - _HEIGHT / 2
        path = f"M{x - 9:.1f} {y:.1f}C{x - 22:.1f} {y - 28:.1f} {x + 22:.1f} {y - 28:.1f} "
        head = _head((x + 14, y - 12), (x + 9, y))
        return f'<g {style}><path d="{path}{x + 9:.1f} {y:.1f}"/>{head}</g>'
    others = [box for box in boxes if box is not source and box is not target]
    bends = _BENDS_OF_PAIRS if (edge[1], edge[0]) in edges else _BENDS
    across, down = target.x - source.x, target.y - source.y
    middles = [
        ((source.x + target.x) / 2 - bend * down, (source.y + target.y) / 2 + bend * across)
        for bend in bends
    ]
    free = (middle for middle in middles if not _touches(source, middle, target, others))
    middle = next(free, middles[0])
    (a, b), (c, d) = _rim(source, middle), _rim(target, middle)
    path = f"M{a:.1f} {b:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {c:.1f} {d:.1f}"
    return f'<g {style}><path d="{path}"/>{_head(middle, (c, d))}</g>'


def _touches(source: _Box, middle: Point, target: _Box, others: Sequence[_Box]) -> bool:
    """Return whether an edge that is bent towards a point touches one of the other boxes."""
    share = np.linspace(0, 1, _SAMPLES)[:, None]
    ends = np.array([[source.x, source.y], [target.x, target.y]])
    curve = (1 - share) ** 2 * ends[0] + 2 * share * (1 - share) * middle + share**2 * ends[1]
    middles = np.array([[box.x, box.y] for box in others]).reshape(-1, 2)
    reach = np.array([[box.width / 2 + 3, _HEIGHT / 2 + 3] for box in others]).reshape(-1, 2)
    return bool((np.abs(curve[:, None] - middles) < reach).all(axis=2).any())


def _rim(box: _Box, towards: Point) -> Point:
    """Return the point of a box's outline on the way to another point."""
    across, down = towards[0] - box.x, towards[1] - box.y
    half_width, half_height = box.width / 2 + 2, _HEIGHT / 2 + 2
    share = min(half_width / max(1e-9, abs(across)), half_height / max(1e-9, abs(down)))
    return box.x + share * across, box.y + share * down


def _head(start: Point, tip: Point) -> str:
    """Return an arrowhead whose tip is at a point."""
    length = max(1e-9, hypot(tip[0] - start[0], tip[1] - start[1]))
    along, beside = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    corners = [tip]
    corners += [
        (tip[0] - 10 * along + 4 * side * beside, tip[1] - 10 * beside - 4 * side * along)
        for side in (1, -1)
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polygon points="{points}" fill="currentColor" stroke="none"/>'


def _legend(solved: SolvedArrays) -> tuple[str, float]:
    """Return the legend of the shapes and the bold edges, and the width of its text."""
    text = "bold: the best move"
    if solved.owner is not None:
        text = "round: player 0 moves; square: player 1; colour: who wins; bold: the winning move"
    return text, 6.2 * len(text)


def _title(solved: SolvedArrays) -> str:
    """Return the description for screen readers."""
    vertices = count_phrase(len(solved.nodes), "vertices")
    groups: dict[str, list[Hashable]] = {}
    for vertex, node in enumerate(solved.nodes):
        if solved.winner is not None:
            winner = int(solved.winner[vertex])
            group = f"player {winner} wins" if winner >= 0 else "draw"
        else:
            group = {1: "win", 0: "draw", -1: "loss"}[int(solved.outcome[vertex])]
        groups.setdefault(group, []).append(node)
    parts = [f"{group}: {', '.join(map(str, groups[group]))}" for group in sorted(groups)]
    return "; ".join([f"graph of {vertices}", *parts])
