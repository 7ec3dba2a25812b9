"""What games are called, and what is said of their rules."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from zermelo import Game
from zermelo.game.titles import instructions_of, name_of, title_of
from zermelo.games import CatAndMouse, ChessEnding, ConnectFour, Dodgem, Nim, TakeAway, zoo
from zermelo.games import StoneGame as Stones


@dataclass(frozen=True)
class RaceToTheTop(Game):
    """Two players run up the stairs.

    Who is at the top first has won; ``steps`` are taken one or two at a time.

    Attributes:
        stairs: how many stairs there are.
    """

    stairs: int = 10
    slow: bool = False


@dataclass(frozen=True)
class Labelled(Game):
    """A game whose parameter is a title."""

    title: str = "x"


@pytest.mark.parametrize(
    ("game", "title"),
    [
        (ConnectFour(5, 4), "Connect Four 5×4"),
        (ConnectFour(5, 4, 3), "Connect Four 5×4, length 3"),
        (ChessEnding("KQKR"), "Chess: K+Q against K+R"),
        (CatAndMouse([[1], [0, 2], [1]]), "Cat and Mouse, 3 nodes"),
        (Dodgem(3), "Dodgem 3×3"),
        (Nim((3, 4, 5)), "Nim 3, 4, 5"),
        (TakeAway(1, 2), "Take-away, 1 stone, limit 2"),
        (Stones([5, -3]), "Stone Game 5, -3"),
        (Stones(list(range(50))), "Stone Game"),
        (RaceToTheTop(), "Race to the Top, 10 stairs"),
        (RaceToTheTop(slow=True), "Race to the Top, 10 stairs, slow"),
        (Labelled(), "Labelled"),
    ],
    ids=str,
)
def test_a_game_is_called_by_its_name_and_its_size(game, title):
    """No slug, no path and no JSON, whatever the parameters."""
    assert title_of(game) == title


def test_every_game_of_the_zoo_has_a_name_of_its_own():
    """In words, with an apostrophe where one belongs."""
    names = {name: name_of(kind) for name, kind in zoo().items()}
    assert len(set(names.values())) == len(names)
    assert names["dawsons-chess"] == "Dawson's Chess"
    assert not any("_" in name for name in names.values())


def test_instructions_are_the_whole_docstring_without_its_sections():
    """A paragraph each; a class without a docstring says nothing."""
    assert instructions_of(RaceToTheTop) == [
        "Two players run up the stairs.",
        "Who is at the top first has won; steps are taken one or two at a time.",
    ]

    @dataclass(frozen=True)
    class Bare(Game):
        stones: int = 3

    assert instructions_of(Bare) == []
