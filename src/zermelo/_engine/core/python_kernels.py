"""Kernels run as plain Python: for a few calls, that is faster than compiling them.

Processor instructions and cache hints, which only compiled code can call, have Python equivalents
here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from zermelo._engine.core import bits, memory

#: The most items of a call, and calls in a process, that run in Python before a kernel is compiled.
_AT_ONCE, _OFTEN = 16, 64

_TWINS: dict[Any, Callable[..., Any]] = {
    bits.ones: lambda word: np.int64(int(word).bit_count()),
    bits.lowest: lambda word: np.int64((int(word) & -int(word)).bit_length() - 1 if word else 64),
    bits.gather: bits.gather_portably,
    bits.scatter: bits.scatter_portably,
    memory.on_stack: np.empty,
    memory.prefetch: lambda *_: None,
}
_asked: dict[Any, int] = {}


def interpreted_if_few(kernel: Any, count: int) -> Callable[..., Any]:
    """Return a kernel, or its Python equivalent if compiling it is not justified yet.

    Args:
        kernel: the kernel.
        count: the number of items in this call.
    """
    if count > _AT_ONCE or kernel.overloads or _asked.get(kernel, 0) >= _OFTEN:
        ready: Callable[..., Any] = kernel
        return ready
    _asked[kernel] = _asked.get(kernel, 0) + 1
    return interpreted(kernel)


@functools.cache
def interpreted(kernel: Any) -> Callable[..., Any]:
    """Return the Python equivalent of a kernel, which gives equal results."""
    run = _python(kernel, {})

    @functools.wraps(run)
    def quietly(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # hashes wrap
            return run(*arguments)

    return quietly


def _python(kernel: Any, known: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """Return the Python function of a kernel; kernels that it calls are replaced, too."""
    if kernel in _TWINS:
        return _TWINS[kernel]
    if kernel not in known:
        function = kernel.py_func
        names = dict(function.__globals__)
        known[kernel] = FunctionType(function.__code__, names, function.__name__)
        for name in function.__code__.co_names:
            if isinstance(names.get(name), Dispatcher | _Intrinsic):
                names[name] = _python(names[name], known)
    return known[kernel]
