"""Inlining of functions that are arguments, such as ``key=``."""

from __future__ import annotations

import ast
import operator

from zermelo._compile.read import syntax
from zermelo._compile.rewrite.ast_builders import with_location
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.name_resolution import NameResolver


def inline_call(function: ast.expr, given: list[ast.expr], names: NameResolver) -> ast.expr:
    """Return the expression for a function applied to arguments, neither rewritten yet.

    Args:
        function: a lambda, or the name of a function.
        given: the arguments, which may be duplicated.
        names: the names around them.
    """
    if isinstance(function, ast.Lambda):
        return with_location(_written_out(function, given, names.function), function)
    if isinstance(function, ast.Attribute) and function.attr in ("get", "__getitem__"):
        return with_location(ast.Subscript(function.value, given[0], ast.Load()), function)
    if isinstance(function, ast.Call) and names.named_value(function.func) is operator.itemgetter:
        items: list[ast.expr] = [ast.Subscript(given[0], i, ast.Load()) for i in function.args]
        whole = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        return with_location(whole, function)
    return with_location(ast.Call(function, given, []), function)


def _written_out(function: ast.Lambda, given: list[ast.expr], within: Function) -> ast.expr:
    taken = function.args
    arguments = [*taken.posonlyargs, *taken.args]
    if taken.vararg or taken.kwarg or taken.kwonlyargs or len(arguments) != len(given):
        remedy = f"give it {len(given)} argument{'s' * (len(given) != 1)}"
        within.refuse(function, "a lambda with other arguments than it is called with", remedy)
    values = {each.arg: value for each, value in zip(arguments, given, strict=True)}
    body: ast.expr = _Substituted(values).visit(syntax.copied(function.body))
    return body


class _Substituted(ast.NodeTransformer):
    """Replaces names by values."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        value = self.values.get(node.id)
        return node if value is None else syntax.copied(value)
