"""``collections.deque`` as a list: removing an item at the front moves the others."""

from __future__ import annotations

import ast
from collections import deque

from zermelo._compile.rewrite.ast_builders import with_location
from zermelo._compile.rewrite.conditions import Visit
from zermelo._compile.rewrite.iterables.iterators import IterableExpander

#: The methods of a list that replace those of a deque, with index 0 as first argument.
_METHODS = {"popleft": "pop", "appendleft": "insert"}
_REFUSED_METHODS = frozenset(["rotate", "extendleft"])


class Queues:
    """The calls of one function that create or change queues."""

    def __init__(self, expander: IterableExpander, visit: Visit) -> None:
        """Prepare to rewrite calls in the function of ``expander``.

        ``visit`` rewrites their parts.
        """
        self.expander, self.function = expander, expander.function
        self.visit = visit

    def call(self, node: ast.Call) -> ast.expr | None:
        """Return the rewritten form of a call, or None if it is not about a queue."""
        func = node.func
        if self.expander.names.named_value(func) is deque:
            return self._new_queue(node)
        if not (isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)):
            return None
        if func.value.id not in self.function.locals:
            return None
        if func.attr in _REFUSED_METHODS:
            remedy = "use append(), appendleft(), pop() and popleft()"
            self.function.refuse(node, f"{func.attr}()", remedy)
        if func.attr == "sort" and any(k.arg == "key" for k in node.keywords):
            row = func.value.id
            self.function.refuse(node, "sort() with key=", f"write {row} = sorted({row}, key=...)")
        if func.attr not in _METHODS:
            return None
        method = ast.Attribute(func.value, _METHODS[func.attr], ast.Load())
        arguments = [ast.Constant(0), *map(self.visit, node.args)]
        return with_location(ast.Call(method, arguments, []), node)

    def _new_queue(self, node: ast.Call) -> ast.expr:
        if node.keywords or len(node.args) > 1:
            self.function.refuse(node, "deque() with maxlen", "drop what is too much yourself")
        items = node.args[0] if node.args else ast.List([], ast.Load())
        if not isinstance(items, ast.List | ast.ListComp):
            loops = self.expander.loops_over(items)
            items = ast.ListComp(loops.item, loops.generators)
        items_list: ast.expr = self.visit(with_location(items, node))
        return items_list
