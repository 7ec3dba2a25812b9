"""One function that is being rewritten, and what its rewriting asks of all the rules."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import Any, NamedTuple, NoReturn, Protocol

from zermelo._compile.read.source import Source
from zermelo._compile.read.syntax import plain_name
from zermelo._compile.read.watch import Watch
from zermelo.errors import CompileError
from zermelo.game.contract import Game

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


class Included(Protocol):
    """The rules that a function is part of, to which it adds what it calls and reads.

    Attributes:
        game: the game.
        baked: the parameters and properties written into the code, by path.
        watch: everything else that was read.
    """

    game: Game
    baked: dict[str, Any]
    watch: Watch

    def function(self, called: Called, selves: frozenset[int], *, emitting: str = "") -> str:
        """Include a function and return its generated name."""

    def lifted(
        self, how: str, arguments: list[str], body: list[ast.stmt], source: Source, node: ast.AST
    ) -> str:
        """Include a function made of a part of another, and return its generated name."""

    def defined(
        self, called: str, arguments: list[str], body: list[ast.stmt], node: ast.AST
    ) -> ast.FunctionDef:
        """Return the def of a function at the place of ``node``."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""

    def replacer(self, fields: tuple[str, ...]) -> str:
        """Include a function that replaces fields of a tuple, and return its generated name."""

    def data(self, label: str, kind: str, path: str | None, value: Any) -> ast.expr:
        """Include handed-over data and return the expression that reads it."""

    def hands_over(self, path: str, value: Any) -> bool:
        """Whether a number of the game's is handed over, and not written into the code."""


class Function(ast.NodeTransformer, ABC):
    """One function that is being rewritten.

    Attributes:
        rules: the rules it is one of.
        source: the function.
        selves: its arguments that are the game.
        arguments: its other arguments.
        locals: the names it gives values, arguments included.
        emitting: the function to call in place of every ``yield``, or nothing.
    """

    rules: Included
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
