"""The exceptions Zermelo raises.

::

    ZermeloError
    ├── RulesError (ValueError)           an author's rules break the contract
    │   └── CompileError (TypeError)      the rules cannot be compiled
    ├── ParameterError (ValueError)       a game was made with parameters it cannot take
    ├── PositionError (KeyError)          not a position of this game, or not reachable
    ├── MoveError (ValueError)            not a move in this position
    ├── MissingTableError (FileNotFoundError)
    ├── CorruptTableError (ValueError)
    ├── StaleTableError (ValueError)
    ├── TableExistsError (FileExistsError)
    ├── TableBusyError (BlockingIOError)  another process is making it
    ├── TableWriteError (OSError)         the disk is full, or may not be written
    ├── MissingExtraError (ImportError)   what is asked for needs a package that is not installed
    └── BudgetError (MemoryError)         more memory is needed than is allowed

Every message starts in lower case, shows the offending value and ends with what to do.
"""

from __future__ import annotations

from typing import Any


class ZermeloError(Exception):
    """The base of every error that Zermelo raises on purpose."""


class RulesError(ZermeloError, ValueError):
    """An author's rules break the contract: which hook, at which position, what came back."""


class CompileError(RulesError, TypeError):
    """The rules are Python that cannot be compiled; names the author's file and line.

    Attributes:
        filename: the author's file, or None where the rules were not read from a file.
        line: the line in that file, counted from 1, or None.
    """

    def __init__(self, message: str, filename: str | None = None, line: int | None = None) -> None:
        """Keep where the fault is beside the sentence that says what it is."""
        super().__init__(message)
        self.filename = filename
        self.line = line

    def __str__(self) -> str:
        """Return ``file:line: sentence``."""
        message = str(self.args[0])
        if self.filename is None:
            return message
        return f"{self.filename}:{self.line}: {message}"


class ParameterError(ZermeloError, ValueError):
    """A game was made with parameters it cannot take, such as a graph that is not a graph."""


class PositionError(ZermeloError, KeyError):
    """Something is not a position of the game, or is one that the start cannot reach."""

    def __str__(self) -> str:
        """Return the message itself, where KeyError would return its repr."""
        return str(self.args[0]) if self.args else ""


class MoveError(ZermeloError, ValueError):
    """Something is not a legal move in the position."""


class MissingTableError(ZermeloError, FileNotFoundError):
    """There is no table at the path, or none for the game."""


class CorruptTableError(ZermeloError, ValueError):
    """A table's bytes are not what was written."""


class StaleTableError(ZermeloError, ValueError):
    """A table was made by rules that have changed since."""


class TableExistsError(ZermeloError, FileExistsError):
    """There is a file already where a table is to be written."""


class TableBusyError(ZermeloError, BlockingIOError):
    """Another process is solving into the same path."""


class TableWriteError(ZermeloError, OSError):
    """A table cannot be written: the disk is full, or the folder may not be written to.

    Attributes:
        solution: what was to be written, where ``zermelo.solve`` found it but could not; it can
            be asked, and saved elsewhere. None otherwise.
    """

    solution: Any = None


class MissingExtraError(ZermeloError, ImportError):
    """What is asked for needs a package that is not installed; names the extra to install."""


class BudgetError(ZermeloError, MemoryError):
    """A solve needs more memory than it is allowed, or more disk for what does not fit.

    Attributes:
        needed: bytes the solve needs at least, as far as is known.
        allowed: bytes it may take, of memory or of disk.
    """

    def __init__(self, message: str, needed: int, allowed: int) -> None:
        """Keep the two figures beside the sentence."""
        super().__init__(message)
        self.needed = needed
        self.allowed = allowed
