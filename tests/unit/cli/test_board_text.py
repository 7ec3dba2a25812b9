"""Boards in the terminal: which have coordinates, and whether these are right."""

from __future__ import annotations

import re

import pytest

from zermelo.cli.text.board import add_coordinates, board
from zermelo.games import zoo
from zermelo.rules.hooks import Rules

#: Games whose boards have coordinates; the others have no squares, or another shape.
MARKED = [
    "achi",
    "amazons",
    "atari-go",
    "breakthrough",
    "chess-ending",
    "clobber",
    "col",
    "cram",
    "dao",
    "dodgem",
    "domineering",
    "fox-and-hounds",
    "go",
    "gobblet-gobblers",
    "hexapawn",
    "isola",
    "joust",
    "konane",
    "l-game",
    "m-n-k",
    "maker-breaker",
    "neutreeko",
    "nine-holes",
    "nogo",
    "nu-tic-tac-toe",
    "order-and-chaos",
    "othello",
    "polyomino-achievement",
    "queens-game",
    "quixo",
    "seega",
    "snake",
    "snort",
    "tant-fant",
    "teeko",
    "three-mens-morris",
    "three-musketeers",
    "three-spot",
    "tic-tac-toe",
    "wild-tic-tac-toe",
]


@pytest.mark.parametrize("name", MARKED)
def test_coordinates_are_those_of_the_moves(name):
    """A move that names squares changes them, where the coordinates say that they are."""
    rules = Rules(zoo()[name]())
    start = rules.starts()[0]
    before = cells(board(rules, start, start))
    for move in rules.moves(start):
        after = cells(board(rules, start, rules.play(start, move)))
        changed = {square for square, mark in before.items() if after[square] != mark}
        squares = set(re.findall(r"[a-z]\d+", rules.move_name(move)))
        assert changed & squares or not squares, (rules.move_name(move), changed)


def cells(text):
    """Return what stands on each square of a board with coordinates."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if re.fullmatch(r"\s+a( +[a-z])+", line))
    letters = lines[at].split()
    ranks = [line for line in lines[:at] if re.match(r"\s*\d+ ", line)]
    return {
        f"{letter}{line.split()[0]}": mark
        for line in ranks
        for letter, mark in zip(letters, line.split()[1:], strict=True)
    }


def test_the_others_stay_as_their_games_show_them():
    """Heaps, two boards side by side, slanted boards, and boards whose moves name no squares."""
    for name in ("take-away", "notakto", "hex", "connect-four", "awari", "qubic", "chomp"):
        rules = Rules(zoo()[name]())
        start = rules.starts()[0]
        assert board(rules, start, start) == rules.position_text(start)


def test_othello_counts_ranks_from_the_top():
    """Its players do, and so do its moves."""
    rules = Rules(zoo()["othello"]())
    start = rules.starts()[0]
    assert board(rules, start, start).splitlines()[0] == "1 . . . ."


def test_lines_around_a_board_stay_aligned():
    """What stands above or below a board moves with it, and long boards have wide numbers."""
    lines = add_coordinates("\n".join([". ."] * 10 + ["X to move"])).splitlines()
    assert lines[0] == "10 . ."
    assert lines[9:] == [" 1 . .", "   a b", "   X to move"]


def test_columns_are_as_wide_as_their_stacks():
    """Capital letters in a row are the pieces of one square, as in Tak."""
    lines = add_coordinates("XO . .\n. OS .\nX to move").splitlines()
    assert lines == ["2 XO .  .", "1 .  OS .", "  a  b  c", "  X to move"]


def test_a_long_row_of_numbers_is_soon_seen_to_be_no_board():
    """A pattern that may read a digit in two ways would never end."""
    text = "\n".join([" ".join(["7"] * 200)] * 2)
    assert add_coordinates(text) == text
