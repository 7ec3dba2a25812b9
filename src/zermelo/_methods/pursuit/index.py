"""The positions of a pursuit, with places in closed form, and their values as arrays of marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import Column
from zermelo._engine.core.array_types import (
    BoolArray,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.scratch import is_file, memory_of, release_pages
from zermelo._engine.index.index import Index
from zermelo._methods.pursuit.certificate.matrix import TurnValues
from zermelo._methods.pursuit.codes import convert_code, convert_codes, tally
from zermelo.errors import RulesError
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zermelo._methods.pursuit.graphs import PursuitGraphs
    from zermelo.rules.hooks import Rules
    from zermelo.rules.layout import Layout
    from zermelo.values.kind import Kind

Places = Int64Array

#: Marks that are counted in one batch, so that a file of them need not fit in memory.
_MARKS_PER_BATCH = 1 << 18


class PursuitIndex(Index):
    """Every position of an evader and some pursuers, with any of them to move.

    Places ascend by the turn, then the evader's node, then the pursuers' nodes, the first pursuer's
    first: a product, which needs no array. The pursuers' nodes together are a team. Arrays of
    marks have entries for teams on all nodes, places exist only for nodes that pursuers may enter.

    Attributes:
        size: the number of nodes.
        nodes: the nodes that a pursuer may enter.
        teams: the index of each team in arrays of marks: its nodes as digits, the last one least.
        turns: the number of turns.
        pursuers: the number of pursuers.
        half: the number of positions per turn.
    """

    saved_as = "pursuit"

    def __init__(
        self, layout: Layout, columns: Sequence[int], forbidden: BoolArray, turns: int
    ) -> None:
        """Number the positions.

        Args:
            layout: the packed form of positions.
            columns: the indices of the evader's node, the pursuers' nodes, and the turn in a
                position.
            forbidden: the nodes that no pursuer may enter, by node.
            turns: the number of turns.
        """
        self.words = layout.words
        self.size, self.turns = len(forbidden), turns
        self.pursuers = len(columns) - 2
        self.nodes = np.flatnonzero(~forbidden)
        self.teams = np.zeros(1, np.int64)
        for _ in range(self.pursuers):
            self.teams = (self.teams[:, np.newaxis] * self.size + self.nodes).reshape(-1)
        self._layout, self._columns = layout, list(columns)
        slots = [layout.slots[column] for column in columns]
        self._slots = [(slot.word, slot.shift, (1 << slot.bits) - 1, slot.low) for slot in slots]
        self._number = np.full(self.size, -1, np.int64)
        self._number[self.nodes] = np.arange(len(self.nodes))
        self.half = self.size * len(self.teams)
        self.span = turns * self.half

    @classmethod
    def of_game(
        cls, rules: Rules, fields: tuple[str, str, str], board: PursuitGraphs
    ) -> PursuitIndex:
        """Number the positions of a game that is a pursuit.

        Args:
            rules: the game.
            fields: the names of the evader's field, the pursuer's and the turn.
            board: the pursuit.
        """
        names = [name for name, _ in rules.layout.fields]
        return cls(rules.layout, [names.index(name) for name in fields], board.forbidden, 2)

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(self.nodes, self.teams, self._number)

    def place(self, turn: Any, evader: Any, team: Any) -> Any:
        """Return the place of a turn, a node and a team; or of many, as arrays.

        Args:
            turn: the turn.
            evader: the evader's node.
            team: the node of each pursuer, the first one's first.
        """
        number = 0
        for node in team:
            number = number * len(self.nodes) + self._number[node]
        return turn * self.half + evader * len(self.teams) + number

    def places(self, packed: Uint64Array, count: int, out: Places) -> int:
        """Look up packed positions; see ``Index``."""
        if count == 1:
            out[0] = place = self.finder(packed)()
            return 1 if place >= 0 else 0
        fields = self._layout.unpack_many(packed[: count * self.words])
        evader, *team, turn = (fields[:, column] for column in self._columns)
        fits = (turn >= 0) & (turn < self.turns) & (evader >= 0) & (evader < self.size)
        for node in team:
            fits &= (node >= 0) & (node < self.size)
        team = [np.where(fits, node, 0) for node in team]
        for node in team:
            fits &= self._number[node] >= 0
        out[:count] = np.where(fits, self.place(turn, evader, team), -1)
        return int(np.count_nonzero(fits))

    def reader(self, packed: Uint64Array) -> Callable[[], tuple[int, tuple[int, ...], int] | None]:
        """Return a function that unpacks a position: evader's node, pursuers' nodes and turn.

        The function returns None for an invalid position.
        """
        (w0, s0, m0, l0), *pursuer_slots, (w2, s2, m2, l2) = self._slots
        words, size, allowed = packed.tolist, self.size, (self._number >= 0).tobytes()
        turns, (w1, s1, m1, l1) = self.turns, pursuer_slots[0]

        def read() -> tuple[int, tuple[int, ...], int] | None:
            packed_words = words()
            evader = (packed_words[w0] >> s0 & m0) + l0
            pursuer = (packed_words[w1] >> s1 & m1) + l1
            turn = (packed_words[w2] >> s2 & m2) + l2
            if 0 <= evader < size and 0 <= pursuer < size and allowed[pursuer] and 0 <= turn <= 1:
                return evader, (pursuer,), turn
            return None

        def read_team() -> tuple[int, tuple[int, ...], int] | None:
            packed_words = words()
            evader = (packed_words[w0] >> s0 & m0) + l0
            team = tuple([(packed_words[w] >> s & m) + low for w, s, m, low in pursuer_slots])
            turn = (packed_words[w2] >> s2 & m2) + l2
            if not (0 <= evader < size and 0 <= turn < turns):
                return None
            is_valid = all(0 <= node < size and allowed[node] for node in team)
            return (evader, team, turn) if is_valid else None

        return read if len(pursuer_slots) == 1 else read_team

    def finder(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        read, half, number = self.reader(packed), self.half, self._number
        team_count, base = len(self.teams), len(self.nodes)

        def find() -> int:
            position = read()
            if position is None:
                return -1
            evader, team, turn = position
            team_number = 0
            for node in team:
                team_number = team_number * base + number.item(node)
            return turn * half + evader * team_count + team_number

        return find

    def coordinates(self, places: Places) -> tuple[Places, Places, Places]:
        """Return the evader's nodes, the teams' indices, and the turns at places."""
        turn, pair = np.divmod(places, self.half)
        evader, number = np.divmod(pair, len(self.teams))
        return evader, self.teams[number], turn

    def positions(self, places: Places) -> Places:
        """Return the evader's nodes, the pursuers' nodes, and the turns at places, in columns."""
        evader, team, turn = self.coordinates(places)
        rows = np.empty((len(places), 2 + self.pursuers), np.int64)
        rows[:, 0], rows[:, -1] = evader, turn
        for column in range(self.pursuers, 1, -1):
            team, rows[:, column] = np.divmod(team, self.size)
        rows[:, 1] = team
        return rows

    def packed(self, places: Places) -> Uint64Array:
        """Return the packed positions at places."""
        rows = np.empty((len(places), len(self._columns)), np.int64)
        rows[:, self._columns] = self.positions(places)
        return self._layout.pack_many(rows)[0].reshape(-1)


class EveryStart:
    """The places of all positions as starts, converted to an array on demand.

    There may be too many to list them. They ascend by their nodes and then by the turn, except that
    the game's own start and the very first are swapped.

    Attributes:
        number: the number of the game's own start in files, in which the turn counts least.
    """

    def __init__(self, rules: Rules, index: PursuitIndex) -> None:
        """Find the start of a game whose positions are all starts.

        Raises:
            RulesError: the start is not one of its positions.
        """
        start = rules.game.start()
        place = index.finder(np.array(rules.packed(start, "start"), np.uint64))()
        if place < 0:
            subject = f"{start!r}, which pursuit() does not allow"
            message = f"{rules.name}.start() returned {subject}; correct one of them"
            raise RulesError(message)
        self.half = index.half
        turn, pair = divmod(place, self.half)
        self.number = 2 * pair + turn

    def __len__(self) -> int:
        """Return the number of starts."""
        return 2 * self.half

    def __getitem__(self, item: Any) -> Any:
        """Return the place of one start, or of a slice."""
        if isinstance(item, slice):
            return self._start_places(np.array(range(len(self))[item], np.int64))
        return int(self._start_places(np.array([range(len(self))[item]]))[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> IntArray:
        """Return the places of all starts."""
        small = len(self) < 1 << 31
        return self._start_places(
            np.arange(len(self), dtype=dtype or (np.int32 if small else np.int64))
        )

    def tolist(self) -> list[int]:
        """Return the places of all starts."""
        listed: list[int] = np.asarray(self).tolist()
        return listed

    def _start_places(self, numbers: IntArray) -> IntArray:
        """Return the places of the starts with some numbers."""
        swapped = np.where(numbers == self.number, 0, numbers)
        numbers = np.where(numbers == 0, self.number, swapped)
        return (numbers >> 1) + (numbers & 1) * self.half


class PursuitColumn(Column):
    """The values of a pursuit as marks, in memory or in scratch files.

    Attributes:
        marks: the marks of each turn: by evader and team in the evader's turn, by team and evader
            in the others.
    """

    turns = True

    def __init__(
        self, index: PursuitIndex, marks: Sequence[npt.NDArray[Any]], kind: Kind = WIN_DRAW_LOSS
    ) -> None:
        """Store the marks.

        Args:
            index: the positions.
            marks: the marks of each turn, by the mover's node or team first.
            kind: the kind of the values, which determines the value of mark 0.
        """
        self.kind = kind
        self.count = index.span
        self.marks = tuple(marks)
        self._index = index

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return 0 if self.on_disk else memory_of(*self.marks)

    @property
    def on_disk(self) -> bool:
        """Whether values are read from disk when they are needed."""
        return bool(self.files)

    @property
    def files(self) -> list[npt.NDArray[Any]]:
        """The arrays that are mapped files."""
        return [
            marks.base for marks in self.marks if marks.base is not None and is_file(marks.base)
        ]

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return int(self.values(np.array([number]))[0])

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        evader, team, turn = self._index.coordinates(numbers)
        position_marks = np.zeros(len(numbers), np.int32)
        for number, marks in enumerate(self.marks):
            selected = np.flatnonzero(turn == number)
            rows, columns = evader[selected], team[selected]
            position_marks[selected] = marks[columns, rows] if number else marks[rows, columns]
        return self.kind.at_turns(convert_codes(position_marks), turn > 0)

    def owners(self, numbers: Places) -> Uint8Array:
        """Return the side to move at numbers: 0 for the evader, 1 for the pursuers."""
        return (numbers >= self._index.half).astype(np.uint8)

    def prober(
        self,
        find: Callable[[], int],  # noqa: ARG002  # unpacks the position itself
        packed: Uint64Array,
    ) -> Callable[[], int]:
        """Return a function that probes one packed position; see ``Column``."""
        read, unknown, size = self._index.reader(packed), self.kind.unknown, self._index.size
        marks = [marks.item for marks in self.marks]
        endless = [self.kind.at_turn(0, owner) for owner in (0, 1)]

        def probe() -> int:
            position = read()
            if position is None:
                return unknown
            evader, nodes, turn = position
            team = 0
            for node in nodes:
                team = team * size + node
            mark = marks[turn](team, evader) if turn else marks[turn](evader, team)
            return convert_code(mark) if mark else endless[turn > 0]

        return probe

    def halves(self) -> list[TurnValues]:
        """Return the values of each turn, the evader's first."""
        size, teams = self._index.size, self._index.teams
        no_codes, evaders = np.empty(0, np.int32), np.arange(size)
        evader_marks, *pursuer_marks = self.marks
        return [
            TurnValues(evader_marks.reshape(-1), no_codes, evaders * evader_marks.shape[1], teams),
            *(
                TurnValues(marks.reshape(-1), no_codes, evaders, teams * size)
                for marks in pursuer_marks
            ),
        ]

    def tally(self) -> dict[int, int]:
        """Return the number of occurrences of each code."""
        total: dict[int, int] = {}
        for turn, marks in enumerate(turn.reshape(-1) for turn in self.marks):
            endless = self.kind.at_turn(0, int(turn > 0))
            # Invalid positions have mark 0 too.
            total[endless] = total.get(endless, 0) - len(marks) + self._index.half
            for begin in range(0, len(marks), _MARKS_PER_BATCH):
                counts, middle = tally(marks[begin : begin + _MARKS_PER_BATCH])
                release_pages(*self.files)
                for index in np.flatnonzero(counts).tolist():
                    code = convert_code(index - middle) or endless
                    total[code] = total.get(code, 0) + int(counts[index])
        return {code: count for code, count in total.items() if count}
