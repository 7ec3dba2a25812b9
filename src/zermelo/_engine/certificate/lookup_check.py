"""The certificate of a file's index: whoever asks for a position finds that one, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo import limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo._engine.table import Table
    from zermelo.progress import Reporter

#: Positions that are looked for together.
_TOGETHER = 1 << 12


def first_misplaced(
    table: Table, report: Reporter, pages: Iterator[npt.NDArray[np.int64]] | None = None
) -> int | None:
    """Return the first place whose position is not found there, or None.

    Values are checked for what stands at places. So what finds the places of positions has to be
    checked as well: the arrays that it searches are in the file, too. All are looked for as
    ``probe_many`` does, and of each batch the first and the last as one question does.

    Args:
        table: positions and values, of which the index reads a file.
        report: is told how many positions have been found.
        pages: the places to look at; by default all.
    """
    key = np.zeros(table.words, np.uint64)
    find, done = table.index.finder(key), 0
    for page in pages or table.pages():
        for places in np.array_split(page, -(-len(page) // limits.current().batch(_TOGETHER))):
            packed = table.packed(places)
            found = np.empty(len(places), np.int64)
            table.places(packed, len(places), found)
            wrong = np.flatnonzero(found != places)
            if len(wrong):
                return int(places[wrong[0]])
            rows = packed.reshape(len(places), -1)
            for at in (0, -1):
                key[:] = rows[at]
                if find() != places[at]:
                    return int(places[at])
            done += len(places)
            report.advance(done)
    return None
