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

from zermelo._engine.core.compiling import swapped
from zermelo._engine.core.kernel import Kernel

_OWN = "zermelo"
#: Numba finds some functions of these modules by type, not by name. If compiled code reads one of
#: them, the checksum covers the text of the whole folder.
_BY_TYPE = "zermelo._compile.support"
#: Modules that only change with the versions that the cache's folder is named after.
_LIBRARIES = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}


def identity(dispatcher: Any, *besides: Any) -> str:
    """Return the checksum of the compiled code of a jitted function, without its argument types.

    Args:
        dispatcher: the jitted function.
        besides: further dependencies of its compiled code, which it does not name.
    """
    digest = hashlib.sha256()
    walk = _KernelWalk(digest)
    for value in (dispatcher, *besides):
        if not walk.knows(value):
            walk.add(value)
    return digest.hexdigest()


class _KernelWalk:
    """A traversal of everything reachable from a function; each value enters the checksum once."""

    def __init__(self, digest: Any) -> None:
        self._digest = digest
        self._seen: dict[int, int] = {}
        self._held: list[Any] = []  # keeps each value alive, so that no id is reused

    def knows(self, value: Any) -> bool:
        """Whether a value has been added."""
        return id(value.compiled if isinstance(value, Kernel) else value) in self._seen

    def add(self, value: Any) -> None:
        """Add a value on which compiled code may depend."""
        if isinstance(value, Kernel):
            value = value.compiled
        known = self._seen.get(id(value))
        if known is not None:
            self._say(f"seen {known}")
            return
        self._seen[id(value)] = len(self._seen)
        self._held.append(value)
        if isinstance(value, Dispatcher):
            self._say("kernel", sorted(map(repr, value.targetoptions.items())))
            self._compiler(value._compiler.pipeline_class)  # noqa: SLF001  # Numba has no other name
            self.add(value.py_func)
        elif isinstance(value, _Intrinsic):
            self._say("intrinsic", value._prefer_literal)  # noqa: SLF001  # Numba has no other name
            self.add(value._defn)  # noqa: SLF001  # nor here
        elif isinstance(value, FunctionType):
            self._function(value)
        elif isinstance(value, CodeType):
            self._say("code", value.co_code, value.co_names, value.co_varnames, value.co_flags)
            for constant in value.co_consts:
                self.add(constant)
        elif isinstance(value, tuple | list | frozenset):
            ordered = sorted(value, key=repr) if isinstance(value, frozenset) else value
            self._say(type(value).__name__, len(value))
            for item in ordered:
                self.add(item)
        elif isinstance(value, dict):
            self._say("dict", len(value))
            for item in value.items():
                self.add(item)
        elif isinstance(value, np.ndarray):
            self._say("array", value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, ModuleType):
            self._module(value)
        elif isinstance(value, type):
            self._say("type", value.__module__, value.__qualname__, getattr(value, "_fields", ()))
            self._named(value.__module__)
        elif isinstance(value, bool | int | float | str | bytes | None | np.generic):
            self._say(type(value).__name__, repr(value))
        elif isinstance(value, BuiltinFunctionType):
            self._say("builtin", value.__module__, value.__qualname__)
        else:
            self._say("other", type(value).__module__, type(value).__qualname__, repr(value))
            self._named(type(value).__module__)

    def _compiler(self, kind: type) -> None:
        """Add the source of the class that compiles a function, if Zermelo defines it."""
        if kind.__module__.partition(".")[0] == _OWN:
            self._say("compiler", kind.__qualname__, _text(kind.__module__))
            self._named(swapped.__name__)

    def _function(self, function: FunctionType) -> None:
        self._say("function", function.__qualname__)
        self.add(function.__code__)
        self.add(function.__defaults__)
        if function.__kwdefaults__:
            self.add(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        # Names of attributes are included: at worst a value is added that has no effect.
        names = sorted(_names(function.__code__))
        for name in names:
            if name.startswith(f"{_OWN}."):
                self._named(name)
            elif name in function.__globals__:
                self._say("global", name)
                value = function.__globals__[name]
                self.add(value)
                if isinstance(value, ModuleType):
                    self._read(value, names)

    def _module(self, module: ModuleType) -> None:
        by_type = module.__name__.startswith(_BY_TYPE)
        if by_type or _is_library(module):  # of others, what is read counts
            self._say("module", module.__name__)
        if by_type:
            self._named(module.__name__)

    def _read(self, module: ModuleType, names: list[str]) -> None:
        """Add the attributes ``names`` of a module, which code may read."""
        if _is_library(module) or module.__name__.startswith(_BY_TYPE):
            return
        for name in names:
            value = getattr(module, name, None)
            if value is not None:
                self._say("attribute", name)
                self.add(value)
                if isinstance(value, ModuleType):
                    self._read(value, names)

    def _named(self, module: str) -> None:
        """Add the source of all modules in the folder of one of Zermelo's modules."""
        if module.partition(".")[0] == _OWN:
            self._say("source", _sources(module))

    def _say(self, *parts: Any) -> None:
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
    where = getattr(importlib.import_module(module), "__file__", None)
    for source in sorted(Path(where).parent.glob("*.py")) if where else ():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()
