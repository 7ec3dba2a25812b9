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
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
import numpy as np

from zermelo.game.contract import Game
from zermelo.game.parameters import plain

#: What an option of each kind takes, as its help shows it.
METAVARS = {
    "array": "JSON",
    "flag": "",
    "integer": "INTEGER",
    "list": "JSON",
    "text": "TEXT",
    "value": "VALUE",
}
_LONGEST_DEFAULT = 40
_SHORT = reprlib.Repr()
_SHORT.maxstring = 40


class FieldType(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """Reads one parameter; ``@file`` stands for what is in the file.

    Attributes:
        kind: ``integer``, ``text``, ``list`` (JSON), ``array`` (JSON, made a NumPy array) or
            ``value`` (JSON where it is JSON, otherwise text).
    """

    def __init__(self, kind: str) -> None:
        """Read values of this kind."""
        self.kind = kind
        self.name = METAVARS[kind].lower()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the parameter that a word of the command line stands for."""
        if not isinstance(value, str):
            return value
        try:
            return read_value(self.kind, value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def parameters_of(kind: type[Game]) -> list[Field[Any]]:
    """Return the fields that a game is made with."""
    if not hasattr(kind, "__dataclass_fields__"):
        return []
    return [field for field in fields(kind) if field.init]  # type: ignore[arg-type]  # just checked


def kinds_of(kind: type[Game]) -> dict[str, str]:
    """Return the kind of each parameter (see ``FieldType``), or ``flag``."""
    declared = parameters_of(kind)
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:  # noqa: BLE001  # an annotation is evaluated, and may raise anything
        hints = {}
    return {field.name: _kind(hints.get(field.name, field.type)) for field in declared}


def options_of(kind: type[Game], taken: set[str]) -> list[click.Option]:
    """Return an option for each parameter.

    Args:
        kind: the class.
        taken: options that the command has itself; a parameter of such a name gets ``--game-``.
    """
    described = field_help(kind)
    options = []
    for field in parameters_of(kind):
        sort = kinds_of(kind)[field.name]
        flag = option_name(field.name, taken)
        required = field.default is MISSING and field.default_factory is MISSING
        says = described.get(field.name, "")
        extra = "" if required else f"[default: {default_text(field)}]"
        declaration = f"{flag}/--no-{flag[2:]}" if sort == "flag" else flag
        options.append(
            click.Option(
                [declaration, parameter_key(field.name)],
                type=bool if sort == "flag" else FieldType(sort),
                required=required,
                help=f"{says}  {extra}".strip(),
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


def default_text(field: Field[Any]) -> str:
    """Return a parameter's default as it would be written on the command line."""
    return as_typed(default_of(field), _LONGEST_DEFAULT)


def as_typed(value: Any, longest: int) -> str:
    """Return a parameter as it would be written on the command line, cut short if it is long."""
    simple = isinstance(value, str) and value.isprintable() and value != ""
    text = value if simple else json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def default_of(field: Field[Any]) -> Any:
    """Return the default of a parameter that has one."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


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


def _kind(annotation: Any) -> str:
    if isinstance(annotation, str):  # it could not be evaluated
        return {"int": "integer", "bool": "flag", "str": "text"}.get(annotation, "value")
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(inside[0])
    if origin is Literal:
        kinds = {_kind(type(item)) for item in inside}
    elif origin in (Union, types.UnionType):
        kinds = {_kind(item) for item in inside if item is not type(None)}
    else:
        return _kind_of_class(origin or annotation)
    return kinds.pop() if len(kinds) == 1 else "value"


def _kind_of_class(annotation: Any) -> str:
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


def read_value(kind: str, text: str) -> Any:
    """Return what a word of the command line, or the file after its ``@``, stands for.

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
        return _parsed(text, source) if source.endswith(".json") else text
    if kind == "integer":
        return _whole(text)
    if kind == "value" and not source.endswith(".json") and text.lstrip()[:1] not in ("[", "{"):
        try:
            value = json.loads(text)
        except ValueError:
            return text
    else:
        value = _parsed(text, source)
    if kind in ("list", "array") and not isinstance(value, list):
        message = f"{_SHORT.repr(value)} is not a list; write one such as '[[1], [0, 2], [1]]'"
        raise ValueError(message)
    _check_numbers(value)
    return _array(value) if kind == "array" else value


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


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what = repr(source) if source else _SHORT.repr(text)
        where = f"line {error.lineno} column {error.colno}"
        hint = "" if source else "; put it in single quotes, as in '[[1], [0, 2], [1]]'"
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
