"""``zermelo uci``: a chess ending as an engine for boards and programs that speak UCI."""

from __future__ import annotations

import sys

import click

from zermelo.cli.arguments.game import NamedGame
from zermelo.cli.arguments.table import SolutionSource, TableCommand, table_options
from zermelo.cli.output import write_line
from zermelo.cli.progress_bar import ProgressBar


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo uci chess-ending --men KQK",
        "zermelo solve chess-ending --men KRK --table krk.table",
        "zermelo uci krk.table",
    ],
)
@table_options
def uci(*, source: SolutionSource) -> None:
    """Play a chess ending as an engine, by the protocol UCI.

    TABLE_OR_GAME is the table of a chess ending or of racing kings, or such a game with its
    parameters, which is solved when the first answer needs it. A board or a program starts this
    command as an engine, and sends it positions on standard input. It answers with the best move,
    the moves to mate, and a line of perfect play. It knows the positions of this ending alone, and
    neither the fifty-move rule nor repetition.
    """
    from zermelo.adapters.uci import UciEngine

    watch = ProgressBar(quiet=True)
    if isinstance(source.subject, NamedGame):
        engine = UciEngine(source.name, source.subject.game, lambda: source.open(watch))
    else:
        solution = source.open(watch)
        game = getattr(solution.rules, "game", None)  # which a graph has not
        engine = UciEngine(source.name, game, lambda: solution)
    for line in sys.stdin:
        for reply in engine.answer(line):
            write_line(reply)
        if not engine.running:
            break
