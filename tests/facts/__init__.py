"""Published facts about games, as data; README.md says where they come from."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file, each a dictionary by the names in the first line."""
    with (_HERE / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def document(name: str) -> Any:
    """Return what a JSON file holds."""
    return json.loads((_HERE / f"{name}.json").read_text(encoding="utf-8"))


def example(number: int) -> tuple[Any, Any]:
    """Return the value of the first variable in a LeetCode problem's example, and the answer."""
    row = next(row for row in rows("leetcode_games") if row["id"] == str(number))
    return json.loads(row["input"].partition("= ")[2]), json.loads(row["expected"])


def quantity(game: str, what: str) -> str:
    """Return one fact from the file of single facts."""
    return next(
        row["value"]
        for row in rows("solved_games")
        if (row["game"], row["quantity"]) == (game, what)
    )
