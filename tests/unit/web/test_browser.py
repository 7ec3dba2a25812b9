"""The explorer in a real browser: what can be asked of it, and playing.

It needs ``chromium`` and ``chromedriver``, and fails without them rather than leave out what it is
for; see ``tests/support/browsers/explorer.py``.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from selenium.webdriver.common.keys import Keys

import zermelo
from support.browsers.explorer import Page, served
from zermelo import Game, drawing
from zermelo.games import ChessEnding, TakeAway

pytestmark = [pytest.mark.slow, pytest.mark.timing]


def test_a_whole_game_of_tic_tac_toe(page):
    """From the empty board to a line of three, with each value right on the way."""
    with page("tic-tac-toe") as at:
        assert at.text("#state") == "X to move; a tie in 9 plies."
        assert at.listed()[0] == ["a3", "=9", "tie in 9"]
        assert {mark.text for mark in at.all("#board .mark")} == {"=9"}
        at.move("a3")
        assert at.text("#state") == "O to move; a tie in 8 plies."
        assert at.listed()[0] == ["b2", "=8", "tie in 8"]
        at.move("b3")  # which loses
        assert at.text("#state") == "X to move; X wins in 5 plies."
        assert "?? turned a draw into a loss in 6; best was b2" in at.text("#history")
        best = at.listed()[0][0]
        assert "win" in at.spot(best).get_attribute("class").split()
        for name in ("a1", "a2", "c1", "b1", "b2"):
            at.move(name)
        assert at.text("#state") == "The game is over: X wins."
        assert at.text("#moves") == "The game is over."
        assert len(at.all("#chart .point")) == 8
        assert not at.all("#board .spot")


def test_a_whole_chase_of_cat_and_mouse(page):
    """The cat errs, and the mouse reaches its hole."""
    with page("cat-and-mouse") as at:
        assert at.text("#state").startswith("mouse to move; a draw, as neither side can force")
        at.move("3")
        at.move("4")
        assert at.text("#state") == "mouse to move; the mouse wins in 3 plies."
        assert at.listed()[0] == ["5", "+3", "win in 3"]
        at.find("#statistics-details summary").click()
        at.wait(lambda: at.all("#statistics svg rect"))
        names = [row.text.split()[0] for row in at.all("#statistics tr")]
        assert names == ["value", "won", "drawn", "lost"]  # and not tied, as no rule ends the chase
        assert "draws are endless" in at.text("#statistics")
        at.move("5")
        assert {mark.text for mark in at.all("#board .mark")} == {"\N{MINUS SIGN}2"}
        at.move("2")
        at.move("0")
        assert at.text("#state") == "The game is over: the mouse wins."


def test_moves_are_taken_back_and_made_again(page):
    """By the buttons, by the browser's own, and by a click on the history."""
    with page("tic-tac-toe") as at:
        for name in ("b2", "a1", "c3"):
            at.move(name)
        at.find("#undo").click()
        at.wait(lambda: at.plies() == 2)
        at.find("#redo").click()
        at.wait(lambda: at.plies() == 3)
        assert not at.find("#redo").is_enabled()
        at.browser.back()
        at.wait(lambda: at.plies() == 2)
        at.find("#history button").click()
        at.wait(lambda: at.plies() == 1)
        at.find("#best").click()
        at.wait(lambda: at.plies() == 2)
        at.find("#restart").click()
        at.wait(lambda: at.plies() == 0)


def test_an_address_is_a_position(page):
    """Of the match by its moves, and of a position by its numbers; a wrong one is told."""
    with page("tic-tac-toe", path="?move=a3&move=b3") as at:
        assert at.plies() == 2
        at.find("#share").click()
        at.wait(lambda: at.text("#shared"))
        shared = at.text("#shared").split()[-1]
        at.open(shared.removeprefix(at.url))
        assert (at.plies(), at.text("#state")) == (0, "X to move; X wins in 5 plies.")
        at.move("c1")
        at.find("#share").click()
        at.wait(lambda: "mover=1" in at.text("#shared"))
        at.open(at.text("#shared").split()[-1].removeprefix(at.url))
        assert at.text("#state").startswith("O to move; a tie in 6")
    with page("tic-tac-toe") as at:
        at.browser.get(at.url + "?move=z9")
        at.wait(lambda: at.text("#problem") and at.text("#state"))
        assert "'z9' is not a move here" in at.text("#problem")
        assert at.text("#state") == "X to move; a tie in 9 plies."
        assert all("404" in line for line in at.console())


def test_a_position_is_entered(page):
    """As the game writes it; a sentence says what is wrong with another."""
    with page("cat-and-mouse") as at:
        at.browser.execute_script("document.querySelector('#entry').closest('details').open = true")
        at.find("#text").clear()
        at.find("#text").send_keys("mouse 3, cat 5, cat to move")
        at.find("#entry button").click()
        at.wait(lambda: at.text("#state").startswith("cat to move"))
        at.find("#text").clear()
        at.find("#text").send_keys("the mouse is nowhere")
        at.find("#entry button").click()
        at.wait(lambda: at.text("#entry-problem"))
        assert "'the mouse is nowhere' is not a position" in at.text("#entry-problem")
        assert all("404" in line for line in at.console())


