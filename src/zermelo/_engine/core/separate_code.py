"""Functions with machine code of their own, which kernels call and do not take in.

LLVM takes no long function into those that call it, so what it makes of one is the same in each
kernel. Made once, and kept beside the kernels that call it, it need not be made again when a
kernel is: that is most of an edit's time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite.binding import Linkage, ObjectFileRef, parse_assembly
from numba.core.environment import lookup_environment

#: Where functions, with what they call, have fewer instructions as Numba wrote them, these are left
#: to their callers unseen.
WORTH_A_LOOK = 600
#: Functions of which LLVM leaves fewer, it might take into a caller: twice of what it takes.
LONG = 100


@dataclass(frozen=True)
class SeparateFunction:
    """The machine code of a function.

    Attributes:
        names: what it defines, in the names of LLVM: a function that yields is several.
        code: an object file.
        needs: the names of other functions apart that it calls.
        environments: what it finds constants of Python in.
    """

    names: tuple[str, ...]
    code: bytes
    needs: tuple[str, ...]
    environments: tuple[Any, ...]


#: What was made or read in this process, by each of its names.
_KNOWN: dict[str, SeparateFunction] = {}
#: Code that was added and does not yet know its environments.
_UNSET: list[SeparateFunction] = []


def add(codegen: Any, each: SeparateFunction) -> None:
    """Have code in this process; what it calls may come after it, before any is run."""
    if each.names[0] in _KNOWN:
        return
    _KNOWN.update(dict.fromkeys(each.names, each))
    codegen._engine._ee.add_object_file(ObjectFileRef.from_data(each.code))  # noqa: SLF001  # Numba has no other name
    _UNSET.append(each)


def settle(codegen: Any) -> None:
    """Give all code that was added its environments, now that what it calls is there."""
    while _UNSET:
        for environment in _UNSET[-1].environments:
            codegen.set_env(environment.env_name, environment)
        _UNSET.pop()


def separate_callees(module: Any) -> list[SeparateFunction]:
    """Return what code calls that is apart, and what that calls in turn."""
    waiting = [function.name for function in module.functions if function.is_declaration]
    found: dict[str, SeparateFunction] = {}
    while waiting:
        each = _KNOWN.get(waiting.pop())
        if each is not None and each.names[0] not in found:
            found[each.names[0]] = each
            waiting += each.needs
    return list(found.values())


def defined_in(module: Any) -> tuple[str, ...]:
    """Return the names of the functions that are a module's own, not those of what it calls."""
    return tuple(
        function.name
        for function in module.functions
        if not function.is_declaration and function.linkage == Linkage.external
    )


def has_long_function(module: Any) -> bool:
    """Whether any function of a module may be worth machine code of its own."""
    return sum(_lengths(module).values()) >= WORTH_A_LOOK


def made(codegen: Any, module: Any, names: tuple[str, ...]) -> SeparateFunction | None:
    """Return the machine code of the long functions of a module that LLVM has optimised, if any.

    Args:
        codegen: Numba's.
        module: the module.
        names: the functions that are its own.
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
    """Whether a variable holds where something is in this process: such code is not kept."""
    return name.startswith("numba.dynamic.globals")


def without(module: Any, names: tuple[str, ...]) -> Any:
    """Return a module in which some functions are only declared."""
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
    """Return how many instructions each function of a module has, counted in its text.

    There each stands on a line of its own. Asking LLVM for one after another takes ten times as
    long.
    """
    lengths, name = {}, ""
    for line in str(module).splitlines():
        if line.startswith("define "):
            name = _defined(line)
            lengths[name] = 0
        elif line.startswith("  ") and line[2:3] not in (" ", "]"):  # not one more case of a switch
            lengths[name] += 1
    return lengths


def _defined(line: str) -> str:
    """Return the name of the function that a line of LLVM's text begins to define."""
    return line.partition("@")[2].partition("(")[0].strip('"')
