"""How Numba compiles kernels: with the passes they need, and LLVM's work done once for each.

Numba optimises each function with all that it calls and makes machine code of it, and then does so
again as part of each caller. A function that Python never calls needs neither: it waits, as Numba
wrote it, until a kernel is optimised that it is part of.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core import config
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.environment import lookup_environment

#: Numba's passes that change nothing in a kernel of the engine, and what they are for.
NEEDLESS = {
    "WithLifting": "blocks of with",
    "InlineInlinables": "functions to be inlined before types are known",
    "InlineOverloads": "the same, when they are",
    "NopythonRewrites": "arithmetic with whole arrays, fields of records",
    "DumpParforDiagnostics": "loops that Numba makes parallel",
}
#: The pass for comprehensions, lambdas and functions inside functions.
NESTED = "InlineClosureLikes"


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a kernel and of all that it calls, optimised together."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave functions as they are: what optimises the whole does this first, too."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001  # Numba's own line

    def _finalize_specific(self) -> None:
        """Make machine code, in which each function finds its environment."""
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self._codegen.set_env(variable.name, environment)


class PartLibrary(KernelLibrary):
    """The code of a function that only compiled functions call."""

    @property
    def codegen(self) -> Any:
        """What Numba asks to set an environment: itself, while there is no machine code."""
        return self if self._waits() else self._codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Leave an environment to the kernel that this becomes part of."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return where the machine code of a function begins, 0 for none."""
        self._ensure_finalized()
        return 0 if self._waits() else int(super().get_pointer_to_function(name))

    def _waits(self) -> bool:
        """Whether it is left to its callers: functions that call in a circle need addresses."""
        return not any(
            variable.name.startswith(RuntimeLinker.PREFIX)
            for variable in self._final_module.global_variables
        )

    def _optimize_final_module(self) -> None:
        if not self._waits():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if not self._waits():
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._finalized = True


class KernelCompiler(Compiler):  # type: ignore[misc]  # Numba has no types
    """Compiles kernels, which Python calls."""

    library = KernelLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a function into a library of its kind."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class RulesCompiler(KernelCompiler):
    """Compiles the kernels of rules, in which numbers of a tuple are worked on side by side.

    Rules change, check and pack a board of cells number by number; the processor does eight at
    once, if LLVM looks for that. In the engine's own kernels there is nothing to find.
    """

    def compile_extra(self, func: Any) -> Any:
        """Compile a kernel, and what it calls for the first time."""
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
        try:
            return super().compile_extra(func)
        finally:
            config.SLP_VECTORIZE = before


class PartCompiler(KernelCompiler):
    """Compiles functions that only compiled functions call."""

    library = PartLibrary


class _Lean:
    """Leaves out the passes that change nothing in functions of the engine: a tenth of the time."""

    state: Any

    def define_pipelines(self) -> list[Any]:
        """Return what Numba would do, without the passes that are not needed."""
        (whole,) = super().define_pipelines()  # type: ignore[misc]  # a compiler follows in the order
        nested = any(isinstance(value, CodeType) for value in self.state.func_id.code.co_consts)
        needless = NEEDLESS.keys() if nested else {*NEEDLESS, NESTED}
        lean = PassManager("lean")
        for step, says in whole.passes:
            if step.__name__ not in needless:
                lean.add_pass(step, says)
        lean.finalize()
        return [lean]


class EngineKernelCompiler(_Lean, KernelCompiler):
    """Compiles the engine's own kernels."""


class LeanRulesCompiler(_Lean, RulesCompiler):
    """Compiles the kernels of rules that make nothing."""


class EnginePartCompiler(_Lean, PartCompiler):
    """Compiles the engine's own functions that only its kernels call."""
