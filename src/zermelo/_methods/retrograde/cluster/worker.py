"""A worker's part in a game with cycles: exploring it, and deciding ranges of its positions.

A worker caches an owner's positions for the owner's next unit, as far as memory allows. When all
positions are found, it reads the moves of its ranges from files, transposed already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.sections import (
    COUNT,
    FILE,
    LEVEL,
    OWNER,
    SIZE,
    Rows,
    Sections,
    write_section,
)
from zermelo._cluster.shared_files import SharedFile, SharedFileWriter, damage_error
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.status import TINY, StatusArray, translate
from zermelo._engine.backward.status import begin as begin_status
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.column.codes import TIES, WIDE
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.expand.expander import (
    CAPACITY,
    Buffers,
    Expand,
    buffer_bytes,
    chunk_size,
    run_expand,
)
from zermelo._engine.index.hash_index import HashIndex, entries_for
from zermelo._engine.sort.position_lists import (
    DIGITS,
    SLACK,
    list_buffer,
    pack_list,
    sort_positions,
    unpack_list,
)
from zermelo._methods.cluster_rounds.ranges import (
    REMEDY,
    KnownRange,
    RangeUnits,
    RoundUnit,
    read_batches,
    read_decided,
)
from zermelo._methods.graph_methods import CODES
from zermelo._methods.retrograde.cluster.kernels import (
    by_owner,
    count_parents,
    mark_firsts,
    put_parents,
)
from zermelo._methods.retrograde.cluster.units import (
    ChildrenUnit,
    ExploreResult,
    NumberUnit,
    moves_file,
    spans_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._methods.pickled_game import PickledGame

#: The columns of a row that describes a section.
_ROW = 7


class GraphUnits(RangeUnits):
    """The job of a worker: units of a game with cycles."""

    def __init__(
        self, folder: str, paths: dict[str, str], game: PickledGame, allowed: int, threads: int
    ) -> None:
        """Compile the rules; see ``RangeUnits``."""
        super().__init__(folder, paths, allowed, threads)
        self._keys_file = paths["keys"]
        self._expand = expand = game.compiled()
        self._words = expand.words
        self._workspaces: list[_ListingWorkspace] = []
        self._known: dict[int, _Known] = {}

    def _write_unit(
        self, unit: ChildrenUnit | NumberUnit | RoundUnit, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], Any]]:
        """Write what a unit finds; see ``RangeUnits``."""
        if isinstance(unit, RoundUnit):
            return super()._write_unit(unit, part)
        try:
            if isinstance(unit, ChildrenUnit):
                rows, back = self._list_children(unit, part), False
            else:
                rows, back = self._number(unit, part)
        except BaseException:
            self._known.clear()  # the positions of an owner may be incomplete
            raise
        return 0, partial(ExploreResult, rows=np.array(rows, np.int64).reshape(-1, _ROW), back=back)

    # -- exploring ------------------------------------------------------------------------------

    def _list_children(self, unit: ChildrenUnit, part: SharedFileWriter) -> list[list[int]]:
        """Write the state of the positions of a range, and lists of their children."""
        count, words, threads = unit.end - unit.begin, self._words, self._threads
        if not self._workspaces:
            chunk = chunk_size(self._ledger.allowed // threads, buffer_bytes(self._expand))
            self._workspaces = [_ListingWorkspace(self._expand, chunk) for _ in range(threads)]
        keys = self._columns["keys"].read(unit.begin * words, np.empty(count * words, np.uint64))
        state = np.empty(count, np.int32)
        turns = np.empty(0 if self._expand.alternate else count, np.uint8)
        each = -(-count // threads)
        spans = [(at, min(at + each, count)) for at in range(0, count, each)]

        def expand(workspace: _ListingWorkspace, span: tuple[int, int]) -> Any:
            return workspace.lists(keys, *span, unit.bits, state, turns)

        rows = []
        for _, lists in map_ordered(self._pool, self._workspaces, expand, spans):
            for owner, distinct, data in lists:
                rows.append(write_section(part, data, unit.begin, owner, distinct))
        # At the end, as readers of lists need trailing zeros.
        rows.append(write_section(part, state, unit.begin, -1, count))
        rows.append(write_section(part, turns, unit.begin, -1, len(turns)))
        return rows

    def _number(self, unit: NumberUnit, part: SharedFileWriter) -> tuple[list[list[int]], bool]:
        """Write the positions that are new to an owner, and the moves to all in its lists.

        Returns:
            The sections, and whether a child was known before the layer was expanded.
        """
        known = self._known_of(unit)
        before, back, moves = known.count, False, []
        for n, row in enumerate(unit.lists.rows):
            data = self._section(unit.lists, n)
            sources_end, distinct = 4 + 2 * int(data[:4].view(np.uint32)[0]), int(row[COUNT])
            packed, listed = data[sources_end:], np.empty(distinct * self._words, np.uint64)
            if unpack_list(packed, distinct, self._words, listed) != len(packed) - SLACK:
                raise damage_error(self._scratch.folder / unit.lists.names[row[FILE]])
            self._fit(unit.owner, known.needed_bytes(distinct))
            numbers = known.add(listed, distinct)
            back = back or bool((numbers < unit.before).any())
            parts = np.array([distinct], np.uint32), numbers, data[4:sources_end]
            together = np.concatenate([each.view(np.uint8) for each in parts])
            count = (sources_end - 4) // 2
            moves.append(write_section(part, together, int(row[LEVEL]), unit.owner, count))
        new = known.keys[before * self._words : known.count * self._words]
        row = write_section(part, new, 0, unit.owner, known.count - before)
        return [row, *moves], back

    def _known_of(self, unit: NumberUnit) -> _Known:
        """Return the positions of an owner as they were before the unit."""
        count = int(unit.spans[:, 1].sum())
        known = self._known.get(unit.owner)
        if known is None or known.count != count:
            known = self._known[unit.owner] = _Known(self._words)
            self._fit(unit.owner, known.needed_bytes(count))
            keys, done = np.empty(count * self._words, np.uint64), 0
            for place, size in (unit.spans * self._words).tolist():
                self._columns["keys"].read(place, keys[done : done + size])
                done += size
            known.add(keys, count)
        return known

    def _fit(self, owner: int, needed: int) -> None:
        """Reserve the memory that an owner needs; evict other owners if there is too little."""
        known, fixed = self._known, sum(each.bytes for each in self._workspaces)
        while True:
            others = sum(each.bytes for n, each in known.items() if n != owner)
            if self._ledger.fits(fixed + needed + others) or not others:
                break
            del known[next(n for n in known if n != owner)]
        self._ledger.reserve(fixed + needed, "an owner's part of the game", "start more workers")

    # -- rounds ---------------------------------------------------------------------------------

    def _create_range(self, unit: RoundUnit, others: int) -> KnownRange:
        """Return the initial state of ranges; see ``RangeUnits``."""
        self._known.clear()
        self._workspaces.clear()
        positions, turns = unit.positions, 0 if self._expand.alternate else unit.positions
        ledger, work = self._ledger, f"a worker's part of a game of {positions:,} positions"
        moves = self._moves_of(unit)
        edges = sum(each.edges for each in moves)
        # Beside what rounds need: which positions are decided, and sections with their places.
        section = max((int(each.sections.rows[:, SIZE].max()) for each in moves), default=0)
        held = others + positions * bool(unit.rounds) + 2 * self._threads * section
        fixed = Spreading.needed_bytes(positions) + turns + positions
        fixed += np.dtype(place_type(edges)).itemsize * (positions + 2)
        ledger.reserve(held + fixed, work, REMEDY)
        decided = read_decided(self._columns, unit)
        # The estimated number of moves left, which are counted only if they seem to fit.
        expected = edges * (positions - int(np.count_nonzero(decided))) // positions
        ledger.reserve(held + fixed + 4 * expected, work, REMEDY)
        into = zeros(positions + 2, place_type(edges))

        def count(own: _OwnerMoves) -> None:
            for begin, places, sources in own.read(self._scratch.folder):
                count_parents(places, sources, begin, decided, into)

        list(self._pool.map(count, moves))
        np.cumsum(into, dtype=into.dtype, out=into)
        fixed += 4 * int(into[-1])
        ledger.reserve(held + fixed, work, REMEDY)
        parents: npt.NDArray[np.uint32] = zeros(int(into[-1]), np.uint32)

        def put(own: _OwnerMoves) -> None:
            for begin, places, sources in own.read(self._scratch.folder):
                put_parents(places, sources, begin, decided, into, parents)

        list(self._pool.map(put, moves))

        def check(more: int) -> None:
            ledger.reserve(others + fixed + more, work, REMEDY)

        ties = tie_preference(self._expand.kind.favours)
        status = StatusArray.within(zeros(positions, np.int8), TINY, check, ties)
        for begin, end in unit.spans:
            at = begin
            for numbers in read_batches(self._columns["status"], begin, end, np.int32):
                counts = numbers[(numbers < 0) & (numbers > -TIES)]
                while int(counts.min(initial=0)) <= -status.scale.ties:
                    status.widen()
                stop = at + len(numbers)
                translate(numbers, WIDE, status.state[at:stop], status.scale, finished=False)
                at = stop
        status.state[: len(decided)][decided] = 0  # like positions of other ranges
        players: npt.NDArray[np.uint8] = zeros(turns, np.uint8)
        spreading = Spreading(into[:-1], parents, players, self._threads)
        return KnownRange(status, spreading, fixed)

    def _moves_of(self, unit: RoundUnit) -> list[_OwnerMoves]:
        """Return the moves that lead from the ranges of a unit, for each owner of children."""
        count, layers, owners = unit.lengths
        rows = self._columns["moves"].read(0, np.empty(count * _ROW, np.int64)).reshape(-1, _ROW)
        sizes = self._columns["sizes"].read(0, np.empty(layers * owners, np.int64))
        names = tuple(
            moves_file(self._keys_file, n) for n in range(int(rows[:, FILE].max(initial=-1)) + 1)
        )
        begins, ends = np.array(unit.spans, np.int64).T
        which = np.searchsorted(begins, rows[:, LEVEL], side="right") - 1
        rows = rows[(which >= 0) & (rows[:, LEVEL] < ends[which])]
        self._scratch.read += 2 * int(rows[:, SIZE].sum())
        rows = rows[np.argsort(rows[:, OWNER], kind="stable")]
        cuts = np.flatnonzero(np.diff(rows[:, OWNER])) + 1
        return [
            _OwnerMoves(
                Sections(names, each),
                spans_of(sizes.reshape(layers, owners), int(each[0, OWNER])),
            )
            for each in np.split(rows, cuts)
            if len(each)
        ]

    def _section(self, sections: Sections, n: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of a section, followed by zeros."""
        self._scratch.read += int(sections.rows[n, SIZE])
        return sections.read(self._scratch.folder, n)


