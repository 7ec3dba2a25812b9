"""Functions that only compiled functions call, on disk: what was found out of each, and its code.

A kernel's code on disk is that of the processor, with all that it calls. Of a function that becomes
part of kernels it is LLVM's, as Numba wrote it: after an edit elsewhere, LLVM makes a kernel
of it as if it had just been compiled. Long functions have machine code of their own (``apart``).
"""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding
from numba.core import types
from numba.core.compiler import compile_result
from numba.core.serialize import NumbaPickler

from zermelo._engine.core.kernel_cache import KernelCache
from zermelo._engine.core.libraries import RulePartLibrary


class PartCache(KernelCache):
    """What a dispatcher asks for a function that was compiled as part of those that call it."""

    def __init__(
        self, directory: Path, name: str, identity: Callable[[], str], known: Mapping[str, Any]
    ) -> None:
        """Keep a function's code in a folder.

        Args:
            directory: see ``KernelCache``.
            name: see ``KernelCache``.
            identity: see ``KernelCache``.
            known: the classes and functions that types of arguments name, by names that stand for
                the same in each process: they exist once in each, and no file can hold them.
        """
        super().__init__(directory, name, identity)
        self._known = known

    def _written(self, result: Any) -> bytes | None:
        library = result.library
        if not isinstance(library, RulePartLibrary) or not library.waits():
            return None
        kind = result.signature.return_type
        generates = isinstance(kind, types.Generator)
        generator = result.target_context.get_generator_desc(kind) if generates else None
        kept = (
            (library.name, library.code(), library.others()),
            *(_bare(each) for each in (result.fndesc, generator)),
            result.environment,
            result.signature,
            tuple(result._find_referenced_environments()),  # noqa: SLF001  # Numba's own call
        )
        with io.BytesIO() as buffer:
            pickler = _Pickler(buffer, protocol=4)
            pickler.names = _names(self._known)
            pickler.dump(kept)
            return buffer.getvalue()

    def _read(self, data: bytes, context: Any) -> Any:
        unpickler = _Unpickler(io.BytesIO(data))
        unpickler.known = self._known
        (name, code, apart), described, generator, environment, signature, others = unpickler.load()
        module = llvmlite.binding.parse_bitcode(code)
        library = RulePartLibrary.of(context.codegen(), name, module, apart)
        if generator is not None:
            context.insert_generator(signature.return_type, generator, [library])
        return compile_result(
            target_context=context,
            typing_context=context.typing_context,
            library=library,
            environment=environment,
            entry_point=context.get_executable(library, described, environment),
            fndesc=described,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=(),
            referenced_envs=others,
        )


def _bare(described: Any) -> Any:
    """Return a description without what only its compilation needed."""
    if described is not None:
        described = copy.copy(described)
        described.typemap = described.calltypes = None
    return described


def _names(known: Mapping[str, Any]) -> dict[int, str]:
    """Return the names of classes and functions by their ids."""
    return {
        id(each): name
        for name, value in known.items()
        if isinstance(each := getattr(value, "py_func", value), type | FunctionType)
    }


class _Pickler(NumbaPickler):  # type: ignore[misc]  # Numba has no types
    """Writes names for what exists once in each process."""

    names: dict[int, str]

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of something that no file holds."""
        return self.names.get(id(value))


class _Unpickler(pickle.Unpickler):
    """Finds what names stand for."""

    known: Mapping[str, Any]

    def persistent_load(self, name: str) -> Any:
        """Return what a name stands for."""
        value = self.known[name]
        return getattr(value, "py_func", value)
