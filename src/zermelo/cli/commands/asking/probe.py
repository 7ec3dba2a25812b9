"""``zermelo probe``: shows the value of a position and of its moves."""

from __future__ import annotations

from typing import Any

import click

from zermelo.cli.arguments.game import NamedGame
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.text.board import board, bold_text, option_lines
from zermelo.cli.text.values import option_documents, precise_value_text, value_document
from zermelo.game.parameters import as_json


@click.command(
    cls=SumCommand,
    examples=[
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo probe heap.table 17",
        "zermelo probe take-away --stones 20 17",
        "zermelo probe 'take-away --stones 5 + take-away --stones 7' 5+4",
    ],
)
@table_options
@click.argument("position", metavar="[POSITION]", required=False)
@click.option(
    "--class",
    "classed",
    is_flag=True,
    help="Also show the outcome class: P, N, L or R: who wins when either player begins.",
)
@output_options("Write only the value, or with --class only the class.")
def probe(*, source: SolutionSource, position: str | None, classed: bool, output: Output) -> None:
    """Show the value of a position and of each of its moves.

    TABLE_OR_GAME is a table, made by zermelo solve GAME --table TABLE or by solution.save in
    Python; or a game with its parameters, which is solved unless its table is cached. POSITION is
    written as the game reads it, or as JSON; the default is the start. In the table of a graph it
    is a vertex: its name, or else its number. In the table of a pursuit it is JSON such as
    '[4, [2, 6], 1]': the evader's node, the pursuers' nodes and the turn.

    A sum is several tables or games with + between them, in one pair of quotation marks: the player
    to move chooses one of them and moves in it. A position of a sum is a JSON list of the positions
    of its parts, or these with + between them.

    In a game with chance, each move has its probability of winning, or its expected margin, and
    what it loses against the best one. Where chance decides, its results are listed with their
    odds and what they change.
    """
    outcome_class = None
    with output.watch() as watch:
        solution = source.open(watch)
        place = solution.start if position is None else solution.parse(position)
        if classed and isinstance(source.subject, NamedGame):
            outcome_class = source.solve_sum(watch).outcome_class((place,))
        elif classed:
            outcome_class = solution.outcome_class(place)
    value, options = solution[place], solution.options(place)
    document: dict[str, Any] = {
        "position": as_json(place),
        "value": value_document(value),
        "moves": option_documents(options),
    }
    value_text = bold_text(precise_value_text(value, solution, place))
    start = next(iter(solution.starts), place)  # a pursuit or a graph may have none
    paragraphs = [f"{board(solution.rules, start, place)}\n", value_text]
    if outcome_class is not None:
        document["outcome_class"] = str(outcome_class)
        paragraphs.append(f"class {outcome_class}: {outcome_class.text}")
    if options.by_chance:
        paragraphs.append("chance decides:")
    text = "\n".join([*paragraphs, *option_lines(options, place)])
    output.write(document, text, str(value if outcome_class is None else outcome_class))
