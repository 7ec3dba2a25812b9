"""Construction of syntax trees for generated code, and the names that it uses."""

from __future__ import annotations

import ast
from typing import TypeVar

from zermelo._compile.read.syntax import parts_of

Tree = TypeVar("Tree", bound=ast.AST)

#: The data argument of every rule. Authors do not use such names.
DATA = "_z_data"
#: The number of moves handled, in functions that handle moves instead of yielding them.
MOVE_COUNT = "_z_index"
#: The further arguments of such a function.
EMIT_ARGUMENTS = ("_z_from", "_z_children", "_z_gains", "_z_capacity", MOVE_COUNT)
#: The module of Zermelo's functions for compiled rules.
SUPPORT = "_z"
#: The prefix of generated names.
OURS = "_z_"


def name(text: str) -> ast.expr:
    """Return the expression for a name."""
    return ast.Name(text, ast.Load())


def store(text: str) -> ast.expr:
    """Return the target for a name."""
    return ast.Name(text, ast.Store())


def support(text: str) -> ast.expr:
    """Return the expression for a function of Zermelo."""
    return ast.Attribute(name(SUPPORT), text, ast.Load())


def call(func: ast.expr, *arguments: ast.expr) -> ast.expr:
    """Return the expression for a call."""
    return ast.Call(func, list(arguments), [])


def with_location(tree: Tree, node: ast.AST) -> Tree:
    """Give the new parts of a tree the location of a node; parts with a location keep it."""
    for part in parts_of(tree):
        if _has_place(part) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return tree


def parse_statements(text: str, node: ast.AST) -> list[ast.stmt]:
    """Return the statements of a text, all at the location of a node."""
    body = ast.parse(text).body
    for statement in body:
        for part in parts_of(statement):
            if _has_place(part):
                ast.copy_location(part, node)
    return body


def parse_expression(text: str) -> ast.expr:
    """Return the expression of a text, without a location."""
    expression = ast.parse(text, mode="eval").body
    for part in parts_of(expression):
        for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            part.__dict__.pop(attribute, None)
    return expression


class Written(ast.Pass):
    """Statements that are rewritten already, inside others that are not."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        """Store the statements."""
        super().__init__()
        self.statements = statements


def _has_place(part: ast.AST) -> bool:
    return isinstance(part, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.pattern)
