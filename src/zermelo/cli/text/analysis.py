"""An analysis as it is written in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.output import say, write_columns, write_facts

if TYPE_CHECKING:
    from zermelo.analysis import Analysis

#: Openings and traps that are shown; moves of a line.
OPENINGS, TRAPS, MOVES = 8, 3, 24


def write_sweep(analyses: list[Analysis], failures: dict[str, str]) -> None:
    """Write a table of games, and what could not be made or solved."""
    from zermelo.analysis import words

    names = words.varying(analyses)
    rows = [words.row(analysis, names) for analysis in analyses]
    headings = words.columns(analyses, names)
    write_columns(headings, rows, right=headings)
    if any(not analysis.exact for analysis in analyses):
        say("~ sampled")
    for typed, reason in failures.items():
        say(f"{typed}: {reason}")


def write_one(analysis: Analysis) -> None:
    """Write all there is to say of one game."""
    from zermelo.analysis import words

    say(f"{words.made(analysis)}\n{words.sentence(analysis)}\n")
    headings, rows = words.plays(analysis)
    write_columns(headings, rows, right=headings[1:])
    say("")
    write_facts(_facts(analysis))


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Return names and texts, one a line."""
    from zermelo.analysis import words

    rows = [("", "exact, over the whole table")]
    if not analysis.exact:
        much = f"{analysis.samples:,} games and positions, seed {analysis.seed}"
        rows = [("", f"sampled: {much}; with 95 % confidence intervals")]
    rows += words.facts(analysis)
    if analysis.longest is not None:
        longest, names = analysis.longest, analysis.longest.names
        line = " ".join(names[:MOVES]) + (" …" if len(names) > MOVES else "")
        rows.append(("longest win", f"{longest.remoteness:,} plies: {line}"))
    for at, opening in enumerate(analysis.openings[:OPENINGS]):
        measure, worth = analysis.kind.measure, opening.random
        random = "" if worth is None else f"; {measure.said(worth)}"
        label = "first moves" if not at else ""
        rows.append((label, f"{', '.join(opening.names)}: {opening.value}{random}"))
    more = len(analysis.openings) - OPENINGS
    if more > 0:
        rows.append(("", f"…{more:,} more"))
    if analysis.pie is not None:
        rows.append(("pie rule", analysis.pie.sentence))
    if analysis.traps is not None:
        traps = analysis.traps
        text = (
            f"{traps.moves:,} moves in {traps.positions:,} positions, {traps.tempting:,} tempting"
        )
        rows.append(("traps", text))
        for trap in traps.examples[:TRAPS]:
            rows.append(("", words.trap(analysis, trap)))
            rows.extend(("", f"  {line}") for line in trap.shown.splitlines())
    return rows
