"""The picture in the how-to that trains agents is what its command draws, of the page's numbers."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree as ET  # the picture is our own

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def agents():
    """Give the module that draws the picture."""
    path = DOCS / "agents.py"
    spec = importlib.util.spec_from_file_location("zermelo_docs_agents", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_up_to_date(agents):
    """If this fails, run ``python docs/agents.py`` and look at docs/_static/agents.svg."""
    page = agents.PAGE.read_text(encoding="utf-8")
    assert agents.PLACE.read_text(encoding="utf-8") == agents.picture(page)
    assert "](../_static/agents.svg)" in page


def test_the_picture_stands_alone(agents):
    """It is XML, and fetches nothing."""
    text = agents.PLACE.read_text(encoding="utf-8")
    assert ET.fromstring(text).tag.endswith("svg")  # noqa: S314
    assert not re.search(r"href|url\(|@import|<script", text)


def test_the_bars_are_as_long_as_the_numbers_say(agents):
    """Each of the six rows has two bars, and a mark where the table tells of random moves."""
    rows = agents.rows(agents.PAGE.read_text(encoding="utf-8"))
    assert [row.agent for row in rows] == ["network", "Q-learner"] * 3
    assert len({row.where for row in rows}) == 3
    page = (
        "| all positions | network | 80.0 % (random 60.0 %) | 90.0 % | 18.0 % |\n"
        "| | Q-learner | 25.0 % (24.0 to 26.0 %) | 50.0 % | no won position |\n"
    )
    one, other = agents.rows(page)
    assert one == ("all positions", "network", 80, 60, 90)
    assert other == ("all positions", "Q-learner", 25, None, 50)
    drawn = agents.picture(page)
    widths = re.findall(r"width='([\d.]+)' height='16' rx='2' fill='var\(--(?:n|l)", drawn)
    assert [float(width) / agents.FULL for width in widths] == [0.8, 0.9, 0.25, 0.5]
    assert drawn.count("stroke-width='2'") == 2  # the mark and what it means
