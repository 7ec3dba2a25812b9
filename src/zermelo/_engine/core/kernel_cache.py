"""Compiled code on disk: one file a kernel and signature, sealed with a checksum.

Numba's own cache keeps an index beside the code, which two processes may write at once, and it
believes whatever it reads. Here a file's name is a hash of all that the code depends on, it is
written whole or not at all, and whatever is not exactly as it was written counts as not there.
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

from numba.core.codegen import JITCPUCodegen
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from zermelo._engine.core import separate_code
from zermelo._engine.core.swapped.lazy_imports import import_without_scipy

_SEAL = hashlib.sha256().digest_size  # bytes at the beginning of a file

#: Seconds in which a file is noted as used once.
DAY = 24 * 3600.0

#: The name of a call that Numba only points somewhere once all is compiled: functions that call
#: each other in a circle have them. In code that is read from disk they would point nowhere.
_UNRESOLVED = b".numba.unresolved$"

_set_env: Callable[[Any, str, Any], None] = JITCPUCodegen.set_env


def _set_env_in_code_that_is_there(self: Any, name: str, environment: Any) -> None:
    """Give a function its environment, unless Ctrl-C came while LLVM asked for its code.

    LLVM asks for code from disk by a call from C, where Python can only print that it takes no
    notice of an exception. The code is then missing, and Numba would write to address 0.
    """
    if not self._engine.get_global_value_address(name):
        raise KeyboardInterrupt
    _set_env(self, name, environment)


JITCPUCodegen.set_env = _set_env_in_code_that_is_there


class KernelCache:
    """What a Numba dispatcher asks for compiled code before it compiles, one for each kernel.

    Attributes:
        cache_path: the folder, as text, for whoever asks for Numba's statistics.
        identity: returns what is different for everything that compiles to different code, once
            all that the kernel calls is there.
    """

    def __init__(self, directory: Path, name: str, identity: Callable[[], str]) -> None:
        """Keep a kernel's code in a folder.

        Args:
            directory: the folder, which stands for the libraries' versions and the processor.
            name: the kernel's name, for people who look into the folder.
            identity: returns what is different for everything that compiles to different code. It
                is called when code is first looked for: by then, all that a kernel calls is there.
        """
        self.cache_path = str(directory)
        self._directory = directory
        self._name = name
        self.identity = cache(identity)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for a signature, or None: then it is compiled next."""
        found = self._load(signature, context)
        if found is None:
            import_without_scipy()
        return found

    def _load(self, signature: Any, context: Any) -> Any:
        # Numba would have all it can compile ready first, which takes longer than all else here;
        # code that is compiled needs the runtime alone. A miss makes the rest ready later.
        rtsys.initialize(context)
        try:
            data = kept(self._path(signature, context.codegen()))
            return None if data is None else self._read(data, context)
        except Exception:  # noqa: BLE001  # code that cannot be read is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for a signature, if it can be kept and the disk takes it."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        data = self._written(result)
        if data is not None:
            keep(self._path(signature, result.codegen), data)

    def _written(self, result: Any) -> bytes | None:
        """Return what was compiled as bytes, None for what cannot be kept."""
        others = separate_code.separate_callees(result.library._final_module)  # noqa: SLF001  # Numba has no other name
        return bytes(dumps((others, result._reduce())))  # noqa: SLF001  # Numba's own call

    def _read(self, data: bytes, context: Any) -> Any:
        """Return what was compiled, from what ``_written`` returned."""
        others, reduced = pickle.loads(data)  # noqa: S301  # sealed by us
        for each in others:
            separate_code.add(context.codegen(), each)
        result = CompileResult._rebuild(context, *reduced)  # noqa: SLF001  # Numba's own call
        separate_code.settle(context.codegen())
        return result

    def enable(self) -> None:
        """Do nothing; Numba asks for it."""

    def disable(self) -> None:
        """Do nothing; Numba asks for it."""

    def flush(self) -> None:
        """Do nothing; Numba asks for it."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        return self._named(self._name, self.identity(), signature, codegen)

    def _named(self, name: str, identity: str, signature: Any, codegen: Any) -> Path:
        """Return the file of what has such an identity, for a signature and this processor."""
        depends = repr((identity, str(signature), codegen.magic_tuple()))
        digest = hashlib.sha256(depends.encode()).hexdigest()[:32]
        return self._directory / f"{name}-{digest}.nbc"


def kept(path: Path) -> bytes | None:
    """Return what a file holds; None if it is damaged.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        sealed = file.read()
        used = os.fstat(file.fileno()).st_mtime
    data = sealed[_SEAL:]
    if sealed[:_SEAL] != _seal(path, data):
        return None
    if time.time() - used > DAY:
        with suppress(OSError):
            os.utime(path)
    return data


def keep(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, if the disk takes it and its code can be run elsewhere."""
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
    """Return the checksum of a file's contents, which are those of no file of another name."""
    return hashlib.sha256(path.name.encode() + b"\0" + data).digest()
