"""The part of rewriting that looks at forms, not at names.

Some forms compile only when written otherwise, and some not at all; for those it says what to
write instead.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from zermelo._compile.ruleset import RuleSet
    from zermelo._compile.source import Source

#: What a ``moves`` that calls ``emit`` instead of yielding is handed besides its own arguments.
EMIT_ARGUMENTS = ("_children", "_gains", "_room", "_at")

_LOOP = "write a for loop"
_FOLDS = ("any", "all", "sum", "min", "max")


class Expressions(ast.NodeTransformer):
    """Rewrites forms; names are left to the class that derives from this."""

    rules: RuleSet
    source: Source
    arguments: list[str]
    locals: set[str]
    emitting: str

    def fail(self, node: ast.AST, what: str, remedy: str) -> NoReturn:
        """Raise the error that points at a line of the author's."""
        raise NotImplementedError

    # -- statements -------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what one statement becomes."""
        result = self.visit(node)
        if result is None:
            return []
        return result if isinstance(result, list) else [result]

    def emitting_body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return the body with every ``yield`` made a call that handles the move at once."""
        keep = _parsed(f"_from = {self.arguments[0]}", body[0])
        statements = [new for old in body for new in self.statement(old)]
        end = ast.copy_location(ast.Return(_name("_at")), body[-1])
        return [*keep, *statements, end]

    def visit_Expr(self, node: ast.Expr) -> Any:  # named by ast
        """Turn a ``yield`` into the handling of a move, where moves are handled at once."""
        if not self.emitting or not isinstance(node.value, ast.Yield | ast.YieldFrom):
            if isinstance(node.value, ast.Constant):
                return ast.copy_location(ast.Pass(), node)
            self.generic_visit(node)
            return node
        if isinstance(node.value, ast.Yield):
            move = self.visit(node.value.value) if node.value.value else ast.Constant(value=0)
            return self._emit(move, node)
        items = self.visit(node.value.value)
        loop = ast.For(
            target=ast.Name("_move", ast.Store()),
            iter=items,
            body=self._emit(_name("_move"), node),
            orelse=[],
        )
        return ast.copy_location(loop, node)

    def _emit(self, move: ast.expr, node: ast.stmt) -> list[ast.stmt]:
        call = ast.Call(
            _name(self.emitting),
            [_name("_data"), _name("_from"), move, *(_name(n) for n in EMIT_ARGUMENTS)],
            [],
        )
        handled = ast.Assign([ast.Name("_at", ast.Store())], call)
        stop = _parsed("if _at < 0:\n    return _at", node)
        return [_at_line(handled, node), *stop]

    def visit_Return(self, node: ast.Return) -> Any:  # named by ast
        """Return how many moves have been handled, where moves are handled at once."""
        if self.emitting:
            return ast.copy_location(ast.Return(_name("_at")), node)
        self.generic_visit(node)
        return node

    def visit_Yield(self, node: ast.Yield) -> Any:  # named by ast
        """Refuse to use what ``yield`` returns; a plain ``yield`` is part of a statement."""
        if self.emitting:
            self.fail(node, "the value of a yield", "yield each move in a statement of its own")
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> Any:  # named by ast
        """Go through ragged rows by number, which is how compiled rules read them."""
        self.generic_visit(node)
        return self._by_number(node, node)

    def _by_number(self, loop: ast.For, node: ast.AST) -> ast.stmt:
        """Return a loop whose parts are rewritten already, by number if it is over rows."""
        if not self._is_rows(loop.iter):
            return loop
        place = f"_row{getattr(node, 'lineno', 0)}_{getattr(node, 'col_offset', 0)}"
        count = ast.Call(_name("range"), [ast.Call(_name("len"), [loop.iter], [])], [])
        row = ast.Subscript(loop.iter, _name(place), ast.Load())
        first = ast.Assign([loop.target], row)
        by_number = ast.For(
            target=ast.Name(place, ast.Store()),
            iter=count,
            body=[_at_line(first, node), *loop.body],
            orelse=loop.orelse,
        )
        return _at_line(by_number, node)  # type: ignore[no-any-return]  # the same statement

    def _is_rows(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "_data"
            and node.attr in self.rules.passed
            and self.rules.passed[node.attr].kind.startswith("rows")
        )

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # named by ast
        """Drop the annotation of a variable."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(
            ast.Assign([self.visit(node.target)], self.visit(node.value)), node
        )

    def visit_Assign(self, node: ast.Assign) -> Any:  # named by ast
        """Refuse to change the game."""
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                self.fail(target, "an assignment to an attribute", "games and positions are fixed")
        self.generic_visit(node)
        return node

    def visit_Raise(self, node: ast.Raise) -> Any:  # named by ast
        """Raise something plain; the author's own error comes from running the rule in Python."""
        return _parsed('raise ValueError("a rule raised an error")', node)

    def visit_Assert(self, node: ast.Assert) -> Any:  # named by ast
        """Keep what is asserted and drop the message."""
        return ast.copy_location(ast.Assert(self.visit(node.test)), node)

    # -- expressions ------------------------------------------------------------------------

    def special_call(self, node: ast.Call) -> ast.expr | None:
        """Return the form of a call that compiles otherwise, or None for an ordinary one."""
        func = node.func
        if isinstance(func, ast.Name) and func.id in _FOLDS and func.id not in self.locals:
            if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
                return self._fold(func.id, node, node.args[0])
            if func.id == "sum" and len(node.args) == 1:
                return ast.copy_location(
                    ast.Call(_name("total"), [self.visit(node.args[0])], []), node
                )
        if isinstance(func, ast.Name) and func.id == "list" and len(node.args) == 1:
            items = node.args[0]
            if isinstance(items, ast.GeneratorExp):
                listed = ast.ListComp(items.elt, items.generators)
                return self.visit(ast.copy_location(listed, node))  # type: ignore[no-any-return]  # an expression stays one
        if isinstance(func, ast.Attribute) and func.attr == "_replace":
            return self._replace(node, func)
        return None

    def _replace(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        names = [k.arg for k in node.keywords]
        kinds = [kind for kind in self.known_records() if set(names) <= set(kind._fields)]
        if node.args or None in names or not kinds:
            self.fail(node, "_replace() with fields of no known record", "name the fields")
        record = self.rules.record(kinds[0])
        given = [str(name) for name in names]
        fields = ", ".join(f if f in given else f"_old.{f}" for f in kinds[0]._fields)
        name = f"replace_{record}_{'_'.join(given)}"
        text = f"def {name}(_data, _old, {', '.join(given)}):\n    return {record}({fields})"
        self._add(name, text, node)
        values = [self.visit(k.value) for k in node.keywords]
        return ast.copy_location(
            ast.Call(_name(name), [_name("_data"), self.visit(func.value), *values], []), node
        )

    def known_records(self) -> list[Any]:
        """Return the NamedTuple classes the rules may mean, that of positions first."""
        kinds = [type(self.rules.game.start()), *self.rules.records.values()]
        kinds += [v for v in self.source.function.__globals__.values() if isinstance(v, type)]
        return [kind for kind in kinds if issubclass(kind, tuple) and hasattr(kind, "_fields")]

    def _fold(self, how: str, node: ast.Call, items: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """Lift ``any(x for …)`` and its like to a function with the loop written out."""
        inner = {n.id for n in ast.walk(items) if isinstance(n, ast.Name) and not _loaded(n)}
        outer = sorted(
            {
                n.id
                for n in ast.walk(items)
                if isinstance(n, ast.Name) and _loaded(n) and n.id in self.locals
            }
            - inner
        )
        default = [k.value for k in node.keywords if k.arg == "default"]
        if len(default) != len(node.keywords):
            self.fail(node, f"{how}() with these arguments", _LOOP)
        before, each, after = _FOLD_TEXTS[how]
        if default:
            before, after = "_seen = False\n_best = _default", "return _best"
        body = _parsed(each, node)
        body[0] = ast.Assign([ast.Name("_item", ast.Store())], self.visit(items.elt))
        for loop in reversed(items.generators):
            for test in reversed(loop.ifs):
                body = [ast.If(self.visit(test), body, [])]
            body = [
                self._by_number(
                    ast.For(target=loop.target, iter=self.visit(loop.iter), body=body, orelse=[]),
                    node,
                )
            ]
        name = f"fold_{self.source.function.__name__}_{node.lineno}_{node.col_offset}"
        arguments = ["_data", *outer, *(["_default"] if default else [])]
        text = f"def {name}({', '.join(arguments)}):\n    pass"
        self._add(name, text, node, [*_parsed(before, node), *body, *_parsed(after, node)])
        values: list[ast.expr] = [*(_name(a) for a in ["_data", *outer])]
        values += [self.visit(value) for value in default]
        return ast.copy_location(ast.Call(_name(name), values, []), node)

    def _add(self, name: str, text: str, node: ast.AST, body: list[ast.stmt] | None = None) -> None:
        tree = _parsed(text, node)[0]
        assert isinstance(tree, ast.FunctionDef)  # noqa: S101  # a def is written just above
        tree.body = body or tree.body
        tree.decorator_list = [_name("rule")]
        self.rules.functions[name] = (_at_line(tree, node), self.source)

    def visit_Constant(self, node: ast.Constant) -> Any:  # named by ast
        """Refuse what is not a whole number."""
        if isinstance(node.value, str | bytes):
            self.fail(node, f"the string {node.value!r}", "use whole numbers, with names for them")
        if isinstance(node.value, float | complex):
            self.fail(node, f"the fraction {node.value!r}", "keep to whole numbers")
        if isinstance(node.value, int) and not -(1 << 63) <= node.value < 1 << 63:
            self.fail(node, f"the number {node.value}", "keep within 64 bits, that is below 2**63")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:  # named by ast
        """Refuse a division that gives a fraction."""
        if isinstance(node.op, ast.Div):
            self.fail(node, "/, which gives a fraction", "divide with //")
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:  # named by ast
        """Refuse a division that gives a fraction."""
        if isinstance(node.op, ast.Div):
            self.fail(node, "/=, which gives a fraction", "divide with //=")
        self.generic_visit(node)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:  # named by ast
        """Refuse one that is not inside ``any``, ``all``, ``sum``, ``min`` or ``max``."""
        self.fail(node, "a generator expression here", _LOOP)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse the forms that never compile, and visit the parts of the others."""
        refused = _REFUSED.get(type(node))
        if refused is not None:
            self.fail(node, *refused)
        return super().generic_visit(node)


_FOLD_TEXTS = {
    "any": ("", "_item = 0\nif _item:\n    return True", "return False"),
    "all": ("", "_item = 0\nif not _item:\n    return False", "return True"),
    "sum": ("_total = 0", "_item = 0\n_total += _item", "return _total"),
    "min": (
        "_seen = False\n_best = 0",
        "_item = 0\nif not _seen or _item < _best:\n    _best = _item\n    _seen = True",
        "if not _seen:\n    raise ValueError('min() of nothing')\nreturn _best",
    ),
    "max": (
        "_seen = False\n_best = 0",
        "_item = 0\nif not _seen or _item > _best:\n    _best = _item\n    _seen = True",
        "if not _seen:\n    raise ValueError('max() of nothing')\nreturn _best",
    ),
}

_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Dict: ("a dict", "use a tuple or a NumPy array, looked up by number"),
    ast.DictComp: ("a dict", "use a tuple or a NumPy array, looked up by number"),
    ast.Set: ("a set", "use a tuple, or a bit mask"),
    ast.SetComp: ("a set", "use a list comprehension, or a bit mask"),
    ast.JoinedStr: ("a string", "rules compute with whole numbers"),
    ast.Lambda: ("a lambda", "write a function with def"),
    ast.FunctionDef: ("a function inside a function", "move it to the module or the class"),
    ast.AsyncFunctionDef: ("an async function", "rules are ordinary functions"),
    ast.ClassDef: ("a class inside a function", "move it to the module"),
    ast.Try: ("try", "test with if before you do it"),
    ast.With: ("with", "rules compute with whole numbers and touch nothing else"),
    ast.Import: ("an import inside a function", "import at the top of the module"),
    ast.ImportFrom: ("an import inside a function", "import at the top of the module"),
    ast.Global: ("global", "rules may change nothing; keep it in the position"),
    ast.Nonlocal: ("nonlocal", "rules may change nothing; keep it in the position"),
    ast.Await: ("await", "rules are ordinary functions"),
    ast.Delete: ("del", "let it be"),
    ast.Starred: ("a starred expression", "write the parts out"),
}


def written(value: Any, checked: Callable[[int], int]) -> ast.expr:
    """Return the expression for a number or a tuple of them."""
    if isinstance(value, tuple):
        return ast.Tuple([written(item, checked) for item in value], ast.Load())
    if value is None or isinstance(value, bool):
        return ast.Constant(value)
    number = checked(int(value))
    if number >= 0:
        return ast.Constant(number)
    return ast.UnaryOp(ast.USub(), ast.Constant(-number))


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _loaded(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _at_line(tree: Any, node: ast.AST) -> Any:
    """Give the new parts of a tree the place of an old one; parts that have a place keep it."""
    for part in ast.walk(tree):
        if _has_place(part) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return tree


def _parsed(text: str, node: ast.AST) -> list[ast.stmt]:
    """Return the statements of a text, all at the place of an old node."""
    body = ast.parse(text).body
    for statement in body:
        for part in ast.walk(statement):
            if _has_place(part):
                ast.copy_location(part, node)
    return body


def _has_place(part: ast.AST) -> bool:
    return isinstance(part, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.excepthandler)
