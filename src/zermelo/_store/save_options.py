"""The options of saving a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo.progress import Reporter


@dataclass(frozen=True, kw_only=True)
class SaveOptions:
    """Options of writing a table, and the entries of its header about its making.

    Attributes:
        method: the method that solved it.
        choice: a sentence on why.
        overwrite: whether an existing file may be replaced.
        report: receives the number of bytes written.
        threads: threads that compress; the file does not depend on them.
        ledger: the memory budget, if it is limited; the file does not depend on it.
        strict: whether to raise BudgetError if the budget is too small, or to use the least memory.
        checkpoint: the checkpoint of the solve, if writing must be resumable after a kill.
        portable: whether to store positions in any case, with their images under symmetries.
        notes: further keys of the header.
    """

    method: str
    choice: str
    overwrite: bool
    report: Reporter
    threads: int = 1
    ledger: Ledger | None = None
    strict: bool = True
    checkpoint: Checkpoint | None = None
    portable: bool = False
    notes: Mapping[str, Any] = field(default_factory=dict)
