"""The data arguments of each function of a module: only the game data that it reads.

Numba passes an array as seven numbers, which every caller unpacks and every function packs, so that
functions with all data as arguments take half as long again to compile.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from typing import TypeGuard

from zermelo._compile.read.syntax import copy_tree, parts_of
from zermelo._compile.rewrite.ast_builders import DATA, with_location

#: The names of the tuple of all data: in rules, and in the template.
_ALL = (DATA, "data")

Functions = dict[str, ast.FunctionDef]


def pass_data_arguments(functions: Functions, kernels: Container[str]) -> None:
    """Pass to each function only the data that the function or its callees read.

    Leave all functions unchanged if one of them uses its data in another way.

    Args:
        functions: the functions of a module by name, which are changed.
        kernels: the names of the functions that build the data tuple themselves.
    """
    takers = {label for label, tree in functions.items() if label not in kernels and _has_all(tree)}
    uses = {}
    for label, tree in functions.items():
        use = uses[label] = _data_use(tree, takers)
        if not use.plain or (
            (use.reads or use.calls) and label not in takers and label not in kernels
        ):
            return
    is_stable = False
    while not is_stable:
        counts = [len(use.reads) for use in uses.values()]
        for use in uses.values():
            use.reads.update(*(uses[callee].reads for callee in use.calls))
        is_stable = counts == [len(use.reads) for use in uses.values()]
    data_names = {label: sorted(uses[label].reads) for label in takers}
    for tree in functions.values():
        _DataPasser(data_names, tree.name).visit(tree)


@dataclass
class _Use:
    """The use of data in a function.

    Attributes:
        reads: the data that it, or its callees, read.
        calls: the functions to which it passes all data.
        plain: whether it has no other use of data.
    """

    reads: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    plain: bool = True


def _data_use(tree: ast.FunctionDef, takers: set[str]) -> _Use:
    """Return the use of data in a function; ``takers`` are the functions that take all data."""
    use, counts = _Use(), Counter[str]()
    for part in parts_of(tree):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            counts[part.id] += 1
        elif isinstance(part, ast.Attribute) and _is_data(part.value):
            use.reads.add(part.attr)
            counts[part.value.id] -= 1
        elif isinstance(part, ast.Call) and (callee := _callee_with_data(part, takers)):
            use.calls.add(callee)
            counts.subtract((callee, ast.unparse(part.args[0])))
    use.plain = not any(counts[label] for label in (*takers, *_ALL))
    return use


def _has_all(tree: ast.FunctionDef) -> bool:
    return bool(tree.args.args) and tree.args.args[0].arg in _ALL


def _is_data(part: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and part.id in _ALL


def _callee_with_data(part: ast.Call, takers: Container[str]) -> str:
    """Return the name of the function that a call passes all data to, or ""."""
    func = part.func
    if isinstance(func, ast.Name) and func.id in takers and part.args and _is_data(part.args[0]):
        return func.id
    return ""


class _DataPasser(ast.NodeTransformer):
    """Replaces the tuple of all data in a function; a kernel builds the tuple itself."""

    def __init__(self, data_names: dict[str, list[str]], label: str) -> None:
        self._data_names = data_names
        self._own_names = data_names.get(label)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:  # named by ast
        """Replace the argument with all data by one argument for each value that is read."""
        if self._own_names is not None:
            node.args.args[:1] = [
                with_location(ast.arg(_argument_name(name)), node) for name in self._own_names
            ]
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:  # named by ast
        """Pass each value that the callee reads, instead of all data."""
        callee = _callee_with_data(node, self._data_names)
        if callee:
            first = node.args[0]
            names = self._data_names[callee]
            values = [ast.Attribute(copy_tree(first), name, ast.Load()) for name in names]
            node.args[:1] = [with_location(value, first) for value in values]
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # named by ast
        """Replace an attribute of the data by the argument."""
        if _is_data(node.value) and self._own_names is not None:
            return with_location(ast.Name(_argument_name(node.attr), node.ctx), node)
        self.generic_visit(node)
        return node


def _argument_name(data_name: str) -> str:
    return f"{DATA}_{data_name}"
