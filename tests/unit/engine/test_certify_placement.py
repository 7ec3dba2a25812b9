"""A placement table is certified 64 positions at a time, and says what one by one would say.

``verify`` falls back to positions one by one, so it does not show which check found a fault; and no
solve makes a table that is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

import zermelo
from support.games.boards import (
    Blocking,
    Breaker,
    FallingApart,
    FallingMisere,
    FallingWild,
    InARow,
    Maker,
    Misere,
    Notakto,
    OneSidedRows,
    Order,
    Wild,
)
from support.sizes import counts, some
from zermelo import limits
from zermelo._engine.column import codes
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.table import Table
from zermelo._methods.placement import rules_check
from zermelo._methods.placement.certificate import level_check as certify_placement
from zermelo._methods.placement.index import PlacementColumn, PlacementIndex
from zermelo._methods.placement.table_form import TierForm
from zermelo.games import ConnectFour

#: Boards of one block a tier, so that a table can be packed by hand.
SMALL = [
    ConnectFour(3, 3, 3),
    ConnectFour(3, 4, 4),
    *(kind(3, 3, 3) for kind in (InARow, Misere, Maker, Breaker, Notakto, FallingMisere)),
    *(Wild(2, 3, 2), Wild(3, 2, 3), FallingWild(2, 4, 3), Order(3, 2, 3)),
    *(Blocking(), Blocking(maker=1), OneSidedRows(), FallingApart(3, 3, 3)),
]
NEVER = 1 << 62


@pytest.fixture(autouse=True)
def bitwise():
    """Check even small tables 64 positions at a time."""
    with limits.using(bitwise=0):
        yield


def verdicts(solution, monkeypatch):
    """Return what is said of a table looked at at once, and one by one; and whether it was."""
    looked = []
    at_once = TierForm.check

    def noted(*arguments):
        looked.append(at_once(*arguments))
        return looked[-1]

    with monkeypatch.context() as patch:
        patch.setattr(TierForm, "check", noted)
        fast = solution.verify()
        with limits.using(bitwise=NEVER):
            slow = solution.verify()
    assert looked[1] is None
    return replace(fast, seconds=0), replace(slow, seconds=0), looked[0] is not None


def in_files(solution, monkeypatch, more=0):
    """Return what is said where levels are held in files, as little as can be in memory."""
    told, examined = [], certify_placement.check_levels
    at_once = TierForm.check

    def narrow(table, plan, threads, _, report):
        return examined(
            table, plan, threads, certify_placement.least_bytes(table, plan) + more, report
        )

    def kept(*given):
        told.append(at_once(*given))
        return told[-1]

    with monkeypatch.context() as patch:
        patch.setattr(certify_placement, "check_levels", narrow)
        patch.setattr(TierForm, "check", kept)
        with limits.using(in_memory=False, at_once=2):
            found = solution.verify()
    assert told[0] is not None
    return replace(found, seconds=0)


#: Where each puts marks of its own, and where each has lines of its own and puts any mark.
FEW = [ConnectFour(3, 3, 3), Order(3, 2, 3)]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((FEW, None), id="few timed"),
        pytest.param((FEW[:1], "outcome"), id="one untimed"),
        pytest.param((SMALL, None), id="timed", marks=pytest.mark.slow),
        pytest.param((SMALL, "outcome"), id="untimed", marks=pytest.mark.slow),
    ],
)
def solved(request):
    """Small games, solved."""
    games, value = request.param
    return [zermelo.solve(game, value=value) for game in games]


@pytest.mark.slow
def test_a_right_table_is_right_in_both_ways(solved, monkeypatch):
    """So many positions and so many moves, and nothing wrong, without falling back."""
    for solution in solved:
        fast, slow, at_once = verdicts(solution, monkeypatch)
        assert at_once, solution.game
        assert fast == slow, solution.game
        assert fast.ok


@pytest.mark.slow
def test_a_right_table_is_right_in_files(solved, monkeypatch):
    """So many positions and moves, and nothing wrong, with a few tiers shown at a time."""
    for solution in solved:
        if len(solution._solved.table.index.directory.tiers) < 100:
            found = in_files(solution, monkeypatch)
            assert found == replace(solution.verify(), seconds=0), solution.game


@pytest.mark.slow
def test_wrong_values_at_both_ends_of_every_level_are_found_in_files(solved, monkeypatch):
    """As if two levels were in memory; and so are some in the middle."""
    solution = solved[0]
    table, rng = solution._solved.table, np.random.default_rng(6)
    at, right = table.index.directory, solution._solved.table.column.stored.copy()
    ends = at.place[at.level_section].tolist()
    for level, (begin, end) in enumerate(pairwise(ends)):
        if table.column.planes.begin[level] == table.column.planes.begin[level + 1]:
            continue
        for place in {begin, int(rng.integers(begin, end)), end - 1}:
            spoil(table, place, rng)
            whole = solution.verify()
            found = in_files(solution, monkeypatch)
            assert not found.ok
            assert found == replace(whole, seconds=0)
            table.column.stored[:] = right


@counts(None, 9, 27)
def test_games_at_random_are_verified_in_files_as_with_whole_levels(count, monkeypatch):
    """Boards, lines, marks and who loses; with as little memory as can be, and with more."""
    rng = np.random.default_rng(7)
    kinds = [ConnectFour, InARow, Misere, Maker, Breaker, Notakto, FallingMisere, FallingWild, Wild]
    for number in range(count):
        kind = kinds[number % len(kinds)]
        width, height = rng.integers(2, 4, 2).tolist()
        game = kind(width, height, int(rng.integers(2, 4)))
        if game in (Wild(3, 3, 2), Wild(3, 3, 3)):
            continue
        solution = zermelo.solve(game, value=(None, "outcome")[rng.integers(2)], method="placement")
        solution.threads = int(rng.integers(1, 4))
        table, right = solution._solved.table, solution._solved.table.column.stored.copy()
        for changed in range(3):
            if changed and len(right):
                spoil(table, spoilt_places(table, rng, 2)[1], rng)
            whole = replace(solution.verify(), seconds=0)
            assert whole.ok == (not changed or not len(right))
            for more in (0, 64, 4096):
                assert in_files(solution, monkeypatch, more) == whole, game
            table.column.stored[:] = right


@pytest.mark.slow
def test_tiers_of_several_blocks_and_threads(monkeypatch):
    """Patterns past a block count alike, on one thread and on three."""
    solution = zermelo.solve(ConnectFour(4, 4))
    for threads in (1, 3):
        solution.threads = threads
        fast, slow, at_once = verdicts(solution, monkeypatch)
        assert at_once
        assert fast == slow
        assert in_files(solution, monkeypatch, 40_000 * threads) == fast
        wrong = np.random.default_rng(threads).integers(0, len(solution), 2)
        right = solution._solved.table.column.stored.copy()
        for place in wrong.tolist():
            spoil(solution._solved.table, place, np.random.default_rng(place))
            fast, slow, _ = verdicts(solution, monkeypatch)
            assert (fast.problem, fast.position) == (slow.problem, slow.position)
            assert not fast.ok
            assert in_files(solution, monkeypatch, 40_000) == fast
            solution._solved.table.column.stored[:] = right


def spoil(table, place, rng):
    """Change the value at a place for any other that its level has."""
    at = table.index.directory
    section = int(np.searchsorted(at.place, place, side="right")) - 1
    level = int(np.searchsorted(at.level_section, section, side="right")) - 1
    planes = int(table.column.planes.begin[level + 1] - table.column.planes.begin[level])
    rank = place - int(at.place[section])
    base = int(at.value[section]) + rank // 64 * planes
    before = table.value(place)
    while table.value(place) == before:
        plane = base + int(rng.integers(planes))
        table.column.stored[plane] ^= np.uint64(1) << np.uint64(rank % 64)


def spoilt_places(table, rng, times):
    """Return places whose value could be another, every second one of the last such level.

    That is most often the full board, which a line of the last move decides, or having none.
    """
    at = table.index.directory
    held = np.diff(at.place[at.level_section])
    level = int(np.flatnonzero(np.diff(table.column.planes.begin) * held)[-1])
    first, end = (int(at.place[at.level_section[n]]) for n in (level, level + 1))
    return [int(rng.integers(first if n % 2 else 0, end)) for n in range(times)]


#: How often each game's table is changed; nightly more often.
OFTEN = pytest.mark.parametrize("times", [3, pytest.param(15, marks=pytest.mark.slow)])


@pytest.mark.slow
@OFTEN
def test_a_wrong_value_is_found_and_named_alike(solved, monkeypatch, times):
    """Wherever it is and whatever it is instead."""
    rng = np.random.default_rng(times)
    for solution in solved:
        table = solution._solved.table
        right = table.column.stored.copy()
        for place in spoilt_places(table, rng, times):
            spoil(table, place, rng)
            fast, slow, _ = verdicts(solution, monkeypatch)
            assert not fast.ok
            assert (fast.problem, fast.position) == (slow.problem, slow.position)
            table.column.stored[:] = right


def positions_of(table):
    """Return the value of each pattern: level by level, tier by tier."""
    at, found, place = table.index.directory, [], 0
    for level in range(len(at.level_tier) - 1):
        tiers = []
        for slot in range(int(at.level_tier[level + 1] - at.level_tier[level])):
            block = int(at.level_block[level]) + slot
            word, here = int(at.word[int(at.level_section[level]) + slot]), {}
            for w in range(64):
                if int(at.present[block]) >> w & 1:
                    mask = int(table.index.stored[word])
                    word += 1
                    for bit in range(64):
                        if mask >> bit & 1:
                            here[64 * w + bit] = table.value(place)
                            place += 1
            tiers.append(here)
        found.append(tiers)
    return found


def packed(table, found):
    """Return a table of these values, packed bit by bit."""
    at, planes = table.index.directory, table.column.planes
    tiers = [here for level in found for here in level]
    stored, present, word, place, value, kept = [], [], [0], [0], [0], []
    for level, shown in enumerate(found):
        own = range(int(planes.begin[level]), int(planes.begin[level + 1]))
        for here in shown:
            masks = {}
            for pattern in here:
                masks[pattern // 64] = masks.get(pattern // 64, 0) | 1 << pattern % 64
            stored += [masks[w] for w in sorted(masks)]
            present.append(sum(1 << w for w in masks))
            word.append(len(stored))
            place.append(place[-1] + len(here))
            codes_here = [here[pattern] for pattern in sorted(here)]
            for begin in range(0, len(codes_here), 64):
                for p in own:
                    bits = [in_plane(c, level, p, planes) for c in codes_here[begin : begin + 64]]
                    kept.append(sum(bit << n for n, bit in enumerate(bits)))
            value.append(len(kept))
    zeros = np.zeros(len(tiers), np.uint32)
    directory = replace(
        at,
        present=np.array(present, np.uint64),
        first=zeros,
        rank=zeros.copy(),
        place=np.array(place),
        word=np.array(word),
        value=np.array(value),
    )
    index = PlacementIndex(
        table.index.fields, table.index.board, directory, np.array(stored, np.uint64)
    )
    column = PlacementColumn(index, planes, np.array(kept, np.uint64))
    return Table(index, column, table.starts, "places")


def in_plane(code, level, p, planes):
    """Whether a plane has a value."""
    outcome, remoteness = codes.decode(code)
    if not outcome:
        return False
    winner = 1 - level % 2 if outcome > 0 else level % 2
    by = codes.UNTIMED if remoteness is None else level + remoteness
    return winner == planes.whose[p] and by <= planes.ply[p]


@OFTEN
def test_a_position_too_few_or_too_many_is_found_and_named_alike(solved, monkeypatch, times):
    """Whether a move leads out of the table, or none leads to a position."""
    rng = np.random.default_rng(times)
    for solution in solved:
        table = solution._solved.table
        if len(table) > 200 * times:
            continue  # packing takes long
        right = positions_of(table)
        again = packed(table, right)
        assert (again.index.stored == table.index.stored).all()
        assert (again.column.stored == table.column.stored).all()
        for number in range(times):
            found = [[dict(here) for here in level] for level in right]
            level = int(rng.integers(1, len(found)))
            slot = int(rng.integers(len(found[level])))
            here = found[level][slot]
            bits = level - 1 if table.index.board.marks == 0 else level
            empty = sorted({*range(1 << bits)} - {*here})
            if number % 2 and here:
                del here[int(rng.choice(list(here)))]
            elif empty:
                every = [c for tier in found[level] for c in tier.values()]
                here[int(rng.choice(empty))] = int(rng.choice(every or [codes.encode(0, 0)]))
            else:
                continue
            solution._solved.table = packed(table, found)
            fast, slow, _ = verdicts(solution, monkeypatch)
            solution._solved.table = table
            assert not fast.ok
            assert (fast.problem, fast.position) == (slow.problem, slow.position)
            if len(table.index.directory.tiers) < 100:
                solution._solved.table = packed(table, found)
                assert in_files(solution, monkeypatch) == fast
                solution._solved.table = table


@pytest.mark.slow
@pytest.mark.parametrize(("level", "word"), [(1, None), (5, None), (9, None), (9, 1)])
def test_what_is_not_there_is_missed_where_no_value_tells(level, word, monkeypatch):
    """In a game without lines every position is a tie, with a tier or a word of it or without."""
    solution = zermelo.solve(ConnectFour(3, 3, 4))
    found = positions_of(solution._solved.table)
    gone = [n for n in found[level][0] if word is None or n // 64 == word]
    assert gone
    for pattern in gone:
        del found[level][0][pattern]
    solution._solved.table = packed(solution._solved.table, found)
    fast, slow, at_once = verdicts(solution, monkeypatch)
    assert at_once
    assert "leads out of the table" in fast.problem
    assert (fast.problem, fast.position) == (slow.problem, slow.position)


@pytest.mark.slow
def test_a_directory_that_does_not_count_right_is_left_to_the_other_way(monkeypatch):
    """What finds positions is looked at too."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    at = solution._solved.table.index.directory
    arguments = solution._solved.compiled, solution._solved.table, 1

    def check(allowed=1 << 30):
        return TierForm().check(*arguments, Ledger(allowed), zermelo.progress.Reporter(), None)

    for name, number in [("rank", 9), ("first", 9), ("slots", 3), ("place", 5), ("value", 9)]:
        array = getattr(at, name)
        array[number] += 1
        assert check() is None, name
        array[number] -= 1
    assert check().fault == 0
    with pytest.raises(zermelo.BudgetError) as refused:
        check(100)
    assert check(refused.value.needed).fault == 0


