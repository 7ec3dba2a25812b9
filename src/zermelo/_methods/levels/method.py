"""The method for games with levels: positions and values in memory, but no moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo import limits
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand.expander import Buffers, run_expand
from zermelo._engine.store.arrays import MemoryArray
from zermelo._engine.store.store import Store
from zermelo._methods.graph_methods import budget_of, explore_graph, graph_result
from zermelo._methods.levels import driver as levels_driver
from zermelo._methods.levels import slot_storage
from zermelo._methods.levels.checkpoint import LevelCheckpoint
from zermelo._methods.levels.slot_storage import SlotStorage
from zermelo._methods.levels.storage import (
    BUCKET_KINDS,
    SLOT_KINDS,
    LevelNotRaisedError,
    Storage,
)
from zermelo._methods.levels.values import HELD_ALGEBRAS
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.errors import BudgetError, RulesError
from zermelo.rules.levels import level_words

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


class LevelsMethod(Method):
    """The method that finds win, draw or loss and remoteness, or margins, level by level."""

    clusters = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs the hook ``level``."""
        foreign = foreign_values(rules, HELD_ALGEBRAS)
        if foreign is not None:
            return foreign
        return None if rules.has_hook("level") else "which has no level()"

    def run(self, task: Task, reason: str = "") -> Result:
        """Solve level by level; if a move stays on its level, solve without levels.

        Args:
            task: the game.
            reason: why another method handed the game over, or empty.

        Raises:
            RulesError: a move lowers the level.
        """
        compiled = task.compiled
        if compiled.kind.stages:
            return _by_graph(task, "which find no plies")
        with task.report.phase("compile"):
            nothing = np.empty(0, np.uint64)
            run_expand(compiled, nothing, 0, 0, Buffers.for_rules(compiled, 1, 1))
            compiled.levels(nothing, 0, np.empty(0, np.int64))
        try:
            storage = _solved(task)
        except LevelNotRaisedError as error:
            rules = compiled.rules
            position = rules.layout.unpack(error.packed)
            words = level_words(rules, position, lowered=error.lowered)
            if error.lowered:
                message = (
                    f"{rules.name}: {words}; count something that moves never lower, or remove "
                    "level()"
                )
                raise RulesError(message) from None
            task.report.tell(
                "note",
                f"{rules.name}.level() is not used, as {words}; count something that every move "
                "raises, or remove level()",
            )
            return _by_graph(task, f"as {words}")
        choice = "level by level, as every move raises level()"
        if reason:
            choice += f", and {reason}"
        if storage.description:
            choice += f"; {storage.description}"
        return Result(storage.table, choice, "levels")


def _by_graph(task: Task, reason: str) -> Result:
    """Solve a game without using its levels; ``reason`` goes into the description."""
    if task.compiled.kind.gains:
        from zermelo._methods.score.graph import solve_graph

        result, method = solve_graph(task, explore_graph(task, budget_of(task))), "score"
    else:
        result, method = graph_result(task), "retrograde"
    return Result(result.table, f"{result.choice}; not by levels, {reason}", method)


#: The storages of levels: in slots, in buckets, or in files.
_SLOTS, _BUCKETS, _FILES = "levels-in-slots", "levels-in-buckets", "levels-in-files"


def _begin_with(task: Task) -> str:
    """Return the storage to start with: that of the checkpoint, or the most suitable one."""
    if task.workers is not None or not limits.current().in_memory:
        return _FILES
    begun = [way for way in (_FILES, _BUCKETS) if task.checkpoint.has(way)]
    if begun:
        return begun[0]
    return _SLOTS if slot_storage.fits_slots(task.compiled) else _BUCKETS


def _solved(task: Task) -> Storage:
    """Solve in memory, or with levels in files if they do not fit.

    Raises:
        BudgetError: even then there is too little memory, or too little disk space.
    """
    way = _begin_with(task)
    while True:
        try:
            return _solved_in(task, way)
        except slot_storage.OutsideSlotBitsError:  # moves may leave the declared space
            way = _BUCKETS
        except BudgetError:
            if way == _FILES:
                raise
            way = _FILES
        # The next attempt starts here, after the error, which kept the arrays of the failed one.


def _solved_in(task: Task, way: str) -> Storage:
    """Solve with levels in slots, in buckets, or in files."""
    # Workers need levels next to the table, on the shared disk, not on a disk of this machine.
    beside = way != _FILES or task.workers is not None
    folder = task.checkpoint.directory if beside else None
    with Scratch(folder, checkpoint=task.checkpoint) as scratch:
        kinds = SLOT_KINDS if way == _SLOTS else BUCKET_KINDS
        allowed, in_files = task.ledger.allowed, way == _FILES
        arrays = kinds if in_files else {n: MemoryArray(kinds[n], allowed) for n in kinds}
        store = Store(scratch, way, task.threads, arrays)
        given = task.compiled, task.ledger, task.threads, store
        storage: Storage
        # Imported here, so that other solves start without their kernels.
        if way == _SLOTS:
            storage = SlotStorage(*given)
        elif way == _BUCKETS:
            from zermelo._methods.levels.bucket_storage import BucketStorage

            storage = BucketStorage(*given)
        elif task.workers is not None:
            from zermelo._methods.levels.cluster.driver import ClusterStorage

            storage = ClusterStorage(*given, scratch, store.paths, task.workers, task.report)
        else:
            from zermelo._methods.levels.file_storage import FileStorage

            storage = FileStorage(*given, scratch)
        checkpoint = LevelCheckpoint(scratch, store, storage)
        try:
            levels_driver.solve(storage, task.compiled.start_words(), task.report, checkpoint)
        except (BudgetError, LevelNotRaisedError, slot_storage.OutsideSlotBitsError) as error:
            if not (way == _FILES and isinstance(error, BudgetError)):
                checkpoint.drop()
            raise
    return storage
