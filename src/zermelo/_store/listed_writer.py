"""Writing of tables that store their positions: sorted, within the memory budget.

A position becomes a row for ``ExternalSort``: its number, or its packed position if the number is
longer than a word, followed by its palette index and its rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.header_palette import narrowest_type, span_of
from zermelo._engine.column.palette import Palette
from zermelo._engine.column.palette_writer import create_file, table_header
from zermelo._engine.file.format import Header
from zermelo._engine.file.writer import Blocks, Writer, blocks_of
from zermelo._engine.index.sorted_blocks import WORD, encode
from zermelo._engine.sort.external import ExternalSort, Rows
from zermelo._engine.sort.sorted_keys import at_or_before, from_numbers, to_numbers
from zermelo._engine.table import Table
from zermelo._store.key_transform import (
    masks_header,
    transform_header,
    transform_if_sparse,
    transform_of,
)
from zermelo._store.listed_index import BLOCK, compression, differences

#: Returns a number for each packed position that every move raises.
Levels: TypeAlias = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.int64]]


class Images(NamedTuple):
    """The images of packed positions under symmetries, for readers without rules.

    Attributes:
        chunks: the bits that some symmetry moves, in chunks: word, lowest bit, and number of bits.
        tables: the image of each value of each chunk: see ``Group.tables``.
    """

    chunks: list[tuple[int, int, int]]
    tables: npt.NDArray[np.uint64]


#: Positions that one thread converts to steps in one part.
_POSITIONS_PER_PART = 1 << 16
#: Positions that are scanned in one batch, and at least; and bytes of each during the scan.
_SCANNED, _LEAST_SCANNED, _SCANNED_BYTES = 1 << 15, 1 << 10, 64
#: The part of the memory budget that they may take, as a divisor.
_PART = 16
#: The fewest positions that are sorted in memory.
_LEAST = 1 << 14
#: The least number of positions of a run that are merged at a time.
_RUN = 16
#: Bytes outside arrays: compressors, threads' stacks, waiting arrays, and memory that malloc keeps
#: for each thread, up to 2 MB more on a busy machine.
_SMALL = 5 << 19
_WORD, _ALL = 64, np.uint64((1 << 64) - 1)


def write_listed(
    writer: Writer,
    table: Table,
    header: Header,
    palette: Sequence[int],
    *,
    turns: bool,
    varying: np.uint64,
    levels: Levels | None,
    images: Images | None = None,
) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file, with the memory budget.
        table: the table.
        header: the other parts of the header, ``fields`` among them; the key ``table`` is added.
        palette: the values that occur, ascending.
        turns: whether the player to move is stored.
        varying: the bits that each word of a packed position may have.
        levels: returns the levels of packed positions, if every move raises them; else None.
        images: the images under symmetries, if the file must contain them.

    Raises:
        BudgetError: the memory budget is too small.
    """
    listing = _Listing(writer, table, palette, turns=turns, levels=levels, images=images)
    listing.choose_layout(header["fields"], varying)
    listing.write(header)


