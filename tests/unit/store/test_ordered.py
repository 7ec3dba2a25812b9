"""Positions in ascending order, as differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo._engine.filed import find_within
from zermelo._engine.ordered import (
    LONGEST,
    ascending,
    at_or_before,
    decode,
    decode_blocks,
    encode_tags,
    encode_wide,
    find_one,
    last_before,
    seek,
)
from zermelo._engine.tags import Bits, Folds, tags_between
from zermelo._store.folded import folded_if_few, folds_from, folds_of, folds_told

WORD = st.integers(0, (1 << 64) - 1) | st.integers(0, 300) | st.just((1 << 64) - 1)
#: Positions in a block.
BLOCK = 16
EVERY = np.uint64(0), np.uint64((1 << 64) - 1)


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


@given(lists())
def test_what_is_encoded_is_decoded(given_list):
    """To the last bit, however large the differences are; each block by itself."""
    words, rows = given_list
    keys = np.array(rows, np.uint64).reshape(-1)
    data, ends, bits = encoded(words, rows)
    back = np.empty_like(keys)
    blocks = np.arange(len(ends))
    assert decode_blocks(data, ends, blocks, BLOCK, bits.masks, bits.rest, back) == -1
    assert back.tolist() == keys.tolist()
    last = keys[blocks[-1] * BLOCK * words :]
    begin = ends[-2] if len(ends) > 1 else 0
    back = np.empty_like(last)
    assert decode(data[begin:], len(last) // words, bits.masks, bits.rest, back)
    assert back.tolist() == last.tolist()


def test_bits_that_never_vary_are_left_out():
    """And so is what stands behind positions, which is given back."""
    tags = np.array([5, 1 << 9 | 3, (1 << 40 | 1) << 4 | 2], np.uint64)
    varying = np.uint64(1 << 40 | 0b100011)
    chosen, ends = np.empty(3, np.uint8), np.empty(1, np.int64)
    room = np.zeros(3 * LONGEST, np.uint8)
    size = encode_tags(tags, 4, varying, BLOCK, chosen, room, ends)
    assert chosen.tolist() == [5, 3, 2]
    assert room[:size].tolist() == [0, 4, 5]  # 0, 100 and 1001
    masks, rest = np.array([varying << np.uint64(2)]), np.array([2], np.uint64)
    back = np.empty(3, np.uint64)
    assert decode(room[:size], 3, masks, rest, back)
    assert back.tolist() == [2, 1 << 7 | 2, 1 << 42 | 1 << 2 | 2]
    assert not decode(np.array([0, 4, 12], np.uint8), 3, masks, rest, back)


def test_who_is_folded_twice_is_what_he_was():
    """Of two boards the upper one says what stands on either, and is found so."""
    folds = Folds(np.array([0b111, 0], np.uint64), np.array([4, 0], np.uint64))
    keys = np.array([0b1010011, 5, 0b0000100, 7], np.uint64)
    folded = folds.of(keys)
    assert folded.tolist() == [0b1100011, 5, 0b1000100, 7]
    assert folds.of(folded).tolist() == keys.tolist()
    one = (np.array([0b1010011], np.uint64), folds.under, folds.by, np.sort(folded))
    assert last_before(*one) == 3
    assert find_one(*one, 0, 4) == 3
    assert find_one(*one, 0, 3) == -1
    masks, rest = np.array([0b1100111], np.uint64), np.array([0], np.uint64)
    block = np.array([4, 23], np.uint8)  # the numbers 4 and 27
    wanted = np.array([0b1000100, 0b1010011, 0b0000100, 0b1001100], np.uint64).reshape(-1, 1)
    told = [seek(block, 2, each, folds.under, folds.by, masks, rest) for each in wanted]
    assert told == [0, 1, -1, -1]


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


@given(lists(), st.binary(max_size=60))
def test_bytes_that_are_no_differences_are_refused(given_list, data):
    """Too few, too many, and numbers past 64 bits; nothing is read past the end."""
    words, rows = given_list[0], given_list[1][:BLOCK]
    keys = np.array(rows, np.uint64).reshape(-1)
    whole, _, bits = encoded(words, rows)
    masks, back = (bits.masks, bits.rest), np.empty_like(keys)
    seen = (np.zeros(words, np.uint64), np.zeros(words, np.uint64), *masks)
    assert not decode(whole[:-1], len(rows), *masks, back)
    assert not decode(np.append(whole, np.uint8(0)), len(rows), *masks, back)
    decode(np.frombuffer(data, np.uint8), len(rows), *masks, back)
    assert not bits.numbered or seek(whole[:-1], len(rows), keys[-words:], *seen) == -2
    assert not decode(np.full(12, 255, np.uint8), 1, *masks, back)
    assert not bits.numbered or seek(np.full(12, 255, np.uint8), 1, keys[:words], *seen) == -2


@given(lists(), lists())
def test_positions_are_found_where_they_are(given_list, others):
    """And those that are not there are not."""
    words, rows = given_list
    wanted = rows + [row for row in others[1] if others[0] == words]
    keys = np.array(rows, np.uint64).reshape(-1)
    asked = np.array(wanted, np.uint64).reshape(-1)
    found = np.empty(len(wanted), np.int64)
    at_or_before(asked, len(wanted), words, keys, len(rows), found)
    before = [sum(row <= each for row in rows) - 1 for each in wanted]
    assert found.tolist() == before
    blocks = np.where(found >= 0, 0, -1)
    find_within(asked, words, keys, len(keys) // words, blocks, len(keys), found)
    right = [rows.index(each) if each in rows else -1 for each in wanted]
    assert found.tolist() == right
    data, ends, bits = encoded(words, rows)
    none = np.zeros(words, np.uint64)
    if words == 1:
        assert [last_before(one, none, none, keys) for one in asked.reshape(-1, 1)] == before
        assert [
            find_one(one, none, none, keys, 0, len(keys)) for one in asked.reshape(-1, 1)
        ] == right
    if bits.numbered:
        block, count, each = data[: ends[0]], min(len(rows), BLOCK), asked.reshape(-1, words)
        told = [seek(block, count, one, none, none, bits.masks, bits.rest) for one in each]
        assert told == [n if n < count else -1 for n in right]


@given(lists(), st.randoms())
def test_the_order_is_that_of_large_numbers(given_list, rng):
    """The first word counts most."""
    words, rows = given_list
    mixed = rows[:]
    rng.shuffle(mixed)
    order = ascending(np.array(mixed, np.uint64).reshape(-1), words)
    assert [mixed[n] for n in order] == rows
