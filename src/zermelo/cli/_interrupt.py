"""Ctrl-C, also while compiled code runs."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._errors import INTERRUPTED, interrupted, pressed, told_interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Seconds that Python gets to end on its own after Ctrl-C.
_GRACE = 1.0
_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def interruptible() -> Iterator[None]:
    """Make sure that Ctrl-C ends this process.

    Python turns the signal into KeyboardInterrupt between two of its own instructions, and so
    not while a rule compiled from an author's class goes round for ever. The signal is also
    written to a pipe at once; a thread that reads it there ends a process that does not end. Where
    LLVM calls back while it compiles, Python can only say that it takes no notice of the exception,
    and here does not.
    """
    hook = sys.unraisablehook

    def lost(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            pressed.set()
        else:
            hook(unraisable)

    sys.unraisablehook = lost
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.set_wakeup_fd(before)
        os.close(writing)


def _watch(reading: int) -> None:
    while signals := os.read(reading, 1):
        if signal.SIGINT in signals:
            pressed.set()
            break
    else:
        os.close(reading)
        return
    time.sleep(_GRACE)
    if sys.stderr.isatty():
        click.echo(_SHOW_CURSOR, nl=False, err=True)  # a progress bar had hidden it
    if not told_interrupted.is_set():
        interrupted().show()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
