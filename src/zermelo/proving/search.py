"""Searchers.

Tests of bounds, one after another, until the question is answered or a limit is met.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.limits import current
from zermelo.rules.layout import spare_bits
from zermelo.values.proof_values import FAR, MOST_SCORE

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.arrays import SearchArrays, TestBatch
    from zermelo._engine.search.table_positions import TablePositions
    from zermelo.game.contract import Game
    from zermelo.progress import Reporter
    from zermelo.proving.tables import KnownPositions

#: Nodes between two checks of the clock, at first and at most, and the target seconds.
_LEAST_QUOTA, _MOST_QUOTA, _PAUSE_SECONDS = 1 << 10, 1 << 22, 0.05
#: Nodes of a test that runs without a check of the clock, if there is no limit.
_SHORT_TEST = 1 << 6
#: Nodes of a test after which other threads join in.
_SINGLE_THREAD_NODES = 1 << 17
#: Nodes of a batch of tests between two checks for Ctrl-C.
_BATCH_NODES = 1 << 20
#: The share of the memory for the table; the rest is for the search stack.
TABLE_SHARE = 0.95


class RepeatedError(Exception):
    """A position repeated on its own path, so that play need not end."""


@dataclass
class SearchLimits:
    """The limits of a search.

    Attributes:
        until: the time of the monotonic clock at which it stops, or None. The clock is paused while
            kernels are compiled or loaded; see ``wait_for``.
        nodes: positions that it may visit, or None.
        reason: why it stopped, once it has.
        waited: seconds of such pauses.
    """

    until: float | None = None
    nodes: int | None = None
    reason: str = ""
    waited: float = 0.0

    @classmethod
    def of(cls, seconds: float | None, nodes: int | None) -> SearchLimits:
        """Create limits that start now."""
        return cls(None if seconds is None else time.monotonic() + seconds, nodes)

    def wait_for(self, load: Callable[[], object]) -> None:
        """Call a function whose time does not count."""
        began = time.monotonic()
        load()
        duration = time.monotonic() - began
        self.waited += duration
        if self.until is not None:
            self.until += duration

    def up_to(self, nodes: int) -> SearchLimits:
        """Return limits that are also met after ``nodes`` visited positions."""
        return SearchLimits(self.until, nodes if self.nodes is None else min(nodes, self.nodes))

    def is_met(self, visited: int) -> bool:
        """Whether a limit is met."""
        if self.until is not None and time.monotonic() >= self.until:
            self.reason = "the time is used up"
        elif self.nodes is not None and visited >= self.nodes:
            self.reason = "the nodes are used up"
        return bool(self.reason)


@dataclass
class Tally:
    """The common counters of the searches for one proof.

    Attributes:
        visited: positions visited.
    """

    visited: int = 0


@dataclass
class Searcher:
    """A searcher that tests bounds of positions of one game, and stores results in a table.

    Attributes:
        compiled: the rules as they are searched, with symmetries if the game has them.
        with_distance: whether values include the distance to a win or a loss.
        memory: the most bytes of the table.
        report: receives the number of nodes.
        tally: the common counters.
        threads: the number of threads.
        table_positions: positions of solved tables, or None.
        on_pause: is called between two parts of a search, many times a second.
        describe: returns a short status of a search; None for no status.
        walk: the arrays of the main search.
    """

    compiled: CompiledRules
    with_distance: bool
    memory: int
    report: Reporter
    tally: Tally
    threads: int = 1
    table_positions: TablePositions | None = None
    on_pause: Callable[[], None] | None = None
    describe: Callable[[SearchArrays], str] | None = None
    _quota: int = _LEAST_QUOTA
    walk: SearchArrays = field(init=False)

    def __post_init__(self) -> None:
        """Create an empty table."""
        self.clear()

    def load(self) -> None:
        """Compile or load the kernel, without visiting a node."""
        self.walk.begin(self.walk.keys[: self.compiled.words].copy(), 0, 0)
        self.compiled.search(self.walk, self.walk.nodes)

    def clear(self) -> None:
        """Start with an empty table."""
        self.walk = self._arrays(int(self.memory * TABLE_SHARE))
        self._helper_walks: list[SearchArrays] = []

    def _arrays(self, memory: int) -> SearchArrays:
        from zermelo._engine.search.arrays import SearchArrays

        compiled = self.compiled
        return SearchArrays(
            compiled.words,
            spare_bits(compiled.rules.game, compiled.rules.layout),
            alternate=compiled.alternate,
            gains=compiled.kind.gains,
            counts_plies=self.with_distance,
            win_value=self.win_score,
            memory=memory,
            table_positions=self.table_positions,
        )

    def create_sibling(self, kind: type[Any], *, with_distance: bool, share: float) -> Any:
        """Return a searcher of another kind, with a share of the memory and the same tally."""
        return kind(
            self.compiled,
            with_distance=with_distance,
            memory=int(self.memory * share),
            report=self.report,
            tally=self.tally,
            threads=self.threads,
            table_positions=self.table_positions,
            on_pause=self.on_pause,
        )

    @property
    def win_score(self) -> int:
        """The value of an immediate win; in a score game, a number greater than any score."""
        if self.compiled.kind.gains:
            return MOST_SCORE
        return FAR if self.with_distance else 1

    def test(
        self,
        packed: npt.NDArray[np.uint64],
        owner: int,
        target: int,
        limits: SearchLimits,
        *,
        resume: bool = False,
    ) -> int | None:
        """Return a lower bound of a value if it is at least ``target``, else an upper bound.

        Args:
            packed: the words of the position, which is canonical and not terminal.
            owner: the player to move.
            target: the bound to test.
            limits: the limits.
            resume: whether to continue the last test, which met a limit.

        Returns:
            The bound, or None if a limit was met.

        Raises:
            RepeatedError: a position repeated, and values do not include distances.
            RulesError: the rules break the contract.
        """
        if resume:  # its marks of moves being searched are still there
            self.walk.thread_claims[:] = 0
        else:
            self.walk.thread_claims = np.zeros(0, np.uint64)
            self.walk.begin(packed, owner, target)
        return self._answer(limits, lambda walk: walk.begin(packed, owner, target))

    def test_batch(self, batch: TestBatch, *, table_is_fixed: bool = False) -> None:
        """Test a batch of positions, one after another, and abandon long tests.

        It does what ``test`` does, without Python's overhead for each test: most of them take a few
        nodes.

        Args:
            batch: the positions; ``to`` and ``found`` receive the results.
            table_is_fixed: whether another search has the memory, so that the table must not grow.

        Raises:
            RulesError: the rules break the contract, or scores are too great.
        """
        walk = self.walk
        walk.thread_claims = np.zeros(0, np.uint64)
        walk.begin_batch(batch)
        while walk.tested_count < len(batch.rows):
            nodes_before = walk.nodes
            status = self.compiled.search(walk, nodes_before + _BATCH_NODES)
            self.tally.visited += walk.nodes - nodes_before
            if walk.tested_count < len(batch.rows):
                self._grow_array(walk, status)
            if not table_is_fixed:
                walk.grow()

    def _answer(
        self, limits: SearchLimits, begin: Callable[[SearchArrays], None] | None = None
    ) -> int | None:
        """Run the search that was started, without overhead if there is no limit and it is short.

        Building a strategy takes millions of tests, most of them of a few nodes.
        """
        from zermelo._engine.search.alpha_beta import DONE

        if limits.until is None and limits.nodes is None:
            nodes_before = self.walk.nodes
            status = self.compiled.search(self.walk, nodes_before + _SHORT_TEST)
            self.tally.visited += self.walk.nodes - nodes_before
            self._grow_array(self.walk, status)
            if status == DONE:
                return self.walk.result
        return self._run(limits, begin)

    def _run(
        self, limits: SearchLimits, begin: Callable[[SearchArrays], None] | None = None
    ) -> int | None:
        """Run the search that was started, until there is a result or a limit is met.

        Args:
            limits: the limits.
            begin: starts the search in the arrays of another thread; None for a single thread.
        """
        from zermelo._engine.search.alpha_beta import DONE

        walks, shared_from = (
            [self.walk],
            self.tally.visited + current().shared(_SINGLE_THREAD_NODES),
        )
        with ExitStack() as stack:
            pool = None
            while not limits.is_met(self.tally.visited):
                if (
                    begin
                    and pool is None
                    and self.threads > 1
                    and self.tally.visited >= shared_from
                ):
                    walks = self._thread_searches(begin)
                    pool = stack.enter_context(ThreadPoolExecutor(self.threads - 1))
                quota = self._quota
                if limits.nodes is not None:
                    nodes_left = limits.nodes - self.tally.visited
                    quota = min(quota, max(nodes_left // len(walks), 1))
                begin_time, nodes_before = time.perf_counter(), sum(walk.nodes for walk in walks)
                statuses = self._run_threads(walks, quota, pool)
                duration = time.perf_counter() - begin_time
                self.tally.visited += sum(walk.nodes for walk in walks) - nodes_before
                self.report.advance(self.tally.visited, detail=self._detail)
                for walk, status in zip(walks, statuses, strict=True):
                    self._grow_array(walk, status)
                if DONE in statuses:
                    self._set_main_search(walks[statuses.index(DONE)], walks)
                    return self.walk.result
                if duration < _PAUSE_SECONDS:
                    self._quota = min(2 * self._quota, current().batch(_MOST_QUOTA))
                elif duration > 2 * _PAUSE_SECONDS:
                    self._quota = max(self._quota // 2, _LEAST_QUOTA)
                self._set_main_search(self.walk, walks)
                if self.walk.grow():
                    self._set_main_search(self.walk, walks)
                if self.on_pause is not None:
                    self.on_pause()
        return None

    def _detail(self) -> str:
        """Return a short status of the search."""
        return "" if self.describe is None else self.describe(self.walk)

    def _thread_searches(self, begin: Callable[[SearchArrays], None]) -> list[SearchArrays]:
        """Return arrays for each thread, in which the search has been started."""
        from zermelo._engine.search.alpha_beta import CLAIMS

        while len(self._helper_walks) < self.threads - 1:
            self._helper_walks.append(self._arrays(0))
        self.walk.thread_claims = np.zeros(CLAIMS, np.uint64)
        self._set_main_search(self.walk, self._helper_walks)
        for walk in self._helper_walks:
            begin(walk)
        return [self.walk, *self._helper_walks]

    def _set_main_search(self, first: SearchArrays, walks: Iterable[SearchArrays]) -> None:
        """Make ``first`` the main search; share its table."""
        for walk in walks:
            if walk is not first:
                walk.share_table(first)
        if first is not self.walk:
            self._helper_walks = [walk for walk in walks if walk is not first]
            self.walk = first

    def _run_threads(
        self, walks: Sequence[SearchArrays], quota: int, pool: ThreadPoolExecutor | None
    ) -> list[int]:
        """Search in each thread for ``quota`` nodes, or until one stops.

        Return the status of each.
        """
        if pool is None:
            return [self.compiled.search(walks[0], walks[0].nodes + quota)]
        walks[0].thread_claims[0] = 0
        jobs = [pool.submit(self._run_walk, walk, quota) for walk in walks[1:]]
        try:
            first = self._run_walk(walks[0], quota)
        finally:
            wait(jobs)
        return [first, *(job.result() for job in jobs)]

    def _run_walk(self, walk: SearchArrays, quota: int) -> int:
        try:
            return self.compiled.search(walk, walk.nodes + quota)
        finally:
            walk.thread_claims[0] = 1  # the others pause

    def _grow_array(self, walk: SearchArrays, status: int) -> None:
        """Enlarge an array that was too small.

        Raises:
            RepeatedError: a position repeated.
            RulesError: scores are too great.
        """
        from zermelo._engine.search.alpha_beta import BEYOND, DONE, PAUSED, REPEATED

        if status == BEYOND or (status == DONE and abs(walk.result) >= MOST_SCORE):
            message = (
                f"{self.compiled.rules.name} has scores of {MOST_SCORE:,} points or more, "
                "which prove() cannot hold; count in larger units, or solve the game instead"
            )
            raise RulesError(message)
        if status == REPEATED:
            raise RepeatedError
        if status not in (DONE, PAUSED) and not walk.enlarge(status):
            raise _status_error(status)

    def chosen_child(self) -> npt.NDArray[np.uint64]:
        """Return the packed child of the move that passed the last test."""
        offset = (1 + self.walk.move) * self.compiled.words
        return self.walk.keys[offset : offset + self.compiled.words].copy()


class NumberSearcher(Searcher):
    """A proof-number searcher: whether a player can force a win, also in games with cycles."""

    def clear(self) -> None:
        """Start with an empty table."""
        from zermelo._engine.search.arrays import NumberArrays

        compiled = self.compiled
        self.numbers = NumberArrays(
            compiled.words,
            spare_bits(compiled.rules.game, compiled.rules.layout),
            alternate=compiled.alternate,
            gains=False,
            counts_plies=False,
            win_value=1,
            memory=int(self.memory * TABLE_SHARE),
            table_positions=self.table_positions,
        )
        self.walk = self.numbers

    def set_memory_limit(self, memory: int) -> None:
        """Change the memory limit, keeping the table."""
        self.memory = memory
        self.numbers.table.set_limit(int(memory * TABLE_SHARE))

    def wins(
        self, packed: npt.NDArray[np.uint64], owner: int, limits: SearchLimits, *, mover: bool
    ) -> bool | None:
        """Return whether a player can force a win; None if a limit was met.

        Args:
            packed: the words of the position, which is canonical and not terminal.
            owner: the player to move.
            limits: the limits.
            mover: whether this player is the player to move.

        Raises:
            RulesError: the rules break the contract.
        """
        self.numbers.attack(packed, owner, mover=mover)
        bound = self._answer(limits)
        return None if bound is None else bound > 0


class KnownSearcher:
    """A searcher that knows the values of all positions of a small game, which was solved.

    It asks a ``Searcher``, which compiles the rules, about any other position.

    Attributes:
        with_distance: see ``Searcher``, as for what follows.
        memory: see ``with_distance``.
        report: see ``with_distance``.
        tally: see ``with_distance``.
        threads: see ``with_distance``.
        on_pause: see ``with_distance``.
        describe: see ``with_distance``.
        table_positions: the positions, with their values.
    """

    on_pause: Callable[[], None] | None = None
    describe: Callable[[SearchArrays], str] | None = None

    def __init__(
        self,
        game: Game,
        table_positions: KnownPositions,
        *,
        with_distance: bool,
        memory: int,
        report: Reporter,
        tally: Tally,
        threads: int,
    ) -> None:
        """Take the positions; see the attributes."""
        self.game, self.table_positions, self.with_distance = game, table_positions, with_distance
        self.memory, self.report, self.tally, self.threads = memory, report, tally, threads

    @cached_property
    def compiled(self) -> CompiledRules:
        """The compiled rules for a search of other positions, without symmetries."""
        from zermelo._compile.rules import compile_search

        return compile_search(self.game)

    @cached_property
    def _searcher(self) -> Searcher:
        """The searcher of other positions."""
        searcher: Searcher = self._searcher_of_kind(
            Searcher, with_distance=self.with_distance, share=1
        )
        return searcher

    def _searcher_of_kind(self, kind: type[Any], *, with_distance: bool, share: float) -> Any:
        memory = int(self.memory * share)
        return kind(
            self.compiled,
            with_distance=with_distance,
            memory=memory,
            report=self.report,
            tally=self.tally,
            threads=self.threads,
        )

    @property
    def walk(self) -> SearchArrays:
        """The arrays of that searcher."""
        return self._searcher.walk

    def load(self) -> None:
        """Do nothing: that searcher is rarely asked."""

    def clear(self) -> None:
        """Do nothing: the known values stay."""

    def create_sibling(self, kind: type[Any], *, with_distance: bool, share: float) -> Any:
        """Return a searcher of another kind; see ``Searcher``."""
        if kind is not Searcher:
            return self._searcher_of_kind(kind, with_distance=with_distance, share=share)
        sibling = copy(self)
        sibling.with_distance = with_distance
        vars(sibling).pop("_searcher", None)
        return sibling

    def test(
        self,
        packed: npt.NDArray[np.uint64],
        owner: int,
        target: int,
        limits: SearchLimits,
        *,
        resume: bool = False,
    ) -> int | None:
        """Return a bound of a position's value; see ``Searcher``."""
        is_known, values = self.table_positions.find(packed.reshape(1, -1))
        if not is_known[0]:
            return self._searcher.test(packed, owner, target, limits, resume=resume)
        self.tally.visited = self.tally.visited or self.table_positions.count
        value = int(values[0])
        return (
            value
            if self.with_distance or self.table_positions.scored
            else (value > 0) - (value < 0)
        )

    def test_batch(self, batch: TestBatch, *, table_is_fixed: bool = False) -> None:
        """Test one position after another by search; see ``Searcher``."""
        self._searcher.test_batch(batch, table_is_fixed=table_is_fixed)

    def chosen_child(self) -> npt.NDArray[np.uint64]:
        """Return the child by which the last search was passed."""
        return self._searcher.chosen_child()


