"""A table that is being made: where it may be put, what is finished of it, and its completion.

Everything that is not finished is in a folder beside the table, ``PATH.unfinished``: stages of the
solve (``_store.stages``), and then the table itself, until it is whole and gets its name.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo._compile.digest import digest
from zermelo._store.format import FORMAT
from zermelo._store.lock import UNFINISHED, locked
from zermelo._store.stages import Stages
from zermelo.errors import TableExistsError, TableWriteError, ZermeloError
from zermelo.game import parameter_names
from zermelo.parameters import plain
from zermelo.saving import save_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table

#: The table in the folder, whole but without its name.
_WHOLE = "whole.table"


def folder_of(path: str | os.PathLike[str]) -> Path:
    """Return where what is not finished of a table is kept."""
    return Path(f"{os.fspath(path)}{UNFINISHED}")


def check_place(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """See, before any work is done for it, that a table can be put somewhere.

    Raises:
        TableExistsError: there is something already.
        TableWriteError: the folder is missing, or may not be written to.
    """
    target = Path(path)
    if target.is_dir():
        message = f"{str(target)!r} is a folder; give the path of a file"
        raise TableExistsError(message)
    if target.exists() and not overwrite:
        _tidy(target)
        raise _exists(target)
    if not target.parent.is_dir():
        why = f"there is no folder {str(target.parent)!r}; make it first"
        message = f"{str(target)!r} cannot be written: {why}"
        raise TableWriteError(message)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        why = "its folder may not be written to; give another path"
        message = f"{str(target)!r} cannot be written: {why}"
        raise TableWriteError(message)
    return target


def begin(
    compiled: CompiledRules, target: Path, how: Mapping[str, Any], facts: Mapping[str, Any]
) -> Stages:
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
    game = compiled.rules.game
    identity = {
        "game": type(game).__name__,
        "module": type(game).__module__,
        "parameters": {name: plain(getattr(game, name)) for name in parameter_names(game)},
        # Rules without a text cannot be told from others: nobody goes on from their stages.
        "rules": digest(compiled) or secrets.token_hex(),
        "format": FORMAT,
        "zermelo": version("zermelo"),
        **how,
    }
    folder = folder_of(target)
    try:
        return Stages(folder, identity, facts=facts, also=(_WHOLE,))
    except TableWriteError as error:
        raise _renamed(error, folder, target) from None


def whole(stages: Stages) -> Path | None:
    """Return the table, if it was whole before it was given its name."""
    path = stages.directory / _WHOLE
    return path if path.exists() else None


def write_whole(
    stages: Stages, compiled: CompiledRules, table: Table, target: Path, *, method: str, choice: str
) -> Path:
    """Write a table in its folder, and delete the stages that it was made from.

    Raises:
        TableWriteError: the disk is full, or the like.
    """
    path = stages.directory / _WHOLE
    try:
        save_table(compiled, table, path, method=method, choice=choice, overwrite=True)
    except TableWriteError as error:
        raise _renamed(error, path, target) from None
    stages.drop(*stages.names())
    return path


def name(stages: Stages, target: Path, *, overwrite: bool) -> None:
    """Give a table that is whole its name, and delete the folder.

    Raises:
        TableExistsError: somebody else has put a file there meanwhile.
        TableWriteError: the system refuses.
    """
    path = stages.directory / _WHOLE
    try:
        if overwrite:
            path.replace(target)
        else:
            _link(path, target)
    except FileExistsError:
        raise _exists(target) from None
    except OSError as error:
        why = error.strerror or str(error)
        message = f"{str(target)!r} cannot be written: {why}; give another path"
        raise TableWriteError(message) from None
    with contextlib.suppress(OSError):
        handle = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    stages.discard()


def goes_on(path: str | os.PathLike[str]) -> str:
    """Return a sentence on what is kept of a table that is not finished, if anything is."""
    folder = folder_of(path)
    if not any(folder.glob("*.stage")) and not (folder / _WHOLE).exists():
        return ""
    return f"{str(folder)!r} keeps what is finished, and the same command goes on from there"


def _link(path: Path, target: Path) -> None:
    """Give a file its name, unless a file of that name is there."""
    try:
        target.hardlink_to(path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError from None
        path.replace(target)
    else:
        path.unlink()


def _tidy(target: Path) -> None:
    """Delete the folder of a table that is finished, where a kill left no time for that."""
    folder = folder_of(target)
    path = folder / _WHOLE
    with contextlib.suppress(OSError, ZermeloError):
        if not folder.is_dir() or any(folder.glob("*.stage")):
            return
        if path.exists() and not path.samefile(target):
            return
        handle = locked(folder)
        try:
            for each in (path, folder / "identity.json", folder / "lock"):
                each.unlink(missing_ok=True)
            folder.rmdir()
        finally:
            os.close(handle)


def _exists(target: Path) -> TableExistsError:
    message = f"{str(target)!r} is there already; give another path, or say overwrite=True"
    return TableExistsError(message)


def _renamed(error: TableWriteError, path: Path, target: Path) -> TableWriteError:
    """Return an error that names the table, and not a file on the way to it."""
    message = str(error.args[0]).replace(repr(str(path)), repr(str(target)))
    kept = goes_on(target)
    return TableWriteError(f"{message}; {kept}" if kept else message)
