"""Rules without source: typed at a prompt, made by ``exec``, or in a file edited since.

What cannot be read cannot be rewritten, so here Numba gets the author's functions as they are.
``self`` becomes a tuple of what the rules read off the game, and Numba is taught to call the
game's methods on it. Nothing of this can be kept on disk.
"""

from __future__ import annotations

import ast
import enum
from types import CellType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numba
from numba.core import types
from numba.extending import overload_method

from zermelo._compile.load import load_in_memory
from zermelo._compile.module import Module, write_module
from zermelo._compile.names import (
    Passed,
    UnfitError,
    arrays_of,
    constant,
    kind_of,
    literal,
    read,
    snapshot,
)
from zermelo.errors import CompileError
from zermelo.game import Game, put

if TYPE_CHECKING:
    from zermelo._compile.source import Source
    from zermelo.rules import Rules


class FunctionSet:
    """The functions a game's rules are made of, as they are. Takes the place of a ``RuleSet``."""

    emits = False

    def __init__(self, game: Game) -> None:
        """Begin with nothing."""
        self.game = game
        self.functions: dict[str, tuple[ast.FunctionDef, Source]] = {}
        self.records: dict[str, type] = {}
        self.modules: dict[str, ModuleType] = {}
        self.passed: dict[str, Passed] = {}
        self.fields: dict[str, str] = {"nothing": "0"}
        self.baked: dict[str, Any] = {}
        self.globals: list[tuple[Any, str, Any]] = []
        self.names: dict[str, Any] = {}
        self.methods: dict[str, FunctionType] = {}
        self._copies: dict[FunctionType, FunctionType] = {}

    def method(self, name: str, *, emitting: str = "") -> str:
        """Include a method of the game and return its generated name."""
        del emitting
        generated = f"rule_{name}"
        if generated not in self.names:
            self.names[generated] = numba.njit(self._method(name))
        return generated

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""
        self.names[kind.__name__] = kind
        return kind.__name__

    def load(self, rules: Rules) -> tuple[Module, Any]:
        """Return the module, and it loaded."""
        module = write_module(rules, self)
        label = f"_zermelo_rules_{rules.name}_in_memory"
        loaded = load_in_memory(module.text, label, self.names, checked=bool(self.passed))
        for name, function in self.methods.items():
            _teach(loaded.Data, name, function)
        return module, loaded

    def _method(self, name: str) -> FunctionType:
        if name not in self.methods:
            self.methods[name] = function = getattr(type(self.game), name)
            self.methods[name] = self._copy(function)
        return self.methods[name]

    def _copy(self, function: FunctionType) -> FunctionType:
        """Return a copy of a function whose globals are what Numba understands."""
        if function in self._copies:
            return self._copies[function]
        code = function.__code__
        space: dict[str, Any] = {"__builtins__": __builtins__}
        copied = FunctionType(code, space, function.__name__, function.__defaults__)
        self._copies[function] = copied
        for name in _names(code):
            self._read(name)
            if name in function.__globals__:
                value = function.__globals__[name]
                self.globals.append((function.__globals__, name, snapshot(value)))
                space[name] = self._settled(name, value)
        if function.__closure__:
            cells = tuple(
                CellType(self._settled(name, cell.cell_contents))
                for name, cell in zip(code.co_freevars, function.__closure__, strict=True)
            )
            copied = FunctionType(code, space, function.__name__, function.__defaults__, cells)
            self._copies[function] = copied
        return copied

    def _read(self, name: str) -> None:
        """Include what the game has by a name that is read off something somewhere."""
        if name in self.fields or name in self.passed or not hasattr(self.game, name):
            return
        found = getattr(type(self.game), name, None)
        if isinstance(found, FunctionType):
            self._method(name)
            return
        try:
            value = read(self.game, name)
        except UnfitError:
            return
        if isinstance(value, int):
            self.fields[name] = repr(int(value))
            self.baked[name] = value
        elif isinstance(value, tuple) or hasattr(value, "ndim"):
            self.passed[name] = Passed(name, kind_of(value), name)

    def _settled(self, name: str, value: Any) -> Any:
        """Return what a global is to compiled rules."""
        if isinstance(value, enum.IntEnum):
            return int(value)
        if isinstance(value, FunctionType) and value is not put:
            return numba.njit(self._copy(value))
        if isinstance(value, list | tuple):
            try:
                frozen = constant(value)
                return frozen if literal(frozen) else arrays_of(frozen, kind_of(frozen))[0]
            except UnfitError as error:
                message = f"the rules of {type(self.game).__name__} use {name}, which {error}"
                raise CompileError(message) from None
        return value


def _names(code: CodeType) -> set[str]:
    """Return the globals and attributes that code, and code inside it, names."""
    names = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names |= _names(inner)
    return names


#: The methods Numba has been taught: by name, and by the class that stands for the game.
_TAUGHT: dict[str, dict[type, Any]] = {}


def _teach(data: type, name: str, function: FunctionType) -> None:
    """Let compiled rules call ``name`` on what stands for the game."""
    if name not in _TAUGHT:
        taught = _TAUGHT[name] = {}

        # One overload a name, since Numba looks no further than the first it finds.
        def choose(game, *arguments):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN002, ANN202
            found = taught.get(game.instance_class)
            return None if found is None else lambda game, *arguments: found(game, *arguments)

        overload_method(types.BaseNamedTuple, name)(choose)
    _TAUGHT[name][data] = numba.njit(function)
