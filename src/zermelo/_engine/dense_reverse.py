"""The reversed moves of a dense space, sorted by buckets of slots.

A move is put into the bucket of the slot it leads to, and within each bucket moves are counted by
slot: both stay in cache, and the number of the position a move leads to is never looked up, since
a bucket's numbers follow one another. The numbers of the positions they lead from are looked up
once for each position.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.bits import lowest
from zermelo._engine.dense_found import BUCKET, Bench
from zermelo._engine.directory import entries_for, number_all, number_in
from zermelo._engine.jit import kernel
from zermelo._engine.memory import prefetch, zeros

_SIZE = 1 << BUCKET
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_HALF = np.uint64(32)
_AHEAD = 24
#: With more buckets than this, moves are first led to numbers, which have fewer buckets.
MOST_BUCKETS = 1 << 13
#: Bytes a move takes while it waits in its bucket.
BUCKET_BYTES = 6


@kernel
def to_numbers(directory: Any, edges: Any, count: int, out: Any) -> None:
    """Write the numbers of the positions in slots; ``out`` may be ``edges`` itself."""
    for e in range(count):
        prefetch(directory, np.int64(edges[min(e + _AHEAD, count - 1)]) >> 5)
        slot = np.int64(edges[e])
        out[e] = number_in(directory[slot >> 5], slot)


@kernel
def _count(edges: Any, count: int, counts: Any) -> None:
    for e in range(count):
        counts[np.int64(edges[e]) >> BUCKET] += 1


@kernel
def _strew(
    names: Any,
    notes: Any,
    known: int,
    edges: Any,
    low: int,
    high: int,
    at: Any,
    sources: Any,
    places: Any,
) -> None:
    """Put moves into the buckets ``low`` to ``high``."""
    edge = 0
    for k in range(known):
        name = names[k]
        for _ in range(notes[k]):
            slot = np.int64(edges[edge])
            edge += 1
            b = slot >> BUCKET
            if low <= b < high:
                place = at[b]
                sources[place] = name
                places[place] = slot & (_SIZE - 1)
                at[b] = place + 1


@kernel
def _spread(
    directory: Any,
    starts: Any,
    low: int,
    begin: int,
    end: int,
    sources: Any,
    places: Any,
    into: Any,
    parents: Any,
) -> None:
    """Sort each of the buckets ``begin`` to ``end``; the buckets held begin at ``low``."""
    count: Any = np.empty(_SIZE, np.uint32)
    base = starts[low]
    for b in range(begin, end):
        count[:] = 0
        for i in range(starts[b] - base, starts[b + 1] - base):
            count[places[i]] += 1
        at = np.int64(0)
        first = b * (_SIZE // 32)
        for entry in range(first, min(first + _SIZE // 32, directory.size)):
            held = directory[entry] & _LOW
            number = np.int64(directory[entry] >> _HALF)
            while held != _ZERO:
                local = (entry - first) * 32 + lowest(held)
                into[number] = starts[b] + at
                size = count[local]
                count[local] = at
                at += size
                number += 1
                held &= held - _ONE
        for i in range(starts[b] - base, starts[b + 1] - base):
            place = places[i]
            parents[starts[b] + count[place]] = sources[i]
            count[place] += 1


def place_type(moves: int) -> type[np.uint32 | np.int64]:
    """Return the type that numbers so many moves."""
    return np.uint32 if moves < 1 << 32 else np.int64


def reverse(
    directory: npt.NDArray[np.uint64],
    benches: Sequence[Bench],
    names: Sequence[npt.NDArray[np.uint32]],
    positions: int,
    pool: ThreadPoolExecutor,
    room: int,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Return, for each position, the positions with a move to it; lets go of the moves.

    Args:
        directory: which slots hold positions.
        benches: the moves.
        names: the number of each of their sources.
        positions: how many there are.
        pool: the threads.
        room: moves there is memory for in buckets.

    Returns:
        Place of each position's first parent and one number more; the parents, as many times as
        they have a move there.
    """
    counts = [bench.counts for bench in benches]
    edges = [bench.edges.array for bench in benches]
    if len(directory) * 32 >> BUCKET > MOST_BUCKETS:
        edges = [_numbers(bench, bench.moves) for bench in benches]
        share(
            pool,
            [(to_numbers, directory, *_edges(b), n) for b, n in zip(benches, edges, strict=True)],
        )
        directory = everywhere(positions)
        counts = [np.zeros((positions >> BUCKET) + 1, np.int64) for _ in benches]
        share(pool, [(_count, e, len(e), n) for e, n in zip(edges, counts, strict=True)])
    moves = sum(int(n.sum()) for n in counts)
    sizes = np.sum(counts, axis=0)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    into: npt.NDArray[Any] = zeros(positions + 1, place_type(moves))
    # Where each bench's moves begin in each bucket: after those of the benches before it.
    at = starts[:-1] + np.cumsum(counts, axis=0) - counts
    slices = _slices(sizes, room)
    parents: npt.NDArray[Any] = zeros(moves if len(slices) > 1 else 0, np.uint32)
    for low, high in slices:
        held = int(starts[high] - starts[low])
        sources: npt.NDArray[Any] = zeros(held, np.uint32)
        places: npt.NDArray[Any] = zeros(held, np.uint16)
        at -= starts[low]
        jobs = []
        for k, bench in enumerate(benches):
            kept = (names[k], bench.notes.array, bench.known, edges[k])
            jobs.append((_strew, *kept, low, high, at[k], sources, places))
        share(pool, jobs)
        at += starts[low]
        if len(slices) == 1:
            # What moves were kept in becomes what they are reversed in: memory that has been
            # touched is much quicker than memory that has not.
            parents = _numbers(benches[0], moves)
            edges.clear()
            for bench in benches:
                bench.drop()
        cuts = [low + (high - low) * k // len(benches) for k in range(len(benches) + 1)]
        share(
            pool,
            [
                (_spread, directory, starts, low, begin, end, sources, places, into, parents)
                for begin, end in zip(cuts[:-1], cuts[1:], strict=True)
            ],
        )
        del sources, places
    for bench in benches:
        bench.drop()
    into[positions] = moves
    return into, parents


def share(pool: ThreadPoolExecutor, jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Call functions with their arguments in threads, and return what they return."""
    if len(jobs) == 1:
        work, *arguments = jobs[0]
        return [work(*arguments)]
    submitted = [pool.submit(work, *arguments) for work, *arguments in jobs]
    return [job.result() for job in submitted]


def _edges(bench: Bench) -> tuple[npt.NDArray[Any], int]:
    return bench.edges.array, bench.moves


def _numbers(bench: Bench, count: int) -> npt.NDArray[np.uint32]:
    """Return the memory of a bench's moves as that of so many numbers."""
    edges: Any = bench.edges.ensure(-(-4 * count // bench.edges.dtype.itemsize), bench.moves)
    numbers: npt.NDArray[np.uint32] = edges.view(np.uint32)[:count]
    return numbers


def everywhere(positions: int) -> npt.NDArray[np.uint64]:
    """Return the directory of positions whose slots are their numbers."""
    directory: npt.NDArray[np.uint64] = zeros(entries_for(positions), np.uint64)
    directory[:] = _LOW
    if positions % 32:
        directory[-1] = (1 << positions % 32) - 1
    number_all(directory)
    return directory


def _slices(sizes: npt.NDArray[np.int64], room: int) -> list[tuple[int, int]]:
    """Cut the buckets into runs whose moves have room together; a run has one bucket at least."""
    cuts = [0]
    held = 0
    for b, size in enumerate(sizes.tolist()):
        if held + size > room and b > cuts[-1]:
            cuts.append(b)
            held = 0
        held += size
    cuts.append(len(sizes))
    return list(zip(cuts[:-1], cuts[1:], strict=True))
