"""LRU eviction for caches on disk."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

#: Seconds between two updates of a file's time of last use, and between two evictions.
DAY = 24 * 3600.0


def evict_oldest(files: Iterable[Path], most: int, new: Path | None = None) -> None:
    """Delete the least recently used files until the others take at most ``most`` bytes.

    Args:
        files: the files; the time of last change is the time of last use.
        most: the most bytes that they may take together.
        new: a file that is never deleted.
    """
    sizes: list[tuple[float, int, Path]] = []
    for path in files:
        with suppress(OSError):
            known = path.stat()
            sizes.append((known.st_mtime, known.st_size, path))
    total = sum(size for _, size, _ in sizes)
    for _, size, path in sorted(sizes):
        if total <= most:
            return
        if path != new:
            with suppress(OSError):
                path.unlink()
                total -= size
