"""The positions of a pursuit, which have computed places, and their values in arrays of marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import Column
from zermelo._engine.core.scratch import is_file, let_go, memory_of
from zermelo._engine.index.index import Index
from zermelo._methods.pursuit.certificate.matrix import Half
from zermelo._methods.pursuit.marks import all_coded, coded, tally
from zermelo.errors import RulesError
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._methods.pursuit.board import PursuitBoard
    from zermelo.rules.hooks import Rules

Places = npt.NDArray[np.int64]

#: Marks that are counted at a time, so that a file of them need not be in memory.
_TALLIED = 1 << 18


class Everywhere:
    """The places of all positions as the starts they are, as an array where one is asked for.

    They ascend by their nodes and then by the turn, but that the game's own start and the very
    first change places.
    """

    def __init__(self, half: int, first: int) -> None:
        """Note where the second turn begins, and the place that comes first.

        There may be too many places to list them.
        """
        self.half = half
        turn, pair = divmod(first, half)
        self._first = 2 * pair + turn

    def __len__(self) -> int:
        """Return how many there are."""
        return 2 * self.half

    def __getitem__(self, item: Any) -> Any:
        """Return one of them, or some."""
        if isinstance(item, slice):
            return self._at(np.array(range(len(self))[item], np.int64))
        return int(self._at(np.array([range(len(self))[item]]))[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001  # NumPy's signature
        """Return all of them."""
        small = len(self) < 1 << 31
        return self._at(np.arange(len(self), dtype=dtype or (np.int32 if small else np.int64)))

    def tolist(self) -> list[int]:
        """Return all of them."""
        listed: list[int] = np.asarray(self).tolist()
        return listed

    def _at(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return those that come at some numbers."""
        swapped = np.where(numbers == self._first, 0, numbers)
        numbers = np.where(numbers == 0, self._first, swapped)
        return (numbers >> 1) + (numbers & 1) * self.half


class PursuitIndex(Index):
    """Every position of an evader and a pursuer with either to move.

    Places ascend by the turn, then the evader's node, then the pursuer's.

    Attributes:
        board: the pursuit.
        nodes: where a pursuer may be.
        starts_at: all places, as all positions are starts, the game's own first.
    """

    saved_as = "pursuit"

    def __init__(self, rules: Rules, fields: tuple[str, str, str], board: PursuitBoard) -> None:
        """Number the positions.

        Args:
            rules: the game, for its layout and its start.
            fields: the names of the evader's field, the pursuer's and the turn.
            board: the pursuit.

        Raises:
            RulesError: the start is no position of it.
        """
        self.words = rules.layout.words
        self.board = board
        self.nodes = np.flatnonzero(~board.forbidden)
        self._layout = rules.layout
        names = [name for name, _ in rules.layout.fields]
        self._columns = [names.index(name) for name in fields]
        slots = [rules.layout.slots[column] for column in self._columns]
        self._slots = [(slot.word, slot.shift, (1 << slot.bits) - 1, slot.low) for slot in slots]
        self._number = np.full(board.size, -1, np.int64)
        self._number[self.nodes] = np.arange(len(self.nodes))
        self.half = board.size * len(self.nodes)
        self.span = 2 * self.half
        start = rules.game.start()
        place = self.finder(np.array(rules.packed(start, "start"), np.uint64))()
        if place < 0:
            what = f"{start!r}, which pursuit() does not allow"
            message = f"{rules.name}.start() returned {what}; correct one of them"
            raise RulesError(message)
        self.starts_at: Any = Everywhere(self.half, place)

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return memory_of(self.nodes, self._number)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Index``."""
        if count == 1:
            out[0] = place = self.finder(packed)()
            return 1 if place >= 0 else 0
        fields = self._layout.unpack_many(packed[: count * self.words])
        evader, pursuer, turn = (fields[:, column] for column in self._columns)
        size = self.board.size
        fits = (evader >= 0) & (evader < size) & (pursuer >= 0) & (pursuer < size)
        number = self._number[np.where(fits, pursuer, 0)]
        fits &= (number >= 0) & (turn >= 0) & (turn <= 1)
        places = turn * self.half + evader * len(self.nodes) + number
        out[:count] = np.where(fits, places, -1)
        return int(np.count_nonzero(fits))

    def reader(self, packed: npt.NDArray[np.uint64]) -> Callable[[], tuple[int, int, int] | None]:
        """Return what reads one packed position: the evader's node, the pursuer's and the turn.

        It returns None where there is no such position.
        """
        (w0, s0, m0, l0), (w1, s1, m1, l1), (w2, s2, m2, l2) = self._slots
        words, size, allowed = packed.tolist, self.board.size, (self._number >= 0).tobytes()

        def read() -> tuple[int, int, int] | None:
            given = words()
            evader = (given[w0] >> s0 & m0) + l0
            pursuer = (given[w1] >> s1 & m1) + l1
            turn = (given[w2] >> s2 & m2) + l2
            if 0 <= evader < size and 0 <= pursuer < size and allowed[pursuer] and 0 <= turn <= 1:
                return evader, pursuer, turn
            return None

        return read

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the place of one packed position; see ``Index``."""
        read, half, within, number = self.reader(packed), self.half, len(self.nodes), self._number

        def find() -> int:
            found = read()
            if found is None:
                return -1
            evader, pursuer, turn = found
            return turn * half + evader * within + number.item(pursuer)

        return find

    def placed(self, places: Places) -> tuple[Places, Places, Places]:
        """Return the evader's node, the pursuer's, and whose turn it is."""
        turn, pair = np.divmod(places, self.half)
        evader, number = np.divmod(pair, len(self.nodes))
        return evader, self.nodes[number], turn

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        rows = np.empty((len(places), 3), np.int64)
        for column, values in zip(self._columns, self.placed(places), strict=True):
            rows[:, column] = values
        return self._layout.pack_many(rows)[0].reshape(-1)


