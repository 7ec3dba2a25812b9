"""Arrays that compiled rules read and write, but do not keep: nobody counts references to them.

Numba counts who holds an array, with an atomic instruction for each function it is handed to. Rules
are handed their game's data and the kernel's buffers for every move, so counting took more time
than playing. Whoever calls a kernel holds its arrays until it has ended, and so nothing in it need.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.datamodel import models
from numba.core.imputils import lower_cast
from numba.extending import intrinsic, register_model


class BorrowedType(types.Array):  # type: ignore[misc]  # Numba has no type hints
    """The Numba type of an array that is held elsewhere."""

    def copy(self, *arguments: Any, **named: Any) -> Any:
        """Return the type of what is made of it: an ordinary array, since it may be a new one.

        The name and the arguments are Numba's. A part of a borrowed array has no count to change,
        so that counting ends at a test whether there is one.
        """
        return self._ordinary.copy(*arguments, **named)

    @property
    def _ordinary(self) -> Any:
        return types.Array(
            self.dtype, self.ndim, self.layout, readonly=not self.mutable, aligned=self.aligned
        )


@register_model(BorrowedType)
class _BorrowedModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    """An array's fields, among them a pointer to its count, but one that is only a pointer."""

    def __init__(self, manager: Any, kind: BorrowedType) -> None:
        members = [
            ("meminfo", types.voidptr),
            ("parent", types.voidptr),
            ("nitems", types.intp),
            ("itemsize", types.intp),
            ("data", types.CPointer(kind.dtype)),
            ("shape", types.UniTuple(types.intp, kind.ndim)),
            ("strides", types.UniTuple(types.intp, kind.ndim)),
        ]
        super().__init__(manager, kind, members)


@lower_cast(BorrowedType, types.Array)
def _to_ordinary(target: Any, builder: Any, kind: Any, wanted: Any, value: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return the same fields: there is no count to change."""
    return value


@intrinsic
def borrowed(context: Any, array: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return an array as one whose references are not counted, and anything else as it is."""
    if not isinstance(array, types.Array):

        def same(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target.nrt.incref(builder, signature.args[0], arguments[0])
            return arguments[0]

        return array(array), same
    kind = BorrowedType(
        array.dtype, array.ndim, array.layout, readonly=not array.mutable, aligned=array.aligned
    )

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held = target.make_array(signature.args[0])(target, builder, arguments[0])
        lent = target.make_array(kind)(target, builder)
        for field in ("nitems", "itemsize", "data", "shape", "strides"):
            setattr(lent, field, getattr(held, field))
        for field in ("meminfo", "parent"):
            setattr(lent, field, getattr(lent, field).type(None))
        return lent._getvalue()  # noqa: SLF001  # Numba's own name for it

    return kind(array), generate
