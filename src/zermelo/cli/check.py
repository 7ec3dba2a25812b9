"""``zermelo check``: does a class keep the contract?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._errors import NO
from zermelo.cli._game_command import GameCommand, Named, authors_prints
from zermelo.cli._output import output_options, write_json
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.conformance import Report


@click.command(
    cls=GameCommand,
    takes_class=True,
    examples=["zermelo check tic-tac-toe", "zermelo check take-away --stones 21 --json"],
)
@output_options("Write only errors: no hints, and nothing where there is no error.")
@click.pass_context
def check(context: click.Context, *, game: Named, as_json: bool, quiet: bool) -> None:
    """Play through a game and say where its class breaks the contract.

    GAME is path.py:Class for a class of your own, or only path.py where that holds one game; its
    parameters are options. Exits with 1 if there is an error; hints are only hints.
    """
    from zermelo.conformance import check as check_game

    with authors_prints():
        report = check_game(game.game)
    if as_json:
        write_json(document(game, report))
    else:
        _write(report, quiet=quiet)
    if not report.ok:
        context.exit(NO)


def document(game: Named, report: Report) -> dict[str, Any]:
    """Return what ``--json`` writes."""
    return {
        "game": game.name,
        "ok": report.ok,
        "problems": [
            {
                "kind": problem.kind,
                "severity": problem.severity,
                "message": problem.message,
                "position": plain(problem.position),
            }
            for problem in report.problems
        ],
        "positions": report.positions,
        "complete": report.complete,
        "compiled": report.compiled,
        "seconds": report.seconds,
    }


def _write(report: Report, *, quiet: bool) -> None:
    if not quiet:
        click.echo(str(report))
        return
    for problem in report.errors:
        click.echo(str(problem))
