"""The functions a game's rules are made of, gathered from the hooks outward."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from zermelo._compile.names import Passed
from zermelo._compile.rewrite import DATA, Rewriter
from zermelo._compile.source import Source, source_of
from zermelo.game import Game
from zermelo.parameters import identity


class RuleSet:
    """The functions a game's rules are made of, gathered from the hooks outward.

    Attributes:
        game: the game.
        functions: the rewritten functions by generated name, in the order they were found.
        records: the NamedTuple classes they make, by generated name.
        modules: the modules they import, by name.
        passed: the data they are handed, by generated name.
        baked: the parameters and properties written into the code, by name.
        fields: nothing: whatever else is read off the game is written into the code.
        globals: (namespace, key, snapshot) of every global that was read.
    """

    emits = True

    def __init__(self, game: Game) -> None:
        """Begin with nothing."""
        self.game = game
        self.fields: dict[str, str] = {}
        self.functions: dict[str, tuple[ast.FunctionDef, Source]] = {}
        self.records: dict[str, type] = {}
        self.modules: dict[str, ModuleType] = {}
        self.passed: dict[str, Passed] = {}
        self.baked: dict[str, Any] = {}
        self.globals: list[tuple[Any, str, Any]] = []
        self._names: dict[tuple[Any, bool], str] = {}

    def method(self, name: str, *, emitting: str = "") -> str:
        """Include a method of the game and return its generated name.

        Args:
            name: the method.
            emitting: if given, the name of a function to call in place of every ``yield``.
        """
        function = _plain(getattr(type(self.game), name))
        return self.function(function, f"rule_{name}", method=True, emitting=emitting)

    def function(
        self, function: FunctionType, wanted: str, *, method: bool, emitting: str = ""
    ) -> str:
        """Include a function and return its generated name."""
        key = (function, bool(emitting))
        if key in self._names:
            return self._names[key]
        name, n = wanted, 1
        while name in self._names.values():
            n += 1
            name = f"{wanted}_{n}"
        self._names[key] = name
        source = source_of(function)
        tree = Rewriter(self, source, name, method=method, emitting=emitting).rewritten()
        self.functions[name] = (tree, source)
        return name

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""
        name, n = f"Record_{kind.__name__}", 1
        while self.records.get(name, kind) is not kind:
            n += 1
            name = f"Record_{kind.__name__}_{n}"
        self.records[name] = kind
        return name

    def data(self, name: str, kind: str, path: str | None, value: Any) -> ast.expr:
        """Include handed-over data and return the expression that reads it."""
        wanted, n = name, 1
        while name in self.passed and not _same_data(self.passed[name], path, value):
            n += 1
            name = f"{wanted}_{n}"
        self.passed[name] = Passed(name, kind, path, value)
        return ast.Attribute(ast.Name(DATA, ast.Load()), name, ast.Load())


def _plain(function: Callable[..., Any]) -> FunctionType:
    plain: Any = getattr(function, "__wrapped__", function)
    return plain  # type: ignore[no-any-return]  # a def


def _same_data(passed: Passed, path: str | None, value: Any) -> bool:
    if passed.path is not None or path is not None:
        return passed.path == path
    return bool(identity(passed.value) == identity(value))
