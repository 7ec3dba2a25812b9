"""Dense spaces in rounds that ask ``parents`` where to look.

What is decided at one ply can decide, at the next, only positions with a move to it. The game names
these, and they are expanded again, instead of all that is open, unless these are fewer. That they
are worth a look is noted in the byte of their value, so this takes no more memory than rounds
without being told.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.index.directory import number_in, slots_of
from zermelo._methods.dense.rounds import Work, decide
from zermelo._methods.dense.workspace import CHUNK, Bench

_AHEAD = 24
_ONE, _ZERO, _WITHIN = np.uint64(1), np.uint64(0), np.uint64(31)


@kernel
def _decided(state: Any, first: int, second: int, begin: int, end: int, out: Any) -> int:
    """List the positions that have one of two codes."""
    count = 0
    for i in range(begin, end):
        out[count] = i
        count += state[i] == first or state[i] == second
    return count


@kernel
def _note(directory: Any, slots: Any, count: int, state: Any, noted: int) -> None:
    """Note that open positions are worth a look; several threads may note the same."""
    for i in range(count):
        prefetch(directory, max(slots[min(i + _AHEAD, count - 1)], 0) >> 5)
        slot = slots[i]
        if slot < 0:
            continue
        entry = directory[slot >> 5]
        if (entry >> (np.uint64(slot) & _WITHIN)) & _ONE == _ZERO:
            continue
        number = number_in(entry, slot)
        if state[number] == 0:
            state[number] = noted


@kernel
def _noted(state: Any, noted: int, begin: int, end: int, out: Any) -> int:
    """List the positions noted, which are open again, or those that are open."""
    count = 0
    for i in range(begin, end):
        if state[i] == noted:
            state[i] = 0
            out[count] = i
            count += 1
    return count


def in_told_rounds(work: Work) -> int:
    """Solve everything, asking ``parents`` where to look; return the rounds."""
    ties, remoteness, some, rounds = work.begun() or (0, 0, 0, 0)
    told = bool(some)
    moves = 1 + work.found.moves // work.found.positions
    # The first round looks at everything: it decides what the rules decide.
    for tie in (False, True)[ties:]:
        if tie and not ties:
            remoteness, told = 1, True
        while True:
            scale = work.marks.scale
            if remoteness > (scale.ties - 1 if tie else scale.longest):
                work.marks.widen()
                continue
            if told:
                _tell(work, remoteness - 1, tie=tie)
            decided = _one_round(work, remoteness, tie=tie, told=told)
            rounds += 1
            work.done += decided
            work.report.advance(work.done)
            if not decided and remoteness:
                break
            # About as many as have a move there, were they all different.
            told = decided * moves < work.found.positions - work.done
            remoteness += 1
            work.keep(tie, remoteness, told, rounds)
    return rounds


def _tell(work: Work, remoteness: int, *, tie: bool) -> None:
    """Note all open positions with a move to one of this remoteness."""
    state, scale = work.marks.state, work.marks.scale
    first = scale.ties - remoteness if tie else scale.last - remoteness
    second = first if tie else -first
    noted = note_of(state)

    def span(bench: Bench, begin: int, end: int) -> None:
        page = np.empty(end - begin, np.int64)
        size = _decided(state, first, second, begin, end, page)
        for at in range(0, size, CHUNK):
            numbers = page[at : min(at + CHUNK, size)]
            slots = np.empty(len(numbers), np.int64)
            slots_of(work.found.directory, numbers, len(numbers), slots)
            for made, theirs in bench.told(slots):
                _note(work.found.directory, theirs, made, state, noted)

    work.spans(span)


def _one_round(work: Work, remoteness: int, *, tie: bool, told: bool) -> int:
    """Decide what has this remoteness, among what is worth a look or all that is open."""
    state = work.marks.state

    def span(bench: Bench, begin: int, end: int) -> int:
        page = np.empty(end - begin, np.int64)
        size = _noted(state, note_of(state) if told else 0, begin, end, page)
        return decide(work, bench, page[:size], 0, remoteness, tie=tie)[0]

    return sum(work.spans(span))


def note_of(state: npt.NDArray[Any]) -> int:
    """Return what is noted of a position worth a look: a number that is no code."""
    return int(np.iinfo(state.dtype).min)
