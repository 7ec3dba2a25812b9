"""In a real browser: the gallery, the graph editor, an exported folder, a page behind a proxy."""

from __future__ import annotations

import functools
import http.client
import json
import random
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import zermelo
from support.browsers.explorer import accessibility_faults, running, screen
from zermelo.cli.arguments import parameters
from zermelo.games import DotsAndBoxes
from zermelo.progress import Event
from zermelo.web.export.folder import write_site
from zermelo.web.gallery.application import make_gallery
from zermelo.web.gallery.forms import Forms
from zermelo.web.gallery.session_pool import SessionPool
from zermelo.web.guard import PRIVATE, AccessRules
from zermelo.web.position_codes import code_of
from zermelo.web.server import Site
from zermelo.web.session import ExplorerSession

pytestmark = [pytest.mark.slow, pytest.mark.timing]

PREFIX = "/user/me/proxy/8765"


@contextmanager
def listening(handler):
    """Run a plain HTTP server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Pages:
    """What is on the screen, and what somebody does."""

    def __init__(self, chromium):
        self.browser = chromium

    def open(self, address):
        self.browser.get_log("browser")
        self.browser.get(address)

    def wait(self, holds, seconds=60):
        return self.browser.wait(holds, seconds)

    def find(self, css):
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def shown(self, css):
        return [each for each in self.all(css) if each.is_displayed()]

    def click(self, css):
        """Click on the first that is found, also where it is drawn anew meanwhile."""
        self.wait(lambda: self.find(css).click() or True)

    def board(self):
        """Wait for a board with moves on it."""
        return self.wait(lambda: self.shown("#board [data-move].spot"))

    def clean(self):
        assert [line["message"] for line in self.browser.get_log("browser")] == []


@pytest.fixture
def pages(chromium):
    """The browser, at the size of a desktop, and with a mouse."""
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    return Pages(chromium)


@pytest.fixture(scope="module")
def gallery():
    """The address of a gallery."""
    hall = SessionPool(lambda _, game, listener: zermelo.solve(game, progress=listener))
    app = make_gallery(Forms(parameters), hall, "127.0.0.1", PRIVATE)
    with running(Site(app, "127.0.0.1", 0)) as url:
        yield url
    hall.stop()


# -- the gallery -----------------------------------------------------------------------------------


def test_from_the_gallery_to_a_board_and_back(pages, gallery):
    """Search, choose, mistype, mend, solve, play, and come back."""
    pages.open(gallery)
    pages.wait(lambda: len(pages.all("#kinds li")) > 100)
    pages.wait(lambda: pages.all(".thumbnail svg"))
    pages.find("#search").send_keys("subtraction take away")
    pages.wait(lambda: len(pages.shown("#kinds li")) < 10)
    pages.find("#search").clear()
    pages.find("#search").send_keys("tic-tac-toe three by three cells in a row nonsense")
    pages.wait(lambda: "No game" in pages.find("#found").text)
    pages.find("#search").clear()
    pages.find("#search").send_keys("take-away", Keys.ENTER)
    pages.wait(lambda: pages.shown("#field-stones"))
    stones = pages.find("#field-stones")
    stones.clear()
    stones.send_keys("-4")
    pages.wait(lambda: "-4" in pages.find("#wrong-stones").text)
    assert stones.get_attribute("aria-invalid") == "true"
    stones.clear()
    stones.send_keys("7")
    pages.wait(
        lambda: not pages.find("#wrong-stones").text and "stones=7" in pages.browser.current_url
    )
    pages.wait(lambda: pages.all("#preview svg"))
    pages.click("#solve")
    pages.board()
    assert "/play/take-away-" in pages.browser.current_url
    pages.click("#moves button")
    pages.wait(lambda: "move=" in pages.browser.current_url)
    pages.click(".back a")
    pages.wait(lambda: len(pages.shown("#kinds li")) > 100)
    pages.clean()


def test_the_form_is_in_the_address(pages, gallery):
    """So that it can be sent to somebody; and Back leads to the gallery."""
    pages.open(f"{gallery}?game=connect-four&width=3&height=3")
    pages.wait(lambda: pages.shown("#field-width") and "3×3" in pages.find("#game-title").text)
    pages.click("#to-gallery")
    pages.wait(lambda: pages.shown("#kinds li"))
    pages.browser.back()
    pages.wait(lambda: pages.shown("#field-width"))
    assert pages.find("#field-width").get_attribute("value") == "3"
    pages.open(f"{gallery}?game=no-such-game")
    pages.wait(lambda: "no-such-game" in pages.find("#problem").text)


def test_a_solve_is_stopped(pages):
    """The page shows how far it is, and the button ends it."""
    pause = threading.Event()

    def slow(name, game, listener):
        for done in range(100_000):
            listener(Event("explore", done, 100_000, done / 50))
            pause.wait(0.02)

    hall = SessionPool(slow)
    app = make_gallery(Forms(parameters), hall, "127.0.0.1", PRIVATE)
    with running(Site(app, "127.0.0.1", 0)) as url:
        pages.open(f"{url}?game=take-away")
        pages.wait(lambda: pages.shown("#solve"))
        pages.click("#solve")
        pages.wait(lambda: "explore" in pages.find("#phase").text)
        pages.click("#waiting button")
        pages.wait(lambda: pages.find("#problem").text.startswith("Stopped;"))
        pages.click(".back a")
        pages.wait(lambda: pages.shown("#kinds li"))


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.huge)])
def test_nothing_is_clipped(pages, gallery, width):
    """Neither cards nor forms are wider than the screen."""
    size = {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 500}
    pages.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for address in ("", "?game=cat-and-mouse", "?game=chess-ending"):
        pages.open(gallery + address)
        pages.wait(lambda: pages.shown("#kinds li") or pages.shown("#solve"))
        wide = pages.browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (360, "light"),
        (1280, "dark"),
        pytest.param(360, "dark", marks=pytest.mark.huge),
        pytest.param(1280, "light", marks=pytest.mark.huge),
    ],
)
def test_the_checker_finds_nothing(chromium, pages, gallery, site, width, theme):
    """On the cards, a form with a mistake and a graph, and a board in a frame."""
    with screen(chromium, width, 900, theme=theme):
        pages.open(gallery)
        pages.wait(lambda: pages.all(".thumbnail svg"))
        assert accessibility_faults(pages) == []
        pages.open(f"{gallery}?game=cat-and-mouse&mouse=77")
        pages.wait(lambda: pages.find("#wrong-mouse").text)
        assert accessibility_faults(pages) == []
        pages.open(f"{gallery}?game=cat-and-mouse")
        pages.wait(lambda: pages.all(".editor .node") and pages.all("#preview svg"))
        assert accessibility_faults(pages) == []
        pages.open(f"{site[0]}/cat-and-mouse/?embed")
        pages.board()
        assert accessibility_faults(pages) == []


# -- the graph editor ------------------------------------------------------------------------------


def rows(pages):
    """Return the graph as it stands in the field."""
    return json.loads(pages.find("#field-graph").get_attribute("value"))


def press_between(pages, *elements):
    """Click half-way between two elements."""
    script = """
      const boxes = arguments[0].map((each) => each.getBoundingClientRect());
      const middle = (near, far) => boxes.reduce((sum, box) => sum + (box[near] + box[far]) / 4, 0);
      return [middle("left", "right"), middle("top", "bottom")];
    """
    x, y = pages.browser.execute_script(script, [*elements])
    action = ActionChains(pages.browser)
    action.w3c_actions.pointer_action.move_to_location(int(x), int(y))
    action.w3c_actions.pointer_action.click()
    action.perform()


@pytest.fixture
def editor(pages, gallery):
    """The editor of Cat and Mouse, with two nodes that are joined and a third one."""
    pages.open(f"{gallery}?game=cat-and-mouse&graph=[[1],[0],[]]&mouse=1&cat=2")
    pages.wait(lambda: len(pages.shown(".editor .node")) == 3)
    return pages


def node(pages, number):
    """Return a node of the editor."""
    return pages.find(f'.editor [data-node="{number}"]')


def test_a_graph_is_drawn_with_the_mouse(editor):
    """Click two nodes to join them, drag one, click an edge to delete it, and take that back."""
    node(editor, 1).click()
    node(editor, 2).click()
    editor.wait(lambda: rows(editor) == [[1], [0, 2], [1]])
    before = node(editor, 2).get_attribute("transform")
    ActionChains(editor.browser).drag_and_drop_by_offset(node(editor, 2), 40, -30).perform()
    assert node(editor, 2).get_attribute("transform") != before
    assert rows(editor) == [[1], [0, 2], [1]]
    press_between(editor, node(editor, 0), node(editor, 1))
    editor.find(".tools button:nth-child(2)").click()
    editor.wait(lambda: rows(editor) == [[], [2], [1]])
    editor.find(".tools button:nth-child(3)").click()
    editor.wait(lambda: rows(editor) == [[1], [0, 2], [1]])
    empty = ActionChains(editor.browser)
    svg = editor.find(".editor svg")
    empty.move_to_element_with_offset(
        svg, -svg.size["width"] // 2 + 20, svg.size["height"] // 2 - 45
    )
    empty.click().perform()
    editor.wait(lambda: len(rows(editor)) == 4)
    editor.clean()


def test_a_graph_is_drawn_with_the_keys(editor):
    """Add, join, move and delete, without a mouse."""
    node(editor, 0).send_keys("n")
    editor.wait(lambda: len(rows(editor)) == 4)
    node(editor, 3).send_keys(Keys.ENTER)
    node(editor, 1).send_keys(Keys.ENTER)
    editor.wait(lambda: rows(editor) == [[1], [0, 3], [], [1]])
    before = node(editor, 1).get_attribute("transform")
    node(editor, 1).send_keys(Keys.ARROW_RIGHT)
    editor.wait(lambda: node(editor, 1).get_attribute("transform") != before)
    node(editor, 2).send_keys(Keys.DELETE)
    editor.wait(lambda: rows(editor) == [[1], [0, 2], [1]])
    label = "Node 1, mouse, joined to 0, 2"  # the picture comes after what it shows
    editor.wait(lambda: node(editor, 1).get_attribute("aria-label") == label)


def test_a_graph_is_drawn_with_a_finger(pages, gallery):
    """On a phone, where nodes are large enough; and then it is played on."""
    size = {"width": 380, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    pages.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    touch = {"enabled": True, "maxTouchPoints": 1}
    pages.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", touch)
    pages.open(f"{gallery}?game=cat-and-mouse&graph=[[1],[0],[]]&mouse=1&cat=2")
    pages.wait(lambda: len(pages.shown(".editor .node")) == 3)
    for number in (1, 2):
        circle = pages.find(f'.editor [data-node="{number}"] circle')
        script = """
          arguments[0].scrollIntoView({ block: "center" });
          const { left, top, width, height } = arguments[0].getBoundingClientRect();
          return [left + width / 2, top + height / 2, width];
        """
        box = pages.browser.execute_script(script, circle)
        assert box[2] >= 24
        point = [{"x": box[0], "y": box[1]}]
        begin = {"type": "touchStart", "touchPoints": point}
        pages.browser.execute_cdp_cmd("Input.dispatchTouchEvent", begin)
        end = {"type": "touchEnd", "touchPoints": []}
        pages.browser.execute_cdp_cmd("Input.dispatchTouchEvent", end)
    pages.wait(lambda: rows(pages) == [[1], [0, 2], [1]])
    pages.click("#solve")
    pages.board()


def test_a_graph_that_is_typed_is_drawn(editor):
    """Text and drawing are one graph; a name is one, too."""
    field = editor.find("#field-graph")
    field.clear()
    field.send_keys("[[1,2],[0,2],[0,1],[]]")
    editor.wait(lambda: len(editor.all(".editor .node")) == 4)
    assert len(editor.all(".editor .edge")) == 3


# -- an exported folder ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory, solutions):
    """Folders under a sub-path of a plain file server, by game; and what was asked of it."""
    top = tmp_path_factory.mktemp("web")
    solved = {**solutions, "dots-and-boxes": zermelo.solve(DotsAndBoxes(1, 3))}
    rooms = {}
    for name in ("tic-tac-toe", "cat-and-mouse", "take-away", "stone-game", "dots-and-boxes"):
        rooms[name] = ExplorerSession(name)
        rooms[name].show(solved[name])
        write_site(rooms[name], top / "some" / "where" / name)

    frame = '<iframe src="tic-tac-toe/?embed" width="700" height="700"></iframe>'
    (top / "some" / "where" / "around.html").write_text(f"<!doctype html>{frame}")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with listening(functools.partial(Quiet, directory=str(top))) as url:
        yield f"{url}/some/where", rooms


def stripped(document):
    """Leave out what a folder does not have."""
    if isinstance(document, dict):
        left = {"fields", "move", "seconds"}
        return {key: stripped(value) for key, value in document.items() if key not in left}
    return [stripped(each) for each in document] if isinstance(document, list) else document


def questions(room, chance):
    """Return questions about positions of random matches, with the answers of the room."""
    asked = [("game", []), ("statistics", [])]
    for _ in range(12):
        keys, position = [], room.solution.start
        mover = chance.choice([0, 1, None])
        for _ in range(chance.randrange(10)):
            options = room.solution.options(position)
            if not options:
                break
            pick = chance.randrange(len(options))
            keys.append(room.position(code_of(position)).moves[pick].key)
            position = options[pick].position
        code = code_of(position)
        asked += [("match", [None, keys, mover]), ("match", [code, [], mover])]
        asked += [(what, [code]) for what in ("position", "tree", "line", "explain")]
        asked.append(("read", [room.position(code).text]))
    answers = [
        stripped(json.loads(getattr(room, what)(*words).model_dump_json())) for what, words in asked
    ]
    return asked, answers


def test_a_folder_answers_as_the_server_does(pages, site):
    """Word for word, whatever is asked: matches, moves, lines, trees, reasons, typed positions."""
    url, rooms = site
    script = """
      const framed = document.querySelector("script[src$='framed.js']").src;
      const { sourceAt } = await import(framed.replace("framed", "files"));
      const { table, reasons } = document.documentElement.dataset;
      const source = await sourceAt(table, reasons);
      const answers = [];
      for (const [what, words] of asked) {
        const [from, move, mover] = words;
        const name = what === "explain" ? "explanation" : what;
        const said = what === "match" ? [{ from, move, mover }] : words;
        answers.push(await source[name](...said));
      }
      return answers;
    """
    for name, room in rooms.items():
        pages.open(f"{url}/{name}/")
        pages.board()
        asked, expected = questions(room, random.Random(name))
        answers = pages.browser.execute_async_script(
            f"const [asked, done] = arguments; (async () => {{ {script} }})()"
            ".then(done, (error) => done(String(error)))",
            asked,
        )
        assert isinstance(answers, list), answers
        for question, answer, right in zip(asked, answers, expected, strict=True):
            assert stripped(answer) == right, (name, question)
        pages.clean()


def test_a_folder_is_played_on_without_python(pages, site):
    """Moves, the opponent, reasons and the count of positions; all from files beside the page."""
    url, _ = site
    pages.open(f"{url}/tic-tac-toe/")
    pages.board()
    pages.find('#board [data-move="b2"].spot').click()
    pages.wait(lambda: "move=b2" in pages.browser.current_url)
    assert not pages.all("#unserved")
    pages.browser.refresh()
    pages.board()
    assert "move=b2" in pages.browser.current_url
    names = pages.browser.execute_script(
        "return performance.getEntriesByType('resource').map((each) => each.name)"
    )
    assert names
    assert all(name.startswith(f"{url}/tic-tac-toe/files-") for name in names)
    pages.clean()


def test_a_folder_in_a_frame(pages, site):
    """With ?embed the board comes first, and moves are no steps of the page around it."""
    url, _ = site
    pages.open(f"{url}/around.html")
    before = pages.browser.execute_script("return history.length")
    frame = pages.find("iframe")
    pages.browser.switch_to.frame(frame)
    pages.board()
    assert pages.find("header").size["height"] <= 1
    assert not pages.shown("#more")
    pages.find('#board [data-move="b2"].spot').click()
    pages.wait(lambda: "move=b2" in pages.browser.execute_script("return location.search"))
    assert "embed" in pages.browser.execute_script("return location.search")
    pages.browser.switch_to.default_content()
    assert pages.browser.execute_script("return history.length") == before


def test_a_folder_that_is_opened_from_disk(pages, tmp_path, solutions):
    """The browser lets such a page have no modules, and the page says what to do."""
    room = ExplorerSession("take-away")
    room.show(solutions["take-away"])
    write_site(room, tmp_path / "site")
    pages.open(f"file://{tmp_path}/site/index.html")
    pages.wait(lambda: pages.shown("#unserved"))
    assert "python -m http.server" in pages.find("#unserved").text


# -- behind a proxy --------------------------------------------------------------------------------


def proxy(target, *, keeps):
    """Return a proxy of what is below a path, under a name of its own; the path may stay in."""

    class Proxy(BaseHTTPRequestHandler):
        def pass_on(self):
            if not self.path.startswith(PREFIX):
                self.send_error(404)
                return
            path = self.path if keeps else self.path.removeprefix(PREFIX) or "/"
            there = http.client.HTTPConnection("127.0.0.1", target, timeout=60)
            left = {"connection", "accept-encoding"}
            headers = {k: v for k, v in self.headers.items() if k.lower() not in left}
            there.request(self.command, path, headers={**headers, "Host": "hub.example"})
            answer = there.getresponse()
            body = answer.read()
            self.send_response(answer.status)
            for key, value in answer.getheaders():
                if key.lower() not in {"transfer-encoding", "connection", "content-length"}:
                    self.send_header(key, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            there.close()

        do_GET = do_POST = pass_on  # noqa: N815  # as the class wants them

        def log_message(self, *_):
            pass

    return Proxy


@pytest.mark.parametrize("keeps", [False, True])
def test_a_page_behind_a_proxy(pages, solutions, keeps):
    """Under a sub-path, as jupyter-server-proxy and Codespaces show it."""
    room = ExplorerSession("tic-tac-toe")
    room.show(solutions["tic-tac-toe"])
    door = AccessRules(("hub.example", "localhost"), PREFIX if keeps else "")
    here = Site(room, "127.0.0.1", 0, door)
    port = urlsplit(here.url).port
    with running(here), listening(proxy(port, keeps=keeps)) as url:
        pages.open(f"{url}{PREFIX}/")
        pages.board()
        pages.find('#board [data-move="b2"].spot').click()
        pages.wait(lambda: "move=b2" in pages.browser.current_url)
        assert pages.browser.current_url.startswith(f"{url}{PREFIX}/?")
        pages.clean()


def test_the_gallery_behind_a_proxy(pages):
    """A game is solved there, too, which takes a POST from a page under another name."""
    hall = SessionPool(lambda _, game, listener: zermelo.solve(game, progress=listener))
    door = AccessRules(("hub.example", "localhost"))
    app = make_gallery(Forms(parameters), hall, "127.0.0.1", door)
    here = Site(app, "127.0.0.1", 0, door)
    port = urlsplit(here.url).port
    with running(here), listening(proxy(port, keeps=False)) as url:
        pages.open(f"{url}{PREFIX}/?game=take-away")
        pages.wait(lambda: pages.shown("#solve"))
        pages.click("#solve")
        pages.board()
        assert f"{PREFIX}/play/take-away-" in pages.browser.current_url
        pages.clean()
