"""Loading of a generated module as kernels, with their compiled code cached on disk."""

from __future__ import annotations

import ast
import hashlib
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo._compile.generate.module import KERNELS, Module
from zermelo._compile.read.source_map import SourceMap
from zermelo._compile.read.syntax import parts_of, plain_name
from zermelo._compile.support import runtime
from zermelo._engine.core.compiling.dispatchers import cache_directory, cached, entry

#: The folder inside the cache.
FOLDER = "rules"
#: The prefix of the names of modules of rules.
RULES = "_zermelo_rules_"
#: The number of digits of a checksum at the end of these modules' names.
DIGITS = 24


def load(module: Module, places: SourceMap) -> ModuleType:
    """Return a loaded module: its kernels are ``expand`` and perhaps others.

    Each function is in a module of its own, named after a hash of its text and that of its callees.
    So is the file with a kernel's compiled code. So Numba finds exactly what another process
    compiled from equal rules; and after a change of one rule, functions that do not call it are
    still cached.

    Args:
        module: the module.
        places: receives the locations of the functions.
    """
    made = ModuleType(_label(module))
    vars(made).update(_head(module))
    parts = _defined_in(module, places)
    reached = {name: _reached(name, parts) for name in parts}
    labels, moved = {}, set()
    for name, defined in parts.items():
        others = (parts[other].text for other in sorted(reached[name] - {name}))
        digest = _digest(defined.text, *others)
        labels[name] = f"{RULES}{module.name}_{name.strip('_')}_{digest}"
        if _has_moved(sys.modules.get(labels[name]), defined):
            moved.add(name)
    new = []
    for name, defined in parts.items():
        own = sys.modules.get(labels[name])
        if own is None or reached[name] & moved:
            own = _module_of(labels[name], defined, module)
            new.append((own, defined))
        setattr(made, name, getattr(own, name))
    for own, defined in new:  # registered only when all callees are defined
        vars(own).update((name, getattr(made, name)) for name in defined.calls)
        sys.modules[own.__name__] = own
    return made


@dataclass
class _Defined:
    """A function of a generated module.

    Attributes:
        tree: the function.
        where: the file name under which it is compiled.
        text: a text that differs for functions with different code.
        calls: the names of the module's other functions that it calls.
    """

    tree: ast.FunctionDef
    where: str
    text: str
    calls: set[str]


def _defined_in(module: Module, places: SourceMap) -> dict[str, _Defined]:
    """Return the functions of a module by name."""
    within = places.kernel(module.lines)
    parts = {}
    for tree, source in module.functions:
        where = places.file_name(source.filename, plain_name(source.function), tree.name)
        parts[tree.name] = _Defined(tree, where, module.head + ast.unparse(tree), set())
    for tree in module.template:  # whose lines say where an error comes from
        text = f"{module.head}{tree.lineno}\n{ast.unparse(tree)}"
        parts[tree.name] = _Defined(tree, within, text, set())
    for name, defined in parts.items():
        names = {node.id for node in parts_of(defined.tree) if isinstance(node, ast.Name)}
        defined.calls = names & parts.keys() - {name}
    return parts


def _reached(name: str, parts: dict[str, _Defined]) -> set[str]:
    """Return the names of a function and of its direct and indirect callees."""
    found, waiting = {name}, [name]
    while waiting:
        calls = parts[waiting.pop()].calls - found
        found |= calls
        waiting += calls
    return found


def _has_moved(own: ModuleType | None, defined: _Defined) -> bool:
    """Whether a function was at another line when it was defined, and is not compiled yet.

    Errors about it would name the old line, where another function is now.
    """
    if own is None:
        return False
    function = getattr(own, defined.tree.name)
    line = function.py_func.__code__.co_firstlineno
    return not function.overloads and line != defined.tree.lineno


def _head(module: Module) -> dict[str, Any]:
    """Return the globals of all functions of a module: types of positions and data are shared.

    Modules with equal headers share them, as they may share functions.
    """
    label = f"{RULES}{module.name}_{_digest(module.head)}"
    if label not in sys.modules:
        head = ModuleType(label)
        exec(compile(module.head, "<zermelo header>", "exec"), vars(head))  # noqa: S102  # written by us
        sys.modules[label] = head
    return {k: v for k, v in vars(sys.modules[label]).items() if not k.startswith("__")}


def _module_of(label: str, defined: _Defined, module: Module) -> ModuleType:
    """Return the module of one function, to which its callees are added later."""
    made = ModuleType(label)
    vars(made).update(_head(module))
    _define(defined.tree, defined.where, made)
    name = defined.tree.name
    if name in KERNELS:
        compile_kernels(made, module)
        cached(getattr(made, name), label, FOLDER, (runtime,))
    return made


def _define(tree: ast.FunctionDef, where: str, made: ModuleType) -> None:
    """Define a rewritten function in a module."""
    function = ast.fix_missing_locations(ast.Module([tree], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Numba's errors are clearer
        exec(compile(function, where, "exec"), vars(made))  # noqa: S102  # rewritten by us


def remembered(module: Module) -> Module:
    """Return a module, with a heap if an earlier process found that it needs one."""
    marker = _marker(_label(module))
    needed = not module.heap and marker is not None and marker.exists()
    return replace(module, heap=True) if needed else module


def with_heap(module: Module) -> Module:
    """Return a module with a heap, and save that it needs one."""
    marker = _marker(_label(module))
    if marker is not None:
        with suppress(OSError):
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()
    return replace(module, heap=True)


def _label(module: Module) -> str:
    return f"{RULES}{module.name}_{_digest(module.text)}"


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:DIGITS]


def _marker(label: str) -> Path | None:
    directory = cache_directory()
    return None if directory is None else directory / FOLDER / f"{label}.heap"


def run(module: Module, names: Mapping[str, Any], places: SourceMap) -> ModuleType:
    """Return a module that is not cached, with ``names`` in addition to its text."""
    made = ModuleType(f"{RULES}{module.name}_in_memory")
    vars(made).update(names)
    exec(compile(module.head, "<zermelo header>", "exec"), vars(made))  # noqa: S102  # written by us
    where = places.kernel(module.lines)
    exec(compile(module.kernel, where, "exec"), vars(made))  # noqa: S102  # written by us
    compile_kernels(made, module)
    return made


def compile_kernels(made: ModuleType, module: Module) -> None:
    """Make Numba compile a module's kernels at their first call."""
    compiled = entry(
        heap=module.heap,  # without, each array argument costs 25 ns less
        error_model="python",
        boundscheck=bool(module.passed),
    )
    for name in KERNELS:
        if hasattr(made, name):
            setattr(made, name, compiled(getattr(made, name)))
