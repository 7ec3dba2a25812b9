"""What people who train agents ask for: games of OpenSpiel solved, agents measured, data sets."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree
from benchmarks.works.openspiel import installed

#: How many times as many states a second as value iteration are asked for, on tic-tac-toe.
_ASKED = 20


def openspiel(session: Session) -> Iterator[Row]:
    """Find and solve games of OpenSpiel beside its own value iteration and minimax."""
    if not installed():
        yield Row(
            "openspiel", "left out: OpenSpiel is not installed (pip install open_spiel)", 0, 0, 0
        )
        return
    game = "tic_tac_toe"
    jobs = {
        "ours": work("openspiel.solve", game=game),
        "iteration": work("openspiel.iterate", game=game, rehearse="no"),
    }
    samples = session.race(jobs, 5)
    agree(samples["ours"], samples["iteration"])
    ours = samples["ours"]
    states = ours.answer["states"]
    what = f"{game}: {states:,} states found and solved"
    row = Row.of("openspiel", what, ours, states, unit="states").without_peak()
    row.beside("value iteration of OpenSpiel", samples["iteration"].cpu / ours.cpu, _ASKED)
    yield row
    game, board = session.pick(
        ("connect_four(rows=4,columns=4)", "connect four 4x4"), ("tic_tac_toe", "tic_tac_toe")
    )
    jobs = {
        "ours": work("openspiel.solve", game=game),
        "minimax": work("openspiel.minimax", game=game, rehearse="no"),
    }
    samples = session.race(jobs, 5)
    agree(samples["ours"], samples["minimax"], "value")
    ours = samples["ours"]
    states = ours.answer["states"]
    what = f"{board}: {states:,} states found and solved"
    row = Row.of("openspiel", what, ours, states, unit="states").without_peak()
    row.beside("MinimaxSolver of OpenSpiel", samples["minimax"].cpu / ours.cpu)
    yield row


def evaluate(session: Session) -> Iterator[Row]:
    """Measure an agent beside a loop over all positions that looks its moves up."""
    size, smaller = session.pick(([4, 4], [4, 3]), ([3, 3], [3, 3]))
    jobs = {
        "ours": work("learning.evaluate", size=size, smaller=smaller),
        "plain": work("learning.evaluate_plain", size=smaller),
    }
    samples = session.race(jobs, once=("plain",))
    agree(samples["ours"], samples["plain"])
    ours, plain = samples["ours"], samples["plain"]
    asked = int(ours.extra["in all"])
    what = (
        f"an agent in Connect Four {size[0]}x{size[1]}, in all positions and in four kinds of games"
    )
    row = Row.of("evaluate", f"{what}: {asked:,} moves", ours, asked, unit="moves").without_peak()
    each = plain.cpu / plain.answer["asked"]
    row.beside("options() in a loop over the positions of 4x3", each * asked / ours.cpu)
    yield row


def dataset(session: Session) -> Iterator[Row]:
    """Stream positions with their labels beside a loop of probes."""
    size, some = session.pick(([5, 4], 20_000), ([3, 3], 500))
    jobs = {
        "ours": work("learning.dataset", size=size, some=some),
        "plain": work("learning.dataset_plain", size=size, some=some),
    }
    samples = session.race(jobs, once=("plain",))
    agree(samples["ours"], samples["plain"], "sums")
    ours, plain = samples["ours"], samples["plain"]
    rows = ours.answer["rows"]
    what = f"{rows:,} rows of Connect Four {size[0]}x{size[1]} with masks and planes"
    row = Row.of("dataset", what, ours, rows, unit="rows").without_peak()
    row.note = f"{rows / ours.cpu * 60 / 1e6:,.0f} M rows a core-minute"
    row.beside(f"probes in a loop, on {some:,} of them", plain.cpu / some * rows / ours.cpu)
    yield row
