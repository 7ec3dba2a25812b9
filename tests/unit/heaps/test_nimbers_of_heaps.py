"""Nimbers of heap games: beside their definition, by all splits and by a sparse space.

``nimbers`` takes the best sparse space, so other spaces are given to what it calls.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from facts import rows
from support.sizes import but, counts
from zermelo import ParameterError, TableExistsError, TableWriteError, limits
from zermelo._engine.heaps import sequence
from zermelo._engine.heaps.sequence import NimSequence, SparseSpace, best_space, parities
from zermelo.heaps import (
    DAWSONS_CHESS,
    DAWSONS_KAYLES,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
    HeapGame,
    Subtraction,
    TakeAndBreak,
)

from .plain import nim_sequence, some_code


@counts(60, None, 2_000)
@pytest.mark.parametrize("parts", but([1, 2, 3], 3))
def test_any_code_beside_its_definition(count, parts):
    """Every nimber of any code is the least that no option has, however the work is cut up."""
    choose = random.Random(parts)
    for _ in range(count):
        code = some_code(choose, parts=parts)
        size = choose.randrange(1, {1: 200, 2: 130, 3: 45}[parts])
        with limits.using(at_once=choose.choice([4, 16, 1024])):
            found = NimSequence(code.digits, code.rest, unequal=code.unequal)
            found.extend(choose.randrange(size + 1))
            found.extend(size)
        assert found.values.tolist() == nim_sequence(code.options, size), code


@counts(20, None, 300)
def test_any_division_gives_the_same_nimbers(count, monkeypatch):
    """A sparse space is a matter of speed: with a bad one too, no nimber is another.

    No code has one, as the best is taken.
    """
    choose = random.Random(7)

    def bad(_, two):
        shift = choose.randrange(2) if len(set((two & 1).tolist())) == 1 else 0
        return SparseSpace(choose.randrange(64), shift, 1 ^ (shift & int(two[0])), 0)

    monkeypatch.setattr(sequence, "best_space", bad)
    for _ in range(count):
        code = some_code(choose, parts=2)
        found = NimSequence(code.digits, code.rest, unequal=code.unequal)
        with limits.using(at_once=8):
            found.extend(120)
        assert found.values.tolist() == nim_sequence(code.options, 120), code


@pytest.mark.parametrize(
    "game", [KAYLES, TakeAndBreak("0.16"), TakeAndBreak("0.127"), GRUNDYS_GAME], ids=repr
)
def test_a_sparse_space_is_found_and_gives_what_all_splits_give(game):
    """Where few heaps are rare, the space is used; the nimbers are those of all splits."""
    code = game.code
    quick = NimSequence(code.digits, code.rest, unequal=code.unequal)
    plain = NimSequence(code.digits, code.rest, unequal=code.unequal, sparse=False)
    quick.extend(12_000)
    plain.extend(12_000)
    assert quick.space is not None
    assert plain.space is None
    assert (quick.values == plain.values).all()


def test_grundys_game_has_the_published_sparse_space():
    """The mask that is found leaves out the lowest bit, and its rare heaps are those published."""
    found = NimSequence((4,), 0, unequal=True)
    found.extend(9000)
    assert found.space is not None
    assert (found.space.mask | 1, found.space.shift, found.space.common) == (127, 0, 1)
    assert found.space.mask & 1 == 0
    even = parities(256, 254)[found.values] == 0
    published = {int(row["heap"]): int(row["nimber"]) for row in rows("grundy_rare")}
    assert np.flatnonzero(even[:232]).tolist() == sorted(published)
    assert all(found.values[heap] == nimber for heap, nimber in published.items())


@pytest.mark.huge
def test_grundys_game_to_a_million_heaps():
    """1,274 of the 1,287 rare heaps known to Flammenkamp are among the first million."""
    values = GRUNDYS_GAME.nimbers(1_000_000)
    assert (parities(512, 510)[values] == 0).sum() == 1274
    assert values.max() < 256


def test_the_best_space_is_the_one_that_leaves_fewest_rare():
    """The transform counts the rare heaps of every mask as a loop does."""
    values = np.random.default_rng(3).integers(0, 13, 400).astype(np.int32)
    for two in ([2], [1], [1, 2]):
        splits = np.array(two, np.int64)
        best = best_space(values, splits)
        rare = []
        for shift in (0, 1) if len(two) == 1 else (0,):
            common = 1 ^ (shift & two[0])
            for mask in range(1, 16):
                classes = parities(16, mask)[values] ^ (np.arange(400) & shift)
                rare.append(int((classes != common).sum()))
        assert best.rare == min(rare)


def test_known_games():
    """First nimbers, by OEIS A002186, A002187, A002188 and closed forms."""
    assert KAYLES.nimbers(13).tolist() == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1]
    dawson = DAWSONS_CHESS.nimbers(20).tolist()
    assert dawson == [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0]
    assert DAWSONS_KAYLES.nimbers(21)[1:].tolist() == dawson
    assert GRUNDYS_GAME.nimbers(15).tolist() == [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1]
    assert NIM.nimbers(1000).tolist() == list(range(1001))
    lasker = [n + (n % 4 == 3) - (n % 4 == 0 and n > 0) for n in range(400)]
    assert LASKERS_NIM.nimbers(399).tolist() == lasker
    assert AllBut({1}).nimbers(7).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("row", rows("subtraction_games"), ids=lambda row: row["set"])
def test_published_subtraction_games(row):
    """The nimbers of a subtraction game repeat the published ones, and this is proved."""
    game = Subtraction(int(number) for number in row["set"].split(","))
    period = [int(nimber) for nimber in row["grundy_period"].split(",")]
    assert game.nimbers(9 * len(period) - 1).tolist() == 9 * period
    assert game.period().period == int(row["period"]) == len(period)
    assert game.period().preperiod == 0


def test_nimbers_by_period_are_those_found_one_by_one():
    """What follows from a period is what each heap gives by itself."""
    for game in (KAYLES, DAWSONS_CHESS, Subtraction({2, 7, 11}), AllBut({1, 2, 8, 9, 10}), NIM):
        for largest in (0, 1, 5, 70, 3000):
            one_by_one = HeapGame(game.code, "").nimbers(largest, by_period=False)
            by_period = HeapGame(game.code, "").nimbers(largest)
            assert (by_period == one_by_one).all()
            assert (game.nimbers(largest) == one_by_one).all()
    assert KAYLES.nimbers(10**6)[-1] == KAYLES.nimber(10**6) == KAYLES.nimber(10**6 - 12)


@pytest.mark.parametrize(
    "games",
    [
        (KAYLES, GRUNDYS_GAME, LASKERS_NIM, AllBut({2})),
        pytest.param((TakeAndBreak("0.3F"),), marks=pytest.mark.slow),
    ],
    ids=["in two", "in three"],
)
def test_sums_of_heaps(games):
    """The nimber of a sum, every move in it and the winning ones agree with play itself."""
    choose = random.Random(5)
    for game in games:
        for _ in range(10):
            heaps = [choose.randrange(9) for _ in range(choose.randrange(4))]
            moves = game.moves(heaps)
            for move in moves:
                others = list(heaps)
                others.remove(move.heap)
                assert move.heaps == tuple(sorted([*others, *move.left], reverse=True))
                assert move.left in game.options(move.heap)
                assert move.nimber == game.nimber(move.heaps)
            assert len(moves) == sum(len(game.options(heap)) for heap in set(heaps))
            there = {move.nimber for move in moves}
            assert game.nimber(heaps) == next(n for n in range(99) if n not in there)
            assert game.best(heaps) == [move for move in moves if move.nimber == 0]
            assert bool(game.best(heaps)) == bool(game.nimber(heaps))
    assert NIM.nimber(5) == NIM.nimber([5]) == NIM.nimber(np.int64(5))
    assert NIM.nimber([]) == 0
    assert NIM.best([3, 5])[0].heaps == (3, 3)


@pytest.mark.parametrize("heap", [-1, 1.5, "3", None, True, 1 << 31])
def test_what_is_no_heap_has_no_nimber(heap):
    """Sizes of heaps are whole numbers that an array can be as long as."""
    with pytest.raises(ParameterError, match="give"):
        KAYLES.nimbers(heap)
    if heap != 1 << 31:
        for ask in (KAYLES.nimber, KAYLES.best, KAYLES.period):
            if heap is not None or ask != KAYLES.period:
                with pytest.raises(ParameterError, match="give"):
                    ask(heap if ask == KAYLES.period or heap == "3" else [heap])


def test_an_array_of_nimbers_is_the_callers():
    """Writing to it changes nothing that is remembered."""
    KAYLES.nimbers(50)[:] = 9
    assert KAYLES.nimbers(3).tolist() == [0, 1, 2, 3]


def test_progress_is_told():
    """A listener hears of the phase, and a question already answered has none."""
    events = []
    game = TakeAndBreak("0.007")
    game.nimbers(3000, progress=events.append)
    assert {event.phase for event in events} == {"nimbers"}
    assert events[-1].finished
    events.clear()
    game.nimbers(3000, progress=events.append)
    assert not events


def test_b_files(tmp_path):
    """A line for each heap; an existing file is not replaced unasked, and none is left half."""
    path = tmp_path / "b002187.txt"
    assert DAWSONS_CHESS.write_b_file(path, 5) == path
    assert path.read_bytes() == b"0 0\n1 1\n2 1\n3 2\n4 0\n5 3\n"
    with pytest.raises(TableExistsError, match="overwrite=True"):
        DAWSONS_CHESS.write_b_file(path, 2)
    DAWSONS_CHESS.write_b_file(path, 2, overwrite=True)
    assert path.read_text() == "0 0\n1 1\n2 1\n"
    with pytest.raises(TableWriteError, match="no folder"):
        DAWSONS_CHESS.write_b_file(tmp_path / "none" / "b.txt", 2)
    assert [entry.name for entry in tmp_path.iterdir()] == ["b002187.txt"]
