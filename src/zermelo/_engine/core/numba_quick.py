"""What Numba works out anew for each line that it compiles, remembered; what nobody hears, unsaid.

For each addition it asks all that it has by the name of plus, one after another, for the types at
hand, and the answer is the same each time. And it announces each call of LLVM, and times all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event
from numba.core.types import Boolean, Number
from numba.core.types.functions import BaseFunction

#: What is announced at all: by this the seconds of compiling are counted.
HEARD = "numba:compile"

_PLAIN = (Number, Boolean)
#: By the id of a function: the function, so that its id stays its own, and what it gave.
_KNOWN: dict[int, tuple[Any, dict[Any, Any]]] = {}

_find: Callable[..., Any] = BaseFunction.get_call_type
_start, _end = event.start_event, event.end_event


@contextmanager
def quick() -> Iterator[None]:
    """Have Numba be quick meanwhile; it compiles for one thread at a time, so for this one."""
    before = BaseFunction.get_call_type, event.start_event, event.end_event
    BaseFunction.get_call_type = _remembered
    event.start_event, event.end_event = _starts, _ends
    try:
        yield
    finally:
        BaseFunction.get_call_type, event.start_event, event.end_event = before


def _remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return what a function of Numba's gives for numbers of some types, asked once.

    What can be asked belongs to the function: with another way to compute it, it is another one.
    """
    if kws or not all(isinstance(each, _PLAIN) for each in args):
        return _find(self, context, args, kws)
    _, known = _KNOWN.setdefault(id(self), (self, {}))
    asked = context, tuple(args)
    if asked not in known:
        known[asked] = _find(self, context, args, kws)
    return known[asked]


def _starts(kind: str, data: Any = None) -> None:
    if kind == HEARD:
        _start(kind, data)


def _ends(kind: str, data: Any = None, exc_details: Any = None) -> None:
    if kind == HEARD:
        _end(kind, data, exc_details)
