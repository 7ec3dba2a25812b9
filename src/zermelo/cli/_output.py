"""What commands write to standard output: one JSON document, or a table for people."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zermelo.cli._errors import Stop

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

#: Columns where there is no terminal to ask.
_WIDTH = 80

Function = TypeVar("Function", bound=Callable[..., Any])


def output_options(quiet: str) -> Callable[[Function], Function]:
    """Give a command ``--json`` (``as_json``) and ``--quiet``.

    Args:
        quiet: what is still written with ``--quiet``, for its help.
    """

    def decorate(function: Function) -> Function:
        as_json = click.option(
            "--json", "as_json", is_flag=True, help="Write one JSON document to standard output."
        )
        return as_json(click.option("--quiet", is_flag=True, help=quiet)(function))

    return decorate


def check_writable(name: str, *, replaces: bool) -> None:
    """See, before any work is done for it, that a file can be written.

    Args:
        name: the file.
        replaces: whether it may take the place of a file that is there.

    Raises:
        Stop: it cannot.
    """
    path = Path(name)
    if path.exists() and not (path.is_dir() or path.is_file()):  # which a new file would replace
        message = f"{name!r} is a device or a pipe; give the path of a file"
        raise Stop(message)
    if path.is_dir() or (path.exists() and not replaces):
        message = f"{name!r} is there already; give another path, or move it away"
        raise Stop(message)
    if not path.parent.is_dir():
        message = f"cannot write {name!r}: there is no folder {str(path.parent)!r}; make it first"
        raise Stop(message)
    if not os.access(path.parent, os.W_OK):
        message = f"cannot write {name!r}: its folder is not writable; give another path"
        raise Stop(message)


def write_json(document: Any) -> None:
    """Write a document on one line."""
    click.echo(json.dumps(document))


def write(*renderables: RenderableType, wide: int = 0) -> None:
    """Write tables and text, as wide as the terminal, or ``wide`` where that is more."""
    console = console_on(sys.stdout)
    console.width = max(console.width, wide)
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def console_on(stream: Any) -> Console:
    """Return a console for this call; nothing in it is taken for markup."""
    from rich.console import Console

    width = None if stream.isatty() else _WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
