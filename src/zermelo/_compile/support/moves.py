"""Operations of compiled code on moves: writing their whole numbers, or hashing them to one."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from zermelo._compile.support.variable_tuples import LooseType


def write_move(out: Any, at: Any, move: Any) -> Any:
    """Write the whole numbers of a move, and return the index of the next one."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(write_move)
def _write_move(out: Any, at: Any, move: Any) -> Any:
    if isinstance(move, types.Integer | types.Boolean):

        def one(out: Any, at: Any, move: Any) -> Any:
            if at < out.size:
                out[at] = move
            return at + 1

        return one
    if isinstance(move, LooseType):

        def several(out: Any, at: Any, move: Any) -> Any:
            for item in move:
                at = write_move(out, at, item)
            return at

        return several
    if not isinstance(move, types.BaseTuple):
        message = f"a move of the type {move}"
        raise TypingError(message)
    # Items may be of different types, so that a loop over them would not compile.
    lines = [f"    at = write_move(out, at, move[{n}])" for n in range(len(move))]
    head = "def each(out: Any, at: Any, move: Any) -> Any:"  # both signatures must be equal
    text = "\n".join([head, *lines, "    return at"])
    made: dict[str, Any] = {"write_move": write_move}
    exec(text, made)  # noqa: S102  # written by us
    return made["each"]


def move_mark(move: Any, mark: Any) -> Any:
    """Return a hash of a move below 4,096."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(move_mark)
def _move_mark(move: Any, mark: Any) -> Any:
    if isinstance(move, types.Integer | types.Boolean):

        def one(move: Any, mark: Any) -> Any:
            return (mark * 61 + move) & 0xFFF

        return one
    if isinstance(move, LooseType):

        def several(move: Any, mark: Any) -> Any:
            for item in move:
                mark = move_mark(item, mark)
            return mark

        return several
    if not isinstance(move, types.BaseTuple):

        def alike(move: Any, mark: Any) -> Any:
            return mark

        return alike
    # Items may be of different types, so that a loop over them would not compile.
    lines = [f"    mark = move_mark(move[{n}], mark)" for n in range(len(move))]
    head = "def each(move: Any, mark: Any) -> Any:"
    made: dict[str, Any] = {"move_mark": move_mark}
    exec("\n".join([head, *lines, "    return mark"]), {"Any": Any, **made}, made)  # noqa: S102
    return made["each"]
