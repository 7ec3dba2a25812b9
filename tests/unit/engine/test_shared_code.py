"""Code that is compiled once for all kernels that call it: arrays arrive, and no others do."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import TypingError

from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.core.jit import light_kernel, light_spliced
from zermelo._engine.core.shared_code import address_of, call_shared, pack_arrays
from zermelo._engine.search.shared_loop import shared_loop


@light_spliced
def weighed(numbers: Int64Array, weights: Uint8Array, words: int, option: int, quota: int) -> int:
    """Return a weighted sum, and write it over the first number."""
    total = quota
    for i in range(words):
        total += option * numbers[i] * weights[i]
    numbers[0] = total
    return total


LOOP = shared_loop(weighed, 3)


@light_kernel
def twice(address: int, numbers: Int64Array, weights: Uint8Array) -> int:
    """Return the sum of two calls, of which the second reads what the first has written."""
    arrays = pack_arrays(weighed, (numbers, weights))
    return call_shared(LOOP, address, (arrays, 2, 1)) + call_shared(LOOP, address, (arrays, 1, 0))


def test_a_shared_function_reads_and_writes_the_arrays_of_its_caller():
    """It returns what it returns in Python, and other types of arrays are refused."""
    weights = np.array([1, 2, 200], np.uint8)
    compiled, python = np.array([5, -7, 1 << 40]), np.array([5, -7, 1 << 40])
    assert twice(address_of(LOOP), compiled, weights) == twice.interpreted(0, python, weights)
    assert compiled.tolist() == python.tolist()
    with pytest.raises(TypingError, match="weighed takes other arrays than"):
        twice(address_of(LOOP), weights, compiled)
