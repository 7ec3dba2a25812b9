"""``zermelo probe``: shows the value of a position and of its moves."""

from __future__ import annotations

from typing import Any

import click

from zermelo.cli.arguments.game import Named
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.text.board import board, bold_text, option_lines
from zermelo.cli.text.solution import owned_value_text
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
    """
    found = None
    with output.watch() as watch:
        solution = source.open(watch)
        where = solution.start if position is None else solution.parse(position)
        if classed and isinstance(source.of, Named):
            found = source.solve_sum(watch).outcome_class((where,))
        elif classed:
            found = solution.outcome_class(where)
    value, options = solution[where], solution.options(where)
    document: dict[str, Any] = {
        "position": as_json(where),
        "value": value.to_json(),
        "moves": [
            {
                "move": as_json(option.move),
                "name": option.name,
                "position": as_json(option.position),
                "value": option.value.to_json(),
            }
            for option in options
        ],
    }
    start = next(iter(solution.starts), where)  # a pursuit or a graph may have none
    told = [f"{board(solution.rules, start, where)}\n", bold_text(owned_value_text(value))]
    if found is not None:
        document["outcome_class"] = str(found)
        told.append(f"class {found}: {found.text}")
    text = "\n".join([*told, *option_lines(options)])
    output.write(document, text, str(value if found is None else found))
