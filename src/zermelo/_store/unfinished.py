"""A table that is being made: where it may be put, what is finished of it, and its completion.

Everything that is not finished is in a folder beside the table, ``PATH.unfinished``: stages of the
solve (``checkpoint.folder``), and then the table itself, until it is whole and gets its name.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.format import FORMAT
from zermelo._engine.file.naming import exists, give_name, sync_folder, unwritten
from zermelo._engine.file.place import WHOLE, folder_of, goes_on
from zermelo._store.saving import identity_of, save_table
from zermelo.errors import TableWriteError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter


def begin(
    compiled: CompiledRules, target: Path, how: Mapping[str, Any], facts: Mapping[str, Any]
) -> CheckpointFolder:
    """Take the folder of a table, with the stages of the same solve if there are any.

    Args:
        compiled: the rules.
        target: the table.
        how: the method and its arguments, and whatever else stages depend on.
        facts: what a process that goes on is to know of the first.

    Raises:
        TableBusyError: another process is making the table.
        TableWriteError: nothing can be written there.
    """
    identity = {**identity_of(compiled), "format": FORMAT, **how}
    # Rules without a text cannot be told from others: nobody resumes from their stages.
    identity["rules"] = identity["rules"] or secrets.token_hex()
    return CheckpointFolder(folder_of(target), identity, facts=facts, also=(WHOLE,))


def whole(checkpoint: CheckpointFolder) -> Path | None:
    """Return the table, if it was whole before it was given its name."""
    path = checkpoint.directory / WHOLE
    return path if path.exists() else None


def write_whole(
    checkpoint: CheckpointFolder,
    compiled: CompiledRules,
    table: Table,
    target: Path,
    *,
    method: str,
    choice: str,
    threads: int,
    report: Reporter,
    ledger: Ledger,
) -> Path:
    """Write a table in its folder, within what the solve may take and the table has left.

    Raises:
        TableWriteError: the disk is full, or the like.
    """
    path = checkpoint.directory / WHOLE
    try:
        save_table(
            compiled,
            table,
            path,
            method=method,
            choice=choice,
            overwrite=True,
            threads=threads,
            report=report,
            ledger=Ledger(max(0, ledger.allowed - table.bytes)),
            strict=False,  # what has been solved is not lost for a little
            checkpoint=checkpoint,
        )
    except TableWriteError as error:
        raise _renamed(error, path, target) from None
    return path


def name(checkpoint: CheckpointFolder, target: Path, *, overwrite: bool) -> None:
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
        raise unwritten(target, error) from None
    sync_folder(target.parent)
    checkpoint.discard()


def _renamed(error: TableWriteError, path: Path, target: Path) -> TableWriteError:
    """Return an error that names the table, and not a file on the way to it."""
    message = str(error.args[0]).replace(repr(str(path)), repr(str(target)))
    ending = goes_on(target)
    return TableWriteError(f"{message}; {ending}" if ending else message)
