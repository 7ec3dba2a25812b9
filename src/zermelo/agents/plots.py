"""Evaluations as plots by matplotlib, which comes with the extra ``plots``.

Each function takes evaluations, of one agent or of several side by side, and returns a
``matplotlib.figure.Figure``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.agents import sentences
from zermelo.analysis.plots import (
    DRAW_COLOUR,
    INK,
    LOSS_COLOUR,
    WIN_COLOUR,
    add_legend,
    new_figure,
    percent_formatter,
    whole_numbers,
)
from zermelo.values.outcomes import WIN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.agents.results import Evaluation, Measured, Rates
    from zermelo.analysis.results import Estimate
    from zermelo.values.kind import Kind

__all__ = ["distances", "plies", "results", "shares"]

#: Colours of agents, distinguishable for the colour-blind (Okabe and Ito, 2008).
_AGENTS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
#: The width from which a bar has room for its label.
_WIDE = 0.12


def shares(evaluations: Sequence[Evaluation]) -> Figure:
    """Draw the shares of moves that are best, keep the value, and give it away, by thing measured.

    Args:
        evaluations: the evaluations.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    rows = [
        (_label(evaluations, e, measured), measured.rates)
        for at in range(max((len(e.measured) for e in evaluations), default=0))
        for e in evaluations
        for measured in (e.measured[at],)
        if measured.rates.perfect is not None
    ]
    figure, axes = new_figure("Moves", height=1.3 + 0.34 * len(rows))
    has_chance = sentences.is_by_chance(evaluations)
    names, best, slow, worse = [name for name, _ in rows], [], [], []
    for _, rates in rows:
        perfect, keeping = _number(rates.perfect), _number(rates.keeping)
        best.append(perfect)
        slow.append(keeping - perfect)
        worse.append(1 - keeping)
    base = [0.0] * len(rows)
    for label, parts, colour in (
        ("best", best, WIN_COLOUR),
        *([("keep the value, waste plies", slow, DRAW_COLOUR)] if not has_chance else []),
        ("give value away", worse, LOSS_COLOUR),
    ):
        bars = axes.barh(range(len(rows)), parts, 0.72, base, color=colour, label=label)
        texts = [f"{100 * part:.1f} %" if part >= _WIDE else "" for part in parts]
        colours = "white" if colour == WIN_COLOUR else "black"
        axes.bar_label(bars, texts, label_type="center", color=colours, fontsize=8)
        base = [low + part for low, part in zip(base, parts, strict=True)]
    marks = [_number(rates.random) for _, rates in rows]
    axes.scatter(marks, range(len(rows)), marker="|", s=160, color="black", linewidths=2, zorder=3)
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of moves; the upright line is how many random moves would be best")
    axes.xaxis.set_major_formatter(percent_formatter())
    add_legend(axes, 3)
    return figure


def plies(evaluations: Sequence[Evaluation], name: str = "all positions") -> Figure:
    """Draw the share of moves that give value away, by ply.

    Args:
        evaluations: the evaluations.
        name: the ``name`` of the thing measured that is drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    figure, axes = new_figure(f"Moves that give value away, by ply: {name}")
    for n, evaluation in enumerate(evaluations):
        measured = next(each for each in evaluation.measured if each.name == name)
        points = [
            (row.ply, 1 - row.rates.keeping.value)
            for row in measured.plies
            if row.rates.keeping is not None
        ]
        if points:
            across, up = zip(*points, strict=True)
            axes.plot(across, up, marker=".", color=_colour(n), label=evaluation.agent)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("plies from the start")
    axes.set_ylabel("share of moves")
    axes.yaxis.set_major_formatter(percent_formatter())
    whole_numbers(axes)
    add_legend(axes, 4)
    return figure


def distances(evaluations: Sequence[Evaluation]) -> Figure:
    """Draw the share of wins thrown away, by distance to the win; or points given away, by score.

    Args:
        evaluations: the evaluations.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    is_scored = bool(evaluations) and evaluations[0].kind.gains
    name = "Points given away, by the margin" if is_scored else "Wins thrown away, by distance"
    figure, axes = new_figure(name)
    for n, evaluation in enumerate(evaluations):
        points = sorted(_by_distance(evaluation.everywhere, evaluation.kind, is_scored=is_scored))
        if points:
            across, up = zip(*points, strict=True)
            axes.plot(across, up, marker=".", color=_colour(n), label=evaluation.agent)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("margin for the agent" if is_scored else "plies to the win")
    axes.set_ylabel("points a move" if is_scored else "share of won positions")
    if not is_scored:
        axes.yaxis.set_major_formatter(percent_formatter())
    whole_numbers(axes)
    add_legend(axes, 4)
    return figure


def results(evaluations: Sequence[Evaluation]) -> Figure:
    """Draw how the agents' games end.

    Args:
        evaluations: the evaluations.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    rows = [
        (_label(evaluations, e, e.games[at]), e.games[at].result)
        for at in range(max((len(e.games) for e in evaluations), default=0))
        for e in evaluations
    ]
    figure, axes = new_figure("How its games end", height=1.3 + 0.34 * len(rows))
    base = [0.0] * len(rows)
    for label, attribute, colour in (
        ("won", "win", WIN_COLOUR),
        ("drawn", "draw", DRAW_COLOUR),
        ("unfinished", "unfinished", "#8A8A8A"),
        ("lost", "loss", LOSS_COLOUR),
    ):
        parts = [float(getattr(result, attribute)) for _, result in rows]
        if attribute == "unfinished" and not any(parts):
            continue
        bars = axes.barh(range(len(rows)), parts, 0.72, base, color=colour, label=label)
        texts = [f"{100 * part:.1f} %" if part >= _WIDE else "" for part in parts]
        colours = "white" if attribute in {"win", "unfinished"} else "black"
        axes.bar_label(bars, texts, label_type="center", color=colours, fontsize=8)
        base = [low + part for low, part in zip(base, parts, strict=True)]
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(percent_formatter())
    axes.set_xlabel("share of games", color=INK)
    add_legend(axes, 4)
    return figure


def _by_distance(measured: Measured, kind: Kind, *, is_scored: bool) -> list[tuple[int, float]]:
    """Return each distance, or score, with the average value given away there."""
    points = []
    for row in measured.values:
        place = kind.words.coordinate(row.value)
        rates: Rates = row.rates
        estimate = rates.regret if is_scored else rates.throwing
        if place is not None and estimate is not None and (is_scored or row.value.outcome is WIN):
            points.append((place, estimate.value))
    return points


def _label(evaluations: Sequence[Evaluation], evaluation: Evaluation, measured: Measured) -> str:
    return measured.name if len(evaluations) == 1 else f"{evaluation.agent}: {measured.name}"


def _number(estimate: Estimate | None) -> float:
    return 0.0 if estimate is None else float(estimate)


def _colour(number: int) -> str:
    return _AGENTS[number % len(_AGENTS)]
