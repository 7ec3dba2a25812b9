"""The form that a text names, such as ``{1|*}``, ``±1``, ``↑3*2`` or ``{2Miny(2)|0||-1/2|-2}``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from zermelo.errors import CombinatorialValueError
from zermelo.values.combinatorial.canonical_forms import CanonicalForms

#: The most copies of up in one text, each of which is a form.
MOST_UPS = 10_000
#: The digits of subscripts, as in +₂.
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<bars>\|+)|(?P<number>\d+(?:/\d+)?)|(?P<switch>±|\+-)"
    r"|(?P<tiny>Tiny|Miny|[+\-−⧾⧿](?=[₀-₉]))|(?P<subscript>[₀-₉]+)"
    r"|(?P<ups>\^+|↑+|⇑|v+|↓+|⇓)|(?P<sign>[*+\-−,(){}]))"
)


def parse_value(forms: CanonicalForms, text: str) -> int:
    """Return the form that a text names, which may be any expression of games.

    The texts are those of Conway, On Numbers and Games, and of CGSuite. ``{a,b|c}`` has options;
    more bars separate farther, so that ``{a|b||c}`` is ``{{a|b}|c}``. ``2*`` is 2 + ``*``, and
    ``2Miny(2)`` is 2 + Miny(2), but ``2*Tiny(2)`` are two copies. ``+-`` is ``±``, ``^`` and ``v``
    are up and down, and ``^3*2`` is three ups and a heap of two.

    Args:
        forms: where the form is made.
        text: the text.

    Raises:
        CombinatorialValueError: the text names no value, or one that is too large.
    """
    return _Parser(forms, text).value()


class _Group:
    """A stretch of text in braces or parentheses, or the whole, as it is read.

    Attributes:
        opening: ``{``, ``(``, or an empty text for the whole.
        tokens: names and values: kinds with texts, or with lists of forms.
    """

    def __init__(self, opening: str) -> None:
        self.opening = opening
        self.tokens: list[tuple[str, str | list[int]]] = []


class _Parser:
    """A reader of one text, with a stack of groups in place of recursion."""

    def __init__(self, forms: CanonicalForms, text: str) -> None:
        self.forms = forms
        self.text = text

    def value(self) -> int:
        """Return the form of the text."""
        groups = [_Group("")]
        offset = 0
        end = len(self.text.rstrip())
        while offset < end:
            match = _TOKEN.match(self.text, offset)
            if match is None:
                self.refuse(f"unknown sign {self.text[offset:].strip()[0]!r}")
            offset = match.end()
            kind = match.lastgroup or ""
            token = match[kind]
            if token in {"{", "("}:
                groups.append(_Group(token))
            elif token in {"}", ")"}:
                group = groups.pop()
                if {"{": "}", "(": ")"}.get(group.opening) != token:
                    self.refuse(f"{token!r} without its beginning")
                if token == "}":
                    groups[-1].tokens.append(("value", [self.game(group.tokens)]))
                else:
                    groups[-1].tokens.append(("value", self.values(group.tokens)))
            else:
                groups[-1].tokens.append((kind, token.replace("−", "-")))
        if len(groups) > 1:
            self.refuse(f"{groups[-1].opening!r} without its end")
        values = self.values(groups[0].tokens)
        if len(values) != 1:
            self.refuse("not one value")
        return values[0]

    def refuse(self, fault: str) -> NoReturn:
        """Raise the error for the text."""
        shown = self.text if len(self.text) <= 80 else f"{self.text[:77]}..."
        message = (
            f"{shown!r} is not the text of a value ({fault}); write it as {{1|*}}, 3/4, ±1, ↑*2 "
            "or Tiny(2), or a sum of those"
        )
        raise CombinatorialValueError(message)

    def game(self, tokens: list[tuple[str, str | list[int]]]) -> int:
        """Return the game whose options and bars are the tokens between two braces."""
        sides: list[list[int]] = []
        bars: list[int] = []
        stretch: list[tuple[str, str | list[int]]] = []
        for kind, token in [*tokens, ("bars", "")]:
            if kind != "bars":
                stretch.append((kind, token))
                continue
            sides.append(self.values(stretch) if stretch else [])
            stretch = []
            length = len(token) or len(self.text) + 1
            while bars and bars[-1] <= length:
                if bars[-1] == length:
                    self.refuse(f"{'|' * length!r} twice in one game")
                bars.pop()
                right, left = sides.pop(), sides.pop()
                sides.append([self.forms.of_options(left, right)])
            bars.append(length)
        if len(bars) == 1 and "bars" not in [kind for kind, _ in tokens]:
            self.refuse("no '|' between braces")
        return sides[0][0]

    def values(self, tokens: list[tuple[str, str | list[int]]]) -> list[int]:
        """Return the values that commas separate."""
        values = []
        start = 0
        for i, (_, token) in enumerate([*tokens, ("sign", ",")]):
            if token == ",":
                values.append(self.sum(tokens[start:i]))
                start = i + 1
        return values

    def sum(self, tokens: list[tuple[str, str | list[int]]]) -> int:
        """Return the value of terms with signs between them."""
        forms = self.forms
        total, i = 0, 0
        if not tokens:
            self.refuse("a value is missing")
        while i < len(tokens):
            negated = False
            if i and tokens[i][0] != "switch":
                if tokens[i][1] not in {"+", "-"}:
                    self.refuse(f"no sign before {tokens[i][1]!r}")
                negated = tokens[i][1] == "-"
                i += 1
            term, i = self.term(tokens, i)
            total = forms.sum(total, forms.negative(term) if negated else term)
        return total

    def term(self, tokens: list[tuple[str, str | list[int]]], i: int) -> tuple[int, int]:
        """Return the value of the term at a place, and the place after it."""
        forms = self.forms
        signs: list[str] = []
        while i < len(tokens) and (tokens[i][0] == "switch" or tokens[i][1] == "-"):
            signs.append(tokens[i][1])  # type: ignore[arg-type]
            i += 1
        kind, token = tokens[i] if i < len(tokens) else ("", "")
        parts: list[int]
        if kind == "number":
            number = self.number(str(token))
            # A sign in front of a number is the number's, also if an infinitesimal follows.
            if signs and signs[-1] == "-":
                signs.pop()
                number = -number
            i += 1
            if self.is_product(tokens, i):
                if number.denominator != 1:
                    self.refuse(f"{number} copies")
                form, i = self.factor(tokens, i + 1)
                parts = [forms.multiple(form, int(number))]
            else:
                form, i = self.infinitesimal(tokens, i)
                parts = [forms.sum(forms.number(number), form)]
        elif kind == "value":
            parts = list(token)  # type: ignore[arg-type]
            i += 1
        else:
            start = i
            form, i = self.infinitesimal(tokens, i)
            if i == start:
                self.refuse(f"a value is missing before {token!r}" if token else "no value")
            parts = [form]
        for sign in reversed(signs):
            if sign == "-":
                parts = [forms.negative(form) for form in parts]
            else:
                parts = [forms.of_options(parts, [forms.negative(form) for form in parts])]
        if len(parts) != 1:
            self.refuse("a list of values where one belongs")
        return parts[0], i

    def number(self, token: str) -> Fraction:
        """Return the number of a token."""
        if len(token) > 1500:  # more digits than the largest number has
            self.refuse("a number of so many digits")
        numerator, _, denominator = token.partition("/")
        if denominator and not int(denominator):
            self.refuse("a denominator of zero")
        return Fraction(int(numerator), int(denominator or 1))

    def is_product(self, tokens: list[tuple[str, str | list[int]]], i: int) -> bool:
        """Return whether a star multiplies what follows it, and is not a nimber."""
        if i + 1 >= len(tokens) or tokens[i][1] != "*":
            return False
        return tokens[i + 1][0] in {"value", "tiny", "ups", "switch"}

    def factor(self, tokens: list[tuple[str, str | list[int]]], i: int) -> tuple[int, int]:
        """Return the value of a term of which there are copies, and the place after it."""
        if tokens[i][0] in {"value", "switch"}:
            return self.term(tokens, i)
        return self.infinitesimal(tokens, i)

    def infinitesimal(self, tokens: list[tuple[str, str | list[int]]], i: int) -> tuple[int, int]:
        """Return the value of ups, a nimber, tinies and minies, and the place after them."""
        forms = self.forms
        total = 0
        if i < len(tokens) and tokens[i][0] == "ups":
            token = str(tokens[i][1])
            count = 2 if token in {"⇑", "⇓"} else len(token)
            i += 1
            if i < len(tokens) and tokens[i][0] == "number" and count == 1:
                size = self.number(str(tokens[i][1]))
                if size.denominator != 1:
                    self.refuse(f"{size} ups")
                count = int(size)
                i += 1
            if count > MOST_UPS:
                self.refuse(f"more than {MOST_UPS} ups")
            total = ups(forms, -count if token[0] in "v↓⇓" else count)
        if i < len(tokens) and tokens[i][1] == "*" and not self.is_product(tokens, i):
            heap = 1
            i += 1
            if i < len(tokens) and tokens[i][0] == "number":
                size = self.number(str(tokens[i][1]))
                if size.denominator != 1:
                    self.refuse(f"a heap of {size}")
                heap = int(size)
                i += 1
            total = forms.sum(total, forms.nimber(heap))
        while i + 1 < len(tokens) and tokens[i][0] == "tiny":
            token, argument = str(tokens[i][1]), tokens[i + 1][1]
            if tokens[i + 1][0] == "subscript":
                size = self.number(str(argument).translate(_SUBSCRIPTS))
                form = tiny(forms, forms.number(size))
            elif tokens[i + 1][0] == "value" and len(argument) == 1:
                form = tiny(forms, argument[0])  # type: ignore[arg-type]
            else:
                self.refuse(f"{token} without its game")
            total = forms.sum(total, form if token in {"Tiny", "+", "⧾"} else forms.negative(form))
            i += 2
        return total, i


def ups(forms: CanonicalForms, count: int) -> int:
    """Return the form of a number of ups, or of downs if it is negative.

    n·↑ is ``{0 | (n-1)·↑*}`` (Winning Ways, chapter 3).

    Args:
        forms: where the form is made.
        count: the number of ups; a negative one is of downs.
    """
    star = forms.nimber(1)
    plain, starred = 0, star
    for n in range(abs(count)):
        longer = forms.of_canonical_options([0], [starred])
        with_star = forms.of_canonical_options([0], [plain]) if n else 0
        if not n:
            with_star = forms.of_canonical_options([0, star], [0])
        plain, starred = longer, with_star
    return forms.negative(plain) if count < 0 else plain


def tiny(forms: CanonicalForms, game: int) -> int:
    """Return the form of tiny-G, ``{0||0|-G}``.

    Args:
        forms: where the form is made.
        game: the form of G.
    """
    return forms.of_options([0], [forms.of_options([0], [forms.negative(game)])])
