"""What unit tests of several rooms share."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import limits
from zermelo.games import TicTacToe


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty folder for tables, where every solve is worth keeping."""
    monkeypatch.setenv("ZERMELO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "1GB")
    with limits.using(cached_seconds=0.0, cached_positions=0):
        yield tmp_path / "home" / "tables"


@pytest.fixture(scope="session")
def noughts():
    """Tic-tac-toe, solved in plain Python; no test may change it."""
    with limits.using(plain_seconds=60.0):
        return zermelo.solve(TicTacToe())
