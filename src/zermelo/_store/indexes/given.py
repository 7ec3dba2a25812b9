"""All of a table that is to be written: positions and places of their values, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.palette import Palette
from zermelo._engine.file.pages import Places
from zermelo._engine.sort.tags import Bits, Folds, differ, tags_between
from zermelo._engine.table import PAGE, HashedTable, Table
from zermelo._methods.levels.index import LevelTable
from zermelo._methods.levels.slot_index import SlotTable
from zermelo._store.columns import palettes
from zermelo._store.indexes.folded import folded_if_few

#: Packed positions, and the place in the palette of each one's value (twice that and whose turn it
#: is, where there are turns); whoever asks for more has them written over.
Chunk: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]

#: Positions, or slots, that are scanned at once; a position takes this many bytes meanwhile.
CHUNK, CHUNK_BYTES = 1 << 16, 48
_WORD = 64


class GivenTable:
    """A table, as it is scanned to be written.

    Attributes:
        count: how many positions there are.
        words: words a packed position takes.
        palette: the values that occur, ascending.
        turns: whether it is said whose turn it is.
        dtype: the type of places in the palette.
        chunk: positions, or slots, that are scanned at once.
    """

    def __init__(self, table: Table, palette: Sequence[int], chunk: int, folds: Folds) -> None:
        """Note what there is.

        Args:
            table: the table.
            palette: the values that occur, ascending.
            chunk: positions to scan at once.
            folds: how positions may be changed; those that are given here are, if it is worth it.
        """
        self.table = table
        self.folds = folds
        self.count = len(table)
        self.words = table.words
        self.palette = palette
        self.chunk = chunk
        self.turns = palettes.has_turns(table)
        self.dtype = np.dtype(palettes.narrowest(len(self.palette) << int(self.turns)))
        self._out = np.empty(max(chunk, PAGE) + 1, self.dtype)
        self._places = Palette(np.array(self.palette, np.int64))
        # Where a byte stands for a value, it is turned into its place without looking for it.
        self._by_byte: npt.NDArray[Any] | None = None
        if isinstance(table, SlotTable | LevelTable) and not table.wide_values:
            wide = table.wide(np.arange(256, dtype=np.uint8)).tolist()
            place = {code: at << int(self.turns) for at, code in enumerate(self.palette)}
            self._by_byte = np.array([place.get(code, 0) for code in wide], self.dtype)
        if self._at_once:
            masks = np.array([cast("Any", table).used], np.uint64)
            self.folds = folded_if_few(folds, masks, self.count)
            self._masks = masks
        else:
            self._masks = self._varying()

    def _varying(self) -> npt.NDArray[np.uint64]:
        """Scan all of it to see which bits vary; no longer fold what is not worth it."""
        folds, like = self.folds, self.table.packed(self.table.starts[:1])
        masks, folded = np.zeros(self.words, np.uint64), np.zeros(self.words, np.uint64)
        for keys, _, _, _ in self._as_they_are(placed=False):
            differ(keys, self.words, like, masks)
            if folds.any:
                differ(folds.of(keys), self.words, folds.of(like), folded)
        self.folds = folded_if_few(folds, masks, self.count)
        return folded if self.folds.any else masks

    @property
    def beside(self) -> int:
        """The bits that a place in the palette takes."""
        return ((len(self.palette) << int(self.turns)) - 1).bit_length()

    def bits(self) -> Bits:
        """Return what tags of the positions are made of, and now and then bits that never vary."""
        like = self.folds.of(self.table.packed(self.table.starts[:1]))
        return Bits(self._masks, like & ~self._masks, self.beside)

    def chunks(self) -> Iterator[Chunk]:
        """Scan all of it, in the order of places."""
        for keys, chosen, _ in self._chosen(placed=False):
            yield keys, chosen

    def tags(
        self,
        bits: Bits,
        ends: tuple[np.uint64, np.uint64],
        out: npt.NDArray[np.uint64],
        at: int,
    ) -> tuple[int, int]:
        """Write all tags from one to another behind the first ``at``.

        Returns:
            How many there are then; and which of the bits that stand for positions are not the
            same in all of them.
        """
        table: Any = self.table
        if self._at_once:
            count, varying = table.tags(self._by_byte, bits.beside, ends, self._fold(), out, at)
            return int(count), int(varying)
        for keys, chosen in self.chunks():
            at = int(tags_between(keys, bits.masks, chosen, bits.beside, *ends, out, at))
        return at, (1 << (bits.length - bits.beside)) - 1

    @property
    def _at_once(self) -> bool:
        """Whether tags are made of slots, without packed positions in between."""
        table = self.table
        if not isinstance(table, SlotTable) or self._by_byte is None or self.turns:
            return False
        under, by = int(self.folds.under[0]), int(self.folds.by[0])
        if table.used & under << by != (table.used & under) << by:
            return False
        return table.used.bit_count() + self.beside <= _WORD

    def _fold(self) -> tuple[np.uint64, np.uint64]:
        """Return what is added to what, where the bits of slots are gathered."""
        used = cast("Any", self.table).used
        under, by = used & int(self.folds.under[0]), int(self.folds.by[0])
        low = (under & -under).bit_length() - 1 if under else 0
        below = (used & (1 << low) - 1).bit_count()
        between = used >> low & (1 << by) - 1
        return np.uint64((1 << under.bit_count()) - 1 << below), np.uint64(between.bit_count())

    def placed(self) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Places]]:
        """Do the same, with the place of each position."""
        yield from self._chosen(placed=True)

    def _chosen(
        self, *, placed: bool
    ) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Places]]:
        for keys, stored, owners, places in self._raw(placed=placed):
            out = self._out[: len(stored)]
            if self._by_byte is not None:
                np.take(self._by_byte, stored, out=out)
                if self.turns:
                    out += owners
            elif not self._places.choose(stored, owners[: len(owners) * self.turns], out):
                message = "a table has a value that it does not count"
                raise AssertionError(message)
            yield keys, out, places

    def _raw(
        self, *, placed: bool
    ) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Any, Places]]:
        """Scan positions, values as they are stored, whose turn it is, and perhaps places."""
        for keys, stored, owners, places in self._as_they_are(placed=placed):
            yield self.folds.of(keys), stored, owners, places

    def _as_they_are(
        self, *, placed: bool
    ) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[Any], Any, Places]]:
        table = self.table
        if isinstance(table, SlotTable):
            yield from table.chunks(self.chunk)
            return
        if isinstance(table, HashedTable | LevelTable):
            for begin in range(0, self.count, self.chunk):
                end = min(begin + self.chunk, self.count)
                keys = table.keys[begin * self.words : end * self.words]
                places = np.arange(begin, end if placed else begin)
                yield keys, table.stored[begin:end], table.turns[begin:end], places
                if isinstance(table, LevelTable):
                    table.let_go()
            return
        for places in table.pages():
            yield table.packed(places), table.values(places), table.owners(places), places
