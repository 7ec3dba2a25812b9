"""The local names of a function, and forms that only Python can run, rewritten.

The variables of a comprehension get unique names, so that each name of a function has one meaning;
``:=`` becomes a statement, as Numba does not support it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from zermelo._compile.read.syntax import parts_of
from zermelo._compile.rewrite.ast_builders import name as read
from zermelo._compile.rewrite.ast_builders import store, with_location

#: The suffix of the name of a comprehension's variable.
_RENAMED = re.compile(r"_z\d+\b")


def renamed(name: str) -> bool:
    """Return whether a name is that of a comprehension's variable."""
    return _RENAMED.search(name) is not None


Fail = Callable[[ast.AST, str, str], NoReturn]


def readable(text: str) -> str:
    """Return a text with the author's names of comprehension variables."""
    return _RENAMED.sub("", text)


def remove_walrus(tree: ast.FunctionDef, fail: Fail) -> list[ast.stmt]:
    """Return a function's body with comprehension variables renamed and without ``:=``.

    Args:
        tree: the function.
        fail: raises the error for a form that cannot be rewritten.
    """
    renamer = _Renamer()
    body = [renamer.visit(statement) for statement in tree.body]
    return _WalrusRemover(fail).block(body)


#: Patterns that assign names, and statements that do, though rules cannot use them.
_NAMING_NODES = (ast.MatchAs, ast.MatchStar, ast.FunctionDef, ast.ClassDef)


