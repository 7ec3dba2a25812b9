"""``moves`` rewritten to handle each move instead of yielding it.

So compiled rules need no generator, or list of moves, for every position.
"""

from __future__ import annotations

import ast

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import (
    DATA,
    EMIT_ARGUMENTS,
    MOVE_COUNT,
    call,
    name,
    parse_statements,
    store,
    support,
    with_location,
)
from zermelo._compile.rewrite.calls import Calls
from zermelo._compile.rewrite.conditions import condition, wrap_in_loops
from zermelo._compile.rewrite.ruleset import Callee

#: The advice for hooks whose result an author may write as a string.
_RESULT_REMEDIES = {
    "outcome": "return WIN, DRAW, LOSS or None",
    "winner": "return 0, 1, NOBODY or None",
    "turn": "return 0 or 1",
}
#: The pseudo-function for handling moves if the question is whether there are any.
_ANY = "_z_any"
#: The code of a ``moves`` that returns None; the replay in Python reports the error.
_RETURNED_NONE = (
    f"if {MOVE_COUNT} >= 0:\n    raise ValueError('moves returned None')\nreturn {MOVE_COUNT}"
)


class Moves:
    """The statements of one function that give moves."""

    def __init__(self, calls: Calls) -> None:
        """Prepare to rewrite statements in the function of ``calls``."""
        self.function, self.calls, self.visit = calls.function, calls, calls.visit
        self._loops = 0

    def end(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statements at the end of a function that handles moves."""
        if self.function.generator:
            return [with_location(ast.Return(name(MOVE_COUNT)), node)]
        return parse_statements(_RETURNED_NONE, node)

    def expression(self, node: ast.Expr) -> ast.stmt | list[ast.stmt] | None:
        """Return the rewritten form of a ``yield`` statement; None for other expressions."""
        value = node.value
        if isinstance(value, ast.YieldFrom):
            if self.function.emitter:
                return self._handle_all(value.value, node)
            return self._delegated(value, node)
        if not (self.function.emitter and isinstance(value, ast.Yield)):
            return None
        if value.value is None:
            self.function.refuse(node, "yield without a move", "yield the move, or return")
        return self._handled(self.visit(value.value), node)

    def rewrite_return(self, node: ast.Return) -> ast.stmt | list[ast.stmt] | None:
        """Return the rewritten form of a ``return``, or None if only its parts are rewritten."""
        function, value = self.function, node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            remedy = _RESULT_REMEDIES.get(function.source.function.__name__, "return whole numbers")
            function.refuse(node, f"the string {value.value!r}", remedy)
        if not function.emitter:
            if function.generator:
                node.value = None
            return None
        end = with_location(ast.Return(name(MOVE_COUNT)), node)
        if function.generator:
            return end
        if value is None or (isinstance(value, ast.Constant) and not value.value):
            return parse_statements(_RETURNED_NONE, node)
        return [*self._handle_all(value, node), end]

    def first_item_condition(self, node: ast.For) -> ast.expr | None:
        """Return the condition that a loop which returns at its first item has one; else None.

        A function that stops where it would yield compiles in half the time of a generator, and has
        no set-up time.
        """
        first, iterable = node.body[0], node.iter
        if not isinstance(iterable, ast.Call) or not isinstance(first, ast.Return) or node.orelse:
            return None
        callee = None if self.function.generator else self.calls.called_function(iterable.func)
        names_read = {part.id for part in parts_of(first) if isinstance(part, ast.Name)}
        item = {part.id for part in parts_of(node.target) if isinstance(part, ast.Name)}
        if callee is None or not callee.generator or names_read & item:
            return None
        placeholders: list[ast.expr] = [ast.Constant(0) for _ in EMIT_ARGUMENTS]
        return ast.Compare(
            self._run(iterable, callee, _ANY, placeholders), [ast.Lt()], [ast.Constant(0)]
        )

    def _run(
        self, node: ast.Call, callee: Callee, emit: str, emit_arguments: list[ast.expr]
    ) -> ast.expr:
        """Return the call of a generator that handles its items instead of yielding them."""
        arguments, selves = self.calls.bound_arguments(node, callee)
        target = self.function.rules.function(callee, selves, emitter=emit)
        return call(name(target), name(DATA), *emit_arguments, *arguments)

    def _delegated(self, value: ast.YieldFrom, node: ast.stmt) -> list[ast.stmt]:
        """Return ``yield from`` as a loop."""
        item = self._fresh()
        body: list[ast.stmt] = [with_location(ast.Expr(ast.Yield(name(item))), node)]
        loop = ast.comprehension(store(item), value.value, [], 0)
        return wrap_in_loops([loop], body, node, self.visit)

    def _handled(self, move: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Return the statements that handle one move."""
        if self.function.emitter == _ANY:
            return [
                with_location(ast.Expr(move), node),
                with_location(ast.Return(ast.Constant(-1)), node),
            ]
        arguments = [name(argument) for argument in EMIT_ARGUMENTS]
        move = call(support("unliteral"), move)
        return self._counted(call(name(self.function.emitter), name(DATA), *arguments, move), node)

    def _counted(self, handle: ast.expr, node: ast.AST) -> list[ast.stmt]:
        stop = parse_statements(f"if {MOVE_COUNT} < 0:\n    return {MOVE_COUNT}", node)
        return [with_location(ast.Assign([store(MOVE_COUNT)], handle), node), *stop]

    def _handle_all(self, items: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Return the statements that handle every move of an expression, not rewritten yet."""
        if isinstance(items, ast.List | ast.Tuple | ast.Set):
            return self._each(items.elts, node) or [with_location(ast.Pass(), node)]
        if isinstance(items, ast.ListComp | ast.GeneratorExp):
            body = self._handled(self.visit(items.elt), node)
            return wrap_in_loops(items.generators, body, node, self.visit)
        if isinstance(items, ast.IfExp):
            body_moves, else_moves = (
                self._handle_all(items.body, node),
                self._handle_all(items.orelse, node),
            )
            return [
                with_location(
                    ast.If(condition(items.test, self.visit), body_moves, else_moves), node
                )
            ]
        if isinstance(items, ast.Call):
            if self._is_listing(items):
                return self._handle_all(items.args[0], node)
            callee = self.calls.called_function(items.func)
            if callee is not None and callee.generator:
                emit: list[ast.expr] = [name(argument) for argument in EMIT_ARGUMENTS]
                return self._counted(self._run(items, callee, self.function.emitter, emit), node)
        item = self._fresh()
        loop = ast.comprehension(store(item), items, [], 0)
        return wrap_in_loops([loop], self._handled(name(item), node), node, self.visit)

    def _each(self, elements: list[ast.expr], node: ast.AST) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                statements += self._handle_all(element.value, node)
            else:
                statements += self._handled(self.visit(element), node)
        return statements

    def _is_listing(self, node: ast.Call) -> bool:
        func = node.func
        return (
            isinstance(func, ast.Name)
            and func.id in ("list", "tuple", "iter")
            and func.id not in self.function.locals
            and len(node.args) == 1
            and not node.keywords
        )

    def _fresh(self) -> str:
        self._loops += 1
        return f"_z_item{self._loops}"
