"""Long functions compiled separately, not inlined into kernels.

LLVM inlines no long function, so its machine code is equal in each kernel. It is generated once and
stored with the kernels that call it. Recompiling a kernel then reuses this machine code, which
saves most of the time after an edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite.binding import Linkage, ObjectFileRef, parse_assembly
from numba.core.environment import lookup_environment

#: A module with fewer instructions before optimisation is not searched for long functions.
WORTH_A_LOOK = 600
#: The least instructions of a long function, after optimisation: twice what LLVM inlines.
LONG = 100


@dataclass(frozen=True)
class SeparateFunction:
    """A separately compiled function: its machine code and its dependencies.

    Attributes:
        names: the LLVM names that the code defines: a generator defines several.
        code: an object file.
        needs: the names of other separate functions that it calls.
        environments: the Numba environments that hold its Python constants.
    """

    names: tuple[str, ...]
    code: bytes
    needs: tuple[str, ...]
    environments: tuple[Any, ...]


#: The separate functions compiled or loaded in this process, by each of their names.
_KNOWN: dict[str, SeparateFunction] = {}
#: Separate functions that were added and whose environments are not set yet.
_UNSET: list[SeparateFunction] = []


def add(codegen: Any, each: SeparateFunction) -> None:
    """Add the machine code of a separate function to this process.

    The functions that it calls may be added later, but before it runs.
    """
    if each.names[0] in _KNOWN:
        return
    _KNOWN.update(dict.fromkeys(each.names, each))
    codegen._engine._ee.add_object_file(ObjectFileRef.from_data(each.code))  # noqa: SLF001  # Numba has no other name
    _UNSET.append(each)


def settle(codegen: Any) -> None:
    """Set the environments of all added code, after the functions that it calls were added."""
    while _UNSET:
        for environment in _UNSET[-1].environments:
            codegen.set_env(environment.env_name, environment)
        _UNSET.pop()


def separate_callees(module: Any) -> list[SeparateFunction]:
    """Return the separate functions that a module calls, directly or indirectly."""
    waiting = [function.name for function in module.functions if function.is_declaration]
    found: dict[str, SeparateFunction] = {}
    while waiting:
        each = _KNOWN.get(waiting.pop())
        if each is not None and each.names[0] not in found:
            found[each.names[0]] = each
            waiting += each.needs
    return list(found.values())


def defined_in(module: Any) -> tuple[str, ...]:
    """Return the names of the functions that a module itself defines, without linked callees."""
    return tuple(
        function.name
        for function in module.functions
        if not function.is_declaration and function.linkage == Linkage.external
    )


def has_long_function(module: Any) -> bool:
    """Whether a module has enough instructions to contain a long function."""
    return sum(_lengths(module).values()) >= WORTH_A_LOOK


def made(codegen: Any, module: Any, names: tuple[str, ...]) -> SeparateFunction | None:
    """Return the machine code of the long functions of an optimised module, or None.

    Args:
        codegen: Numba's code generator.
        module: the optimised module.
        names: the functions that the module itself defines.
    """
    lengths = _lengths(module)
    long = tuple(name for name in names if lengths[name] >= LONG)
    if not long or any(_is_address(variable.name) for variable in module.global_variables):
        return None
    for name in set(names) - set(long):  # these are in those that call them, too
        module.get_function(name).linkage = Linkage.linkonce_odr
    needs = tuple(each.names[0] for each in separate_callees(module))
    variables = (variable.name for variable in module.global_variables)
    environments = (lookup_environment(name) for name in variables)
    code = codegen._tm.emit_object(module)  # noqa: SLF001  # Numba has no other name
    return SeparateFunction(
        long, code, needs, tuple(each for each in environments if each is not None)
    )


def _is_address(name: str) -> bool:
    """Whether a variable holds an address of this process: such code is not saved."""
    return name.startswith("numba.dynamic.globals")


def without(module: Any, names: tuple[str, ...]) -> Any:
    """Return a copy of a module in which the functions ``names`` are declared, not defined."""
    lines, within = [], False
    for line in str(module).splitlines():
        if line.startswith("define ") and _defined(line) in names:
            lines.append("declare" + line.removeprefix("define").rpartition("{")[0])
            within = True
        elif not within:
            lines.append(line)
        elif line == "}":
            within = False
    return parse_assembly("\n".join(lines))


def _lengths(module: Any) -> dict[str, int]:
    """Return the number of instructions of each function of a module, counted in its text.

    The text has one instruction a line. Counting through LLVM's API takes ten times as long.
    """
    lengths, name = {}, ""
    for line in str(module).splitlines():
        if line.startswith("define "):
            name = _defined(line)
            lengths[name] = 0
        elif line.startswith("  ") and line[2:3] not in (" ", "]"):  # switch cases are not
            lengths[name] += 1
    return lengths


def _defined(line: str) -> str:
    """Return the name of the function in a ``define`` line of LLVM's text."""
    return line.partition("@")[2].partition("(")[0].strip('"')
