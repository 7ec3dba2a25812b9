"""Nimbers of heap games, compared with programs in C and Python that try all splits."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree

#: The games measured up to a million heaps without a period: octal codes, and Grundy's game.
_LONG = ("0.77", "0.16", "0.127", "0.56", "0.104", "grundy")
#: The least number of heaps a second.
_LEAST_RATE = 500_000
#: The numbers of heaps that take C, and Python, about a second.
_C, _PYTHON = 50_000, 4_000


def heaps(session: Session) -> Iterator[Row]:
    """Measure nim-sequences, computed by sparse spaces and by periods."""
    program = session.compiled_c("nim_sequence")
    for code, digits in (("0.77", ["0", "7", "7"]), ("0.16", ["0", "1", "6"]), ("grundy", ["4"])):
        jobs = {}
        if program is not None:
            count = session.pick(_C, 3_000)
            unequal = "1" if code == "grundy" else "0"
            jobs["c"] = Job([program, str(count), unequal, *digits])
            yield _comparison(session, code, count, jobs, "C, all splits")
        if code == "0.77":
            count = session.pick(_PYTHON, 500)
            python = work("heaps.sequence_by_sets", rehearse="no", code=code, heaps=count)
            yield _comparison(session, code, count, {"python": python}, "plain Python, all splits")
    count = session.pick(1_000_000, 5_000)
    for code in _LONG:
        ours = session.race({"ours": _sequence_job(code, count)}, once=("ours",))["ours"]
        row = Row.of(
            "heaps", f"{_game_name(code)}: {count:,}, each by itself", ours, count, "heaps"
        )
        if code != "grundy" and not session.quick:
            row.keep("heaps a second", count / ours.cpu, _LEAST_RATE, at_least=True)
        yield row
    jobs = {
        "ours": _sequence_job("0.77", count, by_period=True),
        "each": _sequence_job("0.77", count),
    }
    samples = session.race(jobs)
    agree(samples["ours"], samples["each"])
    ours = samples["ours"]
    row = Row.of("heaps", f"0.77: {count:,}, by its proved period", ours, count, "heaps")
    row.beside("each by itself", samples["each"].cpu / ours.cpu)
    yield row


def _comparison(session: Session, code: str, count: int, jobs: dict[str, Job], rival: str) -> Row:
    """Return the row of a nim-sequence, compared with that of one other program."""
    (name,) = jobs
    samples = session.race({"ours": _sequence_job(code, count), **jobs}, once=(name,))
    agree(samples["ours"], samples[name])
    ours = samples["ours"]
    row = Row.of("heaps", f"{_game_name(code)}: {count:,}, each by itself", ours, count, "heaps")
    row.beside(rival, samples[name].cpu / ours.cpu)
    return row


def _sequence_job(code: str, count: int, *, by_period: bool = False) -> Job:
    return work("heaps.sequence", code=code, heaps=count, by_period=by_period, touch=8 * count)


def _game_name(code: str) -> str:
    return "Grundy's game" if code == "grundy" else code
