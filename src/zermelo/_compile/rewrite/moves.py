"""``moves`` rewritten so that it handles each move where it would yield it.

That saves the compiled rules from keeping a generator, or a list of moves, for every position.
"""

from __future__ import annotations

import ast
from typing import Any

from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.trees import (
    AT,
    DATA,
    EMIT_ARGUMENTS,
    call,
    name,
    parsed,
    placed,
    store,
    support,
)

#: What hooks return that an author may take for strings.
_RESULTS = {
    "outcome": "return WIN, DRAW, LOSS or None",
    "winner": "return 0, 1, NOBODY or None",
    "turn": "return 0 or 1",
}
#: What a ``moves`` that returns nothing becomes; Python says what is wrong when it is run there.
_NOTHING = f"if {AT} >= 0:\n    raise ValueError('moves returned None')\nreturn {AT}"


class Moves(Function):
    """The part of rewriting that turns moves into calls."""

    _loops = 0

    def test(self, node: ast.expr) -> ast.expr:
        """Return a condition, whose truth compiled is what it is in Python."""
        if isinstance(node, ast.BoolOp):
            values = [self.test(value) for value in node.values]
            return placed(ast.BoolOp(node.op, values), node)
        if isinstance(node, ast.Compare | ast.UnaryOp | ast.BinOp | ast.Constant):
            return self.expression(node)
        return placed(call(support("truth"), self.expression(node)), node)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what one statement becomes."""
        result = self.visit(node)
        if result is None:
            return []
        return result if isinstance(result, list) else [result]

    def emitting_end(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what stands at the end of a function that handles moves."""
        if self.generator:
            return [placed(ast.Return(name(AT)), node)]
        return parsed(_NOTHING, node)

    def visit_Expr(self, node: ast.Expr) -> Any:  # named by ast
        """Turn a ``yield`` into the handling of a move, where moves are handled at once."""
        value = node.value
        if isinstance(value, ast.Constant):
            return ast.copy_location(ast.Pass(), node)
        if self.emitting and isinstance(value, ast.Yield):
            if value.value is None:
                self.refuse(node, "yield without a move", "yield the move, or return")
            return self._handled(self.visit(value.value), node)
        if isinstance(value, ast.YieldFrom):
            return self._all(value.value, node) if self.emitting else self._delegated(value, node)
        if isinstance(value, ast.Yield):
            self.generic_visit(value)
            return node
        self.generic_visit(node)
        return node

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Any:  # named by ast
        """Refuse to use what ``yield`` returns; a plain ``yield`` is part of a statement."""
        self.refuse(node, "the value of a yield", "yield each move in a statement of its own")

    visit_YieldFrom = visit_Yield

    def visit_Return(self, node: ast.Return) -> Any:  # named by ast
        """Handle the moves that are returned, where moves are handled at once."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            remedy = _RESULTS.get(self.source.function.__name__, "return whole numbers")
            self.refuse(node, f"the string {node.value.value!r}", remedy)
        if not self.emitting:
            if self.generator:
                node.value = None
            self.generic_visit(node)
            return node
        end = placed(ast.Return(name(AT)), node)
        if self.generator:
            return end
        if node.value is None or (isinstance(node.value, ast.Constant) and not node.value.value):
            return parsed(_NOTHING, node)
        return [*self._all(node.value, node), end]

    def _delegated(self, value: ast.YieldFrom, node: ast.stmt) -> ast.stmt:
        """Return ``yield from`` as a loop."""
        item = self._fresh()
        again = ast.Expr(ast.Yield(name(item)))
        loop = ast.For(store(item), self.visit(value.value), [again], [])
        return placed(loop, node)

    def _handled(self, move: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Return the statements that handle one move."""
        arguments = [name(argument) for argument in EMIT_ARGUMENTS]
        move = call(support("plain"), move)
        return self._counted(call(name(self.emitting), name(DATA), *arguments, move), node)

    def _counted(self, handle: ast.expr, node: ast.AST) -> list[ast.stmt]:
        stop = parsed(f"if {AT} < 0:\n    return {AT}", node)
        return [placed(ast.Assign([store(AT)], handle), node), *stop]

    def _all(self, items: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Return the statements that handle every move of an expression not rewritten yet."""
        if isinstance(items, ast.List | ast.Tuple | ast.Set):
            return self._each(items.elts, node) or [placed(ast.Pass(), node)]
        if isinstance(items, ast.ListComp | ast.GeneratorExp):
            return self._comprehended(items, node)
        if isinstance(items, ast.IfExp):
            then, otherwise = self._all(items.body, node), self._all(items.orelse, node)
            return [placed(ast.If(self.test(items.test), then, otherwise), node)]
        if isinstance(items, ast.Call):
            if self._is_listing(items):
                return self._all(items.args[0], node)
            called = self.called(items.func)
            if called is not None and called.generator:
                arguments, selves = self.bound_arguments(items, called)
                target = self.rules.function(called, selves, emitting=self.emitting)
                emit = [name(argument) for argument in EMIT_ARGUMENTS]
                return self._counted(call(name(target), name(DATA), *emit, *arguments), node)
        item = self._fresh()
        body = self._handled(name(item), node)
        return [placed(ast.For(store(item), self.visit(items), body, []), node)]

    def _each(self, elements: list[ast.expr], node: ast.AST) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                statements += self._all(element.value, node)
            else:
                statements += self._handled(self.visit(element), node)
        return statements

    def _comprehended(self, items: ast.ListComp | ast.GeneratorExp, node: ast.AST) -> list[Any]:
        body: list[ast.stmt] = self._handled(self.visit(items.elt), node)
        for loop in reversed(items.generators):
            for test in reversed(loop.ifs):
                body = [placed(ast.If(self.test(test), body, []), node)]
            body = [placed(ast.For(loop.target, self.visit(loop.iter), body, []), node)]
        return body

    def _is_listing(self, node: ast.Call) -> bool:
        func = node.func
        return (
            isinstance(func, ast.Name)
            and func.id in ("list", "tuple", "iter")
            and func.id not in self.locals
            and len(node.args) == 1
            and not node.keywords
        )

    def _fresh(self) -> str:
        self._loops += 1
        return f"_z_item{self._loops}"
