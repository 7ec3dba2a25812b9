"""Reading the names of partizan games, such as ``{1|*}``, ``±1``, ``2↑*3`` or ``1/2 + Tiny(2)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from zermelo.errors import ParameterError
from zermelo.values.combinatorial.names import Ups, of_ups

if TYPE_CHECKING:
    from zermelo.values.combinatorial.canonical_forms import CanonicalForms

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:/\d+)?)|(?P<word>[A-Za-z]+)|(?P<bars>\|+)|(?P<switch>\+-|±)"
    r"|(?P<sign>[↑↓⇑⇓^*{}(),+\-−·]))"
)
#: The multiples of up of each mark.
_UPS = {"↑": 1, "^": 1, "↓": -1, "v": -1, "⇑": 2, "⇓": -2}
#: The deepest nesting of braces and brackets that is read, and the greatest multiple and nimber.
_MOST_NESTED, _MOST_TIMES = 100, 1_000


class _Reader:
    """A text that is read from left to right."""

    def __init__(self, forms: CanonicalForms, text: str) -> None:
        self.forms = forms
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        self.place = self.depth = 0
        end = 0
        stripped = text.rstrip()
        while end < len(stripped):
            match = _TOKEN.match(stripped, end)
            if match is None:
                self.refuse(f"{stripped[end:].strip()[:1]!r} has no meaning")
            self.tokens.append((str(match.lastgroup), str(match[match.lastgroup or 0])))
            end = match.end()

    def refuse(self, reason: str) -> NoReturn:
        """Raise the error for a text that is not read."""
        message = (
            f"{self.text!r} is no game: {reason}; write one such as '{{1|*}}', '±1', '3/4' or '↑*'"
        )
        raise ParameterError(message)

    @property
    def next(self) -> tuple[str, str]:
        """The next token; ("end", "") at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def take(self, *texts: str) -> str | None:
        """Return the next token if it is one of these, and go past it."""
        text = self.next[1]
        if self.next[0] == "end" or text not in texts:
            return None
        self.place += 1
        return text

    def whole(self) -> int:
        """Return the game of the whole text."""
        game = self.sum()
        if self.next[0] != "end":
            self.refuse(f"{self.next[1]!r} is too much")
        return game

    def sum(self) -> int:
        """Read a sum of terms."""
        forms = self.forms
        total = self.negative_term() if self.take("-", "−") else self.term()
        while True:
            if self.take("+"):
                total = forms.sum(total, self.term())
            elif self.take("-", "−"):
                total = forms.sum(total, forms.negative(self.term()))
            else:
                return total

    def negative_term(self) -> int:
        """Read a term after a sign, which belongs to a number alone: -1↑ is ↑ - 1."""
        kind, text = self.next
        if kind != "number":
            return self.forms.negative(self.term())
        self.place += 1
        if self._is_multiple():
            return self.forms.negative(self._multiple(Fraction(text)))
        number = self.forms.negative(self.number(text))
        while (part := self.part()) is not None:
            number = self.forms.sum(number, part)
        return number

    def term(self) -> int:
        """Read games in a row, whose sum is meant, such as 1↑*, or a multiple such as 2·±1."""
        total: int | None = None
        while True:
            kind, text = self.next
            if kind == "number":
                if total is not None:
                    self.refuse(f"{text!r} follows a game")
                self.place += 1
                total = self.number(text)
                if self._is_multiple():
                    return self._multiple(Fraction(text))
            elif (part := self.part()) is not None:
                total = part if total is None else self.forms.sum(total, part)
            elif total is None:
                self.refuse(f"{text!r} stands where a game should" if text else "it ends early")
            else:
                return total

    def _is_multiple(self) -> bool:
        """Whether a number is a factor: before ·, or before * and a word or a bracket."""
        text = self.next[1]
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else ("end", "")
        is_word = after[0] == "word" and after[1] != "v"
        return text == "·" or (text == "*" and (is_word or after[1] in ("(", "{", "±", "+-")))

    def _multiple(self, factor: Fraction) -> int:
        """Read the game of a multiple, and return their product."""
        self.place += 1
        game = self.part()
        if game is None or factor.denominator != 1 or factor > _MOST_TIMES:
            self.refuse("a factor is a whole number, before a game")
        total = 0
        for _ in range(int(factor)):
            total = self.forms.sum(total, game)
        return total

    def number(self, text: str) -> int:
        """Return the form of a number."""
        numerator, _, denominator = text.partition("/")
        if denominator and not int(denominator):
            self.refuse("a denominator is 0")
        return self.forms.number(Fraction(int(numerator), int(denominator or 1)))

    def part(self) -> int | None:
        """Read a game that may follow others in a row; None if there is none."""
        kind, text = self.next
        if kind == "switch":
            self.place += 1
            options = self.switch_options()
            return self.forms.of_options(options, map(self.forms.negative, options))
        if text in _UPS:
            return self.ups()
        if text == "*":
            self.place += 1
            return self.forms.nimber(self.count(1))
        if kind == "word":
            return self.tiny()
        if text in ("{", "("):
            return self.nested(self.braces if text == "{" else self.brackets)
        return None

    def count(self, default: int) -> int:
        """Read a whole number, if there is one."""
        kind, text = self.next
        if kind != "number":
            return default
        if "/" in text or int(text) > _MOST_TIMES:
            self.refuse(f"{text!r} is no whole number up to {_MOST_TIMES:,}")
        self.place += 1
        return int(text)

    def ups(self) -> int:
        """Read arrows, perhaps several or with a number, and a nimber after them."""
        total = 0
        while self.next[1] in _UPS:
            step = _UPS[self.next[1]]
            self.place += 1
            total += step * self.count(1)
        nimber = self.count(1) if self.take("*") else 0
        return of_ups(self.forms, Ups(total, nimber))

    def tiny(self) -> int:
        """Read Tiny(G) = {0||0|-G} or Miny(G) = {G|0||0}."""
        word = self.next[1]
        self.place += 1
        if word not in ("Tiny", "Miny") or self.next[1] != "(":
            self.refuse(f"{word!r} has no meaning")
        game = self.nested(self.brackets)
        forms = self.forms
        threat = forms.of_options([0], [forms.negative(game)])
        tiny = forms.of_options([0], [threat])
        return tiny if word == "Tiny" else forms.negative(tiny)

    def switch_options(self) -> list[int]:
        """Read the left options of a game that is its own negative."""
        if self.next[1] == "(":
            self.place += 1
            options = [self.sum()]
            while self.take(","):
                options.append(self.sum())
            if self.take(")") is None:
                self.refuse("a bracket is not closed")
            return options
        kind, text = self.next
        if kind == "number":
            self.place += 1
            return [self.number(text)]
        part = self.part()
        if part is None:
            self.refuse("± stands before no game")
        return [part]

    def nested(self, read: Callable[[], int]) -> int:
        """Read what is in braces or brackets."""
        self.depth += 1
        if self.depth > _MOST_NESTED:
            self.refuse(f"braces are nested more than {_MOST_NESTED} deep")
        self.place += 1
        game = read()
        self.depth -= 1
        return game

    def brackets(self) -> int:
        """Read a sum and the bracket after it."""
        game = self.sum()
        if self.take(")") is None:
            self.refuse("a bracket is not closed")
        return game

    def braces(self) -> int:
        """Read options and bars, and the brace after them."""
        items: list[int | str] = []  # games, and the commas and bars between them
        while not self.take("}"):
            kind, text = self.next
            if kind == "end":
                self.refuse("a brace is not closed")
            if kind == "bars" or text == ",":
                self.place += 1
                items.append(text)
            else:
                items.append(self.sum())
        return self.game_of(items)

    def game_of(self, items: list[int | str]) -> int:
        """Return the game of options and bars, the longest bars being those between the sides."""
        bars = [item for item in items if isinstance(item, str) and item[0] == "|"]
        longest = max(bars, key=len, default="")
        if not longest or bars.count(longest) > 1:
            self.refuse("braces have the options of both players, with | between them")
        place = items.index(longest)
        left, right = (self.options_of(side) for side in (items[:place], items[place + 1 :]))
        return self.forms.of_options(left, right)

    def options_of(self, items: list[int | str]) -> list[int]:
        """Return the options of one side: a game without its braces, or games between commas."""
        if any(isinstance(item, str) and item[0] == "|" for item in items):
            return [self.game_of(items)]
        games = [item for item in items if not isinstance(item, str)]
        if len(items) != max(0, 2 * len(games) - 1) or any(
            isinstance(item, str) != bool(place % 2) for place, item in enumerate(items)
        ):
            self.refuse("options have commas between them")
        return games


def parse_form(forms: CanonicalForms, text: str) -> int:
    """Return the number of the form that a text stands for.

    Raises:
        ParameterError: the text is not read, or a number in it is too large.
    """
    return _Reader(forms, text).whole()
