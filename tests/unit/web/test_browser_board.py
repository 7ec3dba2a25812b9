"""The explorer's board in a real browser: by touch, by mouse, by keys, and what it shows."""

from __future__ import annotations

from inspect import getdoc

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import zermelo
from support.browsers.explorer import screen
from zermelo.games import ChessEnding, ConnectFour, Hex, Hexapawn, TakeAway
from zermelo.web.position_codes import position_of

pytestmark = [pytest.mark.slow, pytest.mark.timing]


@pytest.fixture(scope="module")
def more_solutions():
    """Games of moves of two clicks, and one of columns."""
    return {
        "chess": zermelo.solve(ChessEnding("KPK", "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")),
        "hexapawn": zermelo.solve(Hexapawn()),
        "connect-four": zermelo.solve(ConnectFour(4, 3)),
    }


def tap(at, name):
    """Tap a spot with a finger."""
    box = at.browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center'});"
        "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
        "return [x + width / 2, y + height / 2];",
        at.spot(name),
    )
    touch = {"type": "touchStart", "touchPoints": [{"x": box[0], "y": box[1]}]}
    at.browser.execute_cdp_cmd("Input.dispatchTouchEvent", touch)
    at.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_piece_that_is_tapped_can_be_let_go(chromium, page, more_solutions):
    """By a tap on it, by a tap on another piece, or by a button."""
    with (
        screen(chromium, 390, 844, touch=True),
        page("hexapawn", solution=more_solutions["hexapawn"]) as at,
    ):
        for _ in range(2):
            tap(at, "a1")
            at.wait(lambda: at.text("#spelling") == "a1…")
            assert at.find("#cancel").is_displayed()
            assert "chosen" in at.spot("a1").get_attribute("class").split()
            tap(at, "a1")
            at.wait(lambda: not at.text("#spelling"))
        tap(at, "a1")
        at.wait(lambda: at.text("#spelling") == "a1…")
        tap(at, "b1")
        at.wait(lambda: at.text("#spelling") == "b1…")
        assert "chosen" not in at.spot("a1").get_attribute("class").split()
        at.find("#cancel").click()
        at.wait(lambda: not at.text("#spelling"))
        assert not at.find("#cancel").is_displayed()
        tap(at, "c1")
        at.wait(lambda: at.text("#spelling") == "c1…")
        tap(at, "c2")
        at.wait(lambda: at.plies() == 1)


def test_a_piece_is_dragged(page, more_solutions):
    """To where it goes; elsewhere it goes back."""
    with page("hexapawn", solution=more_solutions["hexapawn"]) as at:
        at.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", at.spot("a1"))
        drag = ActionChains(at.browser, duration=50)
        drag.drag_and_drop(at.spot("a1"), at.find('[data-move="a2"]')).perform()
        at.wait(lambda: at.plies() == 1)
        ActionChains(at.browser, duration=50).drag_and_drop(
            at.spot("b3"), at.find('[data-move="c1"]')
        ).perform()
        at.wait(lambda: not at.text("#spelling"))
        assert at.plies() == 1


def test_a_promotion_is_chosen_from_a_list(page, more_solutions):
    """With the men in words."""
    with page("chess", solution=more_solutions["chess"]) as at:
        at.spot("e7").click()
        at.wait(lambda: at.text("#spelling"))
        at.find('[data-move="e8"]').click()
        at.wait(lambda: len(at.all("#choices button")) == 4)
        said = [button.text.split()[0] for button in at.all("#choices button")]
        assert sorted(said) == ["bishop", "knight", "queen", "rook"]
        next(b for b in at.all("#choices button") if b.text.startswith("rook")).click()
        at.wait(lambda: at.plies() == 1)
        assert "e7e8r" in at.text("#history")


