"""Numbers of things, in words."""

from __future__ import annotations

#: Nouns with an irregular plural.
_IRREGULAR = {"classes": "class", "entries": "entry", "plies": "ply", "vertices": "vertex"}


def count_phrase(number: int, noun: str) -> str:
    """Return a number of things: ``1 class of positions``, ``5,478 positions``.

    Args:
        number: the number.
        noun: the plural noun, such as ``classes of positions``.
    """
    return f"{number:,} {noun if number != 1 else _singular(noun)}"


def every_phrase(number: int, noun: str) -> str:
    """Return a phrase for all things: ``the only position``, ``all 5,478 positions``.

    Args:
        number: the number.
        noun: the plural noun.
    """
    return f"the only {_singular(noun)}" if number == 1 else f"all {count_phrase(number, noun)}"


def _singular(phrase: str) -> str:
    head, preposition, complement = phrase.partition(" of ")
    adjectives, space, plural = head.rpartition(" ")
    noun = _IRREGULAR.get(plural, plural.removesuffix("s"))
    return f"{adjectives}{space}{noun}{preposition}{complement}"
