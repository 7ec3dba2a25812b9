"""A game and its parameters as they would be typed, so that commands can be pasted."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.adapters import ImportedGame
from zermelo.cli.arguments.parameters import option_name, parameters_of
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.cli.arguments.game import Named


def command_words(named: Named) -> str:
    """Return a game with the parameters that are not its defaults, as a command line has them."""
    game = named.game
    if isinstance(game, ImportedGame):
        return shlex.quote(named.name)
    defaults = {p.name: p for p in parameters_of(type(game))}
    given = {}
    for name in parameter_names(game):
        value, known = plain(getattr(game, name)), defaults.get(name)
        if known is None or known.required or value != plain(known.default):
            given[name] = value
    return " ".join([shlex.quote(named.name), *options_typed(given)])


def named(kind: str) -> str:
    """Return what a class is called on the command line: its own name unless it is built in."""
    from zermelo.games import hyphenated, zoo

    return hyphenated(kind) if hyphenated(kind) in zoo() else kind


def options_typed(parameters: Mapping[str, Any]) -> list[str]:
    """Return parameters as options, quoted where a shell needs that."""
    return [_option(name, value) for name, value in parameters.items()]


def _option(name: str, value: Any) -> str:
    option = option_name(name)
    if isinstance(value, bool):
        return option if value else f"--no-{option[2:]}"
    if isinstance(value, list) and value and all(type(item) is int for item in value):
        return f"{option} {','.join(map(str, value))}"
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return f"{option} {shlex.quote(text)}"
