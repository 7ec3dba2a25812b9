"""All patches of Numba, which are active while kernels compile.

They are made in the newest version only, whose code was read for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from zermelo._engine.core.compiling.versions import is_newest


@contextmanager
def numba_patched() -> Iterator[None]:
    """Patch Numba while this thread, and no other, compiles."""
    instead = _patches() if is_newest() else ()
    before = [getattr(owner, name) for owner, name, _ in instead]
    for owner, name, ours in instead:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        for (owner, name, _), theirs in zip(instead, before, strict=True):
            setattr(owner, name, theirs)


@cache
def _patches() -> tuple[tuple[Any, str, Any], ...]:
    """Return the patches: owner, name and replacement of each attribute."""
    # Imported on demand: that takes as long as to load a small game's kernels.
    from zermelo._engine.core.compiling.swapped import (
        call_types,
        events,
        lifetimes,
        lowering,
        registries,
        structs,
    )

    return (
        *call_types.INSTEAD,
        *events.INSTEAD,
        *registries.INSTEAD,
        *lifetimes.INSTEAD,
        *lowering.INSTEAD,
        *structs.INSTEAD,
    )
