"""Cops and Robbers on all graphs of a file: their cop numbers and capture times."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.progress import Listener, Reporter
from zermelo.resources import thread_count

#: Bytes of a batch of one thread.
_CHUNK = 1 << 20
_HEADER = b">>graph6<<"
#: The least bytes of a line: a graph with one node, and the end of the line.
_LEAST_LINE = 2
#: Characters of a line that a message shows, and the first characters of other formats.
_SHOWN = 40
_OTHERS = {b":": "sparse6", b";": "incremental sparse6", b"&": "digraph6"}


@dataclass(frozen=True)
class CopNumbers:
    """Cop numbers and capture times of many graphs, in the order of the file.

    Attributes:
        nodes: the number of nodes of each graph, uint8.
        cop_number: its cop number, int8; -1 if a component of the graph needs more than three cops.
        capture_time: rounds in which that many cops catch a robber who delays, int16; -1 if
            ``cop_number`` is -1. The longest of the components' times.
    """

    nodes: npt.NDArray[np.uint8]
    cop_number: npt.NDArray[np.int8]
    capture_time: npt.NDArray[np.int16]

    def __len__(self) -> int:
        """Return the number of graphs."""
        return len(self.nodes)

    def counts(self) -> dict[tuple[int, int], int]:
        """Return the number of graphs by number of nodes and cop number, ascending."""
        pairs, multiplicities = np.unique(
            np.stack([self.nodes.astype(np.int64), self.cop_number]), axis=1, return_counts=True
        )
        return {(n, c): k for n, c, k in zip(*pairs.tolist(), multiplicities.tolist(), strict=True)}

    def times(self) -> dict[tuple[int, int, int], int]:
        """Return the number of graphs by nodes, cop number and capture time, ascending."""
        rows = np.stack([self.nodes.astype(np.int64), self.cop_number, self.capture_time])
        distinct, multiplicities = np.unique(rows, axis=1, return_counts=True)
        return {
            (n, c, t): k
            for n, c, t, k in zip(*distinct.tolist(), multiplicities.tolist(), strict=True)
        }

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays by name, as ``pandas.DataFrame`` takes them."""
        return {
            "nodes": self.nodes,
            "cop_number": self.cop_number,
            "capture_time": self.capture_time,
        }


def cop_numbers(
    graphs: str | os.PathLike[str] | IO[bytes] | Iterable[str | bytes],
    *,
    threads: int | None = None,
    progress: Listener | None = None,
) -> CopNumbers:
    """Return the cop number and the capture time of every graph of a file in graph6.

    The rules are those of ``cop_number``, and capture times are those of ``capture_time``. The file
    is read piece by piece; four bytes per graph stay in memory. A graph of n nodes on which k cops
    win takes about n**k words of operations a round.

    Args:
        graphs: the path of a file of graph6, such as ``geng`` of nauty writes; the file itself,
            opened for reading bytes; or lines of graph6. A graph has 1 to 64 nodes.
        threads: threads to use; by default as many as there are cores.
        progress: called with an ``Event`` now and then, which counts bytes.

    Returns:
        The numbers, in the order of the graphs.

    Raises:
        ParameterError: a line is not a graph in graph6, or the graph has more than 64 nodes.
        OSError: the file cannot be read.
    """
    workers = thread_count(threads)
    report = Reporter(progress)
    parts: list[tuple[npt.NDArray[Any], ...]] = []
    waiting: deque[Future[tuple[npt.NDArray[Any], ...]]] = deque()
    with ExitStack() as stack:
        total = None
        if isinstance(graphs, str | os.PathLike):
            total = Path(graphs).stat().st_size
            source: Any = stack.enter_context(Path(graphs).open("rb"))
        else:
            source = graphs
        pool = stack.enter_context(ThreadPoolExecutor(workers, thread_name_prefix="zermelo-cops"))
        stack.enter_context(report.phase("catch", total))
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        line = byte_count = 0
        for chunk in _chunks(source):
            waiting.append(pool.submit(_graph_results, chunk, line))
            line += chunk.count(b"\n")
            byte_count += len(chunk)
            if len(waiting) > 2 * workers:
                parts.append(waiting.popleft().result())
                report.advance(byte_count)
        parts += [job.result() for job in waiting]
    kinds = (np.uint8, np.int8, np.int16)
    columns = [
        np.concatenate([np.empty(0, kind), *(part[i] for part in parts)])
        for i, kind in enumerate(kinds)
    ]
    return CopNumbers(*columns)


