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
    callees = {label: _callees(tree) & functions.keys() for label, (tree, _) in functions.items()}
    reachable = {label: _reachable(label, callees) for label in functions}
    cycles = {
        label: {target for target in targets if label in reachable[target]}
        for label, targets in reachable.items()
        if label in targets and not _yields(functions[label][0])
    }
    limited: Functions = {}
    for label, (tree, source) in functions.items():
        if label not in cycles:
            limited[label] = (tree, source)
            continue
        arguments = [name(argument.arg) for argument in tree.args.args]
        zero = call(support("unliteral"), ast.Constant(0))
        first = ast.Return(call(name(_deep(label)), *arguments, zero))
        starter = definition(label, tree.args, [with_location(first, tree)], tree.decorator_list)
        counting = _DepthPasser(cycles[label] & cycles.keys()).visit(tree)
        counting.name = _deep(label)
        parameters = [ast.arg(argument.arg) for argument in tree.args.args] + [ast.arg(_DEPTH)]
        counting.args = ast.arguments([], parameters, None, [], [], None, [])
        counting.body = [*parse_statements(_STOP, tree), *counting.body]
        limited[_deep(label)] = (with_location(counting, tree), source)
        limited[label] = (ast.copy_location(starter, tree), source)
    return limited


def _deep(label: str) -> str:
    return f"{label}_deep"


def _callees(tree: ast.FunctionDef) -> set[str]:
    return {part.id for part in parts_of(tree) if isinstance(part, ast.Name)}


def _yields(tree: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts_of(tree))


def _reachable(label: str, callees: dict[str, set[str]]) -> set[str]:
    """Return the functions that a function calls, directly or indirectly."""
    reachable: set[str] = set()
    stack = [label]
    while stack:
        unseen = callees[stack.pop()] - reachable
        reachable |= unseen
        stack += unseen
    return reachable


class _DepthPasser(ast.NodeTransformer):
    """Passes the depth plus one in calls of some functions."""

    def __init__(self, cycle: set[str]) -> None:
        self.cycle = cycle

    def visit_Call(self, node: ast.Call) -> ast.Call:  # named by ast
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.cycle:
            node.func.id = _deep(node.func.id)
            node.args.append(with_location(parse_expression(f"{_DEPTH} + 1"), node))
        return node
