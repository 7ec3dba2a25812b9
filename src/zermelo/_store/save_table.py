"""Saving of solved games: the header of a file, and writing it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._compile.read.rules_digest import digest
from zermelo._engine.column.header_palette import palette_of, palette_of_expectations
from zermelo._engine.file.cache_limits import limited_reading
from zermelo._engine.file.format import CONVENTIONS, Header
from zermelo._engine.file.writer import Writer
from zermelo._methods.components import components_of
from zermelo._store.listed_form import ListedForm, images_of
from zermelo._store.table_forms import FORMS
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import as_json
from zermelo.values.expectations import ALGEBRA as EXPECTATION
from zermelo.values.outcomes import Value

if TYPE_CHECKING:
    import os

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo._store.save_options import SaveOptions

_ZOO = "zermelo.games"
#: The keys of a header about the solve, which nothing else in the file confirms; the checksum of
#: the rules is compared when the file is opened.
_SOLVE_KEYS = ("module", "rules", "zermelo", "method", "choice")


def save_table(
    compiled: CompiledRules, table: Table, path: str | os.PathLike[str], options: SaveOptions
) -> Path:
    """Write a solved game to a file.

    Args:
        compiled: its rules, canonicalising as in the solve.
        table: its positions and values.
        path: the path of the file.
        options: how it is written; with ``portable``, as ``ListedForm``.

    Returns:
        The path.

    Raises:
        BudgetError: the memory budget is too small.
        ParameterError: a portable file is impossible; see ``images_of``.
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: it cannot be written.
    """
    form = ListedForm(images_of(compiled)) if options.portable else FORMS[table.saved_as]
    method, choice = options.method, options.choice

    def describe(counts: dict[str, int]) -> Header:
        header = description(compiled, table, counts, method=method, choice=choice)
        return {**header, **options.notes}

    write = partial(form.write, compiled, table)
    return write_table(path, table, describe, write, options, turns=not compiled.alternate)


def write_table(
    path: str | os.PathLike[str],
    table: Table,
    describe: Callable[[dict[str, int]], Header],
    write: Callable[[Writer, Header, Sequence[int]], None],
    options: SaveOptions,
    *,
    turns: bool,
) -> Path:
    """Write a table to a file, which gets its name when it is complete.

    Args:
        path: the path of the file.
        table: positions and values.
        describe: returns the header, given the number of positions of each outcome.
        write: writes the table, given the writer, the header, and the values that occur.
        options: how it is written; with ``portable``, a table from a file is written as if it were
            in memory, instead of being copied.
        turns: whether the player to move is stored.

    Returns:
        The path.

    Raises:
        BudgetError: the memory budget is too small.
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: it cannot be written.
    """
    target, report, ledger = Path(path), options.report, options.ledger
    with (
        report.phase("save"),
        Writer(
            target,
            overwrite=options.overwrite,
            threads=options.threads,
            ledger=ledger,
            strict=options.strict,
            checkpoint=options.checkpoint,
        ) as writer,
    ):
        writer.on_bytes = report.advance
        writer.on_resume = lambda blocks, every: report.resume(
            f"{blocks:,} of {every:,} blocks of the table were written"
        )
        reader = table.reader
        if reader is not None and not options.portable:
            header = describe(reader.header["counts"]) | {"table": reader.header["table"]}
            with nullcontext() if ledger is None else limited_reading(table, ledger.allowed):
                writer.copy(header, reader)
        else:
            counts, palette = _counts_and_palette(table, turns=turns)
            write(writer, describe(counts), palette)
        writer.finish()
    return target


def _counts_and_palette(table: Table, *, turns: bool) -> tuple[dict[str, int], Sequence[int]]:
    """Return the number of positions of each outcome, and the values that occur."""
    if table.kind.algebra == EXPECTATION:
        parts = (table.values(places) for places in table.pages())
        return table.counts().by_outcome, palette_of_expectations(parts, turns=turns)
    tally = table.tally()
    return table.kind.counts(tally).by_outcome, palette_of(tally, table.kind, turns=turns)


def description(
    compiled: CompiledRules, table: Table, counts: dict[str, int], *, method: str, choice: str
) -> Header:
    """Return the header of a table file, without its arrays.

    Args:
        compiled: the rules.
        table: positions and values.
        counts: the number of positions of each outcome.
        method: the method that solved it.
        choice: a sentence on why.
    """
    rules, split = compiled.rules, components_of(compiled, table)
    start_position = rules.layout.unpack(table.packed(table.starts[:1]))
    start_code = int(table.values(table.starts[:1])[0])
    if split is not None:
        start_position = rules.game.start()
        start_code = int(
            split.codes(table, np.array(rules.layout.pack(start_position), np.uint64), 1)[1][0]
        )
    return {
        **identity_of(compiled),
        "players": list(rules.game.players),
        "method": method,
        "choice": choice,
        "conventions": CONVENTIONS,
        "value": _value(table.kind.decode(start_code)),
        "start": as_json(start_position),
        "counts": counts,
        "folded": compiled.is_folded,
        "symmetries": len(compiled.elements),
        "fields": rules.layout.to_header(),
    }


def implied_header(compiled: CompiledRules, table: Table, counts: dict[str, int]) -> Header:
    """Return the parts of a header that follow from the rules and the values.

    See ``description``.
    """
    return without_solve_keys(description(compiled, table, counts, method="", choice=""))


def without_solve_keys(header: Header) -> Header:
    """Return a header without the keys about the solve."""
    return {name: value for name, value in header.items() if name not in _SOLVE_KEYS}


def are_equal(actual: object, expected: object) -> bool:
    """Return whether parts of a header are equal: 1 differs from true, and 2.0 from 2."""
    return json.dumps(actual, sort_keys=True) == json.dumps(expected, sort_keys=True)


def identity_of(compiled: CompiledRules) -> dict[str, Any]:
    """Return the header's keys about the game and the version that solves it."""
    game, misere = compiled.rules.game, compiled.rules.misere
    return {
        "game": type(game).__name__,
        "module": _module_name(type(game)),
        "parameters": {name: as_json(getattr(game, name)) for name in parameter_names(game)},
        **({"misere": True} if misere else {}),
        "rules": digest(compiled.rules),
        "zermelo": version("zermelo"),
    }


def _module_name(kind: type) -> str:
    """Return the module of a class; for one of the zoo, without its folder, which may change."""
    package, _, name = kind.__module__.partition(f"{_ZOO}.")
    return kind.__module__ if package else f"{_ZOO}.{name.rpartition('.')[2]}"


def _value(value: Value) -> dict[str, Any]:
    """Return the header's form of a value: its outcome, and its other parts."""
    return {name: part for name, part in value.to_json().items() if part is not None}
