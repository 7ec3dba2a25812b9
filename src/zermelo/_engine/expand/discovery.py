"""Discovery: every position the starts can reach, numbered breadth first, and the moves between.

Expanding a position (running the rules) writes its children into a small buffer; numbering them
is a batch of look-ups. Threads share a layer once it is large enough (see ``crowd``). The numbers
do not depend on how many they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.growing import Store

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Budget
    from zermelo._engine.expand.parallel import Crowd
    from zermelo._engine.index.hashed import Index
    from zermelo.progress import Reporter

#: Positions expanded at once: children of so many stay in a core's own cache.
CHUNK = 1 << 13
#: Positions expanded at once where there are few, or little memory.
LEAST_CHUNK = 1 << 8
#: Children a buffer holds at first, for each position of a chunk.
ROOM = 12
#: A layer of fewer positions is expanded in small chunks, whose buffers are made at once.
_WORTH_ROOM = 1 << 10
#: A frontier of fewer positions is not worth waking another thread for.
_WORTH_SHARING = 4 * CHUNK
#: The share of the memory that may be taken by what positions are expanded into.
_BUFFERS_SHARE = 32

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
            zeros(room * expand.words, np.uint64),
            np.empty(chunk, np.int32),
            np.empty(chunk, np.int64 if expand.scored else np.int32),
            np.empty(0 if expand.alternate else chunk, np.uint8),
            zeros(room if expand.scored else 0, np.int64),
        )


def buffer_bytes(expand: Expand) -> int:
    """Return the bytes of buffers for each position of a chunk."""
    return 8 * ROOM * (expand.words + expand.scored) + 8 * (1 + expand.scored)


def chunk_within(allowed: int, each: int) -> int:
    """Return how many positions to expand at once, where they take ``each`` so many bytes."""
    chunk = CHUNK
    while chunk > LEAST_CHUNK and chunk * each * _BUFFERS_SHARE > allowed:
        chunk //= 2
    return chunk


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
        whole: whether the moves were kept; else ``first``, ``edges`` and ``gains`` are empty.
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
    whole: bool = True


class AbandonedError(Exception):
    """The game is such that another method is to be preferred."""


def explore(
    expand: Expand,
    starts: npt.NDArray[np.uint64],
    budget: Budget,
    threads: int,
    report: Reporter,
    *,
    may_drop: bool = True,
    abandon: Callable[[list[int]], bool] | None = None,
) -> Graph:
    """Find every position that can be reached.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        budget: what memory may be taken.
        threads: threads to use at the most, 1 or more.
        report: is told how many positions are known and expanded.
        may_drop: whether to go on without the moves where they have no room.
        abandon: is shown where each layer found so far begins, and the end of the last one; says
            whether to give up.

    Raises:
        BudgetError: there are more positions than the budget has room for.
        RulesError: a rule broke the contract at a position.
        NoRoomError: moves have no room, and ``may_drop`` is False.
        AbandonedError: ``abandon`` said so.
    """
    store = Store(expand, budget, may_drop)
    with _Hands(store, threads) as hands:
        store.add(np.ascontiguousarray(starts).reshape(-1), len(starts))
        begun = store.known
        layers = [0]
        head = 0
        while head < store.known:
            layers.append(store.known)
            if abandon is not None and abandon(layers):
                raise AbandonedError
            head = _expand_layer(hands, head, store.known, report)
    return _graph(store, begun, layers)


def _graph(store: Store, starts: int, layers: list[int]) -> Graph:
    """Return the finished graph."""
    expand, known = store.expand, store.known
    moves = store.moves if store.whole else 0
    return Graph(
        expand.words,
        known,
        starts,
        store.keys.array[: known * expand.words],
        store.table,
        store.first.array[: known + 1 if store.whole else 0],
        store.edges.array[:moves],
        store.values.array[:known],
        store.owners.array[: 0 if expand.alternate else known],
        store.gains.array[: moves if expand.scored else 0],
        store.forward,
        layers,
        store.layered,
        store.whole,
    )


class _Hands:
    """What positions are expanded by: this thread, and others once there is enough to share."""

    def __init__(self, store: Store, threads: int) -> None:
        self.store = store
        self.threads = threads
        self.each = buffer_bytes(store.expand)
        #: Positions expanded at once where a layer has enough of them.
        self.full = chunk_within(store.budget.allowed, self.each)
        self.chunk = LEAST_CHUNK
        self.own = self._buffers(self.chunk)
        self.crowd: Crowd | None = None

    def _buffers(self, chunk: int) -> Buffers:
        self.store.budget.buffers += chunk * self.each
        return Buffers.for_rules(self.store.expand, chunk, chunk * ROOM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.crowd is not None:
            self.crowd.close()
        self.store.budget.buffers = 0

    def grow(self) -> None:
        """Go over to chunks of full size, once a layer is large enough to fill them."""
        self.store.budget.buffers -= self.chunk * self.each
        self.chunk = self.full
        self.own = self._buffers(self.chunk)

    def together(self) -> Crowd | None:
        """Return the threads that share a layer, or None where there are none, or no memory."""
        store = self.store
        if self.crowd is None and self.threads > 1:
            from zermelo._engine.expand.parallel import Crowd

            needed = Crowd.needed(store.expand, store.budget, self.threads)
            if needed is None:
                self.threads = 1
                return None
            store.budget.buffers += needed
            self.crowd = Crowd(store, self.threads)
        return self.crowd

    def expand(self, head: int, stop: int, end: int) -> int:
        """Expand positions from ``head`` on, at most to ``stop``; return the first not expanded."""
        store = self.store
        done, made = run_expand(store.expand, store.keys.array, head, stop, self.own)
        store.take(head, done, made, end, self.own)
        return head + done


def _expand_layer(hands: _Hands, head: int, end: int, report: Reporter) -> int:
    """Expand the positions ``head`` to ``end``, which are one layer; return ``end``."""
    if end - head >= _WORTH_SHARING and (crowd := hands.together()) is not None:
        least = LEAST_CHUNK
        crowd.layer(head, end, lambda at: hands.expand(at, min(at + least, end), end), report)
        return end
    if end - head >= min(_WORTH_ROOM, hands.full) and hands.full > hands.chunk:
        hands.grow()
    while head < end:
        head = hands.expand(head, min(head + hands.chunk, end), end)
        report.advance(head, None)
    return end
