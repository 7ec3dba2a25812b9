"""Positions in ascending order, as differences."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zermelo._engine.filed import find_within
from zermelo._engine.ordered import LONGEST, ascending, at_or_before, decode, encode, seek

WORD = st.integers(0, (1 << 64) - 1) | st.integers(0, 300) | st.just((1 << 64) - 1)


@st.composite
def lists(draw):
    """Some distinct positions of one to four words, sorted by Python."""
    words = draw(st.integers(1, 4))
    rows = draw(st.sets(st.tuples(*[WORD] * words), min_size=1, max_size=40))
    return words, sorted(rows)


@given(lists())
def test_what_is_encoded_is_decoded(given_list):
    """To the last bit, however large the differences are."""
    words, rows = given_list
    keys = np.array(rows, np.uint64).reshape(-1)
    room = np.zeros(len(keys) * LONGEST, np.uint8)
    size = encode(keys, 0, len(rows), words, room)
    back = np.empty_like(keys)
    assert decode(room[:size], len(rows), words, back)
    assert back.tolist() == keys.tolist()
    half = len(rows) // 2
    size = encode(keys, half, len(rows), words, room)
    back = np.empty((len(rows) - half) * words, np.uint64)
    assert decode(room[:size], len(rows) - half, words, back)
    assert back.tolist() == keys[half * words :].tolist()


@given(lists(), st.binary(max_size=60))
def test_bytes_that_are_no_differences_are_refused(given_list, data):
    """Too few, too many, and numbers past 64 bits; nothing is read past the end."""
    words, rows = given_list
    keys = np.array(rows, np.uint64).reshape(-1)
    room = np.zeros(len(keys) * LONGEST, np.uint8)
    size = encode(keys, 0, len(rows), words, room)
    back = np.empty_like(keys)
    assert not decode(room[: size - 1], len(rows), words, back)
    assert not decode(np.append(room[:size], np.uint8(0)), len(rows), words, back)
    decode(np.frombuffer(data, np.uint8), len(rows), words, back)
    assert words > 1 or seek(room[: size - 1], len(rows), keys[-1:]) == -2
    assert not decode(np.full(12, 255, np.uint8), 1, 1, back)
    assert seek(np.full(12, 255, np.uint8), 1, keys) == -2


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
    if words == 1:
        room = np.zeros(len(keys) * LONGEST, np.uint8)
        data = room[: encode(keys, 0, len(rows), words, room)]
        assert [seek(data, len(rows), asked[n : n + 1]) for n in range(len(asked))] == right


@given(lists(), st.randoms())
def test_the_order_is_that_of_large_numbers(given_list, rng):
    """The first word counts most."""
    words, rows = given_list
    mixed = rows[:]
    rng.shuffle(mixed)
    order = ascending(np.array(mixed, np.uint64).reshape(-1), words)
    assert [mixed[n] for n in order] == rows
