"""``zermelo games``."""

from __future__ import annotations

import json

from zermelo.games import zoo


def test_the_table_has_every_game(run):
    """Each game is there with its parameters and their defaults, 80 columns wide."""
    result = run("games")
    assert result.exit_code == 0
    for name in zoo():
        assert f"\n{name}  " in result.stdout
    assert "--width INTEGER [7]" in result.stdout
    assert "--graph JSON\n" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in result.stdout.splitlines())


def test_json_says_the_same(run):
    """``--json`` gives names, descriptions, and parameters with types and defaults."""
    games = {game["name"]: game for game in json.loads(run("games", "--json").stdout)}
    assert list(games) == list(zoo())
    assert games["connect-four"]["parameters"][0] == {
        "name": "width",
        "option": "--width",
        "type": "integer",
        "required": False,
        "default": 7,
        "help": "the number of columns",
    }
    types = {p["name"]: (p["type"], p["required"]) for p in games["cat-and-mouse"]["parameters"]}
    assert types["graph"] == ("list", True)
    assert types["directed"] == ("boolean", False)
    assert all(game["description"].endswith((".", "?")) for game in games.values())


def test_quiet_writes_names(run):
    """``--quiet`` writes the names alone."""
    assert run("games", "--quiet").stdout.split() == list(zoo())
