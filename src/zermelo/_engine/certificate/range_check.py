"""The certificate of a part of a table.

That values follow from their successors' is checked of each part by itself. Which positions can be
reached is a question about all parts: each says which positions its moves lead to. Where every move
raises the level, a position that a move leads to from any other of the table can be reached if that
one can: by induction on levels, all can if each but the starts is entered. In other games each part
is asked for those of its positions that were reached last, until there are no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.table_check import Batches, check_pages
from zermelo._engine.expand.expander import Expand
from zermelo._engine.table import Table
from zermelo.progress import Reporter


class LevelledExpand(Expand, Protocol):
    """Compiled rules that know levels."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions."""


class RaisingRules:
    """Compiled rules that note whether every move has raised the level.

    Attributes:
        raising: whether all moves did so far.
    """

    def __init__(self, expand: LevelledExpand) -> None:
        """Take the rules; see ``Expand`` for what stands here besides."""
        self._expand = expand
        self.raising = True
        self.words, self.used = expand.words, expand.used
        self.alternate, self.kind = expand.alternate, expand.kind
        self.endless, self.explain = expand.endless, expand.explain

    def __call__(  # one buffer each
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        children: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
        values: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        gains: npt.NDArray[np.int64],
    ) -> tuple[int, int, int]:
        """Expand positions; see ``Expand``."""
        given = keys, begin, end, children, ends, values, owners, gains
        done, made, status = self._expand(*given)
        if done:
            own, above = np.empty(done, np.int64), np.empty(made, np.int64)
            self._expand.levels(keys[begin * self.words :], done, own)
            self._expand.levels(children, made, above)
            each = np.diff(ends[:done], prepend=np.int32(0))
            if (above <= np.repeat(own, each)).any():
                self.raising = False
        return done, made, status


class RangeOrder:
    """The places from one to another, or some of them, in ascending order."""

    def __init__(
        self,
        span: tuple[int, int],
        page: int,
        reached: npt.NDArray[np.uint8],
        among: npt.NDArray[np.bool_] | None = None,
        *,
        legal: bool = False,
    ) -> None:
        """Begin.

        Args:
            span: the first place, and the one behind the last.
            page: how many are taken at once.
            reached: is marked where moves lead.
            among: of each place, whether it is one of those that are wanted; None for all.
            legal: whether those that are legal are marked instead.
        """
        self.walking, self.legal = not legal, legal
        self.own: npt.NDArray[np.bool_] | None = None
        self._at, self._end = span
        self._begin, self._among = self._at, among
        self._page = page
        self._reached = reached

    def next(self) -> npt.NDArray[np.int64] | None:
        """Return some places, or None where there are no more."""
        while self._at < self._end:
            begin, self._at = self._at, min(self._at + self._page, self._end)
            if self._among is None:
                return np.arange(begin, self._at)
            wanted = self._among[begin - self._begin : self._at - self._begin]
            if wanted.any():
                return np.flatnonzero(wanted) + begin
        return None

    def enter(self, places: npt.NDArray[np.int64]) -> None:
        """Mark places that moves lead to."""
        self._reached[places] = 1


def part_checked(
    expand: Any,
    table: Table,
    span: tuple[int, int],
    threads: int,
    batches: Batches,
    among: npt.NDArray[np.bool_] | None = None,
) -> tuple[Finding, npt.NDArray[np.uint8]] | None:
    """Check the values at the places from one to another, all of which a table has.

    Args:
        expand: the compiled rules, which know levels if all places are wanted.
        table: positions and values.
        span: the first place, and the one behind the last.
        threads: threads to use.
        batches: how large batches are.
        among: of each of these, whether it is wanted; None for all.

    Returns:
        The finding, and a 1 for each place of the table that a move leads to from there, or, where
        the table claims to have all that is legal, for each of these that is; None where a move
        does not raise the level.
    """
    rules = RaisingRules(expand) if among is None else expand
    reached = np.zeros(table.span, np.uint8)
    legal = table.reachability_evidence == "legal"
    order = RangeOrder(span, batches.page, reached, among, legal=legal)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        finding = check_pages(rules, table, reached, order, pool, Reporter(), batches)
    if isinstance(rules, RaisingRules) and not rules.raising:
        return None
    return finding, reached


def pages_of(span: tuple[int, int], page: int) -> Iterator[npt.NDArray[np.int64]]:
    """Give the places from one to another, some at once."""
    for begin in range(*span, page):
        yield np.arange(begin, min(begin + page, span[1]))
