"""Numbers of things, in words."""

from __future__ import annotations

#: Nouns with an irregular plural.
_IRREGULAR = {"classes": "class", "entries": "entry", "plies": "ply", "vertices": "vertex"}


def count_phrase(number: int, what: str) -> str:
    """Return a number of things: ``1 class of positions``, ``5,478 positions``.

    Args:
        number: the number.
        what: the plural noun, such as ``classes of positions``.
    """
    return f"{number:,} {what if number != 1 else _singular(what)}"


def every_phrase(number: int, what: str) -> str:
    """Return a phrase for all things: ``the only position``, ``all 5,478 positions``.

    Args:
        number: the number.
        what: the plural noun.
    """
    return f"the only {_singular(what)}" if number == 1 else f"all {count_phrase(number, what)}"


def _singular(what: str) -> str:
    head, of, rest = what.partition(" of ")
    before, space, noun = head.rpartition(" ")
    return f"{before}{space}{_IRREGULAR.get(noun, noun.removesuffix('s'))}{of}{rest}"
