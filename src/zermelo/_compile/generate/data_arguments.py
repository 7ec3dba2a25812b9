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

from zermelo._compile.read.syntax import copied, parts_of
from zermelo._compile.rewrite.ast_builders import DATA, with_location

#: The names of the tuple of all data: in rules, and in the template.
_ALL = (DATA, "data")

Functions = dict[str, ast.FunctionDef]


def pass_data_arguments(functions: Functions, kernels: Container[str]) -> None:
    """Pass to each function only the data that it, or its callees, read; rewrite them for that.

    Nothing is changed if one of them does something else with its data.

    Args:
        functions: the functions of a module by name, which are changed.
        kernels: the names of the functions that build the data tuple themselves.
    """
    given = {label for label, tree in functions.items() if label not in kernels and _has_all(tree)}
    uses = {}
    for label, tree in functions.items():
        use = uses[label] = _use_of(tree, given)
        if not use.plain or (
            (use.reads or use.calls) and label not in given and label not in kernels
        ):
            return
    settled = False
    while not settled:
        before = [len(use.reads) for use in uses.values()]
        for use in uses.values():
            use.reads.update(*(uses[other].reads for other in use.calls))
        settled = before == [len(use.reads) for use in uses.values()]
    needed = {label: sorted(uses[label].reads) for label in given}
    for tree in functions.values():
        _Handing(needed, tree.name).visit(tree)


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


def _use_of(tree: ast.FunctionDef, given: set[str]) -> _Use:
    """Return the use of data in a function; ``given`` are the functions that take all data."""
    use, named = _Use(), Counter[str]()
    for part in parts_of(tree):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            named[part.id] += 1
        elif isinstance(part, ast.Attribute) and _is_all(part.value):
            use.reads.add(part.attr)
            named[part.value.id] -= 1
        elif isinstance(part, ast.Call) and (called := _given_to(part, given)):
            use.calls.add(called)
            named.subtract((called, ast.unparse(part.args[0])))
    use.plain = not any(named[label] for label in (*given, *_ALL))
    return use


def _has_all(tree: ast.FunctionDef) -> bool:
    return bool(tree.args.args) and tree.args.args[0].arg in _ALL


def _is_all(part: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and part.id in _ALL


def _given_to(part: ast.Call, given: Container[str]) -> str:
    """Return the name of the function that a call passes all data to, or ""."""
    func = part.func
    if isinstance(func, ast.Name) and func.id in given and part.args and _is_all(part.args[0]):
        return func.id
    return ""


class _Handing(ast.NodeTransformer):
    """Rewrites a function; a kernel, which takes no data tuple, has all data."""

    def __init__(self, needed: dict[str, list[str]], label: str) -> None:
        self._needed = needed
        self._own = needed.get(label)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:  # named by ast
        """Replace the argument with all data by one for each of its own."""
        if self._own is not None:
            node.args.args[:1] = [with_location(ast.arg(_named(each)), node) for each in self._own]
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:  # named by ast
        """Pass each of the callee's data."""
        called = _given_to(node, self._needed)
        if called:
            first = node.args[0]
            read = (ast.Attribute(copied(first), each, ast.Load()) for each in self._needed[called])
            node.args[:1] = [with_location(each, first) for each in read]
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # named by ast
        """Replace an attribute of the data by the argument."""
        if _is_all(node.value) and self._own is not None:
            return with_location(ast.Name(_named(node.attr), node.ctx), node)
        self.generic_visit(node)
        return node


def _named(each: str) -> str:
    return f"{DATA}_{each}"
