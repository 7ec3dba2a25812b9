"""A method of solving: its properties, its task and its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


@dataclass(frozen=True)
class Task:
    """A game to solve, with limits and services for the solve.

    Attributes:
        compiled: the compiled rules of the game.
        ledger: the memory that the solve may allocate in addition to what the process has.
        threads: threads to use at most.
        report: receives phases and progress.
        horizon: plies to look ahead, for the method that has a horizon; None for the number that is
            always enough.
        remoteness: whether to find remoteness, for the method that can leave it out.
        checkpoint: saves finished work to files, or is ``NO_CHECKPOINT``.
        asked: whether the user named the method, so that it may not hand the game over.
        workers: the workers of a cluster, for a method that ``clusters``; they share the
            checkpoint's folder.
        precision: the greatest distance of the bounds of an expectation, for games with chance;
            None for the default. See ``zermelo.solve``.
    """

    compiled: CompiledRules
    ledger: Ledger
    threads: int
    report: Reporter
    horizon: int | None = None
    remoteness: bool = True
    asked: bool = False
    checkpoint: Checkpoint = NO_CHECKPOINT
    workers: WorkerPool | None = None
    precision: float | None = None


def foreign_values(rules: Rules, known: Collection[str]) -> str | None:
    """Return why a game's kind of value is not for a method, or None.

    Args:
        rules: the game.
        known: the algebras that the method knows.
    """
    return None if rules.kind.algebra in known else rules.kind.clause


@dataclass(frozen=True)
class Result:
    """A solved game: its table, and how it was solved.

    Attributes:
        table: every position with its value.
        choice: a sentence about how the method solved the game and why.
        method: the name of the method that solved the game after a handover, or empty.
    """

    table: Table
    choice: str
    method: str = ""


class Method(ABC):
    """A method of solving.

    Attributes:
        clusters: whether it runs on the workers of a cluster.
        declared: whether it solves what a game declares, and runs none of its other rules. Such a
            method stores all positions, and others one of each class if a game has symmetries.
        in_found_order: whether its tables number positions in the order in which they are found, as
            ``plain`` does.
        follows: whether each value of its tables follows from the values of the moves.
    """

    clusters = False
    declared = False
    in_found_order = False
    follows = True

    @abstractmethod
    def unsuited(self, rules: Rules) -> str | None:
        """Return why the method cannot solve a game (``which is not …``), or None if it can."""

    def is_passed_over(self, rules: Rules) -> bool:  # noqa: ARG002  # most are not
        """Return whether another method is better for a game that it can solve."""
        return False

    @abstractmethod
    def run(self, task: Task) -> Result:
        """Solve the game of a task."""
