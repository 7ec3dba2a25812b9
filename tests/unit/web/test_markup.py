"""Nothing that a game, a table or a position says becomes markup, on whichever page it stands."""

from __future__ import annotations

import functools
import json
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest

import zermelo
from support.browsers.explorer import Page, running, served
from support.faults.tampered_tables import forged
from zermelo.analysis import report
from zermelo.cli.arguments import parameters
from zermelo.drawing.sanitize import sanitize_svg
from zermelo.games import TakeAway, TicTacToe
from zermelo.games.lines.tic_tac_toe import Board
from zermelo.web.export.folder import write_site
from zermelo.web.gallery.application import make_gallery
from zermelo.web.gallery.forms import Forms
from zermelo.web.gallery.session_pool import SessionPool
from zermelo.web.guard import PRIVATE
from zermelo.web.server import Site
from zermelo.web.session import ExplorerSession

EVIL = (
    "</title></script><img src=evil onerror='window.hit=1'><script class=evil>window.hit=1</script>"
)
#: The same within the first part of an address, which a slash would end.
TAG = "<img src=evil onerror='window.hit=1'>"
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' onload='window.hit=1'>"
    "<script class='evil'>window.hit=1</script><title>a<img src='evil' onerror='window.hit=1'/>"
    "</title><!--><img src='evil' onerror='window.hit=1'>--><style>* {fill: red}</style>"
    "<foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' src='evil'/></foreignObject>"
    "<a href='javascript:window.hit=1'><text>x</text></a><image href='//evil.example/x.png'/>"
    "<rect width='3' height='3' onclick='window.hit=1' style='fill: url(//evil.example/x)'/></svg>"
)
#: What is there once something has become markup, or has run.
FOUND = """
const bad = [...document.querySelectorAll("*")].filter((node) =>
  (node.getAttribute("src") ?? "").includes("evil") || node.classList.contains("evil") ||
  ["iframe", "foreignobject", "object", "embed"].includes(node.localName.toLowerCase()) ||
  [...node.attributes].some((each) => /^on/.test(each.name) ||
    /^(javascript:|\\/\\/evil)/.test(each.value) || /url\\(\\/\\/evil/.test(each.value)));
return [window.hit ?? null, bad.map((node) => node.outerHTML.slice(0, 200))];
"""


@dataclass(frozen=True)
class Hostile(TakeAway):
    """</title></script><img src=evil onerror='window.hit=1'><script class=evil>window.hit=1</script>"""  # noqa: D415, E501

    stones: int = 4
    label: str = EVIL

    players = (EVIL, "B")

    def show(self, left):
        return f"{left} {EVIL}"

    def name(self, move):
        return f"{move} {EVIL}"

    def svg(self, left):
        return SVG


@dataclass(frozen=True)
class Spoken(Hostile):
    """A game without a picture of its own, whose positions are drawn as their text."""

    svg = None  # type: ignore[assignment]


