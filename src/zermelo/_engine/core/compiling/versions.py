"""The versions of Numba in which Zermelo uses private names of Numba.

Private names change without notice. So each change of Numba in this folder is made only in versions
in which it was tested. In any other, ``dispatchers`` calls ``numba.njit`` with documented options:
rules compile two to four times as long, in each process anew, and their values are the same.
"""

from __future__ import annotations

import functools
from importlib.metadata import version

#: The versions that Zermelo is declared for, from the lowest to the newest. CI solves with both.
TESTED = ("0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")


def is_tested() -> bool:
    """Return whether Zermelo may use private names of the installed Numba."""
    return _minor() in TESTED


def untested_numba() -> str | None:
    """Return the version of the installed Numba if it was not tested, else None."""
    return None if is_tested() else version("numba")


def tested_range() -> str:
    """Return the tested versions of Numba in words."""
    return f"{TESTED[0]} to {TESTED[-1]}"


@functools.cache
def _minor() -> str:
    """Return the first two numbers of the version of the installed Numba."""
    return ".".join(version("numba").split(".")[:2])
