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

_Known = frozenset[str]


def check_assignments(body: list[ast.stmt], arguments: Iterable[str]) -> list[ast.stmt]:
    """Return a function's body with checks at reads of variables that may be unset.

    Args:
        body: the statements, without ``:=``.
        arguments: the variables that are set from the start.
    """
    known = frozenset(arguments)
    flow = _Flow({n for n in stored_names(body) if not renamed(n)} - known)
    flow.block(body, known)
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
        self._leaving: list[list[_Known]] = []

    def block(self, body: list[ast.stmt], known: _Known | None) -> _Known | None:
        """Return the variables set after some statements."""
        for statement in body:
            if known is None:
                return None
            known = self.statement(statement, known)
        return known

    def statement(self, node: ast.stmt, known: _Known) -> _Known | None:
        """Return the variables set after one statement."""
        if isinstance(node, ast.If):
            self._read(node.test, known)
            return _either(self.block(node.body, known), self.block(node.orelse, known))
        if isinstance(node, ast.For | ast.While):
            return self._loop(node, known)
        if isinstance(node, ast.Match):
            return self._match(node, known)
        if isinstance(node, ast.Break):
            self._leaving[-1].append(known)
            return None
        self._read(node, known)
        if isinstance(node, ast.Return | ast.Raise | ast.Continue):
            return None
        return known | stored_names([node])

    def _loop(self, node: ast.For | ast.While, known: _Known) -> _Known | None:
        self._leaving.append([])
        begin = known
        if isinstance(node, ast.For):
            self._read(node.iter, known)
            begin = known | stored_names([node.target])
            after: _Known | None = known
        else:
            self._read(node.test, known)
            always = isinstance(node.test, ast.Constant) and bool(node.test.value)
            after = None if always else known
        self.block(node.body, begin)
        after = self.block(node.orelse, after)
        for left in self._leaving.pop():
            after = _either(after, left)
        return after

    def _match(self, node: ast.Match, known: _Known) -> _Known | None:
        self._read(node.subject, known)
        after: _Known | None = None
        rest: _Known | None = known
        for case in node.cases:
            inside = known | stored_names([case.pattern])
            if case.guard is not None:
                self._read(case.guard, inside)
            after = _either(after, self.block(case.body, inside))
            if case.guard is None and isinstance(case.pattern, ast.MatchAs):
                rest = None if case.pattern.pattern is None else rest
        return _either(after, rest)

    def _read(self, node: ast.AST, known: _Known) -> None:
        for part in parts_of(node):
            if isinstance(part, ast.Name) and part.id in self.variables - known:
                aug = isinstance(node, ast.AugAssign) and part is node.target
                if aug or isinstance(part.ctx, ast.Load):
                    self.doubtful.append(part)


def _either(one: _Known | None, other: _Known | None) -> _Known | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


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
            read = self._checked(node.target)
            value = with_location(ast.BinOp(read, node.op, node.value), node)
            node_or_assign: ast.stmt = with_location(
                ast.Assign([store(node.target.id)], value), node
            )
            return [node_or_assign, *self._set(node.target, node)]
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
                visited = [self.visit(i) if isinstance(i, ast.AST) else i for i in value]
                setattr(node, field, visited)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return [node, *self._set(node, node)]
        return [node]

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        return self._checked(node) if id(node) in self.doubtful else node

    def _checked(self, node: ast.Name) -> ast.expr:
        read = call(support("assigned"), name(_flag(node.id)), name(node.id))
        return with_location(read, node)

    def _set(self, target: ast.AST, node: ast.stmt) -> list[ast.stmt]:
        names = sorted(stored_names([target]) & self.variables)
        return [new for each in names for new in parse_statements(f"{_flag(each)} = True", node)]