@dataclass(frozen=True)
class _OwnerMoves:
    """Moves that lead to an owner's positions.

    Attributes:
        sections: the sections of files with these moves.
        spans: where the owner's positions are; see ``spans_of``.
    """

    sections: Sections
    spans: Rows

    @property
    def edges(self) -> int:
        """The number of moves."""
        return int(self.sections.rows[:, COUNT].sum())

    def read(
        self, folder: Path
    ) -> Iterator[tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.uint16]]]:
        """Read the moves, section by section.

        Yields the place of the first position of the range from which the moves of a section lead,
        the places of children, and the sources that lead to them.
        """
        begins, counts = self.spans.T
        firsts = np.cumsum(counts) - counts  # the owner's first number in each layer
        for n, row in enumerate(self.sections.rows):
            data = self.sections.read(folder, n)[:-SLACK]
            sources_begin = 4 + 4 * int(data[:4].view(np.uint32)[0])
            numbers = data[4:sources_begin].view(np.uint32)
            layers = np.searchsorted(firsts, numbers, side="right") - 1
            places = (numbers + (begins - firsts)[layers]).astype(np.uint32)
            yield int(row[LEVEL]), places, data[sources_begin:].view(np.uint16)


class _ListingWorkspace:
    """The buffers in which one thread expands positions and lists their children.

    Attributes:
        bytes: bytes of its arrays.
    """

    def __init__(self, expand: Expand, chunk: int) -> None:
        self._expand, self._words = expand, expand.words
        self._chunk = limits.current().batch(chunk)
        self._buffers = Buffers.for_rules(expand, self._chunk, self._chunk * CAPACITY)
        self._begins = np.empty(DIGITS, np.int64)
        self._reserve(self._chunk * CAPACITY)

    def _reserve(self, count: int) -> None:
        words = self._words
        self._keys, self._other = zeros(count * words, np.uint64), zeros(count * words, np.uint64)
        self._sources, self._other_sources = zeros(count, np.uint16), zeros(count, np.uint16)
        self._size = count
        self.bytes = count * (16 * words + 4) + buffer_bytes(self._expand) * self._chunk

    def lists(
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        bits: int,
        state: npt.NDArray[np.int32],
        turns: npt.NDArray[np.uint8],
    ) -> list[tuple[int, int, npt.NDArray[np.uint8]]]:
        """Expand positions; see ``GraphUnits``.

        Returns:
            Lists: the owner, the number of children, and the bytes.
        """
        found: list[tuple[int, int, npt.NDArray[np.uint8]]] = []
        held = 0
        words, buffers = self._words, self._buffers
        while begin < end:
            stop = min(begin + self._chunk, end)
            done, made = run_expand(self._expand, keys, begin, stop, buffers)
            if held + made > self._size:
                found += self._packed(held, bits)
                held = 0
                if made > self._size:
                    self._reserve(made)
            first = np.concatenate([np.zeros(1, np.int64), buffers.ends[:done]])
            begin_status(first, buffers.values[:done], CODES, state[begin : begin + done], WIDE)
            if len(turns):
                turns[begin : begin + done] = buffers.owners[:done]
            self._keys[held * words : (held + made) * words] = buffers.children[: made * words]
            origins = np.arange(begin, begin + done, dtype=np.uint16)
            self._sources[held : held + made] = np.repeat(origins, np.diff(first))
            held += made
            begin += done
        return found + self._packed(held, bits)

    def _packed(self, count: int, bits: int) -> list[tuple[int, int, npt.NDArray[np.uint8]]]:
        """Return the lists of the buffered children, for each owner that has any."""
        words, ends = self._words, np.empty(1 << bits, np.int64)
        keys, sources = self._other, self._other_sources
        by_owner(self._keys, self._sources, count, words, bits, ends, keys, sources)
        found = []
        out = list_buffer(int(np.diff(ends, prepend=0).max(initial=0)), words)
        for owner, (low, high) in enumerate(zip([0, *ends.tolist()], ends.tolist(), strict=False)):
            if low == high:
                continue
            count = high - low
            children, child_sources = sort_positions(
                keys[low * words : high * words],
                sources[low:high],
                count,
                words,
                self._keys[: count * words],
                self._sources[:count],
                self._begins,
            )
            mark_firsts(children, words, child_sources)
            distinct, size = pack_list(children, count, words, out)
            head = np.array([count], np.uint32)
            parts = head.view(np.uint8), child_sources.view(np.uint8), out[:size]
            found.append((owner, int(distinct), np.concatenate(parts)))
        return found


