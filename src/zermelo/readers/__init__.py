"""Readers of portable tables in JavaScript and C: one file each, to copy into a project."""

from __future__ import annotations

import os
from pathlib import Path

from zermelo.atomic_write import check_file, write_bytes
from zermelo.errors import TableWriteError

#: The files, in this folder.
FILES = ("zermelo_reader.c", "zermelo_reader.js")


def write_readers(folder: str | os.PathLike[str], *, overwrite: bool = False) -> list[Path]:
    """Write the readers of portable tables to a folder: ``zermelo_reader.c`` and ``…reader.js``.

    Each is a single file that needs a library for Zstandard and nothing else. It looks up values
    in a table that was saved with ``solution.save(path, portable=True)``.

    Args:
        folder: where to write them; it is created if necessary.
        overwrite: whether existing files may be replaced.

    Returns:
        The paths of the two files.

    Raises:
        TableExistsError: one of the files exists and may not be replaced.
        TableWriteError: the folder is not writable.
    """
    target = Path(folder)
    paths = [target / name for name in FILES]
    for path in paths:
        check_file(path, overwrite=overwrite)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot write to {str(folder)!r}: {error.strerror}; give another folder"
        raise TableWriteError(message) from None
    for path in paths:
        write_bytes(path, (Path(__file__).parent / path.name).read_bytes())
    return paths
