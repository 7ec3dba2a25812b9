"""Constant folding: comparisons of strings, and items of constants.

``self.rule == "normal"`` is a constant, and ``COST["rook"]`` is a number.
"""

from __future__ import annotations

import ast
import enum
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo._compile.read import syntax
from zermelo._compile.read.constants import is_derived, is_literal
from zermelo._compile.rewrite.name_resolution import NameResolver
from zermelo.game.contract import parameter_names

#: The greatest size of a set of numbers that is searched as a tuple.
_MOST_SEARCHED = 12
_CONSTANTS = (int, str, tuple, list, dict, set, frozenset, enum.Enum, enum.EnumType, type(None))
_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}


class _UnknownError(Exception):
    """The value of an expression depends on the position, or is not needed."""


class ConstantFolder:
    """The constant expressions of one function."""

    def __init__(self, names: NameResolver) -> None:
        """Prepare to evaluate expressions in the function of ``names``."""
        self.names = names
        self.function, self.game = names.function, names.rules.game
        self._read: dict[str, Any] = {}
        self._flags: set[str] = set()

    def comparison(self, node: ast.Compare) -> bool | None:
        """Return the result of a comparison with strings or Enum members, or None if unknown."""
        try:
            values = self._values(node.left, *node.comparators)
            if not any(map(_has_no_number, values)):
                return None
            pairs = zip(node.ops, values, values[1:], strict=False)
            return all(_OPERATORS[type(sign)](left, right) for sign, left, right in pairs)
        except (_UnknownError, TypeError):
            return None

    def inverted(self, node: ast.UnaryOp) -> ast.expr | None:
        """Return ``~`` of a member of an IntFlag, that is, its other members; or None."""
        try:
            [value] = self._values(node.operand)
        except _UnknownError:
            return None
        if not isinstance(value, enum.Flag) or not isinstance(value, int):
            return None
        return self.names.number(node, ast.unparse(node), int(~value))

    def note_flags(self, targets: list[ast.expr], value: ast.expr) -> None:
        """Record variables that contain members of an IntFlag; ``value`` is rewritten."""
        if self._holds_flag(value):
            parts = (part for target in targets for part in syntax.parts_of(target))
            self._flags |= {part.id for part in parts if isinstance(part, ast.Name)}

    def refuse_flags(self, node: ast.UnaryOp, text: str) -> None:
        """Reject ``~`` of a member of an IntFlag, which in Python gives the other members."""
        if self._holds_flag(node.operand):
            problem = f"computes {text}, which is the other members of an IntFlag in Python"
            self.function.raise_error(node, f"{problem}; write int() around the member")

    def _holds_flag(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp | ast.Tuple):
            return any(
                self._holds_flag(part)
                for part in ast.iter_child_nodes(node)
                if isinstance(part, ast.expr)
            )
        if isinstance(node, ast.Subscript):
            return self._holds_flag(node.value)
        is_flag_variable = isinstance(node, ast.Name) and node.id in self._flags
        return is_flag_variable or bool(node.__dict__.get("z_flag"))

    def item(self, node: ast.Subscript) -> ast.expr | None:
        """Return the constant item of a constant, or None."""
        try:
            [value] = self._values(node)
        except _UnknownError:
            return None
        return self.names.constant(node, ast.unparse(node), value)

    def display(self, node: ast.Dict) -> ast.expr | None:
        """Return a written-out dict of constants, or None for any other."""
        try:
            [value] = self._values(node)
        except _UnknownError:
            return None
        return self.names.constant(node, "table", value) if value else None

    def row(self, node: ast.Call) -> ast.expr | None:
        """Return ``tuple(Kind)`` of a constant as a constant, or None for other calls."""
        func = node.func
        if not (isinstance(func, ast.Name) and func.id == "tuple" and len(node.args) == 1):
            return None
        try:
            [value] = self._values(node.args[0])
        except _UnknownError:
            return None
        if not isinstance(value, tuple | list | dict | set | frozenset | enum.EnumType):
            return None
        return self.names.constant(node, ast.unparse(node), tuple(value))

    def matched(self, node: ast.Match) -> list[ast.stmt] | None:
        """Return the case that matches a string or a member of an Enum, if both are known."""
        try:
            [subject] = self._values(node.subject)
            if not _has_no_number(subject):
                return None
            for case in node.cases:
                if case.guard is not None:
                    return None
                if self._matches(case.pattern, subject):
                    return case.body
        except _UnknownError:
            return None
        return [ast.copy_location(ast.Pass(), node)]

    def constant_items(self, node: ast.expr) -> ast.expr | None:
        """Return a named small set of numbers, or the keys of such a dict, as a tuple; or None."""
        try:
            [value] = self._values(node)
        except _UnknownError:
            return None
        if not isinstance(value, dict | set | frozenset):
            return None
        items = tuple(value)
        if not 0 < len(items) <= _MOST_SEARCHED or not all(
            is_literal(i) and i is not None for i in items
        ):
            return None
        if len({isinstance(item, tuple) and len(item) for item in items}) > 1:
            return None
        parts = [self.names.number(node, ast.unparse(node), item) for item in items]
        return ast.copy_location(ast.Tuple(parts, ast.Load()), node)

    def _matches(self, pattern: ast.pattern, subject: object) -> bool:
        if isinstance(pattern, ast.MatchValue):
            return bool(self._value(pattern.value) == subject)
        if isinstance(pattern, ast.MatchOr):
            return any(self._matches(alternative, subject) for alternative in pattern.patterns)
        if isinstance(pattern, ast.MatchAs) and pattern.name is None and pattern.pattern is None:
            return True
        raise _UnknownError

    def _values(self, *nodes: ast.expr) -> list[Any]:
        """Return the values of expressions; parameters in them become part of the code.

        Raises:
            _UnknownError: the value of one is not known.
        """
        self._read = {}
        values = list(map(self._value, nodes))
        self.names.rules.inlined_values.update(self._read)
        return values

    def _value(self, node: ast.expr) -> Any:
        """Return the value of an expression.

        Raises:
            _UnknownError: it is not known.
        """
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name_value(node)
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            return self._display_value(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._value(node.operand)
            if isinstance(value, int):
                return -value
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            whole, place = self._value(node.value), self._value(node.slice)
            if isinstance(whole, tuple | list | dict | str | enum.EnumType):
                try:
                    return whole[place]
                except (LookupError, TypeError):  # an error at run time
                    raise _UnknownError from None
        raise _UnknownError

    def _display_value(self, node: ast.Tuple | ast.List | ast.Set | ast.Dict) -> Any:
        if isinstance(node, ast.Dict):
            keys = [self._value(key) for key in node.keys if key is not None]
            if len(keys) < len(node.values):  # ** of another dict
                raise _UnknownError
            return dict(zip(keys, map(self._value, node.values), strict=True))
        kind = frozenset if isinstance(node, ast.Set) else tuple
        return kind(map(self._value, node.elts))

    def _name_value(self, node: ast.Name | ast.Attribute) -> Any:
        chain = syntax.chain(node)
        if chain is None or chain[0] in self.function.locals:
            raise _UnknownError
        if chain[0] in self.function.selves:
            value = self._of_self(chain)
        else:
            value = self.names.static(node, chain)
        if isinstance(value, _CONSTANTS):
            return value
        raise _UnknownError

    def _of_self(self, chain: list[str]) -> Any:
        """Return a constant of the class, or a string or Enum member that is a parameter."""
        if len(chain) == 1 or not hasattr(self.game, chain[1]):
            raise _UnknownError
        kind, name = type(self.game), chain[1]
        is_attribute_of_game = name in parameter_names(self.game) or is_derived(self.game, name)
        value = getattr(self.game if is_attribute_of_game else kind, name)
        if is_attribute_of_game and not isinstance(value, str | enum.Enum):
            raise _UnknownError
        if is_attribute_of_game:
            self._read[name] = value
        else:
            self.names.rules.read_globals.record(kind, name, value)
        for attribute in chain[2:]:
            if not isinstance(value, enum.Enum | enum.EnumType) or not hasattr(value, attribute):
                raise _UnknownError
            value = getattr(value, attribute)
        return value


def _has_no_number(value: object) -> bool:
    """Return whether a value is, or contains, a value for which compiled rules have no number."""
    if isinstance(value, tuple | list | set | frozenset | dict):
        return any(map(_has_no_number, value))
    return isinstance(value, str | enum.Enum | np.str_) and not isinstance(value, int)