def test_chess_has_colours_of_its_own(chromium, page, more_solutions):
    """A black king is black on a dark page, on a chequered board with files and ranks."""
    seen = set()
    for theme in ("light", "dark"):
        with (
            screen(chromium, 1200, 900, theme=theme),
            page("chess", solution=more_solutions["chess"]) as at,
        ):
            texts = {text.text: text for text in at.all("#board .picture text")}
            assert set("abcdefgh12345678") <= set(texts)
            men = [text for word, text in texts.items() if "\u265a" in word]
            seen.add(tuple(man.value_of_css_property("fill") for man in men))
    assert len(seen) == 1


def test_the_number_of_a_best_move_is_where_its_arrow_ends(page, more_solutions):
    """And on the piece that makes it there is only a dot."""
    with page("hexapawn", solution=more_solutions["hexapawn"]) as at:
        assert len(at.all(".arrows .arrow")) == 1
        (number,) = at.all(".marks .mark")
        box, target = number.rect, at.find('[data-move="b2"]').rect
        assert target["x"] < box["x"] < target["x"] + target["width"]
        assert target["y"] < box["y"] < target["y"] + target["height"]
        assert len(at.all(".marks .dot")) == 3


def test_only_the_keyboard_gets_a_frame(page, more_solutions):
    """A click marks what it chose, and frames nothing."""
    with page("hexapawn", solution=more_solutions["hexapawn"]) as at:
        at.spot("a1").click()
        at.wait(lambda: at.text("#spelling"))
        assert not at.all("#board :focus-visible")
        assert at.all("#board .chosen .ringed")
        at.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        at.wait(lambda: not at.text("#spelling"))
        at.find("#cancel").parent.execute_script("document.activeElement.blur()")
        at.find("body").send_keys(Keys.TAB)
        at.browser.execute_script("document.querySelector('#board [tabindex=\"0\"]').focus()")
        at.wait(lambda: at.all("#board :focus-visible"))


@pytest.mark.parametrize(
    ("name", "path", "state", "known"),
    [
        ("tic-tac-toe", "?from=0,16", "O to move", True),
        ("tic-tac-toe", "?from=1,16", "X to move", True),
        ("take-away", "?from=20", "first to move", False),
        ("take-away", "?from=20&mover=1", "second to move", True),
    ],
)
def test_whose_turn_it_is_follows_or_is_asked(page, name, path, state, known):
    """From the position where it says so; the next mark is then the right one."""
    with page(name, path=path) as at:
        assert at.text("#state").startswith(state)
        assert at.find("#asking").is_displayed() is not known
        if not known:
            at.all("#asking button")[1].click()
            at.wait(lambda: at.text("#state").startswith("second to move"))
            assert not at.find("#asking").is_displayed()
            assert "mover=1" in at.browser.current_url


def test_a_typed_position_has_the_right_mark_next(page):
    """A board with one cross is O's."""
    with page("tic-tac-toe") as at:
        at.browser.execute_script("document.querySelector('#entry').closest('details').open = true")
        at.find("#text").clear()
        at.find("#text").send_keys("X../.../...")
        at.find("#entry button").click()
        at.wait(lambda: at.text("#state").startswith("O to move"))
        at.move("b2")
        assert at.text("#state").startswith("X to move")
        assert at.find("#history svg").get_attribute("class").split() == ["swatch", "player-1"]


def test_a_phone_shows_the_whole_match(chromium, page):
    """Its list is no wider than the screen, and each ply can be reached."""
    moves = ["b2", "b3", "a3", "c1", "a1", "a2", "c3"]
    path = "?" + "&".join(f"move={move}" for move in moves)
    with screen(chromium, 360, 740, touch=True), page("tic-tac-toe", path=path) as at:
        assert at.browser.execute_script("return document.documentElement.scrollWidth") <= 360
        lost = "return [...document.querySelectorAll('#history li, #history li *')].filter((n) => {"
        lost += "const b = n.getBoundingClientRect(); return b.right > innerWidth || b.left < 0})"
        assert at.browser.execute_script(lost) == []
        history = at.find("#history")
        assert history.get_property("scrollWidth") <= history.get_property("clientWidth")


