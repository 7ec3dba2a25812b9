"""Parameters of a game in immutable form, so that a game can be hashed, compared and compiled.

Lists become tuples at every depth, arrays become read-only ``int64`` (or ``bool``) arrays, NumPy
integers become Python's, and a networkx graph, or a dictionary of neighbours, becomes one row of
neighbours for each node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import chain
from numbers import Integral
from typing import Any

from zermelo.errors import ParameterError
from zermelo.game.field_types import FieldType
from zermelo.game.records import names_of

#: Types of values that are not changed.
_IMMUTABLE = frozenset({int, bool, str, type(None)})
_ROWS = frozenset({list, tuple})
#: Types of the neighbours of a node in a dictionary; the keys of a dictionary are neighbours.
_NEIGHBOURS = (list, tuple, set, frozenset, dict)


def normalise(name: str, value: Any) -> Any:
    """Return ``value`` in the immutable form for rules.

    Args:
        name: the parameter's name, for the message.
        value: the given value.

    Raises:
        ParameterError: the value is of no use to rules (a float array, a mapping, a set).
    """
    if type(value) in _IMMUTABLE or isinstance(value, int | str):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(normalise(name, item) for item in value))
    if isinstance(value, tuple | list | range):
        return _row(name, value)
    import numpy as np  # not for the parameters of most games

    if isinstance(value, np.ndarray):
        return _frozen_array(name, value)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if hasattr(value, "adjacency") and hasattr(value, "nodes"):
        return neighbour_rows(name, value)
    rows = isinstance(value, dict) and value.values()
    if rows and any(isinstance(row, _NEIGHBOURS) for row in rows):
        return neighbour_rows(name, value)
    if isinstance(value, dict | set | frozenset):
        message = (
            f"parameter {name!r} is a {type(value).__name__}, which has no order; "
            "give a list, a tuple or a NumPy array"
        )
        raise ParameterError(message)
    return value


def _row(name: str, value: Any) -> tuple[Any, ...]:
    """Return a row in its immutable form; rows of numbers are converted in one step."""
    kinds = set(map(type, value))
    if kinds <= _IMMUTABLE:
        return tuple(value)
    if kinds <= _ROWS and _IMMUTABLE.issuperset(map(type, chain.from_iterable(value))):
        return tuple(map(tuple, value))
    return tuple([normalise(name, item) for item in value])


def neighbour_rows(name: str, graph: Any) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours (successors, if edges are directed) of nodes 0, 1, … n-1.

    Nodes 0 to n-1 keep their numbers; digits in text count as numbers, as JSON has no other keys.
    Nodes with other names are numbered in the order of the graph.

    Args:
        name: the parameter's name, for the message.
        graph: a dictionary of neighbours, a networkx graph, or any object with ``nodes`` and
            ``adjacency()`` like one.

    Raises:
        ParameterError: its numbers are not those from 0, or a neighbour is not a node.
    """
    of_networkx = hasattr(graph, "adjacency")
    rows = dict(graph.adjacency() if of_networkx else graph.items())
    nodes = [_node(key) for key in rows]
    count, number = len(nodes), {node: place for place, node in enumerate(nodes)}
    if any(isinstance(node, int) for node in nodes):
        invalid = next((node for node in nodes if node not in range(count)), None)
        if invalid is None and len(number) < count:
            invalid = next(node for node in nodes if nodes.count(node) > 1)
        if invalid is not None:
            remedy = "use networkx.convert_node_labels_to_integers(graph)"
            message = (
                f"{name} has a node {invalid!r}, but nodes with numbers must be 0 to {count - 1}, "
                f"each once; {remedy if of_networkx else 'number them so, or use names'}"
            )
            raise ParameterError(message)
        number = {node: node for node in nodes}
    result: list[tuple[int, ...]] = [()] * count
    for node, (key, row) in zip(nodes, rows.items(), strict=True):
        result[number[node]] = _neighbours(f"{name}[{key!r}]", row, number)
    return tuple(result)


