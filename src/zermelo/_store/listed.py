"""Tables that hold their positions: sorted, each as its distance from the one before.

A block holds ``BLOCK`` positions, and the block of the same number their values, as places in a
palette of the values that occur. Of each block the first position is held in memory, so a probe
unpacks two blocks, if they have not been unpacked before, and adds distances up to the position it
looks for. Where many are looked for at once, all of a block is turned into positions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.filed import counted, differing, find_within, tag, untag
from zermelo._engine.index import Index, entries_for
from zermelo._engine.level_table import LevelTable
from zermelo._engine.ordered import (
    LONGEST,
    ascending,
    at_or_before,
    decode,
    encode_blocks,
    seek,
)
from zermelo._engine.slot_table import SlotTable
from zermelo._engine.table import HashedTable
from zermelo._store.paged import Paged
from zermelo._store.reader import Reader
from zermelo._store.valued import Places, ValuedTable, Values, begun, described
from zermelo._store.writer import Blocks, Writer

if TYPE_CHECKING:
    from zermelo._engine.table import Table

#: Positions in a block: more take less room, and longer to unpack for one of them.
BLOCK = 512
#: What tells a number of each packed position that every move raises.
Levels: TypeAlias = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.int64]]
#: Positions that one thread turns into distances at a time.
_TOGETHER = 1 << 18


def write_listed(
    writer: Writer, table: Table, header: dict[str, Any], levels: Levels | None = None
) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file.
        table: the table.
        header: what else the file says of itself; the key ``table`` is added.
        levels: what tells the levels of packed positions, where every move raises them.
    """
    given = _Given(table)
    palette = given.palette()
    turns = given.turns
    untimed = codes.LAST - codes.UNTIMED
    ranked = table.scored or untimed in palette or -untimed in palette
    by_order = ranked and (table.scored or levels is None)
    keys, chosen, order = _sorted(given, palette, keep_order=by_order)
    count, words = len(chosen), table.words
    values = Values(count, palette, given.values, turns=turns, per_block=BLOCK)
    first = np.ascontiguousarray(keys.reshape(-1, words)[::BLOCK]).reshape(-1)
    sizes: dict[str, Any] = {
        "positions": (np.uint8, count, 0, -(-count // BLOCK)),
        "values": values.plan(),
        "first": (np.uint64, len(first), BLOCK),
    }
    ranks = np.empty(0, np.uint32)
    if ranked:
        ranks = _ranks(table, keys, order, levels)
        sizes["ranks"] = (ranks.dtype, len(ranks), BLOCK)
    starts = np.empty(len(table.starts), np.int64)
    wanted = table.packed(table.starts)
    at_or_before(wanted, len(starts), words, keys, count, starts)
    document = described("listed", table, palette, starts.tolist(), turns=turns)
    # In this order places say nothing of who found whom.
    document["reach"] = "any" if table.reach == "places" else table.reach
    begun(writer, header, document, sizes)

    def part(begin: int) -> Blocks:
        end = min(begin + _TOGETHER, count)
        room = np.empty((end - begin) * words * LONGEST, np.uint8)
        ends = np.empty(-(-(end - begin) // BLOCK), np.int64)
        encode_blocks(keys, begin, end, words, BLOCK, room, ends)
        return room, ends

    writer.write_parts(part, range(0, count, _TOGETHER))
    writer.write_array(chosen, BLOCK)
    writer.write_array(first, BLOCK)
    if ranked:
        writer.write_array(ranks, BLOCK)


class _Given:
    """All of a table: packed positions, values and turns, as arrays."""

    def __init__(self, table: Table) -> None:
        self.words = table.words
        self.keys: npt.NDArray[np.uint64]
        self.stored: npt.NDArray[Any]
        self.owners: npt.NDArray[np.uint8]
        self._values: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] = np.asarray
        if isinstance(table, HashedTable | LevelTable):
            self.keys = table.keys[: len(table) * table.words]
            self.stored, self.owners = table.stored, table.turns
            if isinstance(table, LevelTable):
                self._values = table.wide
        elif isinstance(table, SlotTable):
            self.keys, self.stored, self.owners = table.everything()
            self._values = table.wide
        else:
            pages = list(table.pages())
            self.keys = np.concatenate([table.packed(places) for places in pages])
            self.stored = np.concatenate([table.values(places) for places in pages])
            self.owners = np.concatenate([table.owners(places) for places in pages])
        self.turns = bool(self.owners.any())

    def palette(self) -> list[int]:
        """Return the values that occur, ascending."""
        found = np.array(list(counted(self.stored)), self.stored.dtype)
        return sorted(self._values(found).tolist())

    def values(self, begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        """Return some values, and whose turn it is."""
        return self._values(self.stored[begin:end]), self.owners[begin:end]


def _sorted(
    given: _Given, palette: list[int], *, keep_order: bool
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Places]:
    """Return positions in ascending order, the places of their values, and, if asked, the order.

    Where what differs in the positions leaves room in a word for the value, the two are sorted as
    one number: that is many times as quick as finding the order and following it.
    """
    count = len(given.stored)
    values = Values(count, palette, given.values, turns=given.turns, per_block=BLOCK)
    chosen = np.empty(count, values.dtype)
    for begin in range(0, count, _TOGETHER):
        end = min(begin + _TOGETHER, count)
        chosen[begin:end] = values.chosen(begin, end)
    nothing = np.empty(0, np.int64)
    bits = ((len(palette) << int(given.turns)) - 1).bit_length()
    if given.words == 1 and not keep_order and count:
        mask = np.uint64(differing(given.keys))
        if int(mask).bit_count() + bits <= 64:  # noqa: PLR2004  # bits of a word
            tags = np.empty(count, np.uint64)
            tag(given.keys, mask, chosen, bits, tags)
            rest = np.uint64(given.keys[0] & ~mask)
            tags.sort()
            untag(tags, mask, rest, bits, chosen)
            return tags, chosen, nothing
    order = ascending(given.keys, given.words)
    keys = np.ascontiguousarray(given.keys.reshape(-1, given.words)[order]).reshape(-1)
    return keys, chosen[order], order


class ListedTable(ValuedTable):
    """A table on disk that holds its positions; see ``Table``. Threads may share it."""

    per_block = BLOCK

    def __init__(self, reader: Reader) -> None:
        """Open it.

        Raises:
            CorruptTableError: it is not what was written.
        """
        super().__init__(reader)
        self._ranks: npt.NDArray[Any] | None = None
        blocks = -(-self.count // BLOCK)
        if self.typed("first", np.uint64).length != blocks * self.words:
            raise self.corrupt("header")
        self._first = reader.array("first")

    def parts(self) -> dict[str, Paged]:
        """Return the arrays of the file, of which nothing has been read."""
        words = self.words
        bounds = np.minimum(
            np.arange(0, self.count + BLOCK, BLOCK, dtype=np.int64) * words, self.count * words
        )

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
            some = np.frombuffer(data, np.uint8)
            return bool(decode(some, len(out) // words, words, out))

        return {
            **super().parts(),
            "positions": Paged(self.reader, "positions", np.uint64, bounds, unpack),
        }

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Table``."""
        positions = self.held()["positions"]
        words = self.words
        blocks = np.empty(count, np.int64)
        at_or_before(packed, count, words, self._first, len(self._first) // words, blocks)
        if count == 1:
            block = blocks.item(0)
            data = positions.glance(block) if block >= 0 and words == 1 else None
            if data is not None:
                out[0] = self._sought(block, data, packed)
                return int(out.item(0) >= 0)
            if block >= 0:
                positions.need(block)
        else:
            positions.need_all(blocks[blocks >= 0])
        return int(find_within(packed, words, positions.array, self.count, blocks, BLOCK, out))

    def _sought(self, block: int, data: bytes, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of a position, of which the block is known, or -1."""
        begin = block * BLOCK
        some = np.frombuffer(data, np.uint8)
        at: int = seek(some, min(BLOCK, self.count - begin), packed)
        if at < -1:
            raise self.corrupt(f"block {block} of positions")
        return begin + at if at >= 0 else -1

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        positions = self.held()["positions"]
        positions.need_all(places // BLOCK)
        return positions.array.reshape(-1, self.words)[places].reshape(-1)

    def rank(self, places: Places) -> Places:
        """Return, in a score game, numbers that shrink along every move."""
        if self._ranks is None:
            if "ranks" not in self.reader.arrays or self.reader.stored("ranks").length < self.count:
                raise self.corrupt("header")
            self._ranks = self.reader.array("ranks")
        return self._ranks[places].astype(np.int64)

    def loaded(self) -> HashedTable:
        """Return the same table in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block is not what was written.
        """
        count, words = self.count, self.words
        parts = self.parts()
        keys, chosen = parts["positions"].fill(), parts["values"].fill()
        turns = (chosen & 1).astype(np.uint8) if self._turns else np.empty(0, np.uint8)
        values = self._palette[chosen >> int(self._turns)]
        starts, ranks, reach = self.starts, None, self.reach
        if "ranks" in self.reader.arrays:
            # In the order of ranks every move leads to a greater place, which vouches for both.
            if self.typed("ranks", np.uint32).length != count:
                raise self.corrupt("header")
            ranks = self.reader.array("ranks")
            order = np.argsort(-ranks.astype(np.int64), kind="stable")
            keys = np.ascontiguousarray(keys.reshape(-1, words)[order]).reshape(-1)
            values, ranks = values[order], ranks[order]
            turns = turns[order] if self._turns else turns
            places = np.empty(count, np.int64)
            places[order] = np.arange(count)
            starts, reach = places[starts], "places"
        index = Index(words)
        index.grow(entries_for(count), keys, count, direct=False)
        table = HashedTable(words, keys, index, values, turns, 0, ranks)
        table.starts, table.reach = starts, reach
        return table


def _ranks(
    table: Table, keys: npt.NDArray[np.uint64], order: Places, levels: Levels | None
) -> npt.NDArray[np.uint32]:
    """Return numbers that shrink along every move.

    The certificate needs them in score games, and where wins and losses have no remoteness: there
    levels are such numbers, and take little room. Otherwise it is the order that the table has.
    """
    if levels is not None and not table.scored:
        count = len(keys) // table.words
        found = np.empty(count, np.int64)
        for begin in range(0, count, 1 << 16):
            part = keys[begin * table.words : (begin + (1 << 16)) * table.words]
            found[begin : begin + (1 << 16)] = -levels(part)
    elif table.scored:
        every = np.concatenate([table.rank(places) for places in table.pages()])
        found = every[order]
    else:
        found = -order
    found -= found.min(initial=0)
    return found.astype(np.uint32)
