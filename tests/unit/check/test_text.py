"""Broken hooks that people see the results of."""

from __future__ import annotations

from support.games.small_games import Heap, Ring, Spot, fault, uncompiled
from zermelo import check


def test_show_that_raises():
    """A show that raises is reported with the line that did."""

    class Failing(Ring):
        def show(self, spot):
            return "abc"[spot.place]

    problem = fault(Failing, "raises")
    assert problem.position == Spot(3, 0)
    assert problem.message.startswith("show(Spot(place=3, turn=0)) raised IndexError: string ")


def test_show_that_prints():
    """A show that returns nothing is told to return a string."""

    class Printing(Heap):
        def show(self, left):
            return None

    assert fault(Printing, "show").message == "show(7) returned None; return a string"


def test_svg_that_is_no_picture():
    """An svg is an <svg> element."""

    class Plain(Heap):
        def svg(self, left):
            return "seven"

    message = "svg(7) returned 'seven'; return an <svg> element"
    assert fault(Plain, "show").message == message


def test_names_that_are_numbers():
    """A name is a string."""

    class Numbered(Heap):
        def name(self, taken):
            return taken

    assert fault(Numbered, "name").message == "name(1) returned 1; return a string"


def test_names_that_are_the_same():
    """Two moves of one position have two names."""

    class Same(Heap):
        def name(self, taken):
            return "take"

    assert fault(Same, "name").message == (
        "at 7 the moves 1 and 2 are both called 'take'; give moves of one position different names"
    )


def test_parse_that_reads_something_else():
    """What show writes, parse reads back."""

    class Careless(Ring):
        def show(self, spot):
            return str(spot.place)

        def parse(self, text):
            return Spot(int(text), 0)

    assert fault(Careless, "parse").message == (
        "parse('1') gives Spot(place=1, turn=0), but show() wrote that of Spot(place=1, turn=1); "
        "let show() tell all of a position, and parse() read it back"
    )


def test_parse_that_refuses():
    """A parse that refuses what show writes is reported with what it said."""

    class Strict(Heap):
        def parse(self, text):
            return int(text)

    message = fault(Strict, "parse").message
    assert message.startswith(
        "parse() refuses what show() writes of 7: parse('7 left') raised ValueError: invalid "
        "literal for int() with base 10: '7 left' (line "
    )
    assert message.endswith("of test_text.py); let it read that too")


def test_text_that_is_right(monkeypatch):
    """A game whose positions can be shown, drawn, named and read has no problem."""

    class Told(Heap):
        def svg(self, left):
            return f"<svg><text>{left}</text></svg>"

        def name(self, taken):
            return f"take {taken}"

        def parse(self, text):
            return int(text.removesuffix(" left"))

    uncompiled(monkeypatch)
    assert check(Told).problems == ()
