"""Tuples built of parts: ``tuple(…)``, ``t[:i] + (x,) + t[i + 1:]``, ``(*a, x)``, ``row += (x,)``.

Their length is constant if it follows from their parts, as in ``tuple(f(x) for x in p.cells)``:
such a tuple needs no allocation. All others have a variable length at run time, which is checked
where a position stores them.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from itertools import groupby

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import (
    DATA,
    call,
    name,
    parse_statements,
    store,
    support,
    with_location,
)
from zermelo._compile.rewrite.conditions import Visit
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.prepared.scope import stored_names

_MOST_ZEROS = 256
_BRANCHES = (ast.For, ast.While, ast.If, ast.Match)
_PURE = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.UnaryOp)
_PARTS = (ast.expr_context, ast.operator, ast.unaryop)


class Tuples:
    """The tuples built in one function."""

    def __init__(self, function: Function, visit: Visit) -> None:
        """Prepare to rewrite tuples in ``function``; ``visit`` rewrites their parts."""
        self.function = function
        self.visit = visit
        self.growing = _growing_variables(function.body)
        self._lengths_vary = _has_varying_lengths(function.body)

    def initial_statements(self) -> list[ast.stmt]:
        """Return statements that convert growing arguments to tuples of variable length."""
        tree = self.function.source.tree
        growing_arguments = [
            argument for argument in self.function.arguments if argument in self.growing
        ]
        return [
            with_location(
                ast.Assign([store(variable)], call(support("as_variable_tuple"), name(variable))),
                tree,
            )
            for variable in growing_arguments
        ]

    def loosen_value(self, node: ast.Assign) -> None:
        """Convert the value of a growing variable to a tuple of variable length."""
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in self.growing:
            node.value = with_location(call(support("as_variable_tuple"), node.value), node)

    def loosen_result(self, node: ast.Return) -> None:
        """Convert the returned value to a tuple of variable length, if lengths differ."""
        if self._lengths_vary and node.value is not None:
            node.value = with_location(call(support("as_variable_tuple"), node.value), node)

    def rewrite_tuple(self, node: ast.Call) -> ast.expr:
        """Return the rewritten form of ``tuple(…)``."""
        if node.keywords or len(node.args) > 1:
            self.function.refuse(node, "tuple() of several things", "write tuple(row)")
        if not node.args:
            return ast.copy_location(ast.Tuple([], ast.Load()), node)
        items = node.args[0]
        sorted_call = self._ordered(items)
        if sorted_call is not None:
            return with_location(sorted_call, node)
        filled_call = self._filled_by_call(_loop_of(items), node)
        return filled_call or with_location(call(support("to_tuple"), self.visit(items)), node)

    def rewrite_display(self, node: ast.Tuple | ast.List) -> ast.expr | None:
        """Return the rewritten form of ``(*a, x)`` or ``[*a, x]``, or None without a star."""
        if not any(isinstance(part, ast.Starred) for part in node.elts):
            return None
        if isinstance(node, ast.Tuple):
            return self._sum_of_parts(node, _summands(node))
        whole: ast.expr | None = None
        for part in _summands(node):
            if isinstance(part, ast.Tuple):
                side: ast.expr = ast.List([self.visit(item) for item in part.elts], ast.Load())
            else:
                side = call(name("list"), self.visit(part))
            whole = side if whole is None else ast.BinOp(whole, ast.Add(), side)
        assert whole is not None  # noqa: S101  # something is starred
        return with_location(whole, node)

    def rewrite_replacement(self, node: ast.BinOp) -> ast.expr | None:
        """Return the rewritten form of ``t[:i] + (x,) + t[i + 1:]``; None for other sums."""
        replacement = _replacement_parts(_summands(node))
        if replacement is None:
            return None
        return with_location(call(support("replace_item"), *map(self.visit, replacement)), node)

    def _sum_of_parts(self, node: ast.expr, parts: list[ast.expr]) -> ast.expr:
        """Return the sum of parts."""
        replacement = _replacement_parts(parts)
        if replacement is not None:
            return with_location(call(support("replace_item"), *map(self.visit, replacement)), node)
        whole: ast.expr | None = None
        for part in parts:
            side = self.visit(part)
            if not isinstance(part, ast.Tuple):
                side = call(support("to_tuple"), side)
            whole = side if whole is None else ast.BinOp(whole, ast.Add(), side)
        assert whole is not None  # noqa: S101  # something is starred
        return with_location(whole, node)

    def _ordered(self, items: ast.expr) -> ast.expr | None:
        """Return the rewritten form of ``tuple(sorted(row, reverse=True))``, or None."""
        if not _is_call_of(items, "sorted") or "sorted" in self.function.locals:
            return None
        assert isinstance(items, ast.Call)  # noqa: S101  # ``_is_call_of`` holds
        reverse_values = [keyword.value for keyword in items.keywords if keyword.arg == "reverse"]
        if len(items.args) != 1 or len(reverse_values) < len(items.keywords):
            return None
        row = items.args[0]
        if isinstance(row, ast.GeneratorExp | ast.ListComp):
            row = ast.copy_location(ast.Call(name("tuple"), [row], []), items)
        reverse = self.visit(reverse_values[0]) if reverse_values else ast.Constant(value=False)
        return call(support("sorted_tuple"), self.visit(row), call(support("truth"), reverse))

    def _filled_by_call(
        self, loop: ast.GeneratorExp | ast.ListComp | None, node: ast.Call
    ) -> ast.expr | None:
        """Return the call of a function that fills a tuple; None if the length is not constant."""
        if loop is None or len(loop.generators) != 1 or loop.generators[0].ifs:
            return None
        if _is_tuple(loop.elt) or isinstance(loop.elt, ast.ListComp | ast.GeneratorExp | ast.List):
            return None
        [generator] = loop.generators
        measure = self._measure(generator.iter)
        if measure is None:
            return None
        names_read = {part.id for part in parts_of(loop) if isinstance(part, ast.Name)}
        loop_variables = stored_names([loop])
        outer = sorted((names_read & self.function.locals) - loop_variables)
        self.function.locals |= loop_variables
        blank = call(support("blank"), measure, call(name("len"), deepcopy(measure)))
        fill = call(support("fill"), name("_z_items"), name("_z_index"), self.visit(loop.elt))
        body = [
            *parse_statements("_z_index = 0", node),
            with_location(ast.Assign([store("_z_items")], blank), node),
            with_location(
                ast.For(
                    generator.target,
                    self.visit(generator.iter),
                    [ast.Expr(fill), *parse_statements("_z_index += 1", node)],
                    [],
                ),
                node,
            ),
            *parse_statements("return _z.filled_tuple(_z_items)", node),
        ]
        function = self.function.rules.add_function_part(
            "tuple", [DATA, *outer], body, self.function.source, node
        )
        values = [name(argument) for argument in (DATA, *outer)]
        return with_location(call(name(function), *values), node)

    def _measure(self, items: ast.expr) -> ast.expr | None:
        """Return a rewritten expression with the length of a loop's iterable; None if unknown."""
        if isinstance(items, ast.Name | ast.Attribute):
            expression: ast.expr = self.visit(deepcopy(items))
            return expression
        if isinstance(items, ast.Tuple) and not _has_star(items):
            return _zeros(len(items.elts))
        if not isinstance(items, ast.Call) or not isinstance(items.func, ast.Name):
            return None
        function = items.func.id
        if function in self.function.locals or not items.args or _has_star(items):
            return None
        if function in ("enumerate", "reversed"):
            return self._measure(items.args[0])
        if function == "zip":
            return self._shortest(items.args)
        return self._range_length(items.args) if function == "range" else None

    def _shortest(self, rows: list[ast.expr]) -> ast.expr | None:
        """Return an expression with the length of the shortest row, or None."""
        shortest: ast.expr | None = None
        for n, row in enumerate(rows):
            length = self._measure(row)
            if length is None:
                return None
            shortest = call(support("shorter_row"), shortest, length) if n and shortest else length
        return shortest

    def _range_length(self, ends: list[ast.expr]) -> ast.expr | None:
        """Return an expression with the length of a range.

        None if that is known only at run time.
        """
        if len(ends) == 1 and _is_call_of(ends[0], "len"):
            assert isinstance(ends[0], ast.Call)  # noqa: S101  # ``_is_call_of`` holds
            return self._measure(ends[0].args[0])
        numbers = [_number(self.visit(deepcopy(end))) for end in ends]
        values = [number for number in numbers if number is not None]
        if len(values) < len(numbers) or (len(values) == 3 and not values[2]):  # noqa: PLR2004  # the step
            return None
        return _zeros(len(range(*values)))


