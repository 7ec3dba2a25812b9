"""A match in the terminal: the board, the values of moves, the mistakes, and the commands."""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from zermelo.cli.errors import did_you_mean
from zermelo.cli.output import shows_colours, standard_output
from zermelo.cli.text.board import board, change_text, option_lines
from zermelo.errors import MoveError, ZermeloError
from zermelo.play.match import Match, Opponent, Played

if TYPE_CHECKING:
    from zermelo.values.results import Option

#: The most best moves that are shown with a mistake.
_MOST_BEST = 3

#: How like a command a word must be to be taken for one.
_NEAR = 0.7

#: The most results of chance that are listed.
_MOST_RESULTS = 36

#: How often a position occurs before a match without people ends.
_REPEATS = 4

#: Seconds of a search for a value that a proof does not have.
_PATIENCE = 10
#: The commands that may be typed instead of a move, with their descriptions.
COMMANDS = {
    "hint": "show the value of each move",
    "prove": "search for the value of this position, if it is not known",
    "back": "take back your last move and the reply to it (or undo)",
    "board": "show the board again",
    "moves": "show the match so far",
    "save": "save the match: save FILE",
    "help": "show this (or ?)",
    "quit": "leave (or q, or Ctrl-D)",
}

#: Other words for them.
_SYNONYMS = {
    "?": "help",
    "commands": "help",
    "exit": "quit",
    "leave": "quit",
    "q": "quit",
    "hints": "hint",
    "history": "moves",
    "show": "board",
    "takeback": "back",
    "undo": "back",
}

#: The colours of the players' last moves.
_PLAYERS = ("cyan", "magenta")


class MatchBoard:
    """Shows one match.

    Attributes:
        stream: where everything goes: standard output, or standard error.
    """

    def __init__(self, match: Match, *, loud: bool, blind: bool, to_error: bool) -> None:
        """Show a match.

        Args:
            match: the match.
            loud: whether more than the board is shown.
            blind: whether values and mistakes are hidden.
            to_error: whether everything goes to standard error.
        """
        self.match = match
        self.loud = loud
        self.blind = blind
        self.stream = sys.stderr if to_error else standard_output()
        self._coloured = shows_colours(self.stream)

    def write_line(self, text: str) -> None:
        """Write a line, unless only the board is wanted."""
        if self.loud:
            self._write(text)

    def draw(self) -> None:
        """Show the position with both players' last moves marked, and who is winning.

        Who has won is left to ``show_summary``.
        """
        rows = self._position_lines(self.match.position)
        colours = [[""] * len(row) for row in rows]
        newer = rows
        for played in self.match.played[:-3:-1]:
            older = self._position_lines(played.position)
            if [len(row) for row in older] != [len(row) for row in rows]:
                break
            for row, new, old in zip(colours, newer, older, strict=True):
                changed = (n for n in range(len(new)) if new[n] != old[n])
                for n in () if new.endswith(" to move") else changed:
                    row[n] = row[n] or _PLAYERS[played.player]
            newer = older
        self._write("")
        for line, shades in zip(rows, colours, strict=True):
            self._write(self._mark_row(line, shades))
        self._write("")
        if not self.blind and not self.match.is_over:
            self.write_line(self._style(self.match.prospects, dim=True))

    def _position_lines(self, position: Any) -> list[str]:
        """Return the lines of a position."""
        text = board(self.match.solution.rules, self.match.start, position)
        return text.splitlines() or [""]

    def show_move(self, played: Played) -> None:
        """Show a move and the position after it."""
        name = f"{self.match.players[played.player]}: {played.option.name}"
        if played.option.odds is not None:
            change = change_text(played.position, played.option.position)
            name = f"{self.match.players[played.player]} rolls {played.option.name}: {change}"
        self.write_line(name)
        self.draw()

    def hint(self) -> None:
        """Show the value of each move, best first."""
        for line in option_lines(self.match.options, self.match.position):
            self._write(line)

    def show_results(self) -> None:
        """Show the results of chance with their odds and what they change."""
        options = self.match.options
        width = max(len(option.name) for option in options)
        for option in options[:_MOST_RESULTS]:
            change = change_text(self.match.position, option.position)
            self._write(f"  {option.name:{width}}  {change}".rstrip())
        if len(options) > _MOST_RESULTS:
            self._write(f"  … and {len(options) - _MOST_RESULTS:,} more")

    def show_history(self) -> None:
        """Show the moves so far."""
        for played in self.match.played:
            lost = f"  {played.mistake}" if played.lost and not self.blind else ""
            verb = "rolls " if played.option.odds is not None else ""
            self.write_line(
                f"{played.ply:4}  {self.match.players[played.player]}  "
                f"{verb}{played.option.name}{lost}"
            )
        if not self.match.played:
            self.write_line("no move has been made")

    def show_replay(self) -> None:
        """Show the whole match, position by position."""
        whole = list(self.match.played)
        while self.match.played:
            self.match.undo()
        self.draw()
        for played in whole:
            self.match.play(played.option)
            self.show_move(played)

    def show_summary(self) -> None:
        """Show the result, and the mistakes of each player."""
        match = self.match
        if match.is_over:
            self.write_line(self._style(match.prospects, bold=True))
        else:
            moves = sum(played.option.odds is None for played in match.played)
            self.write_line(f"left after {_count_text(moves, 'move')}")
        mistakes = match.mistakes()
        if match.played and not mistakes:
            self.write_line("no mistakes")
            return
        for player, name in enumerate(match.players) if mistakes else ():
            own_mistakes = [played for played in mistakes if played.player == player]
            self.write_line(f"{name}: {_count_text(len(own_mistakes), 'mistake')}")
            for played in own_mistakes:
                self._write_mistake(played)

    def _write_mistake(self, played: Played) -> None:
        ellipsis = " …" if len(played.best_names) > _MOST_BEST else ""
        better = ", ".join(played.best_names[:_MOST_BEST]) + ellipsis
        sort, colour = ("??", "red") if played.lost == "outcome" else ("?", "yellow")
        name = self._style(f"{played.option.name}{sort}", fg=colour)
        self.write_line(f"{played.ply:4}  {name}  {played.mistake}; best was {better}")

    def _mark_row(self, row: str, colours: list[str]) -> str:
        return "".join(
            self._style(mark, bold=True, fg=colour) if colour and mark.strip() else mark
            for mark, colour in zip(row, colours, strict=True)
        )

    def _style(self, text: str, **style: object) -> str:
        return click.style(text, **style) if self._coloured else text  # type: ignore[arg-type]

    def _write(self, text: str) -> None:
        sys.stderr.flush()  # what rules have printed comes before
        click.echo(text, file=self.stream, color=self._coloured)


