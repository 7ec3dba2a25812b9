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

#: The names of Zermelo's checked versions of operations that may exceed 64 bits.
_CHECKED_NAMES: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Pow: "checked_pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.USub: "neg",
}
#: The names of in-place versions of checked operations, which change a list.
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
#: The most bits of a constant during folding.
_MOST_BITS = 4096
#: Syntax of tuples and lists, for which the operators have another meaning.
_ROW_NODES = (ast.Tuple, ast.List, ast.ListComp)


class Arithmetic:
    """The arithmetic of one function."""

    def __init__(self, function: Function) -> None:
        """Analyse the ranges of variables in ``function``."""
        self.function = function
        self.ranges = Ranges(function.body, [*function.arguments, *function.selves])

    def may_differ(self, node: ast.BinOp | ast.AugAssign) -> bool:
        """Return whether the compiled operation may differ from Python's on numbers."""
        return type(node.op) in _CHECKED_NAMES and not (
            isinstance(node, ast.AugAssign) and isinstance(node.value, _ROW_NODES)
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
        if type(node.op) not in _COMPUTE or isinstance(node.left, _ROW_NODES):
            return node
        if isinstance(node.right, _ROW_NODES):
            return node
        constant = self._fold(node.op, [node.left, node.right])
        if constant is not None and fits((constant, constant)):
            return self._constant(constant, node)
        operand_ranges = self.ranges.range_of(node.left), self.ranges.range_of(node.right)
        result_range = of_binary(node.op, *operand_ranges)
        operation = _CHECKED_NAMES.get(type(node.op), "")
        if not operation or _is_safe(node.op, operand_ranges, result_range):
            node.z_range = cut_to_64_bits(result_range)  # type: ignore[attr-defined]  # read by Ranges
            return node
        operands = [node.left, node.right]
        if operation == "lshift" and _value(node.left) == 1:
            operation, operands = "bit", [node.right]
        elif in_place:
            operation = _IN_PLACE.get(operation, operation)
        return self.checked_call(operation, operands, node, text, result_range, constant)

    def unary(self, node: ast.UnaryOp, text: str) -> ast.expr:
        """Return the checked form of ``-x`` with a rewritten operand."""
        value = _value(node.operand)
        if value is not None and not isinstance(node.operand, ast.Constant):
            constant = self._fold(node.op, [node.operand])
            if constant is not None and fits((constant, constant)):
                return self._constant(constant, node)
        result_range = of_unary(node.op, self.ranges.range_of(node.operand))
        if fits(result_range):
            node.z_literal = getattr(node.operand, "z_literal", False)  # type: ignore[attr-defined]  # read by refuse_constants
            return node
        return self.checked_call("neg", [node.operand], node, text, result_range, None)

    def call(self, node: ast.Call, value: object, visit: Visit) -> ast.expr | None:
        """Return the checked form of ``abs``, ``divmod``, ``pow`` or ``operator.*``, or None.

        Args:
            node: the call.
            value: the function called.
            visit: rewrites an argument of the call.
        """
        argument_count = 0 if node.keywords else len(node.args)
        op = externals.sign_of(value) if argument_count == 2 else None  # noqa: PLR2004  # a + b
        if op is not None:
            operation = ast.BinOp(node.args[0], op, node.args[1])
            rewritten: ast.expr = visit(with_location(operation, node))
            return rewritten
        if value is divmod and argument_count == 2:  # noqa: PLR2004  # dividend and divisor
            return self._quotient(node, visit)
        if value is round and argument_count > 1:
            remedy = "write (x + 5) // 10 * 10 for tens"
            self.function.refuse(node, "round() to a number of digits", remedy)
        return self._absolute(node, visit) if value is abs and argument_count == 1 else None

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
        quotient = self.checked_call("floordiv", values, node, text)
        remainder = ast.BinOp(values[0], ast.Mod(), values[1])
        return with_location(ast.Tuple([quotient, remainder], ast.Load()), node)

    def checked_call(
        self,
        operation: str,
        operands: list[ast.expr],
        node: ast.expr,
        text: str,
        result_range: Range = WHOLE,
        constant: int | None = None,
    ) -> ast.expr:
        """Return the call of a checked operation, which raises if its result exceeds 64 bits."""
        number = ast.Constant(self.function.number(node, text))
        checked = with_location(call(support(operation), *operands, number), node)
        checked.z_range = cut_to_64_bits(result_range)  # type: ignore[attr-defined]  # read by Ranges
        if constant is not None:
            checked.z_value = constant  # type: ignore[attr-defined]  # read by _value
            if all(getattr(operand, "z_literal", False) for operand in operands):
                checked.z_literal = text  # type: ignore[attr-defined]  # read by refuse_constants
        return checked

    def _wrap_masked(self, node: ast.BinOp) -> None:
        """Leave a masked operand unchecked, as overflow does not change the bits under the mask."""
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
            node.left = _without_checks(node.left)
        elif is_right:
            node.right = _without_checks(node.right)

    def refuse_constants(self, body: list[ast.stmt]) -> None:
        """Reject constant operations past 64 bits that remain after rewriting."""
        for statement in body:
            for part in parts_of(statement):
                text = getattr(part, "z_literal", False)
                if isinstance(text, str):
                    remedy = "keep each step below 2**63"
                    self.function.raise_error(
                        part, f"computes {text}, which is past 64 bits; {remedy}"
                    )

    def _fold(self, op: ast.AST, operands: list[ast.expr]) -> int | None:
        """Return the result of an operation on constants; None if it fails or is huge."""
        values = [_value(operand) for operand in operands]
        constants = [value for value in values if value is not None]
        if len(constants) < len(values):
            return None
        if isinstance(op, ast.LShift | ast.Pow):
            base, amount = constants
            bits = amount if isinstance(op, ast.LShift) else amount * base.bit_length()
            if amount < 0 or bits > _MOST_BITS:
                return None
        try:
            return int(_COMPUTE[type(op)](*constants))
        except (ArithmeticError, ValueError):
            return None

    def _constant(self, value: int, node: ast.expr) -> ast.expr:
        constant: ast.expr = ast.Constant(abs(value))
        if value < 0:
            constant = ast.UnaryOp(ast.USub(), constant)
        if value == WHOLE[0]:  # its absolute value exceeds 64 bits
            return node
        constant = with_location(constant, node)
        constant.z_literal = all(  # type: ignore[attr-defined]  # read by refuse_constants
            getattr(part, "z_literal", False)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr)
        )
        return constant


