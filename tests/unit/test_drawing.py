"""Pictures: what is in them, not where it is."""

from __future__ import annotations

from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from zermelo import drawing
from zermelo.drawing.graph_layout import nearest, place_nodes
from zermelo.drawing.hexes import hexes
from zermelo.drawing.links import links, round_spots
from zermelo.drawing.pits import pits_row
from zermelo.drawing.rows import counters

CYCLE = ((1, 4), (0, 2), (1, 3), (2, 4), (3, 0))


def tags(svg, name):
    """Return the elements of one kind."""
    return ET.fromstring(svg).findall(f".//{{*}}{name}")  # noqa: S314  # our own picture


def words(svg):
    """Return all text but the title."""
    return [element.text for element in tags(svg, "text")]


def corners_of(polygon):
    """Return the corners of a polygon."""
    return [tuple(map(float, pair.split(","))) for pair in polygon.get("points").split()]


def middle_of(spot):
    """Return the middle of what can be clicked."""
    number = lambda name: float(spot.get(name))  # noqa: E731
    if spot.tag.endswith("circle"):
        return number("cx"), number("cy")
    if spot.tag.endswith("polygon"):
        corners = corners_of(spot)
        return tuple(sum(numbers) / len(corners) for numbers in zip(*corners, strict=True))
    return number("x") + number("width") / 2, number("y") + number("height") / 2


def spots(svg):
    """Return the name and the middle of each place to click."""
    root = ET.fromstring(svg)  # noqa: S314  # our own picture
    return {each.get("data-move"): middle_of(each) for each in root.iter() if each.get("data-move")}


def test_titles_are_escaped():
    """A title may have any characters."""
    svg = drawing.heap(1, title="a < b & c")
    assert tags(svg, "title")[0].text == "a < b & c"


def test_grid_draws_each_mark():
    """Discs are full and ringed circles, X a path, other characters text, and a dot nothing."""
    svg = drawing.grid(["ab.", "XO7"], title="board", discs="ab", below="xyz")
    assert len(tags(svg, "circle")) == 1 + 3 + 1
    assert len(tags(svg, "path")) == 1 + 1
    assert words(svg) == ["7", "x", "y", "z"]


def test_filled_cells_are_squares():
    """A covered cell is filled, and not written."""
    svg = drawing.grid(["#.7"], title="board", filled="#")
    assert len(tags(svg, "rect")) == 1
    assert words(svg) == ["7"]


def test_hexagons_touch_and_can_be_clicked():
    """A stone in each marked cell, a click for each, and the edges in the players' colours."""
    rows, names = ["a.", "7b"], [["a1", "b1"], ["a2", "b2"]]
    svg = hexes(rows, title="board", indents=[0, 1], discs="ab", moves=names)
    cells, *edges = tags(svg, "path")
    assert cells.get("d").count("M") == 4
    assert not edges
    assert len(tags(svg, "circle")) == 1 + 3
    assert words(svg) == ["7"]
    assert list(spots(svg)) == ["a1", "b1", "a2", "b2"]
    left, right, low, far = (x for x, _ in spots(svg).values())
    assert left < low < right < far
    assert len(tags(hexes(rows, title="board", indents=[0, 1], goals=True), "path")) == 1 + 4


def test_what_is_clicked_on_a_hexagon_is_a_hexagon():
    """So that its highlight stays within the lines: six corners, a little inside of the cell's."""
    svg = hexes(["."], title="board", indents=[0], moves=[["a1"]])
    cell = [
        tuple(map(float, part.split())) for part in tags(svg, "path")[0].get("d")[1:-1].split("L")
    ]
    inner = corners_of(tags(svg, "polygon")[0])
    middle = [sum(numbers) / 6 for numbers in zip(*cell, strict=True)]
    shares = {round(dist(a, middle) / dist(b, middle), 2) for a, b in zip(inner, cell, strict=True)}
    assert shares == {0.95}


