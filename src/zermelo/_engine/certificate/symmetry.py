"""Whether declared symmetries are symmetries: images of a position have images of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.hashing import mix
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, run_expand
from zermelo._engine.expand.unfold import Folded
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter

_CAPACITY = 12


def first_unlike(
    folded: Folded,
    plain: Expand,
    steps: Sequence[Folded],
    table: Table,
    most: int,
    report: Reporter | None = None,
    *,
    whole: bool = False,
) -> tuple[int, int] | None:
    """Look at images of positions, and see that they end alike or have moves to the same classes.

    At first the moves of an image must be the images of the moves, which is seen without making
    anything canonical. Where rules put things in order as they play, that is not so; from there on,
    what moves lead to is compared by classes.

    Args:
        folded: the rules, giving canonical positions.
        plain: the rules, giving positions as they are.
        steps: for each symmetry something whose ``canonical`` gives images under it.
        table: the positions.
        most: images to look at. Where there are more, positions are left out at regular distances.
        report: told how many images have been looked at.
        whole: whether to look at those that were left out afterwards, again at such distances.

    Returns:
        The place of the first position that has an image unlike itself and the number of the
        symmetry, or None.
    """
    apart = max(1, -(-len(table) * len(steps) // most))
    chunk = min(limits.current().batch(CHUNK), max(1, len(table)))
    look = _Look(folded, plain, steps, chunk, report or Reporter())
    for skipped in range(apart if whole else 1):
        for places in thinned(table, apart, skipped):
            found = look.at(table, places)
            if found is not None:
                return found
    return None


class _Look:
    """Compares positions with their images."""

    def __init__(
        self, folded: Folded, plain: Expand, steps: Sequence[Folded], chunk: int, report: Reporter
    ) -> None:
        self.folded, self.plain, self.steps = folded, plain, steps
        self.chunk, self.report, self.looked = chunk, report, 0
        self.here, self.there = (
            Buffers.for_rules(plain, chunk, _CAPACITY * chunk) for _ in range(2)
        )
        #: Whether moves are compared as they are, and not yet by classes.
        self.exact = True

    def at(self, table: Table, places: npt.NDArray[np.int64]) -> tuple[int, int] | None:
        """Return the first of some places with an image unlike it, and of which symmetry."""
        words, keys, at = table.words, table.packed(places), 0
        while at < len(places):
            rules = self.plain if self.exact else self.folded
            end = min(at + self.chunk, len(places))
            done, made = run_expand(rules, keys, at, end, self.here)
            some = keys[at * words : (at + done) * words]
            found = self._unlike(some, done, made, range(len(self.steps)))
            if found is None:
                at += done
                continue
            place, n = int(places[at + found[0]]), found[1]
            if not self.exact:
                return place, n
            self.exact = False
            one = some[found[0] * words : (found[0] + 1) * words]
            _, made = run_expand(self.folded, one, 0, 1, self.here)
            if self._unlike(one, 1, made, range(n, n + 1)) is not None:
                return place, n
        return None

    def _unlike(
        self, some: npt.NDArray[np.uint64], count: int, made: int, steps: range
    ) -> tuple[int, int] | None:
        """Return which of the positions that were expanded is unlike its image by which step."""
        rules, here = (self.plain if self.exact else self.folded), self.here
        led = checksums(here, here.children, count, rules.words)
        for n in steps:
            step = self.steps[n]
            images = step.canonical(some, count)
            if self.exact:
                moved = step.canonical(here.children, made)
                led = checksums(here, moved, count, rules.words)
            unlike = self._differing(rules, images, led)
            if unlike is None:
                unlike = _worth_else(self.folded, here, some, images, count)
            if unlike is not None:
                return unlike, n
            self.looked += count
            self.report.advance(self.looked)
        return None

    def _differing(
        self, rules: Expand, images: npt.NDArray[np.uint64], led: npt.NDArray[np.uint64]
    ) -> int | None:
        """Return the first of the positions that were expanded that is unlike its image, or None.

        Args:
            rules: what they were expanded by.
            images: the images, packed.
            led: checksums of where moves lead from positions to whose images images should lead.
        """
        here, there = self.here, self.there
        begin = first = 0
        while begin < len(led):
            done, _ = run_expand(rules, images, begin, len(led), there)
            end = begin + done
            same = here.values[begin:end] == there.values[:done]
            same &= here.ends[begin:end] - first == there.ends[:done]
            same &= led[begin:end] == checksums(there, there.children, done, rules.words)
            if not self.folded.alternate:  # else images may be of the other player
                same &= here.owners[begin:end] == there.owners[:done]
            if not same.all():
                return begin + int(np.argmin(same))
            begin, first = end, int(here.ends[end - 1])
        return None


def checksums(
    expanded: Buffers, children: npt.NDArray[np.uint64], count: int, words: int
) -> npt.NDArray[np.uint64]:
    """Return for each position a checksum of where its moves lead and what they gain, in any order.

    It is a sum of hashes of 64 bits, so that different moves have the same by chance alone. To put
    moves in order instead takes longer than all the rest.

    Args:
        expanded: positions that have been expanded.
        children: where their moves lead, packed.
        count: how many positions there are.
        words: 64-bit words a packed position takes.
    """
    ends = expanded.ends[:count]
    made = int(ends[-1]) if count else 0
    hashes = np.full(made, words, np.uint64)
    for column in children[: made * words].reshape(made, words).T:
        mix(hashes, column)
    if expanded.gains.size:
        mix(hashes, expanded.gains[:made].view(np.uint64))
    sums = np.zeros(made + 1, np.uint64)
    np.cumsum(hashes, out=sums[1:])
    until: npt.NDArray[np.uint64] = sums[ends]
    return np.diff(until, prepend=np.uint64(0))


def thinned(table: Table, apart: int, skipped: int = 0) -> Iterator[npt.NDArray[np.int64]]:
    """Scan places at regular distances, as many together as a page has.

    Args:
        table: has the places.
        apart: how far they are apart.
        skipped: how many come before the first.
    """
    passed, held = -skipped, 0
    some: list[npt.NDArray[np.int64]] = []
    for page in table.pages():
        some.append(page[-passed % apart :: apart])
        passed += len(page)
        held += len(some[-1])
        if held >= PAGE:
            yield np.concatenate(some)
            some, held = [], 0
    if held:
        yield np.concatenate(some)


def _worth_else(
    folded: Folded,
    here: Buffers,
    some: npt.NDArray[np.uint64],
    images: npt.NDArray[np.uint64],
    count: int,
) -> int | None:
    """Return the first of some positions where endless play is worth else than in its image."""
    if not folded.kind.stages:
        return None
    worth, other = (folded.endless(each, count, here.owners) for each in (some, images))
    goes_on = here.values[: len(worth)] == folded.kind.unknown
    unlike = np.flatnonzero(goes_on & (worth != other))
    return int(unlike[0]) if len(unlike) else None
