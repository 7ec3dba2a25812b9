"""What Numba gets ready before it compiles first in a process, less what no kernel needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

#: What Numba reads before it compiles anything, and what almost no rules use: its own lists, tables
#: and sets, random numbers, polynomials. It takes as long as to compile ten functions.
_ASIDE = (
    *("typed.typeddict", "typed.dictimpl", "typed.typedlist", "typed.listobject"),
    *("typed.typedset", "typed.setobject"),
    *("np.random.generator_core", "np.random.generator_methods", "np.random.legacy"),
    *("np.polynomial.polynomial_core", "np.polynomial.polynomial_functions"),
)
#: Not empty once something could not be compiled without them.
_WANTED: list[bool] = []


@cache
def import_without_scipy() -> None:
    """Import what Numba has for arrays, which asks whether SciPy's products of matrices are there.

    No kernel has any, and to import SciPy takes as long as to compile a small game. So the question
    is answered without; where somebody multiplies matrices after all, Numba imports it then.
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
def aside() -> Iterator[None]:
    """Have Numba read nothing of what almost no rules use, unless it has been read."""
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
    """Have Numba read all of it when it looks next."""
    _WANTED.append(True)


def lacks_any() -> bool:
    """Whether Numba was told to read nothing of it."""
    return not _WANTED