@pytest.mark.parametrize("nodes", [6, 14])
def test_nodes_are_large_enough_for_a_finger(nodes):
    """On a phone, where the picture is 300 pixels wide; they do not overlap all the same."""
    ring = [((i - 1) % nodes, (i + 1) % nodes) for i in range(nodes)]
    svg = drawing.graph(ring, [], title="", moves=[str(i) for i in range(nodes)])
    discs = [each for each in tags(svg, "circle") if each.get("data-move")]
    scale = 300 / float(ET.fromstring(svg).get("width"))  # noqa: S314  # our own picture
    assert min(2 * float(disc.get("r")) * scale for disc in discs) >= 23.9
    for one, other in combinations(discs, 2):
        apart = dist(*([float(each.get(side)) for side in ("cx", "cy")] for each in (one, other)))
        assert apart > float(one.get("r")) + float(other.get("r")) - 0.2


def test_hexagons_of_a_triangle_are_inside_the_picture():
    """Rows may also begin further to the left, as they do in a triangle."""
    names = [["a"], ["b", "c"], ["d", "e", "f"]]
    svg = hexes([".", "..", "..."], title="triangle", indents=[2, 1, 0], moves=names)
    across = [min(x for x, _ in corners_of(click)) for click in tags(svg, "polygon")]
    assert across[3] < across[1] < across[0] < across[2] < across[5]
    assert across[3] > 0


def test_links_look_like_whose_they_are():
    """A link that is gone is not drawn, and each of the others has a look of its own."""
    places = round_spots(4, 50)
    spots = [(*places[0], "1", "first"), (*places[1], "", "second"), (*places[2], "<", "any")]
    joined = [(places[0], places[n % 4], w) for n, w in enumerate(("first", "second", "free"), 1)]
    svg = links(spots, [*joined, (places[1], places[2], "gone")], title="", moves=["a", "b<", "c"])
    assert len({path.get("style") for path in tags(svg, "path")}) == 3
    assert len({path.get("stroke-dasharray") for path in tags(svg, "path")}) == 3
    assert words(svg) == ["1", "<"]
    assert [click.get("data-move") for click in tags(svg, "polygon")] == ["a", "b<", "c"]


def test_places_on_a_circle_begin_at_the_top():
    """They go on clockwise, all as far from the middle."""
    (x, y), (u, v), *rest = round_spots(4, 10)
    assert (round(x), round(y), round(u), round(v)) == (10, 0, 20, 10)
    assert len(rest) == 2


def test_players_are_told_apart_without_colour():
    """The two players' discs are different shapes."""
    first, second = (drawing.grid([mark], title="", discs="ab") for mark in "ab")
    assert len(tags(first, "circle")) != len(tags(second, "circle"))


def test_bars_go_up_and_down_and_fade():
    """Each number has a bar and its text, and those out of play are faint."""
    svg = drawing.bars([5, -3, 0], range(1, 3), title="piles")
    assert words(svg) == ["5", "-3", "0"]
    bars = tags(svg, "rect")
    assert [bar.get("opacity") for bar in bars] == [".25", None, None]
    assert float(bars[1].get("y")) >= float(bars[0].get("y")) + float(bars[0].get("height"))


def test_many_bars_are_not_numbered():
    """A row of hundreds fits the page, without numbers."""
    svg = drawing.bars(range(500), range(500), title="piles")
    assert words(svg) == []
    assert float(ET.fromstring(svg).get("width")) < 700  # noqa: S314  # our own picture


@pytest.mark.parametrize(("count", "stones"), [(0, 0), (1, 1), (7, 7), (120, 120), (999, 120)])
def test_heap_draws_its_stones(count, stones):
    """A heap has as many circles as stones, up to a limit, and always the true number."""
    svg = drawing.heap(count, title="heap")
    assert len(tags(svg, "circle")) == stones
    assert words(svg) == [str(count)]


