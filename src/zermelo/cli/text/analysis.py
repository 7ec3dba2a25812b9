"""An analysis as it is written in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from zermelo.cli.output import write_columns, write_facts, write_line
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from zermelo.analysis import Analysis

#: Openings and traps that are shown; moves of a line.
OPENINGS, TRAPS, MOVES = 8, 3, 24
#: How wide columns of a sweep are at least: rows are written before those that follow are known.
_WIDE = {"value": 11, "positions": 11, "traps": 9}
_NARROW = 7


class SweepTable:
    """A table of games that is written row by row, each as soon as its game is done."""

    def __init__(self, names: Iterable[str]) -> None:
        """Create a table without rows.

        Args:
            names: the parameters that have a column.
        """
        self._names = list(names)
        self._widths: list[int] = []
        self._has_samples = False

    def add(self, analysis: Analysis) -> None:
        """Write the row of a game; before the first one, the headings."""
        from zermelo.analysis import sentences

        headings = sentences.columns([analysis], self._names)
        cells = sentences.sweep_row(analysis, self._names)
        if not self._widths:
            parameter_count = len(self._names)
            least = [0] * parameter_count + [
                _WIDE.get(heading, _NARROW) for heading in headings[parameter_count:]
            ]
            self._widths = [max(pair) for pair in zip(map(len, headings), least, strict=True)]
            write_line(click.style(self._line(headings), bold=True))
        self._widths = [max(w, len(c)) for w, c in zip(self._widths, cells, strict=True)]
        write_line(self._line(cells))
        self._has_samples |= not analysis.exact

    def finish(self, failures: Mapping[str, str]) -> None:
        """Write the games that could not be made, solved or analysed, with the reasons."""
        if self._has_samples:
            write_line("~ sampled")
        for typed, reason in failures.items():
            write_line(f"{typed}: {reason}")

    def _line(self, cells: list[str]) -> str:
        pairs = zip(cells, self._widths, strict=True)
        return "  ".join(cell.rjust(width) for cell, width in pairs)


def write_analysis(analysis: Analysis) -> None:
    """Write all there is to say of one game."""
    from zermelo.analysis import sentences

    write_line(f"{sentences.game_expression(analysis)}\n{sentences.analysis_sentence(analysis)}\n")
    headings, rows = sentences.play_table(analysis)
    write_columns(headings, rows, right=headings[1:])
    write_line("")
    write_facts(_facts(analysis))


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Return names and texts, one a line."""
    from zermelo.analysis import sentences

    rows = [("", "exact, over the whole table")]
    if not analysis.exact:
        sample = f"{analysis.samples:,} games and positions, seed {analysis.seed}"
        rows = [("", f"sampled: {sample}; with 95 % confidence intervals")]
    rows += sentences.position_facts(analysis)
    if analysis.longest is not None:
        longest, names = analysis.longest, analysis.longest.names
        line = " ".join(names[:MOVES]) + (" …" if len(names) > MOVES else "")
        rows.append(("longest win", f"{count_phrase(longest.remoteness, 'plies')}: {line}"))
    for index, opening in enumerate(analysis.openings[:OPENINGS]):
        measure, expected_score = analysis.kind.words.measure, opening.expected_score
        random = "" if expected_score is None else f"; {measure.sentence(expected_score)}"
        label = "first moves" if not index else ""
        rows.append((label, f"{', '.join(opening.names)}: {opening.value}{random}"))
    hidden = len(analysis.openings) - OPENINGS
    if hidden > 0:
        rows.append(("", f"…{hidden:,} more"))
    if analysis.pie is not None:
        rows.append(("pie rule", analysis.pie.sentence))
    if analysis.traps is not None:
        traps = analysis.traps
        text = (
            f"{count_phrase(traps.moves, 'moves')} in "
            f"{count_phrase(traps.positions, 'positions')}, {traps.tempting:,} tempting"
        )
        rows.append(("traps", text))
        for trap in traps.examples[:TRAPS]:
            rows.append(("", sentences.trap_line(analysis, trap)))
            rows.extend(("", f"  {line}") for line in trap.text.splitlines())
    return rows
