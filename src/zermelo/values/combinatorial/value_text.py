"""The text of a form, as the field prints it: 3/4, *2, ↑*, ±1, 2Tiny(1), or options in braces."""

from __future__ import annotations

from fractions import Fraction

from zermelo.values.combinatorial.canonical_forms import CanonicalForms

_ASCII = str.maketrans({"↑": "^", "↓": "v", "±": "+-"})


class ValueTexts:
    """Texts of forms, each made once.

    Texts in braces have a number of bars between their sides: ``{a|b||c}`` is ``{{a|b}|c}``.
    """

    def __init__(self, forms: CanonicalForms) -> None:
        """Create the collection for some forms."""
        self._forms = forms
        # The text of each form, and the bars if it is in braces, otherwise 0.
        self._texts: dict[int, tuple[str, int]] = {}
        # Ups and nimbers: how many ups, and the heap beside them.
        self._ups: dict[int, tuple[int, int]] = {}

    def text(self, form: int) -> str:
        """Return the text of a form.

        Args:
            form: the number of the form.
        """
        texts = self._texts
        if form not in texts:
            stack = [form]
            while stack:
                number = stack[-1]
                needed = [x for x in self._parts(number) if x not in texts]
                if needed:
                    stack += needed
                    continue
                stack.pop()
                if number not in texts:
                    texts[number] = self._named(number) or self._braces(number)
        return texts[form][0]

    def _parts(self, form: int) -> tuple[int, ...]:
        """Return the forms whose texts the text of a form needs, at least."""
        forms = self._forms
        if forms.number_of(form) is not None or forms.nim_heap_of(form) is not None:
            return ()
        parts = forms.left[form] + forms.right[form]
        stop = forms.left_stop(form)
        if stop and stop == forms.right_stop(form):
            return (*parts, self._difference(form, stop))
        return parts

    def _difference(self, form: int, number: Fraction) -> int:
        """Return the form minus a number."""
        return self._forms.sum(form, self._forms.number(-number))

    def _named(self, form: int) -> tuple[str, int] | None:
        """Return the text of a form that has a name, with 0 for its bars."""
        forms = self._forms
        number = forms.number_of(form)
        if number is not None:
            return str(number), 0
        ups = self._ups_of(form)
        if ups is not None:
            return _ups_text(*ups), 0
        left, right = forms.left[form], forms.right[form]
        stop = forms.left_stop(form)
        if stop == forms.right_stop(form):
            if stop:
                text, bars = self._texts[self._difference(form, stop)]
                return None if bars or text[0] in "±-" else (f"{stop}{text}", 0)
            for name, sign, inner in (("Tiny", 1, right), ("Miny", -1, left)):
                size = self._tiny_of(form, inner, sign)
                if size is not None:
                    return f"{name}({size})", 0
        if right == tuple(sorted(forms.negative(x) for x in left)):
            texts = [self._texts[x][0] for x in left]
            single = len(texts) == 1 and texts[0][0] != "-"
            return "±" + (texts[0] if single else f"({','.join(texts)})"), 0
        return None

    def _ups_of(self, form: int) -> tuple[int, int] | None:
        """Return how many ups, and which nimber, a form is the sum of; None for other forms."""
        forms = self._forms
        heap = forms.nim_heap_of(form)
        if heap is not None:
            return 0, heap
        known = self._ups.get(form)
        if known is not None:
            return known
        left, right = forms.left[form], forms.right[form]
        found = None
        star = forms.nimber(1)
        # n·↑ + *m is {0 | (n-1)·↑ + *(m xor 1)}, only ↑* is {0,*|0} (Winning Ways, chapter 3).
        for sign, stay, move in ((1, left, right), (-1, right, left)):
            if stay == (0, star) and move == (0,):
                found = sign, 1
            elif stay == (0,) and len(move) == 1 and move[0]:
                heap = forms.nim_heap_of(move[0])
                count, heap = (0, heap) if heap is not None else self._ups.get(move[0], (0, -1))
                if heap >= 0 and count * sign >= 0:
                    found = count + sign, heap ^ 1
        if found is not None:
            self._ups[form] = found
        return found

    def _tiny_of(self, form: int, inner: tuple[int, ...], sign: int) -> Fraction | None:
        """Return x if a form is tiny-x, {0||0|-x}, or with sign -1 miny-x, {x|0||0}, x a number."""
        forms = self._forms
        outer = forms.left[form] if sign > 0 else forms.right[form]
        if outer != (0,) or len(inner) != 1:
            return None
        stay, move = forms.left[inner[0]], forms.right[inner[0]]
        if sign < 0:
            stay, move = move, stay
        number = forms.number_of(move[0]) if stay == (0,) and len(move) == 1 else None
        return None if number is None else -number * sign

    def _braces(self, form: int) -> tuple[str, int]:
        """Return the text of a form with its options in braces, and its bars."""
        forms = self._forms
        sides, most = [], 0
        for options in (forms.left[form], forms.right[form]):
            text, bars = ",".join(self._texts[x][0] for x in options), 0
            if len(options) == 1:
                bars = self._texts[options[0]][1]
                if bars:
                    text = text[1:-1]
            most = max(most, bars)
            sides.append(text)
        most += 1
        return f"{{{sides[0]}{'|' * most}{sides[1]}}}", most


def ascii_text(text: str) -> str:
    """Return a text in ASCII, as CGSuite writes it."""
    return text.replace("⇑", "^^").replace("⇓", "vv").translate(_ASCII)


def _ups_text(count: int, heap: int) -> str:
    """Return the text of ups and a nimber, such as ↑3*2."""
    arrow, double = ("↑", "⇑") if count > 0 else ("↓", "⇓")
    size = abs(count)
    text = {0: "", 1: arrow, 2: double}.get(size, f"{arrow}{size}")
    return text + ("" if not heap else "*" if heap == 1 else f"*{heap}")
