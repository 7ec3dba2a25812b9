"""A table that is being made: where it may be put, what is finished of it, and its completion.

Everything that is not finished is in a folder beside the table, ``PATH.unfinished``: stages of the
solve (``checkpoint.folder``), and then the table itself, until it is whole and gets its name.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import eager_free
from zermelo._engine.file.destination import WHOLE, folder_of, goes_on
from zermelo._engine.file.format import FORMAT
from zermelo._engine.file.reader import Reader
from zermelo._store.save_table import identity_of
from zermelo.atomic_write import exists, give_name, sync_folder, unwritten
from zermelo.errors import CorruptTableError, TableWriteError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter


class UnsavedTable(NamedTuple):
    """What a solve has found, on its way to a file.

    Attributes:
        solution: the solution, which answers where the file cannot be written.
        table: positions and values.
        save: writes them; see ``save_table`` for what it is called with.
        method: how it was solved.
        choice: more on that.
    """

    solution: Any
    table: Table
    save: Callable[..., Any]
    method: str
    choice: str


def identity(compiled: CompiledRules, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stages of the solve of a game go by.

    Args:
        compiled: the rules.
        how: the method and its arguments, and whatever else stages depend on.
    """
    said = {**identity_of(compiled), **how}
    # Rules without a text cannot be told from others: nobody resumes from their stages.
    said["rules"] = said["rules"] or secrets.token_hex()
    return said


@contextmanager
def begin(
    target: Path, said: Mapping[str, Any], memory: int | None, ledger: Ledger, report: Reporter
) -> Iterator[CheckpointFolder]:
    """Have the folder of a table, with the stages of the same solve if there are any.

    Args:
        target: the table.
        said: what is solved and how, and whatever else stages depend on.
        memory: the bytes that may be taken, as they were given.
        ledger: the same; where none were given, those that the first process had.
        report: is told if there were stages of another solve.

    Raises:
        TableBusyError: another process is making the table.
        TableWriteError: nothing can be written there.
    """
    facts = {"allowed": ledger.allowed}
    begun = CheckpointFolder(
        folder_of(target), {**said, "format": FORMAT}, facts=facts, also=(WHOLE,)
    )
    # Writing takes many pieces for a short time, each thread its own, which malloc would keep.
    with eager_free(memory), begun as checkpoint:
        if checkpoint.restarted:
            was = f"{str(checkpoint.directory)!r} was of another solve"
            report.tell("restart", f"restarted, as {was}")
        # What the system has left decides how a game is solved; it is to be the same way again.
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
    """Have a table solved and written, unless it was whole, and give it its name.

    Args:
        checkpoint: the folder of the table.
        target: the table.
        solve: does it.
        overwrite: whether a file may be replaced.
        threads: threads that compress.
        report: is told what is done.
        ledger: what may be taken.

    Returns:
        What was solved, or None where the table was whole.

    Raises:
        TableExistsError: somebody else has put a file there meanwhile.
        TableWriteError: the disk is full, or the like.
    """
    made = None
    try:
        if not _whole(checkpoint, report):
            made = solve()
            _write(checkpoint, made, target, threads=threads, report=report, ledger=ledger)
        _name(checkpoint, target, overwrite=overwrite)
    except TableWriteError as error:
        error.solution = made and made.solution
        raise
    except KeyboardInterrupt as error:
        if kept := goes_on(target):
            error.add_note(kept)
        raise
    return made


def _whole(checkpoint: CheckpointFolder, report: Reporter) -> bool:
    """Whether the table was whole before it was given its name, and is."""
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
    made: UnsavedTable,
    target: Path,
    *,
    threads: int,
    report: Reporter,
    ledger: Ledger,
) -> None:
    """Write a table in its folder, within what the solve may take and the table has left.

    Raises:
        TableWriteError: the disk is full, or the like.
    """
    path = checkpoint.directory / WHOLE
    try:
        made.save(
            path,
            method=made.method,
            choice=made.choice,
            overwrite=True,
            threads=threads,
            report=report,
            ledger=Ledger(max(0, ledger.allowed - made.table.bytes)),
            strict=False,  # what has been solved is not lost for a little
            checkpoint=checkpoint,
        )
    except TableWriteError as error:
        raise _renamed(error, path, target) from None


def _name(checkpoint: CheckpointFolder, target: Path, *, overwrite: bool) -> None:
    """Give a table that is whole its name, and delete what it was made from.

    Raises:
        TableExistsError: somebody else has put a file there meanwhile.
        TableWriteError: the system refuses.
    """
    path = checkpoint.directory / WHOLE
    # First, so that where the table has its name there is nothing left to resume from.
    checkpoint.drop(*checkpoint.names())
    try:
        give_name(path, target, overwrite=overwrite)
    except FileExistsError:
        raise exists(target) from None
    except OSError as error:
        raise _renamed(unwritten(target, error), path, target) from None
    sync_folder(target.parent)
    checkpoint.discard()


def _renamed(error: TableWriteError, path: Path, target: Path) -> TableWriteError:
    """Return an error that names the table, and not a file on the way to it."""
    message = str(error.args[0]).replace(repr(str(path)), repr(str(target)))
    ending = goes_on(target)
    return TableWriteError(f"{message}; {ending}" if ending else message)
