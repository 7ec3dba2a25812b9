"""Forms for the parameters of games: their fields, and the errors in their contents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Protocol

from zermelo.drawing.graph_layout import place_nodes
from zermelo.errors import ZermeloError
from zermelo.game.contract import Game
from zermelo.game.titles import instructions_of, name_of, title_of
from zermelo.games import zoo
from zermelo.games.graphs._graph_names import graph_of
from zermelo.web.gallery.cards import picture, usual_parameters

_LONGEST = 20_000
#: Advice to give an argument of Python that is a check box in a form.
_TICKED = re.compile(r"\b(?:say|give|use) (\w+)=True\b")
#: The most nodes of a graph that can be drawn and changed.
MOST_NODES = 60


class FormParameter(Protocol):
    """A parameter of a game, as the command line knows it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def sort(self) -> str:
        """The sort of its values, such as ``integer`` or ``list``."""

    @property
    def required(self) -> bool:
        """Whether it has no default."""

    @property
    def default(self) -> Any:
        """Its default."""

    @property
    def says(self) -> str:
        """Its description."""

    @property
    def example(self) -> str:
        """An example of a value."""


class ParameterReader(Protocol):
    """The parsing of parameters, the same as on the command line."""

    def parameters_of(self, kind: type[Game]) -> Sequence[FormParameter]:
        """Return the parameters of a class."""

    def read_value(self, kind: str, text: str, example: str, *, shell: bool) -> Any:
        """Return the value of a text; ``example`` is for errors, which mention no shell.

        Raises:
            ValueError: it is not of this kind; the message says why.
        """

    def as_typed(self, value: Any, longest: int) -> str:
        """Return the text of a value."""


@dataclass(frozen=True)
class FilledForm:
    """The result of a filled form.

    Attributes:
        game: the game, or None if there is a problem.
        problems: a sentence by the name of its field; ``""`` stands for no field.
    """

    game: Game | None
    problems: dict[str, str]


class Forms:
    """The forms of all games."""

    def __init__(self, reading: ParameterReader) -> None:
        """Store the parser of parameters."""
        self._reading = reading

    def form(self, name: str) -> dict[str, Any]:
        """Return the form of a game, as JSON.

        Raises:
            KeyError: there is no game of this name.
        """
        kind = zoo()[name]
        usual = usual_parameters(kind)
        fields = []
        for parameter in self._reading.parameters_of(kind):
            value = usual.get(parameter.name, None if parameter.required else parameter.default)
            text = "" if value is None or value == "" else self._reading.as_typed(value, _LONGEST)
            fields.append(
                {
                    "name": parameter.name,
                    "label": label_of(parameter.name),
                    "sort": parameter.sort,
                    "required": parameter.required,
                    "value": text,
                    "about": parameter.says,
                    "graph": parameter.name == "graph" and parameter.sort in ("list", "value"),
                }
            )
        return {
            "name": name,
            "title": name_of(kind),
            "kind": zoo().kind(name).rstrip("."),
            "instructions": instructions_of(kind),
            "fields": fields,
        }

    def make(self, name: str, texts: Mapping[str, str]) -> FilledForm:
        """Return the game of a filled form, or its problems.

        Args:
            name: the game.
            texts: the texts of the fields; an empty or missing one has its default.

        Raises:
            KeyError: there is no game of this name.
        """
        kind = zoo()[name]
        values, problems = dict(usual_parameters(kind)), {}
        for parameter in self._reading.parameters_of(kind):
            text = texts.get(parameter.name, "").strip()
            if not text:
                continue
            if text.startswith("@"):
                problems[parameter.name] = "files are not read here; paste what is in the file"
                continue
            try:
                values[parameter.name] = self._value(parameter, text)
            except ValueError as error:
                problems[parameter.name] = str(error)
        if problems:
            return FilledForm(None, problems)
        try:
            signature(kind.__init__).bind(None, **values)
            return FilledForm(kind(**values), {})
        except (TypeError, ZermeloError) as error:
            sentence = _in_form_words(str(error))
            return FilledForm(None, {_field(sentence, values | dict(texts)): sentence})
        except Exception as error:  # noqa: BLE001  # whatever a class thinks of its parameters
            return FilledForm(None, {"": f"{type(error).__name__}: {error}"})

    def preview(self, name: str, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the preview of a filled form, as JSON: its problems, or a title and a picture."""
        filled = self.make(name, texts)
        if filled.game is None:
            return {"problems": filled.problems, "title": None, "svg": None, "graph": None}
        preview = {"problems": {}, "title": title_of(filled.game), "svg": picture(filled.game)}
        return preview | {"graph": _graph(filled.game)}

    def _value(self, parameter: FormParameter, text: str) -> Any:
        if parameter.sort == "flag":
            if text.lower() not in ("true", "false"):
                message = f"{text!r} is neither true nor false; write one of them"
                raise ValueError(message)
            return text.lower() == "true"
        return self._reading.read_value(parameter.sort, text, parameter.example, shell=False)


def _in_form_words(sentence: str) -> str:
    """Return the sentence of an error with check boxes instead of arguments of Python."""
    return _TICKED.sub(lambda found: f"tick {label_of(found[1])!r}", sentence)


def label_of(name: str) -> str:
    """Return the label of a parameter's field."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _graph(game: Game) -> dict[str, Any] | None:
    """Return the graph that a game is played on, with its rows and a place for each node."""
    graph = getattr(game, "graph", None)
    rows = graph_of(graph) if isinstance(graph, str) else graph
    if not isinstance(rows, tuple) or not 0 < len(rows) <= MOST_NODES:
        return None
    return {"rows": rows, "places": place_nodes(rows).tolist()}


def _field(sentence: str, names: Mapping[str, object]) -> str:
    """Return the field that a sentence is about: the first one that it names, or ""."""
    return next((word for word in re.findall(r"\w+", sentence) if word in names), "")
