"""``zermelo explain``: the library's explanation, with the board above it."""

from __future__ import annotations

import json

import zermelo
from zermelo.games import TakeAway


def test_explanation_is_that_of_the_library(run):
    """The sentences are the library's, in text and in JSON."""
    told = zermelo.solve(TakeAway(stones=20, limit=3)).explain(17)
    words = ("explain", "take-away", "--stones", 20, "--limit", 3, "17")
    shown = run(*words)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.endswith(f"\n\n{told}\n")
    assert run(*words, "--quiet").stdout == f"{told}\n"
    document = json.loads(run(*words, "--json").stdout)
    assert document["sentences"] == list(told.sentences)
    assert document["value"] == told.value.to_json()
    assert document["line"]["names"] == told.line.names


def test_tables_and_sums_are_explained(run, folder):
    """The argument is a table or a sum as well, and a wrong position is one sentence."""
    run("solve", "take-away", "--stones", 5, "--table", "heap.table")
    assert "take 1" in run("explain", "heap.table").stdout
    sum_of = run("explain", "take-away --stones 5 + take-away --stones 2", "--quiet")
    assert sum_of.stdout.startswith("The player to move ")
    wrong = run("explain", "heap.table", "six")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