def searcher_for(
    compiled: CompiledRules,
    memory: int,
    report: Reporter,
    threads: int = 1,
    table_positions: TablePositions | None = None,
) -> Searcher:
    """Return the main searcher of a game, with an empty table.

    Args:
        compiled: the rules, with the symmetries to use.
        memory: the most bytes of its table.
        report: receives the number of nodes.
        threads: the number of threads.
        table_positions: positions of solved tables, or None.

    Raises:
        CompileError: a rule uses something that cannot be compiled.
    """
    from zermelo._compile.rules import compile_search

    search_rules = compile_search(compiled.rules.game)
    if compiled.is_folded:
        search_rules = search_rules.with_symmetries(compiled.elements)
    return Searcher(
        search_rules,
        with_distance=False,
        memory=memory,
        report=report,
        tally=Tally(),
        threads=threads,
        table_positions=table_positions,
    )


def _status_error(status: int) -> Exception:
    return RuntimeError(f"a search stopped with {status}")


@dataclass
class Bounds:
    """Bounds of a value, narrowed by tests.

    Attributes:
        low: the lower bound.
        high: the upper bound.
    """

    low: int
    high: int

    def narrow(self, target: int, bound: int) -> None:
        """Update the bounds by the result of a test."""
        if bound >= target:
            self.low = max(self.low, bound)
        else:
            self.high = min(self.high, bound)


