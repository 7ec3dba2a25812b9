"""The arrays of a search, created for a root position and enlarged when they are full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.shared_code import address_of
from zermelo._engine.search import proof_numbers as numbers
from zermelo._engine.search.alpha_beta import (
    AT,
    BITS,
    BUCKETS,
    CROWDED,
    CURRENT_TEST,
    DEEP,
    ENTER,
    FAULT,
    FILLED,
    FRAME,
    MOVE,
    MOVE_CLASSES,
    MOVES,
    NODE_LIMIT,
    NODES,
    ON_PATH,
    PLY,
    RESULT,
    SHIFT,
    SPARE,
    STATE,
    STEP,
    STRIDE,
    TARGET,
    TEST_LIMIT,
    TOP,
    advance,
)
from zermelo._engine.search.shared_loop import shared_loop
from zermelo._engine.search.table_positions import NO_TABLES, TablePositions
from zermelo._engine.search.transposition_entries import (
    BUCKET_ENTRIES,
    NO_MOVE,
    form_of,
    look_up,
    spread_entries,
)
from zermelo._engine.search.transposition_table import SearchTable

#: The initial capacity, in positions on the search stack and in plies.
_POSITIONS, _PLIES = 1 << 12, 1 << 8
#: More nodes than any search visits.
_NEVER = 1 << 62


@dataclass(frozen=True)
class TestBatch:
    """A batch of positions that are tested one after another.

    Attributes:
        rows: the packed positions, a row each.
        turns: the player to move in each; arbitrary if the players strictly alternate.
        least: the lower bound to test for each value.
        children: receives the packed child of the move that passes each test; empty if not needed.
        results: receives the result of each test; see ``alpha_beta.PASSED``.
        node_limit: the node limit of a test.
    """

    rows: Uint64Array
    turns: Uint8Array
    least: Int64Array
    children: Uint64Array
    results: Uint8Array
    node_limit: int = 0

    @classmethod
    def empty(cls, words: int) -> TestBatch:
        """Return an empty batch of positions with ``words`` words each."""
        rows = np.zeros((0, words), np.uint64)
        no_bytes = np.zeros(0, np.uint8)
        return cls(rows, no_bytes, np.zeros(0, np.int64), rows, no_bytes)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernel."""
        return (
            self.rows.reshape(-1),
            self.turns,
            self.least,
            self.children.reshape(-1),
            self.results,
        )


