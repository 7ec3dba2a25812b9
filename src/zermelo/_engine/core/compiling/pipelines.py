"""Numba pipelines for kernels: only the passes they need, and one optimisation by LLVM for each.

Numba optimises each function with all its callees, compiles it to machine code, and does so again
as part of each caller. A function that Python never calls needs neither: its unoptimised code waits
until a kernel that contains it is optimised.
"""

from __future__ import annotations

from collections.abc import Collection
from types import CodeType
from typing import Any

from llvmlite.binding import Linkage
from numba.core import config
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.environment import lookup_environment
from numba.core.errors import new_error_context

#: Numba's passes that change nothing in a kernel of the engine, and their purposes.
NEEDLESS = {
    "WithLifting": "blocks of with",
    "InlineInlinables": "functions to be inlined before types are known",
    "InlineOverloads": "functions to be inlined when types are known",
    "NopythonRewrites": "arithmetic with whole arrays, fields of records",
    "DumpParforDiagnostics": "loops that Numba makes parallel",
}
#: The pass for comprehensions, lambdas and functions inside functions.
NESTED = "InlineClosureLikes"


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a kernel and of all its callees, optimised together."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Set only the data layout: the optimisation of the whole module starts with functions."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001  # Numba's own line

    def _optimize_final_module(self) -> None:
        """Optimise once, or twice, as Numba does, if the kernel counts references to arrays.

        Numba's first optimisation removes reference counts that cancel out.
        """
        if self._counts_holders():
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()  # noqa: SLF001  # Numba's own line
        passes.run(self._final_module, builder)

    def _counts_holders(self) -> bool:
        try:
            self._final_module.get_function("NRT_incref")
        except NameError:
            return False
        return True

    def _finalize_specific(self) -> None:
        """Generate machine code and set the environment of each function."""
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self._codegen.set_env(variable.name, environment)


class PartLibrary(KernelLibrary):
    """The code of a function that only compiled functions call; until then it waits."""

    _shared_module: Any

    @property
    def codegen(self) -> Any:
        """The object on which Numba sets an environment: this library while its code waits."""
        return self if self.waits() else self._codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the kernel that contains this code sets the environment."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function's machine code, 0 while the code waits."""
        self._ensure_finalized()
        return 0 if self.waits() else int(super().get_pointer_to_function(name))

    def _get_module_for_linking(self) -> Any:
        """Return the module to link into kernels; waiting code is not copied."""
        self._ensure_finalized()
        if not self.waits():
            return super()._get_module_for_linking()
        if self._shared_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = Linkage.linkonce_odr
            self._shared_module = self._final_module
        return self._shared_module

    def waits(self) -> bool:
        """Return whether the code waits for its callers; recursive functions do not."""
        return not any(
            variable.name.startswith(RuntimeLinker.PREFIX)
            for variable in self._final_module.global_variables
        )

    def _optimize_final_module(self) -> None:
        if not self.waits():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if not self.waits():
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._finalized = True


class QuickPasses(PassManager):  # type: ignore[misc]  # Numba has no types
    """Numba's passes in sequence, without the events and timings of each pass."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: ARG002, N802  # Numba's
        step.analysis = self._analysis
        with new_error_context("Pass {name}", name=step.name()):
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)


class KernelCompiler(Compiler):  # type: ignore[misc]  # Numba has no types
    """Compiles kernels, which Python calls."""

    library = KernelLibrary
    needless: Collection[str] = ()

    def define_pipelines(self) -> list[Any]:
        """Return Numba's pipeline without the needless passes."""
        (whole,) = super().define_pipelines()
        passes = QuickPasses(whole.pipeline_name)
        for step, says in whole.passes:
            if step.__name__ not in self.needless:
                passes.add_pass(step, says)
        passes.finalize()
        return [passes]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function into a library of class ``library``."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class RulesCompiler(KernelCompiler):
    """Compiles the kernels of rules, with vectorisation of straight-line code (SLP).

    Rules change, check and pack the cells of a board one by one; the processor handles eight at
    once if LLVM finds them. The engine's own kernels have no such code.
    """

    def compile_extra(self, func: Any) -> Any:
        """Compile a kernel, and its callees that are not compiled yet, with SLP vectorisation."""
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
        try:
            return super().compile_extra(func)
        finally:
            config.SLP_VECTORIZE = before


class PartCompiler(KernelCompiler):
    """Compiles functions that only compiled functions call."""

    library = PartLibrary


class _Lean(KernelCompiler):
    """Skips the passes that change nothing in functions of the engine: a tenth of the time."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's pipeline without the needless passes."""
        nested = any(isinstance(value, CodeType) for value in self.state.func_id.code.co_consts)
        self.needless = NEEDLESS.keys() if nested else {*NEEDLESS, NESTED}
        return super().define_pipelines()


class LeanKernelCompiler(_Lean, KernelCompiler):
    """Compiles the engine's own kernels."""


class LeanRulesCompiler(_Lean, RulesCompiler):
    """Compiles the kernels of rules that allocate no arrays."""


class LeanPartCompiler(_Lean, PartCompiler):
    """Compiles the engine's own parts of kernels, and parts of rules that allocate no arrays."""


def entry_options(*, heap: bool, of_engine: bool) -> dict[str, Any]:
    """Return the options of Numba for kernels; see ``dispatchers.entry``."""
    rules = RulesCompiler if heap else LeanRulesCompiler
    compiler = LeanKernelCompiler if of_engine else rules
    return {"_nrt": heap, "no_cfunc_wrapper": True, "pipeline_class": compiler}


def part_options(*, heap: bool, of_engine: bool, is_spliced: bool) -> dict[str, Any]:
    """Return the options of Numba for parts of kernels; see ``dispatchers.part``."""
    return {
        "_nrt": heap,
        "forceinline": is_spliced,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "pipeline_class": PartCompiler if heap and not of_engine else LeanPartCompiler,
    }
