"""Writing tables that hold their positions: sorted, within the memory there is.

Positions are sorted as *tags* (``zermelo._engine.sort.tags``), with the places of their values
behind them. Where not all tags fit into memory, all positions are scanned several times, each time
for one *stretch* of them, from one tag to another; what is written is the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import readable
from zermelo._engine.core.memory import zeros
from zermelo._engine.file.pages import Places
from zermelo._engine.file.writer import Blocks, Writer
from zermelo._engine.index.sorted_blocks import WORD, encode
from zermelo._engine.sort.ordered import ascending, at_or_before
from zermelo._engine.sort.tags import mark_between, numbers_of, tags_between, untag
from zermelo._store.columns.described import begun, described
from zermelo._store.columns.palettes import narrowest
from zermelo._store.indexes import direct_listing
from zermelo._store.indexes.folded import folds_of, folds_told, masks_told
from zermelo._store.indexes.given import CHUNK, CHUNK_BYTES, GivenTable
from zermelo._store.indexes.listed import BLOCK, blocks_of, differences, pressed
from zermelo._store.indexes.stretches import stretches
from zermelo.errors import BudgetError
from zermelo.values.win_draw_loss import WinDrawLoss

if TYPE_CHECKING:
    from zermelo._engine.table import HashedTable, Table

#: What tells a number of each packed position that every move raises.
Levels: TypeAlias = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.int64]]
#: Some positions in ascending order, the places of their values, and their places in the table.
_Rows: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Places]
#: Of some positions the first of each block, blocks of all of them, the places of their values,
#: and their ranks, where there are ranks.
_Made: TypeAlias = tuple[
    npt.NDArray[np.uint64], Blocks, npt.NDArray[Any], npt.NDArray[np.uint32] | None
]
#: What it takes to go on behind one of them.
_Mark: TypeAlias = npt.NDArray[np.uint64]

#: Positions that one thread turns into steps at a time.
_TOGETHER = 1 << 17
#: The fewest positions of a stretch, and about how often they are scanned at the most.
_LEAST, _PASSES = 1 << 14, 32
#: Bytes of what no array says: the compressor's, threads' stacks, what waits for its place; and
#: what malloc keeps for each thread, up to 2 MB more where others keep them from their cores.
_SMALL = 5 << 19
#: The parts of the memory there is that go into chunks of positions.
_CHUNKS = 16
_NOTHING = np.empty(0, np.int64)
#: The least tag and the greatest.
_EVERY = np.uint64(0), np.uint64((1 << 64) - 1)


def write_listed(
    writer: Writer,
    table: Table,
    header: dict[str, Any],
    palette: Sequence[int],
    levels: Levels | None = None,
) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file; it says what memory may be taken.
        table: the table.
        header: what else the file says of itself, ``fields`` among it; the key ``table`` is added.
        palette: the values that occur, ascending.
        levels: what tells the levels of packed positions, where every move raises them.

    Raises:
        BudgetError: there is too little memory for any of it.
    """
    if direct_listing.suits(writer, table, palette):
        direct_listing.write(writer, cast("HashedTable", table), header, palette)
        return
    chunk = CHUNK
    if writer.allowed is not None:
        while chunk > BLOCK and chunk * CHUNK_BYTES * _CHUNKS > writer.allowed:
            chunk //= 2
    # Of a score game positions stand in their order in an array, if not here then elsewhere.
    fields = [] if table.kind.gains else header["fields"]
    given = GivenTable(table, palette, chunk, folds_of(fields, table.words))
    _Listing(writer, given, levels).write(header)


