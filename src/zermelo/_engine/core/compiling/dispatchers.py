"""Compilation of kernels, and the folder where compiled code is cached between processes.

The folder is named after the versions of the libraries and the processor. Each file in it is named
after everything else that its code depends on (``identity``).
"""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import platform
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core import event, types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from zermelo import limits
from zermelo._engine.core.cache_eviction import DAY, evict_oldest
from zermelo._engine.core.compiling.versions import is_tested
from zermelo._engine.core.kernel import CLOCK, Kernel
from zermelo.progress import tell_compiling

Function = TypeVar("Function", bound=Callable[..., Any])


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
    evict_oldest(ours, limits.current().compiled)


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
        dispatcher: the result of ``entry``.
        name: the kernel's name, which begins the names of its files.
        folder: the folder inside the cache.
        besides: further dependencies of the compiled code; see ``identity``.
    """
    directory = cache_directory() if is_tested() else None
    if directory is not None:
        from zermelo._engine.core.compiling.kernel_cache import KernelCache
        from zermelo._engine.core.compiling.kernel_digest import identity

        made_of = functools.partial(identity, dispatcher, *besides)
        dispatcher._cache = KernelCache(directory / folder, name, made_of)  # noqa: SLF001  # where Numba keeps its own
    return dispatcher


def cached_identity(dispatcher: Any) -> str | None:
    """Return the checksum of all that a jitted function is compiled from, or None if not cached."""
    identity = getattr(getattr(dispatcher, "_cache", None), "identity", None)
    return None if identity is None else str(identity())


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


def entry(
    *, heap: bool = True, of_engine: bool = False, **options: Any
) -> Callable[[Function], Any]:
    """Return a decorator that compiles functions which Python calls; they release the GIL.

    Args:
        heap: whether the functions, or their callees, allocate arrays.
        of_engine: whether the functions are the engine's own, not those of rules.
        options: documented options of ``numba.njit``.
    """
    if is_tested():
        from zermelo._engine.core.compiling.pipelines import entry_options

        options |= entry_options(heap=heap, of_engine=of_engine)
    decorate: Callable[[Function], Any] = numba.njit(**options, nogil=True)
    return decorate


def part(
    *, heap: bool = True, of_engine: bool = False, is_spliced: bool = False, **options: Any
) -> Callable[[Function], Any]:
    """Return a decorator that compiles functions only as parts of their compiled callers.

    Args:
        heap: whether the functions, or their callees, allocate arrays.
        of_engine: whether the functions are the engine's own, not those of rules.
        is_spliced: whether each call is inlined.
        options: documented options of ``numba.njit``.
    """
    if is_tested():
        from zermelo._engine.core.compiling.pipelines import part_options

        options |= part_options(heap=heap, of_engine=of_engine, is_spliced=is_spliced)
    decorate: Callable[[Function], Any] = numba.njit(**options)
    return decorate


def kernel(function: Function) -> Any:
    """Return a function compiled for Python to call; see ``core.jit``."""
    return _cached(function, entry(of_engine=True, error_model="numpy")(function))


def light_kernel(function: Function) -> Any:
    """Return the same of a function that makes no arrays; see ``core.jit``."""
    return _cached(function, entry(heap=False, of_engine=True, error_model="numpy")(function))


def inlined(function: Function) -> Any:
    """Return a function compiled as part of others; see ``core.jit``."""
    return part(of_engine=True, error_model="numpy")(function)


def spliced(function: Function) -> Any:
    """Return a function compiled into others; see ``core.jit``."""
    return part(of_engine=True, is_spliced=True, error_model="numpy")(function)


def light_inlined(function: Function) -> Any:
    """Return the part of a function that makes no arrays; see ``core.jit``."""
    return part(heap=False, of_engine=True, error_model="numpy")(function)


def light_spliced(function: Function) -> Any:
    """Return the inlined part of a function that makes no arrays; see ``core.jit``."""
    return part(heap=False, of_engine=True, is_spliced=True, error_model="numpy")(function)


def light_shared(function: Function) -> Any:
    """Return a function that kernels call by its address; see ``core.jit``."""
    options = {"no_cpython_wrapper": True} if is_tested() else {}
    return _cached(
        function, entry(heap=False, of_engine=True, error_model="numpy", **options)(function)
    )


def shared_signature(shared: Any) -> Any:
    """Return the signature of a ``light_shared`` function."""
    return types.int64(*[types.int64] * shared.py_func.__code__.co_argcount)


def address_of(shared: Any) -> int:
    """Return the address of the code of a ``light_shared`` function, compiled or loaded."""
    signature = shared_signature(shared)
    shared.compile(signature)
    result = shared.overloads[signature.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def array_types(function: Any) -> Any:
    """Return the type of a tuple of a function's array arguments, from its annotations."""
    hints = get_type_hints(function.py_func).values()
    elements = (get_args(get_args(hint)[1]) for hint in hints if get_args(hint))
    return types.Tuple(
        [types.Array(numba.from_dtype(np.dtype(*element)), 1, "C") for element in elements]
    )


def _cached(function: Function, compiled: Any) -> Any:
    module = function.__module__.rpartition(".")[2]
    return cached(compiled, f"{module}.{function.__name__}")


@typeof_impl.register(Kernel)
def _typeof(value: Kernel, context: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return the type of a kernel that compiled code names: that of what Numba calls."""
    compiled, types = value.compiled, cpu_target.typing_context
    if value.py_func is not getattr(compiled, "py_func", None):  # an instruction, perhaps a new one
        types.refresh()
    return types.resolve_value_type(compiled)
