"""The form that a text names, such as ``{1|*}``, ``±1``, ``↑3*2`` or ``{2Miny(2)|0||-1/2|-2}``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from zermelo.errors import CombinatorialValueError
from zermelo.values.combinatorial.canonical_forms import CanonicalForms

#: The most copies of up in one term, each of which is a form.
MOST_UPS = 10_000
#: The greatest power of up.
MOST_POWERS = 100
#: The most digits of a number: the numerator and the denominator of the longest number.
_MOST_DIGITS = 2600
_SHOWN = 80
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<bars>\|+)|(?P<number>\d+(?:/\d+)?)|(?P<switch>±|\+-)"
    r"|(?P<tiny>Tiny|Miny|[+⧾](?=[₀-₉])|[-−⧿](?=[₀-₉]))|(?P<subscript>[₀-₉]+)"
    r"|(?P<ups>\^+|↑+|⇑|v+|↓+|⇓)|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+|<\d+>)|(?P<powers>\[\d+\])"
    r"|(?P<sign>[*+\-−,(){}]))"
)


class _Token(NamedTuple):
    """A part of a text.

    Attributes:
        kind: the group of the pattern, or ``value`` for what was in braces or parentheses, which
            is read already, or ``end``.
        text: the part.
        values: the forms of a value.
    """

    kind: str
    text: str
    values: tuple[int, ...] = ()


_END = _Token("end", "")


def parse_value(forms: CanonicalForms, text: str) -> int:
    """Return the form that a text names, which may be any expression of games.

    The texts are those of Conway, On Numbers and Games, and of CGSuite. ``{a,b|c}`` has options;
    more bars separate farther, so that ``{a|b||c}`` is ``{{a|b}|c}``. ``2*`` is 2 + ``*``, and
    ``2Miny(2)`` is 2 + Miny(2), but ``2*Tiny(2)`` are two copies. ``±{a,b}`` has these two options
    and their negatives. ``+-`` is ``±``, ``^`` and ``v`` are up and down, ``^3*2`` is three ups and
    a heap of two, ``^<2>`` is the second power of up, and ``^[2]`` the sum of the first two.

    Args:
        forms: where the form is made.
        text: the text.

    Raises:
        CombinatorialValueError: the text names no value, or one that is too large.
    """
    return _Parser(forms, text).value()


class _Parser:
    """A reader of one text, with a stack of groups in place of recursion.

    A group is a stretch of text in braces or parentheses, or the whole text. It is read when it
    ends, and becomes a token of the group around it.
    """

    def __init__(self, forms: CanonicalForms, text: str) -> None:
        self.forms = forms
        self.text = text
        # The tokens of the group that is being read, and the place among them.
        self.tokens: list[_Token] = []
        self.place = 0

    def value(self) -> int:
        """Return the form of the text."""
        groups: list[tuple[str, list[_Token]]] = [("", [])]
        offset = 0
        end = len(self.text.rstrip())
        while offset < end:
            match = _TOKEN.match(self.text, offset)
            if match is None:
                self.refuse(f"{self.text[offset:].strip()[0]!r} does not belong in it")
            offset = match.end()
            kind = match.lastgroup or ""
            part = match[kind].replace("−", "-")
            if part in {"{", "("}:
                groups.append((part, []))
            elif part in {"}", ")"}:
                opening, tokens = groups.pop()
                if opening + part not in {"{}", "()"}:
                    self.refuse(f"{part!r} ends what did not begin")
                around = groups[-1][1]
                groups[-1][1].append(self.group(opening, tokens, after=around[-1:]))
            else:
                groups[-1][1].append(_Token(kind, part))
        if len(groups) > 1:
            self.refuse(f"{groups[-1][0]!r} does not end")
        return self.single(self.values(groups[0][1]))

    def refuse(self, fault: str) -> NoReturn:
        """Raise the error for the text."""
        text = self.text if len(self.text) <= _SHOWN else f"{self.text[: _SHOWN - 3]}..."
        message = (
            f"{text!r} is not the text of a value ({fault}); write it as {{1|*}}, 3/4, ±1, ↑*2 "
            "or Tiny(2), or a sum of those"
        )
        raise CombinatorialValueError(message)

    def single(self, values: tuple[int, ...]) -> int:
        """Return the only value of a list."""
        if len(values) != 1:
            self.refuse("a list of values where one belongs")
        return values[0]

    # -- groups ------------------------------------------------------------------------------------

    def group(self, opening: str, tokens: list[_Token], after: list[_Token]) -> _Token:
        """Return the value, or after ``±`` also the values, of a group."""
        if opening == "{" and any(token.kind == "bars" for token in tokens):
            return _Token("value", "{}", (self.game(tokens),))
        if opening == "{" and not (after and after[0].kind == "switch"):
            self.refuse("braces without '|'")
        return _Token("value", "()", self.values(tokens))

    def game(self, tokens: list[_Token]) -> int:
        """Return the game whose options and bars are the tokens between two braces."""
        sides: list[tuple[int, ...]] = []
        bars: list[int] = []
        stretch: list[_Token] = []
        for token in [*tokens, _Token("bars", "|" * (len(self.text) + 1))]:
            if token.kind != "bars":
                stretch.append(token)
                continue
            sides.append(self.values(stretch) if stretch else ())
            stretch = []
            length = len(token.text)
            # Fewer bars bind more tightly.
            while bars and bars[-1] <= length:
                if bars.pop() == length:
                    self.refuse(f"{token.text!r} twice in one game")
                right, left = sides.pop(), sides.pop()
                sides.append((self.forms.of_options(left, right),))
            bars.append(length)
        return sides[0][0]

    def values(self, tokens: list[_Token]) -> tuple[int, ...]:
        """Return the values that commas separate."""
        values = []
        start = 0
        for i, token in enumerate([*tokens, _Token("sign", ",")]):
            if token.text == ",":
                self.tokens, self.place = tokens[start:i], 0
                values.append(self.sum())
                start = i + 1
        return tuple(values)

    # -- sums --------------------------------------------------------------------------------------

    @property
    def token(self) -> _Token:
        """The token at the place."""
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def take(self) -> _Token:
        """Return the token at the place, and go on."""
        token = self.token
        self.place += 1
        return token

    def sum(self) -> int:
        """Return the value of terms with signs between them."""
        forms = self.forms
        total = self.term()
        while self.token.kind != "end":
            sign = "+"
            if self.token.kind != "switch":  # which is its own sign, in 1 ± 2
                sign = self.take().text
                if sign not in {"+", "-"}:
                    self.refuse(f"no sign before {sign!r}")
            term = self.term()
            total = forms.sum(total, forms.negative(term) if sign == "-" else term)
        return total

    def term(self) -> int:
        """Return the value of a term, with its signs."""
        forms = self.forms
        signs: list[str] = []
        while self.token.kind == "switch" or self.token.text == "-":
            signs.append(self.take().text)
        values: tuple[int, ...]
        if self.token.kind == "value":
            values = self.take().values
        elif self.token.kind == "number":
            # A sign in front of a number is the number's, also if an infinitesimal follows.
            is_negative = signs[-1:] == ["-"]
            if is_negative:
                signs.pop()
            values = (self.number_term(-1 if is_negative else 1),)
        else:
            start = self.token
            values = (self.infinitesimal(),)
            if self.token is start:
                self.refuse(f"no value before {start.text!r}" if start.text else "no value")
        for sign in reversed(signs):
            negatives = tuple(map(forms.negative, values))
            values = negatives if sign == "-" else (forms.of_options(values, negatives),)
        return self.single(values)

    def number_term(self, sign: int) -> int:
        """Return a number with an infinitesimal, or a number of copies of a value."""
        forms = self.forms
        number = sign * self.number(self.take().text)
        if not self.is_product():
            return forms.sum(forms.number(number), self.infinitesimal())
        self.take()
        is_other = self.token.kind in {"value", "switch"}
        factor = self.term() if is_other else self.infinitesimal()
        if number.denominator != 1:
            self.refuse(f"{number} copies")
        return forms.multiple(factor, int(number))

    def is_product(self) -> bool:
        """Return whether the next token is a star that multiplies, not a nimber."""
        following = self.tokens[self.place + 1 : self.place + 2]
        if self.token.text != "*" or not following:
            return False
        return following[0].kind in {"value", "tiny", "ups", "switch"}

    def number(self, text: str) -> Fraction:
        """Return the number of a text."""
        if len(text) > _MOST_DIGITS:
            self.refuse("too many digits")
        numerator, _, denominator = text.partition("/")
        if denominator and not int(denominator):
            self.refuse("a denominator of zero")
        return Fraction(int(numerator), int(denominator or 1))

    def whole(self, noun: str, most: int) -> int:
        """Return the integer at the place."""
        number = self.number(self.take().text.translate(_DIGITS).strip("<>[]"))
        if number.denominator != 1 or number > most:
            self.refuse(f"{number} {noun}, not an integer up to {most}")
        return int(number)

    # -- infinitesimals ----------------------------------------------------------------------------

    def infinitesimal(self) -> int:
        """Return the value of ups, a nimber, tinies and minies, 0 if there are none."""
        forms = self.forms
        count, power = self.ups() if self.token.kind == "ups" else (0, 0)
        heap = 0
        if self.token.text == "*" and not self.is_product():
            self.take()
            heap = 1
            if self.token.kind == "number":
                number = self.number(self.take().text)
                if number.denominator != 1:
                    self.refuse(f"a heap of {number}")
                heap = int(number)
        total = forms.sum(power, ups(forms, count, heap))
        while self.token.kind == "tiny":
            name = self.take().text
            if self.token.kind == "subscript":
                size = forms.number(self.number(self.take().text.translate(_DIGITS)))
            elif self.token.kind == "value":
                size = self.single(self.take().values)
            else:
                self.refuse(f"{name} without its game")
            form = tiny(forms, size)
            is_tiny = name in {"Tiny", "+", "⧾"}
            total = forms.sum(total, form if is_tiny else forms.negative(form))
        return total

    def ups(self) -> tuple[int, int]:
        """Return the number of ups, negative for downs, and the value of a power of up or down."""
        arrows = self.take().text
        sign = -1 if arrows[0] in "v↓⇓" else 1
        count = 2 if arrows in {"⇑", "⇓"} else len(arrows)
        if count == 1 and self.token.kind in {"power", "powers"}:
            is_sum = self.token.kind == "powers"
            form = power_of_up(self.forms, self.whole("as a power", MOST_POWERS), is_sum=is_sum)
            return 0, form if sign > 0 else self.forms.negative(form)
        if count == 1 and self.token.kind == "number":
            count = self.whole("ups", MOST_UPS)
        elif count > MOST_UPS:
            self.refuse(f"{count} ups, not an integer up to {MOST_UPS}")
        return sign * count, 0


def ups(forms: CanonicalForms, count: int, heap: int = 0) -> int:
    """Return the form of a number of ups and a heap of Nim.

    n·↑ + *m is ``{0 | (n-1)·↑ + *(m xor 1)}``, except that ↑* is ``{0,*|0}`` (Winning Ways,
    chapter 3).

    Args:
        forms: where the form is made.
        count: the number of ups; a negative one is of downs.
        heap: the size of the heap.
    """
    size = abs(count)
    form = forms.nimber(heap ^ (size & 1))
    for n in range(size):
        left = [0] if n or form else [0, forms.nimber(1)]
        form = forms.of_canonical_options(left, [form])
    return forms.negative(form) if count < 0 else form


def power_of_up(forms: CanonicalForms, exponent: int, *, is_sum: bool) -> int:
    """Return the form of a power of ↑, or of the sum ↑[n] of the first n powers.

    ↑ⁿ⁺¹ is ``{0 | * - ↑[n]}``, and ↑[n+1] is ``{↑[n] | *}`` (Siegel, Combinatorial Game Theory,
    chapter II).

    Args:
        forms: where the form is made.
        exponent: the power, at least 0; there is no power 0, which counts as 0.
        is_sum: whether the sum is wanted.
    """
    star = forms.nimber(1)
    total = power = 0
    for n in range(exponent):
        power = forms.of_options([0], [forms.sum(star, forms.negative(total))])
        total = forms.of_options([total], [star]) if n else power
    return total if is_sum else power


def tiny(forms: CanonicalForms, game: int) -> int:
    """Return the form of tiny-G, ``{0||0|-G}``.

    Args:
        forms: where the form is made.
        game: the form of G.
    """
    return forms.of_options([0], [forms.of_options([0], [forms.negative(game)])])
