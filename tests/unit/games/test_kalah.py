"""Kalah against a board with stores, which shares no rules with it, and published results."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from facts import rows
from support.oracles.oracle import solve_scores
from support.sizes import counts
from zermelo import ParameterError, PositionError
from zermelo.games import Kalah
from zermelo.games.sowing.kalah import Pits

FACTS = [
    (int(row["pits"]), int(row["seeds"]), empty, row["result"], int(row[f"margin{tail}"]))
    for row in rows("kalah")
    for empty, tail in ((False, ""), (True, "_with_empty_capture"))
    if row[f"margin{tail}"]
]
#: The board whose rules other tests compile, too, and which takes no time here.
COMPILED = (3, 1, False)
#: Larger boards, some of which take minutes, and gigabytes.
HUGE = ((4, 3), (4, 4), (5, 2), (5, 3), (6, 2))


class Stores:
    """Kalah on one ring of pits and stores, sown seed by seed: the ring and whose turn it is.

    The first player's pits come first, then that player's store, then the same of the second.
    """

    def __init__(self, pits: int, seeds: int, *, empty_capture: bool) -> None:
        self.pits, self.seeds, self.empty_capture = pits, seeds, empty_capture

    def start(self) -> Any:
        side = (self.seeds,) * self.pits + (0,)
        return side + side, 0

    def turn(self, position: Any) -> int:
        return position[1]

    def moves(self, position: Any) -> list[int]:
        ring, player = position
        first, second = ring[: self.pits], ring[self.pits + 1 : -1]
        if not any(first) or not any(second):
            return []
        base = player * (self.pits + 1)
        return [base + pit for pit in range(self.pits) if ring[base + pit]]

    def play(self, position: Any, pit: int) -> Any:
        ring, player = list(position[0]), position[1]
        own, other = (self.pits, 2 * self.pits + 1)[:: 1 - 2 * player]
        hand, ring[pit] = ring[pit], 0
        while hand:
            pit = (pit + 1) % len(ring)
            if pit != other:
                ring[pit] += 1
                hand -= 1
        if pit == own:
            return tuple(ring), player
        across = 2 * self.pits - pit
        if own - self.pits <= pit < own and ring[pit] == 1 and (ring[across] or self.empty_capture):
            ring[own] += 1 + ring[across]
            ring[pit] = ring[across] = 0
        return tuple(ring), 1 - player

    def score(self, position: Any) -> int:
        ring, player = position
        margin = sum(ring[: self.pits + 1]) - sum(ring[self.pits + 1 :])
        return -margin if player else margin


def lead(ring: Any, player: int) -> tuple[Pits, int]:
    """Return what the game sees of a ring, and by how much the player to move is ahead."""
    half = len(ring) // 2
    first, second = ring[: half - 1], ring[half:-1]
    ahead = ring[half - 1] - ring[-1]
    return (Pits(second, first, 1), -ahead) if player else (Pits(first, second, 0), ahead)


@counts(3, 6)
@pytest.mark.parametrize("empty", [False, True])
def test_margins_are_those_of_a_board_with_stores(count, empty):
    """Every position has the margin that is still to come of each way to get there."""
    for pits, seeds in ((2, 1), (2, 2), (3, 1), (2, 3), (1, 5), (3, 2))[:count]:
        values = solve_scores(Kalah(pits, seeds, empty_capture=empty))
        seen = set()
        for (ring, player), margin in solve_scores(
            Stores(pits, seeds, empty_capture=empty)
        ).items():
            position, ahead = lead(ring, player)
            assert values[position] == margin - ahead
            seen.add(position)
        assert seen == set(values)


def test_the_default_is_verified():
    """The engine has the oracle's margins, and the certificate holds."""
    game = Kalah()
    solution = zermelo.solve(game)
    assert {p: v.score for p, v in solution.items()} == solve_scores(game)
    assert solution.verify()


def marks(fact: Any) -> list[Any]:
    """Return what to say of how long the test of a board takes."""
    if fact[:2] in HUGE:
        return [pytest.mark.huge]
    return [pytest.mark.slow] * (fact[:3] != COMPILED)


@pytest.mark.parametrize("fact", [pytest.param(f, marks=marks(f)) for f in FACTS], ids=str)
def test_published_results(fact):
    """Winners and margins come out, with and without capture beside an empty pit."""
    pits, seeds, empty, result, margin = fact
    solution = zermelo.solve(Kalah(pits, seeds, empty_capture=empty))
    assert solution.value.score == margin
    assert {"W": 1, "D": 0, "L": -1}[result] == solution.value.outcome
    if len(solution) < 2_000_000:
        assert solution.verify()


def test_the_last_seed_in_the_own_store_moves_again():
    """Three pits of three: the first pit ends in the store, and the turn stays."""
    game = Kalah(3, 3)
    start = game.start()
    assert game.play(start, 0) == Pits((0, 4, 4), (3, 3, 3), 0)
    assert game.gain(start, 0) == 1
    assert game.play(start, 1) == Pits((4, 3, 3), (3, 0, 4), 1)


def test_the_last_seed_in_an_empty_pit_captures():
    """With what is opposite; and alone only where the parameter says so."""
    p = Pits((1, 0, 2), (3, 5, 0), 0)
    game = Kalah(3, 3)
    assert (game.play(p, 0), game.gain(p, 0)) == (Pits((3, 0, 0), (0, 0, 2), 1), 6)
    bare = Pits((1, 0, 2), (3, 0, 0), 0)
    assert (game.play(bare, 0), game.gain(bare, 0)) == (Pits((3, 0, 0), (0, 1, 2), 1), 0)
    alone = Kalah(3, 3, empty_capture=True)
    assert (alone.play(bare, 0), alone.gain(bare, 0)) == (Pits((3, 0, 0), (0, 0, 2), 1), 1)


def test_a_round_of_the_board_ends_where_it_began():
    """Seven seeds on a board of three pits a side come back to the pit, which was empty."""
    game = Kalah(3, 3)
    p = Pits((7, 0, 0), (1, 0, 0), 0)
    assert (game.play(p, 0), game.gain(p, 0)) == (Pits((2, 1, 0), (0, 1, 1), 1), 3)


def test_what_is_left_goes_to_its_side():
    """The game is over as soon as one side is empty, whoever is to move."""
    game = Kalah(3, 3)
    assert list(game.moves(Pits((0, 0, 0), (2, 0, 1), 1))) == []
    assert list(game.moves(Pits((2, 0, 1), (0, 0, 0), 1))) == []
    assert game.score(Pits((0, 0, 0), (2, 0, 1), 1)) == -3
    assert game.score(Pits((2, 0, 1), (0, 0, 0), 0)) == 3


def test_boards_that_are_none_are_refused():
    """Each with what to write; the turn may be left out."""
    game = Kalah(2, 3)
    assert game.parse("1 2 / 3 4") == Pits((3, 4), (2, 1), 0)
    assert game.parse("1 2 / 3 4 second to move") == Pits((2, 1), (3, 4), 1)
    for text in ("1 2 3 / 4", "1 2", "1 x / 3 4", ""):
        with pytest.raises(PositionError, match="is not two rows of 2 pits"):
            game.parse(text)
    with pytest.raises(PositionError, match="has 13 seeds; write 12 or fewer"):
        game.parse("1 2 / 3 7")


@pytest.mark.parametrize("given", [(0, 3), (13, 1), (2, 0), ("2", 3), (2, 2.5)])
def test_boards_without_pits_are_refused(given):
    """One to twelve pits of one to forty seeds."""
    with pytest.raises(ParameterError, match="must be "):
        Kalah(*given)
