"""``zermelo play``: a game in the terminal, against its solution or another person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from zermelo._engine.file.place import check_place
from zermelo.cli.ending import Stop
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, say
from zermelo.cli.sum_argument import SumCommand
from zermelo.cli.table_argument import SolutionSource, table_options
from zermelo.cli.terminal import MatchBoard, Seats
from zermelo.play.match import Match, Opponent


@click.command(
    cls=SumCommand,
    examples=[
        "zermelo play tic-tac-toe",
        "zermelo play connect-four --width 4 --height 4 --side second --skill 70",
        "zermelo play take-away --stones 21 --side neither",
        "zermelo play 'take-away --stones 5 + take-away --stones 7'",
    ],
)
@click.option(
    "--side",
    type=click.Choice(["first", "second", "both", "neither"]),
    default="first",
    help="The player you are: first (the default), second, both, or neither, to watch.",
)
@click.option(
    "--skill",
    type=click.IntRange(0, 100),
    default=100,
    metavar="PERCENT",
    help="How often the opponent plays a best move, and not a random one. By default always.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="N",
    help="The seed of the opponent's random choices. By default 0.",
)
@click.option(
    "--from",
    "beginning",
    metavar="POSITION",
    help="The position to start from, written as the game reads it.",
)
@click.option("--hints", is_flag=True, help="Show the value of every move before you choose.")
@click.option("--blind", is_flag=True, help="Do not show who is winning during the game.")
@click.option("--resume", metavar="FILE", help="Continue a saved match.")
@click.option("--replay", metavar="FILE", help="Show a saved match, without playing.")
@click.option("--save", "kept", metavar="FILE", help="Save the match when you leave.")
@table_options
@output_options("Show only the board and ask for moves.")
def play(  # one option each
    *,
    source: SolutionSource,
    side: str,
    skill: int,
    seed: int,
    beginning: str | None,
    hints: bool,
    blind: bool,
    resume: str | None,
    replay: str | None,
    kept: str | None,
    output: Output,
) -> None:
    """Play a game in the terminal, against its solution or a person.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. Type a move, or
    hint, back, moves, save FILE, help or quit. At the end you see each mistake and what it threw
    away. With --json the board goes to standard error, and a record of the match to standard
    output.
    """
    if resume and replay:
        message = "--resume and --replay cannot be combined; give one of them"
        raise Stop(message)
    if beginning and (resume or replay):
        message = "--from cannot be combined with a saved match, which has its own start"
        raise Stop(message)
    if kept:
        check_place(kept, overwrite=True)
    if replay:
        side = "neither"
    record = _read(resume or replay) if resume or replay else None
    with output.watch() as watch:
        solution = source.opened(watch)
        if record is not None:
            match = Match.resumed(solution, record)
        else:
            match = Match(solution, None if beginning is None else solution.parse(beginning))
    quiet = output.quiet
    board = MatchBoard(match, loud=not quiet, blind=blind or quiet, to_error=output.as_json)
    seats = Seats(match, board, Opponent(skill, seed), side, hints=hints)
    if replay:
        board.replayed()
    else:
        seats.play()
    board.summed_up()
    if kept:
        match.save(Path(kept))
        board.say(f"saved to {kept}")
    if output.as_json:
        say(json.dumps(document(match)))


def document(match: Match) -> dict[str, Any]:
    """Return what ``--json`` writes."""
    return {
        **match.record(),
        "mistakes": [
            {
                "ply": each.ply,
                "player": each.player,
                "name": each.option.name,
                "lost": each.lost,
                "thrown_away": each.thrown_away,
                "best": list(each.best),
            }
            for each in match.mistakes()
        ],
    }


def _read(name: str | None) -> Any:
    try:
        return json.loads(Path(str(name)).read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {name!r}: {error.strerror}"
    except ValueError:
        message = f"cannot read {name!r}: it is not a saved match"
    raise Stop(message)
