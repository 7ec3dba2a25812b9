"""A kernel's identity: a checksum of everything that its compiled code depends on.

The checksum covers its bytecode and options, those of all functions that it calls, and the values
of the constants they read. So compiled code on disk is reused after a comment was changed or a file
was moved, and never after an edit that could matter, in any module (numba#1833).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import sys
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from zermelo._engine.core.kernel import Kernel

_PACKAGE = "zermelo"
#: Numba finds some functions of these modules by type, not by name. If compiled code reads one of
#: them, the checksum covers the text of the whole folder.
_SUPPORT = "zermelo._compile.support"
#: Modules that only change with the versions that the cache's folder is named after.
_LIBRARIES = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}


def identity(dispatcher: Any, *besides: Any) -> str:
    """Return the checksum of the compiled code of a jitted function, without its argument types.

    Args:
        dispatcher: the jitted function.
        besides: further dependencies of the compiled code, which the function does not name.
    """
    digest = hashlib.sha256()
    walk = _KernelWalk(digest)
    for value in (dispatcher, *besides):
        if not walk.contains(value):
            walk.add(value)
    return digest.hexdigest()


class _KernelWalk:
    """A traversal of everything reachable from a function; each value enters the checksum once."""

    def __init__(self, digest: Any) -> None:
        self._digest = digest
        self._seen: dict[int, int] = {}
        self._values: list[Any] = []  # keeps each value alive, so that no id is reused

    def contains(self, value: Any) -> bool:
        """Return whether a value has been added."""
        return id(value.compiled if isinstance(value, Kernel) else value) in self._seen

    def add(self, value: Any) -> None:
        """Add a value on which compiled code may depend."""
        if isinstance(value, Kernel):
            value = value.compiled
        number = self._seen.get(id(value))
        if number is not None:
            self._hash(f"seen {number}")
            return
        self._seen[id(value)] = len(self._seen)
        self._values.append(value)
        if isinstance(value, Dispatcher):
            self._hash("kernel", sorted(map(repr, value.targetoptions.items())))
            self._add_compiler(value._compiler.pipeline_class)  # noqa: SLF001  # Numba has no other name
            self.add(value.py_func)
        elif isinstance(value, _Intrinsic):
            self._hash("intrinsic", value._prefer_literal)  # noqa: SLF001  # Numba has no other name
            self.add(value._defn)  # noqa: SLF001  # Numba has no other name
        elif isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, CodeType):
            self._hash("code", value.co_code, value.co_names, value.co_varnames, value.co_flags)
            for constant in value.co_consts:
                self.add(constant)
        elif isinstance(value, tuple | list | frozenset):
            ordered = sorted(value, key=repr) if isinstance(value, frozenset) else value
            self._hash(type(value).__name__, len(value))
            for item in ordered:
                self.add(item)
        elif isinstance(value, dict):
            self._hash("dict", len(value))
            for item in value.items():
                self.add(item)
        elif isinstance(value, np.ndarray):
            self._hash("array", value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, ModuleType):
            self._add_module(value)
        elif isinstance(value, type):
            self._hash("type", value.__module__, value.__qualname__, getattr(value, "_fields", ()))
            self._add_sources(value.__module__)
        elif isinstance(value, bool | int | float | str | bytes | None | np.generic):
            self._hash(type(value).__name__, repr(value))
        elif isinstance(value, BuiltinFunctionType):
            self._hash("builtin", value.__module__, value.__qualname__)
        else:
            self._hash("other", type(value).__module__, type(value).__qualname__, repr(value))
            self._add_sources(type(value).__module__)

    def _add_compiler(self, kind: type) -> None:
        """Add the source of the class that compiles a function, if Zermelo defines it."""
        if kind.__module__.partition(".")[0] == _PACKAGE:
            self._hash("compiler", kind.__qualname__, _text(kind.__module__))

    def _add_function(self, function: FunctionType) -> None:
        self._hash("function", function.__qualname__)
        self.add(function.__code__)
        self.add(function.__defaults__)
        if function.__kwdefaults__:
            self.add(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        # Names of attributes are included: at worst a value is added that has no effect.
        names = sorted(_names(function.__code__))
        for name in names:
            if name.startswith(f"{_PACKAGE}."):
                self._add_sources(name)
            elif name in function.__globals__:
                self._hash("global", name)
                value = function.__globals__[name]
                self.add(value)
                if isinstance(value, ModuleType):
                    self._add_attributes(value, names)

    def _add_module(self, module: ModuleType) -> None:
        is_support = module.__name__.startswith(_SUPPORT)
        if is_support or _is_library(module):  # of other modules, attributes that are read count
            self._hash("module", module.__name__)
        if is_support:
            self._add_sources(module.__name__)

    def _add_attributes(self, module: ModuleType, names: list[str]) -> None:
        """Add the attributes ``names`` of a module, which code may read."""
        if _is_library(module) or module.__name__.startswith(_SUPPORT):
            return
        for name in names:
            value = getattr(module, name, None)
            if value is not None:
                self._hash("attribute", name)
                self.add(value)
                if isinstance(value, ModuleType):
                    self._add_attributes(value, names)

    def _add_sources(self, module: str) -> None:
        """Add the source of all modules in the folder of one of Zermelo's modules."""
        if module.partition(".")[0] == _PACKAGE:
            self._hash("source", _sources(module))

    def _hash(self, *parts: Any) -> None:
        for part in parts:
            self._digest.update(part if isinstance(part, bytes) else repr(part).encode())
            self._digest.update(b"\0")


def _names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _is_library(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] in _LIBRARIES


@functools.cache
def _text(module: str) -> str:
    return inspect.getsource(sys.modules[module])


@functools.cache
def _sources(module: str) -> str:
    """Return a checksum of all source files in the folder of a module of Zermelo."""
    digest = hashlib.sha256()
    file = getattr(importlib.import_module(module), "__file__", None)
    for source in sorted(Path(file).parent.glob("*.py")) if file else ():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()
