"""``zermelo verify``: is every value of a stored table right?"""

from __future__ import annotations

import click

from zermelo.cli._errors import NO
from zermelo.cli._game_command import authors_prints
from zermelo.cli._group import Example
from zermelo.cli._output import output_options, write_json
from zermelo.cli._progress import Watch
from zermelo.cli._table_command import opened, table_options


@click.command(
    cls=Example,
    examples=[
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo verify heap.table",
    ],
)
@table_options
@output_options("Write nothing where the table is right.")
@click.pass_context
def verify(
    context: click.Context,
    *,
    table: str,
    game: str | None,
    ignore_rules: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check that a stored table is whole and every value right.

    Each value has to follow from the rules and from those of the positions that the moves lead to.
    Exits with 1 where one does not, and with 2 where the file is damaged.
    """
    with Watch(quiet=quiet or as_json) as watch:
        solution = opened(table, game, ignore_rules=ignore_rules)
        with authors_prints():
            verification = solution.verify(progress=watch)
    if as_json:
        write_json(
            {
                "table": table,
                "ok": verification.ok,
                "positions": verification.positions,
                "moves": verification.moves,
                "problem": verification.problem,
                "seconds": verification.seconds,
            }
        )
    elif not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}")
    elif not quiet:
        click.echo(
            f"the certificate holds: {verification.positions:,} positions and "
            f"{verification.moves:,} moves"
        )
    if not verification.ok:
        context.exit(NO)
