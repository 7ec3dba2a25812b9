"""Analyses in notebooks and as data frames."""

from __future__ import annotations

import sys

import pytest

import zermelo
from zermelo import ParameterError
from zermelo.analysis import Sweep, plots
from zermelo.games import StoneGame, TakeAway
from zermelo.heaps import KAYLES
from zermelo.heaps import plots as heap_plots


@pytest.fixture(scope="module")
def analysis(noughts):
    """Tic-tac-toe, analysed."""
    return noughts.analyse()


@pytest.mark.slow
def test_a_notebook_shows_the_report(analysis):
    """Inline, with its plots, and its style on its own elements only."""
    assert repr(analysis) == "<Analysis of TicTacToe(): tie in 9; 5,478 positions>"
    html = analysis._repr_html_()
    assert html.startswith('<div class="zermelo-report"><style>')
    assert html.count("<svg") == 4 + 1 + 8
    assert "currentColor" in html
    assert "<html" not in html
    style = html.partition("<style>")[2].partition("</style>")[0]
    rules = [rule for rule in style.replace("\n", " ").split("}") if rule.strip()]
    assert all(rule.lstrip(" ").startswith(".zermelo-report") for rule in rules)


def test_without_matplotlib_there_are_tables(analysis, monkeypatch):
    """And a line on what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = analysis._repr_html_()
    assert "With perfect play it is a tie in 9 plies." in html
    assert "pip install &#x27;zermelo[plots]&#x27;" in html
    assert "<svg" not in html


@pytest.mark.slow
def test_plots_show_themselves(analysis):
    """As SVG in the colours of the page, and as an image on white; without pyplot."""
    import sys

    for figure in (
        plots.plays(analysis),
        plots.openings(analysis),
        heap_plots.sequence(KAYLES, 50),
    ):
        html = figure._repr_html_()
        assert html.startswith("<svg ")
        assert 'aria-label="' in html
        assert "currentColor" in html
        assert figure._repr_png_().startswith(b"\x89PNG")
    assert "matplotlib.pyplot" not in sys.modules


def test_an_analysis_is_one_row(analysis):
    """Of numbers, with names such as value.outcome."""
    frame = analysis.to_pandas()
    assert len(frame) == 1
    row = frame.iloc[0]
    assert row["value.remoteness"] == 9
    assert row["counts.win"] == 2836
    assert round(row["random.win"], 3) == 0.585
    assert row["traps.moves"] == 2152
    assert "value.nimber" not in frame


def test_lists_of_an_analysis_are_tables(analysis):
    """A row each."""
    openings = analysis.rows("openings").to_pandas()
    assert list(openings.columns) == [
        "names",
        "value.outcome",
        "value.remoteness",
        "expected_score",
    ]
    assert openings["names"].tolist() == ["a3, c3, a1, c1", "b3, a2, c2, b1", "b2"]
    assert analysis.rows("plays").to_pandas()["blunders"].tolist() == [0, 5, 20, 100]
    assert analysis.rows("plies").to_pandas()["draw"].iloc[0] == 1
    assert analysis.rows("traps").to_pandas()["name"].iloc[0] == "a1"
    with pytest.raises(ParameterError, match="name='trap' is not a list of an analysis; use one"):
        analysis.rows("trap")


def test_a_sweep_is_a_table():
    """A row for each game, whatever its parameters."""
    sweep = Sweep(zermelo.solve(TakeAway(stones=n)).analyse() for n in (4, 5))
    frame = sweep.to_pandas()
    assert frame["parameters.stones"].tolist() == [4, 5]
    assert frame["value.outcome"].tolist() == ["loss", "win"]
    html = sweep._repr_html_()
    assert "<table>" in html
    assert "loss in 2" in html
    scores = Sweep([zermelo.solve(StoneGame(piles=(5, 3, 4, 5))).analyse()])
    assert scores.to_pandas()["value.score"].tolist() == [1]
    assert Sweep()._repr_html_().count("<td>") == 0


def test_sweep_keeps_rows_that_are_done():
    """One game that fails, and Ctrl-C in another, lose none of the others."""

    def analyse(stones):
        if stones == 7:
            raise KeyboardInterrupt
        return zermelo.solve(TakeAway(stones=stones)).analyse()

    sweep = Sweep()
    with pytest.raises(KeyboardInterrupt):
        sweep.add([4, -1, 5, 7, 6], analyse)
    assert [each.parameters["stones"] for each in sweep] == [4, 5]
    assert [(stones, type(error)) for stones, error in sweep.failures] == [(-1, ParameterError)]
    assert "-1: stones must be at least 0" in sweep._repr_html_()
