"""Dots and Boxes against rules on pairs of dots, and results that others have published."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import zermelo
from facts import rows
from support.oracles.oracle import solve_scores
from zermelo import ParameterError, PositionError
from zermelo.games import DotsAndBoxes
from zermelo.games.territory.dots_and_boxes import Strokes

FACTS = [
    (int(row["rows"]), int(row["columns"]), int(row["margin"]) if row["margin"] else None)
    for row in rows("dots_and_boxes")
]
#: Boards for the default suite; each has rules of its own to compile.
FEW = ((1, 3),)


def pairs(width, height):
    """Return each two neighbouring dots of a board, dots being pairs of coordinates."""
    dots = [(x, y) for y in range(height + 1) for x in range(width + 1)]
    return [
        frozenset({(x, y), (x + dx, y + dy)})
        for dx, dy in ((1, 0), (0, 1))
        for x, y in dots
        if x + dx <= width and y + dy <= height
    ]


def sides(x, y):
    """Return the four sides of the box whose upper left dot this is."""
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    return {frozenset({corners[i - 1], corners[i]}) for i in range(4)}


def margin(width, height):
    """Return by how many boxes the first player wins, of sets of pairs of dots."""
    lines = pairs(width, height)
    boxes = [sides(x, y) for x in range(width) for y in range(height)]

    @cache
    def best(drawn):
        margins = [0] if len(drawn) == len(lines) else []
        for line in lines:
            if line not in drawn:
                after = drawn | {line}
                won = sum(line in box and box <= after for box in boxes)
                margins.append(won + best(after) if won else -best(after))
        return max(margins)

    return best(frozenset())


def test_margins_are_those_of_rules_on_pairs_of_dots():
    """Small boards, either way up."""
    for height, width in ((1, 1), (1, 2), (2, 1), (1, 3)):
        game = DotsAndBoxes(height, width)
        assert solve_scores(game)[game.start()] == margin(width, height)


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(f, marks=pytest.mark.huge if 3 in f[:2] else pytest.mark.slow)
        if f[:2] not in FEW
        else f
        for f in FACTS
        if f[0] * f[1] < 10
    ],
    ids=str,
)
def test_published_margins(fact):
    """Each board has the margin that others found, and the certificate holds."""
    height, width, expected = fact
    solution = zermelo.solve(DotsAndBoxes(height, width))
    assert solution.value.score == expected
    assert solution.verify()


@pytest.mark.huge
def test_two_by_five():
    """Ten boxes, 27 lines: the largest board of the facts that is solved here."""
    (expected,) = (margin for *size, margin in FACTS if size == [2, 5])
    assert zermelo.solve(DotsAndBoxes(2, 5)).value.score == expected


@pytest.mark.slow
def test_symmetries_change_nothing():
    """Every position of two by two boxes has the value it has without them."""
    game = DotsAndBoxes()
    folded, whole = zermelo.solve(game), zermelo.solve(game, symmetry=False)
    assert folded.counts() == whole.counts()
    assert all(folded[p] == value for p, value in whole.items())
    assert len(folded) < len(whole) / 7


def test_a_line_may_close_two_boxes():
    """It scores two, and the player moves again once."""
    game = DotsAndBoxes(1, 2)
    middle = next(line for line in range(game.lines) if game.name(line) == "b2-b1")
    p = Strokes((1 << game.lines) - 1 & ~(1 << middle), 1)
    assert game.gain(p, middle) == 2
    assert game.play(p, middle) == Strokes((1 << game.lines) - 1, 1)
    assert game.play(game.start(), middle) == Strokes(1 << middle, 1)


def test_boards_are_read_as_they_are_shown():
    """Without a turn it is the first player's, and what is not a board is refused."""
    game, random = DotsAndBoxes(2, 3), Random(1)
    for _ in range(50):
        p = Strokes(random.randrange(1 << game.lines), random.randrange(2))
        assert game.parse(game.show(p)) == p
    assert game.parse("+--+  +  +\n|\n+  +  +  +\n\n+  +  +  +") == Strokes(1 | 1 << 9, 0)
    for text in ("", "+--+", "+--+  +  +\nx\n+  +  +  +\n\n+  +  +  +", "+==+  +  +\n\n\n\n\n"):
        with pytest.raises(PositionError, match="is not a board of 2 rows of 3 boxes"):
            game.parse(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0, 3), "rows must be at least 1, not 0"),
        ((2, "3"), "columns must be a whole number from 1 to 62, not '3'"),
        ((6, 5), "6 rows of 5 boxes have 71 lines; keep to 62"),
    ],
)
def test_boards_that_do_not_fit_are_refused(given, message):
    """The lines have to fit the bits of a number."""
    with pytest.raises(ParameterError) as caught:
        DotsAndBoxes(*given)
    assert str(caught.value) == message
