"""The graph during discovery: arrays that grow within the memory budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.memory import Arena
from zermelo._engine.expand.graph_memory import GraphMemory, too_many_positions
from zermelo._engine.index.hash_index import MOST_POSITIONS, HashIndex, entries_for
from zermelo._engine.store.packed_moves import PackedMoves, most_bytes

if TYPE_CHECKING:
    from zermelo._engine.expand.expander import Buffers, Expand


#: Positions whose numbers are compared with their children's in one batch.
_COMPARE_BATCH = 1 << 10
#: Moves are packed if there are as many, in all and for each position, and as many positions wait
#: for their moves. Positions whose moves are packed at once.
_MOVES, _DEGREE, _WAITING, _ROWS = 1 << 20, 16, 1 << 13, 1 << 13


class MovesTooLargeError(Exception):
    """The moves do not fit in memory and may not be dropped."""


def leads_forward(
    ends: Int32Array,
    count: int,
    parent: int,
    layer_end: int,
    targets: Uint32Array,
    base: int,
    *,
    forward: bool,
    layered: bool,
) -> tuple[bool, bool]:
    """Return whether all moves so far lead forward, and whether all lead to later layers.

    Args:
        ends: for each of some positions, the number of moves up to its last move.
        count: the number of positions.
        parent: the number of the first position.
        layer_end: the end of the positions' layer.
        targets: the children of moves.
        base: the index of the first move in ``targets``.
        forward: False if earlier moves do not all lead forward.
        layered: False if earlier moves do not all lead beyond their layer.
    """
    moves = int(ends[count - 1]) if count else 0
    if not (moves and (forward or layered)):
        return forward, layered
    batch_targets = targets[base : base + moves]
    if batch_targets.min() >= layer_end:  # so all moves lead forward too
        return forward, layered
    begin = 0
    for offset in range(0, count, _COMPARE_BATCH) if forward else ():
        batch_ends = ends[offset : min(offset + _COMPARE_BATCH, count)]
        origins = np.arange(parent + offset, parent + offset + len(batch_ends)).repeat(
            np.diff(batch_ends, prepend=begin)
        )
        if np.any(batch_targets[begin : batch_ends[-1]] <= origins):
            return False, False
        begin = int(batch_ends[-1])
    return forward, False


def set_first(ends: Int32Array, count: int, parent: int, base: int, first: Int64Array) -> None:
    """Write the end of the moves of each of ``count`` positions, whose moves begin at ``base``."""
    np.add(ends[:count], np.int64(base), out=first[parent + 1 : parent + 1 + count])


@dataclass
class GraphBuilder:
    """The graph of the positions found so far; the attributes are those of ``Graph``.

    Attributes:
        packs: whether moves may be packed.
        known: the number of positions.
        moves: the number of moves.
    """

    expand: Expand
    budget: GraphMemory
    may_drop: bool
    packs: bool = False
    known: int = 0
    moves: int = 0
    forward: bool = True
    layered: bool = True
    whole: bool = True
    packed: PackedMoves | None = None
    table: HashIndex = field(init=False)

    def __post_init__(self) -> None:
        limit = self.budget.ledger.allowed
        self.keys = Arena(np.uint64, limit)
        self.first = Arena(np.int64, limit)
        self.edges = Arena(np.uint32, limit)
        self.values = Arena(self.expand.kind.dtype, limit)
        self.owners = Arena(np.uint8, limit)
        self.gains = Arena(self.expand.kind.gain_dtype, limit)
        self.table = HashIndex(self.expand.words, self.expand.used)
        self.first.array[0] = 0

    @property
    def lists_edges(self) -> bool:
        """Whether moves are appended to ``edges``, else they are there until the next ones."""
        return self.whole and self.packed is None

    @property
    def values_and_owners(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        """The values, and the player to move, or nothing if the players strictly alternate."""
        return self.values.array, self.owners.array[: 0 if self.expand.alternate else None]

    def add(self, children: Uint64Array, count: int) -> None:
        """Number ``count`` packed positions; their numbers are written to ``edges``."""
        words = self.expand.words
        if self.known + count > MOST_POSITIONS:
            raise too_many_positions(self.budget.ledger)
        entries, direct = self.entries(count)
        keys = self.keys.ensure((self.known + count) * words, self.known * words)
        base = self.moves if self.lists_edges else 0
        edges = self.edges.ensure(base + count, base)
        if (entries, direct) != (self.table.entries, self.table.is_direct):
            self.table.grow(entries, keys, self.known, direct=direct)
        self.known = self.table.insert(children, count, keys, self.known, edges, base)

    def entries(self, count: int) -> tuple[int, bool]:
        """Return the entries of the index for ``count`` more positions, and whether it is an array.

        If memory is short, a hash table is filled more than is optimal, and may even shrink. If
        memory is still short, the moves are dropped.
        """
        positions, table = self.known + count, self.table
        preferred = self._least_entries(count)
        least = preferred
        while 8 * positions <= 7 * (least // 2):
            least //= 2
        candidates = [(preferred, False), (least, False)]
        if table.is_direct or (table.is_full(positions) and table.suits_direct(preferred)):
            candidates.insert(0, (table.direct_entries, True))
        needed = 0
        while True:
            for entries, direct in candidates:
                needed = self._held_bytes(positions, entries, count)
                if self.budget.ledger.fits(needed):
                    return entries, direct
            if not self.whole:
                self.budget.reserve(needed, self.known)
            if not self.may_drop:
                raise MovesTooLargeError
            self.whole, self.packed = False, None
            limit = self.budget.ledger.allowed
            self.first = Arena(np.int64, limit)
            self.edges = Arena(np.uint32, limit)
            self.gains = Arena(self.expand.kind.gain_dtype, limit)

    def _held_bytes(self, positions: int, entries: int, count: int) -> int:
        """Return the bytes of ``positions``, an index of ``entries`` and ``count`` more moves."""
        if self.packed is not None:
            packed_bytes = self.packed.bytes + most_bytes(count, count)
            return self.budget.held_bytes(positions, entries, count, packed_bytes)
        moves = self.moves + count if self.whole else None
        return self.budget.held_bytes(positions, entries, moves)

    def pack_if_many(self, head: int) -> None:
        """Pack the moves from now on if there are many; if all lead forward, they are not packed.

        Args:
            head: the number of positions expanded.
        """
        if not self.packs or not self.lists_edges or self.forward:
            return
        batch = limits.current().batch
        is_large = self.moves >= batch(_MOVES) and self.known - head >= batch(_WAITING)
        if not is_large or self.moves < batch(_DEGREE) * head:
            return
        limit = self.budget.ledger.allowed
        packed, first, edges = PackedMoves(limit), self.first.array, self.edges
        packed.mark_won_ends(self.values.array, 0, head, self.known)
        for begin in range(0, head, _ROWS):
            end = min(begin + _ROWS, head)
            ends = np.array(first[begin + 1 : end + 1] - first[begin], np.int32)
            rows = ends, end - begin, edges.array, int(first[begin])
            packed.append(*rows, *self.values_and_owners)
            edges.forget(int(first[begin]), int(first[end]))
        self.packed, self.first, self.edges = (
            packed,
            Arena(np.int64, limit),
            Arena(np.uint32, limit),
        )

    def reserve(self, count: int, head: int) -> bool:
        """Allocate memory for more positions and moves; return False if there is too little.

        Args:
            count: the number of further positions, and of further moves.
            head: the number of positions expanded.
        """
        positions, entries = self.known + count, max(self.table.entries, self._least_entries(count))
        if not self.lists_edges or positions > MOST_POSITIONS:
            return False
        if not self.budget.ledger.fits(
            self.budget.held_bytes(positions, entries, self.moves + count)
        ):
            return False
        entries, direct = self.entries(count)
        keys = self.keys.ensure(positions * self.expand.words, self.known * self.expand.words)
        if (entries, direct) != (self.table.entries, self.table.is_direct):
            self.table.grow(entries, keys, self.known, direct=direct)
        self.edges.ensure(self.moves + count, self.moves)
        self.first.ensure(positions + 1, head + 1)
        self.values.ensure(positions, head)
        if not self.expand.alternate:
            self.owners.ensure(positions, head)
        if self.expand.kind.gains:
            self.gains.ensure(self.moves + count, self.moves)
        return True

    def graph(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays of the graph; owners and gains are empty if the rules have none."""
        gains = self.gains.array[: None if self.expand.kind.gains else 0]
        arrays = self.keys, self.first, self.edges
        return (*(arena.array for arena in arrays), *self.values_and_owners, gains)

    def _least_entries(self, count: int) -> int:
        """Return the least number of entries of a hash table for ``count`` more positions."""
        least = 0 if self.table.is_direct else self.table.entries
        return max(least, entries_for(self.known + count))

    def most_positions(self) -> int:
        """Return the number of positions that fit in memory without their moves."""
        if not self.may_drop or self.table.is_direct:
            return MOST_POSITIONS  # dropping moves does not help, or an array has all
        table, allowed, most = self.table, self.budget.ledger.allowed, 0
        direct = table.direct_entries if table.suits_direct(MOST_POSITIONS) else None
        for bit in reversed(range(MOST_POSITIONS.bit_length())):
            positions = most | 1 << bit
            entries = 8 * positions // 7
            candidates = [entries] if direct is None else [entries, direct]
            if (
                min(self.budget.held_bytes(positions, count, None) for count in candidates)
                <= allowed
            ):
                most = positions
        return most

    def append_expanded(
        self, parent: int, count: int, child_count: int, layer_end: int, buffers: Buffers
    ) -> None:
        """Append the results of expanding ``count`` positions, the first of which is ``parent``."""
        self.add(buffers.children, child_count)
        base = self.moves if self.lists_edges else 0
        self.forward, self.layered = leads_forward(
            buffers.ends,
            count,
            parent,
            layer_end,
            self.edges.array,
            base,
            forward=self.forward,
            layered=self.layered,
        )
        values = self.values.ensure(parent + count, parent)
        values[parent : parent + count] = buffers.values[:count]
        if not self.expand.alternate:
            owners = self.owners.ensure(parent + count, parent)
            owners[parent : parent + count] = buffers.owners[:count]
        if self.packed is not None:
            self.packed.mark_won_ends(values, parent, parent + count, self.known)
            rows = buffers.ends, count, self.edges.array, 0
            self.packed.append(*rows, *self.values_and_owners)
        elif self.whole:
            first = self.first.ensure(parent + count + 1, parent + 1)
            set_first(buffers.ends, count, parent, base, first)
            if self.expand.kind.gains:
                gains = self.gains.ensure(base + child_count, base)
                gains[base : base + child_count] = buffers.gains[:child_count]
        self.moves += child_count
        self.pack_if_many(parent + count)
