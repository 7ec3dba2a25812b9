"""Positions in ascending order, as steps from one to the next.

Steps of all widths, and sorting in little memory, would take tables of gigabytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo._engine.index.sorted_blocks import (
    WORD,
    decode,
    encode,
    find_within,
    read_within,
    seek,
)
from zermelo._engine.sort.external import ExternalSort
from zermelo._engine.sort.sorted_keys import (
    ascending,
    at_or_before,
    block_before,
    from_numbers,
    to_numbers,
)
from zermelo._store.key_transform import (
    KeyTransform,
    parse_transform,
    transform_header,
    transform_if_sparse,
    transform_of,
)

VALUE = st.integers(0, (1 << 64) - 1) | st.integers(0, 300) | st.just((1 << 64) - 1)
#: Positions in a block.
BLOCK = 16
EVERY = np.uint64((1 << 64) - 1)
#: Bytes of others.
AROUND = np.arange(100, 170, dtype=np.uint8)


@st.composite
def lists(draw):
    """Some distinct positions of one to four words, sorted by Python."""
    words = draw(st.integers(1, 4))
    kept = draw(st.lists(VALUE, min_size=words, max_size=words))  # few of the bits, now and then
    rows = draw(st.sets(st.tuples(*[VALUE] * words), min_size=1, max_size=40))
    rows = {tuple(a & b for a, b in zip(row, kept, strict=True)) for row in rows}
    return words, sorted(rows)


@dataclass
class Bits:
    """Which bits numbers are made of, and what positions have in the others."""

    masks: np.ndarray
    rest: np.ndarray

    @property
    def numbered(self):
        """Whether a number fits a word."""
        return np.bitwise_count(self.masks).sum() <= 64


def encoded(words, rows):
    """Return steps, where those of blocks end, the first positions, and which bits they are of."""
    keys = np.array(rows, np.uint64).reshape(-1, words)
    masks = np.bitwise_or.reduce(keys ^ keys[0], axis=0)
    bits, told = Bits(masks, keys[0] & ~masks), keys.reshape(-1)
    if bits.numbered:
        told = np.empty(len(rows), np.uint64)
        fits = np.empty(len(rows), np.bool_)
        assert to_numbers(keys.reshape(-1), unfolded(bits.masks, bits.rest), told, fits)
    row = row_of(words, bits)
    room = np.zeros(told.size * WORD, np.uint8)
    ends = np.empty(-(-len(rows) // BLOCK), np.int64)
    encode(told, row, BLOCK, room, ends)
    first = np.ascontiguousarray(told.reshape(-1, row)[::BLOCK]).reshape(-1)
    return room[: ends[-1]], ends, first, bits


def unfolded(masks, rest):
    """What bits numbers are made of where nothing is folded."""
    return np.zeros_like(masks), np.zeros_like(masks), masks, rest


def row_of(words, bits):
    """The words of what is looked for: a number, or all of a position."""
    return 1 if bits.numbered else words


def packed_of(told, words, bits):
    """The packed positions of what was read."""
    if not bits.numbered:
        return told.tolist()
    out = np.empty(len(told) * words, np.uint64)
    assert from_numbers(told, unfolded(bits.masks, bits.rest), out)
    return out.tolist()


def both(data, ends):
    """Steps by themselves, and between other bytes; with where blocks begin and end."""
    bounds = np.concatenate([[0], ends])
    yield data, bounds
    yield np.concatenate([AROUND, data, AROUND]), bounds + len(AROUND)


@given(lists())
def test_what_is_encoded_is_decoded(given_list):
    """To the last bit, however large the differences are; each block by itself."""
    words, rows = given_list
    whole, ends, firsts, bits = encoded(words, rows)
    row = row_of(words, bits)
    for data, bounds in both(whole, ends):
        for block, begin in enumerate(range(0, len(rows), BLOCK)):
            some, first = rows[begin : begin + BLOCK], firsts[block * row : (block + 1) * row]
            told = np.empty(len(some) * row, np.uint64)
            assert decode(data, bounds[block], bounds[block + 1], first, row, told)
            assert packed_of(told, words, bits) == [word for each in some for word in each]


def test_bits_that_never_vary_are_left_out():
    """And come back from numbers."""
    varying, numbers = np.uint64(1 << 40 | 0b100011), np.array([0, 4, 9], np.uint64)
    given = unfolded(np.array([varying << np.uint64(2)]), np.array([2], np.uint64))
    back, fits = np.empty(3, np.uint64), np.empty(3, np.bool_)
    assert from_numbers(numbers, given, back)
    assert back.tolist() == [2, 1 << 7 | 2, 1 << 42 | 1 << 2 | 2]
    assert not from_numbers(np.array([0, 4, 16], np.uint64), given, back.copy())
    assert to_numbers(back, given, numbers, fits)
    assert numbers.tolist() == [0, 4, 9]
    back[1] |= np.uint64(1)
    assert not to_numbers(back, given, numbers, fits)
    assert fits.tolist() == [True, False, True]
    first, number = np.array([1, 4], np.uint64), np.empty(1, np.uint64)
    assert [block_before(back[n:], given, first, 2, number) for n in range(3)] == [-1, -1, 1]


def test_who_is_folded_twice_is_what_he_was():
    """Of two boards the upper one says what stands on either, and is found so."""
    folds = KeyTransform(np.array([0b111, 0], np.uint64), np.array([4, 0], np.uint64))
    keys = np.array([0b1010011, 5, 0b0000100, 7], np.uint64)
    folded = folds.apply(keys)
    assert folded.tolist() == [0b1100011, 5, 0b1000100, 7]
    assert folds.apply(folded).tolist() == keys.tolist()
    given = *(each[:1] for each in (folds.sources, folds.shifts)), np.full(1, 0b1100111, np.uint64)
    bits = *given, np.zeros(1, np.uint64)
    wanted = np.array([0b1000100, 0b1010011, 0b0000100, 0b1001100], np.uint64)
    numbers, fits = np.empty(4, np.uint64), np.empty(4, np.bool_)
    assert not to_numbers(wanted, bits, numbers, fits)
    assert (numbers[:3].tolist(), fits.tolist()) == ([4, 27, 20], [True, True, True, False])
    back = np.empty(3, np.uint64)
    assert from_numbers(numbers[:3], bits, back)
    assert back.tolist() == wanted[:3].tolist()
    number = np.empty(1, np.uint64)
    found = [block_before(wanted[n:], bits, np.sort(numbers[:3]), 3, number) for n in range(4)]
    assert found == [0, 2, 1, -1]


@pytest.mark.parametrize(
    ("bits", "used", "count", "folded"),
    [
        ((16, 16), 0x1FF001FF, 600, True),
        ((16, 16), 0x1FF001FF, 700, False),
        ((16, 16), 0x0010FFFF, 700, True),
        ((8, 8), 0x1FF001FF, 1, False),
        ((16, 12), 0x1FF001FF, 1, False),
    ],
)
def test_two_boards_of_which_few_occur_are_folded(bits, used, count, folded):
    """And not what is too short for a board, or of two lengths, or nearly all boards there are."""
    fields = [{"word": 1, "shift": 20 * n, "bits": each} for n, each in enumerate(bits)]
    folds = transform_if_sparse(transform_of(fields, 2), np.array([0, used], np.uint64), count)
    assert folds.sources.tolist() == [0, 0xFFFF if folded else 0]
    assert folds.shifts.tolist() == [0, 20 if folded else 0]
    told = transform_header(folds)
    assert parse_transform(told, 2).sources.tolist() == folds.sources.tolist()
    wrong = ("0" * 15, 0), ("0" * 15 + "3", 1), ("0" * 16, 64), ("0" * 16, "0")
    assert all(parse_transform([told[0], list(each)], 2) is None for each in wrong)
    assert parse_transform(told[:1], 2) is None


def test_steps_stand_in_planes():
    """The lowest byte of each, then the next of each, as many as the largest needs."""
    keys = np.array([7, 8, 8 + 0x302, 8 + 0x302 + 0x403], np.uint64)
    room, ends = np.zeros(keys.size * WORD, np.uint8), np.empty(2, np.int64)
    encode(keys, 1, 3, room, ends)
    assert room[: ends[1]].tolist() == [0, 1, 2, 0, 0, 3, 0]
    assert ends.tolist() == [6, 7]


@pytest.mark.slow
@given(lists())
def test_bytes_that_are_no_steps_are_refused(given_list):
    """Too few, too many, and more than the words of a position."""
    words, rows = given_list[0], given_list[1][:BLOCK]
    whole, ends, first, bits = encoded(words, rows)
    row, count = row_of(words, bits), len(rows)
    back, most = np.empty(count * row, np.uint64), np.full(1, EVERY)
    for data, bounds in both(whole, ends):
        begin, end = bounds.tolist()
        for wrong in (begin, end - 1) if count > 1 else (begin,):
            assert not decode(data, begin, wrong, first, row, back)
            assert row > 1 or seek(data, begin, wrong, count, first, 0, most) == -2
    long = np.zeros((WORD * row + 1) * count, np.uint8)
    assert decode(long, 0, WORD * row * count, first, row, back)
    assert not decode(long, 0, len(long), first, row, back)
    assert row > 1 or seek(long, 0, len(long), count, first, 0, most) == -2


@given(lists(), lists())
def test_positions_are_found_where_they_are(given_list, others):
    """And those that are not there are not; and what is found can be read."""
    words, rows = given_list
    wanted = rows + [row for row in others[1] if others[0] == words]
    keys = np.array(rows, np.uint64).reshape(-1)
    asked = np.array(wanted, np.uint64).reshape(-1)
    found = np.empty(len(wanted), np.int64)
    at_or_before(asked, len(wanted), words, keys, len(rows), found)
    before = [sum(row <= each for row in rows) - 1 for each in wanted]
    assert found.tolist() == before
    right = np.array([rows.index(each) if each in rows else -1 for each in wanted])
    whole, ends, firsts, bits = encoded(words, rows)
    row, blocks = row_of(words, bits), np.array(before) // BLOCK
    fits = np.ones(len(wanted), np.bool_)
    if bits.numbered:
        numbers = np.empty(len(wanted), np.uint64)
        to_numbers(asked, unfolded(bits.masks, bits.rest), numbers, fits)
        asked, blocks[~fits] = numbers, -1
    for data, bounds in both(whole, ends):
        given = data, bounds, firsts, len(rows)
        total = find_within(asked, row, *given, blocks, BLOCK, found)
        assert (total, found.tolist()) == ((right >= 0).sum(), right.tolist())
        places, told = np.arange(len(rows)), np.empty(len(rows) * row, np.uint64)
        assert read_within(places, row, *given, BLOCK, told) == -1
        assert packed_of(told, words, bits) == keys.tolist()
        broken = data, np.append(bounds[:-1], bounds[-2]), firsts, len(rows)
        assert find_within(told, row, *broken, places // BLOCK, BLOCK, places.copy()) == -len(ends)
        assert read_within(places, row, *broken, BLOCK, told) == len(ends) - 1
        for n in np.flatnonzero(fits) if bits.numbered else []:
            begin, end = bounds[:2].tolist()
            at = right[n] if right[n] < BLOCK else -1
            count = min(len(rows), BLOCK)
            assert seek(data, begin, end, count, firsts, 0, asked[n:]) == at


@pytest.mark.slow
@given(lists(), st.randoms())
def test_the_order_is_that_of_large_numbers(given_list, rng):
    """The first word counts most."""
    words, rows = given_list
    mixed = rows[:]
    rng.shuffle(mixed)
    order = ascending(np.array(mixed, np.uint64).reshape(-1), words)
    assert [mixed[n] for n in order] == rows


@pytest.mark.slow
@given(lists(), st.integers(1, 45), st.integers(1, 8), st.randoms())
def test_rows_are_sorted_in_little_memory_or_more(given_list, room, size, rng):
    """In parts that are multiples of a size, however few of them there is room for."""
    words, rows = given_list
    mixed = rows[:]
    rng.shuffle(mixed)
    sort, step = ExternalSort(words, room), rng.randint(1, 20)
    for begin in range(0, len(mixed), step):
        sort.add(np.array(mixed[begin : begin + step], np.uint64).reshape(-1))
    parts = [part.reshape(-1, words).tolist() for part in sort.sorted(size)]
    assert [tuple(row) for part in parts for row in part] == rows
    assert all(len(part) % size == 0 for part in parts[:-1])
