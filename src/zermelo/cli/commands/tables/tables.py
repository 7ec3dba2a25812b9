"""``zermelo tables``: the cache of earlier solves."""

from __future__ import annotations

import re
import shlex
import time
from typing import TYPE_CHECKING, Any

import click

from zermelo.adapters.names import IMPORTED
from zermelo.cli.arguments.command_text import command_name, parameter_options
from zermelo.cli.group import Example
from zermelo.cli.options import MEMORY, OptionValue, output_options
from zermelo.cli.output import Output, write_columns, write_line

if TYPE_CHECKING:
    from zermelo.tables.cache import CachedTable

_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}


def _parse_age(text: str) -> float:
    """Return the seconds of a time such as 30d or 12h."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([mhdw])", text.strip())
    if match is None:
        message = f"{text!r} is not an age; write one such as 30d, 12h or 2w"
        raise ValueError(message)
    return float(match[1]) * _UNITS[match[2]]


@click.command(
    cls=Example,
    examples=["zermelo tables", "zermelo tables --stale --prune", "zermelo tables --older 30d"],
)
@click.option(
    "--stale", is_flag=True, help="Only tables that are damaged, or whose rules have changed."
)
@click.option("--larger", type=MEMORY, help="Only tables larger than this, such as 100MB.")
@click.option(
    "--older",
    type=OptionValue("age", _parse_age),
    help="Only tables not used for this long, such as 30d or 12h.",
)
@click.option("--prune", is_flag=True, help="Delete the chosen tables, by default the stale ones.")
@output_options("Write only the files, one per line.")
def tables(
    *,
    stale: bool,
    larger: int | None,
    older: float | None,
    prune: bool,
    output: Output,
) -> None:
    """List the tables in the cache, or delete some of them.

    Solves that take long are cached, so that zermelo solve, probe, play, explore, verify and
    export answer at once the next time. The cache is in your data folder, or in
    $ZERMELO_HOME/tables. It takes at most 10 GB, or $ZERMELO_TABLES_LIMIT; the least recently
    used tables are deleted first.
    """
    from zermelo.tables.cache import cache_folder, cached_tables

    now = time.time()
    unfiltered = larger is None and older is None and not stale
    all_tables = list(cached_tables())
    chosen = [
        table
        for table in all_tables
        if (table.stale or not (stale or (prune and unfiltered)))
        and (larger is None or table.bytes > larger)
        and (older is None or now - table.used > older)
    ]
    if prune:
        for table in chosen:
            table.remove()
    document = {
        "folder": str(cache_folder()),
        "pruned": prune,
        "tables": [_table_document(t) for t in chosen],
    }
    brief = "\n".join(str(table.path) for table in chosen)
    output.write(document, lambda: _write_table(chosen, now, len(all_tables), pruned=prune), brief)


def _table_document(table: CachedTable) -> dict[str, Any]:
    return {
        "path": str(table.path),
        "game": table.game,
        "parameters": table.parameters,
        "misere": table.misere,
        "value": None if table.value is None else table.value.to_json(),
        "positions": table.positions,
        "bytes": table.bytes,
        "seconds": table.seconds,
        "made": table.made,
        "used": table.used,
        "stale": table.stale,
        "problem": table.problem,
    }


def _write_table(chosen: list[CachedTable], now: float, total_count: int, *, pruned: bool) -> None:
    from rich.filesize import decimal

    from zermelo.tables.cache import cache_folder

    total = sum(table.bytes for table in chosen)
    if chosen:
        rows = [
            [
                "" if table.value is None else str(table.value),
                f"{table.positions:,}",
                decimal(table.bytes),
                f"{_age_text(now - table.used)} ago",
                {True: "yes", False: "no", None: "?"}[table.stale],
                _game_command(table),
            ]
            for table in chosen
        ]
        names = ("value", "positions", "size", "used", "stale", "game")
        write_columns(names, rows, right=("positions", "size"))
    share = "" if len(chosen) == total_count else f"{len(chosen)} of "
    state = "deleted" if pruned else "chosen" if share else "cached"
    count = f"{share}{total_count} table{'' if total_count == 1 else 's'}"
    write_line(f"{count} {state}, {decimal(total)}, in {cache_folder()}")


def _game_command(table: CachedTable) -> str:
    """Return the game of a table as an argument of zermelo solve or probe."""
    misere = ["--misere"] if table.misere else []
    source = table.parameters.get("source")
    if table.module.startswith(IMPORTED) and isinstance(source, str):
        return " ".join([shlex.quote(source), *misere])
    name = shlex.quote(command_name(table.game, table.module))
    return " ".join([name, *parameter_options(table.parameters), *misere])


def _age_text(seconds: float) -> str:
    for unit, name in (("w", "week"), ("d", "day"), ("h", "hour"), ("m", "minute")):
        count = int(seconds // _UNITS[unit])
        if count:
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "seconds"
