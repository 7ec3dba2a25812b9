"""Graphs as text for terminals, with numbers for nodes and lines of dots for edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo.drawing.graph_layout import nearest, place_nodes
from zermelo.forms.braille import BrailleCanvas

__all__ = ["sketch_graph"]

#: The most nodes that are drawn; more would not be readable.
_MOST_NODES = 24
#: The most characters and rows of a picture, and the characters for each node of a small graph.
_WIDE, _HIGH, _EACH = 66, 22, 9


def sketch_graph(neighbours: Sequence[Sequence[int]], tags: Sequence[tuple[int, str]]) -> str:
    """Return lines of text that show a graph with pieces on it.

    Of a large graph only the nodes nearest the tags are drawn, with a note below. Edges are dots of
    Braille characters, eight to a character; directed edges have no direction.

    Args:
        neighbours: one row of neighbours for each node.
        tags: words in brackets with the number of their node, such as ``[1 mouse]``.
    """
    nodes = nearest(neighbours, [node for node, _ in tags], _MOST_NODES)
    index = {node: i for i, node in enumerate(nodes)}
    rows = tuple(tuple(index[o] for o in neighbours[node] if o in index) for node in nodes)
    words: dict[int, list[str]] = {}
    for node, word in tags:
        words.setdefault(node, []).append(word)
    labels = [
        f"[{node} {', '.join(words[node])}]" if node in words else str(node) for node in nodes
    ]
    places = place_nodes(rows)
    width = min(_WIDE, _EACH * len(nodes))
    height = min(_HIGH, max(1, round(width * float(places[:, 1].max()) / 2)))
    margin = max(map(len, labels)) // 2 + 1
    spots = places / np.maximum(places.max(axis=0), 1e-9) * (width - 1, height - 1)
    spots += (margin, 0)
    canvas = BrailleCanvas(width + 2 * margin, height)
    for i, row in enumerate(rows):
        for j in row:
            canvas.draw_line(spots[i], spots[j])
    lines = canvas.rows()
    for label, (x, y) in zip(labels, spots, strict=True):
        first, line_number = round(x) - len(label) // 2, round(y)
        lines[line_number][first - 1 : first + len(label) + 1] = [" ", *label, " "]
    rows_of_text = [f"{''.join(line)}".rstrip() for line in lines]
    left = min((len(line) - len(line.lstrip()) for line in rows_of_text if line), default=0)
    text = "\n".join(line[left:] for line in rows_of_text)
    if len(nodes) < len(neighbours):
        text += f"\n(the nearest {len(nodes)} of {len(neighbours)} nodes)"
    return text
