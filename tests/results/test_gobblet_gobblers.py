"""Gobblet Gobblers by four rules for lifted pieces: the length of each opening, by strategies."""

from __future__ import annotations

import pytest

import zermelo
from support.results import lines
from zermelo.games import GobbletGobblers
from zermelo.games.pieces.gobblet_gobblers import REVEALS
from zermelo.symmetry import grid

LENGTHS = {
    (reveal, *words[:-4]): word
    for words in lines("gobblet-gobblers.txt")
    for reveal, word in zip(REVEALS, words[-4:], strict=True)
}
#: Openings after which the rules differ.
DIFFERENT = [("1a3", "3a3"), ("2a3", "3c3"), ("2b3", "1b1")]
#: The lengths of M. Kasahara's program, by the rule that lifting loses.
KNOWN = {
    ("1a3",): 15,
    ("1b3",): 15,
    ("1b2",): 15,
    ("2a3",): 14,
    ("2b3",): 12,
    ("2b2",): 12,
    ("3a3",): 13,
    ("3b3",): 15,
    ("3b2",): 13,
}


def opened(game, names):
    """Return the position after some pieces are put on the board."""
    position = game.start()
    for name in names:
        moves = {game.name(move): move for move in game.moves(position)}
        position = game.play(position, moves[name])
    return position


def proved(reveal, names):
    """Return the length of a game from its start, with a proof that is verified."""
    game = GobbletGobblers(3, 2, reveal)
    proof = zermelo.prove(game, position=opened(game, names), remoteness=True)
    assert proof.verify()
    value = proof.value
    if value.remoteness is None:
        return "endless"
    plies = value.remoteness + len(names)
    if value.outcome == zermelo.DRAW:
        return f"tie-{plies}"
    assert value.outcome == (zermelo.WIN if value.remoteness % 2 else zermelo.LOSS)
    return str(plies)


def test_every_opening_is_there_once():
    """The openings of one and two pieces are those of the board up to its symmetries."""
    game = GobbletGobblers(3, 2)
    moves = grid(3, 3)
    images = {tuple(range(9))}
    while len(images) < 8:
        images |= {tuple(move[cell] for cell in image) for image in images for move in moves}
    seen = set()
    for reveal, *names in LENGTHS:
        if reveal == "cover":
            board = opened(game, names)
            pieces = enumerate(board.first + board.second)
            cells = [(mask.bit_length() - 1, piece) for piece, mask in pieces if mask]
            orbit = {tuple((image[c], piece) for c, piece in cells) for image in images}
            assert not orbit & seen
            seen |= orbit
    assert len(seen) == 27 + 27 * 27 - 9 * 6


def preference(length):
    """Return a number that is greater for lengths that the second player likes better."""
    if length.isdecimal():
        plies = int(length)
        return plies - 100 if plies % 2 else 100 - plies
    return 1 if length.startswith("tie") else 0


@pytest.mark.parametrize("reveal", REVEALS)
def test_lengths_of_openings_agree_with_each_other_and_with_what_is_known(reveal):
    """The second player answers a first piece best; one published length is two plies longer."""
    for (rule, *names), length in LENGTHS.items():
        if rule == reveal and len(names) == 1:
            replies = [
                reply
                for (other_rule, *both), reply in LENGTHS.items()
                if other_rule == reveal and len(both) == 2 and both[:1] == names
            ]
            assert length == max(replies, key=preference)
            assert int(length) == KNOWN[tuple(names)] - (2 if names == ["1b3"] else 0)


def test_the_rules_differ_after_three_openings():
    """The other openings have the same length by all four rules."""
    openings = {tuple(names) for _, *names in LENGTHS}
    different = {
        names for names in openings if len({LENGTHS[rule, *names] for rule in REVEALS}) > 1
    }
    assert different == set(DIFFERENT)


@pytest.mark.slow
@pytest.mark.parametrize("reveal", ["loses"])
def test_a_middle_piece_in_the_middle_loses(reveal):
    """A proof of the shortest of all openings, by each rule."""
    assert proved(reveal, ["2b2"]) == LENGTHS[reveal, "2b2"]


@pytest.mark.huge
@pytest.mark.parametrize("reveal", REVEALS)
def test_the_start(reveal):
    """The first player wins in as many plies as after the best first piece."""
    assert proved(reveal, []) == "13"


@pytest.mark.huge
@pytest.mark.parametrize("opening", LENGTHS, ids=" ".join)
def test_an_opening_has_its_length(opening):
    """Each player has a strategy that makes the game no longer, or no shorter."""
    reveal, *names = opening
    assert proved(reveal, names) == LENGTHS[opening]
