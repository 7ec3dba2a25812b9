"""Measuring: every work runs in a process of its own, several times, and the best counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parents[1]
BASELINES = ROOT / "benchmarks" / "baselines"


class FailedError(Exception):
    """A work did not run, or gave an answer that is not its rival's."""


@dataclass(frozen=True)
class Sample:
    """What one work took.

    Attributes:
        cpu: CPU seconds, those in the system included.
        system: the part of them spent in the system, mostly in finding memory.
        wall: seconds by the clock.
        peak: most bytes resident beyond what the process held before the work began, or None.
        answer: what the work found, the same each time.
        extra: other numbers about it, which may differ.
    """

    cpu: float
    system: float
    wall: float
    peak: int | None
    answer: Any
    extra: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """A process to be measured.

    Attributes:
        argv: its command.
        itself: whether it measures itself and prints the sample as JSON; otherwise the whole
            process is measured, and what it prints is its answer as JSON.
        keys: the parts of that answer to keep.
        environment: variables to set.
        fresh_cache: whether to start without any compiled code on disk.
        rehearse: a command to run once before the first measurement, to have code compiled.
    """

    argv: Sequence[str]
    itself: bool = True
    keys: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    fresh_cache: bool = False
    rehearse: Sequence[str] = ()


def work(
    name: str,
    *,
    touch: int = 0,
    rehearse: Literal["no", "prepare", "run"] = "prepare",
    **arguments: Any,
) -> Job:
    """Return the job for a function of ``benchmarks.works``.

    Args:
        name: its module and the function, such as ``graph.solve``.
        touch: bytes to touch and give back before the work begins; about what it will need.
        rehearse: what to do once before it is measured: prepare the work, so that what is compiled
            is on disk; or run it too, where some of it is compiled not before; or nothing, where
            nothing is compiled, or preparing takes long and has all compiled before the clock
            starts.
        arguments: what the function takes.
    """
    argv = [sys.executable, "-m", "benchmarks.works", name]
    orders = json.dumps({"touch": touch, "arguments": arguments})
    rehearsal = json.dumps({"touch": 0, "arguments": arguments, "rehearse": rehearse})
    return Job([*argv, orders], rehearse=() if rehearse == "no" else [*argv, rehearsal])


@dataclass
class Session:
    """One run of the benchmarks.

    Attributes:
        quick: whether to take the smallest sizes, once each.
        folder: a folder for compiled code, empty at first.
    """

    quick: bool
    folder: Path
    _rehearsed: set[tuple[str, ...]] = field(default_factory=set)

    def pick(self, full: Any, quick: Any) -> Any:
        """Return the first in a full run and the second in a quick one."""
        return quick if self.quick else full

    def race(
        self, jobs: Mapping[str, Job], repeat: int = 3, once: Collection[str] = ()
    ) -> dict[str, Sample]:
        """Measure jobs in turn, ``repeat`` rounds of them, and return the best of each.

        Args:
            jobs: what to measure, by name.
            repeat: how many rounds.
            once: those that are in the first round only: rivals far behind, and what takes long
                and has no figure to keep.

        Raises:
            FailedError: one failed, or two runs of one gave different answers.
        """
        for job in jobs.values():
            if job.rehearse and tuple(job.rehearse) not in self._rehearsed:
                self._start(job.rehearse, {})
                self._rehearsed.add(tuple(job.rehearse))
        samples: dict[str, list[Sample]] = {name: [] for name in jobs}
        for number in range(1 if self.quick else repeat):
            for name, job in jobs.items():
                if number == 0 or name not in once:
                    samples[name].append(self._run(job))
        return {name: _best(name, found) for name, found in samples.items()}

    def compiled_c(self, name: str, **constants: int) -> str | None:
        """Return the program made of a C baseline, or None where there is no C compiler."""
        compiler = shutil.which("cc")
        if compiler is None:
            return None
        program = self.folder / "_".join([name, *(str(value) for value in constants.values())])
        if not program.exists():
            defined = [f"-D{key.upper()}={value}" for key, value in constants.items()]
            source = str(BASELINES / f"{name}.c")
            self._start(
                [compiler, "-O3", "-march=native", *defined, "-o", str(program), source], {}
            )
        return str(program)

    def _run(self, job: Job) -> Sample:
        if not job.fresh_cache:
            return self._sample(job, job.environment)
        with tempfile.TemporaryDirectory() as empty:
            return self._sample(job, {**job.environment, "ZERMELO_CACHE_DIR": empty})

    def _sample(self, job: Job, environment: Mapping[str, str]) -> Sample:
        whole, output = self._start(job.argv, environment)
        if not job.itself:
            answer = json.loads(output)
            kept = {key: answer[key] for key in job.keys}
            return Sample(*whole, peak=None, answer=kept)
        told = json.loads(output.splitlines()[-1])
        return Sample(**{"peak": None, **told})

    def _start(
        self, argv: Sequence[str], environment: Mapping[str, str]
    ) -> tuple[tuple[float, float, float], str]:
        """Run a command; return its CPU, system and wall seconds, and what it printed."""
        cache = str(self.folder / "cache")
        variables = {**os.environ, "ZERMELO_CACHE_DIR": cache, **environment}
        with tempfile.TemporaryFile("w+") as errors:
            began = time.perf_counter()
            process = subprocess.Popen(
                argv, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=variables
            )
            assert process.stdout is not None  # noqa: S101  # it is a pipe
            with process.stdout as stream:
                output = stream.read()
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                errors.seek(0)
                last = (errors.read().strip().splitlines() or ["it said nothing"])[-1]
                message = f"{' '.join(argv[1:4])} ended with {process.returncode}: {last}"
                raise FailedError(message)
        cpu = usage.ru_utime + usage.ru_stime
        return (cpu, usage.ru_stime, wall), output


def _best(name: str, samples: list[Sample]) -> Sample:
    """Return the sample that took the least CPU time: the least that other processes disturbed."""
    for sample in samples[1:]:
        if sample.answer != samples[0].answer:
            message = f"two runs of {name} gave different answers"
            raise FailedError(message)
    best = min(samples, key=lambda sample: sample.cpu)
    return replace(best, wall=min(sample.wall for sample in samples))
