"""Tables of what has no game: a header, and named arrays that are read as they are needed.

What was solved as it was given, such as a graph, has no class that could say it again. So its file
says of which kind it is, and holds all of it: what was given, and what follows. It is a file as
that of any table, with another header.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.file.format import CONVENTIONS
from zermelo.errors import CorruptTableError, ParameterError

if TYPE_CHECKING:
    import numpy.typing as npt

    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo.rules.view import RulesView

#: What a header has, and of which type.
_HEADER: dict[str, type] = {
    "holds": str,
    "method": str,
    "choice": str,
    "counts": dict,
    "zermelo": str,
    "conventions": str,
}


def about(rules: RulesView, table: Table, method: str, choice: str) -> dict[str, Any]:
    """Return what an export says of what was solved, be it a graph or a pursuit."""
    return _said(rules, table.kind.counts(table.tally()).by_outcome, method, choice)


def confirmed(
    rules: RulesView, table: Table, counts: dict[str, int], **more: Any
) -> dict[str, Any]:
    """Return what a header has to say, by what was given and the values.

    Args:
        rules: what was solved.
        table: positions and values.
        counts: how many positions there are of each outcome.
        more: what else it says of the table.
    """
    said = {"reach": table.reachability_evidence, "words": table.words, **more}
    outside = {"holds": rules.described, "counts": counts, "conventions": CONVENTIONS}
    return {**outside, "table": said}


def _said(rules: RulesView, counts: dict[str, int], method: str, choice: str) -> dict[str, Any]:
    return {"holds": rules.described, "method": method, "choice": choice, "counts": counts}


def save(
    path: str | os.PathLike[str],
    rules: RulesView,
    table: Table,
    write: Callable[[Writer, dict[str, Any], Sequence[int]], None],
    *,
    method: str,
    choice: str,
    portable: bool,
    **how: Any,
) -> Path:
    """Write a table, with all that was given.

    Args:
        path: where.
        rules: what was solved.
        table: positions and values.
        write: writes both; see ``write_table``.
        method: how it was solved.
        choice: more on that.
        portable: whether it is to be read without Zermelo, which is for games alone.
        how: what else ``write_table`` takes.

    Raises:
        ParameterError: it is to be portable.
    """
    if portable:
        message = (
            f"{rules.described} is not a game, and portable tables are of games; save without "
            "portable=True, or use export()"
        )
        raise ParameterError(message)
    from zermelo._store.save_table import write_table

    def describe(counts: dict[str, int]) -> dict[str, Any]:
        said = _said(rules, counts, method, choice)
        return {**said, "zermelo": version("zermelo"), "conventions": CONVENTIONS}

    return write_table(path, table, describe, write, turns=table.column.turns, **how)


def starts_of(reader: Reader, span: int) -> npt.NDArray[np.int64]:
    """Return the places of the starts of a table; none where there is no start.

    Raises:
        CorruptTableError: it has no such places.
    """
    said = reader.header["table"].get("starts")
    if type(said) is not list or not all(type(at) is int and 0 <= at < span for at in said):
        raise reader.wrong("starts")
    if len(set(said)) < len(said):
        raise reader.wrong("starts")
    return np.array(said, np.int64)


def checked(reader: Reader, kinds: Collection[str]) -> dict[str, Any]:
    """Return the header of a table that has no game, as far as all kinds have it.

    Args:
        reader: the file.
        kinds: the kinds that there are.

    Raises:
        CorruptTableError: it is not that of such a table, or of an older Zermelo.
    """
    header = reader.header
    right = all(isinstance(header.get(key), kind) for key, kind in _HEADER.items())
    said = header.get("table")
    positions = said.get("positions") if isinstance(said, dict) else None
    if not right or said is None or type(positions) is not int or positions < 0:
        raise reader.wrong("header")
    kind = said.get("kind")
    if type(kind) is not str or kind not in kinds or "value_kind" not in said:
        message = f"{str(reader.path)!r} is a table of an older Zermelo; solve it again"
        raise CorruptTableError(message)
    return header
