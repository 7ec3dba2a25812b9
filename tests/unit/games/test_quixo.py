"""Quixo against a brute force that shares no rules with it, and against published facts."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from zermelo import LOSS, WIN, ParameterError, PositionError
from zermelo.games import Quixo
from zermelo.games.lines.quixo import EAST, NORTH, SOUTH, WEST, Cubes

BLANK, X, O = ".", "X", "O"  # noqa: E741  # the marks


class Lists:
    """Quixo on lists of marks: rows and columns are cut out, and a cube is popped and inserted.

    A position is the marks in reading order, and whose turn it is; a move is what it leads to.
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self) -> tuple[str, int]:
        return BLANK * self.size**2, 0

    def outcome(self, position: tuple[str, int]) -> int | None:
        marks, player = position
        n = self.size
        rows = [marks[row * n : row * n + n] for row in range(n)]
        columns = [marks[column::n] for column in range(n)]
        diagonals = ["".join(marks[i * n + i] for i in range(n))]
        diagonals.append("".join(marks[i * n + n - 1 - i] for i in range(n)))
        lines = [*rows, *columns, *diagonals]
        if "XO"[player] * n in lines:  # the other player has made it, and so lost
            return WIN
        return LOSS if "OX"[player] * n in lines else None

    def moves(self, position: tuple[str, int]) -> list[tuple[str, int]]:
        marks, player = position
        n = self.size
        own = "XO"[player]
        found = []
        for cube in range(n * n):
            row, column = divmod(cube, n)
            if marks[cube] not in (own, BLANK) or not {row, column} & {0, n - 1}:
                continue
            for cells, at in (
                ([row * n + i for i in range(n)], column),
                ([i * n + column for i in range(n)], row),
            ):
                for end in (0, n - 1):
                    if end == at:
                        continue
                    line = [marks[cell] for cell in cells]
                    line.pop(at)
                    line.insert(end, own)
                    after = list(marks)
                    for cell, mark in zip(cells, line, strict=True):
                        after[cell] = mark
                    found.append(("".join(after), 1 - player))
        return found

    def play(self, position: Any, move: tuple[str, int]) -> tuple[str, int]:
        return move


def as_cubes(position: tuple[str, int]) -> Cubes:
    """Return a position of ``Lists`` as one of the game."""
    marks, player = position
    sides = [sum(1 << i for i, mark in enumerate(marks) if mark == own) for own in "XO"]
    return Cubes(sides[player], sides[1 - player], player)


@pytest.fixture(scope="module")
def three() -> Any:
    """Quixo on three by three cubes, solved."""
    return zermelo.solve(Quixo(3))


@pytest.mark.slow
def test_every_position_of_three_by_three_is_that_of_a_brute_force(three: Any) -> None:
    """The positions, their values and their moves' results are those of rules on lists."""
    expected = {as_cubes(p): v for p, v in oracle.solve(Lists(3)).items()}
    cubes = list(expected)
    probes = three.probe_many(cubes)
    found = zip(probes.outcome.tolist(), probes.remoteness.tolist(), strict=True)
    values = [(o, None if r < 0 else r) for o, r in found]
    assert dict(zip(cubes, values, strict=True)) == expected
    assert three.counts().positions == len(expected)


def test_moves_are_all_that_lead_to_something_else() -> None:
    """Where several pushes come to the same, one is listed; no result is missing."""
    for size in (3, 4):
        game, lists = Quixo(size), Lists(size)
        position = lists.start()
        for step in range(60):
            cubes = as_cubes(position)
            results = [game.play(cubes, push) for push in game.moves(cubes)]
            wanted = lists.moves(position)
            assert set(results) == {as_cubes(p) for p in wanted}
            assert game.outcome(cubes) == lists.outcome(position)
            position = wanted[step * 7 % len(wanted)]


@pytest.mark.slow
def test_three_by_three_has_the_published_positions_and_value(three: Any) -> None:
    """32,027 positions, won in 7 plies (the issue's figures, found by other programs)."""
    assert three.counts().positions == 32_027
    assert three.value == zermelo.Value(WIN, 7)
    assert three.counts().draw == 0
    assert three.winner == "X"
    assert three.verify()


