"""The command line: ``zermelo games``, ``solve``, ``play``, ``probe`` and the others."""

from __future__ import annotations

import click

from zermelo.cli.commands.asking.analyse import analyse
from zermelo.cli.commands.asking.evaluate import evaluate
from zermelo.cli.commands.asking.explain import explain
from zermelo.cli.commands.asking.explore import explore
from zermelo.cli.commands.asking.play import play
from zermelo.cli.commands.asking.probe import probe
from zermelo.cli.commands.asking.uci import uci
from zermelo.cli.commands.completion import completion
from zermelo.cli.commands.games.check import check
from zermelo.cli.commands.games.games import games
from zermelo.cli.commands.games.new import new
from zermelo.cli.commands.solving.cluster import cluster
from zermelo.cli.commands.solving.cops import cops
from zermelo.cli.commands.solving.graph import graph
from zermelo.cli.commands.solving.heaps import heaps
from zermelo.cli.commands.solving.prove import prove
from zermelo.cli.commands.solving.solve import solve
from zermelo.cli.commands.tables.export import export
from zermelo.cli.commands.tables.info import info
from zermelo.cli.commands.tables.readers import readers
from zermelo.cli.commands.tables.tables import tables
from zermelo.cli.commands.tables.verify import verify
from zermelo.cli.group import Commands

__all__ = ["main"]


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    None, "-V", "--version", package_name="zermelo", message="zermelo %(version)s"
)
@click.pass_context
def main(context: click.Context) -> None:
    """Solve finite two-player games of perfect information exactly.

    Try: zermelo solve tic-tac-toe, or zermelo games for all games. Add --help to a command to read
    about it. Exit codes: 0 done, 1 the answer is "no", 2 bad usage or input, 3 not enough memory
    allowed, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    games,
    solve,
    prove,
    probe,
    explain,
    verify,
    info,
    export,
    readers,
    tables,
    play,
    explore,
    uci,
    analyse,
    evaluate,
    heaps,
    graph,
    cops,
    check,
    cluster,
    new,
    completion,
):
    main.add_command(_command)
