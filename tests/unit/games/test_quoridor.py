"""Quoridor against a brute force that shares no rules with it, on boards of sets of neighbours."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from zermelo import LOSS, WIN, ParameterError, PositionError
from zermelo.games import Quoridor
from zermelo.games.races.quoridor import Course

Square = tuple[int, int]


class Maze:
    """Quoridor on pairs of squares that have a wall between them.

    A position is both pawns' squares, the walls as sets of two such pairs, the walls left of both
    players, and whose turn it is; a move is what it leads to.
    """

    def __init__(self, rows: int, columns: int, walls: int) -> None:
        self.rows, self.columns, self.walls = rows, columns, walls
        self.squares = set(product(range(rows), range(columns)))
        self.sites = {
            frozenset(map(frozenset, wall)): (row, column, kind)
            for row, column in product(range(rows - 1), range(columns - 1))
            for kind, wall in (
                ("h", [[(row, c), (row + 1, c)] for c in (column, column + 1)]),
                ("v", [[(r, column), (r, column + 1)] for r in (row, row + 1)]),
            )
        }

    def start(self) -> Any:
        middle = (self.columns - 1) // 2
        pawns = ((self.rows - 1, middle), (0, middle))
        return pawns, frozenset(), (self.walls, self.walls), 0

    def outcome(self, position: Any) -> int | None:
        (first, second), _, _, player = position
        if first[0] == 0:
            return LOSS if player else WIN
        if second[0] == self.rows - 1:
            return WIN if player else LOSS
        return None

    def beside(self, square: Square, walls: Any) -> set[Square]:
        row, column = square
        around = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        shut = {pair for wall in walls for pair in wall}
        return {s for s in around & self.squares if frozenset((square, s)) not in shut}

    def steps(self, mine: Square, theirs: Square, walls: Any) -> set[Square]:
        found = self.beside(mine, walls)
        if theirs in found:
            found.remove(theirs)
            behind = 2 * theirs[0] - mine[0], 2 * theirs[1] - mine[1]
            further = self.beside(theirs, walls) - {mine}
            found |= {behind} if behind in further else further
        return found

    def joined(self, square: Square, goal: int, walls: Any) -> bool:
        todo, seen = [square], {square}
        for here in todo:
            todo += self.beside(here, walls) - seen
            seen |= set(todo)
        return any(row == goal for row, _ in seen)

    def moves(self, position: Any) -> list[Any]:
        pawns, walls, left, player = position
        mine, theirs = pawns[player], pawns[1 - player]
        found = []
        for square in self.steps(mine, theirs, walls):
            after = (pawns[0], square) if player else (square, pawns[1])
            found.append((after, walls, left, 1 - player))
        for wall, (row, column, _) in self.sites.items() if left[player] else ():
            is_free = all(
                not wall & other and self.sites[other][:2] != (row, column) for other in walls
            )
            more = walls | {wall}
            if is_free and all(self.joined(pawns[n], (0, self.rows - 1)[n], more) for n in (0, 1)):
                now_left = tuple(count - (n == player) for n, count in enumerate(left))
                found.append((pawns, more, now_left, 1 - player))
        return found

    def play(self, position: Any, move: Any) -> Any:
        return move

    def course(self, position: Any) -> Course:
        """Return a position as one of the game."""
        pawns, walls, left, player = position
        squares = [row * self.columns + column for row, column in pawns]
        across = upright = 0
        for row, column, kind in (self.sites[wall] for wall in walls):
            bit = 1 << row * (self.columns - 1) + column
            across, upright = (across | bit, upright) if kind == "h" else (across, upright | bit)
        if player:
            squares, left = squares[::-1], left[::-1]
        return Course(*squares, across, upright, *left, player)


@pytest.mark.parametrize(
    "size",
    [
        (3, 2, 1),
        (3, 4, 0),
        pytest.param((3, 3, 1), marks=pytest.mark.slow),
        *(
            pytest.param(size, marks=pytest.mark.huge)
            for size in ((4, 2, 2), (3, 3, 3), (3, 4, 1), (4, 3, 1), (5, 2, 2))
        ),
    ],
    ids=str,
)
def test_every_position_is_that_of_a_brute_force(size: tuple[int, int, int]) -> None:
    """The positions and their values are those of rules on sets of neighbours."""
    maze = Maze(*size)
    expected = {maze.course(p): v for p, v in oracle.solve(maze).items()}
    solution = zermelo.solve(Quoridor(*size))
    assert solution.counts().positions == len(expected)
    found = {course: (value.outcome, value.remoteness) for course, value in solution.items()}
    assert found.items() <= expected.items()
    assert all((solution[p].outcome, solution[p].remoteness) == v for p, v in expected.items())
    assert solution.verify()


def test_moves_are_those_of_a_brute_force() -> None:
    """On larger boards, along games that place walls first."""
    for size in ((4, 4, 3), (3, 5, 4), (5, 3, 3)):
        maze, game = Maze(*size), Quoridor(*size)
        position = maze.start()
        for step in range(40):
            course = maze.course(position)
            assert game.outcome(course) == maze.outcome(position)
            if maze.outcome(position) is not None:
                break
            wanted = maze.moves(position)
            moves = list(game.moves(course))
            assert {game.play(course, move) for move in moves} == set(map(maze.course, wanted))
            assert len(moves) == len(wanted)
            position = wanted[-1 - step * 7 % len(wanted)]


@pytest.mark.parametrize(
    ("walls", "steps"),
    [
        ("a1h a3v", {"a2", "c2", "b4"}),  # over the other pawn
        ("a1h b3h", {"a2", "c2", "a3", "c3"}),  # a wall behind it
        ("b3h a3v", {"a2", "c2", "b1", "c3"}),  # and one on its left
        ("b2h a3h", {"a2", "c2", "b1"}),  # a wall between the pawns
    ],
)
def test_a_pawn_jumps_over_the_other(walls: str, steps: set[str]) -> None:
    """Straight on, or to a side where a wall is behind the other pawn."""
    game = Quoridor(4, 3, 1)
    text = f"... / .O. / .X. / ... walls: {walls} walls left: X 0, O 0"
    assert {game.name(move) for move in game.moves(game.parse(text))} == steps


def test_a_pawn_jumps_to_a_side_at_the_rim() -> None:
    """So the pawn reaches the last row past the other one that stands there."""
    game = Quoridor(3, 3, 0)
    course = game.parse(".O. / .X. / ...")
    assert {game.name(move) for move in game.moves(course)} == {"a2", "c2", "b1", "a3", "c3"}


def test_walls_neither_cross_nor_overlap_nor_close_the_last_way() -> None:
    """With b1h, b1v crosses, a1h overlaps, and a1v and a2v each shut one pawn in."""
    game = Quoridor(3, 3, 2)
    course = game.parse(".O. / ... / .X. walls: b1h walls left: X 2, O 1")
    walls = {name for name in map(game.name, game.moves(course)) if name[2:]}
    assert walls == {"a2h", "b2h", "b2v"}


def test_positions_are_read_as_they_are_shown() -> None:
    """Walls and their numbers may be left out if there are none; mistakes are one sentence."""
    game = Quoridor(3, 3, 2)
    assert game.parse(".O. / ... / .X.") == game.start()
    course = game.play(game.play(game.start(), (1, 0)), (2, 3))
    assert game.parse(game.show(course)) == course
    assert game.parse(".O./.../.X. walls: a2h b1v walls left: X 1 O 1") == course
    for text, message in (
        (".O. / ... / ...", "one X and one O"),
        (".O. / ... / .X. walls: c1h walls left: X 2, O 1", "'c1h' is not a wall of this board"),
        (".O. / ... / .X. walls: a1h b1h walls left: X 1, O 1", "'b1h' crosses or overlaps"),
        (".O. / ... / .X. walls: a1h a1v walls left: X 1, O 1", "'a1v' crosses or overlaps"),
        (".O. / ... / .X. walls: a1h", "does not have 4 walls, 2 of each player"),
        (".O. / ... / .X. walls left: X 3, O 1", "does not have 4 walls, 2 of each player"),
    ):
        with pytest.raises(PositionError, match=message):
            game.parse(text)


def test_walls_are_drawn_between_squares() -> None:
    """A terminal shows them as lines."""
    game = Quoridor(3, 3, 2)
    course = game.parse(".O. / ... / .X. walls: a2h b1v walls left: X 1, O 1")
    assert game.sketch(course).splitlines()[:6] == [
        "3  .   O   .",
        "   -----",
        "2  .   . | .",
        "         |",
        "1  .   X | .",
        "   a   b   c",
    ]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"walls": -1}, "walls must be at least 0, not -1"),
        ({"walls": 11}, "walls must be at most 10, not 11"),
        ({"rows": 1}, "rows must be at least 3, not 1"),
        ({"rows": 6, "columns": 1}, "columns must be at least 2, not 1"),
        ({"rows": 9, "columns": 9}, "give a board of 6 to 62 cells"),
        ({"rows": "3"}, "rows must be a whole number"),
    ],
    ids=str,
)
def test_parameters_that_make_no_board_are_refused(parameters: Any, message: str) -> None:
    """Each mistake is one sentence that says what to give."""
    with pytest.raises(ParameterError, match=message):
        Quoridor(**parameters)
