"""``zermelo solve``: solves a game and shows its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.place import check_place
from zermelo.cli._errors import NO, Stop, under_way
from zermelo.cli._fields import as_typed, parameters_of
from zermelo.cli._game_command import GameCommand, Named, authors_prints
from zermelo.cli._limits import limit_options
from zermelo.cli._output import output_options, write, write_json
from zermelo.cli._progress import Watch, duration
from zermelo.cli._table_command import cache
from zermelo.errors import TableExistsError, TableWriteError
from zermelo.game.parameters import plain
from zermelo.solving import METHODS
from zermelo.solving import solve as solve_game
from zermelo.tables.cache import find

if TYPE_CHECKING:
    from zermelo.progress import Event
    from zermelo.solution.solution import Solution
    from zermelo.values.answers import Counts, Option, Verification

#: Best moves that are named before the rest are only counted; characters of a parameter.
_MOST_MOVES, _LONGEST = 8, 60
#: What to print before the event's message if a solve resumes or restarts.
_LABELS = {"resume": "resumed: ", "restart": ""}


@click.command(
    cls=GameCommand,
    examples=[
        "zermelo solve tic-tac-toe",
        "zermelo solve connect-four --width 4 --height 4 --verify",
        "zermelo solve take-away --stones 20 --table heap.table",
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
@limit_options
@click.option(
    "--table",
    metavar="FILE",
    help="Save the solution to a file. If interrupted, run the same command again to resume.",
)
@click.option("--force", is_flag=True, help="With --table: replace an existing file.")
@click.option("--fresh", is_flag=True, help="Solve the game even if its table is cached.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--verify", is_flag=True, help="Check the certificate too; exit with 1 if it fails.")
@output_options("Write only the value, and show no progress.")
@click.pass_context
def solve(
    context: click.Context,
    *,
    game: Named,
    method: str | None,
    horizon: int | None,
    memory: int | None,
    threads: int | None,
    table: str | None,
    force: bool,
    fresh: bool,
    no_cache: bool,
    verify: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Solve a game exactly: who wins, how fast, and by which moves.

    GAME is a name from zermelo games, or a class of your own: path.py:Class, or path.py if the file
    has only one game. The game's parameters are options; zermelo solve GAME --help shows them.
    Write lists as JSON; @file reads a value from a file.

    Solves that take more than two seconds are cached, so that the same game is answered at once the
    next time (see zermelo tables). With --method the cache is not used.
    """
    if horizon is not None and method != "horizon":
        message = "--horizon needs --method horizon"
        raise Stop(message)
    _check_place(table, force=force)
    arguments: dict[str, Any] = {
        "method": method,
        "horizon": horizon,
        "memory": memory,
        "threads": threads,
    }
    with authors_prints():
        with Watch(quiet=quiet or as_json) as watch:

            def told(event: Event) -> None:
                if event.detail and not quiet and not as_json:
                    click.echo(_LABELS[event.phase] + event.detail, err=True)
                watch(event)

            arguments.update(table=table, overwrite=force, progress=told)
            keeps = method is None and not no_cache
            known = find(game.game, threads=threads) if keeps and not fresh else None
            solution, unwritten = (known, None) if known else _solved(game, arguments)
            verification = solution.verify(progress=watch) if verify else None
            counts = solution.counts(progress=watch)
        options = solution.options()
    best = [option for option in options if option.value == options[0].value]
    if as_json:
        write_json(document(game, solution, counts, best, verification, recalled=known is not None))
    elif quiet:
        click.echo(str(solution.value))
    else:
        _write_table(game, solution, counts, best, verification, recalled=known is not None)
    if unwritten is not None:
        raise unwritten
    if known is not None and table is not None:
        with Watch(quiet=quiet or as_json) as watch:
            known.save(table, overwrite=force, memory=memory, progress=watch)
    if keeps and known is None:
        with Watch(quiet=quiet or as_json) as watch:
            cache(solution, memory, progress=watch)
    if verification is not None and not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}", err=True)
        context.exit(NO)


def _check_place(table: str | None, *, force: bool) -> None:
    """See, before any work is done for it, that a table can be written.

    Raises:
        Stop: it cannot.
    """
    if table is None:
        if force:
            message = "--force needs --table"
            raise Stop(message)
        return
    try:
        check_place(table, overwrite=force)
    except TableExistsError as error:
        hint = "give another path, or use --force to replace it"
        message = str(error).replace("give another path, or use overwrite=True", hint)
        raise Stop(message) from None
    under_way[:] = [table]


