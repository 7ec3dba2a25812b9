"""Solves on clusters small enough for a test, and workers that end when a test says so."""

from __future__ import annotations

import pytest

from support.processes.fake_workers import Pretended
from zermelo import limits
from zermelo._cluster import connect, pool


@pytest.fixture
def shared():
    """Share every level of more than one tier, however small."""
    with limits.using(sharing=0):
        yield


@pytest.fixture
def among(monkeypatch):
    """Run workers in this process; return a function of their number and of the lost ones."""
    monkeypatch.setattr(pool, "_PAUSE", 0.0)

    def these(size, draw=None):
        monkeypatch.setattr(connect, "_transport", lambda _: Pretended(size, draw))
        return "local[1]"

    return these
