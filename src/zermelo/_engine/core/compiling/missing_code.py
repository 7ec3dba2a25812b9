"""A change of Numba: code that was not loaded raises ``KeyboardInterrupt`` instead of a crash.

LLVM requests code from disk through a callback from C, where Python can only print an exception. If
Ctrl-C comes meanwhile, the code is missing, and Numba writes a function's environment to address 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.codegen import JITCPUCodegen

_set_env: Callable[[Any, str, Any], None] = JITCPUCodegen.set_env


def raise_if_missing() -> None:
    """Replace the method of Numba that sets a function's environment."""
    JITCPUCodegen.set_env = _set_env_if_loaded


def _set_env_if_loaded(self: Any, name: str, environment: Any) -> None:
    """Set a function's environment, unless its code is missing."""
    if not self._engine.get_global_value_address(name):
        raise KeyboardInterrupt
    _set_env(self, name, environment)
