"""Lists of fixed length that stay in their function: rewritten as tuples.

``cells = list(p.cells)``, some ``cells[i] = x`` and ``tuple(cells)`` is a common way to change a
board. A list would allocate memory for each move. If no other code sees the list, each change can
create another tuple instead, which costs almost nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from zermelo._compile.read.syntax import chain, parts_of
from zermelo._compile.rewrite.ast_builders import call, name, store, support, with_location

#: Functions that neither change nor keep such a list.
_READERS = frozenset(
    [
        "all",
        "any",
        "enumerate",
        "len",
        "list",
        "max",
        "min",
        "reversed",
        "sorted",
        "sum",
        "tuple",
        "zip",
    ]
)
_READING_METHODS = frozenset(["count", "index"])


def lists_to_tuples(body: list[ast.stmt], arguments: Iterable[str]) -> list[ast.stmt]:
    """Return a function's body with such lists as tuples.

    Args:
        body: the statements, without ``:=``.
        arguments: the names of the function's arguments.
    """
    whole = ast.Module(body, [])
    lists = {variable for variable in _list_names(whole) if _never_escapes(variable, whole)} - set(
        arguments
    )
    return _TupleRewriter(lists).block(body) if lists else body


def _list_names(whole: ast.Module) -> set[str]:
    """Return the names that are assigned once, from ``list`` of a row."""
    assigned_names: list[str] = []
    list_names: set[str] = set()
    for node in parts_of(whole):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            assigned_names.append(node.id)
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
            assigned_names.append(node.name)
        elif isinstance(node, ast.Assign) and _is_list_of_row(node.value):
            target = node.targets[0]
            if len(node.targets) == 1 and isinstance(target, ast.Name):
                list_names.add(target.id)
    return {variable for variable in list_names if assigned_names.count(variable) == 1}


def _is_list_of_row(node: ast.expr) -> bool:
    """Return whether an expression is ``list(p.cells)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    if node.func.id != "list" or len(node.args) != 1 or node.keywords:
        return False
    return chain(node.args[0]) is not None


def _never_escapes(variable: str, whole: ast.Module) -> bool:
    """Return whether a list is only used item by item, so that no other code sees it."""
    harmless: set[int] = set()
    for node in parts_of(whole):
        harmless.update(id(part) for part in _harmless_uses(node, variable))
        if isinstance(node, ast.For) and _mentions(node.iter, variable):
            loop_nodes = (part for statement in node.body for part in parts_of(statement))
            if any(_assigns_item(part, variable) for part in loop_nodes):
                return False
    uses = [node for node in parts_of(whole) if _is_name(node, variable)]
    return all(id(node) in harmless for node in uses)


