"""The driver of dense spaces: an index in closed form, with bits in place of stored positions.

``discovery`` finds the positions, ``transpose`` transposes their moves, and values spread backward
along them as in any graph (``Spreading``). If the moves of all positions do not fit in memory, one
level after another is solved, from the highest down (``tiers``). If the moves of a level do not
fit, its positions are expanded again in rounds.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.status import SCALES, StatusArray
from zermelo._engine.backward.tie_preference import apply_endless_wins, scale_meaning
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.checkpoint import Checkpoint
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand import graph_memory
from zermelo._engine.index.directory import find, number_all
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.index.index import distinct_places
from zermelo._engine.index.ranks import Ranking
from zermelo._engine.table import Table
from zermelo._methods.dense import tiers as dense_tiers
from zermelo._methods.dense.discovery import Discovery, FoundPositions
from zermelo._methods.dense.index import DenseIndex
from zermelo._methods.dense.memory import EDGE, DenseMemory
from zermelo._methods.dense.transpose import transposed_moves
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.task import Task

#: The checkpoint's stages: positions whose moves do not fit in memory, and everything.
_FOUND, _SOLVED = "found", "solved"


class MissingStartError(Exception):
    """A start is not in the space, or is not legal.

    Attributes:
        row: the index of the start.
        legal: whether the start is in the space, but not legal.
    """

    def __init__(self, row: int, *, inside: bool) -> None:
        """Store the index, and whether the start is in the space."""
        super().__init__(row)
        self.row = row
        self.inside = inside


def solve(task: Task, ranking: Ranking, scratch: Scratch) -> tuple[Table, str]:
    """Find and decide every position that can be reached, or every legal position.

    Args:
        task: the game.
        ranking: the slots of positions.
        scratch: the folder for moves that do not fit in memory.

    Returns:
        The table, and a description of the solve.

    Raises:
        MissingStartError: a start is not among the positions.
        OutsideSpaceError: a move leads to a position that is not among them.
        dense_rounds.LevelLoweredError: a move lowers the level.
        BudgetError: the positions do not fit in memory.
    """
    expand, ledger, threads = task.compiled, task.ledger, task.threads
    report, checkpoint = task.report, task.checkpoint
    legal = expand.rules.has_hook("legal")
    memory = DenseMemory.estimate(expand, ranking, ledger, threads, legal=legal)
    memory.reserve(memory.fixed, 0)
    if (solved := checkpoint.note(_SOLVED)) is not None:
        report.resume("all values were known")
        positions, how = solved
        table = table_of(expand, ranking, **checkpoint.read(_SOLVED))
        return table, solve_description(positions, ranking, how)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-dense") as pool:
        discovery = Discovery(expand, ranking, ledger.allowed, threads, report)
        found = discovery.found
        known = checkpoint.note(_FOUND)
        if legal and known is None:
            discovery.add_legal(expand, pool)
        with report.phase("explore"):
            if known is not None:
                first = checkpoint.read(_FOUND, directory=found.directory)["first"]
                found.positions, found.moves = known
                found.drop_moves()
                report.resume(f"{found.positions:,} positions were found")
            else:
                first = _add_starts(discovery, expand, legal=legal)

                def over(found: FoundPositions) -> bool:
                    if memory.plan(found.workspaces, found.positions).fits:
                        return False
                    # The last batch may have exceeded the budget, and is released.
                    ledger.fits(min(memory.exploring_bytes(found.workspaces), ledger.allowed))
                    return True

                discovery.run(pool, closed=legal, over=over)
                if not found.with_moves:  # with stored moves, these would have to be saved too
                    note = [found.positions, found.moves]
                    checkpoint.save(_FOUND, note, directory=found.directory, first=first)
        if found.positions > MOST_POSITIONS:
            raise graph_memory.too_many_positions(ledger)
        number_all(found.directory)
        if found.with_moves:
            how = "along reversed moves"
            marks, owners = _solve_whole(found, memory, pool, report, checkpoint)
        else:
            marks, owners, how = dense_tiers.solve(task, found, memory, pool, scratch)
    apply_endless_wins(marks.state, owners, expand.kind.favours, marks.scale)
    arrays = {"directory": found.directory, "state": marks.state, "owners": owners, "first": first}
    checkpoint.save(_SOLVED, [found.positions, how], **arrays)
    table = table_of(expand, ranking, **arrays)
    return table, solve_description(found.positions, ranking, how)


def table_of(
    compiled: CompiledRules,
    ranking: Ranking,
    directory: npt.NDArray[np.uint64],
    state: IntArray,
    owners: npt.NDArray[np.uint8],
    first: npt.NDArray[np.int64],
) -> Table:
    """Return the table of a solved space; ``first`` has the slots of the starts."""
    scale = next(scale for scale in SCALES if state.dtype == scale.dtype)
    starts = np.empty(len(first), np.int64)
    find(directory, first, len(first), starts)
    index = DenseIndex(ranking, directory, len(state))
    meaning = scale_meaning(scale, compiled.kind.favours)
    column = ArrayColumn(compiled.kind, state, owners, meaning)
    legal = compiled.rules.has_hook("legal")
    return Table(index, column, distinct_places(starts), "legal" if legal else "any")


def solve_description(positions: int, ranking: Ranking, how: str) -> str:
    """Return the description of a solve."""
    return f"{positions:,} positions in the {ranking.slots:,} slots that space() numbers, {how}"


def _add_starts(
    discovery: Discovery, expand: CompiledRules, *, legal: bool
) -> npt.NDArray[np.int64]:
    """Add the starts; return their slots. With ``legal``, they must be found already."""
    starts = expand.start_words()
    before = discovery.found.positions
    first = discovery.begin(starts)
    if first.min() < 0:
        raise MissingStartError(int(np.argmin(first)), inside=False)
    if legal and discovery.found.positions > before:
        packed = np.ascontiguousarray(starts).reshape(-1)
        answers = np.empty(len(starts), np.uint8)
        expand.legal(packed, len(starts), answers)
        raise MissingStartError(int(np.argmin(answers)), inside=True)
    return first


def _solve_whole(
    found: FoundPositions,
    memory: DenseMemory,
    pool: ThreadPoolExecutor,
    report: Reporter,
    checkpoint: Checkpoint,
) -> tuple[StatusArray, npt.NDArray[np.uint8]]:
    """Solve with the transposed moves of all positions in memory."""
    positions = found.positions
    plan = memory.plan(found.workspaces, positions)
    memory.reserve(plan.needed, positions)
    held = memory.fixed + positions * (5 + memory.turn) + EDGE * found.moves
    marks, spreading = transposed_moves(
        found.directory,
        found.workspaces,
        positions,
        pool,
        lambda more: memory.reserve(held + more, positions),
        report,
    )
    with report.phase("retrograde", positions):
        marks.decide(spreading, report, checkpoint)
        marks.write(marks.state, marks.scale)
    return marks, spreading.owners