def test_graph_draws_nodes_and_tags():
    """Each node is drawn once with its number, rings and words come with the tags."""
    svg = drawing.graph(CYCLE, [(0, "hole", "ring"), (3, "cat", "second")], title="chase")
    assert len(tags(svg, "circle")) == 5 + 1
    assert sorted(words(svg)) == ["0", "1", "2", "3", "4", "cat", "hole"]
    assert tags(svg, "path")[0].get("d").count("M") == 5


def test_arrows_are_for_one_way_edges():
    """Only an edge that runs one way has an arrow head, and a loop is a circle."""
    svg = drawing.graph([[1], [0, 2], [2]], [], title="", directed=True)
    assert len(tags(svg, "polygon")) == 1
    assert len(tags(svg, "circle")) == 3 + 1


@pytest.mark.slow
def test_large_graphs_show_what_is_near():
    """Of a thousand nodes the sixty nearest the tags are drawn, and the picture says so."""
    ring = [[(i - 1) % 1000, (i + 1) % 1000] for i in range(1000)]
    svg = drawing.graph(ring, [(500, "cat", "second")], title="")
    assert len(tags(svg, "circle")) == 60
    assert "the nearest 60 of 1000 nodes" in words(svg)
    assert nearest(ring, [0], 5) == [0, 1, 2, 998, 999]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_graphs_of_hardly_any_nodes(n):
    """One, two or three nodes without edges can be drawn."""
    assert len(tags(drawing.graph([[]] * n, [], title=""), "circle")) == n


def test_nodes_are_placed_apart_and_always_the_same():
    """Nodes have places of their own in the unit square, the same each time."""
    places = place_nodes(CYCLE)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(5, 1)]
    assert apart.min() > 0.3
    assert places.min() >= 0
    assert places.max() == pytest.approx(1)
    place_nodes.cache_clear()
    assert np.array_equal(place_nodes(CYCLE), places)