class PursuitColumn(Column):
    """The values of a pursuit in memory, or in scratch files, as marks.

    Attributes:
        marks: those by evader and pursuer with the evader to move, and by pursuer and evader with
            the pursuer to move.
    """

    kind = WIN_DRAW_LOSS
    turns = True

    def __init__(
        self, index: PursuitIndex, evader: npt.NDArray[Any], pursuer: npt.NDArray[Any]
    ) -> None:
        """Keep the marks; see the attributes."""
        self.count = index.span
        self.marks = (evader, pursuer)
        self._index = index

    @property
    def bytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return 0 if self.on_disk else memory_of(*self.marks)

    @property
    def on_disk(self) -> bool:
        """Whether values are read from disk when they are looked at."""
        return bool(self.files)

    @property
    def files(self) -> list[npt.NDArray[Any]]:
        """The arrays that are files, of which the system has in memory what is looked at."""
        return [
            marks.base for marks in self.marks if marks.base is not None and is_file(marks.base)
        ]

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return int(self.values(np.array([number]))[0])

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        evader, pursuer, turn = self._index.placed(numbers)
        of_evader, of_pursuer = self.marks
        marks = np.where(turn == 0, of_evader[evader, pursuer], of_pursuer[pursuer, evader])
        return all_coded(marks)

    def owners(self, numbers: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers."""
        return (numbers >= self._index.half).astype(np.uint8)

    def prober(
        self,
        find: Callable[[], int],  # noqa: ARG002  # reads itself
        packed: npt.NDArray[np.uint64],
    ) -> Callable[[], int]:
        """Return what tells the value of one packed position; see ``Column``."""
        read, unknown = self._index.reader(packed), self.kind.unknown
        of_evader, of_pursuer = (marks.item for marks in self.marks)

        def ask() -> int:
            found = read()
            if found is None:
                return unknown
            evader, pursuer, turn = found
            mark = of_pursuer(pursuer, evader) if turn else of_evader(evader, pursuer)
            return coded(mark)

        return ask

    def halves(self) -> tuple[Half, Half]:
        """Return the values with the evader to move, and with the pursuer."""
        of_evader, of_pursuer = self.marks
        size, nodes = self._index.board.size, self._index.nodes
        nothing, every = np.empty(0, np.int32), np.arange(size)
        return (
            Half(of_evader.reshape(-1), nothing, every * size, nodes),
            Half(of_pursuer.reshape(-1), nothing, every, nodes * size),
        )

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        total: dict[int, int] = {}
        size = self._index.board.size
        for marks in (half.reshape(-1) for half in self.marks):
            # Placements that do not exist have no mark either.
            total[0] = total.get(0, 0) - size * (size - len(self._index.nodes))
            for begin in range(0, len(marks), _TALLIED):
                counts, middle = tally(marks[begin : begin + _TALLIED])
                let_go(*self.files)
                for found in np.flatnonzero(counts).tolist():
                    mark = found - middle
                    total[mark] = total.get(mark, 0) + int(counts[found])
        return {coded(mark): count for mark, count in total.items() if count}
