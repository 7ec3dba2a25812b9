"""``zermelo solve``: solves a game and shows its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo._cluster.connect import is_driver
from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.game import GameCommand, NamedGame
from zermelo.cli.arguments.table import cache_solution
from zermelo.cli.errors import NO, Stop, under_way
from zermelo.cli.options import (
    check_cluster_table,
    cluster_option,
    limit_options,
    misere_option,
    output_options,
    precision_option,
    value_option,
)
from zermelo.cli.output import Output
from zermelo.cli.text.solution import MANY_CLASSES, SolveText
from zermelo.errors import TableWriteError
from zermelo.methods import METHODS

if TYPE_CHECKING:
    from zermelo.progress import Event
    from zermelo.solution.solution import Solution

#: The label before the detail of an event, by its phase.
_LABELS = {"resume": "resumed: ", "restart": "", "cluster": "", "note": "note: "}


@click.command(
    cls=GameCommand,
    examples=[
        "zermelo solve tic-tac-toe",
        "zermelo solve connect-four --width 4 --height 4 --verify",
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo solve domineering --rows 3 --columns 3 --value partizan",
        "zermelo solve cat-and-mouse --graph '[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]' --json",
    ],
)
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    metavar="METHOD",
    help=f"The method ({', '.join(METHODS)}); by default the one that suits the game.",
)
@click.option(
    "--horizon",
    type=click.IntRange(min=0),
    metavar="PLIES",
    help="With --method horizon: how far to look ahead; by default far enough to be exact.",
)
@value_option
@misere_option
@precision_option
@limit_options
@click.option(
    "--table",
    metavar="FILE",
    help="Save the solution to a file. If interrupted, run the same command again to resume.",
)
@cluster_option
@click.option("--force", is_flag=True, help="With --table: replace an existing file.")
@click.option("--fresh", is_flag=True, help="Solve again even if a table exists in the cache.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--verify", is_flag=True, help="Check the certificate too; exit with 1 if it fails.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Show the method, the time and the memory as well, and count all positions.",
)
@output_options("Write only the value, and show no progress.")
@click.pass_context
def solve(
    context: click.Context,
    *,
    game: NamedGame,
    method: str | None,
    horizon: int | None,
    value: str | None,
    misere: bool,
    precision: float | None,
    memory: int | None,
    threads: int | None,
    table: str | None,
    cluster: str | None,
    force: bool,
    fresh: bool,
    no_cache: bool,
    verify: bool,
    verbose: bool,
    output: Output,
) -> None:
    """Solve a game exactly: who wins, how soon, and by which moves.

    GAME is a name from zermelo games, or a class of your own: path.py:Class, or path.py if the file
    has only one game. The game's parameters are options; zermelo solve GAME --help shows them.
    Write a list of numbers as 5,3,4 and any other list as JSON; @file reads a value from a file.

    Solves that take more than two seconds are cached, so that the same game is answered at once the
    next time (see zermelo tables). With --method, --precision or --cluster the cache is not used.

    In a game with chance, a value is a probability of winning, where a draw counts half, or in a
    score game an expected margin. Each is known between two bounds.
    """
    from zermelo.tables.cache import find_cached

    if horizon is not None and method != "horizon":
        message = "--horizon needs --method horizon"
        raise Stop(message)
    _check_options(table, cluster, force=force)
    keeps = (method, cluster, precision) == (None, None, None) and not no_cache
    with output.watch() as watch:

        def report_event(event: Event) -> None:
            if event.detail and output.plain:
                click.echo(_LABELS[event.phase] + event.detail, err=True)
            watch(event)

        arguments: dict[str, Any] = {
            "method": method,
            "horizon": horizon,
            "value": value,
            "misere": misere,
            "precision": precision,
            "memory": memory,
            "threads": threads,
            "table": table,
            "overwrite": force,
            "cluster": cluster,
            "progress": report_event,
        }
        cached = None
        if keeps and not fresh:
            cached = find_cached(game.game, value=value, misere=misere, threads=threads)
        solution, unwritten = (cached, None) if cached else _solve_game(game, arguments)
        if not is_driver(cluster):
            return
        verification = solution.verify(progress=watch) if verify else None
        has_many_classes = solution.folded and len(solution) >= MANY_CLASSES
        by_class = has_many_classes and not (verbose or output.as_json)
        counts = solution.counts(folded=by_class, progress=watch)
    from_cache = cached is not None
    answer = SolveText(game, solution, counts, verification, misere, from_cache, by_class, value)
    output.write(answer.document(), lambda: answer.show(verbose=verbose), str(solution.value))
    if unwritten is not None:
        raise unwritten
    with output.watch() as watch:
        if cached is not None and table is not None:
            cached.save(table, overwrite=force, memory=memory, progress=watch)
        if keeps and cached is None:
            cache_solution(solution, value, memory, progress=watch)
    if verification is not None and not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}", err=True)
        context.exit(NO)


def _check_options(table: str | None, cluster: str | None, *, force: bool) -> None:
    """Check that a table can be written, or that no option is about one."""
    check_cluster_table(cluster, table)
    if table is not None:
        check_place(table, overwrite=force)
        under_way[:] = [table]
    elif force:
        message = "--force needs --table"
        raise Stop(message)


def _solve_game(
    game: NamedGame, arguments: dict[str, Any]
) -> tuple[Solution, TableWriteError | None]:
    """Return the solution, and why there is no table of it if that could not be written."""
    from zermelo.solving import solve as solve_game

    try:
        return solve_game(game.game, **arguments), None
    except TableWriteError as error:
        if error.solution is None:
            raise
        return error.solution, error