class MatchSession:
    """A match with its players, people or the opponent, and the commands that they type."""

    def __init__(
        self,
        match: Match,
        board: MatchBoard,
        opponent: Opponent,
        people: set[int],
        *,
        hints: bool,
        types_dice: bool = False,
    ) -> None:
        """Seat the players.

        Args:
            match: the match.
            board: the board that shows the match.
            opponent: who plays for those who are not people.
            people: the numbers of the players who are people.
            hints: whether people are shown the value of each move before they choose.
            types_dice: whether people type the results of chance, which are else drawn.
        """
        self.match = match
        self.board = board
        self.opponent = opponent
        self.people = people
        self.hints = hints
        self.types_dice = types_dice
        self.lines = LineReader(board.stream, self._words)

    def play(self) -> None:
        """Play until the game is over, or a person quits."""
        match, board = self.match, self.board
        if self.people:
            board.write_line("type a move, or ? for help")
        board.draw()
        visits: Counter[Any] = Counter()
        while not match.is_over:
            visits[match.position] += 1
            if not self.people and visits[match.position] == _REPEATS:
                board.write_line(f"the same position for the {_REPEATS}th time: play would not end")
                return
            if match.is_chance:
                visits.clear()  # as another result may come when a position comes again
                if not self.types_dice:
                    board.show_move(match.roll(seed=self.opponent.seed))
                    continue
                board.show_results()
                if not self._read_move():
                    return
            elif match.player in self.people:
                if self.hints:
                    board.hint()
                if not self._read_move():
                    return
            else:
                self._search_value()
                board.show_move(match.play(self.opponent.choose(match)))

    def _search_value(self) -> None:
        """Search for the value of the position, if a proof does not have it."""
        match, board = self.match, self.board
        if match.value.outcome is not None:
            return
        if not board.blind:
            board.write_line(
                f"this position is {match.prospects}; searching for {_PATIENCE} seconds"
            )
        value = match.settle(time=_PATIENCE)
        if not board.blind:
            board.write_line(
                f"searched: {match.prospects}" if value.outcome is not None else "not found"
            )

    def _read_move(self) -> bool:
        """Read lines until a move is made or taken back; return whether to go on."""
        while True:
            player = self.match.players[self.match.player]
            text = self.lines.read(f"{player} rolls> " if self.match.is_chance else f"{player}> ")
            if text is None:
                return False
            if not text:
                continue
            word, _, argument = text.removeprefix("/").partition(" ")
            try:
                option = None if text.startswith("/") else self._parse_move(text)
                played = None if option is None else self.match.play(option)
            except MoveError as error:
                self.board.write_line(f"{error}{self._nearest_command(text)}")
                continue
            if played is not None:
                self.board.show_move(played)
                return True
            word = _SYNONYMS.get(word.casefold(), word.casefold())
            if word == "quit":
                return False
            if self._run_command(word, argument.strip()):
                return True

    def _parse_move(self, text: str) -> Option | None:
        """Return the move that a line names, or None if it is a command."""
        try:
            return self.match.find(text)
        except MoveError:
            word = text.split(maxsplit=1)[0].casefold()
            if word in COMMANDS or word in _SYNONYMS:
                return None
            raise

    def _nearest_command(self, text: str) -> str:
        """Return a suggestion of the command that is spelt like a word, or ""."""
        suggestions = difflib.get_close_matches(text.casefold(), [*COMMANDS, *_SYNONYMS], 1, _NEAR)
        return did_you_mean(suggestions)

    def _run_command(self, word: str, argument: str) -> bool:
        """Run a command; return whether the position has changed."""
        if word == "hint":
            self.board.hint()
        elif word == "prove":
            self._search_value()
            self.board.write_line(self.match.prospects)
        elif word == "moves":
            self.board.show_history()
        elif word == "board":
            self.board.draw()
        elif word == "save":
            self._save(argument)
        elif word == "back":
            return self._take_back()
        else:
            for name, does in COMMANDS.items():
                self.board.write_line(f"{name:6} {does}")
        return False

    def _take_back(self) -> bool:
        mine = [
            n
            for n, each in enumerate(self.match.played)
            if (self.types_dice if each.option.odds else each.player in self.people)
        ]
        if not mine:
            self.board.write_line("you have no move to take back")
            return False
        while len(self.match.played) > mine[-1]:
            self.match.undo()
        self.board.draw()
        return True

    def _save(self, name: str) -> None:
        if not name:
            self.board.write_line("name a file: save FILE")
            return
        try:
            self.match.save(Path(name))
        except ZermeloError as error:
            self.board.write_line(str(error))
        else:
            self.board.write_line(f"saved to {name}")

    def _words(self) -> list[str]:
        return [option.name for option in self.match.options] + list(COMMANDS)


