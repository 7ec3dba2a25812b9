"""Members of an Enum in compiled rules: records that are comparable only with their own kind."""

from __future__ import annotations

import operator
from collections import namedtuple
from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from zermelo._compile.support.arithmetic import numba_operation
from zermelo._compile.support.numba_types import Context, Type
from zermelo._compile.support.type_names import MARK


def enum_record(name: str, fields: tuple[str, ...]) -> Any:
    """Return the class of the records for the members of the Enum ``name``."""
    factory: Any = namedtuple  # noqa: PYI024  # the name is known only now
    record = factory(name, fields)
    record.of_enum = name
    return record


def _comparison(name: str, numba_function: Any) -> Any:
    """Return an intrinsic that compares two values, and rejects members of different Enums."""

    def compare(context: Context, left: Any, right: Any) -> Any:
        _check(left, right, ordered=name not in ("eq", "ne"))
        resolved = numba_operation(context, numba_function, (left, right))
        if resolved is None:
            return None
        signature, write = resolved
        return signature, lambda target, builder, _, arguments: write(target, builder, arguments)

    compare.__name__ = compare.__qualname__ = name
    return intrinsic(compare)


def _check(left: Any, right: Any, *, ordered: bool) -> None:
    """Raise TypingError if Python's Enums are never equal, or have no order."""
    if not (isinstance(left, types.BaseTuple) and isinstance(right, types.BaseTuple)):
        return
    kinds = [_enum_of(left), _enum_of(right)]
    if kinds[0] != kinds[1]:
        left_item, right_item = (f"a member of {kind}" if kind else "a tuple" for kind in kinds)
        problem = f"compares {left_item} with {right_item}, which are never equal"
        message = f"{MARK}{problem}; compare their values"
        raise TypingError(message)
    if kinds[0] and ordered:
        message = f"{MARK}orders members of {kinds[0]}, which have no order; compare their values"
        raise TypingError(message)
    for left_item, right_item in zip(left, right, strict=False):
        _check(left_item, right_item, ordered=ordered)


def _enum_of(kind: Type) -> str:
    """Return the name of the Enum of records of a type, or ""."""
    return getattr(getattr(kind, "instance_class", None), "of_enum", "")


eq = _comparison("eq", operator.eq)
ne = _comparison("ne", operator.ne)
lt = _comparison("lt", operator.lt)
le = _comparison("le", operator.le)
gt = _comparison("gt", operator.gt)
ge = _comparison("ge", operator.ge)
