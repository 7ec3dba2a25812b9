"""Name resolution: numbers, data arguments, and names that rules cannot use."""

from __future__ import annotations

import ast
import enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from zermelo._compile.read import externals, syntax
from zermelo._compile.read.constants import (
    UnfitError,
    checked_number,
    constant,
    is_derived,
    is_literal,
    of_enum,
)
from zermelo._compile.read.marshalling import shape_of
from zermelo._compile.rewrite.ast_builders import OURS, SUPPORT, call, name, support, with_location
from zermelo._compile.rewrite.function import Function
from zermelo.game.contract import parameter_names

#: Types whose attributes are not the author's constants.
_DATA = (int, str, tuple, list, dict, set, frozenset, np.ndarray)


#: The longest rows that are searched for members of an IntFlag.
_MOST_SCANNED = 64


class NameResolver:
    """The resolution of names in one function."""

    def __init__(self, function: Function) -> None:
        """Prepare to resolve names in ``function``."""
        self.function = function
        self.rules = function.rules

    def name(self, node: ast.Name) -> ast.expr:
        """Return the rewritten form of a name."""
        if node.id in self.function.selves:
            self.function.refuse(node, f"{node.id} by itself", f"use {node.id}.something")
        is_own = node.id in self.function.locals or node.id.startswith(OURS)
        if is_own or not isinstance(node.ctx, ast.Load):
            return node
        return self._value(node, node.id, self._lookup(node, node.id))

    def attribute(self, node: ast.Attribute) -> ast.expr | None:
        """Return the rewritten form of ``self.width``, ``Piece.KING`` or ``math.pi``, or None."""
        chain = syntax.chain(node)
        if chain is None or chain[0] in self.function.locals:
            return None
        if chain[0] == SUPPORT:
            return node
        if chain[0] in self.function.selves:
            return self._of_self(node, chain)
        depth = self._data_depth(node, chain)
        data = syntax.without_suffix(node, len(chain) - depth)
        value = self._value(data, ".".join(chain[:depth]), self.static(data, chain[:depth]))
        for attribute in chain[depth:]:
            value = with_location(ast.Attribute(value, attribute, ast.Load()), node)
        return value

    def _of_self(self, node: ast.Attribute, chain: list[str]) -> ast.expr:
        game, first = self.rules.game, chain[1]
        label = f"{chain[0]}.{first}"
        if not hasattr(game, first):
            kind = type(game).__name__
            self.function.raise_error(
                node, f"uses {label}, which {kind} does not have; write it, or declare it"
            )
        if first == "__class__":
            self.function.refuse(node, label, f"write {chain[0]}.NAME for {label}.NAME")
        is_attribute_of_game = first in parameter_names(game) or is_derived(game, first)
        if not is_attribute_of_game:
            value = getattr(type(game), first)
            if isinstance(value, FunctionType | MethodType | type):
                self.function.refuse(node, f"{label} without calling it", f"write {label}(...)")
            self.rules.read_globals.record(type(game), first, value)
        try:
            whole = (
                self.rules.read_parameter(first)
                if is_attribute_of_game
                else constant(getattr(type(game), first))
            )
        except UnfitError as error:
            self._raise_unfit(node, label, error)
        depth = 2
        while hasattr(whole, "_fields") and depth < len(chain) and hasattr(whole, chain[depth]):
            whole = getattr(whole, chain[depth])
            depth += 1
        if depth < len(chain):
            inner = self._of_self(syntax.without_suffix(node, len(chain) - depth), chain[:depth])
            for attribute in chain[depth:]:
                inner = with_location(ast.Attribute(inner, attribute, ast.Load()), node)
            return inner
        if not is_attribute_of_game:
            return _with_flag_mark(self.constant(node, label, whole), getattr(type(game), first))
        return self._parameter(node, ".".join(chain[1:]), whole)

    def _parameter(self, node: ast.expr, path: str, value: object) -> ast.expr:
        """Return the expression for a parameter or property of the game."""
        try:
            is_number = value is None or isinstance(value, int) or of_enum(value)
            if is_number and not self.rules.hands_over(path, value):
                self.rules.inlined_values[path] = value
                return self.number(node, f"self.{path}", value)
            shape = self.rules.shape(path, value)
        except UnfitError as error:
            self._raise_unfit(node, f"self.{path}", error)
        return with_location(self.rules.data(path, shape, path, None), node)

    def _lookup(self, node: ast.AST, identifier: str) -> Any:
        try:
            space, key = self.function.source.namespace_of(identifier)
            value = space[key] if isinstance(space, dict) else space.cell_contents
        except (NameError, ValueError):
            problem = f"uses the name {identifier!r}, which is not defined"
            self.function.raise_error(node, f"{problem}; define it, or correct its spelling")
        self.rules.read_globals.record(space, key, value)
        return value

    def static(self, node: ast.AST, chain: list[str]) -> Any:
        """Return the value of ``a.b.c``, recording all that was read."""
        value = self._lookup(node, chain[0])
        for i, attribute in enumerate(chain[1:], 1):
            whole = ".".join(chain[: i + 1])
            if externals.is_random(value):
                self._refuse_random(node, whole)
            try:
                attribute_value = getattr(value, attribute)
            except AttributeError:
                self.function.raise_error(
                    node, f"uses {whole}, which does not exist; correct its spelling"
                )
            if isinstance(value, ModuleType | type):
                self.rules.read_globals.record(value, attribute, attribute_value)
            value = attribute_value
        if externals.is_random(getattr(value, "__self__", None)):
            self._refuse_random(node, ".".join(chain))
        return value

    def named_value(self, node: ast.expr) -> Any:
        """Return the value of ``a.b.c``, or None if it belongs to the function or the game."""
        chain = syntax.chain(node)
        if chain is None or chain[0] in self.function.locals | self.function.selves | {SUPPORT}:
            return None
        return self.static(node, chain)

    def number_of(self, node: ast.expr) -> int | None:
        """Return the value of a whole-number literal or constant; None for anything else."""
        value = node.value if isinstance(node, ast.Constant) else self.named_value(node)
        return value if isinstance(value, int) else None

    def _data_depth(self, node: ast.AST, chain: list[str]) -> int:
        """Return the number of names in ``a.b.c`` that lead to data.

        Further attributes belong to the data.
        """
        value = self._lookup(node, chain[0])
        for i, attribute in enumerate(chain[1:], 1):
            is_member = attribute in getattr(value, "_fields", ()) or isinstance(value, enum.Enum)
            if isinstance(value, _DATA) and not is_member:
                return i
            value = getattr(value, attribute, None)
        return len(chain)

    def _refuse_random(self, node: ast.AST, form: str) -> NoReturn:
        remedy = "they must give the same answer every time, so compute it from the position"
        self.function.refuse(node, form, remedy)

    def _value(self, node: ast.expr, label: str, value: Any) -> ast.expr:
        """Return the expression for the value of a global name."""
        if externals.is_record(value):
            return with_location(name(self.rules.record(value)), node)
        if isinstance(value, ModuleType):
            self.function.refuse(node, f"the module {label} by itself", f"use {label}.something")
        is_function = isinstance(value, FunctionType) and not externals.of_numpy(value)
        if is_function and not externals.author_helper(value):
            self.function.refuse(
                node, f"the function {label} without calling it", f"write {label}(...)"
            )
        if isinstance(value, MethodType):
            self.function.refuse(node, label, externals.ALLOWED)
        if isinstance(value, enum.EnumType):
            return _with_flag_mark(self.constant(node, label, value), value)
        if isinstance(value, type | BuiltinFunctionType | np.ufunc) or externals.of_numpy(value):
            expression, remedy = externals.expression(value)
            if expression is None:
                self.function.refuse(node, label + "()" * callable(value), remedy)
            module_name, _, function_name = expression.rpartition(".")
            if not module_name:
                return with_location(name(expression), node)
            return with_location(
                ast.Attribute(support(module_name), function_name, ast.Load()), node
            )
        if externals.author_helper(value):
            return with_location(support(externals.author_helper(value)), node)
        return _with_flag_mark(self.constant(node, label, value), value)

    def constant(self, node: ast.expr, label: str, value: object) -> ast.expr:
        """Return the expression for a constant: a literal, or a data argument."""
        try:
            frozen = constant(value)
            if is_literal(frozen):
                return self.number(node, label, frozen)
            shape = shape_of(frozen)
        except UnfitError as error:
            self._raise_unfit(node, label, error)
        identifier = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in label)
        return with_location(self.rules.data(identifier, shape, None, frozen), node)

    def number(self, node: ast.AST, label: str, value: object) -> ast.expr:
        """Return the expression for a number, a character, or a tuple or record of these."""
        try:
            return with_location(self._literal(value), node)
        except UnfitError as error:
            self._raise_unfit(node, label, error)

    def _literal(self, value: Any) -> ast.expr:
        if isinstance(value, tuple):
            items = [self._literal(item) for item in value]
            if hasattr(value, "_fields"):
                return call(name(self.rules.record(type(value))), *items)
            return ast.Tuple(items, ast.Load())
        if value is None or isinstance(value, bool):
            return ast.Constant(value)
        if isinstance(value, str):
            return call(support("character"), ast.Constant(ord(value)))
        number = checked_number(int(value))
        if number >= 0:
            return ast.Constant(number)
        return ast.UnaryOp(ast.USub(), ast.Constant(-number))

    def _raise_unfit(self, node: ast.AST, label: str, error: UnfitError) -> NoReturn:
        self.function.raise_error(node, f"uses {label}, which {error}")


def _with_flag_mark(node: ast.expr, value: object) -> ast.expr:
    """Return the expression for a constant, marked if it contains members of an IntFlag."""
    node.z_flag = _has_flag(value)  # type: ignore[attr-defined]  # read where ~ is rewritten
    return node


def _has_flag(value: object) -> bool:
    if isinstance(value, enum.EnumType):
        return issubclass(value, enum.IntFlag)
    if isinstance(value, tuple | list) and len(value) <= _MOST_SCANNED:
        return any(map(_has_flag, value))
    return isinstance(value, enum.IntFlag)
