"""The text of kernels that ask one hook about many positions: ``level`` and ``legal``."""

from __future__ import annotations

_LEVELS = """

def levels(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = _z.whole({hook}(data, position), "returns|return a whole number")  #: level
"""

_LEGAL = """

def legal(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = 1 if _z.truth({hook}(data, position)) else 0  #: legal
"""


def telling(hook: str, named: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel that writes what ``level`` or ``legal`` gives."""
    template = {"level": _LEVELS, "legal": _LEGAL}[hook]
    return template.format(arguments=arguments, data=data, position=position, hook=named)
