"""An analysis as plots, by matplotlib, which comes with the extra ``plots``.

Each function returns a ``matplotlib.figure.Figure``: ``figure.savefig("distances.png")`` keeps it,
and a notebook shows it, without pyplot and without magic. Colours are told apart by the
colour-blind (Okabe and Ito, 2008).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo.analysis import sentences
from zermelo.errors import MissingExtraError
from zermelo.values.outcomes import DRAW, LOSS, WIN, ExpectedValue, Outcome
from zermelo.values.player_names import player_phrase, wins

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from zermelo.analysis.results import Analysis, Opening

__all__ = ["distances", "expectations", "openings", "plays", "plies", "svg", "sweep"]

WIN_COLOUR, DRAW_COLOUR, ENDLESS_COLOUR, LOSS_COLOUR = "#0072B2", "#BDBDBD", "#8A8A8A", "#E69F00"
_COLOURS = {WIN: WIN_COLOUR, DRAW: DRAW_COLOUR, LOSS: LOSS_COLOUR}
#: Stands for the colour of the text around a picture; see ``zermelo.forms.plot``.
INK = "#123456"
#: The most openings with a bar each, if they have no cells on a board.
_MOST_BARS = 24
#: Bars that are drawn one by one: more are gathered.
_MOST_COLUMNS = 120
_WIDTH, _HEIGHT = 7.0, 3.2
#: The styles of the lines of a sweep.
_DASHES = ("-", "--", ":", "-.")
_CELL = re.compile(r"([A-Za-z])(\d{0,2})")


def require_matplotlib() -> None:
    """Raise MissingExtraError where matplotlib or Jinja are not installed."""
    absent = [name for name in ("matplotlib", "jinja2") if find_spec(name) is None]
    if absent:
        message = f"plots need {' and '.join(absent)}; install: pip install 'zermelo[plots]'"
        raise MissingExtraError(message)


def distances(analysis: Analysis) -> Figure:
    """Draw the number of positions by outcome and plies to the end; or by score.

    Args:
        analysis: the analysis.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    kind, counts = analysis.kind, analysis.counts
    figure, axes = new_figure(kind.words.title)
    parts: dict[Outcome, dict[int, int]] = {outcome: {} for outcome in (WIN, DRAW, LOSS)}
    for value, count in kind.sorted_counts(counts):
        if (place := kind.words.coordinate(value)) is not None and value.outcome is not None:
            parts[value.outcome][place] = count
    _bars(axes, {kind.words.outcomes[o]: (found, _COLOURS[o]) for o, found in parts.items()})
    endless = f"; and {counts.endless:,} endless draws" if counts.endless else ""
    axes.set_xlabel(kind.words.axis + endless)
    axes.set_ylabel("positions")
    return figure


