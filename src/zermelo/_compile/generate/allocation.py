"""Whether rules allocate memory that must be freed: lists, arrays, generators.

Most make numbers and tuples only. Then Numba need not count references to the arrays that are
passed on, and each move of a game with data costs a few nanoseconds instead of fifty.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from zermelo._compile.read.syntax import parts_of

#: Functions that allocate nothing: builtins, methods of numbers and tuples.
_BUILTINS = frozenset(
    ["abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "range", "zip"]
)
_ERRORS = frozenset(["AssertionError", "IndexError", "ValueError"])
_METHODS = frozenset(["bit_count", "bit_length", "_replace", "get", "items", "keys", "values"])
_MAKERS = (
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
#: Modules in generated code whose functions allocate nothing.
_OURS = frozenset(["_z"])
#: Functions of these modules that create tuples of variable length, which do allocate.
_LOOSE = frozenset(["as_variable_tuple", "to_tuple"])


#: Numba's messages if rules need a heap and have none.
_SIGNS = ("Only accept returning of array", "NRT required but not enabled")


def uses_heap(trees: Iterable[ast.FunctionDef]) -> bool:
    """Whether rewritten rules may allocate memory that must be freed."""
    return any(_makes(node) for tree in trees for node in parts_of(tree))


def lacks_heap(error: Exception) -> bool:
    """Whether Numba cannot compile rules because they allocate memory without a heap.

    ``uses_heap`` detects this before, except for a function that returns a row of a graph.
    """
    return any(sign in str(error) for sign in _SIGNS)


def _makes(node: ast.AST) -> bool:
    if isinstance(node, _MAKERS):
        return not (isinstance(node, ast.List) and not isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.Slice):
        return not all(map(_is_number, (node.lower, node.upper, node.step)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return isinstance(node.left, ast.Tuple) or isinstance(node.right, ast.Tuple)
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Name):
        known = called.id in _BUILTINS or called.id in _ERRORS or called.id.startswith("_z_")
        return not known
    if isinstance(called, ast.Attribute):
        ours = isinstance(called.value, ast.Name) and called.value.id in _OURS
        return called.attr in _LOOSE if ours else called.attr not in _METHODS
    return True


def _is_number(node: ast.expr | None) -> bool:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    return node is None or negative or isinstance(node, ast.Constant)
