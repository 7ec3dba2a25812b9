"""The limits of a command, memory and threads, as options that are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from zermelo.amounts import memory_bytes
from zermelo.errors import ParameterError

Function = TypeVar("Function", bound=Callable[..., Any])


class Memory(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """An amount of memory, such as 2GB; converted to bytes."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the bytes."""
        try:
            return memory_bytes(value)
        except ParameterError:
            self.fail(f"{value!r} is not an amount; write one such as 2GB or 500MiB", param, ctx)


def limit_options(function: Function) -> Function:
    """Give a command ``--memory``, as bytes, and ``--threads``."""
    memory = click.option(
        "--memory",
        type=Memory(),
        help="The most memory to use, such as 2GB; by default most of the free memory.",
    )
    threads = click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="The number of threads; by default one per core.",
    )
    return memory(threads(function))
