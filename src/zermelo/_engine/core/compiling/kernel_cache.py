"""Compiled code on disk, one file for each kernel and signature; it replaces Numba's cache.

Numba's own cache keeps an index file, which two processes may write at once, and does not check
what it reads. Here a file's name is a hash of everything its code depends on, it is written
atomically, and a damaged file counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from zermelo._engine.core.cache_eviction import DAY
from zermelo._engine.core.compiling.function_numbers import number_from_random
from zermelo._engine.core.compiling.missing_code import raise_if_missing

_SEAL_BYTES = hashlib.sha256().digest_size  # bytes at the beginning of a file

#: The name of a call whose target Numba sets after compiling, in functions that call each other in
#: a cycle. In code loaded from disk its target would not be set.
_UNRESOLVED = b".numba.unresolved$"

number_from_random()
raise_if_missing()


class KernelCache:
    """A cache of one kernel's compiled code, which its Numba dispatcher reads before it compiles.

    Attributes:
        cache_path: the folder, as text, for Numba's statistics.
        identity: returns the checksum of the code's dependencies, once all that the kernel calls
            is defined.
    """

    def __init__(self, directory: Path, name: str, identity: Callable[[], str]) -> None:
        """Create a cache of one kernel's code in a folder.

        Args:
            directory: the folder, which stands for the libraries' versions and the processor.
            name: the kernel's name, which begins the file names.
            identity: returns the checksum of the code's dependencies. It is called at the first
                look-up: by then, all functions that the kernel calls are defined.
        """
        self.cache_path = str(directory)
        self._directory = directory
        self._name = name
        self.identity = cache(identity)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the compiled code for a signature, or None: then Numba compiles it."""
        # Numba would first prepare everything it can compile, which takes longer than the rest of
        # this function. Compiled code needs only the runtime. After a miss, Numba prepares the
        # rest.
        rtsys.initialize(context)
        try:
            data = read_sealed(self._path(signature, context.codegen()))
            if data is not None:
                reduced = pickle.loads(data)  # noqa: S301  # the seal holds
                return CompileResult._rebuild(context, *reduced)  # noqa: SLF001  # Numba's own call
        except Exception:  # noqa: BLE001, S110  # code that cannot be read is compiled again
            pass
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save the compiled code for a signature, if it can be saved and the disk accepts it."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        write_sealed(self._path(signature, result.codegen), bytes(dumps(result._reduce())))  # noqa: SLF001  # Numba's own call

    def enable(self) -> None:
        """Do nothing; part of Numba's interface."""

    def disable(self) -> None:
        """Do nothing; part of Numba's interface."""

    def flush(self) -> None:
        """Do nothing; part of Numba's interface."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        """Return the path of the file for a signature and this processor."""
        dependencies = repr((self.identity(), str(signature), codegen.magic_tuple()))
        digest = hashlib.sha256(dependencies.encode()).hexdigest()[:32]
        return self._directory / f"{self._name}-{digest}.nbc"


def read_sealed(path: Path) -> bytes | None:
    """Return the contents of a sealed file, or None if it is damaged.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        sealed = file.read()
        last_use = os.fstat(file.fileno()).st_mtime
    data = sealed[_SEAL_BYTES:]
    if sealed[:_SEAL_BYTES] != _seal(path, data):
        return None
    if time.time() - last_use > DAY:
        with suppress(OSError):
            os.utime(path)
    return data


def write_sealed(path: Path, data: bytes) -> None:
    """Write a sealed file atomically, unless the disk fails or other processes cannot run it."""
    if _UNRESOLVED in data:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(path, data) + data)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _seal(path: Path, data: bytes) -> bytes:
    """Return the checksum of a file's name and contents."""
    return hashlib.sha256(path.name.encode() + b"\0" + data).digest()
