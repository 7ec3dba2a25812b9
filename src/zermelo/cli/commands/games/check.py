"""``zermelo check``: tests whether a class keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.arguments.game import GameCommand, NamedGame
from zermelo.cli.errors import NO, Stop, rescues
from zermelo.cli.options import misere_option, output_options
from zermelo.cli.output import Output
from zermelo.cli.text.facts import fact_document, write_published
from zermelo.errors import ZermeloError
from zermelo.game.parameters import as_json

if TYPE_CHECKING:
    from zermelo.conformance import Report
    from zermelo.game.facts import Fact


@click.command(
    cls=GameCommand,
    takes_class=True,
    examples=["zermelo check tic-tac-toe", "zermelo check take-away --stones 21 --json"],
)
@misere_option
@click.option(
    "--facts",
    is_flag=True,
    help="Instead, solve the game for each published fact that its class declares, and compare.",
)
@output_options("Write only errors, and no hints.")
@click.pass_context
def check(
    context: click.Context, *, game: NamedGame, misere: bool, facts: bool, output: Output
) -> None:
    """Test your game's class, and report what is wrong with it.

    GAME is path.py:Class, or path.py if the file has only one game; the game's parameters are
    options. The exit code is 1 if there is an error; hints do not count. With --facts it is 1 if a
    solution differs from what the class says is published.
    """
    if facts:
        _check_facts(context, game, output)
        return
    from zermelo.checking import check as check_game

    report = check_game(game.game, misere=misere)
    brief = "\n".join(str(problem) for problem in report.errors)
    output.write(document(game, report), str(report), brief)
    if not report.ok:
        context.exit(NO)


def _check_facts(context: click.Context, game: NamedGame, output: Output) -> None:
    """Solve the game for each fact and write which agree; after Ctrl-C, write those compared."""
    from zermelo.fact_checks import check_fact, facts_of

    game_class = game.game if isinstance(game.game, type) else type(game.game)
    facts = [fact for fact in facts_of(game_class) if fact.checked]
    if not facts:
        message = f"{game.name} declares no facts to check; list them in the attribute facts"
        raise Stop(message)
    results: list[tuple[Fact, tuple[str, ...]]] = []

    def write() -> str:
        """Write the facts compared so far; return a phrase with their number."""
        rows = [(fact, "; ".join(differences) or "yes") for fact, differences in results]
        document = {
            "game": game.name,
            "ok": all(not differences for _, differences in results),
            "facts": [
                {**fact_document(fact), "agrees": not differences, "differences": list(differences)}
                for fact, differences in results
            ],
        }
        brief = "\n".join(verdict for _, verdict in rows if verdict != "yes")
        output.write(document, lambda: write_published(rows, "agrees"), brief)
        return f"{len(results):,} of {len(facts):,} facts are checked"

    rescues[:] = [write]
    for fact in facts:
        try:
            differences = check_fact(game_class, fact).differences
        except ZermeloError as error:  # such as too little memory: the others are checked as well
            differences = (str(error),)
        results.append((fact, differences))
    rescues.clear()
    write()
    if any(differences for _, differences in results):
        context.exit(NO)


def document(game: NamedGame, report: Report) -> dict[str, Any]:
    """Return the document that ``--json`` writes."""
    return {
        "game": game.name,
        "ok": report.ok,
        "problems": [
            {
                "kind": problem.kind,
                "severity": problem.severity,
                "message": problem.message,
                "position": as_json(problem.position),
            }
            for problem in report.problems
        ],
        "positions": report.positions,
        "complete": report.complete,
        "compiled": report.compiled,
        "images": report.images,
        "every_image": report.every_image,
        "seconds": report.seconds,
    }