class LineReader:
    """LineReader that people type, one by one: with completion at a terminal, or from a pipe."""

    def __init__(self, stream: IO[str], words: Callable[[], list[str]]) -> None:
        """Read with completion on a terminal.

        Args:
            stream: the stream of the prompt.
            words: returns the words with which a line may begin.
        """
        self._stream = stream
        self._words = words
        self._terminal = stream is standard_output() and sys.stdin.isatty() and stream.isatty()
        if self._terminal:
            self._complete()

    def read(self, prompt: str) -> str | None:
        """Return the next line without the spaces around it, or None at the end of input.

        Args:
            prompt: the text before the cursor.
        """
        if self._terminal:
            try:
                with redirect_stdout(self._stream):  # without which there is no completion
                    return input(prompt).strip()
            except EOFError:
                click.echo(file=self._stream)
                return None
            except KeyboardInterrupt:
                click.echo(file=self._stream)  # what is said of it gets a line of its own
                raise
        click.echo(prompt, nl=False, file=self._stream)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            click.echo(line.rstrip("\n"), file=self._stream)  # what a terminal would show
        elif not line:
            click.echo(file=self._stream)
        return line.strip() if line else None

    def _complete(self) -> None:
        try:
            import readline
        except ImportError:  # Windows has none
            return
        reading = readline
        reading.set_completer_delims("\n")
        editline = "libedit" in (reading.__doc__ or "")
        reading.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")

        def complete(text: str, state: int) -> str | None:
            prefix = text.casefold()
            matches = [word for word in self._words() if word.casefold().startswith(prefix)]
            return matches[state] if state < len(matches) else None

        reading.set_completer(complete)


def _count_text(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
