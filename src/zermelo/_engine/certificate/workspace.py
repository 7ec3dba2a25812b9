"""What one thread of the certificate works with, where a table is gone through in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import Finding, are_legal, check, check_scores
from zermelo._engine.certificate.parts import PIECE, Parted, Plan
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import exchange, peek, zeros
from zermelo._engine.expand.expander import Buffers, Expand, run_expand

Places: TypeAlias = npt.NDArray[np.int64]

#: Positions whose moves have their levels compared at once.
_FEW = 1 << 9
#: Places of which a word says whether they have been reached, and have been handed out.
IN_WORD = 32

_ONE, _NONE, _WITHIN = np.uint64(1), np.uint64(0), np.uint64(31)


@kernel
def _sort(blocks: Any, count: int, begins: Any, order: Any) -> None:
    """List moves by the block that they lead to; ``begins`` receives where each block's begin.

    Args:
        blocks: the block of each and one, 0 for none.
        count: how many there are.
        begins: see above; it has two numbers more than there are blocks.
        order: receives the moves.
    """
    begins[:] = 0
    for i in range(count):
        begins[blocks[i]] += 1
    total = 0
    for block in range(begins.size):
        here = begins[block]
        begins[block] = total
        total += here
    for i in range(count):
        at = begins[blocks[i]]
        order[at] = i
        begins[blocks[i]] = at + 1
    # Each begin is now where the next should be.
    for block in range(begins.size - 1, 0, -1):
        begins[block] = begins[block - 1]
    begins[0] = 0


@kernel
def _gather(children: Any, words: int, order: Any, blocks: Any, out: Any, wanted: Any) -> None:
    """Write some children and the blocks they would be in."""
    for i in range(order.size):
        move = np.int64(order[i])
        for word in range(words):
            out[i * words + word] = children[move * words + word]
        wanted[i] = np.int64(blocks[move]) - 1


@kernel
def _scatter(order: Any, places: Any, values: Any, found: Any, stored: Any) -> None:
    """Write where some children are, and their values."""
    for i in range(order.size):
        move = np.int64(order[i])
        found[move] = places[i]
        stored[move] = values[i]


@inlined
def is_marked(marks: Any, place: Any) -> Any:
    """Whether a place has been reached."""
    return marks[place >> 5] >> (np.uint64(place) & _WITHIN) & _ONE != _NONE


@kernel
def mark_all(places: Any, marks: Any) -> None:
    """Mark places, though other threads do the same; -1 is none."""
    for place in places:
        if place >= 0:
            word, bit = place >> 5, _ONE << (np.uint64(place) & _WITHIN)
            before = peek(marks, word)
            while before & bit == _NONE:
                found = exchange(marks, word, before, before | bit)
                if found == before:
                    break
                before = found


@kernel
def _all_raised(levels: Any, child_levels: Any, ends: Any, edge: int) -> bool:
    """Whether all moves lead to a higher level; the first move is that of number ``edge``."""
    first = edge
    for i in range(levels.size):
        while edge < ends[i]:
            if child_levels[edge - first] <= levels[i]:
                return False
            edge += 1
    return True


class Bench:
    """Some positions, what their moves lead to, and what is found of that."""

    def __init__(
        self, expand: Expand, table: Parted, plan: Plan, marks: npt.NDArray[np.uint64]
    ) -> None:
        """Make room.

        Args:
            expand: the compiled rules.
            table: positions and values.
            plan: how much room.
            marks: which places have been reached, in the lower halves of words.
        """
        page, room, words = plan.page, plan.room, expand.words
        kind = np.int64 if expand.scored else np.int32
        self.expand = expand
        self.table = table
        self.window = plan.window
        self.marks = marks
        self.room = room
        self.places = np.empty(page, np.int64)
        self.keys = np.empty(page * words, np.uint64)
        self.stored = np.empty(page, kind)
        self.owners = np.empty(0 if expand.alternate else page, np.uint8)
        self.ranks = np.empty(page if expand.scored else 0, np.int64)
        self.buffers = Buffers.for_rules(expand, page, room)
        self.begins = np.zeros(len(table.bounds) + 1, np.int64)
        #: Positions there are, and of those how many have been checked, and are being.
        self.count = self.at = self.now = 0
        self._make_room(room)

    def _make_room(self, room: int) -> None:
        """Make room for what is found of so many moves."""
        expand = self.expand
        self.room = room
        self.blocks = zeros(room, np.uint32)
        self.order = zeros(room, np.uint32)
        self.child_stored = zeros(room, self.stored.dtype)
        self.child_owners = zeros(0 if expand.alternate else room, np.uint8)
        self.child_ranks = zeros(room if expand.scored else 0, np.int64)
        # A place takes as much as a word, which is of no more use once it is found.
        word = expand.words == 1
        self.found = self.buffers.children.view(np.int64) if word else zeros(room, np.int64)

    @property
    def done(self) -> bool:
        """Whether all positions have been checked."""
        return self.at == self.count

    def take(self, fill: Callable[[Places], int]) -> int:
        """Take up some positions; return how many."""
        self.count, self.at = fill(self.places), 0
        return self.count

    def read(self) -> None:
        """Read the positions, and what the table says of them."""
        table, words = self.table, self.table.words
        places = self.places[: self.count]
        edges = table.bounds[:: self.window]
        cuts = [*np.unique(np.searchsorted(places, edges)).tolist(), self.count]
        for first, last in zip(cuts[:-1], cuts[1:], strict=True):
            window = table.window()
            here = np.searchsorted(table.bounds, places[first:last], side="right") - 1
            window.unpack(np.unique(here))
            for begin in range(first, last, PIECE):
                end = min(begin + PIECE, last)
                some = places[begin:end]
                self.keys[begin * words : end * words] = window.packed(some)
                self.stored[begin:end] = window.values(some)
                if len(self.owners):
                    self.owners[begin:end] = window.owners(some)
                if len(self.ranks):
                    self.ranks[begin:end] = window.rank(some)

    def expand_some(self, levels: Callable[[Any, int, Places], None] | None) -> bool:
        """Expand as many positions as there is room for the moves of.

        Args:
            levels: what writes the levels of packed positions, if all have to be raised.

        Returns:
            Whether they are.
        """
        buffers = self.buffers
        self.now, made = run_expand(self.expand, self.keys, self.at, self.count, buffers)
        children = len(buffers.children) // self.expand.words
        if children > self.room:
            self._make_room(children)
        if levels is not None and not self._raised(levels):
            return False
        self._sort(buffers.children, made)
        return True

    def _raised(self, levels: Callable[[Any, int, Places], None]) -> bool:
        words, ends = self.expand.words, self.buffers.ends
        edge = 0
        own = np.empty(_FEW, np.int64)
        for begin in range(0, self.now, _FEW):
            end = min(begin + _FEW, self.now)
            made = int(ends[end - 1]) - edge
            others = np.empty(made, np.int64)
            levels(self.keys[(self.at + begin) * words :], end - begin, own)
            levels(self.buffers.children[edge * words :], made, others)
            if not _all_raised(own[: end - begin], others, ends[begin:end], edge):
                return False
            edge += made
        return True

    def seek(self, packed: npt.NDArray[np.uint64], count: int) -> None:
        """Have some packed positions looked up, instead of what moves lead to."""
        self.buffers.children[: len(packed)] = packed
        self._sort(self.buffers.children, count)

    def _sort(self, packed: npt.NDArray[np.uint64], count: int) -> None:
        words = self.expand.words
        for begin in range(0, count, PIECE):
            end = min(begin + PIECE, count)
            some = packed[begin * words : end * words]
            self.blocks[begin:end] = self.table.blocks_for(some, end - begin) + 1
        _sort(self.blocks, count, self.begins, self.order)
        self.found[self.order[: self.begins[1]]] = -1
        self.child_stored[self.order[: self.begins[1]]] = 0

    def wanted(self, begin: int, end: int) -> npt.NDArray[np.bool_]:
        """Return to which of the blocks ``begin`` to ``end`` a move leads."""
        return self.begins[begin + 1 : end + 1] < self.begins[begin + 2 : end + 2]

    def look_up(self, window: Parted, begin: int, end: int, *, entering: bool) -> None:
        """Find what leads to the blocks ``begin`` to ``end``, and mark it if that is asked for."""
        words, first = self.expand.words, self.table.bounds.item(begin)
        last = self.begins.item(end + 1)
        for at in range(self.begins.item(begin + 1), last, PIECE):
            order = self.order[at : min(at + PIECE, last)]
            count = len(order)
            keys, blocks = np.empty(count * words, np.uint64), np.empty(count, np.int64)
            _gather(self.buffers.children, words, order, self.blocks, keys, blocks)
            places = np.empty(count, np.int64)
            # What is not there is looked at as if it were the first that might be.
            known = places
            if window.places_in(keys, count, blocks, places) < count:
                known = np.maximum(places, first)
            _scatter(order, places, window.values(known), self.found, self.child_stored)
            if len(self.child_owners):
                self.child_owners[order] = window.owners(known)
            if len(self.child_ranks):
                self.child_ranks[order] = window.rank(known)
            if entering:
                mark_all(places, self.marks)

    def check(self) -> Finding:
        """Check the positions that were expanded, and go on to the next."""
        begin, end = self.at, self.at + self.now
        self.at = end
        ends = self.buffers.ends
        places = self.places[begin:end]
        if self.table.reach == "legal":
            for at in range(begin, end, PIECE):
                self._mark_legal(at, min(at + PIECE, end))
        shared = (
            ends,
            self.buffers.values,
            self.buffers.owners,
            places,
            self.stored[begin:end],
            self.owners[begin:end],
            self.found,
            self.child_stored,
            self.child_owners,
            np.empty(0, np.uint8),
        )
        if self.expand.scored:
            ranks = self.ranks[begin:end]
            fault, i, expected = check_scores(*shared, self.buffers.gains, ranks, self.child_ranks)
        else:
            fault, i, expected = check(*shared)
        moves = int(ends[self.now - 1]) if self.now else 0
        return Finding(0, moves, fault, int(places[i]), int(expected))

    def _mark_legal(self, begin: int, end: int) -> None:
        """Mark those of some positions that are legal."""
        keys = self.keys[begin * self.expand.words :]
        mark_all(self.places[begin:end][are_legal(self.expand, keys, end - begin)], self.marks)
