"""What unit tests of several rooms share."""

from __future__ import annotations

import pytest

from zermelo.tables import cache as keeping


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty folder for tables, where every solve is worth keeping."""
    monkeypatch.setenv("ZERMELO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "1GB")
    monkeypatch.setattr(keeping, "WORTH_SECONDS", 0.0)
    monkeypatch.setattr(keeping, "WORTH_POSITIONS", 0)
    return tmp_path / "home" / "tables"
