"""A match as it is shown in the terminal: the board, what moves are worth, the mistakes."""

from __future__ import annotations

import os
import sys

import click

from zermelo.play.match import Match, Played
from zermelo.values.answers import Option
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

#: How an outcome is marked: its sign is for those who do not see the colour.
_MARKS: dict[Outcome, tuple[str, str]] = {
    WIN: ("+", "green"),
    DRAW: ("=", "yellow"),
    LOSS: ("-", "red"),
}

#: Best moves that a mistake is told with, at the most.
_MOST_BEST = 3


class Board:
    """Shows one match.

    Attributes:
        to_error: whether everything goes to standard error.
    """

    def __init__(self, match: Match, *, loud: bool, blind: bool, to_error: bool) -> None:
        """Show a match.

        Args:
            match: the match.
            loud: whether anything but the board is shown.
            blind: whether nothing is said about who is winning.
            to_error: whether everything goes to standard error.
        """
        self.match = match
        self.loud = loud
        self.blind = blind
        self.to_error = to_error
        stream = sys.stderr if to_error else sys.stdout
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        self._coloured = stream.isatty() and not plain
        self._before: list[str] = []

    def say(self, text: str) -> None:
        """Write a line, unless only the board is wanted."""
        if self.loud:
            self._write(text)

    def draw(self) -> None:
        """Show the position, with what is new in it marked, and who is winning."""
        rows = self.match.shown().splitlines() or [""]
        same = [len(row) for row in rows] == [len(row) for row in self._before]
        self._write("")
        for n, row in enumerate(rows):
            self._write(self._marked(row, self._before[n]) if same else row)
        self._write("")
        self._before = rows
        if not self.blind:
            self.say(self._style(self.match.prospects, dim=True))

    def moved(self, made: Played) -> None:
        """Show a move and the position after it."""
        self.say(f"{self.match.names[made.player]}: {made.option.name}")
        self.draw()

    def hint(self) -> None:
        """Show the value of each move, best first."""
        width = max((len(option.name) for option in self.match.options), default=0)
        for option in self.match.options:
            self._write(f"  {option.name:{width}}  {self._worth(option)}")

    def history(self) -> None:
        """Show the moves so far."""
        for each in self.match.played:
            lost = f"  threw away {each.thrown_away}" if each.lost and not self.blind else ""
            self.say(f"{each.ply:4}  {self.match.names[each.player]}  {each.option.name}{lost}")
        if not self.match.played:
            self.say("no move has been made")

    def replayed(self) -> None:
        """Show the whole match, position by position."""
        whole = list(self.match.played)
        while self.match.played:
            self.match.back()
        self.draw()
        for made in whole:
            self.match.play(made.option)
            self.moved(made)

    def summed_up(self) -> None:
        """Say how it ended, and which moves threw something away."""
        match = self.match
        if match.over:
            self.say(self._style(self._ending(), bold=True))
        else:
            self.say(f"left after {_counted(len(match.played), 'move')}")
        mistakes = match.mistakes()
        if not match.played:
            return
        self.say(f"{_counted(len(mistakes), 'mistake')}{':' if mistakes else ''}")
        for each in mistakes:
            more = " …" if len(each.best) > _MOST_BEST else ""
            better = ", ".join(each.best[:_MOST_BEST]) + more
            sort = "??" if each.lost == "outcome" else "?"
            colour = "red" if each.lost == "outcome" else "yellow"
            name = f"{each.option.name}{sort}"
            said = f"threw away {each.thrown_away}; best was {better}"
            self.say(
                f"{each.ply:4}  {match.names[each.player]}  {self._style(name, fg=colour)}  {said}"
            )

    def _ending(self) -> str:
        match = self.match
        if match.winner is None:
            return "nobody wins" if match.value.score is None else "the scores are even"
        if match.value.score is not None:
            return f"{match.winner} wins by {abs(match.margin):,}"
        return f"{match.winner} wins"

    def _worth(self, option: Option) -> str:
        sign, colour = _MARKS[option.value.outcome]
        return self._style(f"{sign} {option.value}", fg=colour)

    def _marked(self, row: str, before: str) -> str:
        return "".join(
            self._style(new, bold=True, fg="cyan") if new != old and new.strip() else new
            for new, old in zip(row, before, strict=True)
        )

    def _style(self, text: str, **style: object) -> str:
        return click.style(text, **style) if self._coloured else text  # type: ignore[arg-type]

    def _write(self, text: str) -> None:
        click.echo(text, err=self.to_error, color=self._coloured)


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
