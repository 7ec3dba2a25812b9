"""Games with chance: whole solves, their certificates, and passes beside a C program."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import FailedError, Job, Session, work
from benchmarks.report import Row, agree
from benchmarks.works.chance import write_passes

#: The least ratio of the CPU time of a C program for the same passes to ours.
_BESIDE_C = 0.7
_TITLES = {
    "pig": "Pig, goal {}",
    "ur": "Royal Game of Ur, {} pieces",
    "ur-throws": "Royal Game of Ur, {} pieces, positions after throws kept",
}


def chance(session: Session) -> Iterator[Row]:
    """Solve games with chance, and check the certificate of each."""
    for game, size in session.pick(
        (("pig", 100), ("ur-throws", 3), ("ur", 3), ("ur", 4)), (("pig", 20), ("ur", 2))
    ):
        given = {"game": game, "size": size}
        jobs = {
            "solve": work("chance.solve", **given, touch=1 << 28),
            "verify": work("chance.verify", **given),
            "passes": work("chance.passes", **given, touch=1 << 28),
        }
        program = session.compiled_c("chance")
        path = str(session.folder / f"{game}-{size}")
        edges = write_passes(game, size, path)
        if program is not None:
            jobs["c"] = Job([program, path])
        samples = session.race(jobs)
        if not samples["verify"].answer["ok"]:
            message = "the certificate did not accept a right solution"
            raise FailedError(message)
        title = _TITLES[game].format(size)
        count = samples["solve"].answer["positions"]
        row = Row.of("chance", f"solve {title}", samples["solve"], count)
        yield row
        checked = Row.of("chance", f"verify {title}", samples["verify"], count)
        checked.without_peak()
        checked.beside("the solve", samples["solve"].cpu / samples["verify"].cpu)
        yield checked
        row = Row.of("chance", f"passes of {title}", samples["passes"], edges, unit="edges")
        row.without_peak()
        if "c" in samples:
            agree(samples["passes"], samples["c"], "positions", "sum")
            row.beside("the same passes in C", samples["c"].cpu / samples["passes"].cpu, _BESIDE_C)
        else:
            row.note = "no C compiler (cc) here, so not beside C"
        yield row
