"""Quoridor on boards of up to twenty squares: the winner, the plies, the numbers of positions."""

from __future__ import annotations

import pytest

import zermelo
from support.results import lines
from zermelo.games import Quoridor

VALUES = {tuple(map(int, words[:3])): words[3:] for words in lines("quoridor.txt")}
#: The winner with 0 to 4 walls, by rows and columns, in the table of G. Slatton.
KNOWN = {
    (3, 2): "21111",
    (3, 3): "22222",
    (3, 4): "22211",
    (3, 5): "22211",
    (3, 6): "22221",
    (5, 2): "22222",
    (5, 3): "22212",
    (5, 4): "22221",
    (7, 2): "22111",
    (9, 2): "22222",
}
SMALL = [size for size, words in VALUES.items() if int(words[2]) < 100]
LARGE = [size for size in VALUES if size not in SMALL]


def test_winners_are_those_of_others():
    """Where the source has a board, the winner is the one that it names."""
    found = 0
    for (rows, columns, walls), (outcome, *_) in VALUES.items():
        if (rows, columns) in KNOWN:
            assert outcome == ("win" if KNOWN[rows, columns][walls] == "1" else "loss")
            found += 1
        elif rows % 2 == 0:
            assert outcome == "win"
    assert found >= 25


@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param(SMALL, id="small"),
        pytest.param([(3, 3, 4)], marks=pytest.mark.slow, id="some"),
        *(pytest.param([size], marks=pytest.mark.huge, id=f"{size}") for size in LARGE),
    ],
)
def test_values_and_counts(sizes):
    """The value of the start and the numbers of positions are those of the file, verified."""
    for size in sizes:
        solution = zermelo.solve(Quoridor(*size))
        value, counts = solution.value, solution.counts()
        numbers = (value.remoteness, counts.positions, counts.win, counts.loss, counts.draw)
        assert [value.word, *map(str, numbers)] == VALUES[size]
        assert solution.verify()
