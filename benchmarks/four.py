"""Connect Four from its rules, beside what is written for it by hand; its certificate; probing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import FailedError, Job, Sample, Session, work
from benchmarks.report import Row, agree

Size = tuple[int, int]

#: Positions of each size, to know beforehand about how much memory is needed.
POSITIONS = {(4, 3): 12_031, (4, 4): 161_029, (5, 4): 3_945_711, (5, 5): 69_763_700}

#: For each size: how often it is measured; the rivals in Python, which do not get far; and what is
#: measured once: rivals far behind, and at the greatest size all that has no figure to keep.
_RACES: list[tuple[Size, int, tuple[str, ...], tuple[str, ...]]] = [
    ((4, 4), 5, ("by_hand", "by_oracle"), ("by_oracle",)),
    ((5, 4), 3, ("by_hand",), ("by_hand",)),
    ((5, 5), 2, (), ("ours", "c")),
]
#: How many times as long C is meant to take at the greatest size: with stored moves, and by level.
_LEAST_C, _LEAST_C_LEVELS = 1.0, 1.2
_QUICK: list[tuple[Size, int, tuple[str, ...], tuple[str, ...]]] = [
    ((4, 3), 1, ("by_hand", "by_oracle"), ())
]

#: What those rivals are, and how many times as long they are meant to take at least.
_RIVALS = {"by_hand": ("bitboards and a dictionary", 3), "by_oracle": ("the oracle", 100)}


def connect_four(session: Session) -> Iterator[Row]:
    """Solve three sizes, with the moves stored and level by level."""
    for size, repeat, rivals, once in session.pick(_RACES, _QUICK):
        jobs = {"ours": _ours(size), "levels": _ours(size, method="levels")}
        for rival in rivals:
            jobs[rival] = work(f"connect_four.{rival}", rehearse="no", **_sides(size))
        program = session.compiled_c("connect_four", **_sides(size))
        if program is not None:
            jobs["c"] = Job([program, str(_need(size, 26))])
        samples = session.race(jobs, repeat, once)
        yield _row(size, samples)
        yield _levels(size, samples)


def _row(size: Size, samples: dict[str, Sample]) -> Row:
    ours = samples["ours"]
    positions = ours.answer["positions"]
    _right_count(size, positions)
    row = Row.of(f"connect-four-{_text(size)}", f"{positions:,} positions", ours, positions)
    if "c" in samples:
        agree(ours, samples["c"])
        asked = _LEAST_C if size == (5, 5) else None
        row.beside("C, written for it", samples["c"].cpu / ours.cpu, asked)
    else:
        row.note = "no C compiler (cc) here, so not beside C"
    for rival, (name, least) in _RIVALS.items():
        if rival in samples:
            agree(ours, samples[rival])
            # A board that is over before it has begun has nothing asked of it.
            asked = least if size != (4, 3) else None
            row.beside(name, samples[rival].cpu / ours.cpu, asked)
    return row


def _levels(size: Size, samples: dict[str, Sample]) -> Row:
    """Return the row of the same boards level by level."""
    ours, positions = samples["levels"], samples["levels"].answer["positions"]
    agree(ours, samples["ours"])
    work_done = f"{positions:,} positions, level by level"
    row = Row.of(f"connect-four-{_text(size)}", work_done, ours, positions)
    if "c" in samples:
        asked = _LEAST_C_LEVELS if size == (5, 5) else None
        row.beside("C, written for it", samples["c"].cpu / ours.cpu, asked)
    row.beside("method=retrograde", samples["ours"].cpu / ours.cpu)
    if size == (5, 5):
        row.keep("CPU s", ours.cpu, 10)
        row.keep("bytes each", row.peak_each or 0.0, 12)
    return row


def threads(session: Session) -> Iterator[Row]:
    """Solve on one thread and on two, with the moves stored and level by level."""
    full: list[tuple[Size, str, int]] = [((5, 4), "retrograde", 3), ((5, 5), "levels", 1)]
    for size, method, repeat in session.pick(full, [((4, 3), "retrograde", 1)]):
        jobs = {
            name: _ours(size, method=method, threads=number)
            for name, number in (("one", 1), ("two", 2))
        }
        samples = session.race(jobs, repeat)
        agree(samples["two"], samples["one"])
        two, positions = samples["two"], samples["two"].answer["positions"]
        row = Row.of(
            "threads", f"connect four {_text(size)}, {method}, two threads", two, positions
        )
        row.beside("one thread, by the clock", samples["one"].wall / two.wall)
        yield row


def probe(session: Session) -> Iterator[Row]:
    """Look positions up one by one, and all at once."""
    size = session.pick((5, 4), (4, 3))
    for many, count in (
        (False, session.pick(100_000, 1_000)),
        (True, session.pick(1 << 20, 1_000)),
    ):
        arguments = {**_sides(size), "count": count, "many": many}
        jobs = {
            "ours": work("connect_four.probe", rehearse="no", rival=False, **arguments),
            "dictionary": work("connect_four.probe", rehearse="no", rival=True, **arguments),
        }
        samples = session.race(jobs, 2 if many else 3)
        agree(samples["ours"], samples["dictionary"])
        call = "solution.probe_many(array)" if many else "solution[position]"
        row = Row.of(
            "probe", f"{call}: {count:,} of {_text(size)}", samples["ours"], count, unit="probes"
        )
        row.without_peak()
        row.beside("dictionary[position]", samples["dictionary"].cpu / samples["ours"].cpu)
        yield row


def _ours(size: Size, **options: Any) -> Job:
    each = 14 if options.get("method") == "levels" else 50
    return work("connect_four.solve", touch=_need(size, each), **_sides(size), **options)


def _sides(size: Size) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def _need(size: Size, each: int) -> int:
    return POSITIONS[size] * each


def _right_count(size: Size, positions: int) -> None:
    if positions != POSITIONS[size]:
        message = f"{_text(size)} has {POSITIONS[size]:,} positions, not {positions:,}"
        raise FailedError(message)


def _text(size: Size) -> str:
    return f"{size[0]}x{size[1]}"
