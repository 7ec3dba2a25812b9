"""Games that go round in cycles, such as Nine Men's Morris, with more and less declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Job, Sample, Session, work
from benchmarks.report import Row, agree

Case = tuple[str, str, dict[str, Any], bool, int]

#: Each game: what it is called, its name and parameters, whether it is solved without symmetries
#: too, and about how many bytes are needed.
_FULL: list[Case] = [
    ("Nine Men's Morris, 3 to 3", "nine-mens-morris", {}, True, 3 << 30),
    ("Nine Men's Morris, 3 to 4", "nine-mens-morris", {"black": 4}, False, 1 << 30),
    ("Nine Men's Morris, 3 to 5", "nine-mens-morris", {"black": 5}, False, 3 << 30),
    ("Teeko, 4x5", "teeko", {"columns": 5}, True, 3 << 30),
    ("Teeko, 5x5", "teeko", {"rows": 5, "columns": 5}, False, 3 << 30),
    ("Dao", "dao", {}, True, 1 << 29),
    ("Hare and Hounds, 9 columns", "hare-and-hounds", {"columns": 9}, True, 1 << 29),
    ("Quoridor, 5x3, 4 walls", "quoridor", {"rows": 5, "columns": 3, "walls": 4}, True, 1 << 30),
]
_QUICK: list[Case] = [("Dao", "dao", {}, True, 0)]

#: Nine Men's Morris by what is declared: what it is called, and what is meant to be reached: the
#: least ratio to C, and the most bytes a position.
_MORRIS = {
    "nothing": ("nothing declared", 0.35, 150),
    "space": ("only space() declared", 0.5, 60),
}

#: What Dao is declared with.
_WAYS = {
    "plain": "nothing",
    "ranges": "space(), a range for each field",
    "sets": "space(), the pieces as disjoint sets of four",
    "folded": "a range for each field, and symmetries()",
    "both": "disjoint sets of four, and symmetries()",
}


def cycles(session: Session) -> Iterator[Row]:
    """Solve each game with its symmetries, some without, and Nine Men's Morris in C."""
    for title, name, parameters, plain, touch in session.pick(_FULL, _QUICK):
        jobs = {"folded": _job(name, parameters, touch, symmetry=True)}
        if plain:
            jobs["plain"] = _job(name, parameters, touch, symmetry=False)
        if name == "nine-mens-morris":
            men = {"white": 3, "black": 3, **parameters}
            if program := session.compiled_c("morris", **men):
                jobs["c"] = Job([program])
        samples = session.race(jobs, 1 if touch > 1 << 30 else 3)
        for way in ("folded", "plain"):
            if way in samples:
                yield _row(title, name, way, samples)
    for declared in session.pick(_MORRIS, {}):
        yield _morris_row(session, declared)


def _morris_row(session: Session, declared: str) -> Row:
    """Solve what is reached of Nine Men's Morris with three men each, with little declared."""
    label, least, most = _MORRIS[declared]
    jobs = {"ours": work("cycles.morris", declared=declared, touch=2 << 30)}
    if program := session.compiled_c("morris", white=3, black=3):
        jobs["c"] = Job([program])
    samples = session.race(jobs)
    ours = samples["ours"]
    positions = ours.answer["positions"]
    text = f"Nine Men's Morris, 3 to 3, {label}: the {positions:,} positions that are reached"
    row = Row.of("cycles", text, ours, positions)
    if "c" in samples:
        name = "C for this game, all legal positions"
        row.beside(name, samples["c"].cpu / ours.cpu, least)
    if row.peak_each is not None:
        row.keep("bytes each", row.peak_each, most)
    return row


def _row(title: str, name: str, way: str, samples: dict[str, Sample]) -> Row:
    ours = samples[way]
    for rival in samples.values():
        agree(ours, rival, "positions", "win", "loss", "longest")
    positions, held = ours.answer["positions"], ours.answer["held"]
    how = f", {held:,} held" if way == "folded" else ", without symmetries"
    row = Row.of("cycles", f"{title}: {positions:,} positions{how}", ours, positions)
    if "c" in samples:
        row.beside("C for this game, without symmetries", samples["c"].cpu / ours.cpu)
    elif name == "nine-mens-morris":
        row.note = "no C compiler (cc) here, so not beside C"
    if way == "plain":
        row.beside("with symmetries", samples["folded"].cpu / ours.cpu)
    return row


def declared(session: Session) -> Iterator[Row]:
    """Solve Dao with more and more of it declared, and say how large its table is."""
    jobs = {way: work("cycles.declared", way=way, touch=1 << 29) for way in _WAYS}
    samples = session.race(jobs)
    plain = samples["plain"]
    for way, label in _WAYS.items():
        ours = samples[way]
        agree(ours, plain)
        held, size = (int(ours.extra[key]) for key in ("held", "bytes"))
        text = f"Dao, declared: {label}; {held:,} positions held, a table of {size / 1000:,.0f} kB"
        row = Row.of("declared", text, ours, ours.answer["positions"])
        if way != "plain":
            row.beside("nothing declared", plain.cpu / ours.cpu)
        yield row


def _job(name: str, parameters: dict[str, Any], touch: int, *, symmetry: bool) -> Job:
    arguments = {"game": name, "parameters": parameters, "symmetry": symmetry}
    return work("cycles.solve", touch=touch, **arguments)
