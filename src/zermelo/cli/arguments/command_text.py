"""A game and its parameters as they would be typed, so that commands can be pasted."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.adapters.names import IMPORTED
from zermelo.cli.arguments.game_class import OF_FILE
from zermelo.cli.arguments.parameters import option_name, parameters_of
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import as_json

if TYPE_CHECKING:
    from zermelo.cli.arguments.game import NamedGame


def command_words(game_words: NamedGame) -> str:
    """Return a game with the parameters that are not its defaults, as a command line has them."""
    game = game_words.game
    if type(game).__module__.startswith(IMPORTED):
        return shlex.quote(game_words.name)
    defaults = {p.name: p for p in parameters_of(type(game))}
    parameters = {}
    for name in parameter_names(game):
        value, parameter = as_json(getattr(game, name)), defaults.get(name)
        if parameter is None or parameter.required or value != as_json(parameter.default):
            parameters[name] = value
    return " ".join([shlex.quote(game_words.name), *parameter_options(parameters)])


def command_name(kind: str, module: str = "") -> str:
    """Return the name of a class on the command line: its own name unless it is built in.

    Args:
        kind: the class.
        module: its module, if the command line needs it to find the class.
    """
    from zermelo.games import hyphenated, zoo

    if hyphenated(kind) in zoo() and (not module or module.startswith("zermelo.games.")):
        return hyphenated(kind)
    if module.startswith(OF_FILE):
        return f"{module.removeprefix(OF_FILE)}.py:{kind}"
    return f"{module}:{kind}" if module and module != "__main__" else kind


def parameter_options(parameters: Mapping[str, Any]) -> list[str]:
    """Return parameters as options, quoted for a shell; those that are None are left out."""
    return [_option(name, value) for name, value in parameters.items() if value is not None]


def _option(name: str, value: object) -> str:
    option = option_name(name)
    if isinstance(value, bool):
        return option if value else f"--no-{option[2:]}"
    if isinstance(value, list) and value and all(type(item) is int for item in value):
        return f"{option} {','.join(map(str, value))}"
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return f"{option} {shlex.quote(text)}"
