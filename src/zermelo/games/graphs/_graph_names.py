"""Graphs by name, such as ``"petersen"`` and ``"grid 3 4"``, for games on graphs.

A graph is one row of neighbours for each node 0, 1, 2, …, in ascending order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import prod
from operator import ge
from typing import Any

from zermelo.errors import ParameterError
from zermelo.games._checks import brief
from zermelo.games.graphs._given import check_graph

Rows = tuple[tuple[int, ...], ...]
Edges = Iterable[tuple[int, int]]

#: A number of nodes above what any of these games could use.
MOST_NODES = 4_000


def graph_of(graph: Any) -> Rows:
    """Return the graph that a parameter gives, by its name or as rows of neighbours.

    Args:
        graph: the normalised parameter: a name with its numbers, or a tuple of tuples.

    Raises:
        ParameterError: no graph has that name, the name takes other numbers, or the rows
            are not those of a graph without directions.
    """
    if isinstance(graph, str):
        return named_graph(graph)
    check_graph(graph, directed=False, may_direct=False)
    rows: Rows = graph
    return rows


def named_graph(text: str) -> Rows:
    """Return the graph of a name and numbers, such as ``"grid 3 4"``: 3 rows of 4 nodes.

    Raises:
        ParameterError: no graph has that name, or it takes other numbers.
    """
    name, *words = text.split() or [""]
    if name not in _GRAPHS:
        message = f"graph {text!r} is not known; give rows such as [[1], [0, 2], [1]], or one of "
        raise ParameterError(message + ", ".join(_GRAPHS))
    make, least, *defaults = _GRAPHS[name]
    try:
        numbers = tuple(map(int, words)) or tuple(defaults)
    except ValueError:
        numbers = ()
    enough = len(numbers) == len(least) and all(map(ge, numbers, least))
    # A star of step n / 2 joins pairs of nodes twice; one of step n joins nodes to themselves.
    if not enough or (make is _petersen and 2 * numbers[1] >= numbers[0]):
        least_text = f"takes {len(least)} of at least {', '.join(map(str, least))}"
        takes = (
            f"{least_text}, as in {_example(name)!r}" if least else f"takes none; write {name!r}"
        )
        message = f"graph {text!r} has wrong numbers; {name!r} {takes}"
        raise ParameterError(message)
    count = _nodes(name, numbers)
    if count > MOST_NODES:
        message = f"graph {brief(text)} has more than {MOST_NODES:,} nodes; give smaller numbers"
        raise ParameterError(message)
    edges = make(*numbers)
    count = max((max(edge) for edge in edges), default=0) + 1
    rows: list[set[int]] = [set() for _ in range(count)]
    for first, second in edges:
        rows[first].add(second)
        rows[second].add(first)
    return tuple(tuple(sorted(row)) for row in rows)


def _nodes(name: str, numbers: tuple[int, ...]) -> int:
    """Return the approximate number of a graph's nodes, before it is built."""
    if name in {"cube", "binary-tree"}:
        return 1 << min(numbers[0], 60)
    return 2 * numbers[0] if name == "petersen" else prod(numbers)


def _example(name: str) -> str:
    _, least, *defaults = _GRAPHS[name]
    return " ".join([name, *map(str, defaults or (low + 2 for low in least))])


# -- families ------------------------------------------------------------------------------------


def _path(n: int) -> list[tuple[int, int]]:
    return [(i, i + 1) for i in range(n - 1)]


def _cycle(n: int) -> list[tuple[int, int]]:
    return [*_path(n), (0, n - 1)]


def _complete(n: int) -> list[tuple[int, int]]:
    return list(combinations(range(n), 2))


def _star(n: int) -> list[tuple[int, int]]:
    return [(0, i) for i in range(1, n + 1)]


def _wheel(n: int) -> list[tuple[int, int]]:
    return [*_star(n), *((i + 1, j + 1) for i, j in _cycle(n))]


def _bipartite(n: int, m: int) -> list[tuple[int, int]]:
    return [(i, n + j) for i in range(n) for j in range(m)]


def _grid(rows: int, columns: int) -> list[tuple[int, int]]:
    return _rides(rows, columns, ((0, 1), (1, 0)), 1)


def _king(rows: int, columns: int) -> list[tuple[int, int]]:
    return _rides(rows, columns, ((0, 1), (1, 0), (1, 1), (1, -1)), 1)


def _knight(rows: int, columns: int) -> list[tuple[int, int]]:
    return _rides(rows, columns, ((1, 2), (2, 1), (2, -1), (1, -2)), 1)


def _queen(rows: int, columns: int) -> list[tuple[int, int]]:
    return _rides(rows, columns, ((0, 1), (1, 0), (1, 1), (1, -1)), max(rows, columns))


def _rides(
    rows: int, columns: int, ways: tuple[tuple[int, int], ...], reach: int
) -> list[tuple[int, int]]:
    """Return the pairs of squares of a board that are up to ``reach`` of the given steps apart."""
    return [
        (row * columns + column, (row + k * down) * columns + column + k * right)
        for row in range(rows)
        for column in range(columns)
        for down, right in ways
        for k in range(1, reach + 1)
        if row + k * down < rows and 0 <= column + k * right < columns
    ]


def _cube(n: int) -> list[tuple[int, int]]:
    return [(i, i | 1 << k) for i in range(1 << n) for k in range(n) if not i >> k & 1]


