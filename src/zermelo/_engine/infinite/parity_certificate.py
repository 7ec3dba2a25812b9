"""The certificate of parity games: winners follow from a strategy of each player.

A player wins from a set of vertices by a strategy if

* a move of the strategy, or any move of the opponent, stays within the set;
* on each cycle that the strategy allows, the greatest priority is of the player's parity.

The second is checked for both players at once, as their sets are not connected by allowed moves. A
cycle lies in a strongly connected component. The priorities are halved, and each half again (see
V. King, O. Kupferman and M. Y. Vardi, "On the complexity of parity word automata", FoSSaCS 2001).
A cycle without priorities of the upper half lies in a component of the vertices of the lower half;
and for all other cycles, each such component may be a single vertex. So an edge is in one half
only, and the check takes O(edges · log priorities).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.infinite.certificate_graph import CertificateGraph, Fault
from zermelo._engine.infinite.components import components

#: The priority of a vertex that stands for a component of lower priorities.
_LOWER = -1


class _PriorityRange(NamedTuple):
    """A graph whose cycles are to be checked, with a range of priorities.

    Attributes:
        low: the least priority.
        high: the greatest priority.
        sources: the source of each edge, ascending.
        targets: the target of each edge.
        priorities: the priority of each vertex in the range, or ``_LOWER``.
        names: the number of each vertex in the game.
    """

    low: int
    high: int
    sources: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    priorities: npt.NDArray[np.int32]
    names: npt.NDArray[np.int64]


def check(
    graph: CertificateGraph,
    priorities: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
    strategy: npt.NDArray[np.int64],
) -> Fault | None:
    """Check the winners of a parity game by the players' strategies; return a fault, or None.

    Args:
        graph: the graph.
        priorities: the priorities; the greatest that recurs decides, an even one for player 0.
        winners: the claimed winner of each vertex.
        strategy: the claimed winning edge of each vertex whose player wins.
    """
    invalid = np.flatnonzero((winners != 0) & (winners != 1))
    if len(invalid):
        return Fault(int(invalid[0]), "has no winner")
    chooses = winners == graph.owners
    edge_numbers = strategy - graph.begins
    has_no_edge = chooses & ((edge_numbers < 0) | (edge_numbers >= graph.degrees))
    if has_no_edge.any():
        return Fault(int(np.argmax(has_no_edge)), "has no winning move")
    allowed = ~chooses[graph.sources]
    allowed[strategy[chooses]] = True
    sources, targets = graph.sources[allowed], graph.targets[allowed]
    leaves = winners[sources] != winners[targets]
    if leaves.any():
        edge = int(np.argmax(leaves))
        return Fault(
            int(sources[edge]), f"has an allowed move to {targets[edge]}, which its winner loses"
        )
    vertex = _losing_vertex(sources, targets, priorities, winners)
    if vertex is not None:
        return Fault(vertex, "lies on a cycle that the strategy allows and the opponent wins")
    return None


def _losing_vertex(
    sources: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int64],
    priorities: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
) -> int | None:
    """Return a vertex of the greatest priority on a cycle that its winner loses, or None."""
    names = np.arange(len(priorities))
    low, high = int(priorities.min(initial=0)), int(priorities.max(initial=0))
    parts = [_PriorityRange(low, high, sources, targets, priorities, names)]
    while parts:
        part = parts.pop()
        if not len(part.sources):
            continue
        if part.low < part.high:
            parts += _halves(part)
            continue
        component = _components_of(part)
        inside = component[part.sources] == component[part.targets]
        on_cycle = np.zeros(int(component.max()) + 1, np.bool_)
        on_cycle[component[part.sources[inside]]] = True
        losing = on_cycle[component] & (part.priorities == part.low)
        losing &= winners[part.names] != (part.low & 1)
        if losing.any():
            return int(part.names[np.argmax(losing)])
    return None


def _halves(part: _PriorityRange) -> tuple[_PriorityRange, _PriorityRange]:
    """Return the graphs of the lower half of the priorities, and of the upper half."""
    middle = (part.low + part.high) // 2
    is_low = part.priorities <= middle
    among_low = is_low[part.sources] & is_low[part.targets]
    component = _components_of(
        part._replace(sources=part.sources[among_low], targets=part.targets[among_low])
    )
    inside = among_low.copy()
    inside[among_low] = component[part.sources[among_low]] == component[part.targets[among_low]]
    lower = _compact(part, part.low, middle, part.sources[inside], part.targets[inside])
    # In the upper half, a component of low vertices is one vertex; others stay as they are.
    numbers, representatives = np.unique(component, return_index=True)
    priorities = part.priorities[representatives].copy()
    priorities[is_low[representatives]] = _LOWER
    contracted = _PriorityRange(
        middle + 1,
        part.high,
        component[part.sources[~inside]],
        component[part.targets[~inside]],
        priorities,
        part.names[representatives],
    )
    order = np.argsort(contracted.sources, kind="stable")
    del numbers
    upper = contracted._replace(
        sources=contracted.sources[order], targets=contracted.targets[order]
    )
    return lower, upper


def _compact(
    part: _PriorityRange,
    low: int,
    high: int,
    sources: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int64],
) -> _PriorityRange:
    """Return the graph of some edges of a part, without vertices that have none."""
    used = np.zeros(len(part.priorities), np.bool_)
    used[sources] = True
    used[targets] = True
    numbers = np.cumsum(used) - 1
    return _PriorityRange(
        low, high, numbers[sources], numbers[targets], part.priorities[used], part.names[used]
    )


def _components_of(part: _PriorityRange) -> npt.NDArray[np.int64]:
    """Return the strongly connected component of each vertex of a part."""
    count = len(part.priorities)
    first = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(part.sources, minlength=count), out=first[1:])
    return components(first, part.targets)[0]
