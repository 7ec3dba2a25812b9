"""The search loops as functions that are compiled once for all games."""

from __future__ import annotations

from functools import cache
from typing import Any

from zermelo._engine.core.jit import light_shared
from zermelo._engine.core.shared_code import unpack_arrays


@cache
def shared_loop(advance: Any, words: int) -> Any:
    """Return a search loop for positions of ``words`` words, to be called by its address.

    Args:
        advance: the loop; its arguments are arrays, the words of a position, an option and a quota.
        words: the words, which are a constant in the compiled loop: it takes a tenth less time.
    """

    @light_shared
    def loop(arrays: int, option: int, quota: int) -> Any:
        return advance(*unpack_arrays(advance, arrays), words, option, quota)

    return loop
