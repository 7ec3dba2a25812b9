"""What names in rules stand for: numbers written into the code, data handed over, other code.

Numbers are written into the code, which lets the compiler fold them. Rows and arrays are handed to
the compiled rules as arguments, so that another graph or another row of piles compiles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._compile.rows import depth_of, flatten
from zermelo.game import Game, parameter_names
from zermelo.parameters import identity, normalise

#: A constant tuple at most this long is written into the code.
MOST_LITERALS = 256
#: Rows may be nested this deeply.
MOST_DEPTH = 3


class UnfitError(Exception):
    """A value cannot be used in rules; the message says why and what to use instead."""


@dataclass(frozen=True)
class Passed:
    """Data handed to compiled rules.

    Attributes:
        name: what the generated module calls it.
        kind: ``"array1"`` (``array2``, …: dimensions; a trailing ``b`` for booleans) or ``"rows2"``
            (``rows3``: depth).
        path: where it comes from: a parameter's name, or None for a constant.
        value: the constant itself, for a constant.
    """

    name: str
    kind: str
    path: str | None
    value: Any = field(default=None, compare=False)

    @property
    def arrays(self) -> int:
        """How many arrays it is handed over as."""
        return int(self.kind[4:]) if self.kind.startswith("rows") else 1


def kind_of(value: Any) -> str:
    """Return the kind that data would be passed as.

    Raises:
        UnfitError: rules cannot use it.
    """
    if isinstance(value, np.ndarray):
        return f"array{value.ndim}" + ("b" if value.dtype == np.bool_ else "")
    if isinstance(value, tuple):
        depth = depth_of(value)
        if depth is None:
            message = "is a tuple of unlike things; keep numbers and rows of numbers apart"
            raise UnfitError(message)
        if depth > MOST_DEPTH:
            message = f"is nested {depth} deep; at most {MOST_DEPTH} is possible"
            raise UnfitError(message)
        return "array1" if depth == 1 else f"rows{depth}"
    raise UnfitError(_unfit(value))


def arrays_of(value: Any, kind: str) -> list[Any]:
    """Return the arrays that data is handed over as."""
    if isinstance(value, np.ndarray):
        return [value]
    return list(flatten(value, int(kind[4:]) if kind.startswith("rows") else 1))


def derived(game: Game, name: str) -> bool:
    """Whether an attribute is a property of the game, worked out from its parameters."""
    attribute = getattr(type(game), name, None)
    return isinstance(attribute, property | cached_property)


def read(game: Game, path: str) -> Any:
    """Return a parameter or property of a game in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    value = getattr(game, path)
    if path in parameter_names(game):
        return value
    return constant(value)


def constant(value: Any) -> Any:
    """Return a module's or class's constant in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    if isinstance(value, dict | set | frozenset | float | complex | str | bytes):
        raise UnfitError(_unfit(value))
    return normalise("constant", value)


def literal(value: Any) -> bool:
    """Whether a constant is a number, or a tuple of them short enough to be written out."""
    if value is None or isinstance(value, int):
        return True
    if not isinstance(value, tuple):
        return False
    if all(isinstance(item, int) for item in value):
        return 0 < len(value) <= MOST_LITERALS
    lengths = {len(item) for item in value if isinstance(item, tuple)}
    even = len(lengths) == 1 and all(isinstance(item, tuple) and literal(item) for item in value)
    return even and len(value) * lengths.pop() <= MOST_LITERALS


def checked_number(value: int) -> int:
    """Return a number that 64 bits hold.

    Raises:
        UnfitError: they do not.
    """
    if not -(1 << 63) <= value < 1 << 63:
        message = f"is {value:#x}, past 64 bits; split it over two numbers"
        raise UnfitError(message)
    return int(value) if not isinstance(value, bool) else value


def snapshot(value: Any) -> Any:
    """Return something to compare a constant by later, to see that it has not changed."""
    if isinstance(value, list | tuple | np.ndarray):
        try:
            return identity(normalise("constant", value))
        except Exception:  # noqa: BLE001  # an unfit constant is reported where it is used
            return id(value)
    return id(value) if not isinstance(value, int) else (type(value), int(value))


def _unfit(value: Any) -> str:
    if isinstance(value, str | bytes):
        return (
            f"is the string {value!r}; rules compute with whole numbers, so turn it into numbers "
            "in start() or in a property"
        )
    if isinstance(value, float | complex):
        return f"is the fraction {value!r}; rules compute with whole numbers, so scale it to one"
    if isinstance(value, dict | set | frozenset):
        return f"is a {type(value).__name__}; use a tuple or a NumPy array, looked up by number"
    return f"is a {type(value).__name__}, which rules cannot use; use whole numbers and tuples"
