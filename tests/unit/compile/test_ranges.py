"""The ranges of expressions, by which the tests for 64 bits are left out.

A range too narrow shows in rules only at a number past 64 bits, which few expressions reach.
"""

from __future__ import annotations

import ast
import operator
from random import Random
from typing import Any

import pytest

from zermelo._compile.rewrite.ranges import Ranges, of_binary

OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}


@pytest.mark.parametrize("sign", OPERATORS, ids=lambda sign: sign.__name__)
def test_range_holds_all_results(sign: type[ast.operator]) -> None:
    """Every result of operands in two ranges is in the range that is read off these."""
    random = Random(1)
    for _ in range(400):
        one, other = (sorted(random.randint(-9, 12) for _ in range(2)) for _ in range(2))
        low, high = of_binary(sign(), (one[0], one[1]), (other[0], other[1]))
        for left in range(one[0], one[1] + 1):
            for right in range(other[0], other[1] + 1):
                try:
                    result = OPERATORS[sign](left, right)
                except (ValueError, ZeroDivisionError):  # an error in rules, too
                    continue
                assert not isinstance(result, int) or low <= result <= high


def known(text: str) -> tuple[int, int]:
    """Return the range of an expression in a function without variables."""
    return Ranges([], []).range_of(ast.parse(text, mode="eval").body)


def test_masks_and_remainders_are_small() -> None:
    """Whatever a variable is, a part of it that is taken by a constant has a known range."""
    assert known("x & 63") == (0, 63)
    assert known("x % 9 * 8 + 1") == (1, 65)
    assert known("1 << (x & 7)") == (1, 128)
    assert known("min(x, 5) if x > 3 else x % 4")[1] == 5
    assert known("x + 1") == known("x")


def test_variables_of_arguments_are_unknown() -> None:
    """An argument that is given a value somewhere may still be what it was given."""
    body = ast.parse("x = 3\ny = 3").body
    ranges = Ranges(body, ["x"])
    for name in "xy":
        ranges.record(ast.Name(name, ast.Store()), (3, 3))
    assert ranges.range_of(ast.Name("y", ast.Load())) == (3, 3)
    assert ranges.range_of(ast.Name("x", ast.Load())) == known("x")
