"""What every test session shares: examples that take their time, and documents that are run."""

from __future__ import annotations

import os
import shutil
import tempfile

from hypothesis import settings
from sybil import Sybil

from documents import MARKDOWN

# The first example of a test may have to compile its rules, so no example has a deadline. The
# profile in force is kept otherwise: under CI, hypothesis picks one of its own.
settings.register_profile("zermelo", settings(), deadline=None)
settings.load_profile("zermelo")

# However slow the machine, no line of progress comes between what a test expects to be written.
os.environ["ZERMELO_PROGRESS"] = "terminal"

# No test touches the user's own tables; and none is kept, so that a test does not answer another.
_HOME = os.environ["ZERMELO_HOME"] = tempfile.mkdtemp(prefix="zermelo-tests-")
os.environ["ZERMELO_TABLES_LIMIT"] = "0"


def pytest_unconfigure() -> None:
    """Remove the folder of tables that were kept."""
    shutil.rmtree(_HOME, ignore_errors=True)


pytest_collect_file = Sybil(patterns=["README.md", "docs/*.md", "docs/*/*.md"], **MARKDOWN).pytest()