def expectations(analysis: Analysis) -> Figure:
    """Draw the number of positions by their expected result, or margin, in a game with chance.

    Args:
        analysis: the analysis.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    kind, counts = analysis.kind, analysis.counts
    figure, axes = new_figure(kind.words.title)
    middles: dict[Outcome, list[tuple[float, int]]] = {outcome: [] for outcome in (WIN, DRAW, LOSS)}
    for value, count in kind.sorted_counts(counts):
        if isinstance(value, ExpectedValue):
            middles[value.outcome or DRAW].append((value.expectation, count))
    all_middles = sorted(middle for pairs in middles.values() for middle, _ in pairs)
    gaps = [high - low for low, high in pairwise(all_middles) if high > low]
    width = 0.85 * min(gaps, default=0.1)
    for outcome, pairs in middles.items():
        if pairs:
            across, up = zip(*pairs, strict=True)
            label = kind.words.outcomes[outcome]
            axes.bar(across, up, width, color=_COLOURS[outcome], label=label, linewidth=0)
    axes.set_xlabel(kind.words.axis)
    axes.set_ylabel("positions")
    _numbers(axes)
    add_legend(axes, 3)
    return figure


def plies(analysis: Analysis) -> Figure:
    """Draw the shares of the outcomes at each ply, and the number of positions that first arise.

    Args:
        analysis: an exact analysis.

    Raises:
        MissingExtraError: matplotlib is not installed.
        ValueError: the analysis was sampled, and does not say.
    """
    if not analysis.plies:
        message = "a sampled analysis does not say when positions arise; allow more memory"
        raise ValueError(message)
    figure, axes = new_figure("Who wins, by ply")
    numbers = [row.ply for row in analysis.plies]
    totals = [row.win + row.draw + row.loss for row in analysis.plies]
    base = [0.0] * len(numbers)
    first, second = analysis.players
    kinds = (
        (wins(first), "win", WIN_COLOUR),
        ("draw", "draw", DRAW_COLOUR),
        (wins(second), "loss", LOSS_COLOUR),
    )
    for name, kind, colour in kinds:
        shares = [
            getattr(row, kind) / total if total else 0.0
            for row, total in zip(analysis.plies, totals, strict=True)
        ]
        axes.bar(numbers, shares, 1.0, base, color=colour, label=name, linewidth=0)
        base = [low + share for low, share in zip(base, shares, strict=True)]
    axes.set_ylim(0, 1)
    axes.set_xlim(-0.5, len(numbers) - 0.5)
    axes.set_ylabel("share of positions")
    axes.set_xlabel("plies from the start")
    axes.yaxis.set_major_formatter(percent_formatter())
    whole_numbers(axes)
    count_axes = axes.twinx()
    count_axes.plot(numbers, totals, color=INK, marker="." if len(numbers) < _MOST_COLUMNS else "")
    count_axes.set_yscale("log")
    count_axes.set_ylim(0.8, 2 * max(totals))
    count_axes.set_ylabel("positions (line)")
    count_axes.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
    count_axes.minorticks_off()
    _strip_axes(count_axes)
    add_legend(axes, 3)
    return figure


def plays(analysis: Analysis) -> Figure:
    """Draw the results for each way of playing.

    Args:
        analysis: the analysis.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    figure, axes = new_figure("Results", height=1.5 + 0.36 * len(analysis.plays))
    rows = [play for play in analysis.plays if play.win is not None]
    first, second = analysis.players
    base = [0.0] * len(rows)
    kinds = (
        (wins(first), "win", WIN_COLOUR),
        ("draw", "draw", DRAW_COLOUR),
        ("endless draw", "endless", ENDLESS_COLOUR),
        (wins(second), "loss", LOSS_COLOUR),
    )
    for label, kind, colour in kinds:
        shares = [float(getattr(play, kind)) for play in rows]
        if kind == "endless" and not any(shares):
            continue
        bars = axes.barh([play.name for play in rows], shares, 0.72, base, color=colour,
                         label=label)  # fmt: skip
        texts = [f"{100 * share:.1f} %" if share >= 0.08 else "" for share in shares]  # noqa: PLR2004  # wide enough for its text
        dark = kind in ("win", "endless")
        axes.bar_label(bars, texts, label_type="center", color="white" if dark else "black",
                       fontsize=8)  # fmt: skip
        base = [low + share for low, share in zip(base, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(percent_formatter())
    add_legend(axes, 4)
    return figure


def openings(analysis: Analysis) -> Figure:
    """Draw the value of each first move: on the board, if moves are named by its cells.

    The text is the result of perfect play; the colour shows random play.

    Args:
        analysis: the analysis.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    cells = _cells(analysis)
    if cells is not None:
        return _heat_map(analysis, cells)
    bars = [(name, opening) for opening in analysis.openings for name in opening.names]
    hidden = len(bars) - _MOST_BARS
    bars = bars[:_MOST_BARS]
    figure, axes = new_figure("First moves", height=1.0 + 0.26 * max(len(bars), 2))
    scores = [
        0.0 if opening.expected_score is None else opening.expected_score for _, opening in bars
    ]
    colours = [_COLOURS[opening.value.outcome or DRAW] for _, opening in bars]
    axes.barh([name for name, _ in bars], scores, 0.7, color=colours)
    axes.invert_yaxis()
    for row, (_, opening) in enumerate(bars):
        axes.annotate(
            f" {opening.value}", (max(scores[row], 0.0), row), va="center", fontsize=8, color=INK
        )
    axes.set_xlabel(analysis.kind.words.measure.name)
    if analysis.kind.words.measure.share:
        axes.set_xlim(0, 1.18)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.xaxis.set_major_formatter(percent_formatter())
    axes.margins(x=0.15)
    if hidden > 0:
        axes.set_title(f"and {hidden:,} more", fontsize=9, loc="right", color=INK)
    return figure


def sweep(analyses: Sequence[Analysis]) -> list[Figure]:
    """Draw the results of random play and the number of positions over a swept parameter.

    The parameter with the most values is that of the plots; games that differ in others are on
    lines of their own.

    Args:
        analyses: analyses of one game with several parameters.

    Returns:
        Two plots, or none if no whole number differs between the games.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    varied = {
        name: [a.parameters[name] for a in analyses]
        for name in sentences.varying_parameters(analyses)
    }
    numeric = [name for name, values in varied.items() if all(type(v) is int for v in values)]
    if len(analyses) <= 1 or not numeric:
        return []
    across = max(numeric, key=lambda name: len(set(varied[name])))
    lines: dict[str, list[Analysis]] = {}
    for analysis in sorted(analyses, key=lambda each: each.parameters[across]):
        other_names = [n for n in varied if n != across]
        label = ", ".join(
            f"{sentences.parameter_words(n)} {sentences.short_value(analysis.parameters[n])}"
            for n in other_names
        )
        lines.setdefault(label, []).append(analysis)
    first = analyses[0].players[0]
    measures: list[tuple[str, Callable[[Analysis], float | None]]] = [
        (f"How often {wins(first)} under random play", _random_wins),
        ("Positions", lambda analysis: analysis.positions),
    ]
    if analyses[0].random.margin is not None:
        measures[0] = (f"Margin of {player_phrase(first)} under random play", _random_margin)
    figures = []
    for title, measure in measures:
        figure, axes = new_figure(title)
        _lines(axes, across, lines, measure)
        if measure is _random_wins:
            axes.set_ylim(0, 1)
            axes.yaxis.set_major_formatter(percent_formatter())
        elif title == "Positions":
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
            axes.minorticks_off()
        figures.append(figure)
    return figures


def _lines(
    axes: Axes,
    across: str,
    lines: Mapping[str, Sequence[Analysis]],
    measure: Callable[[Analysis], float | None],
) -> None:
    """Draw a measure of each line of games; the colour of a point is the value of its start."""
    for number, (label, games) in enumerate(lines.items()):
        places = [game.parameters[across] for game in games]
        heights = [measure(game) for game in games]
        points = [(x, float(y)) for x, y in zip(places, heights, strict=True) if y is not None]
        if points:
            style = _DASHES[number % len(_DASHES)]
            axes.plot(*zip(*points, strict=True), linestyle=style, color=INK, label=label or None,
                      linewidth=1, zorder=1)  # fmt: skip
    first, second = next(iter(lines.values()))[0].players
    endings = wins(first), "draw", wins(second)
    if any(game.luck is not None for game in next(iter(lines.values()))):
        endings = f"{player_phrase(first)} ahead", "even", f"{player_phrase(second)} ahead"
    for outcome, ending in zip((WIN, DRAW, LOSS), endings, strict=True):
        matching = [
            game for each in lines.values() for game in each if game.value.outcome is outcome
        ]
        dots = [(game.parameters[across], measure(game)) for game in matching]
        points = [(x, float(y)) for x, y in dots if y is not None]
        if points:
            left, heights_of_points = [x for x, _ in points], [y for _, y in points]
            axes.scatter(left, heights_of_points, 42, color=_COLOURS[outcome],
                         label=ending, edgecolors=INK, linewidths=0.6, zorder=2)  # fmt: skip
    axes.set_xlabel(sentences.parameter_words(across), color=INK)
    whole_numbers(axes)
    add_legend(axes, 4)


def _random_wins(analysis: Analysis) -> float | None:
    return None if analysis.random.win is None else float(analysis.random.win)


def _random_margin(analysis: Analysis) -> float | None:
    return None if analysis.random.margin is None else float(analysis.random.margin)


def svg(figure: Figure, label: str) -> str:
    """Return a figure as an SVG element to put into a page, in the colours of its text.

    Args:
        figure: the figure.
        label: a description for screen readers.
    """
    require_matplotlib()
    from zermelo.forms.plot import as_svg

    return as_svg(figure, label)


# -- the parts of pictures -------------------------------------------------------------------------


def new_figure(
    title: str, *, width: float = _WIDTH, height: float = _HEIGHT
) -> tuple[Figure, Axes]:
    """Return a figure with a title, in the colours of its text; see ``svg``.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    require_matplotlib()
    from zermelo.forms.plot import Plot

    figure = Plot(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=11, loc="left", color=INK)
    _strip_axes(axes)
    return figure, axes


def _strip_axes(axes: Axes) -> None:
    """Remove frames and ticks, and colour the axes like text."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for spine in axes.spines.values():
        spine.set_color(INK)
    axes.tick_params(colors=INK, labelsize=8, which="both")
    for text in (axes.xaxis.label, axes.yaxis.label):
        text.set_color(INK)
        text.set_fontsize(9)


def _bars(axes: Axes, kinds: dict[str, tuple[dict[int, int], str]]) -> None:
    """Draw counts by whole numbers as stacked bars, of several numbers each if these are many."""
    numbers = [number for counts, _ in kinds.values() for number in counts]
    low, high = min(numbers, default=0), max(numbers, default=0)
    wide = 1 + (high - low) // _MOST_COLUMNS
    columns = range((high - low) // wide + 1)
    base = [0] * len(columns)
    for name, (counts, colour) in kinds.items():
        if not counts:
            continue
        heights = [0] * len(columns)
        for number, count in counts.items():
            heights[(number - low) // wide] += count
        centres = [low + wide * column + (wide - 1) / 2 for column in columns]
        axes.bar(centres, heights, 0.85 * wide, base, color=colour, label=name, linewidth=0)
        base = [b + h for b, h in zip(base, heights, strict=True)]
    axes.set_ylim(0, 1.06 * max(base, default=1) or 1)
    whole_numbers(axes)
    _numbers(axes)
    add_legend(axes, 3)


def add_legend(axes: Axes, columns: int) -> None:
    """Add a legend above a plot."""
    if axes.get_legend_handles_labels()[0]:
        legend = axes.legend(
            ncols=columns, fontsize=8, frameon=False, loc="lower right", bbox_to_anchor=(1, 1),
            borderaxespad=0.1, labelcolor=INK, handlelength=1.0, columnspacing=1.2,
        )  # fmt: skip
        legend.set_in_layout(True)


def whole_numbers(axes: Axes) -> None:
    """Mark whole numbers only along a plot."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def _numbers(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, min_n_ticks=1))
    axes.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")


def percent_formatter() -> Any:
    """Return a formatter of shares as percentages for an axis."""
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1.0, decimals=0, symbol=" %")


def _cells(analysis: Analysis) -> dict[tuple[int, int], Opening] | None:
    """Return openings by column and row, where moves are named like cells: b2, or b."""
    cells = {}
    for opening in analysis.openings:
        for name in opening.names:
            match = _CELL.fullmatch(name)
            if match is None:
                return None
            letter, number = match.groups()
            cells[ord(letter.lower()) - ord("a"), int(number or 1) - 1] = opening
    moves = sum(len(opening.names) for opening in analysis.openings)
    return cells if cells and len(cells) == moves else None


def _heat_map(analysis: Analysis, cells: dict[tuple[int, int], Opening]) -> Figure:
    """Draw a board with the cells that a first move may go to."""
    import numpy as np

    wide = max(column for column, _ in cells) + 1
    high = max(row for _, row in cells) + 1
    size = min(0.85, 6.2 / wide)
    figure, axes = new_figure(
        "First moves", width=max(size * wide + 2.2, 3.6), height=max(size * high + 1.1, 1.9)
    )
    scores = np.full((high, wide), np.nan)
    for (column, row), opening in cells.items():
        scores[row, column] = np.nan if opening.expected_score is None else opening.expected_score
    known_scores = scores[~np.isnan(scores)]
    measure = analysis.kind.words.measure
    off = (
        max(0.05, float(np.max(np.abs(known_scores - measure.even)))) if len(known_scores) else 0.5
    )
    image = axes.imshow(
        scores,
        cmap=_outcome_colours(),
        vmin=measure.even - off,
        vmax=measure.even + off,
        origin="lower",
        aspect="equal",
    )
    for (column, row), opening in cells.items():
        text = str(opening.value).replace(" in ", "\n").replace("score ", "")
        axes.text(column, row, text, ha="center", va="center", fontsize=min(8, 13 * size),
                  color="black" if opening.expected_score is not None else INK)  # fmt: skip
    axes.set_xticks(range(wide), [chr(ord("a") + column) for column in range(wide)])
    axes.set_yticks(range(high), [str(row + 1) for row in range(high)] if high > 1 else [""])
    axes.set_xticks([column - 0.5 for column in range(1, wide)], minor=True)
    axes.set_yticks([row - 0.5 for row in range(1, high)], minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if len(known_scores):
        bar = figure.colorbar(image, ax=axes, shrink=0.9)
        bar.set_label("under random play", color=INK, fontsize=8)
        bar.ax.tick_params(colors=INK, labelsize=7)
        bar.outline.set_visible(False)
        if measure.share:
            bar.ax.yaxis.set_major_formatter(percent_formatter())
    return figure


def _outcome_colours() -> Any:
    """Return colours from a loss over a draw to a win, light enough for dark text."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("zermelo", ["#E69F00", "#F2F2F2", "#56B4E9"])
