"""The author's source: the syntax tree of a function, with the lines of the author's own file."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from types import FunctionType
from typing import Any


class NoSourceError(Exception):
    """The source of a function cannot be had: it was typed at a prompt, or made by ``exec``."""


@dataclass(frozen=True, slots=True)
class Source:
    """One function as the author wrote it.

    Attributes:
        function: the function object.
        tree: its syntax tree, whose line numbers are those of ``filename``.
        filename: the file it stands in.
    """

    function: FunctionType
    tree: ast.FunctionDef
    filename: str

    def lookup(self, name: str) -> Any:
        """Return what a name that is not local to the function refers to.

        Raises:
            NameError: nothing by that name can be seen from the function.
        """
        space, key = self.place(name)
        return space[key] if isinstance(space, dict) else space.cell_contents

    def place(self, name: str) -> tuple[Any, str]:
        """Return the namespace (a dict, or a closure's cell) that holds a name.

        Raises:
            NameError: nothing by that name can be seen from the function.
        """
        code = self.function.__code__
        if name in code.co_freevars and self.function.__closure__ is not None:
            return self.function.__closure__[code.co_freevars.index(name)], name
        for space in (self.function.__globals__, self.function.__builtins__):  # type: ignore[attr-defined]  # there since 3.10
            if name in space:
                return space, name
        raise NameError(name)


def source_of(function: FunctionType) -> Source:
    """Return the source of a function.

    Raises:
        NoSourceError: it cannot be had, or what can be had is not a ``def`` of that function.
    """
    try:
        lines, first = inspect.getsourcelines(function)
        filename = inspect.getsourcefile(function) or function.__code__.co_filename
    except (OSError, TypeError) as error:
        raise NoSourceError(function.__qualname__) from error
    try:
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (SyntaxError, IndexError) as error:
        raise NoSourceError(function.__qualname__) from error
    if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
        raise NoSourceError(function.__qualname__)
    if _differs(tree, function):
        raise NoSourceError(function.__qualname__)
    ast.increment_lineno(tree, first - 1)
    return Source(function, tree, filename)


def _differs(tree: ast.FunctionDef, function: FunctionType) -> bool:
    """Whether a file was edited after it was imported, so that its text is not what runs."""
    code = function.__code__
    names = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)]
    if tuple(names) != code.co_varnames[: code.co_argcount]:
        return True
    compiled = compile(ast.Module([_bare(tree)], []), "<rules>", "exec")
    again = next(c for c in compiled.co_consts if inspect.iscode(c))
    plain = code.co_freevars == () and again.co_freevars == ()
    return plain and (again.co_code != code.co_code or _values(again) != _values(code))


def _values(code: Any) -> list[Any]:
    return [c for c in code.co_consts if not inspect.iscode(c)]


def _bare(tree: ast.FunctionDef) -> ast.FunctionDef:
    return ast.FunctionDef(
        name=tree.name,
        args=tree.args,
        body=tree.body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        lineno=1,
        col_offset=0,
    )
