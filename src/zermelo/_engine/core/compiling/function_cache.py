"""The on-disk cache of functions that only compiled functions call: their types and their code.

A kernel is stored as machine code, with all its callees. A function that becomes part of kernels is
stored as Numba's unoptimised LLVM code: after an edit elsewhere, LLVM compiles a kernel from it as
if Numba had just generated it. Long functions have separate machine code (``apart``).

Each function is stored twice: with all its callees, and without the other functions of the rules.
If one of these was edited and its return type did not change, Numba would generate equal code for
its callers. So the second file is read and linked anew. (All calls pass all arguments by position.)
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

from zermelo._engine.core.compiling.kernel_cache import KernelCache, keep, kept
from zermelo._engine.core.compiling.pipelines import RulePartLibrary
from zermelo._engine.core.compiling.separate_code import add, separate_callees

#: The prefix of the names of modules of rules, which LLVM's names of their functions contain.
RULES = "_zermelo_rules_"
#: The number of digits of a checksum at the end of these modules' names.
DIGITS = 24
#: A name in LLVM's text.
_NAME = re.compile(r"[\w$.]+")


class PartCache(KernelCache):
    """A cache of one function that is compiled as part of its callers."""

    def __init__(
        self,
        directory: Path,
        name: str,
        identity: Callable[[], str],
        alone: Callable[[], str] | None,
        known: Mapping[str, Any],
    ) -> None:
        """Create a cache of one function's code in a folder.

        Args:
            directory: see ``KernelCache``.
            name: the function's name. Its last ``DIGITS`` characters are a checksum, which is also
                in the names of all that the function defines.
            identity: see ``KernelCache``.
            alone: returns the checksum of the function without the other functions of ``known``;
                None if functions call each other in a cycle and must be compiled together.
            known: the classes and functions that argument types refer to, by names that are equal
                in each process. They exist once in a process and cannot be pickled.
        """
        super().__init__(directory, name, identity)
        self._alone = None if alone is None else cache(alone)
        self._known = known

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save the compiled code for a signature, with its callees and without them."""
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
        """Return a function's code without other functions of the rules, or None if impossible."""
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
            return None  # a function in between calls functions of the rules through its arguments
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
        """Return a function linked to its callees, or None if these have changed type.

        The names that it defines are made unique, as its earlier version may be in this process.
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
                return None  # the state of a generator may have changed
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
    """Whether code becomes part of its callers, and can be saved."""
    return isinstance(library, RulePartLibrary) and library.waits()


def _yields(result: Any) -> bool:
    return isinstance(result.signature.return_type, types.Generator)


def _of_rules(names: Iterable[str]) -> bool:
    """Whether any of these LLVM names belongs to a function of rules."""
    return any(RULES in name for name in names)


def _described(result: Any) -> tuple[Any, ...]:
    """Return the types that Numba inferred for a function, without its code."""
    kind = result.signature.return_type
    generator = result.target_context.get_generator_desc(kind) if _yields(result) else None
    return _bare(result.fndesc), _bare(generator), result.environment, result.signature


def _result(context: Any, library: Any, what: Iterable[Any], others: tuple[Any, ...]) -> Any:
    """Return the result of a compilation, rebuilt from saved code and types."""
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
    """Return a copy of a function description without the data that only compiling needs."""
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
    """A pickler that writes names for objects that exist once in each process."""

    names: dict[int, str]

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of an object that cannot be pickled, or None."""
        return self.names.get(id(value))


class _Unpickler(pickle.Unpickler):
    """An unpickler that resolves the names that ``_Pickler`` writes."""

    known: Mapping[str, Any]

    def persistent_load(self, name: str) -> Any:
        """Return the object that a name stands for."""
        value = self.known[name]
        return getattr(value, "py_func", value)
