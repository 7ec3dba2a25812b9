"""Ctrl-C during the import of the command ``zermelo``: it ends without a traceback.

The package imports this first. Python's own handler raises KeyboardInterrupt anywhere in an import;
the system's ends the process, as it ends any program. The command sets Python's handler again
(``zermelo.cli.errors.ensure_interruptible``), and a program that imports the package as a library
never loses it.
"""

from __future__ import annotations

import contextlib
import signal
import sys


def is_command() -> bool:
    """Return whether this process runs the command, and not a program that imports the package."""
    if sys.argv[:1] == ["-m"]:  # while ``python -m`` searches for the module
        return sys.orig_argv[1:3] == ["-m", "zermelo"]
    return sys.argv[0].rpartition("/")[2] == "zermelo" if sys.argv else False


if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    with contextlib.suppress(ValueError):  # another thread than the main one imports
        signal.signal(signal.SIGINT, signal.SIG_DFL)
