"""The stored forms of values in levels, and deciding positions by them: a class per kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.value_operations import MARGINS, OUTCOMES, ValueOperations
from zermelo._engine.expand.expander import Buffers
from zermelo._methods.levels.index import MEANING
from zermelo._methods.levels.kernels import (
    STORED_MARGINS,
    STORED_OUTCOMES,
    StoredForm,
    part_fold,
)
from zermelo.values.kind import Kind, entry_of

#: The most levels for which a remoteness fits in a byte.
_NARROW = 60


class WideValueError(Exception):
    """A value does not fit in the type of the stored values."""


class HeldValues(ABC):
    """The stored form of a kind of values in levels.

    Attributes:
        in_slots: whether a value fits in a slot, next to the position.
        operations: the operations on values.
        form: the stored form, in kernels.
    """

    in_slots: ClassVar[bool]
    operations: ClassVar[ValueOperations]
    form: ClassVar[StoredForm]

    def widen(self) -> None:
        """Use a wider type from now on, as a value did not fit."""
        raise NotImplementedError

    @abstractmethod
    def dtype(self, levels: int) -> np.dtype[Any]:
        """Return the type of stored values in a game with ``levels`` levels."""

    @abstractmethod
    def meaning(self, dtype: np.dtype[Any]) -> npt.NDArray[np.int32] | None:
        """Return the code of each stored value; None if codes are stored."""

    def raise_values(
        self,
        done: int,
        buffers: Buffers,
        numbers: npt.NDArray[np.int64],
        turns: npt.NDArray[np.uint8],
        above: npt.NDArray[Any],
        out: npt.NDArray[Any],
        *,
        first: bool,
    ) -> None:
        """Raise the values of expanded positions to the best of their children in this part.

        Args:
            done: the number of positions.
            buffers: the buffers that they were expanded into.
            numbers: the index of each child in ``above``, -1 for a child that is not in this part.
            turns: the player to move by that index, or empty if the players strictly alternate.
            above: values of the levels above.
            out: the values.
            first: whether ``out`` has no values yet.

        Raises:
            WideValueError: a value does not fit ``out``.
        """
        made = (buffers.ends, buffers.values, buffers.owners, buffers.gains)
        nothing = int(np.iinfo(out.dtype).min)
        fold = part_fold(self.operations, self.form)
        if not fold(done, *made, numbers, turns, above, out, first, nothing):
            raise WideValueError


class HeldOutcomes(HeldValues):
    """Win, draw or loss and remoteness: in a byte, or as codes if there are many levels."""

    in_slots = True
    operations = OUTCOMES
    form = STORED_OUTCOMES

    def dtype(self, levels: int) -> np.dtype[Any]:
        """Return the type of stored values; see ``HeldValues``."""
        return np.dtype(np.uint8 if levels <= _NARROW else np.int32)

    def meaning(self, dtype: np.dtype[Any]) -> npt.NDArray[np.int32] | None:
        """Return the codes of bytes."""
        return MEANING if dtype == np.uint8 else None


class HeldMargins(HeldValues):
    """Margins: in two bytes, or in eight once one does not fit."""

    in_slots = False
    operations = MARGINS
    form = STORED_MARGINS

    def __init__(self) -> None:
        """Start with two bytes."""
        self._dtype: np.dtype[Any] = np.dtype(np.int16)

    def widen(self) -> None:
        """Use eight bytes from now on."""
        self._dtype = np.dtype(np.int64)

    def dtype(self, levels: int) -> np.dtype[Any]:  # noqa: ARG002  # margins do not count plies
        """Return the type of stored values; see ``HeldValues``."""
        return self._dtype

    def meaning(self, dtype: np.dtype[Any]) -> None:
        """Return None, as the margins themselves are stored."""


def held_values(kind: Kind) -> HeldValues:
    """Return the stored form of values of a kind.

    Raises:
        UnknownKindError: the method of levels does not know the kind.
    """
    return entry_of(kind, _HELD, "the method of levels")()


_HELD: dict[str, type[HeldValues]] = {"win-draw-loss": HeldOutcomes, "score": HeldMargins}
#: The algebras of values that levels can hold.
HELD_ALGEBRAS = tuple(_HELD)
