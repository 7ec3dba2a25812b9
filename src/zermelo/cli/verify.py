"""``zermelo verify``: checks every value of a table."""

from __future__ import annotations

import click

from zermelo.cli._errors import NO
from zermelo.cli._game_command import Named, authors_prints
from zermelo.cli._output import output_options, write_json
from zermelo.cli._progress import Watch
from zermelo.cli._table_command import Asked, TableCommand, table_options
from zermelo.game.parameters import plain


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo verify heap.table",
    ],
)
@table_options
@output_options("Write nothing if the table is right.")
@click.pass_context
def verify(
    context: click.Context,
    *,
    game: str | Named,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check that a table is undamaged and every value right.

    First the checksums are compared; if the file is damaged, the exit code is 2. Then every value
    is checked against the rules and the values one move later; if one is wrong, the exit code is 1,
    and you see the position, its value in the table, and the values of the next positions. The
    table of a graph is checked against the edges it contains.
    """
    with Watch(quiet=quiet or as_json) as watch:
        solution = asked.opened(game, watch)
        with authors_prints():
            verification = solution.verify(memory=asked.memory, progress=watch)
    if as_json:
        write_json(
            {
                "table": game if isinstance(game, str) else game.name,
                "ok": verification.ok,
                "positions": verification.positions,
                "moves": verification.moves,
                "problem": verification.problem,
                "position": plain(verification.position),
                "seconds": verification.seconds,
            }
        )
    elif not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}")
        if verification.position is not None:
            with authors_prints():
                shown = solution.rules.shown(verification.position)
            click.echo(shown)
    elif not quiet:
        click.echo(
            f"the certificate holds: {verification.positions:,} positions and "
            f"{verification.moves:,} moves"
        )
    if not verification.ok:
        context.exit(NO)
