"""The rewriter of the author's functions to functions that Numba compiles.

Each rule, and each function and method it calls, becomes a plain function in one generated module:
``self.helper(p)`` a call, ``self.width`` a number, ``self.graph`` a field of the data argument, and
every global name is resolved now. Line numbers stay those of the author's file. This module handles
each form of Python; names, calls and moves have files of their own.
"""

from __future__ import annotations

import ast
from typing import Any

from zermelo._compile.read import syntax
from zermelo._compile.read.constants import is_literal
from zermelo._compile.read.source import Source
from zermelo._compile.rewrite.arithmetic import Arithmetic
from zermelo._compile.rewrite.ast_builders import (
    DATA,
    EMIT_ARGUMENTS,
    Written,
    call,
    parse_statements,
    support,
    with_location,
)
from zermelo._compile.rewrite.calls import Calls
from zermelo._compile.rewrite.conditions import condition, has_break
from zermelo._compile.rewrite.constant_folding import ConstantFolder
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.moves import Moves
from zermelo._compile.rewrite.name_resolution import NameResolver
from zermelo._compile.rewrite.ranges import is_step
from zermelo._compile.rewrite.ruleset import RuleSet
from zermelo._compile.rewrite.tuples import Tuples
from zermelo.errors import CompileError
from zermelo.game.contract import Game
from zermelo.rules.layout import Layout

_TABLE_REMEDY = "use a list with an entry for each number, or a constant at the top of the module"
_ORDINARY_REMEDY = "make it an ordinary function"
_STATE_REMEDY = "rules change nothing, so store it in the position"
_PATTERN_REMEDY = "match a whole number, or a tuple by its parts, as in case here, there"
_MOST_REPEATED = 256


def rule_set(game: Game, layout: Layout, *, general: bool = False) -> RuleSet:
    """Return the rules of a game, without functions yet; see ``RuleSet``."""

    def rewrite(
        rules: RuleSet, source: Source, selves: frozenset[int], emit: str, label: str
    ) -> ast.FunctionDef:
        return Rewriter(Function(rules, source, selves, emit)).rewritten(label)

    return RuleSet(game, layout, rewrite, general=general)


