"""What is swapped inside Numba while kernels compile, and put back.

No public call shows whether Numba is left as it was, so this asks what compiles kernels.
"""

import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.base import BaseContext
from numba.core.cgutils import ValueStructProxy
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj

from zermelo._engine.core.compiling.dispatchers import entry, part
from zermelo._engine.core.compiling.swapped import numba_patches as swaps
from zermelo._engine.core.compiling.swapped.numba_patches import quick

_SWAPPED = (
    (BaseFunction, "get_call_type"),
    (BaseContext, "refresh"),
    (event, "start_event"),
    (event, "end_event"),
    (PostProcessor, "run"),
    (Lower, "storevar"),
    (ValueStructProxy, "__init__"),
    (arrayobj, "make_array"),
)


def test_what_is_swapped_is_put_back():
    """Numba is as it was, also after an error."""
    before = [getattr(place, name) for place, name in _SWAPPED]
    with quick():
        assert all(
            getattr(place, name) is not old
            for (place, name), old in zip(_SWAPPED, before, strict=True)
        )
    with pytest.raises(ValueError, match="meanwhile"), quick(), quick():
        raise ValueError("meanwhile")
    assert [getattr(place, name) for place, name in _SWAPPED] == before


def test_what_is_counted_is_freed_once():
    """Arrays that are made, kept in tuples and replaced in a loop are all freed again."""

    @part()
    def other(row, number):
        return row[number:], number + 1

    @entry()
    def replace(count):
        kept = (np.arange(count), 0)
        total = 0
        for number in range(count):
            row = np.arange(number + 1)
            kept = other(row, number)
            total += kept[0][-1] + kept[1] + len(kept[0])
        return total

    replace(3)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert replace(100) == sum(range(2, 202, 2))
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 100


def test_another_numba_is_left_as_it_is(monkeypatch):
    """Of a version whose code nobody has read, only what has stood for years is swapped."""
    monkeypatch.setattr(numba, "__version__", "0.99.0")
    swaps._instead.cache_clear()
    try:
        before = Lower.storevar, BaseFunction.get_call_type
        with quick():
            assert Lower.storevar is before[0]
            assert BaseFunction.get_call_type is not before[1]

        @entry()
        def total(numbers):
            found = 0
            for number in numbers:
                found += number
            return found

        assert total(np.arange(5)) == 10
    finally:
        swaps._instead.cache_clear()


def test_what_is_declared_between_two_kernels_is_found():
    """A function that Numba is taught after a kernel was compiled is known to the next one."""

    def taught(number):
        raise NotImplementedError

    @entry()
    def before(number):
        return number + 1

    assert before(1) == 2

    @overload(taught)
    def _(number):
        return lambda number: number + 2

    @entry()
    def after(number):
        return taught(number) + 1

    assert after(1) == 4


#: Compiles with and without what Numba has of its own, and prints whether it was read.
_ASIDE = """
import sys
import numba
import numpy as np
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys

from zermelo._engine.core.compiling.dispatchers import entry, part

def read():
    return "numba.typed.typeddict" in sys.modules

@entry()
def plain(number):
    return number + 1

@part()
def inner(number):
    np.random.seed(number)
    known = numba.typed.Dict.empty(numba.int64, numba.int64)
    known[number] = 7
    return known[number] + np.random.randint(0, 1)

@entry()
def outer(number):
    return inner(number) + 1

@numba.njit
def elsewhere(number):
    found = numba.typed.List.empty_list(numba.int64)
    found.append(number)
    return found

print(plain(1), read(), outer(1), read(), list(elsewhere(3)))
"""


@pytest.mark.slow
def test_what_almost_no_kernel_uses_is_read_when_one_does():
    """Numba's own tables are not read for plain kernels, and work in those that have them."""
    command = [sys.executable, "-c", _ASIDE]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "2 False 8 True [3]"
