"""What is swapped inside Numba while kernels compile, and put back."""

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.types.functions import BaseFunction

from zermelo._engine.core.jit import compile_seconds, entry, part
from zermelo._engine.core.numba_quick import quick

_SWAPPED = ((BaseFunction, "get_call_type"), (event, "start_event"), (event, "end_event"))


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


def test_what_is_remembered_is_what_numba_gives():
    """Operators give what they do without, and of the same types."""

    # One after another: each kind of number and of literal has an answer of its own.
    @part()
    def mix(a, b):
        return (a + b, a - 1, a << 3, a // 2, a / 2, a == b, a < 3, -a, ~a & 7, a % 5)

    @entry()
    def ours(a, b):
        return mix(a, b)

    @numba.njit
    def plain(a, b):
        return (a + b, a - 1, a << 3, a // 2, a / 2, a == b, a < 3, -a, ~a & 7, a % 5)

    began = compile_seconds()
    for kind in (np.int64, np.uint8, np.int32, np.uint64):
        for other in (np.int64, np.uint8):
            given, wanted = ours(kind(9), other(4)), plain(kind(9), other(4))
            assert given == wanted
            assert list(map(type, given)) == list(map(type, wanted))
    assert compile_seconds() > began  # what counts the seconds still hears of it
