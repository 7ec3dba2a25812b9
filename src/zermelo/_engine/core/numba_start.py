"""What Numba gets ready before it compiles first in a process, less what no kernel needs."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


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
