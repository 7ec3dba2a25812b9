"""Searching: tests of one bound after another, until the question is answered or a limit is met."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.rules.layout import spare_bits
from zermelo.values.proof_values import FAR, MOST_SCORE

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.arrays import SearchArrays, TestBatch
    from zermelo._engine.search.table_positions import TablePositions
    from zermelo.progress import Reporter

#: Nodes between two looks at the clock, at first and at most, and the seconds there should be.
_FIRST, _LAST, _PAUSE = 1 << 10, 1 << 22, 0.05
#: Nodes of a test that is answered without a look at the clock, where there is no limit.
_SHORT = 1 << 6
#: Nodes of a test after which other threads join in.
_ALONE = 1 << 17
#: Nodes of many tests together, after which there is a look at whether they are to be interrupted.
_TOGETHER = 1 << 20
#: The share of the memory that the table may have; the rest is for what is under way.
TABLE_SHARE = 0.95


class RepeatedError(Exception):
    """A position came again on the way to itself, so that play need not end."""


@dataclass
class SearchLimits:
    """What a search may take, from now on.

    Attributes:
        until: the reading of the monotonic clock at which it stops, or None. The clock stands still
            while kernels are compiled or loaded; see ``wait_for``.
        nodes: positions that it may visit, or None.
        reason: why it stopped, once it has.
        waited: seconds that did not count; see ``wait_for``.
    """

    until: float | None = None
    nodes: int | None = None
    reason: str = ""
    waited: float = 0.0

    @classmethod
    def of(cls, seconds: float | None, nodes: int | None) -> SearchLimits:
        """Begin to count."""
        return cls(None if seconds is None else time.monotonic() + seconds, nodes)

    def wait_for(self, load: Callable[[], object]) -> None:
        """Call a function whose time does not count."""
        began = time.monotonic()
        load()
        took = time.monotonic() - began
        self.waited += took
        if self.until is not None:
            self.until += took

    def up_to(self, nodes: int) -> SearchLimits:
        """Return limits that are met when a number of nodes have been visited, if not sooner."""
        return SearchLimits(self.until, nodes if self.nodes is None else min(nodes, self.nodes))

    def met(self, visited: int) -> bool:
        """Whether it is time to stop."""
        if self.until is not None and time.monotonic() >= self.until:
            self.reason = "the time is used up"
        elif self.nodes is not None and visited >= self.nodes:
            self.reason = "the nodes are used up"
        return bool(self.reason)


@dataclass
class Tally:
    """What searches for one proof have done together.

    Attributes:
        visited: positions that they visited.
    """

    visited: int = 0


@dataclass
class Searcher:
    """What tests bounds of positions of one game, and remembers what it finds.

    Attributes:
        compiled: the rules as they search, folded where the game has symmetries.
        far: whether values tell how far away wins and losses are.
        memory: the bytes that the table may take.
        report: is told about the nodes.
        tally: counts them.
        threads: how many search at once.
        tabled: positions whose values solved tables say; None where there are none.
        between: is called between two parts of a search, many times a second.
        describe: says in short where a search is; none, nothing is said.
        walk: the search that is asked, or was the last to find something.
    """

    compiled: CompiledRules
    far: bool
    memory: int
    report: Reporter
    tally: Tally
    threads: int = 1
    tabled: TablePositions | None = None
    between: Callable[[], None] | None = None
    describe: Callable[[SearchArrays], str] | None = None
    _quota: int = _FIRST
    walk: SearchArrays = field(init=False)

    def __post_init__(self) -> None:
        """Make an empty table."""
        self.forget()

    def load(self) -> None:
        """Compile or load the kernel, and visit nothing."""
        self.walk.begin(self.walk.keys[: self.compiled.words].copy(), 0, 0)
        self.compiled.search(self.walk, self.walk.nodes)

    def forget(self) -> None:
        """Begin with an empty table."""
        self.walk = self._arrays(int(self.memory * TABLE_SHARE))
        self._beside: list[SearchArrays] = []

    def _arrays(self, memory: int) -> SearchArrays:
        from zermelo._engine.search.arrays import SearchArrays

        compiled = self.compiled
        return SearchArrays(
            compiled.words,
            spare_bits(compiled.rules.game, compiled.rules.layout),
            alternate=compiled.alternate,
            gains=compiled.kind.gains,
            fades=self.far,
            great=self.great,
            memory=memory,
            tabled=self.tabled,
        )

    @property
    def great(self) -> int:
        """What a win is worth at the end; in a score game, more than any score."""
        if self.compiled.kind.gains:
            return MOST_SCORE
        return FAR if self.far else 1

    def test(
        self,
        packed: npt.NDArray[np.uint64],
        owner: int,
        target: int,
        limits: SearchLimits,
        *,
        resume: bool = False,
    ) -> int | None:
        """Return a bound of a position's value: at least ``target``, or less and then the most.

        Args:
            packed: the words of the position, which is canonical and not terminal.
            owner: whose turn it is.
            target: what the value may be.
            limits: when to stop.
            resume: whether the same test was the last one here, met a limit, and is to go on.

        Returns:
            The bound, or None where a limit was met.

        Raises:
            RepeatedError: a position came again, and values do not tell how far away ends are.
            RulesError: the rules break the contract.
        """
        if resume:  # what it noted among the moves under way is still there
            self.walk.busy[:] = 0
        else:
            self.walk.busy = np.zeros(0, np.uint64)
            self.walk.begin(packed, owner, target)
        return self._answer(limits, lambda walk: walk.begin(packed, owner, target))

    def test_many(self, many: TestBatch, *, beside: bool = False) -> None:
        """Test one position after another, and leave those that take long.

        It is what ``test`` does, without what Python takes for each test: most of them take a few
        nodes.

        Args:
            many: the positions; ``to`` and ``found`` change.
            beside: whether another search has the memory, so that the table is not to grow.

        Raises:
            RulesError: the rules break the contract, or scores are too great.
        """
        walk = self.walk
        walk.busy = np.zeros(0, np.uint64)
        walk.begin_many(many)
        while walk.tested < len(many.rows):
            before = walk.nodes
            status = self.compiled.search(walk, before + _TOGETHER)
            self.tally.visited += walk.nodes - before
            if walk.tested < len(many.rows):
                self._look(walk, status)
            if not beside:
                walk.grow()

    def _answer(
        self, limits: SearchLimits, begin: Callable[[SearchArrays], None] | None = None
    ) -> int | None:
        """Do what ``_run`` does, at once if there is no limit and little to do.

        Putting a strategy together takes millions of tests, most of them of a few nodes.
        """
        from zermelo._engine.search.alpha_beta import DONE

        if limits.until is None and limits.nodes is None:
            before = self.walk.nodes
            status = self.compiled.search(self.walk, before + _SHORT)
            self.tally.visited += self.walk.nodes - before
            self._look(self.walk, status)
            if status == DONE:
                return self.walk.result
        return self._run(limits, begin)

    def _run(
        self, limits: SearchLimits, begin: Callable[[SearchArrays], None] | None = None
    ) -> int | None:
        """Go on with what has begun, until there is a result or a limit is met.

        Args:
            limits: when to stop.
            begin: begins the same in the arrays of another thread; None where one is to search.
        """
        from zermelo._engine.search.alpha_beta import DONE

        team, alone = [self.walk], self.tally.visited + _ALONE
        with ExitStack() as stack:
            pool = None
            while not limits.met(self.tally.visited):
                if begin and pool is None and self.threads > 1 and self.tally.visited >= alone:
                    team = self._thread_searches(begin)
                    pool = stack.enter_context(ThreadPoolExecutor(self.threads - 1))
                quota = self._quota
                if limits.nodes is not None:
                    left = limits.nodes - self.tally.visited
                    quota = min(quota, max(left // len(team), 1))
                began, before = time.perf_counter(), sum(walk.nodes for walk in team)
                statuses = self._turns(team, quota, pool)
                took = time.perf_counter() - began
                self.tally.visited += sum(walk.nodes for walk in team) - before
                self.report.advance(self.tally.visited, detail=self._detail)
                for walk, status in zip(team, statuses, strict=True):
                    self._look(walk, status)
                if DONE in statuses:
                    self._set_main_search(team[statuses.index(DONE)], team)
                    return self.walk.result
                if took < _PAUSE:
                    self._quota = min(2 * self._quota, _LAST)
                elif took > 2 * _PAUSE:
                    self._quota = max(self._quota // 2, _FIRST)
                self._set_main_search(self.walk, team)
                if self.walk.grow():
                    self._set_main_search(self.walk, team)
                if self.between is not None:
                    self.between()
        return None

    def _detail(self) -> str:
        """Say in short where the search is."""
        return "" if self.describe is None else self.describe(self.walk)

    def _thread_searches(self, begin: Callable[[SearchArrays], None]) -> list[SearchArrays]:
        """Return arrays for each thread, in which the same has begun."""
        from zermelo._engine.search.alpha_beta import BUSY

        while len(self._beside) < self.threads - 1:
            self._beside.append(self._arrays(0))
        self.walk.busy = np.zeros(BUSY, np.uint64)
        self._set_main_search(self.walk, self._beside)
        for walk in self._beside:
            begin(walk)
        return [self.walk, *self._beside]

    def _set_main_search(self, first: SearchArrays, team: Iterable[SearchArrays]) -> None:
        """Have one of the searches asked from now on, and the others search in its table."""
        for walk in team:
            if walk is not first:
                walk.share(first)
        if first is not self.walk:
            self._beside = [walk for walk in team if walk is not first]
            self.walk = first

    def _turns(
        self, team: Sequence[SearchArrays], quota: int, pool: ThreadPoolExecutor | None
    ) -> list[int]:
        """Search in each thread for ``quota`` nodes, or until one stops; return why each did."""
        if pool is None:
            return [self.compiled.search(team[0], team[0].nodes + quota)]
        team[0].busy[0] = 0
        jobs = [pool.submit(self._turn, walk, quota) for walk in team[1:]]
        try:
            first = self._turn(team[0], quota)
        finally:
            wait(jobs)
        return [first, *(job.result() for job in jobs)]

    def _turn(self, walk: SearchArrays, quota: int) -> int:
        try:
            return self.compiled.search(walk, walk.nodes + quota)
        finally:
            walk.busy[0] = 1  # the others pause

    def _look(self, walk: SearchArrays, status: int) -> None:
        """Make room where there was too little.

        Raises:
            RepeatedError: a position came again.
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
        if status not in (DONE, PAUSED) and not walk.make_room(status):
            raise _unknown(status)

    def chosen(self) -> npt.NDArray[np.uint64]:
        """Return the packed position that the move leads to by which the last test was passed."""
        at = (1 + self.walk.move) * self.compiled.words
        return self.walk.keys[at : at + self.compiled.words].copy()


