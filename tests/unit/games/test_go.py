"""Go on small boards against rules on sets of points, and published results."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import zermelo
from facts import rows
from support.oracles.oracle import solve_loopy_scores
from support.sizes import counts
from zermelo import ParameterError, PositionError
from zermelo.games import Go
from zermelo.games.territory.go import NOWHERE, PASS, Goban

FACTS = [{key: row[key] for key in row if key != "source"} for row in rows("go")]


class Points:
    """Go on sets of points, with the board before the last move in the position for the ko.

    A position is the stones of black and of white, the board that may not come again, how many
    passes there were in a row, and whose turn it is; a move is what it leads to.
    """

    def __init__(self, height: int, width: int) -> None:
        self.points = [(y, x) for y in range(height) for x in range(width)]

    def start(self) -> Any:
        return (frozenset(), frozenset()), None, 0, 0

    def turn(self, position: Any) -> int:
        return position[3]

    def moves(self, position: Any) -> list[Any]:
        board, before, passes, player = position
        if passes == 2:
            return []
        found = [(board, None, passes + 1, 1 - player)]
        for point in self.points:
            if point in board[0] | board[1]:
                continue
            after = [set(side) for side in board]
            after[player].add(point)
            taken = self.dead(after[1 - player], after[0] | after[1])
            after[1 - player] -= taken
            if self.dead(after[player], after[0] | after[1]):
                continue
            sides = frozenset(after[0]), frozenset(after[1])
            if sides != before:
                found.append((sides, board if len(taken) == 1 else None, 0, 1 - player))
        return found

    def play(self, position: Any, move: Any) -> Any:
        return move

    def score(self, position: Any) -> int:
        board, _, _, player = position
        margin = len(self.held(board, 0)) - len(self.held(board, 1))
        return -margin if player else margin

    def dead(self, stones: set[Any], occupied: set[Any]) -> set[Any]:
        """Return the stones of groups without an empty point beside them."""
        found: set[Any] = set()
        for stone in stones:
            group = self.flood({stone}, stones)
            if not self.beside(group) - occupied:
                found |= group
        return found

    def held(self, board: Any, player: int) -> set[Any]:
        """Return a player's stones and the empty points that touch only these."""
        empty = set(self.points) - board[0] - board[1]
        found = set(board[player])
        for point in empty:
            region = self.flood({point}, empty)
            touched = self.beside(region)
            if touched & board[player] and not touched & board[1 - player]:
                found |= region
        return found

    def beside(self, points: Any) -> set[Any]:
        """Return the points beside some, and not among them."""
        near = {(y + a, x + b) for y, x in points for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))}
        return (near & set(self.points)) - set(points)

    def flood(self, points: set[Any], within: Any) -> set[Any]:
        """Return all points joined to some."""
        while more := self.beside(points) & set(within):
            points = points | more
        return points


def as_goban(game: Go, position: Any, plain: Points) -> Goban:
    """Return a position of ``Points`` as one of the game; its ko is a point or nowhere."""
    board, before, passes, player = position
    masks = [sum(1 << y * game.columns + x for y, x in side) for side in board]
    ko = NOWHERE
    if before is not None:
        (stone,) = before[player] - board[player]
        banned = plain.moves((board, None, passes, player))
        if any(after[0] == before for after in banned):
            ko = stone[0] * game.columns + stone[1]
    return Goban(masks[player], masks[1 - player], ko, passes, player)


@pytest.mark.parametrize("size", [(1, 4), (2, 3), (3, 3), (3, 4)])
def test_moves_are_those_of_rules_on_sets(size):
    """In games at random: the same boards, the same ko, the same score in the end."""
    game, plain, random = Go(*size), Points(*size), Random(1)
    for _ in range(6):
        position = plain.start()
        for _ in range(60):
            p = as_goban(game, position, plain)
            after = plain.moves(position)
            expected = {as_goban(game, each, plain) for each in after}
            assert {game.play(p, move) for move in game.moves(p)} == expected
            if not after:
                assert game.score(p) == plain.score(position)
                break
            position = random.choice(after[1:] or after)


