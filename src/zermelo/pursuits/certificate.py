"""The certificate of a pursuit in words: what verifying a pursuit says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import readable
from zermelo._engine.file.reading import room_for
from zermelo._methods.pursuit.board import PursuitBoard
from zermelo._methods.pursuit.certificate.kernels import Chase
from zermelo._methods.pursuit.certificate.matrix import Half
from zermelo._methods.pursuit.certificate.steps import followed
from zermelo.errors import BudgetError
from zermelo.pursuits.given import EVADER, Given, PursuitPosition
from zermelo.pursuits.marks import Marks, earlier, meant, preference
from zermelo.values.answers import Verification

if TYPE_CHECKING:
    from zermelo.progress import Reporter
    from zermelo.values.outcomes import Value

#: Bytes of what no array says, and of those for each thread but one.
_SMALL, _THREAD = 1 << 17, 1 << 19
#: Marks that are looked at together where no position exists.
_TOGETHER = 1 << 16
#: Moves that a sentence has room for.
_SHOWN = 8


def verified(
    given: Given, marks: Marks, threads: int, allowed: int, report: Reporter
) -> Verification:
    """Check that every mark follows from those that moves lead to, along the graphs as given.

    Args:
        given: the pursuit.
        marks: what is checked.
        threads: threads to use.
        allowed: bytes that may be taken.
        report: is told how many positions are checked.

    Raises:
        BudgetError: more bytes are needed.
    """
    moves, wrong, problem = 0, None, None
    with _compared(marks, allowed, report), report.phase("verify", given.positions):
        if given.positions:
            chase, crew = _examiner(given, marks, threads, allowed)
            found = chase.examined((-1, -1), crew, report)
            moves = chase.moves
            if found is None:
                problem = "there are numbers that stand for no value"
            elif found.wrong is not None:
                wrong = _numbered(given, found.wrong)
                problem = _problem(given, marks, wrong)
        if problem is None and (wrong := _stray(given, marks)) is not None:
            problem = (
                f"{wrong} is called {_called(marks, given, wrong)}, and no pursuer may be there"
            )
    return Verification(
        ok=problem is None,
        positions=given.positions,
        moves=moves,
        problem=problem,
        seconds=sum(seconds for _, seconds in report.phases),
        position=wrong,
    )


@contextmanager
def _compared(marks: Marks, allowed: int, report: Reporter) -> Iterator[None]:
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


def _examiner(given: Given, marks: Marks, threads: int, allowed: int) -> tuple[Chase, int]:
    """Return what looks at all marks, and how many threads there is room for.

    Raises:
        BudgetError: there is no room for one.
    """
    besides = _SMALL + marks.bytes + (room_for(allowed) if marks.reader is not None else 0)
    if besides > allowed:
        raise _refusal(given, besides, allowed)
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
    needed = 0
    for crew in (threads, 1):
        needed = besides + _THREAD * (crew - 1)
        needed += chase.needed(crew, allowed - needed)
        if needed <= allowed:
            return chase, crew
    raise _refusal(given, needed, allowed)


def _refusal(given: Given, needed: int, allowed: int) -> BudgetError:
    message = (
        f"verifying {given.positions:,} positions needs {readable(needed)} at least, and "
        f"{readable(allowed)} are allowed; allow more memory"
    )
    return BudgetError(message, needed, allowed)


def _board(given: Given) -> PursuitBoard:
    """Return the pursuit as the engine knows it, made anew of the graphs."""
    anywhere = np.ones(given.nodes, np.bool_)
    made = {}
    for i, graph in enumerate(given.graphs):
        free, waits = (~given.forbidden if i else anywhere), given.waits[i > 0]
        if (id(graph), i > 0) not in made:
            steps = followed(*graph, free, waits=waits, stays=given.stays)
            made[id(graph), i > 0] = steps
    evader, *pursuers = (made[id(graph), i > 0] for i, graph in enumerate(given.graphs))
    return PursuitBoard(evader, tuple(pursuers), given.safe, given.forbidden, given.together)


def _stray(given: Given, marks: Marks) -> PursuitPosition | None:
    """Return the first that is no position and has a mark, if there is one."""
    if not given.forbidden.any():
        return None
    dead = np.zeros(1, np.bool_)
    for _ in range(given.pursuers):
        dead = (dead[:, np.newaxis] | given.forbidden).reshape(-1)
    for turn in range(given.turns):
        source, zero = marks.coded(turn)
        for begin in range(0, len(source), _TOGETHER):
            numbers = np.arange(begin, min(begin + _TOGETHER, len(source)))
            team = numbers % len(dead) if turn == 0 else numbers // given.nodes
            wrong: npt.NDArray[np.bool_] = dead[team] & (source[numbers] != zero)
            if wrong.any():
                return given.at(turn, int(numbers[np.argmax(wrong)]))
    return None


def _numbered(given: Given, number: int) -> PursuitPosition:
    """Return the position that has a number for the engine."""
    free = np.flatnonzero(~given.forbidden)
    rest, turn = divmod(number, given.turns)
    pursuers = []
    for _ in range(given.pursuers):
        rest, one = divmod(rest, len(free))
        pursuers.append(int(free[one]))
    return PursuitPosition(rest, tuple(reversed(pursuers)), turn)


def _called(marks: Marks, given: Given, position: PursuitPosition) -> Value:
    """Return what a position is called."""
    return meant(marks.at(position.turn, given.number(position)))


def _problem(given: Given, marks: Marks, position: PursuitPosition) -> str:
    """Return a sentence on a position that has a wrong mark."""
    said = f"{position} is called {_called(marks, given, position)}, and"
    children = given.children(position)
    if not children:
        won = (given.end(position) == EVADER) == (position.turn == 0)
        return f"{said} the rules make it {meant(1 if won else -1)}"
    found = [marks.at(after.turn, given.number(after)) for after in children]
    due = max(
        (
            earlier(mark, same=after.turn > position.turn > 0)
            for after, mark in zip(children, found, strict=True)
        ),
        key=preference,
    )
    shown = [
        f"{given.moved(position, after)} leads to {meant(mark)}"
        for after, mark in list(zip(children, found, strict=True))[:_SHOWN]
    ]
    more = len(children) - len(shown)
    shown[-1] += f" and {more:,} more" if more else ""
    return f"{said} its successors make it {meant(due)} ({', '.join(shown)})"
