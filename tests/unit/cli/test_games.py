"""``zermelo games``."""

from __future__ import annotations

import json

from zermelo.games import zoo
from zermelo.games.aliases import ALIASES


def test_the_table_has_every_game(run):
    """Each game is there with its parameters and their defaults, 80 columns wide."""
    result = run("games")
    assert result.exit_code == 0
    for name in zoo():
        assert f"\n{name}  " in result.stdout
    assert "--width INTEGER [5]" in result.stdout
    assert "--graph JSON [[[2, 5], [3], " in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in result.stdout.splitlines())


def test_json_says_the_same(run):
    """``--json`` gives names, descriptions, and parameters with types and defaults."""
    games = {game["name"]: game for game in json.loads(run("games", "--json").stdout)}
    assert sorted(games) == list(zoo())
    assert games["connect-four"]["parameters"][0] == {
        "name": "width",
        "option": "--width",
        "type": "integer",
        "required": False,
        "default": 5,
        "help": "the number of columns",
    }
    types = {p["name"]: (p["type"], p["required"]) for p in games["cat-and-mouse"]["parameters"]}
    assert types["graph"] == ("list", False)
    assert types["directed"] == ("boolean", False)
    assert all(game["description"].endswith((".", "?")) for game in games.values())


def test_quiet_writes_names(run):
    """``--quiet`` writes the names alone, kind by kind."""
    assert sorted(run("games", "--quiet").stdout.split()) == list(zoo())


def test_games_are_listed_by_kind(run):
    """Each kind stands above its games, and the games of a kind follow each other."""
    lines = run("games").stdout.splitlines()
    places = {
        name: next(n for n, line in enumerate(lines) if line.startswith(f"{name} "))
        for name in zoo()
    }
    kinds = {name: lines.index(zoo().kind(name)) for name in zoo()}
    for name, place in places.items():
        assert kinds[name] == max(kind for kind in kinds.values() if kind < place)


def test_a_word_finds_games(run):
    """A word is looked for in names, kinds and descriptions; a whole name is that game alone."""
    assert set(run("games", "checkers", "--quiet").stdout.split()) >= {"ellys-checkers"}
    assert "cat-and-mouse" in run("games", "pursuit", "--quiet").stdout.split()
    assert "take-away" in run("games", "stones", "--quiet").stdout.split()
    assert run("games", "cat-and-mouse", "--quiet").stdout.split() == ["cat-and-mouse"]
    nothing = run("games", "xyzzy")
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert "no game has 'xyzzy' in its name" in nothing.stderr


def test_numbers_and_other_names_find_games(run):
    """A game has its number on LeetCode, and ``leetcode`` finds all that have one."""
    assert run("games", "913", "--quiet").stdout == "cat-and-mouse\n"
    assert run("games", "leetcode", "1140", "--quiet").stdout == "stone-game-front\n"
    numbered = {words.split()[0] for alias, words in ALIASES.items() if alias.isdecimal()}
    assert set(run("games", "leetcode", "--quiet").stdout.split()) == numbered
    assert "also 486, 877, predict-the-winner" in run("games", "predict-the-winner").stdout
    (game,) = json.loads(run("games", "reversi", "--json").stdout)
    assert (game["name"], game["other_names"]) == ("othello", ["reversi"])
    assert "did you mean reversi?" in run("games", "revresi").stderr


def test_facts_are_shown_with_their_sources(run):
    """``--facts`` has each fact in words, and says who says so."""
    shown = run("games", "tic-tac-toe", "--facts").stdout
    assert "tie in 9; 5,478 positions" in shown
    assert "A008907" in shown
    (game,) = json.loads(run("games", "tic-tac-toe", "--facts", "--json").stdout)
    assert game["facts"][0]["positions"] == 5478
    assert "A008907" in game["facts"][0]["source"]


def test_descriptions_can_be_read(run):
    """Each has room beside its name, however long the parameters of some games are."""
    lines = run("games").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    at = next(n for n, line in enumerate(lines) if line.startswith("amazons "))
    assert lines[at].endswith("Amazons move like queens and then shoot an arrow;")
