"""What every part of the rewriting shares: whose function it is, and how to build new syntax."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from zermelo.errors import CompileError

if TYPE_CHECKING:
    from types import FunctionType

    from zermelo._compile.ruleset import RuleSet
    from zermelo._compile.source import Source

Tree = TypeVar("Tree", bound=ast.AST)

#: The argument that carries the handed-over data to every rule. No author writes such names.
DATA = "_z_data"
#: How many moves have been handled, in functions that handle them instead of yielding them.
AT = "_z_at"
#: What such a function is handed besides its own arguments.
EMIT_ARGUMENTS = ("_z_from", "_z_children", "_z_gains", "_z_room", AT)
#: What compiled rules call that is Zermelo's.
SUPPORT = "_z"

_GENERATOR = 0x20


class Called(NamedTuple):
    """A function of the author's that is called somewhere.

    Attributes:
        function: the function.
        label: what to call it in messages.
        bound: whether the game is its first argument without being written.
    """

    function: Any  # a FunctionType, which mypy would take for a method
    label: str
    bound: bool

    @property
    def generator(self) -> bool:
        """Whether it is a generator."""
        return bool(self.function.__code__.co_flags & _GENERATOR)


class Common(ast.NodeTransformer, ABC):
    """One function that is being rewritten.

    Attributes:
        rules: the rules it is one of.
        source: the function.
        selves: its arguments that are the game.
        arguments: its other arguments.
        locals: the names it gives values, arguments included.
        emitting: the function to call in place of every ``yield``, or nothing.
    """

    rules: RuleSet
    source: Source
    selves: set[str]
    arguments: list[str]
    locals: set[str]
    emitting: str

    @property
    def generator(self) -> bool:
        """Whether the function is a generator."""
        return bool(self.source.function.__code__.co_flags & _GENERATOR)

    def refuse(self, node: ast.AST, what: str, remedy: str) -> NoReturn:
        """Raise the error for something that rules cannot use."""
        self.fault(node, f"uses {what}, which rules cannot; {remedy}")

    def fault(self, node: ast.AST, sentence: str) -> NoReturn:
        """Raise the error that points at a line of the author's."""
        owner = plain_name(self.source.function)
        line = getattr(node, "lineno", None) or self.source.tree.lineno
        message = f"{owner} {sentence}"
        raise CompileError(message, self.source.filename, line) from None

    def expression(self, node: ast.expr) -> ast.expr:
        """Return an expression rewritten, which stays an expression."""
        rewritten: ast.expr = self.visit(node)
        return rewritten

    @abstractmethod
    def called(self, func: ast.expr) -> Called | None:
        """Return the function that is called, if it is one of the author's."""

    @abstractmethod
    def bound_arguments(
        self, node: ast.Call, called: Called
    ) -> tuple[list[ast.expr], frozenset[int]]:
        """Return what a function is handed, and which of its arguments are the game."""


def plain_name(function: FunctionType) -> str:
    """Return a function's name with its class, without the functions it was defined in."""
    return function.__qualname__.rpartition("<locals>.")[2]


def name(text: str) -> ast.expr:
    """Return the expression for a name."""
    return ast.Name(text, ast.Load())


def store(text: str) -> ast.expr:
    """Return the target for a name."""
    return ast.Name(text, ast.Store())


def support(text: str) -> ast.expr:
    """Return the expression for a function of Zermelo's."""
    return ast.Attribute(name(SUPPORT), text, ast.Load())


def call(func: ast.expr, *arguments: ast.expr) -> ast.expr:
    """Return the expression for a call."""
    return ast.Call(func, list(arguments), [])


def placed(tree: Tree, node: ast.AST) -> Tree:
    """Give the new parts of a tree the place of an old one; parts that have a place keep it."""
    for part in ast.walk(tree):
        if _has_place(part) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return tree


def parsed(text: str, node: ast.AST) -> list[ast.stmt]:
    """Return the statements of a text, all at the place of an old node."""
    body = ast.parse(text).body
    for statement in body:
        for part in ast.walk(statement):
            if _has_place(part):
                ast.copy_location(part, node)
    return body


def _has_place(part: ast.AST) -> bool:
    return isinstance(part, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.pattern)
