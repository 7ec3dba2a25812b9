"""No solution has changed, and tables of another format are refused with what to do."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

import zermelo
from golden.cases import CASES
from golden.checksums import KNOWN, checksum, measured, rows_of
from sizes import some
from zermelo.games import TakeAway

GOLDEN = json.loads(KNOWN.read_text())


@pytest.mark.parametrize("name", some(CASES, 5))
def test_values_are_as_they_were(name: str, tmp_path: Path) -> None:
    """Solved in every way there is memory for, saved and opened, folded or not."""
    assert measured(CASES[name], tmp_path) == GOLDEN[name]


def test_nothing_known_goes_uncompared() -> None:
    """Each case that was written down is still there."""
    assert list(GOLDEN) == list(CASES)


def format_of(table: bytes) -> int:
    """Return the format that the first line of a table names."""
    match = re.match(rb"ZERMELO-TABLE (\d+) ", table)
    assert match is not None
    return int(match[1])


@pytest.mark.parametrize("stored", sorted(Path(__file__).parent.glob("*.table.b64")), ids=str)
def test_a_table_of_an_older_format_is_refused_with_what_to_do(stored: Path, tmp_path) -> None:
    """While its format is that of today it opens, and its values are those of a new solve."""
    game = TakeAway(stones=40, limit=3)
    old, new = tmp_path / "old.table", tmp_path / "new.table"
    old.write_bytes(base64.b64decode(stored.read_text()))
    fresh = zermelo.solve(game)
    fresh.save(new)
    then, now = format_of(old.read_bytes()), format_of(new.read_bytes())
    assert then <= now
    if then < now:
        with pytest.raises(zermelo.CorruptTableError, match=f"format {then}.*solve again"):
            zermelo.open(old, game)
        return
    try:
        with zermelo.open(old, game) as opened:
            assert checksum(rows_of(opened)) == checksum(rows_of(fresh))
    except zermelo.StaleTableError as error:  # rules are compiled otherwise than they were
        assert "solve" in str(error)  # noqa: PT017  # that it opens is as good
