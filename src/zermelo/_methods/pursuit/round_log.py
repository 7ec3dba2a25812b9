"""Marks of a pursuit on disk: a log of what each round decided, and the marks made from it.

Rounds by rows need only bits: which positions are won and lost, and which of these are new. The
marks take most of the memory, and are not read before the end of the solve. So each round appends
to a log on disk, and the marks are made from the logs, some rows at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import (
    Int16Array,
    Int32Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store.arrays import FileArray, StoredArray
from zermelo._methods.pursuit.graphs import PursuitGraphs
from zermelo._methods.pursuit.kernels_rows import record
from zermelo._methods.pursuit.turns import Turn, Words, needed_bytes, words_of

#: Words of a row that are written in one batch, if a row has no more. Each is written as two, the
#: wins and the losses, after one with its index and its mark.
_WORDS_PER_WRITE, _WORDS_PER_ENTRY = 1 << 13, 3
#: The bits of a mark in that word.
_MARK = np.uint64(24)
MOST_MARKS = 1 << 24
_ZERO = np.uint64(0)


@kernel
def _gather(
    changed: Uint8Array,
    win: Uint64Array,
    lose: Uint64Array,
    mark: int,
    row: int,
    out: Uint64Array,
    count: int,
) -> tuple[int, int]:
    """Append words with new bits to a log, from a row on, while rows fit.

    Returns:
        The row to continue from, and the number of words.
    """
    words = win.shape[1]
    while row < changed.size:
        if changed[row]:
            if 3 * (count + words) > out.size:
                break
            for w in range(words):
                if (win[row, w] | lose[row, w]) != _ZERO:
                    out[3 * count] = (np.uint64(row * words + w) << _MARK) | np.uint64(mark)
                    out[3 * count + 1] = win[row, w]
                    out[3 * count + 2] = lose[row, w]
                    count += 1
        row += 1
    return row, count


@kernel
def _write_marks(
    trail: Uint64Array,
    begin: int,
    end: int,
    words: int,
    bits: int,
    narrow: Int16Array,
    wide: Int32Array,
) -> None:
    """Write the marks of rows ``begin`` to ``end`` in a part of a log."""
    for i in range(0, trail.size, 3):
        at: Any = np.int64(trail[i] >> _MARK)
        row = at // words
        if begin <= row < end:
            mark: Any = np.int64(trail[i]) & (MOST_MARKS - 1)
            record(narrow, wide, row - begin, bits, at - row * words, trail[i + 1], mark)
            record(narrow, wide, row - begin, bits, at - row * words, trail[i + 2], -mark)


@kernel
def _put_fresh(
    trail: Uint64Array,
    words: int,
    win: Uint64Array,
    lose: Uint64Array,
    fresh_win: Uint64Array,
    fresh_lose: Uint64Array,
    changed: Uint8Array,
) -> None:
    """Set the wins and losses of a part of a log as decided, and as new."""
    for i in range(0, trail.size, 3):
        at = np.int64(trail[i] >> _MARK)
        row = at // words
        w = at - row * words
        win[row, w] |= trail[i + 1]
        lose[row, w] |= trail[i + 2]
        fresh_win[row, w] |= trail[i + 1]
        fresh_lose[row, w] |= trail[i + 2]
        changed[row] = 1


@kernel
def _forget(
    win: Uint64Array,
    lose: Uint64Array,
    fresh_win: Uint64Array,
    fresh_lose: Uint64Array,
    changed: Uint8Array,
    closed: Uint8Array,
    back: int,
) -> None:
    """Clear the new bits of the last round; with ``back``, undo the round too."""
    for row in range(changed.size):
        if changed[row]:
            changed[row] = 0
            for w in range(win.shape[1]):
                if back:
                    win[row, w] ^= fresh_win[row, w]
                    lose[row, w] ^= fresh_lose[row, w]
                fresh_win[row, w] = _ZERO
                fresh_lose[row, w] = _ZERO
            if back:
                closed[row] = 0


def replay_round(trail: Words, turn: Turn) -> None:
    """Set the wins and losses of a part of a log as decided, and as new as if in this round."""
    arrays = turn.win, turn.lose, turn.fresh_win, turn.fresh_lose, turn.changed
    _put_fresh(trail, turn.words, *arrays)


def clear_new(turn: Turn, *, back: bool) -> None:
    """Clear the new bits of a turn.

    Args:
        turn: the turn.
        back: whether to undo the decisions that these bits stand for.
    """
    arrays = turn.win, turn.lose, turn.fresh_win, turn.fresh_lose
    _forget(*arrays, turn.changed, turn.closed, int(back))


class RoundRecorder:
    """The recorder of what each round decided for one turn of a pursuit."""

    def __init__(self, turn: Turn, append: Callable[[Words], Any]) -> None:
        """Create an empty buffer; ``append`` appends elements to the log."""
        self.turn = turn
        self._append = append
        self._words = turn.words
        self._buffer: Words = np.empty(_bytes(turn.rows, turn.words) // 8, np.uint64)
        self._count = 0

    def record_round(self, mark: int) -> None:
        """Record what the last round decided, with its mark."""
        turn = self.turn
        fresh = (turn.changed, turn.fresh_win, turn.fresh_lose)
        row = 0
        while True:
            row, self._count = map(int, _gather(*fresh, mark, row, self._buffer, self._count))
            if row == turn.rows:
                return
            self.flush()

    def flush(self) -> None:
        """Write the buffer to the log."""
        self._append(self._buffer[: _WORDS_PER_ENTRY * self._count])
        self._count = 0


class PursuitRoundLog(RoundRecorder):
    """The log on disk of what each round decided for one turn of a pursuit."""

    def __init__(self, scratch: Scratch, turn: Turn, log: StoredArray) -> None:
        """Continue a log."""
        super().__init__(turn, log.append)
        self._scratch = scratch
        self.log = log

    def marks(self, kind: type[np.int16 | np.int32], allowed: int) -> IntArray:
        """Return the marks, in a file; ``allowed`` bytes of memory are used to make them."""
        self.flush()
        turn = self.turn
        step = max(1, min(turn.rows, allowed // (turn.bits * np.dtype(kind).itemsize)))
        marks = FileArray(self._scratch, kind)
        page: npt.NDArray[Any] = np.empty(step * turn.bits, kind)
        narrow, wide = (
            (page, np.empty(0, np.int32)) if kind is np.int16 else (np.empty(0, np.int16), page)
        )
        for begin in range(0, turn.rows, step):
            end = min(begin + step, turn.rows)
            page[:] = 0
            for at in range(0, len(self.log), len(self._buffer)):
                size = min(len(self._buffer), len(self.log) - at)
                part = self.log.read(at, self._buffer[:size])
                _write_marks(part, begin, end, self._words, turn.bits, narrow, wide)
            marks.append(page[: (end - begin) * turn.bits])
        self.log.close()
        return marks.mapped().reshape(turn.rows, turn.bits)


def needed_bytes_on_disk(board: PursuitGraphs) -> int:
    """Return the bytes that solving takes if marks are on disk."""
    marks = 2 * board.turns * board.size * board.teams
    evader = _bytes(board.size, words_of(board.teams))
    pursuer = _bytes(board.teams, words_of(board.size))
    return needed_bytes(board) - marks + evader + (board.turns - 1) * pursuer


def _bytes(rows: int, words: int) -> int:
    """Return the bytes of the buffer for a log of this many rows and words."""
    entries = max(min(limits.current().batch(_WORDS_PER_WRITE), rows * words), words)
    return 8 * _WORDS_PER_ENTRY * entries
