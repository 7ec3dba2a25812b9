"""``zermelo verify``: is every value of a stored table right?"""

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
@output_options("Write nothing where the table is right.")
@click.pass_context
def verify(
    context: click.Context,
    *,
    game: str | Named,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check that a stored table is whole and every value right.

    Every byte is compared with its checksum first; then each value has to follow from the rules and
    from those of the positions that the moves lead to. Exits with 2 where the file is damaged, and
    with 1 where a value is wrong, with the position, what the table calls it, and what it says of
    the positions that follow. The table of a graph has the edges that its values have to follow
    from.
    """
    with Watch(quiet=quiet or as_json) as watch:
        solution = asked.answering(game, watch)
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
        show = getattr(getattr(solution, "game", None), "show", None)
        if verification.position is not None and show is not None:
            with authors_prints():
                shown = show(verification.position)
            click.echo(shown)
    elif not quiet:
        click.echo(
            f"the certificate holds: {verification.positions:,} positions and "
            f"{verification.moves:,} moves"
        )
    if not verification.ok:
        context.exit(NO)
