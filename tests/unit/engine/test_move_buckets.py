"""Moves in buckets: found in any order by several threads, sorted by the slots they lead to.

Threads that meet at a slot, and moves across buckets, are too rare in a solve that takes a second.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from zermelo._engine.backward.status import TINY
from zermelo._engine.index.directory import hand_out, mark, new_directory, number_all
from zermelo._methods.dense.move_buckets import BucketRange, MoveBuckets, sort_bucket

SLOTS, SOURCES = 3 << 15, 140_000


def stored(rng, sources):
    """Store two random moves or so of each source; return them too."""
    store, degrees = MoveBuckets(SLOTS, 1 << 30), rng.integers(0, 4, sources)
    slots = rng.integers(0, SLOTS, degrees.sum())
    ends = np.cumsum(degrees)
    for begin in range(0, sources, 50_000):
        stop = min(begin + 50_000, sources)
        first, last = (ends[begin - 1] if begin else 0), ends[stop - 1]
        own = (ends[begin:stop] - first).astype(np.int32)
        store.add(own, slots[first:last], begin, int(last - first))
    return store, np.repeat(np.arange(sources), degrees), slots


def full():
    """Return the directory of a space in which each slot holds a position."""
    directory = new_directory(SLOTS)
    mark(directory, np.arange(SLOTS), SLOTS, np.empty(0, np.int64), 0)
    number_all(directory)
    return directory


def parents_of(stores, numbers):
    """Return for each slot the sources of the moves to it."""
    sizes = np.sum([store.counts for store in stores], axis=0)
    starts = [0, *np.cumsum(sizes).tolist()]
    first, parents = np.zeros(SLOTS + 1, np.uint32), np.zeros(starts[-1], np.uint32)
    first[-1] = starts[-1]
    counts = np.empty(1 << stores[0].width, np.uint32)
    for bucket in range(len(sizes)):
        bounds = starts[bucket], starts[bucket + 1]
        sort_bucket(bucket, stores, numbers, full(), *bounds, first, parents, counts)
    return first, parents


def test_moves_of_two_threads_are_sorted_by_the_slots_they_lead_to():
    """There are more sources than one mark counts, and more moves than a chunk holds."""
    rng = np.random.default_rng(1)
    (one, sources, slots), (two, more, other) = stored(rng, SOURCES), stored(rng, 1000)
    numbers = [np.arange(SOURCES, dtype=np.uint32), np.arange(1000, dtype=np.uint32) + SOURCES]
    first, parents = parents_of([one, two], numbers)
    sources, slots = np.append(sources, more + SOURCES), np.append(slots, other)
    order = np.lexsort((sources, slots))
    assert first.tolist() == np.searchsorted(slots[order], np.arange(SLOTS + 1)).tolist()
    assert parents.tolist() == sources[order].tolist()


@pytest.mark.slow
def test_moves_are_left_between_positions_that_are_not_decided():
    """A position wins by a move to a loss; each move to a win leaves it one move fewer."""
    rng = np.random.default_rng(2)
    sources = SLOTS
    store, froms, slots = stored(rng, sources)
    numbers, state = np.arange(sources, dtype=np.uint32), np.zeros(SLOTS, np.int8)
    state[:] = -np.bincount(froms, minlength=SLOTS)
    wins, losses = np.arange(0, SLOTS, 5), np.flatnonzero(state == 0)
    state[wins], state[losses] = TINY.last, -TINY.last
    open_before = (state < 0) & (state > -TINY.ties)
    known = ~open_before
    loses, left = np.zeros(SLOTS, np.int64), -state.astype(np.int64)
    np.add.at(loses, froms[state[slots] == -TINY.last], 1)
    np.subtract.at(left, froms[state[slots] == TINY.last], 1)
    code = TINY.last - 1
    right = np.where(loses > 0, code, np.where(left == 0, -code, -left))
    right = np.where(open_before, right, state)
    span = BucketRange(store, numbers, full(), 0, 4, shared=False, moves=store.moves)
    decided = span.decide(state, np.empty(0, np.uint8), TINY.ties, code)
    assert decided == np.count_nonzero(np.abs(right) == code)
    assert state.tolist() == right.tolist()
    first, parents = parents_of([store], [numbers])
    targets = np.repeat(np.arange(SLOTS), np.diff(first.astype(np.int64)))
    assert len(parents) == span.moves == store.moves
    is_left = open_before[froms] & ~known[slots]
    kept = set(zip(parents.tolist(), targets.tolist(), strict=True))
    assert kept <= set(zip(froms[is_left].tolist(), slots[is_left].tolist(), strict=True))
    is_open = (state < 0) & (state > -TINY.ties)
    still = is_left & is_open[froms]
    assert set(zip(froms[still].tolist(), slots[still].tolist(), strict=True)) <= kept


def test_what_one_thread_leaves_another_does_not_call_handed_out() -> None:
    """Each slot is listed by one thread or handed out later, and by neither twice or not at all.

    Threads with room and threads without meet at the same slots, in an order left to chance;
    a slot that is lost would never be expanded, and called an endless draw.
    """
    slots, threads = 1 << 14, 4
    mark(new_directory(slots), np.zeros(0, np.int64), 0, np.zeros(0, np.int64), 0)  # compile
    rng = np.random.default_rng(5)
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(60):
            directory = new_directory(slots)
            order = rng.permutation(slots)
            rooms = [np.full(slots if k % 2 else 0, -1, np.int64) for k in range(threads)]
            jobs = [pool.submit(mark, directory, order, slots, room, 0) for room in rooms]
            assert sum(job.result() for job in jobs) == slots
            listed = np.concatenate(rooms)
            out = np.empty(slots, np.int64)
            later, _ = hand_out(directory, 0, out)
            every = np.sort(np.concatenate([listed[listed >= 0], out[:later]]))
            assert np.array_equal(every, np.arange(slots))
