"""Functions such as ``any``, ``sum``, ``min``, ``next`` and ``sorted`` as generated loops."""

from __future__ import annotations

import ast
import functools
import math
from typing import Any

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.arithmetic import Arithmetic
from zermelo._compile.rewrite.ast_builders import (
    DATA,
    call,
    name,
    parse_expression,
    parse_statements,
    store,
    support,
    with_location,
)
from zermelo._compile.rewrite.conditions import Visit, wrap_in_loops
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.iterables.inlining import inline_call
from zermelo._compile.rewrite.iterables.iterators import IterableExpander, Loops
from zermelo._compile.rewrite.prepared.scope import stored_names
from zermelo._compile.rewrite.ranges import is_step

_BUILTINS = (any, all, sum, min, max, next, sorted)
_LOOP_REMEDY = "write a for loop"
_START_UNSEEN = "_z_seen = False"
_BEST = """
if not _z_seen:
    _z_best = {item}
    _z_least = {key}
    _z_seen = True
elif {key} {sign} _z_least:
    _z_best = {item}
    _z_least = {key}
"""
_RETURN_BEST = "if not _z_seen:\n    raise ValueError('nothing to choose from')\nreturn _z_best"
_SORT = """
for _z_i in range(1, len(_z_items)):
    _z_item = _z_items[_z_i]
    _z_key = _z_keys[_z_i]
    _z_j = _z_i
    while _z_j > 0 and _z_key {} _z_keys[_z_j - 1]:
        _z_items[_z_j] = _z_items[_z_j - 1]
        _z_keys[_z_j] = _z_keys[_z_j - 1]
        _z_j -= 1
    _z_items[_z_j] = _z_item
    _z_keys[_z_j] = _z_key
return _z_items
"""


