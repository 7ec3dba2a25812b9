"""Parameters of a class as options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from zermelo.cli.arguments.parameters import (
    as_json,
    as_typed,
    description,
    field_help,
    first_sentence,
    option_name,
    options_of,
    parameters_of,
    read_value,
)
from zermelo.game.contract import Game


class Pair(NamedTuple):
    a: int
    b: tuple[int, ...]


@dataclass(frozen=True)
class Many(Game):
    """Has a parameter of each type. It has no rules.

    A second paragraph.

    Attributes:
        whole: a whole number
            over two lines.
        graph (list): with its type.
    """

    whole: int
    graph: list[list[int]]
    yes: bool = False
    text: str = ""
    maybe: int | None = None
    either: int | str = 3
    row: tuple[int, ...] = (1, 2)
    sequence: Sequence[int] = ()
    array: npt.NDArray[np.int64] = field(default_factory=lambda: np.arange(3))
    noted: Annotated[int, "a note"] = 4
    choice: Literal["a", "b"] = "a"
    anything: Any = None
    hidden: int = field(default=1, init=False)
    number: ClassVar[int] = 7


@dataclass(frozen=True)
class Derived(Many):
    extra_field: int = 5
    memory: int = 6


@dataclass(frozen=True)
class Unknown(Game):
    size: int = 3
    graph: nosuch.Graph = ()  # noqa: F821  # that is what the test is about


def sorts_of(kind):
    """Return what may be written for each parameter of a class."""
    return {parameter.name: parameter.sort for parameter in parameters_of(kind)}


def test_types_of_options():
    """Each annotation leads to the kind of value that can be written for it."""
    assert sorts_of(Many) == {
        "whole": "integer",
        "graph": "list",
        "yes": "flag",
        "text": "text",
        "maybe": "integer",
        "either": "value",
        "row": "list",
        "sequence": "list",
        "array": "array",
        "noted": "integer",
        "choice": "text",
        "anything": "value",
    }


def test_each_parameter_has_an_example():
    """It is the default where that is not too long, and else of the same kind."""
    examples = {parameter.name: parameter.example for parameter in parameters_of(Many)}
    assert examples["whole"] == "5"
    assert examples["graph"] == "[[1], [0, 2], [1]]"
    assert (examples["row"], examples["sequence"]) == ("[1, 2]", "[3, 4, 5]")
    assert (examples["array"], examples["noted"]) == ("[0, 1, 2]", "4")
    for parameter in parameters_of(Many):
        if parameter.sort in ("integer", "list", "array"):
            read_value(parameter.sort, parameter.example)


def test_annotations_that_cannot_be_evaluated():
    """Where an annotation names what is not there, simple ones still count."""
    assert sorts_of(Unknown) == {"size": "integer", "graph": "value"}


def test_what_docstrings_say():
    """The description and the parameters' help come from docstrings, also of a base class."""
    assert first_sentence(Many) == "Has a parameter of each type."
    assert description(Many).endswith("\n\nA second paragraph.")
    assert field_help(Derived) == {
        "whole": "a whole number over two lines",
        "graph": "with its type",
    }
    assert description(Derived) == ""  # a dataclass writes itself a docstring


def test_options():
    """Options have hyphens, defaults, and other names where the command has such an option."""
    options = {option.opts[0]: option for option in options_of(Derived, {"--memory", "--json"})}
    assert list(options)[-2:] == ["--extra-field", "--game-memory"]
    assert options["--whole"].required
    assert options["--whole"].help == "a whole number over two lines"
    assert options["--row"].help == "[default: [1, 2]]"
    assert options["--yes"].secondary_opts == ["--no-yes"]


def test_names_of_options():
    """A parameter's name is written with hyphens, and never clashes."""
    assert option_name("_size_of") == "--size-of"
    assert option_name("help", ["--help"]) == "--game-help"
    assert option_name("_") == "--_"


def test_a_class_without_parameters():
    """A class that is no dataclass has no parameters."""
    assert parameters_of(Game) == []
    assert options_of(Game, set()) == []


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", "-3", -3),
        ("integer", "1_000", 1000),
        ("text", "[1]", "[1]"),
        ("list", "[[1],[true]]", [[1], [True]]),
        ("value", "[1]", [1]),
        ("value", "7", 7),
        ("value", "seven", "seven"),
        ("value", "null", None),
    ],
)
def test_reading(kind, text, value):
    """A word is read as what its parameter takes."""
    assert read_value(kind, text) == value


def test_reading_arrays():
    """An array is read from JSON."""
    array = read_value("array", "[[1,2],[3,4]]")
    assert array.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("text", ["[1", "{1}", "[0.5]"])
def test_a_value_that_looks_like_json_has_to_be(text):
    """Text that begins like a list is not taken for mere text."""
    with pytest.raises(ValueError, match=r"JSON|0\.5"):
        read_value("value", text)


def test_as_json():
    """Parameters and positions are written as JSON has them."""
    assert as_json(Pair(1, (2, 3))) == {"a": 1, "b": [2, 3]}
    assert as_json((np.int64(3), np.bool_(1))) == [3, True]
    assert as_json(np.array([[1]])) == [[1]]
    assert as_json(range(2)) == [0, 1]
    assert as_json(1.5j) == "1.5j"


def test_as_typed():
    """A value is shown as it would be typed, and cut where it is long."""
    assert as_typed("a b", 9) == "a b"
    assert as_typed("", 9) == '""'
    assert as_typed("a\nb", 9) == '"a\\nb"'
    assert as_typed([False], 9) == "[false]"
    assert as_typed((1, 2, 3, 4), 9) == "[1, 2, 3…"


def test_lists_of_numbers_need_no_brackets(run):
    """``5,3,4,5`` is a list where a list is wanted; of one number, too."""
    for written in ("5,3,4,5", "5, 3, 4, 5", "[5,3,4,5]"):
        document = json.loads(run("solve", "stone-game", "--piles", written, "--json").stdout)
        assert document["parameters"]["piles"] == [5, 3, 4, 5]
    document = json.loads(run("solve", "stone-game", "--piles", "7", "--json").stdout)
    assert document["parameters"]["piles"] == [7]
    result = run("solve", "stone-game", "--piles", "5,three")
    assert result.exit_code == 2
    assert "write numbers with commas, such as 5,3,4,5" in result.stderr
    result = run("solve", "cat-and-mouse", "--graph", "1,2")
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
