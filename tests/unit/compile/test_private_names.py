"""Where private names of Numba are used: in the folder for that, and nowhere else."""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "zermelo"
FOLDER = SOURCE / "_engine" / "core" / "compiling"

#: Modules of Numba and llvmlite for those who extend Numba: https://numba.readthedocs.io describes
#: ``numba.extending`` and names the others where it shows how to write types and intrinsics.
FOR_EXTENSIONS = {
    "numba": {"config", "int64", "uint64"},
    "numba.extending": None,
    "numba.core": {"cgutils", "types"},
    "numba.core.errors": {"NumbaError", "TypingError"},
    "numba.core.imputils": {
        *("RefType", "iternext_impl", "lower_builtin", "lower_cast", "lower_constant"),
    },
    "numba.core.typeconv": {"Conversion"},
    "numba.core.typing.templates": {"AbstractTemplate", "infer", "infer_global", "signature"},
    "llvmlite": {"ir"},
    "llvmlite.binding": None,
}
#: Attributes of Python's own, and of the value of a struct, which Numba's guide reads in this way.
OTHERS = {"_asdict", "_fields", "_getvalue", "_lru_cache_wrapper", "_replace"}


@functools.cache
def outside() -> dict[Path, ast.Module]:
    """Return the modules outside the folder that have to do with compiled functions."""
    found = {}
    for folder in ("_compile", "_engine", "_methods"):
        for path in (SOURCE / folder).rglob("*.py"):
            if FOLDER not in path.parents:
                found[path] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def is_of_numba(name: str | None) -> bool:
    """Whether a module is one of Numba's or llvmlite's."""
    return (name or "").partition(".")[0] in {"numba", "llvmlite"}


def private_names(tree: ast.Module) -> set[str]:
    """Return the private attributes that a module reads or writes, by their names or as text."""
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"getattr", "setattr"}:
            found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return {
        name
        for name in found
        if isinstance(name, str) and name.startswith("_") and not name.endswith("__")
    }


def defined_names(tree: ast.Module) -> set[str]:
    """Return the names that a module defines: functions, classes, variables, attributes."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
                found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


@pytest.mark.slow
def test_other_modules_import_what_is_for_extensions():
    """What ``numba.core`` has besides may move in any release."""
    found = []
    for path, tree in outside().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                pairs = [(each.name, None) for each in node.names if is_of_numba(each.name)]
            elif isinstance(node, ast.ImportFrom) and is_of_numba(node.module):
                pairs = [(node.module or "", each.name) for each in node.names]
            else:
                continue
            for module, name in pairs:
                names = FOR_EXTENSIONS.get(module, set())
                if names is not None and name is not None and name not in names:
                    found.append(f"{path.relative_to(SOURCE)}: {module}.{name}")
                if module not in FOR_EXTENSIONS:
                    found.append(f"{path.relative_to(SOURCE)}: {module}")
    assert found == []


@pytest.mark.slow
def test_other_modules_use_no_private_attribute_of_numba():
    """Each private attribute is one that Zermelo or Python defines."""
    modules = outside()
    own = OTHERS.union(*map(defined_names, modules.values()))
    found = {
        path.relative_to(SOURCE).as_posix(): names
        for path, tree in modules.items()
        if (names := private_names(tree) - own)
    }
    assert found == {}


def test_the_versions_that_are_tested_are_those_that_are_declared():
    """An installer takes no Numba in which Zermelo would not use private names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (FOLDER / "versions.py").read_text(encoding="utf-8")
    lowest, *_, newest = re.findall(r'"([\d.]+)"', re.search(r"TESTED = \((.*)\)", text)[1])
    after = f"0.{int(newest.removeprefix('0.')) + 1}"
    assert f"numba>={lowest},<{after}" in project["dependencies"]
