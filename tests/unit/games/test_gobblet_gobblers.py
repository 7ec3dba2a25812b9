"""Gobblet Gobblers against rules that share nothing with it, on words of letters."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from zermelo import DRAW, LOSS, NOBODY, WIN, ParameterError
from zermelo.games import GobbletGobblers
from zermelo.games.pieces.gobblet_gobblers import Stacks

RULES = ["cover", "loses", "tie", "wins"]
ROWS = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]
#: A row of O's comes to light if X lifts the large piece on the left.
HIDDEN = "{} O2 O1 / . X1 X1 / . . . / X to move"


class WordGobblers:
    """The game on words of pieces: of each cell from a to i the pieces on it, the smallest first.

    A position is the words, whose turn it is, and the winner once there is one. A move is what it
    leads to. What a lifted piece reveals is judged as the piece is lifted, with it in the hand.
    """

    def __init__(self, sizes: int, each: int, reveal: str) -> None:
        self.sizes, self.each, self.reveal = sizes, each, reveal

    def start(self) -> Any:
        return ("",) * 9, "X", None

    def turn(self, position: Any) -> int:
        return "XO".index(position[1])

    def winner(self, position: Any) -> int | None:
        return {None: None, "X": 0, "O": 1, "nobody": oracle.NOBODY}[position[2]]

    def rows(self, words: Any, player: str) -> set[str]:
        owners = {cell: word[-2:-1] for cell, word in zip("abcdefghi", words, strict=True)}
        return {row for row in ROWS if {owners[cell] for cell in row} == {player}}

    def moves(self, position: Any) -> list[Any]:
        words, player, _ = position
        other = "XO"[player == "X"]
        found = []
        for size in range(1, self.sizes + 1):
            piece = f"{player}{size}"
            if sum(word.count(piece) for word in words) < self.each:
                found += [
                    self.judged(after, player, set()) for after in self.placed(words, piece, None)
                ]
        for source, word in enumerate(words):
            if word[-2:-1] == player:
                left = (*words[:source], word[:-2], *words[source + 1 :])
                places = self.placed(left, word[-2:], source)
                revealed = self.rows(left, other)
                if self.reveal == "loses" and revealed and places:
                    found.append((left, other, other))
                else:
                    found += [self.judged(after, player, revealed) for after in places]
        return found

    def placed(self, words: Any, piece: str, source: int | None) -> list[Any]:
        """Return the boards after a piece in the hand is put anywhere but on its own place."""
        return [
            (*words[:cell], word + piece, *words[cell + 1 :])
            for cell, word in enumerate(words)
            if cell != source and (not word or word[-1] < piece[1])
        ]

    def judged(self, words: Any, player: str, revealed: set[str]) -> Any:
        other = "XO"[player == "X"]
        has_row = bool(self.rows(words, player))
        result = player if has_row else None
        if revealed & self.rows(words, other):
            if not has_row or self.reveal in ("cover", "loses"):
                result = other
            elif self.reveal == "tie":
                result = "nobody"
        return words, other, result

    def play(self, position: Any, move: Any) -> Any:
        return move

    def stacks(self, position: Any) -> Stacks:
        """Return a position as one of the game."""
        masks = [
            tuple(
                sum(1 << cell for cell, word in enumerate(position[0]) if f"{player}{size}" in word)
                for size in range(1, self.sizes + 1)
            )
            for player in "XO"
        ]
        return Stacks(masks[0], masks[1], self.turn(position))


@pytest.mark.parametrize("reveal", RULES)
def test_moves_are_those_of_words(reveal):
    """Along games at random, many of which reveal rows."""
    random, words, game = Random(reveal), WordGobblers(3, 2, reveal), GobbletGobblers(3, 2, reveal)
    winners, revealing = set(), 0
    for _ in range(15):
        position = words.start()
        for _ in range(40):
            stacks = words.stacks(position)
            winners.add(words.winner(position))
            assert game.winner(stacks) == words.winner(position)
            if words.winner(position) is not None:
                break
            wanted = words.moves(position)
            moves = list(game.moves(stacks))
            assert len({game.name(move) for move in moves}) == len(moves) == len(wanted)
            reached = {game.play(stacks, move) for move in moves}
            assert reached == set(map(words.stacks, wanted))
            lost = [move for move in wanted if move[2] not in (None, position[1])]
            revealing += len(lost)
            kept = [move for move in wanted if move[2] is None]
            position = random.choice(lost if lost and random.random() < 0.2 else kept or wanted)
    assert winners >= {0, 1, None} | ({NOBODY} if reveal == "tie" else set())
    assert revealing


@pytest.mark.parametrize(
    "each",
    [pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.huge)],
)
def test_every_position_is_that_of_a_brute_force(each):
    """With pieces of one size, so that none is covered."""
    words, game = WordGobblers(1, each, "cover"), GobbletGobblers(1, each)
    solution = zermelo.solve(game)
    expected = {}
    for position, value in oracle.solve(words).items():
        assert expected.setdefault(words.stacks(position), value) == value
    assert solution.counts().positions == len(expected)
    assert all((solution[p].outcome, solution[p].remoteness) == v for p, v in expected.items())


def best(values):
    """Return the value of a position from those of what its moves lead to."""
    wins = [plies for outcome, plies in values if outcome == LOSS]
    ties = [plies for outcome, plies in values if outcome == DRAW and plies is not None]
    if wins or ties:
        return (WIN, min(wins) + 1) if wins else (DRAW, min(ties) + 1)
    if any(outcome == DRAW for outcome, _ in values):
        return DRAW, None
    return LOSS, max((plies + 1 for _, plies in values), default=0)


def positions(words, random, games):
    """Yield the positions of games at random."""
    for _ in range(games):
        position = words.start()
        for _ in range(30):
            yield position
            if position[2]:
                break
            moves = words.moves(position)
            position = random.choice([move for move in moves if not move[2]] or moves)


@pytest.mark.parametrize(
    "reveal",
    [
        pytest.param(rule, marks=pytest.mark.slow if rule in ("loses", "tie") else pytest.mark.huge)
        for rule in RULES
    ],
)
@pytest.mark.parametrize("each", [2, pytest.param(1, marks=pytest.mark.huge)])
def test_values_follow_by_the_rules_on_words(reveal, each):
    """The value of a position is the best of those that its moves lead to, on words."""
    sizes = 4 - each
    words, game = WordGobblers(sizes, each, reveal), GobbletGobblers(sizes, each, reveal)
    solution = zermelo.solve(game)
    ends = {"X": WIN, "O": LOSS, "nobody": DRAW}

    @cache
    def value(position):
        known = solution[words.stacks(position)]
        return known.outcome, known.remoteness

    for position in positions(words, Random(reveal), 40 if each == 2 else 200):
        if position[2]:
            outcome = ends[position[2]] * (1 if position[1] == "X" else -1)
            expected = outcome, 0
        else:
            expected = best([value(move) for move in words.moves(position)])
        assert value(position) == expected


@pytest.mark.parametrize(
    ("reveal", "winners"),
    [
        ("cover", (1, None, 1)),
        ("loses", (1, 1, 1)),
        ("tie", (1, None, NOBODY)),
        ("wins", (1, None, 0)),
    ],
)
def test_a_row_that_comes_to_light(reveal, winners):
    """After the row is left in sight, covered again, or left in sight with a row of one's own."""
    game = GobbletGobblers(3, 2, reveal)
    p = game.parse(HIDDEN.format("O1X3"))
    names = {game.name(move): game.play(p, move) for move in game.moves(p)}
    if reveal == "loses":
        assert [name for name in names if "a3" in name and name[0] not in "123"] == ["lift a3"]
        assert {game.winner(names["lift a3"])} == set(winners)
        assert game.show(names["lift a3"]).startswith("O1 O2 O1\n")
    else:
        assert "a3a3" not in names
        assert "lift a3" not in names
        assert tuple(game.winner(names[name]) for name in ("a3a1", "a3b3", "a3a2")) == winners


def test_two_rows_that_come_to_light_cannot_both_be_covered():
    """They share the place that the piece came from, to which it must not go back."""
    game = GobbletGobblers(3, 2)
    p = game.parse("O1X3 O2 O1 / O2 X1 . / O3 . . / X to move")
    after = [game.play(p, move) for move in game.moves(p) if move[1] == 0]
    assert len(after) == 7
    assert {game.winner(p) for p in after} == {1}


def test_a_row_of_ones_own_may_come_to_light():
    """A lifted piece that reveals a piece of its own side loses nothing."""
    game = GobbletGobblers(3, 2, "loses")
    p = game.parse("X1X3 O2 O1 / . . . / . . . / X to move")
    assert "a3a1" in {game.name(move) for move in game.moves(p)}


def test_an_unknown_rule_is_refused():
    """The message names the rules."""
    said = "reveal must be one of cover, loses, tie, wins, not 'never'"
    with pytest.raises(ParameterError, match=said):
        zermelo.solve(GobbletGobblers(reveal="never"))
