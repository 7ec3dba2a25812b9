"""Solves on clusters small enough for a test, and workers that end when a test says so."""

from __future__ import annotations

import pytest

from zermelo import limits


@pytest.fixture
def shared():
    """Have every level of more than one tier shared, however small it is."""
    with limits.using(sharing=0):
        yield
