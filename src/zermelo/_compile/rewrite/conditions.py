"""Conditions and loops that several forms share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from zermelo._compile.rewrite.ast_builders import Written, call, support, with_location

#: Returns the rewritten form of a part of the author's function.
Visit = Callable[[ast.AST], Any]


def condition(node: ast.expr, visit: Visit) -> ast.expr:
    """Return a rewritten condition whose compiled truth is that of Python."""
    if isinstance(node, ast.BoolOp):
        return _join_conditions(node, [condition(value, visit) for value in node.values])
    rewritten: ast.expr = visit(node)
    if isinstance(node, ast.Compare | ast.UnaryOp | ast.BinOp | ast.Constant):
        return rewritten
    if isinstance(rewritten, ast.Constant) and isinstance(rewritten.value, bool):
        return rewritten
    return with_location(call(support("truth"), rewritten), node)


def _join_conditions(node: ast.BoolOp, values: list[ast.expr]) -> ast.expr:
    """Return ``and`` or ``or`` of conditions, without those that are known."""
    deciding = isinstance(node.op, ast.Or)
    unknown: list[ast.expr] = []
    for value in values:
        if not isinstance(value, ast.Constant):
            unknown.append(value)
        elif bool(value.value) == deciding:
            unknown.append(value)
            break
    if not unknown:
        return with_location(ast.Constant(not deciding), node)
    return unknown[0] if len(unknown) == 1 else with_location(ast.BoolOp(node.op, unknown), node)


def wrap_in_loops(
    generators: list[ast.comprehension], body: list[ast.stmt], node: ast.AST, visit: Visit
) -> list[ast.stmt]:
    """Return the loops of a comprehension around some statements."""
    for generator in reversed(generators):
        for test in reversed(generator.ifs):
            body = [with_location(ast.If(condition(test, visit), body, []), node)]
        loop_statements = visit(
            with_location(ast.For(generator.target, generator.iter, [Written(body)], []), node)
        )
        body = loop_statements if isinstance(loop_statements, list) else [loop_statements]
    return body


def has_break(body: list[ast.stmt]) -> bool:
    """Return whether the body of a loop has a ``break`` of that loop."""
    inner = (ast.For, ast.While)
    return any(
        isinstance(statement, ast.Break)
        or (isinstance(statement, inner) and has_break(statement.orelse))
        or (not isinstance(statement, inner) and any(map(has_break, _blocks(statement))))
        for statement in body
    )


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements inside one."""
    if isinstance(statement, ast.If):
        yield from (statement.body, statement.orelse)
    if isinstance(statement, ast.Match):
        yield from (case.body for case in statement.cases)