class _Listing:
    """A table that is being written."""

    def __init__(self, writer: Writer, given: GivenTable, levels: Levels | None) -> None:
        self.writer = writer
        self.given = given
        table = given.table
        self.ranked = table.kind.needs_potential
        # Ranks follow from levels, or else from the order that the table has.
        self.by_order = self.ranked and (levels is None or not isinstance(table.kind, WinDrawLoss))
        self.ranks = _Ranks(given, levels) if self.ranked else None
        self.bits = given.bits()
        # The bits that numbers are made of: among those of tags, and of packed positions.
        self.inner = _EVERY[1]
        self.varying = self.bits.masks if self.bits.numbered else np.full(given.words, _EVERY[1])
        self.starts = given.folds.of(table.packed(table.starts))
        self.before = np.zeros(len(table.starts), np.int64)
        words = given.words
        self.blocks = -(-given.count // BLOCK)
        self.first = np.empty(self.blocks * words, np.uint64)
        self.each = 30 * words + 4 * given.dtype.itemsize + 8 * self.ranked
        self.together = writer.together(self.each, _TOGETHER)
        self.local = threading.local()
        self.written = 0
        self.mark: _Mark | None = None
        self.put_last: tuple[int, Callable[[int], _Mark]]

    @property
    def tagged(self) -> bool:
        """Whether positions are sorted as tags."""
        return self.bits.fits and not self.by_order

    def write(self, header: dict[str, Any]) -> None:
        """Write the file."""
        given, writer = self.given, self.writer
        sizes: dict[str, Any] = {
            "positions": (np.uint8, given.count, 0, self.blocks),
            "values": (given.dtype, given.count, BLOCK),
        }
        if self.ranks is not None:
            sizes["ranks"] = (self.ranks.dtype, given.count, BLOCK)
        sizes["first"] = (np.uint64, len(self.first), BLOCK)
        # Where the starts come to stand is known in the end; no number is longer than this.
        longest = [given.count] * len(self.before)
        table = given.table
        document = described("listed", table, given.palette, longest, turns=given.turns)
        document["folds"] = folds_told(given.folds)
        document["varying"] = masks_told(self.varying)  # which may be known in the end, too
        # In this order places say nothing of who found whom.
        document["reach"] = (
            "any" if table.reachability_evidence == "places" else table.reachability_evidence
        )
        begun(writer, header, document, sizes)
        self._go_on()
        if self.tagged:
            self._write_tags()
        else:
            self._write_rows()
        document["starts"] = self.before.tolist()
        document["varying"] = masks_told(self.varying)
        writer.write_aside()
        writer.write_array("first", self.first)

    def _go_on(self) -> None:
        """Take over what is known of the positions that an earlier process has written."""
        begin = 0
        for note in self.writer.notes:
            first, self.mark = note["first"], note["mark"]
            self.first[begin : begin + len(first)] = first
            self.before[:] = note["before"]
            begin += len(first)
            self.varying = note["varying"]
        self.written = min(self.writer.known("positions") * BLOCK, self.given.count)
        self.writer.note = self._note

    def _note(self, begin: int, end: int) -> dict[str, npt.NDArray[Any]]:
        """Return what has to be known to go on behind some blocks of positions."""
        words, (at, mark_of) = self.given.words, self.put_last
        return {
            "first": self.first[begin * words : end * words].copy(),
            "before": self.before.copy(),
            "varying": self.varying,
            "mark": mark_of(min(end * BLOCK, self.given.count) - at - 1),
        }

    def _room(self, each: int) -> int:
        """Return how many positions there is memory for at once, where each takes this many bytes.

        Raises:
            BudgetError: not even for a few.
        """
        allowed, given = self.writer.allowed, self.given
        if allowed is None:
            return given.count
        least = min(max(_LEAST, given.count // _PASSES), given.count)
        held = _SMALL + self.blocks * (8 * given.words + 48)
        threads = 2 * self.writer.threads * self.each
        room = (allowed - held - given.chunk * CHUNK_BYTES - threads * self.together) // each
        if room < least:  # what threads work with, and what they are given, may be small
            self.together = given.chunk = BLOCK
            needed = held + (CHUNK_BYTES + threads) * BLOCK + each * least
            if needed <= allowed or not self.writer.strict:
                return least
            message = (
                f"saving {given.count:,} positions needs {readable(needed)} beside what is held, "
                f"and {readable(max(allowed, 0))} are allowed; allow more memory"
            )
            raise BudgetError(message, needed, allowed)
        return int(min(room, given.count))

    # -- positions as tags ----------------------------------------------------------------------

    def _write_tags(self) -> None:
        given, bits = self.given, self.bits
        room = self._room(8)
        tags = zeros(room + BLOCK + 1, np.uint64)
        starts = np.empty(len(self.before) + 1, np.uint64)
        none = np.zeros(len(self.before), np.uint8)
        tags_between(self.starts, bits.masks, none, bits.beside, *_EVERY, starts, 0)
        behind = 0
        if self.mark is not None:
            behind = int(self.mark[0]) + 1
            self.before[starts[:-1] > self.mark[0]] = self.written
        left = 0
        for low, high in stretches(given, bits, room, (behind, given.count - self.written)):
            ends = np.uint64(low), np.uint64(high)
            count, varying = given.tags(bits, ends, tags, left)
            self.inner = np.uint64(varying)
            self.varying = bits.scattered(varying)
            tags[left:count].sort()
            # Behind its own position, a start's tag has 0, the least place of a value.
            self.before += np.searchsorted(tags[left:count], starts[:-1])
            whole = count - (count % BLOCK if self.written + count < given.count else 0)
            self._put(
                whole,
                lambda begin, end: self._of_tags(tags[begin:end]),
                lambda last: tags[last : last + 1].copy(),
            )
            left = count - whole
            tags[:left] = tags[whole:count]

    def _of_tags(self, tags: npt.NDArray[np.uint64]) -> _Made:
        workspace, bits = self._workspace(), self.bits
        chosen, ends = workspace.chosen[: len(tags)], np.empty(-(-len(tags) // BLOCK), np.int64)
        numbers_of(tags, bits.beside, self.inner, chosen, workspace.keys)
        encode(workspace.keys[: len(tags)], 1, BLOCK, workspace.out, ends)
        first = np.empty(len(ends) * self.given.words, np.uint64)
        untag(np.ascontiguousarray(tags[::BLOCK]), bits.masks, bits.rest, bits.beside, first)
        if self.ranks is None:
            return first, (workspace.out, ends), chosen, None
        keys = workspace.keys[: len(tags) * self.given.words]
        untag(tags, bits.masks, bits.rest, bits.beside, keys)
        return first, (workspace.out, ends), chosen, self.ranks.of(keys, _NOTHING)

    # -- positions as they are ------------------------------------------------------------------

    def _write_rows(self) -> None:
        given, words = self.given, self.given.words
        bits = self.bits.first()
        # What is chosen, what is put together of it, its order, and that in this order.
        room = self._room(40 * words + 3 * given.dtype.itemsize + 32)
        rows: _Rows = (np.empty(0, np.uint64), np.empty(0, given.dtype), _NOTHING)
        behind = np.zeros(2, np.uint64)
        if self.mark is not None:
            tags_between(self.mark, bits.masks, np.zeros(1, np.uint8), 0, *_EVERY, behind, 0)
        rest = int(behind[0]), given.count - self.written
        for low, high in stretches(given, bits, room, rest):
            parts = [rows]
            for keys, chosen, places in given.placed():
                marks = np.empty(len(chosen), np.uint8)
                mark_between(keys, bits.masks, np.uint64(low), np.uint64(high), marks)
                some = np.flatnonzero(marks)
                here = keys.reshape(-1, words)[some].reshape(-1)
                parts.append((here, chosen[some], places[some] if self.by_order else _NOTHING))
            keys, chosen, places = (np.concatenate(each) for each in zip(*parts, strict=True))
            del parts
            order = ascending(keys, words)
            keys = np.ascontiguousarray(keys.reshape(-1, words)[order]).reshape(-1)
            chosen, places = chosen[order], places[order] if self.by_order else _NOTHING
            if self.mark is not None:  # what is there already may have the same tag
                past = np.empty(1, np.int64)
                at_or_before(self.mark, 1, words, keys, len(chosen), past)
                known = int(past[0]) + 1
                keys, chosen, places = keys[known * words :], chosen[known:], places[known:]
            count = len(chosen)
            found = np.empty(len(self.before), np.int64)
            at_or_before(self.starts, len(found), words, keys, count, found)
            wanted, last = self.starts.reshape(-1, words), np.maximum(found, 0)
            there = (keys.reshape(-1, words)[last] == wanted).all(1) if count else found > 0
            self.before[there] = self.written + found[there]
            whole = count - (count % BLOCK if self.written + count < given.count else 0)

            def some_rows(begin: int, end: int, rows: _Rows = (keys, chosen, places)) -> _Made:
                keys, chosen, places = rows
                here = keys[begin * words : end * words]
                return self._of_rows(here, chosen[begin:end], places[begin:end])

            def mark_of(last: int, keys: _Mark = keys) -> _Mark:
                return keys[last * words : (last + 1) * words].copy()

            self._put(whole, some_rows, mark_of)
            # Not as views, which would keep all the others.
            rows = (keys[whole * words :].copy(), chosen[whole:].copy(), places[whole:].copy())
            del keys, chosen, places, order, some_rows, mark_of, self.put_last

    def _of_rows(
        self, keys: npt.NDArray[np.uint64], chosen: npt.NDArray[Any], places: Places
    ) -> _Made:
        workspace, words, count = self._workspace(), self.given.words, len(chosen)
        ends = np.empty(-(-count // BLOCK), np.int64)
        if self.bits.numbered:
            none = np.zeros(count, np.uint8)
            tags_between(keys, self.bits.masks, none, 0, *_EVERY, workspace.keys, 0)
            encode(workspace.keys[:count], 1, BLOCK, workspace.out, ends)
        else:
            encode(keys, words, BLOCK, workspace.out, ends)
        first = keys.reshape(-1, words)[::BLOCK].reshape(-1)
        ranks = None if self.ranks is None else self.ranks.of(keys, places)
        return first, (workspace.out, ends), chosen, ranks

    # -- blocks ---------------------------------------------------------------------------------

    def _put(
        self, count: int, made: Callable[[int, int], _Made], mark_of: Callable[[int], _Mark]
    ) -> None:
        """Write this many positions, which follow on those that have been written."""
        words, at = self.given.words, self.written
        self.put_last = at, mark_of

        def part(begin: int, end: int) -> tuple[Blocks, ...]:
            some = made(begin * BLOCK - at, min(end * BLOCK - at, count))
            first, positions, chosen, ranks = some
            self.first[begin * words : end * words] = first
            found = [positions, blocks_of(chosen)]
            if ranks is not None:
                found.append(blocks_of(differences(ranks)))
            return tuple(found)

        blocks = range(at // BLOCK, -(-(at + count) // BLOCK))
        levels = pressed(self.given.table, self.given.dtype)[: 2 + self.ranked]
        self.writer.write_several(part, blocks, self.together // BLOCK, levels)
        self.written += count

    def _workspace(self) -> _ListingWorkspace:
        """Return what the thread that asks works with."""
        workspace: _ListingWorkspace | None = getattr(self.local, "workspace", None)
        if workspace is None:
            workspace = self.local.workspace = _ListingWorkspace(
                self.together, self.given.words, self.given.dtype
            )
        return workspace


class _ListingWorkspace:
    """What one thread works with: this many positions, the places of their values, and bytes."""

    def __init__(self, count: int, words: int, dtype: np.dtype[Any]) -> None:
        self.keys = np.empty(count * words + 1, np.uint64)
        self.chosen = np.empty(count, dtype)
        self.out = np.empty(count * words * WORD, np.uint8)


class _Ranks:
    """Numbers that shrink along every move.

    The certificate needs them in score games, and where wins and losses have no remoteness: there
    levels are such numbers, and take little room. Otherwise it is the order that the table has.
    """

    def __init__(self, given: GivenTable, levels: Levels | None) -> None:
        table = self._table = given.table
        self._folds = given.folds
        self._levels = levels if isinstance(table.kind, WinDrawLoss) else None
        least, most = [], []
        for some in self._all(given):
            least.append(int(some.min()))
            most.append(int(some.max()))
        self._least = min(least)
        self.dtype = np.dtype(narrowest(max(most) - self._least + 1))

    def _all(self, given: GivenTable) -> Iterator[npt.NDArray[Any]]:
        if self._levels is not None:
            yield from (-self._levels(given.folds.of(keys)) for keys, _ in given.chunks())
        else:
            yield from map(self._rank, self._table.pages())

    def _rank(self, places: Places) -> Places:
        steps = getattr(self._table, "steps", self._table.potential)
        found: Places = steps(places)
        return found

    def of(self, keys: npt.NDArray[np.uint64], places: Places) -> npt.NDArray[Any]:
        """Return those of positions, of which the places are known where levels are not."""
        found = self._rank(places) if self._levels is None else -self._levels(self._folds.of(keys))
        return (found - self._least).astype(self.dtype)
