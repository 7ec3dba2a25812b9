"""Names of vertices in a file: a line of JSON each, in which a tuple is a list."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Hashable, Iterator, Sequence
from numbers import Integral
from typing import Any

from zermelo.errors import ParameterError

#: The most bits of a number that is part of a name; Python reads no more digits than these make.
_MOST_BITS = 10_000


def written(nodes: Sequence[Hashable]) -> bytes:
    """Return the names of vertices as they stand in a file; nothing where they are numbers.

    Raises:
        ParameterError: a name is none that a file can have.
    """
    if isinstance(nodes, range):
        return b""
    return "".join(f"{json.dumps(_plain(node, node))}\n" for node in nodes).encode()


def read(text: bytes) -> list[Hashable]:
    """Return the names that stand in a file.

    Raises:
        ValueError: it is not a text of names, or names two vertices alike.
    """
    try:
        nodes = [_named(json.loads(line)) for line in text.split(b"\n")[:-1]]
    except RecursionError:
        raise ValueError(text[:1]) from None
    if len(set(nodes)) < len(nodes):
        raise ValueError(len(nodes))
    return nodes


def meant(text: str, nodes: Sequence[Hashable]) -> Iterator[Hashable]:
    """Yield what a text may name: a number, or itself, it as JSON, and the node that looks so."""
    if isinstance(nodes, range):
        with contextlib.suppress(ValueError):
            yield int(text)
        return
    yield text
    with contextlib.suppress(ValueError, RecursionError):
        yield _named(json.loads(text))
    yield from (node for node in nodes if str(node) == text)


def _plain(name: Any, node: Hashable) -> Any:
    """Return a name, or a part of one, as JSON has it.

    Raises:
        ParameterError: it is of another type, or too long a number.
    """
    if name is None or isinstance(name, str | bool):
        return name
    if isinstance(name, Integral) and int(name).bit_length() <= _MOST_BITS:
        return int(name)
    if isinstance(name, float) and math.isfinite(name):
        return float(name)
    if isinstance(name, tuple):
        return [_plain(part, node) for part in name]
    try:
        shown = repr(node)
    except ValueError:  # a number of more digits than Python writes
        shown = "with too many digits"
    message = (
        f"node {shown} cannot be written to a file: a name is text, a number, None, or a tuple of "
        "these; rename it, as networkx.convert_node_labels_to_integers does"
    )
    raise ParameterError(message)


def _named(name: Any) -> Hashable:
    """Return what a name in JSON stands for."""
    if isinstance(name, list):
        return tuple(_named(part) for part in name)
    if isinstance(name, dict):
        raise ValueError(name)  # noqa: TRY004  # the file is wrong, not the program
    return name  # type: ignore[no-any-return]  # all else that JSON has
