"""From a generated module to a kernel that can be called, with its compiled code kept on disk."""

from __future__ import annotations

import ast
import hashlib
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo._compile.generate.module import Module
from zermelo._compile.read.places import Places
from zermelo._compile.read.syntax import plain_name
from zermelo._compile.support import functions
from zermelo._engine.core.jit import cache_directory, cached, entry

#: The functions of a generated module that are called from Python.
KERNELS = ("expand", "levels", "legal", "fold", "chosen")
#: The folder inside the cache.
FOLDER = "rules"


def load(module: Module, places: Places) -> ModuleType:
    """Return a module that can be called: its kernels are ``expand`` and perhaps others.

    The module is named after its contents, and so is the file that holds its compiled code: Numba
    finds there what another process compiled from the same rules, and never anything else.

    Args:
        module: the module.
        places: is told where the functions come from.
    """
    label = _label(module)
    # A process that has the module already has the kernel compiled, but the places may differ.
    loaded = run(module, label, {}, places)
    known = sys.modules.setdefault(label, loaded)
    if known is loaded:
        compile_kernels(loaded, module)
        for name in KERNELS:
            if hasattr(loaded, name):
                cached(getattr(loaded, name), f"{label}.{name}", FOLDER, (functions,))
    return known


def remembered(module: Module) -> Module:
    """Return a module with a heap where an earlier one turned out to need it."""
    marker = _marker(_label(module))
    needed = not module.heap and marker is not None and marker.exists()
    return replace(module, heap=True) if needed else module


def with_heap(module: Module) -> Module:
    """Return a module whose rules turned out to make what has to be freed; remember that."""
    marker = _marker(_label(module))
    if marker is not None:
        with suppress(OSError):
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()
    return replace(module, heap=True)


def _label(module: Module) -> str:
    digest = hashlib.sha256(module.text.encode()).hexdigest()[:24]
    return f"_zermelo_rules_{module.name}_{digest}"


def _marker(label: str) -> Path | None:
    directory = cache_directory()
    return None if directory is None else directory / FOLDER / f"{label}.heap"


def run(module: Module, label: str, names: Mapping[str, Any], places: Places) -> ModuleType:
    """Return the module with this text, with ``names`` besides what its text defines."""
    made = ModuleType(label)
    vars(made).update(names)
    exec(compile(module.head, "<zermelo header>", "exec"), vars(made))  # noqa: S102  # written by us
    for tree, source in module.functions:
        where = places.named(source.filename, plain_name(source.function))
        function = ast.fix_missing_locations(ast.Module([tree], []))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Numba has better words for what is wrong
            exec(compile(function, where, "exec"), vars(made))  # noqa: S102  # rewritten by us
    where = places.kernel(module.lines)
    exec(compile(module.kernel, where, "exec"), vars(made))  # noqa: S102  # written by us
    return made


def compile_kernels(made: ModuleType, module: Module) -> None:
    """Have Numba compile a module's kernels when they are first called."""
    options = {
        "error_model": "python",
        "boundscheck": bool(module.passed),
        "_nrt": module.heap,  # without, each array that is handed over costs 25 ns less
    }
    for name in KERNELS:
        if hasattr(made, name):
            setattr(made, name, entry(**options)(getattr(made, name)))
