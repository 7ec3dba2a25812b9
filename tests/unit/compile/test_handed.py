"""Each function of generated rules is handed the data that it reads, and no others."""

from __future__ import annotations

import ast

from zermelo._compile.generate.data_arguments import pass_data_arguments


def handed(text: str) -> dict[str, str]:
    """Return the functions of a text once they are handed what they read, by name."""
    functions = {tree.name: tree for tree in ast.parse(text).body}
    pass_data_arguments(functions, ("expand",))
    return {name: ast.unparse(ast.fix_missing_locations(tree)) for name, tree in functions.items()}


def test_a_function_is_handed_what_it_and_what_it_calls_reads():
    """Data go through a function that calls another, also where they call in a circle."""
    made = handed("""
def expand(rows):
    data = Data(rows, 1)
    return outer(data, 2)

def outer(_z_data, n):
    return inner(_z_data, n) + plain(_z_data, n)

def inner(_z_data, n):
    return _z_data.graph[n] if n else outer(_z_data, n - 1)

def plain(_z_data, n):
    return n + 1
""")
    assert "outer(data.graph, 2)" in made["expand"]
    assert "def outer(_z_data_graph, n)" in made["outer"]
    assert "inner(_z_data_graph, n) + plain(n)" in made["outer"]
    assert "_z_data_graph[n] if n else outer(_z_data_graph, n - 1)" in made["inner"]
    assert "def plain(n)" in made["plain"]


def test_nothing_is_changed_where_data_are_used_otherwise():
    """A function that keeps all data in a tuple has all of them, as have all others."""
    text = """
def expand(rows):
    data = Data(rows)
    return rule(data)

def rule(_z_data):
    return (_z_data, 1)
"""
    assert handed(text) == {tree.name: ast.unparse(tree) for tree in ast.parse(text).body}
