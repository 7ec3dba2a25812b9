"""Whether small games are solved in plain Python, as users have it, or by compiled rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo import limits

#: Folders of tests about compiled rules, also where their games are small. A module or a test
#: elsewhere that is about these has the mark ``compiled``.
_COMPILED = {"cluster", "compile", "engine", "golden", "heaps", "property", "store"}
#: CPU seconds in which a game is solved in plain Python. There are more of them than by default, so
#: that a busy machine does not compile what an idle one does not.
_SECONDS = 2.0


@pytest.fixture(autouse=True, scope="module")
def _plain_seconds(request: pytest.FixtureRequest):
    """Compile the rules of small games where the tests are about compiled rules."""
    folders = request.node.path.relative_to(Path(__file__).parent).parts
    compiled = request.node.get_closest_marker("compiled") or _COMPILED.intersection(folders)
    with limits.using(plain_seconds=0.0 if compiled else _SECONDS):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Compile the rules of a test's games where the test has the mark."""
    if item.get_closest_marker("compiled"):
        with limits.using(plain_seconds=0.0):
            return (yield)
    return (yield)
