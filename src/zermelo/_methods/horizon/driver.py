"""The bounded-turn dynamic programme: what can be forced within so many plies.

The textbook's way: the value with t plies left follows from the values with t - 1 left, for every
position, t = 1, 2, … up to the horizon. It costs positions times moves times the horizon where
retrograde analysis costs moves, and it is right only if no win takes longer than the horizon.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.column.codes import ENDLESS, LAST, TIES, UNKNOWN
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import peek
from zermelo._engine.core.threads import share

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Keeper
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

_BATCH = 1 << 16
#: The stage that says what is decided so far.
ROUNDS = "rounds"


@kernel
def _within(  # one array each
    begin: int, end: int, first: Any, edges: Any, owners: Any, values: Any, plies: int
) -> int:
    """Decide the positions decided with ``plies`` plies left but not with fewer.

    What is decided in the same round counts as not decided; so it does not matter who is first.
    """
    alternate = owners.size == 0
    changed = 0
    for i in range(begin, end):
        if values[i] != UNKNOWN:
            continue
        lost = first[i] < first[i + 1]
        for e in range(first[i], first[i + 1]):
            target = np.int64(edges[e])
            value = np.int64(peek(values, target))
            if value == UNKNOWN or abs(value) <= TIES or LAST - abs(value) >= plies:
                lost = False
                continue
            same = (not alternate) and owners[i] == owners[target]
            if (value > 0) == same:
                values[i] = LAST - plies
                changed += 1
                lost = False
                break
        if lost:
            values[i] = plies - LAST
            changed += 1
    return changed


@kernel
def _ties_within(begin: int, end: int, first: Any, edges: Any, values: Any, plies: int) -> int:
    """Decide the draws from which the nearest tie is ``plies`` plies away."""
    changed = 0
    for i in range(begin, end):
        if values[i] != UNKNOWN:
            continue
        for e in range(first[i], first[i + 1]):
            if peek(values, np.int64(edges[e])) == TIES - plies + 1:
                values[i] = TIES - plies
                changed += 1
                break
    return changed


@kernel
def _finish(begin: int, end: int, values: Any) -> int:
    """Call the rest endless draws; return how many they are."""
    count = 0
    for i in range(begin, end):
        if values[i] == UNKNOWN:
            values[i] = ENDLESS
            count += 1
    return count


def solve(
    graph: Graph,
    horizon: int,
    threads: int,
    report: Reporter,
    stages: Keeper | None = None,
) -> int:
    """Decide what is decided within ``horizon`` plies, in place; the rest is called a draw.

    Args:
        graph: terminal positions decided, UNKNOWN elsewhere.
        horizon: plies to look ahead.
        threads: threads to use at the most.
        report: is told how many rounds are done.
        stages: where to keep what is decided by some round, if that is wanted.

    Returns:
        How many rounds were run: fewer than ``horizon`` where one changed nothing, since then no
        later one can.
    """
    cuts = [*range(0, graph.positions, _BATCH), graph.positions]
    ranges = list(zip(cuts, cuts[1:], strict=False))
    arrays = (graph.first, graph.edges, graph.owners, graph.values)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-horizon") as pool:

        def over_all(work: Callable[..., int], *arguments: Any) -> int:
            jobs = [(work, begin, end, *arguments) for begin, end in ranges]
            return sum(share(pool, threads, jobs))

        ties, begun, rounds = _kept(graph, stages) or (False, 0, 0)
        if rounds:
            report.resume(f"{rounds:,} rounds were done")

        def keep(plies: int, *, tie: bool) -> None:
            if stages is not None and stages.worth(graph.values.nbytes):
                stages.put(ROUNDS, values=graph.values, at=np.array([tie, plies, rounds]))

        with report.phase("horizon", horizon):
            for plies in range(begun + 1, 0 if ties else horizon + 1):
                found = over_all(_within, *arrays, plies)
                rounds = plies
                report.advance(plies)
                if not found:
                    break
                keep(plies, tie=False)
        with report.phase("ties", horizon):
            for plies in range(begun + 1 if ties else 1, horizon + 1):
                found = over_all(_ties_within, graph.first, graph.edges, graph.values, plies)
                report.advance(plies)
                if not found:
                    break
                keep(plies, tie=True)
        over_all(_finish, graph.values)
    return rounds


def _kept(graph: Graph, stages: Keeper | None) -> tuple[bool, int, int] | None:
    """Go on from what was kept, if anything was: by which ply of ties or not, after what rounds."""
    if stages is None or not stages.has(ROUNDS):
        return None
    kept = stages.read(ROUNDS)
    if len(kept["values"]) != graph.positions:
        return None
    graph.values[:] = kept["values"]
    tie, plies, rounds = kept["at"].tolist()
    return bool(tie), plies, rounds
