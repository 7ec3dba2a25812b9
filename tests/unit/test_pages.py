"""What the pages list is all there is: a new module, hook or error needs its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import zermelo
from zermelo._engine.file.format import FORMAT
from zermelo._store.gameless import OPENERS
from zermelo.conformance.report import Kind
from zermelo.game.contract import HOOKS
from zermelo.tables.open import KINDS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "zermelo"
ARCHITECTURE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
WRITE_A_GAME = (ROOT / "docs" / "how-to" / "write-a-game.md").read_text(encoding="utf-8")
ASK_A_SOLUTION = (ROOT / "docs" / "how-to" / "ask-a-solution.md").read_text(encoding="utf-8")
TABLE_FORMAT = (ROOT / "docs" / "reference" / "table-format.md").read_text(encoding="utf-8")

#: The section of the architecture page that lists a folder's files.
SECTIONS = {
    "": "### The façade and the contract",
    "_compile": "### `_compile`",
    "_engine": "### `_engine`",
    "_store": "### `_store`",
    "analysis": "### `analysis`",
}
#: Kinds of hints, which explain themselves, and which the page therefore does not list.
HINTS = set(list(Kind)[list(Kind).index(Kind.MISSPELT) :])


@pytest.mark.parametrize("folder", SECTIONS, ids=lambda folder: folder or "zermelo")
def test_the_architecture_page_lists_the_files(folder):
    """Each module is in the table of its room, and each line of the table is a module."""
    section = ARCHITECTURE.partition(SECTIONS[folder])[2].partition("\n##")[0]
    listed = set(re.findall(r"^\| `(\w+\.py)` \|", section, re.MULTILINE))
    there = {path.name for path in (SOURCE / folder).glob("*.py")}
    assert listed == there - ({"__init__.py"} if folder else set())


def test_the_architecture_page_lists_the_rooms():
    """Each folder of the package is on the page."""
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    sections = {folder for folder in SECTIONS if folder}
    assert {room for room in rooms if f"`{room}/`" not in ARCHITECTURE} <= sections


@pytest.mark.parametrize("hook", [*HOOKS, "validate", "players", "no_moves"])
def test_the_how_to_lists_the_hooks(hook):
    """Each hook is on the page for authors."""
    assert re.search(rf"`{hook}[`(]", WRITE_A_GAME)


@pytest.mark.parametrize("kind", sorted(set(Kind) - HINTS))
def test_the_how_to_lists_the_kinds_of_errors(kind):
    """Each kind of error that check reports is in the table."""
    assert re.search(rf"^\|[^|]*`{kind}`", WRITE_A_GAME, re.MULTILINE)


@pytest.mark.parametrize("name", [n for n in zermelo.__all__ if n.endswith("Error")])
def test_the_how_to_lists_the_errors(name):
    """Each exception is on the page, with when it is raised."""
    assert f"`{name}`" in ASK_A_SOLUTION


def test_the_page_on_the_format_is_of_the_format_that_is_written():
    """Its number is the page's, whose example reads a table of it."""
    assert f"This is format {FORMAT}." in TABLE_FORMAT


@pytest.mark.parametrize("kind", [*KINDS, *OPENERS])
def test_the_page_on_the_format_lists_the_kinds_of_tables(kind):
    """Each kind that can be opened has a paragraph."""
    assert f"kind `{kind}`" in re.sub(r"\s+", " ", TABLE_FORMAT)
