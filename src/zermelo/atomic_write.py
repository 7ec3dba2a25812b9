"""Atomic writing of files, which appear when they are complete, and its errors.

All that Zermelo writes for a user goes through ``check_file``: a complete file replaces the one
with its name, and must never replace a device, a pipe or a link.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING

from zermelo.errors import TableExistsError, TableWriteError

if TYPE_CHECKING:
    from pathlib import Path


def check_file(path: Path, *, overwrite: bool) -> None:
    """Check that a file can be written to a path: only a file is ever replaced.

    Raises:
        TableExistsError: there is a file that may not be replaced, a folder, a device, a pipe or
            a link.
        TableWriteError: the path is invalid.
    """
    shown = repr(str(path))
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = None
    except OSError as error:
        raise write_error(path, error) from None
    except ValueError:
        message = f"{shown} cannot be written: a path has no null characters; give another path"
        raise TableWriteError(message) from None
    if mode is not None:
        if stat.S_ISDIR(mode):
            message = f"{shown} is a folder; give the path of a file"
            raise TableExistsError(message)
        if not stat.S_ISREG(mode):
            message = f"{shown} is a device or a pipe; give the path of a file"
            raise TableExistsError(message)
        if not overwrite:
            raise exists_error(path)
    if path.is_symlink():
        message = f"{shown} is a link; give the path that it leads to, {os.path.realpath(path)!r}"
        raise TableExistsError(message)


def create_draft(path: Path) -> Path:
    """Create an empty file beside a path, to be written and then renamed; return its path.

    It has the permissions of any new file of the user, which a temporary file may not have.

    Raises:
        OSError: it cannot be created.
    """
    part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    part.open("xb").close()
    return part


def publish_draft(part: Path, path: Path, *, overwrite: bool) -> None:
    """Rename a complete file, in one step.

    Raises:
        FileExistsError: there is a file with that name, which may not be overwritten.
        OSError: the system does not allow it.
    """
    if overwrite:
        part.replace(path)
        return
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError from None
        part.replace(path)
    else:
        part.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text atomically: a reader finds either the old file or the new one.

    Raises:
        TableExistsError: there is a folder, a device, a pipe or a link.
        TableWriteError: it cannot be written.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes atomically, likewise.

    Raises:
        TableExistsError: there is a folder, a device, a pipe or a link.
        TableWriteError: they cannot be written.
    """
    check_file(path, overwrite=True)
    part = None
    try:
        part = create_draft(path)
        part.write_bytes(content)
        publish_draft(part, path, overwrite=True)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Write a folder to disk too, if the system can do that."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def exists_error(path: Path) -> TableExistsError:
    """Return the error for a path that already exists."""
    message = f"{str(path)!r} already exists; give another path, or use overwrite=True"
    return TableExistsError(message)


def write_error(path: Path, error: OSError) -> TableWriteError:
    """Return the error on why a file cannot be written, with advice."""
    why = error.strerror or str(error)
    hint = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "give another path"
    return TableWriteError(f"{str(path)!r} cannot be written: {why}; {hint}")
