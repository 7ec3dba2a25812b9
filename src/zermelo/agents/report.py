"""Evaluations as a self-contained page: no script, nothing to load, plots inside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.agents import plots, sentences
from zermelo.analysis.plots import svg
from zermelo.analysis.report import fill_template, report_style
from zermelo.atomic_write import write_text
from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.agents.results import Evaluation

__all__ = ["inline", "page", "write"]


def page(evaluations: Sequence[Evaluation]) -> str:
    """Return a page on an agent, or on several side by side.

    Args:
        evaluations: the evaluations, all on one game.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
        ParameterError: there are no evaluations, or they are on several games.
    """
    return _render("report.html", evaluations)


def inline(evaluations: Sequence[Evaluation]) -> str:
    """Return the report as part of a page, such as a notebook, whose colours it takes.

    Args:
        evaluations: the evaluations, all on one game.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
        ParameterError: there are no evaluations, or they are on several games.
    """
    body = _render("report_body.html", evaluations)
    return f'<div class="zermelo-report"><style>{report_style()}</style>{body}</div>'


def write(evaluations: Sequence[Evaluation], path: str | os.PathLike[str]) -> Path:
    """Write a page on evaluations; the file appears, or is replaced, when it is complete.

    Args:
        evaluations: the evaluations, all on one game.
        path: the path of the page.

    Returns:
        The path.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
        ParameterError: there are no evaluations, or they are on several games.
        TableWriteError: the page cannot be written.
    """
    target = Path(path)
    write_text(target, page(evaluations))
    return target


def _render(name: str, evaluations: Sequence[Evaluation]) -> str:
    games = {(evaluation.game, str(evaluation.parameters)) for evaluation in evaluations}
    if len(games) != 1:
        titles = ", ".join(dict.fromkeys(evaluation.title for evaluation in evaluations))
        number = f"on {titles}, several games" if evaluations else "none"
        message = f"the evaluations are {number}; give a list of one or more on one game"
        raise ParameterError(message)
    title = sentences.title(evaluations)
    return fill_template(
        name,
        Path(__file__).parent,
        page_title=title,
        title=title,
        evaluations=evaluations,
        table=sentences.evaluation_table(evaluations),
        note=sentences.CHANCE_NOTE if sentences.is_by_chance(evaluations) else sentences.NOTE,
        sampled=sentences.sample_text(evaluations),
        drawn=_draw_plots(evaluations, title),
        sentence=sentences.evaluation_sentence,
        told=sentences.mistake_line,
    )


def _draw_plots(evaluations: Sequence[Evaluation], title: str) -> list[str]:
    """Return the plots as SVG."""
    figures: list[tuple[str, Figure]] = [
        ("What the moves do", plots.shares(evaluations)),
        ("How the games end", plots.results(evaluations)),
    ]
    if any(evaluation.everywhere.plies for evaluation in evaluations):
        figures.append(("Moves that give value away, by ply", plots.plies(evaluations)))
    games = list(dict.fromkeys(measured.name for e in evaluations for measured in e.games))
    figures += [
        (f"Moves that give value away, by ply: {name}", plots.plies(evaluations, name))
        for name in games
    ]
    if not sentences.is_by_chance(evaluations):
        figures.append(("What is given away, by distance", plots.distances(evaluations)))
    return [svg(figure, f"{label}: {title}") for label, figure in figures]
