"""How kernels are compiled, and where compiled code is kept between processes.

Numba's disk cache does not notice an edit to a module that a cached kernel imports from
(numba#1833). So everything compiled is kept in a folder named after the contents of every module
that kernels are made of: another version of any of them has another folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
import platformdirs

if TYPE_CHECKING:
    from collections.abc import Iterator

Function = TypeVar("Function", bound=Callable[..., Any])

_ROOMS = ("_engine", "_compile")


@functools.cache
def cache_directory() -> Path | None:
    """Return the folder for compiled code, made if need be, or None where none can be written.

    It is ``$ZERMELO_CACHE_DIR``, or the platform's cache folder for the user.
    """
    chosen = os.environ.get("ZERMELO_CACHE_DIR")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("zermelo"))
    directory = root / fingerprint()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError:
        return None
    return directory


@functools.cache
def fingerprint() -> str:
    """Return a name for this Zermelo's kernels, these libraries and this processor."""
    digest = hashlib.sha256()
    package = Path(__file__).parent.parent
    for room in _ROOMS:
        for source in sorted((package / room).glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    machine = (
        numba.__version__,
        np.__version__,
        platform.python_version(),
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
    )
    digest.update("\0".join(machine).encode())
    return digest.hexdigest()[:20]


@contextmanager
def numba_cache_in(directory: Path) -> Iterator[None]:
    """Have Numba keep what is decorated in this block in ``directory``."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Function, variant: str = "") -> Function:
    """Compile a function when it is first called, keep it on disk, and let go of the GIL in it.

    A kernel is called with arguments of one set of types only: processes that compile different
    signatures of one function at once could read each other's half of Numba's cache. A function
    that must serve two sets of types is made two kernels.

    Args:
        function: the function; it may use what Numba compiles.
        variant: a name for one of several kernels made of one function, each for its own types.
    """
    directory = cache_directory()
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if directory is None:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    with numba_cache_in(directory / variant):
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Compile a small function as part of each kernel that calls it."""
    return numba.njit(error_model="numpy")(function)  # type: ignore[no-any-return]
