"""A game on the command line with ranges for parameters, or a table in its place."""

from __future__ import annotations

import itertools
import re
from typing import Any

import click

from zermelo.cli.arguments.game import GameSweep, NamedGame
from zermelo.cli.arguments.game_class import GameClass
from zermelo.cli.arguments.parameters import as_typed
from zermelo.cli.arguments.table import TableCommand
from zermelo.cli.errors import OPTIONS, Stop, error_text
from zermelo.cli.options import OptionValue
from zermelo.errors import ZermeloError

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
#: A text that is likely meant for a range.
_LIKE_RANGE = re.compile(r"(-?\d+)(?:\.{3,}|[-:]|\s*to\s*)(-?\d+)")
#: The most games of one sweep.
_MOST_GAMES = 1000
#: The most characters of a parameter in the name of a game.
_LONGEST = 40


def _or_range(inner: OptionValue) -> OptionValue:
    """Return a type of option that also reads a range such as ``3..6``, as a ``range``."""

    def read(text: str) -> Any:
        match = _RANGE.fullmatch(text.strip())
        if match is None:
            similar = _LIKE_RANGE.fullmatch(text.strip())
            if similar is not None and inner.name == "integer":
                message = f"{text!r} is not a number or a range; write {similar[1]}..{similar[2]}"
                raise ValueError(message)
            return inner.read(text)
        low, high = map(int, match.groups())
        if low > high:
            message = f"{text!r} is empty; write the smaller number first"
            raise ValueError(message)
        return range(low, high + 1)

    return OptionValue(inner.name, read)


class SweepCommand(TableCommand):
    """A command about a game, about all games with parameters in ranges, or about a table.

    It is called with ``game``, which is a ``GameSweep``, or the path of a table.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and create the games."""
        leftover_args = super().parse_args(ctx, args)
        if isinstance(named := ctx.params.get("game"), NamedGame):
            ctx.params["game"] = named.game
        return leftover_args

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        """Return the game that GAME names, whose parameters may be ranges; None for a table."""
        chosen = super()._resolve_game(ctx, args)
        for option in ctx.meta.get(OPTIONS, []):
            if option.type.name in ("integer", "value"):
                option.type = _or_range(option.type)
        return chosen

    def _make_game(self, ctx: click.Context, chosen: GameClass, values: dict[str, Any]) -> Any:
        """Create every game of the ranges."""
        ranges = {name: value for name, value in values.items() if isinstance(value, range)}
        count = 1
        for numbers in ranges.values():
            count *= len(numbers)
        if count > _MOST_GAMES:
            message = f"these ranges make {count:,} games; keep to {_MOST_GAMES:,}"
            raise Stop(message)
        games, failures = [], {}
        for chosen_values in itertools.product(*ranges.values()):
            combination = dict(zip(ranges, chosen_values, strict=True))
            typed = ", ".join(f"{name} {as_typed(v, _LONGEST)}" for name, v in combination.items())
            try:
                game = super()._make_game(ctx, chosen, {**values, **combination})
            except ValueError as error:
                if not ranges:
                    raise
                ours = isinstance(error, ZermeloError)
                failures[typed] = str(error) if ours else error_text(error)
                continue
            games.append((typed, NamedGame(chosen.name, game)))
        if not games:
            raise Stop(next(iter(failures.values())))
        return GameSweep(chosen.name, games, failures, tuple(ranges))