class _Known:
    """An owner's positions, by number.

    Attributes:
        count: the number of positions.
        keys: the positions, with spare capacity.
    """

    def __init__(self, words: int) -> None:
        self.count = 0
        self.keys: npt.NDArray[np.uint64] = np.empty(0, np.uint64)
        self._words = words
        self._index = HashIndex(words)

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes."""
        return self.keys.nbytes + 8 * self._index.entries

    def needed_bytes(self, more: int) -> int:
        """Return the bytes that it takes with ``more`` positions, and while it grows."""
        count = self.count + more
        size = 8 * max(self._index.entries, entries_for(count))
        room = len(self.keys) // self._words
        grown = 0 if room >= count else 8 * self._words * (count + count // 4)
        return self.keys.nbytes + grown + size

    def add(self, keys: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint32]:
        """Number positions, and return their numbers."""
        words, most = self._words, self.count + count
        if len(self.keys) < most * words:
            larger = zeros((most + most // 4) * words, np.uint64)
            larger[: self.count * words] = self.keys[: self.count * words]
            self.keys = larger
        if self._index.is_full(most):
            self._index.grow(entries_for(most), self.keys, self.count, direct=False)
        numbers = np.empty(count, np.uint32)
        self.count = self._index.insert(keys, count, self.keys, self.count, numbers, 0)
        return numbers
