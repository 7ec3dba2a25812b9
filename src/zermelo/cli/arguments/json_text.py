"""Parsing of lists, as JSON or as numbers with commas, with advice in error messages."""

from __future__ import annotations

import ast
import json
import re
import reprlib
import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

#: A list of numbers without brackets; and a text that may be meant for one.
_NUMBERS = re.compile(r"\s*-?\d+\s*(,\s*-?\d+\s*)*,?\s*")
_MEANT_NUMBERS = re.compile(r"[\s\d,;()\[\]+/-]*\d[\s\d,;()\[\]+/-]*")
_CLOSERS = {"[": "]", "{": "}"}
#: Longer text is not corrected, and a longer correction is not shown.
_LONGEST_READ, _LONGEST_SHOWN = 10_000, 200
_SHORT = reprlib.Repr()
_SHORT.maxstring = 40


def read_json(text: str, source: str, example: str, *, shell: bool) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the JSON.
        source: the file of the text, or "".
        example: JSON that could have been given, for errors.
        shell: whether a shell reads the text, so that it has to be in quotation marks.

    Raises:
        ValueError: it is not JSON; the message says what to write.
    """
    subject = repr(source) if source else _SHORT.repr(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        fault = f"{error.msg} at line {error.lineno} column {error.colno}"
    except (RecursionError, ValueError) as error:
        fault = str(error)
    remedy = "correct it there" if source else _remedy(text, example, shell=shell)
    message = f"{subject} is not JSON: {fault}; {remedy}"
    raise ValueError(message)


def read_numbers(text: str, example: str, *, shell: bool) -> list[int]:
    """Return the numbers of a list that is written without brackets.

    Args:
        text: such as ``5,3,4,5``.
        example: a list that could have been given, as JSON.
        shell: whether a shell reads the text.

    Raises:
        ValueError: it is not such a list; the message says what to write.
    """
    flat = is_flat(example)
    if _NUMBERS.fullmatch(text) and (flat or "," in text):
        return [int(part) for part in text.split(",") if part.strip()]
    if not flat:
        remedy = _as_json(example, shell=shell)
    elif _MEANT_NUMBERS.fullmatch(text) and len(text) <= _LONGEST_SHOWN:
        remedy = f"put commas between its numbers: {','.join(re.findall(r'-?[0-9]+', text))}"
    else:
        remedy = f"write numbers with commas, such as {option_word(example)}"
    message = f"{_SHORT.repr(text)} is not a list; {remedy}"
    raise ValueError(message)


def is_flat(example: str) -> bool:
    """Return whether a text is a list of numbers in JSON."""
    return _NUMBERS.fullmatch(example.strip("[]")) is not None


def list_word(text: str, *, shell: bool) -> str:
    """Return a list in the form for a command line: in single quotes for a shell."""
    return shlex.quote(text) if shell else text


def correct_json(text: str) -> str | None:
    """Return the JSON list or object that is likely meant by a text, or None."""
    for candidate in _candidates(text):
        with suppress(ValueError, RecursionError):
            value = json.loads(candidate)
            if isinstance(value, list | dict) and _is_uniform(value):
                return candidate
    return None


def option_word(example: str) -> str:
    """Return a value as an option takes it: numbers with commas, other lists in quotes."""
    return example.strip("[]").replace(" ", "") if is_flat(example) else shlex.quote(example)


def _as_json(example: str, *, shell: bool) -> str:
    quotes = "in single quotes, as in" if shell else "such as"
    return f"write it as JSON{'' if shell else ','} {quotes} {list_word(example, shell=shell)}"


def _remedy(text: str, example: str, *, shell: bool) -> str:
    """Return the advice for text that is not JSON."""
    meant = correct_json(text.strip()) if len(text) <= _LONGEST_READ else None
    if meant is None:
        return _as_json(example, shell=shell)
    if len(meant) <= _LONGEST_SHOWN:
        return f"write {list_word(meant, shell=shell)}"
    missing = meant.removeprefix(text.strip())
    return f"add {missing} at its end" if missing != meant else _as_json(example, shell=shell)


def _candidates(text: str) -> Iterator[str]:
    """Yield a text with all brackets closed, read as Python, with commas, and with its quotes."""
    yield _close_brackets(text)
    with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        yield json.dumps(ast.literal_eval(text))
    yield re.sub(r"(?<=[\w\]\"])\s+(?=[\w\[\"-])", ",", text)
    words = re.findall(r"[^\s,\[\]{}:]+", text)
    if '"' not in text and words and not any(re.fullmatch(r"-?[\d.]+", word) for word in words):
        yield re.sub(r"[^\s,\[\]{}:]+", lambda word: json.dumps(word[0]), text)


def _close_brackets(text: str) -> str:
    """Return a text with its missing closing brackets, or cut before a surplus one."""
    open_brackets: list[str] = []
    quoted = False
    for index, character in enumerate(text):
        quoted ^= character == '"'
        if quoted:
            continue
        if character in _CLOSERS:
            open_brackets.append(_CLOSERS[character])
        elif open_brackets and character == open_brackets[-1]:
            open_brackets.pop()
        elif character in _CLOSERS.values():
            return text[:index]
    return text + "".join(reversed(open_brackets))


def _is_uniform(value: object) -> bool:
    """Return whether lists are beside lists only; a missing bracket would mix them."""
    items = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(items, list):
        return True
    return len({isinstance(item, list) for item in items}) <= 1 and all(map(_is_uniform, items))
