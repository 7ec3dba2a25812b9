"""``zermelo analyse``: the balance, length, openings and traps of a game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.game import GameSweep
from zermelo.cli.arguments.sweep import SweepCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.errors import INTERRUPTED, NO, finish_after_interrupt, rescues, stop_for
from zermelo.cli.options import OptionValue, output_options, report_options
from zermelo.cli.output import Output, write_line
from zermelo.cli.text.analysis import SweepTable, write_analysis

if TYPE_CHECKING:
    from zermelo.analysis import Analysis


def _parse_percentages(text: str) -> tuple[int, ...]:
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
    type=OptionValue("percent", _parse_percentages),
    default="5,20",
    show_default=True,
    metavar="PERCENT,…",
    help="Also analyse play with this percentage of random moves.",
)
@report_options("How many random games to play if the table is too large for an exact analysis.")
@table_options
@output_options("Write only one sentence for each game, and show no progress.")
@click.pass_context
def analyse(
    context: click.Context,
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
    range, such as --width 3..6; then all games in the range are compared, a row each as soon as it
    is done. Games that fail are named below the table, and the exit code is then 1. The numbers are
    exact unless the table is too large, in which case they are estimated from random games.
    """
    arguments: dict[str, Any] = {
        "blunders": blunders, "samples": samples, "seed": seed, "memory": source.memory
    }  # fmt: skip
    if html is not None:  # fail before the solve
        check_place(html, overwrite=True)
        from zermelo.analysis.plots import require_matplotlib

        require_matplotlib()
    if isinstance(source.subject, GameSweep) and source.subject.ranges:
        sweep = _Sweep(source, source.subject, output, html)
        sweep.run(arguments, context)
        if sweep.failures:
            context.exit(NO)
        return
    with output.watch() as watch:
        if isinstance(source.subject, GameSweep):
            ((_, named),) = source.subject.games
            solution = source.solve_game(named.game, watch)
        else:
            solution = source.open(watch)
        analysis = solution.analyse(**arguments, progress=watch)
    if html is not None:
        _write_page(html, [analysis], {})
    document = {"name": source.name, **analysis.to_json()}
    output.write(document, lambda: write_analysis(analysis), _sentence(analysis))


def _sentence(analysis: Analysis) -> str:
    from zermelo.analysis.sentences import analysis_sentence

    return analysis_sentence(analysis)


def _write_page(html: str, analyses: list[Analysis], failures: dict[str, str]) -> None:
    from zermelo.analysis.report import write as write_page

    write_page(analyses, html, failures)


class _Sweep:
    """Games with parameters in ranges, each written as soon as it is done.

    Attributes:
        failures: why games, as typed, could not be created, solved or analysed.
    """

    def __init__(
        self, source: SolutionSource, swept: GameSweep, output: Output, html: str | None
    ) -> None:
        """Store the games that could be created."""
        self.failures = dict(swept.failures)
        self._source, self._swept, self._output, self._html = source, swept, output, html
        self._analyses: list[Analysis] = []
        self._table = SweepTable(swept.ranges)
        self._finished = False

    def run(self, arguments: dict[str, Any], context: click.Context) -> None:
        """Solve and analyse all games; results are written even if the command is interrupted."""
        rescues[:] = [self.finish]
        try:
            for typed, named in self._swept.games:
                try:
                    with self._output.watch() as watch:
                        watch.about = typed
                        solution = self._source.solve_game(named.game, watch)
                        analysis = solution.analyse(**arguments, progress=watch)
                except Exception as error:
                    stop = stop_for(error, context)
                    if stop is None:
                        raise
                    if stop.exit_code == INTERRUPTED:
                        raise stop from None
                    self.failures[typed] = stop.message
                else:
                    self._add(analysis)
        finally:
            with finish_after_interrupt():
                self.finish()
        rescues.clear()

    def _add(self, analysis: Analysis) -> None:
        self._analyses.append(analysis)
        if self._output.plain:
            self._table.add(analysis)
        elif self._output.quiet and not self._output.as_json:
            write_line(_sentence(analysis))

    def finish(self) -> str:
        """Write the rest of the output, once; return a sentence on the number of analysed games."""
        count, games = len(self._analyses), len(self._swept.games)
        if not self._finished:
            self._finished = True
            if self._output.as_json:
                name = self._source.name
                documents = [{"name": name, **analysis.to_json()} for analysis in self._analyses]
                write_line(json.dumps({"analyses": documents, "failures": self.failures}))
            elif self._output.plain:
                self._table.finish(self.failures)
            if self._html is not None and self._analyses:
                _write_page(self._html, self._analyses, self.failures)
        return f"{count:,} of {games:,} games are analysed"
