"""``itertools``, ``map`` and ``filter`` as loops."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo._compile.read import syntax
from zermelo._compile.rewrite.ast_builders import (
    call,
    name,
    parse_expression,
    store,
    support,
    with_location,
)
from zermelo._compile.rewrite.iterables.inlining import inline_call
from zermelo._compile.rewrite.name_resolution import NameResolver

#: The greatest number of items of ``combinations`` and similar functions, and of repeats of
#: ``product``.
MOST = 8
#: The end of ``count()``, which has none.
_COUNT_LIMIT = 1 << 62


@dataclass
class Loops:
    """The loops that give the items of an iterable, not rewritten yet.

    Attributes:
        item: the expression of an item.
        generators: the loops, the outermost first.
        setup: statements that run first.
    """

    item: ast.expr
    generators: list[ast.comprehension]
    setup: list[ast.stmt] = field(default_factory=list)


class IterableExpander:
    """The iterables of one function that become loops."""

    def __init__(self, names: NameResolver) -> None:
        """Prepare to expand iterables in the function of ``names``."""
        self.names = names
        self.function = names.function
        self._expanders: dict[Any, Callable[[ast.Call], Loops]] = {
            itertools.product: self._product,
            itertools.combinations: self._combinations,
            itertools.combinations_with_replacement: self._combinations,
            itertools.permutations: self._permutations,
            itertools.pairwise: self._pairwise,
            itertools.repeat: self._repeat,
            itertools.chain: self._chain,
            itertools.chain.from_iterable: self._chain_from_iterable,
            itertools.count: self._count,
            itertools.islice: self._islice,
            itertools.starmap: self._starmap,
            builtins.map: self._map,
            builtins.filter: self._filter,
        }

    def loops(self, node: ast.expr) -> Loops | None:
        """Return the loops for an iterable, or None if it stays unchanged."""
        if not isinstance(node, ast.Call):
            return None
        value = self.names.named_value(node.func)
        expand = next(
            (expander for function, expander in self._expanders.items() if function == value), None
        )
        if value is None or expand is None:
            return None
        expansion = expand(node)
        for part in (expansion.item, *expansion.generators, *expansion.setup):
            with_location(part, node)
        return expansion

    def loops_over(self, node: ast.expr) -> Loops:
        """Return the loops over any iterable."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return Loops(node.elt, node.generators)
        loops = self.loops(node)
        if loops is None:
            item = self.function.new_variable()
            loops = Loops(with_location(name(item), node), [with_location(_loop(item, node), node)])
        return loops

    # -- one method for each function ---------------------------------------------------------

    def _product(self, node: ast.Call) -> Loops:
        rows = self._arguments(node, "repeat") * self._number(node, _keyword(node, "repeat"), 1)
        items = [self.function.new_variable() for _ in rows]
        loops = [_loop(i, syntax.copy_tree(row)) for i, row in zip(items, rows, strict=True)]
        return Loops(_tuple(map(name, items)), loops)

    def _combinations(self, node: ast.Call) -> Loops:
        repeats = self.names.named_value(node.func) is itertools.combinations_with_replacement
        row, setup, count = self._row_and_number(node)
        places = [self.function.new_variable() for _ in range(count)]
        loops = []
        for n, place in enumerate(places):
            begin = places[n - 1] if n else "0"
            begin += " + 1" * (n > 0 and not repeats)
            loops.append(_loop(place, parse_expression(f"range({begin}, len({row}))")))
        return Loops(_tuple(parse_expression(f"{row}[{place}]") for place in places), loops, setup)

    def _permutations(self, node: ast.Call) -> Loops:
        row, setup, count = self._row_and_number(node)
        places = [self.function.new_variable() for _ in range(count)]
        loops = []
        for n, place in enumerate(places):
            tests = [parse_expression(f"{place} != {earlier}") for earlier in places[:n]]
            loops.append(_loop(place, parse_expression(f"range(len({row}))"), tests))
        return Loops(_tuple(parse_expression(f"{row}[{place}]") for place in places), loops, setup)

    def _pairwise(self, node: ast.Call) -> Loops:
        (items,) = self._arguments(node, count=1)
        row, setup = self._indexable_row(items)
        place = self.function.new_variable()
        loop = _loop(place, parse_expression(f"range(len({row}) - 1)"))
        return Loops(parse_expression(f"({row}[{place}], {row}[{place} + 1])"), [loop], setup)

    def _repeat(self, node: ast.Call) -> Loops:
        item, times = self._arguments(node, "times", count=2)
        return Loops(item, [_loop(self.function.new_variable(), call(name("range"), times))])

    def _chain(self, node: ast.Call) -> Loops:
        rows = [self._indexable_row(row, always=True) for row in self._arguments(node)]
        item = self.function.new_variable()
        setup = [new for _, statements in rows for new in statements]
        sum_of_rows = " + ".join(row for row, _ in rows)
        return Loops(name(item), [_loop(item, parse_expression(sum_of_rows))], setup)

    def _chain_from_iterable(self, node: ast.Call) -> Loops:
        (rows,) = self._arguments(node, count=1)
        row, item = self.function.new_variable(), self.function.new_variable()
        return Loops(name(item), [_loop(row, rows), _loop(item, name(row))])

    def _count(self, node: ast.Call) -> Loops:
        begin = self._arguments(node, "start", "step")
        if len(begin) > 1 or any(k.arg == "step" for k in node.keywords):
            self.function.refuse(node, "count() with a step", "count in a while loop")
        item = self.function.new_variable()
        first = begin[0] if begin else ast.Constant(0)
        return Loops(
            name(item), [_loop(item, call(name("range"), first, ast.Constant(_COUNT_LIMIT)))]
        )

    def _islice(self, node: ast.Call) -> Loops:
        rows, *ends = self._arguments(node)
        ends = [_natural(end) for end in ends]
        if not 1 <= len(ends) <= 3 or any(_is_none(end) for end in ends):  # noqa: PLR2004  # a slice's
            remedy = "write islice(row, stop) or islice(row, start, stop), with a step or without"
            self.function.refuse(node, "islice() without numbers to begin and stop at", remedy)
        stop = ends[min(1, len(ends) - 1)]
        start = ends[0] if len(ends) > 1 else None
        step = ends[2] if len(ends) > 2 else None  # noqa: PLR2004  # the third of them
        place, item = self.function.new_variable(), self.function.new_variable()
        target = ast.Tuple([store(place), store(item)], ast.Store())
        tests: list[ast.expr] = []
        if start is not None:
            tests.append(ast.Compare(name(place), [ast.GtE()], [start]))
        if start is not None and step is not None:
            offset = ast.BinOp(name(place), ast.Sub(), syntax.copy_tree(start))
            steps = ast.BinOp(offset, ast.Mod(), step)
            tests.append(ast.Compare(steps, [ast.Eq()], [ast.Constant(0)]))
        pairs = call(name("zip"), call(name("range"), stop), rows)
        return Loops(name(item), [ast.comprehension(target, pairs, tests, 0)])

    def _map(self, node: ast.Call) -> Loops:
        function, *rows = self._arguments(node)
        if not rows:
            self.function.raise_error(
                node, "calls map() without anything to go over; give it a row"
            )
        items = [self.function.new_variable() for _ in rows]
        loop = _loop(items[0], rows[0])
        if len(rows) > 1:
            target = ast.Tuple([store(item) for item in items], ast.Store())
            loop = ast.comprehension(target, call(name("zip"), *rows), [], 0)
        return Loops(inline_call(function, [name(i) for i in items], self.names), [loop])

    def _starmap(self, node: ast.Call) -> Loops:
        function, rows = self._arguments(node, count=2)
        count = len(function.args.args) if isinstance(function, ast.Lambda) else 2
        items = [self.function.new_variable() for _ in range(count)]
        target = ast.Tuple([store(item) for item in items], ast.Store())
        loop = ast.comprehension(target, rows, [], 0)
        return Loops(inline_call(function, [name(i) for i in items], self.names), [loop])

    def _filter(self, node: ast.Call) -> Loops:
        function, row = self._arguments(node, count=2)
        item = self.function.new_variable()
        has_no_test = isinstance(function, ast.Constant) and function.value is None
        test = name(item) if has_no_test else inline_call(function, [name(item)], self.names)
        return Loops(name(item), [_loop(item, row, [test])])

    # -- their arguments ----------------------------------------------------------------------

    def _arguments(
        self, node: ast.Call, *keywords: str, count: int | None = None
    ) -> list[ast.expr]:
        """Return the arguments; keyword arguments follow, except ``repeat``."""
        label = ast.unparse(node.func)
        has_star = any(isinstance(argument, ast.Starred) for argument in node.args)
        if has_star or any(k.arg not in keywords for k in node.keywords):
            invalid = "*" if has_star else f"{node.keywords[0].arg}="
            self.function.refuse(node, f"{label}() with {invalid}", "write a for loop")
        arguments = [*node.args, *(k.value for k in node.keywords if k.arg != "repeat")]
        if count is not None and len(arguments) != count:
            expected = f"{count} value{'s' * (count > 1)}"
            self.function.refuse(node, f"{label}() without {expected}", "write a for loop")
        return arguments

    def _number(self, node: ast.Call, expression: ast.expr | None, default: int) -> int:
        """Return a number of items that must be a constant."""
        if expression is None:
            return default
        number = self.names.number_of(expression)
        if number is None or not 0 <= number <= MOST:
            label = ast.unparse(node.func)
            remedy = f"write out a number of at most {MOST}, or write a loop"
            self.function.refuse(node, f"{label}() of a number that is not written out", remedy)
        return number

    def _row_and_number(self, node: ast.Call) -> tuple[str, list[ast.stmt], int]:
        arguments = self._arguments(node, "r")
        if len(arguments) != 2:  # noqa: PLR2004  # a row, and how many of it
            label = ast.unparse(node.func)
            self.function.refuse(node, f"{label}() without a number", "say how many to take")
        row, setup = self._indexable_row(arguments[0])
        return row, setup, self._number(node, arguments[1], 0)

    def _indexable_row(self, node: ast.expr, *, always: bool = False) -> tuple[str, list[ast.stmt]]:
        """Return the name of a row that can be indexed, and the statements that create it."""
        if isinstance(node, ast.Name) and node.id in self.function.locals and not always:
            return node.id, []
        loops = self.loops_over(node)
        row = self.function.new_variable()
        items = ast.ListComp(loops.item, loops.generators)
        assignment = with_location(ast.Assign([store(row)], items), node)
        return row, [*loops.setup, assignment]


def _loop(item: str, iterable: ast.expr, tests: Iterable[ast.expr] = ()) -> ast.comprehension:
    return ast.comprehension(store(item), iterable, list(tests), 0)


def _tuple(items: Iterable[ast.expr]) -> ast.expr:
    return ast.Tuple(list(items), ast.Load())


def _natural(node: ast.expr) -> ast.expr:
    """Return a number with a check that it is not negative, as in Python."""
    return node if isinstance(node, ast.Constant) else call(support("non_negative"), node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _keyword(node: ast.Call, keyword: str) -> ast.expr | None:
    return next((k.value for k in node.keywords if k.arg == keyword), None)
