"""Small things rewriting asks of functions and of trees."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from zermelo._compile.common import call, placed, support


def chain(node: ast.expr) -> list[str] | None:
    """Return ``["a", "b", "c"]`` for ``a.b.c``, or None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(parts)]


def unnamed(value: ast.expr) -> ast.expr:
    """Return a constant so that a function is not compiled for it alone."""
    if isinstance(value, ast.Constant) and value.value is None:
        return value
    varies = any(isinstance(part, ast.Name) for part in ast.walk(value))
    if varies and not isinstance(value, ast.Tuple):
        return value
    return placed(call(support("plain"), value), value)


def without(node: ast.Attribute, last: int) -> Any:
    """Return an attribute of an attribute without its last parts."""
    inner: Any = node
    for _ in range(last):
        inner = inner.value
    return inner


def defaults(function: FunctionType, names: list[str]) -> dict[str, Any]:
    """Return the defaults of a function's arguments."""
    given = function.__defaults__ or ()
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    defaults.update(function.__kwdefaults__ or {})
    return {argument: value for argument, value in defaults.items() if argument in names}
