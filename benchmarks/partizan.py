"""Values of partizan games: whole solves, their certificates, and canonical forms."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import FailedError, Session, work
from benchmarks.report import Row
from benchmarks.works.partizan import has_pycgt

#: The least ratio of the CPU time of pycgt, which is plain Python, to ours.
_BESIDE_PYCGT = 50
#: The canonical forms to make.
_FORMS = 100_000


def partizan(session: Session) -> Iterator[Row]:
    """Solve partizan games, check the certificate of each, and make canonical forms."""
    for game, rows, columns, is_asked in session.pick(
        (
            ("domineering", 4, 4, False),
            ("domineering", 4, 5, True),
            ("domineering", 5, 5, True),
            ("clobber", 3, 4, False),
            ("clobber", 3, 5, True),
        ),
        (("domineering", 3, 3, False), ("clobber", 2, 4, False)),
    ):
        given = {"game": game, "rows": rows, "columns": columns}
        jobs = {
            "solve": work("partizan.solve", **given),
            "verify": work("partizan.verify", **given),
        }
        if has_pycgt():
            jobs["pycgt"] = work("partizan.pycgt", **given)
        samples = session.race(jobs, once={"pycgt"})
        if not samples["verify"].answer["ok"]:
            message = "the certificate did not accept right values"
            raise FailedError(message)
        count = samples["solve"].answer["positions"]
        title = f"{game.title()} {rows}x{columns}"
        row = Row.of("partizan", f"solve {title}", samples["solve"], count)
        if "pycgt" in samples:
            ratio = samples["pycgt"].cpu / samples["solve"].cpu
            row.beside("pycgt, the value of the start", ratio, _BESIDE_PYCGT if is_asked else None)
        else:
            row.note = "pycgt is not installed (pip install pycgt), so not beside it"
        yield row
        checked = Row.of("partizan", f"verify {title}", samples["verify"], count)
        checked.without_peak()
        checked.beside("the solve", samples["solve"].cpu / samples["verify"].cpu)
        yield checked
    (count,) = session.pick((_FORMS,), (_FORMS // 10,))
    made = session.race({"forms": work("partizan.forms", count=count)})["forms"]
    forms = made.answer["forms"]
    row = Row.of("partizan", "canonical forms of day 4", made, forms, unit="forms")
    row.keep("million forms a minute", 60 * forms / 1e6 / made.cpu, 1, at_least=True)
    yield row
