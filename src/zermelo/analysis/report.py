"""Analyses as a self-contained page: no script, no further files, plots inside."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.analysis import plots, sentences
from zermelo.atomic_write import write_text
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.analysis.results import Analysis

__all__ = ["inline", "page", "write"]


def page(analyses: Sequence[Analysis], failures: Mapping[str, str] | None = None) -> str:
    """Return a page on one game, or on one with several parameters.

    Args:
        analyses: the analyses; of several, a table comes first that compares them.
        failures: the games that could not be analysed, with the reasons.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
    """
    return _render("report.html", analyses, failures or {})


def inline(analyses: Sequence[Analysis]) -> str:
    """Return the report as part of a page, such as a notebook, in the colours of the page.

    Args:
        analyses: see ``page``.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
    """
    body = _render("report_body.html", analyses, {})
    return f'<div class="zermelo-report"><style>{report_style()}</style>{body}</div>'


def _render(name: str, analyses: Sequence[Analysis], failures: Mapping[str, str]) -> str:
    """Return a template filled in."""
    plots.require_matplotlib()
    names = sentences.varying_parameters(analyses)
    title = sentences.title(analyses)
    return fill_template(
        name,
        Path(__file__).parent,
        page_title=f"{title}: analysis",
        title=title,
        analyses=analyses,
        sections=[(a, _draw_plots(a)) for a in analyses],
        swept=[plots.svg(figure, title) for figure in plots.sweep(analyses)],
        made=sentences.game_expression,
        columns=sentences.columns(analyses, names),
        rows=[sentences.sweep_row(a, names) for a in analyses],
        failures=dict(failures),
        sentence=sentences.analysis_sentence,
        plays=sentences.play_table,
        facts=sentences.position_facts,
        pie=sentences.pie_sentence,
        counted=count_phrase,
        told=sentences.trap_line,
    )


def report_style() -> str:
    """Return the style of reports."""
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def fill_template(name: str, folder: Path, **values: Any) -> str:
    """Return a template of a report filled in.

    Args:
        name: ``report.html``, which is a page around ``report_body.html``, or that alone.
        folder: where ``report_body.html`` is.
        values: the values of the names in the template.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
    """
    plots.require_matplotlib()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, Path(__file__).parent]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    text: str = environment.get_template(name).render(style=report_style(), **values)
    return text


def write(
    analyses: Sequence[Analysis],
    path: str | os.PathLike[str],
    failures: Mapping[str, str] | None = None,
) -> Path:
    """Write the page of ``page``; the file appears, or is replaced, when it is complete.

    Args:
        analyses: the analyses, as for ``page``.
        path: the path of the page.
        failures: the games without an analysis, as for ``page``.

    Returns:
        The path.

    Raises:
        MissingExtraError: matplotlib or Jinja is not installed.
        TableWriteError: it cannot be written.
    """
    target = Path(path)
    write_text(target, page(analyses, failures))
    return target


def _draw_plots(analysis: Analysis) -> dict[str, str]:
    """Return the plots that there are for an analysis, as SVG."""
    figures: dict[str, Figure] = {"plays": plots.plays(analysis)}
    if not any(play.win is not None for play in analysis.plays):
        figures.clear()
    if analysis.openings:
        figures["openings"] = plots.openings(analysis)
    is_by_chance = analysis.luck is not None
    draw_values = plots.expectations if is_by_chance else plots.distances
    figures["distances"] = draw_values(analysis)
    if analysis.plies:
        figures["plies"] = plots.plies(analysis)
    labels = {
        "plays": "Results for each way of playing",
        "openings": "What each first move is worth",
        "distances": (
            "Positions by their expectation"
            if is_by_chance
            else "Positions by the distance to their end"
        ),
        "plies": "Who wins, by the ply at which positions first arise",
    }
    return {
        name: plots.svg(figure, f"{labels[name]}: {analysis.title}")
        for name, figure in figures.items()
    }
