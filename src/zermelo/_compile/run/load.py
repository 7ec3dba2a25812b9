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


def load(module: Module, source_map: SourceMap) -> ModuleType:
    """Return a loaded module: its kernels are ``expand`` and perhaps others.

    Each function is in a module of its own, named after a hash of its text and that of its callees.
    So is the file with a kernel's compiled code. So Numba finds exactly what another process
    compiled from equal rules; and after a change of one rule, functions that do not call it are
    still cached.

    Args:
        module: the module.
        source_map: receives the locations of the functions.
    """
    loaded = ModuleType(_label(module))
    vars(loaded).update(_head(module))
    parts = _definitions_in(module, source_map)
    reachable = {name: _reachable(name, parts) for name in parts}
    labels, moved_names = {}, set()
    for name, definition in parts.items():
        callee_texts = (parts[callee].text for callee in sorted(reachable[name] - {name}))
        digest = _digest(definition.text, *callee_texts)
        labels[name] = f"{RULES}{module.name}_{name.strip('_')}_{digest}"
        if _has_moved(sys.modules.get(labels[name]), definition):
            moved_names.add(name)
    new = []
    for name, definition in parts.items():
        function_module = sys.modules.get(labels[name])
        if function_module is None or reachable[name] & moved_names:
            function_module = _module_of(labels[name], definition, module)
            new.append((function_module, definition))
        setattr(loaded, name, getattr(function_module, name))
    for function_module, definition in new:  # registered only when all callees are defined
        vars(function_module).update((name, getattr(loaded, name)) for name in definition.calls)
        sys.modules[function_module.__name__] = function_module
    return loaded


@dataclass
class _Definition:
    """A function of a generated module.

    Attributes:
        tree: the function.
        filename: the file name under which it is compiled.
        text: a text that differs for functions with different code.
        calls: the names of the module's other functions that it calls.
    """

    tree: ast.FunctionDef
    filename: str
    text: str
    calls: set[str]


def _definitions_in(module: Module, source_map: SourceMap) -> dict[str, _Definition]:
    """Return the functions of a module by name."""
    kernel_file = source_map.kernel(module.lines)
    parts = {}
    for tree, source in module.functions:
        filename = source_map.file_name(source.filename, plain_name(source.function), tree.name)
        parts[tree.name] = _Definition(tree, filename, module.head + ast.unparse(tree), set())
    for tree in module.template:  # whose lines say where an error comes from
        text = f"{module.head}{tree.lineno}\n{ast.unparse(tree)}"
        parts[tree.name] = _Definition(tree, kernel_file, text, set())
    for name, definition in parts.items():
        names = {node.id for node in parts_of(definition.tree) if isinstance(node, ast.Name)}
        definition.calls = names & parts.keys() - {name}
    return parts


def _reachable(name: str, parts: dict[str, _Definition]) -> set[str]:
    """Return the names of a function and of its direct and indirect callees."""
    names, stack = {name}, [name]
    while stack:
        calls = parts[stack.pop()].calls - names
        names |= calls
        stack += calls
    return names


def _has_moved(loaded: ModuleType | None, definition: _Definition) -> bool:
    """Return whether a function was at another line when it was defined, and is not compiled yet.

    Errors about it would name the old line, where another function is now.
    """
    if loaded is None:
        return False
    function = getattr(loaded, definition.tree.name)
    line = function.py_func.__code__.co_firstlineno
    return not function.overloads and line != definition.tree.lineno


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


def _module_of(label: str, definition: _Definition, module: Module) -> ModuleType:
    """Return the module of one function, to which its callees are added later."""
    function_module = ModuleType(label)
    vars(function_module).update(_head(module))
    _define(definition.tree, definition.filename, function_module)
    name = definition.tree.name
    if name in KERNELS:
        compile_kernels(function_module, module)
        cached(getattr(function_module, name), label, FOLDER, (runtime,))
    return function_module


def _define(tree: ast.FunctionDef, filename: str, space: ModuleType) -> None:
    """Define a rewritten function in a module."""
    function = ast.fix_missing_locations(ast.Module([tree], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Numba's errors are clearer
        exec(compile(function, filename, "exec"), vars(space))  # noqa: S102  # rewritten by us


def with_known_heap(module: Module) -> Module:
    """Return a module, with a heap if an earlier process found that it needs one."""
    marker = _marker(_label(module))
    needs_heap = not module.heap and marker is not None and marker.exists()
    return replace(module, heap=True) if needs_heap else module


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


def run(module: Module, names: Mapping[str, object], source_map: SourceMap) -> ModuleType:
    """Return a module that is not cached, with ``names`` in addition to its text."""
    loaded = ModuleType(f"{RULES}{module.name}_in_memory")
    vars(loaded).update(names)
    exec(compile(module.head, "<zermelo header>", "exec"), vars(loaded))  # noqa: S102  # written by us
    filename = source_map.kernel(module.lines)
    exec(compile(module.kernel, filename, "exec"), vars(loaded))  # noqa: S102  # written by us
    compile_kernels(loaded, module)
    return loaded


def compile_kernels(loaded: ModuleType, module: Module) -> None:
    """Make Numba compile a module's kernels at their first call."""
    compile_entry = entry(
        heap=module.heap,  # without, each array argument costs 25 ns less
        error_model="python",
        boundscheck=bool(module.data_arguments),
    )
    for name in KERNELS:
        if hasattr(loaded, name):
            setattr(loaded, name, compile_entry(getattr(loaded, name)))