def _solved(game: Named, arguments: dict[str, Any]) -> tuple[Solution, TableWriteError | None]:
    """Return the solution, and why there is no table of it if that could not be written."""
    try:
        return solve_game(game.game, **arguments), None
    except TableWriteError as error:
        if error.solution is None:
            raise
        return error.solution, error


def document(
    game: Named,
    solution: Solution,
    counts: Counts,
    best: list[Option],
    verification: Verification | None,
    *,
    recalled: bool,
) -> dict[str, Any]:
    """Return what ``--json`` writes."""
    value = solution.value
    return {
        "game": game.name,
        "parameters": {
            field.name: plain(getattr(game.game, field.name))
            for field in parameters_of(type(game.game))
        },
        "method": solution.method,
        "choice": solution.choice,
        "start": plain(solution.start),
        "value": {
            "outcome": str(value.outcome),
            "remoteness": value.remoteness,
            "score": value.score,
            "nimber": value.nimber,
        },
        "winner": solution.winner,
        "best_moves": [{"move": plain(option.move), "name": option.name} for option in best],
        "positions": counts.positions,
        "classes": len(solution),
        "counts": {
            "win": counts.win,
            "loss": counts.loss,
            "draw": counts.draw,
            "tie": counts.tie,
            "endless": counts.endless,
        },
        "verified": None if verification is None else verification.ok,
        "resumed": solution.resumed or None,
        "recalled": recalled,
        "seconds": solution.seconds,
        "phases": [{"name": name, "seconds": seconds} for name, seconds in solution.phases],
        "threads": solution.threads,
        "peak_bytes": solution.peak_bytes,
    }


def _write_table(
    game: Named,
    solution: Solution,
    counts: Counts,
    best: list[Option],
    verification: Verification | None,
    *,
    recalled: bool,
) -> None:
    from rich.filesize import decimal
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()

    def row(label: str, text: str, style: str = "") -> None:
        table.add_row(Text(label), Text(text, style))

    row("game", game.name)
    for field in parameters_of(type(game.game)):
        row(f"  {field.name}", as_typed(getattr(game.game, field.name), _LONGEST))
    whose = " for the player to move" if solution.winner else ""
    row("value", f"{solution.value}{whose}", "bold")
    row("winner", ending(solution))
    row("best moves" if len(best) != 1 else "best move", _listed([option.name for option in best]))
    row("positions", f"{counts.positions:,}")
    for label, number in solution.kind.counted(counts):
        row(f"  {label}", f"{number:>{len(f'{counts.positions:,}')},}")
    if len(solution) != counts.positions:
        row("  classes", f"{len(solution):>{len(f'{counts.positions:,}')},}")
    row("method", f"{solution.method}: {solution.choice}")
    if solution.resumed:
        row("resumed", f"as {solution.resumed}")
    times = ", ".join(f"{name} {duration(seconds)}" for name, seconds in solution.phases)
    row("time", f"{duration(solution.seconds)} ({times})")
    if recalled:
        row("table", "cached by an earlier solve; --fresh solves it again")
    else:
        row("memory", decimal(solution.peak_bytes))
    if verification is not None:
        checked = f"{verification.positions:,} positions and {verification.moves:,} moves"
        verdict = "holds" if verification.ok else "fails"
        row("certificate", f"{verdict}: {checked} in {duration(verification.seconds)}")
    write(table)


def ending(solution: Solution) -> str:
    """Return who wins from the start and when, in words."""
    value, winner = solution.value, solution.winner
    if value.score is not None:
        return f"{winner}, by {abs(value.score):,}" if winner else "nobody: it comes out even"
    if value.remoteness is None:
        return f"{winner}" if winner else "nobody: neither side can force an end"
    plies = f"{value.remoteness:,} {'ply' if value.remoteness == 1 else 'plies'}"
    return f"{winner}, in {plies}" if winner else f"nobody: a tie, in {plies}"


def _listed(names: list[str]) -> str:
    if not names:
        return "none: the game is over"
    more = len(names) - _MOST_MOVES
    return ", ".join(names[:_MOST_MOVES]) + (f" and {more:,} more" if more > 0 else "")
