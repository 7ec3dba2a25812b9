"""The gallery: cards of all games, forms with sentences beside the fields, one solve at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

import zermelo
from support.processes.conditions import wait_until
from zermelo.cli.arguments import parameters
from zermelo.errors import BudgetError
from zermelo.games import zoo
from zermelo.web.gallery import session_pool as halls
from zermelo.web.gallery.application import make_gallery
from zermelo.web.gallery.forms import Forms
from zermelo.web.gallery.session_pool import SessionPool
from zermelo.web.guard import PRIVATE

pytestmark = pytest.mark.timing

URL = "http://localhost:8765"


def solved(name, game, listener):
    """Solve a game, as the command does."""
    return zermelo.solve(game, progress=listener)


@pytest.fixture
def hall():
    """Where games are solved."""
    made = SessionPool(solved)
    yield made
    made.stop()


def client(hall):
    """Make a client of a gallery."""
    app = make_gallery(Forms(parameters), hall, "127.0.0.1", PRIVATE)
    return TestClient(app, base_url=URL, raise_server_exceptions=False, follow_redirects=False)


@pytest.fixture
def gallery(hall):
    """A client of the gallery."""
    return client(hall)


@pytest.fixture
def solved_by():
    """Make a client of a gallery whose games are solved by a given function."""
    with ExitStack() as stack:

        def made(solver):
            hall = SessionPool(solver)
            stack.callback(hall.stop)
            return client(hall)

        yield made


def ready(gallery, address):
    """Wait until a game is solved; return its last status."""

    def ended():
        status = gallery.get(f"/{address}api/status").json()
        return status if status["state"] != "solving" else None

    return wait_until(ended)


def test_every_game_has_a_card_and_a_picture(gallery):
    """Kind by kind, each with a name and a sentence; the picture is asked for apart."""
    cards = gallery.get("/api/games").json()
    assert sorted(card["name"] for card in cards) == sorted(zoo())
    assert all(card["title"] and card["kind"] and card["about"] for card in cards)
    kinds = [card["kind"] for card in cards]
    assert kinds == sorted(kinds)
    for card in cards:
        svg = gallery.get(f"/api/games/{card['name']}/picture").json()["svg"]
        assert svg.startswith("<svg"), card["name"]


def test_boards_that_begin_empty_are_shown_in_the_middle(gallery):
    """A picture of nothing tells nothing."""
    svg = gallery.get("/api/games/connect-four/picture").json()["svg"]
    assert "--zermelo-first" in svg
    assert "--zermelo-second" in svg


@pytest.mark.slow
def test_every_form_is_right_as_it_stands(gallery):
    """So that every game can be solved with one click."""
    for name in zoo():
        form = gallery.get(f"/api/games/{name}").json()
        given = {field["name"]: field["value"] for field in form["fields"]}
        for query in ({}, given):
            look = gallery.get(f"/api/games/{name}/look", params=query).json()
            assert (look["problems"], bool(look["svg"])) == ({}, True), (name, look["problems"])


@pytest.mark.parametrize(
    ("game", "given", "field"),
    [
        ("connect-four", {"width": "-1"}, "width"),
        ("connect-four", {"width": "five"}, "width"),
        ("cat-and-mouse", {"graph": "[[1],[5]]"}, "graph"),
        ("cat-and-mouse", {"graph": "[[1"}, "graph"),
        ("cat-and-mouse", {"cat": "77"}, "cat"),
        ("cat-and-mouse", {"graph": "@/etc/passwd"}, "graph"),
        ("cat-and-mouse", {"directed": "maybe"}, "directed"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(gallery, game, given, field):
    """In one sentence, the same when the form is looked at and when it is sent."""
    look = gallery.get(f"/api/games/{game}/look", params=given).json()
    assert list(look["problems"]) == [field]
    sent = gallery.post(f"/api/games/{game}/solve", params=given)
    assert (sent.status_code, sent.json()["problems"]) == (422, look["problems"])


def test_a_graph_by_name_comes_as_rows(gallery):
    """So that it can be drawn and changed."""
    look = gallery.get("/api/games/node-kayles/look", params={"graph": "path 3"}).json()
    assert look["graph"]["rows"] == [[1], [0, 2], [1]]
    assert len(look["graph"]["places"]) == 3


def test_a_game_is_solved_and_explored(gallery):
    """Under an address of its own, where the explorer is as it is alone."""
    sent = gallery.post("/api/games/take-away/solve", params={"stones": "9", "limit": ""})
    address = sent.json()["address"]
    assert address.startswith("play/take-away-")
    assert ready(gallery, address)["state"] == "ready"
    page = gallery.get(f"/{address}")
    assert "back.js" in page.text
    assert gallery.get(f"/{address}static/app.js").status_code == 200
    found = gallery.get(f"/{address}api/position/9").json()
    assert found["value"]["text"] == str(zermelo.solve(zoo()["take-away"](9))[9])
    again = gallery.post("/api/games/take-away/solve", params={"stones": "9"})
    assert again.json()["address"] == address
    moved = gallery.get(f"/{address.rstrip('/')}")
    assert moved.status_code in (307, 308)
    assert moved.headers["location"].endswith(address.removeprefix("play/"))


def test_a_bookmark_of_another_day_leads_to_the_form(gallery):
    """The server was started anew, and has nothing solved."""
    answer = gallery.get("/play/take-away-0123abcd/")
    assert answer.headers["location"] == "../../?game=take-away"
    assert gallery.get("/play/nothing-0123abcd/").headers["location"] == "../../"
    assert gallery.get("/play/take-away-0123abcd/api/game").status_code == 404


def test_what_is_too_large_is_told_at_once(solved_by):
    """Beside the form, with the sentence of the error, estimate and all."""

    def refusing(*_):
        message = "it needs 4 TB of memory, more than 2 GB; choose a smaller board"
        raise BudgetError(message, 4, 2)

    sent = solved_by(refusing).post("/api/games/take-away/solve")
    assert sent.status_code == 422
    assert sent.json()["problems"][""].startswith("it needs 4 TB")


def test_what_fails_later_is_told_on_the_page(solved_by):
    """As the solve is under way."""
    go = threading.Event()

    def failing(name, game, listener):
        listener(halls.Event("explore", 0, None, 0.0))
        go.wait(60)
        message = "the disk is full; make room"
        raise BudgetError(message, 4, 2)

    gallery = solved_by(failing)
    address = gallery.post("/api/games/take-away/solve").json()["address"]
    go.set()
    assert ready(gallery, address)["problem"] == "the disk is full; make room"


def test_one_solve_at_a_time(solved_by):
    """Another one stops the first, as does the button; and neither keeps the server waiting."""
    begun, quick = threading.Event(), threading.Event()

    def slow(name, game, listener):
        begun.set()
        while not quick.wait(0.005):
            listener(halls.Event("explore", 0, None, 0.0))
        return solved(name, game, listener)

    gallery = solved_by(slow)
    first = gallery.post("/api/games/take-away/solve", params={"stones": "5"}).json()["address"]
    assert begun.wait(60)
    second = gallery.post("/api/games/take-away/solve", params={"stones": "6"}).json()["address"]
    status = ready(gallery, first)
    assert (status["state"], status["problem"][:7]) == ("failed", "stopped")
    assert gallery.get(f"/{second}api/status").json()["state"] == "solving"
    assert gallery.post(f"/{second}stop").status_code == 200
    assert ready(gallery, second)["state"] == "failed"
    quick.set()
    again = gallery.post("/api/games/take-away/solve", params={"stones": "6"}).json()["address"]
    assert again == second
    assert ready(gallery, again)["state"] == "ready"


def test_few_games_are_remembered(hall, monkeypatch):
    """The one that was opened longest ago is forgotten."""
    monkeypatch.setattr(halls, "MOST_ROOMS", 2)
    rooms = [hall.open("take-away", zoo()["take-away"](n)) for n in (3, 4, 5)]
    assert [hall.room(name) is not None for name in rooms] == [False, True, True]


def test_solves_are_begun_from_our_page_alone(gallery):
    """A page elsewhere can send requests to this machine, but not without saying where it is."""
    path = "/api/games/take-away/solve"
    assert gallery.get(path).status_code == 405
    assert gallery.post(path, headers={"origin": "https://evil.example"}).status_code == 403
    assert gallery.post(path, headers={"origin": "null"}).status_code == 403
    assert gallery.post(path, content=b"x" * 10).status_code == 413
    assert gallery.post("/api/games").status_code == 405
    assert gallery.post(path, headers={"origin": URL}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/games/no-game", "/api/games/no-game/look", "/play/gone-0123abcd/api/game"]
)
def test_programs_read_a_sentence_about_a_missing_address(gallery, path):
    """It is JSON."""
    answer = gallery.get(path)
    assert answer.status_code == 404
    assert answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "root"),
    [("/elsewhere", "./"), ("/else/where", "../"), ("/play/gone-0123abcd/x", "../../")],
)
def test_a_missing_address_is_a_page(gallery, path, root):
    """It leads back to the first page, and shows what was typed as text."""
    answer = gallery.get(f"{path}<b>")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert f'<a href="{root}">Go to the first page</a>' in answer.text
    assert f'href="{root}static/style.css"' in answer.text
    assert "&lt;b&gt;</code>" in answer.text


@pytest.mark.parametrize(
    ("typed", "games"),
    [
        ("913", {"cat-and-mouse"}),
        ("leetcode 1728", {"cat-and-mouse-grid"}),
        ("predict the winner", {"stone-game"}),
        ("predict-the-winner", {"stone-game"}),
    ],
)
def test_cards_have_the_words_that_games_are_searched_by(gallery, typed, games):
    """LeetCode's numbers and other names too."""
    cards = gallery.get("/api/games").json()
    words = {card["name"]: " ".join(card["others"]) for card in cards}
    assert {name for name in words if all(word in words[name] for word in typed.split())} == games


