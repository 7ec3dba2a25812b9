"""Kernels run as the Python that they are: for a few questions, that is quicker than to compile.

What only compiled code can call, instructions of the processor and hints to it, has a twin here.
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

#: This many things may be asked at once, and this often in a process, before a kernel is compiled.
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
    """Return a kernel that answers questions, or what answers as it does without compiling it.

    Args:
        kernel: the kernel.
        count: how many things it is asked at once.
    """
    if count > _AT_ONCE or kernel.overloads or _asked.get(kernel, 0) >= _OFTEN:
        ready: Callable[..., Any] = kernel
        return ready
    _asked[kernel] = _asked.get(kernel, 0) + 1
    return interpreted(kernel)


@functools.cache
def interpreted(kernel: Any) -> Callable[..., Any]:
    """Return a kernel as a function of Python, which gives the same."""
    run = _python(kernel, {})

    @functools.wraps(run)
    def quietly(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # hashes wrap
            return run(*arguments)

    return quietly


def _python(kernel: Any, known: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """Return a compiled function's own text, with the same of all that it calls."""
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
