"""What people who train agents ask for: games of OpenSpiel solved, agents measured, data sets."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree
from benchmarks.works.openspiel import installed

#: How many times as many states a second as value iteration are asked for, on tic-tac-toe.
_ASKED = 20


def openspiel(session: Session) -> Iterator[Row]:
    """Find and solve games of OpenSpiel beside its own value iteration."""
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