def test_a_plot_keeps_its_letters_when_the_phone_is_turned(chromium, page):
    """It is drawn anew for the width that there is."""
    with screen(chromium, 844, 390), page("tic-tac-toe", path="?move=b2&move=b3") as at:
        size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        shown = lambda: at.browser.execute_script(  # noqa: E731  # asked for again
            "const s = document.querySelector('#chart svg');"
            "return s.getBoundingClientRect().width / s.viewBox.baseVal.width"
        )
        at.wait(lambda: at.find("#chart svg").get_property("clientWidth") < 360)
        at.wait(lambda: 0.95 < shown() < 1.05)


def test_a_score_game_shows_points_and_one_kind_of_margin(page):
    """The points so far, and for every move the margin in the end."""
    with page("stone-game", path="?move=left&move=left") as at:
        assert at.text("#state").endswith("Points so far: first 5, second -3.")
        best = at.listed()[0]
        ahead = at.text("#state")
        assert best[1].startswith("+")
        margin = best[1].removeprefix("+")
        assert f"the first player wins by {margin}" in ahead
        assert best[2] == f"wins by {margin}"
        before = margin
        at.find("#best").click()
        at.wait(lambda: at.plies() == 3)
        assert f"the first player wins by {before}" in at.text("#state")
        assert at.listed()[0][2] == f"loses by {before}"


#: Which share of each thing in the picture is under a mark.
COVERED = """
const box = (node) => node.getBoundingClientRect();
const both = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
const marks = [...document.querySelectorAll(".marks > *")].map(box);
return [...document.querySelectorAll(arguments[0])].map(box).map((thing) =>
  marks.reduce((sum, mark) => sum + both(thing, mark), 0) / (thing.width * thing.height));
"""


@pytest.mark.parametrize(
    ("name", "path", "css", "most", "numbers"),
    [
        ("cat-and-mouse", "?move=3&move=4", ".picture text", 0, [1, 2]),
        ("stone-game", "", ".picture text", 0, None),
        ("tic-tac-toe", "?move=b2&move=b3", '.picture [stroke-width="4"]', 0, None),
        ("chess", "", ".picture text", 0.1, None),
    ],
)
def test_marks_cover_nothing(page, more_solutions, name, path, css, most, numbers):
    """No label of a node, no size of a pile, no mark, and at most a corner of a chess man."""
    solution = more_solutions["chess"] if name == "chess" else None
    with page(name, solution=solution, path=path) as at:
        assert at.all(".marks > *")
        shares = at.browser.execute_script(COVERED, css)
        assert shares
        assert max(shares) <= most
        # Only the best move has its number there, the others have dots.
        assert numbers in (None, [len(at.all(f".marks .{kind}")) for kind in ("mark", "dot")])


def test_a_reload_keeps_the_opponent_and_what_is_hidden(page):
    """As they were chosen, until the tab is closed."""
    with page("tic-tac-toe") as at:
        at.find("#opponent option[value='100']").click()
        at.find("#side option[value='0']").click()
        at.wait(lambda: at.plies() == 1)
        at.find("#reveal").click()
        at.open(at.browser.current_url.removeprefix(at.url))
        assert at.find("#opponent").get_property("value") == "100"
        assert at.find("#side").get_property("value") == "0"
        assert at.text("#moves-title") == "Moves"
        names = [name for name, *_ in at.listed()]
        assert names == sorted(names)
        at.find("#reveal").click()
        assert at.text("#moves-title") == "Moves, best first"
        at.find("#opponent option[value='']").click()
        at.find("#side option[value='1']").click()


