"""Definite assignment: variables that may be unset where they are read.

Python raises an error there, and Numba reads uninitialised memory. So such a variable gets a flag,
which each read checks; every other variable stays unchanged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import (
    call,
    name,
    parse_statements,
    store,
    support,
    with_location,
)
from zermelo._compile.rewrite.prepared.scope import renamed, stored_names

_Names = frozenset[str]


def check_assignments(body: list[ast.stmt], arguments: Iterable[str]) -> list[ast.stmt]:
    """Return a function's body with checks at reads of variables that may be unset.

    Args:
        body: the statements, without ``:=``.
        arguments: the variables that are set from the start.
    """
    assigned_names = frozenset(arguments)
    flow = _Flow({n for n in stored_names(body) if not renamed(n)} - assigned_names)
    flow.block(body, assigned_names)
    doubtful = {node.id for node in flow.doubtful}
    if not doubtful:
        return body
    guard = _Guard(doubtful, {id(node) for node in flow.doubtful})
    begin = [
        new for n in sorted(doubtful) for new in parse_statements(f"{_flag(n)} = False", body[0])
    ]
    return [*begin, *guard.block(body)]


def _flag(variable: str) -> str:
    return f"_z_has_{variable}"


class _Flow:
    """Tracks which variables are definitely set after each statement; None if it is unreachable."""

    def __init__(self, variables: set[str]) -> None:
        self.variables = variables
        self.doubtful: list[ast.Name] = []
        self._break_states: list[list[_Names]] = []

    def block(self, body: list[ast.stmt], assigned_names: _Names | None) -> _Names | None:
        """Return the variables set after some statements."""
        for statement in body:
            if assigned_names is None:
                return None
            assigned_names = self.statement(statement, assigned_names)
        return assigned_names

    def statement(self, node: ast.stmt, assigned_names: _Names) -> _Names | None:
        """Return the variables set after one statement."""
        if isinstance(node, ast.If):
            self._read(node.test, assigned_names)
            return _common(
                self.block(node.body, assigned_names), self.block(node.orelse, assigned_names)
            )
        if isinstance(node, ast.For | ast.While):
            return self._loop(node, assigned_names)
        if isinstance(node, ast.Match):
            return self._match(node, assigned_names)
        if isinstance(node, ast.Break):
            self._break_states[-1].append(assigned_names)
            return None
        self._read(node, assigned_names)
        if isinstance(node, ast.Return | ast.Raise | ast.Continue):
            return None
        return assigned_names | stored_names([node])

    def _loop(self, node: ast.For | ast.While, assigned_names: _Names) -> _Names | None:
        self._break_states.append([])
        in_loop = assigned_names
        if isinstance(node, ast.For):
            self._read(node.iter, assigned_names)
            in_loop = assigned_names | stored_names([node.target])
            after_loop: _Names | None = assigned_names
        else:
            self._read(node.test, assigned_names)
            always = isinstance(node.test, ast.Constant) and bool(node.test.value)
            after_loop = None if always else assigned_names
        self.block(node.body, in_loop)
        after_loop = self.block(node.orelse, after_loop)
        for at_break in self._break_states.pop():
            after_loop = _common(after_loop, at_break)
        return after_loop

    def _match(self, node: ast.Match, assigned_names: _Names) -> _Names | None:
        self._read(node.subject, assigned_names)
        after_cases: _Names | None = None
        unmatched: _Names | None = assigned_names
        for case in node.cases:
            in_case = assigned_names | stored_names([case.pattern])
            if case.guard is not None:
                self._read(case.guard, in_case)
            after_cases = _common(after_cases, self.block(case.body, in_case))
            if case.guard is None and isinstance(case.pattern, ast.MatchAs):
                unmatched = None if case.pattern.pattern is None else unmatched
        return _common(after_cases, unmatched)

    def _read(self, node: ast.AST, assigned_names: _Names) -> None:
        for part in parts_of(node):
            if isinstance(part, ast.Name) and part.id in self.variables - assigned_names:
                aug = isinstance(node, ast.AugAssign) and part is node.target
                if aug or isinstance(part.ctx, ast.Load):
                    self.doubtful.append(part)


def _common(left: _Names | None, right: _Names | None) -> _Names | None:
    if left is None or right is None:
        return right if left is None else left
    return left & right


class _Guard(ast.NodeTransformer):
    """Sets a flag at each assignment of a doubtful variable, and checks it at each read."""

    def __init__(self, variables: set[str], doubtful: set[int]) -> None:
        self.variables = variables
        self.doubtful = doubtful

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements with flags."""
        return [new for old in body for new in self.statement(old)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the rewritten form of one statement."""
        if isinstance(node, ast.AugAssign) and id(node.target) in self.doubtful:
            assert isinstance(node.target, ast.Name)  # noqa: S101  # only names are doubtful
            checked_read = self._checked(node.target)
            value = with_location(ast.BinOp(checked_read, node.op, node.value), node)
            assignment: ast.stmt = with_location(ast.Assign([store(node.target.id)], value), node)
            return [assignment, *self._set(node.target, node)]
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                begin = self._set(node.target, node) if isinstance(node, ast.For) else []
                begin = begin if field == "body" else []
                setattr(node, field, [*begin, *self.block(value)])
            elif isinstance(value, list) and value and isinstance(value[0], ast.match_case):
                for case in value:
                    case.guard = None if case.guard is None else self.visit(case.guard)
                    case.body = [*self._set(case.pattern, node), *self.block(case.body)]
            elif isinstance(value, ast.expr):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list):
                items = [self.visit(i) if isinstance(i, ast.AST) else i for i in value]
                setattr(node, field, items)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return [node, *self._set(node, node)]
        return [node]

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        return self._checked(node) if id(node) in self.doubtful else node

    def _checked(self, node: ast.Name) -> ast.expr:
        checked_read = call(support("checked_variable"), name(_flag(node.id)), name(node.id))
        return with_location(checked_read, node)

    def _set(self, target: ast.AST, node: ast.stmt) -> list[ast.stmt]:
        names = sorted(stored_names([target]) & self.variables)
        return [new for name in names for new in parse_statements(f"{_flag(name)} = True", node)]
