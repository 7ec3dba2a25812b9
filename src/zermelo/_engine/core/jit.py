"""How kernels are compiled, and where compiled code is kept between processes.

The folder is named after the versions of the libraries and the processor; each file in it after
everything else that its code is made of (``identity``).
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
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core import event
from numba.core.bytecode import FunctionIdentity

from zermelo import limits
from zermelo._engine.core.cache_eviction import make_room
from zermelo._engine.core.function_cache import PartCache
from zermelo._engine.core.kernel_cache import DAY, KernelCache
from zermelo._engine.core.kernel_digest import identity
from zermelo._engine.core.pipelines import (
    EngineKernelCompiler,
    EnginePartCompiler,
    LeanRulePartCompiler,
    LeanRulesCompiler,
    RulePartCompiler,
    RulesCompiler,
)
from zermelo.progress import tell_compiling

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba tells functions of one name apart by their number in a process, and their code by names with
# this number. Code of several processes comes together here, so no two may count the same.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(56))  # noqa: SLF001  # Numba has no other name


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
    with suppress(OSError):  # what another user has put there may not be ours to touch
        _make_room_once_a_day(directory)
    return directory


def _make_room_once_a_day(directory: Path) -> None:
    """Delete what has not been used for longest of all that was compiled, where it is too much.

    The folder above may hold what is not ours, if the user chose it.
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
    """Return a name for these libraries and this processor."""
    machine = (
        numba.__version__,
        np.__version__,
        platform.python_version(),
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
    )
    return hashlib.sha256("\0".join(machine).encode()).hexdigest()[:20]


def cached(dispatcher: Any, name: str, folder: str = "", besides: tuple[Any, ...] = ()) -> Any:
    """Have a function that Numba compiles kept on disk, where that is possible, and return it.

    Args:
        dispatcher: what ``numba.njit`` returned.
        name: see ``KernelCache``.
        folder: the folder inside the cache.
        besides: see ``identity``.
    """
    directory = cache_directory()
    if directory is not None:
        made_of = functools.partial(identity, dispatcher, *besides)
        dispatcher._cache = KernelCache(directory / folder, name, made_of)  # noqa: SLF001  # where Numba keeps its own
    return dispatcher


def cached_part(
    dispatcher: Any,
    name: str,
    folder: str,
    besides: tuple[Any, ...],
    text: str | None,
    known: Mapping[str, Any],
) -> None:
    """Have a function that is part of others kept on disk, where that is possible.

    Args:
        dispatcher: what ``part`` returned.
        name: see ``KernelCache``.
        folder: the folder inside the cache.
        besides: see ``identity``.
        text: what the function is made of, as text, without what it calls; None where functions
            call each other in a circle.
        known: see ``PartCache``.
    """
    directory = cache_directory()
    if directory is not None:
        made_of = functools.partial(identity, dispatcher, *besides)
        alone = None
        if text is not None:
            alone = functools.partial(identity, dispatcher, *besides, text, named=known)
        dispatcher._cache = PartCache(directory / folder, name, made_of, alone, known)  # noqa: SLF001  # where Numba keeps its own


class _CompileClock(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Counts the seconds in which Numba compiles, and tells who reports on progress.

    Meanwhile Python does not look for garbage: a tenth of the time would go into that, as Numba
    makes a great many objects, nearly all of which it needs until it is done.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0
        self._began = 0.0
        self._collects = False

    def on_start(self, event: Any) -> None:  # noqa: ARG002  # Numba's signature
        """Note when the outermost of nested compilations begins."""
        if self._depth == 0:
            self._began = time.perf_counter()
            self._collects = gc.isenabled()
            gc.disable()
            tell_compiling(begins=True)
        self._depth += 1

    def on_end(self, event: Any) -> None:  # noqa: ARG002  # Numba's signature
        """Add the time of the outermost one."""
        self._depth -= 1
        if self._depth == 0:
            if self._collects:
                gc.enable()
            self.seconds += time.perf_counter() - self._began
            tell_compiling(begins=False)


_CLOCK = _CompileClock()
event.register("numba:compile", _CLOCK)


def compile_seconds() -> float:
    """Return the wall seconds that this process has spent compiling so far."""
    return _CLOCK.seconds


def entry(**options: Any) -> Callable[[Function], Any]:
    """Return what compiles functions that Python calls, and releases the GIL in them."""
    lean = _makes_nothing(options)
    options.setdefault("pipeline_class", LeanRulesCompiler if lean else RulesCompiler)
    decorate: Callable[[Function], Any] = numba.njit(**options, nogil=True, no_cfunc_wrapper=True)
    return decorate


def part(**options: Any) -> Callable[[Function], Any]:
    """Return what compiles functions as parts of those that call them, and for nobody else."""
    lean = _makes_nothing(options)
    options.setdefault("pipeline_class", LeanRulePartCompiler if lean else RulePartCompiler)
    decorate: Callable[[Function], Any] = numba.njit(
        **options, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )
    return decorate


def _makes_nothing(options: dict[str, Any]) -> bool:
    """Whether functions make no arrays, so that passes for arithmetic with arrays do nothing."""
    return options.get("_nrt") is False


_OURS = {"error_model": "numpy", "pipeline_class": EngineKernelCompiler}


def kernel(function: Function) -> Function:
    """Compile a function when it is first called, keep it on disk, and release the GIL in it."""
    return _cached(function, entry(**_OURS)(function))


def light_kernel(function: Function) -> Function:
    """Do the same for a function that makes no array and whose loop hands arrays to others.

    Numba counts who holds an array, with an atomic instruction whenever one is handed on, unless it
    is told that nothing will ever have to be freed.
    """
    return _cached(function, entry(**_OURS, _nrt=False)(function))


def inlined(function: Function) -> Function:
    """Compile a small function as part of each kernel that calls it, and for nobody else."""
    compiled: Function = part(error_model="numpy", pipeline_class=EnginePartCompiler)(function)
    return compiled


def spliced(function: Function) -> Function:
    """Compile a function into each kernel that calls it, at the very place where it is called.

    A call would put every number of every array on the stack, which takes longer than a short
    function does.
    """
    compiled: Function = part(
        error_model="numpy", pipeline_class=EnginePartCompiler, forceinline=True
    )(function)
    return compiled


def _cached(function: Function, compiled: Any) -> Function:
    module = function.__module__.rpartition(".")[2]
    made: Function = cached(compiled, f"{module}.{function.__name__}")
    return made
