"""The functions that an author wrote for the hooks of a game."""

from __future__ import annotations

import inspect
from types import FunctionType

from zermelo._compile.read import externals
from zermelo._compile.read.read_globals import ReadGlobals
from zermelo._compile.read.source_map import SourceLine
from zermelo._compile.read.syntax import plain_name
from zermelo.errors import CompileError
from zermelo.game.contract import HOOKS, Game


def hook_of(game: Game, hook: str, read_globals: ReadGlobals) -> tuple[FunctionType, bool]:
    """Return a hook's function, and whether it is called without the game as its first argument.

    Raises:
        CompileError: it cannot be called with the arguments of the contract.
    """
    kind = type(game)
    raw = inspect.getattr_static(kind, hook)
    function, static = externals.unwrap(raw), isinstance(raw, staticmethod)
    read_globals.record(kind, hook, getattr(kind, hook))
    parameters = (() if static else ("self",)) + HOOKS[hook]
    if not isinstance(function, FunctionType):
        actual = f"a {type(function).__name__}"
        message = f"{kind.__name__}.{hook} is {actual}; write def {hook}({', '.join(parameters)})"
        raise CompileError(message)
    code = function.__code__
    taken_names = code.co_varnames[: code.co_argcount]
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        message = (
            f"{plain_name(function)} takes * or **, as decorators' functions do; "
            f"write def {hook}({', '.join(parameters)}), without a decorator"
        )
        raise CompileError(message, code.co_filename, code.co_firstlineno)
    if (
        not len(taken_names) - len(function.__defaults__ or ())
        <= len(parameters)
        <= len(taken_names)
    ):
        message = (
            f"{plain_name(function)} takes ({', '.join(taken_names)}); "
            f"write def {hook}({', '.join(parameters)})"
        )
        raise CompileError(message, code.co_filename, code.co_firstlineno)
    return function, static


def hook_location(game: Game, hook: str) -> SourceLine:
    """Return the source location of a hook."""
    function = externals.unwrap(inspect.getattr_static(type(game), hook))
    code = function.__code__
    return SourceLine(code.co_filename, code.co_firstlineno, plain_name(function))
