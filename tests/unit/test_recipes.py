"""The tables of Python on the page of recipes: what works, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

from written.table import said_of_bodies

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "recipes.md"


def rows(columns: int) -> list[list[str]]:
    """Return the code of each line of the table that has so many columns."""
    lines = re.findall(r"^\| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [line.split(" | ") for line in lines]
    return [re.findall(r"`([^`]+)`", " ".join(row[:2])) for row in cells if len(row) == columns]


def test_what_the_page_says_works_is_solved_as_in_python(tmp_path: Path) -> None:
    """All of it in one game: the first table, and what the second says to write instead."""
    works = [row[0] for row in rows(2) if row] + [row[1] for row in rows(3) if row]
    assert len(works) > 20
    told = said_of_bodies({n: f"return {code}" for n, code in enumerate(works)}, tmp_path)
    assert [(code, told[n]) for n, code in enumerate(works) if told[n].how != "same"] == []


def test_what_the_page_says_does_not_work_is_refused(tmp_path: Path) -> None:
    """Each in a sentence with a remedy."""
    refused = [row[0] for row in rows(3) if row]
    assert len(refused) >= 10
    for number, code in enumerate(refused):
        said = said_of_bodies({number: f"return {code}"}, tmp_path)[number]
        assert said.how == "refused", code
        assert not said.words.startswith("("), (code, said)
