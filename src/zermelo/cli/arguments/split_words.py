"""Values that a shell has split into several words, because they are not in quotation marks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any

import click

from zermelo.cli.arguments.json_text import correct_json
from zermelo.cli.errors import Stop

#: The beginning of an option; any other word belongs to an option's value, or is an argument.
_OPTION = re.compile(r"--?[A-Za-z].*|--", re.DOTALL)
_NUMBER = re.compile(r"-?\d+,?")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def check_words(options: Iterable[click.Option], args: list[str], arguments: int) -> None:
    """Stop if the value of a parameter is several words, with advice to write one.

    Args:
        options: those of the game's parameters.
        args: the words of the command line.
        arguments: the number of words that may follow and belong to no option.

    Raises:
        Stop: a value is split, or a flag has one.
    """
    options_by_name = {name: option for option in options for name in option.opts}
    for place, arg in enumerate(args):
        name, equals, first = arg.partition("=")
        if name not in options_by_name:
            continue
        words = [first] if equals else []
        for word in args[place + 1 :]:
            if _OPTION.fullmatch(word):
                break
            words.append(word)
        option = options_by_name[name]
        if option.is_flag:
            _check_flag(option, words)
        elif len(words) > 1 and (meant := _join_words(words, option.type, arguments)) is not None:
            message = f"{name} takes one word, and a shell splits words at spaces; write {name} "
            raise Stop(message + meant)


def _check_flag(option: click.Option, words: list[str]) -> None:
    truth = _TRUTH.get(words[0].lower()) if words else None
    if truth is not None:
        name = (option.opts if truth else option.secondary_opts)[0]
        message = f"{option.opts[0]} takes no value; write {name} alone"
        raise Stop(message)


def _join_words(words: list[str], kind: Any, arguments: int) -> str | None:
    """Return the one word that several words were meant to be, or None if they are arguments."""
    extra = len(words) - 1
    if extra <= arguments and _is_readable(kind.read, words[0]):
        return None
    for count in range(len(words), max(len(words) - arguments, 2) - 1, -1):
        whole = " ".join(words[:count])
        if kind.name != "integer" and _is_readable(kind.read, whole):
            return shlex.quote(whole)
        if (meant := correct_json(whole)) is not None and _is_readable(kind.read, meant):
            return shlex.quote(meant)
        numbers = ",".join(word.rstrip(",") for word in words[:count])
        if all(map(_NUMBER.fullmatch, words[:count])) and _is_readable(kind.read, numbers):
            return numbers
    return None


def _is_readable(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True
