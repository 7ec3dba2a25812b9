"""The graphs, piles and boards that Zermelo and its rivals are both given."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

Graph = list[list[int]]
#: Where each node's row begins in the second array, and one number more; and the rows.
Arrays = tuple[npt.NDArray[np.int64], npt.NDArray[np.integer]]

#: The degree that stands for a path.
PATH = 2
#: Vertices of a random graph that are made at once.
_CHUNK = 1 << 20


def dense_graph(nodes: int, seed: int = 1) -> Graph:
    """Return a random graph that has half of all possible edges."""
    pairs = [(one, other) for one in range(nodes) for other in range(one)]
    return _graph(nodes, Random(seed).sample(pairs, len(pairs) // 2))


def path(nodes: int) -> Graph:
    """Return a path with the hole at one end, on which a chase takes long."""
    return _graph(nodes, [(node, node + 1) for node in range(nodes - 1)])


def small_graphs(count: int, seed: int = 1) -> list[Graph]:
    """Return random connected graphs of 10 to 14 nodes."""
    draw = Random(seed)
    graphs = []
    for _ in range(count):
        nodes = draw.randint(10, 14)
        tree = {(node, draw.randrange(node)) for node in range(1, nodes)}
        others = [(a, b) for a in range(nodes) for b in range(a) if (a, b) not in tree]
        graphs.append(_graph(nodes, [*tree, *draw.sample(others, draw.randrange(2 * nodes))]))
    return graphs


def sparse_graph(nodes: int, degree: int) -> Arrays:
    """Return (indptr, indices) of a random graph, or of a path where the degree is ``PATH``."""
    rng = np.random.default_rng(7)
    here, there = rng.integers(0, nodes, (2, nodes * degree // 2))
    if degree == PATH:
        here = np.arange(nodes - 1)
        there = here + 1
    apart = here != there
    edges = np.unique(
        np.concatenate([here[apart] * nodes + there[apart], there[apart] * nodes + here[apart]])
    )
    ends = np.concatenate([[0], np.cumsum(np.bincount(edges // nodes, minlength=nodes))])
    return ends.astype(np.int64), edges % nodes


def random_arrays(n: int, seed: int = 1) -> Arrays:
    """Return a random graph: the one that ``baselines/retrograde.c`` makes of the same numbers."""
    low, high = np.uint64((1 << 32) - 1), np.uint64(32)
    indptr = np.zeros(n + 1, np.int64)
    for begin in range(0, n, _CHUNK):
        end = min(begin + _CHUNK, n)
        z = _mixed(np.arange(begin + 1, end + 1, dtype=np.uint64) + (2 * seed << 40))
        degrees = np.where((z >> high) % 100 < 6, 0, 1 + ((z & low) * 9 >> high))
        indptr[begin + 1 : begin + 1 + len(z)] = degrees
    np.cumsum(indptr, out=indptr)
    m = int(indptr[-1])
    indices = np.empty(m, np.int32)
    for begin in range(0, m, _CHUNK):
        end = min(begin + _CHUNK, m)
        z = _mixed(np.arange(begin + 1, end + 1, dtype=np.uint64) + ((2 * seed + 1) << 40))
        indices[begin:end] = (z >> high) * np.uint64(n) >> high
    return indptr, indices


def random_parity(
    n: int, priorities: int, least: int, most: int, seed: int = 1
) -> tuple[Arrays, npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Return a random parity game: the one that ``baselines/parity.c`` makes of the same numbers.

    It has ``least`` to ``most`` moves a vertex. The result is the graph, the priorities and the
    owners.
    """
    high, numbers = np.uint64(32), np.arange(1, n + 1, dtype=np.uint64)
    degrees = least + (
        (_mixed(numbers + (3 * seed << 40)) >> high) * np.uint64(most - least + 1) >> high
    )
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    owners = _mixed(numbers + (3 * seed + 1 << 40))
    edges = np.arange(1, int(indptr[-1]) + 1, dtype=np.uint64)
    targets = (_mixed(edges + (3 * seed + 2 << 40)) >> high) * np.uint64(n) >> high
    levels = ((owners >> high) * np.uint64(priorities) >> high).astype(np.int64)
    return (indptr, targets.astype(np.int32)), levels, (owners & np.uint64(1)).astype(np.uint8)


def write_parity(place: Path, family: str, size: tuple[int, ...]) -> int:
    """Write a parity game as PGSolver does; return the number of its vertices.

    Args:
        place: the file.
        family: "random", or a function of the tests' ``parity_families``.
        size: what ``random_parity`` or the function takes.
    """
    if family == "random":
        (indptr, indices), priorities, owners = random_parity(*size)
        ends, targets = indptr.tolist(), indices.tolist()
        rows = [targets[begin:end] for begin, end in pairwise(ends)]
        game = list(zip(priorities.tolist(), owners.tolist(), rows, strict=True))
    else:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
        from support.games import parity_families  # type: ignore[import-not-found]  # found by the path just given

        vertices = getattr(parity_families, family)(*size)
        game = [vertices[v] for v in range(len(vertices))]
    with place.open("w") as file:
        file.write(f"parity {len(game) - 1};\n")
        for v, (priority, owner, row) in enumerate(game):
            file.write(f"{v} {priority} {owner} {','.join(map(str, row))};\n")
    return len(game)


def piles(count: int, seed: int = 1) -> list[int]:
    """Return random piles."""
    draw = Random(seed)
    return [draw.randint(1, 1000) for _ in range(count)]


def _graph(nodes: int, edges: list[tuple[int, int]]) -> Graph:
    graph: Graph = [[] for _ in range(nodes)]
    for one, other in edges:
        graph[one].append(other)
        graph[other].append(one)
    return [sorted(row) for row in graph]


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return numbers that look random, one for each (the finaliser of splitmix64)."""
    x = numbers * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)