def test_the_last_move_is_marked(page, more_solutions):
    """Where the stone fell in its column, and not the column; after a reload too."""
    with page("connect-four", solution=more_solutions["connect-four"]) as at:
        assert not at.all(".underlay rect")
        at.move("b")
        at.wait(lambda: len(at.all(".underlay rect")) == 1)
        stone = at.find(".picture circle").rect
        marked = at.find(".underlay rect").rect
        assert abs(stone["x"] + stone["width"] / 2 - marked["x"] - marked["width"] / 2) < 3
        assert abs(stone["y"] + stone["height"] / 2 - marked["y"] - marked["height"] / 2) < 3
        at.open(at.browser.current_url.removeprefix(at.url))
        at.wait(lambda: len(at.all(".underlay rect")) == 1)
        again = at.find(".underlay rect").rect
        assert all(abs(again[side] - marked[side]) < 1 for side in marked)


#: What is moved by a script, in the page's pixels, and what comes gently.
WATCHED = """
window.seen = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  const there = this.getBoundingClientRect();
  const moving = animate.call(this, frames, how);
  const here = this.getBoundingClientRect();
  window.seen.push([here.x - there.x, here.y - there.y, how.duration, "opacity" in frames]);
  return moving;
};
"""


@pytest.mark.parametrize(
    ("name", "moves", "off", "flipped"),
    [
        ("hexapawn", ["a1", "a2"], (0, 1), False),
        ("hexapawn", ["a1", "a2"], (0, 1), True),
        ("connect-four", ["b"], (0, -2), False),
        (None, ["b2"], None, False),
    ],
)
def test_a_piece_goes_where_it_is_moved(page, more_solutions, name, moves, off, flipped):
    """Within a fifth of a second: from its square, or down its column; a mark is faded in."""
    with page(name or "tic-tac-toe", solution=more_solutions.get(name)) as at:
        if flipped:
            at.find("#flip").click()
        square = at.spot(moves[0]).rect["width"]
        still = [{"name": "prefers-reduced-motion", "value": "no-preference"}]
        at.browser.execute_script(WATCHED)
        at.move(*moves)
        assert at.browser.execute_script("return window.seen") == []
        at.find("#undo").click()
        at.wait(lambda: at.plies() == 0)
        at.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": still})
        try:
            at.move(*moves)
            seen = at.browser.execute_script("return window.seen")
        finally:
            at.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        assert seen
        assert all(0 < milliseconds <= 200 for *_, milliseconds, _ in seen)
        if off is None:
            assert all(faded for *_, faded in seen)
        else:
            turned = -1 if flipped else 1
            moved = [
                (turned * x / square, turned * y / square) for x, y, _, faded in seen if not faded
            ]
            assert moved
            assert all(abs(x - off[0]) < 0.3 and abs(y - off[1]) < 0.7 for x, y in moved), moved


def test_a_move_that_is_pointed_at_shows_in_both_places(page, more_solutions):
    """From the list on the board, and from the board in the list."""
    with page("hexapawn", solution=more_solutions["hexapawn"]) as at:
        ActionChains(at.browser).move_to_element(at.find("#moves button")).perform()
        at.wait(lambda: len(at.all(".pointed .arrow")) == 1)
        ActionChains(at.browser).move_to_element(at.spot("a1")).perform()
        at.wait(lambda: [b.text.split()[0] for b in at.all("#moves .pointed")] == ["a1a2"])


def test_the_number_of_any_move_shows_while_it_is_pointed_at(page):
    """By the mouse or by the focus of the keyboard; else a losing move has only a dot."""
    with page("cat-and-mouse", path="?move=3&move=4") as at:
        numbers = lambda css: [mark.text for mark in at.all(css)]  # noqa: E731
        best, (name, number, _) = at.listed()[0], at.listed()[-1]
        assert numbers(".overlay .mark") == [best[1]] != [number]
        ActionChains(at.browser).move_to_element(at.spot(name)).perform()
        at.wait(lambda: numbers(".overlay .pointed .mark") == [number])
        ActionChains(at.browser).move_to_element(at.find("#state")).perform()
        at.wait(lambda: not numbers(".overlay .pointed .mark"))
        at.browser.execute_script("arguments[0].focus()", at.spot(name))
        at.wait(lambda: numbers(".overlay .pointed .mark") == [number])


