"""One position proved by search, beside a search in C for that game, and one with a dictionary."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree

#: Tromp's positions, as moves by column from 1; the empty board.
_TROMP, _EMPTY = ("45461667", "35333571", "13333111"), ("-",)


def prove(session: Session) -> Iterator[Row]:
    """Find who wins from some positions of Connect Four, each with an empty table."""
    (width, height), lines = session.pick(((7, 6), _TROMP), ((5, 4), _EMPTY))
    sides = {"width": width, "height": height}
    jobs = {
        "ours": work("proving.connect_four", lines=list(lines), **sides),
        "dictionary": work("proving.by_dictionary", rehearse="no"),
    }
    program = session.compiled_c("prove_connect_four", **sides)
    if program is not None:
        jobs["C"] = Job([program, *lines], itself=False, keys=("values",))
    samples = session.race(jobs, once=("dictionary",))
    ours = samples["ours"]
    nodes = int(ours.extra["nodes"])
    said = "the empty board" if lines == _EMPTY else "after 45461667, 35333571 and 13333111"
    row = Row.of("prove", f"connect four {width}x{height}, {said}", ours, nodes)
    if program is not None:
        agree(ours, samples["C"], "values")
        row.beside("alpha-beta in C, for this game alone", samples["C"].cpu / ours.cpu)
        row.keep("times C", ours.cpu / samples["C"].cpu, 3)
    plain = samples["dictionary"]
    each = plain.cpu / plain.extra["nodes"]
    row.beside("nodes of negamax with a dictionary in Python", each / (ours.cpu / nodes))
    yield row
