"""Tables of what has no game: a header, and named arrays that are read as they are needed.

What was solved as it was given, such as a graph, has no class that could say it again. So its file
says of which kind it is, and holds all of it: what was given, and what follows. It is a file as
that of any table, with another header.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo._engine.file.format import CONVENTIONS, plan

if TYPE_CHECKING:
    from zermelo._engine.file.arrays import Array
    from zermelo._engine.file.reader import Reader
    from zermelo.progress import Reporter
    from zermelo.rules.view import RulesView

#: What a header has, and of which type.
_HEADER: dict[str, type] = {
    "holds": str,
    "method": str,
    "choice": str,
    "counts": dict,
    "zermelo": str,
}


def counted(values: Any) -> dict[str, int]:
    """Return how many wins, draws and losses there are."""
    counts: dict[str, int] = values.kind.counts(values.tally()).by_outcome
    return counts


def about(rules: RulesView, counts: dict[str, int], method: str, choice: str) -> dict[str, Any]:
    """Return what a file says of what was solved, be it a graph or a pursuit."""
    return {"holds": rules.described, "method": method, "choice": choice, "counts": counts}


def write(
    path: str | os.PathLike[str],
    kind: str,
    rules: RulesView,
    values: Any,
    table: dict[str, Any],
    counts: dict[str, int],
    arrays: Sequence[Array],
    *,
    method: str,
    choice: str,
    overwrite: bool,
    threads: int,
    allowed: int,  # noqa: ARG001  # blocks are written as they are made
    report: Reporter,
) -> Path:
    """Write a table, which appears under its name when it is whole.

    Args:
        path: where.
        kind: what is in it.
        rules: what was solved.
        values: the values, of which the file says how many there are, and the start.
        table: what else it says to who opens it.
        counts: how many wins, draws and losses there are.
        arrays: what it holds, in this order.
        method: how it was solved.
        choice: more on that.
        overwrite: whether a file that is there may be replaced.
        threads: threads that compress; the file does not depend on it.
        allowed: bytes that may be taken; there is no need to ask.
        report: is told how many bytes are written.

    Returns:
        The path.

    Raises:
        TableExistsError: there is a file, and it may not be replaced.
        TableWriteError: it cannot be written.
    """
    from zermelo._engine.file.writer import Writer

    target = Path(path)
    start = {"start": int(values.starts[0])} if len(values.starts) else {}
    header = {
        **about(rules, counts, method, choice),
        "zermelo": version("zermelo"),
        "conventions": CONVENTIONS,
        "table": {"kind": kind, "positions": len(values), **table, **start},
    }
    sizes = {each.name: (each.dtype, each.length, each.per_block) for each in arrays}
    with (
        report.phase("save"),
        Writer(target, overwrite=overwrite, threads=threads) as writer,
    ):
        writer.told = report.advance
        writer.begin(header, plan(sizes))
        for each in arrays:
            writer.write_parts(each.name, each.part, each.together, each.level)
        writer.finish()
    return target


def checked(reader: Reader) -> dict[str, Any]:
    """Return the header of a table that has no game, as far as all kinds have it.

    Raises:
        CorruptTableError: it is not that of such a table.
    """
    header = reader.header
    right = all(isinstance(header.get(key), kind) for key, kind in _HEADER.items())
    said = header.get("table")
    positions = said.get("positions") if isinstance(said, dict) else None
    if not right or type(positions) is not int or positions < 0:
        raise reader.wrong("header")
    return header
