"""The pool of workers: scheduling units of work, and retrying the units of lost workers.

A unit is a function of the files in the shared folder: every worker writes the same bytes for it.
So it does not matter which worker does it, how often it is started, or whether a worker that was
given up answers after all; only the first answer to a unit counts.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from zermelo import limits
from zermelo._cluster.shared_files import SharedFile
from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Job, facts
from zermelo._engine.core.ledger import Ledger
from zermelo.errors import BudgetError, ClusterError, RulesError
from zermelo.progress import Reporter, WorkerProgress

AnyJob = TypeVar("AnyJob", bound=Job)

#: The number of workers that a unit may cost before it is the unit's fault.
_TRIES = 4
#: The seconds, and the multiple of the average time, after which a second worker gets a unit.
_SLOW, _SLOW_FACTOR = 5.0, 4.0
#: Seconds to wait for a message before checking for slow workers.
_PAUSE = 1.0
#: Seconds for workers to answer a greeting, and to have a job ready.
_BEGINNING = 120.0
#: The name of the probe file that all workers have to see in the shared folder.
_PROBE_NAME = "probe.part"


class WorkerPool:
    """The workers of one solve.

    Attributes:
        size: the number of workers.
        lost: the number of workers lost so far.
        rates: for each worker, the units done and the seconds they took.
        sent: bytes that workers have read of what others wrote, and written, also for a driver that
            this one resumes.
    """

    def __init__(self, transport: Transport, memory: int | None, threads: int | None) -> None:
        """Create a pool of the workers of a transport.

        Args:
            transport: sends and receives messages.
            memory: bytes that a host may use, shared by the workers on it, and by the driver if it
                is there; None for most of each host's free memory.
            threads: threads that a host may use; None for one per core.
        """
        self._transport = transport
        self._memory, self._threads = memory, threads
        self.size = transport.size
        self.lost = 0
        self.rates = [(0, 0.0)] * self.size
        self.sent = 0
        self._run = secrets.token_hex(4)
        self._attempts = 0
        self._number = 0
        self._busy: dict[int, tuple[int, float]] = {}
        self._hosts: list[str] = [""] * self.size
        self._lost_workers: set[int] = set()
        self._failed_starts = 0
        self._begin: tuple[Any, ...] = ()
        self._folder = Path()
        self._publish: Callable[[], None] = lambda: None
        self._levels: list[int | None] = [None] * self.size
        self._exchanged = [0] * self.size
        self._limit = _SLOW
        self._report_tick: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers."""
        self._transport.close()

    @property
    def label(self) -> str:
        """The name of the workers in a sentence."""
        return self._transport.engine_name

    # -- beginning ------------------------------------------------------------------------------

    def begin(
        self,
        folder: Path,
        job: type[AnyJob],
        arguments: tuple[Any, ...],
        publish: Callable[[], None] = lambda: None,
    ) -> Callable[[int, int], AnyJob]:
        """Start a job: every worker creates an object of a class.

        Args:
            folder: the folder that driver and workers share.
            job: the class.
            arguments: the arguments of the class; the worker appends its memory and its threads.
            publish: syncs what the driver has written to the disk, for workers to read; called
                before they run units.

        Returns:
            The function that creates the job in this process, given its memory and its threads.

        Raises:
            ClusterError: a worker does not see the folder, or has other versions.
        """
        self._folder = folder
        self._begin = (f"{job.__module__}:{job.__qualname__}", arguments)
        self._publish = publish
        self._busy.clear()
        self._greet(range(self.size))
        for worker in range(self.size):
            self._give_job(worker)
        self._await(dict.fromkeys(range(self.size), "ready"))
        return partial(job, *arguments)

    def processes(self, host: str | None = None) -> int:
        """Return the number of processes of this solve on a host, by default the driver's."""
        own_host = facts()["host"]
        host = own_host if host is None else host
        return self._hosts.count(host) + int(host == own_host)

    def driver_memory(self, ledger: Ledger) -> Ledger:
        """Return the driver's share of the memory of its host."""
        return Ledger(ledger.allowed // self.processes())

    def _greet(self, workers: Sequence[int]) -> None:
        """Greet workers, and check their versions and that they see the folder."""
        probe = self._folder / _PROBE_NAME
        token = secrets.token_hex()
        try:
            self._write(probe, token)
            for worker in workers:
                self._transport.send(worker, ("hello", str(probe.absolute())))
            answers = self._await(dict.fromkeys(workers, "hello"))
        finally:
            probe.unlink(missing_ok=True)
        versions = facts()["versions"]
        for worker, (worker_facts, token_read) in answers.items():
            self._hosts[worker] = host = worker_facts["host"]
            for name, driver_version in versions.items():
                worker_version = worker_facts["versions"][name]
                if worker_version != driver_version:
                    message = (
                        f"the worker on {host!r} has {name} {worker_version!r}, and the "
                        f"driver {driver_version!r}; install equal versions on all machines"
                    )
                    raise ClusterError(message)
            if token_read != token:
                message = (
                    f"the worker on {host!r} does not see the folder {str(self._folder)!r} as the "
                    "driver does; put the table in a folder that all machines share, at one path"
                )
                raise ClusterError(message)

    def _write(self, probe: Path, token: str) -> None:
        """Write the probe file into the shared folder."""
        try:
            probe.write_text(token, encoding="utf-8")
        except OSError as error:
            message = (
                f"nothing can be written to {str(self._folder)!r}, which workers are to share: "
                f"{error.strerror}; put the table in a folder that can be written to"
            )
            raise ClusterError(message) from None

    def _give_job(self, worker: int) -> None:
        host = self._hosts[worker]
        process_counts = self._hosts.count(host), self.processes(host)
        resources = self._memory, self._threads, *process_counts, limits.current()
        self._transport.send(worker, ("begin", *self._begin, *resources))

    def _await(self, expected: dict[int, str]) -> dict[int, tuple[Any, ...]]:
        """Wait for one answer from each worker in ``expected``."""
        answers: dict[int, tuple[Any, ...]] = {}
        deadline = time.monotonic() + _BEGINNING
        while len(answers) < len(expected):
            message = self._transport.receive(_PAUSE)
            if message is None:
                if time.monotonic() > deadline:
                    text = (
                        f"{len(expected) - len(answers)} of the workers of {self.label!r} did not "
                        f"answer within {_BEGINNING:g} seconds; check that they can start"
                    )
                    raise ClusterError(text)
                continue
            worker, answer = message
            if answer is LOST:
                text = (
                    f"a worker of {self.label!r} ended before it had anything to do; see what it "
                    "wrote to standard error"
                )
                raise ClusterError(text)
            if answer[0] in ("failed", "done") and _is_older(answer[1], self._number):
                continue  # the answer to an earlier unit, which is no longer needed
            if answer[0] == "failed":
                raise self._error(worker, answer)
            if expected.get(worker) == answer[0]:
                answers[worker] = answer[1:]
        return answers

    def report_to(self, report: Reporter) -> None:
        """Add the progress of each worker to a report's events, also while no unit is finished."""
        report.workers = self.progress
        self._report_tick = report.tick

    def progress(self) -> tuple[WorkerProgress, ...]:
        """Return the finished work and the current unit of each worker."""
        now = time.monotonic()
        worker_rows = []
        for worker, (units, seconds) in enumerate(self.rates):
            current_unit = self._busy.get(worker)
            busy_seconds = None if current_unit is None else now - current_unit[1]
            level = None if current_unit is None else self._levels[worker]
            is_late = busy_seconds is not None and busy_seconds > self._limit
            record = units, seconds, self._exchanged[worker], level, busy_seconds, is_late
            worker_rows.append(WorkerProgress(worker, self._hosts[worker], *record))
        return tuple(worker_rows)

    def summary(self, positions: int) -> str:
        """Return the work that each worker has done so far, in words.

        Args:
            positions: the number of positions of the game.
        """
        worker_lines = [
            f"worker {n} on {self._hosts[n]!r} did {count:,} units in {seconds:,.1f} seconds"
            for n, (count, seconds) in enumerate(self.rates)
        ]
        losses = f"; {self.lost} workers were lost" * bool(self.lost)
        traffic = f"; {self.sent / max(positions, 1):.3g} bytes a position were exchanged"
        return "; ".join(worker_lines) + losses + traffic

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host of each worker."""
        return tuple(self._hosts)

    def run_on_every_worker(self, unit: Any) -> list[Any]:
        """Run one unit on every worker; return the result of each.

        Raises:
            ClusterError: a worker is lost, or fails.
        """
        for worker in range(self.size):
            self._attempts += 1
            name = f"{self._run}-{self._attempts}"
            self._transport.send(worker, ("unit", self._number, unit, name))
        answers = self._await(dict.fromkeys(range(self.size), "done"))
        self._number += 1
        return [answers[worker][1] for worker in range(self.size)]

    def share(self, value: Any) -> None:
        """Share a value with all processes that make the driver's call, as under MPI."""
        self._transport.share(value)

    def release(self) -> None:
        """Release the memory of the workers' jobs: there are no more units."""
        for worker in range(self.size):
            if worker not in self._lost_workers:
                self._transport.send(worker, ("release",))

    # -- units ----------------------------------------------------------------------------------

    def run(
        self, units: Sequence[Any], homes: Sequence[int] | None = None, own: Job | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Run units; yields the index and the result of each, in the order of completion.

        Each worker starts with a range of consecutive units, as these have much in common. A worker
        without units takes some of the worker that has most left.

        Args:
            units: the units, in an order in which neighbours have much in common.
            homes: for each unit, the worker that has the state it needs, if only that worker should
                do it unless it is lost or late.
            own: the job of this process if it does the units itself, because there is little work;
                else None.

        Raises:
            ClusterError: a unit could not be done, or all workers are lost.
            BudgetError: a worker has too little memory.
        """
        if own is None:
            yield from self._run_by_workers(units, homes)
            return
        for index, unit in enumerate(units):
            self._attempts += 1
            yield index, own.do_unit(unit, f"own-{self._attempts}")

    def _run_by_workers(
        self, units: Sequence[Any], homes: Sequence[int] | None
    ) -> Iterator[tuple[int, Any]]:
        """Run units by workers; see ``run``."""
        self._publish()
        first, self._number = self._number, self._number + len(units)
        shares = self._shares(len(units), homes)
        is_done = [False] * len(units)
        loss_counts: Counter[int] = Counter()
        durations = [0.0, 0.0]
        remaining = len(units)
        while remaining:
            self._limit = max(_SLOW, _SLOW_FACTOR * durations[0] / max(durations[1], 1))
            self._hand_out(units, shares, is_done, first, at_home=homes is not None)
            self._report_tick()
            message = self._transport.receive(_PAUSE)
            if message is None:
                continue
            worker, answer = message
            if answer is LOST:
                number, _ = self._busy.pop(worker, (first - 1, 0.0))
                index = number - first
                if index >= 0 and not is_done[index]:
                    loss_counts[index] += 1
                    if loss_counts[index] >= _TRIES:
                        text = (
                            f"{_TRIES} workers of {self.label!r} ended at the same unit of work; "
                            "allow less memory where the system ended them, and run the same "
                            "command again to resume"
                        )
                        raise ClusterError(text)
                    shares[worker].appendleft(index)
                self._replace(worker)
                continue
            if worker in self._lost_workers:
                self._welcome(worker, answer)
                continue
            self._busy.pop(worker, None)
            index = answer[1] - first
            if index < 0 or is_done[index]:
                continue  # another worker has done the unit
            if answer[0] == "failed":
                raise self._error(worker, answer)
            is_done[index] = True
            remaining -= 1
            seconds = answer[3]
            durations[0] += seconds
            durations[1] += 1
            count, previous_seconds = self.rates[worker]
            self.rates[worker] = count + 1, previous_seconds + seconds
            part = getattr(answer[2], "part", answer[2])
            if isinstance(part, SharedFile):
                self._exchanged[worker] += part.read + part.size
                self.sent += part.read + part.size
            yield index, answer[2]

    def _shares(self, count: int, homes: Sequence[int] | None) -> list[deque[int]]:
        """Return the units that each worker starts with."""
        if homes is None:
            homes = [n * self.size // max(count, 1) for n in range(count)]
        shares: list[deque[int]] = [deque() for _ in range(self.size)]
        for place, home in enumerate(homes):
            shares[home].append(place)
        return shares

    def _hand_out(
        self,
        units: Sequence[Any],
        shares: list[deque[int]],
        is_done: list[bool],
        first: int,
        *,
        at_home: bool,
    ) -> None:
        """Send a unit to every idle worker."""
        for worker in range(self.size):
            if worker in self._busy or worker in self._lost_workers:
                continue
            index = self._next_unit(worker, shares, is_done, first, at_home=at_home)
            if index is None:
                continue
            self._attempts += 1
            name = f"{self._run}-{self._attempts}"
            self._busy[worker] = first + index, time.monotonic()
            self._levels[worker] = getattr(units[index], "level", None)
            self._transport.send(worker, ("unit", first + index, units[index], name))

    def _next_unit(
        self,
        worker: int,
        shares: list[deque[int]],
        is_done: list[bool],
        first: int,
        *,
        at_home: bool,
    ) -> int | None:
        """Return a worker's next unit: its own, another worker's, or one that is late."""
        if shares[worker]:
            return shares[worker].popleft()
        now = time.monotonic()
        late_workers = {n for n, (_, since) in self._busy.items() if now - since > self._limit}
        other_shares = [
            share
            for n, share in enumerate(shares)
            if not at_home or n in self._lost_workers or n in late_workers
        ]
        longest_share = max(other_shares, key=len, default=None)
        if longest_share:
            return longest_share.pop()
        run_counts = Counter(number for number, _ in self._busy.values())
        for number, since in self._busy.values():
            needs_second = now - since > self._limit and run_counts[number] == 1
            if needs_second and number >= first and not is_done[number - first]:
                return number - first
        return None

    def _replace(self, worker: int) -> None:
        """Replace a lost worker."""
        self.lost += 1
        self._failed_starts = self._failed_starts + 1 if worker in self._lost_workers else 0
        self._lost_workers.add(worker)
        if self._failed_starts >= _TRIES:
            message = (
                f"workers of {self.label!r} exit as soon as they start; see what they wrote to "
                "standard error, and run the same command again to resume"
            )
            raise ClusterError(message)
        if self._transport.replace(worker):
            probe = self._folder / _PROBE_NAME
            self._transport.send(worker, ("hello", str(probe.absolute())))
        elif len(self._lost_workers) == self.size:
            message = (
                f"all workers of {self.label!r} are lost; start them again, and run the same "
                "command again to resume"
            )
            raise ClusterError(message)

    def _welcome(self, worker: int, answer: tuple[Any, ...]) -> None:
        """Give the job to a new worker."""
        if answer[0] == "failed":
            raise self._error(worker, answer)
        if answer[0] == "hello":
            self._hosts[worker] = answer[1]["host"]
            self._give_job(worker)
        else:
            self._lost_workers.discard(worker)

    def _error(self, worker: int, answer: tuple[Any, ...]) -> Exception:
        """Return the error for a worker's answer to a unit that failed."""
        kind, reason, *numbers = answer[2:]
        host = self._hosts[worker]
        if kind == "rules" and isinstance(reason, RulesError):
            return reason
        if kind == "budget":
            return BudgetError(reason, *numbers)
        if kind == "system":
            reason = f"{reason}; check that the shared folder can be reached and has free space"
        if kind == "fault":
            reason = f"it failed with\n{reason}"
        message = f"a worker on {host!r} stopped: {reason}; run the same command again to resume"
        return ClusterError(message)


def _is_older(unit: Any, number: int) -> bool:
    """Return whether ``unit`` is the number of a unit before another."""
    return isinstance(unit, int) and unit < number
