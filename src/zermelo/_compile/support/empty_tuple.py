"""Loops over an empty tuple, such as the rest of a move that has no more parts."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer, signature

#: An empty tuple of whole numbers; Numba's empty tuple has no type of items.
_NO_NUMBERS = types.UniTuple(types.int64, 0)


@infer
class _EmptyLoop(AbstractTemplate):  # type: ignore[misc]  # Numba has no type hints
    key = "getiter"

    def generic(self, arguments: Any, _: Any) -> Any:
        """Return the signature of a loop over an empty tuple, or None."""
        [items] = arguments
        if isinstance(items, types.Tuple) and not len(items):
            return signature(_NO_NUMBERS.iterator_type, items)
        return None


@lower_builtin("getiter", types.Tuple)
def _begin(context: Any, builder: Any, called: Any, _: Any) -> Any:
    nothing = cgutils.get_null_value(context.get_value_type(_NO_NUMBERS))
    begin = context.get_function("getiter", signature(called.return_type, _NO_NUMBERS))
    return begin(builder, (nothing,))
