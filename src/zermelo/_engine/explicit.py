"""Explicit graphs: planning a solve, the certificate, the strategy, and values as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.budget import readable
from zermelo._engine.codes import Scale
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.memory import prefetch, zeros
from zermelo._engine.retrograde import Numbers, Terms, Way
from zermelo._engine.reverse import BUCKET_BYTES, needed, reverse
from zermelo._engine.rounds import Rounds
from zermelo._engine.spread import Spreading
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: Stands for a vertex whose outcome is not given.
NONE = 2
#: Positions handled by one thread at a time.
_BATCH = 1 << 18
_AHEAD = 64
#: The least share of the edges in buckets at once that is worth another pass over all of them.
_LEAST_SHARE = 16


@dataclass
class Arrays:
    """An explicit graph.

    Attributes:
        first: place in ``edges`` of each vertex's first edge, and one number more: uint32 or int64.
        edges: where each edge leads: uint32 or int64.
        outcome: 1, 0, -1 for the vertex's mover, or NONE.
        owners: whose turn it is, or empty where the players strictly alternate.
        dead_end: the outcome of a vertex without edges whose outcome is not given.
    """

    first: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    outcome: npt.NDArray[np.int8]
    owners: npt.NDArray[np.uint8]
    dead_end: int

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return len(self.first) - 1


class StrangeVertexError(Exception):
    """Something is wrong with a vertex.

    Attributes:
        problem: what, one of the constants of ``retrograde``.
        vertex: its number.
    """

    def __init__(self, problem: int, vertex: int) -> None:
        """Keep both."""
        super().__init__(problem, vertex)
        self.problem = problem
        self.vertex = vertex


@dataclass(frozen=True)
class Plan:
    """How a graph is to be solved within the memory there is.

    Attributes:
        room: edges in buckets at once, or None where the graph is not to be reversed.
        bytes: the most that the arrays take at once.
        choice: a sentence on it.
        narrow: whether numbers have 16 bits for as long as that is enough.
    """

    room: int | None
    bytes: int
    choice: str
    narrow: bool = True


def plan(vertices: int, edges: int, copied: int, allowed: int) -> Plan:
    """Choose the quickest way that fits in ``allowed`` bytes.

    Args:
        vertices: how many there are.
        edges: how many there are.
        copied: bytes that the graph takes besides what was given, as it came in another form.
        allowed: bytes that may be taken, those included.

    Raises:
        BudgetError: none does.
    """
    # Numbers have two bytes, and four besides while they are moved to 32 bits.
    narrow, wide = 2 * vertices, 4 * vertices
    reversed_ = copied + narrow + needed(vertices, edges, room=0)
    spread = reversed_ + Spreading.needed(vertices) + wide
    whole = max(reversed_ + BUCKET_BYTES * edges, spread)
    if whole <= allowed:
        return Plan(edges, whole, "retrograde analysis along reversed edges")
    room = (allowed - reversed_) // BUCKET_BYTES
    have = f"{readable(allowed)} do not"
    if spread <= allowed and room * _LEAST_SHARE >= edges:
        passes = -(-edges // room)
        text = f"retrograde analysis along edges reversed in {passes} passes or so, "
        return Plan(room, allowed, f"{text}as {have} hold all at once")
    text = f"rounds over all edges, as {have} hold them reversed"
    if copied + narrow + wide <= allowed:
        return Plan(None, copied + narrow + wide, text)
    least = copied + wide
    if least <= allowed:
        return Plan(None, least, text, narrow=False)
    message = (
        f"solving needs {readable(least)} for {vertices:,} vertices, and {readable(allowed)} are "
        "allowed; allow more memory, or make the graph smaller"
    )
    raise BudgetError(message, least, allowed)


def solve(graph: Arrays, how: Plan, threads: int, report: Reporter) -> tuple[Any, Scale]:
    """Return the code of every vertex, and the scale they are in.

    Raises:
        StrangeVertexError: edges descend at a vertex, or its outcome is none.
    """
    terms = Terms(NONE, 1, 0, -1, graph.dead_end)
    with report.phase("prepare"):
        numbers = Numbers(
            graph.first,
            graph.outcome,
            terms,
            lambda: zeros(graph.vertices, np.int32),
            narrow=how.narrow,
        )
    if numbers.problem:
        raise StrangeVertexError(numbers.problem, numbers.place)
    if how.room is None:
        way: Way = Rounds(graph.first, graph.edges, graph.owners, threads)
    else:
        with report.phase("reverse"):
            room = how.room if how.room < len(graph.edges) else None
            into, parents = reverse(graph.first, graph.edges, threads, room)
        way = Spreading(into, parents, graph.owners, threads)
    with report.phase("retrograde", graph.vertices):
        for done in numbers.spread(way):
            report.advance(done)
        numbers.write(numbers.state, numbers.scale)
    return numbers.state, numbers.scale


# -- values as arrays -----------------------------------------------------------------------------


@kernel
def _split(stored: Any, outcome: Any, remoteness: Any, last: int, ties: int) -> None:
    for i in range(stored.size):
        code = np.int32(stored[i])
        size = abs(code)
        outcome[i] = np.int8(code > ties) - np.int8(code < -ties)
        remoteness[i] = np.int32(last) - size if size > ties else np.int32(ties) - code
        if code == 0:
            remoteness[i] = -1


def split(stored: npt.NDArray[Any], scale: Scale) -> tuple[Any, Any]:
    """Return the outcomes (int8) and remotenesses (int32, -1 for an endless draw) of codes."""
    outcome: npt.NDArray[Any] = zeros(len(stored), np.int8)
    remoteness: npt.NDArray[Any] = zeros(len(stored), np.int32)
    _split(stored, outcome, remoteness, scale.last, scale.ties)
    return outcome, remoteness


def tally(stored: npt.NDArray[Any], scale: Scale) -> list[tuple[int, int | None, int]]:
    """Return (outcome, remoteness, how many) for each value that occurs, best first."""
    if scale is codes.WIDE:
        return codes.tally(stored)
    counts = np.zeros(1 << 16, np.int64)
    for begin in range(0, len(stored), _BATCH):  # in parts, as NumPy widens what it counts
        counts += np.bincount(stored[begin : begin + _BATCH].view(np.uint16), minlength=1 << 16)
    found = np.flatnonzero(counts)
    narrow = found.astype(np.uint16).view(np.int16)
    wide = [wide_code(code, scale) for code in narrow.tolist()]
    pairs = sorted(zip(wide, counts[found].tolist(), strict=True), reverse=True)
    return [(*codes.decode(code), count) for code, count in pairs]


def wide_code(code: int, scale: Scale) -> int:
    """Return the code on the wide scale."""
    if abs(code) > scale.ties:
        return code + (codes.LAST - scale.last) * (1 if code > 0 else -1)
    return code + codes.TIES - scale.ties if code > 0 else code


# -- the certificate and the strategy -------------------------------------------------------------


@inlined
def _seen(code: Any, same: bool, ties: int) -> Any:  # noqa: FBT001  # a kernel takes no keywords
    """Return what an edge to a vertex with this code is worth to the mover."""
    if code > ties or code < -ties:
        if not same:
            code = -code
        return code - 1 if code > 0 else code + 1
    return code - 1 if code > 0 else 0


@kernel
def _check(
    first: Any,
    edges: Any,
    owners: Any,
    outcome: Any,
    stored: Any,
    begin: int,
    end: int,
    dead_end: int,
    last: int,
    ties: int,
) -> tuple[Any, Any]:
    """Return the first vertex of a range whose code does not follow, and the one that does.

    Returns -1 and 0 where all codes follow.
    """
    # All in one function: handing arrays to another for each vertex would count references to
    # them each time, which costs as much as the work.
    alternate = owners.size == 0
    most = np.int64(edges.size - 1)
    for i in range(begin, end):
        low, high = np.int64(first[i]), np.int64(first[i + 1])
        given: Any = np.int64(outcome[i])
        if given == NONE and low == high:
            given = dead_end
        if given != NONE:
            expected: Any = ties if given == 0 else given * last
            if stored[i] != expected:
                return i, expected
            continue
        if alternate:  # the least code decides a win or a loss
            least: Any = np.int64(last)
            for e in range(low, high):
                prefetch(stored, np.int64(edges[min(e + _AHEAD, most)]))
                code = np.int64(stored[np.int64(edges[e])])
                least = min(least, code)
            if least < -ties:
                expected = -least - 1
            elif least > ties:
                expected = -least + 1
            else:
                draw: Any = np.int64(0)
                for e in range(low, high):
                    code = np.int64(stored[np.int64(edges[e])])
                    draw = code if draw < code <= ties else draw
                expected = draw - 1 if draw > 0 else 0
        else:
            expected = np.int64(-last)
            for e in range(low, high):
                ahead = np.int64(edges[min(e + _AHEAD, most)])
                prefetch(stored, ahead)
                prefetch(owners, ahead)
                target = np.int64(edges[e])
                worth = _seen(np.int64(stored[target]), owners[i] == owners[target], ties)
                expected = max(expected, worth)
        if abs(expected) == ties:  # remoteness past what the codes can say
            return i, 0
        if stored[i] != expected:
            return i, expected
    return -1, 0


@kernel
def _choose(
    first: Any,
    edges: Any,
    owners: Any,
    outcome: Any,
    stored: Any,
    begin: int,
    end: int,
    ties: int,
    chosen: Any,
) -> None:
    """Write the place of the first best edge of each vertex, -1 where the game has ended."""
    stop = np.int64(first[end])
    for i in range(begin, end):
        low, high = np.int64(first[i]), np.int64(first[i + 1])
        for e in range(low + _AHEAD, min(high + _AHEAD, stop)):
            prefetch(stored, np.int64(edges[e]))
        chosen[i] = -1
        if outcome[i] != NONE:
            continue
        value = np.int64(stored[i])
        for e in range(low, high):
            target = np.int64(edges[e])
            same = owners.size > 0 and owners[i] == owners[target]
            if _seen(np.int64(stored[target]), same, ties) == value:
                chosen[i] = e
                break


def certify(
    graph: Arrays, stored: npt.NDArray[Any], scale: Scale, threads: int, report: Reporter
) -> tuple[int, int] | None:
    """Check that every code follows from its successors' codes, along the edges as they are given.

    Returns:
        None, or the first vertex whose code does not, with the code that does.
    """
    arrays = (graph.first, graph.edges, graph.owners, graph.outcome, stored)
    numbers = (graph.dead_end, scale.last, scale.ties)

    def work(begin: int) -> tuple[int, int]:
        vertex, code = _check(*arrays, begin, min(begin + _BATCH, graph.vertices), *numbers)
        return int(vertex), int(code)

    with report.phase("verify", graph.vertices):
        for begin, (vertex, code) in _shared(work, graph.vertices, threads):
            if vertex >= 0:
                return vertex, code
            report.advance(min(begin + _BATCH, graph.vertices))
    return None


def strategy(
    graph: Arrays, stored: npt.NDArray[Any], scale: Scale, threads: int
) -> npt.NDArray[np.int64]:
    """Return where in ``edges`` each vertex has its first best edge, -1 where the game is over."""
    chosen: npt.NDArray[Any] = zeros(graph.vertices, np.int64)
    arrays = (graph.first, graph.edges, graph.owners, graph.outcome, stored)

    def work(begin: int) -> None:
        _choose(*arrays, begin, min(begin + _BATCH, graph.vertices), scale.ties, chosen)

    for _ in _shared(work, graph.vertices, threads):
        pass
    return chosen


def _shared(work: Any, vertices: int, threads: int) -> Iterator[tuple[int, Any]]:
    """Go through the vertices by batches in order, several threads at once where there are any."""
    starts = range(0, vertices, _BATCH)
    if threads == 1 or len(starts) < 2:
        for begin in starts:
            yield begin, work(begin)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-graph")
    try:
        jobs = [(begin, pool.submit(work, begin)) for begin in starts]
        for begin, job in jobs:
            yield begin, job.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
