"""Checks that a table can be written to a path, and leftovers of killed processes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from zermelo._engine.file.lock import UNFINISHED, locked
from zermelo.atomic_write import check_file
from zermelo.errors import TableExistsError, TableWriteError, ZermeloError

#: The name of the complete table in its folder, before it is renamed to its path.
WHOLE = "whole.table"


def folder_of(path: str | os.PathLike[str]) -> Path:
    """Return the folder of the unfinished solve of a table."""
    return Path(f"{os.fspath(path)}{UNFINISHED}")


def check_place(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Check that a table can be written to a path, before any work is done for it.

    Raises:
        TableExistsError: the path exists, and may not be overwritten.
        TableWriteError: the folder is missing, or not writable.
    """
    target = Path(path)
    try:
        check_file(target, overwrite=overwrite)
    except TableExistsError:
        if target.is_file():
            _delete_leftovers(target)
        raise
    if not target.parent.is_dir():
        reason = f"there is no folder {str(target.parent)!r}; create it first"
        message = f"{str(target)!r} cannot be written: {reason}"
        raise TableWriteError(message)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        reason = "its folder may not be written to; give another path"
        message = f"{str(target)!r} cannot be written: {reason}"
        raise TableWriteError(message)
    return target


def resume_hint(path: str | os.PathLike[str]) -> str:
    """Return a sentence about the checkpoint of an unfinished table, or "" if there is none."""
    folder = folder_of(path)
    if not any(folder.glob("*.stage")) and not (folder / WHOLE).exists():
        return ""
    return f"{str(folder)!r} has a checkpoint: run the same command again to resume"


def _delete_leftovers(target: Path) -> None:
    """Delete the folder of a finished table, which a killed process may have left."""
    folder = folder_of(target)
    path = folder / WHOLE
    with contextlib.suppress(OSError, ZermeloError):
        if not folder.is_dir() or any(folder.glob("*.stage")):
            return
        if path.exists() and not path.samefile(target):
            return
        handle = locked(folder)
        try:
            files = (path, folder / "identity.json", folder / "lock")
            for file in (*folder.glob("*.column"), *files):
                file.unlink(missing_ok=True)
            folder.rmdir()
        finally:
            os.close(handle)