def _loop_of(items: ast.expr) -> ast.GeneratorExp | ast.ListComp | None:
    """Return a comprehension, also for ``reversed(row)`` and a range; else None."""
    if isinstance(items, ast.GeneratorExp | ast.ListComp):
        return items
    if _is_call_of(items, "reversed") or _is_call_of(items, "range"):
        generator = ast.comprehension(store("_z_each"), items, [], 0)
        return ast.GeneratorExp(name("_z_each"), [generator])
    return None


def _is_call_of(node: ast.expr, function: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == function
        and bool(node.args)
    )


def _has_star(node: ast.Tuple | ast.Call) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else node.args
    return any(isinstance(part, ast.Starred) for part in parts)


def _zeros(count: int) -> ast.expr | None:
    """Return a tuple of zeros with a given length."""
    if not 0 < count <= _MOST_ZEROS:
        return None
    return ast.Tuple([ast.Constant(0) for _ in range(count)], ast.Load())


def _number(node: ast.expr) -> int | None:
    """Return the value of an expression of numbers, or None for any other."""
    if any(not isinstance(part, _PURE + _PARTS) for part in parts_of(node)):
        return None
    if any(isinstance(part, ast.Name | ast.Attribute | ast.Subscript) for part in parts_of(node)):
        return None
    try:
        number = eval(ast.unparse(node), {"__builtins__": {}})  # noqa: S307  # numbers and signs alone
    except (ArithmeticError, TypeError, ValueError):
        return None
    return number if type(number) is int else None


