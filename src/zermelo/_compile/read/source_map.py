"""Where generated code comes from: the author's file, line and function."""

from __future__ import annotations

import re
from typing import NamedTuple

#: How Numba's messages name a place in generated code.
_NAMED = re.compile(r'<zermelo (\w+)>(?:", line | \()(\d+)')


class SourceLine(NamedTuple):
    """A line of the author's.

    Attributes:
        filename: the file.
        line: the line, counted from 1.
        function: the function it is in, with its class.
    """

    filename: str
    line: int
    function: str


class Operation(NamedTuple):
    """An operation whose result may be past 64 bits.

    Attributes:
        place: where it stands.
        text: what the author wrote.
    """

    place: SourceLine
    text: str


class SourceMap:
    """The functions that compiled rules are made of, each with a file name of its own.

    Attributes:
        operations: the operations that may raise, by their numbers.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.operations: dict[int, Operation] = {}
        self._functions: dict[str, tuple[str, str]] = {}
        self._kernel: dict[int, SourceLine] = {}

    def named(self, filename: str, function: str, name: str = "") -> str:
        """Return the file name to compile a function of the author's under, lines unchanged.

        Args:
            filename: the author's file.
            function: what the function is called there.
            name: what it is called where it is compiled. It may be compiled already, for a class in
                another file, and is known by this name then.
        """
        name = name or str(len(self._functions))
        self._functions[name] = filename, function
        return f"<zermelo {name}>"

    def kernel(self, lines: dict[int, SourceLine]) -> str:
        """Return the file name to compile the kernel under, whose lines stand for these."""
        self._kernel = lines
        return "<zermelo kernel>"

    def innermost(self, text: str) -> SourceLine | None:
        """Return the place that a message of Numba's is about, if it is the author's."""
        found = [self._place(*named) for named in _NAMED.findall(text)]
        known = [place for place in found if place is not None]
        return known[0] if known else None

    def _place(self, which: str, line: str) -> SourceLine | None:
        if which == "kernel":
            return self._kernel.get(int(line))
        if which not in self._functions:
            return None
        filename, function = self._functions[which]
        return SourceLine(filename, int(line), function)
