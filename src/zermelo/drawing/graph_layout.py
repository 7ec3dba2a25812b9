"""Placement of the nodes of a graph in a picture.

Nodes are placed so that their distances in the picture are close to those along edges (stress
majorisation), from several initial placements; the one with the fewest crossings and fewest edges
through nodes is used. The same graph is always placed the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_ROUNDS = 150
_RANDOM_BEGINNINGS = 6
_MOST_EDGES_TO_CROSS = 400
_NEAR = 0.07


def nearest(neighbours: Sequence[Sequence[int]], centres: Sequence[int], limit: int) -> list[int]:
    """Return up to ``limit`` nodes in ascending order: all, or those nearest the wanted ones."""
    if len(neighbours) <= limit:
        return list(range(len(neighbours)))
    chosen = dict.fromkeys(centres)
    waiting = list(chosen)
    while waiting and len(chosen) < limit:
        node = waiting.pop(0)
        new = [other for other in dict.fromkeys(neighbours[node]) if other not in chosen]
        new = new[: limit - len(chosen)]
        chosen |= dict.fromkeys(new)
        waiting += new
    return sorted(chosen)


@lru_cache(maxsize=64)
def place_nodes(rows: tuple[tuple[int, ...], ...]) -> Floats:
    """Return a place for each node, shape (n, 2), the greatest extent being 1 and the least x 0.

    Args:
        rows: one row of neighbours for each node; the directions of edges do not matter.
    """
    n = len(rows)
    edges = np.array(
        sorted({(min(i, j), max(i, j)) for i, row in enumerate(rows) for j in row if i != j}),
        dtype=np.int64,
    ).reshape(-1, 2)
    if n <= 2:  # noqa: PLR2004  # nothing to choose
        return np.linspace((0.0, 0.0), (1.0, 0.0), n)
    distances = _distances(n, edges)
    angles = np.arange(n) * 2 * np.pi / n
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) * distances.max() / 2
    noise = np.random.default_rng(n)
    beginnings = [circle, _classical_layout(distances) + 0.05 * circle]
    beginnings += [noise.normal(size=(n, 2)) * distances.max() for _ in range(_RANDOM_BEGINNINGS)]
    candidates = [_fit(_relax(distances, beginning)) for beginning in beginnings]
    return min([*candidates, _fit(circle)], key=lambda places: _faults(places, edges))


def _distances(n: int, edges: npt.NDArray[np.int64]) -> Floats:
    """Return the number of edges between any two nodes, one more than the most if not connected."""
    joined = np.eye(n, dtype=bool)
    joined[edges[:, 0], edges[:, 1]] = joined[edges[:, 1], edges[:, 0]] = True
    distances = np.zeros((n, n))
    is_within = np.eye(n, dtype=bool)
    for steps in range(1, n):
        wider = is_within @ joined
        distances[wider & ~is_within] = steps
        is_within = wider
    distances[~is_within] = distances.max() + 1
    return distances


def _classical_layout(distances: Floats) -> Floats:
    """Return the placement in a plane with inner products nearest those of the distances."""
    n = len(distances)
    centring = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    vectors *= np.where(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(n)] < 0, -1, 1)
    return np.asarray(vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0)))


def _relax(distances: Floats, places: Floats) -> Floats:
    """Return a placement that fits the distances better (SMACOF with weights 1/d²)."""
    weights = 1 / np.where(distances > 0, distances, np.inf) ** 2
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=0)) - weights)
    for _ in range(_ROUNDS):
        separation = np.linalg.norm(places[:, None] - places[None], axis=2)
        pull = -weights * distances / np.where(separation > 0, separation, np.inf)
        pull -= np.diag(pull.sum(axis=0))
        places = inverse @ pull @ places
    return places


def _fit(places: Floats) -> Floats:
    """Return a placement rotated to have the long side across, with greatest extent 1."""
    places = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(places, full_matrices=False)
    axes *= np.where(axes[np.arange(2), np.argmax(np.abs(axes), axis=1)] < 0, -1, 1)[:, None]
    places = places @ axes.T
    places -= places.min(axis=0)
    return np.asarray(places / max(1e-9, float(places.max())))


def _faults(places: Floats, edges: npt.NDArray[np.int64]) -> float:
    """Return the faults of a placement: crossings, nodes on edges, nodes on nodes."""
    n = len(places)
    separation = np.linalg.norm(places[:, None] - places[None], axis=2)
    faults = 5.0 * np.count_nonzero(separation[np.triu_indices(n, 1)] < _NEAR)
    starts, ends = places[edges[:, 0]], places[edges[:, 1]]
    directions = ends - starts
    share = ((places[None] - starts[:, None]) * directions[:, None]).sum(axis=2)
    share = np.clip(share / np.maximum(1e-12, (directions**2).sum(axis=1))[:, None], 0, 1)
    off = np.linalg.norm(
        starts[:, None] + share[..., None] * directions[:, None] - places[None], axis=2
    )
    edge_numbers = np.arange(len(edges))
    off[edge_numbers, edges[:, 0]] = off[edge_numbers, edges[:, 1]] = np.inf
    faults += 3.0 * np.count_nonzero(off < _NEAR / 2)
    if len(edges) <= _MOST_EDGES_TO_CROSS:
        faults += _crossings(starts, ends, edges)
    return float(faults)


def _crossings(starts: Floats, ends: Floats, edges: npt.NDArray[np.int64]) -> int:
    def side(a: Floats, b: Floats, c: Floats) -> Floats:
        u, v = b - a, c - a
        return np.asarray(np.sign(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]))

    first, second = np.triu_indices(len(edges), 1)
    a, b, c, d = starts[first], ends[first], starts[second], ends[second]
    cross = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
    return int(np.count_nonzero(cross))
