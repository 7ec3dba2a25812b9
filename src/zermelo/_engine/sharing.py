"""Sharing work among threads, each with what it needs, and taking the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

#: Ranges a layer is cut into for each thread, and positions that are worth handing to one.
_RANGES, _LEAST = 4, 1 << 13

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(
    pool: ThreadPoolExecutor,
    benches: list[Any],
    work: Callable[[Any, Given], Made],
    items: Iterable[Given],
) -> Iterator[tuple[Given, Made]]:
    """Do ``work`` on every item in threads, each with a bench of its own; results come in order.

    With one bench it is done here: a thread to wait for would cost more than it is good for.
    """
    if len(benches) == 1:
        for item in items:
            yield item, work(benches[0], item)
        return
    spare = list(benches)
    running: deque[tuple[Given, Future[Made], Any]] = deque()
    for item in items:
        if not spare:
            first, job, bench = running.popleft()
            yield first, job.result()
            spare.append(bench)
        bench = spare.pop()
        running.append((item, pool.submit(work, bench, item), bench))
    for item, job, _ in running:
        yield item, job.result()


def taken(
    pool: ThreadPoolExecutor, helpers: int, work: Callable[[Given], object], items: Iterable[Given]
) -> None:
    """Do ``work`` on every item in this thread and some of a pool, who take one after another."""
    left = deque(items)

    def some() -> None:
        while left:
            try:
                item = left.popleft()
            except IndexError:  # another was quicker
                return
            work(item)

    jobs = [pool.submit(some) for _ in range(min(helpers, len(left) - 1))]
    try:
        some()
    finally:
        for job in jobs:
            if not job.cancel():
                job.result()


def backward(
    layers: list[int], threads: int, most: int, work: Callable[[int, int], object]
) -> Iterator[int]:
    """Do ``work`` on ranges of positions, layer after layer from the last; share each layer.

    Args:
        layers: where each layer begins, and the end of the last one.
        threads: threads to use at the most.
        most: positions of a range at the most.
        work: is called with where a range begins and ends. Those of a layer must not depend on
            each other where there are several threads; with one thread they come from the last.

    Yields:
        The first position done, again and again.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-sweep") as pool:
        for low, high in reversed(list(zip(layers, layers[1:], strict=False))):
            even = max(_LEAST, -(-(high - low) // (_RANGES * threads)))
            size = most if threads == 1 else min(most, even)
            ranges = [(max(low, end - size), end) for end in range(high, low, -size)]
            if threads == 1 or len(ranges) < 2:  # nothing to share
                for begin, end in ranges:
                    work(begin, end)
                    yield begin
                continue
            jobs = [pool.submit(work, *some) for some in ranges]
            for (begin, _), job in zip(ranges, jobs, strict=True):
                job.result()
                yield begin


def share(pool: ThreadPoolExecutor, jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Call functions with their arguments in threads, and return what they return."""
    if len(jobs) == 1:
        work, *arguments = jobs[0]
        return [work(*arguments)]
    submitted = [pool.submit(work, *arguments) for work, *arguments in jobs]
    return [job.result() for job in submitted]
