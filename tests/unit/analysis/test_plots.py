"""Plots and pages of an analysis."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import zermelo
from zermelo.analysis import plots, report
from zermelo.games import CatAndMouse, StoneGame, TicTacToe


@pytest.fixture(scope="module")
def analyses():
    """A game with ties, one with scores, and one that may go on for ever."""
    games = (
        TicTacToe(),
        StoneGame(piles=[5, 3, 4, 5]),
        CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]], mouse=1, cat=2),
    )
    return [zermelo.solve(game).analyse() for game in games]


@pytest.mark.parametrize("draw", [plots.distances, plots.plies, plots.plays, plots.openings])
def test_every_plot_is_svg_that_takes_the_colour_of_its_page(analyses, draw):
    """Plots of every kind of game are well-formed, labelled, and made the same each time."""
    for analysis in analyses:
        text = plots.svg(draw(analysis), "some <label>")
        root = ET.fromstring(text)  # noqa: S314  # written a moment ago
        assert root.get("role") == "img"
        assert root.get("aria-label") == "some <label>"
        assert "currentColor" in text
        assert "#123456" not in text
        assert "<metadata" not in text
        identifiers = [each.get("id") for each in root.iter() if each.get("id")]
        assert len(identifiers) == len(set(identifiers))
        assert plots.svg(draw(analysis), "some <label>") == text


def test_distances_stand_as_high_as_there_are_positions(analyses):
    """The bars of all kinds add up to the positions at each distance."""
    for analysis in analyses:
        axes = plots.distances(analysis).axes[0]
        total = sum(bar.get_height() for bar in axes.patches)
        assert total == analysis.positions - analysis.counts.endless


def test_the_map_of_openings_is_the_board(analyses):
    """Cells are coloured by what random play makes of them; the rows count upwards."""
    image = plots.openings(analyses[0]).axes[0].images[0]
    worth = image.get_array()
    assert worth.shape == (3, 3)
    assert worth[1, 1] == pytest.approx(0.75)
    assert worth[0, 0] == worth[2, 2] == pytest.approx(0.67142857, abs=1e-6)


def test_a_sampled_analysis_has_no_plot_by_ply():
    """What a sampled analysis does not know is not drawn, and the page says it was sampled."""
    analysis = zermelo.solve(TicTacToe()).analyse(memory=1, samples=300)
    with pytest.raises(ValueError, match="sampled analysis"):
        plots.plies(analysis)
    text = report.page([analysis])
    assert "300 games and positions" in text
    assert "95 %" in text


@pytest.mark.slow
def test_a_page_on_several_games_compares_them(analyses, tmp_path):
    """A table comes first; what went wrong is told; names are escaped."""
    text = report.page(analyses[:1] * 2, {"width <3>": "too small"})
    assert "width &lt;3&gt;: too small" in text
    assert text.count("<h2>") == 2
    path = report.write(tmp_path / "page.html", analyses[:1])
    assert path.read_text().startswith("<!doctype html>")


def test_no_part_of_a_page_is_left_where_it_cannot_be_written(analyses, tmp_path):
    """A page that fails half way leaves what was there."""
    target = tmp_path / "page.html"
    target.write_text("old")
    with pytest.raises(AttributeError):
        report.write(target, [object()])
    assert target.read_text() == "old"
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(OSError, match="folder"):
        report.write(tmp_path / "folder.html", analyses[:1])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder.html", "page.html"]
