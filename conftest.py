"""What every test session shares: examples that take their time, and documents that are run."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from sybil import Sybil

from support.documents import MARKDOWN

# The first example of a test may have to compile its rules, so no example has a deadline. The
# profile in force is kept otherwise: under CI, hypothesis picks one of its own.
settings.register_profile("zermelo", settings(), deadline=None)
settings.load_profile("zermelo")

# What is collected stays until the end. To look through it for garbage, again and again, takes a
# third of the time in which it is collected, and a tenth of the tests' after that.
gc.disable()

# However slow the machine, no line of progress comes between what a test expects to be written.
os.environ["ZERMELO_PROGRESS"] = "terminal"

# No test touches the user's own tables; and none is kept, so that a test does not answer another.
_HOME = os.environ["ZERMELO_HOME"] = tempfile.mkdtemp(prefix="zermelo-tests-")
os.environ["ZERMELO_TABLES_LIMIT"] = "0"


def pytest_unconfigure() -> None:
    """Remove the folder of tables that were kept."""
    shutil.rmtree(_HOME, ignore_errors=True)


_PAGES = ["README.md", "docs/*.md", "docs/*/*.md", "docs/games/*/*.md"]
pytest_collect_file = Sybil(patterns=_PAGES, **MARKDOWN).pytest()

#: Pages of games that are run by default; those of all others are slow, as each compiles a game.
_QUICK_PAGES = {"take-away.md", "tic-tac-toe.md"}
#: Folders whose pages each compile a game.
_SLOW_FOLDERS = {"results"}
#: Pages that compile a class, start processes or play many games in nearly every block.
_LONG_PAGES = {
    *("cluster.md", "larger-than-memory.md", "leetcode.md", "measure-an-agent.md", "prove.md"),
    *("solve-on-a-cluster.md", "sums.md"),
}
#: Pages that need packages of which the default tests do without.
_HEAVY_PAGES = {"openspiel-and-environments.md"}
#: Pages that take minutes; tests/unit/agents/test_training.py runs this one on a smaller board.
_HUGE_PAGES = {"train-an-agent.md"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the pages of most games, and those that need heavy packages, to the slow tests."""
    for item in items:
        page = Path(item.path)
        of_a_game = page.suffix == ".md" and page.parents[1].name == "games"
        slow = of_a_game and page.name not in _QUICK_PAGES
        slow |= page.suffix == ".md" and page.parent.name in _SLOW_FOLDERS
        if page.name in _HUGE_PAGES:
            item.add_marker(pytest.mark.huge)
        elif slow or page.name in _LONG_PAGES | _HEAVY_PAGES:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a failed test of timing a second chance in CI, which lists each that needed one."""
    if "CI" in os.environ and item.get_closest_marker("timing"):
        item.add_marker(pytest.mark.flaky(reruns=1))


#: Objects that tests may create before garbage is looked for. Python's own number takes a tenth of
#: the tests' time, most of it among what Numba keeps.
_NEW_OBJECTS = 100_000


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Look for garbage from now on, but not among what was collected."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    gc.enable()
