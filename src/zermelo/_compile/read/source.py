"""The author's source: the syntax tree of a function, with the lines of the author's own file.

A file may have been edited since its import, so that its text differs from the running code.
Therefore Python compiles the file again, and the text of a function is used only if its compiled
code equals the running code.
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

from zermelo._compile.read.syntax import copy_tree, definition, parts_of

#: The name that pytest's rewriting of ``assert`` adds to a test module's functions.
_PYTEST_PREFIX = "@pytest_ar"

#: The flags of a code object for the kind of function. Higher bits are ``__future__`` imports,
#: which a notebook keeps from cell to cell.
_KIND_FLAGS = 0x3FF


class NoSourceError(Exception):
    """The source of a function is not available, as after ``exec`` or input at a prompt."""


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
        for namespace in (self.function.__globals__, self.function.__builtins__):  # type: ignore[attr-defined, unused-ignore]  # there since 3.10
            if name in namespace:
                return namespace, name
        raise NameError(name)


def source_of(function: FunctionType) -> Source:
    """Return the source of a function; the caller may change the tree.

    Raises:
        NoSourceError: the source is not available, or differs from the running code.
    """
    code = function.__code__
    try:
        filename = inspect.getsourcefile(code) or code.co_filename
    except TypeError as error:
        raise NoSourceError(function.__qualname__) from error
    original = _file(filename, function.__globals__).find(code)
    if original is None:
        raise NoSourceError(function.__qualname__)
    tree = copy_tree(original)
    owner = _owner(code)
    if owner:
        _NameMangler(owner).visit(tree)
    return Source(function, tree, filename)


class _File:
    """The functions in a file's text."""

    def __init__(self, lines: list[str], filename: str) -> None:
        """Parse the text; invalid text has no functions."""
        self.lines = lines
        self.functions: dict[str, list[tuple[CodeType, ast.FunctionDef]]] = {}
        text = "".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python has shown them on import
                tree = ast.parse(text)
                module_code = compile(text, filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return
        defs = {
            (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.name): node
            for node in parts_of(tree)
            if isinstance(node, ast.FunctionDef)
        }
        for line, lambdas in _lambdas(tree).items():
            if len(lambdas) == 1:  # several on one line cannot be distinguished
                defs[line, "<lambda>"] = lambdas[0]
        for code in _nested_codes(module_code):
            node = defs.get((code.co_firstlineno, code.co_name))
            if node is not None:
                self.functions.setdefault(code.co_qualname, []).append((code, node))

    def find(self, code: CodeType) -> ast.FunctionDef | None:
        """Return the definition with this code, the nearest to its line; None if there is none."""
        candidates = self.functions.get(code.co_qualname, [])
        nearest = sorted(
            candidates, key=lambda candidate: abs(candidate[0].co_firstlineno - code.co_firstlineno)
        )
        if any(
            name.startswith(_PYTEST_PREFIX)
            for part in _nested_codes(code)
            for name in part.co_names
        ):
            # pytest has rewritten the code, so the line decides.
            nearest = [
                candidate
                for candidate in nearest
                if candidate[0].co_firstlineno == code.co_firstlineno
            ]
            return nearest[0][1] if nearest else None
        shape = _shape(code)
        return next(
            (node for candidate_code, node in nearest if _shape(candidate_code) == shape), None
        )


def _lambdas(tree: ast.AST) -> dict[int, list[ast.FunctionDef]]:
    """Return the lambdas of a tree by line, each as a definition with a return statement."""
    lambdas: dict[int, list[ast.FunctionDef]] = {}
    for node in parts_of(tree):
        if isinstance(node, ast.Lambda):
            body = ast.copy_location(ast.Return(node.body), node.body)
            function = definition("<lambda>", node.args, [body], [])
            lambdas.setdefault(node.lineno, []).append(ast.copy_location(function, node))
    return lambdas


_files: dict[str, _File] = {}


def _file(filename: str, namespace: dict[str, Any]) -> _File:
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, namespace)
    file = _files.get(filename)
    if file is None or file.lines is not lines:
        file = _files[filename] = _File(lines, filename)
    return file


def _owner(code: CodeType) -> str:
    """Return the name of the class that contains a function, or ""."""
    parts = code.co_qualname.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else ""


class _NameMangler(ast.NodeTransformer):
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


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all nested ones, the outermost first."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_codes(constant)


def _shape(value: object) -> Any:
    """Return the data that equal functions share: their code without its location in the file."""
    if isinstance(value, CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        counts = (value.co_argcount, value.co_kwonlyargcount, value.co_flags & _KIND_FLAGS)
        return (value.co_code, names, counts, _shape(value.co_consts))
    if isinstance(value, tuple):
        return tuple(_shape(item) for item in value)
    return (type(value), repr(value) if isinstance(value, frozenset) else value)
