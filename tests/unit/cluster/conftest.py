"""Solves on clusters small enough for a test, and workers that end when a test says so."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from support.processes.fake_workers import pretended
from zermelo import limits


@pytest.fixture
def shared():
    """Share every level of more than one tier, however small."""
    with limits.using(sharing=0):
        yield


@pytest.fixture
def among():
    """Run workers in this process; return a function of their number and of the lost ones."""
    with ExitStack() as stack:

        def these(size, draw=None):
            stack.enter_context(pretended(size, draw))
            return "local[1]"

        yield these
