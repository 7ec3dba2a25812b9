"""Recursive functions, and their limit of depth: beyond it, a process would crash.

Each function on a cycle of calls gets an argument that counts; the others do not change.
"""

from __future__ import annotations

import ast

from zermelo._compile.read.source import Source
from zermelo._compile.read.syntax import definition, parts_of
from zermelo._compile.rewrite.ast_builders import (
    call,
    name,
    parse_expression,
    parse_statements,
    support,
    with_location,
)

#: The limit: more than Python's default, and small enough for any thread's stack.
MOST_DEPTH = 2000
_DEPTH = "_z_depth"
_STOP = (
    f"if {_DEPTH} > {MOST_DEPTH}:\n"
    f"    raise RecursionError('calls are nested more than {MOST_DEPTH} deep')"
)

Functions = dict[str, tuple[ast.FunctionDef, Source]]


def limit_recursion(functions: Functions) -> Functions:
    """Return functions with a limit of recursion.

    Args:
        functions: rewritten functions by name; the trees may be changed.
    """
    called = {label: _called(tree) & functions.keys() for label, (tree, _) in functions.items()}
    reached = {label: _reached(label, called) for label in functions}
    circles = {
        label: {other for other in found if label in reached[other]}
        for label, found in reached.items()
        if label in found and not _yields(functions[label][0])
    }
    made: Functions = {}
    for label, (tree, source) in functions.items():
        if label not in circles:
            made[label] = (tree, source)
            continue
        arguments = [name(each.arg) for each in tree.args.args]
        begin_at = call(support("plain"), ast.Constant(0))
        first = ast.Return(call(name(_deep(label)), *arguments, begin_at))
        begin = definition(label, tree.args, [with_location(first, tree)], tree.decorator_list)
        counted = _Counted(circles[label] & circles.keys()).visit(tree)
        counted.name = _deep(label)
        given = [ast.arg(each.arg) for each in tree.args.args] + [ast.arg(_DEPTH)]
        counted.args = ast.arguments([], given, None, [], [], None, [])
        counted.body = [*parse_statements(_STOP, tree), *counted.body]
        made[_deep(label)] = (with_location(counted, tree), source)
        made[label] = (ast.copy_location(begin, tree), source)
    return made


def _deep(label: str) -> str:
    return f"{label}_deep"


def _called(tree: ast.FunctionDef) -> set[str]:
    return {part.id for part in parts_of(tree) if isinstance(part, ast.Name)}


def _yields(tree: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts_of(tree))


def _reached(label: str, called: dict[str, set[str]]) -> set[str]:
    """Return the functions that a function calls, directly or indirectly."""
    found: set[str] = set()
    waiting = [label]
    while waiting:
        new = called[waiting.pop()] - found
        found |= new
        waiting += new
    return found


class _Counted(ast.NodeTransformer):
    """Passes the depth plus one in calls of some functions."""

    def __init__(self, circle: set[str]) -> None:
        self.circle = circle

    def visit_Call(self, node: ast.Call) -> ast.Call:  # named by ast
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.circle:
            node.func.id = _deep(node.func.id)
            node.args.append(with_location(parse_expression(f"{_DEPTH} + 1"), node))
        return node
