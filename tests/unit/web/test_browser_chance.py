"""The explorer of games with chance in a real browser: rolls, odds, percentages, and an export.

It needs ``chromium`` and ``chromedriver``, as ``test_browser.py`` does.
"""

from __future__ import annotations

import json
import re

import pytest
from selenium.webdriver.common.keys import Keys

import zermelo
from support.browsers.explorer import Page, accessibility_faults
from support.browsers.sites import ASKED, hosted, played, stripped
from support.games.dice_games import Cards, Pig, Snails
from zermelo.web.export.folder import write_site
from zermelo.web.session import ExplorerSession

pytestmark = [pytest.mark.slow, pytest.mark.timing]

GAMES = {"pig": Pig(10), "snails": Snails(5), "cards": Cards(4)}


@pytest.fixture(scope="module")
def solved():
    """The solved games."""
    return {name: zermelo.solve(game) for name, game in GAMES.items()}


def tiles(at):
    """Return the tiles of the results of chance, as texts."""
    return [tile.text.split("\n") for tile in at.all("#tiles .tile")]


def test_the_results_of_chance_are_shown_with_their_odds(page, solved):
    """As tiles below the board, and in a list with percentages."""
    with page("snails", solved["snails"]) as at:
        assert at.text("#state").startswith("first to roll; ")
        assert tiles(at) == [["1", "2/4"], ["2", "1/4"], ["3", "1/4"]]
        assert at.text("#moves-title") == "Chance decides"
        assert [row[0] for row in at.listed()] == ["1 (2/4)", "2 (1/4)", "3 (1/4)"]
        assert all(row[2].endswith(" %") for row in at.listed())
        assert not at.find("#best").is_enabled()
        assert accessibility_faults(at) == []


def test_a_result_is_chosen_by_a_click(page, solved):
    """Then the same player moves, and each move says what it gives away."""
    with page("snails", solved["snails"]) as at:
        at.all("#tiles .tile")[2].click()
        at.wait(lambda: at.plies() == 1)
        assert at.text("#state").startswith("first rolled 3 (1/4). first to move; the first player")
        assert not at.find("#chance").is_displayed()
        best, worse = at.listed()
        assert best[0] == "crawl"
        assert best[2].endswith(" %")
        assert "(−" in worse[2]
        assert [each.text.split()[0] for each in at.all("#moves h3")] == ["Best", "Worse"]
        at.find("#best").click()
        at.wait(lambda: at.plies() == 2)
        assert "second to roll" in at.text("#state")


def test_the_button_rolls(page, solved):
    """By a click, and by its key."""
    with page("pig", solved["pig"]) as at:
        at.all("#moves li button")[0].click()
        at.wait(lambda: at.plies() == 1)
        at.find("#roll").click()
        at.wait(lambda: at.plies() == 2)
        assert "rolled" in at.text("#state")
        assert at.all("#history .die")
        at.open("?move=roll")
        at.find("body").send_keys("r")
        at.wait(lambda: at.plies() == 2)


def test_rolls_are_taken_back_and_made_again(page, solved):
    """They are steps of the match like moves, and of the browser's history."""
    with page("pig", solved["pig"]) as at:
        at.open("?move=roll&move=3+(1/6)&move=hold")
        assert at.plies() == 3
        assert "gave away" in at.text("#history")
        at.find("#undo").click()
        at.wait(lambda: at.plies() == 2)
        at.find("#undo").click()
        at.wait(lambda: at.plies() == 1 and tiles(at))
        at.browser.back()
        at.wait(lambda: at.plies() == 2)
        at.find("body").send_keys(Keys.ARROW_RIGHT)
        at.wait(lambda: at.plies() == 3)
        assert len(at.all("#chart .point")) == 4
        assert "with probability" in at.text("#chart .tip")


@pytest.mark.parametrize("name", [pytest.param("pig", marks=pytest.mark.huge), "snails"])
def test_the_computer_rolls_for_itself(page, solved, name):
    """Its whole turn, which is then told; the user rolls in their own."""
    with page(name, solved[name]) as at:
        at.find("#side option[value='0']").click()
        at.find("#opponent option[value='100']").click()
        is_mine = r"(^|\. )second to (roll|move)"
        at.wait(lambda: re.search(f"{is_mine}|over:", at.text("#state"), re.IGNORECASE))
        while "over:" not in at.text("#state"):
            plies = at.plies()
            button = "#roll" if at.find("#chance").is_displayed() else "#moves li button"
            at.find(button).click()
            at.wait(lambda plies=plies: at.plies() > plies)
            at.wait(lambda: re.search(f"{is_mine}|over:", at.text("#state"), re.IGNORECASE))
        labels = [each.get_attribute("aria-label") for each in at.all("#history button")]
        assert any("first: rolled" in label for label in labels)


def test_without_help_only_the_odds_are_shown(page, solved):
    """And no percentages."""
    with page("snails", solved["snails"]) as at:
        at.find("#reveal").click()
        at.wait(lambda: "blind" in at.find("body").get_attribute("class"))
        assert at.text("#state") == "first to roll."
        assert at.listed() == [["1 (2/4)"], ["2 (1/4)"], ["3 (1/4)"]]
        assert "%" not in at.text("#play")


def test_what_is_behind_the_headings(page, solved):
    """Two plies, and all positions by parts of the range."""
    with page("cards", solved["cards"], path="?move=2+(1/4)&move=take") as at:
        for name in ("tree", "statistics"):
            at.find(f"#{name}-details summary").click()
        at.wait(lambda: at.all("#tree tr") and at.all("#statistics svg rect"))
        assert len(at.all("#tree tr")) == 1 + 2
        assert "ahead" in at.text("#statistics")
        assert "on average. Points so far: first 5, second 0." in at.text("#state")


@pytest.mark.parametrize("name", GAMES)
def test_an_export_answers_as_the_server_does(chromium, solved, tmp_path, name):
    """Positions, trees, lines and matches are the same documents, and it rolls by itself."""
    room = ExplorerSession(name)
    room.show(solved[name])
    write_site(room, tmp_path / "site")
    with hosted(tmp_path / "site") as url:
        at = Page(chromium, url)
        at.open()

        def ask(question, argument):
            return json.loads(at.browser.execute_async_script(ASKED, question, argument))

        for seed in range(6):
            keys = played(room, seed)
            document = room.match(None, keys)
            assert ask("match", {"move": keys}) == stripped(document)
            code = document.plies[seed % len(keys)].position
            position = room.position(code)
            assert ask("position", code) == stripped(position)
            assert ask("line", code) == stripped(room.line(code))
            assert ask("tree", code) == stripped(room.tree(code))
            rolled = ask("roll", code)
            assert (rolled is not None) == position.chance
            assert rolled is None or rolled in stripped(position)["moves"]
        if not at.find("#chance").is_displayed():
            at.find("#moves li button").click()
            at.wait(lambda: at.find("#chance").is_displayed())
        plies = at.plies()
        at.find("#roll").click()
        at.wait(lambda: at.plies() == plies + 1)
        assert at.console() == []
