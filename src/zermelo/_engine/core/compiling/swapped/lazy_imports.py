"""Imports of Numba before its first compilation, without the parts that no kernel needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

#: Modules that Numba imports before its first compilation and that almost no rules use: typed
#: lists, dictionaries and sets, random numbers, polynomials. Importing them takes as long as
#: compiling ten functions.
_ASIDE = (
    *("typed.typeddict", "typed.dictimpl", "typed.typedlist", "typed.listobject"),
    *("typed.typedset", "typed.setobject"),
    *("np.random.generator_core", "np.random.generator_methods", "np.random.legacy"),
    *("np.polynomial.polynomial_core", "np.polynomial.polynomial_functions"),
)
#: Not empty once a function could not be compiled without them.
_WANTED: list[bool] = []


@cache
def import_without_scipy() -> None:
    """Import Numba's array functions without importing SciPy.

    Numba imports SciPy to check for matrix products. No kernel has any, and importing SciPy takes
    as long as compiling a small game. If rules multiply matrices, Numba imports SciPy then.
    """
    linalg: Any = import_module("numba.np.linalg")
    asks = linalg.ensure_blas
    linalg.ensure_blas = _ensure_installed
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asks


def _ensure_installed() -> None:
    if find_spec("scipy") is None:
        raise ImportError


@contextmanager
def imports_skipped() -> Iterator[None]:
    """Skip importing rarely used parts of Numba, unless they have been imported."""
    empty = {}
    for name in _ASIDE:
        if f"numba.{name}" not in sys.modules and not _WANTED:
            empty[f"numba.{name}"] = ModuleType(name)
    sys.modules.update(empty)
    try:
        yield
    finally:
        for name in empty:
            del sys.modules[name]


def import_all() -> None:
    """Make Numba import all its parts at the next search for declarations."""
    _WANTED.append(True)


def lacks_any() -> bool:
    """Return whether parts of Numba are being skipped."""
    return not _WANTED
