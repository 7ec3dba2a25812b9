"""``zermelo cops``: the cop numbers and capture times of all graphs of a file."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.errors import Stop
from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write_columns, write_line

if TYPE_CHECKING:
    from zermelo.pursuits.graph6 import CopNumbers

_HEADINGS = ("nodes", "cop number", "capture time", "graphs")


@click.command(
    cls=Example,
    examples=[
        "zermelo cops graphs.g6",
        "zermelo cops graphs.g6 --csv cops.csv",
    ],
)
@click.argument("file", metavar="FILE")
@click.option("--csv", metavar="FILE", help="Write a row for each graph as well.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of threads; by default one per core.",
)
@output_options("Write only the cop number of each graph, one a line.")
def cops(*, file: str, csv: str | None, force: bool, threads: int | None, output: Output) -> None:
    """Show how many cops the graphs of a file need, and for how long.

    The game is Cops and Robbers. FILE has graphs of up to 64 nodes in graph6, one a line, as geng
    of nauty writes them; - reads them from standard input: geng -c 8 | zermelo cops -. Graphs are
    counted by their nodes, their cop number (-1 if a part needs more than three cops) and the
    rounds in which that many cops catch the robber.
    """
    if csv is not None:  # before any work is done for it
        check_place(csv, overwrite=force)
    if file != "-" and not Path(file).is_file():
        message = f"there is no file {file!r}; give a file of graph6, or - for standard input"
        raise Stop(message)
    from zermelo.pursuits.graph6 import cop_numbers

    start_time = time.perf_counter()
    with output.watch() as watch:
        source = sys.stdin.buffer if file == "-" else file
        numbers = cop_numbers(source, threads=threads, progress=watch)
    rows = [[*key, graph_count] for key, graph_count in numbers.times().items()]
    keys = ("nodes", "cop_number", "capture_time", "graphs")
    document = {
        "graphs": len(numbers),
        "counts": [dict(zip(keys, row, strict=True)) for row in rows],
        "seconds": round(time.perf_counter() - start_time, 3),
    }
    if csv is not None:
        _write_csv(numbers, csv)
        document["csv"] = csv

    def show() -> None:
        cells = [[f"{number:,}" for number in row] for row in rows]
        write_columns(_HEADINGS, cells, right=_HEADINGS)
        write_line(f"{len(numbers):,} graphs" + (f", written to {csv}" if csv is not None else ""))

    output.write(document, show, "\n".join(map(str, numbers.cop_number.tolist())))


def _write_csv(numbers: CopNumbers, path: str) -> None:
    """Write a row for each graph."""
    import numpy as np

    columns = numbers.columns()
    table = np.stack([np.arange(1, len(numbers) + 1), *columns.values()], axis=1)
    header = ",".join(("graph", *columns))
    np.savetxt(path, table, "%d", ",", header=header, comments="")
