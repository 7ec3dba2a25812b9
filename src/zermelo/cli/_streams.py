"""Standard input, output and error, where they are not there, or go away."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

#: What the system says where something cannot be written or opened, whoever asks.
_REFUSALS = {
    errno.EACCES,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENAMETOOLONG,
    errno.ENFILE,
    errno.ENOSPC,
    errno.EPERM,
    errno.EROFS,
}


class ReaderGoneError(Exception):
    """Whoever read what a command writes, such as ``head``, reads no more of it."""

    #: As a shell has it of a process that a broken pipe ended: 128 and SIGPIPE.
    exit_code = 141

    def __init__(self) -> None:
        """Let nothing that is still in a buffer be written, as that would fail again."""
        super().__init__()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def stand_in() -> None:
    """Put streams that read and write nothing in the place of those that the caller has closed.

    So nothing asks what is not there, and no table gets the number of standard error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # stays open
            setattr(sys, name, stream)


def refusal(error: BaseException) -> str | None:
    """Return in a sentence what the system refused, or None where that may be a fault of ours."""
    if not isinstance(error, OSError) or error.errno not in _REFUSALS:
        return None
    where = "what this command writes" if error.filename is None else repr(error.filename)
    return f"the system refuses {where}: {error.strerror}; fix that and try again"
