"""The arrays of a search, created for a root position and enlarged when they are full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.search import proof_numbers as numbers
from zermelo._engine.search.alpha_beta import (
    AT,
    BITS,
    BUCKETS,
    CROWDED,
    DEEP,
    EACH,
    ENTER,
    FAULT,
    FILLED,
    FRAME,
    MARKS,
    MOVE,
    MOVES,
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
    TOP,
    UNDER_WAY,
    UNTIL,
)
from zermelo._engine.search.table_positions import NO_TABLES, TablePositions
from zermelo._engine.search.transposition_entries import (
    NO_MOVE,
    WAYS,
    form_of,
    look_up,
    spread_entries,
)
from zermelo._engine.search.transposition_table import SearchTable

#: The initial capacity, in positions on the search stack and in plies.
_POSITIONS, _PLIES = 1 << 12, 1 << 8
#: More nodes than any search visits.
_NEVER = 1 << 62
#: The share of a table's entries that are used when it grows.
_FULL = 0.6


@dataclass(frozen=True)
class TestBatch:
    """A batch of positions that are tested one after another.

    Attributes:
        rows: the packed positions, a row each.
        turns: the player to move in each; arbitrary if the players strictly alternate.
        least: the lower bound to test for each value.
        to: receives the packed child of the move that passes each test; empty if not needed.
        found: receives the result of each test; see ``walk.PASSED``.
        each: the node limit of a test.
    """

    rows: npt.NDArray[np.uint64]
    turns: npt.NDArray[np.uint8]
    least: npt.NDArray[np.int64]
    to: npt.NDArray[np.uint64]
    found: npt.NDArray[np.uint8]
    each: int = 0

    @classmethod
    def empty(cls, words: int) -> TestBatch:
        """Return an empty batch of positions with ``words`` words each."""
        rows = np.zeros((0, words), np.uint64)
        few = np.zeros(0, np.uint8)
        return cls(rows, few, np.zeros(0, np.int64), rows, few)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernel."""
        return self.rows.reshape(-1), self.turns, self.least, self.to.reshape(-1), self.found


