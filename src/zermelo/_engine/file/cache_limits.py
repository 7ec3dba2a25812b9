"""Memory limits of reading a table file: the block cache and its lifetime."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: The part of the memory budget that a sequential read of a file takes, as a divisor.
READ = 16
#: The part of the memory budget for cached blocks, as a divisor; and the bytes of the least cache,
#: which holds more than a block of each array.
PARTS, LEAST_CACHE = 4, 1 << 18


def reading_bytes(allowed: int) -> int:
    """Return the part of a memory budget that a sequential read of a file takes."""
    return max(allowed // READ, LEAST_CACHE)


def budget_with_reading(needed: int) -> int:
    """Return the least budget that leaves ``needed`` bytes in addition to a sequential read."""
    return max(needed + LEAST_CACHE, -(-READ * needed // (READ - 1)))


@contextmanager
def limited_reading(table: Any, allowed: int) -> Iterator[Any]:
    """Limit the memory of reading a table's file during the block.

    Args:
        table: positions and values, from a file or not.
        allowed: the memory budget in bytes.

    Yields:
        The file's reader, or None if there is none.
    """
    if table.file is None:
        yield None
        return
    table.file.reader.limit_cache(reading_bytes(allowed))
    try:
        yield table.file.reader
    finally:
        table.file.reset_cache_limit()


@contextmanager
def verified_reading(table: Any, allowed: int, report: Reporter) -> Iterator[None]:
    """Check the checksums of a table's file, and limit the memory of reading it during the block.

    Args:
        table: positions and values, from a file or not.
        allowed: the memory budget in bytes.
        report: receives the phase ``checksums``.

    Raises:
        CorruptTableError: the file is damaged.
    """
    with limited_reading(table, allowed) as reader:
        if reader is not None:
            with report.phase("checksums"):
                reader.compare()  # blocks are checked when they are read
        yield


@contextmanager
def limited_cache(table: Any, capacity: int) -> Iterator[None]:
    """Limit the block cache of a table's file during the block, for one thread.

    Args:
        table: positions and values, from a file with limited reading or not from a file.
        capacity: the bytes of the cache.
    """
    if table.file is None:
        yield
        return
    previous_limit = table.file.reader.cache_limit
    table.file.limit_cache(capacity)
    try:
        yield
    finally:
        table.file.reset_cache_limit()
        table.file.reader.limit_cache(previous_limit)
