"""The picture in the README is what its command draws, and what it shows is so."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree as ET  # the picture is our own

import pytest

import zermelo
from zermelo.games import TicTacToe

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def banner():
    """Give the module that draws the picture."""
    path = ROOT / "docs" / "banner.py"
    spec = importlib.util.spec_from_file_location("zermelo_docs_banner", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_up_to_date(banner):
    """If this fails, run ``python docs/banner.py`` and look at docs/_static/banner.svg."""
    assert banner.banner() == banner.PLACE.read_text(encoding="utf-8")


def test_the_picture_stands_alone(banner):
    """A host that shows the README shows it too: it is XML and fetches nothing."""
    text = banner.PLACE.read_text(encoding="utf-8")
    assert ET.fromstring(text).tag.endswith("svg")  # noqa: S314
    assert not re.search(r"href|url\(|@import|<script|data-move", text)
    assert "docs/_static/banner.svg" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_values_in_the_picture_are_those_of_the_moves(banner):
    """After a corner, seven replies lose in six plies and the centre ties in eight."""
    panel = banner.PANELS[0]
    options = zermelo.solve(TicTacToe()).options(panel.game.parse(panel.position))
    drawn, _ = banner._drawn(panel)
    assert drawn.count("\u22126<") == 7
    assert drawn.count("=8<") == 1
    assert options[0].name == "b2"


def test_each_page_of_a_game_can_be_in_the_gallery():
    """A page of a game begins with a heading and has a picture, which make its card."""
    for page in sorted((ROOT / "docs" / "games").glob("*/*.md")):
        text = page.read_text(encoding="utf-8")
        assert re.match(r"# .+\n", text), page.name
        assert "```{picture} " in text, page.name
