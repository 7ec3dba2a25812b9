"""From the author's functions to functions that Numba compiles.

Each rule, and each function and method it calls, becomes a plain function in one generated module:
``self.helper(p)`` a call, ``self.width`` a number, ``self.graph`` a field of the handed-over data,
and whatever a global name stands for is settled now. Line numbers stay those of the author's file.
"""

from __future__ import annotations

import ast
import builtins
import enum
import math
import operator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from zermelo._compile import expressions
from zermelo._compile.names import (
    UnfitError,
    checked_number,
    constant,
    derived,
    kind_of,
    literal,
    read,
    snapshot,
)
from zermelo.errors import CompileError
from zermelo.game import Game, parameter_names, put

if TYPE_CHECKING:
    from zermelo._compile.ruleset import RuleSet
    from zermelo._compile.source import Source

#: The argument that carries the handed-over data to every rule.
DATA = "_data"

_BUILTINS = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "divmod",
        "enumerate",
        "int",
        "len",
        "list",
        "max",
        "min",
        "pow",
        "range",
        "reversed",
        "round",
        "sorted",
        "sum",
        "zip",
        "isinstance",
        "AssertionError",
        "IndexError",
        "ValueError",
        "Exception",
    }
)
_INSTEAD = {
    "print": "take it out, or print where the rules are called",
    "set": "use a bit mask, or a tuple",
    "dict": "use a tuple or a NumPy array, looked up by number",
    "str": "rules compute with whole numbers",
    "float": "rules compute with whole numbers",
    "tuple": "write the tuple out, or change one place of it with put(row, i, value)",
    "map": "use a for loop",
    "filter": "use a for loop with an if",
    "next": "use a for loop",
    "super": "call it as super().method(...)",
    "input": "rules may not ask anybody anything",
    "open": "read the file in start() or before the game is made",
    "getattr": "write the attribute's name out",
    "hasattr": "give every game of the class the attribute",
}


