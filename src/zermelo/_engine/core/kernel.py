"""Kernels: functions that are compiled when they are first called, or run as Python.

Numba is imported when the first of them is compiled. Where there is little to do, running a kernel
as Python takes less time than that: ``interpreting`` says so, and ``interpreted_if_few``.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from types import CellType, FunctionType
from typing import Any

import numpy as np

#: Whether this thread runs kernels as Python.
_INTERPRETING: ContextVar[bool] = ContextVar("interpreting", default=False)
_COMPILING = RLock()
#: CPU seconds that a kernel may run as Python before it is compiled after all.
_PATIENCE = 1.0
#: The most items of a call, and calls in a process, that run in Python before a kernel is compiled.
_MAX_ITEMS, _MAX_CALLS = 16, 64


class Kernel:
    """A function that is compiled when it is first called.

    Attributes:
        py_func: the function, in Python.
    """

    def __init__(self, function: Callable[..., object], compiler: Callable[[Any], Any]) -> None:
        """Store the function, which is not compiled yet.

        Args:
            function: the function.
            compiler: returns the object that Numba calls instead: a dispatcher or an intrinsic.
        """
        functools.update_wrapper(self, function)
        self.py_func = function
        self._compiler = compiler
        self._compiled: Any = None
        self._asked = 0
        self._seconds = 0.0

    @property
    def compiled(self) -> Any:
        """The object that Numba calls: a dispatcher or an intrinsic; compiled on first use."""
        if self._compiled is None:
            self._compile()
        return self._compiled

    def _compile(self) -> None:
        with _COMPILING:  # of several threads, one
            if self._compiled is None:
                self._compiled = self._compiler(self.py_func)

    @property
    def overloads(self) -> Any:
        """The compiled versions by argument types; empty before the first."""
        return {} if self._compiled is None else self._compiled.overloads

    def __call__(self, *arguments: object) -> Any:
        """Call it: compiled, or as Python if this thread is ``interpreting``, for a second."""
        if not _INTERPRETING.get() or self._seconds > _PATIENCE or self.overloads:
            return self.compiled(*arguments)
        began = time.thread_time()
        found = self.interpreted(*arguments)
        self._seconds += time.thread_time() - began
        return found

    @functools.cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function in Python, with all kernels that it calls."""
        run = self.in_python({})

        def quietly(*arguments: object) -> Any:
            with np.errstate(over="ignore"):  # hashes wrap
                return run(*arguments)

        return quietly

    def in_python(self, known: dict[Kernel, Callable[..., Any]]) -> Callable[..., Any]:
        """Return a copy of the function that calls other kernels in Python."""
        if self not in known:
            function = self.py_func
            names = dict(function.__globals__)
            cells = tuple(_cell_in_python(cell, known) for cell in function.__closure__ or ())
            known[self] = FunctionType(
                function.__code__, names, function.__name__, function.__defaults__, cells
            )
            for name in function.__code__.co_names:
                if isinstance(names.get(name), Kernel):
                    names[name] = names[name].in_python(known)
        return known[self]


def _cell_in_python(cell: CellType, known: dict[Kernel, Callable[..., Any]]) -> CellType:
    """Return a variable of a function around a kernel, with a kernel in it as Python."""
    content = cell.cell_contents
    return CellType(content.in_python(known)) if isinstance(content, Kernel) else cell


class CompileClock:
    """Counts the seconds in which Numba compiles."""

    seconds = 0.0


CLOCK = CompileClock()


def compile_seconds() -> float:
    """Return the wall-clock seconds that this process has spent compiling so far."""
    return CLOCK.seconds


@contextmanager
def interpreting() -> Iterator[None]:
    """Run kernels as Python in this thread, but for those that are compiled or take long."""
    token = _INTERPRETING.set(True)
    try:
        yield
    finally:
        _INTERPRETING.reset(token)


def is_interpreting() -> bool:
    """Return whether this thread runs kernels as Python."""
    return _INTERPRETING.get()


def thread_initializer() -> tuple[Callable[[bool], object], tuple[bool]]:
    """Return an initializer for threads that run kernels as this thread does, and its arguments."""
    return _INTERPRETING.set, (_INTERPRETING.get(),)


def interpreted_if_few(kernel: Any, count: int) -> Callable[..., Any]:
    """Return a kernel, or its Python equivalent if compiling it is not justified yet.

    Args:
        kernel: the kernel.
        count: the number of items in this call.
    """
    if count > _MAX_ITEMS or kernel.overloads or kernel._asked >= _MAX_CALLS:  # noqa: SLF001  # of this module
        ready: Callable[..., Any] = kernel
        return ready
    kernel._asked += 1  # noqa: SLF001  # likewise
    few: Callable[..., Any] = kernel.interpreted
    return few


def python_function(kernel: Any) -> Callable[..., Any]:
    """Return a kernel's function in Python, which takes lists in the place of arrays."""
    function: Callable[..., Any] = kernel.interpreted
    return function


class Instruction(Kernel):
    """A kernel compiled to one instruction, with a Python function that calls no kernels."""

    def in_python(self, known: dict[Kernel, Callable[..., Any]]) -> Callable[..., Any]:  # noqa: ARG002
        """Return the function, which calls no kernels."""
        return self.py_func
