"""Heap games by code, by subtraction set, and the best-known ones by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.errors import ParameterError
from zermelo.heaps.codes import NOTHING, ONE, TWO, Code, parse
from zermelo.heaps.game import HeapGame, tokens

#: The most tokens that a code may name.
MOST_TAKEN = 100_000
#: The names of games, by their codes.
_TITLES = {
    "0.77": "Kayles",
    "0.07": "Dawson's Kayles",
    "0.137": "Dawson's Chess",
    "4.333...": "Lasker's Nim",
    "0.333...": "Nim",
}


class TakeAndBreak(HeapGame):
    """The game of a code, such as Kayles (0.77) or Dawson's Chess (0.137).

    Digit k after the point says what a move that takes k tokens may leave of a heap: it is the sum
    of 1 for nothing, 2 for one heap, 4 for two heaps, and 8 for three. The digit before the point
    is that of moves without taking tokens: 4 splits a heap. (Berlekamp, Conway and Guy, Winning
    Ways, chapter 4.)
    """

    def __init__(self, code: str) -> None:
        """Create the game of a code.

        Args:
            code: such as ``"0.137"``, ``"4.007"`` or ``"0.3F"``; three points at the end, as in
                ``"0.333..."``, say that the last digit repeats for ever.

        Raises:
            ParameterError: it is not a code, or play need not end.
        """
        parsed = parse(code)
        text = str(parsed)
        title = _TITLES.get(text, f"Heap game {text}")
        super().__init__(parsed, f"TakeAndBreak({text!r})", title)


class Subtraction(HeapGame):
    """A heap, from which a move takes one of certain numbers of tokens."""

    def __init__(self, numbers: Iterable[int]) -> None:
        """Create the game of a subtraction set.

        Args:
            numbers: the numbers that may be taken, such as ``{1, 2, 3}``.

        Raises:
            ParameterError: these are not numbers of tokens.
        """
        counts = _token_numbers(numbers, "take")
        digits = [0] * (counts[-1] + 1)
        for number in counts:
            digits[number] = NOTHING | ONE
        list_text = ", ".join(map(str, counts))
        expression, title = f"Subtraction({{{list_text}}})", f"Subtraction game, take {list_text}"
        super().__init__(Code(tuple(digits)), expression, title)


class AllBut(HeapGame):
    """A heap, from which a move takes any number of tokens except certain ones."""

    def __init__(self, numbers: Iterable[int]) -> None:
        """Create the game of the numbers that may not be taken.

        Args:
            numbers: the excluded numbers, such as ``{1, 2, 8}``.

        Raises:
            ParameterError: these are not numbers of tokens.
        """
        counts = _token_numbers(numbers, "leave out")
        digits = [NOTHING | ONE] * (counts[-1] + 1)
        for number in (0, *counts):
            digits[number] = 0
        code = Code(tuple(digits), NOTHING | ONE)
        list_text = ", ".join(map(str, counts))
        expression, title = (
            f"AllBut({{{list_text}}})",
            f"Subtraction game, take any but {list_text}",
        )
        super().__init__(code, expression, title)


def _token_numbers(numbers: Any, verb: str) -> list[int]:
    """Return numbers of tokens in ascending order, each once."""
    try:
        items = list(numbers)
    except TypeError:
        message = f"{numbers!r} is not a set of numbers; give one such as {{1, 2, 3}}"
        raise ParameterError(message) from None
    if not items:
        message = f"there must be a number of tokens to {verb}; give a set such as {{1, 2, 3}}"
        raise ParameterError(message)
    counts = []
    for number in items:
        try:
            counts.append(tokens(number))
        except ParameterError:
            counts.append(0)
        if not 0 < counts[-1] <= MOST_TAKEN:
            message = (
                f"{number!r} is not a number of tokens to {verb}; give whole numbers "
                f"from 1 to {MOST_TAKEN:,}"
            )
            raise ParameterError(message)
    return sorted(set(counts))


#: Rows of pins: a move knocks down one, or two neighbours (Dudeney 1908, Loyd 1914).
KAYLES = TakeAndBreak("0.77")
#: Rows of pins: a move knocks down two neighbours, and no more.
DAWSONS_KAYLES = TakeAndBreak("0.07")
#: Dawson's chess problem, in which the last player to move wins: rows of files (Dawson 1935).
DAWSONS_CHESS = TakeAndBreak("0.137")
#: A heap is split into two that differ (Grundy 1939).
GRUNDYS_GAME = HeapGame(Code((TWO,), unequal=True), "GRUNDYS_GAME", "Grundy's Game")
#: As Nim, or a heap is split into two without taking any (Lasker 1931).
LASKERS_NIM = TakeAndBreak("4.333...")
#: Any number of tokens is taken from a heap (Bouton 1902).
NIM = TakeAndBreak("0.333...")

#: The known games by their names on the command line.
KNOWN = {
    "kayles": KAYLES,
    "dawsons-kayles": DAWSONS_KAYLES,
    "dawsons-chess": DAWSONS_CHESS,
    "grundys-game": GRUNDYS_GAME,
    "laskers-nim": LASKERS_NIM,
    "nim": NIM,
}


def parse_game(text: str) -> HeapGame:
    """Return the game that a word on the command line stands for.

    Args:
        text: a code such as ``0.137``, a name such as ``kayles``, or numbers that may be taken or
            not, such as ``subtraction:1,2,3`` and ``all-but:1,2``.

    Raises:
        ParameterError: it is no such word.
    """
    word, colon, numbers = text.strip().partition(":")
    if colon:
        kinds = {"subtraction": Subtraction, "all-but": AllBut}
        if word not in kinds:
            message = f"{text!r} is not a game; write subtraction:1,2,3 or all-but:1,2"
            raise ParameterError(message)
        try:
            counts = [int(number) for number in numbers.split(",")]
        except ValueError:
            message = f"{numbers!r} is not a row of numbers; write one such as {word}:1,2,3"
            raise ParameterError(message) from None
        return kinds[word](counts)
    if word in KNOWN:
        return KNOWN[word]
    if word[:1].isalpha() and "." not in word:
        message = (
            f"no heap game is called {text!r}; write a code such as 0.137, "
            f"subtraction:1,2,3, all-but:1,2, or one of {', '.join(KNOWN)}"
        )
        raise ParameterError(message)
    return TakeAndBreak(word)
