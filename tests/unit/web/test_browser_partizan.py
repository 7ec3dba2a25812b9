"""The explorer of partizan games in a real browser: values as games, thermographs, and an export.

It needs ``chromium`` and ``chromedriver``, as ``test_browser.py`` does.
"""

from __future__ import annotations

import json

import pytest

import zermelo
from support.browsers.explorer import Page, accessibility_faults
from support.browsers.sites import ASKED, hosted, played, stripped
from zermelo.games import Domineering
from zermelo.web.export.folder import write_site
from zermelo.web.session import ExplorerSession

pytestmark = [pytest.mark.slow, pytest.mark.timing]


@pytest.fixture(scope="module")
def solved():
    """The solution of Domineering on 3 by 3 squares."""
    return zermelo.solve(Domineering(3, 3), value="partizan")


def test_moves_have_values_and_roles(page, solved):
    """A short value is in the sign of a move, a long one beside it."""
    with page("domineering", solved) as at:
        rows = at.listed()
        assert rows[0] == ["b3b2", "1", "canonical"]
        assert rows[2] == ["a3a2", "−", "{1/2|-2}", "dominated by b3b2"]
        assert "as a game" in at.text("#legend")
        assert accessibility_faults(at) == []


def test_a_position_has_its_thermograph(page, solved):
    """With its canonical form, and the player to move as Left."""
    with page("domineering", solved) as at:
        assert at.text("#form") == "±1 = {1|-1}, with vertical (to move) as Left"
        assert at.text("#heat") == "Temperature 1, mean 0; stops 1 and -1."
        label = at.find("#thermograph svg").get_attribute("aria-label")
        assert label == "Thermograph: mean 0, temperature 1"
        at.open("?move=a3a2")
        at.wait(lambda: "with horizontal (to move) as Left" in at.text("#form"))
        at.find("#reveal").click()
        assert not at.find("#value").is_displayed()


def test_the_commonest_values_are_counted(page, solved):
    """In a table in place of a chart."""
    with page("domineering", solved) as at:
        at.find("#statistics-details summary").click()
        at.wait(lambda: "Values, the commonest first" in at.text("#statistics"))
        assert "±1 4" in at.text("#statistics")


def test_other_games_show_no_value_as_a_game(page):
    """The part of the page is hidden."""
    with page("take-away") as at:
        assert not at.find("#value").is_displayed()


def test_an_export_answers_as_the_server_does(chromium, solved, tmp_path):
    """Positions with thermographs, trees and matches are the same documents."""
    room = ExplorerSession("domineering")
    room.show(solved)
    write_site(room, tmp_path / "site")
    with hosted(tmp_path / "site") as url:
        at = Page(chromium, url)
        at.open()

        def ask(question, argument):
            return json.loads(at.browser.execute_async_script(ASKED, question, argument))

        for seed in range(4):
            keys = played(room, seed)
            document = room.match(None, keys)
            assert ask("match", {"move": keys}) == stripped(document)
            code = document.plies[0].position
            assert ask("position", code) == stripped(room.position(code))
            assert ask("tree", code) == stripped(room.tree(code))
        assert at.text("#form").startswith("±1 = {1|-1}")
        assert at.console() == []
