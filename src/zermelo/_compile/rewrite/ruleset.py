"""The functions of a game's rules, collected from the hooks outward."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias

from zermelo._compile.read.constants import checked_number, has_rows, is_derived, read_attribute
from zermelo._compile.read.hooks import hook_location, hook_of
from zermelo._compile.read.marshalling import DataArgument, DataShape, shape_of
from zermelo._compile.read.read_globals import ReadGlobals
from zermelo._compile.read.source import Source, source_of
from zermelo._compile.read.source_map import Operation, SourceLine
from zermelo._compile.read.syntax import definition
from zermelo._compile.rewrite.ast_builders import DATA, OURS, name, with_location
from zermelo.errors import CompileError
from zermelo.game.contract import Game
from zermelo.game.parameters import hashable_parameter
from zermelo.game.records import names_of
from zermelo.rules.layout import Layout


class Callee(NamedTuple):
    """A function of the author's that is called.

    Attributes:
        function: the function.
        label: its name in messages.
        bound: whether the game is its implicit first argument.
        receiver: the expression that is its first argument instead, as in ``p.most()``.
        of: the class that ``receiver`` must have.
    """

    function: Any  # a FunctionType, which mypy would take for a method
    label: str
    bound: bool
    receiver: ast.expr | None = None
    of: type | None = None

    @property
    def generator(self) -> bool:
        """Whether the function is a generator."""
        return inspect.isgeneratorfunction(self.function)


#: Rewrites a function: takes the rules, its source, the indices of its arguments that are the game,
#: the function to call instead of every ``yield``, and its generated name.
Rewrite: TypeAlias = Callable[["RuleSet", Source, frozenset[int], str, str], ast.FunctionDef]


class RuleSet:
    """The functions of a game's rules, collected from the hooks outward.

    Attributes:
        game: the game.
        layout: the layout of its positions.
        functions: the rewritten functions by generated name, in the order of discovery.
        records: the NamedTuple classes they create, by generated name.
        replacers: the fields that ``_replace`` is called with, by generated name.
        getters: functions that read a property of one class that is a field of another, by
            generated name: the generated name of the class, and the property.
        data_arguments: the data arguments, by generated name.
        fields: empty: other values that the rules read off the game are written into the code.
        inlined_values: the parameters and properties written into the code, by path.
        read_globals: all other values that were read.
        operations: the operations whose result may exceed 64 bits, by number.
        faults: the forms that cannot be compiled; the code is usable only if there are none.
    """

    def __init__(
        self, game: Game, layout: Layout, rewrite: Rewrite, *, general: bool = False
    ) -> None:
        """Create a rule set without functions.

        Args:
            game: the game.
            layout: the layout of its positions.
            rewrite: rewrites each function.
            general: whether to pass numbers as data, too, so that the rules serve any values.
        """
        self.game = game
        self.layout = layout
        self.general = general
        self._rewrite = rewrite
        self.functions: dict[str, tuple[ast.FunctionDef, Source]] = {}
        self.records: dict[str, type] = {}
        self.replacers: dict[str, tuple[str, ...]] = {}
        self.getters: dict[str, tuple[str, str]] = {}
        self.data_arguments: dict[str, DataArgument] = {}
        self.fields: dict[str, str] = {}
        self.inlined_values: dict[str, Any] = {}
        self.read_globals = ReadGlobals()
        self.operations: dict[int, Operation] = {}
        self.faults: list[CompileError] = []
        self._read: dict[str, Any] = {}
        self._shapes: dict[str, DataShape] = {}
        self._names: dict[tuple[FunctionType, frozenset[int], str], str] = {}
        # No function may have the name of a generated variable or function.
        self._taken = {f"{OURS}{word}" for word in (*_VARIABLES, *_FUNCTIONS)}

    def method(self, hook: str, *, emitter: str = "") -> str:
        """Include a hook and return its generated name.

        Args:
            hook: its name.
            emitter: the name of a function to call instead of every ``yield``, or "".
        """
        function, static = hook_of(self.game, hook, self.read_globals)
        callee = Callee(function, f"self.{hook}", bound=not static)
        return self.function(callee, frozenset() if static else frozenset({0}), emitter=emitter)

    def emitting_hook(self, hook: str, emit: str) -> str:
        """Include a hook so that ``emit`` is called for each item; return its generated name."""
        return self.method(hook, emitter=emit)

    def hook_location(self, hook: str) -> SourceLine:
        """Return the source location of a hook."""
        return hook_location(self.game, hook)

    def function(self, callee: Callee, selves: frozenset[int], *, emitter: str = "") -> str:
        """Include a function and return its generated name.

        Args:
            callee: the function.
            selves: the indices of its arguments that are the game.
            emitter: the name of a function to call instead of every ``yield``, or "".
        """
        key = (callee.function, selves, emitter)
        if key not in self._names:
            generated = self._names[key] = self._fresh(f"_z_{callee.label.split('.')[-1]}")
            source = source_of(callee.function)
            try:
                tree = self._rewrite(self, source, selves, emitter, generated)
            except CompileError as error:
                self.faults += error.faults
                tree = self.define(
                    generated, [DATA], [with_location(ast.Pass(), source.tree)], source.tree
                )
            self.functions[generated] = (tree, source)
        return self._names[key]

    def add_function_part(
        self, label: str, arguments: list[str], body: list[ast.stmt], source: Source, node: ast.AST
    ) -> str:
        """Include a function made from a part of another, and return its generated name."""
        generated = self._fresh(f"_z_{label}")
        self.functions[generated] = (self.define(generated, arguments, body, node), source)
        return generated

    def define(
        self, label: str, arguments: list[str], body: list[ast.stmt], node: ast.AST
    ) -> ast.FunctionDef:
        """Return the def of a function at the location of ``node``."""
        parameters = ast.arguments([], [ast.arg(a) for a in arguments], None, [], [], None, [])
        return with_location(definition(label, parameters, body, [name("_z_rule")]), node)

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""
        label = next(
            (
                recorded_label
                for recorded_label, recorded_kind in self.records.items()
                if recorded_kind is kind
            ),
            None,
        )
        if label is None:
            label = self._fresh(f"_z_{kind.__name__}")
            self.records[label] = kind
        return label

    def lengths(self, kind: object) -> tuple[int | None, ...]:
        """Return for each field of a NamedTuple the length of its tuple in positions, or None."""
        return self.layout.lengths.get(kind, (None,) * len(names_of(kind)))

    @property
    def kinds(self) -> list[type]:
        """The classes of positions and of their parts."""
        return list(self.layout.lengths)

    def replacer(self, fields: tuple[str, ...]) -> str:
        """Include a function that replaces fields of a tuple, and return its generated name."""
        generated = f"_z_replace_{'_and_'.join(fields)}"
        self.replacers[generated] = fields
        return generated

    def getter(self, kind: type, attribute: str) -> str:
        """Include a function that reads a property, or a field of its name.

        Return its generated name.
        """
        record = self.record(kind)
        generated = f"_z_read_{attribute}_{record}"
        self.getters[generated] = (record, attribute)
        return generated

    def data(self, label: str, shape: DataShape, path: str | None, value: object) -> ast.expr:
        """Include a data argument and return the expression that reads it."""
        stem = f"{'c' if path is None else 'd'}_{label.replace('.', '_')}"
        generated, n = stem, 1
        new = DataArgument(stem, shape, path, value)
        while generated in self.data_arguments and not _same_data(
            self.data_arguments[generated], new
        ):
            n += 1
            generated = f"{stem}_{n}"
        self.data_arguments[generated] = replace(new, name=generated)
        return ast.Attribute(name(DATA), generated, ast.Load())

    def read_parameter(self, path: str) -> Any:
        """Return a parameter or property of the game in immutable form.

        See the function ``read_attribute``.
        """
        if path not in self._read:
            self._read[path] = read_attribute(self.game, path)
        return self._read[path]

    def shape(self, path: str, value: object) -> DataShape:
        """Return the shape of a parameter or property, cached, as scanning it may take long."""
        if path not in self._shapes:
            self._shapes[path] = shape_of(value)
        return self._shapes[path]

    def hands_over(self, path: str, value: object) -> bool:
        """Return whether a number of the game is passed as data, not written into the code."""
        if type(value) is not int or value != checked_number(value):
            return False
        return self.general or (
            has_rows(self.game) and is_derived(self.game, path.split(".", maxsplit=1)[0])
        )

    def _fresh(self, stem: str) -> str:
        generated, n = stem, 1
        while generated in self._taken:
            n += 1
            generated = f"{stem}_{n}"
        self._taken.add(generated)
        return generated


#: The functions of the generated kernels, and names that their modules define.
_FUNCTIONS = (
    "count",
    "count_moves",
    "depth",
    "emit",
    "emit_enough",
    "emit_moves",
    "evaluate",
    "fixed",
    "fold",
    "has_move",
    "has_move_moves",
    "inline",
    "packing",
    "part",
    "part_split",
    "parted",
    "rule",
    "size",
    "whole",
    "whole_moves",
)
#: The variables of code that is inserted into an author's functions.
_VARIABLES = (
    "best",
    "capacity",
    "children",
    "data",
    "each",
    "from",
    "gains",
    "i",
    "index",
    "item",
    "items",
    "j",
    "key",
    "keys",
    "least",
    "matched",
    "over",
    "part",
    "seen",
    "so_far",
    "start",
    "walrus",
    "x",
)


def _same_data(left: DataArgument, right: DataArgument) -> bool:
    if left.path is not None or right.path is not None:
        return left.path == right.path
    return left.shape == right.shape and bool(
        hashable_parameter(left.value) == hashable_parameter(right.value)
    )