def test_a_planar_graph_is_drawn_without_crossings():
    """A grid of 4 by 4 comes out as one, every edge about as long as every other."""
    rows = tuple(
        tuple(
            4 * y + x
            for x, y in (
                (i % 4 - 1, i // 4),
                (i % 4 + 1, i // 4),
                (i % 4, i // 4 - 1),
                (i % 4, i // 4 + 1),
            )
            if 0 <= x < 4 and 0 <= y < 4
        )
        for i in range(16)
    )
    places = place_nodes(rows)
    lengths = [np.linalg.norm(places[i] - places[j]) for i, row in enumerate(rows) for j in row]
    assert max(lengths) < 1.3 * min(lengths)


def test_cells_say_which_move_is_made_there():
    """A grid has a place to click for each named cell, where the cell is."""
    found = spots(drawing.grid(["...", "..."], title="", moves=[["a", "", "c"], ["d", "e", "f"]]))
    assert list(found) == ["a", "c", "d", "e", "f"]
    assert found["a"][0] == found["d"][0] < found["c"][0]
    assert found["a"][1] == found["c"][1] < found["e"][1]


def test_stones_on_top_are_clicked():
    """Of a heap, one is taken by clicking the last stone, two by the one before it."""
    svg = drawing.heap(6, title="", moves=["take 1", "take 2"])
    places = [(float(c.get("cx")), float(c.get("cy"))) for c in tags(svg, "circle")]
    assert spots(svg) == {"take 1": places[-1], "take 2": places[-2]}


def test_bars_and_nodes_are_clicked():
    """A bar is clicked in its column, a node where it is drawn."""
    left, right = spots(drawing.bars([3, 1], range(2), title="", moves={0: "x", 1: "y"})).values()
    assert left[0] < right[0]
    svg = drawing.graph(CYCLE, [], title="", moves="abcde")
    nodes = [middle_of(c) for c in tags(svg, "circle") if not c.get("data-move")]
    assert list(spots(svg).values()) == [pytest.approx(place, abs=0.1) for place in nodes]


def test_names_are_escaped():
    """A move may be called anything, and no name breaks the picture."""
    name = "a\"<b>&'\x00"
    svg = drawing.grid(["."], title=name, moves=[[name]])
    assert list(spots(svg)) == ["a\"<b>&'\ufffd"]
    assert "<b>" not in svg


def test_letters_stay_in_their_columns():
    """Text is drawn line by line, its spaces kept."""
    svg = drawing.letters("X .\n  O", title="two lines")
    assert words(svg) == ["X .", "  O"]
    assert drawing.letters("", title="").count("<text") == 1


def test_fields_are_boxes():
    """A number has one box, a row has one for each number, and long rows are broken."""
    svg = drawing.fields([("pits", tuple(range(20))), ("turn", 1)], title="board")
    assert len(tags(svg, "rect")) == 21
    assert words(svg)[:2] == ["pits", "0"]
    assert words(svg)[-2:] == ["turn", "1"]
    assert len({box.get("y") for box in tags(svg, "rect")}) == 3


def test_chessmen_keep_their_colours():
    """White men are white and black men black, whatever the page is."""
    white, black = tags(drawing.grid(["\u2654\u265a"], title=""), "text")
    assert (white.get("fill"), black.get("stroke")) == ("#fff", "#f4f6f8")
    assert white.get("stroke") == black.get("fill") == "#16181c"
    assert white.text == black.text


def test_a_chequered_board_has_colours_of_its_own():
    """Light on the right of the first row, with files and ranks in the squares."""
    svg = drawing.grid(["..", ".."], title="", below="ab", ranks="21", words={"q": "queen"})
    assert words(svg) == ["2", "1", "a", "b"]
    assert "currentColor" not in svg.replace('stroke="currentColor" font', "")
    (dark,) = tags(svg, "path")
    assert dark.get("d").count("M") == 2
    assert "M8 48h40" in dark.get("d")
    assert 'data-words="q=queen"' in svg


def clicks(svg):
    """Return the names of moves, or parts of names, that can be clicked."""
    return [element.get("data-move") for element in tags(svg, "rect") if element.get("data-move")]


def test_cells_may_hold_words():
    """A row of a grid is a string, or a list of words."""
    svg = drawing.grid([["12", ".", "(7)"]], title="", discs="12")
    assert words(svg) == ["12", "(7)"]


def test_rows_of_counters_are_clicked_on_between_and_after():
    """A counter, the gap before it and the number of its row each stand for a move."""
    svg = counters(
        [2, 1],
        title="heaps",
        labels="ab",
        moves=[lambda row, place: f"{row}{place}"],
        between=lambda row, place: f"split {row} at {place}",
    )
    assert len(tags(svg, "circle")) == 3
    assert words(svg) == ["a", "2", "b", "1"]
    assert clicks(svg) == ["00", "01", "split 0 at 1", "02", "10", "11"]


def test_a_number_has_its_moves_below():
    """Each move is a word in a box."""
    svg = drawing.number(29, title="29", moves=["take 25", "put 25"])
    assert words(svg) == ["29", "take 25", "put 25"] == ["29", *clicks(svg)]


def test_one_row_of_pits():
    """Pits are clicked; a number stands in each."""
    svg = pits_row([0, 3], title="pits", moves=["pit 2", "pit 1"])
    assert words(svg) == ["0", "3"]
    assert clicks(svg) == ["pit 2", "pit 1"]


def test_a_space_is_no_cell():
    """Boards side by side have their own lines, and nothing is drawn between them."""
    picture = drawing.grid(["X. .", "..  "], title="two boards")
    assert picture.count("h40v40h-40z") == 5


def test_faint_marks_are_drawn_as_their_capitals():
    """A small letter that is declared faint is a mark, and any other letter is text."""
    assert '<g opacity=".45"><circle' in drawing.grid(["o"], title="one", faint="xo")
    assert ">o</text>" in drawing.grid(["o"], title="one")
