"""Inlining of functions that are arguments, such as ``key=``."""

from __future__ import annotations

import ast
import operator

from zermelo._compile.read import syntax
from zermelo._compile.rewrite.ast_builders import with_location
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.name_resolution import NameResolver


def inline_call(function: ast.expr, arguments: list[ast.expr], names: NameResolver) -> ast.expr:
    """Return the expression for a function applied to arguments, neither rewritten yet.

    Args:
        function: a lambda, or the name of a function.
        arguments: the arguments, which may be duplicated.
        names: the names around them.
    """
    if isinstance(function, ast.Lambda):
        return with_location(_inline_lambda(function, arguments, names.function), function)
    if isinstance(function, ast.Attribute) and function.attr in ("get", "__getitem__"):
        return with_location(ast.Subscript(function.value, arguments[0], ast.Load()), function)
    if isinstance(function, ast.Call) and names.named_value(function.func) is operator.itemgetter:
        items: list[ast.expr] = [ast.Subscript(arguments[0], i, ast.Load()) for i in function.args]
        whole = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        return with_location(whole, function)
    return with_location(ast.Call(function, arguments, []), function)


def _inline_lambda(function: ast.Lambda, arguments: list[ast.expr], caller: Function) -> ast.expr:
    signature = function.args
    parameters = [*signature.posonlyargs, *signature.args]
    if (
        signature.vararg
        or signature.kwarg
        or signature.kwonlyargs
        or len(parameters) != len(arguments)
    ):
        remedy = f"give it {len(arguments)} argument{'s' * (len(arguments) != 1)}"
        caller.refuse(function, "a lambda with other arguments than it is called with", remedy)
    values = {parameter.arg: value for parameter, value in zip(parameters, arguments, strict=True)}
    body: ast.expr = _NameReplacer(values).visit(syntax.copy_tree(function.body))
    return body


class _NameReplacer(ast.NodeTransformer):
    """Replaces names by values."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        value = self.values.get(node.id)
        return node if value is None else syntax.copy_tree(value)
