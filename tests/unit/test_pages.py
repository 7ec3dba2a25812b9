"""What the pages list is all there is: a new module, hook or error needs its line."""

from __future__ import annotations

import ast
import re
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

import zermelo
from zermelo.conformance.report import ProblemKind
from zermelo.game.contract import HOOKS
from zermelo.tables.open import GAMELESS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "zermelo"
ARCHITECTURE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
HOOKS_PAGE = (ROOT / "docs" / "reference" / "hooks.md").read_text(encoding="utf-8")
ASK_A_SOLUTION = (ROOT / "docs" / "how-to" / "ask-a-solution.md").read_text(encoding="utf-8")
TABLE_FORMAT = (ROOT / "docs" / "reference" / "table-format.md").read_text(encoding="utf-8")

#: Kinds of hints, which explain themselves, and which the page therefore does not list.
HINTS = set(list(ProblemKind)[list(ProblemKind).index(ProblemKind.MISSPELT) :])


def test_the_architecture_page_has_the_first_line_of_each_folder():
    """Its list says of each folder what the folder says of itself, kinds of games left out."""
    folders = {
        path.parent.relative_to(SOURCE).as_posix(): first_line(path)
        for path in SOURCE.glob("**/__init__.py")
        if path.parent not in (SOURCE, *(SOURCE / "games").iterdir())
    }
    listed = re.findall(r"^- `([a-z_/]+)/`: (.*)$", ARCHITECTURE, re.MULTILINE)
    assert dict(listed) == folders


def test_the_architecture_page_has_the_picture_that_the_linter_holds():
    """Each layer of the package is a line of the picture, with the same names, in their order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["id"]: each for each in project["tool"]["importlinter"]["contracts"]}
    layers = [set(layer.split(" | ")) for layer in contracts["layers"]["layers"]]
    picture = re.search(r"^```text\n(.*?)^```$", ARCHITECTURE, re.MULTILINE | re.DOTALL)[1]
    drawn = [set(re.split(" {3,}", line.strip())[0].split()) for line in picture.splitlines()]
    assert [{"__main__"}, *drawn] == layers


def test_the_architecture_page_is_read_in_ten_minutes():
    """It has no more words than that; what parts are made of is on pages of their own."""
    assert len(ARCHITECTURE.split()) <= 2300


def test_the_comparison_with_other_tools_is_dated():
    """It says of when it is and when its sources were read, and names a source for each tool."""
    page = (ROOT / "docs" / "explanation" / "other-tools.md").read_text(encoding="utf-8")
    month = re.search(r"^This page is of (\w+ \d{4}),", page, re.MULTILINE)
    assert month
    sources = page.partition("\n## Sources\n")[2]
    day = re.match(r"\nRead on (\d+ \w+ \d{4}):", sources)
    assert day
    read = datetime.strptime(day[1], "%d %B %Y")  # noqa: DTZ007  # a day has no zone
    assert read.strftime("%B %Y") == month[1]
    tools = re.findall(r"^\|(.+?)\|", page, re.MULTILINE)[2:]
    linked = [name for cell in tools for name in re.findall(r"\[(\w+)\]\(https://", cell)]
    assert len(linked) > len(tools) - 2 > 9
    assert [name for name in linked if name not in sources] == []


def first_line(path):
    """Return the first line of a module's docstring, as a page writes it."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return text.partition("\n\n")[0].replace("\n", " ").replace("``", "`")


@pytest.mark.parametrize("hook", [*HOOKS, "validate", "players", "no_moves"])
def test_the_reference_lists_the_hooks(hook):
    """Each hook is on the page for authors."""
    assert re.search(rf"`{hook}[`(]", HOOKS_PAGE)


@pytest.mark.parametrize("kind", sorted(set(ProblemKind) - HINTS))
def test_the_reference_lists_the_kinds_of_errors(kind):
    """Each kind of error that check reports is in the table."""
    assert re.search(rf"^\|[^|]*`{kind}`", HOOKS_PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", [n for n in zermelo.__all__ if n.endswith("Error")])
def test_the_how_to_lists_the_errors(name):
    """Each exception is on the page, with when it is raised."""
    assert f"`{name}`" in ASK_A_SOLUTION


def test_the_page_on_the_format_is_of_the_format_that_is_written(tmp_path):
    """Its number is the page's, and is in the first line of a table."""
    table = zermelo.solve(zermelo.games.TakeAway(3)).save(tmp_path / "x.table")
    assert f"This is format {int(table.read_bytes().split()[1])}." in TABLE_FORMAT


#: The names of the forms of tables, in which their modules register them.
FORMS = {
    name
    for path in SOURCE.rglob("*.py")
    for name in re.findall(
        r"^class \w+\((?:Table|Bitwise)Form\):.*?^    name = \"(\w+)\"",
        path.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
}


@pytest.mark.parametrize("kind", sorted({*FORMS, *GAMELESS}))
def test_the_page_on_the_format_lists_the_kinds_of_tables(kind):
    """Each kind that can be opened has a paragraph."""
    assert f"kind `{kind}`" in re.sub(r"\s+", " ", TABLE_FORMAT)
