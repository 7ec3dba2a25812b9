"""Plots of nim-sequences by matplotlib, which comes with the extra ``plots``."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo._engine.file.destination import check_place
from zermelo.analysis.plots import require_matplotlib
from zermelo.atomic_write import write_bytes
from zermelo.errors import ParameterError
from zermelo.heaps.periods import Period

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.heaps.game import HeapGame

__all__ = ["save", "sequence"]

#: Blue and orange, which colour-blind readers can distinguish (Okabe and Ito, 2008).
_DOT, _LINE = "#0072B2", "#E69F00"
#: The most dots that are drawn one by one; a plot of more contains a bitmap.
_MAX_DOTS = 5_000


def sequence(game: HeapGame, largest: int) -> Figure:
    """Draw the nimbers of all heaps to a size, with the beginning of a proved period.

    Args:
        game: the game.
        largest: the size of the largest heap.

    Returns:
        A figure; ``figure.savefig("kayles.png")`` writes it, a notebook shows it.

    Raises:
        MissingExtraError: matplotlib is not installed.
        ParameterError: ``largest`` is not the size of a heap.
    """
    require_matplotlib()
    from matplotlib.ticker import MaxNLocator

    from zermelo.forms.plot import INK, Plot

    values = game.nimbers(largest)
    figure = Plot(figsize=(7.0, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(f"Nimbers of {game.title}", fontsize=11, loc="left", color=INK)
    is_large = len(values) > _MAX_DOTS
    axes.plot(
        values, linestyle="", marker="," if is_large else ".", color=_DOT, rasterized=is_large
    )
    period = game.period(largest)
    if isinstance(period, Period):
        growth = f", {period.saltus} more in each" if period.saltus else ""
        label = f"from here on period {period.period:,}{growth}"
        axes.axvline(period.preperiod, color=_LINE, linewidth=1, label=label)
        axes.legend(loc="upper left", fontsize=8, frameon=False, labelcolor=INK)
    axes.set_xlabel("tokens in the heap", fontsize=9, color=INK)
    axes.set_ylabel("nimber", fontsize=9, color=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for spine in axes.spines.values():
        spine.set_color(INK)
    axes.tick_params(labelsize=8, colors=INK)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(lambda heap, _: f"{heap:,.0f}")
    return figure


def save(
    game: HeapGame, path: str | os.PathLike[str], largest: int, *, overwrite: bool = False
) -> Path:
    """Write the plot of ``sequence`` to a file, atomically.

    Args:
        game: the game.
        path: the file; its ending determines the format, such as ``.png``, ``.svg`` or ``.pdf``.
        largest: the size of the largest heap.
        overwrite: whether an existing file may be replaced.

    Raises:
        MissingExtraError: matplotlib is not installed.
        ParameterError: the ending is not that of a picture, or ``largest`` not the size of a heap.
        TableExistsError: there is a file already.
        TableWriteError: it cannot be written.
    """
    target = check_drawable(path, overwrite=overwrite)
    content = io.BytesIO()
    sequence(game, largest).savefig(content, format=target.suffix[1:], dpi=150)
    write_bytes(target, content.getvalue())
    return target


def check_drawable(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Check, before any other work, that a plot can be written to a file.

    Raises:
        MissingExtraError: matplotlib is not installed.
        ParameterError: the ending is not that of a picture.
        TableExistsError: there is a file already.
        TableWriteError: it cannot be written.
    """
    require_matplotlib()
    from matplotlib.backend_bases import FigureCanvasBase

    extensions = FigureCanvasBase.get_supported_filetypes()
    extension = Path(path).suffix[1:]
    if extension not in extensions:
        message = (
            f"the ending of {os.fspath(path)!r} is not that of a picture; use .png, .svg or .pdf"
        )
        raise ParameterError(message)
    return check_place(path, overwrite=overwrite)
