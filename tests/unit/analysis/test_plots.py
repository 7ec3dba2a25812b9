"""Plots and pages of an analysis."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import zermelo
from zermelo.analysis import plots, report, sentences
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe


@pytest.fixture(scope="module")
def analyses():
    """A game with ties, one with scores, and one that may go on for ever."""
    games = (
        TicTacToe(),
        StoneGame(piles=[5, 3, 4, 5]),
        CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]], mouse=1, cat=2),
    )
    return [zermelo.solve(game).analyse() for game in games]


#: Each way to draw, with the number of an analysis. One of them is drawn by default.
DRAWN = [
    pytest.param(draw, (place + turn) % 3, marks=[pytest.mark.slow] if turn or place else [])
    for turn in range(3)
    for place, draw in enumerate((plots.distances, plots.plies, plots.plays, plots.openings))
]


@pytest.mark.parametrize(("draw", "number"), DRAWN)
def test_every_plot_is_svg_that_takes_the_colour_of_its_page(analyses, draw, number):
    """Plots of every kind of game are well-formed, labelled, and made the same each time."""
    text = plots.svg(draw(analyses[number]), "some <label>")
    root = ET.fromstring(text)  # noqa: S314  # written a moment ago
    assert root.get("role") == "img"
    assert root.get("aria-label") == "some <label>"
    assert "currentColor" in text
    assert "#123456" not in text
    assert "<metadata" not in text
    identifiers = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(identifiers) == len(set(identifiers))
    assert plots.svg(draw(analyses[number]), "some <label>") == text


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


@pytest.mark.slow
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
    path = report.write(analyses[:1], tmp_path / "page.html")
    assert path.read_text().startswith("<!doctype html>")


@pytest.mark.slow
def test_no_part_of_a_page_is_left_where_it_cannot_be_written(analyses, tmp_path):
    """A page that fails half way leaves what was there."""
    target = tmp_path / "page.html"
    target.write_text("old")
    with pytest.raises(AttributeError):
        report.write([object()], target)
    assert target.read_text() == "old"
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(OSError, match="folder"):
        report.write(analyses[:1], tmp_path / "folder.html")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder.html", "page.html"]


@pytest.fixture(scope="module")
def swept():
    """One game with several numbers of stones and limits."""
    sizes = [(stones, limit) for limit in (2, 3) for stones in (5, 6, 7)]
    return [zermelo.solve(TakeAway(*size)).analyse() for size in sizes]


def test_a_sweep_has_plots_over_its_parameter(swept):
    """How random play ends and how many positions there are, a line for each other parameter."""
    wins, positions = plots.sweep(swept)
    for figure in (wins, positions):
        axes = figure.axes[0]
        assert axes.get_xlabel() == "stones"
        assert [line.get_label() for line in axes.lines] == ["limit 2", "limit 3"]
        assert [list(line.get_xdata()) for line in axes.lines] == [[5, 6, 7]] * 2
    assert list(positions.axes[0].lines[0].get_ydata()) == [6, 7, 8]
    shares = [each.random.win.value for each in swept[:3]]
    assert list(wins.axes[0].lines[0].get_ydata()) == shares
    assert plots.sweep(swept[:1]) == plots.sweep([]) == []


@pytest.mark.slow
def test_pages_have_titles_in_words(swept, analyses):
    """A game with its size; of several games what they share, and what differs."""
    assert sentences.title(analyses[1:2]) == "Stone Game 5, 3, 4, 5"
    assert sentences.title(swept[:3]) == "Take-away, stones 5 to 7"
    assert sentences.title(swept) == "Take-away, stones 5 to 7 and limit 2 to 3"
    assert sentences.title(analyses[:2]) == "Tic-tac-toe, Stone Game 5, 3, 4, 5"
    text = report.page([swept[0], swept[-1]])
    assert "<h1>Take-away, stones 5 to 7 and limit 2 to 3</h1>" in text
    assert "<h2>Take-away, 5 stones, limit 2</h2>" in text


@pytest.mark.slow
def test_traps_are_drawn_by_their_game(analyses):
    """A page has the picture that the game itself draws; documents leave it out."""
    trap = analyses[0].traps.examples[0]
    assert trap.svg == TicTacToe().svg(trap.position)
    text = report.page(analyses[:1])
    assert text.count(f'<div class="card">{trap.svg}') >= 1
    assert analyses[0].longest.svg in text
    document = analyses[0].to_json()
    assert "svg" not in document["traps"]["examples"][0]
    assert "svg" not in document["longest"]


def test_a_pie_rule_is_worded_in_a_sentence(analyses, swept):
    """Whether it would be fair, and why."""
    assert sentences.pie_sentence(analyses[0].pie).startswith(
        "It would be fair here, but not needed: "
    )
    assert sentences.pie_sentence(swept[0].pie) == (
        "It would not be fair here: no first move draws, so the second player takes the winning "
        "side, in 4 plies after take 1."
    )
