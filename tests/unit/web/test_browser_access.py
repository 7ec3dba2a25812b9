"""The explorer for everybody: an accessibility checker finds nothing, on any screen."""

from __future__ import annotations

import pytest

import zermelo
from support.browsers.explorer import accessibility_faults, screen
from support.sizes import some
from zermelo.games import ChessEnding, DotsAndBoxes

pytestmark = [pytest.mark.slow, pytest.mark.timing]

SCREENS = {
    "light": (1280, 900, "light"),
    "dark": (1280, 900, "dark"),
    "dark phone": (360, 740, "dark"),
    "phone": (360, 740, "light"),
    "zoom": (640, 450, "light"),
}


@pytest.fixture(scope="module")
def games_of_clicks():
    """A game of moves of two clicks, and one of points."""
    return {
        "chess": zermelo.solve(ChessEnding("KPK", "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")),
        "dots": zermelo.solve(DotsAndBoxes()),
    }


@pytest.mark.parametrize("name", some(SCREENS, 2, slow=100))
def test_the_checker_finds_nothing(chromium, page, name):
    """With everything opened that can be, a mistake in the match, and a part of it taken back."""
    wide, high, theme = SCREENS[name]
    with (
        screen(chromium, wide, high, theme=theme, touch=wide < 500),
        page("cat-and-mouse", path="?move=3&move=4&move=5") as at,
    ):
        for summary in at.all("details:not([open]) summary"):
            at.browser.execute_script("arguments[0].click()", summary)
        at.wait(lambda: at.all("#tree tr") and at.all("#statistics svg") and at.all("#why p"))
        at.find("#undo").click()
        at.wait(lambda: at.plies() == 2)
        assert accessibility_faults(at) == []
        at.browser.execute_script("document.body.append(document.createElement('button'))")
        assert [fault for fault, *_ in accessibility_faults(at)] == ["button-name"]  # it does look


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.huge)])
def test_nor_in_the_midst_of_something(chromium, page, games_of_clicks, theme):
    """While a move is half made, a puzzle is asked, the mover is not known, or points count."""
    with screen(chromium, 1280, 900, theme=theme):
        with page("chess", solution=games_of_clicks["chess"]) as at:
            at.spot("e7").click()
            at.spot("e8").click()
            at.wait(lambda: len(at.all("#choices button")) == 4)
            assert accessibility_faults(at) == []
        with page("tic-tac-toe") as at:
            at.find("#puzzle").click()
            at.wait(lambda: at.text("#task-text").startswith("Find the only"))
            assert accessibility_faults(at) == []
        with page("take-away", path="?from=20") as at:
            assert at.find("#asking").is_displayed()
            assert accessibility_faults(at) == []
        with page("dots", solution=games_of_clicks["dots"], path="?move=a3-b3") as at:
            assert accessibility_faults(at) == []


@pytest.mark.parametrize("wide", some([320, 360, 640, 1280, 928, 1920], 3, slow=100))
@pytest.mark.parametrize("name", ["chess", "dots"])
def test_nothing_is_clipped_or_scrolled_sideways(chromium, page, games_of_clicks, wide, name):
    """On every width, with what can be opened open."""
    with screen(chromium, wide, 800), page(name, solution=games_of_clicks[name]) as at:
        for summary in at.all("details:not([open]) summary"):
            at.browser.execute_script("arguments[0].click()", summary)
        at.wait(lambda: at.all("#tree tr") and at.all("#statistics svg"))
        assert at.browser.execute_script("return document.documentElement.scrollWidth") <= wide
        outside = at.browser.execute_script(
            "return [...document.querySelectorAll('button, h1, h2, h3, p, select, label')]"
            ".filter((n) => n.checkVisibility() && !n.closest('.scroll'))"
            ".filter((n) => { const b = n.getBoundingClientRect();"
            " return b.width && (b.right > innerWidth + 1 || b.left < 0) })"
            ".map((n) => n.outerHTML)"
        )
        assert outside == []


def test_motion_can_be_left_out(chromium, page):
    """Where the system asks for less, nothing moves; elsewhere it is short."""
    seconds = (
        "return Math.max(...[...document.querySelectorAll('*')].map((n) => "
        "Math.max(...getComputedStyle(n).transitionDuration.split(',').map(parseFloat))))"
    )
    for wish, most in (("reduce", 0), ("no-preference", 0.3)):
        feature = {"name": "prefers-reduced-motion", "value": wish}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        with page("tic-tac-toe") as at:
            assert at.browser.execute_script(seconds) <= most
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_keyboard_alone_is_enough(chromium, page, games_of_clicks):
    """The board is one stop of the Tab key, and its arrows walk from spot to spot."""
    from selenium.webdriver.common.keys import Keys

    with page("chess", solution=games_of_clicks["chess"]) as at:
        focused = lambda: at.browser.switch_to.active_element  # noqa: E731  # asked for again
        at.browser.execute_script("document.querySelector('.skip').focus()")
        focused().send_keys(Keys.ENTER)
        focused().send_keys(Keys.TAB)
        at.wait(lambda: focused().get_attribute("data-move") is not None)
        first = focused().get_attribute("data-move")
        focused().send_keys(Keys.ARROW_DOWN)
        assert focused().get_attribute("data-move") != first
        focused().send_keys(Keys.ENTER)
        at.wait(lambda: at.text("#spelling"))
        assert focused().get_attribute("aria-pressed") == "true"
        focused().send_keys(Keys.ESCAPE)
        at.wait(lambda: not at.text("#spelling"))
        stops = at.all('#board [tabindex="0"]')
        assert len(stops) == 1