@contextmanager
def hosted(folder):
    """Serve a folder of files."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def harms(chromium):
    """Return what has run, and what has become markup, on the page that is open."""
    return chromium.execute_script(FOUND)


def explored(chromium, url):
    """Open an explorer, with everything opened that can be, and a move made."""
    at = Page(chromium, url)
    at.open()
    for summary in at.all("details:not([open]) summary"):
        at.browser.execute_script("arguments[0].click()", summary)
    at.wait(lambda: at.all("#moves li"))
    at.browser.execute_script("document.querySelector('#moves li button, #moves li').click()")
    at.wait(lambda: at.all("#board *"))
    assert "onerror" in at.text("body")  # it is there, as text
    return harms(chromium)


@pytest.fixture(scope="module", params=[Hostile, Spoken], ids=["a picture", "text"])
def solution(request, tmp_path_factory):
    """A game that says markup wherever it says something, opened from a table that does too."""
    table = zermelo.solve(request.param()).save(tmp_path_factory.mktemp("evil") / "x.table")
    said = {"choice": EVIL, "method": EVIL, "zermelo": EVIL, "module": EVIL}
    with zermelo.open(
        forged(table, lambda header, _: header.update(said)), request.param
    ) as opened:
        assert opened.choice == EVIL
        yield opened


@pytest.mark.slow
@pytest.mark.timing
def test_the_explorer(chromium, solution):
    """Of what a class, a table, a position, a move and a picture say."""
    with served(EVIL, solution=solution) as url:
        assert explored(chromium, url) == [None, []]


@pytest.mark.slow
@pytest.mark.timing
def test_an_exported_folder(chromium, solution, tmp_path):
    """The same without a server of ours."""
    room = ExplorerSession("evil")
    room.show(solution)
    write_site(room, tmp_path / "site")
    with hosted(tmp_path / "site") as url:
        assert explored(chromium, url) == [None, []]


@pytest.fixture(scope="module")
def gallery():
    """The address of a gallery."""
    hall = SessionPool(lambda _, game, listener: zermelo.solve(game, progress=listener))
    app = make_gallery(Forms(parameters), hall, "127.0.0.1", PRIVATE)
    with running(Site(app, "127.0.0.1", 0)) as url:
        yield url
    hall.stop()


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize(
    ("query", "css"),
    [({"game": "cat-and-mouse", "graph": TAG}, "#wrong-graph"), ({"game": TAG}, "#problem")],
    ids=["a parameter", "a game"],
)
def test_the_gallery(chromium, gallery, query, css):
    """Of what an address says of a game and its parameters; a sentence repeats it as text."""
    at = Page(chromium, gallery)
    chromium.get(f"{gallery}?{urlencode(query)}")
    at.wait(lambda: at.text(css))
    assert TAG in at.text(css)
    assert harms(chromium) == [None, []]


@pytest.mark.slow
@pytest.mark.timing
def test_a_number_in_the_address_of_the_gallery(chromium, gallery):
    """A field for numbers takes no other text, so that the form is as if nothing were given."""
    at = Page(chromium, gallery)
    chromium.get(f"{gallery}?{urlencode({'game': 'take-away', 'stones': EVIL})}")
    at.wait(lambda: at.all("#preview svg"))
    assert at.find("#field-stones").get_property("value") == ""
    assert harms(chromium) == [None, []]


@pytest.fixture(scope="module", params=["a server", "a folder"])
def stones(request, solutions, tmp_path_factory):
    """The address of take-away, which itself says nothing bad; and whether a server answers."""
    solution = solutions["take-away"]
    if request.param == "a server":
        with served("take-away", solution=solution) as url:
            yield url, True
    else:
        room = ExplorerSession("take-away")
        room.show(solution)
        folder = tmp_path_factory.mktemp("stones") / "site"
        write_site(room, folder)
        with hosted(folder) as url:
            yield url, False


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", ["move", "from", "mover"])
def test_the_address_of_a_position(chromium, stones, name):
    """Of a move, a code and a player that are none; the sentence about it is text."""
    url, asked = stones
    at = Page(chromium, url)
    query = {"from": "9", name: EVIL} if name == "mover" else {name: EVIL}
    at.open(f"?{urlencode(query)}")
    if asked or name != "mover":  # a folder takes what is no number for no player
        at.wait(lambda: at.text("#problem"))
        # A server says of a code only what one looks like.
        assert ("<img src=evil onerror=" in at.text("#problem")) is (name == "move" or not asked)
    assert harms(chromium) == [None, []]


@pytest.mark.slow
@pytest.mark.timing
def test_a_position_that_is_typed(chromium, stones):
    """Which is repeated, as text, in the sentence that it is none."""
    at = Page(chromium, stones[0])
    at.open()
    chromium.execute_script("document.querySelector('#entry').closest('details').open = true")
    at.find("#text").clear()
    at.find("#text").send_keys(EVIL)
    at.find("#entry button").click()
    at.wait(lambda: at.text("#entry-problem"))
    assert "<img src=evil onerror=" in at.text("#entry-problem")
    assert harms(chromium) == [None, []]


#: A page around the front end of a notebook's board, with what Python told it.
NOTEBOOK = """<!doctype html><meta charset="utf-8"><div id="cell"></div>
<script type="module">
import widget from "./widget.js";
const told = await (await fetch("traits.json")).json();
const model = { get: (name) => told[name], set() {}, save_changes() {}, on() {}, off() {} };
widget.render({ model, el: document.getElementById("cell") });
</script>
"""


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("values", [True, pytest.param(False, marks=pytest.mark.huge)])
def test_the_board_of_a_notebook(chromium, solution, tmp_path, values):
    """Its front end, of the match that Python shows and of a sentence on a move that is none."""
    board = zermelo.board(solution, show_values=values)
    board.play(1)
    board.play(1)
    board.moves = [*board.moves, EVIL]
    assert "<img src=evil onerror=" in board._problem
    told = board.get_state()
    (tmp_path / "widget.js").write_text(told.pop("_esm"))
    (tmp_path / "traits.json").write_text(json.dumps(told, default=str))
    (tmp_path / "index.html").write_text(NOTEBOOK)
    with hosted(tmp_path) as url:
        at = Page(chromium, url)
        chromium.get(url)
        at.wait(lambda: len(at.all("#cell .history li")) >= 2 and at.all("#cell .moves li"))
        for css in (".state", ".problem", ".moves", ".history"):
            assert "<img src=evil onerror=" in at.text(f"#cell {css}"), css
        assert at.all("#cell .picture *")
        assert harms(chromium) == [None, []]


def forms(solution):
    """Return what a notebook shows of a solution, and of what it answers."""
    match = zermelo.Match(solution)
    match.play(solution.best()[0])
    things = [
        solution,
        solution.value,
        solution.options(),
        solution.line(),
        solution.counts(),
        solution.explain(),
        solution.tree(),
        solution.picture(),
        solution.verify(),
        solution.analyse(),
        match,
    ]
    return [each._repr_html_() for each in things if hasattr(each, "_repr_html_")]


@pytest.mark.slow
@pytest.mark.timing
def test_notebook_forms_and_reports(chromium, solution, tmp_path):
    """Which are HTML that a notebook, or a browser, shows as it is."""
    texts = forms(solution)
    assert len(texts) > 8
    body = "<hr>".join(texts)
    assert "onerror" in body
    (tmp_path / "notebook.html").write_text(f"<!doctype html><meta charset=utf-8>{body}")
    report.write([solution.analyse()], tmp_path / "report.html")
    for name in ("notebook", "report"):
        chromium.get(f"file://{tmp_path}/{name}.html")
        assert harms(chromium) == [None, []]


HARMFUL = {
    "a script": "<svg><script>1</script><g/></svg>",
    "a handler": "<svg onload='x()'><g ONCLICK='x()'/></svg>",
    "a style": "<svg><style>@import 'x'</style><g style='fill: URL( //x )'/></svg>",
    "links": "<svg xmlns:x='http://www.w3.org/1999/xlink'><a x:href='j'>a</a>"
    "<use x:href='//x#y'/></svg>",
    "words for other readers": "<svg><!--><g>--><title><g/></title><desc><p/></desc></svg>",
    "an entity": "<svg><g href='&#106;avascript:x()' fill='url(&quot;//x&quot;)'/></svg>",
    "pages": "<svg><foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject></svg>",
    "what goes on by itself": "<svg><animate attributeName='href'/><set to='x'/></svg>",
    "entities without end": "<!DOCTYPE svg [<!ENTITY a 'aa'>]><svg><text>&a;</text></svg>",
    "no picture": "<div><svg/></div>",
    "no end": "<svg><g>",
    "nothing": "",
    "too deep": "<svg>" + "<g>" * 100_000 + "</g>" * 100_000 + "</svg>",
}


@pytest.mark.parametrize("what", HARMFUL)
def test_pictures_lose_what_does_harm(what):
    """Whatever runs or loads something, or that another reader takes for something else."""
    left = sanitize_svg(HARMFUL[what])
    assert left.startswith("<svg")
    assert sanitize_svg(left) == left
    for word in (
        "script",
        "onload",
        "onclick",
        "style",
        "href",
        "url",
        "<!",
        "foreign",
        "animate",
        "<set",
    ):
        assert word not in left.lower(), left


def test_pictures_of_shapes_stay_as_they_are():
    """To the byte, with their links within."""
    for picture in (
        TicTacToe().svg(Board(1, 2)),
        "<svg viewBox='0 0 1 1'><defs><g id='a'/></defs><use href='#a' fill='url(#b)'/></svg>",
    ):
        assert sanitize_svg(picture) == picture


def test_opening_a_table_imports_and_runs_nothing_that_it_names(tmp_path, monkeypatch, capsys):
    """A module beside the table that has the name which the table gives is left alone."""
    table = zermelo.solve(TakeAway(9)).save(tmp_path / "x.table")
    (tmp_path / "evil.py").write_text("print('hit')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for change in (
        {"module": "evil"},
        {"module": "zermelo.games.evil"},
        {"module": "zermelo.games...evil", "game": "evil"},
        {"module": "zermelo.games.take_away", "game": "__import__('evil')"},
        {"game": "../evil", "method": "evil", "parameters": {"stones": "__import__('evil')"}},
    ):
        path = forged(table, lambda header, _, change=change: header.update(change))
        with suppress(zermelo.ZermeloError), zermelo.open(path) as opened:
            opened.verify()
        with suppress(zermelo.ZermeloError):
            zermelo.describe_table(path)
    assert {"evil", "zermelo.games.evil"}.isdisjoint(sys.modules)
    assert "hit" not in capsys.readouterr().out
