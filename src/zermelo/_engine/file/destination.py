"""Where a table may be put, and what a process that was killed has left there of it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from zermelo._engine.file.lock import UNFINISHED, locked
from zermelo.atomic_write import check_file
from zermelo.errors import TableExistsError, TableWriteError, ZermeloError

#: The table in its folder, whole but without its name.
WHOLE = "whole.table"


def folder_of(path: str | os.PathLike[str]) -> Path:
    """Return where what is not finished of a table is kept."""
    return Path(f"{os.fspath(path)}{UNFINISHED}")


def check_place(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """See, before any work is done for it, that a table can be put somewhere.

    Raises:
        TableExistsError: there is something already.
        TableWriteError: the folder is missing, or may not be written to.
    """
    target = Path(path)
    try:
        check_file(target, overwrite=overwrite)
    except TableExistsError:
        if target.is_file():
            _delete_leftovers(target)
        raise
    if not target.parent.is_dir():
        why = f"there is no folder {str(target.parent)!r}; create it first"
        message = f"{str(target)!r} cannot be written: {why}"
        raise TableWriteError(message)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        why = "its folder may not be written to; give another path"
        message = f"{str(target)!r} cannot be written: {why}"
        raise TableWriteError(message)
    return target


def goes_on(path: str | os.PathLike[str]) -> str:
    """Return a sentence on the checkpoint of an unfinished table, if there is one."""
    folder = folder_of(path)
    if not any(folder.glob("*.stage")) and not (folder / WHOLE).exists():
        return ""
    return f"{str(folder)!r} has a checkpoint: run the same command again to resume"


def _delete_leftovers(target: Path) -> None:
    """Delete the folder of a table that is finished, where a kill left no time for that."""
    folder = folder_of(target)
    path = folder / WHOLE
    with contextlib.suppress(OSError, ZermeloError):
        if not folder.is_dir() or any(folder.glob("*.stage")):
            return
        if path.exists() and not path.samefile(target):
            return
        handle = locked(folder)
        try:
            others = (path, folder / "identity.json", folder / "lock")
            for each in (*folder.glob("*.column"), *others):
                each.unlink(missing_ok=True)
            folder.rmdir()
        finally:
            os.close(handle)
