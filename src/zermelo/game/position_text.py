"""Positions as text in JSON or Python, read without running it."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

from zermelo.game.field_types import FieldType
from zermelo.game.parameters import position_of


def read_position(kind: Any, text: str, holds: tuple[FieldType, ...] = ()) -> Any:
    """Return the position of a text in JSON or Python.

    Args:
        kind: the class of the game's positions; None if positions are numbers.
        text: such as ``[1, 2, 0]``, ``{"mouse": 1, "cat": 2, "turn": 0}``, ``(1, 2, 0)`` or
            ``Position(mouse=1, cat=2, turn=0)``.
        holds: the contents of each field, if they are not just integers and tuples of them.

    Raises:
        ValueError: the text is neither, or it is another value.
    """
    position = position_of(kind, read_literal(text), holds)
    if type(position) is not (int if kind is None else kind):
        raise ValueError(text)
    return position


def read_literal(text: str) -> Any:
    """Return a value of JSON or Python: tuples as lists, and records as dictionaries or lists.

    Raises:
        ValueError: it is neither.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(text) from error


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int() | str() | None):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case ast.Tuple() | ast.List():
            return [_value(item) for item in node.elts]
        case ast.Call(func=ast.Name(), args=[], keywords=[_, *_]):
            return {str(keyword.arg): _value(keyword.value) for keyword in node.keywords}
        case ast.Call(func=ast.Name(), keywords=[]):
            return [_value(item) for item in node.args]
    raise ValueError(ast.dump(node))
