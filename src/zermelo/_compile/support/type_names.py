"""The author's terms for Numba's types."""

from __future__ import annotations

import re

#: The mark of a sentence for the author in a typing error.
from zermelo._compile.support.numba_types import Type

MARK = "zermelo: "

_NAMES = [
    (r"Literal\[str\]|unicode_type|Text\(|Character", "a string"),
    (r"(Literal\[)?bool", "True or False"),
    (r"float|Literal\[float\]", "a fraction (a float)"),
    (r"(u?int\d+|Literal\[int\])(?!.* generator\()", "a whole number"),
    (r"none|NoneType", "None"),
    (r"(?:OptionalType|Optional)\((.*)\)", "{} or None"),
    (r".* generator\(", "a generator"),
    (r"(?:reflected )?list\(", "a list"),
    (r"(?:readonly |unaligned )*array\(\w+, 1d", "a row of numbers"),
    (r"(?:readonly |unaligned )*array\(", "an array"),
    (r"Rows\(", "rows"),
    (r"Records\(", "rows of records"),
    (r"Lookup\(.*, none\)$", "a set"),
    (r"Lookup\(", "a dict"),
    (r"range_", "a range"),
    (r"slice<", "a slice"),
    (r"(?:Uni|Variable)?Tuple\(", "a tuple"),
    (r"class\(", "a class"),
    (r"Module\(", "a module"),
    (r"(?:Function|type)\(", "a function"),
    (r"(\w+)\(", "a {}"),
]
_REMEDIES = [
    ("a string", "number the cases and give the numbers names at the top of the module"),
    ("a generator", "go through it with a for loop"),
    ("None", "a return may be missing on some path"),
    ("a fraction (a float)", "divide with // and keep to whole numbers"),
    ("a list", "go through it with a for loop"),
    ("a slice", "go through it with a for loop, or write the parts out"),
]


def named(kind: Type) -> str:
    """Return the author's term for a Numba type, given as the type or its name."""
    text = str(kind).strip()
    for pattern, noun in _NAMES:
        match = re.match(pattern, text)
        if match is not None:
            inner = match.group(1) if "{}" in noun else ""
            return noun.format(named(inner) if noun == "{} or None" else inner)
    return text


def remedy_for(text: str) -> str:
    """Return the advice for the first type in a text that has one."""
    return next((remedy for noun, remedy in _REMEDIES if noun in text), "")


def listed(nouns: list[str]) -> str:
    """Return ``a, b and c``."""
    if len(nouns) < 2:  # noqa: PLR2004  # nothing to join
        return "".join(nouns)
    return f"{', '.join(nouns[:-1])} and {nouns[-1]}"


def split_types(text: str) -> list[str]:
    """Return the parts of a text between commas, outside brackets."""
    parts, depth, begin = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "([<{") - (character in ")]>}")
        if character == "," and not depth:
            parts.append(text[begin:i])
            begin = i + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]
