"""The certificate of energy games: one pass over the edges proves who wins, and each credit.

* Where player 0 wins, a move of player 0, and every move of player 1, leads to a vertex whose
  credit is at most what is left; so the sum never falls below zero.
* A credit c above 0 is the least: every move of player 0, and some move of player 1, needs at least
  c, and leads to a vertex of a lesser rank or needs more than c. With less than c, the lack never
  shrinks, and grows or the rank falls; so the sum falls below zero.
* Where player 1 wins, the same holds for a debt of player 1 and the negated weights, times n + 1,
  less 1. So on each cycle of n vertices the sum is negative.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo._engine.infinite.certificate_graph import CertificateGraph, Fault


def check(
    graph: CertificateGraph,
    weights: npt.NDArray[np.int64],
    credit: npt.NDArray[np.int64],
    rank: npt.NDArray[np.int64],
    debt: npt.NDArray[np.int64],
) -> Fault | None:
    """Check the values of an energy game; return a fault, or None.

    Args:
        graph: the graph.
        weights: the weight of each edge.
        credit: the claimed least credit of each vertex, or -1.
        rank: the rank of each vertex; see ``EnergyValues``.
        debt: the debt of each vertex without a credit; see ``EnergyValues``.
    """
    wins = credit >= 0
    invalid = ~wins & (debt < 0)
    if invalid.any():
        return Fault(int(np.argmax(invalid)), "has neither a credit nor a debt")
    owners, sources, targets, degrees = graph.owners, graph.sources, graph.targets, graph.degrees
    kept = wins[targets] & (credit[sources] + weights >= credit[targets])
    fault = _first_fault(kept, sources, wins, owners == 0, degrees)
    if fault is not None:
        return Fault(fault, f"has the credit {credit[fault]:,}, which does not suffice")
    falling = -(weights * (graph.count + 1) + 1)
    indebted = ~wins[targets] & (debt[sources] + falling >= debt[targets])
    fault = _first_fault(indebted, sources, ~wins, owners == 1, degrees)
    if fault is not None:
        return Fault(fault, "has no credit, but player 1 is not shown to win")
    needed = np.where(wins[targets], credit[targets] - weights, np.iinfo(np.int64).max)
    needs_more = needed > credit[sources]
    as_much = (needed == credit[sources]) & wins[targets] & (rank[targets] < rank[sources])
    # Some move of player 1 has to need it, and every move of player 0.
    fault = _first_fault(needs_more | as_much, sources, credit > 0, owners == 1, degrees)
    if fault is not None:
        return Fault(fault, f"has the credit {credit[fault]:,}, but less is not shown to fail")
    return None


def _first_fault(
    holds: npt.NDArray[np.bool_],
    sources: npt.NDArray[np.int64],
    checked: npt.NDArray[np.bool_],
    chooses: npt.NDArray[np.bool_],
    degrees: npt.NDArray[np.int64],
) -> int | None:
    """Return a vertex where a claim fails, or None.

    Args:
        holds: whether the claim holds along each edge.
        sources: the source of each edge.
        checked: the vertices where the claim is made.
        chooses: the vertices where one edge is enough; elsewhere it has to hold along all edges.
        degrees: the number of edges of each vertex.
    """
    holding = np.bincount(sources[holds], minlength=len(checked))
    fails = checked & np.where(chooses, holding == 0, holding < degrees)
    return int(np.argmax(fails)) if fails.any() else None
