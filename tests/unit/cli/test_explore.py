"""``zermelo explore``: the page is there, and what cannot be served says why."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.request import urlopen

import pytest

from support.processes.conditions import wait_until
from support.processes.interrupts import heeding
from zermelo.web.server import Site

pytestmark = pytest.mark.timing


@contextmanager
def serving(command, *words):
    """Run the command, and hand over what it says of itself and a way to ask."""
    line = heeding(command, "explore", *words, "--no-browser", "--json", "--port", "0")
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        told = json.loads(process.stdout.readline())

        def ask(path=""):
            with urlopen(told["api"] + path, timeout=60) as answer:  # noqa: S310  # our own
                return json.load(answer)

        yield process, told, ask
    finally:
        process.kill()
        process.communicate()


def ready(ask):
    """Wait until the game is solved."""
    wait_until(lambda: ask("status")["state"] != "solving")


def test_a_game_is_served_until_interrupted(command):
    """The page is there at once, the answers follow, and Ctrl-C ends it with 130."""
    with serving(command, "take-away", "--stones", "21") as (process, told, ask):
        with urlopen(told["url"], timeout=60) as page:  # noqa: S310  # our own
            assert b"<title>Zermelo</title>" in page.read()
        assert told["url"].startswith("http://localhost:")
        ready(ask)
        assert ask("position/21")["value"]["text"] == "win in 11"
        assert ask("openapi.json")["info"]["title"] == "Zermelo: Take-away, 21 stones"
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
        assert (process.returncode, rest, errors) == (130, "", "interrupted\n")


@pytest.mark.slow
def test_a_table_is_served_at_once(command, run, folder):
    """Nothing has to be solved, and so nothing is waited for."""
    assert run("solve", "take-away", "--stones", "9", "--table", "heap.table").exit_code == 0
    with serving(command, "heap.table") as (_, _, ask):
        assert ask("status")["state"] == "ready"
        assert ask("game")["game"] == "heap.table"
        assert ask("position/9")["moves"][0]["name"] == "take 1"


@pytest.mark.slow
def test_a_solve_that_fails_ends_the_command(command, countdown):
    """With its sentence, after the page has had the time to hear of it."""
    countdown.write_text(countdown.read_text().replace("return n - step", "return n - step / 0"))
    with serving(command, "countdown.py") as (process, _, _):
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert errors.startswith("error: ")


@pytest.fixture
def unserved(monkeypatch):
    """The command comes back instead of serving; returned are the sites it made."""
    sites = []
    monkeypatch.setattr(Site, "serve", lambda site, solver: sites.append(site))
    monkeypatch.setattr(Site, "open_browser", lambda site: sites.append("browser"))
    yield sites
    for site in sites:
        if site != "browser":
            site.close()


def test_the_browser_is_opened_unless_told_otherwise(run, unserved):
    """And the address is written either way; --quiet writes nothing else."""
    result = run("explore", "take-away", "--stones", "5")
    assert unserved[0] == "browser"
    assert result.stdout == f"take-away is at {unserved[1].url} until you press Ctrl-C\n"
    result = run("explore", "take-away", "--stones", "5", "--no-browser", "--quiet")
    assert len(unserved) == 3
    assert result.stdout == f"{unserved[2].url}\n"


def test_a_port_that_is_taken(run, unserved):
    """The usual one gives way to another, one that was asked for does not."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("explore", "take-away", "--stones", "5", "--port", port)
        assert result.exit_code == 2
        assert f"cannot serve at 127.0.0.1 port {port}" in result.stderr
        assert result.stderr.endswith("; give another\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.table"], "error: there is no "),
        (["tictactoe"], "error: there is no game 'tictactoe'; did you mean tic-tac-toe?\n"),
        (["tic-tac-toe", "--ignore-rules"], "are for the file of a table, not for tic-tac-toe"),
        (["tic-tac-toe", "--host", "203.0.113.1"], "cannot serve at 203.0.113.1 port"),
        (["tic-tac-toe", "--port", "70000"], "--port must be from 0 to 65535, not 70000"),
        (["--export", "site"], "--export is for a game or a table; name one"),
        (["--ignore-rules"], "are for the file of a table, not for all games"),
    ],
)
def test_what_cannot_be_served_says_why(run, unserved, folder, words, sentence):
    """One sentence, and the exit code of bad usage."""
    result = run("explore", *words, "--no-browser")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_without_the_extra_it_is_named(run, monkeypatch):
    """The sentence says what to install."""
    monkeypatch.setitem(sys.modules, "fastapi", None)
    result = run("explore", "tic-tac-toe")
    assert result.exit_code == 2
    assert result.stderr == ("error: the explorer needs fastapi; run pip install 'zermelo[web]'\n")


@pytest.mark.slow
def test_without_a_game_all_games_are_served(command):
    """With the address of their list for programs."""
    with serving(command) as (_, told, _):
        with urlopen(told["url"], timeout=60) as page:  # noqa: S310  # our own
            assert b"all games" in page.read()
        with urlopen(told["api"], timeout=60) as games:  # noqa: S310  # our own
            assert len(json.load(games)) > 100


@pytest.mark.slow
def test_a_sum_is_served(command):
    """Its positions have the numbers of all parts, and its moves the letters."""
    heaps = "take-away --stones 5 + take-away --stones 7"
    with serving(command, heaps) as (_, _, ask):
        ready(ask)
        assert ask("position/5,4")["value"]["text"] == "nimber 1"
        names = [move["name"] for move in ask("position/5,4")["moves"]]
        assert sorted(names[:2]) == ["a: take 1", "b: take 3"]
        assert ask("position/5,4/explanation")["sentences"]
        assert ask("statistics")["positions"] == 6 * 8
