"""Slots: each position that a space allows has one number of its own, and no other has any.

A solve of each space would compile its rules, so this asks what numbers positions.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Game
from zermelo._methods.dense.method import slots_of
from zermelo._methods.dense.ranking import ranking_of
from zermelo.game.spaces import Descriptor, Disjoint, Permutation, Squares, Subsets
from zermelo.rules.hooks import Rules

#: More slots than this are looked at here and there only.
FEW = 3_000


class Anything(Game):
    """A game that has a space and a start, and is never played."""

    def __init__(self, kind: Any, space: Any, start: Any) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "declared", space)
        object.__setattr__(self, "first", start)

    def start(self) -> Any:
        return self.first  # type: ignore[attr-defined]

    def moves(self, position: Any) -> Any:
        return ()

    def play(self, position: Any, move: Any) -> Any:
        return position

    def space(self) -> Any:
        return self.declared  # type: ignore[attr-defined]


def a_record(lengths: list[int | None]) -> Any:
    """Return a NamedTuple class with fields of these lengths, and a position of zeros."""
    from collections import namedtuple

    kind = namedtuple("Record", [f"f{n}" for n in range(len(lengths))])  # noqa: PYI024
    return kind, kind(*(0 if n is None else (0,) * n for n in lengths))


@st.composite
def spaces(draw: st.DrawFn) -> Game:
    """Draw a space of one to four parts, each of any kind, their fields in any order."""
    fields: list[tuple[Any, int | None]] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(("range", "row", "sets", "set", "squares", "permutation")))
        if kind == "range":
            low = draw(st.integers(-5, 5))
            fields.append((range(low, low + draw(st.integers(1, 9))), None))
        elif kind == "row":
            n = draw(st.integers(1, 3))
            fields.append(([range(draw(st.integers(1, 4))) for _ in range(n)], n))
        elif kind == "squares":
            n = draw(st.integers(1, 3))
            squares = Squares(draw(st.integers(n, 9)))
            fields += [(squares, None)] * n
        elif kind == "permutation":
            n = draw(st.integers(1, 5))
            fields.append((Permutation(n), n))
        else:
            cells = draw(st.lists(st.integers(0, 20), min_size=1, max_size=6, unique=True))
            count = st.integers(0, len(cells)) | st.none()
            if kind == "set":
                fields.append((Subsets(cells, draw(count)), None))
                continue
            n = draw(st.integers(1, 3))
            counts = None
            if draw(st.booleans()):
                left = len(cells)
                counts = []
                for _ in range(n):
                    least = draw(st.integers(0, left))
                    counts.append(range(least, draw(st.integers(least, len(cells))) + 1))
                    left -= least
            sets = Disjoint(cells, counts)
            fields += [(sets, None)] * n
    fields = draw(st.permutations(fields))
    _, start = a_record([length for _, length in fields])
    return Anything(type(start), tuple(values for values, _ in fields), start)


def allowed(values: Any, numbers: list[int]) -> bool:
    """Say whether a part of a space allows these integers, in the plainest way."""
    if isinstance(values, range):
        return numbers[0] in values
    if isinstance(values, Squares):
        distinct = len(set(numbers)) == len(numbers)
        return distinct and all(0 <= n < values.cells for n in numbers)
    assert isinstance(values, Disjoint)
    sets = [{b for b in range(64) if n >> b & 1} for n in numbers]
    if sum(map(len, sets)) > len(set().union(*sets)) or set().union(*sets) - set(values.places):
        return False
    return all(len(s) in c for s, c in zip(sets, values.allowed(len(sets)), strict=True))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(spaces(), st.integers(0, 2**32))
def test_slots_and_positions_are_one_to_one(game: Game, seed: int) -> None:
    """Every slot unpacks to an allowed position, which no other slot does and which ranks back."""
    rules = Rules(game)
    ranking = ranking_of(rules)
    assert ranking.slots == slots_of(rules)
    rng = np.random.default_rng(seed)
    every = (
        np.arange(ranking.slots) if ranking.slots <= FEW else rng.integers(0, ranking.slots, FEW)
    )
    packed = np.empty(len(every) * ranking.words, np.uint64)
    ranking.unrank(every, len(every), packed)
    back = np.empty(len(every), np.int64)
    assert ranking.rank(packed, len(every), back) == len(every)
    assert (back == every).all()
    for flat in rules.layout.unpack_many(packed).tolist():
        for values, numbers in rules.space_parts():
            assert allowed(values, [flat[n] for n in numbers])


@pytest.mark.parametrize(
    ("cells", "counts"),
    [(63, (1,)), (62, (range(2, 4),)), (40, (9,)), (40, (20,)), (24, (range(5), range(2, 7)))],
)
def test_sets_past_those_that_are_listed_are_one_to_one(
    cells: int, counts: tuple[Any, ...]
) -> None:
    """The sets of each size that are looked up go on as those that are searched for."""
    kind, start = a_record([None] * len(counts))
    ranking = ranking_of(
        Rules(Anything(kind, kind(*[Disjoint(cells, counts)] * len(counts)), start))
    )
    ends = [*range(FEW), *range(ranking.slots - FEW, ranking.slots), *range(16_000, 17_000)]
    rng = np.random.default_rng(cells)
    slots = np.concatenate([ends, rng.integers(0, ranking.slots, FEW)]) % ranking.slots
    packed = ranking.unranked(slots)
    back = np.empty(len(slots), np.int64)
    assert ranking.rank(packed, len(slots), back) == len(slots)
    assert (back == slots).all()


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(spaces(), st.data())
def test_only_what_the_space_allows_has_a_slot(game: Game, data: st.DataObject) -> None:
    """A position that fits its bits has a slot exactly if every part of the space allows it."""
    rules = Rules(game)
    ranking = ranking_of(rules)
    flat = [
        data.draw(st.integers(s.low, s.low + (1 << min(s.bits, 5)) - 1)) for s in rules.layout.slots
    ]
    packed = np.array(rules.layout.pack(rules.layout.build(flat)), np.uint64)
    slot = np.empty(1, np.int64)
    inside = ranking.rank(packed, 1, slot) == 1
    assert inside == all(
        allowed(values, [flat[n] for n in numbers]) for values, numbers in rules.space_parts()
    )
    assert (slot[0] >= 0) == inside


@pytest.mark.parametrize(
    ("descriptor", "integers", "slots"),
    [
        (Disjoint(16), 2, 3**16),
        (
            Disjoint(9, (range(6), range(6))),
            2,
            sum(comb(9, a) * comb(9 - a, b) for a in range(6) for b in range(6) if a + b <= 9),
        ),
        (Subsets(40, 5), 1, comb(40, 5)),
        (Squares(64), 4, 64 * 63 * 62 * 61),
        (Permutation(8), 8, 40_320),
    ],
    ids=["any sets", "sets up to five", "five of forty", "four men", "eight numbers"],
)
def test_sizes_are_those_of_combinatorics(
    descriptor: Descriptor, integers: int, slots: int
) -> None:
    """The usual boards have as many slots as the textbook counts."""
    assert descriptor.size(integers) == slots