def _chunks(source: Any) -> Iterator[bytes]:
    """Yield batches of whole lines."""
    remainder = b""
    for piece in _pieces(source):
        text = remainder + piece
        end = text.rfind(b"\n") + 1
        remainder = text[end:]
        if end:
            yield text[:end]
    if remainder:
        yield remainder + b"\n"


def _pieces(source: Any) -> Iterator[bytes]:
    """Yield the bytes of a file, or of lines."""
    if hasattr(source, "read"):
        while piece := source.read(_CHUNK):
            if not isinstance(piece, bytes):
                message = "the file of graphs is open for text; open it for bytes, with mode 'rb'"
                raise ParameterError(message)
            yield piece
        return
    lines_read: list[bytes] = []
    size = 0
    try:
        lines = iter(source)
    except TypeError:
        message = f"graphs={source!r} is not a file; give a path, a file, or lines of graph6"
        raise ParameterError(message) from None
    for line in lines:
        if not isinstance(line, str | bytes):
            message = f"{line!r} is not a line of graph6; give text or bytes, such as b'Bw'"
            raise ParameterError(message)
        text = line.encode("utf-8") if isinstance(line, str) else line
        lines_read.append(text if text.endswith(b"\n") else text + b"\n")
        size += len(text)
        if size >= _CHUNK:
            yield b"".join(lines_read)
            lines_read, size = [], 0
    yield b"".join(lines_read)


def _graph_results(chunk: bytes, line_count: int) -> tuple[npt.NDArray[Any], ...]:
    """Return nodes, cop numbers and capture times of the graphs of some lines.

    Args:
        chunk: the lines.
        line_count: the number of lines of the file before them.

    Raises:
        ParameterError: a line is not a graph.
    """
    from zermelo._methods.pursuit import kernels_graph6 as kernels

    # A file may begin with a header, and networkx writes one before each graph.
    chunk = chunk.replace(_HEADER, b"")
    data = np.frombuffer(chunk, np.uint8)
    capacity = len(data) // _LEAST_LINE + 1
    nodes, numbers = np.empty(capacity, np.uint8), np.empty(capacity, np.int8)
    rounds = np.empty(capacity, np.int16)
    words = np.empty(kernels.WORDS, np.uint64)
    count, problem, offset = kernels.catch(data, 0, len(data), words, nodes, numbers, rounds)
    if problem:
        line_start = chunk.rfind(b"\n", 0, offset) + 1
        text = chunk[line_start : chunk.find(b"\n", line_start)]
        wrong = {
            kernels.STRANGE_BYTE: "is not graph6, which has the characters ? to ~ only",
            kernels.STRANGE_LENGTH: "is not as long as its number of nodes needs",
            kernels.TOO_LARGE: f"has more than {kernels.MOST_NODES} nodes",
            kernels.EMPTY: "is a graph without nodes",
        }[problem]
        raise _line_error(text, line_count + chunk.count(b"\n", 0, offset) + 1, wrong)
    return nodes[:count].copy(), numbers[:count].copy(), rounds[:count].copy()


def _line_error(text: bytes, number: int, wrong: str) -> ParameterError:
    """Return the error for an invalid line.

    Args:
        text: the line.
        number: the number of the line, from 1.
        wrong: the fault that the kernel found.
    """
    text_shown = repr(text[:_SHOWN].decode("ascii", "backslashreplace"))
    text_shown += "…" if len(text) > _SHOWN else ""
    advice = "correct the line, or leave it out"
    if text[:1] in _OTHERS:
        wrong, advice = f"is {_OTHERS[text[:1]]}", "write the graphs as graph6"
    elif "more than" in wrong:
        advice = "leave it out, and ask zermelo.cop_number about it"
    return ParameterError(f"line {number}, {text_shown}, {wrong}; {advice}")
