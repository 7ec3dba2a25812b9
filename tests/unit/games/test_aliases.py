"""Other names of games, and the search for them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from zermelo.cli.arguments.game import GameCommand
from zermelo.games import zoo
from zermelo.games.aliases import ALIASES, find_games, hyphens, similar_names

PAGES = Path(__file__).parents[3] / "docs" / "games"


@pytest.mark.parametrize("alias", ALIASES)
def test_another_name_makes_its_game(alias):
    """It is written in hyphens, is no game's own, and finds the game first."""
    words = shlex.split(ALIASES[alias])
    named = GameCommand("solve", examples=()).make_context("solve", words).params["game"]
    assert named.name == words[0]
    assert hyphens(alias) == alias
    assert alias not in zoo()
    assert find_games(alias)[0] == words[0]


@pytest.mark.parametrize("alias", [alias for alias in ALIASES if alias.isdecimal()])
def test_a_number_stands_on_the_page_of_its_game(alias):
    """So that readers of the page learn what the number is about."""
    (page,) = PAGES.glob(f"*/{ALIASES[alias].split()[0]}.md")
    assert alias in page.read_text()


def test_games_are_found_by_words_in_any_order():
    """The game of that name comes first, then names, then descriptions."""
    assert find_games("Mouse_Cat") == ["cat-and-mouse", "cat-and-mouse-grid"]
    assert find_games("nim")[0] == "nim"
    assert find_games("Connect Four")[0] == find_games("ConnectFour")[0] == "connect-four"
    assert find_games("#913") == find_games("LeetCode 913") == ["cat-and-mouse"]
    assert find_games("xyzzy") == []
    assert find_games("") == list(zoo())


def test_misspelt_names_have_similar_ones():
    """Other names are among them, numbers are not."""
    assert similar_names("tictactoe") == ["tic-tac-toe"]
    assert similar_names("revresi") == ["reversi"]
    assert similar_names("914") == []
