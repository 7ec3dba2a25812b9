"""Processes that take Ctrl-C as at a terminal."""

from __future__ import annotations

import sys

#: Python has to be told before it starts; telling it between fork and exec would fork this process,
#: which is unsafe once a library has threads in it.
LAUNCHER = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def heeding(*command):
    """Return the command so started that it heeds Ctrl-C, also in a background that ignores it."""
    return [sys.executable, "-c", LAUNCHER, *command]
