"""Checking the values of a pursuit along its graphs, with the kernels of its method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import (
    NO_POSITION,
    STRANGE_VALUE,
    WRONG_VALUE,
    Finding,
)
from zermelo._engine.core.ledger import afford
from zermelo._engine.file.reading import room_for
from zermelo._methods.pursuit.board import PursuitBoard
from zermelo._methods.pursuit.certificate.kernels import Chase
from zermelo._methods.pursuit.certificate.matrix import Half
from zermelo._methods.pursuit.certificate.steps import followed
from zermelo.pursuits.given import EVADER, Given, PursuitPosition

if TYPE_CHECKING:
    from zermelo.progress import Reporter
    from zermelo.pursuits.marks import PursuitMarks
    from zermelo.pursuits.values import PursuitValues

#: Bytes of what no array says, and of those for each thread but one.
_SMALL, _THREAD = 1 << 17, 1 << 19
#: Marks that are looked at together where no position exists.
_TOGETHER = 1 << 16


def checked_pursuit(
    given: Given, values: PursuitValues, threads: int, allowed: int, report: Reporter
) -> Finding:
    """Check that every mark follows from those that moves lead to, along the graphs as given.

    Args:
        given: the pursuit.
        values: what is checked.
        threads: threads to use.
        allowed: bytes that may be taken.
        report: is told how many positions are checked.

    Raises:
        BudgetError: more bytes are needed.
        CorruptTableError: the file is damaged.
    """
    marks, found = values.marks, Finding(given.positions, 0)
    with _compared(marks, allowed, report), report.phase("verify", given.positions):
        if given.positions:
            chase, crew = _examiner(given, marks, threads, allowed)
            examined = chase.examined(crew, report)
            if examined is None:
                return found.but(STRANGE_VALUE)
            found = Finding(given.positions, chase.moves)
            if examined.wrong is not None:
                position = _numbered(given, examined.wrong)
                place = position.turn * values.size + given.number(position)
                return found.but(WRONG_VALUE, place, expected=_due(given, values, position))
        stray = _stray(given, values)
    return found if stray is None else found.but(NO_POSITION, stray)


@contextmanager
def _compared(marks: PursuitMarks, allowed: int, report: Reporter) -> Iterator[None]:
    """See that marks in a file are what was written, and have little of it kept meanwhile."""
    if marks.reader is None:
        yield
        return
    marks.reader.keep_within(room_for(allowed))
    try:
        with report.phase("checksums"):
            marks.reader.compare()
        yield
    finally:
        marks.reader.keep_within(None)


def _examiner(given: Given, marks: PursuitMarks, threads: int, allowed: int) -> tuple[Chase, int]:
    """Return what looks at all marks, and how many threads there is room for.

    Raises:
        BudgetError: there is no room for one.
    """
    besides = _SMALL + marks.bytes + (room_for(allowed) if marks.reader is not None else 0)
    afford(f"verifying {given.positions:,} positions", besides, allowed)
    board = _board(given)
    teams = np.zeros(1, np.int64)
    free = np.flatnonzero(~given.forbidden)
    for _ in range(given.pursuers):
        teams = (teams[:, np.newaxis] * given.nodes + free).reshape(-1)
    nodes = np.arange(given.nodes)
    halves = []
    for turn in range(given.turns):
        source, zero = marks.coded(turn)
        if turn == 0:
            offsets = nodes * given.nodes**given.pursuers, teams
        else:
            offsets = nodes, teams * given.nodes
        halves.append(Half(source, np.empty(0, np.int32), *offsets, zero))
    chase = Chase(board, halves, on_disk=marks.on_disk)
    besides += 2 * teams.nbytes

    def needed(crew: int) -> int:
        least = besides + _THREAD * (crew - 1)
        return least + chase.needed(crew, allowed - least)

    crew = threads if needed(threads) <= allowed else 1
    afford(f"verifying {given.positions:,} positions", needed(crew), allowed)
    return chase, crew


def _board(given: Given) -> PursuitBoard:
    """Return the pursuit as the engine knows it, made again from the graphs."""
    anywhere = np.ones(given.nodes, np.bool_)
    made = {}
    for i, graph in enumerate(given.graphs):
        free, waits = (~given.forbidden if i else anywhere), given.waits[i > 0]
        if (id(graph), i > 0) not in made:
            steps = followed(*graph, free, waits=waits, stays=given.stays)
            made[id(graph), i > 0] = steps
    evader, *pursuers = (made[id(graph), i > 0] for i, graph in enumerate(given.graphs))
    return PursuitBoard(evader, tuple(pursuers), given.safe, given.forbidden, given.together)


def _stray(given: Given, values: PursuitValues) -> int | None:
    """Return the first place that stands for no position and has a mark, if there is one."""
    if not given.forbidden.any():
        return None
    dead = np.zeros(1, np.bool_)
    for _ in range(given.pursuers):
        dead = (dead[:, np.newaxis] | given.forbidden).reshape(-1)
    for turn in range(given.turns):
        source, zero = values.marks.coded(turn)
        for begin in range(0, len(source), _TOGETHER):
            numbers = np.arange(begin, min(begin + _TOGETHER, len(source)))
            team = numbers % len(dead) if turn == 0 else numbers // given.nodes
            wrong: npt.NDArray[np.bool_] = dead[team] & (source[numbers] != zero)
            if wrong.any():
                return int(turn * values.size + numbers[np.argmax(wrong)])
    return None


def _numbered(given: Given, number: int) -> PursuitPosition:
    """Return the position that has a number for the engine."""
    free = np.flatnonzero(~given.forbidden)
    turn, rest = divmod(number, given.nodes * len(free) ** given.pursuers)
    pursuers = []
    for _ in range(given.pursuers):
        rest, one = divmod(rest, len(free))
        pursuers.append(int(free[one]))
    return PursuitPosition(rest, tuple(reversed(pursuers)), turn)


def _due(given: Given, values: PursuitValues, position: PursuitPosition) -> int:
    """Return the code that follows for a position."""
    kind, worths = values.kind, []
    for after in given.children(position):
        code = values.value(after.turn * values.size + given.number(after))
        worths.append(kind.of_move(code, same_mover=after.turn > position.turn > 0))
    if not worths:
        won = (given.end(position) == EVADER) == (position.turn == 0)
        return kind.terminal(1 if won else -1)
    return kind.of_moves(worths)
