"""Names of vertices in a file: a line of JSON each, in which a tuple is a list."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Hashable, Iterator, Sequence
from numbers import Integral
from typing import Any

from zermelo.errors import ParameterError

#: The most bits of a number in a name; Python parses no more digits than these make.
_MOST_BITS = 10_000


def encode_names(nodes: Sequence[Hashable]) -> bytes:
    """Return the names of vertices in the format of a file; empty if they are numbers.

    Raises:
        ParameterError: a name cannot be written to a file.
    """
    if isinstance(nodes, range):
        return b""
    return "".join(f"{json.dumps(_encode_name(node, node))}\n" for node in nodes).encode()


def read(text: bytes) -> list[Hashable]:
    """Return the names in a file.

    Raises:
        ValueError: the text is not a list of names, or two names are equal.
    """
    try:
        nodes = [_decode_name(json.loads(line)) for line in text.split(b"\n")[:-1]]
    except RecursionError:
        raise ValueError(text[:1]) from None
    if len(set(nodes)) < len(nodes):
        raise ValueError(len(nodes))
    return nodes


def possible_names(text: str, nodes: Sequence[Hashable]) -> Iterator[Hashable]:
    """Yield the names that a text may stand for: a number, the text, its JSON, an equal label."""
    if isinstance(nodes, range):
        with contextlib.suppress(ValueError):
            yield int(text)
        return
    yield text
    with contextlib.suppress(ValueError, RecursionError):
        yield _decode_name(json.loads(text))
    yield from (node for node in nodes if str(node) == text)


def _encode_name(name: object, node: Hashable) -> Any:
    """Return a name, or a part of one, in the form of JSON.

    Raises:
        ParameterError: it has another type, or is too large a number.
    """
    if name is None or isinstance(name, str | bool):
        return name
    if isinstance(name, Integral) and int(name).bit_length() <= _MOST_BITS:
        return int(name)
    if isinstance(name, float) and math.isfinite(name):
        return float(name)
    if isinstance(name, tuple):
        return [_encode_name(part, node) for part in name]
    try:
        text = repr(node)
    except ValueError:  # a number with more digits than Python writes
        text = "with too many digits"
    message = (
        f"node {text} cannot be written to a file: a name is text, a number, None, or a tuple of "
        "these; rename it, as networkx.convert_node_labels_to_integers does"
    )
    raise ParameterError(message)


def _decode_name(name: Any) -> Hashable:
    """Return the name that a JSON value stands for."""
    if isinstance(name, list):
        return tuple(_decode_name(part) for part in name)
    if isinstance(name, dict):
        raise ValueError(name)  # noqa: TRY004  # the file is wrong, not the program
    return name  # type: ignore[no-any-return]  # the other types of JSON
