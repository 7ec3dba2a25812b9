"""What the tests of ``check`` share: no hurry."""

from __future__ import annotations

import math

import pytest

from zermelo.conformance import walk


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """However slow the machine, a check looks at as many positions as it is asked to."""
    monkeypatch.setattr(walk, "monotonic", lambda: -math.inf)
