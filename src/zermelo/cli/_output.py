"""What commands write to standard output: one JSON document, or a table for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

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


def write_json(document: Any) -> None:
    """Write a document on one line."""
    click.echo(json.dumps(document))


def write(*renderables: RenderableType) -> None:
    """Write tables and text, as wide as the terminal."""
    console = console_on(sys.stdout)
    with console.capture() as captured:
        for renderable in renderables:
            console.print(renderable)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def console_on(stream: Any) -> Console:
    """Return a console for this call; nothing in it is taken for markup."""
    from rich.console import Console

    width = None if stream.isatty() else _WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
