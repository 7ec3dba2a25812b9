"""A worker's part in a game with cycles: expanding ranges, and managing owners.

A worker caches an owner's state for the owner's next unit, as far as memory allows. All of the
state can be rebuilt from the files that the unit names.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.sections import COUNT, SIZE, Rows, Sections
from zermelo._cluster.shared_files import SharedColumn, SharedFileWriter, damage_error
from zermelo._engine.backward.propagate import from_list
from zermelo._engine.backward.status import StatusArray
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.column.codes import LAST, TIES
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
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
from zermelo._engine.sort.position_lists import SLACK, list_buffer, pack_list, unpack_list
from zermelo._engine.sort.sorted_keys import ascending
from zermelo._methods.retrograde.cluster.kernels import (
    DIGITS,
    by_owner,
    count_messages,
    count_parents,
    gather_parents,
    mark_firsts,
    put_messages,
    put_parents,
    sort_children,
)
from zermelo._methods.retrograde.cluster.units import (
    FIRST_NUMBER,
    ID_BITS,
    ChildrenUnit,
    NumberUnit,
    OwnerInputs,
    OwnerMessages,
    RoundUnit,
    StepResult,
    ValuesUnit,
    ids_of,
    spans_of,
)
from zermelo._methods.retrograde.driver import CODES

if TYPE_CHECKING:
    from zermelo._methods.pickled_game import PickledGame

#: All bits of a word.
_WORD = (1 << 64) - 1
_MEMORY = "an owner's part of the game"
_Held = TypeVar("_Held", "_Known", "_OwnerState")


class GraphUnits:
    """The job of a worker: units of a game with cycles."""

    def __init__(
        self, folder: str, paths: dict[str, str], game: PickledGame, allowed: int, threads: int
    ) -> None:
        """Compile the rules.

        Args:
            folder: the shared folder.
            paths: the file of each column in the folder.
            game: the game.
            allowed: bytes of memory.
            threads: threads to use.
        """
        self._folder = Path(folder)
        self._scratch = Scratch(self._folder)
        self._columns = {
            name: SharedColumn(self._scratch, self._folder / path) for name, path in paths.items()
        }
        self._expand = expand = game.compiled()
        self._words = expand.words
        self._ledger = Ledger(allowed)
        chunk = chunk_size(allowed // threads, buffer_bytes(expand))
        self._workspaces = [_ListingWorkspace(expand, chunk) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")
        self._known: dict[int, _Known] = {}
        self._states: dict[int, _OwnerState] = {}

    def do_unit(self, unit: Any, name: str) -> StepResult:
        """Do a unit; see ``worker.Job``."""
        does: Any = {
            ChildrenUnit: self._children,
            NumberUnit: self._merge,
            RoundUnit: self._decide_round,
            ValuesUnit: self._values,
        }[type(unit)]
        self._read = self._scratch.read
        try:
            with SharedFileWriter(self._folder, name) as part:
                found: StepResult = does(unit, part)
                return found
        except _MissingError:
            return StepResult(missing=True)
        except BaseException:
            # An owner's state may be incomplete.
            self._known.clear()
            self._states.clear()
            raise

    # -- exploring ------------------------------------------------------------------------------

    def _children(self, unit: ChildrenUnit, part: SharedFileWriter) -> StepResult:
        """Write the state of the positions of a range, and lists of their children."""
        count, words = unit.end - unit.begin, self._words
        keys = self._columns["keys"].read(unit.begin * words, np.empty(count * words, np.uint64))
        state = np.empty(count, np.int32)
        turns = np.empty(0 if self._expand.alternate else count, np.uint8)
        each = -(-count // len(self._workspaces))
        spans = [(at, min(at + each, count)) for at in range(0, count, each)]

        def expand(workspace: _ListingWorkspace, span: tuple[int, int]) -> Any:
            return workspace.lists(keys, *span, unit.bits, state, turns)

        rows, ended = [], np.zeros(2, np.int64)
        for _, (lists, begun) in map_ordered(self._pool, self._workspaces, expand, spans):
            ended += begun
            for owner, distinct, data in lists:
                rows.append(self._write_section(part, data, owner, distinct))
        # At the end, as readers of lists need trailing zeros.
        rows.append(self._write_section(part, state, -1, count))
        rows.append(self._write_section(part, turns, -1, len(turns)))
        return self._unit_result(part, rows, begun=tuple(ended.tolist()))

    def _merge(self, unit: NumberUnit, part: SharedFileWriter) -> StepResult:
        """Write the positions that are new to an owner, and the numbers of all in its lists."""
        known = self._known_of(unit)
        before, back = known.count, False
        numbers = [np.empty(0, np.uint32)]
        for n in range(len(unit.lists.rows)):
            packed, distinct, _ = self._list(unit.lists, n)
            listed = np.empty(distinct * self._words, np.uint64)
            if unpack_list(packed, distinct, self._words, listed) != len(packed) - SLACK:
                raise damage_error(self._folder / unit.lists.names[0])
            self._fit(self._known, unit.owner, known.needed_bytes(distinct))
            found = known.add(listed, distinct)
            back = back or bool((found < unit.before + FIRST_NUMBER).any())
            numbers.append(found)
        new = known.keys[before * self._words : known.count * self._words]
        every = np.concatenate(numbers)
        rows = [
            self._write_section(part, new, unit.owner, known.count - before),
            self._write_section(part, every, unit.owner, len(every)),
        ]
        return self._unit_result(part, rows, back=back)

    def _known_of(self, unit: NumberUnit) -> _Known:
        """Return the positions of an owner as they were before the unit."""
        count = int(unit.spans[:, 1].sum())
        known = self._known.get(unit.owner)
        if known is None or known.count != count:
            known = self._known[unit.owner] = _Known(self._words)
            self._fit(self._known, unit.owner, known.needed_bytes(count))
            keys = np.empty(count * self._words, np.uint64)
            self._spans("keys", unit.spans, keys, self._words)
            known.add(keys, count)
        return known

    # -- rounds ---------------------------------------------------------------------------------

    def _decide_round(self, unit: RoundUnit, part: SharedFileWriter) -> StepResult:
        """Decide what follows from messages, and write the messages that follow from this."""
        state = self._state_of(unit)
        if unit.told is None:
            numbers = state.numbers
            ended = np.flatnonzero(np.abs(numbers[FIRST_NUMBER:]) == unit.code) + FIRST_NUMBER
            found = ended.astype(np.uint32)
        else:
            found = self._decide_by_messages(state, unit.told)
        owners, shift = 1 << unit.bits, ID_BITS - unit.bits
        into = state.into
        size = int((into[found + np.uint32(1)] - into[found]).sum(dtype=np.int64))
        gathered = np.empty(size, np.uint32)
        arrays = found, state.numbers, state.turns, into, state.parents
        given = gathered, gather_parents(*arrays, gathered), shift
        counts = np.zeros(2 * owners, np.int64)
        count_messages(*given, counts)
        each = counts.reshape(-1, 2)
        # The messages to an owner begin with the number of messages of the first kind.
        ends = np.cumsum(each.sum(axis=1) + 1)
        places = np.empty((owners, 2), np.int64)
        places[:, 0] = ends - each.sum(axis=1)
        places[:, 1] = places[:, 0] + each[:, 0]
        out = np.empty(int(ends[-1]), np.uint32)
        out[places[:, 0] - 1] = each[:, 0]
        put_messages(*given, places.reshape(-1), out)
        rows = [
            self._write_section(part, out[end - size - 1 : end], owner, size)
            for owner, (end, size) in enumerate(
                zip(ends.tolist(), each.sum(axis=1).tolist(), strict=True)
            )
            if size
        ]
        return self._unit_result(part, rows, decided=len(found))

    def _decide_by_messages(
        self, state: _OwnerState, told: OwnerMessages
    ) -> npt.NDArray[np.uint32]:
        """Decide the positions that follow from messages; return them."""
        total = int(told.messages.rows[:, COUNT].sum())
        found, count = np.empty(total + 2, np.uint32), 0
        frontier = np.array([0, 1], np.uint32)
        for n in range(len(told.messages.rows)):
            data = self._section(told.messages, n)[:-SLACK].view(np.uint32)
            into = np.array([0, data[0], len(data) - 1], np.uint32)
            arrays = into, data[1:], state.turns, state.numbers, frontier
            count = from_list(*arrays, 0, 2, TIES, told.win, told.tie, False, found, count)  # noqa: FBT003  # a kernel takes no keywords
        state.step += 1
        return found[:count]

    def _values(self, unit: ValuesUnit, part: SharedFileWriter) -> StepResult:
        """Write the values of an owner's positions, in order."""
        state = self._state_of(unit)
        values = state.numbers[FIRST_NUMBER:].copy()
        values[(values < 0) & (values > -TIES)] = 0
        apply_endless_wins(values, state.turns[FIRST_NUMBER:], unit.favours)
        return self._unit_result(part, [self._write_section(part, values, unit.owner, len(values))])

    def _state_of(self, unit: RoundUnit | ValuesUnit) -> _OwnerState:
        """Return the state of an owner as it was before the unit."""
        self._known.clear()
        state = self._states.get(unit.owner)
        if state is None or state.step != unit.step:
            if unit.basis is None:
                raise _MissingError
            state = self._states[unit.owner] = self._initial_state(unit.owner, unit.basis)
            for told in unit.basis.told:
                self._decide_by_messages(state, told)
        return state

    def _initial_state(self, owner: int, basis: OwnerInputs) -> _OwnerState:
        """Return the state of an owner before the first round."""
        spans = spans_of(basis.sizes, owner)
        count = int(spans[:, 1].sum())
        lists = list(self._moves(basis))
        self._states.pop(owner, None)
        moves = sum(len(sources) for _, sources, _ in lists)
        self._fit(self._states, owner, 9 * count + 16 * moves)
        into = zeros(count + FIRST_NUMBER + 2, np.uint32)
        for numbers, sources, _ in lists:
            count_parents(numbers, sources, into)
        into = np.cumsum(into, dtype=np.uint32)
        parents = zeros(moves, np.uint32)
        for numbers, sources, ids in lists:
            put_parents(numbers, sources, ids, into, parents)
        state = zeros(count + FIRST_NUMBER, np.int32)
        state[:FIRST_NUMBER] = LAST, -LAST
        self._spans("numbers", spans, state[FIRST_NUMBER:])
        turns = zeros(0 if self._expand.alternate else count + FIRST_NUMBER, np.uint8)
        if len(turns):
            self._spans("turns", spans, turns[FIRST_NUMBER:])
        return _OwnerState(state, turns, into[:-1], parents)

    def _moves(self, basis: OwnerInputs) -> Iterator[tuple[Any, Any, Any]]:
        """Yield each list's numbers of children, sources, and ids of these sources."""
        at = 0
        for k, several in enumerate(basis.each):
            section = self._section(basis.numbers, k)
            numbers, done = section[: len(section) - SLACK].view(np.uint32), 0
            for n in range(at, at + several):
                _, distinct, sources = self._list(basis.lists, n)
                ids = ids_of(basis.sizes, *basis.ranges[n].tolist())
                yield numbers[done : done + distinct], sources, ids
                done += distinct
            at += several

    # -- memory ---------------------------------------------------------------------------------

    def _fit(self, held: dict[int, _Held], owner: int, needed: int) -> None:
        """Reserve the memory that an owner needs; evict other owners if there is too little."""
        fixed = sum(each.bytes for each in self._workspaces)
        while True:
            others = sum(each.bytes for n, each in held.items() if n != owner)
            if self._ledger.fits(fixed + needed + others) or not others:
                break
            del held[next(n for n in held if n != owner)]
        self._ledger.reserve(fixed + needed, _MEMORY, "start more workers")

    # -- files ----------------------------------------------------------------------------------

    def _spans(self, name: str, spans: Rows, out: npt.NDArray[Any], words: int = 1) -> None:
        """Read an owner's part of a column."""
        done = 0
        for at, size in spans.tolist():
            self._columns[name].read(at * words, out[done * words : (done + size) * words])
            done += size

    def _list(self, lists: Sections, n: int) -> tuple[Any, int, npt.NDArray[np.uint16]]:
        """Return the packed children of a list, their count, and their sources."""
        data = self._section(lists, n)
        behind = 4 + 2 * int(data[:4].view(np.uint32)[0])
        return data[behind:], int(lists.rows[n, COUNT]), data[4:behind].view(np.uint16)

    def _section(self, sections: Sections, n: int) -> npt.NDArray[np.uint8]:
        self._scratch.read += int(sections.rows[n, SIZE])
        return sections.read(self._folder, n)

    def _write_section(
        self, part: SharedFileWriter, array: npt.NDArray[Any], owner: int, count: int
    ) -> list[int]:
        """Write a section; return its row."""
        data = np.ascontiguousarray(array).view(np.uint8)
        row = [0, owner, 0, part.size, len(data), count, zlib.crc32(data.data)]
        part.write(data)
        return row

    def _unit_result(
        self, part: SharedFileWriter, rows: list[list[int]], **also: Any
    ) -> StepResult:
        """Return the result of a unit whose file is complete."""
        read = self._scratch.read - self._read
        array = np.array(rows, np.int64).reshape(-1, 7)
        return StepResult(part.finish(0, read, lasting=False), array, **also)


