"""``zermelo export``: a solved game as columns, for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.table import SolutionSource, TableCommand, table_options
from zermelo.cli.errors import Stop
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.forms.quantities import count_phrase


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo export tic-tac-toe --csv tic-tac-toe.csv",
        "zermelo export tic-tac-toe --npz moves.npz --move-values",
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo export heap.table --npz heap.npz",
        "zermelo export tic-tac-toe --portable tic-tac-toe.table",
    ],
)
@click.option("--parquet", metavar="FILE", help="Write Parquet (needs zermelo[export]).")
@click.option("--csv", metavar="FILE", help="Write comma-separated values.")
@click.option("--npz", metavar="FILE", help="Write NumPy arrays, which numpy.load reads.")
@click.option(
    "--portable",
    metavar="FILE",
    help="Write a table that the readers in C and JavaScript read (see zermelo readers).",
)
@click.option(
    "--no-best-moves", is_flag=True, help="Leave out the best moves, which take most of the time."
)
@click.option(
    "--move-values",
    is_flag=True,
    help="Write the value of every move, a column each, in place of one best move.",
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@table_options
@output_options("Write nothing.")
def export(  # one option each
    *,
    source: SolutionSource,
    parquet: str | None,
    csv: str | None,
    npz: str | None,
    portable: str | None,
    no_best_moves: bool,
    move_values: bool,
    force: bool,
    output: Output,
) -> None:
    """Write every position with its value for other programs.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. The file is
    Parquet, CSV, npz, or a portable table. Each row is a position: its fields, whose turn it is
    (player), outcome, remoteness or score, best_move and best_move_name, all for the player to
    move. With --move-values the moves are in columns of their own: legal, best, move_outcome, and
    move_remoteness or move_score. In the table of a graph each row is a vertex. A portable table
    has no moves.
    """
    if move_values and (no_best_moves or portable is not None):
        conflicting = "--no-best-moves" if no_best_moves else "--portable"
        message = f"--move-values does not go with {conflicting}; leave one of them out"
        raise Stop(message)
    forms = {"parquet": parquet, "csv": csv, "npz": npz, "portable": portable}
    chosen = [(form, file) for form, file in forms.items() if file is not None]
    if len(chosen) != 1:
        message = "give one of --parquet FILE, --csv FILE, --npz FILE and --portable FILE"
        raise Stop(message)
    form, file = chosen[0]
    check_place(file, overwrite=force)
    if form == "parquet":
        from zermelo._store.column_files import import_arrow

        import_arrow()  # before a solve of hours
    with output.watch() as watch:
        solution = source.open(watch)
        if form == "portable":
            solution.save(
                file, portable=True, overwrite=force, memory=source.memory, progress=watch
            )
        else:
            solution.export(
                file,
                format=form,
                best_moves=not no_best_moves,
                move_values=move_values,
                overwrite=force,
                memory=source.memory,
                progress=watch,
            )
    size = Path(file).stat().st_size
    output.write(
        {"file": file, "format": form, "positions": len(solution), "bytes": size},
        f"{count_phrase(len(solution), 'positions')} written to {file} ({size:,} bytes)",
    )
