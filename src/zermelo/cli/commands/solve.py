"""``zermelo solve``: solves a game and shows its value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.place import check_place
from zermelo.cli.ending import NO, Stop, under_way
from zermelo.cli.game_argument import GameCommand, Named
from zermelo.cli.options import limit_options, misere_option, output_options, value_option
from zermelo.cli.output import Output, write_facts
from zermelo.cli.parameters import as_typed
from zermelo.cli.progress_bar import duration
from zermelo.cli.table_argument import cache
from zermelo.errors import TableWriteError
from zermelo.game.contract import parameter_names
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
@value_option
@misere_option
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
    value: str | None,
    misere: bool,
    memory: int | None,
    threads: int | None,
    table: str | None,
    force: bool,
    fresh: bool,
    no_cache: bool,
    verify: bool,
    output: Output,
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
    if table is not None:
        check_place(table, overwrite=force)
        under_way[:] = [table]
    elif force:
        message = "--force needs --table"
        raise Stop(message)
    keeps = method is None and not no_cache
    with output.watch() as watch:

        def told(event: Event) -> None:
            if event.detail and output.plain:
                click.echo(_LABELS[event.phase] + event.detail, err=True)
            watch(event)

        arguments: dict[str, Any] = {
            "method": method,
            "horizon": horizon,
            "value": value,
            "misere": misere,
            "memory": memory,
            "threads": threads,
            "table": table,
            "overwrite": force,
            "progress": told,
        }
        wanted: dict[str, Any] = {"value": value, "misere": misere, "threads": threads}
        known = find(game.game, **wanted) if keeps and not fresh else None
        solution, unwritten = (known, None) if known else _solved(game, arguments)
        verification = solution.verify(progress=watch) if verify else None
        counts = solution.counts(progress=watch)
    answer = _Answer(game, solution, counts, verification, misere, recalled=known is not None)
    output.write(answer.document(), lambda: write_facts(answer.facts()), str(solution.value))
    if unwritten is not None:
        raise unwritten
    with output.watch() as watch:
        if known is not None and table is not None:
            known.save(table, overwrite=force, memory=memory, progress=watch)
        if keeps and known is None:
            cache(solution, value, memory, progress=watch)
    if verification is not None and not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}", err=True)
        context.exit(NO)


def _solved(game: Named, arguments: dict[str, Any]) -> tuple[Solution, TableWriteError | None]:
    """Return the solution, and why there is no table of it if that could not be written."""
    try:
        return solve_game(game.game, **arguments), None
    except TableWriteError as error:
        if error.solution is None:
            raise
        return error.solution, error


@dataclass(frozen=True)
class _Answer:
    """What there is to say of a solution.

    Attributes:
        game: the game.
        solution: its solution.
        counts: positions by value.
        verification: what the certificate found, or None.
        misere: whether a player who cannot move wins.
        recalled: whether it comes from the cache.
    """

    game: Named
    solution: Solution
    counts: Counts
    verification: Verification | None
    misere: bool
    recalled: bool

    @cached_property
    def best(self) -> list[Option]:
        """The best moves."""
        return self.solution.kind.best(self.solution.options())

    def document(self) -> dict[str, Any]:
        """Return what ``--json`` writes."""
        solution, counts, game = self.solution, self.counts, self.game.game
        return {
            "game": self.game.name,
            "parameters": {name: plain(getattr(game, name)) for name in parameter_names(game)},
            "misere": self.misere,
            "method": solution.method,
            "choice": solution.choice,
            "start": plain(solution.start),
            "value": solution.value.to_json(),
            "winner": solution.winner,
            "best_moves": [{"move": plain(each.move), "name": each.name} for each in self.best],
            "positions": counts.positions,
            "classes": len(solution),
            "counts": {
                name: getattr(counts, name) for name in ("win", "loss", "draw", "tie", "endless")
            },
            "verified": None if self.verification is None else self.verification.ok,
            "resumed": solution.resumed or None,
            "recalled": self.recalled,
            "seconds": solution.seconds,
            "phases": [{"name": name, "seconds": seconds} for name, seconds in solution.phases],
            "threads": solution.threads,
            "peak_bytes": solution.peak_bytes,
        }

    def facts(self) -> list[tuple[str, str]]:
        """Return names and texts, one a line, for people."""
        from rich.filesize import decimal

        solution, counts, game = self.solution, self.counts, self.game.game
        width = len(f"{counts.positions:,}")
        whose = " for the player to move" if solution.winner else ""
        times = ", ".join(f"{name} {duration(seconds)}" for name, seconds in solution.phases)
        rows = [
            ("game", self.game.name),
            *(
                (f"  {name}", as_typed(getattr(game, name), _LONGEST))
                for name in parameter_names(game)
            ),
            *([("play", "misère: a player who cannot move wins")] if self.misere else []),
            ("value", f"{solution.value}{whose}"),
            ("winner", ending(solution)),
            (
                "best moves" if len(self.best) != 1 else "best move",
                _listed([option.name for option in self.best]),
            ),
            ("positions", f"{counts.positions:,}"),
            *((f"  {what}", f"{n:>{width},}") for what, n in solution.kind.counted(counts)),
        ]
        if len(solution) != counts.positions:
            rows.append(("  classes", f"{len(solution):>{width},}"))
        rows.append(("method", f"{solution.method}: {solution.choice}"))
        if solution.resumed:
            rows.append(("resumed", f"as {solution.resumed}"))
        rows.append(("time", f"{duration(solution.seconds)} ({times})"))
        if self.recalled:
            rows.append(("table", "cached by an earlier solve; --fresh solves it again"))
        else:
            rows.append(("memory", decimal(solution.peak_bytes)))
        if (found := self.verification) is not None:
            checked = f"{found.positions:,} positions and {found.moves:,} moves"
            verdict = "holds" if found.ok else "fails"
            rows.append(("certificate", f"{verdict}: {checked} in {duration(found.seconds)}"))
        return rows


def ending(solution: Solution) -> str:
    """Return who wins from the start and when, in words."""
    value, winner, kind = solution.value, solution.winner, solution.kind
    if winner is None:
        return f"nobody: {kind.even(value)}"
    return ",".join(filter(None, [winner, kind.by(value, kind.ahead(value, 0))]))


def _listed(names: list[str]) -> str:
    if not names:
        return "none: the game is over"
    more = len(names) - _MOST_MOVES
    return ", ".join(names[:_MOST_MOVES]) + (f" and {more:,} more" if more > 0 else "")
