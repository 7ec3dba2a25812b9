"""What holds for every result: a page in the table, files small enough to read, tests of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.results import FOLDER

PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
INDEX = (FOLDER / "index.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
#: The most bytes of a file of results.
MOST_BYTES = 50_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_was_known(page):
    """Each page is in the table, and says what was known and how it is done again."""
    text = page.read_text(encoding="utf-8")
    assert f"]({page.name})" in INDEX
    assert re.search(rf"^{page.stem}$", INDEX, re.MULTILINE)
    if page.stem != "corrections":  # it has several of each
        assert "\n## Known before\n" in text
    assert re.search(r"^\$ (zermelo|geng)", text, re.MULTILINE)


def test_files_are_small_and_named():
    """Each file of values is linked from the table and read by a test."""
    for path in FOLDER.glob("*.txt"):
        assert path.stat().st_size <= MOST_BYTES
        assert f"]({path.name})" in INDEX
        assert f'"{path.name}"' in TESTS
