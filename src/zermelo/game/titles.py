"""The names of games for readers, and the rules in the docstrings of their classes.

The command line, the explorer and the documentation all use these, so that a game has one name.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING

from zermelo.game.contract import Game, parameter_names

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Pairs of parameters that are the columns and the rows of a board.
_SIZES = (("width", "height"), ("columns", "rows"))
#: Words that stay in lower case in the middle of a name.
_SMALL = {"and", "of", "or", "a", "the", "to", "in", "against"}
#: The most letters of a parameter in a name.
_LONGEST = 24
#: Parameters that are lists of numbers, and need no label in a name.
_ROWS = {"heaps", "piles", "numbers", "coins", "steps"}


def name_of(game_class: type[Game]) -> str:
    """Return the name of the games of a class, such as ``Connect Four``.

    Args:
        game_class: the class. Its attribute ``title`` is the name, if that is a string; otherwise
            the name follows from the name of the class.
    """
    title = game_class.__dict__.get("title")  # a subclass with changes may need another name
    if isinstance(title, str) and "title" not in getattr(game_class, "__dataclass_fields__", {}):
        return title
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", game_class.__name__) or [
        game_class.__name__
    ]
    first, *other_words = words
    return " ".join([first, *(w.lower() if w.lower() in _SMALL else w for w in other_words)])


def title_of(game: Game) -> str:
    """Return the name of a game with its size, such as ``Connect Four 5×4`` or ``Nim 3, 4, 5``.

    It is the name of its class with the size of the board, the heaps, and the parameters that
    differ from their defaults. A class whose games have better names has a method ``title`` that
    returns them.

    Args:
        game: the game.
    """
    title = getattr(game, "title", None)
    if callable(title):
        return str(title())
    name, details = name_of(type(game)), list(_parameters(game))
    # A size or a row of numbers is part of the name; words follow after a comma.
    if details and re.fullmatch(r"\d+×\d+|-?\d+(, -?\d+)+", details[0]):
        name, details = f"{name} {details[0]}", details[1:]
    return ", ".join([name, *details])


def instructions_of(game_class: type[Game]) -> list[str]:
    """Return the rules in the docstring of a class, a paragraph each.

    Sections such as ``Attributes`` are omitted, and double backquotes are removed.

    Args:
        game_class: the class.
    """
    text = game_class.__dict__.get("__doc__") or ""
    if text.startswith(f"{game_class.__name__}("):  # the default docstring of a dataclass
        return []
    body = re.split(r"^[A-Z]\w+:$", inspect.cleandoc(text), maxsplit=1, flags=re.MULTILINE)[0]
    paragraphs = (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", body))
    return [paragraph.replace("``", "") for paragraph in paragraphs if paragraph]


def _parameters(game: Game) -> Iterator[str]:
    """Yield the parameters that distinguish a game within its class, its size first."""
    names, has_size = list(parameter_names(game)), False
    for across, down in _SIZES:
        if across in names and down in names:
            yield f"{getattr(game, across)}×{getattr(game, down)}"
            has_size = True
            names = [name for name in names if name not in (across, down)]
    parameters = fields(type(game)) if names else ()  # type: ignore[arg-type]  # it has some
    defaults = {
        field.name: None if field.default is MISSING else field.default for field in parameters
    }
    for place, name in enumerate(names):
        value = getattr(game, name)
        text = _parameter_text(name, value)
        # The first number is the size of the game, even if it is the default.
        is_number = isinstance(value, int | tuple) and not isinstance(value, bool)
        is_size = place == 0 and is_number and not has_size
        if text and (is_size or value != defaults[name]):
            yield text


def _parameter_text(name: str, value: object) -> str:
    """Return a parameter in words, or "" if that is too long."""
    label = name.replace("_", " ")
    if isinstance(value, bool):
        text = label if value else f"not {label}"
    elif isinstance(value, int):
        text = f"{label} = {value}" if len(name) == 1 else f"{label} {value}"
        if name == "size":
            text = f"{value}×{value}"
        elif label.endswith("s"):
            text = f"{value} {label if value != 1 else label[:-1]}"
    elif isinstance(value, str):
        text = value
    elif isinstance(value, tuple) and value and all(isinstance(item, int) for item in value):
        row = ", ".join(map(str, value))
        text = row if name in _ROWS else f"{label} {row}"
    else:
        text = ""
    return text if len(text) <= _LONGEST else ""
