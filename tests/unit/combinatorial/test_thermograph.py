"""Thermographs: against cooling by definition, published figures, sums, and their drawings."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

import zermelo
from facts import rows
from support.combinatorial_values import random_values
from support.sizes import counts
from zermelo import CombinatorialValue, CombinatorialValueError, Thermograph
from zermelo.games import Domineering

parse = CombinatorialValue.parse
#: The temperatures at which walls by definition are computed.
GRID = [Fraction(n, 16) for n in range(-16, 97)]


@cache
def temperature_by_definition(value):
    """Return the first temperature of the grid at which Left gains no more than Right by a move."""
    return next(t for t in GRID if value.is_integer or gains_by_definition(value, t) <= 0)


def gains_by_definition(value, t):
    """Return by how much Left would do better with the first move than with the second."""
    return left_scaffold(value, t) - right_scaffold(value, t)


def left_scaffold(value, t):
    """Return what Left gets by a move that costs t."""
    return max(walls_by_definition(option, t)[1] for option in value.left) - t


def right_scaffold(value, t):
    """Return what Right leaves by a move that costs t."""
    return min(walls_by_definition(option, t)[0] for option in value.right) + t


@cache
def walls_by_definition(value, t):
    """Return both walls at a temperature of the grid, without a line between two temperatures."""
    if value.is_integer:
        return value.number, value.number
    end = temperature_by_definition(value)
    t = min(t, end)
    if t == end and value.is_number:
        return value.number, value.number
    return left_scaffold(value, t), right_scaffold(value, t)


@cache
def cooled_by_definition(value, t):
    """Return the value cooled by a tax, frozen if a lower tax of the grid has left a number."""
    if value.is_integer:
        return value
    for tax in GRID:
        if tax > t:
            break
        sides = (
            [cooled_by_definition(option, tax) - tax for option in value.left],
            [cooled_by_definition(option, tax) + tax for option in value.right],
        )
        result = CombinatorialValue.of_options(*sides)
        if result.is_numberish and tax < t:
            return CombinatorialValue.of_number(result.left_stop)
    return result


def on_the_grid(values):
    """Return the values of a list whose thermographs bend at temperatures of the grid only."""
    found = []
    for value in values:
        graph = value.thermograph
        if all(16 % t.denominator == 0 and t < GRID[-1] for t in graph.breakpoints):
            found.append(value)
    return found


def test_walls_are_those_of_the_definition():
    """At every temperature of a grid, for random games; a number's own walls are among them."""
    values = [value for value in on_the_grid(random_values(1, 300)) if value.birthday < 7]
    assert len(values) > 150
    for value in values:
        graph = value.thermograph
        for t in GRID:
            walls = graph.left_wall(t), graph.right_wall(t)
            assert walls == walls_by_definition(value, t), (value, t)


@counts(125, 850, 2_500)
def test_stops_of_a_cooled_game_are_the_walls(count):
    """On many random games, at temperatures up to above that of the game."""
    for number, value in enumerate(random_values(2, count)):
        graph = value.thermograph
        highest = value.temperature + Fraction(1, 2)
        step = (highest + 1) / 8
        for t in [*graph.breakpoints, *(-1 + step * n for n in range(9))][number % 2 :: 2]:
            cooled = value.cooled(t)
            assert (cooled.left_stop, cooled.right_stop) == (
                graph.left_wall(t),
                graph.right_wall(t),
            ), (value, t)


def test_cooling_is_that_of_the_definition():
    """A game is frozen above the least tax that leaves a number plus an infinitesimal."""
    values = [value for value in on_the_grid(random_values(3, 60, most=2)) if value.birthday < 5]
    assert len(values) > 20
    for value in values:
        for t in GRID[::7]:
            assert value.cooled(t) == cooled_by_definition(value, t), (value, t)


