"""Code that is compiled once for all kernels that call it, and not as a part of each.

A kernel of a game's rules is compiled for each game. A long loop that knows no rules would take
most of that time. So it is a function by itself, ``jit.light_shared``, and a kernel gets its
address as an argument: compiled code on disk cannot contain an address of another process. The
function takes only numbers. One of them is the address of the kernel's arrays, which are written to
the kernel's stack once: passing an array takes seven words at each call.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from zermelo._engine.core.jit import instruction


@cache
def address_of(shared: Any) -> int:
    """Return the address of a ``light_shared`` function, which is compiled or loaded first."""
    from zermelo._engine.core.compiling import dispatchers

    return dispatchers.address_of(shared.compiled)


@instruction
def call_shared(shared: Any, address: int, numbers: tuple[int, ...]) -> Any:  # noqa: ARG001  # it is callable
    """Call a ``light_shared`` function, with its address in this process."""
    return shared(*numbers)


@instruction
def pack_arrays(function: Any, arrays: tuple[Any, ...]) -> Any:  # noqa: ARG001  # it says the types
    """Write arrays to the stack of the running kernel, and return their address.

    They must be of the types that ``function``, which they are for, has in its annotations.
    """
    return arrays


@instruction
def unpack_arrays(function: Any, address: Any) -> Any:  # noqa: ARG001  # likewise
    """Return the arrays at an address of ``pack_arrays``."""
    return address
