"""Sprouts, compared with planar maps and with what is published."""

from __future__ import annotations

from functools import cache
from random import Random
from string import ascii_letters, ascii_uppercase
from typing import Any

import pytest

from support.oracles import planar_maps
from zermelo import PositionError
from zermelo.games import Sprouts

#: Moves after which the oracle knows all that follows in a moment, by spots.
MOVES = {1: 0, 2: 0, 3: 4, 4: 7}


@cache
def nimber(game: Sprouts, position: Any) -> int:
    """Return the nimber of a position, by the rules in Python."""
    reached = set()
    for move in game.moves(position):
        total = 0
        for part in game.split(game.play(position, move)):
            total ^= nimber(game, part)
        reached.add(total)
    return next(n for n in range(len(reached) + 1) if n not in reached)


def drawings(spots: int, count: int) -> list[planar_maps.Drawing]:
    """Return random drawings of spots, late enough in the game."""
    random, found = Random(spots), []
    for _ in range(count):
        drawing = planar_maps.start(spots)
        for _ in range(MOVES[spots]):
            if children := list(planar_maps.children(drawing)):
                drawing = random.choice(children)
        found.append(drawing)
    return found


@pytest.mark.parametrize(
    ("spots", "count"),
    [
        (1, 1),
        (2, 1),
        (3, 8),
        (4, 8),
        pytest.param(3, 500, marks=pytest.mark.huge),
        pytest.param(4, 500, marks=pytest.mark.huge),
    ],
)
def test_drawings_have_the_nimbers_of_planar_maps(spots: int, count: int) -> None:
    """The oracle keeps the whole drawing; the game keeps what can still be used of it."""
    game, known = Sprouts(spots), {}
    for drawing in drawings(spots, count):
        position = game.parse(planar_maps.text(drawing))
        expected = planar_maps.nimber(drawing, known)
        assert nimber(game, position) == expected, planar_maps.text(drawing)
        total = 0
        for part in game.split(position):
            total ^= nimber(game, part)
        assert total == expected, planar_maps.text(drawing)


def test_spots_beyond_the_small_letters_have_capital_ones() -> None:
    """A position is read as it is shown, and its moves name as many boundaries as there are."""
    game = Sprouts(14)
    row = ascii_letters[:27] + "}"
    assert game.show(game.parse(2 * row)) == 2 * row
    with pytest.raises(PositionError, match="is not a position of 13 spots"):
        Sprouts(13).parse(2 * row)
    names = [game.name(move) for move in game.moves(game.start())]
    assert names == [
        "1-2",
        *("1-1" + ":" * bool(n) + ",".join(ascii_uppercase[1 : n + 1]) for n in range(14)),
    ]


def test_games_have_the_published_lengths() -> None:
    """At least twice as many moves as spots, and fewer than three times as many (Conway)."""
    random, lengths = Random(1), set()
    for spots in range(1, 9):
        game = Sprouts(spots)
        for _ in range(4):
            position, length = game.start(), 0
            while moves := list(game.moves(position)):
                position, length = game.play(position, random.choice(moves)), length + 1
                assert len(position.corners) == game.room
                assert game.parse(game.show(position)) == position
            assert 2 * spots <= length <= 3 * spots - 1
            lengths.add((spots, length))
    assert {(1, 2), (2, 4), (2, 5)} <= lengths


@pytest.mark.parametrize("text", ["0.3}", "a}", "aaa}", "0", "0}}", ".0}", "0.0.0.0.0}", "ab}ab}0"])
def test_other_texts_are_no_positions(text: str) -> None:
    """Each letter occurs twice, each boundary and region ends, and there are not too many spots."""
    with pytest.raises(PositionError):
        Sprouts(1).parse(text)