class Rewriter(expressions.Expressions):
    """Rewrites one function."""

    def __init__(
        self, rules: RuleSet, source: Source, name: str, *, method: bool, emitting: str
    ) -> None:
        """Rewrite ``source`` to a function called ``name``."""
        self.rules = rules
        self.source = source
        self.name = name
        self.emitting = emitting
        arguments = source.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            self.fail(source.tree, "*args, **kwargs and keyword-only arguments", "name each one")
        self.arguments = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        self.self_name = self.arguments.pop(0) if method and self.arguments else None
        self.locals = _stored_names(source.tree) | set(self.arguments)

    def rewritten(self) -> ast.FunctionDef:
        """Return the rewritten function."""
        tree = self.source.tree
        body = list(tree.body)
        if _is_docstring(body[0]):
            body = body[1:] or [ast.copy_location(ast.Pass(), body[0])]
        given = [ast.arg(DATA), *(ast.arg(name) for name in self.arguments)]
        if self.emitting:
            body = self.emitting_body(body)
            given += [ast.arg(name) for name in expressions.EMIT_ARGUMENTS]
        else:
            body = [statement for old in body for statement in self.statement(old)]
        return ast.copy_location(
            ast.FunctionDef(
                name=self.name,
                args=ast.arguments(
                    posonlyargs=[],
                    args=given,
                    kwonlyargs=[],
                    kw_defaults=[],
                    defaults=[self.visit(default) for default in tree.args.defaults],
                ),
                body=body,
                decorator_list=[ast.Name("rule", ast.Load())],
            ),
            tree,
        )

    def fail(self, node: ast.AST, what: str, remedy: str) -> NoReturn:
        """Raise the error that points at a line of the author's."""
        owner = self.source.function.__qualname__
        message = f"{owner} uses {what}, which rules cannot; {remedy}"
        raise CompileError(message, self.source.filename, getattr(node, "lineno", None))

    # -- names ------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802  # named by ast
        """Settle what a global name stands for."""
        if node.id == self.self_name:
            self.fail(node, f"{node.id} by itself", f"use {node.id}.something")
        if node.id in self.locals or not isinstance(node.ctx, ast.Load):
            return node
        return self._value(node, node.id, self._lookup(node, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # noqa: N802  # named by ast
        """Settle ``self.width``, ``Piece.KING``, ``math.pi`` and the like."""
        chain = _chain(node)
        if chain is not None and chain[0] == self.self_name:
            return self._of_self(node, chain[1:])
        if chain is not None and chain[0] not in self.locals:
            return self._value(node, ".".join(chain), self._static(node, chain))
        return self.generic_visit(node)  # type: ignore[return-value]  # an expression stays one

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802  # named by ast
        """Rewrite calls of methods, of helpers, and of what needs another form compiled."""
        special = self.special_call(node)
        if special is not None:
            return special
        callee = self._callee(node.func)
        if callee is None:
            return self.generic_visit(node)  # type: ignore[return-value]  # an expression stays one
        return ast.copy_location(
            ast.Call(
                ast.copy_location(ast.Name(callee, ast.Load()), node.func),
                [ast.Name(DATA, ast.Load()), *(self.visit(a) for a in node.args)],
                [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords],
            ),
            node,
        )

    def _callee(self, func: ast.expr) -> str | None:
        """Return the generated name of what is called, if it is the author's own function."""
        chain = _chain(func)
        if chain is None:
            return self._super_method(func)
        if chain[0] == self.self_name and len(chain) == 2:  # noqa: PLR2004  # self.method
            found = getattr(type(self.rules.game), chain[1], None)
            if isinstance(found, FunctionType):
                static = isinstance(_in_mro(type(self.rules.game), chain[1]), staticmethod)
                return self._include(func, found, f"rule_{chain[1]}", method=not static)
            return None
        if chain[0] in self.locals or chain[0] == self.self_name:
            return None
        value = self._static(func, chain)
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType) and value not in (put, operator.index):
            return self._include(func, value, f"helper_{chain[-1]}", method=False)
        return None

    def _super_method(self, func: ast.expr) -> str | None:
        if not (
            isinstance(func, ast.Attribute)
            and isinstance(func.value, ast.Call)
            and isinstance(func.value.func, ast.Name)
            and func.value.func.id == "super"
        ):
            return None
        kinds = type(self.rules.game).__mro__
        here = next((i for i, k in enumerate(kinds) if self.source.function in vars(k).values()), 0)
        for kind in kinds[here + 1 :]:
            found = vars(kind).get(func.attr)
            if isinstance(found, FunctionType) and kind is not Game:
                return self._include(func, found, f"rule_{func.attr}", method=True)
        return self.fail(func, f"super().{func.attr}, which no base class has", "write it out")

    def _include(self, node: ast.AST, function: FunctionType, name: str, *, method: bool) -> str:
        del node
        return self.rules.function(function, name, method=method)

    def _of_self(self, node: ast.Attribute, path: list[str]) -> ast.expr:
        game = self.rules.game
        name = path[0]
        if not hasattr(game, name):
            kind = type(game).__name__
            self.fail(node, f"self.{name}, which {kind} has not", "declare it as a parameter")
        if callable(getattr(game, name)):
            self.fail(node, f"self.{name} without calling it", f"write self.{name}(...)")
        own = name in parameter_names(game) or derived(game, name)
        try:
            value = read(game, name) if own else constant(getattr(type(game), name))
        except UnfitError as error:
            self._unfit(node, f"self.{name}", error)
        whole = value
        for attribute in path[1:]:
            if not hasattr(whole, "_fields") or not hasattr(whole, attribute):
                return ast.copy_location(
                    ast.Attribute(self._of_self(_cut(node), path[:-1]), path[-1], node.ctx), node
                )
            whole = getattr(whole, attribute)
        if not own:
            self.rules.globals.append((type(game), name, snapshot(getattr(type(game), name))))
            return self._constant(node, f"self.{name}", whole)
        if whole is None or isinstance(whole, int):
            self.rules.baked[name] = value
            return self._number(node, f"self.{name}", whole)
        try:
            kind_name = kind_of(whole)
        except UnfitError as error:
            self._unfit(node, f"self.{name}", error)
        return ast.copy_location(self.rules.data(name, kind_name, name, None), node)

    def _lookup(self, node: ast.AST, name: str) -> Any:
        try:
            space, key = self.source.place(name)
            value = space[key] if isinstance(space, dict) else space.cell_contents
        except (NameError, ValueError):
            self.fail(node, f"the name {name!r}, which is not defined", "define it or mend it")
        if not isinstance(value, FunctionType | BuiltinFunctionType | ModuleType | type):
            self.rules.globals.append((space, key, snapshot(value)))
        elif space is not vars(builtins):
            self.rules.globals.append((space, key, id(value)))
        return value

    def _static(self, node: ast.AST, chain: list[str]) -> Any:
        value = self._lookup(node, chain[0])
        for i, attribute in enumerate(chain[1:], 1):
            try:
                value = getattr(value, attribute)
            except AttributeError:
                self.fail(node, f"{'.'.join(chain[: i + 1])}, which does not exist", "mend it")
        return value

    def _value(self, node: ast.expr, name: str, value: Any) -> ast.expr:
        """Return the expression for what a global name stands for."""
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return ast.copy_location(ast.Name(self.rules.record(value), ast.Load()), node)
        if value is put:
            return ast.copy_location(ast.Name("put", ast.Load()), node)
        if isinstance(value, enum.Enum) and not isinstance(value, int):
            self.fail(node, f"{name}, an Enum", "make it an IntEnum, or name plain numbers")
        if getattr(builtins, name, None) is value and callable(value):
            if name in _BUILTINS:
                return node
            self.fail(node, f"{name}()", _INSTEAD.get(name, "use whole numbers, tuples and loops"))
        if isinstance(value, ModuleType):
            self.fail(node, f"the module {name} by itself", f"use {name}.something")
        if isinstance(value, type | BuiltinFunctionType | np.ufunc) or _from(value, np):
            return self._foreign(node, name, value)
        if isinstance(value, FunctionType):
            self.fail(node, f"the function {name} without calling it", f"write {name}(...)")
        return self._constant(node, name, value)

    def _foreign(self, node: ast.expr, name: str, value: Any) -> ast.expr:
        module = {"math": math, "numpy": np, "operator": operator, "_operator": operator}.get(
            str(getattr(value, "__module__", "")).split(".")[0]
        )
        short = getattr(value, "__name__", "")
        if module is None or getattr(module, short, None) is not value:
            self.fail(node, name, "rules may call functions of your own, math's and NumPy's")
        self.rules.modules[module.__name__] = module
        return ast.copy_location(
            ast.Attribute(ast.Name(module.__name__, ast.Load()), short, ast.Load()), node
        )

    def _constant(self, node: ast.expr, name: str, value: Any) -> ast.expr:
        try:
            frozen = constant(value)
            if literal(frozen):
                return self._number(node, name, frozen)
            kind = kind_of(frozen)
        except UnfitError as error:
            self._unfit(node, name, error)
        label = "const_" + name.replace(".", "_")
        return ast.copy_location(self.rules.data(label, kind, None, frozen), node)

    def _number(self, node: ast.expr, name: str, value: Any) -> ast.expr:
        try:
            return ast.copy_location(expressions.written(value, checked_number), node)
        except UnfitError as error:
            self._unfit(node, name, error)

    def _unfit(self, node: ast.AST, name: str, error: UnfitError) -> NoReturn:
        owner = self.source.function.__qualname__
        message = f"{owner} uses {name}, which {error}"
        raise CompileError(message, self.source.filename, getattr(node, "lineno", None)) from None


def _chain(node: ast.expr) -> list[str] | None:
    """Return ``["a", "b", "c"]`` for ``a.b.c``, or None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]


def _cut(node: ast.Attribute) -> ast.Attribute:
    return node.value if isinstance(node.value, ast.Attribute) else node


def _stored_names(tree: ast.FunctionDef) -> set[str]:
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _stores(n)}
    return names | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}


def _stores(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _in_mro(kind: type, name: str) -> Any:
    return next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), None)


def _from(value: Any, module: ModuleType) -> bool:
    return callable(value) and getattr(value, "__module__", "").split(".")[0] == module.__name__
