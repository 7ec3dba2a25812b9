"""Tables of graphs and pursuits, which have no class: a header, and arrays read on demand.

A graph or a pursuit has no class that could produce it again. So its file contains its kind, its
definition and the result. It is a table file with another header.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.file.format import CONVENTIONS, Header
from zermelo.errors import CorruptTableError, ParameterError

if TYPE_CHECKING:
    import numpy.typing as npt

    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo._store.save_options import SaveOptions
    from zermelo.rules.view import RulesView

#: The keys of a header, with their types.
_HEADER: dict[str, type] = {
    "holds": str,
    "method": str,
    "choice": str,
    "counts": dict,
    "zermelo": str,
    "conventions": str,
}


def description(rules: RulesView, table: Table, method: str, choice: str) -> Header:
    """Return the description of a graph or a pursuit for an export."""
    return _header(rules, table.counts().by_outcome, method, choice)


def implied_header(
    rules: RulesView, table: Table, counts: dict[str, int], **details: object
) -> Header:
    """Return the parts of a header that follow from the definition and the values.

    Args:
        rules: the graph or pursuit.
        table: positions and values.
        counts: the number of positions of each outcome.
        details: further data about the table.
    """
    table_header = {"reach": table.reachability_evidence, "words": table.words, **details}
    header = {"holds": rules.description, "counts": counts, "conventions": CONVENTIONS}
    return {**header, "table": table_header}


def _header(rules: RulesView, counts: dict[str, int], method: str, choice: str) -> Header:
    return {"holds": rules.description, "method": method, "choice": choice, "counts": counts}


def save(
    path: str | os.PathLike[str],
    rules: RulesView,
    table: Table,
    write: Callable[[Writer, Header, Sequence[int]], None],
    options: SaveOptions,
) -> Path:
    """Write a table, with the definition.

    Args:
        path: the path of the file.
        rules: the graph or pursuit.
        table: positions and values.
        write: writes both; see ``write_table``.
        options: how it is written.

    Raises:
        ParameterError: a portable file is requested, which is only possible for games.
    """
    if options.portable:
        message = (
            f"{rules.description} is not a game, and portable tables are of games; save without "
            "portable=True, or use export()"
        )
        raise ParameterError(message)
    from zermelo._store.save_table import write_table

    def describe(counts: dict[str, int]) -> Header:
        header = _header(rules, counts, options.method, options.choice)
        return {**header, "zermelo": version("zermelo"), "conventions": CONVENTIONS}

    return write_table(path, table, describe, write, options, turns=table.column.turns)


def starts_of(reader: Reader, span: int) -> npt.NDArray[np.int64]:
    """Return the places of the starts of a table; empty without starts.

    Raises:
        CorruptTableError: the header has no valid places.
    """
    starts = reader.header["table"].get("starts")
    if type(starts) is not list or not all(type(at) is int and 0 <= at < span for at in starts):
        raise reader.part_error("starts")
    if len(set(starts)) < len(starts):
        raise reader.part_error("starts")
    return np.array(starts, np.int64)


def check_header(reader: Reader, kinds: Collection[str]) -> Header:
    """Return the checked header of a table without a game.

    Args:
        reader: the file.
        kinds: the valid kinds.

    Raises:
        CorruptTableError: it is invalid, or of an older Zermelo.
    """
    header = reader.header
    right = all(isinstance(header.get(key), kind) for key, kind in _HEADER.items())
    table = header.get("table")
    positions = table.get("positions") if isinstance(table, dict) else None
    if not right or table is None or type(positions) is not int or positions < 0:
        raise reader.part_error("header")
    kind = table.get("kind")
    if type(kind) is not str or kind not in kinds or "value_kind" not in table:
        message = f"{str(reader.path)!r} is a table of an older Zermelo; solve it again"
        raise CorruptTableError(message)
    return header
