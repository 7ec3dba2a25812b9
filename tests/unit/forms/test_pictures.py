"""Positions, lines and trees as files: SVG, PNG, GIF and PDF."""

from __future__ import annotations

import io
import sys
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

import zermelo
from zermelo import ParameterError, Picture
from zermelo.errors import MissingExtraError, TableExistsError, TableWriteError
from zermelo.games import StoneGame, TakeAway, TicTacToe


@pytest.fixture(scope="module")
def chance():
    """A position in which X wins in five plies."""
    return TicTacToe().parse("X../O../...")


def read(text):
    """Return a picture as XML."""
    return ET.fromstring(text)  # noqa: S314  # it is our own


def test_a_position(noughts, chance, tmp_path):
    """Of every form, on white, with the colours of both players."""
    picture = noughts.picture(chance)
    assert repr(picture) == "<Picture, 136×136>"
    assert picture._repr_html_() == noughts.show(chance).svg
    root = read(picture.save(tmp_path / "a.svg").read_text())
    assert root.get("width") == "136"
    assert "var(" not in (tmp_path / "a.svg").read_text()
    with Image.open(picture.save(tmp_path / "a.png", scale=3)) as image:
        assert image.size == (408, 408)
        colours = {colour for _, colour in image.convert("RGB").getcolors(100_000)}
    assert {(255, 255, 255), (0x31, 0x82, 0xBD), (0xE6, 0x76, 0x1A)} <= colours
    assert picture.save(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    assert noughts.show(chance).save(tmp_path / "b.png").is_file()


def test_a_line_is_a_film(noughts, chance, tmp_path):
    """A frame for each position in GIF, all of them in rows in the other forms."""
    line = noughts.line(chance)
    with Image.open(line.save(tmp_path / "a.gif", seconds=0.5)) as film:
        assert film.n_frames == 6
        assert film.info["duration"] == 500
        assert film.info["loop"] == 0
        film.seek(5)
        assert film.info["duration"] == 1500
    with Image.open(line.save(tmp_path / "a.png", scale=1)) as strip:
        assert strip.size == (4 * (136 + 16) - 16, 2 * (136 + 22 + 16) - 16)
    text = line.save(tmp_path / "a.svg").read_text()
    assert "5. b1" in text
    read(text)
    assert line.save(tmp_path / "a.pdf").stat().st_size > 1000


def test_frames_of_several_sizes_share_one():
    """As piles are taken, the pictures of a row of piles stay as they are, or not."""
    line = zermelo.solve(StoneGame(piles=(5, 3, 4, 5))).line()
    assert Image.open(io.BytesIO(line.picture.gif(scale=1))).n_frames == 5
    small = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"></svg>'
    bare = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
    both = Picture((small, bare), ("<a> & b", ""))
    assert both.svg.count("<svg") == 3
    assert "&lt;a&gt; &amp; b" in both.svg
    assert Image.open(io.BytesIO(both.png(scale=1))).size == (616, 172)


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg.zip"])
def test_other_endings(noughts, tmp_path, name):
    """The message lists those there are."""
    with pytest.raises(ParameterError, match=r"does not end in .svg, .png, .gif, .pdf; use one"):
        noughts.picture().save(tmp_path / name)


def test_mistakes_with_numbers_and_files(noughts, tmp_path):
    """A scale of nothing, a size beyond measure, a file that is there, a folder that is not."""
    picture = noughts.picture()
    for scale in (0, -1, True, "2", float("nan")):
        with pytest.raises(ParameterError, match="is not a number above 0"):
            picture.png(scale=scale)
    with pytest.raises(ParameterError, match="makes the picture too large"):
        picture.png(scale=500)
    with pytest.raises(ParameterError, match="too large for a film"):
        noughts.line().picture.gif(scale=100)
    with pytest.raises(ParameterError, match="seconds=0 is not"):
        noughts.line().save(tmp_path / "a.gif", seconds=0)
    path = picture.save(tmp_path / "a.svg")
    with pytest.raises(TableExistsError, match="overwrite=True"):
        picture.save(path)
    assert picture.save(path, overwrite=True) == path
    with pytest.raises(TableWriteError, match="give another path"):
        picture.save(tmp_path / "nowhere" / "a.svg")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.svg"]


def test_what_is_missing_is_named(noughts, tmp_path, monkeypatch):
    """SVG needs nothing; the others name what they need."""
    for name in ("PIL", "vl_convert"):
        monkeypatch.setitem(sys.modules, name, None)
    assert noughts.picture().save(tmp_path / "a.svg").is_file()
    for form in ("png", "gif", "pdf"):
        with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[pictures\]'"):
            noughts.line().save(tmp_path / f"a.{form}")


def test_a_line_without_rules_has_no_pictures():
    """As one that somebody made by hand."""
    line = zermelo.Line(1, [2], [3], "terminal", ["two"])
    assert "two" in repr(line)
    with pytest.raises(ParameterError, match="no rules to draw it by"):
        line.save("a.gif")


def test_a_tree_is_a_picture(tmp_path):
    """In which no two boxes overlap."""
    tree = zermelo.solve(TakeAway(9)).tree(depth=3)
    root = read(tree.save(tmp_path / "a.svg").read_text())
    boxes = [
        tuple(float(each.get(key)) for key in ("y", "x", "width"))
        for each in root.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert len(boxes) == len(tree)
    for (top, left, wide), (other, right, _) in zip(sorted(boxes), sorted(boxes)[1:], strict=False):
        assert top != other or left + wide < right
    width = float(root.get("width"))
    assert all(left >= 0 and left + wide <= width for _, left, wide in boxes)
