"""Whether rules allocate memory that must be freed: lists, arrays, generators.

Most rules create numbers and tuples only. Then Numba need not count references to array arguments,
and each move of a game with data costs a few nanoseconds instead of fifty.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from zermelo._compile.read.syntax import parts_of

#: Functions that do not allocate: builtins, exceptions, methods of numbers and tuples.
_BUILTINS = frozenset(
    ["abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "range", "zip"]
)
_ERRORS = frozenset(["AssertionError", "IndexError", "ValueError"])
_METHODS = frozenset(["bit_count", "bit_length", "_replace", "get", "items", "keys", "values"])
_ALLOCATING_NODES = (
    ast.List,
    ast.Set,
    ast.Dict,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Yield,
    ast.YieldFrom,
    ast.JoinedStr,
)
#: Modules in generated code whose functions do not allocate.
_OWN_MODULES = frozenset(["_z"])
#: The exceptions: functions that create tuples of variable length, which allocate.
_ALLOCATING_FUNCTIONS = frozenset(["as_variable_tuple", "to_tuple"])


#: Numba's messages if rules that are compiled without a heap need one.
_HEAP_MESSAGES = ("Only accept returning of array", "NRT required but not enabled")


def uses_heap(trees: Iterable[ast.FunctionDef]) -> bool:
    """Return whether rewritten rules may allocate memory that must be freed."""
    return any(_may_allocate(node) for tree in trees for node in parts_of(tree))


def lacks_heap(error: Exception) -> bool:
    """Return whether Numba cannot compile rules because they allocate memory without a heap.

    ``uses_heap`` predicts this, except for a function that returns a row of a graph.
    """
    return any(text in str(error) for text in _HEAP_MESSAGES)


def _may_allocate(node: ast.AST) -> bool:
    if isinstance(node, _ALLOCATING_NODES):
        return not (isinstance(node, ast.List) and not isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.Slice):
        return not all(map(_is_number, (node.lower, node.upper, node.step)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return isinstance(node.left, ast.Tuple) or isinstance(node.right, ast.Tuple)
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Name):
        allocates_nothing = (
            function.id in _BUILTINS or function.id in _ERRORS or function.id.startswith("_z_")
        )
        return not allocates_nothing
    if isinstance(function, ast.Attribute):
        is_own = isinstance(function.value, ast.Name) and function.value.id in _OWN_MODULES
        return function.attr in _ALLOCATING_FUNCTIONS if is_own else function.attr not in _METHODS
    return True


def _is_number(node: ast.expr | None) -> bool:
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    return node is None or is_negative or isinstance(node, ast.Constant)
