"""The header and the values of a table file, as all kinds of tables write them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import header_palette
from zermelo._engine.column.palette import Palette
from zermelo._engine.core.array_types import IntArray, Uint8Array
from zermelo._engine.file.format import Header, plan
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import LEVEL, Blocks, Level, Writer, blocks_of

#: Returns the values of a range of numbers, and the players to move (or an empty array).
Source: TypeAlias = Callable[[int, int], tuple[npt.NDArray[Any], Uint8Array]]

#: Values that one thread converts to palette indices in one batch.
_VALUES_PER_BATCH = 1 << 18
#: Bytes that each of them takes during the conversion.
_BYTES = 40


class PalettePlaces(ABC):
    """The values of a table as palette indices, to be written to a file.

    Attributes:
        palette: the values that occur, ascending.
        turns: whether the player to move is stored.
        dtype: the type of the stored numbers.
    """

    def __init__(self, count: int, palette: Sequence[int], *, turns: bool, per_block: int) -> None:
        """Store the count and the palette.

        Args:
            count: the number of values.
            palette: the values that occur, ascending.
            turns: whether the player to move is stored.
            per_block: values in a block.
        """
        self.turns = turns
        self.palette = palette
        self.dtype = np.dtype(
            header_palette.narrowest_type(header_palette.span_of(palette) << int(turns))
        )
        self._count = count
        self._per_block = per_block

    def plan(self) -> tuple[Any, int, int]:
        """Return the size of the array, for ``format.plan``."""
        return self.dtype, self._count, self._per_block

    @abstractmethod
    def stored_numbers(self, begin: int, end: int) -> IntArray:
        """Return the stored numbers of a range.

        Palette indices, with turns twice these plus the player.
        """

    def write(self, writer: Writer, level: Level = LEVEL) -> None:
        """Write the array ``values``, which must be the next of the file."""
        per_block = self._per_block

        def part(begin: int, end: int) -> Blocks:
            return blocks_of(
                self.stored_numbers(begin * per_block, min(end * per_block, self._count)), per_block
            )

        blocks_per_part = -(-writer.elements_per_part(_BYTES, _VALUES_PER_BATCH) // per_block)
        writer.write_parts("values", part, blocks_per_part, level)


class PaletteValues(PalettePlaces):
    """Values that are looked up in the palette."""

    def __init__(
        self, count: int, palette: Sequence[int], source: Source, *, turns: bool, per_block: int
    ) -> None:
        """Store the source of the values.

        Args:
            count: the number of values.
            palette: the values that occur, ascending.
            source: returns the values of a range.
            turns: whether it returns the player to move.
            per_block: values in a block.
        """
        super().__init__(count, palette, turns=turns, per_block=per_block)
        self._places = Palette(np.array(palette, np.int64))
        self._source = source

    def stored_numbers(self, begin: int, end: int) -> IntArray:
        """Return the stored numbers of a range; see ``PalettePlaces``."""
        values, owners = self._source(begin, end)
        out = np.empty(end - begin, self.dtype)
        if not self._places.choose(values, owners if self.turns else owners[:0], out):
            message = "a table has a value that it does not count"
            raise AssertionError(message)
        return out


def table_header(
    kind: str,
    table: Any,
    palette: Sequence[int],
    starts: list[int],
    *,
    turns: bool,
    **extra_entries: object,
) -> Header:
    """Return the header of a table."""
    return {
        "kind": kind,
        "positions": len(table),
        "words": table.words,
        "value_kind": table.kind.name,
        "turns": turns,
        "reach": table.reachability_evidence,
        "palette": header_palette.palette_header(palette),
        "starts": starts,
        **extra_entries,
    }


def create_file(
    writer: Writer, header: Header, document: dict[str, Any], sizes: dict[str, Any]
) -> None:
    """Create a file with arrays of these sizes."""
    writer.begin({**header, "table": document}, plan(sizes))


def starts_of(pages: TableArrays, count: int, words: int) -> tuple[Places, str]:
    """Return the places of the starts, and the reachability evidence; see ``Table``.

    Raises:
        CorruptTableError: the header lacks them, or has another number of words.
    """
    header = pages.reader.header["table"]
    try:
        starts, reach = np.array(header["starts"], np.int64), header["reach"]
        is_valid = header["words"] == words and reach in ("places", "any", "legal")
        is_valid &= starts.ndim == 1 and len(starts) > 0
        is_valid &= bool(((starts >= 0) & (starts < count)).all())
    except (KeyError, TypeError, ValueError, OverflowError):
        raise pages.part_error("header") from None
    if not is_valid:
        raise pages.part_error("header")
    return starts, reach
