"""``zermelo play``: a game in the terminal, against its solution or another person."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.naming import give_name, part_of
from zermelo.cli._board import Board
from zermelo.cli._errors import Stop
from zermelo.cli._game_command import Named, authors_prints
from zermelo.cli._output import check_writable, output_options, write_json
from zermelo.cli._positions import read_position
from zermelo.cli._progress import Watch
from zermelo.cli._table_command import Asked, TableCommand, table_options
from zermelo.cli._typing import Lines
from zermelo.errors import MoveError, PositionError
from zermelo.play.match import Match, Opponent

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.values.answers import Option

#: What may be typed in place of a move, with what it does.
COMMANDS = {
    "hint": "show the value of each move",
    "back": "take back your last move and the reply to it",
    "moves": "show the match so far",
    "save": "save the match: save FILE",
    "help": "show this",
    "quit": "leave",
}


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo play tic-tac-toe",
        "zermelo play connect-four --width 4 --height 4 --side second --skill 70",
        "zermelo play take-away --stones 21 --side neither",
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
    game: str | Named,
    side: str,
    skill: int,
    seed: int,
    beginning: str | None,
    hints: bool,
    blind: bool,
    resume: str | None,
    replay: str | None,
    kept: str | None,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play a game in the terminal against a perfect or erring opponent.

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
        check_writable(kept, replaces=True)
    if replay:
        side = "neither"
    record = _read(resume or replay) if resume or replay else None
    with authors_prints(), Watch(quiet=quiet or as_json) as watch:
        solution = asked.opened(game, watch)
        match = _begun(solution, beginning, record)
    board = Board(match, loud=not quiet, blind=blind or quiet, to_error=as_json)
    seats = _Seats(match, board, Opponent(skill, seed), side, hints=hints)
    if replay:
        board.replayed()
    else:
        seats.play()
    board.summed_up()
    if kept:
        _write(match, Path(kept))
        board.say(f"saved to {kept}")
    if as_json:
        write_json(document(match))


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


class _Seats:
    """Where a match is played: who sits where, and what is typed."""

    def __init__(
        self, match: Match, board: Board, opponent: Opponent, side: str, *, hints: bool
    ) -> None:
        self.match = match
        self.board = board
        self.opponent = opponent
        self.people = {"first": {0}, "second": {1}, "both": {0, 1}, "neither": set()}[side]
        self.hints = hints
        self.lines = Lines(self._words)

    def play(self) -> None:
        """Play until the game is over, or somebody leaves."""
        match, board = self.match, self.board
        if self.people:
            board.say("type a move, or help")
        board.draw()
        while not match.over:
            if match.player in self.people:
                if self.hints:
                    board.hint()
                if not self._ask():
                    return
            else:
                with authors_prints():
                    made = match.play(self.opponent.choose(match))
                board.moved(made)

    def _ask(self) -> bool:
        """Read lines until a move is made or taken back; return whether to go on."""
        while True:
            text = self.lines.read(f"{self.match.names[self.match.player]}> ", self.board.to_error)
            if text is None:
                return False
            if not text:
                continue
            word, _, rest = text.removeprefix("/").partition(" ")
            try:
                with authors_prints():
                    option = None if text.startswith("/") else self._meant(text)
                    made = None if option is None else self.match.play(option)
            except MoveError as error:
                self.board.say(str(error))
                continue
            if made is not None:
                self.board.moved(made)
                return True
            if word == "quit":
                return False
            if self._command(word, rest.strip()):
                return True

    def _meant(self, text: str) -> Option | None:
        """Return the move that a line means, or None where it is a command."""
        try:
            return self.match.find(text)
        except MoveError:
            if text.split(maxsplit=1)[0] in COMMANDS:
                return None
            raise

    def _command(self, word: str, rest: str) -> bool:
        """Do what was typed; return whether the position is another now."""
        if word == "hint":
            self.board.hint()
        elif word == "moves":
            self.board.history()
        elif word == "save":
            self._save(rest)
        elif word == "back":
            return self._back()
        else:
            for name, does in COMMANDS.items():
                self.board.say(f"{name:6} {does}")
        return False

    def _back(self) -> bool:
        mine = [n for n, each in enumerate(self.match.played) if each.player in self.people]
        if not mine:
            self.board.say("there is no move of yours to take back")
            return False
        while len(self.match.played) > mine[-1]:
            self.match.back()
        self.board.draw()
        return True

    def _save(self, name: str) -> None:
        if not name:
            self.board.say("name a file: save FILE")
            return
        try:
            _write(self.match, Path(name))
        except Stop as error:
            self.board.say(error.message)
        else:
            self.board.say(f"saved to {name}")

    def _words(self) -> list[str]:
        return [option.name for option in self.match.options] + list(COMMANDS)


def _begun(solution: Solution, beginning: str | None, record: Any) -> Match:
    try:
        if record is not None:
            return Match.resumed(solution, record)
        return Match(solution, read_position(solution, beginning))
    except PositionError as error:
        raise Stop(str(error)) from None


def _read(name: str | None) -> Any:
    try:
        return json.loads(Path(str(name)).read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {name!r}: {error.strerror}"
    except ValueError:
        message = f"cannot read {name!r}: it is not a saved match"
    raise Stop(message)


def _write(match: Match, path: Path) -> None:
    """Write the record so that a file of this name is the old one or the new one, never half."""
    part = None
    try:
        part = part_of(path)
        part.write_text(json.dumps(match.record(), indent=1) + "\n", encoding="utf-8")
        give_name(part, path, overwrite=True)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        message = f"cannot write {str(path)!r}: {error.strerror}"
        raise Stop(message) from None
    sys.stdout.flush()
