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

from zermelo.adapters.names import IMPORTED
from zermelo.cli.arguments.json_text import is_flat, list_word, read_json, read_numbers
from zermelo.cli.options import OptionValue
from zermelo.game.contract import Game
from zermelo.game.parameters import as_json

#: The value of an option of each sort, as help shows it.
_METAVARS = {
    "array": "JSON",
    "flag": "",
    "integer": "INTEGER",
    "list": "JSON",
    "text": "TEXT",
    "value": "VALUE",
}
_LONGEST_DEFAULT = 40
#: Examples of a list of lists, of lists of numbers and of texts, of an array, and of a number.
_GRAPH, _LIST, _TEXTS = "[[1], [0, 2], [1]]", "[3, 4, 5]", '["a1", "b2"]'
_ARRAY, _NUMBER = "[[1, 2], [3, 4]]", "5"
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
        says: its description in the class.
        example: a value that could be given, as text.
    """

    name: str
    sort: str
    required: bool
    default: Any
    says: str
    example: str

    @property
    def metavar(self) -> str:
        """The value of its option, as help shows it."""
        return _METAVARS[self.sort]

    @property
    def default_text(self) -> str:
        """Its default as on the command line, in brackets; or ""."""
        return "" if self.required else f"[{as_typed(self.default, _LONGEST_DEFAULT)}]"


def parameters_of(kind: type[Game]) -> list[Parameter]:
    """Return the fields that a game is made with; none of a game of another library."""
    if not hasattr(kind, "__dataclass_fields__") or kind.__module__.startswith(IMPORTED):
        return []
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:  # noqa: BLE001  # an annotation is evaluated, and may raise anything
        hints = {}
    texts = field_help(kind)
    parameters = []
    for field in fields(kind):  # type: ignore[arg-type]  # just checked
        if not field.init:
            continue
        factory = field.default_factory
        default = field.default if factory is MISSING else factory()
        annotation = hints.get(field.name, field.type)
        sort = _sort(annotation)
        required = default is MISSING
        example = _example(sort, default, annotation)
        text = texts.get(field.name, "")
        parameters.append(Parameter(field.name, sort, required, default, text, example))
    return parameters


def options_of(kind: type[Game], used_names: set[str]) -> list[click.Option]:
    """Return an option for each parameter.

    Args:
        kind: the class.
        used_names: names of the command's own options; a parameter with such a name gets
            ``--game-``.
    """
    options = []
    for parameter in parameters_of(kind):
        flag = option_name(parameter.name, used_names)
        default = parameter.default_text[1:-1]
        extra = "" if parameter.required else f"[default: {default}]"
        reader = partial(read_value, parameter.sort, example=parameter.example)
        reads = OptionValue(parameter.metavar.lower(), reader)
        names = [f"{flag}/--no-{flag[2:]}" if parameter.sort == "flag" else flag]
        options.append(
            click.Option(
                [*names, parameter_key(parameter.name)],
                type=bool if parameter.sort == "flag" else reads,
                required=parameter.required,
                help=f"{parameter.says}  {extra}".strip(),
            )
        )
    return options


def option_name(name: str, used_names: Iterable[str] = ()) -> str:
    """Return the option for a parameter."""
    hyphenated = name.strip("_").replace("_", "-") or name
    clash = f"--{hyphenated}" in used_names or f"--no-{hyphenated}" in used_names
    return f"--game-{hyphenated}" if clash else f"--{hyphenated}"


def parameter_key(name: str) -> str:
    """Return the name under which click keeps a parameter, which no option of a command has."""
    return f"parameter_{name}"


def as_typed(value: Any, longest: int) -> str:
    """Return a parameter as it would be written on the command line, abbreviated if it is long."""
    simple = isinstance(value, str) and value.isprintable() and value != ""
    text = value if simple else json.dumps(as_json(value), ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


# -- documentation of the class -----------------------------------------------------------------


def description(kind: type[Game]) -> str:
    """Return the author's description: the docstring up to its first section."""
    return re.split(r"\n(?=\w+:\n)", _documentation(kind), maxsplit=1)[0].strip()


def first_sentence(kind: type[Game]) -> str:
    """Return the first sentence of the description on one line, or ""."""
    paragraph = " ".join(description(kind).partition("\n\n")[0].split())
    return re.split(r"(?<=[.?!])\s", paragraph, maxsplit=1)[0].replace("``", "`")


def field_help(kind: type[Game]) -> dict[str, str]:
    """Return the docstrings' texts on the parameters of a class and of its base classes."""
    texts: dict[str, str] = {}
    for base in kind.__mro__[: kind.__mro__.index(Game)]:
        for name, text in _attributes(_documentation(base)).items():
            texts.setdefault(name, text)
    return texts


def _attributes(documentation: str) -> dict[str, str]:
    section = re.search(
        r"^(?:Attributes|Args|Parameters):\n((?:[ \t]+\S.*\n?|\s*\n)*)", documentation, re.MULTILINE
    )
    if section is None:
        return {}
    entries = re.split(
        r"^(?=\w+(?: \([^)\n]*\))?:)", inspect.cleandoc(section[1]), flags=re.MULTILINE
    )
    pairs = (entry.partition(":") for entry in entries if entry.strip())
    return {
        name.partition(" ")[0]: " ".join(text.split()).replace("``", "`").rstrip(".")
        for name, _, text in pairs
    }