def _summands(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a sum, or of a display with stars, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_summands(node.left), *_summands(node.right)]
    if not isinstance(node, ast.Tuple | ast.List):
        return [node]
    parts: list[ast.expr] = []
    for is_starred, items in groupby(node.elts, lambda part: isinstance(part, ast.Starred)):
        if is_starred:
            parts += [part.value for part in items if isinstance(part, ast.Starred)]
        else:
            parts.append(ast.copy_location(ast.Tuple(list(items), ast.Load()), node))
    return parts


def _replacement_parts(parts: list[ast.expr]) -> list[ast.expr] | None:
    """Return the row, the index and the new item of ``t[:i] + (x,) + t[i + 1:]``, else None."""
    if len(parts) != 3:  # noqa: PLR2004  # before, the item, after
        return None
    start, item, end = parts
    if not (isinstance(start, ast.Subscript) and isinstance(end, ast.Subscript)):
        return None
    if not (isinstance(item, ast.Tuple) and len(item.elts) == 1 and not _has_star(item)):
        return None
    first, last = start.slice, end.slice
    if not (isinstance(first, ast.Slice) and isinstance(last, ast.Slice)):
        return None
    if first.lower or first.step or last.upper or last.step or not (first.upper and last.lower):
        return None
    index, next_index = first.upper, last.lower
    is_same_row = (
        ast.dump(start.value) == ast.dump(end.value) and _is_pure(start.value) and _is_pure(index)
    )
    return (
        [start.value, index, item.elts[0]]
        if is_same_row and _is_next_index(index, next_index)
        else None
    )


def _is_pure(node: ast.expr) -> bool:
    return all(isinstance(part, _PURE + _PARTS) for part in parts_of(node))


def _is_next_index(index: ast.expr, next_index: ast.expr) -> bool:
    """Return whether an expression is another one plus 1."""
    number, next_number = _number(index), _number(next_index)
    if number is not None and next_number is not None:
        return next_number == number + 1 and number >= 0
    if not isinstance(next_index, ast.BinOp) or not isinstance(next_index.op, ast.Add):
        return False
    sides = ((next_index.left, next_index.right), (next_index.right, next_index.left))
    return any(
        ast.dump(summand) == ast.dump(index)
        and isinstance(addend, ast.Constant)
        and addend.value == 1
        for summand, addend in sides
    )


def _is_tuple(node: ast.expr) -> bool:
    """Return whether an expression is recognised as a tuple."""
    if isinstance(node, ast.BinOp):
        return _is_tuple(node.left) or _is_tuple(node.right)
    is_slice = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return isinstance(node, ast.Tuple) or _is_call_of(node, "tuple") or is_slice


def _growing_variables(body: list[ast.stmt]) -> set[str]:
    """Return the variables to which tuples are added possibly more than once."""
    extended: set[str] = set()
    tuples: set[str] = set()
    for statement in body:
        is_branch = isinstance(statement, _BRANCHES)
        for node in parts_of(statement):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                target, value = node.target.id, node.value
                adds = isinstance(node.op, ast.Add)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                target, value = node.targets[0].id, node.value
                adds = _adds(target, value)
            else:
                continue
            if adds and is_branch:
                extended.add(target)
            if _is_tuple(value):
                tuples.add(target)
    return extended & tuples


def _adds(target: str, value: ast.expr) -> bool:
    """Return whether a variable is assigned itself and more, or a part of itself."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return isinstance(value.value, ast.Name) and value.value.id == target
    parts = _summands(value)
    if len(parts) < 2 or _replacement_parts(parts) is not None:  # noqa: PLR2004  # a single part adds nothing
        return False
    return any(isinstance(node, ast.Name) and node.id == target for node in parts_of(value))


def _has_varying_lengths(body: list[ast.stmt]) -> bool:
    """Return whether a function is recognised to return tuples of different lengths."""
    nodes = [node for statement in body for node in parts_of(statement)]
    values = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
    displays = [value for value in values if isinstance(value, ast.Tuple) and not _has_star(value)]
    if len({len(value.elts) for value in displays}) > 1:
        return True
    whole = {ast.dump(value) for value in values}
    sums = [_summands(value) for value in values if isinstance(value, ast.BinOp)]
    # A sum of numbers is not converted, as LLVM does not inline the conversion.
    of_tuples = (parts for parts in sums if any(map(_is_tuple, parts)))
    return any(ast.dump(part) in whole for parts in of_tuples for part in parts)
