"""Scores and strips: what a programmer writes for them in Python or C, or one threshold, beside."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree


def stone_game(session: Session) -> Iterator[Row]:
    """Find the margin of every stretch of a row of piles."""
    for count in session.pick((500, 2000), (50,)):
        jobs = {
            "ours": work("strips.stone_game", count=count, touch=80 * count * count // 2),
            "lists": work("strips.stone_game_by_lists", rehearse="no", count=count),
        }
        samples = session.race(jobs)
        ours = samples["ours"]
        agree(ours, samples["lists"])
        row = Row.of("stone-game", f"{count:,} piles", ours, ours.answer["positions"])
        row.beside("dynamic programming on lists", samples["lists"].cpu / ours.cpu)
        if count == 2000:  # what is asked for
            row.keep("CPU s", ours.cpu, 0.2)
        yield row


def ellys_checkers(session: Session) -> Iterator[Row]:
    """Solve a full board of twenty squares, from which every other can come."""
    length = session.pick(20, 10)
    jobs = {
        "ours": work("strips.ellys_checkers", board="o" * length, touch=80 << length - 1),
        "memo": work("strips.ellys_checkers_by_memo", rehearse="no", board="o" * length),
    }
    samples = session.race(jobs, once=("memo",))
    ours = samples["ours"]
    agree(ours, samples["memo"])
    row = Row.of("ellys-checkers", f"{length} squares, all full", ours, ours.answer["positions"])
    row.beside("a search that remembers", samples["memo"].cpu / ours.cpu)
    yield row


def loopy_scores(session: Session) -> Iterator[Row]:
    """Find all margins of a game that goes round in cycles, beside one threshold of it."""
    size = session.pick(3_000_000, 20_000)
    jobs = {
        "ours": work("scores.all_margins", size=size, touch=200 * size),
        "one": work("scores.one_threshold", size=size, touch=200 * size),
    }
    samples = session.race(jobs)
    ours = samples["ours"]
    agree(ours, samples["one"])
    row = Row.of("loopy-scores", "hops, 21 margins", ours, ours.answer["positions"])
    row.beside("one threshold, as win, draw or loss", samples["one"].cpu / ours.cpu)
    row.keep("times one threshold", ours.cpu / samples["one"].cpu, 10)  # as many as there are
    yield row


def kalah(session: Session) -> Iterator[Row]:
    """Find all margins of Kalah, level by level, beside a search in C of the boards."""
    pits, seeds = session.pick((4, 4), (3, 2))
    touch = session.pick(400 << 20, 1 << 20)
    jobs = {"ours": work("scores.kalah", rehearse="run", pits=pits, seeds=seeds, touch=touch)}
    program = session.compiled_c("kalah")
    if program is not None:
        jobs["C"] = Job([program, str(pits), str(seeds), "0", str(touch)])
    samples = session.race(jobs)
    ours = samples["ours"]
    row = Row.of("kalah", f"{pits} pits of {seeds} seeds", ours, ours.answer["positions"])
    if program is not None:
        agree(ours, samples["C"], "margin", *session.pick((), ("boards",)))
        row.beside("depth-first in C, both players as one", samples["C"].cpu / ours.cpu)
    yield row
