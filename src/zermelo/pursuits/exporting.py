"""From a solved pursuit to columns: each position with its value and what the best move makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.ledger import allowed_bytes, readable
from zermelo._store.sheets import SHEETS, Cells, SheetColumn, sheet
from zermelo.errors import BudgetError
from zermelo.pursuits.standing import Standing, Steps
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
    size = min((allowed - fixed) // each, max(1, limits.current().batch(_MOVES) // rows.most))
    with (
        sheet(target, chosen, rows.columns, about, overwrite=overwrite) as made,
        report.phase("export", given.positions),
    ):
        done = 0
        for turn in range(given.turns):
            whole = given.nodes ** (1 + given.pursuers)
            for begin in range(0, whole, size):
                some = Standing.at(given, turn, np.arange(begin, min(begin + size, whole)))
                if len(some.evader):
                    made.write(rows.cells(some))
                done += len(some.evader)
                report.advance(done)
    return target


class _Rows:
    """What rows are made from, and of what columns they are."""

    def __init__(self, given: Given, marks: Marks, *, moves: bool) -> None:
        self._given = given
        self._moves = moves
        self._coded = [marks.coded(turn) for turn in range(given.turns)]
        self._steps = Steps(given) if moves else None
        #: Moves that a position has at the most.
        self.most = self._steps.most if self._steps is not None else 1
        self.columns = list(self._columns())

    def _columns(self) -> Iterator[SheetColumn]:
        node = np.min_scalar_type(-max(self._given.nodes - 1, 1))
        team = tuple(f"pursuers[{i}]" for i in range(self._given.pursuers))
        yield SheetColumn("evader", node)
        yield SheetColumn("pursuers", node, team)
        yield SheetColumn("turn", np.dtype(np.int8))
        yield SheetColumn("outcome", None)
        yield SheetColumn("remoteness", np.dtype(np.int32), nullable=True)
        if self._moves:
            after = tuple(f"next_{name}" for name in team)
            yield SheetColumn("next_evader", node, nullable=True)
            yield SheetColumn("next_pursuers", node, after, nullable=True)

    def cells(self, rows: Standing) -> list[Cells]:
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

    def _marks(self, rows: Standing) -> Numbers:
        """Return the marks of positions."""
        source, zero = self._coded[rows.turn]
        found = source[rows.numbers(self._given)]
        marks: Numbers = found.astype(np.int64) - zero
        return marks

    def _best(self, rows: Standing) -> tuple[Standing, npt.NDArray[np.bool_]]:
        """Return what the first best move of each position makes of it, and which have one."""
        assert self._steps is not None  # noqa: S101  # or nobody would ask
        after, parent = self._steps.children(rows)
        marks = self._marks(after)
        same = after.turn > rows.turn > 0
        worth = (marks + np.sign(marks)) * (1 if same else -1)
        worth = np.sign(worth) * _FAR - worth
        # Of equal ones the first: sorted by position, then the best first, and else as they were.
        order = np.lexsort((-worth, parent))
        there, first = np.unique(parent[order], return_index=True)
        moved = Standing(after.turn, rows.evader.copy(), rows.team.copy())
        chosen = after.some(order[first])
        moved.evader[there], moved.team[there] = chosen.evader, chosen.team
        has = np.zeros(len(rows.evader), np.bool_)
        has[there] = True
        return moved, has
