"""Calls in rules: of methods, of helpers, and of functions that compile in another form."""

from __future__ import annotations

import ast
import enum
import inspect
from collections.abc import Container, Sequence
from copy import deepcopy
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from zermelo._compile.read import externals, syntax
from zermelo._compile.rewrite.arithmetic import Arithmetic
from zermelo._compile.rewrite.ast_builders import DATA, SUPPORT, call, name, support, with_location
from zermelo._compile.rewrite.conditions import Visit
from zermelo._compile.rewrite.iterables.iterators import IterableExpander
from zermelo._compile.rewrite.iterables.queues import Queues
from zermelo._compile.rewrite.iterables.reductions import Reductions
from zermelo._compile.rewrite.members import PositionMembers
from zermelo._compile.rewrite.name_resolution import NameResolver
from zermelo._compile.rewrite.ruleset import Callee
from zermelo._compile.rewrite.tuples import Tuples
from zermelo.game.contract import Game
from zermelo.game.records import defaults_of, names_of

_REPLACE_BY_POSITION = "_replace() without the names of fields"

#: The arguments of ``pow`` with a modulus.
_WITH_MODULUS = 3


class _ItemOfRow(ast.Subscript):
    """An item of a row in a call ``f(*row)``, rewritten already."""


class Calls:
    """The calls of one function."""

    def __init__(
        self, names: NameResolver, tuples: Tuples, arithmetic: Arithmetic, visit: Visit
    ) -> None:
        """Prepare to rewrite calls in the function of ``names``; ``visit`` rewrites their parts."""
        self.function, self.rules = names.function, names.rules
        self.names, self.tuples, self.arithmetic = names, tuples, arithmetic
        self.members = PositionMembers(names.function)
        self.visit = visit
        self.expander = IterableExpander(names)
        self.reductions = Reductions(self.expander, arithmetic, visit)
        self.queues = Queues(self.expander, visit)

    def call(self, node: ast.Call) -> ast.expr | None:
        """Return the rewritten form of a call, or None if only its parts are rewritten."""
        special = self._special_form(node)
        if special is not None:
            return special
        chain = syntax.chain(node.func) or [SUPPORT]
        if chain[0] not in self.function.locals | self.function.selves | {SUPPORT}:
            value = self.names.static(node.func, chain)
            if externals.is_cast(value) and len(node.args) > 1:
                cast: ast.expr = self.visit(node.args[1])
                return cast
            if externals.is_record(value):
                return self._record(node, value)
            if isinstance(value, enum.EnumType):
                return self._member(node, value)
            if externals.is_replace(value) and len(node.args) == 1:
                return self._rewrite_replace(node, node.args[0])
            if externals.of_numpy(value):
                self._name_kinds(node)
        callee = self.called_function(node.func)
        if callee is None:
            self._check_call(node, chain)
            return None
        if callee.generator and callee.function is self.function.source.function:
            remedy = "in moves, use a `yield from` statement for it"
            self.function.refuse(node, f"{callee.label}() inside itself, in a loop", remedy)
        arguments, selves = self.bound_arguments(node, callee)
        target = self.rules.function(callee, selves)
        return with_location(ast.Call(name(target), [name(DATA), *arguments], []), node)

    def _check_call(self, node: ast.Call, chain: list[str]) -> None:
        """Reject the call of a value that is not a function."""
        if chain[0] in self.function.selves and hasattr(self.rules.game, ".".join(chain[1:])):
            value = getattr(self.rules.game, chain[1])
            if isinstance(value, int | tuple | np.ndarray):
                noun = "a number" if isinstance(value, int) else "a row"
                self.function.raise_error(
                    node, f"calls {'.'.join(chain)}, which is {noun}; leave out the ()"
                )

    def called_function(self, func: ast.expr) -> Callee | None:
        """Return the function that is called, if the author wrote it."""
        chain = syntax.chain(func)
        if chain is not None and chain[0] == SUPPORT:
            return None
        if chain is None:
            return self._super_method(func) or self.members.method(func)
        if chain[0] in self.function.selves:
            if len(chain) != 2:  # noqa: PLR2004  # self.method
                return None
            return self._method(func, type(self.rules.game), chain[1])
        if chain[0] in self.function.locals:
            return self.members.method(func)
        value = self.names.static(func, chain)
        if externals.of_numpy(value):
            return None
        function = externals.unwrap(value)
        if (
            not isinstance(function, FunctionType)
            or externals.author_helper(function)
            or externals.is_cast(function)
        ):
            return None
        if externals.of_library(function):
            remedy = "write it as a function of your own"
            self.function.refuse(func, f"{'.'.join(chain)}()", remedy)
        return Callee(function, chain[-1], bound=False)

    def _method(self, node: ast.expr, kind: type, attribute: str) -> Callee | None:
        raw = inspect.getattr_static(kind, attribute, None)
        function = externals.unwrap(raw)
        if isinstance(raw, classmethod):
            remedy = "make it a staticmethod or an ordinary method"
            self.function.refuse(node, f"the classmethod {attribute}()", remedy)
        if not isinstance(function, FunctionType):
            return None
        self.rules.read_globals.record(kind, attribute, getattr(kind, attribute))
        return Callee(function, f"self.{attribute}", bound=not isinstance(raw, staticmethod))

    def _super_method(self, func: ast.expr) -> Callee | None:
        if not (
            isinstance(func, ast.Attribute)
            and isinstance(func.value, ast.Call)
            and isinstance(func.value.func, ast.Name)
            and func.value.func.id == "super"
        ):
            return None
        kinds = type(self.rules.game).__mro__
        own_index = next((i for i, kind in enumerate(kinds) if self._defines(kind)), 0)
        for kind in kinds[own_index + 1 :]:
            if func.attr in vars(kind) and kind is not Game:
                return self._method(func, kind, func.attr)
        return self.function.raise_error(
            func, f"calls super().{func.attr}(), which no base class has"
        )

    def _defines(self, kind: type) -> bool:
        return any(
            externals.unwrap(value) is self.function.source.function
            for value in vars(kind).values()
        )

    def bound_arguments(
        self, node: ast.Call, callee: Callee
    ) -> tuple[list[ast.expr], frozenset[int]]:
        """Return the arguments of a function, and the indices of those that are the game."""
        function = callee.function
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        parameters = names[1:] if callee.bound or callee.receiver is not None else names
        positional_count = code.co_argcount - (len(names) - len(parameters))
        defaults = syntax.defaults(function, names)
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self.function.refuse(
                node, f"{callee.label}(), which takes * or **", "name its arguments"
            )
        positional_values = self._positional_arguments(
            node, f"{callee.label}()", parameters[:positional_count], set(defaults)
        )
        values: dict[str, ast.expr] = dict(
            zip(parameters[:positional_count], positional_values, strict=False)
        )
        if len(positional_values) > len(values):
            self._raise_miscount(node, callee, parameters, f"{len(positional_values)} values")
        self._name_arguments(node, callee, parameters, values)
        selves = {0} if callee.bound else set()
        arguments = []
        if callee.receiver is not None:
            arguments.append(self._checked_receiver(callee))
        for i, argument in enumerate(names):
            value = values.get(argument)
            if argument not in parameters:
                continue
            if isinstance(value, ast.Name) and value.id in self.function.selves:
                selves.add(i)
            elif value is not None:
                arguments.append(_without_literal_type(self._argument(value)))
            elif argument in defaults:
                label = f"the default of {argument} in {callee.label}()"
                arguments.append(
                    _without_literal_type(self.names.constant(node, label, defaults[argument]))
                )
            else:
                self._raise_miscount(node, callee, parameters, f"no {argument}")
        return arguments, frozenset(selves)

    def _name_arguments(
        self, node: ast.Call, callee: Callee, parameters: list[str], values: dict[str, ast.expr]
    ) -> None:
        """Add keyword arguments to ``values``, which has the positional ones."""
        for keyword in node.keywords:
            if keyword.arg not in parameters or keyword.arg in values:
                self._raise_miscount(node, callee, parameters, f"{keyword.arg}=")
            values[str(keyword.arg)] = keyword.value

    def _checked_receiver(self, callee: Callee) -> ast.expr:
        """Return the receiver of a method of its class, with a check of its class."""
        assert callee.receiver is not None  # noqa: S101  # just asked
        if callee.of is None:
            receiver: ast.expr = self.visit(callee.receiver)
            return receiver
        method = callee.label.rpartition(".")[2]
        problem = f"takes .{method} of|name it otherwise in {callee.label.split('.')[0]}"
        kind = name(self.rules.record(callee.of))
        return call(
            support("checked_record"), self.visit(callee.receiver), kind, ast.Constant(problem)
        )

    def member(self, node: ast.Attribute) -> ast.expr | None:
        """Return the rewritten form of a property or constant of a position's class, or None."""
        property_and_member = self.members.property(node)
        if property_and_member is not None:
            callee, member = property_and_member
            property_call = ast.copy_location(ast.Call(node, [], []), node)
            arguments, selves = self.bound_arguments(property_call, callee)
            target = self.rules.function(callee, selves)
            arguments = [name(DATA), *arguments]
            if member.doubtful:  # the types decide between property and field
                arguments.insert(0, name(target))
                target = self.rules.getter(member.kind, node.attr)
            return with_location(ast.Call(name(target), arguments, []), node)
        constant = self.members.constant(node)
        if constant is None:
            return None
        label = f"{constant.kind.__name__}.{node.attr}"
        return self.names.constant(node, label, constant.value)

    def _positional_arguments(
        self, node: ast.Call, label: str, parameters: Sequence[str], defaults: Container[str]
    ) -> list[ast.expr]:
        """Return the positional arguments of a call.

        A row at its end, ``f(a, *row)``, is written out.

        Args:
            node: the call.
            label: the name of the function.
            parameters: the names of its positional parameters.
            defaults: the parameters with defaults.
        """
        if any(keyword.arg is None for keyword in node.keywords):
            self.function.refuse(node, "** in a call", "write the arguments out")
        stars = [n for n, value in enumerate(node.args) if isinstance(value, ast.Starred)]
        if not stars:
            return node.args
        *leading, last = node.args
        keyword_names = {keyword.arg for keyword in node.keywords}
        remaining = [
            argument for argument in parameters[len(leading) :] if argument not in keyword_names
        ]
        if stars != [len(leading)] or not isinstance(last, ast.Starred):
            remedy = "write the arguments out, or give one row by its name, as the last of them"
            self.function.refuse(node, "* in a call before its last argument", remedy)
        if any(argument in defaults for argument in remaining):
            remedy = "write the arguments out, as it need not be given all of them"
            self.function.refuse(node, f"* in a call of {label}", remedy)
        if not isinstance(last.value, ast.Name | ast.Attribute):
            remedy = "give the row a name first: row = ..., and *row"
            self.function.refuse(node, "* in a call before more than a name", remedy)
        count = ast.Constant(len(remaining))
        problem = (
            f"gives {label} the values of|give it a row of {len(remaining)}: {', '.join(remaining)}"
        )
        row = call(support("tuple_of_length"), self.visit(last.value), count, ast.Constant(problem))
        parts = [
            _ItemOfRow(deepcopy(row), ast.Constant(n), ast.Load()) for n in range(len(remaining))
        ]
        return [*leading, *(with_location(part, node) for part in parts)]

    def _argument(self, value: ast.expr) -> ast.expr:
        """Return a rewritten argument."""
        if isinstance(value, _ItemOfRow):
            return ast.copy_location(ast.Subscript(value.value, value.slice, value.ctx), value)
        rewritten: ast.expr = self.visit(value)
        return rewritten

    def _raise_miscount(
        self, node: ast.AST, callee: Callee, parameters: list[str], problem: str
    ) -> NoReturn:
        expected = ", ".join(parameters) or "nothing"
        self.function.raise_error(
            node, f"calls {callee.label}() with {problem}; it takes {expected}"
        )

    def _record(self, node: ast.Call, kind: Any) -> ast.expr:
        """Return the creation of a NamedTuple, with a value for every field."""
        fields, defaults = names_of(kind), defaults_of(kind)
        positional = self._positional_arguments(node, kind.__name__, fields, defaults)
        values: dict[str | None, ast.expr] = dict(zip(fields, positional, strict=False))
        invalid = [k.arg for k in node.keywords if k.arg not in fields or k.arg in values]
        values.update((k.arg, k.value) for k in node.keywords)
        missing = [field for field in fields if field not in values and field not in defaults]
        if len(positional) > len(fields) or invalid or missing:
            expected = f"{kind.__name__}; it takes {', '.join(fields)}"
            problem = f"no {missing[0]}" if missing else f"{len(positional)} values"
            self.function.raise_error(
                node, f"gives {problem if not invalid else f'{invalid[0]}='} to {expected}"
            )
        values_by_field = [
            self._argument(values[field])
            if field in values
            else self.names.constant(node, f"the default of {field}", defaults[field])
            for field in fields
        ]
        lengths = self.rules.lengths(kind)
        values_by_field = [
            value if length is None else call(support("as_field"), value, ast.Constant(length))
            for value, length in zip(values_by_field, lengths, strict=True)
        ]
        return with_location(ast.Call(name(self.rules.record(kind)), values_by_field, []), node)

    def _name_kinds(self, node: ast.Call) -> None:
        """Replace ``int`` and ``bool`` as types of arrays by NumPy's types."""
        kinds = {int: "int64", bool: "bool_"}
        node.args = [self._kind(part, kinds) for part in node.args]
        for keyword in node.keywords:
            keyword.value = self._kind(keyword.value, kinds)

    def _kind(self, node: ast.expr, kinds: dict[type, str]) -> ast.expr:
        value = self.names.named_value(node) if isinstance(node, ast.Name) else None
        kind = kinds.get(value) if isinstance(value, type) else None
        if kind is None:
            return node
        return with_location(ast.Attribute(support("numpy"), kind, ast.Load()), node)

    def _member(self, node: ast.Call, kind: Any) -> ast.expr:
        """Return the member of an IntEnum with a value; compiled, it is the value."""
        label = kind.__name__
        if not issubclass(kind, int):
            self.function.refuse(node, f"{label}(...)", f"name the member, as in {label}.NAME")
        if len(node.args) != 1 or node.keywords:
            self.function.raise_error(
                node, f"calls {label}() with more than a value; give it one value"
            )
        value = self.visit(node.args[0])
        if issubclass(kind, enum.Flag):
            return with_location(call(name("int"), value), node)
        members = self.names.constant(node, label, tuple(kind))
        return with_location(call(support("member"), value, members), node)

    def _special_form(self, node: ast.Call) -> ast.expr | None:
        """Return the form of a call that compiles differently, or None for an ordinary call."""
        func = node.func
        if isinstance(func, ast.Name) and func.id not in self.function.locals:
            if func.id == "bool" and len(node.args) == 1:
                node.args = [with_location(call(support("truth"), self.visit(node.args[0])), node)]
                return node
            if func.id == "pow" and len(node.args) == _WITH_MODULUS:
                return with_location(call(support("power"), *map(self.visit, node.args)), node)
            if func.id == "tuple":
                return self.tuples.rewrite_tuple(node)
            if func.id in ("enumerate", "zip"):
                return self._rewrite_pairing(node, func.id)
        if isinstance(func, ast.Attribute) and func.attr == "_replace":
            if node.args:
                self.function.refuse(node, _REPLACE_BY_POSITION, "write _replace(field=value)")
            return self._rewrite_replace(node, func.value)
        computed = self.arithmetic.call(node, self.names.named_value(func), self.visit)
        return computed or self.queues.call(node) or self.reductions.call(node)

    def _rewrite_pairing(self, node: ast.Call, function: str) -> ast.expr:
        """Return ``enumerate`` and ``zip`` without keyword arguments."""
        arguments = [self.visit(part) for part in node.args]
        keywords = {str(k.arg): k.value for k in node.keywords}
        if function == "enumerate" and "start" in keywords:
            arguments.append(self.visit(keywords["start"]))
        strict = keywords.get("strict")
        if function == "zip" and isinstance(strict, ast.Constant) and strict.value and arguments:
            first = arguments[0]
            arguments = [
                first,
                *(call(support("same_length"), part, first) for part in arguments[1:]),
            ]
        return with_location(call(name(function), *arguments), node)

    def _rewrite_replace(self, node: ast.Call, old: ast.expr) -> ast.expr:
        """Return the rewritten form of ``old._replace(...)`` or ``replace(old, ...)``."""
        names = [k.arg for k in node.keywords if k.arg is not None]
        if len(names) < len(node.keywords):
            self.function.refuse(node, _REPLACE_BY_POSITION, "write _replace(field=value)")
        if not names:
            rewritten: ast.expr = self.visit(old)
            return rewritten
        values = [self.visit(k.value) for k in node.keywords]
        function = self.rules.replacer(tuple(names))
        return ast.copy_location(call(name(function), self.visit(old), *values), node)


def _without_literal_type(value: ast.expr) -> ast.expr:
    """Return a constant in a form for which Numba does not compile a separate version."""
    if isinstance(value, ast.Constant) and value.value is None:
        return value
    varies = any(isinstance(part, ast.Name) for part in syntax.parts_of(value))
    if varies and not isinstance(value, ast.Tuple):
        return value
    return with_location(call(support("unliteral"), value), value)
