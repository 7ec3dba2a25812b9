"""Building blocks of the HTML that notebooks show.

All text is escaped where it becomes markup, in one place: only ``Markup`` is left unchanged. Lines
and letters have the colours of the page around them, light or dark; outcomes have colours that
colour-blind readers can distinguish (Okabe and Ito, 2008), and a sign beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TypeAlias

#: The sign of an outcome, by its name, for readers who do not see the colour.
SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}", "unknown": "?"}
#: Its colour.
COLOURS = {"win": "#0072B2", "draw": "#8A8A8A", "loss": "#E69F00", "unknown": "#8A8A8A"}
#: The longest bar, in pixels.
_BAR = 240


class Markup(str):
    """Text that is HTML already, and is not escaped again."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content]"


def _joined(content: Content) -> str:
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return escape(content)
    return "".join(map(_joined, content))


def element(tag: str, *content: Content, **attributes: str) -> Markup:
    """Return an element.

    Args:
        tag: its name.
        content: its contents: texts, which are escaped, and markup, which is not.
        attributes: its attributes; ``class_`` is ``class``. An empty one is omitted.
    """
    written_attributes = "".join(
        f' {name.rstrip("_")}="{escape(text)}"' for name, text in attributes.items() if text
    )
    return Markup(f"<{tag}{written_attributes}>{_joined(content)}</{tag}>")


def form(*blocks: Content) -> str:
    """Return blocks as complete HTML, with the style that they need."""
    return str(element("div", _style(), *blocks, class_="zermelo"))


@cache
def _style() -> Markup:
    """Return the style of all answers as an element."""
    text = Path(__file__).with_name("notebook.css").read_text(encoding="utf-8")
    return Markup(f"<style>{' '.join(text.split())}</style>")


def lead(*content: Content) -> Markup:
    """Return a line with the most important information."""
    return element("p", *content, class_="zermelo-lead")


def line(*content: Content) -> Markup:
    """Return a line of text."""
    return element("p", *content)


def note(*content: Content) -> Markup:
    """Return a line with less important text."""
    return element("p", *content, class_="zermelo-note")


def side_by_side(*blocks: Content) -> Markup:
    """Return blocks side by side, if there is room."""
    return element("div", *(element("div", block) for block in blocks), class_="zermelo-row")


def pre(text: str) -> Markup:
    """Return preformatted lines of text."""
    return element("pre", text)


def item_list(items: Iterable[Content], *, numbered: bool = False) -> Markup:
    """Return a list."""
    return element("ol" if numbered else "ul", *(element("li", item) for item in items))


def value_text(outcome: str, text: str) -> Markup:
    """Return a value, such as ``win in 5``, with the sign of its outcome before it.

    Args:
        outcome: ``"win"``, ``"draw"``, ``"loss"`` or ``"unknown"``.
        text: the value in words.
    """
    return Markup(element("b", SIGNS[outcome], class_=outcome) + escape(text))


def verdict(text: str, *, good: bool) -> Markup:
    """Return a sentence with a sign for yes or no before it."""
    sign = element("b", "\N{CHECK MARK}" if good else "\N{BALLOT X}", class_=_tone(good=good))
    return element("p", sign, text, class_="zermelo-lead")


def _tone(*, good: bool) -> str:
    return "win" if good else "loss"


def table(
    rows: Iterable[Sequence[Content]],
    head: Sequence[str] = (),
    *,
    numbers: Iterable[int] = (),
    long: Iterable[int] = (),
) -> Markup:
    """Return a table.

    Args:
        rows: the cells of each row; the first is the heading of its row.
        head: the headings of the columns; none by default.
        numbers: the columns of numbers, which are aligned to the right.
        long: the columns whose text may take several lines.
    """
    kinds = dict.fromkeys(numbers, "number") | dict.fromkeys(long, "long")
    header_part: list[Markup] = []
    if head:
        cells = (
            element("th", text, scope="col", class_=kinds.get(n, "")) for n, text in enumerate(head)
        )
        header_part = [element("thead", element("tr", *cells))]
    body_rows = (
        element(
            "tr",
            *(
                element("td", cell, class_=kinds.get(n, ""))
                if n
                else element("th", cell, scope="row")
                for n, cell in enumerate(row)
            ),
        )
        for row in rows
    )
    return element("table", *header_part, element("tbody", *body_rows))


def bars(rows: Iterable[tuple[str, int, str]], *, head: Sequence[str] = ()) -> Markup:
    """Return numbers as bars.

    Args:
        rows: the label, the number, and the outcome whose colour the bar has.
        head: two headings, for the labels and for the numbers.
    """
    listed_ = list(rows)
    greatest = max((count for _, count, _ in listed_), default=0) or 1
    cells = [
        (
            value_text(tone, name),
            f"{count:,}",
            element("i", class_=tone, style=f"width:{_BAR * count / greatest:.0f}px")
            if count
            else "",
        )
        for name, count, tone in listed_
    ]
    return table(cells, [*head, ""] if head else (), numbers=[1])


def share_bar(parts: Iterable[tuple[str, int]]) -> Markup:
    """Return the shares of outcomes in a whole, as one bar."""
    shares = [(tone, count) for tone, count in parts if count]
    total = sum(count for _, count in shares) or 1
    return element(
        "p",
        *(
            element("i", class_=tone, style=f"width:{2 * _BAR * count / total:.0f}px")
            for tone, count in shares
        ),
    )


def figure(svg: str, caption: Content = "") -> Markup:
    """Return a picture with words below it.

    Args:
        svg: an ``<svg>`` element, which is not escaped.
        caption: the words.
    """
    caption_part = [element("figcaption", caption)] if caption else []
    return element("figure", Markup(svg), *caption_part)


def strip(figures: Iterable[Markup]) -> Markup:
    """Return pictures in sequence, like those of a film."""
    return element("div", *figures, class_="zermelo-strip")
