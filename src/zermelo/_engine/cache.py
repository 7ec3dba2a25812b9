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
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

_SEAL = hashlib.sha256().digest_size


class KernelCache:
    """What a Numba dispatcher asks for compiled code before it compiles, one for each kernel.

    Attributes:
        cache_path: the folder, as text, for whoever asks for Numba's statistics.
    """

    def __init__(self, directory: Path, name: str) -> None:
        """Keep a kernel's code in a folder.

        Args:
            directory: the folder, which stands for the versions of Zermelo and its libraries.
            name: the kernel's name, different for everything that compiles to different code.
        """
        self.cache_path = str(directory)
        self._directory = directory
        self._name = name

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for a signature, or None."""
        context.refresh()
        try:
            sealed = self._path(signature, context.codegen()).read_bytes()
            seal, data = sealed[:_SEAL], sealed[_SEAL:]
            if hashlib.sha256(data).digest() != seal:
                return None
            return CompileResult._rebuild(context, *pickle.loads(data))  # noqa: S301, SLF001  # sealed by us; Numba's own call
        except Exception:  # noqa: BLE001  # code that cannot be read is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for a signature, if it can be kept and the disk takes it."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        data = dumps(result._reduce())  # noqa: SLF001  # Numba's own call
        path = self._path(signature, result.codegen)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(data).digest() + data)
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise

    def enable(self) -> None:
        """Do nothing; Numba asks for it."""

    def disable(self) -> None:
        """Do nothing; Numba asks for it."""

    def flush(self) -> None:
        """Do nothing; Numba asks for it."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        depends = repr((self._name, str(signature), codegen.magic_tuple()))
        digest = hashlib.sha256(depends.encode()).hexdigest()[:32]
        return self._directory / f"{self._name}-{digest}.nbc"
