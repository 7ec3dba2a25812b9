"""Rules without source: typed at a prompt, made by ``exec``, or in a file edited since.

Without source they cannot be rewritten, so Numba gets the author's functions unchanged. ``self``
becomes a tuple of the values that the rules read off the game, with overloads for the game's
methods. None of this can be cached on disk.
"""

from __future__ import annotations

import dis
import enum
import inspect
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from numba.core import types
from numba.extending import overload_method

from zermelo._compile.generate.module import write_module
from zermelo._compile.read import externals
from zermelo._compile.read.constants import UnfitError, constant, is_literal, read_attribute
from zermelo._compile.read.hooks import hook_location, hook_of
from zermelo._compile.read.marshalling import DataArgument, RowsShape, shape_of
from zermelo._compile.read.read_globals import ReadGlobals
from zermelo._compile.read.source_map import SourceLine, SourceMap
from zermelo._compile.read.syntax import plain_name
from zermelo._compile.run import load
from zermelo._compile.support.rows import rows_of
from zermelo._engine.core.compiling.dispatchers import part
from zermelo.errors import CompileError
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules

#: Compiles with the options of generated modules, with bounds checks.
_rule = part(error_model="python", boundscheck=True)


class FunctionSet:
    """The functions of a game's rules, unchanged; it replaces a ``RuleSet``."""

    def __init__(self, game: Game, source_map: SourceMap) -> None:
        """Create an empty set; ``source_map`` receives the locations of the functions."""
        self.game = game
        self.functions: dict[str, Any] = {}
        self.records: dict[str, type] = {}
        self.replacers: dict[str, tuple[str, ...]] = {}
        self.getters: dict[str, tuple[str, str]] = {}
        self.data_arguments: dict[str, DataArgument] = {}
        self.fields: dict[str, str] = {"nothing": "0"}
        self.inlined_values: dict[str, Any] = {}
        self.read_globals = ReadGlobals()
        self.names: dict[str, Any] = {}
        self.methods: dict[str, Any] = {}
        self._source_map = source_map
        self._rules: dict[FunctionType, Any] = {}

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""
        generated = f"_z_{hook}"
        if generated not in self.names:
            function, static = hook_of(self.game, hook, self.read_globals)
            rule = self._rule(function)
            rule_without_game = _rule(lambda _, *arguments: rule(*arguments))
            self.names[generated] = rule_without_game if static else rule
        return generated

    def emitting_hook(self, hook: str, emit: str) -> str:
        """Return "": an unchanged function cannot call ``emit`` for each item."""
        del hook, emit
        return ""

    def hook_location(self, hook: str) -> SourceLine:
        """Return the source location of a hook."""
        return hook_location(self.game, hook)

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""
        self.names[f"_z_{kind.__name__}"] = kind
        return f"_z_{kind.__name__}"

    def load(self, rules: Rules) -> Any:
        """Return the module, and the loaded module."""
        module = write_module(rules, self)
        loaded = load.run(module, self.names, self._source_map)
        for name, (function, static) in self.methods.items():
            _teach(loaded.Data, self._field_name(name), function, static=static)
        return module, loaded

    def check(self) -> None:
        """Raise CompileError if compiled rules use a row as true or false.

        Rewritten rules treat a non-empty row as true, as in Python; unchanged, Numba compares its
        contents.
        """
        for function, rule in self._rules.items():
            for result in rule.overloads.values():
                annotation = result.type_annotation
                for expression, signature in annotation.calltypes.items():
                    if getattr(expression, "op", "") != "call" or signature is None:
                        continue
                    callee = getattr(annotation.typemap[expression.func.name], "typing_key", None)
                    if callee is bool and isinstance(signature.args[0], types.Array):
                        sentence = "uses a row as true or false; test its len()"
                        message = f"{plain_name(function)} {sentence}"
                        filename = function.__code__.co_filename
                        raise CompileError(message, filename, expression.loc.line)

    def _rule(self, function: FunctionType) -> Any:
        """Return a function compiled by Numba, from a copy with globals that Numba supports."""
        if function in self._rules:
            return self._rules[function]
        code = function.__code__
        _check_forms(code, plain_name(function))
        filename = self._source_map.file_name(code.co_filename, plain_name(function))
        space: dict[str, Any] = {"__builtins__": __builtins__}
        cells = tuple(CellType() for _ in code.co_freevars)
        copy = FunctionType(
            self._public(code, filename),
            space,
            function.__name__,
            function.__defaults__,
            cells or None,
        )
        # Known before its globals are read: a function that calls itself must find itself.
        rule = self._rules[function] = _rule(copy)
        self.read_globals.record({"": function}, "", function)
        names = _names(code)
        for name in names:
            self._read(name)
            if name in function.__globals__:
                value = function.__globals__[name]
                self.read_globals.record(function.__globals__, name, value)
                space[self._field_name(name)] = self._global_value(name, value, names)
        closure = function.__closure__ or ()
        for cell, name, old in zip(cells, code.co_freevars, closure, strict=True):
            self.read_globals.record(old, name, old.cell_contents)
            cell.cell_contents = self._global_value(name, old.cell_contents, names)
        return rule

    def _read(self, name: str) -> None:
        """Include the game's attribute of a name that some function reads."""
        field_name = self._field_name(name)
        if field_name in self.fields or field_name in self.data_arguments or name in self.methods:
            return
        kind = type(self.game)
        raw = inspect.getattr_static(kind, name, None)
        function = externals.unwrap(raw)
        if isinstance(function, FunctionType):
            if function.__module__ != Game.__module__:
                self.methods[name] = (None, False)  # so that a method may call itself
                self.methods[name] = (self._rule(function), isinstance(raw, staticmethod))
                self.read_globals.record(kind, name, getattr(kind, name))
            return
        if not hasattr(self.game, name):
            return
        try:
            value = read_attribute(self.game, name)
            if isinstance(value, int):
                self.fields[field_name] = repr(int(value))
                self.inlined_values[name] = value
            elif value is not None:
                self.data_arguments[field_name] = DataArgument(field_name, shape_of(value), name)
        except UnfitError:
            return

    def _field_name(self, name: str) -> str:
        """Return a valid name of a NamedTuple's field for an attribute of the game."""
        is_own = name.startswith("_") and hasattr(self.game, name)
        return f"own{name}" if is_own else name

    def _public(self, code: CodeType, filename: str) -> CodeType:
        """Return code, with nested code, with such names and another file name."""
        inner = (
            self._public(c, filename) if isinstance(c, CodeType) else c for c in code.co_consts
        )
        names = tuple(map(self._field_name, code.co_names))
        return code.replace(co_names=names, co_consts=tuple(inner), co_filename=filename)

    def _global_value(self, name: str, value: object, names: set[str]) -> Any:
        """Return the value of a global in compiled rules, which use these names."""
        function = externals.unwrap(value)
        if externals.holds_names(value):
            # Numba reads attributes of modules, as they are now, and of few classes.
            module = ModuleType(name)
            for attribute in names & set(dir(value)):
                attribute_value = getattr(value, attribute)
                self.read_globals.record(value, attribute, attribute_value)
                setattr(
                    module,
                    self._field_name(attribute),
                    self._global_value(attribute, attribute_value, names),
                )
            return module
        if isinstance(value, enum.IntEnum):
            return int(value)
        if isinstance(function, FunctionType) and not externals.author_helper(function):
            return self._rule(function)
        if isinstance(value, list | tuple):
            try:
                frozen = constant(value)
                return frozen if is_literal(frozen) else _rows(frozen)
            except UnfitError as error:
                message = f"the rules of {type(self.game).__name__} use {name}, which {error}"
                raise CompileError(message) from None
        return value


