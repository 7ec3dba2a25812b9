"""Games with levels: solved level by level, holding positions and values but no moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.expand.expander import Buffers, run_expand
from zermelo._methods.levels import driver as levels_engine
from zermelo._methods.levels import slot_driver as slot_levels
from zermelo._methods.levels.checkpoint import DECIDED, FOUND
from zermelo._methods.reachable import graph_result
from zermelo._methods.task import Result, Task
from zermelo.errors import BudgetError, RulesError

if TYPE_CHECKING:
    from zermelo._methods.levels.index import LevelTable
    from zermelo.rules.hooks import Rules


class Levels:
    """Win, draw or loss and remoteness, level by level."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits games that say what level a position is on, and have no scores."""
        if rules.scored:
            return "which is a score game"
        return None if rules.has("level") else "which has no level()"

    def run(self, task: Task, reason: str = "") -> Result:
        """Climb and descend; where a move stays on its level, solve as if there were none.

        Args:
            task: the game.
            reason: why the game was handed over by another method, if it was.

        Raises:
            RulesError: a move lowers the level.
        """
        compiled = task.compiled
        with task.report.phase("compile"):
            nothing = np.empty(0, np.uint64)
            run_expand(compiled, nothing, 0, 0, Buffers.for_rules(compiled, 1, 1))
            compiled.levels(nothing, 0, np.empty(0, np.int64))
        said = ""
        try:
            found = None if _found_on_disk(task) else _in_memory(task)
            if found is None:
                table, said, peak = _on_disk(task)
            else:
                table, peak = found
        except levels_engine.FlatMoveError as error:
            _drop_levels(task)
            position = compiled.rules.layout.unpack(error.packed)
            if error.lowered:
                message = (
                    f"{compiled.rules.name}: a move from {position!r} lowers level(); count "
                    "something that moves never lower, or take level() out"
                )
                raise RulesError(message) from None
            result = graph_result(task)
            choice = f"{result.choice}; not by levels, as a move from {position!r} stays on its own"
            return Result(result.table, choice, result.peak_bytes, "retrograde")
        choice = "level by level, as every move raises level()"
        if reason:
            choice += f", and {reason}"
        if said:
            choice += f"; {said}"
        return Result(table, choice, peak, "levels")


def _in_memory(task: Task) -> tuple[Any, int] | None:
    """Solve with all levels in memory; None where they do not fit."""
    given = (task.compiled, task.compiled.start_words(), task.allowed, task.threads, task.report)
    try:
        return slot_levels.solve(*given, task.stages)
    except BudgetError:
        _drop_levels(task)
        # Whoever goes on from here must not hold the arrays of what failed, as the error does.
        return None


def _found_on_disk(task: Task) -> bool:
    """Whether an earlier process has found that levels do not fit, and kept some on disk."""
    return task.stages is not None and task.stages.has(FOUND)


def _drop_levels(task: Task) -> None:
    """Drop the stages of levels, which are of no use to what is done instead."""
    if task.stages is not None:
        up = [name for name in task.stages.names() if name[:3] == "up-"]
        task.stages.drop(*up, FOUND, DECIDED)


def _on_disk(task: Task) -> tuple[LevelTable, str, int]:
    """Solve with levels in files."""
    # Not imported until levels do not fit: other solves start without these kernels.
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.levels import disk as level_disk

    given = (task.compiled, task.compiled.start_words(), task.allowed, task.threads, task.report)
    with Scratch(stages=task.stages) as scratch:
        return level_disk.solve(*given, scratch)
