"""The source map of generated code: the author's file, line and function."""

from __future__ import annotations

import re
from typing import NamedTuple

#: The pattern of a location in generated code, in Numba's messages.
_LOCATION = re.compile(r'<zermelo (\w+)>(?:", line | \()(\d+)')


class SourceLine(NamedTuple):
    """A line of the author's code.

    Attributes:
        filename: the file.
        line: the line, counted from 1.
        function: the name of its function, with its class.
    """

    filename: str
    line: int
    function: str


class Operation(NamedTuple):
    """An operation whose result may exceed 64 bits.

    Attributes:
        place: its location.
        text: the author's text.
    """

    place: SourceLine
    text: str


class SourceMap:
    """The functions of compiled rules, each with a file name of its own.

    Attributes:
        operations: the operations that may raise, by number.
    """

    def __init__(self) -> None:
        """Create an empty source map."""
        self.operations: dict[int, Operation] = {}
        self._functions: dict[str, tuple[str, str]] = {}
        self._kernel: dict[int, SourceLine] = {}

    def file_name(self, filename: str, function: str, name: str = "") -> str:
        """Return the file name under which to compile a function of the author, lines unchanged.

        Args:
            filename: the author's file.
            function: the author's name of the function.
            name: the generated name of the function. It may be compiled already, for a class in
                another file, and is known by this name then.
        """
        name = name or str(len(self._functions))
        self._functions[name] = filename, function
        return f"<zermelo {name}>"

    def kernel(self, lines: dict[int, SourceLine]) -> str:
        """Return the file name under which to compile the kernel, whose lines map to ``lines``."""
        self._kernel = lines
        return "<zermelo kernel>"

    def innermost(self, text: str) -> SourceLine | None:
        """Return the location in a message of Numba, if it is the author's."""
        places = [self._place(*location) for location in _LOCATION.findall(text)]
        known_places = [place for place in places if place is not None]
        return known_places[0] if known_places else None

    def _place(self, label: str, line: str) -> SourceLine | None:
        if label == "kernel":
            return self._kernel.get(int(line))
        if label not in self._functions:
            return None
        filename, function = self._functions[label]
        return SourceLine(filename, int(line), function)
