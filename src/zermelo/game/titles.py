"""The names of games for readers, and the rules in the docstrings of their classes.

The command line, the explorer and the documentation all use these, so that a game has one name.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

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


def name_of(kind: type[Game]) -> str:
    """Return the name of the games of a class, such as ``Connect Four``.

    Args:
        kind: the class. Its attribute ``title`` is the name, if that is a string; otherwise the
            name follows from the name of the class.
    """
    given = kind.__dict__.get("title")  # a subclass with changes may need another name
    if isinstance(given, str) and "title" not in getattr(kind, "__dataclass_fields__", {}):
        return given
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", kind.__name__) or [kind.__name__]
    first, *rest = words
    return " ".join([first, *(w.lower() if w.lower() in _SMALL else w for w in rest)])


def title_of(game: Game) -> str:
    """Return the name of a game with its size, such as ``Connect Four 5×4`` or ``Nim 3, 4, 5``.

    It is the name of its class with the size of the board, the heaps, and the parameters that
    differ from their defaults. A class whose games have better names has a method ``title`` that
    returns them.

    Args:
        game: the game.
    """
    given = getattr(game, "title", None)
    if callable(given):
        return str(given())
    name, added = name_of(type(game)), list(_parameters(game))
    # A size or a row of numbers is part of the name, words are separated from it.
    if added and re.fullmatch(r"\d+×\d+|-?\d+(, -?\d+)+", added[0]):
        name, added = f"{name} {added[0]}", added[1:]
    return ", ".join([name, *added])


def instructions_of(kind: type[Game]) -> list[str]:
    """Return the rules in the docstring of a class, a paragraph each.

    Sections such as ``Attributes`` are omitted, and double backquotes are removed.

    Args:
        kind: the class.
    """
    text = kind.__dict__.get("__doc__") or ""
    if text.startswith(f"{kind.__name__}("):  # the default docstring of a dataclass
        return []
    body = re.split(r"^[A-Z]\w+:$", inspect.cleandoc(text), maxsplit=1, flags=re.MULTILINE)[0]
    paragraphs = (" ".join(each.split()) for each in re.split(r"\n\s*\n", body))
    return [each.replace("``", "") for each in paragraphs if each]


def _parameters(game: Game) -> Iterator[str]:
    """Yield what distinguishes a game from others of its class: its size first, then the rest."""
    names, sized = list(parameter_names(game)), False
    for across, down in _SIZES:
        if across in names and down in names:
            yield f"{getattr(game, across)}×{getattr(game, down)}"
            sized = True
            names = [name for name in names if name not in (across, down)]
    declared: Any = fields(type(game)) if names else ()  # type: ignore[arg-type]  # it has some
    defaults = {each.name: None if each.default is MISSING else each.default for each in declared}
    for place, name in enumerate(names):
        value = getattr(game, name)
        said = _parameter_text(name, value)
        # The first number is the size of the game, even if it is the default.
        number = isinstance(value, int | tuple) and not isinstance(value, bool)
        large = place == 0 and number and not sized
        if said and (large or value != defaults[name]):
            yield said


def _parameter_text(name: str, value: Any) -> str:
    """Return a parameter in words, or "" if that is too long."""
    called = name.replace("_", " ")
    if isinstance(value, bool):
        said = called if value else f"not {called}"
    elif isinstance(value, int):
        said = f"{called} = {value}" if len(name) == 1 else f"{called} {value}"
        if name == "size":
            said = f"{value}×{value}"
        elif called.endswith("s"):
            said = f"{value} {called if value != 1 else called[:-1]}"
    elif isinstance(value, str):
        said = value
    elif isinstance(value, tuple) and value and all(isinstance(each, int) for each in value):
        row = ", ".join(map(str, value))
        said = row if name in _ROWS else f"{called} {row}"
    else:
        said = ""
    return said if len(said) <= _LONGEST else ""
