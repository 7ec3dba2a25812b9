"""Compilation of kernels, and the folder where compiled code is cached between processes.

The folder is named after the versions of the libraries and the processor. Each file in it is named
after everything else that its code depends on (``identity``).
"""

from __future__ import annotations

import functools
import gc
import hashlib
import itertools
import os
import platform
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core import event
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from zermelo import limits
from zermelo._engine.core.cache_eviction import make_room
from zermelo._engine.core.compiling.kernel_cache import DAY, KernelCache
from zermelo._engine.core.compiling.kernel_digest import identity
from zermelo._engine.core.compiling.pipelines import (
    LeanKernelCompiler,
    LeanPartCompiler,
    LeanRulesCompiler,
    PartCompiler,
    RulesCompiler,
)
from zermelo._engine.core.kernel import CLOCK, Kernel
from zermelo.progress import tell_compiling

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba numbers functions of equal names in a process, and the names in their code contain the
# number. Code of several processes meets in the cache, so each process counts from a random number.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(56))  # noqa: SLF001  # Numba has no other name


@functools.cache
def cache_directory() -> Path | None:
    """Return the folder for compiled code, created if missing, or None if it cannot be written.

    It is in ``$ZERMELO_CACHE_DIR``, or in the platform's cache folder for the user.
    """
    chosen = os.environ.get("ZERMELO_CACHE_DIR")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("zermelo"))
    directory = root / fingerprint()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError:
        return None
    with suppress(OSError):  # files of another user may be protected
        _make_room_once_a_day(directory)
    return directory


def _make_room_once_a_day(directory: Path) -> None:
    """Delete the least recently used compiled code if the cache is too large.

    The folder above may hold other files, if the user chose it.
    """
    looked = directory / "room-was-made"
    if looked.exists() and time.time() - looked.stat().st_mtime < DAY:
        return
    looked.touch()
    ours = (
        path
        for folder in directory.parent.glob("[0-9a-f]" * 20)
        for path in folder.rglob("*")
        if path.suffix in {".nbc", ".compared", ".heap", ".tmp"}
    )
    make_room(ours, limits.current().compiled)


@functools.cache
def fingerprint() -> str:
    """Return a name for the versions of the libraries and this processor."""
    machine = (
        numba.__version__,
        np.__version__,
        platform.python_version(),
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
    )
    return hashlib.sha256("\0".join(machine).encode()).hexdigest()[:20]


def cached(dispatcher: Any, name: str, folder: str = "", besides: tuple[Any, ...] = ()) -> Any:
    """Cache the compiled code of a jitted function on disk, if possible; return the function.

    Args:
        dispatcher: the result of ``numba.njit``.
        name: the kernel's name, which begins the names of its files.
        folder: the folder inside the cache.
        besides: further dependencies of the compiled code; see ``identity``.
    """
    directory = cache_directory()
    if directory is not None:
        made_of = functools.partial(identity, dispatcher, *besides)
        dispatcher._cache = KernelCache(directory / folder, name, made_of)  # noqa: SLF001  # where Numba keeps its own
    return dispatcher


class _CompileListener(event.Listener):  # type: ignore[misc]  # Numba has no types
    """A listener that sums the seconds Numba compiles, and reports them to progress displays.

    Garbage collection is off during compilation: it would take a tenth of the time, as Numba
    creates very many objects, nearly all of which it needs until the end.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._began = 0.0
        self._collects = False

    def on_start(self, event: Any) -> None:  # noqa: ARG002  # Numba's signature
        """Record when the outermost of nested compilations begins."""
        if self._depth == 0:
            self._began = time.perf_counter()
            self._collects = gc.isenabled()
            gc.disable()
            tell_compiling(begins=True)
        self._depth += 1

    def on_end(self, event: Any) -> None:  # noqa: ARG002  # Numba's signature
        """Add the time of the outermost compilation."""
        self._depth -= 1
        if self._depth == 0:
            if self._collects:
                gc.enable()
            CLOCK.seconds += time.perf_counter() - self._began
            tell_compiling(begins=False)


event.register("numba:compile", _CompileListener())


def entry(**options: Any) -> Callable[[Function], Any]:
    """Return a decorator that compiles functions which Python calls; they release the GIL."""
    lean = _makes_nothing(options)
    options.setdefault("pipeline_class", LeanRulesCompiler if lean else RulesCompiler)
    decorate: Callable[[Function], Any] = numba.njit(**options, nogil=True, no_cfunc_wrapper=True)
    return decorate


def part(**options: Any) -> Callable[[Function], Any]:
    """Return a decorator that compiles functions only as parts of their compiled callers."""
    lean = _makes_nothing(options)
    options.setdefault("pipeline_class", LeanPartCompiler if lean else PartCompiler)
    decorate: Callable[[Function], Any] = numba.njit(
        **options, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )
    return decorate


def _makes_nothing(options: dict[str, Any]) -> bool:
    """Whether functions allocate no arrays, so that passes for array arithmetic can be skipped."""
    return options.get("_nrt") is False


_OURS = {"error_model": "numpy", "pipeline_class": LeanKernelCompiler}


def kernel(function: Function) -> Any:
    """Return a function compiled for Python to call; see ``core.jit``."""
    return _cached(function, entry(**_OURS)(function))


def light_kernel(function: Function) -> Any:
    """Return the same of a function that makes no arrays; see ``core.jit``."""
    return _cached(function, entry(**_OURS, _nrt=False)(function))


def inlined(function: Function) -> Any:
    """Return a function compiled as part of others; see ``core.jit``."""
    return part(error_model="numpy", pipeline_class=LeanPartCompiler)(function)


def spliced(function: Function) -> Any:
    """Return a function compiled into others; see ``core.jit``."""
    return part(error_model="numpy", pipeline_class=LeanPartCompiler, forceinline=True)(function)


def _cached(function: Function, compiled: Any) -> Any:
    module = function.__module__.rpartition(".")[2]
    return cached(compiled, f"{module}.{function.__name__}")


@typeof_impl.register(Kernel)
def _typeof(value: Kernel, context: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return the type of a kernel that compiled code names: that of what Numba calls."""
    return cpu_target.typing_context.resolve_value_type(value.compiled)