def test_moves_are_grouped_by_what_they_lead_to(page):
    """With how many there are of each."""
    with page("cat-and-mouse", path="?move=3&move=4") as at:
        said = [group.text.split() for group in at.all("#moves h3")]
        assert said == [["Winning", "1"], ["Losing", "2"]]


def test_the_arrows_of_the_keyboard_step_through_the_match(page):
    """Back, forward, to the beginning and to the end, with the rest of the match in sight."""
    with page("tic-tac-toe") as at:
        for name in ("b2", "a1", "c3"):
            at.move(name)
        body = at.find("body")
        for key, plies in [
            *((Keys.ARROW_LEFT, 2), (Keys.ARROW_LEFT, 1), (Keys.ARROW_RIGHT, 2)),
            *((Keys.HOME, 0), (Keys.END, 3)),
        ]:
            body.send_keys(key)
            at.wait(lambda n=plies: at.plies() == n)
            assert len(at.all("#history li")) == 3
        body.send_keys(Keys.HOME)
        at.wait(lambda: at.plies() == 0)
        at.move("a3")
        assert len(at.all("#history li")) == 1


def test_the_plot_goes_to_the_ply_that_is_clicked(page):
    """And says what stands there when it is pointed at."""
    with page("tic-tac-toe", path="?move=b2&move=b3&move=c3") as at:
        assert at.text("#chart .tip") == "After ply 3: X wins in 4 plies"
        words = {each.text for each in at.all("#chart text")}
        assert {"\u25b2 a win for X", "\u25bc a win for O", "at once", "draw", "in 9"} <= words
        assert at.text("#bar").split() == ["X", "O"]
        assert float(at.find("#bar .part").get_attribute("style").split()[1].rstrip("%;")) > 75
        legend = at.find("#legend").get_property("textContent")
        assert "+3 a win = a draw \N{MINUS SIGN}3 a loss" in " ".join(legend.split())
        assert "The number: plies to the end, for the player to move." in legend
        point = at.all("#chart .point")[1]
        ActionChains(at.browser).move_to_element(point).perform()
        at.wait(lambda: at.text("#chart .tip").startswith("After ply 1: a tie"))
        ActionChains(at.browser).move_to_element(point).click().perform()
        at.wait(lambda: at.plies() == 1)
        ActionChains(at.browser).move_to_element(at.all("#chart .point")[3]).click().perform()
        at.wait(lambda: at.plies() == 3)


def test_the_board_can_be_flipped(page, more_solutions):
    """White above, with what is written still upright, and playable."""
    with page("chess", solution=more_solutions["chess"]) as at:
        height = at.spot("e7").rect["y"]
        at.find("#flip").click()
        at.wait(lambda: at.spot("e7").rect["y"] > height)
        turned = at.find(".picture text").value_of_css_property("rotate")
        assert turned == "180deg"
        at.move("e1", "e2")
        at.find("#flip").click()


def test_a_puzzle_is_solved(page, solutions):
    """Without help, a wrong move is not made; the right one is, and shows what it leads to."""
    with page("tic-tac-toe") as at:
        at.find("#puzzle").click()
        at.wait(lambda: at.text("#task-text").startswith("Find the only"))
        code = at.browser.current_url.split("from=")[1].split("&")[0].replace("%2C", ",")
        there = solutions["tic-tac-toe"].options(position_of(code, solutions["tic-tac-toe"]))
        best, *others = [option.name for option in there]
        assert not [mark for mark in at.all(".mark, .dot, #line, #bar") if mark.is_displayed()]
        at.spot(others[0]).click()
        at.wait(lambda: "Try another move" in at.text("#task-text"))
        assert at.plies() == 0
        at.spot(best).click()
        at.wait(lambda: at.plies() == 1)
        assert at.text("#task-text").startswith(f"Right: {best} is the only")
        assert at.find("#bar").is_displayed()
        next(b for b in at.all("#task button") if b.text == "Leave").click()
        assert not at.find("#task").is_displayed()


