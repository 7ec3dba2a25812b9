"""Discovery: every position the starts can reach, numbered breadth first, and the moves between.

Expanding a position (running the rules) writes its children into a small buffer; numbering them
is a batch of look-ups. Other threads expand a few chunks ahead while this one numbers, so the
numbers do not depend on how many threads there are.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from zermelo._engine.index import MOST_POSITIONS, Index, entries_for
from zermelo._engine.jit import kernel
from zermelo._engine.memory import Arena

if TYPE_CHECKING:
    from zermelo._engine.budget import Budget
    from zermelo.progress import Reporter

#: Positions expanded at once: children of so many stay in a core's own cache.
CHUNK = 1 << 13
#: Children a buffer holds at first, for each position of a chunk.
_ROOM = 12
#: A layer of fewer positions is expanded in small chunks, whose buffers are made at once.
_WORTH_ROOM = 1 << 10
#: A frontier of fewer positions is not worth waking another thread for.
_WORTH_SHARING = 4 * CHUNK

#: What an expansion may report instead of going on.
OK, FULL, FIELD_OVERFLOW, BAD_OUTCOME, BAD_TURN, ENDLESS_MOVES, TURN_KEPT, TURN_FOLDED = range(8)


class Expand(Protocol):
    """Compiled rules: fills buffers with the children of a range of positions.

    ``expand(keys, begin, end, children, ends, values, owners, gains)`` handles the packed
    positions ``begin`` to ``end`` of ``keys``. For the i-th it writes how many children there are
    up to and with it (``ends[i]``), its value if it is terminal and UNKNOWN if not
    (``values[i]``), and whose turn it is (``owners[i]``, unless ``owners`` is empty). Returns how
    many positions it handled, how many children it wrote, and a status.
    """

    #: 64-bit words a packed position takes.
    words: int
    #: The bits of a packed position that may differ from 0, where it is one word.
    used: int
    #: Whether the players strictly alternate, so that ``owners`` is not needed.
    alternate: bool
    #: Whether it is a score game: values are final margins, and moves have gains.
    scored: bool
    #: What stands in ``values`` for a position that is not terminal.
    unknown: int

    def __call__(  # one buffer each
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        children: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
        values: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        gains: npt.NDArray[np.int64],
    ) -> tuple[int, int, int]:
        """Expand positions; see the class."""

    def explain(self, packed: npt.NDArray[np.uint64], status: int) -> Exception:
        """Return the error that says what is wrong with the rules at a packed position."""


@dataclass
class Buffers:
    """What one expansion fills."""

    children: npt.NDArray[np.uint64]
    ends: npt.NDArray[np.int32]
    values: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.int64]

    @classmethod
    def for_rules(cls, expand: Expand, chunk: int, room: int) -> Buffers:
        """Make buffers for ``chunk`` positions with ``room`` children in all."""
        return cls(
            np.empty(room * expand.words, np.uint64),
            np.empty(chunk, np.int32),
            np.empty(chunk, np.int64 if expand.scored else np.int32),
            np.empty(0 if expand.alternate else chunk, np.uint8),
            np.empty(room if expand.scored else 0, np.int64),
        )


def run_expand(
    expand: Expand, keys: npt.NDArray[np.uint64], begin: int, end: int, buffers: Buffers
) -> tuple[int, int]:
    """Expand positions ``begin`` to ``end``, or as many of them as the buffers have room for.

    Buffers that have no room for the very first position are enlarged.

    Returns:
        How many positions were expanded, and how many children they have.

    Raises:
        Exception: what ``expand.explain`` makes of a position that breaks the contract.
    """
    while True:
        done, made, status = expand(
            keys,
            begin,
            end,
            buffers.children,
            buffers.ends,
            buffers.values,
            buffers.owners,
            buffers.gains,
        )
        if status not in (OK, FULL):
            at = (begin + done) * expand.words
            raise expand.explain(keys[at : at + expand.words], status)
        if status == OK or done:
            return done, made
        buffers.children = np.empty(4 * len(buffers.children), np.uint64)
        buffers.gains = np.empty(4 * len(buffers.gains), np.int64)


@dataclass
class Graph:
    """The positions that can be reached and the moves between them.

    Attributes:
        words: 64-bit words a packed position takes.
        positions: how many there are; they are numbered from 0, the starts first.
        starts: how many of them are starts.
        keys: packed positions by number.
        table: the index from packed positions to numbers.
        first: place in ``edges`` of each position's first move, and one number more.
        edges: where each move leads.
        values: codes (scores, in a score game) of terminal positions, UNKNOWN for the others.
        owners: whose turn it is, or empty where the players strictly alternate.
        gains: points each move makes, or empty.
        forward: whether every move leads to a greater number.
        layers: where each breadth-first layer begins, and the end of the last one.
        layered: whether every move leads beyond its own layer.
    """

    words: int
    positions: int
    starts: int
    keys: npt.NDArray[np.uint64]
    table: Index
    first: npt.NDArray[np.int64]
    edges: npt.NDArray[np.uint32]
    values: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.int64]
    forward: bool
    layers: list[int]
    layered: bool


@kernel
def _link(  # one array each
    ends: Any, done: int, parent: int, base: int, beyond: int, first: Any, edges: Any
) -> tuple[bool, bool]:
    """Write where the moves of ``done`` positions end; say whether all lead forward, and beyond."""
    forward = True
    layered = True
    edge = base
    for i in range(done):
        end = base + ends[i]
        first[parent + i + 1] = end
        while edge < end:
            target = edges[edge]
            if target <= parent + i:
                forward = False
            if target < beyond:
                layered = False
            edge += 1
    return forward, layered


@dataclass
class _Store:
    """The growing graph."""

    expand: Expand
    budget: Budget
    known: int = 0
    moves: int = 0
    forward: bool = True
    layered: bool = True
    table: Index = field(init=False)

    def __post_init__(self) -> None:
        limit = self.budget.allowed
        self.keys = Arena(np.uint64, limit)
        self.first = Arena(np.int64, limit)
        self.edges = Arena(np.uint32, limit)
        self.values = Arena(np.int64 if self.expand.scored else np.int32, limit)
        self.owners = Arena(np.uint8, limit)
        self.gains = Arena(np.int64, limit)
        self.table = Index(self.expand.words, self.expand.used)
        self.first.array[0] = 0

    def add(self, children: npt.NDArray[np.uint64], count: int) -> None:
        """Number ``count`` packed positions; their numbers follow the last in ``edges``."""
        words = self.expand.words
        self._check(count, self.table.entries)
        if self.known + count > MOST_POSITIONS:
            raise self.budget.too_many(self.known + count)
        keys = self.keys.ensure((self.known + count) * words, self.known * words)
        edges = self.edges.ensure(self.moves + count, self.moves)
        if self.table.full(self.known + count):
            size, every = entries_for(self.known + count), self.table.direct_entries
            direct = self.table.suits_direct(size) and self._fits(count, every)
            self._check(count, every if direct else size)
            self.table.grow(size, keys, self.known, direct=direct)
        self.known = self.table.insert(children, count, keys, self.known, edges, self.moves)

    def _check(self, count: int, entries: int) -> None:
        self.budget.check(self.known, self.moves + count, entries, forward=self.forward)

    def _fits(self, count: int, entries: int) -> bool:
        moves = self.moves + count
        needed = self.budget.needed(self.known, moves, entries, forward=self.forward)
        return needed <= self.budget.allowed

    def take(self, parent: int, done: int, made: int, beyond: int, buffers: Buffers) -> None:
        """Add what expanding ``done`` positions from number ``parent`` gave."""
        base = self.moves
        self.add(buffers.children, made)
        first = self.first.ensure(parent + done + 1, parent + 1)
        forward, layered = _link(buffers.ends, done, parent, base, beyond, first, self.edges.array)
        self.moves = base + made
        self.forward &= forward
        self.layered &= layered
        self.values.ensure(parent + done, parent)[parent : parent + done] = buffers.values[:done]
        if not self.expand.alternate:
            owners = self.owners.ensure(parent + done, parent)
            owners[parent : parent + done] = buffers.owners[:done]
        if self.expand.scored:
            gains = self.gains.ensure(base + made, base)
            gains[base : base + made] = buffers.gains[:made]

    def graph(self, starts: int, layers: list[int]) -> Graph:
        """Return the finished graph."""
        expand, known = self.expand, self.known
        return Graph(
            expand.words,
            known,
            starts,
            self.keys.array[: known * expand.words],
            self.table,
            self.first.array[: known + 1],
            self.edges.array[: self.moves],
            self.values.array[:known],
            self.owners.array[: 0 if expand.alternate else known],
            self.gains.array[: self.moves if expand.scored else 0],
            self.forward,
            layers,
            self.layered,
        )


def explore(
    expand: Expand,
    starts: npt.NDArray[np.uint64],
    budget: Budget,
    threads: int,
    report: Reporter,
) -> Graph:
    """Find every position that can be reached.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        budget: what memory may be taken.
        threads: threads to use at the most, 1 or more.
        report: is told how many positions are known and expanded.

    Raises:
        BudgetError: there are more positions than the budget has room for.
        RulesError: a rule broke the contract at a position.
    """
    store = _Store(expand, budget)
    store.add(np.ascontiguousarray(starts).reshape(-1), len(starts))
    begun = store.known
    layers = [0]
    head = 0
    with _Helpers(expand, threads) as helpers:
        while head < store.known:
            layers.append(store.known)
            head = _expand_layer(store, helpers, head, store.known, report)
    return store.graph(begun, layers)


class _Helpers:
    """Threads that expand ahead, started when there is first enough to share."""

    def __init__(self, expand: Expand, threads: int) -> None:
        self.expand = expand
        self.ahead = threads - 1
        self.own = Buffers.for_rules(expand, 256, 256 * _ROOM)
        self.chunk = 256
        self.pool: ThreadPoolExecutor | None = None
        self.spare: list[Buffers] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=True, cancel_futures=True)

    def grow(self) -> None:
        """Go over to chunks of full size, once a layer is large enough to fill them."""
        self.chunk = CHUNK
        self.own = Buffers.for_rules(self.expand, CHUNK, CHUNK * _ROOM)

    def start(self) -> ThreadPoolExecutor | None:
        """Return the pool, or None where one thread is all there may be."""
        if self.pool is None and self.ahead > 0:
            self.pool = ThreadPoolExecutor(self.ahead, thread_name_prefix="zermelo-expand")
            self.spare = [
                Buffers.for_rules(self.expand, CHUNK, CHUNK * _ROOM) for _ in range(2 * self.ahead)
            ]
        return self.pool


def _expand_layer(store: _Store, helpers: _Helpers, head: int, end: int, report: Reporter) -> int:
    """Expand the positions ``head`` to ``end``, which are one layer; return ``end``."""
    if end - head >= _WORTH_ROOM and helpers.chunk < CHUNK:
        helpers.grow()
    pool = helpers.start() if end - head >= _WORTH_SHARING else None
    running: deque[tuple[int, int, Any, Buffers]] = deque()
    planned = head
    while head < end:
        while pool is not None and helpers.spare and planned < end:
            stop = min(planned + CHUNK, end)
            buffers = helpers.spare.pop()
            job = pool.submit(run_expand, store.expand, store.keys.array, planned, stop, buffers)
            running.append((planned, stop, job, buffers))
            planned = stop
        stop = min(head + helpers.chunk, end)
        if running:
            _, stop, job, buffers = running.popleft()
            done, made = job.result()
            store.take(head, done, made, end, buffers)
            helpers.spare.append(buffers)
            head += done
        while head < stop:
            done, made = run_expand(store.expand, store.keys.array, head, stop, helpers.own)
            store.take(head, done, made, end, helpers.own)
            head += done
        planned = max(planned, head)
        report.advance(head, None)
    return end