def _harmless_uses(node: ast.AST, variable: str) -> list[ast.expr]:
    """Return the uses of a list in a node that do not let it escape."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        parts = [] if isinstance(node.slice, ast.Slice) else [node.value]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        parts = list(node.args) if node.func.id in _READERS else []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        parts = [node.func.value] if node.func.attr in _READING_METHODS else []
    elif isinstance(node, ast.For | ast.comprehension):
        parts = [node.iter]
    elif isinstance(node, ast.Compare):
        comparisons = zip(node.ops, node.comparators, strict=True)
        parts = [
            items for operator, items in comparisons if isinstance(operator, ast.In | ast.NotIn)
        ]
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        parts = _targets(node.targets[0])
    elif isinstance(node, ast.AugAssign):
        parts = _targets(node.target)[:1] if isinstance(node.target, ast.Subscript) else []
    return [part for part in parts if _is_name(part, variable)]


def _targets(target: ast.expr) -> list[ast.expr]:
    """Return the names that an assignment sets, or whose items it sets."""
    items = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    if any(isinstance(part, ast.Tuple | ast.List | ast.Starred) for part in items):
        return []
    return [
        part.value if isinstance(part, ast.Subscript) else part
        for part in items
        if not (isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice))
    ]


def _is_name(node: ast.AST, variable: str) -> bool:
    return isinstance(node, ast.Name) and node.id == variable


def _mentions(node: ast.AST, variable: str) -> bool:
    return any(_is_name(part, variable) for part in parts_of(node))


def _assigns_item(node: ast.AST, variable: str) -> bool:
    """Return whether a node is an item of a list that is assigned."""
    return (
        isinstance(node, ast.Subscript)
        and not isinstance(node.ctx, ast.Load)
        and _is_name(node.value, variable)
    )


class _TupleRewriter(ast.NodeTransformer):
    """Replaces assignments of a list's items by new tuples."""

    def __init__(self, lists: set[str]) -> None:
        self.lists = lists
        self.count = 0

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements with such lists as tuples."""
        statements: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            statements += new if isinstance(new, list) else [new]
        return statements

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:  # named by ast
        """Replace a list by a tuple, and a change of an item by a new tuple."""
        self.generic_visit(node)
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self.lists:
            assert isinstance(node.value, ast.Call)  # noqa: S101  # it is the list of a row
            node.value = with_location(call(support("fixed_list"), *node.value.args), node)
            return node
        if isinstance(target, ast.Subscript) and self._is_item_of_list(target):
            return self._assign_item(target, node.value, node)
        if isinstance(target, ast.Tuple | ast.List) and any(
            map(self._is_item_of_list, target.elts)
        ):
            return self._unpack(target.elts, node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:  # named by ast
        """Replace ``cells[i] += 1`` by a new tuple."""
        self.generic_visit(node)
        target = node.target
        if not isinstance(target, ast.Subscript) or not self._is_item_of_list(target):
            return node
        place = self._fresh()
        first = with_location(ast.Assign([store(place)], target.slice), node)
        old = ast.Subscript(target.value, name(place), ast.Load())
        target = ast.copy_location(ast.Subscript(target.value, name(place), ast.Store()), target)
        return [first, self._assign_item(target, ast.BinOp(old, node.op, node.value), node)]

    def visit_Call(self, node: ast.Call) -> ast.expr:  # named by ast
        """Replace ``tuple(cells)`` by the tuple itself."""
        self.generic_visit(node)
        argument = node.args[0] if node.args else None
        is_tuple_call = (
            isinstance(node.func, ast.Name) and node.func.id == "tuple" and len(node.args) == 1
        )
        if is_tuple_call and isinstance(argument, ast.Name) and argument.id in self.lists:
            return with_location(call(support("fixed_list_to_tuple"), argument), node)
        return node

    def _is_item_of_list(self, target: ast.expr) -> bool:
        row = target.value if isinstance(target, ast.Subscript) else None
        return isinstance(row, ast.Name) and row.id in self.lists

    def _assign_item(self, target: ast.Subscript, value: ast.expr, node: ast.stmt) -> ast.stmt:
        assert isinstance(target.value, ast.Name)  # noqa: S101  # it is one of the lists
        variable = target.value.id
        tuple_with_item = call(support("set_item"), name(variable), target.slice, value)
        return with_location(ast.Assign([store(variable)], tuple_with_item), node)

    def _unpack(self, targets: list[ast.expr], node: ast.Assign) -> list[ast.stmt]:
        """Return the assignments of a multiple assignment, one after the other."""
        values = [self._fresh() for _ in targets]
        target_tuple = ast.Tuple([store(value) for value in values], ast.Store())
        body: list[ast.stmt] = [with_location(ast.Assign([target_tuple], node.value), node)]
        for target, value in zip(targets, values, strict=True):
            if isinstance(target, ast.Subscript) and self._is_item_of_list(target):
                body.append(self._assign_item(target, name(value), node))
            else:
                body.append(with_location(ast.Assign([target], name(value)), node))
        return body

    def _fresh(self) -> str:
        self.count += 1
        return f"_z_part{self.count}"
