"""An exclusive lock on a folder, which the system releases when its process dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from zermelo.errors import TableBusyError

if TYPE_CHECKING:
    from pathlib import Path

#: The suffix that turns the path of a table into the folder of its unfinished solve.
UNFINISHED = ".unfinished"


def locked(directory: Path) -> int:
    """Lock a folder, which is created if missing, and return the handle of the lock.

    Raises:
        TableBusyError: another process has locked it.
    """
    while True:
        with contextlib.suppress(FileExistsError):
            directory.mkdir()
        path = directory / "lock"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:
            if directory.parent.is_dir():
                continue  # another process has just finished, and deleted the folder
            raise
        except OSError:
            with contextlib.suppress(OSError):
                directory.rmdir()  # the disk has no space for the lock; a folder in use stays
            raise
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
            os.close(handle)
            raise _busy(directory, owner) from None
        except BaseException:
            os.close(handle)
            raise
        # The file may have been deleted and created again between opening and locking.
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(handle).st_ino:
                with contextlib.suppress(OSError):  # a full disk: the lock works without the number
                    os.ftruncate(handle, 0)
                    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
                return handle
        os.close(handle)


def _busy(directory: Path, owner: str) -> TableBusyError:
    process = f"process {owner}" if owner else "another process"
    table = str(directory).removesuffix(UNFINISHED)
    message = f"{table!r} is being written by {process}; wait for it, or give another path"
    return TableBusyError(message)
