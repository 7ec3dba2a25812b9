"""Parity games in the format of PGSolver, some of which are games of reachability."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.graph.game import GraphGame
from zermelo.graph.parity import Convention, ParityGame
from zermelo.graph.solving import NONE
from zermelo.progress import Listener, Reporter
from zermelo.values.outcomes import LOSS, WIN

#: The least bytes that are read at a time.
_CHUNK = 1 << 23
#: The least bytes of a vertex, ``0 0 0 0;``, and of a successor.
_VERTEX, _SUCCESSOR = 8, 2
#: The header of a file, and the most bytes that it takes.
_HEADER = re.compile(rb"\s*(?:parity\s+(\d+)\s*;)?\s*(?:start\s+(\d+)\s*;)?\s*")
_LONGEST_HEADER = 1 << 10
_EXPECTED = (
    "the number of a vertex",
    "a priority",
    "an owner (0 or 1)",
    "the number of a successor",
    "',', a name in quotes or ';'",
)
#: Bytes of a text that a message shows.
_EXCERPT_BYTES = 30


def read_pgsolver(
    path: str | os.PathLike[str] | IO[bytes],
    *,
    names: bool = False,
    parity: Convention = "max even",
    progress: Listener | None = None,
) -> GraphGame | ParityGame:
    """Read a parity game in the format of PGSolver, ``.gm``.

    Player 0 wins play without end if the greatest priority that recurs for ever is even, and player
    1 if it is odd. (O. Friedmann and M. Lange, "The PGSolver collection of parity game solvers",
    2009.) A player who cannot move loses.

    Some games are questions of reachability, whose solution has distances, too: if on every cycle
    all priorities are even or all odd, and if one player wins all cycles that can be left. The
    other player then wins by reaching a cycle of its parity, which cannot be left: its vertices
    become terminal. For the first, play without end is a win (``endless``).

    The file is read piece by piece, at some hundred megabytes a second.

    Args:
        path: the file, or a file opened for reading bytes.
        names: whether vertices get the names in the file, which each must have then; by default
            they keep their numbers.
        parity: the convention of the priorities; see ``solve_parity``.
        progress: called with an ``Event`` now and then, which counts bytes.

    Returns:
        A ``GraphGame`` if the game is one of reachability, else a ``ParityGame``; vertices are in
        ascending order of their numbers. Its ``start`` is that of the file, if the file has one.

    Raises:
        ParameterError: the file is not such a game. The message names the place.
        OSError: the file cannot be read.
    """
    report = Reporter(progress)
    contents = _Contents(names=names)
    with ExitStack() as stack:
        file: Any = path
        total = None
        if isinstance(path, str | os.PathLike):
            total = Path(path).stat().st_size
            file = stack.enter_context(Path(path).open("rb"))
        elif not hasattr(path, "read"):
            message = f"{path!r} is not a file; give a path, or a file that is open for bytes"
            raise ParameterError(message)
        stack.enter_context(report.phase("read", total))
        for byte_count in contents.read_file(file):
            report.advance(byte_count)
    with report.phase("sort"):
        return _game(contents, parity)


@dataclass
class _Contents:
    """The parts of a game that have been read, piece by piece.

    Attributes:
        names: whether names are wanted.
        start: the number of the vertex where the game starts, or None.
        numbers: numbers and priorities of vertices, an array per piece.
        facts: owners and numbers of successors, an array per piece.
        edges: successors, an array per piece.
        vertex_names: names, with None for a vertex without a name.
    """

    names: bool
    start: int | None = None
    numbers: list[npt.NDArray[np.int64]] = field(default_factory=list)
    facts: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    edges: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    vertex_names: list[str | None] = field(default_factory=list)

    def read_file(self, file: IO[bytes]) -> Iterator[int]:
        """Read a file; yield the number of bytes read, now and then.

        Raises:
            ParameterError: it is not a game.
        """
        unread, byte_count, line, has_header = b"", 0, 1, False
        while True:
            piece = file.read(max(_CHUNK, len(unread)))  # a vertex may be longer
            if not isinstance(piece, bytes):
                message = "the file is open for text; open it for bytes, with mode 'rb'"
                raise ParameterError(message)
            text = unread + piece
            begin = 0
            if not has_header:
                header = _HEADER.match(text)
                begin = header.end() if header else 0  # it matches nothing as well
                may_continue = begin == len(text) or text[begin : begin + 1].isalpha()
                if piece and may_continue and len(text) < _LONGEST_HEADER:
                    unread = text
                    continue
                self.start = int(header[2]) if header and header[2] else None
                has_header = True
            end, is_complete = self._vertices(text, begin, line)
            if not piece:
                if not is_complete:
                    excerpt = _excerpt(text, end)
                    message = f"the file ends within the vertex {excerpt}; it has to end with ';'"
                    raise ParameterError(message)
                return
            line += text.count(b"\n", 0, end)
            unread = text[end:]
            byte_count += len(piece)
            yield byte_count

    def _vertices(self, text: bytes, begin: int, line: int) -> tuple[int, bool]:
        """Read the vertices of a piece; return where an incomplete one begins, and if none does.

        Raises:
            ParameterError: the text is not a game.
        """
        from zermelo._methods.explicit import kernels_pgsolver as kernels

        data = np.frombuffer(text, np.uint8)
        vertex_limit = len(data) // _VERTEX + 1
        numbers, facts = (
            np.empty((vertex_limit, 2), np.int64),
            np.empty((vertex_limit, 2), np.uint32),
        )
        edges = np.empty(len(data) // _SUCCESSOR + 1, np.uint32)
        names = np.empty((vertex_limit if self.names else 0, 2), np.int64)
        state, end, expected_item, count, total = kernels.read_vertices(
            data, begin, len(data), numbers, facts, edges, names
        )
        if state == kernels.INVALID:
            number = line + text.count(b"\n", 0, end)
            message = f"line {number} has {_excerpt(text, end)} where {_EXPECTED[expected_item]}"
            message += " is expected; correct the file"
            raise ParameterError(message)
        self.numbers.append(numbers[:count].copy())
        self.facts.append(facts[:count].copy())
        self.edges.append(edges[:total].copy())
        if self.names:
            spans = names[:count].tolist()
            self.vertex_names += [
                text[low:high].decode("utf-8", "replace") if high else None for low, high in spans
            ]
        return end, state == kernels.DONE


def _excerpt(text: bytes, offset: int) -> str:
    return repr(text[offset : offset + _EXCERPT_BYTES].decode("utf-8", "replace"))


def _concatenate(parts: list[Any], width: int, dtype: Any) -> Any:
    """Return pieces as one array, and clear the list."""
    if not parts:
        return np.empty((0, width) if width > 1 else 0, dtype)
    array = parts[0] if len(parts) == 1 else np.concatenate(parts)
    parts.clear()
    return array


def _game(contents: _Contents, parity: Convention) -> GraphGame | ParityGame:
    """Return the game of a file.

    Raises:
        ParameterError: it is inconsistent.
    """
    numbers = _concatenate(contents.numbers, 2, np.int64)
    facts = _concatenate(contents.facts, 2, np.uint32)
    edges = _concatenate(contents.edges, 1, np.uint32)
    names, priorities = numbers[:, 0], numbers[:, 1]
    owners, degrees = facts[:, 0].astype(np.uint8), facts[:, 1].astype(np.int64)
    indptr = np.zeros(len(names) + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    vertex_names: list[str | None] = contents.vertex_names
    if (names[1:] <= names[:-1]).any():
        order = np.argsort(names, kind="stable")
        names, priorities, owners = names[order], priorities[order], owners[order]
        duplicates = np.flatnonzero(names[1:] == names[:-1])
        if len(duplicates):
            message = f"vertex {names[duplicates[0]]} is described twice; leave one of them out"
            raise ParameterError(message)
        begins, degrees = indptr[order], degrees[order]
        np.cumsum(degrees, out=indptr[1:])
        edges = edges[np.repeat(begins - indptr[:-1], degrees) + np.arange(len(edges))]
        vertex_names = [vertex_names[i] for i in order.tolist()] if vertex_names else vertex_names
    is_dense = not len(names) or int(names[-1]) == len(names) - 1
    if not is_dense or (len(edges) and int(edges.max()) >= len(names)):
        places = np.searchsorted(names, edges)
        is_described = np.append(names, -1)[places] == edges
        if not is_described.all():
            edge_index = int(np.argmin(is_described))
            source = names[int(np.searchsorted(indptr, edge_index, side="right")) - 1]
            message = (
                f"vertex {source} has the successor {edges[edge_index]}, which is not described; "
            )
            message += "add it, or leave out the edge"
            raise ParameterError(message)
        edges = places.astype(np.uint32)
    nodes: list[Any] | None = None if is_dense else names.tolist()
    start = contents.start
    if (
        start is not None
        and start not in range(len(names))
        and (is_dense or start not in set(nodes or ()))
    ):
        message = f"the game starts at vertex {start}, which is not described; correct the file"
        raise ParameterError(message)
    if contents.names:
        place = None if start is None else int(np.searchsorted(names, start))
        nodes = _vertex_names(vertex_names, names)
        start = None if place is None else nodes[place]
    odd = (priorities & 1).astype(np.bool_) ^ parity.endswith("odd")
    reachability = _decided_outcomes(indptr, edges, odd, owners)
    if reachability is None:
        return ParityGame(indptr, edges, priorities, owners, parity, start, nodes)
    outcome, endless = reachability
    return GraphGame(indptr, edges, outcome, owners, LOSS, endless, start, nodes)


def _vertex_names(names: list[str | None], numbers: npt.NDArray[np.int64]) -> list[Any]:
    """Return the names of all vertices.

    Raises:
        ParameterError: a vertex has no name, or two names are equal.
    """
    numbers_by_name: dict[str, int] = {}
    for number, name in zip(numbers.tolist(), names, strict=True):
        if name is None:
            message = f"vertex {number} has no name; leave out names, and use numbers"
            raise ParameterError(message)
        if name in numbers_by_name:
            message = f"vertices {numbers_by_name[name]} and {number} both have the name {name!r}; "
            message += "leave out names, and use numbers"
            raise ParameterError(message)
        numbers_by_name[name] = number
    return list(numbers_by_name)


def _decided_outcomes(
    indptr: npt.NDArray[np.int64],
    edges: npt.NDArray[np.uint32],
    odd: npt.NDArray[np.bool_],
    owners: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int8], int] | None:
    """Return the outcomes of decided vertices, and who wins endless play.

    Return None if the game is not one of reachability.

    Args:
        indptr: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        odd: whether player 1 wins if the priority of a vertex decides.
        owners: the player to move at each vertex.
    """
    from zermelo._methods.explicit import kernels_pgsolver as kernels

    count = len(owners)
    outcome = np.full(count, NONE, np.int8)
    sinks = np.empty(count, np.bool_)
    kernels.sinks(indptr, edges, sinks)
    some_odd, some_even = bool((odd & ~sinks).any()), bool((~odd & ~sinks).any())
    if not (some_odd and some_even):  # as most games of reachability are written
        endless = 0 if some_even else 1
        decided = sinks & (odd != bool(endless))
        outcome[decided] = np.where(owners[decided] == endless, LOSS, WIN)
        return outcome, endless
    # Most parity games have a cycle of both parities that is found at once, and others are rare.
    for last in (0, 1):
        if kernels.has_mixed_cycle(indptr, edges, odd, np.zeros(count, np.uint32), last):
            return None
    from zermelo._engine.infinite.components import components

    component, component_count = components(indptr, edges)
    flags = np.zeros(component_count, np.uint8)
    kernels.survey_components(indptr, edges, component, odd, flags)
    parities = kernels.EVEN | kernels.ODD
    has_cycle = (flags & kernels.STAYS) != 0
    can_be_left = has_cycle & ((flags & kernels.LEAVES) != 0)
    is_mixed = has_cycle & ((flags & parities) == parities)
    winners = np.bitwise_or.reduce(flags[can_be_left], initial=0) & parities
    if is_mixed.any() or winners == parities:
        return None
    # If no cycle can be left, play without end is impossible, and either player may be its winner.
    endless = 0 if winners == kernels.EVEN else 1
    decides = has_cycle & ~can_be_left & ((flags & (kernels.EVEN if endless else kernels.ODD)) != 0)
    decided = decides[component]
    outcome[decided] = np.where(owners[decided] == endless, LOSS, WIN)
    return outcome, endless
