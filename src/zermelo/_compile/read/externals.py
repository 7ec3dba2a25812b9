"""External functions in rules: builtins, and functions of ``math``, ``operator`` and NumPy."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import math
import operator
import random
import sys
import typing
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zermelo.game.contract import Game, bag, put
from zermelo.game.records import names_of

ALLOWED = "they may call functions of your own, and those of math and of NumPy itself"

_BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "divmod",
        "enumerate",
        "int",
        "len",
        "list",
        "max",
        "min",
        "ord",
        "pow",
        "range",
        "reversed",
        "round",
        "sorted",
        "sum",
        "zip",
        "isinstance",
        "AssertionError",
        "IndexError",
        "ValueError",
        "Exception",
    ]
)
_ALTERNATIVES = {
    "print": "take it out, or print where the rules are called",
    "set": "use a bit mask, or a list with True and False for each number",
    "frozenset": "use a bit mask, or a list with True and False for each number",
    "dict": "use a tuple or a NumPy array, looked up by number",
    "str": "they compute with whole numbers, so leave text to show()",
    "repr": "they compute with whole numbers, so leave text to show()",
    "chr": "they compute with whole numbers, so leave text to show()",
    "float": "keep to whole numbers, on a larger scale",
    "complex": "keep to whole numbers",
    "tuple": "call it: tuple(row)",
    "map": "use a for loop",
    "filter": "use a for loop with an if",
    "iter": "use a for loop",
    "next": "write next(... for ... in ...), or a for loop",
    "super": "call a method of it, as in super().moves(position)",
    "input": "make it a parameter of the game",
    "open": "read the file before the game is made",
    "getattr": "write the attribute's name out",
    "hasattr": "give every game of the class the attribute",
    "type": "test a number instead",
    "hash": "combine the numbers yourself",
    "id": "compare what numbers it holds",
    "bin": "use bit_count(), shifts and masks",
}
#: Alternatives to functions of Python's library, by module.
_LIBRARY_ALTERNATIVES = {
    "itertools": "write a for loop",
    "functools": "call the function with all its arguments",
    "collections": "count in a list, as in counts = [0] * 9",
    "copy": "tuples need no copies",
    "_heapq": "keep a list, and take min() of it",
    "time": "they must give the same answer every time, so compute it from the position",
    "fractions": "keep to whole numbers, on a larger scale",
    "decimal": "keep to whole numbers, on a larger scale",
}
_ALLOWED_MODULES: dict[str, ModuleType] = {
    "math": math,
    "numpy": np,
    "operator": operator,
    "_operator": operator,
}
#: Zermelo's functions for use in rules.
_AUTHOR_HELPERS = (put, bag)
#: The operators that functions of two values stand for.
_OPERATORS: dict[Any, ast.operator] = {
    pow: ast.Pow(),
    operator.add: ast.Add(),
    operator.sub: ast.Sub(),
    operator.mul: ast.Mult(),
    operator.pow: ast.Pow(),
    operator.floordiv: ast.FloorDiv(),
    operator.lshift: ast.LShift(),
    operator.rshift: ast.RShift(),
}
#: The NumPy types that behave like the numbers of rules.
_ALLOWED_NUMPY_TYPES = (np.int64, np.bool_, np.integer)
_RANDOM_MODULES = ("random", "secrets", "numpy.random")


def unwrap(value: object) -> Any:
    """Return the function inside a staticmethod, a cache or a compiled function, or the value."""
    if isinstance(value, staticmethod):
        value = value.__func__
    if isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001  # it has no other name
        value = value.__wrapped__
    return getattr(value, "py_func", value)


def author_helper(value: object) -> str:
    """Return the compiled name of a Zermelo function for authors, or ""."""
    return next((helper.__name__ for helper in _AUTHOR_HELPERS if value is helper), "")


def sign_of(value: object) -> ast.operator | None:
    """Return the operator that a function of two values stands for, or None."""
    return _OPERATORS.get(value) if isinstance(value, BuiltinFunctionType) else None


def is_record(value: Any) -> bool:
    """Return whether a value is a class of positions: a NamedTuple or a frozen dataclass."""
    return bool(names_of(value)) and not issubclass(value, Game)


def is_replace(value: object) -> bool:
    """Return whether a value is ``dataclasses.replace``."""
    return value is dataclasses.replace


def is_cast(value: object) -> bool:
    """Return whether a value is ``typing.cast``, which does nothing."""
    return value is typing.cast


def of_library(function: FunctionType) -> bool:
    """Return whether a function belongs to Python's standard library, or to NumPy."""
    libraries = sys.stdlib_module_names - {"__main__", "test"} | {"numpy"}
    return (function.__module__ or "").split(".")[0] in libraries


def of_numpy(value: object) -> bool:
    """Return whether a value is a function of NumPy."""
    return callable(value) and str(getattr(value, "__module__", "")).split(".")[0] == "numpy"


def holds_names(value: object) -> bool:
    """Return whether a value is an author's module or class, whose attributes rules read."""
    if isinstance(value, ModuleType):
        return value not in _ALLOWED_MODULES.values()
    return isinstance(value, type) and not is_record(value) and value.__module__ != "builtins"


def is_random(value: object) -> bool:
    """Return whether a value is a module or a generator of random numbers."""
    if isinstance(value, ModuleType):
        return value.__name__ in _RANDOM_MODULES
    return isinstance(value, random.Random | np.random.RandomState | np.random.Generator)


def expression(value: object) -> tuple[str | None, str]:
    """Return the name of a function in compiled rules and ""; or None and an alternative."""
    name = str(getattr(value, "__name__", ""))
    if getattr(builtins, name, None) is value:
        if name in _BUILTINS:
            return name, ""
        return None, _ALTERNATIVES.get(name, "use whole numbers, tuples and loops")
    module = str(getattr(value, "__module__", ""))
    if module in _LIBRARY_ALTERNATIVES:
        return None, _LIBRARY_ALTERNATIVES[module]
    if (
        isinstance(value, type)
        and issubclass(value, np.generic)
        and value not in _ALLOWED_NUMPY_TYPES
    ):
        return None, "its numbers wrap around in Python only, so use int and bool"
    allowed_module = _ALLOWED_MODULES.get(module.split(".", maxsplit=1)[0])
    attribute = getattr(value, "__name__", "")
    if allowed_module is None or getattr(allowed_module, attribute, None) is not value:
        return None, ALLOWED
    return f"{allowed_module.__name__}.{attribute}", ""
