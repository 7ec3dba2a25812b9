"""``zermelo check``: tests whether a class keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.ending import NO
from zermelo.cli.game_argument import GameCommand, Named
from zermelo.cli.options import misere_option, output_options
from zermelo.cli.output import Output
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.conformance import Report


@click.command(
    cls=GameCommand,
    takes_class=True,
    examples=["zermelo check tic-tac-toe", "zermelo check take-away --stones 21 --json"],
)
@misere_option
@output_options("Write only errors, and no hints.")
@click.pass_context
def check(context: click.Context, *, game: Named, misere: bool, output: Output) -> None:
    """Test your game's class, and report where it breaks the contract.

    GAME is path.py:Class, or path.py if the file has only one game; the game's parameters are
    options. The exit code is 1 if there is an error; hints do not count.
    """
    from zermelo.conformance import check as check_game

    report = check_game(game.game, misere=misere)
    brief = "\n".join(str(problem) for problem in report.errors)
    output.write(document(game, report), str(report), brief)
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
