"""Games with levels: the same tables as by any other way, whatever the levels are like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from support.games.level_games import (
    AlternatingGame,
    OwnedLevelGame,
    OwnedSpacedGame,
    SpacedGame,
    random_levelled,
)
from support.oracles import oracle
from support.sizes import but, counts, some
from zermelo import BudgetError, Game, RulesError, limits
from zermelo.game.placement import Stones
from zermelo.games import CatAndMouse, ConnectFour


def table_of(solution: Any) -> dict[Any, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


KINDS = [AlternatingGame, OwnedLevelGame, SpacedGame, OwnedSpacedGame]


@pytest.mark.parametrize(
    "kind", some(KINDS, 4), ids=["alternating", "owned", "spaced", "owned spaced"]
)
@counts(50, None, 300)
def test_random_games_with_levels_agree_with_the_oracle(kind: Any, count: int) -> None:
    """Values, remoteness, starts and the certificate are right on any levels that moves raise."""
    for game in random_levelled(31, count, kind):
        solution = zermelo.solve(game, method="levels", threads=1)
        assert table_of(solution) == oracle.solve(game), game
        assert solution.starts == tuple(dict.fromkeys(game.roots))
        assert solution.verify(), game
        assert len(list(solution)) == len(solution)
        alone = {position: solution.get(position) for position in range(len(game.rows))}
        assert {p: v for p, v in alone.items() if v is not None} == dict(solution.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [ConnectFour(4, 4), ConnectFour(5, 3, 3), ConnectFour(3, 5, 3)],
    ids=["4x4", "5x3 by threes", "3x5 by threes"],
)
def test_connect_four_is_the_same_by_levels_and_by_the_graph(game: Game) -> None:
    """Every reachable position of a real game has the same value both ways."""
    levels = zermelo.solve(game, method="levels")
    graph = zermelo.solve(game, method="retrograde")
    assert dict(levels.items()) == dict(graph.items())
    assert levels.counts() == graph.counts()


def written(solution: Any, folder: Path) -> bytes:
    """Return the file that a solution is saved as."""
    return solution.save(folder / "levels.table", overwrite=True).read_bytes()


def same_for_all_threads(game: Game, folder: Path, repeats: int = 1) -> int:
    """Assert that a game's table is the same for 1, 2, 3 threads; return how many positions."""
    one = zermelo.solve(game, method="levels", threads=1)
    file = written(one, folder)
    for _ in range(repeats):
        for threads in (2, 3):
            several = zermelo.solve(game, method="levels", threads=threads)
            assert written(several, folder) == file, threads
    return len(one)


class Unspaced(ConnectFour):
    """Connect Four whose positions may take all 64 bits, as far as its ranges say."""

    def space(self):
        return Stones(range(1 << 32), range(1 << 32))


@pytest.mark.slow
def test_levels_are_bit_identical_for_any_number_of_threads(tmp_path: Path) -> None:
    """Positions stand in the order of their hashes, in slots or buckets, whoever found them."""
    same_for_all_threads(ConnectFour(4, 3), tmp_path)
    same_for_all_threads(Unspaced(4, 3), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ConnectFour, Unspaced])
def test_threads_that_meet_leave_the_same_table(kind: Any, tmp_path: Path) -> None:
    """Levels of tens of thousands of positions are the same each time."""
    assert same_for_all_threads(kind(4, 4), tmp_path, repeats=4) == 161_029


class Wide(NamedTuple):
    """A counter that needs a word of its own, and another."""

    left: int
    taken: int


@dataclass(frozen=True)
class LongHeap(Game):
    """A heap from which one or two are taken, of which more levels come than a byte holds."""

    stones: int

    def start(self):
        return Wide(self.stones, 0)

    def moves(self, heap):
        for n in range(1, min(2, heap.left) + 1):
            yield n

    def play(self, heap, n):
        return Wide(heap.left - n, heap.taken + n)

    def level(self, heap):
        return heap.taken