class _MissingError(Exception):
    """The worker lacks the owner's state that a unit continues from."""


class _ListingWorkspace:
    """The buffers in which one thread expands positions and lists their children.

    Attributes:
        bytes: bytes of its arrays.
    """

    def __init__(self, expand: Expand, chunk: int) -> None:
        self._expand, self._words = expand, expand.words
        self._used = np.uint64(expand.used & _WORD)
        self._chunk = limits.current().batch(chunk)
        self._buffers = Buffers.for_rules(expand, self._chunk, self._chunk * CAPACITY)
        self._begins = np.empty(DIGITS, np.int64)
        self._room(self._chunk * CAPACITY)

    def _room(self, count: int) -> None:
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
    ) -> tuple[list[tuple[int, int, npt.NDArray[np.uint8]]], tuple[int, int]]:
        """Expand positions; see ``GraphUnits``.

        Returns:
            Lists: the owner, the number of children, and the bytes. And the number of terminal
                positions that are wins or losses, and ties.
        """
        found: list[tuple[int, int, npt.NDArray[np.uint8]]] = []
        decided = tied = held = 0
        words, buffers = self._words, self._buffers
        while begin < end:
            stop = min(begin + self._chunk, end)
            done, made = run_expand(self._expand, keys, begin, stop, buffers)
            if held + made > self._size:
                found += self._packed(held, bits)
                held = 0
                if made > self._size:
                    self._room(made)
            first = np.concatenate([np.zeros(1, np.int64), buffers.ends[:done]])
            here = state[begin : begin + done]
            numbers = StatusArray(first, buffers.values[:done], CODES, _array(here), narrow=False)
            decided += numbers.decided
            tied += numbers.tied
            if len(turns):
                turns[begin : begin + done] = buffers.owners[:done]
            self._keys[held * words : (held + made) * words] = buffers.children[: made * words]
            origins = np.arange(begin, begin + done, dtype=np.uint16)
            self._sources[held : held + made] = np.repeat(origins, np.diff(first))
            held += made
            begin += done
        return found + self._packed(held, bits), (decided, tied)

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
            here, there = keys[low * words : high * words], sources[low:high]
            if words == 1:
                other = self._keys[: high - low], self._sources[: high - low]
                here, there = sort_children(here, there, self._used, *other, self._begins)
            else:
                order = ascending(here, words)
                here = here.reshape(-1, words)[order].reshape(-1)
                there = there[order]
            mark_firsts(here, words, there)
            distinct, size = pack_list(here, high - low, words, out)
            head = np.array([high - low], np.uint32)
            parts = head.view(np.uint8), there.view(np.uint8), out[:size]
            found.append((owner, int(distinct), np.concatenate(parts)))
        return found


def _array(array: npt.NDArray[Any]) -> Callable[[], npt.NDArray[Any]]:
    return lambda: array


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
        return numbers + np.uint32(FIRST_NUMBER)


@dataclass
class _OwnerState:
    """The state of an owner's positions while they are decided.

    Attributes:
        numbers: the status array; see ``StatusArray``. The first two stand for decided positions of
            others.
        turns: the player to move in each, or empty.
        into: the index of the first parent of each.
        parents: the owners and numbers of the parents.
        step: the number of messages received.
    """

    numbers: npt.NDArray[np.int32]
    turns: npt.NDArray[np.uint8]
    into: npt.NDArray[np.uint32]
    parents: npt.NDArray[np.uint32]
    step: int = 0

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes."""
        return sum(a.nbytes for a in (self.numbers, self.turns, self.into, self.parents))
