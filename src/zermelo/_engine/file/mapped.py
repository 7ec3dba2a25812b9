"""A table's file as it is shown in memory, and what a block says of itself there."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo.errors import MissingTableError

#: Bytes that the system shows around a block that does not follow on the one before.
AROUND = 1 << 16

_told_size = zstandard.frame_content_size


def content_size(compressed: bytes | memoryview) -> int:
    """Return how many bytes a frame says that it holds, -1 where it does not say."""
    try:
        return _told_size(compressed)
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


def shown(begins: npt.NDArray[np.int64], blocks: npt.NDArray[np.int64]) -> int:
    """Return how many bytes of a file the system shows where some blocks are read.

    Args:
        begins: where each block of the file begins, and where the last ends.
        blocks: which, ascending.
    """
    low, past = begins[blocks], begins[blocks + 1]
    gaps = int(np.count_nonzero(low[1:] != past[:-1]))
    return min(int((past - low).sum()) + gaps * AROUND, int(past[-1] - low[0]))