def test_what_is_behind_the_headings(page, solutions):
    """Two plies, the reasons, and the whole game."""
    with page("tic-tac-toe", path="?move=a3&move=b3") as at:
        for summary in at.all("details[id] summary"):
            summary.click()
        at.wait(lambda: at.all("#tree tr") and at.all("#why p") and at.all("#statistics svg rect"))
        assert len(at.all("#tree tr")) == 1 + 7
        assert at.text("#why p").startswith("The player to move wins in 5 plies")
        assert "5,478 positions" in at.text("#statistics caption")
        names = [row.text.split()[0] for row in at.all("#statistics tr")]
        assert names == ["value", "won", "tied", "lost"]
        assert at.text("#documentation") == "API documentation"
        assert at.find("#documentation").get_attribute("href") == f"{at.url}api/openapi.json"
        at.wait(lambda: len(at.all("#line button")) == 5)
        at.all("#tree td button")[0].click()
        at.wait(lambda: at.plies() == 4)


def test_playing_against_perfect_play(page):
    """It answers each move, and against the right side cannot be beaten."""
    with page("take-away") as at:
        at.find("#opponent option[value='100']").click()
        at.find("#moves .loss li:last-child button").click()  # 21 stones are won by one move only
        at.wait(lambda: at.plies() == 2)
        assert "wins in" in at.text("#state")
        while "The game is over" not in at.text("#state"):
            before = at.plies()
            at.find("#moves button").click()
            at.wait(lambda n=before: at.plies() > n and "second to move" not in at.text("#state"))
        assert at.text("#state").endswith("The game is over: the second player wins.")
        at.find("#undo").click()
        at.wait(lambda: at.text("#state").startswith("first to move"))


def test_without_a_mouse(page):
    """The board is walked by the arrow keys and played by Enter; the focus stays on it."""
    with page("tic-tac-toe") as at:
        at.browser.execute_script("document.querySelector('#board [tabindex=\"0\"]').focus()")
        focused = lambda: at.browser.switch_to.active_element  # noqa: E731  # asked for again
        assert focused().get_attribute("aria-label") == "a3: tie in 9"
        for key in (Keys.ARROW_DOWN, Keys.ARROW_RIGHT):
            focused().send_keys(key)
        assert focused().get_attribute("aria-label") == "b2: tie in 9"
        focused().send_keys(Keys.ENTER)
        at.wait(lambda: at.plies() == 1)
        assert focused().get_attribute("role") == "button"
        assert at.find("#state").get_attribute("aria-live") == "polite"


def test_moves_of_two_clicks(page):
    """A chess move is two squares; a promotion asks what for; Escape begins again."""
    ending = zermelo.solve(ChessEnding("KPK", "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1"))
    with page("chess-ending", solution=ending) as at:
        at.spot("e1").click()
        at.wait(lambda: at.text("#spelling"))
        assert all(name.startswith("e1") for name, *_ in at.listed())
        at.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        at.wait(lambda: not at.text("#spelling"))
        at.spot("e7").click()
        at.wait(lambda: at.text("#spelling"))
        at.spot("e8").click()
        at.wait(lambda: len(at.listed()) == 4)
        assert {name for name, *_ in at.listed()} == {"e7e8q", "e7e8r", "e7e8b", "e7e8n"}
        at.find("#moves button").click()
        at.wait(lambda: at.plies() == 1)


def test_signs_between_the_parts_of_a_name_are_not_clicked(page):
    """A man is moved from square to square, and then a man is taken: three clicks."""
    with page("mill", solution=zermelo.solve(Mill())) as at:
        at.spot("a1").click()
        at.wait(lambda: at.text("#spelling"))
        assert {name for name, *_ in at.listed()} == {"a1-b2", "a1-c3xa1", "a1-c3xb2"}
        at.spot("c3").click()
        at.wait(lambda: len(at.listed()) == 2)
        at.spot("b2").click()
        at.wait(lambda: at.plies() == 1)
        assert at.text("#history button").split() == ["1", "a1-c3xb2"]


@dataclass(frozen=True)
class Mill(Game):
    """A move of three steps, or of two."""

    def start(self):
        return 0

    def moves(self, p):
        if p == 0:
            yield 0, 1
            for taken in range(2):
                yield 0, 2, taken

    def play(self, p, move):
        return len(move)

    def name(self, move):
        squares = ["a1", "b2", "c3"]
        here, there, *taken = (squares[part] for part in move)
        return "x".join([f"{here}-{there}", *taken])

    def svg(self, p):
        moves = [["a1", "b2", "c3"]]
        return drawing.grid(["..."], title="a mill", moves=moves)


