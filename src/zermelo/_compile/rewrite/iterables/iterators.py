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
_FAR = 1 << 62


@dataclass
class Loops:
    """The loops that give the items of an iterable, not rewritten yet.

    Attributes:
        item: the expression of an item.
        generators: the loops, the outermost first.
        before: statements that run first.
    """

    item: ast.expr
    generators: list[ast.comprehension]
    before: list[ast.stmt] = field(default_factory=list)


class Expansions:
    """The iterables of one function that become loops."""

    def __init__(self, names: NameResolver) -> None:
        """Prepare to expand iterables in the function of ``names``."""
        self.names = names
        self.function = names.function
        self._known: dict[Any, Callable[[ast.Call], Loops]] = {
            itertools.product: self._product,
            itertools.combinations: self._combinations,
            itertools.combinations_with_replacement: self._combinations,
            itertools.permutations: self._permutations,
            itertools.pairwise: self._pairwise,
            itertools.repeat: self._repeat,
            itertools.chain: self._chain,
            itertools.chain.from_iterable: self._joined,
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
        known = next((make for each, make in self._known.items() if each == value), None)
        if value is None or known is None:
            return None
        found = known(node)
        for part in (found.item, *found.generators, *found.before):
            with_location(part, node)
        return found

    def over(self, node: ast.expr) -> Loops:
        """Return the loops over any iterable."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return Loops(node.elt, node.generators)
        found = self.loops(node)
        if found is None:
            item = self.function.new_variable()
            found = Loops(with_location(name(item), node), [with_location(_loop(item, node), node)])
        return found

    # -- one method for each function ---------------------------------------------------------

    def _product(self, node: ast.Call) -> Loops:
        rows = self._arguments(node, "repeat") * self._number(node, _keyword(node, "repeat"), 1)
        items = [self.function.new_variable() for _ in rows]
        loops = [_loop(i, syntax.copied(row)) for i, row in zip(items, rows, strict=True)]
        return Loops(_tuple(map(name, items)), loops)

    def _combinations(self, node: ast.Call) -> Loops:
        again = self.names.named_value(node.func) is itertools.combinations_with_replacement
        row, before, many = self._row_and_number(node)
        places = [self.function.new_variable() for _ in range(many)]
        loops = []
        for n, place in enumerate(places):
            begin = places[n - 1] if n else "0"
            begin += " + 1" * (n > 0 and not again)
            loops.append(_loop(place, parse_expression(f"range({begin}, len({row}))")))
        return Loops(_tuple(parse_expression(f"{row}[{place}]") for place in places), loops, before)

    def _permutations(self, node: ast.Call) -> Loops:
        row, before, many = self._row_and_number(node)
        places = [self.function.new_variable() for _ in range(many)]
        loops = []
        for n, place in enumerate(places):
            tests = [parse_expression(f"{place} != {other}") for other in places[:n]]
            loops.append(_loop(place, parse_expression(f"range(len({row}))"), tests))
        return Loops(_tuple(parse_expression(f"{row}[{place}]") for place in places), loops, before)

    def _pairwise(self, node: ast.Call) -> Loops:
        (items,) = self._arguments(node, count=1)
        row, before = self._row(items)
        place = self.function.new_variable()
        loop = _loop(place, parse_expression(f"range(len({row}) - 1)"))
        return Loops(parse_expression(f"({row}[{place}], {row}[{place} + 1])"), [loop], before)

    def _repeat(self, node: ast.Call) -> Loops:
        item, times = self._arguments(node, "times", count=2)
        return Loops(item, [_loop(self.function.new_variable(), call(name("range"), times))])

    def _chain(self, node: ast.Call) -> Loops:
        rows = [self._row(row, always=True) for row in self._arguments(node)]
        item = self.function.new_variable()
        before = [new for _, made in rows for new in made]
        joined = " + ".join(row for row, _ in rows)
        return Loops(name(item), [_loop(item, parse_expression(joined))], before)

    def _joined(self, node: ast.Call) -> Loops:
        (rows,) = self._arguments(node, count=1)
        row, item = self.function.new_variable(), self.function.new_variable()
        return Loops(name(item), [_loop(row, rows), _loop(item, name(row))])

    def _count(self, node: ast.Call) -> Loops:
        begin = self._arguments(node, "start", "step")
        if len(begin) > 1 or any(k.arg == "step" for k in node.keywords):
            self.function.refuse(node, "count() with a step", "count in a while loop")
        item = self.function.new_variable()
        first = begin[0] if begin else ast.Constant(0)
        return Loops(name(item), [_loop(item, call(name("range"), first, ast.Constant(_FAR)))])

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
            beyond = ast.BinOp(name(place), ast.Sub(), syntax.copied(start))
            steps = ast.BinOp(beyond, ast.Mod(), step)
            tests.append(ast.Compare(steps, [ast.Eq()], [ast.Constant(0)]))
        numbered = call(name("zip"), call(name("range"), stop), rows)
        return Loops(name(item), [ast.comprehension(target, numbered, tests, 0)])

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
        many = len(function.args.args) if isinstance(function, ast.Lambda) else 2
        items = [self.function.new_variable() for _ in range(many)]
        target = ast.Tuple([store(item) for item in items], ast.Store())
        loop = ast.comprehension(target, rows, [], 0)
        return Loops(inline_call(function, [name(i) for i in items], self.names), [loop])

    def _filter(self, node: ast.Call) -> Loops:
        function, row = self._arguments(node, count=2)
        item = self.function.new_variable()
        nothing = isinstance(function, ast.Constant) and function.value is None
        test = name(item) if nothing else inline_call(function, [name(item)], self.names)
        return Loops(name(item), [_loop(item, row, [test])])

    # -- their arguments ----------------------------------------------------------------------

    def _arguments(
        self, node: ast.Call, *keywords: str, count: int | None = None
    ) -> list[ast.expr]:
        """Return the arguments; keyword arguments follow, except ``repeat``."""
        label = ast.unparse(node.func)
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if starred or any(k.arg not in keywords for k in node.keywords):
            strange = "*" if starred else f"{node.keywords[0].arg}="
            self.function.refuse(node, f"{label}() with {strange}", "write a for loop")
        given = [*node.args, *(k.value for k in node.keywords if k.arg != "repeat")]
        if count is not None and len(given) != count:
            takes = f"{count} value{'s' * (count > 1)}"
            self.function.refuse(node, f"{label}() without {takes}", "write a for loop")
        return given

    def _number(self, node: ast.Call, given: ast.expr | None, otherwise: int) -> int:
        """Return a number of items that must be a constant."""
        if given is None:
            return otherwise
        known = self.names.number_of(given)
        if known is None or not 0 <= known <= MOST:
            label = ast.unparse(node.func)
            remedy = f"write out a number of at most {MOST}, or write a loop"
            self.function.refuse(node, f"{label}() of a number that is not written out", remedy)
        return known

    def _row_and_number(self, node: ast.Call) -> tuple[str, list[ast.stmt], int]:
        given = self._arguments(node, "r")
        if len(given) != 2:  # noqa: PLR2004  # a row, and how many of it
            label = ast.unparse(node.func)
            self.function.refuse(node, f"{label}() without a number", "say how many to take")
        row, before = self._row(given[0])
        return row, before, self._number(node, given[1], 0)

    def _row(self, node: ast.expr, *, always: bool = False) -> tuple[str, list[ast.stmt]]:
        """Return the name of a row that can be indexed, and the statements that create it."""
        if isinstance(node, ast.Name) and node.id in self.function.locals and not always:
            return node.id, []
        found = self.over(node)
        row = self.function.new_variable()
        listed = ast.ListComp(found.item, found.generators)
        made = with_location(ast.Assign([store(row)], listed), node)
        return row, [*found.before, made]


def _loop(item: str, over: ast.expr, tests: Iterable[ast.expr] = ()) -> ast.comprehension:
    return ast.comprehension(store(item), over, list(tests), 0)


def _tuple(items: Iterable[ast.expr]) -> ast.expr:
    return ast.Tuple(list(items), ast.Load())


def _natural(node: ast.expr) -> ast.expr:
    """Return a number with a check that it is not negative, as in Python."""
    return node if isinstance(node, ast.Constant) else call(support("natural"), node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _keyword(node: ast.Call, wanted: str) -> ast.expr | None:
    return next((k.value for k in node.keywords if k.arg == wanted), None)
