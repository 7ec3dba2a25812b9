"""What every test session shares: examples that take their time, and documents that are run."""

from __future__ import annotations

import os

from hypothesis import settings
from sybil import Sybil

from documents import MARKDOWN

# The first example of a test may have to compile its rules, so no example has a deadline. The
# profile in force is kept otherwise: under CI, hypothesis picks one of its own.
settings.register_profile("zermelo", settings(), deadline=None)
settings.load_profile("zermelo")

# However slow the machine, no line of progress comes between what a test expects to be written.
os.environ["ZERMELO_PROGRESS"] = "terminal"

pytest_collect_file = Sybil(patterns=["README.md", "docs/*.md", "docs/*/*.md"], **MARKDOWN).pytest()
