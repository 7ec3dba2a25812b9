"""The command line: ``zermelo games``, ``solve``, ``play``, ``probe`` and the others."""

from __future__ import annotations

import click

from zermelo.cli._group import Commands
from zermelo.cli.analyse import analyse
from zermelo.cli.check import check
from zermelo.cli.explore import explore
from zermelo.cli.export import export
from zermelo.cli.games import games
from zermelo.cli.info import info
from zermelo.cli.new import new
from zermelo.cli.play import play
from zermelo.cli.probe import probe
from zermelo.cli.solve import solve
from zermelo.cli.tables import tables
from zermelo.cli.verify import verify

__all__ = ["main"]


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(package_name="zermelo", message="zermelo %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Solve finite two-player games of perfect information exactly.

    Add --help to a command to read about it. Exit codes: 0 done, 1 the answer is "no", 2 bad usage
    or input, 3 not enough memory allowed, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    games,
    solve,
    probe,
    verify,
    info,
    export,
    tables,
    play,
    explore,
    analyse,
    check,
    new,
):
    main.add_command(_command)
