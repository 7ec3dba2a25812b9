"""``zermelo explain``: explains the value of a position."""

from __future__ import annotations

from typing import Any

import click

from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.text.board import board
from zermelo.game.parameters import as_json


@click.command(
    cls=SumCommand,
    examples=[
        "zermelo explain tic-tac-toe X../O../...",
        "zermelo explain take-away --stones 20 17",
    ],
)
@table_options
@click.argument("position", metavar="[POSITION]", required=False)
@output_options("Write only the sentences, without the board, and show no progress.")
def explain(*, source: SolutionSource, position: str | None, output: Output) -> None:
    """Explain in sentences why a position is won, drawn or lost.

    A win is explained by a move and the answer to every reply, a loss by the answer to every move,
    and a draw by a move that holds it and by what every attempt to win comes to.

    TABLE_OR_GAME, its parameters and POSITION are as for zermelo probe; the default is the start.
    The file of a proof will do, too: then it is explained what the proof knows.
    """
    with output.watch() as watch:
        solution = source.open(watch)
        place = solution.start if position is None else solution.parse(position)
        explanation = solution.explain(place)
    start = next(iter(solution.starts), place)  # a pursuit or a graph may have none
    document: dict[str, Any] = {
        "position": as_json(place),
        "value": explanation.value.to_json(),
        "sentences": list(explanation.sentences),
        "line": {
            "moves": [as_json(move) for move in explanation.line.moves],
            "names": list(explanation.line.names),
            "ends": explanation.line.ends,
        },
    }
    output.write(
        document, f"{board(solution.rules, start, place)}\n\n{explanation}", str(explanation)
    )
