"""What a method is given, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


@dataclass(frozen=True)
class Task:
    """One game to solve.

    Attributes:
        compiled: its rules.
        ledger: the memory that the solve may take beyond what the process has.
        threads: threads to use at most.
        report: is told of phases and progress.
        horizon: plies to look ahead, for the method that does; None for as many as are safe.
        remoteness: whether to find remoteness, for the method that can leave it out.
        checkpoint: keeps what is finished where a kill does not reach it, or nothing.
        asked: whether the method was asked for by name, so that it is to be kept to.
        workers: the workers of a cluster, for a method that ``clusters``; they share the
            checkpoint's folder.
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


@dataclass(frozen=True)
class Result:
    """A solved game.

    Attributes:
        table: every position with its value.
        choice: a sentence on how the method went about it and why.
        method: the method that it handed the game to in the end, or empty.
    """

    table: Table
    choice: str
    method: str = ""


class Method(Protocol):
    """A module of this room."""

    def unsuited(self, rules: Rules) -> str | None:
        """Return why the method cannot solve a game (``which is not …``), or None where it can."""

    def run(self, task: Task) -> Result:
        """Solve a game."""
