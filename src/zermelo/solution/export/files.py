"""Export of every position with its value to files that other programs read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import eager_free
from zermelo._store.column_files import SHEETS, Cells, SheetColumn, sheet
from zermelo.errors import ParameterError
from zermelo.values.kind import Codes, Kind

if TYPE_CHECKING:
    import os

    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import SolutionRows


def export(
    rows: SolutionRows,
    path: str | os.PathLike[str],
    *,
    form: str | None,
    overwrite: bool,
    memory: int | None,
    threads: int,
    method: str,
    choice: str,
    report: Reporter,
) -> Path:
    """Write rows to a file; see ``Solution.export``."""
    target = Path(path)
    chosen = _chosen_format(target, form)
    cost, ledger = SHEETS[chosen].cost(rows.columns), Ledger.for_budget(memory)
    with (
        eager_free(memory),
        rows.prepare(cost, threads, ledger, report) as crew,
    ):
        about = {**rows.description(method, choice), "positions": len(rows)}
        with (
            sheet(target, chosen, rows.columns, about, overwrite=overwrite) as writer,
            report.phase("export", len(rows)),
        ):
            row_count = 0
            for cells in compute_rows(rows, crew):
                writer.write(cells)
                row_count += len(cells[0].numbers)
                report.advance(row_count)
    return target


def compute_rows(rows: SolutionRows, crew: int) -> Iterator[list[Cells]]:
    """Yield the rows as cells, in order; some are computed while others are used.

    Args:
        rows: the rows, with a table that is ready to be read.
        crew: the number of threads that compute them.
    """
    with ThreadPoolExecutor(crew, thread_name_prefix="zermelo-export") as pool:
        running, chunks = deque[Any](), rows.chunks()
        while True:
            while len(running) <= crew and (chunk := next(chunks, None)) is not None:
                running.append(pool.submit(rows.compute, chunk))
            if not running:
                return
            # No reference is kept to rows that have been used.
            yield from rows.cells(running.popleft().result())


def _chosen_format(path: Path, form: str | None) -> str:
    """Return the format to write: the requested one, or that of the path's suffix.

    Raises:
        ParameterError: there is no such format.
    """
    chosen = path.suffix.removeprefix(".").lower() if form is None else form
    if chosen not in SHEETS:
        subject = f"{str(path)!r} does not end with" if form is None else f"format={form!r} is not"
        message = f"{subject} one of the formats there are; use one of {', '.join(SHEETS)}"
        raise ParameterError(message)
    return chosen


def answer_columns(kind: Kind) -> Iterator[SheetColumn]:
    """Yield the columns with the values of positions."""
    yield SheetColumn("outcome", None)
    for answer in kind.answers:
        dtype = None if answer.dtype is None else np.dtype(answer.dtype)
        yield SheetColumn(answer.name, dtype, nullable=answer.nullable)


def answer_cells(kind: Kind, codes: Codes) -> list[Cells]:
    """Return the cells of these columns."""
    cells = [outcome_cells(kind.outcomes(codes))]
    for answer, column in zip(kind.answers, kind.columns(codes), strict=True):
        cells.append(Cells(*column, labels=() if answer.dtype else kind.texts(codes)))
    return cells


def outcome_cells(outcome: Codes) -> Cells:
    """Return cells with the words for WIN, DRAW or LOSS (1, 0, -1)."""
    return Cells(outcome.astype(np.int32) + 1, labels=("loss", "draw", "win"))
