"""Parameters of a game as options: their types, their help, and reading their values."""

from __future__ import annotations

import inspect
import json
import math
import re
import reprlib
import types
import typing
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
import numpy as np

from zermelo.adapters import ImportedGame
from zermelo.cli.options import OptionValue
from zermelo.game.contract import Game
from zermelo.game.parameters import plain

#: What an option of each kind takes, as its help shows it.
_METAVARS = {
    "array": "JSON",
    "flag": "",
    "integer": "INTEGER",
    "list": "JSON",
    "text": "TEXT",
    "value": "VALUE",
}
_LONGEST_DEFAULT = 40
#: A list of lists, as an example.
_GRAPH = "[[1], [0, 2], [1]]"
#: A list of numbers as it may be written without brackets.
_NUMBERS = re.compile(r"\s*-?\d+\s*(,\s*-?\d+\s*)*,?\s*")
_SHORT = reprlib.Repr()
_SHORT.maxstring = 40


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game.

    Attributes:
        name: its name in the class.
        sort: ``flag``, ``integer``, ``text``, ``list`` (JSON), ``array`` (JSON, made a NumPy array)
            or ``value`` (JSON where it is JSON, otherwise text).
        required: whether it has no default.
        default: its default, if it has one.
        says: what the class says of it.
    """

    name: str
    sort: str
    required: bool
    default: Any
    says: str

    @property
    def metavar(self) -> str:
        """What its option takes, as help shows it."""
        return _METAVARS[self.sort]

    @property
    def default_text(self) -> str:
        """Its default as it would be written on the command line, in brackets; or nothing."""
        return "" if self.required else f"[{as_typed(self.default, _LONGEST_DEFAULT)}]"


def parameters_of(kind: type[Game]) -> list[Parameter]:
    """Return the fields that a game is made with; none of a game of another library."""
    if not hasattr(kind, "__dataclass_fields__") or issubclass(kind, ImportedGame):
        return []
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:  # noqa: BLE001  # an annotation is evaluated, and may raise anything
        hints = {}
    says = field_help(kind)
    found = []
    for field in fields(kind):  # type: ignore[arg-type]  # just checked
        if not field.init:
            continue
        made = field.default_factory
        default = field.default if made is MISSING else made()
        sort = _sort(hints.get(field.name, field.type))
        required = default is MISSING
        found.append(Parameter(field.name, sort, required, default, says.get(field.name, "")))
    return found


def options_of(kind: type[Game], taken: set[str]) -> list[click.Option]:
    """Return an option for each parameter.

    Args:
        kind: the class.
        taken: options that the command has itself; a parameter of such a name gets ``--game-``.
    """
    options = []
    for each in parameters_of(kind):
        flag = option_name(each.name, taken)
        extra = "" if each.required else f"[default: {each.default_text[1:-1]}]"
        listed = isinstance(each.default, list | tuple) and each.default
        example = as_typed(each.default, _LONGEST_DEFAULT) if listed else _GRAPH
        reader = partial(read_value, each.sort, example=example)
        reads = OptionValue(each.metavar.lower(), reader)
        names = [f"{flag}/--no-{flag[2:]}" if each.sort == "flag" else flag]
        options.append(
            click.Option(
                [*names, parameter_key(each.name)],
                type=bool if each.sort == "flag" else reads,
                required=each.required,
                help=f"{each.says}  {extra}".strip(),
            )
        )
    return options


def option_name(name: str, taken: Iterable[str] = ()) -> str:
    """Return the option for a parameter."""
    hyphenated = name.strip("_").replace("_", "-") or name
    clash = f"--{hyphenated}" in taken or f"--no-{hyphenated}" in taken
    return f"--game-{hyphenated}" if clash else f"--{hyphenated}"


def parameter_key(name: str) -> str:
    """Return the name under which click keeps a parameter, which no option of a command has."""
    return f"parameter_{name}"


def as_typed(value: Any, longest: int) -> str:
    """Return a parameter as it would be written on the command line, abbreviated if it is long."""
    simple = isinstance(value, str) and value.isprintable() and value != ""
    text = value if simple else json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


# -- what the class says about itself -----------------------------------------------------------


def description(kind: type[Game]) -> str:
    """Return the author's description: the docstring up to its first section."""
    return re.split(r"\n(?=\w+:\n)", _documentation(kind), maxsplit=1)[0].strip()


def first_sentence(kind: type[Game]) -> str:
    """Return the first sentence of the description on one line, or nothing."""
    paragraph = " ".join(description(kind).partition("\n\n")[0].split())
    return re.split(r"(?<=[.?!])\s", paragraph, maxsplit=1)[0].replace("``", "`")


def field_help(kind: type[Game]) -> dict[str, str]:
    """Return what the docstrings of a class and those it derives from say about parameters."""
    found: dict[str, str] = {}
    for base in kind.__mro__[: kind.__mro__.index(Game)]:
        for name, text in _attributes(_documentation(base)).items():
            found.setdefault(name, text)
    return found


def _attributes(documentation: str) -> dict[str, str]:
    section = re.search(
        r"^(?:Attributes|Args|Parameters):\n((?:[ \t]+\S.*\n?|\s*\n)*)", documentation, re.MULTILINE
    )
    if section is None:
        return {}
    entries = re.split(
        r"^(?=\w+(?: \([^)\n]*\))?:)", inspect.cleandoc(section[1]), flags=re.MULTILINE
    )
    named = (entry.partition(":") for entry in entries if entry.strip())
    return {
        name.partition(" ")[0]: " ".join(text.split()).replace("``", "`").rstrip(".")
        for name, _, text in named
    }


