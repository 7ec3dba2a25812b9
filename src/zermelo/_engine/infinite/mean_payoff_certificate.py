"""The certificate of mean-payoff games: one pass over the edges proves every value.

Let p/q be the value of a vertex. Player 0 can keep it if some move of player 0, and every move of
player 1, leads to a greater value, or to an equal one where the credit is at most what is left of
the own one after qw - p. Along a play the value then never falls; once it stays, the sum of qw - p
never falls below minus the credit, so the average is at least p/q. The same holds for player 1 with
all signs reversed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo._engine.infinite.certificate_graph import CertificateGraph, Fault


def check(
    graph: CertificateGraph,
    weights: npt.NDArray[np.int64],
    value: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    keeps: npt.NDArray[np.int64],
    limits: npt.NDArray[np.int64],
) -> Fault | None:
    """Check the values of a mean-payoff game; return a fault, or None.

    Args:
        graph: the graph.
        weights: the weight of each edge.
        value: the numerators and the denominators of the claimed values, in lowest terms.
        keeps: the credits of player 0; see ``MeanPayoffs``.
        limits: the credits of player 1.
    """
    numerator, denominator = value
    invalid = (denominator < 1) | (keeps < 0) | (limits < 0)
    if invalid.any():
        return Fault(int(np.argmax(invalid)), "has no fraction as its value, or no credits")
    sources, targets = graph.sources, graph.targets
    order = _compare(value, sources, targets)
    gains = denominator[sources] * weights - numerator[sources]
    for player, credit, sign in ((0, keeps, 1), (1, limits, -1)):
        holds = sign * order > 0
        holds |= (order == 0) & (credit[sources] + sign * gains >= credit[targets])
        holding = np.bincount(sources[holds], minlength=graph.count)
        fails = np.where(graph.owners == player, holding == 0, holding < graph.degrees)
        if fails.any():
            vertex = int(np.argmax(fails))
            bound = "at least" if player == 0 else "at most"
            fraction = f"{numerator[vertex]}/{denominator[vertex]}"
            return Fault(vertex, f"is not shown to be worth {bound} {fraction}")
    return None


def _compare(
    value: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    sources: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Return 1, 0 or -1 where the value of a target exceeds, equals or falls below its source's.

    Fractions are compared by their whole parts, and then by products that fit 64 bits: remainders
    are below denominators, and these are at most the number of vertices.
    """
    numerator, denominator = value
    whole, rest = np.divmod(numerator, denominator)
    by_whole = np.sign(whole[targets] - whole[sources])
    products = rest[targets] * denominator[sources] - rest[sources] * denominator[targets]
    return np.where(by_whole != 0, by_whole, np.sign(products))
