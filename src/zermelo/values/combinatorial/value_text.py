"""The text of a form, as the field prints it: 3/4, *2, ↑*, ±1, 2Tiny(1), or options in braces.

The texts are those of CGSuite 2, whose ASCII differs in some signs only. Ups and nimbers are from
Winning Ways, chapter 3, and Siegel, Combinatorial Game Theory, chapter II.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from zermelo.values.combinatorial.canonical_forms import CanonicalForms, options_first

#: The most characters of a text; the text of a game whose options occur often can be far longer
#: than the game.
MOST_CHARACTERS = 20_000
#: The most bars between two sides.
_MOST_BARS = 4
_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ASCII_POWERS = {ord(sign): f"<{digit}>" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_ASCII = {**_ASCII_POWERS, ord("↑"): "^", ord("↓"): "v", ord("±"): "+-", ord("⇑"): "^^"}
_ASCII[ord("⇓")] = "vv"


class _Ups(NamedTuple):
    """A number, a multiple of ↑, and a nimber, whose sum a form is."""

    number: Fraction
    ups: int
    heap: int


class _Power(NamedTuple):
    """A power of ↑, or the sum of the first powers, and perhaps ``*``, whose sum a form is.

    Attributes:
        sign: 1, or -1 for the negative.
        exponent: the power; ↑ itself is the sum of one.
        is_sum: whether it is the sum of all powers up to this one.
        star: 1 if ``*`` is added, otherwise 0.
    """

    sign: int
    exponent: int
    is_sum: bool
    star: int


class _FormText(NamedTuple):
    """The text of a form, and what else matters to the texts of forms that have it as an option.

    Attributes:
        text: the text; None if it is too long.
        bars: the number of bars if the text is in braces, otherwise 0.
        order: sorts options: numbers, nimbers, ups, the rest by birthday.
        is_number: whether the form is a number.
    """

    text: str | None
    bars: int
    order: tuple[int, Fraction, int, int, str]
    is_number: bool = False


class ValueTexts:
    """Texts of forms, each made once."""

    def __init__(self, forms: CanonicalForms) -> None:
        """Create the collection for some forms."""
        self._forms = forms
        self._texts: dict[int, _FormText] = {}
        self._ups: dict[int, _Ups] = {}
        self._powers: dict[int, _Power] = {}

    def text(self, form: int) -> str | None:
        """Return the text of a form, None if it has more than ``MOST_CHARACTERS``.

        Args:
            form: the number of the form.
        """
        texts = self._texts
        for number in options_first(form, texts.__contains__, self._parts):
            texts[number] = self._made(number)
        return texts[form].text

    def _parts(self, form: int) -> list[int]:
        """Return the forms whose texts are needed for that of a form."""
        forms = self._forms
        if forms.number_of(form) is not None or forms.nim_heap_of(form) is not None:
            return []
        parts = [*forms.left[form], *forms.right[form]]
        stop = forms.left_stop(form)
        if stop == forms.right_stop(form):
            if stop:
                parts.append(self._difference(form, stop))
            else:
                parts += [size for _, size in self._tiny_of(form)]
        return parts

    def _difference(self, form: int, number: Fraction) -> int:
        """Return the form minus a number."""
        return self._forms.sum(form, self._forms.number(-number))

    def _made(self, form: int) -> _FormText:
        """Return the text of a form whose parts have texts."""
        forms = self._forms
        number = forms.number_of(form)
        if number is not None:
            return _FormText(str(number), 0, (0, number, 0, 0, ""), is_number=True)
        ups = self._ups_of(form)
        if ups is not None:
            rank = 2 if ups.ups else 1
            order = (rank, ups.number, ups.ups, ups.heap, "")
            return _FormText(_ups_text(ups), 0, order)
        named = self._named(form)
        text, bars = (named, 0) if named is not None else self._braces(form)
        if text is None or len(text) > MOST_CHARACTERS:
            return _FormText(None, 0, (4, Fraction(form), 0, 0, ""))
        order = (3, Fraction(forms.birthday(form)), len(text), bars, text)
        return _FormText(text, bars, order)

    def _named(self, form: int) -> str | None:
        """Return the text of a form that is not written by its options, otherwise None."""
        forms = self._forms
        stop = forms.left_stop(form)
        if stop == forms.right_stop(form):
            if stop:
                rest = self._texts[self._difference(form, stop)]
                text = rest.text
                is_named = text is not None and not rest.bars and text[0] != "±"
                return f"{stop}{text}" if is_named else None
            power = self._power_of(form)
            if power is not None:
                return _power_text(power)
            for name, size in self._tiny_of(form):
                text = self._texts[size].text
                return None if text is None else f"{name}({text})"
        left = forms.left[form]
        if forms.right[form] == tuple(sorted(forms.negative(x) for x in left)):
            first = self._texts[left[0]]
            if len(left) == 1 and (first.is_number or first.bars):
                return f"±{first.text}"
            text = self._listed(left)
            return None if text is None else f"±({text})" if len(left) == 1 else f"±{{{text}}}"
        return None

    def _listed(self, options: tuple[int, ...]) -> str | None:
        """Return the texts of options with commas between, None if one is too long."""
        entries = sorted((self._texts[x] for x in options), key=lambda entry: entry.order)
        texts = [entry.text for entry in entries if entry.text is not None]
        return ",".join(texts) if len(texts) == len(options) else None

    def _braces(self, form: int) -> tuple[str | None, int]:
        """Return the text of a form with its options in braces, and its bars."""
        forms = self._forms
        sides, most = [], 0
        for options in (forms.left[form], forms.right[form]):
            text = self._listed(options)
            if text is None:
                return None, 0
            bars = self._texts[options[0]].bars if len(options) == 1 else 0
            if 0 < bars < _MOST_BARS:
                text = text[1:-1]
                most = max(most, bars)
            sides.append(text)
        most += 1
        return f"{{{sides[0]}{'|' * most}{sides[1]}}}", most

    # -- infinitesimals ----------------------------------------------------------------------------

    def _ups_of(self, form: int) -> _Ups | None:
        """Return the number, the ups and the nimber whose sum a form is; None for other forms."""
        forms = self._forms
        heap = forms.nim_heap_of(form)
        if heap is not None:
            return _Ups(Fraction(0), 0, heap)
        known = self._ups.get(form)
        if known is not None:
            return known
        stop = forms.left_stop(form)
        found = None
        if stop != forms.right_stop(form):
            return None
        if stop:
            rest = self._ups_of(self._difference(form, stop))
            found = None if rest is None else rest._replace(number=stop)
        else:
            left, right = forms.left[form], forms.right[form]
            for sign, stay, move in ((1, left, right), (-1, right, left)):
                found = found or self._longer_ups(sign, stay, move)
        if found is not None:
            self._ups[form] = found
        return found

    def _longer_ups(self, sign: int, stay: tuple[int, ...], move: tuple[int, ...]) -> _Ups | None:
        """Return the ups that have these options, of which ``move`` are those with fewer ups.

        n·↑ + *m is {0 | (n-1)·↑ + *(m xor 1)}, except that ↑* is {0,*|0}.
        """
        forms = self._forms
        if stay == (0, forms.nimber(1)) and move == (0,):
            return _Ups(Fraction(0), sign, 1)
        if stay != (0,) or len(move) != 1 or not move[0]:
            return None
        heap = forms.nim_heap_of(move[0])
        fewer = self._ups.get(move[0]) if heap is None else _Ups(Fraction(0), 0, heap)
        if fewer is None or fewer.number or fewer.ups * sign < 0:
            return None
        return _Ups(Fraction(0), fewer.ups + sign, fewer.heap ^ 1)

    def _power_of(self, form: int) -> _Power | None:
        """Return the power of ↑ that an infinitesimal form is; None for other forms."""
        known = self._powers.get(form)
        if known is not None:
            return known
        left, right = self._forms.left[form], self._forms.right[form]
        for sign, stay, move in ((1, left, right), (-1, right, left)):
            power = self._next_power(sign, stay, move)
            if power is not None:
                self._powers[form] = power
                return power
        return None

    def _next_power(self, sign: int, stay: tuple[int, ...], move: tuple[int, ...]) -> _Power | None:
        """Return the power that has these options.

        With ↑[n] for the sum of the first n powers, ↑ⁿ⁺¹ is {0 | * - ↑[n]}, and ↑[n+1] is
        {↑[n] | *}. Plus ``*`` they are {0,* | -↑[n]} and {0,↑[n]* | 0}.
        """
        star = self._forms.nimber(1)
        if len(move) != 1:
            return None
        if move == (star,) and len(stay) == 1:
            n = self._sum_of_powers(stay[0], sign, 0)
            return _Power(sign, n + 1, is_sum=True, star=0) if n else None
        if move == (0,) and len(stay) == 2 and not stay[0]:  # noqa: PLR2004  # 0 and one more
            n = self._sum_of_powers(stay[1], sign, 1)
            return _Power(sign, n + 1, is_sum=True, star=1) if n else None
        if stay in {(0,), (0, star)}:
            n = self._sum_of_powers(move[0], -sign, 2 - len(stay))
            return _Power(sign, n + 1, is_sum=False, star=len(stay) - 1) if n else None
        return None

    def _sum_of_powers(self, form: int, sign: int, star: int) -> int:
        """Return n if a form is sign·↑[n] + star·``*``, otherwise 0."""
        if self._ups.get(form) == _Ups(Fraction(0), sign, star):
            return 1
        power = self._powers.get(form)
        if power is None or not power.is_sum or (power.sign, power.star) != (sign, star):
            return 0
        return power.exponent

    def _tiny_of(self, form: int) -> list[tuple[str, int]]:
        """Return ``Tiny`` or ``Miny`` and G if a form is {0||0|-G} or {G|0||0}, G above 0."""
        forms = self._forms
        found = []
        for name, outer, inner in (
            ("Tiny", forms.left, forms.right),
            ("Miny", forms.right, forms.left),
        ):
            if outer[form] != (0,) or len(inner[form]) != 1:
                continue
            middle = inner[form][0]
            if outer[middle] == (0,) and len(inner[middle]) == 1:
                size = inner[middle][0]
                size = forms.negative(size) if name == "Tiny" else size
                if forms.right_stop(size) > 0:
                    found.append((name, size))
        return found


def ascii_text(text: str) -> str:
    """Return a text in ASCII, as CGSuite writes it."""
    return text.translate(_ASCII).replace("><", "")


def _ups_text(ups: _Ups) -> str:
    """Return the text of a number, ups and a nimber, such as 1↑3*2."""
    arrow, double = ("↑", "⇑") if ups.ups > 0 else ("↓", "⇓")
    size = abs(ups.ups)
    text = {0: "", 1: arrow, 2: double}.get(size, f"{arrow}{size}")
    return f"{ups.number or ''}{text}{_nimber_text(ups.heap)}"


def _power_text(power: _Power) -> str:
    """Return the text of a power of ↑, such as ↑², or of the sum of the first, such as ↑[2]."""
    arrow = "↑" if power.sign > 0 else "↓"
    exponent = str(power.exponent)
    exponent = f"[{exponent}]" if power.is_sum else exponent.translate(_POWERS)
    return f"{arrow}{exponent}{_nimber_text(power.star)}"


def _nimber_text(heap: int) -> str:
    """Return the text of a nimber that is added, empty for 0."""
    return "" if not heap else "*" if heap == 1 else f"*{heap}"
