"""``any``, ``sum``, ``min``, ``next``, ``sorted`` and the like, as functions with a loop."""

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
from zermelo._compile.rewrite.conditions import Visit, looped
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.iterables.inlining import inline_call
from zermelo._compile.rewrite.iterables.iterators import Expansions, Loops
from zermelo._compile.rewrite.prepared.scope import stored_names
from zermelo._compile.rewrite.ranges import is_step

_BUILTINS = (any, all, sum, min, max, next, sorted)
_LOOP = "write a for loop"
_SEEN = "_z_seen = False"
_BEST = """
if not _z_seen:
    _z_best = {item}
    _z_least = {key}
    _z_seen = True
elif {key} {sign} _z_least:
    _z_best = {item}
    _z_least = {key}
"""
_NONE = "if not _z_seen:\n    raise ValueError('nothing to choose from')\nreturn _z_best"
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

    def __init__(self, expansions: Expansions, arithmetic: Arithmetic, visit: Visit) -> None:
        """Prepare to rewrite calls in the function of ``expansions``.

        ``visit`` rewrites their parts.
        """
        self.expansions, self.names = expansions, expansions.names
        self.function: Function = expansions.function
        self.arithmetic, self.visit = arithmetic, visit

    def call(self, node: ast.Call) -> ast.expr | None:
        """Return the rewritten form of a call, or None if it needs none."""
        value = self.names.named_value(node.func)
        how = getattr(value, "__name__", "")
        if any(value is known for known in _BUILTINS):
            return self._builtin(node, how)
        if value is functools.reduce:
            return self._reduced(node)
        if value is math.prod:
            given = [*node.args, *(k.value for k in node.keywords)]
            begin = given[1] if len(given) > 1 else ast.Constant(1)
            return self._accumulate_items(node, "prod", "mul", begin)
        loops = self.expansions.loops(node)
        return None if loops is None else self.list_of_items(loops, node)

    def list_of_items(self, loops: Loops, node: ast.AST) -> ast.expr:
        """Return a list of the items of loops, or their iterable itself if it is equivalent."""
        first, *inner = loops.generators
        same = isinstance(loops.item, ast.Name) and ast.unparse(first.target) == loops.item.id
        if same and not (inner or first.ifs or loops.before):
            whole: ast.expr = self.visit(first.iter)  # a list of count() would never end
            return whole
        listed = with_location(ast.ListComp(loops.item, loops.generators), node)
        if not loops.before:
            rewritten: ast.expr = self.visit(listed)
            return rewritten
        before = [new for old in loops.before for new in _as_list(self.visit(old))]
        body = [*before, with_location(ast.Return(self.visit(listed)), node)]
        return self._call(node, "listed", body, [*loops.before, listed], [])

    def _builtin(self, node: ast.Call, how: str) -> ast.expr | None:
        first = node.args[0] if node.args else None
        comprehension = isinstance(first, ast.GeneratorExp | ast.ListComp)
        named = {str(k.arg): k.value for k in node.keywords}
        if how == "next":
            return self._first(node)
        if how == "sorted":
            return self._sorted(node, named) if "key" in named else None
        expanded = comprehension or (first is not None and self.expansions.loops(first) is not None)
        if how in ("min", "max"):
            return self._best(node, how, named) if expanded or named else None
        wanted = {"start"} if how == "sum" else set()
        self._check(node, how, wanted)
        begin = named.get("start", node.args[1] if len(node.args) > 1 else ast.Constant(0))
        if how == "sum" and isinstance(begin, ast.List):
            remedy = "begin with a list and put numbers into it in a loop"
            self.function.refuse(node, "sum() of lists", remedy)
        if not expanded:
            if how == "sum":
                text = ast.unparse(node)
                given = [self.visit(part) for part in (*node.args, *named.values())]
                total = call(support("total"), *given)
                return self.arithmetic.checked_call("within", [total], node, text)
            return None
        if how == "sum":
            return self._accumulate_items(node, how, "add", begin)
        stop = "if {}_z.truth({{}}):\n    return {}".format(*_STOPS[how])
        return self._item_function_call(
            node, how, self._over(node), stop, None, f"return {how == 'all'}"
        )

    def _check(self, node: ast.Call, how: str, wanted: set[str]) -> None:
        strange = next((k.arg or "**" for k in node.keywords if k.arg not in wanted), None)
        if strange is not None:
            self.function.refuse(node, f"{how}() with {strange}=", _LOOP)

    def _over(self, node: ast.Call) -> Loops:
        return self.expansions.over(node.args[0])

    def _best(self, node: ast.Call, how: str, named: dict[str, ast.expr]) -> ast.expr:
        """Return the least or greatest item, by a key or by itself."""
        self._check(node, how, {"key", "default"})
        over: ast.expr = node.args[0]
        if len(node.args) > 1:
            if isinstance(over, ast.GeneratorExp | ast.ListComp):
                self.function.refuse(node, f"{how}() of a comprehension and something else", _LOOP)
            over = with_location(ast.Tuple(node.args, ast.Load()), node)
        loops, default = self.expansions.over(over), named.get("default")
        item = self.function.new_variable()
        sign = "<" if how == "min" else ">"
        before: list[ast.stmt] = []
        key = item
        if "key" in named:
            made = self.visit(inline_call(named["key"], [name(item)], self.names))
            before.append(with_location(ast.Assign([store("_z_key")], made), node))
            key = "_z_key"
        each = [*before, *parse_statements(_BEST.format(item=item, key=key, sign=sign), node)]
        read = [named["key"]] if "key" in named else []
        begin = _SEEN if default is None else f"{_SEEN}\n_z_best = _z_start"
        after = _NONE if default is None else "return _z_best"
        return self._loop(node, how, loops, item, each, (begin, after), default, read)

    def _first(self, node: ast.Call) -> ast.expr:
        """Return the first item, or the default of ``next``."""
        self._check(node, "next", set())
        if len(node.args) not in (1, 2):
            self.function.refuse(node, f"next() with {len(node.args)} values", _LOOP)
        over, item = node.args[0], self.function.new_variable()
        if isinstance(over, ast.Call) and self.names.named_value(over.func) is iter:
            over = over.args[0]
        elif isinstance(over, ast.Name):
            remedy = "write next(... for ... in ...), or a for loop"
            self.function.refuse(node, "next() of an iterator that goes on", remedy)
        each = parse_statements(f"return {item}", node)
        default = node.args[1] if len(node.args) > 1 else None
        after = "raise ValueError('nothing left')" if default is None else "return _z_start"
        loops = self.expansions.over(over)
        return self._loop(node, "next", loops, item, each, ("pass", after), default, [])

    def _sorted(self, node: ast.Call, named: dict[str, ast.expr]) -> ast.expr:
        """Return items sorted by key, stably."""
        self._check(node, "sorted", {"key", "reverse"})
        reverse = named.get("reverse", ast.Constant(value=False))
        if not isinstance(reverse, ast.Constant):
            self.function.refuse(node, "sorted() with a reverse= that may change", _LOOP)
        item = self.function.new_variable()
        loops = self._over(node)
        items = with_location(ast.ListComp(loops.item, loops.generators), node)
        row = ast.comprehension(store(item), name("_z_items"), [], 0)
        key = self.visit(inline_call(named["key"], [name(item)], self.names))
        body = [
            *(new for old in loops.before for new in _as_list(self.visit(old))),
            with_location(ast.Assign([store("_z_items")], self.visit(items)), node),
            with_location(ast.Assign([store("_z_keys")], ast.ListComp(key, [row])), node),
            *parse_statements(_SORT.format(">" if reverse.value else "<"), node),
        ]
        return self._call(node, "sorted", body, [*loops.before, items, named["key"]], [], {item})

    def _reduced(self, node: ast.Call) -> ast.expr:
        """Return ``functools.reduce``."""
        self._check(node, "reduce", {"initial"})
        function, over, *begin = [*node.args, *(k.value for k in node.keywords)]
        item, so_far = self.function.new_variable(), self.function.new_variable()
        both: list[ast.expr] = [name(so_far), name(item)]
        joined = self.visit(inline_call(function, both, self.names))
        step: ast.stmt = with_location(ast.Assign([store(so_far)], joined), node)
        before, after = f"{so_far} = _z_start", f"return {so_far}"
        if not begin:
            first = parse_statements(f"{so_far} = {item}\n_z_seen = True", node)
            step = with_location(ast.If(parse_expression("not _z_seen"), first, [step]), node)
            before = _SEEN
            after = f"if not _z_seen:\n    raise ValueError('reduce() of nothing')\n{after}"
        loops = self.expansions.over(over)
        default = begin[0] if begin else None
        ends = (before, after)
        return self._loop(node, "reduce", loops, item, [step], ends, default, [function], {so_far})

    def _accumulate_items(self, node: ast.Call, how: str, sign: str, begin: ast.expr) -> ast.expr:
        """Return the call of a function that adds or multiplies items."""
        loops, text = self._over(node), ast.unparse(node)
        if sign == "add" and is_step(loops.item):
            return self._item_function_call(node, how, loops, "_z_so_far += {}", begin)
        number = self.function.number(node, text)
        return self._item_function_call(
            node, how, loops, f"_z_so_far = _z.{sign}(_z_so_far, {{}}, {number})", begin
        )

    def _item_function_call(
        self,
        node: ast.Call,
        how: str,
        loops: Loops,
        each: str,
        begin: ast.expr | None,
        after: str = "return _z_so_far",
    ) -> ast.expr:
        """Return the call of a function that processes each item."""
        item = self.function.new_variable()
        before = "pass" if begin is None else "_z_so_far = _z_start"
        if isinstance(begin, ast.Constant):
            before, begin = f"_z_so_far = {begin.value!r}", None
        steps = parse_statements(each.format(item), node)
        return self._loop(node, how, loops, item, steps, (before, after), begin, [])

    def _loop(
        self,
        node: ast.Call,
        how: str,
        loops: Loops,
        item: str,
        each: list[ast.stmt],
        ends: tuple[str, str],
        start: ast.expr | None,
        read: list[ast.expr],
        own: frozenset[str] | set[str] = frozenset(),
    ) -> ast.expr:
        """Return the call of a new function with a loop.

        Args:
            node: the call that it replaces.
            how: the name for the function.
            loops: the loops over the items.
            item: the name of an item.
            each: the rewritten statements for each item.
            ends: the statements before and after the loop; ``_z_start`` is ``start``.
            start: an initial value, or None.
            read: the expressions that were rewritten in ``each``.
            own: further variables of the function.
        """
        unpacked = with_location(ast.Assign([store(item)], self.visit(loops.item)), node)
        body = looped(loops.generators, [unpacked, *each], node, self.visit)
        before = [new for old in loops.before for new in _as_list(self.visit(old))]
        body = [*parse_statements(ends[0], node), *before, *body, *parse_statements(ends[1], node)]
        parts = [*loops.before, *loops.generators, loops.item, *read]
        return self._call(node, how, body, parts, [] if start is None else [start], {item, *own})

    def _call(
        self,
        node: ast.AST,
        how: str,
        body: list[ast.stmt],
        parts: list[Any],
        start: list[ast.expr],
        own: frozenset[str] | set[str] = frozenset(),
    ) -> ast.expr:
        """Return the call of a new function, whose arguments are the variables it reads."""
        read = {part.id for each in parts for part in parts_of(each) if isinstance(part, ast.Name)}
        outer = sorted((read & self.function.locals) - stored_names(parts) - own)
        arguments = [DATA, *outer, *(["_z_start"] if start else [])]
        generated = self.function.rules.add_function_part(
            how, arguments, body, self.function.source, node
        )
        values = [name(argument) for argument in (DATA, *outer)]
        given = [*values, *(self.visit(value) for value in start)]
        return ast.copy_location(call(name(generated), *given), node)


_STOPS = {"any": ("", True), "all": ("not ", False)}


def _as_list(rewritten: Any) -> list[ast.stmt]:
    return rewritten if isinstance(rewritten, list) else [rewritten]
