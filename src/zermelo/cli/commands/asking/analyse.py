"""``zermelo analyse``: the balance, length, openings and traps of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.place import check_place
from zermelo.analysis.plots import need_matplotlib
from zermelo.analysis.words import sentence
from zermelo.cli.arguments.game import Swept
from zermelo.cli.arguments.sweep import SweepCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.options import OptionValue, output_options, report_options
from zermelo.cli.output import Output
from zermelo.cli.progress_bar import ProgressBar
from zermelo.cli.text.analysis import write_one, write_sweep
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from zermelo.analysis import Analysis


def _percentages(text: str) -> tuple[int, ...]:
    """Return the numbers of percentages between commas, such as ``5,20``."""
    try:
        numbers = tuple(int(part) for part in text.split(",")) if text.strip() else ()
    except ValueError:
        numbers = (-1,)
    if any(not 0 <= number <= 100 for number in numbers):  # noqa: PLR2004  # percent
        message = f"{text!r} is not a list of percentages; write one such as 5,20"
        raise ValueError(message)
    return numbers


@click.command(
    cls=SweepCommand,
    examples=[
        "zermelo analyse tic-tac-toe",
        "zermelo analyse connect-four --width 3..4 --height 3..4",
        "zermelo analyse stone-game --piles 5,3,4,5 --blunders 10,30 --html stones.html",
    ],
)
@click.option(
    "--blunders",
    type=OptionValue("percent", _percentages),
    default="5,20",
    show_default=True,
    metavar="PERCENT,…",
    help="Also analyse play with this percentage of random moves.",
)
@report_options("How many random games to play if the table is too large for an exact analysis.")
@table_options
@output_options("Write only one sentence for each game, and show no progress.")
def analyse(
    *,
    source: SolutionSource,
    blunders: tuple[int, ...],
    html: str | None,
    samples: int,
    seed: int,
    output: Output,
) -> None:
    """Analyse a game: balance, length, openings and traps.

    GAME is as for zermelo solve, or a table made by zermelo solve --table. A parameter may be a
    range, such as --width 3..6; then all games in the range are compared. The numbers are exact
    unless the table is too large, in which case they are estimated from random games.
    """
    wanted: dict[str, Any] = {
        "blunders": blunders, "samples": samples, "seed": seed, "memory": source.memory
    }  # fmt: skip
    if html is not None:  # before any work is done for it
        check_place(html, overwrite=True)
        need_matplotlib()
    swept = source.of if isinstance(source.of, Swept) else None
    failures: dict[str, str] = {}
    with output.watch() as watch:
        if swept is None:
            analyses = [source.opened(watch).analyse(**wanted, progress=watch)]
        else:
            analyses, failures = _all(source, swept, wanted, watch)
    if html is not None:
        from zermelo.analysis.report import write as write_page

        write_page(html, analyses, failures)
    documents = [{"name": source.name, **analysis.to_json()} for analysis in analyses]
    brief = "\n".join(map(sentence, analyses))
    if swept is not None and swept.several:
        document = {"analyses": documents, "failures": failures}
        output.write(document, lambda: write_sweep(analyses, failures), brief)
    else:
        output.write(documents[0], lambda: write_one(analyses[0]), brief)


def _all(
    source: SolutionSource, swept: Swept, wanted: dict[str, Any], watch: ProgressBar
) -> tuple[list[Analysis], dict[str, str]]:
    """Solve and analyse all games; return what came of it, and which are too large."""
    made, failures = [], dict(swept.failures)
    for typed, named in swept.games:
        watch.about = typed
        try:
            solution = source.solved(named.game, watch)
        except BudgetError as error:
            if not swept.several:
                raise
            failures[typed] = str(error)
            continue
        made.append(solution.analyse(**wanted, progress=watch))
    return made, failures
