"""Check that positions with equal ``canonical`` forms have equal values.

The certificate proves the values of canonical positions on the assumption that any other position
has the value of its canonical one. An author's function can identify any two positions. So the
positions that are not canonical are collected as play reaches them, by moves from the starts, from
canonical positions and from those collected before, until there are no new ones. Each must have the
value that its own moves imply. Then, by the same induction, the values are right for the game as it
is played, of which canonical positions are a part.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo import limits
from zermelo._engine.certificate.kernels import NOTHING, Finding
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.certificate.position_check import check_expanded
from zermelo._engine.certificate.symmetry import distinct_rows, spaced_places
from zermelo._engine.core.array_types import Uint64Array
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, run_expand
from zermelo._engine.expand.orbit_counts import Folded
from zermelo._engine.table import Table
from zermelo.progress import Reporter

_CAPACITY, _NOWHERE = 12, np.empty(0, np.uint8)


def first_inequivalence(
    folded: Folded,
    plain: Expand,
    starts: Uint64Array,
    table: Table,
    most: int,
    report: Reporter,
    *,
    whole: bool = False,
) -> tuple[Finding, Uint64Array] | None:
    """Check that positions which are not canonical have the value of their canonical one.

    Args:
        folded: the rules that return canonical positions.
        plain: the rules that return positions unchanged.
        starts: the packed starts, not canonicalised, shape (k, words).
        table: the canonical positions.
        most: positions to play from. If there are more, canonical ones are sampled at regular
            distances, and of the others the last ones collected are left out.
        report: receives the number of positions played from.
        whole: whether to continue with the positions left out, again at such distances.

    Returns:
        The finding and the packed position with the fault; or None.
    """
    check = _NoncanonicalCheck(folded, plain, table, report)
    row_batches = [check.noncanonical(np.ascontiguousarray(starts))]
    known_rows = row_batches[0][:0]
    spacing = max(1, -(-2 * len(table) // most))
    for skipped in range(spacing if whole else 1):
        for places in spaced_places(table, spacing, skipped):
            row_batches += check.noncanonical_children(
                table.packed(places).reshape(-1, table.words)
            )
        while len(new_rows := _missing_rows(distinct_rows(row_batches), known_rows)):
            wrong = check.first_wrong(new_rows)
            if wrong is not None:
                return wrong
            known_rows = np.concatenate([known_rows, new_rows])
            row_batches = [known_rows[:0]]
            if len(known_rows) >= most * (skipped + 1):
                break
            row_batches = list(check.noncanonical_children(new_rows))
    return None


class _NoncanonicalCheck:
    """The check of positions that are not canonical: buffers and counters."""

    def __init__(self, folded: Folded, plain: Expand, table: Table, report: Reporter) -> None:
        self.folded, self.plain, self.table = folded, plain, table
        self.report, self.checked_count = report, 0
        self.chunk = limits.current().batch(CHUNK)
        self.buffers = Buffers.for_rules(folded, self.chunk, _CAPACITY * self.chunk)

    def noncanonical(self, rows: Uint64Array) -> Uint64Array:
        """Return the distinct positions of ``rows`` that are not canonical."""
        canonical = self.folded.canonical(rows.reshape(-1), len(rows)).reshape(rows.shape)
        return distinct_rows([rows[(canonical != rows).any(axis=1)]])

    def noncanonical_children(self, rows: Uint64Array) -> Iterator[Uint64Array]:
        """Yield the children that are not canonical, a batch at a time."""
        words, begin = self.table.words, 0
        while begin < len(rows):
            end = min(begin + self.chunk, len(rows))
            keys = np.ascontiguousarray(rows[begin:end]).reshape(-1)
            expanded_count, child_count = run_expand(self.plain, keys, 0, end - begin, self.buffers)
            yield self.noncanonical(self.buffers.children[: child_count * words].reshape(-1, words))
            begin += expanded_count
            self.checked_count += expanded_count
            self.report.advance(self.checked_count)

    def first_wrong(self, rows: Uint64Array) -> tuple[Finding, Uint64Array] | None:
        """Return the first position whose moves contradict the value of its canonical position."""
        folded, table, begin = self.folded, self.table, 0
        while begin < len(rows):
            end = min(begin + self.chunk, len(rows))
            keys = np.ascontiguousarray(rows[begin:end]).reshape(-1)
            expanded_count, child_count = run_expand(folded, keys, 0, end - begin, self.buffers)
            canonical_parents = TableData.look_up_positions(
                folded, table, folded.canonical(keys, end - begin), end - begin
            )
            parents = canonical_parents.head(expanded_count)
            if folded.kind.stages:  # by the position itself, not its canonical one
                parents = parents._replace(
                    endless=folded.endless(keys, expanded_count, parents.owners)
                )
            children = TableData.look_up_positions(
                folded, table, self.buffers.children, child_count
            )
            fault, i, expected = check_expanded(
                folded, table, self.buffers, parents, children, _NOWHERE
            )
            if fault != NOTHING:
                finding = Finding(0, 0, fault, int(parents.places[i]), expected)
                return finding, rows[begin + i]
            begin += expanded_count
        return None


def _missing_rows(rows: Uint64Array, known: Uint64Array) -> Uint64Array:
    """Return the rows that are not among ``known``; all rows of each argument are distinct."""
    if rows.shape[1] == 1:
        return rows[~np.isin(rows[:, 0], known[:, 0], assume_unique=True)]
    distinct, counts = np.unique(np.concatenate([known, rows, known]), axis=0, return_counts=True)
    missing: Uint64Array = distinct[counts == 1]
    return missing