class SearchArrays:
    """The arrays of a search: its stack, its transposition table and its move history.

    Attributes:
        kernel: the kernel that uses them.
        words: words of a packed position.
        tabled: positions of solved tables, where the search stops.
        great: the value of an immediate win; the greatest score.
        table: the transposition table; see ``entries``.
        busy: further state that threads share; see ``walk.BUSY``.
    """

    kernel: ClassVar[str] = "search"
    #: Numbers in a frame.
    frame: ClassVar[int] = FRAME

    def __init__(
        self,
        words: int,
        spare: int,
        *,
        alternate: bool,
        gains: bool,
        fades: bool,
        great: int,
        memory: int,
        tabled: TablePositions | None = None,
    ) -> None:
        """Create small arrays.

        Args:
            words: words of a packed position.
            spare: bits at the top of its last word that are always 0.
            alternate: whether the players strictly alternate.
            gains: whether moves make points.
            fades: whether values include the distance to a win or a loss.
            great: the value of an immediate win; the greatest score.
            memory: the most bytes of the transposition table.
            tabled: positions where the search stops, or None.
        """
        self.words, self.tabled = words, tabled or NO_TABLES
        self._fades, self.great = int(fades), great
        self._alternate, self._gains = alternate, gains
        self.state = np.zeros(STATE, np.int64)
        self._frames = np.zeros(_PLIES * FRAME, np.int64)
        self._make(_POSITIONS)
        form = self._form(spare, narrow=great == 1)
        self.state[[STRIDE, SHIFT, BITS, MOVES]] = form
        self.state[SPARE] = np.uint64((1 << 64) - (1 << 64 - spare)).astype(np.int64)
        self.table = SearchTable(form[0] * WAYS, memory)
        self.state[BUCKETS] = self.table.buckets
        self._history = np.zeros(MARKS, np.int64)
        self._path = np.zeros(ON_PATH, np.int32)
        self.busy = np.zeros(0, np.uint64)
        self._many = TestBatch.empty(words)

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:
        return form_of(self.words, spare, narrow=narrow)

    def _make(self, room: int) -> None:
        self.keys = np.zeros(room * self.words, np.uint64)
        self._low, self._high, self._promise, self._marks = np.zeros((4, room), np.int64)
        self._points = np.zeros(room if self._gains else 0, np.int64)
        self._owners = np.zeros(0 if self._alternate else room, np.uint8)

    @property
    def _positions(self) -> list[npt.NDArray[Any]]:
        """The arrays with an element for each position on the stack."""
        held = (self.keys, self._low, self._high, self._promise, self._marks)
        return [*held, self._points, self._owners]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernel, without the quota."""
        return (
            self.state,
            self._frames,
            self.keys,
            self._low,
            self._high,
            self._promise,
            self._marks,
            self._points,
            self._owners,
            self.table.array,
            self._history,
            self._path,
            self.busy,
            self.tabled.held,
            self.tabled.worths,
            self._fades,
            self.great,
            *self._many.arrays,
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
    def current_path(self) -> npt.NDArray[np.uint64]:
        """The packed positions from the root to the one being searched, a row each."""
        places = self._frames[np.arange(self.ply + 1) * self.frame + AT]
        rows: npt.NDArray[np.uint64] = self.keys.reshape(-1, self.words)[places]
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
        return self.table.buckets * WAYS

    def begin(self, packed: npt.NDArray[np.uint64], owner: int, target: int) -> None:
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
        self.state[UNTIL] = _NEVER
        if len(self._many.least):
            self._many = TestBatch.empty(self.words)

    def begin_many(self, many: TestBatch) -> None:
        """Start tests of a batch of positions, one after another.

        Args:
            many: the positions; ``to`` and ``found`` receive the results.
        """
        self.begin(many.rows[0], int(many.turns[0]), int(many.least[0]))
        self._many = many
        self.state[UNDER_WAY], self.state[EACH] = 0, many.each
        self.state[UNTIL] = self.nodes + many.each

    @property
    def tested_count(self) -> int:
        """The number of finished tests of the batch."""
        return int(self.state[UNDER_WAY])

    def share_table(self, first: SearchArrays) -> None:
        """Use the transposition table of ``first``, whose search runs in another thread."""
        self.table, self.busy = first.table, first.busy
        self.state[BUCKETS] = self.table.buckets
        first.state[FILLED] += self.state[FILLED]
        self.state[FILLED] = 0

    def make_room(self, status: int) -> bool:
        """Enlarge an array that a kernel found too small.

        Return whether this was why it stopped.
        """
        if status == CROWDED:
            kept = self._positions
            self._make(2 * len(self._low))
            for new, old in zip(self._positions, kept, strict=True):
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
        if self.fill_ratio < _FULL:
            return False
        filled = self.table.enlarge(self._spread)
        if filled is None:
            return False
        self.state[FILLED], self.state[BUCKETS] = filled, self.table.buckets
        return True

    @property
    def resume_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays from which another process resumes: transposition table and move history."""
        return {"table": self.table.array, "history": self._history}

    def make_table(self, buckets: int) -> bool:
        """Enlarge the table to ``buckets``, to which entries are copied; return whether it fits."""
        made = self.table.enlarge_to(buckets)
        self.state[BUCKETS] = self.table.buckets
        return made

    @property
    def entries(self) -> int:
        """The number of entries in the table."""
        return int(self.state[FILLED])

    @entries.setter
    def entries(self, count: int) -> None:
        self.state[FILLED] = count

    def look_up(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the table's two bounds and good move of each packed position.

        Args:
            rows: the positions, a row each.
        """
        found = np.empty((len(rows), 3), np.int64)
        found[:] = -self.great, self.great, NO_MOVE
        look_up(self.table.array, rows.reshape(-1), self.words, self._whole_form, found)
        np.clip(found[:, :2], -self.great, self.great, out=found[:, :2])
        return found

    @property
    def _whole_form(self) -> tuple[int, ...]:
        """The form of the table, and its number of buckets."""
        form = tuple(int(self.state[n]) for n in (STRIDE, SHIFT, BITS, MOVES))
        return (*form, self.table.buckets)

    def _spread(self, table: npt.NDArray[np.uint64], before: int) -> int:
        """Move all entries to their buckets in an enlarged table; return their number."""
        return spread_entries(table, self.words, self._whole_form, before)


class NumberArrays(SearchArrays):
    """The arrays of a proof-number search; see ``numbers``."""

    kernel: ClassVar[str] = "prove"
    frame: ClassVar[int] = numbers.FRAME

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:  # noqa: ARG002
        return self.words + 3, 0, 0, 0

    def attack(self, packed: npt.NDArray[np.uint64], owner: int, *, mover: bool) -> None:
        """Start a search of whether one of the players can force a win.

        Args:
            packed: the words of the position.
            owner: the player to move.
            mover: whether the attacker is the player to move.
        """
        self.begin(packed, owner, 0)
        self._fades = owner if mover else 1 - owner
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
            when = np.where(self._low[moves] == 0, self._marks[moves], np.iinfo(np.int64).max)
            return int(np.argmin(when))
        return int(np.argmin(self._high[moves]))

    @property
    def attacks(self) -> bool:
        """Whether the attacker is to move in the root."""
        return bool(self._frames[numbers.ATTACKS])

    @property
    def attacker(self) -> int:
        """The attacking player; arbitrary if the players strictly alternate."""
        return self._fades

    @property
    def proof_numbers(self) -> tuple[int | None, int | None]:
        """The current proof and disproof number of the root; None for infinity."""
        proof, disproof = self._frames[[numbers.PROOF, numbers.DISPROOF]].tolist()
        most = numbers.INFINITE
        return None if proof >= most else proof, None if disproof >= most else disproof

    def look_up_numbers(
        self, rows: npt.NDArray[np.uint64], attacks: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Return the table's two numbers of each packed position; 0 and 0 without an entry.

        Args:
            rows: the positions, a row each.
            attacks: for each, 1 if the attacker is to move, else 0.
        """
        found = np.zeros((len(rows), 2), np.int64)
        numbers.look_up_numbers(self.table.array, rows.reshape(-1), self.words, attacks, found)
        return found

    def _spread(self, table: npt.NDArray[np.uint64], before: int) -> int:
        return numbers.spread_numbers(table, self.words, before)
