"""Positions proved by search, beside a search in C for that game, and one with a dictionary."""

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
    four = {"lines": list(lines), **sides}
    jobs = {
        "ours": work("proving.connect_four", **four),
        "two": work("proving.connect_four", threads=2, **four),
        "plain": work("proving.connect_four", plain=True, **four),
        "dictionary": work("proving.by_dictionary", rehearse="no"),
    }
    program = session.compiled_c("prove_connect_four", **sides)
    if program is not None:
        jobs["C"] = Job([program, *lines], itself=False, keys=("values",))
    samples = session.race(jobs, once=("dictionary", "plain"))
    ours, plain, two = samples["ours"], samples["plain"], samples["two"]
    for other in (plain, two):
        agree(ours, other, "values")
    nodes = int(ours.extra["nodes"])
    said = "the empty board" if lines == _EMPTY else "after 45461667, 35333571 and 13333111"
    row = Row.of("prove", f"connect four {width}x{height}, {said}", ours, nodes)
    if program is not None:
        agree(ours, samples["C"], "values")
        row.beside("alpha-beta in C, for this game alone", samples["C"].cpu / ours.cpu)
        row.keep("times C", ours.cpu / samples["C"].cpu, 3)
        row.keep("times C without hooks", plain.cpu / samples["C"].cpu, 10)
    row.beside("a class without hooks and symmetries", plain.cpu / ours.cpu)
    slow = samples["dictionary"]
    each = slow.cpu / slow.extra["nodes"]
    row.beside("nodes of negamax with a dictionary in Python", each / (ours.cpu / nodes))
    yield row
    row = Row.of("prove", f"the same by two threads, {said}", two, int(two.extra["nodes"]))
    row.beside("one thread, by the clock", ours.wall / two.wall)
    if program is not None:
        row.beside("alpha-beta in C by one thread, by the clock", samples["C"].wall / two.wall)
    yield row


def boxes(session: Session) -> Iterator[Row]:
    """Find the margin of Dots and Boxes, with an empty table: by moves that suffice, and by all."""
    rows, columns = session.pick((3, 4), (2, 3))
    sides = {"rows": rows, "columns": columns}
    jobs = {
        "ours": work("proving.boxes", **sides),
        "all": work("proving.boxes", every=True, **sides),
    }
    samples = session.race(jobs)
    ours, every = samples["ours"], samples["all"]
    agree(ours, every, "value")
    row = Row.of("prove-boxes", f"dots and boxes {rows}x{columns}", ours, int(ours.extra["nodes"]))
    row.beside("by all moves, without enough", every.cpu / ours.cpu)
    yield row


def components(session: Session) -> Iterator[Row]:
    """Find who wins Cram, by the nimbers of components, and by alpha-beta over whole positions."""
    rows, columns = session.pick((5, 6), (4, 4))
    sides = {"rows": rows, "columns": columns}
    jobs = {
        "ours": work("proving.cram", search="components", **sides),
        "alpha-beta": work("proving.cram", search="alpha-beta", **sides),
    }
    samples = session.race(jobs)
    ours, whole = samples["ours"], samples["alpha-beta"]
    agree(ours, whole, "value")
    what = f"cram {rows}x{columns}, by components and without bounds"
    row = Row.of("prove-components", what, ours, int(ours.extra["nodes"]))
    row.beside("alpha-beta over whole positions", whole.cpu / ours.cpu)
    yield row


def empty_board(session: Session) -> Iterator[Row]:
    """Find who wins from the empty board of Connect Four, and in how many plies: half an hour."""
    width, height = session.pick((7, 6), (4, 4))
    sides = {"width": width, "height": height}
    jobs = {
        "who": work("proving.connect_four", lines=list(_EMPTY), **sides),
        "far": work("proving.connect_four", lines=list(_EMPTY), remoteness=True, **sides),
    }
    program = session.compiled_c("prove_connect_four", **sides)
    if program is not None:
        jobs["C"] = Job([program, *_EMPTY], itself=False, keys=("values",))
    samples = session.race(jobs, repeat=1)
    who, far = samples["who"], samples["far"]
    agree(who, far, "values")
    board = f"connect four {width}x{height}, the empty board"
    row = Row.of("prove-empty", f"{board}: who wins", who, int(who.extra["nodes"]))
    if program is not None:
        agree(who, samples["C"], "values")
        row.beside("alpha-beta in C, for this game alone", samples["C"].cpu / who.cpu)
        row.keep("times C", who.cpu / samples["C"].cpu, 3)
    yield row
    plies = f"in how many plies ({far.extra['plies']:.0f})"
    row = Row.of("prove-empty", f"{board}: {plies}", far, int(far.extra["nodes"]))
    row.beside("who wins alone", who.cpu / far.cpu)
    yield row
