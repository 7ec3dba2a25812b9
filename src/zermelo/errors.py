"""The exceptions that Zermelo raises.

::

    ZermeloError
    ├── RulesError (ValueError)           an author's rules break the contract
    │   └── CompileError (TypeError)      the rules cannot be compiled
    ├── ParameterError (ValueError)       a game was made with parameters it cannot take
    ├── CombinatorialValueError (ValueError)  a text names no value of a partizan game
    ├── PositionError (KeyError)          not a position of this game, or not reachable
    ├── MoveError (ValueError)            not a move in this position
    ├── MissingTableError (FileNotFoundError)
    ├── CorruptTableError (ValueError)
    ├── StaleTableError (ValueError)
    ├── TableExistsError (FileExistsError)
    ├── TableBusyError (BlockingIOError)  another process is making it
    ├── TableWriteError (OSError)         the disk is full, or not writable
    ├── ClusterError (RuntimeError)       workers of a cluster cannot be used, or are lost
    ├── MissingExtraError (ImportError)   a feature needs a package that is not installed
    ├── UnknownKindError (LookupError)    code does not know a kind of value
    └── BudgetError (MemoryError)         more memory is needed than is allowed

Every message starts in lower case, shows the offending value and ends with what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class ZermeloError(Exception):
    """The base of all deliberate errors of Zermelo."""


class RulesError(ZermeloError, ValueError):
    """The game's rules break the contract; names the hook, the position and the result."""


class RulesWarning(UserWarning):
    """A name in a game's class may be a misspelt hook, which is not used."""


class CompileError(RulesError, TypeError):
    """The rules use Python that cannot be compiled; names the file and the line.

    Attributes:
        filename: the file of the rules, or None if they were not read from a file.
        line: the line in that file, counted from 1, or None.
        faults: an error for each form that cannot be compiled, as far as they are known together;
            only this one if there is a single one.
    """

    faults: tuple[CompileError, ...]

    def __init__(self, message: str, filename: str | None = None, line: int | None = None) -> None:
        """Create the error with a message and the place in the rules."""
        super().__init__(message)
        self.filename = filename
        self.line = line
        self.faults = (self,)

    @classmethod
    def of(cls, faults: Iterable[CompileError]) -> CompileError:
        """Return the first of some errors, which counts the others and contains them all."""
        told = tuple({str(fault): fault for fault in faults}.values())
        first = told[0]
        if len(told) == 1:
            return first
        more = f"{len(told) - 1} more of the kind"
        message = f"{first.args[0]} (and {more}, which zermelo check lists)"
        joined = cls(message, first.filename, first.line)
        joined.faults = told
        return joined

    def __str__(self) -> str:
        """Return ``file:line: sentence``."""
        message = str(self.args[0])
        if self.filename is None:
            return message
        return f"{self.filename}:{self.line}: {message}"


class ParameterError(ZermeloError, ValueError):
    """A game was made with parameters it cannot take, such as a graph that is not a graph."""


class CombinatorialValueError(ZermeloError, ValueError):
    """A text names no value of a partizan game, a value is too large, or an operation is undefined.

    For instance, only an all-small game has an atomic weight.
    """


class PositionError(ZermeloError, KeyError):
    """Something is not a position of the game, or cannot be reached from its start."""

    def __str__(self) -> str:
        """Return the message itself; KeyError would return its repr."""
        return str(self.args[0]) if self.args else ""


class MoveError(ZermeloError, ValueError):
    """Something is not a legal move in the position."""


class MissingTableError(ZermeloError, FileNotFoundError):
    """There is no table at the path, or none for the game."""


class CorruptTableError(ZermeloError, ValueError):
    """A table is damaged or truncated, or the file is not a table."""


class StaleTableError(ZermeloError, ValueError):
    """The game's rules have changed since the table was made."""


class TableExistsError(ZermeloError, FileExistsError):
    """A table would overwrite an existing file."""


class TableBusyError(ZermeloError, BlockingIOError):
    """Another process is solving into the same path."""


class TableWriteError(ZermeloError, OSError):
    """A table cannot be written: the disk is full, or the folder is not writable.

    Attributes:
        solution: the solution, if ``zermelo.solve`` found it but could not write it; you can use
            it, and save it elsewhere. Otherwise None.
    """

    solution: Any = None


class ClusterError(ZermeloError, RuntimeError):
    """The workers of a cluster cannot be used together, or are lost.

    Finished work stays on disk.
    """


class MissingExtraError(ZermeloError, ImportError):
    """A feature needs a package that is not installed; names the extra to install."""


class UnknownKindError(ZermeloError, LookupError):
    """Code was given a kind of value that it does not know, such as one that was just written."""


class PrecisionError(ZermeloError, ArithmeticError):
    """The expectations of a game with chance cannot be found as precisely as was asked."""


class UnprovedError(ZermeloError, ValueError):
    """The answer to a question is not in a proof, or not yet."""


class BudgetError(ZermeloError, MemoryError):
    """A solve needs more memory than it is allowed, or more disk than is free.

    Attributes:
        needed: the bytes that the solve needs at least, as far as is known.
        allowed: the bytes that it may use, of memory or of disk.
    """

    def __init__(self, message: str, needed: int, allowed: int) -> None:
        """Create the error with a message and the two numbers."""
        super().__init__(message)
        self.needed = needed
        self.allowed = allowed
