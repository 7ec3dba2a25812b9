"""Chess endings: every legal position of four men, from the ordinary rules."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree

#: Positions for each core-second asked for with four men.
_LEAST = 8_000_000
#: CPU seconds and megabytes asked of the ending that the C program is written for.
_MOST_CPU, _MOST_MEGABYTES = 1, 150
#: The ending that the C program is written for.
_RIVALLED = "KQKR"


def endings(session: Session) -> Iterator[Row]:
    """Solve endings with their symmetries, and one of them on two threads and in C."""
    for men in session.pick((_RIVALLED, "KBNK"), ("KRK",)):
        touch = (1 << 30) if len(men) > 3 else 0
        jobs = {"ours": work("endings.solve", men=men, threads=1, touch=touch)}
        program = None
        if men == _RIVALLED:
            # A smaller ending is not worth sharing, so only this one has all of it compiled.
            jobs["two"] = work("endings.solve", men=men, threads=2, touch=touch, rehearse="run")
            program = session.compiled_c("endings")
        if program is not None:
            jobs["c"] = Job([program])
        samples = session.race(jobs, 1)
        ours = samples["ours"]
        for rival in samples.values():
            agree(ours, rival, "positions", "win", "loss", "longest")
        positions, held = ours.answer["positions"], ours.answer["held"]
        row = Row.of("endings", f"{men}: {positions:,} positions, {held:,} held", ours, positions)
        if len(men) > 3:
            row.keep("positions each core-second", positions / ours.cpu, _LEAST, at_least=True)
        if men == _RIVALLED:
            row.keep("CPU s", ours.cpu, _MOST_CPU)
            row.keep("peak MB", (ours.peak or 0) / 1e6, _MOST_MEGABYTES)
        if "c" in samples:
            row.beside("C for this ending", samples["c"].cpu / ours.cpu)
        elif men == _RIVALLED:
            row.note = "no C compiler (cc) here, so not beside C"
        if "two" in samples:
            row.beside("two threads, by the clock", samples["two"].wall / ours.wall)
        yield row
