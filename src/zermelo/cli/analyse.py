"""``zermelo analyse``: the balance, length, openings and traps of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.analysis.plots import need_matplotlib
from zermelo.analysis.words import sentence
from zermelo.cli._analysis import write_one, write_sweep
from zermelo.cli._errors import Stop
from zermelo.cli._game_command import authors_prints
from zermelo.cli._output import check_writable, output_options, write_json
from zermelo.cli._progress import Watch
from zermelo.cli._sweep import SweepCommand, Swept
from zermelo.cli._table_command import Asked, table_options
from zermelo.errors import BudgetError
from zermelo.solving import solve as solve_game

if TYPE_CHECKING:
    from zermelo.analysis import Analysis


class Percentages(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """Percentages between commas, such as ``5,20``."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers."""
        if not isinstance(value, str):
            return value
        try:
            numbers = tuple(int(part) for part in value.split(",")) if value.strip() else ()
        except ValueError:
            numbers = (-1,)
        if any(not 0 <= number <= 100 for number in numbers):  # noqa: PLR2004  # percent
            self.fail(f"{value!r} is not made of percentages; write some such as 5,20", param, ctx)
        return numbers


@click.command(
    cls=SweepCommand,
    examples=[
        "zermelo analyse tic-tac-toe",
        "zermelo analyse connect-four --width 3..4 --height 3..4",
        "zermelo analyse stone-game --piles '[5,3,4,5]' --blunders 10,30 --html stones.html",
    ],
)
@click.option(
    "--blunders",
    type=Percentages(),
    default="5,20",
    show_default=True,
    metavar="PERCENT,…",
    help="Also analyse play with this percentage of random moves.",
)
@click.option("--html", metavar="FILE", help="Write a self-contained page with plots.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="The number of random games to play if the table is too large for an exact analysis.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="The seed of the random games.",
)
@table_options
@output_options("Write only one sentence for each game, and show no progress.")
def analyse(
    *,
    game: Swept | str,
    blunders: tuple[int, ...],
    html: str | None,
    samples: int,
    seed: int,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Analyse a game: balance, length, openings and traps.

    GAME is as for zermelo solve, or a table made by zermelo solve --table. A parameter may be a
    range, such as --width 3..6; then all games in the range are compared. The numbers are exact
    unless the table is too large, in which case they are estimated from random games.
    """
    wanted: dict[str, Any] = {
        "blunders": blunders, "samples": samples, "seed": seed, "memory": asked.memory
    }  # fmt: skip
    asked.check(game)
    if html is not None:  # before any work is done for it
        check_writable(html, replaces=True)
        need_matplotlib()
    failures: dict[str, str] = {}
    with Watch(quiet=quiet or as_json) as watch, authors_prints():
        if isinstance(game, str):
            solution = asked.opened(game, watch)
            named = [(game, solution.analyse(**wanted, progress=watch))]
        else:
            named, failures = _all(game, wanted, asked.threads, watch)
    several = isinstance(game, Swept) and game.several
    analyses = [analysis for _, analysis in named]
    if html is not None:
        _write_page(html, analyses, failures)
    if as_json:
        documents = [{"name": name, **analysis.to_json()} for name, analysis in named]
        write_json({"analyses": documents, "failures": failures} if several else documents[0])
    elif quiet:
        for analysis in analyses:
            click.echo(sentence(analysis))
    elif several:
        write_sweep(analyses, failures)
    else:
        write_one(analyses[0])


def _all(
    swept: Swept, wanted: dict[str, Any], threads: int | None, watch: Watch
) -> tuple[list[tuple[str, Analysis]], dict[str, str]]:
    """Solve and analyse all games; return what came of it, and which are too large."""
    made, failures = [], dict(swept.failures)
    for typed, named in swept.games:
        watch.about = typed
        try:
            solution = solve_game(
                named.game, memory=wanted["memory"], threads=threads, progress=watch
            )
        except BudgetError as error:
            if not swept.several:
                raise
            failures[typed] = str(error)
            continue
        made.append((named.name, solution.analyse(**wanted, progress=watch)))
    return made, failures


def _write_page(html: str, analyses: list[Analysis], failures: dict[str, str]) -> None:
    from zermelo.analysis.report import write as write_page

    try:
        write_page(html, analyses, failures)
    except OSError as error:
        message = f"cannot write {html!r}: {error.strerror}"
        raise Stop(message) from None
