"""From a solved pursuit to columns: each position with its value and what the best move makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import allowed_bytes, readable
from zermelo._store.sheets import SHEETS, Cells, Column, sheet
from zermelo.errors import BudgetError
from zermelo.pursuits.table import about_of
from zermelo.solution.exporting import form_of

if TYPE_CHECKING:
    import os

    from zermelo.progress import Reporter
    from zermelo.pursuits.given import Given
    from zermelo.pursuits.marks import Marks
    from zermelo.pursuits.values import PursuitValues

Numbers = npt.NDArray[np.int64]

#: Moves that are looked at together at the most, bytes of one meanwhile, and of a row.
_MOVES, _MOVE, _ROW = 1 << 18, 160, 160
_LABELS = ("loss", "draw", "win")
#: More than any mark.
_FAR = np.int64(1) << 33


def export(
    given: Given,
    values: PursuitValues,
    path: str | os.PathLike[str],
    *,
    form: str | None,
    moves: bool,
    method: str,
    choice: str,
    overwrite: bool,
    threads: int,  # noqa: ARG001  # one does it
    memory: int | None,
    report: Reporter,
) -> Path:
    """Write each position with its value to a file; see ``Solution.export``.

    The columns are ``evader``, ``pursuers``, ``turn``, ``outcome`` for the player to move,
    ``remoteness`` (nothing for an endless draw), and where everybody is after the first of
    ``options``: ``next_evader`` and ``next_pursuers`` (nothing where it is over).
    """
    marks, target = values.marks, Path(path)
    about = {**about_of(given, values, method, choice), "positions": given.positions}
    chosen = form_of(target, form)
    rows = _Rows(given, marks, moves=moves)
    cost, allowed = SHEETS[chosen].cost(rows.columns), allowed_bytes(memory)
    each = _MOVE * rows.most + _ROW + cost.row
    fixed = marks.bytes + cost.fixed
    if fixed + each > allowed:
        message = (
            f"exporting {given.positions:,} positions needs {readable(fixed + each)} at least, "
            f"and {readable(allowed)} are allowed; allow more memory"
        )
        raise BudgetError(message, fixed + each, allowed)
    size = min((allowed - fixed) // each, max(1, _MOVES // rows.most))
    with (
        sheet(target, chosen, rows.columns, about, overwrite=overwrite) as made,
        report.phase("export", given.positions),
    ):
        done = 0
        for turn in range(given.turns):
            whole = given.nodes ** (1 + given.pursuers)
            for begin in range(0, whole, size):
                some = rows.standing(turn, np.arange(begin, min(begin + size, whole)))
                if len(some.evader):
                    made.write(rows.cells(some))
                done += len(some.evader)
                report.advance(done)
    return target


@dataclass
class _Standing:
    """Some positions of one turn.

    Attributes:
        turn: the turn.
        evader: the evader's node in each.
        team: the pursuers' nodes, shape (positions, pursuers).
    """

    turn: int
    evader: Numbers
    team: Numbers

    def some(self, which: Any) -> _Standing:
        """Return some of them."""
        return _Standing(self.turn, self.evader[which], self.team[which])


class _Rows:
    """What rows are made from, and of what columns they are."""

    def __init__(self, given: Given, marks: Marks, *, moves: bool) -> None:
        self._given = given
        self._moves = moves
        self._coded = [marks.coded(turn) for turn in range(given.turns)]
        self._steps = []
        for mover in range(1 + given.pursuers) if moves else ():
            lists = [given.steps(mover, node) for node in range(given.nodes)]
            ends = np.cumsum([0, *map(len, lists)])
            flat = np.array([node for row in lists for node in row], np.int64)
            self._steps.append((ends, flat))
        degrees = [int(np.diff(ends).max()) for ends, _ in self._steps]
        both = int(np.prod(degrees[1:])) if given.together else max(degrees[1:], default=0)
        #: Moves that a position has at the most.
        self.most = max(1, both, *degrees[:1])
        self.columns = list(self._columns())

    def _columns(self) -> Iterator[Column]:
        node = np.min_scalar_type(-max(self._given.nodes - 1, 1))
        team = tuple(f"pursuers[{i}]" for i in range(self._given.pursuers))
        yield Column("evader", node)
        yield Column("pursuers", node, team)
        yield Column("turn", np.dtype(np.int8))
        yield Column("outcome", None)
        yield Column("remoteness", np.dtype(np.int32), nullable=True)
        if self._moves:
            after = tuple(f"next_{name}" for name in team)
            yield Column("next_evader", node, nullable=True)
            yield Column("next_pursuers", node, after, nullable=True)

    def standing(self, turn: int, numbers: Numbers) -> _Standing:
        """Return the positions that stand in some places of a turn, and exist."""
        n, k = self._given.nodes, self._given.pursuers
        if turn == 0:
            evader, rest = np.divmod(numbers, n**k)
        else:
            rest, evader = np.divmod(numbers, n)
        team = np.stack([rest // n ** (k - 1 - i) % n for i in range(k)], axis=1)
        alive = ~self._given.forbidden[team].any(axis=1)
        return _Standing(turn, evader[alive], team[alive])

    def cells(self, rows: _Standing) -> list[Cells]:
        """Return positions as rows."""
        marks = self._marks(rows)
        found = [
            Cells(rows.evader),
            Cells(rows.team),
            Cells(np.full(len(marks), rows.turn)),
            Cells(np.sign(marks) + 1, labels=_LABELS),
            Cells(np.abs(marks) - 1, marks != 0),
        ]
        if self._moves:
            moved, there = self._best(rows)
            found += [Cells(moved.evader, there), Cells(moved.team, there)]
        return found

    def _marks(self, rows: _Standing) -> Numbers:
        """Return the marks of positions."""
        n = self._given.nodes
        team = np.zeros(len(rows.evader), np.int64)
        for one in rows.team.T:
            team = team * n + one
        whole = n**self._given.pursuers
        source, zero = self._coded[rows.turn]
        found = source[rows.evader * whole + team if rows.turn == 0 else team * n + rows.evader]
        marks: Numbers = found.astype(np.int64) - zero
        return marks

    def _best(self, rows: _Standing) -> tuple[_Standing, npt.NDArray[np.bool_]]:
        """Return what the first best move of each position makes of it, and which have one."""
        caught = (rows.team == rows.evader[:, np.newaxis]).any(axis=1)
        parent = np.flatnonzero(~(caught | self._given.safe[rows.evader]))
        after, parent = self._children(rows, parent)
        marks = self._marks(after)
        same = after.turn > rows.turn > 0
        worth = (marks + np.sign(marks)) * (1 if same else -1)
        worth = np.sign(worth) * _FAR - worth
        # Of equal ones the first: sorted by position, then the best first, and else as they were.
        order = np.lexsort((-worth, parent))
        there, first = np.unique(parent[order], return_index=True)
        moved = _Standing(after.turn, rows.evader.copy(), rows.team.copy())
        chosen = after.some(order[first])
        moved.evader[there], moved.team[there] = chosen.evader, chosen.team
        has = np.zeros(len(rows.evader), np.bool_)
        has[there] = True
        return moved, has

    def _children(self, rows: _Standing, parent: Numbers) -> tuple[_Standing, Numbers]:
        """Return what all moves of some positions make of these, and which each is from."""
        given, turn = self._given, rows.turn
        after = rows.some(parent)
        after.turn = (turn + 1) % given.turns
        movers = range(1, 1 + given.pursuers) if given.together else (turn,)
        for mover in movers if turn else (0,):
            ends, steps = self._steps[mover]
            node = after.team[:, mover - 1] if mover else after.evader
            many = ends[node + 1] - ends[node]
            each = np.repeat(np.arange(len(node)), many)
            begins = ends[node] - (np.cumsum(many) - many)
            new = steps[np.arange(len(each)) + begins[each]]
            after, parent = after.some(each), parent[each]
            if mover:
                after.team[:, mover - 1] = new
            else:
                after.evader = new
        return after, parent
