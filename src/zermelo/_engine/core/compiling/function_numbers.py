"""A change of Numba: functions are numbered from a random number in each process.

Numba numbers functions of equal names, and the names of their code contain the number. Cached code
of several processes meets in one process. If two functions had one name, LLVM would link a call to
either. With Numba's own cache this can happen to closures
(https://github.com/numba/numba/issues/6264 says why it caches few of them).
"""

from __future__ import annotations

import itertools
import secrets

from numba.core.bytecode import FunctionIdentity


def number_from_random() -> None:
    """Start the numbers of functions at a random number."""
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(56))  # noqa: SLF001  # Numba has no other name
