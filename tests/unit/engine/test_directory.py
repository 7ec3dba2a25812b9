"""Which slots hold a position, marked by several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from zermelo._engine.index.directory import hand_out, mark, new_directory


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