def bounds_to_test(bounds: Bounds, ask: str, *, scored: bool) -> Iterator[int]:
    """Yield the next bound to test while the question is open; ``bounds`` is updated between.

    Args:
        bounds: the bounds.
        ask: "value", or "win" or "draw": whether the value is more than 0, or at least 0.
        scored: whether values are scores, which are tested from the last bound that was found
            (Plaat's MTD(f)).
    """
    if ask != "value":
        target = 1 if ask == "win" else 0
        while bounds.low < target <= bounds.high:
            yield target
        return
    target = 1
    while bounds.low < bounds.high:
        old_bounds = Bounds(bounds.low, bounds.high)
        yield min(max(target, bounds.low + 1), bounds.high)
        if scored and bounds.low != old_bounds.low:
            target = bounds.low + 1
        else:
            target = bounds.high if scored else 0


def distances_to_test(bounds: Bounds) -> Iterator[int]:
    """Yield the next bound to test for the distance of a win or a loss, the nearest end first.

    Two plies are tested at a time: if players alternate, most ends are made by one player, and
    every other test would search as much as the next one, in vain.
    """
    while bounds.low < bounds.high:
        if bounds.high > 0:
            yield max(bounds.high - 1, bounds.low + 1)
        else:
            yield min(bounds.low + 2, bounds.high)


def phase_name(target: int, *, scored: bool) -> str:
    """Return the question of a test in words."""
    if scored:
        return f"is it {target:+d} or more?"
    return "is it won?" if target > 0 else "is it drawn?"
