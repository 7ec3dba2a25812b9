"""Graphs drawn in text."""

from __future__ import annotations

from zermelo.drawing.sketch import sketch_graph


def test_every_node_is_named_and_tags_are_in_brackets():
    """With a line of dots for an edge between them."""
    text = sketch_graph([[1], [0, 2], [1]], [(0, "mouse"), (2, "cat"), (2, "hole")])
    assert "[0 mouse]" in text
    assert " 1 " in text
    assert "[2 cat, hole]" in text
    assert any("\u2800" < mark <= "\u28ff" for mark in text)
    assert max(map(len, text.splitlines())) <= 80


def test_one_node_and_no_edges():
    """The smallest graphs have a picture too."""
    assert sketch_graph([[]], [(0, "cat")]) == "[0 cat]"
    assert sketch_graph([[0], []], []).split() != []


def test_of_a_large_graph_there_is_what_is_near():
    """A tangle says nothing; a line says what is left out."""
    ring = [[(i - 1) % 100, (i + 1) % 100] for i in range(100)]
    text = sketch_graph(ring, [(50, "cat")])
    assert "[50 cat]" in text
    assert text.endswith("\n(the nearest 24 of 100 nodes)")
