"""The codes of take-and-break games: what a move may take from a heap, and what it leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import ParameterError

#: Bits of a digit: the other tokens may be left as no heap, one, two or three heaps.
NOTHING, ONE, TWO, THREE = 1, 2, 4, 8

_CODE_PATTERN = re.compile(r"([0-9A-Fa-f]?)\.([0-9A-Fa-f]*)(\.\.\.|…)?")
_HEXADECIMAL = 16
#: The longest code that is written in full.
_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Code:
    """The moves from a heap.

    Bit j of digit k says whether a move may take k tokens from a heap and leave the others as
    exactly j heaps, with no empty heap. Digits up to 3 take from heaps, those up to 7 also split
    them in two (octal codes), and those up to 15, written F, in three (hexadecimal codes).

    Attributes:
        digits: the digits, with digit k at index k, from 0; the last differs from ``rest``.
        rest: the digit of every larger number of tokens, usually 0.
        unequal: whether two heaps that a move leaves must differ, as in Grundy's game.
    """

    digits: tuple[int, ...]
    rest: int = 0
    unequal: bool = False

    def __post_init__(self) -> None:
        """Remove the last digits that equal ``rest``.

        Raises:
            ParameterError: a digit is not from 0 to 15, or play need not end.
        """
        digits = list(self.digits)
        for digit in (*digits, self.rest):
            if not 0 <= digit < _HEXADECIMAL:
                message = f"{digit!r} is not a digit of a code; give numbers from 0 to 15"
                raise ParameterError(message)
        while digits and digits[-1] == self.rest and (len(digits) > 1 or not self.rest):
            digits.pop()
        if digits and digits[0] & (NOTHING | ONE):
            message = (
                f"{code_text(digits, self.rest)!r} lets a move take nothing and leave the heap as "
                "it is, so play need not end; before the point give 0, 4, 8 or C"
            )
            raise ParameterError(message)
        if self.unequal and max((*digits, self.rest)) >= THREE:
            message = (
                f"heaps of {code_text(digits, self.rest)!r} may split in three, but unequal=True "
                "is for splits in two; use digits up to 7"
            )
            raise ParameterError(message)
        object.__setattr__(self, "digits", tuple(digits))

    @property
    def last(self) -> int:
        """The most tokens that have an explicit digit; t in most theorems."""
        return max(0, len(self.digits) - 1)

    @property
    def most(self) -> int:
        """The most heaps that a move can leave."""
        all_digits = self.rest
        for digit in self.digits:
            all_digits |= digit
        return max(0, all_digits.bit_length() - 1)

    def digit(self, taken: int) -> int:
        """Return the digit for a number of tokens taken."""
        return self.digits[taken] if taken < len(self.digits) else self.rest if taken else 0

    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Yield the results of moves in a heap: the sizes of new heaps, the largest first.

        Args:
            heap: tokens in the heap.

        Yields:
            Each set of heaps once; ``()`` if a move takes all.
        """
        longest = heap if self.rest else min(heap, self.last)
        for count in range(longest + 1):
            digit, remaining = self.digit(count), heap - count
            if digit & NOTHING and not remaining and count:
                yield ()
            if digit & ONE and remaining:
                yield (remaining,)
            if digit & TWO:
                for small in range(1, remaining // 2 + 1):
                    if not self.unequal or 2 * small < remaining:
                        yield (remaining - small, small)
            if digit & THREE:
                for small in range(1, remaining // 3 + 1):
                    for middle in range(small, (remaining - small) // 2 + 1):
                        yield (remaining - small - middle, middle, small)

    def __str__(self) -> str:
        """Return the text of the code, such as ``0.137`` or ``4.333...``."""
        return code_text(self.digits, self.rest)


def code_text(digits: Any, rest: int = 0) -> str:
    """Return the text of a code with these digits."""
    text = "".join(f"{digit:X}" for digit in digits) or "0"
    suffix = f"{rest:X}" * 3 + "..." if rest else ""
    return f"{text[0]}.{text[1:]}{suffix}" if text[1:] or suffix else f"{text[0]}.0"


def parse(text: str) -> Code:
    """Return the code that a text stands for.

    Args:
        text: such as ``"0.137"``, ``".77"`` or ``"4.333..."``, where three points mean that the
            last digit repeats for ever. Digits are octal or hexadecimal, A to F in either case.

    Raises:
        ParameterError: it is not a code, or play need not end.
    """
    argument = text  # an untyped caller may pass anything
    if not isinstance(argument, str):
        message = f"a code is a text such as '0.137', not {argument!r}; put it in quotation marks"
        raise ParameterError(message)
    match = _CODE_PATTERN.fullmatch(text.strip())
    if match is None:
        message = f"{_brief(text)} is not a code; {_hint(text.strip())}"
        raise ParameterError(message)
    first, other_digits, forever = match.groups()
    if not first and not other_digits:
        message = f"{text!r} has no digits; write a code such as 0.137"
        raise ParameterError(message)
    if forever and not other_digits:
        message = f"{text!r} does not say which digit repeats; write one, such as 0.333..."
        raise ParameterError(message)
    digits = tuple(int(digit, _HEXADECIMAL) for digit in (first or "0") + other_digits)
    return Code(digits, digits[-1] if forever else 0)


def _brief(text: str) -> str:
    return repr(text) if len(text) <= _MOST_SHOWN else repr(text[:_MOST_SHOWN] + "…")


def _hint(text: str) -> str:
    """Return advice on a text that is not a code."""
    if (
        text
        and "." not in text
        and re.fullmatch(r"[0-9A-Fa-f]+", text)
        and len(text) <= _MOST_SHOWN
    ):
        return f"its digits come after a point: write 0.{text}"
    if "," in text:
        return "write a point between its digits, not a comma"
    character = re.search(r"[^0-9A-Fa-f.…\s]", text)
    if character is not None:
        return f"{character[0]!r} is not a digit; use 0 to 7, or to F where heaps split in three"
    return "write a digit, a point and more digits, such as 0.137"