def stored_names(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements assign."""
    names: set[str] = set()
    for statement in body:
        for node in parts_of(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            elif isinstance(node, _NAMING_NODES) and node.name is not None:
                names.add(node.name)
            elif isinstance(node, ast.alias):
                names.add((node.asname or node.name).partition(".")[0])
    return names


class _Renamer(ast.NodeTransformer):
    """Gives the variables of each comprehension unique names."""

    def __init__(self) -> None:
        self.count = 0
        self.names: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:  # named by ast
        if node.id in self.names:
            return ast.copy_location(ast.Name(self.names[node.id], node.ctx), node)
        return node

    def _comprehension(self, node: Any) -> Any:
        generators = node.generators
        generators[0].iter = self.visit(generators[0].iter)
        outer_names = self.names
        self.count += 1
        loop_variables = stored_names(loop.target for loop in generators)
        self.names = {**outer_names, **{name: f"{name}_z{self.count}" for name in loop_variables}}
        for i, loop in enumerate(generators):
            loop.target = self.visit(loop.target)
            if i:
                loop.iter = self.visit(loop.iter)
            loop.ifs = [self.visit(test) for test in loop.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        self.names = outer_names
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:  # named by ast
        self.count += 1
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        outer_names = self.names
        self.names = {
            **outer_names,
            **{parameter.arg: f"{parameter.arg}_z{self.count}" for parameter in parameters},
        }
        for parameter in parameters:
            parameter.arg = self.names[parameter.arg]
        node.body = self.visit(node.body)
        self.names = outer_names
        return node

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = (
        _comprehension  # named by ast
    )


def _has_walrus(node: ast.AST) -> bool:
    return any(isinstance(part, ast.NamedExpr) for part in parts_of(node))


class _WalrusRemover:
    """Replaces ``:=`` by assignments, in Python's order and under its conditions."""

    def __init__(self, fail: Fail) -> None:
        self.fail = fail
        self.count = 0

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements without ``:=``."""
        return [new for old in body for new in self.statement(old)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the rewritten form of one statement."""
        if not _has_walrus(node):
            return [node]
        setup: list[ast.stmt] = []
        if isinstance(node, ast.While) and _has_walrus(node.test):
            return [self._while(node)]
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.lift_assignments(value, setup))
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.block(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.match_case):
                for case in value:
                    if case.guard is not None and _has_walrus(case.guard):
                        self._refuse(case.guard)
                    case.body = self.block(case.body)
        return [*setup, node]

    def _while(self, node: ast.While) -> ast.stmt:
        if node.orelse:
            self._refuse(node.test)
        setup: list[ast.stmt] = []
        test = self.lift_assignments(node.test, setup)
        exit_test = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
        node.test = ast.copy_location(ast.Constant(value=True), node.test)
        node.body = [*setup, with_location(exit_test, node), *self.block(node.body)]
        return node

    def lift_assignments(self, node: ast.expr, setup: list[ast.stmt]) -> ast.expr:
        """Return an expression without ``:=``, appending its assignments to ``setup``."""
        if not _has_walrus(node):
            return node
        if isinstance(node, ast.NamedExpr):
            value = self.lift_assignments(node.value, setup)
            setup.append(with_location(ast.Assign([node.target], value), node))
            return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        if isinstance(node, ast.BoolOp):
            return self._boolean(node, setup)
        if isinstance(node, ast.IfExp):
            return self._conditional(node, setup)
        if isinstance(
            node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda
        ):
            self._refuse(node)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            self._refuse(node)
        self._parts(node, setup)
        return node

    def _parts(self, node: ast.AST, setup: list[ast.stmt]) -> None:
        """Rewrite the parts of a node, left to right.

        Earlier parts are stored in variables first.
        """
        slots = list(_slots(node))
        last = max(i for i, (_, _, part) in enumerate(slots) if _has_walrus(part))
        for i, (holder, key, part) in enumerate(slots[: last + 1]):
            rewritten = self.lift_assignments(part, setup)
            is_callee = isinstance(node, ast.Call) and i == 0
            if i < last and not is_callee and not isinstance(rewritten, ast.Constant):
                rewritten = self._stored(rewritten, setup)
            if isinstance(holder, list):
                holder[key] = rewritten
            else:
                setattr(holder, key, rewritten)

    def _boolean(self, node: ast.BoolOp, setup: list[ast.stmt]) -> ast.expr:
        result = self._stored(self.lift_assignments(node.values[0], setup), setup)
        block = setup
        for value in node.values[1:]:
            test: ast.expr = read(result.id)
            if isinstance(node.op, ast.Or):
                test = ast.UnaryOp(ast.Not(), test)
            inner: list[ast.stmt] = []
            operand = self.lift_assignments(value, inner)
            inner.append(with_location(ast.Assign([store(result.id)], operand), value))
            block.append(with_location(ast.If(test, inner, []), value))
            block = inner
        return result

    def _conditional(self, node: ast.IfExp, setup: list[ast.stmt]) -> ast.expr:
        test = self.lift_assignments(node.test, setup)
        self.count += 1
        name = f"_z_walrus{self.count}"
        blocks = []
        for value in (node.body, node.orelse):
            inner: list[ast.stmt] = []
            branch = self.lift_assignments(value, inner)
            inner.append(with_location(ast.Assign([store(name)], branch), value))
            blocks.append(inner)
        setup.append(with_location(ast.If(test, *blocks), node))
        return ast.copy_location(read(name), node)

    def _stored(self, value: ast.expr, setup: list[ast.stmt]) -> ast.Name:
        self.count += 1
        name = f"_z_walrus{self.count}"
        setup.append(with_location(ast.Assign([store(name)], value), value))
        return ast.copy_location(ast.Name(name, ast.Load()), value)

    def _refuse(self, node: ast.AST) -> NoReturn:
        self.fail(node, ":= here", "give the variable its value in a statement of its own")


def _slots(node: ast.AST) -> Iterator[tuple[Any, Any, ast.expr]]:
    """Yield the locations of the expressions inside a node, in the order of evaluation."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield node, name, value
        for i, item in enumerate(value if isinstance(value, list) else ()):
            if isinstance(item, ast.expr):
                yield value, i, item
            elif isinstance(item, ast.keyword):
                yield item, "value", item.value
