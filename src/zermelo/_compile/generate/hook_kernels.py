"""Generated kernels that call one hook for many positions, such as ``level``."""

from __future__ import annotations

_NUMBERS = """

def {kernel}(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = _z.{numbers}({hook}(data, position), "returns|return a whole number")  #: {asked}
"""

_LEGAL = """

def legal(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = 1 if _z.truth({hook}(data, position)) else 0  #: legal
"""


def hook_kernel(hook: str, function: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel that writes a hook's results."""
    template = _LEGAL if hook == "legal" else _NUMBERS
    kernel = "levels" if hook == "level" else hook
    values = {"arguments": arguments, "data": data, "position": position, "hook": function}
    values["numbers"] = "points" if hook == "endless" else "whole"
    return template.format(kernel=kernel, asked=hook, **values)
