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
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from zermelo import limits
from zermelo._cluster.shared_files import SharedFile
from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Job, facts
from zermelo._engine.core.ledger import Ledger
from zermelo.errors import BudgetError, ClusterError, RulesError
from zermelo.progress import Reporter, WorkerProgress

#: The number of workers that a unit may cost before it is the unit's fault.
_TRIES = 4
#: The seconds, and the multiple of the average time, after which a second worker gets a unit.
_SLOW, _TIMES = 5.0, 4.0
#: Seconds to wait for a message before checking for slow workers.
_PAUSE = 1.0
#: Seconds for workers to answer a greeting, and to have a job ready.
_BEGINNING = 120.0
#: The name of the probe file that all workers have to see in the shared folder.
_PROBE = "probe.part"


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
        self._gone: set[int] = set()
        self._futile = 0
        self._begin: tuple[Any, ...] = ()
        self._folder = Path()
        self._publish: Callable[[], None] = lambda: None
        self._levels: list[int | None] = [None] * self.size
        self._exchanged = [0] * self.size
        self._limit = _SLOW
        self._tick: Callable[[], None] = lambda: None

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
        job: type[Job],
        arguments: tuple[Any, ...],
        publish: Callable[[], None] = lambda: None,
    ) -> None:
        """Start a job: every worker creates an object of a class.

        Args:
            folder: the folder that driver and workers share.
            job: the class.
            arguments: the arguments of the class; the worker appends its memory and its threads.
            publish: syncs what the driver has written to the disk, for workers to read; called
                before they run units.

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

    def processes(self, host: str | None = None) -> int:
        """Return the number of processes of this solve on a host, by default the driver's."""
        own = facts()["host"]
        host = own if host is None else host
        return self._hosts.count(host) + int(host == own)

    def driver_memory(self, ledger: Ledger) -> Ledger:
        """Return the driver's share of the memory of its host."""
        return Ledger(ledger.allowed // self.processes())

    def _greet(self, workers: Sequence[int]) -> None:
        """Greet workers, and check their versions and that they see the folder."""
        probe = self._folder / _PROBE
        token = secrets.token_hex()
        try:
            self._write(probe, token)
            for worker in workers:
                self._transport.send(worker, ("hello", str(probe.absolute())))
            answers = self._await(dict.fromkeys(workers, "hello"))
        finally:
            probe.unlink(missing_ok=True)
        versions = facts()["versions"]
        for worker, (theirs, found) in answers.items():
            self._hosts[worker] = host = theirs["host"]
            for name, here in versions.items():
                if theirs["versions"][name] != here:
                    message = (
                        f"the worker on {host!r} has {name} {theirs['versions'][name]!r}, and the "
                        f"driver {here!r}; install equal versions on all machines"
                    )
                    raise ClusterError(message)
            if found != token:
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
        among = self._hosts.count(host), self.processes(host)
        given = self._memory, self._threads, *among, limits.current()
        self._transport.send(worker, ("begin", *self._begin, *given))

    def _await(self, wanted: dict[int, str]) -> dict[int, tuple[Any, ...]]:
        """Wait for one answer from each of some workers."""
        found: dict[int, tuple[Any, ...]] = {}
        end = time.monotonic() + _BEGINNING
        while len(found) < len(wanted):
            got = self._transport.receive(_PAUSE)
            if got is None:
                if time.monotonic() > end:
                    message = (
                        f"{len(wanted) - len(found)} of the workers of {self.label!r} did not "
                        f"answer within {_BEGINNING:g} seconds; check that they can start"
                    )
                    raise ClusterError(message)
                continue
            worker, answer = got
            if answer is LOST:
                message = (
                    f"a worker of {self.label!r} ended before it had anything to do; see what it "
                    "wrote to standard error"
                )
                raise ClusterError(message)
            if answer[0] in ("failed", "done") and _is_older(answer[1], self._number):
                continue  # the answer to an earlier unit, which is no longer needed
            if answer[0] == "failed":
                raise self._error(worker, answer)
            if wanted.get(worker) == answer[0]:
                found[worker] = answer[1:]
        return found

    def report_to(self, report: Reporter) -> None:
        """Add the progress of each worker to a report's events, also while no unit is finished."""
        report.workers = self.progress
        self._tick = report.tick

    def progress(self) -> tuple[WorkerProgress, ...]:
        """Return the finished work and the current unit of each worker."""
        now = time.monotonic()
        found = []
        for worker, (units, seconds) in enumerate(self.rates):
            begun = self._busy.get(worker)
            busy = None if begun is None else now - begun[1]
            level = None if begun is None else self._levels[worker]
            late = busy is not None and busy > self._limit
            known = units, seconds, self._exchanged[worker], level, busy, late
            found.append(WorkerProgress(worker, self._hosts[worker], *known))
        return tuple(found)

    def summary(self, positions: int) -> str:
        """Return the work that each worker has done so far, in words.

        Args:
            positions: the number of positions of the game.
        """
        each = [
            f"worker {n} on {self._hosts[n]!r} did {count:,} units in {seconds:,.1f} seconds"
            for n, (count, seconds) in enumerate(self.rates)
        ]
        lost = f"; {self.lost} workers were lost" * bool(self.lost)
        sums = f"; {self.sent / max(positions, 1):.3g} bytes a position were exchanged"
        return "; ".join(each) + lost + sums

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
        found = self._await(dict.fromkeys(range(self.size), "done"))
        self._number += 1
        return [found[worker][1] for worker in range(self.size)]

    def share(self, value: Any) -> None:
        """Share a value with all processes that make the driver's call, as under MPI."""
        self._transport.share(value)

    def release(self) -> None:
        """Release the memory of the workers' jobs: there are no more units."""
        for worker in range(self.size):
            if worker not in self._gone:
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
        for place, unit in enumerate(units):
            self._attempts += 1
            yield place, own.do_unit(unit, f"own-{self._attempts}")

    def _run_by_workers(
        self, units: Sequence[Any], homes: Sequence[int] | None
    ) -> Iterator[tuple[int, Any]]:
        """Run units by workers; see ``run``."""
        self._publish()
        first, self._number = self._number, self._number + len(units)
        shares = self._shares(len(units), homes)
        done = [False] * len(units)
        tried: Counter[int] = Counter()
        spent = [0.0, 0.0]
        left = len(units)
        while left:
            self._limit = max(_SLOW, _TIMES * spent[0] / max(spent[1], 1))
            self._hand_out(units, shares, done, first, at_home=homes is not None)
            self._tick()
            got = self._transport.receive(_PAUSE)
            if got is None:
                continue
            worker, answer = got
            if answer is LOST:
                number, _ = self._busy.pop(worker, (first - 1, 0.0))
                place = number - first
                if place >= 0 and not done[place]:
                    tried[place] += 1
                    if tried[place] >= _TRIES:
                        message = (
                            f"{_TRIES} workers of {self.label!r} ended at the same unit of work; "
                            "allow less memory where the system ended them, and run the same "
                            "command again to resume"
                        )
                        raise ClusterError(message)
                    shares[worker].appendleft(place)
                self._replace(worker)
                continue
            if worker in self._gone:
                self._welcome(worker, answer)
                continue
            self._busy.pop(worker, None)
            place = answer[1] - first
            if place < 0 or done[place]:
                continue  # another worker has done the unit
            if answer[0] == "failed":
                raise self._error(worker, answer)
            done[place] = True
            left -= 1
            seconds = answer[3]
            spent[0] += seconds
            spent[1] += 1
            count, before = self.rates[worker]
            self.rates[worker] = count + 1, before + seconds
            part = getattr(answer[2], "part", answer[2])
            if isinstance(part, SharedFile):
                self._exchanged[worker] += part.read + part.size
                self.sent += part.read + part.size
            yield place, answer[2]

    def _shares(self, count: int, homes: Sequence[int] | None) -> list[deque[int]]:
        """Return the units that each worker starts with."""
        if homes is None:
            cuts = [count * n // self.size for n in range(self.size + 1)]
            return [deque(range(cuts[n], cuts[n + 1])) for n in range(self.size)]
        shares: list[deque[int]] = [deque() for _ in range(self.size)]
        for place, home in enumerate(homes):
            shares[home].append(place)
        return shares

    def _hand_out(
        self,
        units: Sequence[Any],
        shares: list[deque[int]],
        done: list[bool],
        first: int,
        *,
        at_home: bool,
    ) -> None:
        """Send a unit to every idle worker."""
        for worker in range(self.size):
            if worker in self._busy or worker in self._gone:
                continue
            place = self._next_unit(worker, shares, done, first, at_home=at_home)
            if place is None:
                continue
            self._attempts += 1
            name = f"{self._run}-{self._attempts}"
            self._busy[worker] = first + place, time.monotonic()
            self._levels[worker] = getattr(units[place], "level", None)
            self._transport.send(worker, ("unit", first + place, units[place], name))

    def _next_unit(
        self,
        worker: int,
        shares: list[deque[int]],
        done: list[bool],
        first: int,
        *,
        at_home: bool,
    ) -> int | None:
        """Return a worker's next unit: its own, another worker's, or one that is late."""
        if shares[worker]:
            return shares[worker].popleft()
        now = time.monotonic()
        late = {n for n, (_, since) in self._busy.items() if now - since > self._limit}
        others = [
            share for n, share in enumerate(shares) if not at_home or n in self._gone or n in late
        ]
        most = max(others, key=len, default=None)
        if most:
            return most.pop()
        begun = Counter(number for number, _ in self._busy.values())
        for number, since in self._busy.values():
            slow = now - since > self._limit and begun[number] == 1
            if slow and number >= first and not done[number - first]:
                return number - first
        return None

    def _replace(self, worker: int) -> None:
        """Replace a lost worker."""
        self.lost += 1
        self._futile = self._futile + 1 if worker in self._gone else 0
        self._gone.add(worker)
        if self._futile >= _TRIES:
            message = (
                f"workers of {self.label!r} exit as soon as they start; see what they wrote to "
                "standard error, and run the same command again to resume"
            )
            raise ClusterError(message)
        if self._transport.replace(worker):
            probe = self._folder / _PROBE
            self._transport.send(worker, ("hello", str(probe.absolute())))
        elif len(self._gone) == self.size:
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
            self._gone.discard(worker)

    def _error(self, worker: int, answer: tuple[Any, ...]) -> Exception:
        """Return the error for a worker's answer to a unit that failed."""
        kind, said, *numbers = answer[2:]
        host = self._hosts[worker]
        if kind == "rules" and isinstance(said, RulesError):
            return said
        if kind == "budget":
            return BudgetError(said, *numbers)
        if kind == "system":
            said = f"{said}; check that the shared folder can be reached and has free space"
        if kind == "fault":
            said = f"it failed with\n{said}"
        message = f"a worker on {host!r} stopped: {said}; run the same command again to resume"
        return ClusterError(message)


def _is_older(unit: Any, number: int) -> bool:
    """Return whether ``unit`` is the number of a unit before another."""
    return isinstance(unit, int) and unit < number