@pytest.mark.parametrize(
    ("game", "field", "typed", "right"),
    [
        ("stone-game", "piles", "5 3 4 5", "5,3,4,5"),
        ("stone-game", "piles", "five", "5,3,4,5"),
        ("stone-game", "piles", "[5,3", "[5,3]"),
        ("nim", "heaps", "3;4;5", "3,4,5"),
        ("node-kayles", "graph", "[[1], [0", "[[1], [0]]"),
    ],
)
def test_the_remedy_for_a_field_works_in_the_form(gallery, game, field, typed, right):
    """It is typed as it stands in the message, without the quotation marks of a shell."""
    look = gallery.get(f"/api/games/{game}/look", params={field: typed}).json()
    assert look["problems"][field].endswith(f" {right}")
    look = gallery.get(f"/api/games/{game}/look", params={field: right}).json()
    assert (look["problems"], bool(look["svg"])) == ({}, True)


def test_a_box_is_ticked_where_python_has_an_argument(gallery):
    """The message names the box by its label, and ticking it helps."""
    given = {"graph": "[[1], [2], [0]]", "mouse": "1", "cat": "2", "hole": "0"}
    look = gallery.get("/api/games/cat-and-mouse/look", params=given).json()
    assert look["problems"]["graph"].endswith("add it, or tick 'Directed'")
    fields = gallery.get("/api/games/cat-and-mouse").json()["fields"]
    (box,) = [field for field in fields if field["label"] == "Directed"]
    given[box["name"]] = "true"
    look = gallery.get("/api/games/cat-and-mouse/look", params=given).json()
    assert look["problems"] == {}


def test_the_gallery_needs_no_compiler():
    """Neither Numba nor the server's heavier parts are read before a game is solved."""
    code = """
import sys
from zermelo.cli.arguments import parameters
from zermelo.web.gallery.application import make_gallery
from zermelo.web.gallery.cards import cards, thumbnail
from zermelo.web.gallery.forms import Forms
from zermelo.web.gallery.session_pool import SessionPool
from zermelo.web.guard import PRIVATE
from zermelo.web.server import Site
make_gallery(Forms(parameters), SessionPool(None), "127.0.0.1", PRIVATE)
assert len(cards()) > 100 and thumbnail("tic-tac-toe")
print(*{"numba", "llvmlite", "fastapi", "pydantic"} & set(sys.modules))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""
