"""Numba's errors, in one sentence that points at the author's line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zermelo._compile.support import MARK
from zermelo.errors import CompileError

if TYPE_CHECKING:
    from zermelo._compile.module import LineMap

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "[^"]*_zermelo_rules_[^"]*", line (\d+)')
_SENTENCES: list[tuple[re.Pattern[str], str]] = [
    (re.compile(re.escape(MARK) + r"([^\n]*)"), r"\1"),
    (
        re.compile(r"Unknown attribute '([^']+)' of type (\S+)"),
        r"nothing here has an attribute '\1'; in rules a position has its fields and no methods",
    ),
    (
        re.compile(r"Cannot unify (.+?) and (.+?) for '([^'.]+)[^']*'"),
        r"'\3' is \1 at one place and \2 at another; keep a variable to one kind of thing",
    ),
    (
        re.compile(r"Can't unify return type from the following types: ([^\n]+)"),
        r"the returns are of different kinds (\1); return one kind on every path",
    ),
    (
        re.compile(r"No implementation of function Function\(<[^>]*function (\w+)[^)]*\)"),
        r"\1() cannot be used on these values in rules; keep to whole numbers and tuples of them",
    ),
    (
        re.compile(r"name '([^']+)' is not defined"),
        r"the name '\1' is not defined",
    ),
    (
        re.compile(r"[Vv]ariable '?([\w.]+?)(?:\.\d+)?'? (?:is )?(?:referenced|not defined)"),
        r"the variable '\1' may be used before it is given a value; set it first",
    ),
    (re.compile(r"too many positional arguments|missing a required argument: '[^']*'"), ""),
    (
        re.compile(r"(?:float64|float32)"),
        r"a fraction (a float) appears; keep to whole numbers, dividing with //",
    ),
    (
        re.compile(r"none"),
        r"something may be None; a return may be missing on some path",
    ),
]


def translate(error: Exception, name: str, lines: LineMap) -> CompileError:
    """Return the error for an author.

    Args:
        error: what Numba raised.
        name: the game's class's name.
        lines: where the generated lines come from.
    """
    text = _ANSI.sub("", str(error))
    places = [int(n) for n in _PLACE.findall(text)]
    where = next((lines[n] for n in reversed(places) if n in lines), None)
    sentence = _sentence(text)
    if where is None:
        return CompileError(f"the rules of {name} cannot be compiled: {sentence}")
    filename, line, function = where
    return CompileError(f"in {function}, {sentence}", filename, line)


def _sentence(text: str) -> str:
    for pattern, replacement in _SENTENCES:
        match = pattern.search(text)
        if match is not None:
            return match.expand(replacement) if replacement else match.group(0)
    first = next((part for part in text.splitlines() if part.strip()), "Numba refused")
    return first.strip().rstrip(".") + "; write it with whole numbers, tuples and plain loops"