@counts(1, 2, 4)
def test_margins_are_those_of_a_slow_solver(count):
    """On the smallest boards, every position that can be reached."""
    for size in ((2, 2), (1, 3), (1, 4), (2, 3))[:count]:
        game, plain = Go(*size), Points(*size)
        solution = zermelo.solve(game)
        expected = solve_loopy_scores(plain)
        found = {as_goban(game, position, plain): value for position, value in expected.items()}
        assert {p: solution[p].score for p in found} == {p: v[0] for p, v in found.items()}
        assert solution.counts().positions == len(found)
        assert solution.verify()


REFUSED = (
    "use 'basic': under superko a position would have to hold all boards that were seen before, "
    "and there are far too many such positions"
)
SMALL, LARGE = {(2, 2)}, {(2, 4), (2, 5), (3, 4)}


def marks(fact):
    """Return when a board is solved: by default, by the slow tests or by the huge ones."""
    size = int(fact["rows"]), int(fact["columns"])
    if size in LARGE:
        return [pytest.mark.huge]
    return [pytest.mark.slow] * (size not in SMALL)


@pytest.mark.parametrize(
    "fact",
    [pytest.param(fact, marks=marks(fact)) for fact in FACTS],
    ids=lambda fact: f"{fact['rows']}x{fact['columns']}",
)
def test_published_margins(fact):
    """With basic ko; where superko gives another margin, it is known which."""
    solution = zermelo.solve(Go(int(fact["rows"]), int(fact["columns"])))
    assert solution.value.score == int(fact["margin_basic_ko"])
    assert solution.verify()


def test_a_single_stone_may_not_be_retaken_at_once():
    """But after a pass it may."""
    game = Go(2, 4)
    p = game.parse(". X O . / X O . O  black to move")
    after = game.play(p, 6)
    assert game.show(after).startswith(". X O .\nX * X O\nwhite to move")
    assert 5 not in list(game.moves(after))
    again = game.play(game.play(after, PASS), PASS)
    assert again.passed == 2
    assert 5 in list(game.moves(game.play(game.play(after, PASS), 0)))


def test_stones_without_an_empty_point_are_taken():
    """Groups of the opponent's first; a stone that would then have none may not be put."""
    game = Go(1, 4)
    p = game.parse("X . O . black to move")
    assert game.show(game.play(p, 1)).startswith("X X O .")
    p = game.parse(". X X . white to move")
    assert list(game.moves(p)) == [PASS]
    p = game.parse("O X X . white to move")
    assert game.show(game.play(p, 3)).startswith("O . . O")


def test_area_is_stones_and_what_they_alone_reach():
    """Empty points that touch both colours are nobody's."""
    game = Go(2, 3)
    assert game.score(game.parse(". X . / X . O  black to move after two passes")) == 2
    assert game.score(game.parse(". X . / X X .  white to move after two passes")) == -6
    assert game.score(game.start()) == 0


def test_boards_are_read_as_they_are_shown():
    """The ko and the passes are part of a position."""
    game = Go(2, 3)
    for p in (Goban(1, 6, 3, 0, 1), Goban(0, 0, NOWHERE, 1, 0), Goban(1, 2, NOWHERE, 2, 1)):
        assert game.parse(game.show(p)) == p
    for text in ("", "X.", "X Q . / . . .", "* * . / . . .", ". . . / . . . red to move"):
        with pytest.raises(PositionError, match="is not 2 rows of 3 points"):
            game.parse(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0, 3), "rows must be at least 1, not 0"),
        ((6, 6), "6 rows of 6 points are more than the 30 that fit; use a smaller board"),
        (
            (2, 3, "superko"),
            f"ko='superko' is not known; {REFUSED}",
        ),
    ],
)
def test_what_is_not_a_game_is_refused(given, message):
    """Superko with the reason."""
    with pytest.raises(ParameterError) as caught:
        Go(*given)
    assert str(caught.value) == message