def test_walls_are_straight_between_the_points():
    """Left's falls or is vertical, Right's rises or is, and they are apart below the mast."""
    for value in random_values(4, 400):
        graph = value.thermograph
        assert graph.left_points[-1] == graph.right_points[-1] == (value.temperature, value.mean)
        for points, slope in ((graph.left_points, -1), (graph.right_points, 1)):
            assert points[0][0] == -1
            for (t, v), (end, w) in pairwise(points):
                assert t < end
                assert (w - v) / (end - t) in {0, slope}
        for t in graph.breakpoints[:-1]:
            assert graph.left_wall(t) > graph.right_wall(t)
        assert (graph.left_wall(0), graph.right_wall(0)) == (value.left_stop, value.right_stop)
        assert value.is_hot == (value.temperature > 0)
        assert value.is_number == (value.temperature < 0)
        if value.is_number:
            assert value.temperature == -Fraction(1, value.number.denominator)
        mirrored = (-value).thermograph
        assert mirrored.left_points == tuple((t, -v) for t, v in graph.right_points)


def test_means_add_and_temperatures_do_not_exceed_the_hottest():
    """The mean of a sum is the sum of the means."""
    values = random_values(5, 60)
    for a, b in zip(values, reversed(values), strict=True):
        assert (a + b).mean == a.mean + b.mean
        assert (a + b).temperature <= max(a.temperature, b.temperature)


def test_cooling_is_linear_and_keeps_the_order():
    """A sum cooled is the sum of its parts cooled, for taxes of at least 0."""
    values = random_values(6, 50, most=2)
    for number, (a, b) in enumerate(zip(values, reversed(values), strict=True)):
        t = Fraction(number % 9, 4)
        assert (a + b).cooled(t) == a.cooled(t) + b.cooled(t)
        assert not a <= b or a.cooled(t) <= b.cooled(t)


@pytest.mark.parametrize(
    ("text", "temperature", "mean"),
    [
        ("0", -1, 0),
        ("-7", -1, -7),
        ("1/2", "-1/2", "1/2"),
        ("-5/8", "-1/8", "-5/8"),
        ("*", 0, 0),
        ("3↑*2", 0, 3),
        ("Tiny(2)", 0, 0),
        ("Miny(1/2)", 0, 0),
        ("±1", 1, 0),
        ("{2|0}", 1, 1),
        ("{3||2|0}", 1, 2),
        ("{1/2|-3}", "7/4", "-5/4"),
        ("{10||0|-3}", "23/4", "17/4"),
        ("{2Miny(2)|0||-1/2|-2}", "9/8", "-1/8"),
    ],
)
def test_temperatures_and_means_of_known_games(text, temperature, mean):
    """Numbers are cold, infinitesimals have temperature 0, and switches are hot."""
    value = parse(text)
    assert value.temperature == Fraction(temperature)
    assert value.mean == Fraction(mean)


def board_facts(*, is_small):
    """Return the published temperatures and means of boards of Domineering."""
    return [
        tuple(row[name] for name in ("rows", "cols", "property", "value"))
        for row in rows("domineering_values")
        if row["property"] in {"temperature", "mean"} and (int(row["cols"]) < 6) == is_small
    ]


@pytest.mark.parametrize(("height", "width", "what", "number"), board_facts(is_small=True))
def test_small_boards_of_domineering_are_as_hot_as_published(height, width, what, number):
    """By solving the boards; the source is in the file."""
    value = zermelo.solve(Domineering(int(height), int(width)), value="partizan").value
    assert getattr(value, what) == Fraction(number)


@pytest.mark.slow
@pytest.mark.parametrize(("height", "width", "what", "number"), board_facts(is_small=False))
def test_boards_of_domineering_are_as_hot_as_published(height, width, what, number):
    """As the small boards, with up to 12 columns."""
    test_small_boards_of_domineering_are_as_hot_as_published(height, width, what, number)


