"""Every row of a list of published facts is checked by some test, or is left for a reason."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

from facts import rows
from zermelo.games import zoo

ROOT = Path(__file__).parents[3]
GIVEN = {row["id"]: row for row in rows("zoo_given")}
TESTS = rows("zoo_given_tests")

#: Why a row may be left.
REASONS = {"too large", "another convention", "found to differ"}
#: What a row says in numbers, and what a fact calls it.
NUMBERS = {
    "remoteness_plies": "remoteness",
    "endless_draws": "endless",
    "wins": "win",
    "losses": "loss",
    "ties": "tie",
    **{name: name for name in ("score", "nimber", "positions")},
    **{name: name for name in ("longest_win", "longest_loss")},
}


@cache
def names_in(path):
    """Return the names of the tests in a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def checked_fact(what):
    """Return the fact of a game with these parameters, as the tests of the zoo check it."""
    name, _, text = what.partition(" ")
    parameters = json.loads(text)
    misere = parameters.pop("misere", False)
    return next(
        fact
        for fact in zoo()[name].facts
        if fact.checked
        and json.loads(json.dumps(dict(fact.parameters))) == parameters
        and fact.misere == misere
    )


def numbers(row):
    """Return the numbers of a row, by the names that a fact has for them."""
    found = {name: row[column] for column, name in NUMBERS.items()}
    return {name: int(text) for name, text in found.items() if text.lstrip("-").isdigit()}


def test_every_row_has_its_place():
    """Each once, in the order of the list."""
    assert [row["id"] for row in TESTS] == list(GIVEN)
    assert {row["by"] for row in TESTS} == {"fact", "test", "none"}


def mapped(by):
    """Return the rows that are left to a fact, to a test or to nobody."""
    return [row for row in TESTS if row["by"] == by]


def test_facts_say_what_the_rows_say():
    """Who wins, and every number but those that are named, with the reason."""
    for place in mapped("fact"):
        row, claims = GIVEN[place["id"]], checked_fact(place["what"]).claims
        known = numbers(row)
        apart = {
            name
            for name, number in known.items()
            if claims.get(name, 0 if name in {"tie", "endless"} else None) != number
        }
        assert apart == set(place["differs"].split()), place["id"]
        winner = row["first_player"]
        if winner:
            value = claims.get("outcome") or {True: "win", False: "loss"}[claims["score"] > 0]
            alike = (winner, value) in {("draw", "endless"), ("draw", "tie")}
            assert winner == value or alike, place["id"]
        assert place["note"] or not apart, place["id"]
        in_words = place["note"] or row["other_fact"]
        assert winner or known.keys() - apart or in_words, place["id"]


def test_tests_have_their_names():
    """They are there; nothing here says that they test what the row says."""
    for place in mapped("test"):
        path, _, name = place["what"].partition("::")
        assert name in names_in(path), place["id"]


def test_rows_are_left_for_reasons():
    """One of three, and in words."""
    for place in mapped("none"):
        assert place["what"] in REASONS, place["id"]
        assert place["note"], place["id"]
