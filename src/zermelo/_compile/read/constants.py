"""What names in rules stand for: numbers written into the code, data handed over, other code.

Numbers are written into the code, which lets the compiler fold them. Rows and arrays are handed to
the compiled rules as arguments, so that another graph or another row of piles compiles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._compile.support.rows import depths_of, flatten
from zermelo.errors import ParameterError
from zermelo.game.contract import Game, parameter_names
from zermelo.game.parameters import normalise

#: A constant tuple at most this long is written into the code.
MOST_LITERALS = 64
#: Rows may be nested this deeply.
MOST_DEPTH = 3
#: The kind of a number that is handed over.
NUMBER = "number"


class UnfitError(Exception):
    """A value cannot be used in rules; the message says why and what to use instead."""


@dataclass(frozen=True)
class Passed:
    """Data handed to compiled rules.

    Attributes:
        name: what the generated module calls it.
        kind: ``"array1"`` (``array2``, …: dimensions; a trailing ``b`` for booleans), ``"rows2"``
            (``rows3``: depth) or ``NUMBER``.
        path: where it comes from: a parameter's or property's name, with attributes of it after
            dots, or None for a constant.
        value: the constant itself, for a constant.
    """

    name: str
    kind: str
    path: str | None
    value: Any = field(default=None, compare=False)

    @property
    def nested(self) -> int:
        """How deeply a tuple of this kind is nested; 0 where it is not a tuple's."""
        return int(self.kind[4:]) if self.kind.startswith("rows") else int(self.kind == "array1")

    @property
    def arrays(self) -> int:
        """How many arrays (or numbers) it is handed over as."""
        return self.nested or 1

    def fits(self, game: Game) -> bool:
        """Whether a game has data of this kind there."""
        if self.path is None:
            return True
        try:
            value = read(game, self.path)
            if isinstance(value, tuple) and self.nested:
                depths = depths_of(value)
                return depths is not None and depths[0] <= self.nested <= depths[1]
            return kind_of(value) == self.kind
        except UnfitError:
            return False

    def handed(self, game: Game) -> list[Any]:
        """Return the arrays (or the number) to hand over for a game."""
        value = self.value if self.path is None else read(game, self.path)
        if isinstance(value, int):
            return [int(value)]
        if isinstance(value, np.ndarray):
            return [value]
        return flatten(value, self.arrays)


def kind_of(value: Any) -> str:
    """Return the kind that data would be passed as.

    Raises:
        UnfitError: rules cannot use it.
    """
    if type(value) is int:
        checked_number(value)
        return NUMBER
    if isinstance(value, np.ndarray):
        return f"array{value.ndim}" + ("b" if value.dtype == np.bool_ else "")
    if isinstance(value, tuple):
        depths = depths_of(value)
        if depths is None:
            strange = _strange(value)
            if strange is not None:
                raise UnfitError(_unfit(strange, "holds"))
            message = "is a tuple of unlike things; keep numbers and rows of numbers apart"
            raise UnfitError(message)
        depth = depths[0]
        if depth > MOST_DEPTH:
            message = f"is nested {depth} deep; at most {MOST_DEPTH} is possible"
            raise UnfitError(message)
        return "array1" if depth == 1 else f"rows{depth}"
    raise UnfitError(_unfit(value))


def derived(game: Game, name: str) -> bool:
    """Whether an attribute is worked out from a game's parameters, and so may differ by game."""
    kind = type(game)
    if name in parameter_names(game):
        return False
    own = not hasattr(kind, name) and hasattr(game, name)
    return own or isinstance(getattr(kind, name, None), property | cached_property)


def sized(game: Game) -> bool:
    """Whether a game has rows or arrays, so that games of its class may be of many sizes."""
    return any(
        isinstance(getattr(game, name), tuple | np.ndarray) for name in parameter_names(game)
    )


def read(game: Game, path: str) -> Any:
    """Return a parameter or property of a game, or an attribute of one, in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    name, *attributes = path.split(".")
    value = getattr(game, name)
    for attribute in attributes:
        value = getattr(value, attribute)
    return value if path in parameter_names(game) else constant(value)


def constant(value: Any) -> Any:
    """Return a module's or class's constant in its immutable form.

    Raises:
        UnfitError: rules cannot use it.
    """
    if isinstance(value, dict | set | frozenset | float | complex | str | bytes):
        raise UnfitError(_unfit(value))
    try:
        return normalise("constant", value)
    except ParameterError:
        message = f"is {_words(value)}; rules compute with whole numbers, so convert it to integers"
        raise UnfitError(message) from None


def literal(value: Any) -> bool:
    """Whether a constant is a number, or a tuple of them short enough to be written out."""
    if value is None or isinstance(value, int):
        return True
    return isinstance(value, tuple) and _even(value) and 0 < _count(value) <= MOST_LITERALS


def _even(value: tuple[Any, ...]) -> bool:
    """Whether the rows of a nested tuple are of one length at each depth."""
    if all(isinstance(item, int) for item in value):
        return True
    if not all(isinstance(item, tuple) for item in value):
        return False
    joined = [inner for item in value for inner in item]
    return len({len(item) for item in value}) == 1 and _even(tuple(joined))


def _count(value: Any) -> int:
    return sum(_count(item) for item in value) if isinstance(value, tuple) else 1


def checked_number(value: int) -> int:
    """Return a number that 64 bits hold.

    Raises:
        UnfitError: they do not.
    """
    if not -(1 << 63) <= value < 1 << 63:
        message = f"is {value:#x}, past 64 bits; split it over two numbers"
        raise UnfitError(message)
    return int(value) if not isinstance(value, bool) else value


def _strange(value: Any) -> Any:
    """Return the first thing inside nested tuples that is neither a tuple nor a whole number."""
    for item in value:
        found = _strange(item) if isinstance(item, tuple) else item
        if found is not None and not isinstance(found, int):
            return found
    return None


def _words(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def _unfit(value: Any, verb: str = "is") -> str:
    if isinstance(value, str | bytes):
        return (
            f"{verb} the string {value!r}; rules compute with whole numbers, so turn it into "
            "numbers in start() or in a property"
        )
    if isinstance(value, float | complex):
        return (
            f"{verb} the fraction {value!r}; rules compute with whole numbers, so scale it to one"
        )
    if isinstance(value, dict | set | frozenset):
        return f"{verb} {_words(value)}; use a tuple or a NumPy array, looked up by number"
    return f"{verb} {_words(value)}, which rules cannot use; use whole numbers and tuples"
