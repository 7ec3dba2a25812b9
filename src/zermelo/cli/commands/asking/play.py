"""``zermelo play``: a game in the terminal, against its solution or another person."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.command_text import command_words
from zermelo.cli.arguments.game import NamedGame
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.errors import Stop, rescues
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write_line
from zermelo.cli.terminal import MatchBoard, MatchSession
from zermelo.errors import ZermeloError
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
    default="first",
    metavar="PLAYER",
    help="The player you are: first (the default) or second, or a player's name; or both, or "
    "neither, to watch.",
)
@click.option(
    "--skill",
    type=click.IntRange(0, 100),
    default=100,
    metavar="PERCENT",
    help="How often the opponent plays a best move instead of a random one; by default always.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="N",
    help="The seed of the opponent's random choices, and of the dice; by default 0.",
)
@click.option(
    "--dice",
    type=click.Choice(["rolled", "typed"]),
    default="rolled",
    help="In a game with chance: whether dice are rolled here (the default), or you roll them and "
    "type the number of the result.",
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
@click.option("--save", "save", metavar="FILE", help="Save the match when you leave.")
@table_options
@output_options("Show only the board and ask for moves.")
def play(  # one option each
    *,
    source: SolutionSource,
    side: str,
    skill: int,
    seed: int,
    dice: str,
    beginning: str | None,
    hints: bool,
    blind: bool,
    resume: str | None,
    replay: str | None,
    save: str | None,
    output: Output,
) -> None:
    """Play a game in the terminal, against its solution or a person.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. Type a move, or
    hint, back, board, moves, save FILE, help or quit. At the end you see each player's mistakes,
    and what would have been better. Ctrl-C saves the match and says how to resume it. With --json
    the board goes to standard error, and a record of the match to standard output.

    In a game with chance the dice are rolled here, by --seed: give another number for another
    match. With --dice typed you roll them, for both players, and type the number of the result.
    """
    if resume and replay:
        message = "--resume and --replay cannot be combined; give one of them"
        raise Stop(message)
    if beginning and (resume or replay):
        message = "--from cannot be combined with a saved match, which has its own start"
        raise Stop(message)
    if save:
        check_place(save, overwrite=True)
    if replay:
        side = "neither"
    if isinstance(source.subject, NamedGame):  # before a solve of hours
        human_players(side, source.subject.game.players)
    record = _read_match(resume or replay) if resume or replay else None
    with output.watch() as watch:
        solution = source.open(watch)
        if record is not None:
            match = Match.from_json(solution, record)
        else:
            match = Match(solution, None if beginning is None else solution.parse(beginning))
    quiet = output.quiet
    board = MatchBoard(match, loud=not quiet, blind=blind or quiet, to_error=output.as_json)
    people = human_players(side, match.players)
    opponent, types_dice = Opponent(skill, seed), dice == "typed"
    seats = MatchSession(match, board, opponent, people, hints=hints, types_dice=types_dice)
    if replay:
        board.show_replay()
    else:
        rescues[:] = [lambda: _save_interrupted(match, save, _play_command(source, side))]
        seats.play()
        rescues.clear()
    board.show_summary()
    if save:
        match.save(Path(save))
        board.write_line(f"saved to {save}")
    if output.as_json:
        write_line(json.dumps(document(match)))


def human_players(side: str, players: tuple[str, str]) -> set[int]:
    """Return the numbers of the players who are people.

    Args:
        side: ``first``, ``second``, ``both``, ``neither``, or the name of a player.
        players: the names of the players.

    Raises:
        Stop: there is no such player.
    """
    sides = {"both": {0, 1}, "neither": set[int](), "first": {0}, "second": {1}}
    names = [name.casefold() for name in players]
    if side.casefold() in names:
        return {names.index(side.casefold())}
    if side.casefold() in sides:
        return sides[side.casefold()]
    choices = dict.fromkeys([*players, "first", "second", "both", "neither"])
    message = f"--side {side!r} is not a player; write {', '.join(choices)}"
    raise Stop(" or ".join(message.rsplit(", ", 1)))


def _play_command(source: SolutionSource, side: str) -> str:
    """Return the command that plays the same game."""
    played = source.subject
    words = command_words(played) if isinstance(played, NamedGame) else shlex.quote(source.name)
    options = [("--game", source.kind), ("--value", source.value)]
    flags = [f" {option} {shlex.quote(value)}" for option, value in options if value is not None]
    flags += [" --ignore-rules"] * source.ignore_rules + [" --misere"] * source.misere
    flags += [f" --side {shlex.quote(side)}"] * (side != "first")
    return f"zermelo play {words}{''.join(flags)}"


def _save_interrupted(match: Match, path: str | None, command: str) -> str | None:
    """Save a match that Ctrl-C ends, and return how to go on with it."""
    if not match.played:
        return None
    from zermelo.tables.cache import cache_folder

    name = f"{match.solution.rules.name}.json"
    file = Path(path) if path else cache_folder().parent / "matches" / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        match.save(file)
    except (OSError, ZermeloError) as error:
        return f"the match could not be saved: {error}"
    return f"the match is saved; resume it with {command} --resume {shlex.quote(str(file))}"


def document(match: Match) -> dict[str, Any]:
    """Return the document that ``--json`` writes."""
    return {
        **match.to_json(),
        "mistakes": [
            {
                "ply": played.ply,
                "player": played.player,
                "name": played.option.name,
                "lost": played.lost,
                "mistake": played.mistake,
                "best": list(played.best_names),
            }
            for played in match.mistakes()
        ],
    }


def _read_match(name: str | None) -> Any:
    try:
        return json.loads(Path(str(name)).read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {name!r}: {error.strerror}"
    except (ValueError, RecursionError):
        message = f"cannot read {name!r}: it is not a saved match"
    raise Stop(message)
