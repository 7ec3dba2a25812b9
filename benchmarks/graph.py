"""Random graphs and parity games, compared with C programs and with Python."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import inputs
from benchmarks.measure import FailedError, Job, Sample, Session, work
from benchmarks.report import Row, agree

#: The most CPU seconds for solving, and for the certificate, by the number of vertices.
_LIMITS = {1_000_000: (0.11, None), 10_000_000: (1.3, 0.9)}
#: The least ratio of the CPU time of a solve to that of verifying its file.
_FILE_RATIOS = {("open", vertices): 1 / 1.5 for vertices in (1_000_000, 10_000_000)}
#: Families of parity games of PGSolver and Oink: what each is called, and two sizes for its
#: generator in ``tests/support/games/parity_families.py``.
_FAMILIES: dict[str, tuple[str, tuple[tuple[int, ...], ...]]] = {
    "random": ("a random game", ((500_000, 10, 1, 10), (1_000_000, 10, 1, 10))),
    "clique": ("a clique", ((1_000,), (2_000,))),
    "ladder": ("a ladder", ((50_000,), (100_000,))),
    "jurdzinski": ("Jurdzi\u0144ski's game", ((50, 50), (100, 100))),
    "recursive_ladder": ("a recursive ladder", ((30,), (400,))),
    "steady": ("a steady game", ((50_000, 2, 10, 1), (100_000, 2, 10, 1))),
    "two_counters": ("two counters", ((9,), (10,))),
}
#: A game on which Zielonka's algorithm would not end.
_ENDLESS = ("recursive_ladder", (400,))


def graph(session: Session) -> Iterator[Row]:
    """Solve random graphs, with the reversal of each graph, and check the certificate."""
    for vertices in session.pick((100_000, 1_000_000, 10_000_000), (20_000,)):
        touch = 60 * vertices
        jobs = {
            part: work(f"graph.{part}", vertices=vertices, threads=1, touch=touch)
            for part in ("solve", "verify")
        }
        for part in ("save", "open"):
            jobs[part] = work(f"graph.{part}", vertices=vertices, touch=touch)
        jobs["two"] = work("graph.solve", vertices=vertices, threads=2, touch=touch)
        program = session.compiled_c("retrograde")
        if program is not None:
            for part in ("solve", "verify"):
                jobs[f"c {part}"] = Job([program, str(vertices), "1", part])
        if vertices <= 100_000:
            jobs["plain"] = work("graph.plain", vertices=vertices, rehearse="no")
        samples = session.race(jobs, once=("plain",))
        if not samples["verify"].answer["ok"] or not samples["open"].answer["ok"]:
            message = "the certificate did not accept a right solution"
            raise FailedError(message)
        for rival in samples.values():
            agree(samples["solve"], rival, "edges", "win", "loss", "plies")
        for part, limit in zip(
            ("solve", "verify"), _LIMITS.get(vertices, (None, None)), strict=True
        ):
            yield _graph_row(part, vertices, samples, limit)
        yield from _file_rows(vertices, samples)


def _file_rows(vertices: int, samples: dict[str, Sample]) -> Iterator[Row]:
    """Yield the costs of saving and of verifying the file of a graph, on one thread."""
    size = samples["save"].answer["bytes"]
    texts = {
        "save": f"save {vertices:,} vertices in {size:,} bytes",
        "open": f"verify {vertices:,} vertices, read from a file",
    }
    for part, text in texts.items():
        ours = samples[part]
        row = Row.of("graph", text, ours, ours.answer["edges"], unit="edges")
        row.without_peak()
        row.beside("the solve", samples["solve"].cpu / ours.cpu, _FILE_RATIOS.get((part, vertices)))
        yield row


def _graph_row(part: str, vertices: int, samples: dict[str, Sample], limit: float | None) -> Row:
    ours, edges = samples[part], samples[part].answer["edges"]
    name = f"{part} {vertices:,} vertices, {edges:,} edges"
    row = Row.of("graph", name, ours, edges, unit="edges")
    if part == "verify":
        row.without_peak()
    if f"c {part}" in samples:
        row.beside("C with the same tricks", samples[f"c {part}"].cpu / ours.cpu)
    else:
        row.note = "no C compiler (cc) here, so not beside C"
    if part == "solve":
        if "plain" in samples:
            row.beside("dictionaries and a queue", samples["plain"].cpu / ours.cpu)
        row.beside("two threads, by the clock", samples["two"].wall / ours.wall)
    if limit is not None:
        row.keep("CPU s", ours.cpu, limit)
    return row


def parity(session: Session) -> Iterator[Row]:
    """Solve random parity games, and check the certificate of each."""
    vertices = session.pick((1_000_000,), (20_000,))[0]
    for least, most, priorities in ((1, 10, 3), (1, 10, 10), (1, 10, 100), (2, 2, 10)):
        size = {"vertices": vertices, "priorities": priorities, "least": least, "most": most}
        touch = 100 * vertices
        jobs = {
            "solve": work("graph.parity", **size, touch=touch),
            "verify": work("graph.verify_parity", **size, touch=touch),
        }
        program = session.compiled_c("parity")
        if program is not None:
            words = [vertices, priorities, least, most, 1]
            jobs["c"] = Job([program, *map(str, words)])
        samples = session.race(jobs)
        if not samples["verify"].answer["ok"]:
            message = "the certificate did not accept a right solution"
            raise FailedError(message)
        for rival in samples.values():
            agree(samples["solve"], rival, "edges", "won")
        edges = samples["solve"].answer["edges"]
        moves = f"{least} to {most} moves" if least < most else f"{least} moves"
        text = f"{vertices:,} vertices of {moves}, {priorities} priorities"
        row = Row.of("parity", f"solve {text}", samples["solve"], edges, unit="edges")
        if "c" in samples:
            row.beside("Zielonka's algorithm in C", samples["c"].cpu / samples["solve"].cpu)
        else:
            row.note = "no C compiler (cc) here, so not beside C"
        yield row
        checked = Row.of("parity", f"verify {text}", samples["verify"], edges, unit="edges")
        checked.without_peak()
        checked.beside("the solve", samples["solve"].cpu / samples["verify"].cpu)
        yield checked


def families(session: Session) -> Iterator[Row]:
    """Read and solve parity games in files: random ones, and those on which algorithms differ."""
    program = session.compiled_c("parity")
    for family, (title, sizes) in _FAMILIES.items():
        smaller: Sample | None = None
        for size in session.pick(sizes, sizes[:1]):
            path = session.folder / "game.gm"
            vertices = inputs.write_parity(path, family, size)
            jobs = {"ours": work("graph.parity_file", path=str(path))}
            if program is not None and (family, size) != _ENDLESS:
                jobs["c"] = Job([program, str(path)])
            samples = session.race(jobs)
            ours = samples["ours"]
            text = f"read and solve {title}, {vertices:,} vertices, {ours.answer['edges']:,} edges"
            row = Row.of("parity-families", text, ours, ours.answer["edges"], unit="edges")
            if "c" in samples:
                agree(ours, samples["c"])
                row.beside("Zielonka's algorithm in C", samples["c"].cpu / ours.cpu)
            if smaller is not None:
                times = ours.cpu / smaller.cpu
                row.note = f"{times:.1f} times the CPU time of the row above"
            smaller = ours
            yield row
