"""Discovery in a dense space: positions are bits, and what is waiting to be expanded is bits too.

Each thread takes some positions, runs the rules on them and sets the bits of what they lead to. A
few slots that were not set before are handed on as a list; when there are more, they are found
again by going through the directory. Positions are numbered by their slots, so the numbers do not
depend on who found what when.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.codes import LAST, TIES, UNKNOWN
from zermelo._engine.directory import hand_out, mark, new_directory
from zermelo._engine.explore import Buffers, Expand, run_expand
from zermelo._engine.jit import kernel
from zermelo._engine.memory import Arena, prefetch
from zermelo._engine.ranks import Ranking
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: Positions expanded at once: with their children they stay in a core's own cache.
CHUNK = 1 << 11
#: Children a buffer holds at first, for each position.
_ROOM = 16
#: Slots that may wait in lists; more are found again in the directory.
_LISTED = 1 << 16
#: Reversed moves are sorted by so many slots together; see ``dense_reverse``.
BUCKET = 15
#: Slots that are looked through at once for legal positions.
_SPAN = 1 << 14
_AHEAD = 24
_ONE, _ZERO, _WITHIN = np.uint64(1), np.uint64(0), np.uint64(31)
#: Notes on positions whose game is over; others have as many moves as their note says.
WON, TIED, LOST = -1, -2, -3


class StrangeChildError(Exception):
    """A move leads out of the space, or to a position that is not among those it was to keep to.

    Attributes:
        packed: the position that it leads from.
        child: the position that it leads to.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], child: npt.NDArray[np.uint64]) -> None:
        """Keep both."""
        super().__init__(packed, child)
        self.packed = packed
        self.child = child


class Spaced(Expand, Protocol):
    """Compiled rules that may know which positions of a space are legal.

    Attributes:
        is_folded: whether they give one position of each class of equivalent ones.
    """

    is_folded: bool

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the positions that stand for the classes of ``count`` packed positions."""

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether each of ``count`` packed positions is to be solved."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions, where there are any."""


@kernel
def _record(
    ends: Any,
    values: Any,
    done: int,
    slots: Any,
    made: int,
    notes: Any,
    at: int,
    edges: Any,
    moves: int,
    counts: Any,
) -> Any:
    """Note what expanding gave; return the most moves a position has."""
    before: Any = np.int64(0)
    most: Any = np.int64(0)
    for i in range(done):
        end = np.int64(ends[i])
        value = np.int64(values[i])
        note = end - before
        if value != UNKNOWN:
            note = WON if value == LAST else (TIED if value == TIES else LOST)
        most = max(most, note)
        notes[at + i] = note
        before = end
    last = counts.size - 1
    for e in range(made):
        slot = slots[e]
        edges[moves + e] = slot
        counts[min(slot >> BUCKET, last)] += 1
    return most


@kernel
def _keep_same(slots: Any, keys: Any, images: Any, count: int, words: int) -> int:
    """Keep the positions that are their own images, in front; return how many there are."""
    kept = 0
    for i in range(count):
        same = True
        for word in range(words):
            same &= keys[i * words + word] == images[i * words + word]
            keys[kept * words + word] = keys[i * words + word]
        slots[kept] = slots[i]
        kept += same
    return kept


@kernel
def _keep(slots: Any, answers: Any, count: int) -> int:
    """Keep the slots whose answer is yes, in front; return how many there are."""
    kept = 0
    for i in range(count):
        slots[kept] = slots[i]
        kept += answers[i] != 0
    return kept


@kernel
def _missing(directory: Any, slots: Any, count: int) -> int:
    """Return the first of some slots that holds no position, or -1."""
    for i in range(count):
        prefetch(directory, slots[min(i + _AHEAD, count - 1)] >> 5)
        if (directory[slots[i] >> 5] >> (np.uint64(slots[i]) & _WITHIN)) & _ONE == _ZERO:
            return i
    return -1