def test_a_position_at_random_and_swapped_sides(page):
    """The first is one that the game comes to; the second is the other player's."""
    with page("tic-tac-toe") as at:
        at.find("#random").click()
        at.wait(lambda: "from=" in at.browser.current_url)
        at.find("#restart").click()
        at.wait(lambda: "from=" not in at.browser.current_url)
        at.find("#opponent option[value='100']").click()
        at.find("#swap").click()
        at.wait(lambda: at.plies() == 1)
        assert at.find("#side").get_property("value") == "0"
        at.find("#opponent option[value='']").click()


def test_titles_and_instructions_are_words(page, more_solutions):
    """No slug, no path, no JSON; and the rules are all that the class says of them."""
    for name, title in [("chess", "Chess: K+P against K"), ("connect-four", "Connect Four 4×3")]:
        with page(name, solution=more_solutions[name]) as at:
            assert at.text("#game") == title
            assert at.browser.title.startswith(title)
            at.wait(lambda: at.find("#rules").is_displayed())
            shown = [part.text for part in at.find("#rules").find_elements(By.TAG_NAME, "p")]
            about = getdoc(type(more_solutions[name].game)).partition("\n\nAttributes:")[0]
            said = [" ".join(part.split()) for part in about.split("\n\n")]
            assert len(said) == 2
            assert shown[: len(said)] == said


def test_addresses_are_relative(client):
    """So that the page works behind a proxy, under any path."""
    page = client().get("/").text
    for name in ("href", "src"):
        assert f'{name}="/' not in page


@pytest.fixture(scope="module")
def hexagons():
    """Hex on a board of nine cells."""
    return zermelo.solve(Hex(3, 3))


class Unpictured(TakeAway):
    """Stones without a picture, whose moves are on no board."""

    svg = None


#: The corners of what is drawn by a selector that lie outside of a cell, by more than two pixels.
OUTSIDE = """
const points = (node) => [...node.points].map((p) => p.matrixTransform(node.getScreenCTM()));
const cell = points(document.querySelector(`[data-move="${arguments[0]}"]`));
const [x, y] = ["x", "y"].map((at) => cell.reduce((sum, p) => sum + p[at], 0) / cell.length);
const far = Math.max(...cell.map((p) => Math.hypot(p.x - x, p.y - y)));
return [...document.querySelectorAll(arguments[1])].map((node) =>
  points(node).map((p) => Math.hypot(p.x - x, p.y - y) - far).filter((off) => off > 2));
"""


@pytest.mark.parametrize("flipped", [False, True])
def test_highlights_of_hexagons_are_hexagons(page, hexagons, flipped):
    """Both of the last move and of the cell that is pointed at, which stay within their lines."""
    with page("hex", solution=hexagons, path="?move=b2") as at:
        if flipped:
            at.find("#flip").click()
        at.wait(lambda: at.text("#line") and at.all(".underlay > *"))
        ActionChains(at.browser).move_to_element(at.spot("a2")).perform()
        at.wait(lambda: at.all(".pointed .ringed"))
        for name, css in [("b2", ".underlay > *"), ("b2", ".last > *"), ("a2", ".ringed")]:
            assert at.browser.execute_script(OUTSIDE, name, css) == [[]], (name, css)
        if flipped:
            at.find("#flip").click()


def test_a_value_stands_in_a_cell_once(page, hexagons):
    """Also while the cell is pointed at: its number is not repeated."""
    with page("hex", solution=hexagons, path="?move=b2") as at:
        at.wait(lambda: at.text("#line") and at.all(".underlay > *"))
        numbers = len(at.all(".overlay .mark"))
        ActionChains(at.browser).move_to_element(at.spot("a2")).perform()
        at.wait(lambda: at.all(".pointed .ringed"))
        assert len(at.all(".overlay .mark")) == numbers == 8


