"""The output of commands: one JSON document, or text for people."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Literal

import click

from zermelo.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

#: The columns of a line if standard output is not a terminal.
_WIDTH = 80

#: Standard output, while ``reserve_output`` keeps it for the command alone.
_reserved: list[IO[str]] = []


@contextlib.contextmanager
def reserve_output() -> Iterator[None]:
    """Redirect the output of an author's rules to standard error for the length of the block."""
    _reserved.append(standard_output())
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        _reserved.pop()


def standard_output() -> IO[str]:
    """Return the stream that a command's answer goes to."""
    return _reserved[-1] if _reserved else sys.stdout


def write_line(text: str) -> None:
    """Write a line to standard output, in colours only on a terminal that wants them."""
    sys.stderr.flush()  # the output of rules comes before that of the command
    stream = standard_output()
    click.echo(text, file=stream, color=shows_colours(stream))


def shows_colours(stream: IO[str]) -> bool:
    """Return whether a stream shows colours: a terminal that can, unless NO_COLOR is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


@dataclass(frozen=True)
class Output:
    """The form of a command's answer.

    Attributes:
        as_json: whether the answer is one JSON document and nothing else.
        quiet: whether the answer is as short as possible.
    """

    as_json: bool
    quiet: bool

    @property
    def plain(self) -> bool:
        """Whether the answer is the full text for people."""
        return not (self.as_json or self.quiet)

    def watch(self) -> ProgressBar:
        """Return the progress bar, which is invisible unless the answer is ``plain``."""
        return ProgressBar(quiet=not self.plain)

    def write(self, document: Any, text: str | Callable[[], None], brief: str = "") -> None:
        """Write the answer.

        Args:
            document: the answer with ``--json``.
            text: the text for people, or a function that writes it.
            brief: the text with ``--quiet``; nothing is written if it is empty.
        """
        if self.as_json:
            write_line(json.dumps(document))
        elif self.quiet:
            if brief:
                write_line(brief)
        elif callable(text):
            text()
        else:
            write_line(text)


def write_facts(rows: Sequence[tuple[str, str]], *, wrap: bool = True) -> None:
    """Write names and texts, one a line.

    Args:
        rows: the names and texts.
        wrap: whether long texts are wrapped; text to be copied is not.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=not wrap)
    for label, text in rows:
        table.add_row(Text(label), Text(text))
    longest = max((len(label) + len(text) + 6 for label, text in rows), default=0)
    write(table, wide=0 if wrap else longest)


def write_columns(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str]
) -> None:
    """Write columns, whose texts are never cut.

    Args:
        headings: the names of the columns.
        rows: the texts of each row.
        right: the names of the columns that are aligned to the right.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings:
        justify: Literal["left", "right"] = "right" if heading in right else "left"
        table.add_column(Text(heading), justify=justify, no_wrap=True)
    for cells in rows:
        table.add_row(*map(Text, cells))
    write(table, wide=sum(max(map(len, cells)) + 2 for cells in zip(headings, *rows, strict=True)))


def write(*renderables: RenderableType, wide: int = 0) -> None:
    """Write tables and text to the width of the terminal, or to ``wide`` if that is more."""
    from rich.console import Console

    stream = standard_output()
    width = None if stream.isatty() else _WIDTH  # nothing is taken for markup
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    console.width = max(console.width, wide)
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    write_line("\n".join(line.rstrip() for line in captured.get().splitlines()))