@dataclass(frozen=True)
class Blind(InARow):
    """A game that overlooks one line, which it declares."""

    def has_line(self, stones):
        for line in self.line_masks:
            if line != 0o111 and stones & line == line:
                return True
        return False


@dataclass(frozen=True)
class Counting(InARow):
    """A game that says the same as its lines in a form of its own."""

    def has_line(self, stones):
        for line in self.line_masks:
            if (stones & line).bit_count() == 3:
                return True
        return False


@dataclass(frozen=True)
class Odd(InARow):
    """A game that sees a line in one set of cells without one."""

    def has_line(self, stones):
        if stones == 0b101_000_101:
            return True
        return InARow.has_line(self, stones)


@dataclass(frozen=True)
class Rash(ConnectFour):
    """A game that sees a line on a large board where only the beginning of one is."""

    def has_line(self, stones):
        if stones == 0b11:
            return True
        return ConnectFour.has_line(self, stones)


@dataclass(frozen=True)
class Partial(Blocking):
    """A game that grants Breaker what is Maker's."""

    def has_line_of(self, player, stones):
        for line in self.masks_by_player[self.maker]:
            if stones & line == line:
                return True
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    some([Blind(), Odd(), Partial(), Rash(5, 4, 4)], 4),
    ids=["a line", "any set", "whose", "a large board"],
)
def test_a_game_whose_has_line_says_something_else_is_found_out(game, monkeypatch):
    """The table is right by the declared lines, and wrong by the rules."""
    monkeypatch.setattr(rules_check, "check_rules", lambda *_: None)  # which refuses to solve it
    solution = zermelo.solve(game, method="placement")
    if game.width > 3:  # looked at one by one, as soon as the rules are not those of the board
        assert not solution.verify()
        return
    fast, slow, at_once = verdicts(solution, monkeypatch)
    assert not at_once
    assert not fast.ok
    assert fast == slow


@dataclass(frozen=True)
class WildCounting(FallingWild):
    """A game that says so where marks of both kinds fall."""

    def has_line(self, stones):
        for line in self.line_masks:
            if (stones & line).bit_count() == 3:
                return True
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", some([Counting(), WildCounting(2, 4, 3), FallingApart(4, 3, 3)], 3), ids=repr
)
def test_a_has_line_of_any_form_may_say_what_the_lines_say(game, monkeypatch):
    """It is run on sets of cells, so it may count, look up and ask what it likes."""
    fast, slow, at_once = verdicts(zermelo.solve(game), monkeypatch)
    assert at_once
    assert fast.ok
    assert fast == slow
