"""The certificate of a file's index: a look-up of a position finds that position, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo._engine.table import Table
    from zermelo.progress import Reporter

#: Positions that are looked for together.
_BATCH_SIZE = 1 << 12


def first_misplaced(
    table: Table, report: Reporter, pages: Iterator[Int64Array] | None = None
) -> int | None:
    """Return the first place at which a look-up does not find its position, or None.

    Other checks are about the values at places. So the arrays that look-ups search, which are in
    the file too, need a check of their own. All positions are looked up in batches, as
    ``probe_many`` does, and the first and the last of each batch singly.

    Args:
        table: positions and values; its index reads a file.
        report: receives the number of positions found.
        pages: the places to check; by default all.
    """
    key = np.zeros(table.words, np.uint64)
    find, checked_count = table.index.finder(key), 0
    for page in pages or table.pages():
        for places in np.array_split(page, -(-len(page) // limits.current().batch(_BATCH_SIZE))):
            packed = table.packed(places)
            places_found = np.empty(len(places), np.int64)
            table.places(packed, len(places), places_found)
            misplaced = np.flatnonzero(places_found != places)
            if len(misplaced):
                return int(places[misplaced[0]])
            rows = packed.reshape(len(places), -1)
            for row in (0, -1):
                key[:] = rows[row]
                if find() != places[row]:
                    return int(places[row])
            checked_count += len(places)
            report.advance(checked_count)
    return None
