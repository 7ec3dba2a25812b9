"""Writing a generated module to the cache and importing it, or compiling it in memory."""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numba

from zermelo._engine.jit import cache_directory, numba_cache_in

#: The functions of a generated module that are called from Python.
KERNELS = ("expand", "levels")

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "python"}


def load(text: str, name: str, *, checked: bool) -> ModuleType:
    """Return the module with this text, its kernels ready to be called.

    The module stands in a file named after its contents, so that Numba finds what another process
    compiled, and never anything else. Where no file can be written it is kept in memory.

    Args:
        text: the source.
        name: the game's class's name.
        checked: whether the kernel checks that array places exist.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    label = f"_zermelo_rules_{name}_{digest}"
    if label in sys.modules:
        return sys.modules[label]
    directory = cache_directory()
    path = None if directory is None else _written(directory / "rules", f"{label}.py", text)
    options = {**_OPTIONS, "boundscheck": checked}
    if path is None:
        module = load_in_memory(text, label, {}, checked=checked)
    else:
        spec = importlib.util.spec_from_file_location(label, path)
        assert spec is not None  # noqa: S101  # the path ends in .py
        assert spec.loader is not None  # noqa: S101  # likewise
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with numba_cache_in(path.parent):
            _jit_kernels(module, cache=True, **options)
    sys.modules[label] = module
    return module


def load_in_memory(text: str, label: str, names: dict[str, Any], *, checked: bool) -> ModuleType:
    """Return a module that is kept in memory only, with ``names`` besides what its text defines."""
    filename = f"<{label}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = ModuleType(label)
    vars(module).update(names)
    exec(compile(text, filename, "exec"), vars(module))  # noqa: S102  # written by us
    options = {**_OPTIONS, "boundscheck": checked}
    _jit_kernels(module, **options)
    return module


def _jit_kernels(module: ModuleType, **options: Any) -> None:
    """Have the kernels of a module compiled when they are first called."""
    for name in KERNELS:
        if hasattr(module, name):
            setattr(module, name, numba.njit(**options)(getattr(module, name)))


def _written(directory: Path, filename: str, text: str) -> Path | None:
    """Write a file whole or not at all; return None where that cannot be done."""
    path = directory / filename
    try:
        if path.read_text(encoding="utf-8") == text:
            return path
    except (OSError, UnicodeDecodeError):
        pass
    try:
        directory.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=directory, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except OSError:
        return None
    return path
