"""The table that a pursuit leaves: places are computed, values stand in two arrays of marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import ENDLESS, LAST, UNKNOWN
from zermelo._engine.core.scratch import is_file, let_go
from zermelo._engine.table import Table
from zermelo._methods.pursuit.certificate.matrix import Half
from zermelo._methods.pursuit.marks import all_coded, coded, tally
from zermelo.errors import RulesError
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._methods.pursuit.board import PursuitBoard
    from zermelo.rules.hooks import Rules

Places = npt.NDArray[np.int64]

#: Marks that are counted at a time, so that a file of them need not be in memory.
_TALLIED = 1 << 18


class _All:
    """The numbers from 0, as an array where one is asked for; they may be too many to keep."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, item: Any) -> Any:
        return range(self.count)[item]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001  # NumPy's signature
        small = self.count < 1 << 31
        return np.arange(self.count, dtype=dtype or (np.int32 if small else np.int64))

    def tolist(self) -> list[int]:
        return list(range(self.count))


class PursuitTable(Table):
    """Every placement of an evader and a pursuer with either to move; all of them are starts.

    Placements ascend by the evader's node, then the pursuer's, then the turn, but for the game's
    own start, which changes places with the very first.
    """

    kind: Kind = WIN_DRAW_LOSS
    reachability_evidence = "places"
    saved_as = "pursuit"

    def __init__(
        self,
        rules: Rules,
        fields: tuple[str, str, str],
        board: PursuitBoard,
        evader: npt.NDArray[Any],
        pursuer: npt.NDArray[Any],
    ) -> None:
        """Keep the marks.

        Args:
            rules: the game, for its layout and its start.
            fields: the names of the evader's field, the pursuer's and the turn.
            board: the pursuit.
            evader: marks by evader and pursuer, the evader to move.
            pursuer: marks by pursuer and evader, the pursuer to move.

        Raises:
            RulesError: the start is no placement.
        """
        self.words = rules.layout.words
        self._layout = rules.layout
        names = [name for name, _ in rules.layout.fields]
        self._columns = [names.index(name) for name in fields]
        slots = [rules.layout.slots[column] for column in self._columns]
        self._slots = [(slot.word, slot.shift, (1 << slot.bits) - 1, slot.low) for slot in slots]
        self.marks = (evader, pursuer)
        self.chase = board
        self._size = board.size
        self.nodes = np.flatnonzero(~board.forbidden)  # where a pursuer may be
        self._number = np.full(board.size, -1, np.int64)
        self._number[self.nodes] = np.arange(len(self.nodes))
        self._within = len(self.nodes)
        self.first = 0
        start = rules.game.start()
        packed = np.array(rules.packed(start, "start"), np.uint64)
        place = np.empty(1, np.int64)
        if not self.places(packed, 1, place):
            what = f"{start!r}, which pursuit() does not allow"
            message = f"{rules.name}.start() returned {what}; correct one of them"
            raise RulesError(message)
        self.first = int(place[0])
        self.starts: Any = _All(len(self))

    def __len__(self) -> int:
        """Return how many placements there are, either turn counted."""
        return 2 * self._size * len(self.nodes)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Table``."""
        if count == 1:
            out[0] = place = self._place(packed)
            return 1 if place >= 0 else 0
        fields = self._layout.unpack_many(packed[: count * self.words])
        evader, pursuer, turn = (fields[:, column] for column in self._columns)
        fits = (evader >= 0) & (evader < self._size) & (pursuer >= 0) & (pursuer < self._size)
        number = self._number[np.where(fits, pursuer, 0)]
        fits &= (number >= 0) & (turn >= 0) & (turn <= 1)
        raw = self._swapped(2 * (evader * len(self.nodes) + number) + turn)
        out[:count] = np.where(fits, raw, -1)
        return int(np.count_nonzero(fits))

    def _place(self, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of one packed position, or -1: without arrays, which take longer."""
        (w0, s0, m0, l0), (w1, s1, m1, l1), (w2, s2, m2, l2) = self._slots
        evader = (packed.item(w0) >> s0 & m0) + l0
        pursuer = (packed.item(w1) >> s1 & m1) + l1
        turn = (packed.item(w2) >> s2 & m2) + l2
        size = self._size
        if not (0 <= evader < size and 0 <= pursuer < size and 0 <= turn <= 1):
            return -1
        number = self._number.item(pursuer)
        if number < 0:
            return -1
        place: int = 2 * (evader * self._within + number) + turn
        if place == self.first:
            return 0
        return place or self.first

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the code of one packed position; see ``Table``."""
        (w0, s0, m0, l0), (w1, s1, m1, l1), (w2, s2, m2, l2) = self._slots
        words, size, allowed = packed.tolist, self._size, (self._number >= 0).tobytes()
        of_evader, of_pursuer = (marks.item for marks in self.marks)

        def ask() -> int:
            given = words()
            evader = (given[w0] >> s0 & m0) + l0
            pursuer = (given[w1] >> s1 & m1) + l1
            turn = (given[w2] >> s2 & m2) + l2
            if not (0 <= evader < size and 0 <= pursuer < size and allowed[pursuer]):
                return UNKNOWN
            if turn == 0:
                mark = of_evader(evader, pursuer)
            elif turn == 1:
                mark = of_pursuer(pursuer, evader)
            else:
                return UNKNOWN
            return LAST + 1 - mark if mark > 0 else -LAST - 1 - mark if mark else ENDLESS

        return ask

    def value(self, place: int) -> int:
        """Return the code at one place."""
        raw = self.first if place == 0 else place
        raw = 0 if place == self.first else raw
        evader, number = divmod(raw >> 1, self._within)
        pursuer = self.nodes.item(number)
        of_evader, of_pursuer = self.marks
        if raw & 1:
            return coded(of_pursuer.item(pursuer, evader))
        return coded(of_evader.item(evader, pursuer))

    def values(self, places: Places) -> npt.NDArray[Any]:
        """Return the codes at places."""
        evader, pursuer, turn = self._placed(places)
        of_evader, of_pursuer = self.marks
        return all_coded(
            np.where(turn == 0, of_evader[evader, pursuer], of_pursuer[pursuer, evader])
        )

    def halves(self) -> tuple[Half, Half]:
        """Return the values with the evader to move, and with the pursuer."""
        of_evader, of_pursuer = self.marks
        nodes, every = self.nodes, np.arange(self._size)
        nothing = np.empty(0, np.int32)
        return (
            Half(of_evader.reshape(-1), nothing, every * self._size, nodes),
            Half(of_pursuer.reshape(-1), nothing, every, nodes * self._size),
        )

    @property
    def on_disk(self) -> bool:
        """Whether values are read from disk when they are looked at."""
        return bool(self.files)

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take, those that are files left out."""
        held = 0 if self.on_disk else sum(marks.nbytes for marks in self.marks)
        return held + self.nodes.nbytes + self._number.nbytes

    @property
    def files(self) -> list[npt.NDArray[Any]]:
        """The arrays that are files, of which the system has in memory what is looked at."""
        return [
            marks.base for marks in self.marks if marks.base is not None and is_file(marks.base)
        ]

    def by_raw(self, raw: Places) -> Places:
        """Return the places of placements by their numbers in plain order."""
        return self._swapped(raw)

    def owners(self, places: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        return (self._swapped(places) & 1).astype(np.uint8)

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        rows = np.empty((len(places), 3), np.int64)
        for column, values in zip(self._columns, self._placed(places), strict=True):
            rows[:, column] = values
        return self._layout.pack_many(rows)[0].reshape(-1)

    def potential(self, places: Places) -> Places:
        """Return what only score games need."""
        return np.zeros(len(places), np.int64)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        total: dict[int, int] = {}
        for marks in (half.reshape(-1) for half in self.marks):
            # Placements that do not exist have no mark either.
            total[0] = total.get(0, 0) - self._size * (self._size - len(self.nodes))
            for begin in range(0, len(marks), _TALLIED):
                counts, middle = tally(marks[begin : begin + _TALLIED])
                let_go(*self.files)
                for found in np.flatnonzero(counts).tolist():
                    mark = found - middle
                    total[mark] = total.get(mark, 0) + int(counts[found])
        return {coded(mark): count for mark, count in total.items() if count}

    def _swapped(self, places: Places) -> Places:
        """Return places in plain order from places, or the other way."""
        if not self.first:
            return places
        swapped = np.where(places == 0, self.first, places)
        return np.where(places == self.first, 0, swapped)

    def _placed(self, places: Places) -> tuple[Places, Places, Places]:
        """Return the evader's node, the pursuer's, and whose turn it is."""
        raw = self._swapped(places)
        evader, number = np.divmod(raw >> 1, len(self.nodes))
        return evader, self.nodes[number], raw & 1