class Reductions:
    """The calls of one function that reduce or sort an iterable."""

    def __init__(self, expander: IterableExpander, arithmetic: Arithmetic, visit: Visit) -> None:
        """Prepare to rewrite calls in the function of ``expander``.

        Args:
            expander: the loops over iterables of the function.
            arithmetic: the checked arithmetic of the function.
            visit: rewrites an expression inside a call.
        """
        self.expander, self.names = expander, expander.names
        self.function: Function = expander.function
        self.arithmetic, self.visit = arithmetic, visit

    def call(self, node: ast.Call) -> ast.expr | None:
        """Return the rewritten form of a call, or None if the call stays unchanged."""
        value = self.names.named_value(node.func)
        label = getattr(value, "__name__", "")
        if any(value is builtin for builtin in _BUILTINS):
            return self._reduction(node, label)
        if value is functools.reduce:
            return self._reduce(node)
        if value is math.prod:
            arguments = [*node.args, *(k.value for k in node.keywords)]
            begin = arguments[1] if len(arguments) > 1 else ast.Constant(1)
            return self._accumulate_items(node, "prod", "mul", begin)
        loops = self.expander.loops(node)
        return None if loops is None else self.list_of_items(loops, node)

    def list_of_items(self, loops: Loops, node: ast.AST) -> ast.expr:
        """Return a list of the items of loops; or the iterable itself, if that has these items."""
        first, *inner = loops.generators
        is_identity = (
            isinstance(loops.item, ast.Name) and ast.unparse(first.target) == loops.item.id
        )
        if is_identity and not (inner or first.ifs or loops.setup):
            iterable: ast.expr = self.visit(first.iter)  # a list of count() would never end
            return iterable
        comprehension = with_location(ast.ListComp(loops.item, loops.generators), node)
        if not loops.setup:
            rewritten: ast.expr = self.visit(comprehension)
            return rewritten
        setup = [new for old in loops.setup for new in _as_list(self.visit(old))]
        body = [*setup, with_location(ast.Return(self.visit(comprehension)), node)]
        return self._function_call(node, "listed", body, [*loops.setup, comprehension], [])

    def _reduction(self, node: ast.Call, label: str) -> ast.expr | None:
        first = node.args[0] if node.args else None
        is_comprehension = isinstance(first, ast.GeneratorExp | ast.ListComp)
        keywords = {str(k.arg): k.value for k in node.keywords}
        if label == "next":
            return self._next(node)
        if label == "sorted":
            return self._sorted(node, keywords) if "key" in keywords else None
        has_loops = is_comprehension or (
            first is not None and self.expander.loops(first) is not None
        )
        if label in ("min", "max"):
            return self._min_or_max(node, label, keywords) if has_loops or keywords else None
        keyword_names = {"start"} if label == "sum" else set()
        self._check(node, label, keyword_names)
        begin = keywords.get("start", node.args[1] if len(node.args) > 1 else ast.Constant(0))
        if label == "sum" and isinstance(begin, ast.List):
            remedy = "begin with a list and put numbers into it in a loop"
            self.function.refuse(node, "sum() of lists", remedy)
        if not has_loops:
            if label == "sum":
                text = ast.unparse(node)
                arguments = [self.visit(part) for part in (*node.args, *keywords.values())]
                total = call(support("total"), *arguments)
                return self.arithmetic.checked_call("raise_on_overflow", [total], node, text)
            return None
        if label == "sum":
            return self._accumulate_items(node, label, "add", begin)
        stop = "if {}_z.truth({{}}):\n    return {}".format(*_EARLY_RETURNS[label])
        return self._item_function_call(
            node, label, self._loops_of(node), stop, None, f"return {label == 'all'}"
        )

    def _check(self, node: ast.Call, label: str, keyword_names: set[str]) -> None:
        invalid = next((k.arg or "**" for k in node.keywords if k.arg not in keyword_names), None)
        if invalid is not None:
            self.function.refuse(node, f"{label}() with {invalid}=", _LOOP_REMEDY)

    def _loops_of(self, node: ast.Call) -> Loops:
        return self.expander.loops_over(node.args[0])

    def _min_or_max(self, node: ast.Call, label: str, keywords: dict[str, ast.expr]) -> ast.expr:
        """Return the call of a function that finds the least or greatest item."""
        self._check(node, label, {"key", "default"})
        iterable: ast.expr = node.args[0]
        if len(node.args) > 1:
            if isinstance(iterable, ast.GeneratorExp | ast.ListComp):
                self.function.refuse(
                    node, f"{label}() of a comprehension and something else", _LOOP_REMEDY
                )
            iterable = with_location(ast.Tuple(node.args, ast.Load()), node)
        loops, default = self.expander.loops_over(iterable), keywords.get("default")
        item = self.function.new_variable()
        sign = "<" if label == "min" else ">"
        key_assignment: list[ast.stmt] = []
        key = item
        if "key" in keywords:
            key_value = self.visit(inline_call(keywords["key"], [name(item)], self.names))
            key_assignment.append(with_location(ast.Assign([store("_z_key")], key_value), node))
            key = "_z_key"
        steps = [
            *key_assignment,
            *parse_statements(_BEST.format(item=item, key=key, sign=sign), node),
        ]
        rewritten = [keywords["key"]] if "key" in keywords else []
        begin = _START_UNSEEN if default is None else f"{_START_UNSEEN}\n_z_best = _z_start"
        end = _RETURN_BEST if default is None else "return _z_best"
        return self._loop_call(node, label, loops, item, steps, (begin, end), default, rewritten)

    def _next(self, node: ast.Call) -> ast.expr:
        """Return the call of a function that finds the first item, or the default of ``next``."""
        self._check(node, "next", set())
        if len(node.args) not in (1, 2):
            self.function.refuse(node, f"next() with {len(node.args)} values", _LOOP_REMEDY)
        iterable, item = node.args[0], self.function.new_variable()
        if isinstance(iterable, ast.Call) and self.names.named_value(iterable.func) is iter:
            iterable = iterable.args[0]
        elif isinstance(iterable, ast.Name):
            remedy = "write next(... for ... in ...), or a for loop"
            self.function.refuse(node, "next() of an iterator that goes on", remedy)
        steps = parse_statements(f"return {item}", node)
        default = node.args[1] if len(node.args) > 1 else None
        end = "raise ValueError('nothing left')" if default is None else "return _z_start"
        loops = self.expander.loops_over(iterable)
        return self._loop_call(node, "next", loops, item, steps, ("pass", end), default, [])

    def _sorted(self, node: ast.Call, keywords: dict[str, ast.expr]) -> ast.expr:
        """Return the call of a function that sorts items by key, stably."""
        self._check(node, "sorted", {"key", "reverse"})
        reverse = keywords.get("reverse", ast.Constant(value=False))
        if not isinstance(reverse, ast.Constant):
            self.function.refuse(node, "sorted() with a reverse= that may change", _LOOP_REMEDY)
        item = self.function.new_variable()
        loops = self._loops_of(node)
        items = with_location(ast.ListComp(loops.item, loops.generators), node)
        row = ast.comprehension(store(item), name("_z_items"), [], 0)
        key = self.visit(inline_call(keywords["key"], [name(item)], self.names))
        body = [
            *(new for old in loops.setup for new in _as_list(self.visit(old))),
            with_location(ast.Assign([store("_z_items")], self.visit(items)), node),
            with_location(ast.Assign([store("_z_keys")], ast.ListComp(key, [row])), node),
            *parse_statements(_SORT.format(">" if reverse.value else "<"), node),
        ]
        return self._function_call(
            node, "sorted", body, [*loops.setup, items, keywords["key"]], [], {item}
        )

    def _reduce(self, node: ast.Call) -> ast.expr:
        """Return the call of a function that does ``functools.reduce``."""
        self._check(node, "reduce", {"initial"})
        function, iterable, *begin = [*node.args, *(k.value for k in node.keywords)]
        item, so_far = self.function.new_variable(), self.function.new_variable()
        arguments: list[ast.expr] = [name(so_far), name(item)]
        combination = self.visit(inline_call(function, arguments, self.names))
        step: ast.stmt = with_location(ast.Assign([store(so_far)], combination), node)
        begin_text, end = f"{so_far} = _z_start", f"return {so_far}"
        if not begin:
            first = parse_statements(f"{so_far} = {item}\n_z_seen = True", node)
            step = with_location(ast.If(parse_expression("not _z_seen"), first, [step]), node)
            begin_text = _START_UNSEEN
            end = f"if not _z_seen:\n    raise ValueError('reduce() of nothing')\n{end}"
        loops = self.expander.loops_over(iterable)
        default = begin[0] if begin else None
        ends = (begin_text, end)
        return self._loop_call(
            node, "reduce", loops, item, [step], ends, default, [function], {so_far}
        )

    def _accumulate_items(self, node: ast.Call, label: str, sign: str, begin: ast.expr) -> ast.expr:
        """Return the call of a function that adds or multiplies items."""
        loops, text = self._loops_of(node), ast.unparse(node)
        if sign == "add" and is_step(loops.item):
            return self._item_function_call(node, label, loops, "_z_so_far += {}", begin)
        number = self.function.number(node, text)
        return self._item_function_call(
            node, label, loops, f"_z_so_far = _z.{sign}(_z_so_far, {{}}, {number})", begin
        )

    def _item_function_call(
        self,
        node: ast.Call,
        label: str,
        loops: Loops,
        step: str,
        begin: ast.expr | None,
        end: str = "return _z_so_far",
    ) -> ast.expr:
        """Return the call of a function that processes each item."""
        item = self.function.new_variable()
        begin_text = "pass" if begin is None else "_z_so_far = _z_start"
        if isinstance(begin, ast.Constant):
            begin_text, begin = f"_z_so_far = {begin.value!r}", None
        steps = parse_statements(step.format(item), node)
        return self._loop_call(node, label, loops, item, steps, (begin_text, end), begin, [])

    def _loop_call(
        self,
        node: ast.Call,
        label: str,
        loops: Loops,
        item: str,
        steps: list[ast.stmt],
        ends: tuple[str, str],
        start: ast.expr | None,
        rewritten: list[ast.expr],
        variables: frozenset[str] | set[str] = frozenset(),
    ) -> ast.expr:
        """Return the call of a new function with a loop.

        Args:
            node: the call to replace.
            label: the builtin that the name of the function mentions.
            loops: the loops over the items.
            item: the name of an item.
            steps: the rewritten statements for each item.
            ends: the statements before and after the loop, in which ``_z_start`` is ``start``.
            start: an initial value, or None.
            rewritten: the original expressions that ``steps`` contains in rewritten form.
            variables: further variables of the function.
        """
        assignment = with_location(ast.Assign([store(item)], self.visit(loops.item)), node)
        body = wrap_in_loops(loops.generators, [assignment, *steps], node, self.visit)
        setup = [new for old in loops.setup for new in _as_list(self.visit(old))]
        body = [*parse_statements(ends[0], node), *setup, *body, *parse_statements(ends[1], node)]
        parts = [*loops.setup, *loops.generators, loops.item, *rewritten]
        return self._function_call(
            node, label, body, parts, [] if start is None else [start], {item, *variables}
        )

    def _function_call(
        self,
        node: ast.AST,
        label: str,
        body: list[ast.stmt],
        parts: list[Any],
        start: list[ast.expr],
        variables: frozenset[str] | set[str] = frozenset(),
    ) -> ast.expr:
        """Return the call of a new function; its arguments are the variables that are read."""
        read_names = {
            part.id
            for part_list in parts
            for part in parts_of(part_list)
            if isinstance(part, ast.Name)
        }
        outer = sorted((read_names & self.function.locals) - stored_names(parts) - variables)
        arguments = [DATA, *outer, *(["_z_start"] if start else [])]
        function_name = self.function.rules.add_function_part(
            label, arguments, body, self.function.source, node
        )
        values = [name(argument) for argument in (DATA, *outer)]
        call_arguments = [*values, *(self.visit(value) for value in start)]
        return ast.copy_location(call(name(function_name), *call_arguments), node)


_EARLY_RETURNS = {"any": ("", True), "all": ("not ", False)}


def _as_list(rewritten: Any) -> list[ast.stmt]:
    return rewritten if isinstance(rewritten, list) else [rewritten]