def _node(key: object) -> Any:
    """Return the number or the name of a node; digits in text are converted to a number."""
    if isinstance(key, str):
        return int(key) if key.isdecimal() else key
    return int(key) if isinstance(key, Integral) else key


def _neighbours(label: str, row: object, number: dict[Any, int]) -> tuple[int, ...]:
    """Return a row of nodes as numbers; a set, which has no order, in ascending order."""
    if isinstance(row, str) or not isinstance(row, Iterable):
        message = f"{label} must be a list of neighbours, not {row!r}; write [] if there are none"
        raise ParameterError(message)
    try:
        neighbours = [number[_node(key)] for key in row]
    except (KeyError, TypeError):
        invalid = next(
            key for key in row if not isinstance(key, Hashable) or _node(key) not in number
        )
        message = f"{label} names {invalid!r}, which is not a node; add it, or leave the edge out"
        raise ParameterError(message) from None
    return tuple(sorted(neighbours) if isinstance(row, set | frozenset) else neighbours)


def hashable_parameter(value: Any) -> Any:
    """Return a hashable object that is equal for equal parameters, including arrays."""
    if type(value) in _IMMUTABLE:
        return value
    if isinstance(value, tuple):
        return tuple(hashable_parameter(item) for item in value)
    import numpy as np

    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    return value


def position_of(kind: Any, content: Any, holds: tuple[FieldType, ...] = ()) -> Any:
    """Return the position from the result of ``as_json``.

    Another list as a tuple, anything else unchanged.

    Args:
        kind: the class of the game's positions; that of a number if positions are numbers.
        content: a number, a list of the fields, or a dictionary of them.
        holds: the contents of each field, if they are not just integers and tuples of them.
    """
    names = names_of(kind)
    if names and isinstance(content, dict) and content.keys() == set(names):
        content = [content[name] for name in names]
    if names and isinstance(content, list) and len(content) == len(names):
        if holds:
            return kind(*map(_part_of, holds, content))
        return kind(*(tuple(item) if isinstance(item, list) else item for item in content))
    return tuple(content) if isinstance(content, list) else content


def _part_of(shape: FieldType, content: object) -> Any:
    """Return a part of a position; anything else unchanged."""
    if shape.field_names:
        return position_of(shape.kind, content, shape.parts or ())
    if shape.parts is None or not isinstance(content, list) or len(content) != len(shape.parts):
        return content
    return tuple(map(_part_of, shape.parts, content))


def as_json(value: Any) -> Any:
    """Return a parameter, a position or a move in JSON's types."""
    if type(value) in _IMMUTABLE:
        return value
    names = names_of(type(value))
    if names:
        return {name: as_json(getattr(value, name)) for name in names}
    if isinstance(value, list | tuple | range):
        if all(type(item) is int for item in value):  # the usual case, which may be long
            return list(value)
        return [as_json(item) for item in value]
    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, str):
        return value
    return int(value) if isinstance(value, int) else repr(value)


def _frozen_array(name: str, array: Any) -> Any:
    """Return a read-only copy of an array, of ``int64`` or ``bool``."""
    import numpy as np

    if not array.ndim:
        message = f"parameter {name!r} is an array without dimensions; give the number itself"
        raise ParameterError(message)
    if array.dtype == np.bool_:
        frozen = np.array(array, dtype=np.bool_, order="C")
    elif np.issubdtype(array.dtype, np.integer):
        if array.size and int(array.max()) > np.iinfo(np.int64).max:
            largest = int(array.max())
            message = f"parameter {name!r} holds {largest}, past 64 bits; use smaller numbers"
            raise ParameterError(message)
        frozen = np.array(array, dtype=np.int64, order="C")
    else:
        message = (
            f"parameter {name!r} is an array of {array.dtype}, and rules compute with whole "
            "numbers; convert it to integers"
        )
        raise ParameterError(message)
    frozen.flags.writeable = False
    return frozen