def test_deep_games_have_thermographs():
    """Numbers of many digits, and long chains of threats, take no recursion."""
    small = CombinatorialValue.of_number(Fraction(1, 1 << 900) + 5)
    assert small.temperature == -Fraction(1, 1 << 900)
    assert len(small.thermograph.left_points) == 2
    assert CombinatorialValue.of_number(3000).mean == 3000
    threat = parse("*")
    for n in range(300):
        threat = CombinatorialValue.of_options([threat], [-n])
    assert threat.thermograph.left_wall(-1) >= threat.mean


def test_a_wall_begins_at_minus_one():
    """Below that there is nothing to say, as any move would be worth making."""
    graph = parse("±1").thermograph
    for wall in (graph.left_wall, graph.right_wall, parse("±1").orthodox_options):
        with pytest.raises(CombinatorialValueError, match="temperature '-3/2'; give one from -1"):
            wall(Fraction(-3, 2))


def test_a_thermograph_says_its_mean_and_temperature():
    """It is one value, equal to another of the same walls."""
    graph = parse("{2|0}").thermograph
    assert str(graph) == "mean 1, temperature 1"
    assert repr(graph) == "<Thermograph: mean 1, temperature 1>"
    assert graph == Thermograph(graph.left_points, graph.right_points)
    assert graph != parse("±1").thermograph


def test_a_picture_has_a_title_and_labels(tmp_path):
    """For screen readers; values rise to the left."""
    graph = parse("{10||0|-3}").thermograph
    assert graph._repr_svg_() == graph.svg == graph.picture.svg
    assert graph.svg.startswith("<svg ")
    title = "Thermograph: mean 17/4, temperature 23/4, left stop 10, right stop 0"
    assert f"<title>{title}</title>" in graph.svg
    labels = re.findall(r">([^<>]+)</text>", graph.svg)
    assert {"17/4", "23/4", "11", "0", "\N{MINUS SIGN}1", "← Left", "Right →"} <= set(labels)
    spots = {
        word: float(x) for x, word in re.findall(r'<text x="([\d.]+)"[^>]*>([^<]+)<', graph.svg)
    }
    assert spots["10"] < spots["17/4"]
    assert graph.save(tmp_path / "graph.svg").read_text().startswith("<svg ")


SKETCH = """\
   │                  ⢠
   │                  ⢸
   │                  ⢸
 1 ┤                 ⢀⠼⡀
   │               ⢀⠔⠁ ⠈⠢⡀
   │             ⢀⠔⠁     ⠈⠢⡀
   │           ⢀⠔⠁         ⠈⠢⡀
 0 ┤         ⢀⠔⠁             ⠈⠢⡀
   │       ⢀⠔⠁                 ⠈⠢⡀
   │     ⢀⠔⠁                     ⠈⠢⡀
   │   ⢀⠔⠁                         ⠈⠢⡀
−1 ┤  ⠰⠁                             ⠈⠢
   └─────────────────────────────────────
      3       2       1       0      −1"""  # the sign of labels


def test_a_sketch_has_walls_and_labels():
    """In a terminal, with lines of slope 1."""
    assert parse("{2|0}").thermograph.sketch() == SKETCH


@pytest.mark.slow
def test_drawings_of_all_games_have_a_bounded_size():
    """Hot and cold ones, with large numbers and long fractions."""
    texts = ["0", "1/65536", "100000", "{1000|-3/4096}", "{1/1024|0||-1000}", "±100", "Tiny(90)"]
    for value in [*map(parse, texts), *random_values(7, 100)]:
        lines = value.thermograph.sketch().splitlines()
        assert len(lines) <= 20
        assert max(map(len, lines)) <= 80
        width, height = map(
            float, re.findall(r'(?:width|height)="([\d.]+)"', value.thermograph.svg)[:2]
        )
        assert width <= 481
        assert height <= 297
        numbers = re.findall(r'd="M([-\d.]+) ([-\d.]+)', value.thermograph.svg)
        assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in numbers)
