"""The certificate of a range of a table.

The values of each range are checked separately. Reachability concerns all ranges: each reports the
places that its moves lead to. If every move raises the level, a position that has a move from any
other position of the table is reachable if that one is: by induction on levels, all positions are
reachable if each but the starts is entered. In other games the ranges are checked again and again
for the positions that were reached last, until there are no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.table_check import Batches, check_pages
from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint8Array, Uint64Array
from zermelo._engine.expand.expander import Buffers, Expand
from zermelo._engine.table import Table
from zermelo.progress import Reporter


class LevelledExpand(Expand, Protocol):
    """Compiled rules with a level function."""

    def levels(self, packed: Uint64Array, count: int, out: Int64Array) -> None:
        """Write the levels of ``count`` packed positions."""


class RaisingRules:
    """Compiled rules that record whether every move has raised the level.

    Attributes:
        raises_all: whether all moves did so far.
    """

    def __init__(self, expand: LevelledExpand) -> None:
        """Wrap compiled rules; the other attributes are those of ``Expand``."""
        self._expand = expand
        self.raises_all = True
        self.words, self.used = expand.words, expand.used
        self.alternate, self.kind = expand.alternate, expand.kind
        self.endless, self.explain = expand.endless, expand.explain

    def __call__(
        self, keys: Uint64Array, begin: int, end: int, out: Buffers
    ) -> tuple[int, int, int]:
        """Expand positions and compare levels; arguments and result as for ``Expand``."""
        expanded_count, child_count, status = self._expand(keys, begin, end, out)
        if expanded_count:
            parent_levels, child_levels = (
                np.empty(expanded_count, np.int64),
                np.empty(child_count, np.int64),
            )
            self._expand.levels(keys[begin * self.words :], expanded_count, parent_levels)
            self._expand.levels(out.children, child_count, child_levels)
            degrees = np.diff(out.ends[:expanded_count], prepend=np.int32(0))
            if (child_levels <= np.repeat(parent_levels, degrees)).any():
                self.raises_all = False
        return expanded_count, child_count, status


class RangeOrder:
    """The places of a range, or some of them, in ascending order."""

    def __init__(
        self,
        span: tuple[int, int],
        page: int,
        reached: Uint8Array,
        selected: BoolArray | None = None,
        *,
        legal: bool = False,
    ) -> None:
        """Create the order of a range.

        Args:
            span: the first place of the range, and the place after the last.
            page: places in a batch.
            reached: receives marks at the places that moves lead to.
            selected: for each place of the range, whether to visit it; None for all.
            legal: whether legal places are marked instead.
        """
        self.needs_targets, self.legal = not legal, legal
        self.was_reached: BoolArray | None = None
        self._next, self._end = span
        self._begin, self._selected = self._next, selected
        self._page = page
        self._reached = reached

    def next_batch(self) -> Int64Array | None:
        """Return the next batch of places, or None after the last."""
        while self._next < self._end:
            begin, self._next = self._next, min(self._next + self._page, self._end)
            if self._selected is None:
                return np.arange(begin, self._next)
            selected = self._selected[begin - self._begin : self._next - self._begin]
            if selected.any():
                return np.flatnonzero(selected) + begin
        return None

    def add_reached(self, places: Int64Array) -> None:
        """Mark the places that moves lead to."""
        self._reached[places] = 1


def check_part(
    expand: Any,
    table: Table,
    span: tuple[int, int],
    threads: int,
    batches: Batches,
    selected: BoolArray | None = None,
) -> tuple[Finding, Uint8Array] | None:
    """Check the values of a range of places.

    Args:
        expand: the compiled rules, with levels if ``selected`` is None.
        table: positions and values.
        span: the first place of the range, and the place after the last.
        threads: threads to use.
        batches: the size of batches.
        selected: for each place of the range, whether to check it; None for all.

    Returns:
        The finding, and an array with a 1 for each place of the table that a move of the range
        leads to, or, for a table of all legal positions, for each legal place of the range; None if
        a move does not raise the level.
    """
    rules = RaisingRules(expand) if selected is None else expand
    reached = np.zeros(table.span, np.uint8)
    legal = table.reachability_evidence == "legal"
    order = RangeOrder(span, batches.page, reached, selected, legal=legal)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        finding = check_pages(rules, table, reached, order, pool, Reporter(), batches)
    if isinstance(rules, RaisingRules) and not rules.raises_all:
        return None
    return finding, reached


def range_pages(span: tuple[int, int], page: int) -> Iterator[Int64Array]:
    """Yield the places of a range in batches."""
    for begin in range(*span, page):
        yield np.arange(begin, min(begin + page, span[1]))