def _binary_tree(depth: int) -> list[tuple[int, int]]:
    return [((i - 1) // 2, i) for i in range(1, (2 << depth) - 1)]


def _petersen(n: int, k: int) -> list[tuple[int, int]]:
    """Return the generalised Petersen graph: a ring, spokes, and an inner star of step ``k``."""
    spokes = [(i, n + i) for i in range(n)]
    return [*_cycle(n), *spokes, *((n + i, n + (i + k) % n) for i in range(n))]


# -- single graphs ---------------------------------------------------------------------------------


def _jumps(jumps: tuple[int, ...], times: int) -> Callable[[], list[tuple[int, int]]]:
    """Return a function for a ring with chords in LCF notation (Lederberg; Frucht 1977)."""
    n = len(jumps) * times
    chords = [(i, (i + jump) % n) for i, jump in enumerate(jumps * times)]
    return lambda: [*_cycle(n), *chords]


def _ring(n: int, chords: str) -> Callable[[], list[tuple[int, int]]]:
    return lambda: [*_cycle(n), *_listed(chords)]


def _given(edges: str) -> Callable[[], list[tuple[int, int]]]:
    return lambda: _listed(edges)


def _listed(text: str) -> list[tuple[int, int]]:
    """Return edges of a text such as ``0:1,2 1:2``: each node with its neighbours above it."""
    return [
        (int(node), int(other))
        for node, _, others in (word.partition(":") for word in text.split())
        for other in others.split(",")
    ]


def _octahedron() -> list[tuple[int, int]]:
    return [(i, j) for i, j in _complete(6) if i + j != 5]  # opposite corners


def _icosahedron() -> list[tuple[int, int]]:
    around = [*range(1, 6)], [*range(6, 11)]
    edges = [(0, i) for i in around[0]] + [(11, i) for i in around[1]]
    for k in range(5):
        edges += [(ring[k], ring[(k + 1) % 5]) for ring in around]
        edges += [(around[0][k], around[1][k]), (around[0][k], around[1][(k + 1) % 5])]
    return edges


def _coxeter() -> list[tuple[int, int]]:
    """Return the Coxeter graph: triples of seven points except Fano lines, joined if disjoint."""
    fano = {tuple(sorted((i % 7, (i + 1) % 7, (i + 3) % 7))) for i in range(7)}
    triples = [triple for triple in combinations(range(7), 3) if triple not in fano]
    return [(i, j) for i, j in _complete(28) if not {*triples[i]} & {*triples[j]}]


#: By name: the function that returns the edges, the smallest numbers, and the default numbers.
_GRAPHS: dict[str, Any] = {
    "path": (_path, (1,)),
    "cycle": (_cycle, (3,)),
    "complete": (_complete, (1,)),
    "star": (_star, (1,)),
    "wheel": (_wheel, (3,)),
    "complete-bipartite": (_bipartite, (1, 1)),
    "grid": (_grid, (1, 1)),
    "king": (_king, (1, 1)),
    "knight": (_knight, (1, 1)),
    "queen": (_queen, (1, 1)),
    "cube": (_cube, (1,), 3),
    "binary-tree": (_binary_tree, (1,)),
    "petersen": (_petersen, (3, 1), 5, 2),
    "octahedron": (_octahedron, ()),
    "dodecahedron": (lambda: _petersen(10, 2), ()),
    "icosahedron": (_icosahedron, ()),
    "truncated-tetrahedron": (_jumps((2, 6, -2), 4), ()),
    "moebius-kantor": (lambda: _petersen(8, 3), ()),
    "desargues": (lambda: _petersen(10, 3), ()),
    "nauru": (lambda: _petersen(12, 5), ()),
    "frucht": (_jumps((-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2), 1), ()),
    "heawood": (_jumps((5, -5), 7), ()),
    "pappus": (_jumps((5, 7, -7, 7, -7, -5), 3), ()),
    "mcgee": (_jumps((12, 7, -7), 8), ()),
    "dyck": (_jumps((5, -5, 13, -13), 8), ()),
    "coxeter": (_coxeter, ()),
    # The only graph of 19 nodes with four edges at each and no cycle shorter than five.
    "robertson": (
        _ring(
            19,
            "0:4,7 1:9,12 2:6,14 3:8,11 4:15 5:13,17 6:10 7:16 8:13 9:17 10:15 11:18 12:16 14:18",
        ),
        (),
    ),
    # D. Krackhardt, Administrative Science Quarterly 35 (1990).
    "krackhardt-kite": (
        _given("0:1,2,3,5 1:3,4,6 2:3,5 3:4,5,6 4:6 5:6,7 6:7 7:8 8:9"),
        (),
    ),
    # W. Zachary, Journal of Anthropological Research 33 (1977).
    "karate-club": (
        _given(
            "0:1,2,3,4,5,6,7,8,10,11,12,13,17,19,21,31 1:2,3,7,13,17,19,21,30 "
            "2:3,7,8,9,13,27,28,32 3:7,12,13 4:6,10 5:6,10,16 6:16 8:30,32,33 9:33 13:33 14:32,33 "
            "15:32,33 18:32,33 19:33 20:32,33 22:32,33 23:25,27,29,32,33 24:25,27,31 25:31 "
            "26:29,33 27:33 28:31,33 29:32,33 30:32,33 31:32,33 32:33"
        ),
        (),
    ),
}
