"""Questions about one position after another: the quick way answers as the long one does."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from support.sizes import some
from zermelo.games import CatAndMouse, ConnectFour, Quixo, StoneGame, TicTacToe
from zermelo.rules.layout import Layout, MisfitError, layout_of
from zermelo.solution.fast_probe import packer

Record = namedtuple("Record", ["a", "row", "b"])  # noqa: PYI024
Wide = namedtuple("Wide", ["a", "b", "c"])  # noqa: PYI024
Single = namedtuple("Single", ["a"])  # noqa: PYI024
Rows = namedtuple("Rows", ["none", "one"])  # noqa: PYI024


class Shaped:
    """What has a start, and perhaps a space."""

    def __init__(self, start: Any, space: Any = None) -> None:
        self.start = lambda: start
        if space is not None:
            self.space = lambda: space


LAYOUTS = {
    "a number": layout_of(Shaped(0, range(-3, 9)))[0],
    "any number": layout_of(Shaped(0))[0],
    "one field": layout_of(Shaped(Single(0), Single(range(5))))[0],
    "a row, and numbers below zero": layout_of(
        Shaped(Record(0, (0, 0), 0), Record(range(-5, 3), [range(2, 90)] * 2, range(1)))
    )[0],
    "an empty row": layout_of(Shaped(Rows((), (0,))))[0],
    "several words": layout_of(
        Shaped(Wide(0, 0, 0), Wide(range(1 << 40), range(9), range(1 << 33)))
    )[0],
    "words of their own": layout_of(Shaped(Wide(0, 0, 0)))[0],
}


def numbers(slot: Any) -> st.SearchStrategy[int]:
    """Draw numbers in the range of a slot, at its ends and just past them."""
    low = slot.low if slot.bits < 64 else -slot.high - 1
    near = [low, low + 1, slot.high, low - 1, slot.high + 1, 0, 1 << 64]
    return st.integers(low, slot.high) | st.sampled_from(near)


def both(layout: Layout, position: Any) -> tuple[list[int] | None, list[int] | None]:
    """Return the words of a position, or None where there are none: the quick way, and the long."""
    words = np.empty(layout.words, np.uint64)
    quick = words.tolist() if packer(layout)(position, words) else None
    try:
        return quick, [int(word) for word in layout.pack(position)]
    except MisfitError:
        return quick, None


@pytest.mark.parametrize("name", LAYOUTS)
@settings(max_examples=40)
@given(data=st.data())
def test_whole_numbers_are_packed_quickly_as_they_are_the_long_way(name: str, data: Any) -> None:
    """Positions that fit get the same words, and those that do not get none."""
    layout = LAYOUTS[name]
    position = layout.build([data.draw(numbers(slot)) for slot in layout.slots])
    quick, long = both(layout, position)
    assert quick == long


@pytest.mark.parametrize(
    "odd", [np.uint8(3), np.int64(3), np.array(3), np.array([3]), 3.0, "3", None, [3]]
)
@pytest.mark.parametrize("name", ["a number", "a row, and numbers below zero", "several words"])
def test_what_is_no_whole_number_of_python_is_left_to_the_long_way(name: str, odd: Any) -> None:
    """In any place: a narrow number of NumPy would wrap around where it is moved up."""
    layout = LAYOUTS[name]
    for place in range(len(layout.slots)):
        flat: list[Any] = [max(slot.low, 0) for slot in layout.slots]
        flat[place] = odd
        assert both(layout, layout.build(flat))[0] is None


def test_what_has_another_shape_is_left_to_the_long_way() -> None:
    """Tuples without names, rows that are none or of another length, records of another class."""
    layout = LAYOUTS["a row, and numbers below zero"]
    assert both(layout, Record(0, (2, 3), 0))[0] is not None
    strange = [(0, (2, 3), 0), Record(0, [2, 3], 0), Record(0, (2,), 0), Record(0, (2, 3, 4), 0)]
    strange += [Record(0, {2: 0, 3: 0}, 0), Record(0, 2, 0), Wide(0, (2, 3), 0), None]
    for position in strange:
        assert both(layout, position)[0] is None


SOLVED = [
    (TicTacToe(), "retrograde"),
    (TicTacToe(), "horizon"),
    (TicTacToe(), "dense"),
    (Quixo(3), "dense"),
    (ConnectFour(3, 3, 3), "levels"),
    (ConnectFour(3, 3, 3), "placement"),
    (CatAndMouse([[1, 3], [0], [3], [0, 2]]), "pursuit"),
    (StoneGame((3, 1, 4, 1, 5, 9)), "score"),
]


@pytest.mark.parametrize(("game", "method"), some(SOLVED, 6))
def test_one_by_one_positions_are_worth_what_they_are_together(
    game: Any, method: str, tmp_path: Any
) -> None:
    """In memory and in a file, those of no game among them."""
    solved = zermelo.solve(game, method=method)
    layout = layout_of(game)[0]
    flat = [layout.flatten(position) for position in islice(solved, 500)]
    flat += [[other[0], *rest] for (_, *rest), other in zip(flat, reversed(flat), strict=True)]
    flat += [[layout.slots[0].high, *rest] for _, *rest in flat[:10]]
    positions = [layout.build(numbers) for numbers in flat]
    opened = zermelo.open(solved.save(tmp_path / "x.table"))
    for solution in (solved, opened, solved):  # once many were asked, in memory without a detour
        together = solution.get_many(positions)
        assert min(500, len(solved)) <= np.count_nonzero(together.found) < len(flat)
        for number, position in enumerate(positions):
            value = solution.get(position)
            assert (value is not None) == together.found[number]
            if value is not None:
                assert value.outcome == together.outcome[number]
                remoteness = -1 if value.remoteness is None else value.remoteness
                assert remoteness == together.remoteness[number]
                score = None if together.score is None else together.score[number]
                assert value.score == score


def test_threads_ask_at_once_and_each_is_answered() -> None:
    """What one thread asks with is not what another does."""
    solution = zermelo.solve(TicTacToe(), method="retrograde")
    items = list(islice(solution.items(), 200))

    def ask(turn: int) -> bool:
        mine = items[turn:] + items[:turn]
        return all(solution[position] == value for _ in range(5) for position, value in mine)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))


@dataclass(frozen=True)
class Heap(zermelo.Game):
    """Take one or two; heaps are folded by a table that has no more of them than there can be."""

    same: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)

    def start(self) -> int:
        return 6

    def moves(self, left: int) -> Iterator[int]:
        yield from range(1, min(left, 2) + 1)

    def play(self, left: int, taken: int) -> int:
        return left - taken

    def canonical(self, left: int) -> int:
        return self.same[left]


def test_a_rule_that_fails_on_a_position_is_named_whenever_that_is_asked_for() -> None:
    """The first question and each that follows on one that went well."""
    solution = zermelo.solve(Heap())
    for _ in range(2):
        with pytest.raises(zermelo.RulesError, match="canonical"):
            solution[40]
        assert solution[5] == zermelo.Value(zermelo.WIN, 3)
