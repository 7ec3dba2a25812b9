"""Sharing work among threads, each with what it needs, and taking the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

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


def share(pool: ThreadPoolExecutor, jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Call functions with their arguments in threads, and return what they return."""
    if len(jobs) == 1:
        work, *arguments = jobs[0]
        return [work(*arguments)]
    submitted = [pool.submit(work, *arguments) for work, *arguments in jobs]
    return [job.result() for job in submitted]
