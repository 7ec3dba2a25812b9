"""The part of rewriting that looks at forms, not at names.

Some forms compile only when written otherwise, and some not at all; for those it says what to
write instead.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from zermelo._compile.rewrite.reductions import REDUCTIONS, Reductions
from zermelo._compile.rewrite.trees import call, name, parsed, placed, support

_TABLE = "use a tuple or a NumPy array, looked up by number"
_PLAIN = "make it an ordinary function"
_STATE = "rules change nothing, so store it in the position"
_WORD = 64
_MOST_REPEATED = 256


class Forms(Reductions):
    """Rewrites forms; names are left to the class that derives from this."""

    # -- statements -------------------------------------------------------------------------

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # named by ast
        """Drop the annotation of a variable."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:  # named by ast
        """Refuse to change the game or a position."""
        for target in node.targets:
            self._check_target(target)
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:  # named by ast
        """Refuse a division that gives a fraction, and have shifts done as Python does them."""
        self._check_target(node.target)
        if isinstance(node.op, ast.Div):
            self.fault(node, "uses /=, which gives a fraction; divide with //=")
        if isinstance(node.op, ast.LShift | ast.RShift) and isinstance(node.target, ast.Name):
            before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            shifted = ast.copy_location(ast.BinOp(before, node.op, node.value), node)
            return self.visit(ast.copy_location(ast.Assign([node.target], shifted), node))
        self.generic_visit(node)
        return node

    def _check_target(self, target: ast.expr) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                what = f"assigns to {ast.unparse(part)}"
                if isinstance(part.value, ast.Name) and part.value.id in self.selves:
                    self.fault(part, f"{what}; a game cannot change, so keep it in the position")
                self.fault(part, f"{what}; tuples cannot change, so make another with _replace()")

    def visit_Raise(self, node: ast.Raise) -> Any:  # named by ast
        """Raise something plain; the author's own error comes from running the rule in Python."""
        return parsed("raise ValueError('a rule raised an error')", node)

    def visit_Assert(self, node: ast.Assert) -> Any:  # named by ast
        """Keep what is asserted and drop the message."""
        return ast.copy_location(ast.Assert(self.test(node.test)), node)

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> Any:  # named by ast
        """Have the condition tested as Python does."""
        test, node.test = node.test, ast.copy_location(ast.Constant(value=True), node.test)
        tested = self.test(test)
        self.generic_visit(node)
        node.test = tested
        return node

    visit_While = visit_IfExp = visit_If  # named by ast

    def visit_ListComp(self, node: ast.ListComp) -> Any:  # named by ast
        """Have the conditions tested as Python does."""
        for loop in node.generators:
            tests, loop.ifs = loop.ifs, []
            self.generic_visit(loop)
            loop.ifs = [self.test(test) for test in tests]
        node.elt = self.visit(node.elt)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:  # named by ast
        """Have ``not`` do as it does in Python."""
        inner = self.test if isinstance(node.op, ast.Not) else self.visit
        node.operand = inner(node.operand)
        return node

    # -- expressions ------------------------------------------------------------------------

    def special_call(self, node: ast.Call) -> ast.expr | None:
        """Return the form of a call that compiles otherwise, or None for an ordinary one."""
        func = node.func
        if isinstance(func, ast.Name) and func.id not in self.locals:
            if func.id in REDUCTIONS:
                return self._reduction(node, func.id)
            if func.id == "bool" and len(node.args) == 1:
                node.args = [placed(call(support("truth"), self.visit(node.args[0])), node)]
                return node
            if func.id in ("enumerate", "zip"):
                return self._paired(node, func.id)
        if isinstance(func, ast.Attribute) and func.attr == "_replace":
            return self._replace(node, func)
        return None

    def _reduction(self, node: ast.Call, how: str) -> ast.expr | None:
        if node.args and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return self.reduced(how, node, node.args[0])
        if node.keywords and how != "sum":
            self.refuse(node, f"{how}() with {node.keywords[0].arg}=", "write a for loop")
        if how == "sum":
            given = [*node.args, *(k.value for k in node.keywords)]
            summed = call(support("total"), *(self.visit(part) for part in given))
            return placed(summed, node)
        return None

    def _paired(self, node: ast.Call, how: str) -> ast.expr:
        """Return ``enumerate`` and ``zip`` without the names of their arguments."""
        given = [self.visit(part) for part in node.args]
        named = {str(k.arg): k.value for k in node.keywords}
        if how == "enumerate" and "start" in named:
            given.append(self.visit(named["start"]))
        strict = named.get("strict")
        if how == "zip" and isinstance(strict, ast.Constant) and strict.value and given:
            first = given[0]
            given = [first, *(call(support("as_long"), part, first) for part in given[1:])]
        return placed(call(name(how), *given), node)

    def _replace(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        names = [k.arg for k in node.keywords if k.arg is not None]
        if node.args or len(names) < len(node.keywords):
            self.refuse(
                node, "_replace() without the names of fields", "write _replace(field=value)"
            )
        if not names:
            return self.expression(func.value)
        values = [self.expression(k.value) for k in node.keywords]
        function = self.rules.replacer(tuple(names))
        return ast.copy_location(call(name(function), self.expression(func.value), *values), node)

    def visit_Constant(self, node: ast.Constant) -> Any:  # named by ast
        """Refuse what is not a whole number."""
        value = node.value
        if isinstance(value, str | bytes):
            self.refuse(node, f"the string {value!r}", "use whole numbers, with names for them")
        if isinstance(value, float | complex):
            self.refuse(node, f"the fraction {value!r}", "keep to whole numbers")
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            self.refuse(node, f"the number {value}", "keep within 64 bits, that is below 2**63")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:  # named by ast
        """Refuse a division that gives a fraction, and have shifts done as Python does them."""
        if isinstance(node.op, ast.Div):
            self.fault(node, "uses /, which gives a fraction; divide with //")
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift | ast.RShift) and not _is_place(node.right):
            shift = support("left" if isinstance(node.op, ast.LShift) else "right")
            return placed(call(shift, node.left, node.right), node)
        if isinstance(node.op, ast.Mult):
            return _repeated(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:  # named by ast
        """Look for something in a written-out set or list as in a tuple."""
        for i, (operator, items) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(operator, ast.In | ast.NotIn) and isinstance(items, ast.Set | ast.List):
                as_tuple = ast.Tuple(items.elts, ast.Load())
                node.comparators[i] = ast.copy_location(as_tuple, items)
        self.generic_visit(node)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:  # named by ast
        """Make a list of it: rules cannot tell the difference."""
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse the forms that never compile, and visit the parts of the others."""
        refused = _REFUSED.get(type(node))
        if refused is not None:
            self.refuse(node, *refused)
        return super().generic_visit(node)


_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Dict: ("a dict", _TABLE),
    ast.DictComp: ("a dict", _TABLE),
    ast.Set: ("a set", "use a tuple, or a bit mask"),
    ast.SetComp: ("a set", "use a list comprehension, or a bit mask"),
    ast.JoinedStr: ("an f-string", "they compute with whole numbers, so leave text to show()"),
    ast.Lambda: ("a lambda", "write a function with def"),
    ast.FunctionDef: ("a function inside a function", "move it to the module or the class"),
    ast.AsyncFunctionDef: ("an async function", _PLAIN),
    ast.ClassDef: ("a class inside a function", "move it to the module"),
    ast.Try: ("try", "test with if before you do it"),
    ast.TryStar: ("try", "test with if before you do it"),
    ast.With: ("with", "they compute with whole numbers and touch nothing else"),
    ast.Import: ("an import inside a function", "import at the top of the module"),
    ast.ImportFrom: ("an import inside a function", "import at the top of the module"),
    ast.Global: ("global", _STATE),
    ast.Nonlocal: ("nonlocal", _STATE),
    ast.Await: ("await", _PLAIN),
    ast.Delete: ("del", "leave it as it is"),
    ast.Starred: ("a starred expression", "write the parts out"),
    ast.MatchSequence: ("a pattern other than numbers", "match a whole number, or use if"),
    ast.MatchMapping: ("a pattern other than numbers", "match a whole number, or use if"),
    ast.MatchClass: ("a pattern other than numbers", "match a whole number, or use if"),
}


def written(value: Any, checked: Callable[[int], int]) -> ast.expr:
    """Return the expression for a number or a tuple of them."""
    if isinstance(value, tuple):
        return ast.Tuple([written(item, checked) for item in value], ast.Load())
    if value is None or isinstance(value, bool):
        return ast.Constant(value)
    number = checked(int(value))
    if number >= 0:
        return ast.Constant(number)
    return ast.UnaryOp(ast.USub(), ast.Constant(-number))


def _is_place(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, int) and 0 <= node.value < _WORD
    )


def _repeated(node: ast.BinOp) -> ast.expr:
    """Return ``(0,) * 6`` written out, since Numba does not multiply tuples."""
    for row, count in ((node.left, node.right), (node.right, node.left)):
        if (
            isinstance(row, ast.Tuple)
            and isinstance(count, ast.Constant)
            and isinstance(count.value, int)
        ):
            times = max(0, count.value)
            if len(row.elts) * times <= _MOST_REPEATED:
                return ast.copy_location(ast.Tuple(row.elts * times, ast.Load()), node)
    return node
