"""Positions in ascending order, as differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo._engine.column.palette import find_within, read_within
from zermelo._engine.sort.ordered import (
    LONGEST,
    SPARE,
    ascending,
    at_or_before,
    block_before,
    decode,
    encode_tags,
    encode_wide,
    from_numbers,
    seek,
    to_numbers,
)
from zermelo._engine.sort.tags import Bits, Folds, tags_between
from zermelo._store.indexes.folded import folded_if_few, folds_from, folds_of, folds_told

WORD = st.integers(0, (1 << 64) - 1) | st.integers(0, 300) | st.just((1 << 64) - 1)
#: Positions in a block.
BLOCK = 16
EVERY = np.uint64(0), np.uint64((1 << 64) - 1)
#: Bytes of others, of which some end a number and some do not.
AROUND = np.arange(100, 100 + SPARE, dtype=np.uint8)


@st.composite
def lists(draw):
    """Some distinct positions of one to four words, sorted by Python."""
    words = draw(st.integers(1, 4))
    kept = draw(st.lists(WORD, min_size=words, max_size=words))  # few of the bits, now and then
    rows = draw(st.sets(st.tuples(*[WORD] * words), min_size=1, max_size=40))
    rows = {tuple(a & b for a, b in zip(row, kept, strict=True)) for row in rows}
    return words, sorted(rows)


def encoded(words, rows):
    """Return differences, where those of blocks end, and which bits they are of, and the rest."""
    keys = np.array(rows, np.uint64).reshape(-1, words)
    masks = np.bitwise_or.reduce(keys ^ keys[0], axis=0)
    bits = Bits(masks, keys[0] & ~masks, 0)
    room = np.zeros(keys.size * LONGEST, np.uint8)
    ends = np.empty(-(-len(rows) // BLOCK), np.int64)
    if not bits.numbered:
        bits = Bits(np.full(words, EVERY[1]), np.zeros(words, np.uint64), 0)
        size = encode_wide(keys.reshape(-1), words, BLOCK, room, ends)
    else:
        tags, none = np.empty(len(rows) + 1, np.uint64), np.zeros(len(rows), np.uint8)
        tags_between(keys.reshape(-1), bits.masks, none, 0, *EVERY, tags, 0)
        size = encode_tags(tags[:-1], 0, EVERY[1], BLOCK, none, room, ends)
    assert size == ends[-1]
    return room[:size], ends, bits


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
    """Differences by themselves, and between other bytes; with where blocks begin and end."""
    bounds = np.concatenate([[0], ends])
    yield data, bounds
    yield np.concatenate([AROUND, data, AROUND]), bounds + SPARE


@given(lists())
def test_what_is_encoded_is_decoded(given_list):
    """To the last bit, however large the differences are; each block by itself."""
    words, rows = given_list
    whole, ends, bits = encoded(words, rows)
    row = row_of(words, bits)
    for data, bounds in both(whole, ends):
        for block, first in enumerate(range(0, len(rows), BLOCK)):
            some = rows[first : first + BLOCK]
            told = np.empty(len(some) * row, np.uint64)
            assert decode(data, bounds[block], bounds[block + 1], len(some), row, told)
            assert packed_of(told, words, bits) == [word for each in some for word in each]


def test_bits_that_never_vary_are_left_out():
    """And so is what stands behind positions, which is given back."""
    tags = np.array([5, 1 << 9 | 3, (1 << 40 | 1) << 4 | 2], np.uint64)
    varying = np.uint64(1 << 40 | 0b100011)
    chosen, ends = np.empty(3, np.uint8), np.empty(1, np.int64)
    room = np.zeros(3 * LONGEST, np.uint8)
    size = encode_tags(tags, 4, varying, BLOCK, chosen, room, ends)
    assert chosen.tolist() == [5, 3, 2]
    assert room[:size].tolist() == [0, 4, 5]  # 0, 100 and 1001
    numbers = np.empty(3, np.uint64)
    assert decode(room, 0, size, 3, 1, numbers)
    assert numbers.tolist() == [0, 4, 9]
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
    folds = Folds(np.array([0b111, 0], np.uint64), np.array([4, 0], np.uint64))
    keys = np.array([0b1010011, 5, 0b0000100, 7], np.uint64)
    folded = folds.of(keys)
    assert folded.tolist() == [0b1100011, 5, 0b1000100, 7]
    assert folds.of(folded).tolist() == keys.tolist()
    given = *(each[:1] for each in (folds.under, folds.by)), np.full(1, 0b1100111, np.uint64)
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
    folds = folded_if_few(folds_of(fields, 2), np.array([0, used], np.uint64), count)
    assert folds.under.tolist() == [0, 0xFFFF if folded else 0]
    assert folds.by.tolist() == [0, 20 if folded else 0]
    told = folds_told(folds)
    assert folds_from(told, 2).under.tolist() == folds.under.tolist()
    wrong = ("0" * 15, 0), ("0" * 15 + "3", 1), ("0" * 16, 64), ("0" * 16, "0")
    assert all(folds_from([told[0], list(each)], 2) is None for each in wrong)
    assert folds_from(told[:1], 2) is None


@given(lists(), st.binary(max_size=120), st.booleans())
def test_bytes_that_are_no_differences_are_refused(given_list, strange, alone):
    """Too few, too many, and numbers past 64 bits; nothing is read past the end."""
    words, rows = given_list[0], given_list[1][:BLOCK]
    whole, ends, bits = encoded(words, rows)
    row = row_of(words, bits)
    back = np.empty(len(rows) * row, np.uint64)
    unending = np.full(100, 255, np.uint8)
    most = np.full(1, EVERY[1])
    for data, bounds in both(whole, ends):
        begin, end = bounds.tolist()
        assert not decode(data, begin, end - 1, len(rows), row, back)
        assert end == len(data) or not decode(data, begin, end + 1, len(rows), row, back)
        assert not decode(data, begin, end, len(rows) - 1, row, back)
        assert row > 1 or seek(data, begin, end - 1, len(rows), most) == -2
    mixed = np.frombuffer(strange if alone else strange + bytes(SPARE), np.uint8)
    decode(mixed, 0, len(strange), len(rows), row, back)
    for data in (unending, unending[:12]):
        assert not decode(data, 0, 12, 1, 1, back)
        assert seek(data, 0, 12, 1, most) == -2


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
    whole, ends, bits = encoded(words, rows)
    row, blocks = row_of(words, bits), np.array(before) // BLOCK
    fits = np.ones(len(wanted), np.bool_)
    if bits.numbered:
        numbers = np.empty(len(wanted), np.uint64)
        to_numbers(asked, unfolded(bits.masks, bits.rest), numbers, fits)
        asked, blocks[~fits] = numbers, -1
    for data, bounds in both(whole, ends):
        given = data, bounds, len(rows)
        total = find_within(asked, row, *given, blocks, BLOCK, found)
        assert (total, found.tolist()) == ((right >= 0).sum(), right.tolist())
        places, told = np.arange(len(rows)), np.empty(len(rows) * row, np.uint64)
        assert read_within(places, row, *given, BLOCK, told) == -1
        assert packed_of(told, words, bits) == keys.tolist()
        broken = data, bounds - (bounds == bounds[-1]), len(rows)
        assert find_within(told, row, *broken, places // BLOCK, BLOCK, places.copy()) == -len(ends)
        assert read_within(places, row, *broken, BLOCK, told) == len(ends) - 1
        for n in np.flatnonzero(fits) if bits.numbered else []:
            begin, end = bounds[:2].tolist()
            at = right[n] if right[n] < BLOCK else -1
            assert seek(data, begin, end, min(len(rows), BLOCK), asked[n:]) == at


@given(lists(), st.randoms())
def test_the_order_is_that_of_large_numbers(given_list, rng):
    """The first word counts most."""
    words, rows = given_list
    mixed = rows[:]
    rng.shuffle(mixed)
    order = ascending(np.array(mixed, np.uint64).reshape(-1), words)
    assert [mixed[n] for n in order] == rows
