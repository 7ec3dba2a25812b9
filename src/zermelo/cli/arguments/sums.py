"""Commands about a sum of games: ``zermelo COMMAND 'GAME [parameters] + GAME [parameters]'``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from zermelo.cli.arguments.game import GameCommand, GameSum, NamedGame
from zermelo.cli.arguments.game_class import GameClass
from zermelo.cli.arguments.table import TableCommand, is_table_file
from zermelo.cli.errors import Stop


class SumCommand(TableCommand):
    """A command whose argument ``game`` is the file of a table, a game, or a sum of these.

    A sum is one word: tables, and games with their parameters, with plus signs between them. For a
    sum, the command is called with ``game``, a ``GameSum``.
    """

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        text = self._game_word(ctx, args)
        is_read = text is not None and self._reads_sum(text)
        return None if is_read else super()._resolve_game(ctx, args)

    def _reads_sum(self, text: str) -> bool:
        """Return whether a word is read as a sum."""
        return is_sum(text)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and make the games of a sum."""
        remaining = super().parse_args(ctx, args)
        text = ctx.params.get("game")
        if isinstance(text, str) and self._reads_sum(text):
            ctx.params["game"] = read_sum(text)
        return remaining


def is_sum(text: str) -> bool:
    """Return whether a word is a sum of games, or one game with its parameters."""
    return not Path(text).is_file() and any(mark in f" {text} " for mark in (" + ", " --"))


def read_sum(text: str) -> GameSum:
    """Return the sum that a word stands for.

    Raises:
        Stop: a part is neither a table nor a game, or its parameters are wrong.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        message = f"cannot read {text!r}: {str(error).lower()}; close every quotation mark"
        raise Stop(message) from None
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "+":
            parts.append([])
        else:
            parts[-1].append(word)
    if not all(parts):
        message = f"{text!r} has a + with nothing beside it; write a game or a table on each side"
        raise Stop(message)
    return GameSum(text, [_part(part) for part in parts])


def _part(words: list[str]) -> NamedGame | str:
    """Return a game with its parameters, or the file of a table."""
    if is_table_file(words[0]):
        if len(words) > 1:
            message = f"{words[0]!r} is a table, which takes no {words[1]!r}; leave that out"
            raise Stop(message)
        return words[0]
    context = GameCommand("sum", examples=()).make_context(words[0], words)
    game: NamedGame = context.params["game"]
    return game
