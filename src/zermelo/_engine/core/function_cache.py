"""Functions that only compiled functions call, on disk: what was found out of each, and its code.

A kernel's code on disk is that of the processor, with all that it calls. Of a function that becomes
part of kernels it is LLVM's, as Numba wrote it: after an edit elsewhere, LLVM makes a kernel
of it as if it had just been compiled. Long functions have machine code of their own (``apart``).

Each function is there twice: with all that it calls, and without the other functions of the rules.
Where one of these was edited and still returns the same type, Numba would write the same code for
those that call it. So that is read, and linked anew. (Calls hand everything over by position, with
nothing left out.)
"""

from __future__ import annotations

import copy
import io
import pickle
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding
from numba.core import types
from numba.core.compiler import compile_result
from numba.core.dispatcher import Dispatcher
from numba.core.environment import lookup_environment
from numba.core.serialize import NumbaPickler

from zermelo._engine.core.kernel_cache import KernelCache, keep, kept
from zermelo._engine.core.pipelines import RulePartLibrary
from zermelo._engine.core.separate_code import add, separate_callees

#: What the names of modules of rules begin with, and so those of functions in LLVM's code contain.
RULES = "_zermelo_rules_"
#: How many digits of a checksum the names of these modules end with.
DIGITS = 24
#: A name in LLVM's text.
_NAME = re.compile(r"[\w$.]+")


class PartCache(KernelCache):
    """What a dispatcher asks for a function that was compiled as part of those that call it."""

    def __init__(
        self,
        directory: Path,
        name: str,
        identity: Callable[[], str],
        alone: Callable[[], str] | None,
        known: Mapping[str, Any],
    ) -> None:
        """Keep a function's code in a folder.

        Args:
            directory: see ``KernelCache``.
            name: see ``KernelCache``; its last ``DIGITS`` are of a checksum, and in the names of
                all that the function defines.
            identity: see ``KernelCache``.
            alone: the same of what the function is, whatever other functions of ``known`` do; None
                where functions call each other in a circle, which have to be compiled together.
            known: the classes and functions that types of arguments name, by names that stand for
                the same in each process: they exist once in each, and no file can hold them.
        """
        super().__init__(directory, name, identity)
        self._alone = None if alone is None else cache(alone)
        self._known = known

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for a signature, also for when what it calls has changed."""
        super().save_overload(signature, result)
        path = self._path_alone(signature, result.codegen)
        if path is not None and not result.lifted and not result.library.has_dynamic_globals:
            data = self._written_alone(result)
            if data is not None:
                keep(path, data)

    def _load(self, signature: Any, context: Any) -> Any:
        found = super()._load(signature, context)
        if found is not None:
            return found
        try:
            path = self._path_alone(signature, context.codegen())
            data = None if path is None else kept(path)
            found = None if data is None else self._read_alone(data, context)
        except Exception:  # noqa: BLE001  # then it is compiled, which says what is wrong
            return None
        if found is not None:
            super().save_overload(signature, found)
        return found

    def _path_alone(self, signature: Any, codegen: Any) -> Path | None:
        if self._alone is None:
            return None
        return self._named(self._name[:-DIGITS] + "alone", self._alone(), signature, codegen)

    def _written(self, result: Any) -> bytes | None:
        library = result.library
        if not _is_part(library):
            return None
        code = (library.name, library.code(), library.others())
        environments = tuple(result._find_referenced_environments())  # noqa: SLF001  # Numba's own call
        return self._pickled((code, *_described(result), environments))

    def _read(self, data: bytes, context: Any) -> Any:
        (name, code, apart), *described, others = self._unpickled(data)
        module = llvmlite.binding.parse_bitcode(code)
        library = RulePartLibrary.of(context.codegen(), name, module, apart)
        return _result(context, library, described, others)

    def _written_alone(self, result: Any) -> bytes | None:
        """Return a function as bytes without others of the rules, None where that cannot be."""
        library = result.library
        if not _is_part(library) or _yields(result):
            return None
        called = [
            (name, args, other)
            for name, each in self._known.items()
            if isinstance(each, Dispatcher)
            for args, other in each.overloads.items()
            if library.calls(other.library)
        ]
        module = library.without({each.library for *_, each in called})
        ours = {result.fndesc.mangled_name, *(each.fndesc.mangled_name for *_, each in called)}
        several = [each.fndesc.modname for *_, each in called if _yields(each)]
        others = {each.name for each in module.functions} - ours
        if _of_rules(each for each in others if not any(label in each for label in several)):
            return None  # something in between calls functions of the rules that it is given
        calls = [
            (name, args, each.signature.return_type, each.fndesc.mangled_name)
            for name, args, each in called
        ]
        apart = [each for each in separate_callees(module) if not _of_rules(each.names)]
        variables = (lookup_environment(each.name) for each in module.global_variables)
        held = tuple(each for each in variables if each is not None and each.can_cache())
        if any(_of_rules(each.needs) for each in apart):
            return None
        code = (library.name, str(module), apart)
        return self._digest + self._pickled((code, *_described(result), held, calls))

    def _read_alone(self, data: bytes, context: Any) -> Any:
        """Return a function linked to what it calls; None if that is not what it was.

        What it defines gets names of its own, as what it was linked to before may be in this
        process, too.
        """
        before, pickled = data[:DIGITS], data[DIGITS:]
        code, *described, held, calls = self._unpickled(pickled.replace(before, self._digest))
        (name, text, apart), libraries, now = code, [], {}
        for called, args, kind, mangled in calls:
            each = self._known[called]
            each.compile(args)
            other = each.overloads[args]
            if other.signature.return_type != kind or not _is_part(other.library):
                return None
            if _yields(other) and other.fndesc.mangled_name != mangled:
                return None  # what it keeps between two items may have changed
            libraries.append(other.library)
            now[mangled] = other.fndesc.mangled_name
        for each in apart:
            add(context.codegen(), each)
        library = RulePartLibrary(context.codegen(), name)
        library.relinked(_NAME.sub(lambda found: now.get(found[0], found[0]), text), libraries)
        return _result(context, library, described, held)

    def _pickled(self, value: Any) -> bytes:
        with io.BytesIO() as buffer:
            pickler = _Pickler(buffer, protocol=4)
            pickler.names = _names(self._known)
            pickler.dump(value)
            return buffer.getvalue()

    def _unpickled(self, data: bytes) -> Any:
        unpickler = _Unpickler(io.BytesIO(data))
        unpickler.known = self._known
        return unpickler.load()

    @property
    def _digest(self) -> bytes:
        return self._name[-DIGITS:].encode()


def _is_part(library: Any) -> bool:
    """Whether code becomes part of those that call it, and can be kept."""
    return isinstance(library, RulePartLibrary) and library.waits()


def _yields(result: Any) -> bool:
    return isinstance(result.signature.return_type, types.Generator)


def _of_rules(names: Iterable[str]) -> bool:
    """Whether any of these names, as LLVM has them, is of a function of rules."""
    return any(RULES in name for name in names)


def _described(result: Any) -> tuple[Any, ...]:
    """Return what was found out of a function, its code apart."""
    kind = result.signature.return_type
    generator = result.target_context.get_generator_desc(kind) if _yields(result) else None
    return _bare(result.fndesc), _bare(generator), result.environment, result.signature


def _result(context: Any, library: Any, what: Iterable[Any], others: tuple[Any, ...]) -> Any:
    """Return what was compiled, as if that had just been done."""
    described, generator, environment, signature = what
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
