"""From the author's functions to functions that Numba compiles.

Each rule, and each function and method it calls, becomes a plain function in one generated module:
``self.helper(p)`` a call, ``self.width`` a number, ``self.graph`` a field of the handed-over data,
and whatever a global name stands for is settled now. Line numbers stay those of the author's file.
"""

from __future__ import annotations

import ast
import enum
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from zermelo._compile.read import foreign, syntax
from zermelo._compile.read.constants import (
    NUMBER,
    UnfitError,
    checked_number,
    constant,
    derived,
    kind_of,
    literal,
    read,
)
from zermelo._compile.read.source import Source
from zermelo._compile.rewrite.assigned import guarded
from zermelo._compile.rewrite.forms import Forms, written
from zermelo._compile.rewrite.function import Called, Included
from zermelo._compile.rewrite.scope import prepared, stored_names
from zermelo._compile.rewrite.trees import (
    DATA,
    EMIT_ARGUMENTS,
    SUPPORT,
    call,
    name,
    placed,
    support,
)
from zermelo.game.contract import Game, parameter_names, put


class Rewriter(Forms):
    """Rewrites one function."""

    def __init__(
        self, rules: Included, source: Source, selves: frozenset[int], emitting: str
    ) -> None:
        """Get ready to rewrite ``source``; its arguments at the places ``selves`` are the game."""
        self.rules = rules
        self.source = source
        self.emitting = emitting
        self.selves = set()
        given = source.tree.args
        if given.vararg or given.kwarg:
            self.refuse(source.tree, "* or ** before an argument", "name every argument")
        arguments = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        self.selves = {argument for i, argument in enumerate(arguments) if i in selves}
        self.arguments = [argument for argument in arguments if argument not in self.selves]
        body = prepared(source.tree, self.refuse)
        self.body = guarded(body, [*self.arguments, *self.selves])
        self.locals = stored_names(self.body) | set(self.arguments)
        for taken in sorted(self.selves & self.locals):
            self.fault(source.tree, f"gives {taken} another value; {taken} is the game in rules")

    def rewritten(self, called: str) -> ast.FunctionDef:
        """Return the rewritten function under the name ``called``."""
        tree = self.source.tree
        body = [statement for old in self.body for statement in self.statement(old)]
        given = [DATA, *self.arguments]
        if self.emitting:
            body += self.emitting_end(tree.body[-1])
            given = [DATA, *EMIT_ARGUMENTS, *self.arguments]
        defined = self.rules.defined(called, given, body, tree)
        defined.args.defaults = self._default_expressions(tree)
        return defined

    def _default_expressions(self, tree: ast.FunctionDef) -> list[ast.expr]:
        """Return the defaults that the kernel, which calls hooks, may leave to the function."""
        defaults = syntax.defaults(self.source.function, self.arguments)
        expressions: list[ast.expr] = []
        for argument in reversed(self.arguments):
            if argument not in defaults or not literal(defaults[argument]):
                break
            expressions.insert(0, self._number(tree, f"{argument}=", defaults[argument]))
        return expressions

    # -- names ------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        """Settle what a global name stands for."""
        if node.id in self.selves:
            self.refuse(node, f"{node.id} by itself", f"use {node.id}.something")
        if node.id in self.locals or not isinstance(node.ctx, ast.Load):
            return node
        return self._value(node, node.id, self._lookup(node, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # named by ast
        """Settle ``self.width``, ``Piece.KING``, ``math.pi`` and the like."""
        chain = syntax.chain(node)
        if chain is not None and chain[0] == SUPPORT:
            return node
        if chain is not None and chain[0] in self.selves:
            return self._of_self(node, chain)
        if chain is not None and chain[0] not in self.locals:
            depth = self._data_depth(node, chain)
            if depth < len(chain):
                value = self.expression(syntax.without(node, len(chain) - depth))
                for attribute in chain[depth:]:
                    value = placed(ast.Attribute(value, attribute, ast.Load()), node)
                return value
            return self._value(node, ".".join(chain), self._static(node, chain))
        self.generic_visit(node)
        return node

    # -- calls ------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:  # named by ast
        """Rewrite calls of methods, of helpers, and of what needs another form compiled."""
        special = self.special_call(node)
        if special is not None:
            return special
        chain = syntax.chain(node.func) or [SUPPORT]
        if chain[0] not in self.locals | self.selves | {SUPPORT}:
            value = self._static(node.func, chain)
            if foreign.is_cast(value) and len(node.args) > 1:
                return self.expression(node.args[1])
            if foreign.is_record(value):
                return self._record(node, value)
        called = self.called(node.func)
        if called is None:
            self._check_call(node, chain)
            self.generic_visit(node)
            return node
        if called.generator and called.function is self.source.function:
            remedy = "in moves, use a `yield from` statement for it"
            self.refuse(node, f"{called.label}() inside itself, in a loop", remedy)
        arguments, selves = self.bound_arguments(node, called)
        target = self.rules.function(called, selves)
        return placed(ast.Call(name(target), [name(DATA), *arguments], []), node)

    def _check_call(self, node: ast.Call, chain: list[str]) -> None:
        """Refuse to call what is not a function."""
        if chain[0] in self.selves and hasattr(self.rules.game, ".".join(chain[1:])):
            found = getattr(self.rules.game, chain[1])
            if isinstance(found, int | tuple | np.ndarray):
                what = "a number" if isinstance(found, int) else "a row"
                self.fault(node, f"calls {'.'.join(chain)}, which is {what}; leave out the ()")

    def called(self, func: ast.expr) -> Called | None:
        """Return the function that is called, if it is one of the author's."""
        chain = syntax.chain(func)
        if chain is not None and chain[0] == SUPPORT:
            return None
        if chain is None:
            return self._super_method(func)
        if chain[0] in self.selves:
            if len(chain) != 2:  # noqa: PLR2004  # self.method
                return None
            return self._method(func, type(self.rules.game), chain[1])
        if chain[0] in self.locals:
            return None
        value = foreign.plain(self._static(func, chain))
        if not isinstance(value, FunctionType) or value is put or foreign.is_cast(value):
            return None
        if foreign.of_library(value):
            remedy = "write it as a function of your own"
            self.refuse(func, f"{'.'.join(chain)}()", remedy)
        return Called(value, chain[-1], bound=False)

    def _method(self, node: ast.expr, kind: type, attribute: str) -> Called | None:
        raw = inspect.getattr_static(kind, attribute, None)
        found = foreign.plain(raw)
        if isinstance(raw, classmethod):
            remedy = "make it a staticmethod or an ordinary method"
            self.refuse(node, f"the classmethod {attribute}()", remedy)
        if not isinstance(found, FunctionType):
            return None
        self.rules.watch.note(kind, attribute, getattr(kind, attribute))
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
        return self.fault(func, f"calls super().{func.attr}(), which no base class has")

    def _defines(self, kind: type) -> bool:
        return any(foreign.plain(value) is self.source.function for value in vars(kind).values())

    def bound_arguments(
        self, node: ast.Call, called: Called
    ) -> tuple[list[ast.expr], frozenset[int]]:
        """Return what a function is handed, and which of its arguments are the game."""
        function = called.function
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        own = names[1:] if called.bound else names
        positional = code.co_argcount - (len(names) - len(own))
        values: dict[str, ast.expr] = dict(zip(own[:positional], node.args, strict=False))
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self.refuse(node, f"{called.label}(), which takes * or **", "name its arguments")
        self._check_stars(node)
        if len(node.args) > positional:
            self._miscounted(node, called, own, f"{len(node.args)} values")
        for keyword in node.keywords:
            if keyword.arg not in own or keyword.arg in values:
                self._miscounted(node, called, own, f"{keyword.arg}=")
            values[str(keyword.arg)] = keyword.value
        defaults = syntax.defaults(function, names)
        selves = {0} if called.bound else set()
        arguments = []
        for i, argument in enumerate(names):
            value = values.get(argument)
            if argument not in own:
                continue
            if isinstance(value, ast.Name) and value.id in self.selves:
                selves.add(i)
            elif value is not None:
                arguments.append(_unnamed(self.visit(value)))
            elif argument in defaults:
                label = f"the default of {argument} in {called.label}()"
                arguments.append(_unnamed(self._constant(node, label, defaults[argument])))
            else:
                self._miscounted(node, called, own, f"no {argument}")
        return arguments, frozenset(selves)

    def _check_stars(self, node: ast.Call) -> None:
        starred = any(isinstance(value, ast.Starred) for value in node.args)
        if starred or any(keyword.arg is None for keyword in node.keywords):
            self.refuse(node, "* or ** in a call", "write the arguments out")

    def _miscounted(self, node: ast.AST, called: Called, own: list[str], what: str) -> NoReturn:
        takes = ", ".join(own) or "nothing"
        self.fault(node, f"calls {called.label}() with {what}; it takes {takes}")

    def _record(self, node: ast.Call, kind: Any) -> ast.expr:
        """Return the making of a NamedTuple, every field given a value."""
        fields, defaults = kind._fields, kind._field_defaults
        self._check_stars(node)
        values = dict(zip(fields, node.args, strict=False))
        strange = [k.arg for k in node.keywords if k.arg not in fields or k.arg in values]
        values.update((k.arg, k.value) for k in node.keywords)
        missing = [field for field in fields if field not in values and field not in defaults]
        if len(node.args) > len(fields) or strange or missing:
            takes = f"{kind.__name__}; it takes {', '.join(fields)}"
            what = f"no {missing[0]}" if missing else f"{len(node.args)} values"
            self.fault(node, f"gives {what if not strange else f'{strange[0]}='} to {takes}")
        made = [
            self.visit(values[field])
            if field in values
            else self._constant(node, f"the default of {field}", defaults[field])
            for field in fields
        ]
        return placed(ast.Call(name(self.rules.record(kind)), made, []), node)

    # -- what names stand for ---------------------------------------------------------------

    def _of_self(self, node: ast.Attribute, chain: list[str]) -> ast.expr:
        game, first = self.rules.game, chain[1]
        label = f"{chain[0]}.{first}"
        if not hasattr(game, first):
            kind = type(game).__name__
            self.fault(node, f"uses {label}, which {kind} does not have; write it, or declare it")
        own = first in parameter_names(game) or derived(game, first)
        if not own:
            value = getattr(type(game), first)
            if isinstance(value, FunctionType | MethodType | type):
                self.refuse(node, f"{label} without calling it", f"write {label}(...)")
            self.rules.watch.note(type(game), first, value)
        try:
            whole = read(game, first) if own else constant(getattr(type(game), first))
        except UnfitError as error:
            self._unfit(node, label, error)
        depth = 2
        while hasattr(whole, "_fields") and depth < len(chain) and hasattr(whole, chain[depth]):
            whole = getattr(whole, chain[depth])
            depth += 1
        if depth < len(chain):
            inner = self._of_self(syntax.without(node, len(chain) - depth), chain[:depth])
            for attribute in chain[depth:]:
                inner = placed(ast.Attribute(inner, attribute, ast.Load()), node)
            return inner
        if not own:
            return self._constant(node, label, whole)
        return self._parameter(node, ".".join(chain[1:]), whole)

    def _parameter(self, node: ast.expr, path: str, value: Any) -> ast.expr:
        """Return the expression for a parameter or property of the game."""
        try:
            if value is None or isinstance(value, int):
                if not self.rules.hands_over(path, value):
                    self.rules.baked[path] = value
                    return self._number(node, f"self.{path}", value)
                kind = NUMBER
            else:
                kind = kind_of(value)
        except UnfitError as error:
            self._unfit(node, f"self.{path}", error)
        return placed(self.rules.data(path, kind, path, None), node)

    def _lookup(self, node: ast.AST, wanted: str) -> Any:
        try:
            space, key = self.source.place(wanted)
            value = space[key] if isinstance(space, dict) else space.cell_contents
        except (NameError, ValueError):
            what = f"uses the name {wanted!r}, which is not defined"
            self.fault(node, f"{what}; define it, or correct its spelling")
        self.rules.watch.note(space, key, value)
        return value

    def _static(self, node: ast.AST, chain: list[str]) -> Any:
        value = self._lookup(node, chain[0])
        for i, attribute in enumerate(chain[1:], 1):
            whole = ".".join(chain[: i + 1])
            if foreign.draws_lots(value):
                self._lottery(node, whole)
            try:
                found = getattr(value, attribute)
            except AttributeError:
                self.fault(node, f"uses {whole}, which does not exist; correct its spelling")
            if isinstance(value, ModuleType | type):
                self.rules.watch.note(value, attribute, found)
            value = found
        if foreign.draws_lots(getattr(value, "__self__", None)):
            self._lottery(node, ".".join(chain))
        return value

    def _data_depth(self, node: ast.AST, chain: list[str]) -> int:
        """Return how much of ``a.b.c`` names data; attributes beyond that are the data's own."""
        value = self._lookup(node, chain[0])
        for i, attribute in enumerate(chain[1:], 1):
            own = attribute in getattr(value, "_fields", ()) or isinstance(value, enum.Enum)
            if isinstance(value, int | tuple | list | np.ndarray) and not own:
                return i
            value = getattr(value, attribute, None)
        return len(chain)

    def _lottery(self, node: ast.AST, what: str) -> NoReturn:
        self.refuse(node, what, "they must give the same answer every time")

    def _value(self, node: ast.expr, label: str, value: Any) -> ast.expr:
        """Return the expression for what a global name stands for."""
        if foreign.is_record(value):
            return placed(name(self.rules.record(value)), node)
        if isinstance(value, ModuleType):
            self.refuse(node, f"the module {label} by itself", f"use {label}.something")
        if isinstance(value, FunctionType) and value is not put:
            self.refuse(node, f"the function {label} without calling it", f"write {label}(...)")
        if isinstance(value, MethodType):
            self.refuse(node, label, foreign.ALLOWED)
        if isinstance(value, type | BuiltinFunctionType | np.ufunc) or foreign.of_numpy(value):
            found, remedy = foreign.expression(value)
            if found is None:
                self.refuse(node, label + "()" * callable(value), remedy)
            home, _, short = found.rpartition(".")
            if not home:
                return placed(name(found), node)
            return placed(ast.Attribute(support(home), short, ast.Load()), node)
        if value is put:
            return placed(support("put"), node)
        return self._constant(node, label, value)

    def _constant(self, node: ast.expr, label: str, value: Any) -> ast.expr:
        try:
            frozen = constant(value)
            if literal(frozen):
                return self._number(node, label, frozen)
            kind = kind_of(frozen)
        except UnfitError as error:
            self._unfit(node, label, error)
        called = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in label)
        return placed(self.rules.data(called, kind, None, frozen), node)

    def _number(self, node: ast.AST, label: str, value: Any) -> ast.expr:
        try:
            return placed(written(value, checked_number), node)
        except UnfitError as error:
            self._unfit(node, label, error)

    def _unfit(self, node: ast.AST, label: str, error: UnfitError) -> NoReturn:
        self.fault(node, f"uses {label}, which {error}")


def _unnamed(value: ast.expr) -> ast.expr:
    """Return a constant so that a function is not compiled for it alone."""
    if isinstance(value, ast.Constant) and value.value is None:
        return value
    varies = any(isinstance(part, ast.Name) for part in ast.walk(value))
    if varies and not isinstance(value, ast.Tuple):
        return value
    return placed(call(support("plain"), value), value)