def test_a_number_takes_the_place_of_a_dot(page):
    """What is pointed at has one mark, and its dot is back when it is left."""
    with page("tic-tac-toe", path="?move=a1&move=a2") as at:
        seen = lambda css: len([each for each in at.all(css) if each.is_displayed()])  # noqa: E731
        at.wait(lambda: at.text("#line") and at.all(".underlay > *"))
        assert seen(".marks .dot") == 4
        ActionChains(at.browser).move_to_element(at.spot("c3")).perform()
        at.wait(lambda: seen(".overlay .pointed .mark") == 1)
        assert seen(".marks .dot") == 3
        ActionChains(at.browser).move_to_element(at.find("#state")).perform()
        at.wait(lambda: seen(".marks .dot") == 4)


def test_arrow_keys_visit_each_row_of_hexagons(page, hexagons):
    """Down goes to the next row and up back to the same cell."""
    with page("hex", solution=hexagons) as at:
        at.browser.execute_script("arguments[0].focus()", at.spot("b1"))
        here = lambda: at.browser.switch_to.active_element.get_attribute("data-move")  # noqa: E731
        seen = []
        for key in (Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_UP):
            at.browser.switch_to.active_element.send_keys(key)
            seen.append(here())
        assert seen == ["b2", "b3", "b2", "b1"]


def test_targets_on_a_phone_are_large_enough(chromium, page, hexagons):
    """At least 24 pixels, whatever the game; the page itself is no wider than the screen."""
    size = "const b = arguments[0].getBoundingClientRect(); return Math.min(b.width, b.height)"
    for name, solution in [("cat-and-mouse", None), ("stone-game", None), ("hex", hexagons)]:
        with screen(chromium, 360, 760, touch=True), page(name, solution=solution) as at:
            at.wait(lambda at=at: at.all("#board .spot"))
            small = min(at.browser.execute_script(size, spot) for spot in at.all("#board .spot"))
            assert small >= 24, name
            assert at.browser.execute_script("return document.documentElement.scrollWidth") <= 360


def test_moves_off_the_board_stand_above_it_on_a_phone(chromium, page, solutions):
    """Where the list of all moves is below the board; beside it there is no need."""
    solution = zermelo.solve(Unpictured(9))
    with page("stones", solution=solution) as at:
        assert not at.find("#elsewhere").is_displayed()
    with screen(chromium, 360, 760, touch=True), page("stones", solution=solution) as at:
        buttons = at.all("#elsewhere button")
        assert [each.text.split("\n")[0] for each in buttons] == ["take 1", "take 2", "take 3"]
        assert buttons[-1].rect["y"] < at.find("#board").rect["y"] < 760
        buttons[0].click()
        at.wait(lambda: at.plies() == 1)
    with screen(chromium, 360, 760, touch=True), page("take-away") as at:
        assert not at.all("#elsewhere *")


def test_a_proved_win_fills_the_bar(page):
    """However far it is; a draw is the middle."""
    with page("tic-tac-toe") as at:
        share = lambda: float(at.find("#bar .part").get_attribute("style").split()[1][:-2])  # noqa: E731
        assert share() == 50
        at.open("?move=a1&move=a2")
        assert share() == 100


def test_the_note_of_a_mistake_says_where_it_is_cut(page):
    """Six moves were best, of which it names four."""
    with page("tic-tac-toe", path="?move=b3&move=b2&move=b1") as at:
        assert at.text("#history .mistake").endswith(", \N{HORIZONTAL ELLIPSIS}")
        assert at.text("#history .mistake").count(",") == 4


def test_the_plot_calls_players_as_sentences_do(page):
    """A role has an article."""
    with page("cat-and-mouse", path="?move=3&move=4") as at:
        words = {each.text for each in at.all("#chart text")}
        assert {"\u25b2 a win for the mouse", "\u25bc a win for the cat"} <= words
