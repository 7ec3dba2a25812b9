"""Arithmetic in rules: constant folding with Python's semantics, and checks for 64-bit overflow."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, TypeGuard

from zermelo._compile.read import externals
from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import SUPPORT, call, name, support, with_location
from zermelo._compile.rewrite.conditions import Visit
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.ranges import (
    WHOLE,
    Range,
    Ranges,
    cut_to_64_bits,
    fits,
    of_binary,
    of_unary,
)

#: The names of Zermelo's versions of operations that may exceed 64 bits.
_NAMES: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Pow: "powered",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.USub: "neg",
}
#: Their in-place versions, which change a list.
_IN_PLACE = {"add": "iadd", "sub": "isub", "mul": "imul"}
_COMPUTE: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.USub: operator.neg,
}
#: Operations whose lowest 64 bits depend only on the lowest 64 bits of the operands.
_WRAPPING = ("add", "sub", "mul", "lshift", "bit", "neg")
#: The most bits of intermediate constants.
_MOST_BITS = 4096
#: Forms of written-out rows, for which the operators have another meaning.
_ROWS = (ast.Tuple, ast.List, ast.ListComp)


class Arithmetic:
    """The arithmetic of one function."""

    def __init__(self, function: Function) -> None:
        """Analyse the ranges of variables in ``function``."""
        self.function = function
        self.ranges = Ranges(function.body, [*function.arguments, *function.selves])

    def may_differ(self, node: ast.BinOp | ast.AugAssign) -> bool:
        """Whether an operation on numbers may give another result compiled than in Python."""
        return type(node.op) in _NAMES and not (
            isinstance(node, ast.AugAssign) and isinstance(node.value, _ROWS)
        )

    def binary(self, node: ast.BinOp, text: str, *, in_place: bool = False) -> ast.expr:
        """Return the checked form of an operation with rewritten operands.

        Args:
            node: the operation.
            text: the author's text of the operation.
            in_place: whether the result is assigned to the left operand.
        """
        if isinstance(node.op, ast.BitAnd | ast.Mod):
            self._wrap_masked(node)
        if type(node.op) not in _COMPUTE or isinstance(node.left, _ROWS):
            return node
        if isinstance(node.right, _ROWS):
            return node
        folded = self._fold(node.op, [node.left, node.right])
        if folded is not None and fits((folded, folded)):
            return self._constant(folded, node)
        given = self.ranges.range_of(node.left), self.ranges.range_of(node.right)
        found = of_binary(node.op, *given)
        called = _NAMES.get(type(node.op), "")
        if not called or _is_safe(node.op, given, found):
            node.z_range = cut_to_64_bits(found)  # type: ignore[attr-defined]  # read by Ranges
            return node
        operands = [node.left, node.right]
        if called == "lshift" and _value(node.left) == 1:
            called, operands = "bit", [node.right]
        elif in_place:
            called = _IN_PLACE.get(called, called)
        return self.checked_call(called, operands, node, text, found, folded)

    def unary(self, node: ast.UnaryOp, text: str) -> ast.expr:
        """Return the checked form of ``-x`` with a rewritten operand."""
        value = _value(node.operand)
        if value is not None and not isinstance(node.operand, ast.Constant):
            folded = self._fold(node.op, [node.operand])
            if folded is not None and fits((folded, folded)):
                return self._constant(folded, node)
        found = of_unary(node.op, self.ranges.range_of(node.operand))
        if fits(found):
            node.z_literal = getattr(node.operand, "z_literal", False)  # type: ignore[attr-defined]  # as above
            return node
        return self.checked_call("neg", [node.operand], node, text, found, None)

    def call(self, node: ast.Call, value: Any, visit: Visit) -> ast.expr | None:
        """Return the checked form of ``abs``, ``divmod``, ``pow`` or ``operator.*``, or None.

        Args:
            node: the call.
            value: the function called.
            visit: rewrites its parts.
        """
        many = 0 if node.keywords else len(node.args)
        sign = externals.sign_of(value) if many == 2 else None  # noqa: PLR2004  # a + b
        if sign is not None:
            whole = ast.BinOp(node.args[0], sign, node.args[1])
            computed: ast.expr = visit(with_location(whole, node))
            return computed
        if value is divmod and many == 2:  # noqa: PLR2004  # a number, and by what
            return self._quotient(node, visit)
        if value is round and many > 1:
            remedy = "write (x + 5) // 10 * 10 for tens"
            self.function.refuse(node, "round() to a number of digits", remedy)
        return self._absolute(node, visit) if value is abs and many == 1 else None

    def _absolute(self, node: ast.Call, visit: Visit) -> ast.expr:
        text = ast.unparse(node)
        value: ast.expr = visit(node.args[0])
        low, _ = self.ranges.range_of(value)
        if low > WHOLE[0]:
            return with_location(call(name("abs"), value), node)
        return self.checked_call("absolute", [value], node, text, (0, WHOLE[1]))

    def _quotient(self, node: ast.Call, visit: Visit) -> ast.expr:
        text = ast.unparse(node)
        values: list[ast.expr] = list(map(visit, node.args))
        if _is_safe(ast.FloorDiv(), (WHOLE, self.ranges.range_of(values[1])), WHOLE):
            return with_location(call(name("divmod"), *values), node)
        whole = self.checked_call("floordiv", values, node, text)
        rest = ast.BinOp(values[0], ast.Mod(), values[1])
        return with_location(ast.Tuple([whole, rest], ast.Load()), node)

    def checked_call(
        self,
        called: str,
        operands: list[ast.expr],
        node: ast.expr,
        text: str,
        found: Range = WHOLE,
        folded: int | None = None,
    ) -> ast.expr:
        """Return the call of an operation that raises if its result exceeds 64 bits."""
        number = ast.Constant(self.function.number(node, text))
        made = with_location(call(support(called), *operands, number), node)
        made.z_range = cut_to_64_bits(found)  # type: ignore[attr-defined]  # read by Ranges
        if folded is not None:
            made.z_value = folded  # type: ignore[attr-defined]  # read by what it is a part of
            if all(getattr(each, "z_literal", False) for each in operands):
                made.z_literal = text  # type: ignore[attr-defined]  # likewise
        return made

    def _wrap_masked(self, node: ast.BinOp) -> None:
        """Leave a masked operand unchecked: the bits under the mask are right anyway."""
        if _is_negated(node.left, node) or _is_negated(node.right, node):
            is_left = _is_negated(node.left, node)
            is_right = not is_left
        elif isinstance(node.op, ast.BitAnd):
            is_left = self.ranges.range_of(node.right)[0] >= 0
            is_right = self.ranges.range_of(node.left)[0] >= 0
        else:
            size = _value(node.right)
            is_left, is_right = size is not None and size > 0 and not size & size - 1, False
        if is_left:
            node.left = _wrapped(node.left)
        elif is_right:
            node.right = _wrapped(node.right)

    def refuse_constants(self, body: list[ast.stmt]) -> None:
        """Reject constants past 64 bits that remain after rewriting."""
        for statement in body:
            for part in parts_of(statement):
                text = getattr(part, "z_literal", False)
                if isinstance(text, str):
                    remedy = "keep each step below 2**63"
                    self.function.raise_error(
                        part, f"computes {text}, which is past 64 bits; {remedy}"
                    )

    def _fold(self, sign: ast.AST, operands: list[ast.expr]) -> int | None:
        """Return the result of an operation on constants, or None for an error or a huge number."""
        values = [_value(each) for each in operands]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        if isinstance(sign, ast.LShift | ast.Pow):
            one, other = known
            bits = other if isinstance(sign, ast.LShift) else other * one.bit_length()
            if other < 0 or bits > _MOST_BITS:
                return None
        try:
            return int(_COMPUTE[type(sign)](*known))
        except (ArithmeticError, ValueError):
            return None

    def _constant(self, value: int, node: ast.expr) -> ast.expr:
        made: ast.expr = ast.Constant(abs(value))
        if value < 0:
            made = ast.UnaryOp(ast.USub(), made)
        if value == WHOLE[0]:  # its absolute value exceeds 64 bits
            return node
        made = with_location(made, node)
        made.z_literal = all(  # type: ignore[attr-defined]  # read above
            getattr(part, "z_literal", False)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr)
        )
        return made


def _wrapped(node: ast.expr) -> ast.expr:
    """Return a rewritten expression whose users need only the lowest 64 bits."""
    if isinstance(node, ast.Call) and _is_ours(node.func):
        called = node.func.attr
        if called == "invert":
            node.args[0] = _wrapped(node.args[0])
        if called not in _WRAPPING:
            return node
        first, *rest = node.args[:-1]
        if called == "bit":
            called, first, rest = "lshift", ast.Constant(1), [first]
        elif called == "lshift":
            first = _wrapped(first)
        else:
            first, rest = _wrapped(first), list(map(_wrapped, rest))
        return with_location(call(support(called), first, *rest, ast.Constant(0)), node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        node.left, node.right = _wrapped(node.left), _wrapped(node.right)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        one, other = _wrapped(node.left), _wrapped(node.right)
        if one is not node.left or other is not node.right:
            made = support(_NAMES[type(node.op)])
            return with_location(call(made, one, other, ast.Constant(0)), node)
    return node


def _is_negated(node: ast.expr, whole: ast.BinOp) -> bool:
    """Whether ``node`` is the ``-x`` of an ``x & -x`` whose bits are only counted."""
    if not whole.__dict__.get("z_counted") or not isinstance(node, ast.Call):
        return False
    other = whole.right if node is whole.left else whole.left
    is_negative = _is_ours(node.func) and node.func.attr == "neg"
    return is_negative and ast.dump(node.args[0]) == ast.dump(other)


def _is_ours(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == SUPPORT
    )


def _is_safe(sign: ast.AST, given: tuple[Range, Range], found: Range) -> bool:
    """Whether an operation on numbers in these ranges agrees with Python without a check."""
    least, most = given[1]
    if isinstance(sign, ast.LShift):
        return least >= 0 and most < 64 and fits(found)  # noqa: PLR2004  # the bits of a word
    if isinstance(sign, ast.RShift):
        return least >= 0 and most < 64  # noqa: PLR2004  # likewise
    if isinstance(sign, ast.FloorDiv):
        return not least <= -1 <= most or given[0][0] > WHOLE[0]
    return fits(found)


def _value(node: ast.expr) -> int | None:
    """Return the constant value of a rewritten expression, possibly past 64 bits, or None."""
    known: int | None = node.__dict__.get("z_value")
    if known is not None:
        return known
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return int(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand)
        return None if inner is None else -inner
    return None
