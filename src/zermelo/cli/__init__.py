"""The command line: ``zermelo games``, ``solve``, ``play``, ``probe`` and the others."""

from __future__ import annotations

import click

from zermelo.cli.group import Commands

__all__ = ["main"]

#: Every command: its module in ``cli/commands/``, and the first sentence of its help. So the first
#: page and completion list all commands and import none.
_COMMANDS = {
    "analyse": ("asking.analyse", "Analyse a game: balance, length, openings and traps."),
    "check": ("games.check", "Test your game's class, and report what is wrong with it."),
    "cluster": ("solving.cluster", "Check the workers of a cluster before a long solve."),
    "completion": ("completion", "Print a script for completion with Tab in bash, zsh or fish."),
    "cops": ("solving.cops", "Show how many cops the graphs of a file need, and for how long."),
    "evaluate": (
        "asking.evaluate",
        "Measure an agent: how often it errs, where, and what that costs.",
    ),
    "explain": ("asking.explain", "Explain in sentences why a position is won, drawn or lost."),
    "explore": ("asking.explore", "Explore a game in the browser, with the value of every move."),
    "export": ("tables.export", "Write every position with its value for other programs."),
    "games": ("games.games", "List the built-in games with their parameters, by kind."),
    "graph": ("solving.graph", "Solve a game on a graph that stands in a file."),
    "heaps": ("solving.heaps", "Show nimbers, period and winning moves of a heap game."),
    "info": ("tables.info", "Show what a table or a proof contains; its game is not needed."),
    "new": ("games.new", "Create a small game to turn into your own, and a test of it."),
    "play": ("asking.play", "Play a game in the terminal, against its solution or a person."),
    "probe": ("asking.probe", "Show the value of a position and of each of its moves."),
    "prove": ("solving.prove", "Find the value of one position by search, and prove it."),
    "readers": ("tables.readers", "Write the readers of portable tables in C and JavaScript."),
    "solve": ("solving.solve", "Solve a game exactly: who wins, how soon, and by which moves."),
    "tables": ("tables.tables", "List the tables in the cache, or delete some of them."),
    "uci": ("asking.uci", "Play a chess ending as an engine, by the protocol UCI."),
    "value": (
        "solving.value",
        "Show the value of a partizan game: canonical form and thermograph.",
    ),
    "verify": ("tables.verify", "Check that a table is undamaged and every value right."),
}


@click.group(
    cls=Commands,
    catalogue=_COMMANDS,
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
