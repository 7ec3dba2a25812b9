"""Decorators of kernels, which are compiled at their first call; only then is Numba imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zermelo._engine.core.kernel import Instruction, Kernel

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function at its first call, cache it on disk, and release the GIL while it runs."""
    return _compiled_as("kernel", function)


def light_kernel(function: Function) -> Function:
    """Compile a kernel, like ``kernel``, that allocates no array and passes arrays on in a loop.

    Numba counts references to arrays with an atomic instruction whenever one is passed on, unless
    an option says that nothing will have to be freed.
    """
    return _compiled_as("light_kernel", function)


def inlined(function: Function) -> Function:
    """Compile a small function as part of each kernel that calls it, and not for Python."""
    return _compiled_as("inlined", function)


def spliced(function: Function) -> Function:
    """Inline a function into each kernel that calls it, at the call.

    A call would write every field of every array argument to the stack, which takes longer than a
    short function does.
    """
    return _compiled_as("spliced", function)


def light_inlined(function: Function) -> Function:
    """Compile a function like ``inlined`` that allocates and returns no array.

    It counts no references to arrays, as ``light_kernel`` does not.
    """
    return _compiled_as("light_inlined", function)


def light_spliced(function: Function) -> Function:
    """Inline a function like ``spliced`` that allocates and returns no array.

    It counts no references to arrays, as ``light_kernel`` does not.
    """
    return _compiled_as("light_spliced", function)


def light_shared(function: Function) -> Function:
    """Compile a function once for all kernels that call it; see ``shared_code``.

    Its arguments and its result are integers, and it allocates no array.
    """
    return _compiled_as("light_shared", function)


def _compiled_as(dispatcher_name: str, function: Function) -> Function:
    def compiler(function: object) -> Any:
        from zermelo._engine.core.compiling import dispatchers

        return getattr(dispatchers, dispatcher_name)(function)

    made: Any = Kernel(function, compiler)
    return made  # type: ignore[no-any-return]  # it is called as the function is


def instruction(function: Function) -> Function:
    """Compile calls of a function as an instruction of the processor that does the same.

    It stands in ``compiling.instructions`` under the function's name. The function itself must call
    no kernel.
    """

    def compiler(function: Any) -> Any:
        from zermelo._engine.core.compiling import instructions

        return getattr(instructions, function.__name__)

    made: Any = Instruction(function, compiler)
    return made  # type: ignore[no-any-return]  # it is called as the function is
