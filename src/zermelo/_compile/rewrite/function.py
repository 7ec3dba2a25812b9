"""The function being rewritten: its arguments, its variables, and errors about it."""

from __future__ import annotations

import ast
import inspect
from typing import NoReturn
from zlib import crc32

from zermelo._compile.read.source import Source
from zermelo._compile.read.source_map import Operation, SourceLine
from zermelo._compile.read.syntax import plain_name
from zermelo._compile.rewrite.ast_builders import OURS
from zermelo._compile.rewrite.prepared.definite_assignment import check_assignments
from zermelo._compile.rewrite.prepared.fixed_lists import lists_to_tuples
from zermelo._compile.rewrite.prepared.patterns import expand_patterns
from zermelo._compile.rewrite.prepared.scope import readable, remove_walrus, stored_names
from zermelo._compile.rewrite.ruleset import RuleSet
from zermelo.errors import CompileError


class Function:
    """The function being rewritten.

    Attributes:
        rules: the rules that it belongs to.
        source: its source.
        selves: its arguments that are the game.
        arguments: its other arguments.
        body: its statements, in forms in which each name has one meaning.
        locals: the names it assigns, arguments included.
        emitter: the function to call instead of every ``yield``, or "".
        label: its generated name.
    """

    label = ""

    def __init__(
        self, rules: RuleSet, source: Source, selves: frozenset[int], emitter: str
    ) -> None:
        """Prepare ``source``, whose arguments with the indices ``selves`` are the game."""
        self.rules = rules
        self.source = source
        self.emitter = emitter
        self._fresh = self._operations = 0
        parameters = source.tree.args
        if parameters.vararg or parameters.kwarg:
            self.refuse(source.tree, "* or ** before an argument", "name every argument")
        arguments = [
            a.arg for a in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
        ]
        self.selves = {argument for i, argument in enumerate(arguments) if i in selves}
        self.arguments = [argument for argument in arguments if argument not in self.selves]
        source.tree.body = expand_patterns(source.tree.body, self.refuse)
        body = lists_to_tuples(remove_walrus(source.tree, self.refuse), arguments)
        self.body = check_assignments(body, [*self.arguments, *self.selves])
        self.locals = stored_names(self.body) | set(self.arguments)
        for reassigned in sorted(self.selves & self.locals):
            self.raise_error(
                source.tree, f"gives {reassigned} another value; {reassigned} is the game in rules"
            )

    @property
    def generator(self) -> bool:
        """Whether the function is a generator."""
        return inspect.isgeneratorfunction(self.source.function)

    def new_variable(self) -> str:
        """Return the name of a new variable of the function."""
        self._fresh += 1
        variable = f"_z_x{self._fresh}"
        self.locals.add(variable)
        return variable

    def number(self, node: ast.AST, text: str) -> int:
        """Return the number by which an error identifies an operation, independent of its line.

        Args:
            node: the operation.
            text: the author's text of the operation.
        """
        self._operations += 1
        number = crc32(f"{self.label} {self._operations}".encode()) >> 2
        line = getattr(node, "lineno", None) or self.source.tree.lineno
        location = SourceLine(self.source.filename, line, plain_name(self.source.function))
        readable_text = "a number" if OURS in text else readable(text)
        self.rules.operations[number] = Operation(location, readable_text)
        return number

    def refuse(self, node: ast.AST, form: str, remedy: str) -> NoReturn:
        """Raise the error for a form that rules cannot use."""
        self.raise_error(node, f"uses {form}, which rules cannot; {remedy}")

    def raise_error(self, node: ast.AST, sentence: str) -> NoReturn:
        """Raise the error with the author's line."""
        owner = plain_name(self.source.function)
        line = getattr(node, "lineno", None) or self.source.tree.lineno
        message = f"{owner} {sentence}"
        raise CompileError(message, self.source.filename, line) from None
