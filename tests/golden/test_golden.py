"""No solution has changed, stored tables open, and those of another format are refused."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

import zermelo
from golden.cases import CASES
from golden.checksums import KNOWN, checksum, measured, rows_of
from golden.stored import HERE, STORED, format_of, stored
from support.sizes import but

#: The newest format of which a table is stored.
FORMAT = max(int(path.name.split(".")[0].rsplit("-", 1)[1]) for path in HERE.glob("*.table.b64"))
GOLDEN = json.loads(KNOWN.read_text())
#: Cases that are run by default: small ones, whose kernels many tests need.
QUICK = ("retrograde, misère", "levels, extra turns")


@pytest.mark.parametrize("name", but(CASES, *CASES.keys() - set(QUICK)))
def test_values_are_as_they_were(name: str, tmp_path: Path) -> None:
    """Solved in every way there is memory for, saved and opened, folded or not."""
    assert measured(CASES[name], tmp_path) == GOLDEN[name]


def test_nothing_known_goes_uncompared() -> None:
    """Each case that was written down is still there."""
    assert list(GOLDEN) == list(CASES)


def test_each_stored_table_is_there_in_todays_format(tmp_path: Path) -> None:
    """So that a file which was written once is opened below, and not only refused."""
    data = STORED["take-away"].solve().save(tmp_path / "new.table").read_bytes()
    assert format_of(data) == FORMAT
    assert [name for name in STORED if not stored(name, FORMAT).exists()] == []


@pytest.mark.parametrize("name", but(STORED, "graph"))
def test_a_table_that_was_stored_once_still_opens(name: str, tmp_path: Path) -> None:
    """It has the values of a new solve, and its certificate; no change of the code orphans it."""
    table = STORED[name]
    path = tmp_path / "old.table"
    path.write_bytes(base64.b64decode(stored(name, FORMAT).read_text()))
    fresh = table.solve()
    with zermelo.open(path, table.game) as opened:
        assert checksum(rows_of(opened)) == checksum(rows_of(fresh))
        assert opened.counts() == fresh.counts()
        found = opened.verify()
        assert found, found.problem
        assert found.positions == len(opened)


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(HERE.glob("*.table.b64")) if not path.match(f"*-{FORMAT}.table.b64")],
    ids=lambda path: path.name.partition(".")[0],
)
def test_a_table_of_an_older_format_is_refused_with_what_to_do(path: Path, tmp_path: Path) -> None:
    """The sentence names its format, and says to solve again."""
    name, number = path.name.removesuffix(".table.b64").rsplit("-", 1)
    old = tmp_path / "old.table"
    old.write_bytes(base64.b64decode(path.read_text()))
    with pytest.raises(zermelo.CorruptTableError, match=f"format {number}.*solve again"):
        zermelo.open(old, STORED[name].game)