class _Listing:
    """A table that is being written."""

    def __init__(
        self,
        writer: Writer,
        table: Table,
        palette: Sequence[int],
        *,
        turns: bool,
        levels: Levels | None,
        images: Images | None,
    ) -> None:
        self.images = images
        self.writer = writer
        self.table = table
        self.palette = palette
        self.turns = turns
        self.count = len(table)
        self.words = table.words
        values = span_of(palette) << turns
        self.dtype = np.dtype(narrowest_type(values))
        self.blocks = -(-self.count // BLOCK)
        self.positions_per_scan = _SCANNED
        while (
            writer.ledger is not None
            and self.positions_per_scan > _LEAST_SCANNED
            and self.positions_per_scan * _SCANNED_BYTES * _PART > writer.ledger.allowed
        ):
            self.positions_per_scan //= 2
        self.has_ranks = table.kind.needs_potential
        # Ranks follow from levels, or else from the order of the table.
        self.levels = levels if table.kind.outcomes_alone else None
        #: Bytes of a position while a thread makes blocks, and positions of a thread's part.
        self.position_bytes = 30 * self.words + 8 + 4 * self.dtype.itemsize + 8 * self.has_ranks
        self.positions_per_part = writer.elements_per_part(self.position_bytes, _POSITIONS_PER_PART)
        #: The bits of a row that contain the palette index.
        self.value_bits = (values - 1).bit_length()

    def choose_layout(self, fields: list[dict[str, Any]], varying: np.uint64) -> None:
        """Choose the layout of rows; scan all positions for that only if needed."""
        # Few score games have two boards.
        folds = transform_of([] if self.table.kind.gains else fields, self.words)
        like = self.table.packed(self.table.starts[:1])
        masks = np.full(self.words, varying)
        folded = masks | (masks & folds.sources) << folds.shifts
        self.lowest, span = self._extent() if self.has_ranks else (0, 1)
        self.rank_type = np.dtype(narrowest_type(span))
        rank_bits = (span - 1).bit_length()
        #: Whether a row has a word for the rank, as it does not fit beside the palette index.
        self.has_rank_word = self.value_bits + rank_bits > _WORD
        #: The bits of a row after the position; with a word for the rank, these are all of it.
        self.trailing_bits = _WORD if self.has_rank_word else self.value_bits + rank_bits
        self.scans_bits = max(_length(masks), _length(folded)) + self.trailing_bits > _WORD
        if self.scans_bits:
            masks, folded = np.zeros_like(masks), np.zeros_like(masks)
            for places in self.table.pages():
                differing = self.table.packed(places).reshape(-1, self.words) ^ like
                masks |= np.bitwise_or.reduce(differing, axis=0)
                folded |= np.bitwise_or.reduce(folds.apply(differing), axis=0)
        self.folds = transform_if_sparse(folds, masks, self.count)
        masks = folded if folds.changes_keys and self.folds.changes_keys else masks
        self.fits_one_word = _length(masks) <= _WORD
        self.has_separate_word = self.has_rank_word or _length(masks) + self.trailing_bits > _WORD
        if not self.fits_one_word:
            masks = np.full_like(masks, _ALL)
        self.masks = self.varying = masks
        self.constant_bits = self.folds.apply(like) & ~masks
        #: Words of a row's position, and of the whole row.
        self.key_words = 1 if self.fits_one_word else self.words
        self.row_words = self.key_words + self.has_separate_word + self.has_rank_word

    def _extent(self) -> tuple[int, int]:
        """Return the lowest rank, and the number of ranks up to the highest."""
        ends = set()
        for places in self.table.pages():
            keys = places if self.levels is None else self.table.packed(places)
            ranks = self._ranks(places, keys)
            ends |= {int(ranks.min()), int(ranks.max())}
        return min(ends), max(ends) - min(ends) + 1

    def _ranks(self, places: npt.NDArray[np.int64], keys: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return numbers for positions that decrease along every move.

        The certificate needs them in score games, and if wins and losses have no remoteness: there
        levels are such numbers, and compress well.
        """
        return self.table.steps(places) if self.levels is None else -self.levels(keys)

    def write(self, header: Header) -> None:
        """Write the file."""
        table, writer = self.table, self.writer
        sort = ExternalSort(self.row_words, self._capacity())
        for rows in self._rows():
            sort.add(rows)
        document = self._header()
        sizes: dict[str, Any] = {
            "positions": (np.uint8, self.count, 0, self.blocks),
            "values": (self.dtype, self.count, BLOCK),
        }
        if self.has_ranks:
            sizes["ranks"] = (self.rank_type, self.count, BLOCK)
        sizes["first"] = (np.uint64, self.blocks * self.words, BLOCK)
        if self.images is not None:
            sizes["images"] = (np.uint64, len(self.images.tables), BLOCK)
        sections = table.kind.sections()
        sizes |= {name: (array.dtype, len(array), BLOCK) for name, array in sections.items()}
        create_file(writer, header, document, sizes)
        self.first = np.empty(self.blocks * self.words, np.uint64)
        # An upper bound of the row of each start; all following positions have greater rows.
        positions_before = np.empty(len(table.starts), np.int64)
        highest = np.full(
            (len(positions_before), 1 + self.has_rank_word),
            _ALL if self.has_separate_word else (1 << self.trailing_bits) - 1,
            np.uint64,
        )
        starts, places = (
            self._row_of(table.packed(table.starts), highest),
            np.full(len(positions_before), -1),
        )
        written = 0
        for rows in sort.sorted(BLOCK):
            count = len(rows) // self.row_words
            at_or_before(
                starts, len(positions_before), self.row_words, rows, count, positions_before
            )
            places += positions_before + 1
            self._write_rows(rows, written)
            written += count
        document["starts"] = places.tolist()
        writer.write_waiting()
        writer.write_array("first", self.first)
        if self.images is not None:
            writer.write_array("images", self.images.tables)
        for name, array in sections.items():
            writer.write_array(name, array)

    def _header(self) -> Header:
        """Return the header of the table, after all rows are made."""
        table = self.table
        # The places of the starts are known in the end; no number is longer than this.
        longest = [self.count] * len(table.starts)
        document = table_header("listed", table, self.palette, longest, turns=self.turns)
        document["folds"] = transform_header(self.folds)
        document["varying"] = masks_header(self.varying)
        if self.images is not None:
            document["chunks"] = self.images.chunks
        # In sorted order, places no longer prove reachability.
        if table.reachability_evidence == "places":
            document["reach"] = "any"
        return document

    def _capacity(self) -> int:
        """Return the number of rows in memory at a time.

        Raises:
            BudgetError: the memory budget is too small for a few rows.
        """
        writer = self.writer
        if writer.ledger is None:
            return self.count
        # All runs are merged in one pass, each in batches of more than a few rows.
        least = min(max(_LEAST, _RUN * isqrt(self.count)), self.count)
        row = ExternalSort.bytes_of(self.row_words)
        fixed_bytes = _SMALL + self.blocks * (8 * self.words + 48)
        # With one thread, no part waits to be written.
        threads = self.position_bytes * (1 if writer.threads == 1 else 2 * writer.threads)
        scan_bytes = self.positions_per_scan * _SCANNED_BYTES + threads * self.positions_per_part
        capacity = (writer.ledger.allowed - fixed_bytes - scan_bytes) // row
        if capacity >= least:
            writer.ledger.fits(fixed_bytes + scan_bytes + row * min(capacity, self.count))
        else:  # the parts of threads may be small
            self.positions_per_part = self.positions_per_scan = BLOCK
            needed_bytes = fixed_bytes + (_SCANNED_BYTES + threads) * BLOCK + row * least
            if writer.strict:
                writer.ledger.reserve(needed_bytes, f"saving {self.count:,} positions")
            else:
                writer.ledger.fits(needed_bytes)
        return int(min(max(capacity, least), self.count))

    # -- rows -----------------------------------------------------------------------------------

    def _rows(self) -> Iterator[Rows]:
        """Yield all positions as rows, and compute which bits of their numbers vary."""
        close = isinstance(self.palette, range)
        places_of = Palette(np.array([] if close else self.palette, np.int64))
        varying, first = np.uint64(0), None
        for keys, values, owners, places in self.table.scan(self.positions_per_scan):
            behind = np.empty(len(values), np.uint64)
            if close:
                behind[:] = values - self.palette[0]
                if self.turns:
                    behind += behind + owners
            elif not places_of.choose(values, owners if self.turns else owners[:0], behind):
                message = "a table has a value that it does not count"
                raise AssertionError(message)
            if self.has_ranks:
                ranks = (self._ranks(places, keys) - self.lowest).astype(np.uint64)
                if self.has_rank_word:
                    behind = np.stack([behind, ranks], axis=1)
                else:
                    behind |= ranks << np.uint64(self.value_bits)
            rows = self._row_of(keys, behind)
            if not self.scans_bits:
                first = rows[0] if first is None else first
                varying |= np.bitwise_or.reduce(rows ^ first)
            yield rows
        # Bits of numbers that are equal in all positions are left out.
        self.varying_bits = varying >> np.uint64(self.trailing_bits)
        if not self.scans_bits:
            self.varying = self._packed_of(np.array([self.varying_bits])) & self.masks

    def _row_of(self, keys: Rows, behind: Rows) -> Rows:
        """Return rows of packed positions, followed by their other data.

        Args:
            keys: the packed positions.
            behind: a word for each, or two.
        """
        if self.fits_one_word:
            numbers = np.empty(len(behind), np.uint64)
            bits = self.folds.sources, self.folds.shifts, self.masks, self.constant_bits
            to_numbers(keys, bits, numbers, np.empty(len(behind), np.bool_))
        else:
            numbers = self.folds.apply(keys)
        if self.has_separate_word:
            words = numbers.reshape(-1, self.key_words), behind.reshape(len(behind), -1)
            return np.concatenate(words, axis=1).reshape(-1)
        numbers <<= np.uint64(self.trailing_bits)
        numbers |= behind.reshape(-1)
        return numbers

    def _split_rows(self, rows: Rows) -> tuple[Rows, Rows, Rows]:
        """Return the sort keys of rows, their palette indices and their ranks."""
        if self.has_separate_word:
            parts = rows.reshape(-1, self.row_words)
            keys = np.ascontiguousarray(parts[:, : self.key_words]).reshape(-1)
            behind = parts[:, self.key_words]
            if self.has_rank_word:
                return keys, behind, parts[:, -1]
        else:
            keys = rows >> np.uint64(self.trailing_bits)
            behind = rows & np.uint64((1 << self.trailing_bits) - 1)
        chosen = behind & np.uint64((1 << self.value_bits) - 1)
        return keys, chosen, behind >> np.uint64(self.value_bits)

    def _packed_of(self, numbers: Rows) -> Rows:
        """Return packed positions, still transformed, from numbers with all their bits."""
        if not self.fits_one_word:
            return numbers
        out, no_bits = np.empty(len(numbers) * self.words, np.uint64), np.zeros_like(self.masks)
        from_numbers(numbers, (no_bits, no_bits, self.masks, self.constant_bits), out)
        return out

    # -- blocks ---------------------------------------------------------------------------------

    def _write_rows(self, rows: Rows, row_count: int) -> None:
        """Write the rows after the first ``row_count``, unless an earlier process did."""
        writer, width, count = self.writer, self.row_words, len(rows) // self.row_words
        begins = np.ascontiguousarray(rows.reshape(-1, width)[::BLOCK]).reshape(-1)
        first = self._packed_of(self._split_rows(begins)[0])
        block = row_count // BLOCK
        self.first[block * self.words : block * self.words + len(first)] = first
        levels = compression(self.table, self.dtype)[: 2 + self.has_ranks]

        def part(begin: int, end: int) -> tuple[Blocks, ...]:
            low, high = begin * BLOCK - row_count, min(end * BLOCK - row_count, count)
            keys, chosen, ranks = self._split_rows(rows[low * width : high * width])
            if not self.scans_bits:
                no_bits = np.zeros(1, np.uint64)
                bits = no_bits, no_bits, np.array([self.varying_bits]), no_bits
                to_numbers(keys, bits, keys, np.empty(len(keys), np.bool_))
            data, ends = np.empty(len(keys) * WORD, np.uint8), np.empty(end - begin, np.int64)
            encode(keys, self.key_words, BLOCK, data, ends)
            parts = [(data, ends), blocks_of(chosen.astype(self.dtype), BLOCK)]
            if self.has_ranks:
                parts.append(blocks_of(differences(ranks.astype(self.rank_type)), BLOCK))
            return tuple(parts)

        blocks = range(max(block, writer.known_blocks("positions")), block + -(-count // BLOCK))
        writer.write_several(part, blocks, -(-self.positions_per_part // BLOCK), levels)


def _length(masks: npt.NDArray[np.uint64]) -> int:
    """Return the number of bits of masks."""
    return int(np.bitwise_count(masks).sum())
