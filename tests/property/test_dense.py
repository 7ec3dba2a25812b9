"""Dense spaces: the same values as by any other way, whatever memory there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.dense import (
    FreeRing,
    Hunt,
    IllegalStart,
    IllegalTargets,
    LevelGame,
    LooseRing,
    Men,
    OwnedLevelGame,
    Ring,
    ShortSpace,
    fixed_bytes,
    levelled_games,
    spaced,
    table_of,
)
from support.games.strategies import (
    GRAPH_GAMES,
    OPEN,
    OwnedGame,
    VertexGame,
    WinnerGame,
    random_games,
)
from support.oracles import oracle
from support.sizes import but, counts, some
from zermelo import DRAW, LOSS, BudgetError, Game, RulesError, limits, put
from zermelo.game.spaces import Disjoint, Permutation


@counts(20, None, 400)
def test_random_games_agree_with_the_oracle(count: int) -> None:
    """Loops, duplicate moves, dead ends, ties and extra turns come out right, and verify."""
    kinds = GRAPH_GAMES if count > 100 else (OwnedGame, WinnerGame)  # each is compiled
    for game in spaced(random_games(41, count, kinds=kinds)):
        solution = zermelo.solve(game, method="dense", threads=1)
        assert table_of(solution) == oracle.solve(game), game
        assert solution.starts == tuple(dict.fromkeys(game.starts()))
        assert solution.verify(), game
        assert len(list(solution)) == len(solution)


@pytest.mark.slow
def test_rounds_find_the_same_where_no_moves_can_be_held() -> None:
    """With memory for values alone, positions are expanded again, and all comes out the same."""
    for game in spaced(random_games(43, 300)):
        positions = len(oracle.solve(game))
        tight = fixed_bytes(game) + 4 * positions
        solution = zermelo.solve(game, method="dense", threads=1, memory=tight)
        assert "rounds" in solution.choice
        assert solution.peak_bytes <= tight
        assert table_of(solution) == oracle.solve(game), game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "held"),
    some(
        [
            pytest.param(kind, held, id=f"{held}-{name}")
            for held in ("a level", "nothing", "all")
            for kind, name in ((OwnedLevelGame, "owned"), (LevelGame, "alternating"))
        ],
        6,
        slow=2,
    ),
)
def test_loopy_games_with_levels_agree_with_the_oracle(kind: Any, held: str) -> None:
    """Tier by tier, in tiers by rounds and as a whole, the values are the oracle's."""
    seen: set[str] = set()
    for game in levelled_games(47, 150, kind, most=90):
        right = oracle.solve(game)
        fixed = fixed_bytes(game)
        whole = zermelo.solve(game, method="dense", threads=1).peak_bytes - fixed
        share = {"all": whole, "a level": whole * 3 // 5, "nothing": 10 * len(right)}[held]
        most = fixed + share
        solution = zermelo.solve(game, method="dense", threads=1, memory=most)
        seen |= {way for way in ("reversed moves", "tiers", "rounds") if way in solution.choice}
        assert table_of(solution) == right, (game, solution.choice)
        assert solution.verify()
        assert solution.peak_bytes <= most
    wanted = {"all": "reversed moves", "a level": "tiers", "nothing": "rounds"}[held]
    assert wanted in seen


@pytest.mark.slow
def test_rounds_of_a_level_skip_plies_in_which_nothing_is_decided() -> None:
    """The first position of the lower level that is decided is five plies from an end."""
    rows = ((0, 1), *((v + 1,) for v in range(1, 5)), (), (0,))
    game = LevelGame(rows, (OPEN,) * len(rows), (6,), (0, *(1,) * 5, 0))
    most = fixed_bytes(game) + 10 * len(rows)
    solution = zermelo.solve(game, method="dense", threads=1, memory=most)
    assert "2 of them in rounds" in solution.choice
    assert table_of(solution) == oracle.solve(game)


@pytest.mark.slow
@pytest.mark.parametrize("kind", but([Ring, FreeRing, LooseRing], FreeRing, LooseRing))
def test_descriptors_change_nothing_but_the_slots(kind: Any) -> None:
    """A game of pebbles on a ring is the same whichever descriptor is used for it."""
    dense = zermelo.solve(kind(11, 2), method="dense")
    hashed = zermelo.solve(kind(11, 2), method="retrograde")
    assert dict(dense.items()) == dict(hashed.items())
    assert dense.counts() == hashed.counts()
    assert dense.value == hashed.value
    assert dense.verify()


@dataclass(frozen=True)
class EveryHunt(Hunt):
    """The same with all its legal positions as starts, and so no need to say which are legal."""

    def starts(self):
        yield self.start()
        for hunter in range(self.size):
            for hare in range(self.size):
                for turn in range(2):
                    if hunter != hare and not (turn == 1 and hare == 3):
                        yield Men(hunter, hare, turn)


@pytest.mark.slow
def test_all_legal_positions_are_solved_where_the_game_says_which_are() -> None:
    """With ``legal`` the whole space is solved, reached or not, and is chosen unasked."""
    events: list[zermelo.Event] = []
    legal = zermelo.solve(Hunt(9), progress=events.append)
    assert legal.method == "dense"
    (looked,) = (event for event in events if event.phase == "legal" and event.finished)
    assert looked.done == looked.total == 9 * 8 * 2  # the slots of the space
    every = zermelo.solve(EveryHunt(9), method="retrograde")
    assert dict(legal.items()) == dict(every.items())
    assert legal.counts() == every.counts()
    assert legal.verify()
    assert len(legal) == 9 * 8 + 8 * 8
    with pytest.raises(zermelo.PositionError, match="not a legal position"):
        legal[Men(5, 3, 1)]
    with pytest.raises(zermelo.PositionError):
        legal[Men(4, 4, 0)]


class Row8(NamedTuple):
    """A row of tiles, all different."""

    tiles: tuple[int, ...]


@dataclass(frozen=True)
class Flips(Game):
    """Flip any beginning of a row of numbers; whoever puts it in order loses. It may never end."""

    size: int

    def start(self):
        return Row8(tuple(range(self.size - 1, -1, -1)))

    def outcome(self, p):
        for i in range(self.size):
            if p.tiles[i] != i:
                return None
        return LOSS

    def moves(self, p):
        for end in range(1, self.size):
            yield end

    def play(self, p, end):
        tiles = p.tiles
        for i in range((end + 1) // 2):
            other = tiles[end - i]
            tiles = put(put(tiles, end - i, tiles[i]), i, other)
        return Row8(tiles)

    def space(self):
        return Row8(Permutation(self.size))


@pytest.mark.slow
def test_permutations_are_numbered_without_a_gap() -> None:
    """All orders of six numbers can be reached, and each has one of the 720 slots."""
    solution = zermelo.solve(Flips(6), method="dense")
    assert len(solution) == 720
    assert "720 positions in the 720 slots that space() numbers" in solution.choice
    assert dict(solution.items()) == dict(zermelo.solve(Flips(6), method="retrograde").items())
    with pytest.raises(zermelo.PositionError):
        solution[Row8((0, 0, 1, 2, 3, 4))]
    assert solution.get(Row8((0, 1, 2, 3, 4, 7))) is None


@pytest.mark.slow
@pytest.mark.parametrize("memory", [None, "rounds"])
def test_tables_are_bit_identical_for_any_number_of_threads(memory: str | None) -> None:
    """Numbers are slots, so that it does not matter who found what when."""
    seen = set()
    for threads in (1, 2, 3):
        game = FreeRing(13, 3)
        most = None if memory is None else fixed_bytes(game, threads) + 200_000
        solution = zermelo.solve(game, method="dense", threads=threads, memory=most)
        assert ("rounds" in solution.choice) == (memory is not None)
        table: Any = solution._solved.table
        seen.add(
            (
                table.column.stored.tobytes(),
                table.index.directory.tobytes(),
                table.column.stored.dtype,
            )
        )
    assert len(seen) == 1


@pytest.mark.slow
def test_the_certificate_catches_any_changed_value_and_an_island() -> None:
    """A value changed by one, or a position that nothing reaches, does not pass."""
    solution = zermelo.solve(Ring(9, 2), method="dense")
    table: Any = solution._solved.table
    rng = np.random.default_rng(7)
    for place in rng.integers(0, len(table), 60).tolist():
        before = int(table.column.stored[place])
        for change in (1, -1):
            table.column.stored[place] = before + change
            assert not solution.verify(), (place, change)
        table.column.stored[place] = before
    assert solution.verify()


@pytest.mark.slow
def test_budgets_are_kept_or_refused() -> None:
    """A solve reckons with no more than it is given, and refuses what cannot be."""
    game = Ring(13, 3)
    whole = zermelo.solve(game, method="dense", threads=1)
    assert "along reversed moves" in whole.choice
    right = dict(whole.items())
    for memory in (whole.peak_bytes, whole.peak_bytes - 1, fixed_bytes(game) + 3 * len(whole)):
        solution = zermelo.solve(game, method="dense", threads=1, memory=memory)
        assert solution.peak_bytes <= memory
        assert dict(solution.items()) == right
    with pytest.raises(BudgetError):
        zermelo.solve(game, method="dense", threads=1, memory=fixed_bytes(game) + len(whole) // 2)


class Narrow(Ring):
    """A space in which the other player has a pebble less than there are."""

    def space(self):
        return Disjoint(self.cells, (self.pebbles, range(self.pebbles)))


class Sinking(LevelGame):
    """A game whose moves lower the level."""

    def level(self, vertex):
        return -self.heights[vertex]


@dataclass(frozen=True)
class Steps(Game):
    """Two steps down at a time: nothing leads to the two highest."""

    height: int

    def start(self):
        return 0

    def legal(self, step):
        return step % 5 != 3

    def outcome(self, step):
        return LOSS if step < 5 else None

    def moves(self, step):
        yield 1

    def play(self, step, down):
        return (step - 5) // 10 * 5 + step % 5

    def space(self):
        return range(self.height)


def test_legal_positions_are_verified_part_by_part(tmp_path) -> None:
    """Those that no move leads to are legal all the same."""
    whole = zermelo.solve(Hunt(9))
    path = whole.save(tmp_path / "hunt.table")
    with limits.using(in_memory=False):
        found = zermelo.open(path, Hunt(9)).verify(memory="20MB")
    assert (found.problem, found.moves) == (None, whole.verify().moves)


@pytest.mark.slow
def test_the_certificate_misses_a_legal_position_that_nothing_leads_to() -> None:
    """A table from which the last legal position was taken out is refused, and says which it is.

    No solve makes such a table.
    """
    solution = zermelo.solve(Steps(1_000))
    assert solution.method == "dense"
    assert solution.verify()
    table: Any = solution._solved.table
    table.index.directory[999 // 32] &= ~np.uint64(1 << 999 % 32)
    column = table.column
    table.column = type(column)(table.kind, column.stored[:-1], column.owner, column.meaning)
    table.index.span -= 1
    verification = solution.verify()
    assert not verification
    assert verification.problem == "999 is legal, and not in the table"


@pytest.mark.slow
def test_a_position_outside_the_space_is_named() -> None:
    """The message has both positions, and which hook to correct."""
    with pytest.raises(RulesError, match=r"a move from Pebbles.* leads to Pebbles.* outside space"):
        zermelo.solve(ShortSpace(9, 2), method="dense")


@pytest.mark.slow
def test_what_else_is_not_as_declared_is_named() -> None:
    """A start, a position that is not legal, and a level."""
    with pytest.raises(RulesError, match=r"Narrow.start\(\) gives Pebbles.* is outside space\(\)"):
        zermelo.solve(Narrow(9, 2), method="dense")
    with pytest.raises(RulesError, match=r"a move from Men.* leads to Men.* legal\(\) refuses"):
        zermelo.solve(IllegalTargets(9))
    rows = ((1,), (0,))
    sinking = Sinking(rows, (OPEN, OPEN), (0,), (0, 1))
    with pytest.raises(RulesError, match=r"lowers level\(\)"):
        zermelo.solve(sinking, method="dense", threads=1, memory=fixed_bytes(sinking) + 30)


@pytest.mark.slow
def test_a_start_that_is_not_legal_is_named() -> None:
    """The start must be among the positions that are solved."""
    with pytest.raises(RulesError, match=r"IllegalStart.start\(\) gives Men\(.*legal\(\) refuses"):
        zermelo.solve(IllegalStart(9))


@pytest.mark.slow
def test_games_that_do_not_suit_say_why() -> None:
    """Games without a space are refused with a reason, and small games go another way unasked."""
    with pytest.raises(zermelo.ParameterError, match=r"which has no space\(\)"):
        zermelo.solve(VertexGame(((),), (OPEN,), (0,)), method="dense")
    assert zermelo.solve(Ring(9, 2)).method == "retrograde"
    assert zermelo.solve(FreeRing(13, 2)).method == "dense"


@pytest.mark.slow
def test_an_endless_draw_and_a_tie_are_told_apart() -> None:
    """Ties come with their remoteness, endless draws without."""

    @dataclass(frozen=True)
    class Stop(VertexGame):
        def space(self):
            return range(len(self.rows))

    game = Stop(((0, 1), (2, 0), ()), (OPEN, OPEN, int(DRAW)), (0,))
    solution = zermelo.solve(game, method="dense")
    assert {p: v.remoteness for p, v in solution.items()} == {0: 2, 1: 1, 2: 0}
