"""Operations of compiled code on moves: writing their whole numbers, or hashing them to one."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from zermelo._compile.support.variable_tuples import VariableTupleType


def write_move(out: Any, index: Any, move: Any) -> Any:
    """Write the whole numbers of a move, and return the index of the next one."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(write_move)
def _write_move(out: Any, index: Any, move: Any) -> Any:
    if isinstance(move, types.Integer | types.Boolean):

        def write_number(out: Any, index: Any, move: Any) -> Any:
            if index < out.size:
                out[index] = move
            return index + 1

        return write_number
    if isinstance(move, VariableTupleType):

        def write_items(out: Any, index: Any, move: Any) -> Any:
            for item in move:
                index = write_move(out, index, item)
            return index

        return write_items
    if not isinstance(move, types.BaseTuple):
        message = f"a move of the type {move}"
        raise TypingError(message)
    # Items may be of different types, so that a loop over them would not compile.
    lines = [f"    index = write_move(out, index, move[{n}])" for n in range(len(move))]
    head = (
        "def write_parts(out: Any, index: Any, move: Any) -> Any:"  # both signatures must be equal
    )
    text = "\n".join([head, *lines, "    return index"])
    space: dict[str, Any] = {"write_move": write_move}
    exec(text, space)  # noqa: S102  # written by us
    return space["write_parts"]


def hash_move(move: Any, value: Any) -> Any:
    """Return a hash of a move, below 4,096, that continues the hash ``value``."""
    raise NotImplementedError  # it is the overload that is compiled


@overload(hash_move)
def _hash_move(move: Any, value: Any) -> Any:
    if isinstance(move, types.Integer | types.Boolean):

        def hash_number(move: Any, value: Any) -> Any:
            return (value * 61 + move) & 0xFFF

        return hash_number
    if isinstance(move, VariableTupleType):

        def hash_items(move: Any, value: Any) -> Any:
            for item in move:
                value = hash_move(item, value)
            return value

        return hash_items
    if not isinstance(move, types.BaseTuple):

        def without_numbers(move: Any, value: Any) -> Any:
            return value

        return without_numbers
    # Items may be of different types, so that a loop over them would not compile.
    lines = [f"    value = hash_move(move[{n}], value)" for n in range(len(move))]
    head = "def hash_parts(move: Any, value: Any) -> Any:"
    space: dict[str, Any] = {"hash_move": hash_move}
    exec("\n".join([head, *lines, "    return value"]), {"Any": Any, **space}, space)  # noqa: S102
    return space["hash_parts"]