@pytest.mark.slow
def test_the_three_by_three_classes_are_a_sixteenth_of_the_positions(three: Any) -> None:
    """Eight turns and mirrors, and the exchange of the players."""
    unfolded = zermelo.solve(Quixo(3), symmetry=False)
    assert len(unfolded) == 32_027
    assert unfolded.counts() == three.counts()
    assert all(three[cubes] == value for cubes, value in unfolded.items())
    assert 32_027 / 16 < len(three) == three.counts(folded=True).positions < 2_500


@pytest.mark.huge
def test_four_by_four_has_the_published_counts_and_value() -> None:
    """82,497,861 positions by outcome, won in 21 plies (the issue's figures)."""
    solution = zermelo.solve(Quixo(4))
    assert solution.value == zermelo.Value(WIN, 21)
    counts = solution.counts()
    assert (counts.win, counts.loss, counts.draw) == (49_953_979, 29_330_646, 3_213_236)
    assert counts.positions == 82_497_861
    assert solution.verify()


def test_a_line_of_the_other_player_loses_even_with_a_line_of_ones_own() -> None:
    """X pushes in a cube that completes a row of X and shifts one of O together: O has won."""
    game = Quixo(3)
    cubes = game.parse("X X O / O O . / . . .  X to move")
    after = game.play(cubes, 8 << 2 | NORTH)
    assert game.show(after) == "X X X\nO O O\n. . .\nO to move"
    assert game.outcome(after) == WIN


def test_a_push_moves_the_cubes_between_by_one() -> None:
    """Each side in turn: the cube leaves its place, those up to the end shift, and it goes in."""
    game = Quixo(4)
    cubes = game.parse("X O . . / . . . . / . . . . / O . . X  X to move")
    shown = {
        WEST: "X X O . / . . . . / . . . . / O . . X",
        EAST: "X O . X / . . . . / . . . . / O . . X",
        SOUTH: "X O . . / . . . . / . . . . / O . X X",
    }
    for side, board in shown.items():
        after = game.play(cubes, 2 << 2 | side)
        assert game.show(after).replace("\n", " / ") == f"{board} / O to move"
    after = game.play(cubes, 14 << 2 | NORTH)
    board = "X O X . / . . . . / . . . . / O . . X"
    assert game.show(after).replace("\n", " / ") == f"{board} / O to move"


def test_positions_are_read_as_they_are_shown() -> None:
    """The turn may be left out; anything else is refused with what to write."""
    game = Quixo(3)
    cubes = Cubes(0b100_000_001, 0b010, 1)
    assert game.parse(game.show(cubes)) == cubes
    assert game.parse("X.. / ... / ..O") == Cubes(1, 1 << 8, 0)
    for text in ("X.. / ...", "X.. / ... / ..Z", "", "X../.../...Q to move"):
        with pytest.raises(PositionError, match="is not 3 rows of 3 cubes"):
            game.parse(text)


def test_pushes_are_named_by_the_cube_and_where_it_goes_in() -> None:
    """Columns are letters and the lowest row is 1."""
    game = Quixo(3)
    names = [game.name(push) for push in game.moves(game.start())]
    assert names[:2] == ["b3a3", "c2a2"]
    assert len(set(names)) == 12


@pytest.mark.parametrize("size", [2, 8, "4", True])
def test_sizes_that_make_no_board_are_refused(size: Any) -> None:
    """Three to seven cubes a side."""
    with pytest.raises(ParameterError, match="size must be "):
        Quixo(size)


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [5, *(pytest.param(size, marks=pytest.mark.huge) for size in (3, 4, 6, 7))]
)
def test_every_size_keeps_the_contract(size: int) -> None:
    """Python and compiled rules agree, and the symmetries are some."""
    report = zermelo.check(Quixo(size), max_positions=300, time=3)
    assert not report.problems, str(report)
