"""Options that are the same everywhere: limits, and the form of the answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from zermelo.cli.errors import Stop
from zermelo.cli.output import Output
from zermelo.errors import ParameterError
from zermelo.methods import VALUES
from zermelo.resources import memory_bytes

Function = TypeVar("Function", bound=Callable[..., Any])


class OptionValue(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """The type of an option's value, read by a function that raises ValueError for a wrong text."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        """Read values.

        Args:
            name: the name of the value in help.
            read: the function.
        """
        self.name = name
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that a word of the command line stands for."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _parse_amount(text: str) -> int | None:
    try:
        return memory_bytes(text)
    except ParameterError:
        message = f"{text!r} is not an amount; write one such as 2GB or 500MiB"
        raise ValueError(message) from None


#: An amount of memory, such as 2GB; converted to bytes.
MEMORY = OptionValue("amount", _parse_amount)


def _parse_seconds(text: str) -> float:
    match = _DURATION.fullmatch(text.strip())
    if match is None or not float(match[1]):
        message = f"{text!r} is not a time; write one such as 30s, 10m or 2h"
        raise ValueError(message)
    return float(match[1]) * {"h": 3600, "m": 60}.get(match[2], 1)


#: A length of time, such as 10m; converted to seconds.
DURATION = OptionValue("time", _parse_seconds)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|)")


def limit_options(function: Function) -> Function:
    """Give a command ``--memory``, as bytes, and ``--threads``."""
    memory = click.option(
        "--memory",
        type=MEMORY,
        help="The most memory to use, such as 2GB; by default most of the free memory.",
    )
    threads = click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="The number of threads; by default one per core.",
    )
    return memory(threads(function))


def cluster_option(function: Function) -> Function:
    """Give a command that solves into a table ``--cluster``."""
    return click.option(
        "--cluster",
        metavar="WORKERS",
        help="With --table: the workers to solve with: local[2] for two processes of this machine, "
        "ray or ray://head:10001 for the nodes of a Ray cluster, mpi under mpirun. The table is "
        "the same as without them.",
    )(function)


def check_cluster_table(cluster: str | None, table: str | None) -> None:
    """Stop if there are workers but no table, whose folder they share."""
    if cluster is not None and table is None:
        message = "--cluster needs --table, the path of a file in a folder that all workers share"
        raise Stop(message)


def report_options(samples: str) -> Callable[[Function], Function]:
    """Add ``--html``, ``--samples`` and ``--seed`` to a command that writes a report.

    Args:
        samples: the help of ``--samples``.
    """

    def decorate(function: Function) -> Function:
        html_option = click.option(
            "--html", metavar="FILE", help="Write a self-contained page with plots."
        )
        samples_option = click.option(
            "--samples",
            type=click.IntRange(min=1),
            default=20_000,
            show_default=True,
            metavar="N",
            help=samples,
        )
        seed_option = click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="The random seed.",
        )
        return html_option(samples_option(seed_option(function)))

    return decorate


def value_option(function: Function) -> Function:
    """Give a command ``--value``: the kind of value to find."""
    option = click.option(
        "--value",
        type=click.Choice(VALUES),
        help="The kind of value: outcome (who wins), nimber (of impartial games), partizan (the "
        "game in canonical form that a position is worth) or score-and-plies (of score games).",
    )
    return option(function)


def _parse_precision(text: str) -> float:
    try:
        precision = float(text)
    except ValueError:
        precision = 0.0
    if not 0 < precision <= 1:
        message = f"{text!r} is not between 0 and 1; write a number such as 1e-6"
        raise ValueError(message)
    return precision


def precision_option(function: Function) -> Function:
    """Give a command ``--precision``: how close the bounds of expectations are."""
    option = click.option(
        "--precision",
        type=OptionValue("number", _parse_precision),
        help="Of a game with chance: the greatest distance between the bounds of a probability, or "
        "in a score game as a share of the greatest margin; by default 1e-9.",
    )
    return option(function)


def misere_option(function: Function) -> Function:
    """Give a command ``--misere``: whether a player who cannot move wins."""
    option = click.option(
        "--misere",
        is_flag=True,
        help="Misère play: a player who cannot move wins. Results that the rules declare stay.",
    )
    return option(function)


def output_options(quiet: str) -> Callable[[Function], Function]:
    """Give a command ``--json`` and ``--quiet``; it is called with both as ``output``.

    Args:
        quiet: the help of ``--quiet``, which names the remaining output.
    """

    def decorate(function: Function) -> Function:
        @wraps(function)
        def wrapper(*context: click.Context, as_json: bool, quiet: bool, **values: object) -> Any:
            return function(*context, output=Output(as_json, quiet), **values)

        as_json = click.option(
            "--json", "as_json", is_flag=True, help="Write one JSON document to standard output."
        )
        return cast("Function", as_json(click.option("--quiet", is_flag=True, help=quiet)(wrapper)))

    return decorate
