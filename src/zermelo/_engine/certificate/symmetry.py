"""The check of declared symmetries: an image of a position has the images of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from zermelo import limits
from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint64Array
from zermelo._engine.core.hashing import mix
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, expanded_parts, run_expand
from zermelo._engine.expand.orbit_counts import Folded
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter
from zermelo.values.expectations import ALGEBRA as EXPECTATION
from zermelo.values.expectations import CONTINUES, PASSED

#: The initial capacity for moves of a position, and the symmetries that are sampled for a ply.
_CAPACITY, _SYMMETRIES_PER_PLY = 12, 8


def first_asymmetry(
    folded: Folded,
    plain: Expand,
    steps: Sequence[Folded],
    table: Table,
    most: int,
    report: Reporter | None = None,
    *,
    whole: bool = False,
) -> tuple[int, int] | None:
    """Check that images of positions end equally or have moves to equivalent positions.

    At first the moves of an image must be the images of the moves, which needs no canonical forms.
    Some rules reorder a position as they play. From the first difference on, children are compared
    by their canonical forms.

    Args:
        folded: the rules that return canonical positions.
        plain: the rules that return positions unchanged.
        steps: for each symmetry rules whose ``canonical`` returns images under it.
        table: the positions.
        most: images to check. If there are more, positions are sampled at regular distances.
        report: receives the number of images checked.
        whole: whether to check the positions left out afterwards, again at such distances.

    Returns:
        The place of the first position that differs from an image of it, and the index of the
        symmetry, or None.
    """
    spacing = max(1, -(-len(table) * len(steps) // most))
    chunk = min(limits.current().batch(CHUNK), max(1, len(table)))
    comparison = _ImageComparison(folded, plain, steps, chunk, report or Reporter())
    numbers = range(len(steps))
    for skipped in range(spacing if whole else 1):
        for places in spaced_places(table, spacing, skipped):
            difference = comparison.first_difference(table.packed(places), len(places), numbers)
            if difference is not None:
                return int(places[difference[0]]), difference[1]
    return None


def first_asymmetry_in_playouts(
    folded: Folded,
    plain: Expand,
    steps: Sequence[Folded],
    starts: Uint64Array,
    most: int,
    rng: np.random.Generator,
    report: Reporter,
) -> tuple[Uint64Array, int] | None:
    """Check symmetries at positions of some thousand random games, if there is no table.

    Args:
        folded: the rules that return canonical positions.
        plain: the rules that return positions unchanged.
        steps: for each symmetry rules whose ``canonical`` returns images under it. Of many
            symmetries, a few are sampled for each ply.
        starts: the packed starts, not canonicalised, shape (k, words).
        most: images to check.
        rng: the random generator.
        report: receives the number of images checked.

    Returns:
        The first position that differs from an image of it, packed, and the index of the symmetry.
    """
    comparison = _ImageComparison(folded, plain, steps, CHUNK, report)
    first = np.ascontiguousarray(starts).reshape(-1, plain.words)
    rows = first[:0]
    while comparison.checked_count < most:
        rows = rng.permutation(distinct_rows([rows]) if len(rows) else first)[:CHUNK]
        keys, numbers = rows.reshape(-1), rng.permutation(len(steps))[:_SYMMETRIES_PER_PLY].tolist()
        difference = comparison.first_difference(keys, len(rows), numbers)
        if difference is not None:
            return rows[difference[0]], difference[1]
        rows = next(expanded_parts(plain, keys, len(rows), comparison.buffers)).children
    return None


class _ImageComparison:
    """A comparison of positions with their images: buffers and counters."""

    def __init__(
        self, folded: Folded, plain: Expand, steps: Sequence[Folded], chunk: int, report: Reporter
    ) -> None:
        self.folded, self.plain, self.steps = folded, plain, steps
        self.chunk, self.report, self.checked_count = chunk, report, 0
        self.buffers, self.image_buffers = (
            Buffers.for_rules(plain, chunk, _CAPACITY * chunk) for _ in range(2)
        )
        #: Whether children are compared directly, and not by their canonical forms.
        self.exact = True

    def first_difference(
        self, keys: Uint64Array, count: int, numbers: Sequence[int]
    ) -> tuple[int, int] | None:
        """Return the first position that differs from an image, and the symmetry, or None."""
        words, begin = self.plain.words, 0
        while begin < count:
            rules = self.plain if self.exact else self.folded
            end = min(begin + self.chunk, count)
            expanded_count, child_count = run_expand(rules, keys, begin, end, self.buffers)
            batch = keys[begin * words : (begin + expanded_count) * words]
            difference = self._compare_images(batch, expanded_count, child_count, numbers)
            if difference is None:
                begin += expanded_count
                continue
            number, n = begin + difference[0], difference[1]
            if not self.exact:
                return number, n
            self.exact = False
            position = batch[difference[0] * words : (difference[0] + 1) * words]
            _, child_count = run_expand(self.folded, position, 0, 1, self.buffers)
            if self._compare_images(position, 1, child_count, [n]) is not None:
                return number, n
        return None

    def _compare_images(
        self,
        positions: Uint64Array,
        count: int,
        child_count: int,
        numbers: Sequence[int],
    ) -> tuple[int, int] | None:
        """Return the first expanded position that differs from an image, and the symmetry."""
        rules, buffers = (self.plain if self.exact else self.folded), self.buffers
        child_checksums = checksums(buffers, buffers.children, count, rules)
        for n in numbers:
            step = self.steps[n]
            images = step.canonical(positions, count)
            if self.exact:
                child_images = step.canonical(buffers.children, child_count)
                child_checksums = checksums(buffers, child_images, count, rules)
            index = self._first_differing(rules, images, child_checksums)
            if index is None:
                index = _first_endless_asymmetry(self.folded, buffers, positions, images, count)
            if index is not None:
                return index, n
            self.checked_count += count
            self.report.advance(self.checked_count)
        return None

    def _first_differing(
        self, rules: Expand, images: Uint64Array, child_checksums: Uint64Array
    ) -> int | None:
        """Return the first of the expanded positions that differs from its image, or None.

        Args:
            rules: the rules that expanded them.
            images: the images, packed.
            child_checksums: for each position a checksum of the children its image should have.
        """
        originals, image_buffers = self.buffers, self.image_buffers
        first = 0
        for part in expanded_parts(rules, images, len(child_checksums), image_buffers):
            begin, end = part.begin, part.end
            is_equal = originals.values[begin:end] == part.values
            is_equal &= originals.ends[begin:end] - first == part.ends
            is_equal &= child_checksums[begin:end] == checksums(
                image_buffers, image_buffers.children, end - begin, rules
            )
            if not self.folded.alternate:  # else images may be of the other player
                is_equal &= originals.owners[begin:end] == part.owners
            if not is_equal.all():
                return begin + int(np.argmin(is_equal))
            first = int(originals.ends[end - 1])
        return None


def checksums(expanded: Buffers, children: Uint64Array, count: int, rules: Expand) -> Uint64Array:
    """Return for each position a checksum of its children and gains that ignores their order.

    It is a sum of 64-bit hashes, so that different moves have equal checksums only by chance.
    Sorting the moves instead takes longer than everything else.

    Args:
        expanded: positions that have been expanded.
        children: the packed children.
        count: the number of positions.
        rules: the rules that expanded the positions.
    """
    words = rules.words
    ends = expanded.ends[:count]
    child_count = int(ends[-1]) if count else 0
    hashes = np.full(child_count, words, np.uint64)
    for column in children[: child_count * words].reshape(child_count, words).T:
        mix(hashes, column)
    gains = expanded.gains[:child_count]
    if gains.size and rules.kind.algebra == EXPECTATION and not rules.kind.adds_points:
        hashes = _result_hashes(hashes, gains)
    elif gains.size:
        mix(hashes, gains.view(np.uint64))
    sums = np.zeros(child_count + 1, np.uint64)
    np.cumsum(hashes, out=sums[1:])
    cumulative: Uint64Array = sums[ends]
    return np.diff(cumulative, prepend=np.uint64(0))


def _result_hashes(hashes: Uint64Array, labels: Int64Array) -> Uint64Array:
    """Return the hashes of results of chance, each at the place of its first edge, and of moves.

    A result that is not kept has an edge for each of its moves, and the first of them has its
    weight. Any of the moves may be the first.

    Args:
        hashes: the hashes of the positions that the edges lead to.
        labels: the labels of the edges; see ``zermelo.values.expectations``.
    """
    mix(hashes, (labels & PASSED).view(np.uint64))
    firsts = np.flatnonzero(labels & CONTINUES == 0)
    sums = np.add.reduceat(hashes, firsts)
    mix(sums, (labels[firsts] & ~np.int64(PASSED)).view(np.uint64))
    results = np.zeros_like(hashes)
    results[firsts] = sums
    return results


def differing_mask(folded: Folded, rows: Uint64Array, images: Uint64Array) -> BoolArray:
    """Return the mask of positions whose end or children differ from those of their images.

    Args:
        folded: the rules that return canonical positions, by which children are compared.
        rows: packed positions, shape (n, words).
        images: the packed images of the positions, shape (n, words).
    """
    buffers = Buffers.for_rules(folded, len(rows), _CAPACITY * len(rows))
    summaries = []
    for packed in (rows, images):
        keys = np.ascontiguousarray(packed).reshape(-1)
        summaries.append(np.empty((3, len(rows)), np.uint64))
        for part in expanded_parts(folded, keys, len(rows), buffers):
            summary = summaries[-1][:, part.begin : part.end]
            summary[0] = part.values.astype(np.int64).view(np.uint64)
            summary[1] = part.degrees
            summary[2] = checksums(buffers, buffers.children, part.end - part.begin, folded)
    differs: BoolArray = (summaries[0] != summaries[1]).any(axis=0)
    return differs


def spaced_places(table: Table, spacing: int, skipped: int = 0) -> Iterator[Int64Array]:
    """Yield places at regular distances, about a page in each batch.

    Args:
        table: the table of the places.
        spacing: the distance.
        skipped: the number of places before the first.
    """
    offset, batch_size = -skipped, 0
    batch: list[Int64Array] = []
    for page in table.pages():
        batch.append(page[-offset % spacing :: spacing])
        offset += len(page)
        batch_size += len(batch[-1])
        if batch_size >= PAGE:
            yield np.concatenate(batch)
            batch, batch_size = [], 0
    if batch_size:
        yield np.concatenate(batch)


def distinct_rows(rows: Sequence[Uint64Array]) -> Uint64Array:
    """Return the distinct rows of words, in ascending order."""
    every = np.concatenate(rows)
    if every.shape[1] == 1:  # sorting numbers is faster than sorting rows
        return np.unique(every).reshape(-1, 1)
    return np.unique(every, axis=0)


def _first_endless_asymmetry(
    folded: Folded,
    expanded: Buffers,
    positions: Uint64Array,
    images: Uint64Array,
    count: int,
) -> int | None:
    """Return the first position for which endless play has another value than for its image."""
    if not folded.kind.stages:
        return None
    endless_values, image_values = (
        folded.endless(keys, count, expanded.owners) for keys in (positions, images)
    )
    is_undecided = expanded.values[: len(endless_values)] == folded.kind.unknown
    differing = np.flatnonzero(is_undecided & (endless_values != image_values))
    return int(differing[0]) if len(differing) else None
