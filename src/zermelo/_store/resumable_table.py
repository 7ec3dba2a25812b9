"""The unfinished solve of a table: its folder, resuming, and completion.

All unfinished data is in a folder beside the table, ``PATH.unfinished``: stages of the solve
(``checkpoint.folder``), and then the table itself, until it is complete and gets its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import eager_free
from zermelo._engine.file.destination import WHOLE, folder_of, resume_hint
from zermelo._engine.file.format import FORMAT
from zermelo._engine.file.reader import Reader
from zermelo._store.save_options import SaveOptions
from zermelo.atomic_write import exists_error, publish_draft, sync_folder, write_error
from zermelo.errors import CorruptTableError, TableWriteError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from zermelo._engine.table import Table
    from zermelo.progress import Reporter


class UnsavedTable(NamedTuple):
    """The result of a solve that is not saved yet.

    Attributes:
        solution: the solution in memory, which answers if the file cannot be written.
        table: positions and values.
        save: writes them.
        method: the method that solved it.
        choice: a sentence on why.
    """

    solution: Any
    table: Table
    save: Callable[[Path, SaveOptions], Path]
    method: str
    choice: str


@contextmanager
def begin(
    target: Path, identity: Mapping[str, Any], memory: int | None, ledger: Ledger, report: Reporter
) -> Iterator[CheckpointFolder]:
    """Open the checkpoint folder of a table, with the stages of an equal solve if there are any.

    Args:
        target: the path of the table.
        identity: the identity of the solve.
        memory: the memory budget, as given by the caller.
        ledger: the memory budget; if the caller gave none, it becomes that of the first process.
        report: is informed if stages of another solve were deleted.

    Raises:
        TableBusyError: another process is making the table.
        TableWriteError: the folder cannot be written.
    """
    facts = {"allowed": ledger.allowed}
    folder = CheckpointFolder(
        folder_of(target), {**identity, "format": FORMAT}, facts=facts, also=(WHOLE,)
    )
    # Writing allocates many short-lived blocks in each thread, which malloc would keep.
    with eager_free(memory), folder as checkpoint:
        if checkpoint.restarted:
            was = f"{str(checkpoint.directory)!r} was of another solve"
            report.tell("restart", f"restarted, as {was}")
        # Free memory decides how a game is solved, so a resumed solve uses the first process's
        # budget.
        if memory is None:
            ledger.allowed = min(ledger.allowed, checkpoint.facts["allowed"])
        yield checkpoint


def complete(
    checkpoint: CheckpointFolder,
    target: Path,
    solve: Callable[[], UnsavedTable],
    *,
    overwrite: bool,
    threads: int,
    report: Reporter,
    ledger: Ledger,
) -> UnsavedTable | None:
    """Solve and write a table, unless it is complete, and give it its name.

    Args:
        checkpoint: the folder of the table.
        target: the table.
        solve: solves it.
        overwrite: whether an existing file may be replaced.
        threads: threads that compress.
        report: receives the progress.
        ledger: the memory budget.

    Returns:
        The result of the solve, or None if the table was complete.

    Raises:
        TableExistsError: another process has created a file at the path.
        TableWriteError: a write error, such as a full disk.
    """
    unsaved = None
    try:
        if not _is_complete(checkpoint, report):
            unsaved = solve()
            _write(checkpoint, unsaved, target, threads=threads, report=report, ledger=ledger)
        _name(checkpoint, target, overwrite=overwrite)
    except TableWriteError as error:
        error.solution = unsaved and unsaved.solution
        raise
    except KeyboardInterrupt as error:
        if hint := resume_hint(target):
            error.add_note(hint)
        raise
    return unsaved


def _is_complete(checkpoint: CheckpointFolder, report: Reporter) -> bool:
    """Return whether the table in the folder is complete and undamaged."""
    path = checkpoint.directory / WHOLE
    if not path.exists():
        return False
    try:
        with Reader(path) as reader:
            reader.check()
    except CorruptTableError:
        path.unlink()
        return False
    report.resume("the table was whole")
    return True


def _write(
    checkpoint: CheckpointFolder,
    unsaved: UnsavedTable,
    target: Path,
    *,
    threads: int,
    report: Reporter,
    ledger: Ledger,
) -> None:
    """Write a table in its folder, within the memory that the table leaves of the budget.

    Raises:
        TableWriteError: a write error, such as a full disk.
    """
    path = checkpoint.directory / WHOLE
    try:
        options = SaveOptions(
            method=unsaved.method,
            choice=unsaved.choice,
            overwrite=True,
            report=report,
            threads=threads,
            ledger=Ledger(max(0, ledger.allowed - unsaved.table.bytes)),
            strict=False,  # a solved table is written even slightly above the budget
            checkpoint=checkpoint,
        )
        unsaved.save(path, options)
    except TableWriteError as error:
        raise _target_error(error, path, target) from None


def _name(checkpoint: CheckpointFolder, target: Path, *, overwrite: bool) -> None:
    """Give a complete table its name, and delete the folder.

    Raises:
        TableExistsError: another process has created a file at the path.
        TableWriteError: the system refuses.
    """
    path = checkpoint.directory / WHOLE
    # Deleted first, so that a table with its name has no stages to resume from.
    checkpoint.drop(*checkpoint.names())
    try:
        publish_draft(path, target, overwrite=overwrite)
    except FileExistsError:
        raise exists_error(target) from None
    except OSError as error:
        raise _target_error(write_error(target, error), path, target) from None
    sync_folder(target.parent)
    checkpoint.discard()


def _target_error(error: TableWriteError, path: Path, target: Path) -> TableWriteError:
    """Return an error that names the table instead of a file in its folder."""
    message = str(error.args[0]).replace(repr(str(path)), repr(str(target)))
    ending = resume_hint(target)
    return TableWriteError(f"{message}; {ending}" if ending else message)
