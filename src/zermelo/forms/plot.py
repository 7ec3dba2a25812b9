"""Matplotlib figures for notebooks, without pyplot and its state."""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

#: A placeholder for the colour of the text around a picture.
INK = "#123456"


class Plot(Figure):
    """A figure of matplotlib that a notebook shows, without a magic command or a backend.

    ``savefig`` writes it to a file, as for any figure.
    """

    def _plot_title(self) -> str:
        """Return a description: the title of its axes."""
        titles = [axes.get_title(loc="left") or axes.get_title() for axes in self.axes]
        return next((title for title in titles if title), "plot")

    def _repr_html_(self) -> str:
        """Return the figure as SVG in the colours of the page, for notebooks."""
        return as_svg(self, self._plot_title())

    def _repr_png_(self) -> bytes:
        """Return the figure as an image on white, for notebooks without HTML."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=144, facecolor="white")
        return buffer.getvalue()


def as_svg(figure: Figure, label: str) -> str:
    """Return a figure as an SVG element for a page, in the colours of its text.

    Args:
        figure: the figure.
        label: a description for screen readers.
    """
    buffer = io.StringIO()
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": label}
    with mpl.rc_context(settings):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg ") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[a-z]+\d*_\d+"', "", text)  # unused, and two of the same would clash
    text = text.replace(INK, "currentColor")
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
