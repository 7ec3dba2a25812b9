"""Tak against a brute force that shares no rules with it, on lists of letters."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from zermelo import ParameterError, PositionError
from zermelo.games import Tak
from zermelo.games.pieces.tak import StoneStacks


class WordTak:
    """Tak on a dictionary from cells to words of letters.

    A position is a frozen set of (row, column) with the stones there from the lowest on, and whose
    turn it is; walls are small letters. A move is what it leads to.
    """

    def __init__(self, size: int, stones: int) -> None:
        self.size, self.stones = size, stones
        self.cells = list(product(range(size), repeat=2))

    def start(self) -> Any:
        return frozenset(), "X"

    def turn(self, position: Any) -> int:
        return "XO".index(position[1])

    def winner(self, position: Any) -> int | None:
        board, player = position
        tops = {cell: word[-1] for cell, word in board}
        mover = "XO"[player == "X"]
        for owner in (mover, player):
            if self.is_joined({cell for cell, top in tops.items() if top == owner}):
                return "XO".index(owner)
        letters = "".join(word for _, word in board).upper()
        if len(tops) < len(self.cells) and max(map(letters.count, "XO")) < self.stones:
            return None
        flats = list(tops.values())
        difference = flats.count("X") - flats.count("O")
        return oracle.NOBODY if difference == 0 else int(difference < 0)

    def is_joined(self, cells: set[tuple[int, int]]) -> bool:
        for axis in (0, 1):
            todo = [cell for cell in cells if cell[axis] == 0]
            seen = set(todo)
            for row, column in todo:
                if (row, column)[axis] == self.size - 1:
                    return True
                around = {
                    (row + 1, column),
                    (row - 1, column),
                    (row, column + 1),
                    (row, column - 1),
                }
                todo += (around & cells) - seen
                seen |= around & cells
        return False

    def moves(self, position: Any) -> list[Any]:
        stacks, player = dict(position[0]), position[1]
        other = "XO"[player == "X"]
        is_opening = sum(map(len, stacks.values())) < 2
        kinds = [other] if is_opening else [player, player.lower()]
        found = [
            {**stacks, cell: kind} for cell in self.cells if cell not in stacks for kind in kinds
        ]
        for cell, word in [] if is_opening else stacks.items():
            if word[-1].upper() == player:
                for count in range(1, min(len(word), self.size) + 1):
                    left = {**stacks, cell: word[:-count]}
                    for step in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                        found += self.walks(left, cell, step, word[-count:])
        return [(frozenset((c, w) for c, w in board.items() if w), other) for board in found]

    def walks(self, stacks: Any, cell: Any, step: Any, hand: str) -> list[Any]:
        """Return the boards after the letters in a hand are laid down from the next cell on."""
        if not hand:
            return [stacks]
        cell = cell[0] + step[0], cell[1] + step[1]
        if cell not in self.cells or stacks.get(cell, "")[-1:].islower():
            return []
        found = []
        for count in range(1, len(hand) + 1):
            more = {**stacks, cell: stacks.get(cell, "") + hand[:count]}
            found += self.walks(more, cell, step, hand[count:])
        return found

    def play(self, position: Any, move: Any) -> Any:
        return move

    def stacks(self, position: Any) -> StoneStacks:
        """Return a position as one of the game."""
        board = dict(position[0])
        words = [board.get(cell, "") for cell in self.cells]
        stacks = tuple(int("1" + w.upper().replace("X", "0").replace("O", "1"), 2) for w in words)
        walls = sum(1 << cell for cell, word in enumerate(words) if word[-1:].islower())
        return StoneStacks(stacks, walls, self.turn(position))


@pytest.mark.parametrize(
    "size",
    [
        (2, 2),
        pytest.param((3, 2), marks=pytest.mark.slow),
        pytest.param((2, 3), marks=pytest.mark.slow),
        pytest.param((2, 4), marks=pytest.mark.huge),
        pytest.param((3, 3), marks=pytest.mark.huge),
    ],
    ids=str,
)
def test_every_position_is_that_of_a_brute_force(size: tuple[int, int]) -> None:
    """The positions and their values are those of rules on words of letters."""
    letters = WordTak(*size)
    expected = {letters.stacks(p): v for p, v in oracle.solve(letters).items()}
    solution = zermelo.solve(Tak(*size))
    assert solution.counts().positions == len(expected)
    assert all((solution[p].outcome, solution[p].remoteness) == v for p, v in expected.items())
    assert solution.verify()


@pytest.mark.parametrize("size", [(3, 10), (4, 15)], ids=str)
def test_moves_are_those_of_a_brute_force(size: tuple[int, int]) -> None:
    """Along games at random, in some of which more stacks move."""
    letters, game = WordTak(*size), Tak(*size)
    winners = set()
    for seed in range(16):
        random, position = Random(seed), letters.start()
        for _ in range(60):
            stacks = letters.stacks(position)
            winner = letters.winner(position)
            winners.add(winner)
            assert game.winner(stacks) == winner
            if winner is not None:
                break
            wanted = letters.moves(position)
            moves = list(game.moves(stacks))
            assert {game.play(stacks, move) for move in moves} == set(map(letters.stacks, wanted))
            assert len(moves) == len(wanted)
            count = sum(len(word) for _, word in position[0])
            walks = [p for p in wanted if sum(len(word) for _, word in p[0]) == count]
            chosen = walks if walks and random.random() < seed / 20 else wanted
            position = random.choice(sorted(chosen, key=letters.stacks))
    assert winners >= {0, 1, None}


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("X . . / X . . / XOX . . / O to move", 0),
        ("X . . / X . . / XS . . / O to move", None),  # a wall is no part of a road
        ("X O . / X O . / X O . / O to move", 0),  # of two roads, that of the last move counts
        ("X O . / X O . / X O . / X to move", 1),
        ("X O XS / O OS X / X O XS / O to move", zermelo.NOBODY),  # the board is full
        ("XO O . / . . . / . . X / X to move", None),
        ("XOXOX O . / . X . / . . OX / O to move", 0),  # X has no stone left, and more flat ones
    ],
)
def test_who_wins(text: str, winner: int | None) -> None:
    """A road of flat stones wins, and at the last stone the most flat stones."""
    game = Tak(3, 5)
    assert game.winner(game.parse(text)) == winner


def test_the_first_stones_are_those_of_the_other_player() -> None:
    """Each player puts a flat stone of the other; walls and moves come afterwards."""
    game = Tak(3, 10)
    p = game.start()
    assert [game.name(move) for move in game.moves(p)][:3] == ["a3", "b3", "c3"]
    p = game.play(p, (4, 4, 0))
    assert game.show(p) == ". . .\n. O .\n. . .\nO to move"
    assert len(list(game.moves(p))) == 8
    p = game.play(p, (0, 4, 0))
    assert game.show(p) == "X . .\n. O .\n. . .\nX to move"
    names = {game.name(move) for move in game.moves(p)}
    assert names >= {"b3", "Sb3", "1a3-b3", "1a3-a2"}
    assert len(names) == 16


def test_stones_of_a_stack_are_laid_down_from_the_lowest() -> None:
    """At least one on each cell, as many as the board has rows, and none onto a wall."""
    game = Tak(3, 10)
    p = game.parse("XOXOX . . / . . . / OS . . / X to move")
    moves = {game.name(move): move for move in game.moves(p) if move[1] < 4}
    assert set(moves) == {
        *("1a3-b3", "2a3-b3b3", "2a3-b3c3", "3a3-b3b3b3", "3a3-b3b3c3", "3a3-b3c3c3"),
        *("1a3-a2", "2a3-a2a2", "3a3-a2a2a2"),
    }
    after = game.play(p, moves["3a3-b3c3c3"])
    assert game.show(after).splitlines()[0] == "XO X OX"
    p = game.parse("XOXS . . / . . . / . . . / X to move")
    moves = {game.name(move): move for move in game.moves(p)}
    assert game.show(game.play(p, moves["2a3-b3c3"])).splitlines()[0] == "X O XS"


def test_positions_are_read_as_they_are_shown() -> None:
    """Mistakes are one sentence that says what to write."""
    game = Tak(3, 3)
    for text, message in (
        ("X . / . .", "is not 3 rows of 3 cells"),
        ("X . . / . Y . / . . .", "write the stones of each cell"),
        ("X . . / . S . / . . .", "then S if the last one is a wall"),
        ("XXXX . . / . . . / . . .", "has more than 3 stones of a player"),
    ):
        with pytest.raises(PositionError, match=message):
            game.parse(text)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 1}, "size must be at least 2, not 1"),
        ({"size": 5}, "size must be at most 4, not 5"),
        ({"stones": 1}, "stones must be at least 2, not 1"),
        ({"stones": 16}, "stones must be at most 15, not 16"),
    ],
    ids=str,
)
def test_parameters_that_make_no_board_are_refused(parameters: Any, message: str) -> None:
    """Each mistake is one sentence that says what to give."""
    with pytest.raises(ParameterError, match=message):
        Tak(**parameters)
