"""Tables of small games as large ones are: in many blocks, and with more values than are listed.

These sizes are part of a table's format. A board of many blocks by itself takes seconds, a game
of 65,536 different expectations minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from zermelo._engine.certificate import order, table_check
from zermelo._engine.certificate.table_check import Batches
from zermelo._engine.column import header_palette
from zermelo._engine.table import Table
from zermelo._methods.placement.file import column, index


@contextmanager
def small_tiers(words: int | None = 1) -> Iterator[None]:
    """Write tables of boards in blocks of ``words`` words of values, each group of patterns alone.

    They are read right only meanwhile.
    """
    per_block = column.PER_BLOCK if words is None else 64 * words
    with (
        mock.patch.object(column, "PER_BLOCK", per_block),
        mock.patch.object(index, "_GROUP", 1),
    ):
        yield


def short_palettes(most: int) -> Any:
    """List at most ``most`` different values in a table, and the range of more."""
    return mock.patch.object(header_palette, "_MOST_LISTED", most)


#: A few positions at once.
SMALL = Batches(1, 70, 90, 0)


@contextmanager
def small_batches() -> Iterator[None]:
    """Keep no table in memory: unpack one block at a time, and check few positions in a batch."""
    kept = Table.limit_cache
    with (
        mock.patch.object(Table, "loaded_bytes", 1 << 40),
        mock.patch.object(Table, "decompressed_bytes", 1 << 40),
        mock.patch.object(Table, "limit_cache", lambda table, _: kept(table, 1)),
        mock.patch.object(Batches, "fit", return_value=SMALL),
        mock.patch.object(table_check, "PAGE", 50),  # what is larger is read block by block
        mock.patch.object(order, "PAGE", 50),
        mock.patch.object(table_check, "_PIECE", 30),
    ):
        yield