class Bench:
    """What one thread works with, and what it has found.

    Attributes:
        sources: the slots it has expanded, in that order.
        notes: how many moves each has, or how the game ends there.
        turns: whose turn it is in each, where the players do not strictly alternate.
        edges: the slots that their moves lead to.
        counts: how many of them lead into each bucket of slots.
        known: how many sources there are.
        moves: how many moves were followed.
        most: the most moves that a position has.
    """

    def __init__(self, expand: Expand, ranking: Ranking, limit: int) -> None:
        """Begin with nothing.

        Args:
            expand: the compiled rules.
            ranking: the slots of their positions.
            limit: bytes that no array will pass.
        """
        self.expand = expand
        self.ranking = ranking
        self.buffers = Buffers.for_rules(expand, CHUNK, _ROOM * CHUNK)
        self.keys = np.empty(CHUNK * expand.words, np.uint64)
        self.slots = np.empty(_ROOM * CHUNK, np.int64)
        self.fresh = np.empty(CHUNK, np.int64)
        kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        self.sources = Arena(kind, limit)
        self.notes = Arena(np.int32, limit)
        self.turns = Arena(np.uint8, limit)
        self.edges = Arena(kind, limit)
        self.counts = np.zeros((ranking.slots >> BUCKET) + 1, np.int64)
        self.known = 0
        self.moves = 0
        self.most = 0

    @staticmethod
    def needed(words: int, slots: int) -> int:
        """Return the bytes that its buffers take at first, arrays that grow apart."""
        return CHUNK * (_ROOM * 8 * (words + 1) + 8 * words + 16) + 8 * (slots >> BUCKET)

    def expanded(
        self, slots: npt.NDArray[np.int64]
    ) -> Iterator[tuple[int, int, int, npt.NDArray[np.int64]]]:
        """Expand positions; yields where a part begins, how many it is, moves, and their slots.

        Raises:
            StrangeChildError: a move leads out of the space.
        """
        self.ranking.unrank(slots, len(slots), self.keys)
        begin = 0
        while begin < len(slots):
            done, made = run_expand(self.expand, self.keys, begin, len(slots), self.buffers)
            if len(self.slots) < made:
                self.slots = np.empty(len(self.buffers.children) // self.expand.words, np.int64)
            if self.ranking.rank(self.buffers.children, made, self.slots) < made:
                raise self.strange(begin, done, int(np.argmax(self.slots[:made] < 0)))
            yield begin, done, made, self.slots
            begin += done

    def strange(self, begin: int, done: int, edge: int) -> StrangeChildError:
        """Return the error for a move, counted from the first of the part at ``begin``."""
        words = self.expand.words
        i = begin + int(np.searchsorted(self.buffers.ends[:done], edge, side="right"))
        packed = self.keys[i * words : (i + 1) * words].copy()
        return StrangeChildError(packed, self.buffers.children[edge * words :][:words].copy())

    def record(self, slots: npt.NDArray[np.int64], begin: int, done: int, made: int) -> None:
        """Keep what expanding ``slots[begin:]`` gave."""
        known, moves = self.known, self.moves
        sources = self.sources.ensure(known + done, known)
        sources[known : known + done] = slots[begin : begin + done]
        notes = self.notes.ensure(known + done, known)
        edges = self.edges.ensure(moves + made, moves)
        if not self.expand.alternate:
            turns = self.turns.ensure(known + done, known)
            turns[known : known + done] = self.buffers.owners[:done]
        buffers = self.buffers
        arguments = (buffers.ends, buffers.values, done, self.slots, made)
        most = _record(*arguments, notes, known, edges, moves, self.counts)
        self.most = max(self.most, int(most))
        self.known += done
        self.moves += made

    def append(
        self,
        sources: npt.NDArray[Any],
        notes: npt.NDArray[np.int32],
        turns: npt.NDArray[np.uint8],
        edges: npt.NDArray[Any],
    ) -> None:
        """Keep positions and moves as they are given."""
        known, moves, count, made = self.known, self.moves, len(sources), len(edges)
        self.sources.ensure(known + count, known)[known : known + count] = sources
        self.notes.ensure(known + count, known)[known : known + count] = notes
        self.edges.ensure(moves + made, moves)[moves : moves + made] = edges
        if not self.expand.alternate:
            self.turns.ensure(known + count, known)[known : known + count] = turns
        self.counts += np.bincount(edges >> BUCKET, minlength=len(self.counts))
        self.most = max(self.most, 1)
        self.known += count
        self.moves += made

    def renew(self, slots: int) -> None:
        """Begin anew, with moves that lead to so many slots."""
        self.drop()
        self.counts = np.zeros((slots >> BUCKET) + 1, np.int64)
        self.moves = self.most = 0

    def drop(self) -> None:
        """Let go of what was kept."""
        for arena in (self.sources, self.notes, self.turns, self.edges):
            arena.array = np.empty(0, arena.dtype)
        self.known = 0


@dataclass
class Found:
    """The positions of a dense space.

    Attributes:
        directory: which slots hold them.
        positions: how many there are.
        moves: how many moves they have.
        kept: whether the benches have kept the moves.
        benches: what each thread has found.
    """

    directory: npt.NDArray[np.uint64]
    benches: list[Bench]
    positions: int = 0
    moves: int = 0
    kept: bool = True
    waiting: deque[npt.NDArray[np.int64]] = field(default_factory=deque)
    scanning: bool = False
    behind: bool = False
    entry: int = 0

    def next_chunk(self) -> npt.NDArray[np.int64] | None:
        """Return slots to expand, or None where none are known at the moment."""
        if self.waiting:
            parts = [self.waiting.popleft()]
            size = len(parts[0])
            while self.waiting and size + len(self.waiting[0]) <= CHUNK:
                parts.append(self.waiting.popleft())
                size += len(parts[-1])
            return np.concatenate(parts) if len(parts) > 1 else parts[0]
        while self.scanning or self.behind:
            if not self.scanning:
                self.scanning, self.behind, self.entry = True, False, 0
            out = np.empty(CHUNK, np.int64)
            count, self.entry = hand_out(self.directory, self.entry, out)
            if count:
                return out[:count]
            self.scanning = False
        return None

    def room(self) -> int:
        """Return how many slots more may wait in lists."""
        return max(0, _LISTED - sum(map(len, self.waiting)))


class Discovery:
    """Finds the positions that can be reached, or takes those that are legal."""

    def __init__(
        self, expand: Spaced, ranking: Ranking, limit: int, threads: int, report: Reporter
    ) -> None:
        """Set everything up.

        Args:
            expand: the compiled rules.
            ranking: the slots of their positions.
            limit: bytes that no array will pass.
            threads: threads to use.
            report: is told how many positions are expanded.
        """
        self.ranking = ranking
        self.threads = threads
        self.report = report
        benches = [Bench(expand, ranking, limit) for _ in range(threads)]
        self.found = Found(new_directory(ranking.slots), benches)

    def begin(self, starts: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Enter the starts; return their slots, -1 for those that are not in the space."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        slots = np.empty(len(starts), np.int64)
        if self.ranking.rank(packed, len(starts), slots) == len(starts):
            nothing = np.empty(0, np.int64)
            self.found.positions += mark(self.found.directory, slots, len(slots), nothing, 0)
            self.found.behind = True
        return slots

    def take_legal(self, expand: Spaced, pool: ThreadPoolExecutor) -> None:
        """Enter every position that is legal."""
        found = self.found
        spans = deque(
            (start, min(start + _SPAN, end))
            for begin, end in self.ranking.spans
            for start in range(begin, end, _SPAN)
        )

        def work(_: Bench) -> int:
            keys = np.empty(_SPAN * expand.words, np.uint64)
            here = np.empty(_SPAN, np.int64)
            answers = np.empty(_SPAN, np.uint8)
            nothing = np.empty(0, np.int64)
            entered = 0
            while spans:
                try:
                    begin, end = spans.popleft()
                except IndexError:
                    break
                count = end - begin
                here[:count] = np.arange(begin, end)
                self.ranking.unrank(here, count, keys)
                if expand.is_folded:
                    images = expand.canonical(keys, count)
                    count = _keep_same(here, keys, images, count, expand.words)
                expand.legal(keys, count, answers)
                count = _keep(here, answers, count)
                entered += mark(found.directory, here, count, nothing, 0)
            return entered

        found.positions = sum(pool.map(work, found.benches))
        found.behind = True

    def run(self, pool: ThreadPoolExecutor, *, closed: bool, over: Any) -> None:
        """Expand every position once.

        Args:
            pool: the threads.
            closed: whether every move must lead to a position that is already there.
            over: called now and then; whether to keep moves no longer.

        Raises:
            StrangeChildError: a move leads out of the space, or to a position that is not there.
        """
        found = self.found
        spare = list(found.benches)
        running: deque[tuple[Future[Any], Bench]] = deque()
        expanded = 0

        def work(bench: Bench, slots: npt.NDArray[np.int64], room: int, *, keep: bool) -> Any:
            count = moves = 0
            fresh = bench.fresh[:room]
            for begin, done, made, children in bench.expanded(slots):
                if closed:
                    missing = _missing(found.directory, children, made)
                    if missing >= 0:
                        raise bench.strange(begin, done, missing)
                else:
                    count = mark(found.directory, children, made, fresh, count)
                if keep:
                    bench.record(slots, begin, done, made)
                moves += made
            return len(slots), moves, count, fresh[:count].copy()

        try:
            while True:
                while spare:
                    slots = found.next_chunk()
                    if slots is None:
                        break
                    bench = spare.pop()
                    room = min(CHUNK, found.room() // self.threads)
                    running.append((pool.submit(work, bench, slots, room, keep=found.kept), bench))
                if not running:
                    return
                job, bench = running.popleft()
                done, moves, count, fresh = job.result()
                spare.append(bench)
                expanded += done
                found.moves += moves
                found.positions += count
                found.behind |= count > len(fresh)
                if len(fresh):
                    found.waiting.append(fresh)
                if found.kept and over(found):
                    found.kept = False
                    for job, _ in running:
                        job.result()  # which keeps what it finds; so let go of that as well
                    for other in found.benches:
                        other.drop()
                self.report.advance(expanded)
        except BaseException:
            for job, _ in running:
                job.cancel()
            raise


def too_many(positions: int, allowed: int) -> BudgetError:
    """Return the error for more positions than 32 bits number."""
    message = (
        f"there are {positions:,} positions, and this method numbers 4,294,967,294 at most; make "
        "the game smaller"
    )
    return BudgetError(message, allowed, allowed)
