"""Names of canonical forms, as the field writes them: 3/4, *2, ↑*, ±1, {2|0}, Tiny(2)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zermelo.values.combinatorial.canonical_forms import CanonicalForms

#: The marks of both spellings: ups, their doubles, and the sign of a switch.
_UNICODE = {"up": "↑", "down": "↓", "double up": "⇑", "double down": "⇓", "switch": "±"}
_ASCII = {"up": "^", "down": "v", "double up": "^2", "double down": "v2", "switch": "+-"}
_STAR = 1


class Ups(NamedTuple):
    """A multiple of up, plus a nimber.

    Attributes:
        multiple: the multiple of up; negative for downs.
        nimber: the nimber.
    """

    multiple: int
    nimber: int


class Names:
    """The names of forms, found once for each."""

    def __init__(self, forms: CanonicalForms, *, ascii_only: bool) -> None:
        """Store the forms, and whether only ASCII is used."""
        self.forms = forms
        self._marks = _ASCII if ascii_only else _UNICODE
        self._names: dict[int, str] = {}
        #: The bars of each name in braces, 0 for other names.
        self._bars: dict[int, int] = {}

    def name(self, form: int) -> str:
        """Return the name of a form; options are named first."""
        waiting = [form]
        while waiting:
            each = waiting[-1]
            missing = [option for option in self._needed(each) if option not in self._names]
            if missing and each not in self._names:
                waiting += missing
                continue
            waiting.pop()
            if each not in self._names:
                self._names[each], self._bars[each] = self._found(each)
        return self._names[form]

    def _needed(self, form: int) -> tuple[int, ...]:
        """Return the forms whose names the name of a form may contain."""
        forms = self.forms
        if forms.is_number[form]:
            return ()
        if forms.left_stops[form] == forms.right_stops[form] != 0:
            rest = self._infinitesimal(form)
            if not self._bars.get(rest):
                return (rest,)
        tiny = self._tiny(form)
        if tiny is not None:
            return (tiny[1],)
        return (*forms.left[form], *forms.right[form])

    def _infinitesimal(self, form: int) -> int:
        """Return what a form exceeds a number by, to which both its stops are equal."""
        return self.forms.sum(form, self.forms.number(-self.forms.left_stops[form]))

    def _found(self, form: int) -> tuple[str, int]:
        """Return the name of a form, and the bars of it."""
        forms = self.forms
        if forms.is_number[form]:
            return str(Fraction(forms.left_stops[form])), 0
        if forms.left_stops[form] == forms.right_stops[form] != 0:
            rest = self._infinitesimal(form)
            number = str(Fraction(forms.left_stops[form]))
            if not self._bars[rest]:
                return f"{number}{self._names[rest]}", 0
        else:
            ups = ups_of(forms, form)
            if ups is not None:
                return self._ups_name(ups), 0
            tiny = self._tiny(form)
            if tiny is not None:
                return f"{tiny[0]}({self._names[tiny[1]]})", 0
        if forms.negative(form) == form:
            left, mark = forms.left[form], self._marks["switch"]
            options = ",".join(self._names[option] for option in left)
            is_plain = len(left) == 1 and (forms.is_number[left[0]] or self._bars[left[0]])
            return (f"{mark}{options}" if is_plain else f"{mark}({options})"), 0
        sides = forms.left[form], forms.right[form]
        naked = [self._bars[side[0]] if len(side) == 1 else 0 for side in sides]
        bars = 1 + max(naked)
        texts = []
        for side, nested in zip(sides, naked, strict=True):
            if nested:
                texts.append(self._names[side[0]].removeprefix("{").removesuffix("}"))
            else:
                texts.append(",".join(self._names[option] for option in side))
        return f"{{{texts[0]}{'|' * bars}{texts[1]}}}", bars

    def _ups_name(self, ups: Ups) -> str:
        """Return the name of ups and a nimber, such as ⇑*2."""
        star = "" if not ups.nimber else "*" if ups.nimber == _STAR else f"*{ups.nimber}"
        if not ups.multiple:
            return star or "0"
        direction = "up" if ups.multiple > 0 else "down"
        size = abs(ups.multiple)
        double = 2
        if size == double:
            return self._marks[f"double {direction}"] + star
        return self._marks[direction] + (str(size) if size > 1 else "") + star

    def _tiny(self, form: int) -> tuple[str, int] | None:
        """Return the word and the game of a tiny {0||0|-G} or a miny {G|0||0}, or None."""
        forms = self.forms
        for word, near, far in (
            ("Tiny", forms.left, forms.right),
            ("Miny", forms.right, forms.left),
        ):
            if near[form] != (0,) or len(far[form]) != 1:
                continue
            (reply,) = far[form]
            if near[reply] == (0,) and len(far[reply]) == 1:
                (threat,) = far[reply]
                game = forms.negative(threat) if word == "Tiny" else threat
                if forms.is_at_most(0, game) and game:
                    return word, game
        return None


def ups_of(forms: CanonicalForms, form: int) -> Ups | None:
    """Return the multiple of up and the nimber whose sum a form is, or None.

    For n of at least 2, n·↑ + *k is {0 | (n-1)·↑ + *(k xor 1)}; ↑ + *k is {0 | *(k xor 1)}, except
    for ↑*, which is {0,* | 0} (Siegel, Combinatorial Game Theory, 2013, chapter II.3; Winning Ways,
    chapter 3).
    """
    star = forms.nimber(1)
    for direction, near, far in ((1, forms.left, forms.right), (-1, forms.right, forms.left)):
        at, steps = form, 0
        while not _is_heap(forms, at) and near[at] == (0,) and len(far[at]) == 1:
            at = far[at][0]
            steps += 1
        if _is_heap(forms, at):
            candidate = Ups(direction * steps, len(forms.left[at]) ^ (steps & 1))
        elif set(near[at]) == {0, star} and far[at] == (0,):
            candidate = Ups(direction * (steps + 1), 1 ^ (steps & 1))
        else:
            continue
        if of_ups(forms, candidate) == form:
            return candidate
    return None


def _is_heap(forms: CanonicalForms, form: int) -> bool:
    """Return whether a form is a nimber."""
    left = forms.left[form]
    return left == forms.right[form] and form == forms.nimber(len(left))


def of_ups(forms: CanonicalForms, ups: Ups) -> int:
    """Return the form of a multiple of up, plus a nimber."""
    star = forms.nimber(1)
    up = forms.of_options([0], [star])
    one = up if ups.multiple > 0 else forms.negative(up)
    total = forms.nimber(ups.nimber)
    for _ in range(abs(ups.multiple)):
        total = forms.sum(total, one)
    return total
