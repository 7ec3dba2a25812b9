"""The tables of Python in the guides: what works, what is refused, and what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.games.written.table import Said, said_of_bodies
from support.sizes import some

#: These are about compiled rules.
pytestmark = pytest.mark.compiled

GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
RECIPES = (GUIDES / "recipes.md").read_text(encoding="utf-8")
WRITING = (GUIDES.parent / "reference" / "rules.md").read_text(encoding="utf-8")

#: What the page of recipes says stands at the top of the module.
TOP = re.search(r"```python\n(JUMPS = .*?)```", RECIPES, re.DOTALL)[1]  # type: ignore[index]


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of each line of the table with a heading."""
    _, _, rest = page.partition(f"\n{heading}\n")
    lines = rest.partition("\n\n")[0].splitlines()[1:]
    return [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines]


def code(cell: str) -> str:
    """Return the code that a cell of a table is."""
    return "return " + re.fullmatch(r"`([^`]+)`", cell)[1]  # type: ignore[index]


WORKS = [code(row[1]) for row in rows(RECIPES, "| for | write |")]
REFUSED = [(code(row[0]), code(row[1])) for row in rows(RECIPES, "| not this | but | why |")]
#: Each line of the table of the guide, as its left side is written, and as its right side is.
WRITTEN = {
    "`/`, `0.5`": ("return int(p.x / 2 + 0.5)", "return (p.x + 1) // 2"),
    "strings in positions, or made by rules": ("return len(repr(p.x))", "return SIZE"),
    "a `dict` or a `set` that changes inside a rule": (
        "seen = {}\nfor v in p.row:\n    seen[v] = n\nreturn len(seen)",
        "seen = 0\nfor v in p.row:\n    seen |= 1 << v\nreturn seen.bit_count()",
    ),
    "a `lambda` but for `key=` and the like, a function inside a function": (
        "f = lambda v: v + n\nreturn f(p.x)",
        "return double(p.x) + sorted(p.row, key=lambda v: -v)[0]",
    ),
    "`try`": (
        "try:\n    return p.row.index(n)\nexcept ValueError:\n    return 3",
        "return p.row.index(n) if n in p.row else 3",
    ),
    "`print`": ("print(p)\nreturn n", "return n + 1"),
    "a helper `def f(*args)`": ("return add_all(p.x, n)", "return add_both(p.x, n)"),
    "numbers past 64 bits": ("return HUGE % (p.x + 1)", "return p.x + p.turns"),
}
GOOD = [*WORKS, *(good for _, good in REFUSED), *(good for _, good in WRITTEN.values())]
BAD = [*(bad for bad, _ in REFUSED), *(bad for bad, _ in WRITTEN.values())]


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    """What becomes of all that is to work, in one game."""
    told = said_of_bodies(dict(enumerate(GOOD)), tmp_path_factory.mktemp("rows"), TOP)
    return {GOOD[number]: said for number, said in told.items()}


def test_the_tables_are_read() -> None:
    """Each row of the guide's table is written out above."""
    assert len(WORKS) > 15
    assert len(REFUSED) >= 10
    assert [row[0] for row in rows(WRITING, "| not this | but |")] == list(WRITTEN)


@pytest.mark.slow
@pytest.mark.parametrize("body", GOOD)
def test_a_row_that_works_is_solved_as_in_python(body: str, solved: dict[str, Said]) -> None:
    """So are all that are written instead of what is refused."""
    assert solved[body].how == "same", solved[body]


@pytest.mark.parametrize("body", some(BAD, 6))
def test_a_row_that_does_not_work_is_refused_with_a_remedy(body: str, tmp_path: Path) -> None:
    """Each is refused for itself, as all names in it exist."""
    said = said_of_bodies({0: body}, tmp_path, TOP)[0]
    assert said.how == "refused"
    assert not said.words.startswith("("), said
    assert "not defined" not in said.words