def test_an_authors_own_picture_is_tamed_and_played_on(page):
    """Any element can be a place to click, wherever it is moved to; no script in it runs."""
    with page("own", solution=zermelo.solve(Own())) as at:
        at.wait(lambda: at.all("#board .mark"))
        spot, mark = at.spot("take 1"), at.find("#board .mark")
        for side, size in (("x", "width"), ("y", "height")):
            middle = mark.rect[side] + mark.rect[size] / 2
            assert 0 < middle - spot.rect[side] < spot.rect[size]
        assert spot.value_of_css_property("stroke-dasharray") == "3px"
        assert spot.get_attribute("aria-description") == "3 > 2, so onclick=1 is no style=2"
        assert not at.all("#board script, #board style, #board a")
        at.move("take 1")
        assert at.browser.title == "Own, 4 stones: win in 1"


@dataclass(frozen=True)
class Own(TakeAway):
    """Take-away with a picture that an author might draw, careless of who looks at it."""

    stones: int = 4

    def svg(self, left):
        return (
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 100' onload='alert(1)'>"
            "<style>* { fill: red }</style><script>document.title = 2</script>"
            "<g transform='translate(50 10) scale(2)'><circle cx='30' cy='20' r='15' fill='none' "
            'data-move="take 1" aria-description="3 > 2, so onclick=1 is no style=2" '
            'style="stroke-dasharray: 3px" onclick="document.title = 3"/></g>'
            "<image href='https://example.com/x.png'/><a href='https://example.com'>out</a></svg>"
        )


def test_values_can_be_hidden(page):
    """Nothing then betrays what a move is worth, their order neither."""
    with page("tic-tac-toe", path="?move=a3&move=b3") as at:
        at.find("#reveal").click()
        assert not [mark for mark in at.all(".mark, #line, #chart") if mark.is_displayed()]
        names = [name for name, *_ in at.listed()]
        assert names == sorted(names)
        assert at.text("#state") == "X to move."
        assert at.spot("c1").get_attribute("aria-label") == "c1"


@pytest.mark.parametrize(
    ("wide", "theme"),
    [
        (320, "light"),
        (1200, "dark"),
        pytest.param(320, "dark", marks=pytest.mark.huge),
        pytest.param(390, "light", marks=pytest.mark.huge),
        pytest.param(1200, "light", marks=pytest.mark.huge),
    ],
)
def test_it_fits_the_screen_and_can_be_read(chromium, page, wide, theme):
    """Nothing is wider than a phone, and text has the contrast that it needs."""
    size = {"width": wide, "height": 900, "deviceScaleFactor": 1, "mobile": wide < 500}
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    try:
        with page("cat-and-mouse", path="?move=3&move=4") as at:
            for summary in at.all("details summary"):
                at.browser.execute_script("arguments[0].click()", summary)
            at.wait(lambda: at.all("#tree tr") and at.all("#statistics svg"))
            assert at.browser.execute_script("return document.documentElement.scrollWidth") <= wide
            for css in (
                "#state",
                "#about",
                "#moves button",
                ".mistake",
                "#moves .text",
                "#moves h3",
            ):
                assert at.browser.execute_script(CONTRAST, at.find(css)) >= 4.5, css
            texts = at.all("#board .mark text")
            assert texts
            assert all(at.browser.execute_script(CONTRAST_ON_MARK, text) >= 4.5 for text in texts)
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


#: The contrast of two colours, by the Web Content Accessibility Guidelines.
_RATIO = """
const light = (colour) => {
  const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
    const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const ratio = (one, other) => {
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};
"""
CONTRAST = f"""{_RATIO}
let behind = arguments[0];
const clear = "rgba(0, 0, 0, 0)";
while (getComputedStyle(behind).backgroundColor === clear) behind = behind.parentElement;
return ratio(getComputedStyle(arguments[0]).color, getComputedStyle(behind).backgroundColor);
"""
CONTRAST_ON_MARK = f"""{_RATIO}
const shape = arguments[0].previousElementSibling;
return ratio(getComputedStyle(arguments[0]).fill, getComputedStyle(shape).fill);
"""


def test_the_page_waits_for_the_solve(chromium, solutions):
    """It shows how far the solve is, and then the game."""
    go_on = threading.Event()

    def solver(listener):
        listener(zermelo.Event("explore", 1234, 5000, 0.5))
        go_on.wait(60)
        return solutions["take-away"]

    with served("take-away", solver) as url:
        chromium.get(url)
        at = Page(chromium, url)
        at.wait(lambda: at.text("#phase") == "explore: 1,234 of 5,000")
        assert at.find("#progress").get_attribute("value") == "1234"
        go_on.set()
        at.wait(lambda: at.find("#explorer").is_displayed() and at.text("#state"))
        assert at.text("#state") == "first to move; the first player wins in 11 plies."
        assert at.console() == []
