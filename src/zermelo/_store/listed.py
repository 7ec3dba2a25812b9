"""Tables that hold their positions: sorted, each as its distance from the one before.

A block holds ``BLOCK`` positions, and the block of the same number their values, as places in a
palette of the values that occur. Of each block the first position is held in memory, so a probe
unpacks two blocks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.ordered import LONGEST, ascending, at_or_before, decode, encode, same
from zermelo._store.container import Reader, Stored, Writer
from zermelo.errors import CorruptTableError

if TYPE_CHECKING:
    from zermelo._engine.table import Table

#: Positions in a block: more take less room, and longer to unpack for one of them.
BLOCK = 1024
#: Unpacked blocks that are kept.
_KEPT = 64


def write_listed(writer: Writer, table: Table, header: dict[str, Any]) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file.
        table: the table.
        header: what else the file says of itself; the key ``table`` is added.
    """
    keys, values, owners, ranks = _gathered(table)
    order = ascending(keys, table.words)
    keys = np.ascontiguousarray(keys.reshape(-1, table.words)[order]).reshape(-1)
    values = values[order]
    palette, chosen = np.unique(values, return_inverse=True)
    turns = len(owners) > 0
    if turns:
        chosen = chosen * 2 + owners[order]
    chosen = chosen.astype(_narrowest(2 * len(palette)))
    count, blocks = len(values), -(-len(values) // BLOCK)
    arrays = {
        "positions": Stored(np.dtype(np.uint8), count, 0, 0, blocks),
        "values": Stored(chosen.dtype, count, BLOCK, blocks, blocks),
        "first": Stored(np.dtype(np.uint64), blocks * table.words, BLOCK, 2 * blocks, 0),
    }
    first = keys.reshape(-1, table.words)[::BLOCK].reshape(-1)
    arrays["first"] = _after(arrays["values"], first, BLOCK)
    if table.scored:
        arrays["ranks"] = _after(arrays["first"], ranks, BLOCK)
    starts = np.empty(len(table.starts), np.int64)
    places = np.empty(count, np.int64)
    places[order] = np.arange(count)
    starts = places[_positions_of(table)(table.starts)]
    document = {
        "kind": "listed",
        "positions": count,
        "words": table.words,
        "scored": table.scored,
        "turns": turns,
        "reach": getattr(table, "reach", "places"),
        "palette": palette.tolist(),
        "starts": starts.tolist(),
    }
    writer.begin({**header, "table": document}, arrays)
    room = np.empty(BLOCK * table.words * LONGEST, np.uint8)
    for begin in range(0, count, BLOCK):
        size = encode(keys, begin, min(begin + BLOCK, count), table.words, room)
        writer.write(room[:size].tobytes())
    writer.write_array(chosen, BLOCK)
    writer.write_array(first, BLOCK)
    if table.scored:
        writer.write_array(ranks[order], BLOCK)


class ListedTable:
    """A table on disk that holds its positions; see ``Table``. Threads may share it."""

    def __init__(self, reader: Reader) -> None:
        """Open it.

        Raises:
            CorruptTableError: it is not what was written.
        """
        self._reader = reader
        try:
            document = reader.header["table"]
            self.words: int = document["words"]
            self.scored: bool = document["scored"]
            self.reach = "any" if document["reach"] == "places" else document["reach"]
            self._count: int = document["positions"]
            self._turns: bool = document["turns"]
            kind = np.int64 if self.scored else np.int32
            self._palette = np.array(document["palette"], kind)
            self.starts = np.array(document["starts"], np.int64)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._corrupt("header") from None
        blocks = -(-self._count // BLOCK)
        self._first = reader.array("first").astype(np.uint64)
        self._positions, self._values = reader.stored("positions"), reader.stored("values")
        if len(self._first) != blocks * self.words or self._positions.blocks != blocks:
            raise self._corrupt("header")
        self._unpacked: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many positions there are."""
        return self._count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return self._count

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        blocks = np.empty(count, np.int64)
        words = self.words
        at_or_before(packed, count, words, self._first, len(self._first) // words, blocks)
        rows = packed.reshape(-1, words)
        out[:count] = -1
        for block, chosen in _grouped(blocks):
            if block < 0:
                continue
            keys = self._keys(block)
            wanted = np.ascontiguousarray(rows[chosen]).reshape(-1)
            found = np.empty(len(chosen), np.int64)
            at_or_before(wanted, len(chosen), words, keys, len(keys) // words, found)
            same(wanted, len(chosen), words, keys, found)
            out[chosen] = np.where(found >= 0, found + block * BLOCK, -1)
        return int((out[:count] >= 0).sum())

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at places."""
        return self._palette[self._chosen(places) >> int(self._turns)]

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        if not self._turns:
            return np.zeros(len(places), np.uint8)
        return (self._chosen(places) & 1).astype(np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        out = np.empty((len(places), self.words), np.uint64)
        for block, chosen in _grouped(places // BLOCK):
            out[chosen] = self._keys(block).reshape(-1, self.words)[places[chosen] % BLOCK]
        return out.reshape(-1)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Go through all places in ascending order, which is that of the packed positions."""
        for begin in range(0, self._count, 8 * BLOCK):
            yield np.arange(begin, min(begin + 8 * BLOCK, self._count))

    def rank(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, in a score game, numbers that shrink along every move."""
        return self._gathered("ranks", places)

    def tally(self) -> list[tuple[int, int | None, int]]:
        """Return how many positions there are of each value."""
        size = len(self._palette) << int(self._turns)
        counts = np.zeros(size, np.int64)
        for block in range(self._values.blocks):
            counts += np.bincount(self._block("values", block), minlength=size)
        if self._turns:
            counts = counts.reshape(-1, 2).sum(1)
        pairs = zip(self._palette.tolist(), counts.tolist(), strict=True)
        if self.scored:
            return [(score, None, count) for score, count in reversed(list(pairs))]
        return [(*codes.decode(code), count) for code, count in reversed(list(pairs))]

    # -- blocks -----------------------------------------------------------------------------------

    def _chosen(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return self._gathered("values", places)

    def _gathered(self, name: str, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        out = np.empty(len(places), np.int64)
        for block, chosen in _grouped(places // BLOCK):
            out[chosen] = self._block(name, block)[places[chosen] % BLOCK]
        return out

    def _keys(self, block: int) -> npt.NDArray[np.uint64]:
        return self._kept(("positions", block), lambda: self._unpacked_keys(block))

    def _unpacked_keys(self, block: int) -> npt.NDArray[np.uint64]:
        count = min(BLOCK, self._count - block * BLOCK)
        data = np.frombuffer(self._reader.block(self._positions.first + block), np.uint8)
        keys = np.empty(count * self.words, np.uint64)
        if not decode(data, count, self.words, keys):
            raise self._corrupt(f"block {block} of positions")
        return keys

    def _block(self, name: str, block: int) -> npt.NDArray[Any]:
        return self._kept((name, block), lambda: self._unpacked_values(name, block))

    def _unpacked_values(self, name: str, block: int) -> npt.NDArray[Any]:
        stored = self._reader.stored(name)
        if not 0 <= block < stored.blocks:
            raise self._corrupt(f"array {name!r}")
        values = np.frombuffer(self._reader.block(stored.first + block), stored.dtype)
        size = len(self._palette) << int(self._turns)
        if len(values) != min(BLOCK, self._count - block * BLOCK) or (
            name == "values" and int(values.max(initial=0)) >= size
        ):
            raise self._corrupt(f"block {block} of {name}")
        return values

    def _kept(self, key: tuple[str, int], unpack: Callable[[], Any]) -> Any:
        with self._lock:
            found = self._unpacked.get(key)
            if found is not None:
                self._unpacked.move_to_end(key)
                return found
        found = unpack()
        with self._lock:
            self._unpacked[key] = found
            if len(self._unpacked) > _KEPT:
                self._unpacked.popitem(last=False)
        return found

    def _corrupt(self, what: str) -> CorruptTableError:
        message = f"{str(self._reader.path)!r} cannot be used: its {what} is wrong; make it again"
        return CorruptTableError(message)


def _gathered(table: Table) -> tuple[Any, Any, Any, Any]:
    """Return all of a table: packed positions, values, turns (or none) and ranks (or none)."""
    count = len(table)
    keys = np.empty((count, table.words), np.uint64)
    values = np.empty(count, np.int64 if table.scored else np.int32)
    owners = np.empty(count, np.uint8)
    ranks = np.empty(count if table.scored else 0, np.int64)
    at = 0
    for places in table.pages():
        end = at + len(places)
        keys[at:end] = table.packed(places).reshape(-1, table.words)
        values[at:end] = table.values(places)
        owners[at:end] = table.owners(places)
        if table.scored:
            ranks[at:end] = table.rank(places)
        at = end
    if not owners.any():
        owners = owners[:0]
    if table.scored:
        ranks -= ranks.min(initial=0)
    return keys.reshape(-1), values, owners, ranks.astype(np.uint64)


def _positions_of(table: Table) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
    """Return what tells the how-manieth of all places each of some is; some tables have gaps."""
    if table.span == len(table):
        return lambda places: places
    every = np.concatenate(list(table.pages()))
    return lambda places: np.searchsorted(every, places)


def _after(before: Stored, array: npt.NDArray[Any], per_block: int) -> Stored:
    blocks = -(-len(array) // per_block)
    return Stored(array.dtype, len(array), per_block, before.first + before.blocks, blocks)


def _grouped(blocks: npt.NDArray[np.int64]) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Go through the blocks that are wanted, each once, with the places in the list that want it."""
    if len(blocks) == 1:
        yield int(blocks[0]), np.zeros(1, np.int64)
        return
    order = np.argsort(blocks, kind="stable")
    ordered = blocks[order]
    cuts = np.flatnonzero(np.diff(ordered)) + 1
    begins = [0, *cuts.tolist(), len(ordered)]
    for begin, end in zip(begins, begins[1:], strict=False):
        if begin < end:
            yield int(ordered[begin]), order[begin:end]


def _narrowest(count: int) -> Any:
    return next(t for t in (np.uint8, np.uint16, np.uint32) if count <= np.iinfo(t).max + 1)
