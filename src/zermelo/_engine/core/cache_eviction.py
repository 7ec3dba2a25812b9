"""Caches on disk that stay within a size: the files that were not used for longest go first."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def make_room(files: Iterable[Path], most: int, new: Path | None = None) -> None:
    """Delete the files that have not been used for longest, until the others have room.

    Args:
        files: the files. When one was used is when it was last changed.
        most: the bytes that they may take together.
        new: a file that stays in any case.
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
