"""Work shared among threads, each with its own workspace, and results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from threading import Condition, Lock
from typing import Any, NoReturn, TypeVar

import numpy as np

from zermelo import limits
from zermelo._engine.core.kernel import thread_initializer

#: Ranges of a layer for each thread, and the least positions of a range.
_RANGES, _LEAST = 4, 1 << 13

Given = TypeVar("Given")
Made = TypeVar("Made")


def thread_pool(threads: int, name: str) -> ThreadPoolExecutor:
    """Return threads that run kernels as this one does."""
    return ThreadPoolExecutor(threads, name, *thread_initializer())


def map_ordered(
    pool: ThreadPoolExecutor,
    workspaces: list[Any],
    work: Callable[[Any, Given], Made],
    items: Iterable[Given],
) -> Iterator[tuple[Given, Made]]:
    """Call ``work`` on every item in threads, each with its own workspace; yield results in order.

    With one workspace this thread does all the work, as switching threads would cost more.
    """
    if len(workspaces) == 1:
        for item in items:
            yield item, work(workspaces[0], item)
        return
    spare = list(workspaces)
    running: deque[tuple[Given, Future[Made], Any]] = deque()
    for item in items:
        if not spare:
            first, job, workspace = running.popleft()
            yield first, job.result()
            spare.append(workspace)
        workspace = spare.pop()
        running.append((item, pool.submit(work, workspace, item), workspace))
    for item, job, _ in running:
        yield item, job.result()


def map_unordered(
    pool: ThreadPoolExecutor,
    workspaces: Sequence[Any],
    work: Callable[[Any, Given], Made],
    items: Iterable[Given],
    abandon: Callable[[], None] | None = None,
) -> Iterator[tuple[Given, Made]]:
    """Call ``work`` on every item in this thread and others; yield results as they are finished.

    A thread that finishes an item takes the next one, so that none waits for another. If several
    items fail, the error of the first in order is raised.

    Args:
        pool: the other threads.
        workspaces: one for each thread, this one included.
        work: the function.
        items: its arguments.
        abandon: is called if this thread was interrupted, so that the others stop waiting for it.
    """
    source = iter(items)
    few = list(islice(source, len(workspaces)))
    if len(few) < 2:
        for item in chain(few, source):
            yield item, work(workspaces[0], item)
        return
    left = enumerate(chain(few, source))
    lock = Lock()
    made: deque[tuple[Given, Made]] = deque()
    failed: list[tuple[int, BaseException]] = []
    stopped = False

    def one(workspace: Any) -> bool:
        with lock:
            number, item = (-1, None) if stopped or failed else next(left, (-1, None))
        if number < 0:
            return False
        try:
            made.append((item, work(workspace, item)))  # type: ignore[arg-type]  # an item it is
        except BaseException as error:  # noqa: BLE001  # raised once all have stopped
            failed.append((number, error))
        return True

    def some(workspace: Any) -> None:
        while one(workspace):
            pass

    jobs = [pool.submit(some, workspace) for workspace in workspaces[1 : len(few)]]
    try:
        while one(workspaces[0]):
            while made:
                yield made.popleft()
    except BaseException:
        if abandon is not None:
            abandon()
        raise
    finally:
        stopped = True
        for job in jobs:
            if not job.cancel():
                job.result()
    if failed:
        raise_alone(failed, min(failed, key=lambda one: one[0])[1])
    yield from made


def raise_alone(errors: list[Any], error: BaseException) -> NoReturn:
    """Raise an error that was stored in a list, and clear the list.

    An error refers to the frames it passed through. If these referred to the error, everything in
    them would stay in memory.
    """
    errors.clear()
    try:
        raise error
    finally:
        del error


class EarlierFailureError(Exception):
    """An earlier step failed, whose own error is the one to report."""


class OrderedSteps:
    """Lets threads run one step in the order of their numbers, and everything else concurrently."""

    def __init__(self) -> None:
        """Start with number 0."""
        self._changed = Condition()
        self._next = 0
        self._failed: float = float("inf")

    def stop(self) -> None:
        """Make all waiting threads give up."""
        with self._changed:
            self._failed = -1
            self._changed.notify_all()

    def run_step(
        self, number: int, prepare: Callable[[], Given], step: Callable[[Given], Made]
    ) -> Made:
        """Call ``prepare``; call ``step`` with its result after the steps of all lower numbers.

        Raises:
            EarlierFailureError: the step of a lower number failed.
        """
        try:
            prepared = prepare()
            with self._changed:
                self._changed.wait_for(lambda: self._next == number or self._failed < number)
                if self._failed < number:
                    raise EarlierFailureError  # noqa: TRY301  # handled below like other errors
                result = step(prepared)
                self._next += 1
                self._changed.notify_all()
                return result
        except BaseException:
            with self._changed:
                self._failed = min(self._failed, number)
                self._changed.notify_all()
            raise


def for_each(
    pool: ThreadPoolExecutor, helpers: int, work: Callable[[Given], object], items: Iterable[Given]
) -> None:
    """Call ``work`` on every item in this thread and threads of a pool, from a shared queue."""
    left = deque(items)

    def some() -> None:
        while left:
            try:
                item = left.popleft()
            except IndexError:  # another thread took the last item
                return
            work(item)

    jobs = [pool.submit(some) for _ in range(min(helpers, len(left) - 1))]
    try:
        some()
    finally:
        for job in jobs:
            if not job.cancel():
                job.result()


def for_layers_reversed(
    layers: Sequence[int], threads: int, most: int, work: Callable[[int, int], object]
) -> Iterator[int]:
    """Call ``work`` on ranges of positions, from the last; share each layer that is large enough.

    Args:
        layers: the first position of each layer, and the end of the last one.
        threads: threads to use at most.
        most: positions of a range at most.
        work: is called with the begin and end of a range, and decides its positions from the last.
            With several threads, positions of a layer must not depend on each other.

    Yields:
        The first position of each finished range.
    """
    least = limits.current().shared(_LEAST)
    bounds = np.asarray(layers)
    is_shared = (np.diff(bounds) > min(least, most)) & (threads > 1)
    # Small layers between two shared ones are one range: a call for each would take longer than
    # the work on a few positions.
    are_cuts = np.ones(len(bounds), bool)
    are_cuts[1:-1] = is_shared[1:] | is_shared[:-1]
    cuts = bounds[are_cuts].tolist()
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-sweep") as pool:
        for low, high, shared in zip(
            cuts[-2::-1], cuts[:0:-1], is_shared[are_cuts[:-1]].tolist()[::-1], strict=True
        ):
            even = max(least, -(-(high - low) // (_RANGES * threads)))
            size = min(most, even) if shared else most
            ranges = [(max(low, end - size), end) for end in range(high, low, -size)]
            if not shared:
                for begin, end in ranges:
                    work(begin, end)
                    yield begin
                continue
            jobs = [pool.submit(work, *some) for some in ranges]
            for (begin, _), job in zip(ranges, jobs, strict=True):
                job.result()
                yield begin


def run_in_threads(
    pool: ThreadPoolExecutor, threads: int, jobs: Sequence[tuple[Any, ...]]
) -> list[Any]:
    """Call functions with their arguments in some threads; return their results in order."""
    found: list[Any] = [None] * len(jobs)

    def do(number: int) -> None:
        work, *arguments = jobs[number]
        found[number] = work(*arguments)

    for_each(pool, threads - 1, do, range(len(jobs)))
    return found
