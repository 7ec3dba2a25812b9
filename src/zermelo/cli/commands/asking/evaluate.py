"""``zermelo evaluate``: an agent measured against perfect play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.agent import AgentCommand, find_agent
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.options import output_options, report_options
from zermelo.cli.output import Output, reserve_output, write_columns, write_line

if TYPE_CHECKING:
    from zermelo.agents import Evaluation


@click.command(
    cls=AgentCommand,
    examples=[
        "zermelo evaluate random tic-tac-toe",
        "zermelo evaluate mymodule.py:agent tic-tac-toe --html agent.html",
        "zermelo evaluate mymodule.py:agent tic-tac-toe --beside random",
    ],
)
@click.option(
    "--beside",
    metavar="AGENT",
    multiple=True,
    help="Another agent to show beside it; may be given several times.",
)
@click.option(
    "--exact-up-to",
    type=click.IntRange(min=0),
    default=10_000_000,
    show_default=True,
    metavar="N",
    help="The most positions that the agent is asked about for exact numbers.",
)
@report_options("How many positions and games to draw at random where there are more.")
@table_options
@output_options("Write only one sentence for each agent, and show no progress.")
def evaluate(
    *,
    agent: str,
    source: SolutionSource,
    beside: tuple[str, ...],
    html: str | None,
    exact_up_to: int,
    samples: int,
    seed: int,
    output: Output,
) -> None:
    """Measure an agent: how often it errs, where, and what that costs.

    AGENT is path.py:name or package.module:name, a function of a position that returns a move, or
    an object with batch(positions). Or it is perfect or random; or hotstrat or thermostrat, which
    play a partizan game by the temperatures of its components. TABLE_OR_GAME is as for zermelo
    probe. The numbers are exact: over all positions, and over those that the agent's games against
    a perfect and a random player pass through.
    """
    if html is not None:  # before any work is done for it
        check_place(html, overwrite=True)
        from zermelo.analysis.plots import require_matplotlib

        require_matplotlib()
    from zermelo.agents.evaluate import evaluate as measured

    with output.watch() as watch:
        with reserve_output():
            agents = [find_agent(each) for each in (agent, *beside)]
        solution = source.open(watch)
        with reserve_output():
            evaluations = [
                measured(
                    each.build(solution),
                    solution,
                    name=each.name,
                    exact_up_to=exact_up_to,
                    samples=samples,
                    seed=seed,
                    progress=watch,
                )
                for each in agents
            ]
    if html is not None:
        from zermelo.agents.report import write as write_page

        write_page(evaluations, html)
    from zermelo.agents.sentences import evaluation_sentence

    documents = [evaluation.to_json() for evaluation in evaluations]
    output.write(
        {"evaluations": documents} if beside else documents[0],
        lambda: _write_evaluations(evaluations),
        "\n".join(map(evaluation_sentence, evaluations)),
    )


def _write_evaluations(evaluations: list[Evaluation]) -> None:
    """Write the results of one agent, or of several in one table."""
    from zermelo.agents import sentences

    write_line(evaluations[0].title)
    for evaluation in evaluations:
        write_line(sentences.evaluation_sentence(evaluation))
    write_line("")
    headings, rows = sentences.evaluation_table(evaluations)
    write_columns(headings, rows, right=headings[1 + (len(evaluations) > 1) :])
    if sample_note := sentences.sample_text(evaluations):
        write_line(sample_note)
    for evaluation in evaluations:
        for line in sentences.mistake_lines(evaluation):
            write_line(line)
