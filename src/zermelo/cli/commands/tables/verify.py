"""``zermelo verify``: checks every value of a table."""

from __future__ import annotations

import click

from zermelo._cluster.connect import is_driver
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.errors import NO
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.forms.quantities import count_phrase
from zermelo.game.parameters import as_json


@click.command(
    cls=SumCommand,
    examples=[
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo verify heap.table",
    ],
)
@table_options
@click.option(
    "--cluster",
    metavar="WORKERS",
    help="The workers to share the check among, as for zermelo solve: local[2], ray or mpi.",
)
@output_options("Write nothing if the table is right.")
@click.pass_context
def verify(
    context: click.Context, *, source: SolutionSource, cluster: str | None, output: Output
) -> None:
    """Check that a table is undamaged and every value right.

    First the checksums are compared; if the file is damaged, the exit code is 2. Then every value
    is checked against the rules and the values one move later; if one is wrong, the exit code is 1,
    and you see the position, its value in the table, and the values of the next positions. The
    table of a graph is checked against the edges it contains.
    """
    with output.watch() as watch:
        solution = source.open(watch)
        verification = solution.verify(memory=source.memory, cluster=cluster, progress=watch)
    if not is_driver(cluster):
        return
    document = {
        "table": source.name,
        "ok": verification.ok,
        "positions": verification.positions,
        "moves": verification.moves,
        "problem": verification.problem,
        "position": as_json(verification.position),
        "seconds": verification.seconds,
    }
    subject = "proof" if solution.method == "proof" else "certificate"
    positions, moves = (
        count_phrase(verification.positions, "positions"),
        count_phrase(verification.moves, "moves"),
    )
    text, brief = f"the {subject} holds: {positions} and {moves}", ""
    if not verification.ok:
        text = f"the {subject} fails: {verification.problem}"
        if verification.position is not None:
            text += f"\n{solution.rules.position_text(verification.position)}"
        brief = text
    output.write(document, text, brief)
    if not verification.ok:
        context.exit(NO)
