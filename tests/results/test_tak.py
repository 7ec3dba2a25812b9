"""Tak on three by three cells: the length of each opening, by strategies of both players."""

from __future__ import annotations

import pytest

import zermelo
from support.results import lines
from zermelo.games import Tak
from zermelo.games.pieces.tak import FLAT
from zermelo.symmetry import grid

LENGTHS = {tuple(words[:-1]): int(words[-1]) for words in lines("tak.txt")}
#: The bounds of u/alphatak after a first stone in a corner and in the middle.
KNOWN = {("a3",): 15, ("b2",): 13}


def opened(game, names):
    """Return the position after flat stones are put on some cells."""
    position = game.start()
    for name in names:
        position = game.play(position, (game.cell_called(name), FLAT, 0))
    return position


def proved(game, position, plies):
    """Whether a position is decided in a number of plies, by a proof that is verified."""
    proof = zermelo.prove(game, position=position, remoteness=True)
    return str(proof) == f"{'win' if plies % 2 else 'loss'} in {plies}" and proof.verify()


def test_every_opening_is_there_once():
    """The openings of one and two stones are those of the board up to its symmetries."""
    game = Tak(3, 10)
    moves = grid(3, 3)
    images = {tuple(range(9))}
    while len(images) < 8:
        images |= {tuple(move[cell] for cell in image) for image in images for move in moves}
    seen = set()
    for names in LENGTHS:
        cells = [game.cell_called(name) for name in names]
        orbit = {tuple(image[cell] for cell in cells) for image in images}
        assert not orbit & seen
        seen |= orbit
    assert len(seen) == 9 + 9 * 8


def test_lengths_of_openings_agree_with_each_other_and_with_what_is_known():
    """O answers a first stone so that the game is longest; the lengths known are bounds."""
    for opening, length in LENGTHS.items():
        if len(opening) == 1:
            assert length == max(LENGTHS[both] for both in LENGTHS if both[:-1] == opening)
            assert length == KNOWN.get(opening, length)


@pytest.mark.parametrize(
    "opening",
    [
        pytest.param(opening, marks=pytest.mark.slow if length == 9 else pytest.mark.huge)
        for opening, length in LENGTHS.items()
    ],
    ids=" ".join,
)
def test_an_opening_has_its_length(opening):
    """Each player has a strategy that makes the game no longer, or no shorter."""
    game = Tak(3, 10)
    assert proved(game, opened(game, opening), LENGTHS[opening] - len(opening))


@pytest.mark.parametrize(
    ("stones", "plies"),
    [
        pytest.param(
            stones,
            min(2 * stones - 1, 13),
            marks=pytest.mark.slow if stones < 5 else pytest.mark.huge,
        )
        for stones in range(2, 16)
    ],
)
def test_a_number_of_stones(stones, plies):
    """The first player wins at the last stone, or within 13 plies."""
    game = Tak(3, stones)
    assert proved(game, game.start(), plies)