class NumberSearcher(Searcher):
    """What asks whether a player can force a win, where play may go round in circles."""

    def forget(self) -> None:
        """Begin with an empty table."""
        from zermelo._engine.search.arrays import NumberArrays

        compiled = self.compiled
        self.numbers = NumberArrays(
            compiled.words,
            spare_bits(compiled.rules.game, compiled.rules.layout),
            alternate=compiled.alternate,
            gains=False,
            fades=False,
            great=1,
            memory=int(self.memory * TABLE_SHARE),
            tabled=self.tabled,
        )
        self.walk = self.numbers

    def widen(self, memory: int) -> None:
        """Allow another number of bytes, with all that was found."""
        self.memory = memory
        self.numbers.table.allow(int(memory * TABLE_SHARE))

    def wins(
        self, packed: npt.NDArray[np.uint64], owner: int, limits: SearchLimits, *, mover: bool
    ) -> bool | None:
        """Return whether a player can force a win; None where a limit was met.

        Args:
            packed: the words of the position, which is canonical and not terminal.
            owner: whose turn it is.
            limits: when to stop.
            mover: whether it is about the player to move, and not about the other.

        Raises:
            RulesError: the rules break the contract.
        """
        self.numbers.attack(packed, owner, mover=mover)
        found = self._answer(limits)
        return None if found is None else found > 0


