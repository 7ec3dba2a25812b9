"""Operations on sets that are lanes of words: as instructions they are what they are in Python.

Solves take what the processor has, so no public call shows the other form.
"""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.bits import gather, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.kernel import python_function
from zermelo._engine.core.lanes import add_masked, add_where_covered, lane, transpose_bytes
from zermelo._engine.core.portable import gather_portably, scatter_portably


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


@kernel
def _both_ways(words, masks, out):
    for i in range(words.size):
        out[0, i] = gather(words[i], masks[i])
        out[1, i] = _gather(words[i], masks[i])
        out[2, i] = scatter(words[i], masks[i])
        out[3, i] = _scatter(words[i], masks[i])


_gather, _scatter = inlined(gather_portably), inlined(scatter_portably)


def test_bits_are_gathered_alike_with_and_without_the_instruction():
    """A processor without the instruction gets the same answer."""
    rng = np.random.default_rng(3)
    words, masks = (rng.integers(0, 1 << 63, 500).astype(np.uint64) * np.uint64(2) for _ in "ab")
    out = np.empty((4, 500), np.uint64)
    _both_ways(words, masks, out)
    assert (out[0] == out[1]).all()
    assert (out[2] == out[3]).all()
