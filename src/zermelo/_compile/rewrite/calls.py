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
from zermelo._compile.rewrite.iterables.iterators import Expansions
from zermelo._compile.rewrite.iterables.queues import Queues
from zermelo._compile.rewrite.iterables.reductions import Reductions
from zermelo._compile.rewrite.members import PositionMembers
from zermelo._compile.rewrite.name_resolution import NameResolver
from zermelo._compile.rewrite.ruleset import Called
from zermelo._compile.rewrite.tuples import Tuples
from zermelo.game.contract import Game
from zermelo.game.records import defaults_of, names_of

_UNNAMED = "_replace() without the names of fields"

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
        self.expansions = Expansions(names)
        self.reductions = Reductions(self.expansions, arithmetic, visit)
        self.queues = Queues(self.expansions, visit)

    def call(self, node: ast.Call) -> ast.expr | None:
        """Return the rewritten form of a call, or None if only its parts are rewritten."""
        special = self._special(node)
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
                return self._replaced(node, node.args[0])
            if externals.of_numpy(value):
                self._name_kinds(node)
        called = self.called_function(node.func)
        if called is None:
            self._check_call(node, chain)
            return None
        if called.generator and called.function is self.function.source.function:
            remedy = "in moves, use a `yield from` statement for it"
            self.function.refuse(node, f"{called.label}() inside itself, in a loop", remedy)
        arguments, selves = self.bound_arguments(node, called)
        target = self.rules.function(called, selves)
        return with_location(ast.Call(name(target), [name(DATA), *arguments], []), node)

    def _check_call(self, node: ast.Call, chain: list[str]) -> None:
        """Reject the call of a value that is not a function."""
        if chain[0] in self.function.selves and hasattr(self.rules.game, ".".join(chain[1:])):
            found = getattr(self.rules.game, chain[1])
            if isinstance(found, int | tuple | np.ndarray):
                what = "a number" if isinstance(found, int) else "a row"
                self.function.raise_error(
                    node, f"calls {'.'.join(chain)}, which is {what}; leave out the ()"
                )

    def called_function(self, func: ast.expr) -> Called | None:
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
        found = self.names.static(func, chain)
        if externals.of_numpy(found):
            return None
        value = externals.unwrap(found)
        if (
            not isinstance(value, FunctionType)
            or externals.author_helper(value)
            or externals.is_cast(value)
        ):
            return None
        if externals.of_library(value):
            remedy = "write it as a function of your own"
            self.function.refuse(func, f"{'.'.join(chain)}()", remedy)
        return Called(value, chain[-1], bound=False)

    def _method(self, node: ast.expr, kind: type, attribute: str) -> Called | None:
        raw = inspect.getattr_static(kind, attribute, None)
        found = externals.unwrap(raw)
        if isinstance(raw, classmethod):
            remedy = "make it a staticmethod or an ordinary method"
            self.function.refuse(node, f"the classmethod {attribute}()", remedy)
        if not isinstance(found, FunctionType):
            return None
        self.rules.watch.record(kind, attribute, getattr(kind, attribute))
        return Called(found, f"self.{attribute}", bound=not isinstance(raw, staticmethod))

    def _super_method(self, func: ast.expr) -> Called | None:
        if not (
            isinstance(func, ast.Attribute)
            and isinstance(func.value, ast.Call)
            and isinstance(func.value.func, ast.Name)
            and func.value.func.id == "super"
        ):
            return None
        kinds = type(self.rules.game).__mro__
        here = next((i for i, kind in enumerate(kinds) if self._defines(kind)), 0)
        for kind in kinds[here + 1 :]:
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
        self, node: ast.Call, called: Called
    ) -> tuple[list[ast.expr], frozenset[int]]:
        """Return the arguments of a function, and the indices of those that are the game."""
        function = called.function
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        own = names[1:] if called.bound or called.receiver is not None else names
        positional = code.co_argcount - (len(names) - len(own))
        defaults = syntax.defaults(function, names)
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self.function.refuse(
                node, f"{called.label}(), which takes * or **", "name its arguments"
            )
        given = self._spread(node, f"{called.label}()", own[:positional], set(defaults))
        values: dict[str, ast.expr] = dict(zip(own[:positional], given, strict=False))
        if len(given) > len(values):
            self._miscounted(node, called, own, f"{len(given)} values")
        self._name_arguments(node, called, own, values)
        selves = {0} if called.bound else set()
        arguments = []
        if called.receiver is not None:
            arguments.append(self._received(called))
        for i, argument in enumerate(names):
            value = values.get(argument)
            if argument not in own:
                continue
            if isinstance(value, ast.Name) and value.id in self.function.selves:
                selves.add(i)
            elif value is not None:
                arguments.append(_unnamed(self._argument(value)))
            elif argument in defaults:
                label = f"the default of {argument} in {called.label}()"
                arguments.append(_unnamed(self.names.constant(node, label, defaults[argument])))
            else:
                self._miscounted(node, called, own, f"no {argument}")
        return arguments, frozenset(selves)

    def _name_arguments(
        self, node: ast.Call, called: Called, own: list[str], values: dict[str, ast.expr]
    ) -> None:
        """Add keyword arguments to ``values``, which has the positional ones."""
        for keyword in node.keywords:
            if keyword.arg not in own or keyword.arg in values:
                self._miscounted(node, called, own, f"{keyword.arg}=")
            values[str(keyword.arg)] = keyword.value

    def _received(self, called: Called) -> ast.expr:
        """Return the receiver of a method of its class, with a check of its class."""
        assert called.receiver is not None  # noqa: S101  # just asked
        if called.of is None:
            received: ast.expr = self.visit(called.receiver)
            return received
        method = called.label.rpartition(".")[2]
        what = f"takes .{method} of|name it otherwise in {called.label.split('.')[0]}"
        kind = name(self.rules.record(called.of))
        return call(support("of_kind"), self.visit(called.receiver), kind, ast.Constant(what))

    def member(self, node: ast.Attribute) -> ast.expr | None:
        """Return the rewritten form of a property or constant of a position's class, or None."""
        found = self.members.property(node)
        if found is not None:
            called, member = found
            asked = ast.copy_location(ast.Call(node, [], []), node)
            arguments, selves = self.bound_arguments(asked, called)
            target = self.rules.function(called, selves)
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

    def _spread(
        self, node: ast.Call, label: str, takes: Sequence[str], defaults: Container[str]
    ) -> list[ast.expr]:
        """Return the positional arguments of a call.

        A row at its end, ``f(a, *row)``, is written out.

        Args:
            node: the call.
            label: the name of the function.
            takes: the names of its positional parameters.
            defaults: the parameters with defaults.
        """
        if any(keyword.arg is None for keyword in node.keywords):
            self.function.refuse(node, "** in a call", "write the arguments out")
        stars = [n for n, value in enumerate(node.args) if isinstance(value, ast.Starred)]
        if not stars:
            return node.args
        *before, last = node.args
        named = {keyword.arg for keyword in node.keywords}
        rest = [argument for argument in takes[len(before) :] if argument not in named]
        if stars != [len(before)] or not isinstance(last, ast.Starred):
            remedy = "write the arguments out, or give one row by its name, as the last of them"
            self.function.refuse(node, "* in a call before its last argument", remedy)
        if any(argument in defaults for argument in rest):
            remedy = "write the arguments out, as it need not be given all of them"
            self.function.refuse(node, f"* in a call of {label}", remedy)
        if not isinstance(last.value, ast.Name | ast.Attribute):
            remedy = "give the row a name first: row = ..., and *row"
            self.function.refuse(node, "* in a call before more than a name", remedy)
        count = ast.Constant(len(rest))
        wanted = f"gives {label} the values of|give it a row of {len(rest)}: {', '.join(rest)}"
        row = call(support("shaped"), self.visit(last.value), count, ast.Constant(wanted))
        parts = [_ItemOfRow(deepcopy(row), ast.Constant(n), ast.Load()) for n in range(len(rest))]
        return [*before, *(with_location(part, node) for part in parts)]

    def _argument(self, value: ast.expr) -> ast.expr:
        """Return a rewritten argument."""
        if isinstance(value, _ItemOfRow):
            return ast.copy_location(ast.Subscript(value.value, value.slice, value.ctx), value)
        rewritten: ast.expr = self.visit(value)
        return rewritten

    def _miscounted(self, node: ast.AST, called: Called, own: list[str], what: str) -> NoReturn:
        takes = ", ".join(own) or "nothing"
        self.function.raise_error(node, f"calls {called.label}() with {what}; it takes {takes}")

    def _record(self, node: ast.Call, kind: Any) -> ast.expr:
        """Return the creation of a NamedTuple, with a value for every field."""
        fields, defaults = names_of(kind), defaults_of(kind)
        given = self._spread(node, kind.__name__, fields, defaults)
        values: dict[str | None, ast.expr] = dict(zip(fields, given, strict=False))
        strange = [k.arg for k in node.keywords if k.arg not in fields or k.arg in values]
        values.update((k.arg, k.value) for k in node.keywords)
        missing = [field for field in fields if field not in values and field not in defaults]
        if len(given) > len(fields) or strange or missing:
            takes = f"{kind.__name__}; it takes {', '.join(fields)}"
            what = f"no {missing[0]}" if missing else f"{len(given)} values"
            self.function.raise_error(
                node, f"gives {what if not strange else f'{strange[0]}='} to {takes}"
            )
        made = [
            self._argument(values[field])
            if field in values
            else self.names.constant(node, f"the default of {field}", defaults[field])
            for field in fields
        ]
        lengths = self.rules.lengths(kind)
        made = [
            value if length is None else call(support("as_field"), value, ast.Constant(length))
            for value, length in zip(made, lengths, strict=True)
        ]
        return with_location(ast.Call(name(self.rules.record(kind)), made, []), node)

    def _name_kinds(self, node: ast.Call) -> None:
        """Replace ``int`` and ``bool`` as types of arrays by NumPy's types."""
        kinds = {int: "int64", bool: "bool_"}
        node.args = [self._kind(part, kinds) for part in node.args]
        for keyword in node.keywords:
            keyword.value = self._kind(keyword.value, kinds)

    def _kind(self, node: ast.expr, kinds: dict[type, str]) -> ast.expr:
        meant = self.names.named_value(node) if isinstance(node, ast.Name) else None
        kind = kinds.get(meant) if isinstance(meant, type) else None
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

    def _special(self, node: ast.Call) -> ast.expr | None:
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
                return self._paired(node, func.id)
        if isinstance(func, ast.Attribute) and func.attr == "_replace":
            if node.args:
                self.function.refuse(node, _UNNAMED, "write _replace(field=value)")
            return self._replaced(node, func.value)
        computed = self.arithmetic.call(node, self.names.named_value(func), self.visit)
        return computed or self.queues.call(node) or self.reductions.call(node)

    def _paired(self, node: ast.Call, how: str) -> ast.expr:
        """Return ``enumerate`` and ``zip`` without keyword arguments."""
        given = [self.visit(part) for part in node.args]
        named = {str(k.arg): k.value for k in node.keywords}
        if how == "enumerate" and "start" in named:
            given.append(self.visit(named["start"]))
        strict = named.get("strict")
        if how == "zip" and isinstance(strict, ast.Constant) and strict.value and given:
            first = given[0]
            given = [first, *(call(support("as_long"), part, first) for part in given[1:])]
        return with_location(call(name(how), *given), node)

    def _replaced(self, node: ast.Call, old: ast.expr) -> ast.expr:
        """Return the rewritten form of ``old._replace(...)`` or ``replace(old, ...)``."""
        names = [k.arg for k in node.keywords if k.arg is not None]
        if len(names) < len(node.keywords):
            self.function.refuse(node, _UNNAMED, "write _replace(field=value)")
        if not names:
            unchanged: ast.expr = self.visit(old)
            return unchanged
        values = [self.visit(k.value) for k in node.keywords]
        function = self.rules.replacer(tuple(names))
        return ast.copy_location(call(name(function), self.visit(old), *values), node)


def _unnamed(value: ast.expr) -> ast.expr:
    """Return a constant in a form for which Numba does not compile a separate version."""
    if isinstance(value, ast.Constant) and value.value is None:
        return value
    varies = any(isinstance(part, ast.Name) for part in syntax.parts_of(value))
    if varies and not isinstance(value, ast.Tuple):
        return value
    return with_location(call(support("plain"), value), value)