def _documentation(kind: type) -> str:
    text = kind.__dict__.get("__doc__") or ""
    # A dataclass without a docstring is given its signature for one.
    return "" if text.startswith(f"{kind.__name__}(") else inspect.cleandoc(text)


def _sort(annotation: object) -> str:
    if isinstance(annotation, str):  # it could not be evaluated
        return {"int": "integer", "bool": "flag", "str": "text"}.get(annotation, "value")
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _sort(arguments[0])
    if origin is Literal:
        sorts = {_sort(type(item)) for item in arguments}
    elif origin in (Union, types.UnionType):
        sorts = {_sort(item) for item in arguments if item is not type(None)}
    else:
        return _sort_of_class(origin or annotation)
    return sorts.pop() if len(sorts) == 1 else "value"


def _sort_of_class(annotation: object) -> str:
    if not isinstance(annotation, type):
        return "value"
    for sort, base in (("flag", bool), ("integer", int), ("text", str)):
        if issubclass(annotation, base):
            return sort
    if not issubclass(annotation, Iterable):
        return "value"
    return "array" if hasattr(annotation, "__array__") else "list"


def _example(sort: str, default: object, annotation: object) -> str:
    """Return an example of a parameter's value: its default, unless that is too long."""
    if sort == "integer":
        return str(default) if type(default) is int else _NUMBER
    if sort == "array" and default is MISSING:
        return _ARRAY
    listed = None if default is MISSING else as_json(default)
    if isinstance(listed, list) and listed:
        text = json.dumps(listed)
        if len(text) <= _LONGEST_DEFAULT:
            return text
        return _LIST if all(isinstance(item, int) for item in listed) else _GRAPH
    item_types = {*get_args(annotation)} - {...}
    return _TEXTS if item_types == {str} else _LIST if item_types == {int} else _GRAPH


# -- reading values -----------------------------------------------------------------------------


def read_value(kind: str, text: str, example: str = "", *, shell: bool = True) -> Any:
    """Return the value of a word of the command line, or of the file after its ``@``.

    Args:
        kind: the sort of the parameter, such as ``integer``.
        text: the word.
        example: an example of a value, for errors: JSON for a list.
        shell: whether a shell reads the word, which takes quotation marks around lists.

    Raises:
        ValueError: it is not of this kind; the message says why, and what to write.
    """
    example = example or (_NUMBER if kind == "integer" else _GRAPH)
    source = ""
    if text.startswith("@@"):
        text = text[1:]
    elif text.startswith("@"):
        source = text[1:]
        if not source:
            message = "there is no file name after the @; write one such as @graph.json"
            raise ValueError(message)
        text = _file_text(source)
    if kind == "text":
        return read_json(text, source, example, shell=shell) if source.endswith(".json") else text
    if kind == "integer":
        return _read_integer(text, example)
    if kind == "value" and not source.endswith(".json") and text.lstrip()[:1] not in ("[", "{"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
    elif kind in ("list", "array") and not source and text.lstrip()[:1] not in ("[", "{"):
        value = read_numbers(text, example, shell=shell)
    else:
        value = read_json(text, source, example, shell=shell)
    graph = kind == "list" and not is_flat(example) and _is_graph(value)
    if kind in ("list", "array") and not isinstance(value, list) and not graph:
        sample = list_word(example, shell=shell)
        message = f"{_SHORT.repr(value)} is not a list; write one such as {sample}"
        raise ValueError(message)
    _check_numbers(value)
    return _as_array(value) if kind == "array" else value


def _is_graph(value: object) -> bool:
    """Return whether JSON may be a graph: an object with the neighbours of each node."""
    if not isinstance(value, dict) or not value:
        return False
    return all(isinstance(row, list | dict) for row in value.values())


def _file_text(source: str) -> str:
    try:
        return Path(source).read_text(encoding="utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        message = f"cannot read {source!r}: it is not UTF-8 text; save it as that"
    except OSError as error:
        message = f"cannot read {source!r}: {error.strerror}; check its name"
    except ValueError as error:
        message = f"cannot read {source!r}: {error}; check its name"
    raise ValueError(message)


def _read_integer(text: str, example: str = _NUMBER) -> int:
    try:
        number = int(text)
    except ValueError:
        message = f"{_SHORT.repr(text)} is not a whole number; write one such as {example}"
        raise ValueError(message) from None
    _check_numbers(number)
    return number


def _check_numbers(value: object) -> None:
    """Raise ValueError where numbers are not whole, or are past 64 bits."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [row for row in item.values() if isinstance(row, list)]
        elif isinstance(item, float):
            text = "Infinity" if math.isinf(item) else item
            message = f"it contains {text}, but rules compute with whole numbers; write one"
            raise ValueError(message)  # noqa: TRY004  # as for every value that will not do
        elif isinstance(item, int) and not -(1 << 63) <= item < 1 << 63:
            message = f"{_SHORT.repr(item)} does not fit in 64 bits; use a smaller number"
            raise ValueError(message)


def _as_array(value: list[Any]) -> Any:
    import numpy as np

    try:
        return np.array(value)
    except ValueError:
        message = "its rows have different lengths; write rows of one length, as an array has"
        raise ValueError(message) from None
