"""Scores and strips: what a Python programmer writes for them, or one threshold, beside them."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
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
    """Find all margins of a game that goes round in circles, beside one threshold of it."""
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
