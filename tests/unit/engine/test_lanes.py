"""Operations on sets that are lanes of words: as instructions they are what they are in Python."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.jit import light_kernel
from zermelo._engine.core.kernel import python_function
from zermelo._engine.core.lanes import add_masked, add_where_covered, lane, transpose_bytes


@light_kernel
def compiled(sets, others, masks, found):
    """Call each of them on bytes, on pairs of bytes, or on words."""
    add_masked(sets, 0, 0x5A, masks, 8, 64, 8)
    add_masked(sets, 8, 0x1234, masks, 0, 16, 16)
    add_masked(sets, 12, others[3], masks, 1, 8, 64)
    add_where_covered(sets, 4, 0x81, others, 0, 0x11, 64, 8)
    add_where_covered(sets, 0, 0x8001, others, 12, 0x300, 16, 16)
    add_where_covered(sets, 16, others[5], others, 0, 5, 4, 64)
    for i in range(8):
        found[i] = lane(others, 5 * i, 16)
    transpose_bytes(others, masks)


def test_instructions_on_lanes_agree_with_python():
    """Random words; the Python functions are called by the same calls."""
    rng = np.random.default_rng(1)
    given = rng.integers(0, 2**64, (3, 24), np.uint64)
    results = []
    for function in (compiled, python_function(compiled)):
        arrays = [*given.copy(), np.zeros(8, np.uint64)]
        function(*arrays)
        results.append(arrays)
    for array, expected in zip(*results, strict=True):
        assert array.tolist() == expected.tolist()
    assert results[0][2][:8].tobytes() == given[1][:8].view(np.uint8).reshape(8, 8).T.tobytes()
