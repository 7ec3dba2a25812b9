"""Work shared among threads: nothing is lost or done twice, and errors do not depend on luck.

Which thread comes first is luck in a solve, and is arranged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Timer, get_ident

import pytest

from zermelo._engine.core.threads import OrderedSteps, map_unordered


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    """Two threads beside this one."""
    with ThreadPoolExecutor(2) as threads:
        yield threads


class MadeUpError(Exception):
    """What work raises here."""


@pytest.mark.parametrize("items", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("benches", [1, 2, 3])
def test_each_item_is_done_once_whatever_the_number_of_threads(
    pool: ThreadPoolExecutor, items: int, benches: int
) -> None:
    """Every item has one result, with fewer items than threads, as many, or more."""
    found = map_unordered(pool, range(benches), lambda _, item: item**2, range(items))
    assert sorted(found) == [(item, item**2) for item in range(items)]


def test_this_thread_works_beside_the_others_and_each_has_its_own_bench(
    pool: ThreadPoolExecutor,
) -> None:
    """Three benches are used at the same time by three threads, of which this is one."""
    all_there = Barrier(3, timeout=60)

    def work(bench: int, _: int) -> tuple[int, int]:
        all_there.wait()
        return bench, get_ident()

    made = [made for _, made in map_unordered(pool, range(3), work, range(3))]
    assert sorted(bench for bench, _ in made) == [0, 1, 2]
    threads = {thread for _, thread in made}
    assert len(threads) == 3
    assert get_ident() in threads


def test_of_two_items_that_fail_the_first_ones_error_is_raised(pool: ThreadPoolExecutor) -> None:
    """The first item's error counts, though the second failed before, and the rest is left."""
    failed = Event()
    done = []

    def work(_: int, item: int) -> None:
        done.append(item)
        if item == 1:
            failed.wait(60)
        elif item == 2:
            failed.set()
        if item in (1, 2):
            raise MadeUpError(item)

    with pytest.raises(MadeUpError, match="1"):
        list(map_unordered(pool, range(3), work, range(1000)))
    assert len(done) < 1000


def test_who_wants_no_more_results_has_no_more_work_done(pool: ThreadPoolExecutor) -> None:
    """Items are asked for as threads take them, and none is once the results are not wanted."""
    asked = []
    all_there = Barrier(3, timeout=60)

    def endless() -> Iterator[int]:
        for item in range(100_000):
            asked.append(item)
            yield item

    def work(_: int, item: int) -> None:
        if item < 3:
            all_there.wait()

    found = map_unordered(pool, range(3), work, endless())
    next(found)
    found.close()
    assert len(asked) < 100_000


def test_steps_are_taken_in_order_though_what_goes_before_them_is_not(
    pool: ThreadPoolExecutor,
) -> None:
    """A thread that is ready ahead of others waits for those before it."""
    queue, third = OrderedSteps(), Event()
    steps = []

    def prepare(item: int) -> int:
        if item == 2:
            third.set()
        elif item == 0:
            third.wait(60)  # the third is ready first
        return item

    def work(_: int, item: int) -> None:
        queue.run_step(item, lambda: prepare(item), steps.append)

    list(map_unordered(pool, range(3), work, range(20)))
    assert steps == list(range(20))


def test_who_waits_for_one_that_fails_gives_up_and_its_error_is_raised(
    pool: ThreadPoolExecutor,
) -> None:
    """Where a step will never be taken nobody waits for it, and its error is what is told."""
    queue, second = OrderedSteps(), Event()
    steps = []

    def prepare(item: int) -> int:
        if item == 1:
            second.set()
        elif item == 0:
            second.wait(60)
            raise MadeUpError(item)
        return item

    def work(_: int, item: int) -> None:
        queue.run_step(item, lambda: prepare(item), steps.append)

    with pytest.raises(MadeUpError, match="0"):
        list(map_unordered(pool, range(3), work, range(20)))
    assert steps == []


def test_nobody_waits_for_a_thread_that_was_interrupted(pool: ThreadPoolExecutor) -> None:
    """Another thread may wait for a step that this one was to take; it is told not to."""
    queue, waiting, late = OrderedSteps(), Event(), Event()
    own = get_ident()

    def work(_: int, item: int) -> None:
        if get_ident() == own:
            waiting.wait(60)
        else:
            queue.run_step(item + 1000, waiting.set, lambda _: None)

    def give_up() -> None:
        late.set()
        queue.stop()

    found = map_unordered(pool, range(2), work, range(4), queue.stop)
    next(found)
    timer = Timer(10, give_up)
    timer.start()
    found.close()
    timer.cancel()
    assert not late.is_set()
