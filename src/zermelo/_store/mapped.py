"""A table's file as it is shown in memory, and what a block says of itself there."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import zstandard

from zermelo.errors import MissingTableError

_told_size = zstandard.frame_content_size


def content_size(packed: bytes) -> int:
    """Return how many bytes a frame says that it holds, -1 where it does not say."""
    try:
        return _told_size(packed)
    except zstandard.ZstdError:
        return -1


def mapped(path: Path) -> mmap.mmap | bytes:
    """Return what stands in a file, which is read where it is looked at.

    Raises:
        MissingTableError: it is not there, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        message = f"there is no table at {str(path)!r}; save one there, or give another path"
        raise MissingTableError(message) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        message = f"{str(path)!r} cannot be read: {why}; give the file of a table"
        raise MissingTableError(message) from None
