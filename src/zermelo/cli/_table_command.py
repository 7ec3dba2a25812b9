"""Commands about a table: ``zermelo COMMAND TABLE [options]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zermelo.cli._game_command import authors_prints
from zermelo.cli._loading import find_game
from zermelo.tables import open_table

if TYPE_CHECKING:
    from zermelo.solution import Solution

Function = TypeVar("Function", bound=Callable[..., Any])


def table_options(function: Function) -> Function:
    """Give a command ``TABLE``, ``--game`` and ``--ignore-rules``."""
    ignore = click.option(
        "--ignore-rules", is_flag=True, help="Look inside though the rules have changed since."
    )
    game = click.option(
        "--game",
        metavar="GAME",
        help="The class, path.py:Class, of a table that is not of a game of the zoo.",
    )
    table = click.argument("table", metavar="TABLE")
    return table(game(ignore(function)))


def opened(table: str, game: str | None, *, ignore_rules: bool) -> Solution:
    """Open a table with the game that was named, or found in the zoo."""
    with authors_prints():
        kind = None if game is None else find_game(game, lambda _: None).kind
        return open_table(table, kind, rules="ignore" if ignore_rules else "check")