@pytest.mark.slow
def test_more_levels_than_a_byte_tells_and_positions_of_several_words() -> None:
    """Values go over to four bytes, and keys of two words are sorted and found as well."""
    levels = zermelo.solve(LongHeap(stones=1_000), method="levels")
    assert levels.value == zermelo.Value(zermelo.WIN, 2 * (1_000 // 3) + 1)
    assert levels.verify()
    assert dict(levels.items()) == dict(zermelo.solve(LongHeap(1_000), method="retrograde").items())


@dataclass(frozen=True)
class CountedHeap(LongHeap):
    """The same heap, with its ranges declared: positions fit slots, and values do not."""

    def space(self):
        stones = range(self.stones + 1)
        return Wide(stones, stones)


@pytest.mark.slow
def test_more_levels_than_a_byte_tells_in_slots(tmp_path: Path) -> None:
    """Positions stand in slots and values beside them, two threads or one."""
    game = CountedHeap(stones=902)
    levels = zermelo.solve(game, method="levels")
    assert levels.value == zermelo.Value(zermelo.WIN, 601)
    assert levels.verify()
    assert dict(levels.items()) == dict(zermelo.solve(game, method="retrograde").items())
    assert levels.counts() == zermelo.solve(game, method="retrograde").counts()
    same_for_all_threads(game, tmp_path)


@dataclass(frozen=True)
class LyingHeap(LongHeap):
    """The same heap, whose declared ranges leave out what its moves lead to."""

    def space(self):
        return Wide(range(32), range(5))


@pytest.mark.slow
def test_positions_outside_what_a_game_declares_are_solved_all_the_same() -> None:
    """Where positions have bits that slots leave out, whole positions are kept."""
    game = LyingHeap(stones=31)
    levels = zermelo.solve(game, method="levels")
    assert dict(levels.items()) == dict(zermelo.solve(LongHeap(31), method="retrograde").items())


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", some([Unspaced(4, 3), LongHeap(stones=1_000)], 2), ids=["bytes", "codes"]
)
def test_positions_are_asked_about_one_by_one_without_a_detour(
    game: Game,
) -> None:
    """Where they stand in buckets, with values of a byte or of four; strangers are not there."""
    solution = zermelo.solve(game, method="levels")
    with limits.using(questions=0):  # the first question, too
        for position, value in islice(solution.items(), 0, None, 97):
            assert solution.get(position) == value
            assert solution.get(type(position)(position[0], 1 << 31)) is None


@pytest.mark.slow
def test_a_position_that_cannot_be_reached_is_not_found_in_slots() -> None:
    """A look-up in vain ends, and says so."""
    solution = zermelo.solve(ConnectFour(4, 3), method="levels")
    assert solution.get(Stones(0b1, 0b10)) is not None
    assert solution.get(Stones(0b10, 0)) is None
    assert solution.get(Stones(0b1000, 0)) is None
    assert len(solution.probe_many(list(solution))) == len(solution)


class FlatHeap(LongHeap):
    """The same, with levels of ten stones, which most moves do not raise."""

    def level(self, heap):
        return heap.taken // 10


class SinkingHeap(LongHeap):
    """The same, with levels that moves lower."""

    def level(self, heap):
        return heap.left


@pytest.mark.slow
def test_moves_that_stay_on_a_level_are_solved_as_if_there_were_none() -> None:
    """The contract allows flat moves; the choice and a note say that levels were no use."""
    events = []
    solution = zermelo.solve(FlatHeap(stones=50), method="levels", progress=events.append)
    why = "move 1 from Wide(left=50, taken=0) leaves level() at 0"
    assert f"not by levels, as {why}" in solution.choice
    (note,) = (event.detail for event in events if event.phase == "note")
    assert note.startswith(f"FlatHeap.level() is not used, as {why}; count something that every")
    assert solution.value == zermelo.solve(LongHeap(stones=50)).value


@pytest.mark.slow
def test_a_move_that_lowers_the_level_is_refused_and_named() -> None:
    """The contract says that no move lowers a level."""
    words = "move 1 from Wide(left=50, taken=0) lowers level() from 50 to 49;"
    with pytest.raises(RulesError, match=re.escape(words)):
        zermelo.solve(SinkingHeap(stones=50), method="levels")


class Wider(ConnectFour):
    """Connect Four with rules of its own, which are those it had."""

    def outcome(self, board):
        return super().outcome(board)


class Flatter(Wider):
    """The same, with levels that two moves have in common."""

    def level(self, board):
        return super().level(board) // 2


@pytest.mark.slow
def test_wide_levels_are_chosen_once_a_game_has_turned_out_large() -> None:
    """A game explored so far is handed over where it is large, wide and growing; not before."""
    small = zermelo.solve(Wider(4, 4))
    assert small.method == "retrograde"
    with limits.using(levels=2_000, wide=200):
        large = zermelo.solve(Wider(4, 4))
        asked = zermelo.solve(Wider(4, 4), method="retrograde")
    assert (large.method, large.choice) == (
        "levels",
        "level by level, as every move raises level(), and levels are wide",
    )
    assert dict(large.items()) == dict(small.items())
    assert [name for name, _ in large.phases][:2] == ["compile", "explore"]
    assert asked.method == "retrograde"


def test_thin_levels_are_left_alone() -> None:
    """However many positions there are, levels of one or two each are no reason."""
    with limits.using(levels=2_000):
        assert zermelo.solve(LongHeap(stones=1_000)).method == "retrograde"


@pytest.mark.slow
def test_a_game_of_wide_levels_with_flat_moves_is_solved_by_its_graph() -> None:
    """Whether every move raises the level shows when it is tried; the rest is as before."""
    with limits.using(levels=2_000, wide=200):
        solution = zermelo.solve(Flatter(4, 4))
    assert solution.method == "retrograde"
    assert "leaves level() at" in solution.choice


@pytest.mark.slow
def test_levels_that_do_not_fit_are_refused() -> None:
    """The refusal says how many positions there were room for."""
    with pytest.raises(BudgetError, match="positions found so far") as caught:
        zermelo.solve(ConnectFour(4, 3), method="levels", memory="60kB")
    assert caught.value.needed > caught.value.allowed == 60_000


def test_a_game_without_levels_is_not_solved_by_levels() -> None:
    """Asking for levels where there are none says so."""
    with pytest.raises(zermelo.ParameterError, match=r"which has no level\(\)"):
        zermelo.solve(CatAndMouse(graph=((1,), (0,), ())), method="levels")


@pytest.fixture(params=some(["on disk", "scattered on disk", "looked up in parts"], 3))
def poor(request) -> Iterator[str]:
    """Keep levels and queued positions on disk, and look levels up by parts."""
    changed = {"scattered on disk": {"waiting": 0}, "looked up in parts": {"windows": 3}}
    with limits.using(in_memory=False, **changed.get(request.param, {})):
        yield request.param


@pytest.mark.parametrize(
    "kind", but([AlternatingGame, OwnedLevelGame], OwnedLevelGame), ids=["alternating", "owned"]
)
@counts(None, 50, 150)
def test_random_games_on_disk_agree_with_the_oracle(kind: Any, count: int, poor: str) -> None:
    """The same table, starts and certificate, wherever levels and what becomes of them are kept."""
    for n, game in enumerate(random_levelled(37, count, kind)):
        solution = zermelo.solve(game, method="levels", threads=1 + n % 3)
        assert table_of(solution) == oracle.solve(game), game
        assert solution.starts == tuple(dict.fromkeys(game.roots))
        assert solution.verify(), game
        assert "on disk" in solution.choice
        assert ("in up to 3 parts" in solution.choice) == (poor == "looked up in parts")


@pytest.mark.slow
def test_real_games_on_disk_are_as_in_memory(poor: str) -> None:
    """The same positions with the same values, and for all threads at the same places."""
    for game in (ConnectFour(4, 3), LongHeap(700)):
        on_disk = [zermelo.solve(game, method="levels", threads=n) for n in (1, 2, 3)]
        with limits.using(in_memory=True):
            whole = zermelo.solve(game, method="levels")
        assert dict(on_disk[0].items()) == dict(whole.items())
        assert on_disk[0].counts() == whole.counts()
        assert len({tuple(solution.items()) for solution in on_disk}) == 1


@pytest.mark.slow
def test_flat_and_sinking_moves_are_noticed_on_disk(poor: str) -> None:
    """As in memory: solved another way, or refused with the position."""
    solution = zermelo.solve(FlatHeap(50), method="levels")
    assert "leaves level() at" in solution.choice
    with pytest.raises(RulesError, match=r"Wide\(left=50, taken=0\).* lowers level"):
        zermelo.solve(SinkingHeap(50), method="levels")


@pytest.mark.slow
def test_levels_go_to_disk_before_a_solve_is_refused() -> None:
    """A budget that holds no more than a level or two is enough; the choice says what was done."""
    rich = zermelo.solve(ConnectFour(4, 4), method="levels", threads=1)
    poor = zermelo.solve(ConnectFour(4, 4), method="levels", threads=1, memory="1500kB")
    assert "bytes a position written and" in poor.choice
    assert poor.peak_bytes <= 1_500_000 < rich.peak_bytes
    assert dict(poor.items()) == dict(rich.items())