def _documentation(kind: type) -> str:
    text = kind.__dict__.get("__doc__") or ""
    # A dataclass without a docstring is given its signature for one.
    return "" if text.startswith(f"{kind.__name__}(") else inspect.cleandoc(text)


def _sort(annotation: Any) -> str:
    if isinstance(annotation, str):  # it could not be evaluated
        return {"int": "integer", "bool": "flag", "str": "text"}.get(annotation, "value")
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _sort(inside[0])
    if origin is Literal:
        sorts = {_sort(type(item)) for item in inside}
    elif origin in (Union, types.UnionType):
        sorts = {_sort(item) for item in inside if item is not type(None)}
    else:
        return _sort_of_class(origin or annotation)
    return sorts.pop() if len(sorts) == 1 else "value"


def _sort_of_class(annotation: Any) -> str:
    if not isinstance(annotation, type):
        return "value"
    for sort, base in (
        ("flag", bool),
        ("integer", int),
        ("text", str),
        ("array", np.ndarray),
    ):
        if issubclass(annotation, base):
            return sort
    return "list" if issubclass(annotation, Iterable) else "value"


# -- reading values -----------------------------------------------------------------------------


def read_value(kind: str, text: str, example: str = _GRAPH) -> Any:
    """Return what a word of the command line, or the file after its ``@``, stands for.

    Args:
        kind: what the parameter is.
        text: the word.
        example: a list that could have been given, for errors.

    Raises:
        ValueError: it is not of this kind; the message says why.
    """
    source = ""
    if text.startswith("@@"):
        text = text[1:]
    elif text.startswith("@"):
        source = text[1:]
        if not source:
            message = "there is no file name after the @"
            raise ValueError(message)
        text = _contents(source)
    if kind == "text":
        return _parsed(text, source, example) if source.endswith(".json") else text
    if kind == "integer":
        return _whole(text)
    if kind == "value" and not source.endswith(".json") and text.lstrip()[:1] not in ("[", "{"):
        try:
            value = json.loads(text)
        except ValueError:
            return text
    elif kind in ("list", "array") and not source and text.lstrip()[:1] not in ("[", "{"):
        value = _numbers(text, example)
    else:
        value = _parsed(text, source, example)
    graph = kind == "list" and isinstance(value, dict) and _is_graph(value)
    if kind in ("list", "array") and not isinstance(value, list) and not graph:
        message = f"{_SHORT.repr(value)} is not a list; write one such as '{example}'"
        raise ValueError(message)
    _check_numbers(value)
    return _array(value) if kind == "array" else value


def _is_graph(value: dict[str, Any]) -> bool:
    """Whether an object may be a graph: the list of neighbours, or an object, for each node."""
    return bool(value) and all(isinstance(row, list | dict) for row in value.values())


def _numbers(text: str, example: str) -> list[int]:
    """Return the numbers of a list that is written without brackets."""
    numbers = example.strip("[]").replace(" ", "")
    flat = _NUMBERS.fullmatch(numbers)
    if _NUMBERS.fullmatch(text) and (flat or "," in text):
        return [_whole(part) for part in text.split(",") if part.strip()]
    such = f"it as JSON in single quotes, as in '{example}'"
    if flat:
        such = f"numbers with commas, such as {numbers}"
    message = f"{_SHORT.repr(text)} is not a list; write {such}"
    raise ValueError(message)


def _contents(source: str) -> str:
    try:
        return Path(source).read_text(encoding="utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        message = f"cannot read {source!r}: it is not UTF-8 text"
    except OSError as error:
        message = f"cannot read {source!r}: {error.strerror}"
    except ValueError as error:
        message = f"cannot read {source!r}: {error}"
    raise ValueError(message)


def _parsed(text: str, source: str, example: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what = repr(source) if source else _SHORT.repr(text)
        where = f"line {error.lineno} column {error.colno}"
        hint = "" if source else f"; put it in single quotes, as in '{example}'"
        message = f"{what} is not JSON: {error.msg} at {where}{hint}"
    except (RecursionError, ValueError) as error:
        message = f"{repr(source) if source else _SHORT.repr(text)} is not JSON: {error}"
    raise ValueError(message)


def _whole(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        message = f"{_SHORT.repr(text)} is not a whole number"
        raise ValueError(message) from None
    _check_numbers(number)
    return number


def _check_numbers(value: Any) -> None:
    """Raise ValueError where numbers are not whole, or are past 64 bits."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [row for row in item.values() if isinstance(row, list)]
        elif isinstance(item, float):
            shown = "Infinity" if math.isinf(item) else item
            message = f"it contains {shown}, but rules compute with whole numbers"
            raise ValueError(message)  # noqa: TRY004  # as for every value that will not do
        elif isinstance(item, int) and not -(1 << 63) <= item < 1 << 63:
            message = f"{_SHORT.repr(item)} does not fit in 64 bits; use a smaller number"
            raise ValueError(message)


def _array(value: list[Any]) -> np.ndarray[Any, Any]:
    try:
        return np.array(value)
    except ValueError:
        message = "its rows have different lengths, but an array needs rows of one length"
        raise ValueError(message) from None