class Rewriter(ast.NodeTransformer):
    """Rewrites one function, form by form."""

    def __init__(self, function: Function) -> None:
        """Prepare to rewrite a function."""
        self.function = function
        self.names = NameResolver(self.function)
        self.folder = ConstantFolder(self.names)
        self.tuples = Tuples(self.function, self.visit)
        self.arithmetic = Arithmetic(self.function)
        self.ranges = self.arithmetic.ranges
        self.calls = Calls(self.names, self.tuples, self.arithmetic, self.visit)
        self.moves = Moves(self.calls)

    def rewritten(self, label: str) -> ast.FunctionDef:
        """Return the rewritten function, named ``label``."""
        tree, self.function.label = self.function.source.tree, label
        body = self.tuples.initial_statements()
        body += [statement for old in self.function.body for statement in self._statement(old)]
        parameters = [DATA, *self.function.arguments]
        if self.function.emitter:
            body += self.moves.end(tree.body[-1])
            parameters = [DATA, *EMIT_ARGUMENTS, *self.function.arguments]
        self.arithmetic.refuse_constants(body)
        function = self.function.rules.define(label, parameters, body, tree)
        function.args.defaults = self._default_expressions(tree)
        return function

    def _default_expressions(self, tree: ast.FunctionDef) -> list[ast.expr]:
        """Return the defaults of the function's last arguments, which the kernel does not pass."""
        defaults = syntax.defaults(self.function.source.function, self.function.arguments)
        expressions: list[ast.expr] = []
        for argument in reversed(self.function.arguments):
            if argument not in defaults or not is_literal(defaults[argument]):
                break
            expressions.insert(0, self.names.number(tree, f"{argument}=", defaults[argument]))
        return expressions

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a part; the error of a statement is recorded, and the next ones are rewritten."""
        if not isinstance(node, ast.stmt):
            return super().visit(node)
        try:
            return super().visit(node)
        except CompileError as error:
            self.function.rules.faults += error.faults
            return ast.copy_location(ast.Pass(), node)

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the rewritten form of one statement."""
        result = self.visit(node)
        if result is None:
            return []
        return result if isinstance(result, list) else [result]

    def _parts(self, node: ast.AST, rewritten: object) -> Any:
        """Return the rewritten form of a node, or the node with its parts rewritten."""
        return self.generic_visit(node) if rewritten is None else rewritten

    # -- names, calls and moves ---------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        """Resolve a global name."""
        return self.names.name(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:  # named by ast
        """Resolve ``self.width``, ``Piece.KING``, ``math.pi`` and similar attributes."""
        resolved = self.names.attribute(node)
        return self._parts(node, self.calls.member(node) if resolved is None else resolved)

    def visit_Call(self, node: ast.Call) -> Any:  # named by ast
        """Rewrite calls of methods, of helpers, and of functions that compile in another form."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("bit_count", "bit_length"):
            node.func.value.z_counted = True  # type: ignore[attr-defined]  # read by Arithmetic
        return self.folder.row(node) or self._parts(node, self.calls.call(node))

    def visit_Expr(self, node: ast.Expr) -> Any:  # named by ast
        """Drop docstrings, and replace a ``yield`` by the handling of a move."""
        if isinstance(node.value, ast.Constant):
            return ast.copy_location(ast.Pass(), node)
        result = self.moves.expression(node)
        if result is None and isinstance(node.value, ast.Yield):
            self.generic_visit(node.value)
            return node
        return self._parts(node, result)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Any:  # named by ast
        """Reject the use of the value of ``yield``; a plain ``yield`` is part of a statement."""
        remedy = "yield each move in a statement of its own"
        self.function.refuse(node, "the value of a yield", remedy)

    visit_YieldFrom = visit_Yield

    def visit_Return(self, node: ast.Return) -> Any:  # named by ast
        """Handle the returned moves, in a function that handles moves."""
        statements = self.moves.rewrite_return(node)
        if statements is not None:
            return statements
        self._check_outcome(node.value)
        self.generic_visit(node)
        self.tuples.loosen_result(node)
        return node

    def _check_outcome(self, value: ast.expr | None) -> None:
        """Reject a string as an outcome here, as Numba's error would name no line."""
        kind, function = type(self.function.rules.game), self.function.source.function
        if function not in (getattr(kind, "outcome", None), getattr(kind, "winner", None)):
            return
        for result in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
            if isinstance(result, ast.Constant) and isinstance(result.value, str):
                problem = f"returns {result.value!r}, which is text; return a number, such as WIN"
                self.function.raise_error(result, problem)

    # -- forms --------------------------------------------------------------------------------

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # named by ast
        """Drop the annotation of a variable."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:  # named by ast
        """Reject changes of the game or of a position."""
        for target in node.targets:
            self._check_target(target)
        self.generic_visit(node)
        self.folder.note_flags(node.targets, node.value)
        for target in node.targets if len(node.targets) == 1 else []:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for name, value in pairs:
                self.ranges.record(name, self.ranges.range_of(value))
        self.tuples.loosen_value(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:  # named by ast
        """Reject ``/=``, and write out operations that may exceed 64 bits."""
        self._check_target(node.target)
        if isinstance(node.op, ast.Div):
            self.function.raise_error(node, "uses /=, which gives a fraction; divide with //=")
        target = node.target.id if isinstance(node.target, ast.Name) else ""
        counts = self.ranges.is_counter(target) and is_step(node.value)
        if counts or target in self.tuples.growing or not self.arithmetic.may_differ(node):
            return self.generic_visit(node)
        old_value = syntax.copy_tree(node.target)
        old_value.ctx = ast.Load()
        whole = ast.copy_location(ast.BinOp(old_value, node.op, node.value), node)
        whole.z_text = ast.unparse(node)  # type: ignore[attr-defined]  # read below
        return self.visit(ast.copy_location(ast.Assign([node.target], whole), node))

    def _check_target(self, target: ast.expr) -> None:
        for part in syntax.parts_of(target):
            if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                problem = f"assigns to {ast.unparse(part)}"
                if isinstance(part.value, ast.Name) and part.value.id in self.function.selves:
                    self.function.raise_error(
                        part, f"{problem}; a game cannot change, so keep it in the position"
                    )
                self.function.raise_error(
                    part, f"{problem}; tuples cannot change, so make another with _replace()"
                )

    def visit_Raise(self, node: ast.Raise) -> Any:  # named by ast
        """Raise a simple error; the author's error comes from a replay in Python."""
        return parse_statements("raise ValueError('a rule raised an error')", node)

    def visit_Assert(self, node: ast.Assert) -> Any:  # named by ast
        """Keep the condition and drop the message."""
        return ast.copy_location(ast.Assert(condition(node.test, self.visit)), node)

    def visit_If(self, node: ast.If) -> Any:  # named by ast
        """Test the condition as in Python; leave out unreachable branches."""
        test = condition(node.test, self.visit)
        if isinstance(test, ast.Constant) and self._may_leave_out:
            body = node.body if test.value else node.orelse
            branch = [new for old in body for new in self._statement(old)]
            return branch or ast.copy_location(ast.Pass(), node)
        node.test = ast.copy_location(ast.Constant(value=True), node.test)
        self.generic_visit(node)
        node.test = test
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:  # named by ast
        """Test the condition as in Python; leave out an unreachable branch."""
        test = condition(node.test, self.visit)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        node.test, node.body, node.orelse = test, self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> Any:  # named by ast
        """Test the condition as in Python."""
        test, node.test = node.test, ast.copy_location(ast.Constant(value=True), node.test)
        rewritten_test = condition(test, self.visit)
        self.generic_visit(node)
        node.test = rewritten_test
        return node

    def visit_For(self, node: ast.For) -> Any:  # named by ast
        """Write out loops over ``itertools`` and the like, and loops that end at the first item."""
        has_item = self.moves.first_item_condition(node)
        if has_item is not None:
            return ast.copy_location(ast.If(has_item, self._statement(node.body[0]), []), node)
        loops = self.calls.expander.loops(node.iter)
        if loops is None:
            items = self.visit(node.iter)
            self.ranges.note_loop(node.target, items)
            self.folder.note_flags([node.target], items)
            node.iter = ast.copy_location(ast.Tuple([], ast.Load()), node.iter)
            self.generic_visit(node)
            node.iter = items
            return node
        if len(loops.generators) > 1 and (node.orelse or has_break(node.body)):
            node.iter = ast.copy_location(ast.Name("_z_over", ast.Load()), node.iter)
            self.generic_visit(node)
            node.iter = self.calls.reductions.list_of_items(loops, node)
            return node
        body: list[ast.stmt] = [ast.Assign([node.target], loops.item), *node.body]
        for loop in reversed(loops.generators):
            for test in reversed(loop.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(loop.target, loop.iter, body, node.orelse)]
        whole = [*loops.setup, *(with_location(statement, node) for statement in body)]
        return [new for old in whole for new in self._statement(old)]

    def visit_Written(self, node: Written) -> list[ast.stmt]:  # named by ast
        """Return statements that are rewritten already."""
        return node.statements

    def visit_Match(self, node: ast.Match) -> Any:  # named by ast
        """Choose the matching case, if it is known."""
        body = self.folder.matched(node) if self._may_leave_out else None
        if body is not None:
            return [new for old in body for new in self._statement(old)]
        return self.generic_visit(node)

    @property
    def _may_leave_out(self) -> bool:
        """Whether statements may be left out: a generator without ``yield`` would not be one."""
        return bool(self.function.emitter) or not self.function.generator

    def visit_Subscript(self, node: ast.Subscript) -> Any:  # named by ast
        """Replace a constant item of a constant."""
        item = self.folder.item(node) if isinstance(node.ctx, ast.Load) else None
        return self._parts(node, item)

    def visit_ListComp(self, node: ast.ListComp) -> Any:  # named by ast
        """Test the conditions as in Python."""
        for loop in node.generators:
            tests, loop.ifs = loop.ifs, []
            self.generic_visit(loop)
            self.ranges.note_loop(loop.target, loop.iter)
            loop.ifs = [condition(test, self.visit) for test in tests]
        node.elt = self.visit(node.elt)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:  # named by ast
        """Rewrite ``not``, ``~`` and signs so that they agree with Python."""
        if isinstance(node.op, ast.Not):
            node.operand = condition(node.operand, self.visit)
            return node
        if isinstance(node.op, ast.UAdd):
            plus = ast.BinOp(ast.Constant(0), ast.Add(), node.operand)
            return self.visit(with_location(plus, node))
        if isinstance(node.op, ast.Invert):
            constant = self.folder.inverted(node)
            if constant is not None:
                return constant
        text = ast.unparse(node)
        node.operand = self.visit(node.operand)
        if isinstance(node.op, ast.Invert):
            self.folder.refuse_flags(node, text)
            return with_location(call(support("invert"), node.operand), node)
        return self.arithmetic.unary(node, text)

    def visit_Constant(self, node: ast.Constant) -> Any:  # named by ast
        """Reject constants other than whole numbers."""
        value = node.value
        if isinstance(value, str):
            return self.names.constant(node, "text", value)
        if isinstance(value, float | complex):
            noun = "fraction" if isinstance(value, float) else "complex number"
            self.function.refuse(node, f"the {noun} {value!r}", "keep to whole numbers")
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            self.function.refuse(
                node, f"the number {value}", "keep within 64 bits, that is below 2**63"
            )
        node.z_literal = True  # type: ignore[attr-defined]  # read by Arithmetic
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:  # named by ast
        """Reject ``/``; compute other operations in 64 bits, or raise an error."""
        if isinstance(node.op, ast.Div):
            self.function.raise_error(node, "uses /, which gives a fraction; divide with //")
        replacement = (
            self.tuples.rewrite_replacement(node) if isinstance(node.op, ast.Add) else None
        )
        if replacement is not None:
            return replacement
        text = node.__dict__.get("z_text")
        label = text or (ast.unparse(node) if self.arithmetic.may_differ(node) else "")
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Tuple):
            return _repeat_tuple(node)
        if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Tuple):
            return _repeat_tuple(node)
        return self.arithmetic.binary(node, label, in_place=text is not None)

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> Any:  # named by ast
        """Write out starred items in a tuple or a list."""
        is_read = isinstance(node.ctx, ast.Load)
        return self._parts(node, self.tuples.rewrite_display(node) if is_read else None)

    visit_List = visit_Tuple

    def visit_Compare(self, node: ast.Compare) -> Any:  # named by ast
        """Search a written-out set or list, or a small named one, as a tuple."""
        result = self.folder.comparison(node)
        if result is not None:
            return ast.copy_location(ast.Constant(result), node)
        for i, (operator, items) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(operator, ast.In | ast.NotIn):
                if isinstance(items, ast.Set | ast.List):
                    as_tuple = ast.Tuple(items.elts, ast.Load())
                    node.comparators[i] = ast.copy_location(as_tuple, items)
                else:
                    node.comparators[i] = self.folder.constant_items(items) or items
        self.generic_visit(node)
        return node

    def visit_Dict(self, node: ast.Dict) -> Any:  # named by ast
        """Pass a dict of constants as data, and reject others."""
        return self._parts(node, self.folder.display(node))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:  # named by ast
        """Replace it by a list: rules cannot distinguish them."""
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Reject forms that never compile, and visit the parts of the others."""
        refusal = _REFUSALS.get(type(node))
        if refusal is not None:
            self.function.refuse(node, *refusal)
        return super().generic_visit(node)


_REFUSALS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Dict: ("a dict", _TABLE_REMEDY),
    ast.DictComp: ("a dict", _TABLE_REMEDY),
    ast.Set: ("a set", "use a tuple, a bit mask, or a list with True and False for each number"),
    ast.SetComp: ("a set", "use a list comprehension, or a bit mask"),
    ast.JoinedStr: ("an f-string", "they compute with whole numbers, so leave text to show()"),
    ast.Lambda: ("a lambda", "write a method, or a function at the top of the module"),
    ast.FunctionDef: ("a function inside a function", "move it to the module or the class"),
    ast.AsyncFunctionDef: ("an async function", _ORDINARY_REMEDY),
    ast.ClassDef: ("a class inside a function", "move it to the module"),
    ast.Try: ("try", "test with if before you do it"),
    ast.TryStar: ("try", "test with if before you do it"),
    ast.With: ("with", "do it before the game is made, and keep what comes of it in a parameter"),
    ast.Import: ("an import inside a function", "import at the top of the module"),
    ast.ImportFrom: ("an import inside a function", "import at the top of the module"),
    ast.Global: ("global", _STATE_REMEDY),
    ast.Nonlocal: ("nonlocal", _STATE_REMEDY),
    ast.Await: ("await", _ORDINARY_REMEDY),
    ast.Delete: ("del", "leave it out, or take an item out of a list with pop()"),
    ast.Starred: ("a starred expression", "write the parts out"),
    ast.MatchMapping: ("this pattern", _PATTERN_REMEDY),
    ast.MatchClass: ("this pattern", _PATTERN_REMEDY),
}


def _repeat_tuple(node: ast.BinOp) -> ast.expr:
    """Return ``(0,) * 6`` written out, as Numba does not multiply tuples."""
    for row, count in ((node.left, node.right), (node.right, node.left)):
        if (
            isinstance(row, ast.Tuple)
            and isinstance(count, ast.Constant)
            and isinstance(count.value, int)
        ):
            times = max(0, count.value)
            if len(row.elts) * times <= _MOST_REPEATED:
                return ast.copy_location(ast.Tuple(row.elts * times, ast.Load()), node)
    return node
