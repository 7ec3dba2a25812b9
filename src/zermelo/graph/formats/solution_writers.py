"""Solved graphs for other programs: attributes of nodes, Graphviz, GraphML, PGSolver."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from zermelo.errors import ParameterError
from zermelo.graph.formats.solved_arrays import SolvedArrays
from zermelo.graph.solving import NONE

if TYPE_CHECKING:
    from zermelo.graph.parity import ParitySolution
    from zermelo.solution.solution import Solution

#: The type of each attribute in GraphML.
_TYPES = {
    "name": "string",
    "player": "int",
    "value": "string",
    "remoteness": "int",
    "winner": "int",
    "best": "string",
}
#: The colour of a vertex by its winner, or, if vertices have no owners, by its outcome.
_FILLS = {0: "#cfe2f3", 1: "#fce5cd", -1: "#eeeeee"}
_MOODS = {"win": "#d9ead3", "draw": "#eeeeee", "loss": "#f4cccc"}


def node_attributes(solution: Solution | ParitySolution) -> dict[Any, dict[str, Any]]:
    """Return the value and the best move of each vertex of a solved graph, as node attributes.

    ``networkx.set_node_attributes(graph, node_attributes(solution))`` adds them to the graph.

    Args:
        solution: the solution of a graph, or of a parity game.

    Returns:
        For each vertex, by its name or its number, a dictionary with ``value``, which is ``"win"``,
        ``"draw"`` or ``"loss"`` for the player to move; ``remoteness``, if play comes to an end;
        ``winner``, 0 or 1, and ``player``, who is to move, if vertices have owners; and ``best``,
        the vertex that the first best edge leads to, if the game goes on.

    Raises:
        ParameterError: the solution is not of a graph.
    """
    return dict(SolvedArrays.of(solution).attributes())


def write_graphml(
    solution: Solution | ParitySolution, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a solved graph as GraphML, which networkx, Gephi and yEd read.

    Nodes have the attributes of ``node_attributes``, and their ``name``; edges have ``best``, which
    is true for the first best edge of each vertex.

    Args:
        solution: the solution of a graph, or of a parity game.
        path: the file to write.
        overwrite: whether an existing file may be replaced.

    Returns:
        The path.

    Raises:
        ParameterError: the solution is not of a graph.
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: the file cannot be written.
    """
    return _write(path, _graphml(SolvedArrays.of(solution)), overwrite=overwrite)


def write_dot(
    solution: Solution | ParitySolution, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a solved graph in Graphviz' language, to be drawn by ``dot``.

    A vertex of player 0 is an ellipse and one of player 1 a box; a terminal vertex has a double
    line. The colour shows the winner or, if vertices have no owners, the value. The first best edge
    of each vertex is bold.

    Args:
        solution: the solution of a graph, or of a parity game.
        path: the file to write.
        overwrite: whether an existing file may be replaced.

    Returns:
        The path.

    Raises:
        ParameterError: the solution is not of a graph.
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: the file cannot be written.
    """
    return _write(path, _dot(SolvedArrays.of(solution)), overwrite=overwrite)


def write_pgsolver_solution(
    solution: Solution | ParitySolution, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write the winner of each vertex, and a winning strategy, in the format of PGSolver.

    Each line has the number of a vertex, its winner, and the winner's move if it is its turn: a
    strategy that wins from every vertex that the player can win.

    Args:
        solution: the solution of a game that ``read_pgsolver`` has read without ``names``.
        path: the file to write.
        overwrite: whether an existing file may be replaced.

    Returns:
        The path.

    Raises:
        ParameterError: the solution is not of a graph, its vertices have no owners or names that
            are not numbers, or a vertex is a draw.
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: the file cannot be written.
    """
    return _write(path, pgsolver_solution(solution), overwrite=overwrite)


def pgsolver_solution(solution: Solution | ParitySolution) -> Iterator[str]:
    """Return the lines that ``write_pgsolver_solution`` writes.

    Raises:
        ParameterError: see ``write_pgsolver_solution``.
    """
    solved = SolvedArrays.of(solution)
    other_names = [node for node in solved.nodes if not isinstance(node, int)][:1]
    if solved.owner is None or solved.winner is None or other_names:
        actual = f"the vertex {other_names[0]!r}" if other_names else "vertices without owners"
        message = f"a solution of PGSolver has numbers and owners, and this graph has {actual}; "
        message += "read the game without names"
        raise ParameterError(message)
    draws = np.flatnonzero(solved.winner < 0)
    if len(draws):
        message = f"vertex {solved.nodes[int(draws[0])]} is a draw, and in a parity game somebody "
        message += "wins; give a game that read_pgsolver has read"
        raise ParameterError(message)
    return _winners(solved)


def _graphml(solved: SolvedArrays) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, kind in _TYPES.items():
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
    yield '<key id="along" for="edge" attr.name="best" attr.type="boolean"/>'
    yield '<graph edgedefault="directed">'
    for v, (node, attributes) in enumerate(solved.attributes()):
        data = "".join(
            f'<data key="{key}">{escape(_xml_text(str(value)))}</data>'
            for key, value in {"name": node, **attributes}.items()
        )
        yield f"<node id={quoteattr(f'n{v}')}>{data}</node>"
    for v, target, best in solved.edges():
        data = f'<data key="along">{str(best).lower()}</data>'
        yield f'<edge source="n{v}" target="n{target}">{data}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _dot(solved: SolvedArrays) -> Iterator[str]:
    yield "digraph game {"
    yield '  node [style=filled, fontname="sans-serif"];'
    for v, (node, attributes) in enumerate(solved.attributes()):
        value = attributes["value"]
        value += f" in {attributes['remoteness']}" if "remoteness" in attributes else ""
        label = "\\n".join(_quote(part) for part in (str(node), value))
        fill = (
            _FILLS[attributes.get("winner", -1)]
            if solved.winner is not None
            else _MOODS[attributes["value"]]
        )
        shape = "box" if attributes.get("player") == 1 else "ellipse"
        border = ", peripheries=2" if solved.edge[v] < 0 else ""
        yield f'  v{v} [label="{label}", shape={shape}, fillcolor="{fill}"{border}];'
    for v, target, best in solved.edges():
        yield f"  v{v} -> v{target}{' [style=bold]' if best else ''};"
    yield "}"


def _winners(solved: SolvedArrays) -> Iterator[str]:
    winner: Any = solved.winner
    owner: Any = solved.owner
    yield f"paritysol {max(solved.nodes, default=0)};"  # type: ignore[type-var]  # numbers, as was checked
    for v, node in enumerate(solved.nodes):
        move = ""
        if winner[v] == owner[v]:
            # If the game is decided, every edge stays decided.
            edge = int(solved.edge[v]) if solved.given[v] == NONE else int(solved.indptr[v])
            if edge < int(solved.indptr[v + 1]):
                move = f" {solved.nodes[int(solved.indices[edge])]}"
        yield f"{node} {winner[v]}{move};"


def _quote(text: str) -> str:
    """Return a text escaped for quotes in Graphviz' language."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\0", "")


def _xml_text(text: str) -> str:
    """Return a text with the characters that XML forbids replaced."""
    return "".join(c if c >= " " or c in "\t\n\r" else "\N{REPLACEMENT CHARACTER}" for c in text)


def _write(path: str | os.PathLike[str], lines: Iterator[str], *, overwrite: bool) -> Path:
    from zermelo._engine.file.destination import check_place
    from zermelo.atomic_write import write_text

    target = check_place(path, overwrite=overwrite)
    write_text(target, "\n".join(lines) + "\n")
    return target
