"""Positions as text, which JSON or Python wrote, read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from zermelo import Game, PositionError
from zermelo.game.position_text import read_literal, read_position
from zermelo.rules.hooks import Rules


class Place(NamedTuple):
    row: int
    pits: tuple[int, ...]


@dataclass(frozen=True)
class Walk(Game):
    def start(self):
        return Place(0, (1, 2))

    def moves(self, p):
        return range(p.row < 1)

    def play(self, p, move):
        return Place(1, p.pits)


class Spoken(Walk):
    def show(self, p):
        return f"row {p.row}"


class Strict(Spoken):
    def parse(self, text):
        return Place(int(text.split("row ")[1]), (1, 2))


def refused(kind, text):
    """Return whether reading a position raises ValueError."""
    try:
        read_position(kind, text)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(
    "text",
    [
        "Place(row=-1, pits=(1, 2))",
        "Place(pits=(1, 2), row=-1)",
        "  Place(-1, (1, 2))\n",
        "(-1, (1, 2))",
        "[-1, [1, 2]]",
        '{"row": -1, "pits": [1, 2]}',
        '{"pits": [1, 2], "row": -1}',
    ],
)
def test_printed_positions_are_read(text):
    """With a parse of one's own too, which need not read them, whatever it raises."""
    assert read_position(Place, text) == Rules(Walk()).parse(text) == Place(-1, (1, 2))
    assert Rules(Strict()).parse(text) == Place(-1, (1, 2))


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "1 2", "Place(1", "Place(1, other=(1, 2))", "f(x)(y)", "1 (2)", "Place(*a)"),
        *(
            "[1, 2",
            "Place(row=1)",
            "1 + 1",
            "[x for x in y]",
            "9" * 5000,
            "(" * 5000,
            "0x\0",
            "1.5",
        ),
    ],
)
def test_other_text_is_no_position(text):
    """Nothing of it is run, and nothing but ValueError is raised."""
    assert refused(Place, text)


def test_a_game_without_parse_says_so():
    """Where it shows positions in its own words, it has no way to read them."""
    with pytest.raises(PositionError) as caught:
        Rules(Spoken()).parse("row 1")
    such = '{"row": 0, "pits": [1, 2]}'
    assert str(caught.value) == (
        "'row 1' is not a position; Spoken has no parse() that reads it; write it as JSON, such as "
        f"'{such}'"
    )
    assert Rules(Spoken()).parse(such) == Place(0, (1, 2))
    with pytest.raises(PositionError, match=r"^'row 1' is not a position; write it as JSON"):
        Rules(Walk()).parse("row 1")


def test_numbers_stay_numbers():
    """A number is what JSON has for a position that is one."""
    assert read_literal("7") == read_position(None, "7") == 7
    assert refused(None, "true")
