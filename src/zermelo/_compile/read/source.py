"""The author's source: the syntax tree of a function, with the lines of the author's own file.

A file may have been edited since it was imported, and then its text differs from the running code.
So a file is compiled again, by Python, and a function's text is used only if it gives the
function's code.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from zermelo._compile.read.syntax import copied, definition, parts_of

#: The name that pytest's rewriting of ``assert`` adds to a test module's functions.
_REWRITTEN = "@pytest_ar"

#: The flags for the kind of function; higher bits are ``__future__`` imports, which a notebook
#: keeps from cell to cell.
_FORM = 0x3FF


class NoSourceError(Exception):
    """The source of a function is not available: it was typed at a prompt, or made by ``exec``."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function in the author's text.

    Attributes:
        function: the function object.
        tree: its syntax tree, with the line numbers of ``filename``.
        filename: its file.
    """

    function: FunctionType
    tree: ast.FunctionDef
    filename: str

    def namespace_of(self, name: str) -> tuple[Any, str]:
        """Return the namespace (a dict, or a closure's cell) that contains a name.

        Raises:
            NameError: the name is not visible from the function.
        """
        code = self.function.__code__
        if name in code.co_freevars and self.function.__closure__ is not None:
            return self.function.__closure__[code.co_freevars.index(name)], name
        for space in (self.function.__globals__, self.function.__builtins__):  # type: ignore[attr-defined, unused-ignore]  # there since 3.10
            if name in space:
                return space, name
        raise NameError(name)


def source_of(function: FunctionType) -> Source:
    """Return the source of a function; the caller may change the tree.

    Raises:
        NoSourceError: it is not available, or differs from the running code.
    """
    code = function.__code__
    try:
        filename = inspect.getsourcefile(code) or code.co_filename
    except TypeError as error:
        raise NoSourceError(function.__qualname__) from error
    found = _file(filename, function.__globals__).find(code)
    if found is None:
        raise NoSourceError(function.__qualname__)
    tree = copied(found)
    owner = _owner(code)
    if owner:
        _Mangled(owner).visit(tree)
    return Source(function, tree, filename)


class _File:
    """The functions in a file's text."""

    def __init__(self, lines: list[str], filename: str) -> None:
        """Parse the text; if it is invalid, there are no functions."""
        self.lines = lines
        self.functions: dict[str, list[tuple[CodeType, ast.FunctionDef]]] = {}
        text = "".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python has shown them on import
                tree = ast.parse(text)
                compiled = compile(text, filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return
        defs = {
            (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.name): node
            for node in parts_of(tree)
            if isinstance(node, ast.FunctionDef)
        }
        for line, lambdas in _lambdas(tree).items():
            if len(lambdas) == 1:  # two on one line cannot be distinguished
                defs[line, "<lambda>"] = lambdas[0]
        for code in _parts(compiled):
            node = defs.get((code.co_firstlineno, code.co_name))
            if node is not None:
                self.functions.setdefault(code.co_qualname, []).append((code, node))

    def find(self, code: CodeType) -> ast.FunctionDef | None:
        """Return the def with this code, the nearest one to its line."""
        known = self.functions.get(code.co_qualname, [])
        nearest = sorted(known, key=lambda each: abs(each[0].co_firstlineno - code.co_firstlineno))
        if any(name.startswith(_REWRITTEN) for part in _parts(code) for name in part.co_names):
            # pytest has rewritten the code, so the line decides.
            nearest = [each for each in nearest if each[0].co_firstlineno == code.co_firstlineno]
            return nearest[0][1] if nearest else None
        shape = _shape(code)
        return next((node for other, node in nearest if _shape(other) == shape), None)


def _lambdas(tree: ast.AST) -> dict[int, list[ast.FunctionDef]]:
    """Return the lambdas of a tree by line, each as a def that returns."""
    found: dict[int, list[ast.FunctionDef]] = {}
    for node in parts_of(tree):
        if isinstance(node, ast.Lambda):
            body = ast.copy_location(ast.Return(node.body), node.body)
            made = definition("<lambda>", node.args, [body], [])
            found.setdefault(node.lineno, []).append(ast.copy_location(made, node))
    return found


_files: dict[str, _File] = {}


def _file(filename: str, space: dict[str, Any]) -> _File:
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, space)
    known = _files.get(filename)
    if known is None or known.lines is not lines:
        known = _files[filename] = _File(lines, filename)
    return known


def _owner(code: CodeType) -> str:
    """Return the name of the class in which a function was written, or ""."""
    parts = code.co_qualname.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else ""


class _Mangled(ast.NodeTransformer):
    """Replaces the private names of a class (``self.__lines``) by their mangled names."""

    def __init__(self, owner: str) -> None:
        self.prefix = f"_{owner.lstrip('_')}"

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:  # named by ast
        self.generic_visit(node)
        node.attr = self._name(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:  # named by ast
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._name(node.arg)
        return node

    def _name(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and self.prefix != "_"
        return self.prefix + name if private else name


def _parts(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all nested ones, the outermost first."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


def _shape(value: Any) -> Any:
    """Return the essential data of code, without its location in the file."""
    if isinstance(value, CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        counts = (value.co_argcount, value.co_kwonlyargcount, value.co_flags & _FORM)
        return (value.co_code, names, counts, _shape(value.co_consts))
    if isinstance(value, tuple):
        return tuple(_shape(item) for item in value)
    return (type(value), repr(value) if isinstance(value, frozenset) else value)