def searcher_for(
    compiled: CompiledRules,
    memory: int,
    report: Reporter,
    threads: int = 1,
    tabled: TablePositions | None = None,
) -> Searcher:
    """Return what searches a game first, with an empty table.

    Args:
        compiled: the rules, folded as they are to be searched.
        memory: the bytes that its table may take.
        report: is told about the nodes.
        threads: how many search at once.
        tabled: positions whose values solved tables say, if there are any.

    Raises:
        CompileError: a rule uses something that cannot be compiled.
    """
    from zermelo._compile.rules import compile_search

    searching = compile_search(compiled.rules.game)
    if compiled.is_folded:
        searching = searching.folded(compiled.elements)
    return Searcher(
        searching,
        far=False,
        memory=memory,
        report=report,
        tally=Tally(),
        threads=threads,
        tabled=tabled,
    )


def _unknown(status: int) -> Exception:
    return RuntimeError(f"a search stopped with {status}")


@dataclass
class Bounds:
    """What is known of a value, narrowed by tests.

    Attributes:
        low: the least it can be.
        high: the most.
    """

    low: int
    high: int

    def narrow(self, target: int, found: int) -> None:
        """Take note of what a test found."""
        if found >= target:
            self.low = max(self.low, found)
        else:
            self.high = min(self.high, found)


def targets(bounds: Bounds, ask: str, *, scored: bool) -> Iterator[int]:
    """Yield what to test next, as long as a question is open; ``bounds`` changes meanwhile.

    Args:
        bounds: what is known.
        ask: "value", or "win" or "draw": whether the value is more than 0, or at least 0.
        scored: whether values are scores, which are met from the last bound that was found
            (Plaat's MTD(f)).
    """
    if ask != "value":
        target = 1 if ask == "win" else 0
        while bounds.low < target <= bounds.high:
            yield target
        return
    target = 1
    while bounds.low < bounds.high:
        before = Bounds(bounds.low, bounds.high)
        yield min(max(target, bounds.low + 1), bounds.high)
        if scored and bounds.low != before.low:
            target = bounds.low + 1
        else:
            target = bounds.high if scored else 0


def nearest(bounds: Bounds) -> Iterator[int]:
    """Yield what to test next to find how far away a win or a loss is, the nearest end first.

    Two plies are tested at once: where players alternate, most ends are of one player's making, and
    every other test would search as much as the next one, in vain.
    """
    while bounds.low < bounds.high:
        if bounds.high > 0:
            yield max(bounds.high - 1, bounds.low + 1)
        else:
            yield min(bounds.low + 2, bounds.high)


def phase_of(target: int, *, scored: bool) -> str:
    """Return what a test is about, in words."""
    if scored:
        return f"is it {target:+d} or more?"
    return "is it won?" if target > 0 else "is it drawn?"