class SearchArrays:
    """The arrays of a search: its stack, its transposition table and its move history.

    Attributes:
        kernel: the kernel that uses them.
        advance: the search loop, which the kernel calls.
        words: words of a packed position.
        table_positions: positions of solved tables, where the search stops.
        win_value: the value of an immediate win; the greatest score.
        table: the transposition table; see ``transposition_entries``.
        thread_claims: further state that threads share; see ``alpha_beta.CLAIMS``.
    """

    kernel: ClassVar[str] = "search"
    advance: ClassVar[Any] = advance
    #: Numbers in a frame.
    frame: ClassVar[int] = FRAME
    #: The share of a table's entries that are used when it grows.
    full_share: ClassVar[float] = 0.8

    def __init__(
        self,
        words: int,
        spare: int,
        *,
        alternate: bool,
        gains: bool,
        counts_plies: bool,
        win_value: int,
        memory: int,
        table_positions: TablePositions | None = None,
    ) -> None:
        """Create small arrays.

        Args:
            words: words of a packed position.
            spare: bits at the top of its last word that are always 0.
            alternate: whether the players strictly alternate.
            gains: whether moves make points.
            counts_plies: whether values include the distance to a win or a loss.
            win_value: the value of an immediate win; the greatest score.
            memory: the most bytes of the transposition table.
            table_positions: positions where the search stops, or None.
        """
        self.words, self.table_positions = words, table_positions or NO_TABLES
        #: An argument of the kernel: ``counts_plies``, or the attacker in a proof-number search.
        self._kernel_option, self.win_value = int(counts_plies), win_value
        self._alternate, self._gains = alternate, gains
        self.state = np.zeros(STATE, np.int64)
        self._frames = np.zeros(_PLIES * FRAME, np.int64)
        self._allocate(_POSITIONS)
        form = self._form(spare, narrow=win_value == 1)
        self.state[[STRIDE, SHIFT, BITS, MOVES]] = form
        self.state[SPARE] = np.uint64((1 << 64) - (1 << 64 - spare)).astype(np.int64)
        self.table = SearchTable(form[0] * BUCKET_ENTRIES, memory)
        self.state[BUCKETS] = self.table.buckets
        self._history = np.zeros(MOVE_CLASSES, np.int64)
        self._path = np.zeros(ON_PATH, np.int32)
        self.thread_claims = np.zeros(0, np.uint64)
        self._batch = TestBatch.empty(words)

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:
        return form_of(self.words, spare, narrow=narrow)

    def _allocate(self, capacity: int) -> None:
        self.keys = np.zeros(capacity * self.words, np.uint64)
        self._low, self._high, self._promise, self._move_classes = np.zeros((4, capacity), np.int64)
        self._points = np.zeros(capacity if self._gains else 0, np.int64)
        self._owners = np.zeros(0 if self._alternate else capacity, np.uint8)

    @property
    def _positions(self) -> list[npt.NDArray[Any]]:
        """The arrays with an element for each position on the stack."""
        position_arrays = (self.keys, self._low, self._high, self._promise, self._move_classes)
        return [*position_arrays, self._points, self._owners]

    @property
    def _loop_address(self) -> int:
        return address_of(shared_loop(self.advance, self.words))

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernel, without the quota."""
        return (
            self._loop_address,
            self.state,
            self._frames,
            self.keys,
            self._low,
            self._high,
            self._promise,
            self._move_classes,
            self._points,
            self._owners,
            self.table.array,
            self._history,
            self._path,
            self.thread_claims,
            self.table_positions.slots,
            self.table_positions.values,
            self._kernel_option,
            self.win_value,
            *self._batch.arrays,
        )

    @property
    def place(self) -> int:
        """The index of the position that was being searched when the kernel stopped."""
        return int(self._frames[self.ply * self.frame + AT])

    @property
    def ply(self) -> int:
        """The number of plies from the root to the position being searched."""
        return int(self.state[PLY])

    @property
    def current_path(self) -> Uint64Array:
        """The packed positions from the root to the one being searched, a row each."""
        places = self._frames[np.arange(self.ply + 1) * self.frame + AT]
        rows: Uint64Array = self.keys.reshape(-1, self.words)[places]
        return rows

    @property
    def error_code(self) -> int:
        """The error code of the rules at this position."""
        return int(self.state[FAULT])

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self.state[NODES])

    @property
    def result(self) -> int:
        """The result of the last test.

        A lower bound of the value if it passed, else an upper bound.
        """
        return int(self.state[RESULT])

    @property
    def proof_numbers(self) -> tuple[int | None, int | None] | None:
        """The current proof numbers of the root, or None if the search has none."""
        return None

    @property
    def move(self) -> int:
        """The number of the root's move that passed the last test."""
        return int(self._frames[MOVE])

    @property
    def fill_ratio(self) -> float:
        """The share of the table's entries that are used."""
        return int(self.state[FILLED]) / self.places

    @property
    def places(self) -> int:
        """The capacity of the table in entries."""
        return self.table.buckets * BUCKET_ENTRIES

    def begin(self, packed: Uint64Array, owner: int, target: int) -> None:
        """Start a test of whether the value of a position is at least ``target``.

        Args:
            packed: the words of the position.
            owner: the player to move.
            target: the bound.
        """
        self._path[:] = 0
        self.keys[: self.words] = packed
        if not self._alternate:
            self._owners[0] = owner
        self._frames[AT], self._frames[TARGET] = 0, target
        self.state[PLY], self.state[STEP], self.state[TOP] = 0, ENTER, 1
        self.state[NODE_LIMIT] = _NEVER
        if len(self._batch.least):
            self._batch = TestBatch.empty(self.words)

    def begin_batch(self, batch: TestBatch) -> None:
        """Start tests of a batch of positions, one after another.

        Args:
            batch: the positions; ``children`` and ``results`` receive the results.
        """
        self.begin(batch.rows[0], int(batch.turns[0]), int(batch.least[0]))
        self._batch = batch
        self.state[CURRENT_TEST], self.state[TEST_LIMIT] = 0, batch.node_limit
        self.state[NODE_LIMIT] = self.nodes + batch.node_limit

    @property
    def tested_count(self) -> int:
        """The number of finished tests of the batch."""
        return int(self.state[CURRENT_TEST])

    def share_table(self, first: SearchArrays) -> None:
        """Use the transposition table of ``first``, whose search runs in another thread."""
        self.table, self.thread_claims = first.table, first.thread_claims
        self.state[BUCKETS] = self.table.buckets
        first.state[FILLED] += self.state[FILLED]
        self.state[FILLED] = 0

    def enlarge(self, status: int) -> bool:
        """Enlarge an array that a kernel found too small.

        Return whether this was why it stopped.
        """
        if status == CROWDED:
            old_arrays = self._positions
            self._allocate(2 * len(self._low))
            for new, old in zip(self._positions, old_arrays, strict=True):
                new[: len(old)] = old
            return True
        if status == DEEP:
            self._frames = np.concatenate([self._frames, np.zeros_like(self._frames)])
            return True
        return False

    def grow(self) -> bool:
        """Enlarge the table if it is nearly full and memory allows.

        Return whether it was enlarged.
        """
        if self.fill_ratio < self.full_share:
            return False
        filled = self.table.enlarge(self._spread_entries)
        if filled is None:
            return False
        self.state[FILLED], self.state[BUCKETS] = filled, self.table.buckets
        return True

    @property
    def resume_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays from which another process resumes: transposition table and move history."""
        return {"table": self.table.array, "history": self._history}

    def enlarge_table(self, buckets: int) -> bool:
        """Enlarge the table to ``buckets`` for entries of a checkpoint; return whether it fits."""
        fits = self.table.enlarge_to(buckets)
        self.state[BUCKETS] = self.table.buckets
        return fits

    @property
    def entries(self) -> int:
        """The number of entries in the table."""
        return int(self.state[FILLED])

    @entries.setter
    def entries(self, count: int) -> None:
        self.state[FILLED] = count

    def look_up(self, rows: Uint64Array) -> Int64Array:
        """Return the table's two bounds and good move of each packed position.

        Args:
            rows: the positions, a row each.
        """
        entries = np.empty((len(rows), 3), np.int64)
        entries[:] = -self.win_value, self.win_value, NO_MOVE
        look_up(self.table.array, rows.reshape(-1), self.words, self._form_and_buckets, entries)
        np.clip(entries[:, :2], -self.win_value, self.win_value, out=entries[:, :2])
        return entries

    @property
    def _form_and_buckets(self) -> tuple[int, int, int, int, int]:
        """The form of the table, and its number of buckets."""
        stride, shift, bits, moves = self.state[[STRIDE, SHIFT, BITS, MOVES]].tolist()
        return stride, shift, bits, moves, self.table.buckets

    def _spread_entries(self, table: Uint64Array, old_buckets: int) -> int:
        """Move all entries to their buckets in an enlarged table; return their number."""
        return spread_entries(table, self.words, self._form_and_buckets, old_buckets)


class NumberArrays(SearchArrays):
    """The arrays of a proof-number search; see ``proof_numbers``."""

    kernel: ClassVar[str] = "prove"
    advance: ClassVar[Any] = numbers.advance_numbers
    frame: ClassVar[int] = numbers.FRAME

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:  # noqa: ARG002
        return self.words + 3, 0, 0, 0

    def attack(self, packed: Uint64Array, owner: int, *, mover: bool) -> None:
        """Start a search of whether one of the players can force a win.

        Args:
            packed: the words of the position.
            owner: the player to move.
            mover: whether the attacker is the player to move.
        """
        self.begin(packed, owner, 0)
        self._kernel_option = owner if mover else 1 - owner
        root = self._frames[: numbers.FRAME]
        root[:] = 0
        root[numbers.ATTACKS] = mover
        root[numbers.MOST_PROOF] = root[numbers.MOST_DISPROOF] = numbers.INFINITE

    @property
    def move(self) -> int:
        """The number of the root's move that proves the result.

        It leads to the child that was proved first, if the attacker moves and wins, and to a
        disproved child, if the other player moves and does not lose.
        """
        root = self._frames[: numbers.FRAME]
        moves = slice(int(root[numbers.FIRST]), int(root[numbers.FIRST] + root[numbers.COUNT]))
        if root[numbers.ATTACKS]:
            order_of_proofs = np.where(
                self._low[moves] == 0, self._move_classes[moves], np.iinfo(np.int64).max
            )
            return int(np.argmin(order_of_proofs))
        return int(np.argmin(self._high[moves]))

    @property
    def attacks(self) -> bool:
        """Whether the attacker is to move in the root."""
        return bool(self._frames[numbers.ATTACKS])

    @property
    def attacker(self) -> int:
        """The attacking player; arbitrary if the players strictly alternate."""
        return self._kernel_option

    @property
    def proof_numbers(self) -> tuple[int | None, int | None]:
        """The current proof and disproof number of the root; None for infinity."""
        proof, disproof = self._frames[[numbers.PROOF, numbers.DISPROOF]].tolist()
        most = numbers.INFINITE
        return None if proof >= most else proof, None if disproof >= most else disproof

    def look_up_numbers(self, rows: Uint64Array, attacks: Int64Array) -> Int64Array:
        """Return the table's two numbers of each packed position; 0 and 0 without an entry.

        Args:
            rows: the positions, a row each.
            attacks: for each, 1 if the attacker is to move, else 0.
        """
        entries = np.zeros((len(rows), 2), np.int64)
        numbers.look_up_numbers(self.table.array, rows.reshape(-1), self.words, attacks, entries)
        return entries

    def _spread_entries(self, table: Uint64Array, old_buckets: int) -> int:
        return numbers.spread_numbers(table, self.words, old_buckets)
