"""Pursuits as files: the definition, and the values that a pursuit's file has.

The file contains the graphs and the special nodes, so a probe or a check needs nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.file.arrays import Array, check_array, plain_array
from zermelo._engine.file.table_arrays import TableArrays
from zermelo._engine.table import Table
from zermelo._methods.pursuit.file import FileMarks, write_pursuit
from zermelo._store import graph_tables
from zermelo.errors import ParameterError
from zermelo.game.adjacency import adjacency
from zermelo.pursuits.definition import PursuitDefinition
from zermelo.values.registry import KINDS

if TYPE_CHECKING:
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Writer

_PER_BLOCK = 4096
#: Additional entries of a header, and their types.
_SAID: dict[str, type] = {
    "nodes": int,
    "together": bool,
    "stays": bool,
    "waits": list,
    "graphs": list,
    "edges": list,
    "rounds": int,
}


def read(reader: Reader) -> tuple[PursuitDefinition, Table, int]:
    """Return the pursuit in a file, its table, and its rounds.

    Raises:
        CorruptTableError: the contents contradict the header.
    """
    table_header = reader.header["table"]
    if not all(type(table_header.get(key)) is kind for key, kind in _SAID.items()):
        raise reader.part_error("header")
    definition = _read_definition(reader, table_header)
    if definition is None or definition.positions != table_header["positions"]:
        raise reader.part_error("pursuit")
    pages = TableArrays(reader)
    column, starts = (
        FileMarks(pages, definition.index),
        graph_tables.starts_of(reader, definition.positions),
    )
    return (
        definition,
        Table(definition.index, column, starts, "legal", pages),
        table_header["rounds"],
    )


def _read_definition(reader: Reader, table_header: dict[str, Any]) -> PursuitDefinition | None:
    """Return the pursuit in a file, or None if its definition is invalid."""
    graphs: list[Any] = []
    size, graph_numbers, waits = (
        table_header["nodes"],
        table_header["graphs"],
        table_header["waits"],
    )
    if type(table_header["value_kind"]) is not str or table_header["value_kind"] not in KINDS:
        return None
    if not 2 <= len(graph_numbers) <= 4 or len(waits) != 2:  # noqa: PLR2004  # one to three pursuers
        return None
    whole = [type(n) is int and n >= 0 for n in (size, *graph_numbers, *table_header["edges"])]
    if not all(whole) or any(type(may_wait) is not bool for may_wait in waits):
        return None
    for i, edges in enumerate(table_header["edges"]):
        check_array(reader, f"indptr{i}", np.dtype(np.int64), size + 1, _PER_BLOCK)
        check_array(reader, f"indices{i}", np.dtype(np.int32), edges, _PER_BLOCK)
        pair = reader.array(f"indptr{i}"), reader.array(f"indices{i}")
        try:
            graphs.append(adjacency(f"graph {i}", pair))
        except ParameterError:
            return None
    if max(graph_numbers) >= len(graphs):
        return None
    flags = []
    for name in ("safe", "forbidden"):
        check_array(reader, name, np.dtype(np.uint8), size, _PER_BLOCK)
        flags.append(reader.array(name).astype(np.bool_))
    return PursuitDefinition(
        tuple(graphs[i] for i in graph_numbers),
        flags[0],
        flags[1],
        table_header["together"] or len(graph_numbers) == 2,  # noqa: PLR2004  # the evader's and one more
        (waits[0], waits[1]),
        table_header["stays"],
        KINDS[table_header["value_kind"]].favours,
    )


def write(
    definition: PursuitDefinition,
    table: Table,
    rounds: int,
    writer: Writer,
    header: dict[str, Any],
    palette: Sequence[int],
) -> None:
    """Write a pursuit and its values.

    Args:
        definition: the pursuit.
        table: positions and values.
        rounds: plies of the longest pursuit that is decided.
        writer: the writer of the file.
        header: the other entries of the file's header.
        palette: the occurring values, ascending.
    """
    graphs = list({id(graph): graph for graph in definition.graphs}.values())
    numbers = [id(graph) for graph in graphs]
    arrays = []
    for i, (indptr, indices) in enumerate(graphs):
        arrays.append(_plain(f"indptr{i}", np.int64, indptr))
        arrays.append(_plain(f"indices{i}", np.int32, indices))
    arrays.append(_plain("safe", np.uint8, definition.safe))
    arrays.append(_plain("forbidden", np.uint8, definition.forbidden))
    details = {
        "nodes": definition.nodes,
        "together": definition.together,
        "stays": definition.stays,
        "waits": list(definition.waits),
        "graphs": [numbers.index(id(graph)) for graph in definition.graphs],
        "edges": [len(indices) for _, indices in graphs],
        "rounds": rounds,
    }
    write_pursuit(writer, table, header, palette, arrays, **details)


def _plain(name: str, kind: type[Any], array: npt.NDArray[Any]) -> Array:
    return plain_array(name, kind, len(array), _PER_BLOCK, lambda begin, end: array[begin:end])
