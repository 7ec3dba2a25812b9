"""Nimbers of heap games beside all splits in C and in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree

#: Codes with few digits, for a million heaps each by itself; and Grundy's game.
_LONG = ("0.77", "0.16", "0.127", "0.56", "0.104", "grundy")
_ASKED = 500_000
#: Heaps that C finds in a second or so, and Python.
_C, _PYTHON = 50_000, 4_000


def heaps(session: Session) -> Iterator[Row]:
    """Find nim-sequences by sparse spaces, and by periods."""
    program = session.compiled_c("nim_sequence")
    for code, digits in (("0.77", ["0", "7", "7"]), ("0.16", ["0", "1", "6"]), ("grundy", ["4"])):
        jobs = {}
        if program is not None:
            count = session.pick(_C, 3_000)
            unequal = "1" if code == "grundy" else "0"
            jobs["c"] = Job([program, str(count), unequal, *digits])
            yield _beside(session, code, count, jobs, "C, all splits")
        if code == "0.77":
            count = session.pick(_PYTHON, 500)
            python = work("heaps.sequence_by_sets", rehearse="no", code=code, heaps=count)
            yield _beside(session, code, count, {"python": python}, "plain Python, all splits")
    count = session.pick(1_000_000, 5_000)
    for code in _LONG:
        ours = session.race({"ours": _ours(code, count)}, once=("ours",))["ours"]
        row = Row.of("heaps", f"{_named(code)}: {count:,}, each by itself", ours, count, "heaps")
        if code != "grundy" and not session.quick:
            row.keep("heaps a second", count / ours.cpu, _ASKED, at_least=True)
        yield row
    jobs = {"ours": _ours("0.77", count, by_period=True), "each": _ours("0.77", count)}
    samples = session.race(jobs)
    agree(samples["ours"], samples["each"])
    ours = samples["ours"]
    row = Row.of("heaps", f"0.77: {count:,}, by its proved period", ours, count, "heaps")
    row.beside("each by itself", samples["each"].cpu / ours.cpu)
    yield row


def _beside(session: Session, code: str, count: int, jobs: dict[str, Job], rival: str) -> Row:
    """Find a nim-sequence beside one rival."""
    (name,) = jobs
    samples = session.race({"ours": _ours(code, count), **jobs}, once=(name,))
    agree(samples["ours"], samples[name])
    ours = samples["ours"]
    row = Row.of("heaps", f"{_named(code)}: {count:,}, each by itself", ours, count, "heaps")
    row.beside(rival, samples[name].cpu / ours.cpu)
    return row


def _ours(code: str, count: int, *, by_period: bool = False) -> Job:
    return work("heaps.sequence", code=code, heaps=count, by_period=by_period, touch=8 * count)


def _named(code: str) -> str:
    return "Grundy's game" if code == "grundy" else code
