"""Destructuring of tuples.

``here, there, *taken = move``, and ``match move`` by its number of parts.

Comparisons of an argument's length are resolved when Numba compiles, so that moves with two parts
and with three each reach only their own statements.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import call, name, store, with_location
from zermelo._compile.rewrite.prepared.scope import Fail, stored_names

_LENGTHS = "match its parts by their number, as in case here, there, or use if"
#: Returns the expression for the part with an index of the matched value.
Part = Callable[[int], ast.expr]


def expand_patterns(body: list[ast.stmt], fail: Fail) -> list[ast.stmt]:
    """Return statements without patterns of tuples and starred targets.

    Args:
        body: the statements of a function.
        fail: raises the error for a form that cannot be rewritten.
    """
    return _PatternRewriter(fail).block(body)


@dataclass
class _CaseParts:
    """The tests of a pattern, in order, and the names that it assigns."""

    tests: list[ast.expr] = field(default_factory=list)
    names: list[ast.stmt] = field(default_factory=list)


class _PatternRewriter(ast.NodeTransformer):
    """Rewrites the patterns of one function."""

    def __init__(self, fail: Fail) -> None:
        self.fail = fail
        self.count = 0

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return rewritten statements, at least one."""
        statements: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            statements += new if isinstance(new, list) else [new]
        return statements

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:  # named by ast
        """Rewrite ``here, there, *taken = move``."""
        target = node.targets[0]
        if not isinstance(target, ast.Tuple | ast.List) or len(node.targets) > 1:
            return node
        stars = [i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
        if len(stars) != 1:
            return node
        statements, whole = self._whole(node.value, stored_names([target]))
        tail_length = len(target.elts) - 1 - stars[0]
        for i, part in enumerate(target.elts):
            value = _item(whole, i if i < stars[0] else i - len(target.elts))
            if isinstance(part, ast.Starred):
                part, value = part.value, _slice(whole, stars[0], tail_length)  # noqa: PLW2901  # inside
            statements.append(ast.Assign([part], value))
        return [with_location(statement, node) for statement in statements]

    def visit_Match(self, node: ast.Match) -> ast.AST | list[ast.stmt]:  # named by ast
        """Rewrite a ``match`` with patterns of tuples; one of numbers stays unchanged."""
        if not any(_has_sequence(case.pattern) for case in node.cases):
            return self.generic_visit(node)
        assigned_names = {name for case in node.cases for name in stored_names([case.pattern])}
        if isinstance(node.subject, ast.Tuple):
            statements, parts = self._name_values(node.subject.elts)
            return [
                with_location(statement, node)
                for statement in (*statements, *self._cases(node.cases, parts))
            ]
        statements, whole = self._whole(node.subject, assigned_names)
        return [
            with_location(statement, node)
            for statement in (*statements, *self._cases(node.cases, whole))
        ]

    def _whole(self, value: ast.expr, assigned_names: set[str]) -> tuple[list[ast.stmt], str]:
        """Return a name for a value that the patterns do not assign, and statements that set it."""
        if isinstance(value, ast.Name) and value.id not in assigned_names:
            return [], value.id
        fresh = self._fresh()
        return [ast.Assign([store(fresh)], value)], fresh

    def _name_values(self, values: list[ast.expr]) -> tuple[list[ast.stmt], list[str]]:
        """Return statements that name each value, and the names."""
        names = [self._fresh() for _ in values]
        pairs = zip(names, values, strict=True)
        return [ast.Assign([store(variable)], value) for variable, value in pairs], names

    def _cases(self, cases: list[ast.match_case], whole: str | list[str]) -> list[ast.stmt]:
        """Return the cases as nested ``if`` statements."""
        if not cases:
            return []
        case, other_cases = cases[0], cases[1:]
        case_parts = _CaseParts()
        length = self._read(case.pattern, whole, case_parts)
        if length is False:  # a tuple written out that has another length
            return self._cases(other_cases, whole)
        body = [*case_parts.names, *self.block(deepcopy(case.body))]
        if case.guard is not None:
            otherwise = self._cases(deepcopy(other_cases), whole)
            body = [*case_parts.names, ast.If(case.guard, body[len(case_parts.names) :], otherwise)]
        if case_parts.tests:
            test = case_parts.tests[0]
            if len(case_parts.tests) > 1:
                test = ast.BoolOp(ast.And(), case_parts.tests)
            body = [ast.If(test, body, self._cases(deepcopy(other_cases), whole))]
        if isinstance(length, ast.expr):
            body = [ast.If(length, body or [ast.Pass()], self._cases(other_cases, whole))]
        return [with_location(statement, case.pattern) for statement in body]

    def _read(
        self, pattern: ast.pattern, whole: str | list[str], case_parts: _CaseParts
    ) -> ast.expr | bool:
        """Add the tests and names of a case's pattern to ``case_parts``.

        Returns:
            The test of the length, or whether it matches if that is known.
        """
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            if pattern.name is not None:
                value: ast.expr = (
                    name(whole)
                    if isinstance(whole, str)
                    else ast.Tuple([name(part_name) for part_name in whole], ast.Load())
                )
                case_parts.names.append(ast.Assign([store(pattern.name)], value))
            return True
        if not isinstance(pattern, ast.MatchSequence):
            self.fail(pattern, "this pattern beside one of a tuple", _LENGTHS)
        count = len(pattern.patterns)
        stars = [
            i
            for i, part_name in enumerate(pattern.patterns)
            if isinstance(part_name, ast.MatchStar)
        ]
        if isinstance(whole, list):
            if stars:
                self.fail(pattern, "* in a pattern here", _LENGTHS)
            for part_name, part in zip(whole, pattern.patterns, strict=False):
                self._part(part, name(part_name), case_parts)
            return len(whole) == count
        for i, part in enumerate(pattern.patterns):
            place = i if not stars or i < stars[0] else i - count
            value = _slice(whole, i, count - 1 - i) if i in stars else _item(whole, place)
            self._part(part, value, case_parts)
        sign: ast.cmpop = ast.GtE() if stars else ast.Eq()
        length = ast.Constant(count - len(stars))
        return with_location(ast.Compare(call(name("len"), name(whole)), [sign], [length]), pattern)

    def _part(self, pattern: ast.pattern, value: ast.expr, case_parts: _CaseParts) -> None:
        """Add the tests and names of a pattern for one part of a tuple to ``case_parts``."""
        match pattern:
            case ast.MatchAs(pattern=None, name=None) | ast.MatchStar(name=None):
                return
            case ast.MatchStar(name=str(variable)):
                case_parts.names.append(ast.Assign([store(variable)], value))
            case ast.MatchAs(pattern=inner, name=variable):
                if inner is not None:
                    self._part(inner, deepcopy(value), case_parts)
                assert variable is not None  # noqa: S101  # only the wildcard has no name
                case_parts.names.append(ast.Assign([store(variable)], value))
            case ast.MatchValue(value=number):
                test = ast.Compare(value, [ast.Eq()], [number])
                case_parts.tests.append(with_location(test, pattern))
            case ast.MatchOr(patterns=alternatives) if all(
                isinstance(alternative, ast.MatchValue) for alternative in alternatives
            ):
                numbers = [
                    alternative.value
                    for alternative in alternatives
                    if isinstance(alternative, ast.MatchValue)
                ]
                test = ast.Compare(value, [ast.In()], [ast.Tuple(numbers, ast.Load())])
                case_parts.tests.append(with_location(test, pattern))
            case _:
                self.fail(pattern, "this pattern inside one of a tuple", "use if in the case")

    def _fresh(self) -> str:
        self.count += 1
        return f"_z_matched{self.count}"


def _has_sequence(pattern: ast.pattern) -> bool:
    return any(isinstance(part, ast.MatchSequence) for part in parts_of(pattern))


def _item(whole: str, place: int) -> ast.expr:
    number: ast.expr = ast.Constant(abs(place))
    index = ast.UnaryOp(ast.USub(), number) if place < 0 else number
    return ast.Subscript(name(whole), index, ast.Load())


def _slice(whole: str, head_length: int, tail_length: int) -> ast.expr:
    """Return a slice of a tuple without parts at its begin and at its end."""
    upper = ast.UnaryOp(ast.USub(), ast.Constant(tail_length)) if tail_length else None
    return ast.Subscript(name(whole), ast.Slice(ast.Constant(head_length), upper), ast.Load())
