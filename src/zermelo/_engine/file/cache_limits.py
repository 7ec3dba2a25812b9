"""Reading a table's file within some memory: which blocks are cached, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: The part of the memory there is in which a file is read from one end to the other.
READ = 16
#: The share of the memory for parts of a table, and the least: a block of each array, and more.
PARTS, LEAST_CACHE = 4, 1 << 18


def reading_bytes(allowed: int) -> int:
    """Return the bytes in which a file is read, of those that may be taken."""
    return max(allowed // READ, LEAST_CACHE)


def with_reading(needed: int) -> int:
    """Return the least that has to be allowed, so that so much is left beside reading a file."""
    return max(needed + LEAST_CACHE, -(-READ * needed // (READ - 1)))


@contextmanager
def read_within(table: Any, allowed: int) -> Iterator[Any]:
    """Have the file of a table read within some memory, and afterwards without a limit.

    Args:
        table: positions and values, from a file or not.
        allowed: bytes that may be taken in all.

    Yields:
        What reads the file, or None where there is none.
    """
    if table.file is None:
        yield None
        return
    table.file.reader.cache_within(reading_bytes(allowed))
    try:
        yield table.file.reader
    finally:
        table.file.cache_freely()


@contextmanager
def compared(table: Any, allowed: int, report: Reporter) -> Iterator[None]:
    """See that the file of a table is what was written, and read it within some memory then.

    Args:
        table: positions and values, from a file or not.
        allowed: bytes that may be taken in all.
        report: is told that checksums are compared.

    Raises:
        CorruptTableError: the file is damaged.
    """
    with read_within(table, allowed) as reader:
        if reader is not None:
            with report.phase("checksums"):
                reader.compare()  # what blocks hold is looked at when they are read
        yield


@contextmanager
def limited_cache(table: Any, capacity: int) -> Iterator[None]:
    """Have the one thread that asks a table keep little of what it reads, if that is in a file.

    Args:
        table: positions and values; its file is read within some memory.
        capacity: bytes of parts that may be kept.
    """
    if table.file is None:
        yield
        return
    before = table.file.reader.cached_within
    table.file.cache_within(capacity)
    try:
        yield
    finally:
        table.file.cache_freely()
        table.file.reader.cache_within(before)
