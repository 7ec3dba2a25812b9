"""Behind a proxy: other names, other paths, with the path taken out or left in."""

from __future__ import annotations

import logging

import pytest
from fastapi.testclient import TestClient

from zermelo.web.application import make_app
from zermelo.web.guard import AccessRules
from zermelo.web.server import Site
from zermelo.web.session import ExplorerSession

ROOT = "/user/me/proxy/8765"


@pytest.fixture
def behind(solutions):
    """Make a client of a game that stands behind a proxy."""

    def make(*hosts, root=""):
        room = ExplorerSession("take-away")
        room.show(solutions["take-away"])
        return TestClient(
            make_app(room, "127.0.0.1", AccessRules(hosts, root)), follow_redirects=False
        )

    return make


def test_a_name_has_to_be_let_in(behind):
    """As otherwise any page could ask, under a name of its own that leads here."""
    headers = {"host": "hub.example"}
    refused = behind().get("/api/game", headers=headers)
    assert refused.status_code == 403
    assert "--allow-host" in refused.json()["detail"]
    assert behind("hub.example").get("/api/game", headers=headers).status_code == 200
    assert behind("*.app.github.dev").get("/", headers={"host": "x-1.app.github.dev"}).is_success
    for other in ("app.github.dev.evil.example", "evilapp.github.dev", "app.github.dev"):
        assert behind("*.app.github.dev").get("/", headers={"host": other}).status_code == 403


def test_the_origin_is_that_of_the_proxy(behind):
    """It speaks HTTPS to the browser, and plain HTTP to us under the name of this machine."""
    client = behind("board.example")
    for host in ("localhost:8765", "board.example"):
        for origin, status in (
            ("https://board.example", 200),
            ("https://board.example:8443", 200),
            ("https://evil.example", 403),
            ("https://board.example.evil.example", 403),
            ("null", 403),
        ):
            headers = {"host": host, "origin": origin}
            assert client.get("/api/game", headers=headers).status_code == status, origin


@pytest.mark.parametrize("path", ["", ROOT])
def test_the_path_of_the_proxy_may_be_left_in_or_taken_out(behind, path):
    """jupyter-server-proxy does either, by /proxy/ and /proxy/absolute/."""
    client = behind("hub.example", root=ROOT)
    headers = {"host": "hub.example"}
    page = client.get(f"{path}/", headers=headers)
    assert page.status_code == 200
    assert client.get(f"{path}/static/app.js", headers=headers).status_code == 200
    game = client.get(f"{path}/api/game", headers=headers)
    assert game.json()["game"] == "take-away"
    described = client.get(f"{path}/api/openapi.json", headers=headers).json()
    assert described["servers"] == [{"url": ROOT}]


def test_without_the_last_slash_one_is_led_there(behind):
    """As what the page names is beside it."""
    answer = behind("hub.example", root=ROOT).get(ROOT, headers={"host": "hub.example"})
    assert answer.headers["location"] == f"{ROOT}/"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--allow-host", "http://hub.example/"], "is not a host; write one such as board.example"),
        (["--root-path", "https://hub.example/x"], "is not a path; write one such as /proxy/8765"),
        (["--force"], "--force is for --export; leave it out"),
    ],
)
def test_what_cannot_be_served(words, sentence):
    """Each with what to write instead."""
    from click.testing import CliRunner

    from zermelo.cli import main

    result = CliRunner().invoke(main, ["explore", "take-away", "--no-browser", *words])
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_the_logging_of_a_process_stays_as_it_is(behind):
    """Another library's handler may close a stream that is not its own when it is closed."""
    closed = []

    class Handler(logging.Handler):
        def close(self):
            closed.append(self)
            super().close()

    handler = Handler()
    Site(behind().app, "127.0.0.1", 0).close()
    assert not closed
    handler.close()
    assert closed == [handler]
