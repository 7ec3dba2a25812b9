"""What the tests of the explorer share: solved games, and their applications."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

import pytest
from fastapi.testclient import TestClient

import zermelo
from support.browsers.explorer import Page, browser, served
from zermelo import web
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
GAMES = {
    "tic-tac-toe": TicTacToe(),
    "cat-and-mouse": CatAndMouse(GRAPH),
    "take-away": TakeAway(21),
    "stone-game": StoneGame([5, -3, 4, 5]),
}


@pytest.fixture(scope="session")
def solutions():
    """Some games solved, by their names."""
    return {name: zermelo.solve(game) for name, game in GAMES.items()}


@pytest.fixture(scope="session")
def client(solutions):
    """Make a client of a game's application, as a browser on this machine would be one."""

    @cache
    def make(name="tic-tac-toe", **options):
        app = web.app(solutions[name], **options)
        url = "http://localhost:8765"
        return TestClient(app, base_url=url, raise_server_exceptions=False)

    return make


@pytest.fixture
def ask(client):
    """Ask for JSON that is there."""

    def get(path, name="tic-tac-toe", **query):
        response = client(name).get(f"/api/{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    return get


@pytest.fixture(scope="session")
def chromium():
    """Open a browser, with what it writes on its console."""
    with browser() as opened:
        yield opened


@pytest.fixture
def page(chromium, solutions):
    """Open the page of a solved game; at the end, the console must be clean."""

    @contextmanager
    def opened(name, solution=None, path=""):
        chromium.get_log("browser")  # of pages before this one
        with served(name, solution=solution or solutions[name]) as url:
            found = Page(chromium, url)
            found.open(path)
            yield found
            assert found.console() == []

    return opened