def _without_checks(node: ast.expr) -> ast.expr:
    """Return an expression without checks, for users that need only the lowest 64 bits."""
    if isinstance(node, ast.Call) and _is_ours(node.func):
        operation = node.func.attr
        if operation == "invert":
            node.args[0] = _without_checks(node.args[0])
        if operation not in _WRAPPING:
            return node
        first, *operands = node.args[:-1]
        if operation == "bit":
            operation, first, operands = "lshift", ast.Constant(1), [first]
        elif operation == "lshift":
            first = _without_checks(first)
        else:
            first, operands = _without_checks(first), list(map(_without_checks, operands))
        return with_location(call(support(operation), first, *operands, ast.Constant(0)), node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        node.left, node.right = _without_checks(node.left), _without_checks(node.right)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        left, right = _without_checks(node.left), _without_checks(node.right)
        if left is not node.left or right is not node.right:
            function = support(_CHECKED_NAMES[type(node.op)])
            return with_location(call(function, left, right, ast.Constant(0)), node)
    return node


def _is_negated(node: ast.expr, whole: ast.BinOp) -> bool:
    """Return whether ``node`` is the ``-x`` of an ``x & -x`` of which only the bits are counted."""
    if not whole.__dict__.get("z_counted") or not isinstance(node, ast.Call):
        return False
    other_side = whole.right if node is whole.left else whole.left
    is_negative = _is_ours(node.func) and node.func.attr == "neg"
    return is_negative and ast.dump(node.args[0]) == ast.dump(other_side)


def _is_ours(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == SUPPORT
    )


def _is_safe(op: ast.AST, operands: tuple[Range, Range], result: Range) -> bool:
    """Return whether an unchecked operation on these ranges gives the result of Python."""
    low, high = operands[1]
    if isinstance(op, ast.LShift):
        return low >= 0 and high < 64 and fits(result)  # noqa: PLR2004  # the bits of a word
    if isinstance(op, ast.RShift):
        return low >= 0 and high < 64  # noqa: PLR2004  # likewise
    if isinstance(op, ast.FloorDiv):
        return not low <= -1 <= high or operands[0][0] > WHOLE[0]
    return fits(result)


def _value(node: ast.expr) -> int | None:
    """Return the constant value of a rewritten expression, possibly past 64 bits, or None."""
    constant: int | None = node.__dict__.get("z_value")
    if constant is not None:
        return constant
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return int(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand)
        return None if inner is None else -inner
    return None