def _names(code: CodeType) -> set[str]:
    """Return the globals and attributes that code, with nested code, names."""
    names = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names |= _names(inner)
    return names


def _rows(value: tuple[object, ...]) -> Any:
    """Return the compiled form of a long or ragged constant."""
    shape = shape_of(value)
    if not isinstance(shape, RowsShape):
        message = (
            "holds other things than numbers and rows of them, and their text cannot be read; "
            "save the rules in a file"
        )
        raise UnfitError(message)
    return rows_of(shape.as_arrays(value))


def _check_forms(code: CodeType, owner: str) -> None:
    """Raise CompileError for forms that need rewriting before they compile."""
    form = None
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else code.co_firstlineno
        if instruction.opname == "GET_YIELD_FROM_ITER":
            form = form or ("yield from", line)
        if instruction.argval == "_replace" and instruction.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            form = form or ("_replace()", line)
        inner = instruction.argval
        if isinstance(inner, CodeType) and inner.co_name == "<genexpr>":
            form = form or ("a generator expression", inner.co_firstlineno)
    if form is not None:
        message = (
            f"{owner} uses {form[0]}, and its text cannot be read; save the rules in a file (and "
            "start again if it was edited since), or write it without"
        )
        raise CompileError(message, code.co_filename, form[1])


#: The overloaded methods: by name, and by the class that replaces the game.
_METHODS: dict[str, dict[type, Any]] = {}


def _teach(data: type, name: str, rule: Any, *, static: bool) -> None:
    """Make compiled rules call ``name`` on the tuple that replaces the game."""
    if name not in _METHODS:
        implementations = _METHODS[name] = {}

        # One overload for each name, as Numba uses only the first it finds.
        def choose(game, *arguments):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN002, ANN202  # Numba takes no hints
            return implementations.get(game.instance_class)

        overload_method(types.BaseNamedTuple, name)(choose)
    if static:
        _METHODS[name][data] = lambda game, *arguments: rule(*arguments)  # noqa: ARG005  # called as a method
    else:
        _METHODS[name][data] = lambda game, *arguments: rule(game, *arguments)
