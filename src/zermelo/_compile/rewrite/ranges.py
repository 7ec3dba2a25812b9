"""Interval arithmetic over rewritten expressions: which results certainly fit in 64 bits.

An expression's range follows from its form: constants, masks, remainders, comparisons, lengths, the
variable of a loop over ``range``, and variables that are assigned once. Anything else may be any
number. Results proved here need no check at run time, and compile faster.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import TypeAlias

from zermelo._compile.read.syntax import parts_of

#: The least and the greatest number that an expression may give.
Range: TypeAlias = tuple[int, int]

WHOLE: Range = (-(1 << 63), (1 << 63) - 1)
#: The range of a variable that only counts: no loop runs long enough to leave it.
COUNTER: Range = (-(1 << 62), 1 << 62)
#: The greatest step of such a variable.
_MOST_STEP = 1 << 16
_TRUTH: Range = (0, 1)
_LENGTH: Range = (0, 1 << 48)
_BITS = 64
_METHODS = {"bit_count": (0, _BITS), "bit_length": (0, _BITS), "count": _LENGTH, "index": _LENGTH}


class Ranges:
    """The ranges of the expressions and variables in one function."""

    def __init__(self, body: list[ast.stmt], arguments: Iterable[str]) -> None:
        """Count the assignments of each variable.

        Args:
            body: the function, not rewritten yet.
            arguments: its arguments, whose ranges are unknown.
        """
        nodes = [node for statement in body for node in parts_of(statement)]
        stores = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self._stores = Counter([*stores, *arguments, *arguments])
        self._ranges = dict.fromkeys(_counters(nodes, self._stores), COUNTER)

    def record(self, target: ast.expr, value: Range) -> None:
        """Record the range of a variable, if it has only one assignment."""
        if isinstance(target, ast.Name) and self._stores[target.id] == 1:
            self._ranges[target.id] = value

    def note_loop(self, target: ast.expr, items: ast.expr) -> None:
        """Record the range of the variable of a loop, whose ``items`` are rewritten."""
        if not (isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.args):
            return
        if items.func.id == "range":
            ends = [self.range_of(end) for end in items.args if not isinstance(end, ast.Starred)]
            self.record(target, _of_range(ends))
        elif items.func.id == "enumerate" and isinstance(target, ast.Tuple):
            start = self.range_of(items.args[1]) if len(items.args) > 1 else (0, 0)
            self.record(target.elts[0], (start[0], min(start[1] + _LENGTH[1], WHOLE[1])))

    def is_counter(self, name: str) -> bool:
        """Return whether a variable only counts in small steps from a small number."""
        return self._ranges.get(name) is COUNTER

    def range_of(self, node: ast.expr) -> Range:
        """Return the range of a rewritten expression."""
        recorded: Range | None = node.__dict__.get("z_range")
        if recorded is not None:
            return recorded
        computed = self._compute_range(node)
        return computed if fits(computed) else WHOLE

    def _compute_range(self, node: ast.expr) -> Range:
        if isinstance(node, ast.Constant):
            return (int(node.value),) * 2 if isinstance(node.value, int) else WHOLE
        if isinstance(node, ast.Name):
            return self._ranges.get(node.id, WHOLE)
        if isinstance(node, ast.Compare):
            return _TRUTH
        if isinstance(node, ast.UnaryOp):
            return of_unary(node.op, self.range_of(node.operand))
        if isinstance(node, ast.BinOp):
            return of_binary(node.op, self.range_of(node.left), self.range_of(node.right)) or WHOLE
        if isinstance(node, ast.IfExp):
            return _joined([self.range_of(node.body), self.range_of(node.orelse)])
        if isinstance(node, ast.BoolOp):
            return _joined(list(map(self.range_of, node.values)))
        return self._of_call(node) if isinstance(node, ast.Call) else WHOLE

    def _of_call(self, node: ast.Call) -> Range:
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in ("rshift", "unliteral") and node.args:  # Zermelo's functions
                ranges = list(map(self.range_of, node.args[:2]))
                return of_binary(ast.RShift(), *ranges) if len(ranges) > 1 else ranges[0]
            return _TRUTH if node.func.attr == "truth" else _METHODS.get(node.func.attr, WHOLE)
        function = node.func.id if isinstance(node.func, ast.Name) else ""
        if function in ("min", "max") and len(node.args) > 1 and not node.keywords:
            lows, highs = zip(*map(self.range_of, node.args), strict=True)
            choose = min if function == "min" else max
            return choose(lows), choose(highs)
        if function == "abs" and node.args:
            low, high = self.range_of(node.args[0])
            return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(-low, high)
        if function == "int" and len(node.args) == 1:
            return self.range_of(node.args[0])
        return {"len": _LENGTH, "bool": _TRUTH}.get(function, WHOLE)


def fits(numbers: Range) -> bool:
    """Return whether all numbers of a range fit in 64 bits."""
    return WHOLE[0] <= numbers[0] and numbers[1] <= WHOLE[1]


def cut_to_64_bits(numbers: Range) -> Range:
    """Cut a range to 64 bits, as a number past 64 bits raises an error."""
    low, high = max(numbers[0], WHOLE[0]), min(numbers[1], WHOLE[1])
    return (low, high) if low <= high else WHOLE


def of_unary(sign: ast.unaryop, operand: Range) -> Range:
    """Return the range of ``-x``, ``~x`` or ``not x``."""
    low, high = operand
    if isinstance(sign, ast.USub):
        return -high, -low
    if isinstance(sign, ast.Invert):
        return ~high, ~low
    return _TRUTH if isinstance(sign, ast.Not) else operand


def of_binary(sign: ast.operator, left: Range, right: Range) -> Range:
    """Return the range of an operation, possibly past 64 bits."""
    (low, high), (right_low, right_high) = left, right
    at_ends = _AT_ENDS.get(type(sign))
    if at_ends is not None and at_ends[0] <= right_low and right_high <= at_ends[1]:
        results = [at_ends[2](a, b) for a, b in product(left, right)]
        return min(results), max(results)
    if isinstance(sign, ast.Mod) and right_low > 0:
        return 0, min(high, right_high - 1) if low >= 0 else right_high - 1
    if isinstance(sign, ast.BitAnd):
        masks = [top for bottom, top in (left, right) if bottom >= 0]
        return (0, min(masks)) if masks else WHOLE
    if isinstance(sign, ast.BitOr | ast.BitXor) and low >= 0 and right_low >= 0:
        return 0, (1 << max(high, right_high).bit_length()) - 1
    if (
        isinstance(sign, ast.Pow)
        and low >= 0
        and right_low >= 0
        and right_high * high.bit_length() < _BITS
    ):
        return 0, max(1, high**right_high)
    return (WHOLE[0] << _BITS, WHOLE[1] << _BITS)


#: Operations that are monotonic in both operands, with the valid range of the right one.
_AT_ENDS: dict[type[ast.operator], tuple[int, int, Callable[[int, int], int]]] = {
    ast.Add: (*WHOLE, operator.add),
    ast.Sub: (*WHOLE, operator.sub),
    ast.Mult: (*WHOLE, operator.mul),
    ast.FloorDiv: (1, WHOLE[1], operator.floordiv),
    ast.LShift: (0, _BITS - 1, operator.lshift),
    ast.RShift: (0, _BITS - 1, operator.rshift),
}


def _joined(ranges: list[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _of_range(ends: list[Range]) -> Range:
    """Return the range of the items of ``range`` for bounds in these ranges."""
    if len(ends) == 1:
        return 0, max(ends[0][1] - 1, 0)
    low, high = _joined(ends[:2])
    return low, high if len(ends) > 2 else max(low, high - 1)  # noqa: PLR2004  # with a step


def _counters(nodes: list[ast.AST], stores: Counter[str]) -> set[str]:
    """Return the variables that are only set to small numbers and changed in small steps."""
    step_counts: Counter[str] = Counter()
    for node in nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        if is_step(node.value):
            step_counts.update(target.id for target in targets if isinstance(target, ast.Name))
    return {name for name, count in step_counts.items() if stores[name] == count}


def is_step(node: ast.expr) -> bool:
    """Return whether an expression, not rewritten, is a small number or a truth value."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and abs(node.value) <= _MOST_STEP
    return isinstance(node, ast.Compare)
