"""A game on the command line with ranges for parameters, or a table in its place."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any

import click

from zermelo.cli._errors import Stop, described
from zermelo.cli._fields import FieldType, as_typed
from zermelo.cli._game_command import GameCommand, Named
from zermelo.cli._loading import Chosen
from zermelo.cli._table_command import names_file
from zermelo.errors import ZermeloError

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
#: Games of one sweep, at the most.
_MOST_GAMES = 1000
_LONGEST = 40


@dataclass(frozen=True)
class Swept:
    """The games of a command line.

    Attributes:
        name: the game, as it stands on the command line.
        games: the games, with their parameters as typed.
        failures: parameters that make no game, as typed, with the reason.
        several: whether a range was given.
    """

    name: str
    games: list[tuple[str, Named]]
    failures: dict[str, str]
    several: bool


class _OrRange(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """Reads a parameter of a game, or a range such as ``3..6``, which comes as a ``range``."""

    def __init__(self, inner: FieldType) -> None:
        self.inner = inner
        self.name = inner.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value, or the range."""
        match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is None or self.inner.kind not in ("integer", "value"):
            return self.inner.convert(value, param, ctx)
        low, high = map(int, match.groups())
        if low > high:
            self.fail(f"{value!r} is empty; write the smaller number first", param, ctx)
        return range(low, high + 1)


class SweepCommand(GameCommand):
    """A command about a game, about all games with parameters in ranges, or about a table.

    It is called with ``game``, which is a ``Swept``, or the path of a table.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and make the games."""
        rest = super().parse_args(ctx, args)
        if isinstance(named := ctx.params.get("game"), Named):
            ctx.params["game"] = named.game
        return rest

    def _chosen(self, ctx: click.Context, args: list[str]) -> Chosen | None:
        """Return what GAME names, or None where it is a table."""
        text = self._first(ctx, args)
        if text is not None and names_file(text):
            return None
        chosen = super()._chosen(ctx, args)
        for option in self.get_params(ctx):
            if isinstance(option.type, FieldType):
                option.type = _OrRange(option.type)
        return chosen

    def _made(self, chosen: Chosen, given: dict[str, Any]) -> Any:
        """Make every game of the ranges."""
        ranges = {name: value for name, value in given.items() if isinstance(value, range)}
        count = 1
        for numbers in ranges.values():
            count *= len(numbers)
        if count > _MOST_GAMES:
            message = f"these ranges make {count:,} games; keep to {_MOST_GAMES:,}"
            raise Stop(message)
        games, failures = [], {}
        for values in itertools.product(*ranges.values()):
            here = dict(zip(ranges, values, strict=True))
            typed = ", ".join(f"{name} {as_typed(v, _LONGEST)}" for name, v in here.items())
            try:
                game = super()._made(chosen, {**given, **here})
            except ValueError as error:
                if not ranges:
                    raise
                ours = isinstance(error, ZermeloError)
                failures[typed] = str(error) if ours else described(error)
                continue
            games.append((typed, Named(chosen.name, game)))
        if not games:
            raise Stop(next(iter(failures.values())))
        return Swept(chosen.name, games, failures, bool(ranges))
