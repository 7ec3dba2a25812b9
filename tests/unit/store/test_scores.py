"""Tables of score games: margins without a list, ranks that say little."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import forged
from support.sizes import some
from zermelo import CorruptTableError, Game
from zermelo.games import StoneGame, TakeAway


class Road(NamedTuple):
    """How far there is to go, and who goes on."""

    left: int
    player: int


@dataclass(frozen=True)
class Tolls(Game):
    """Go on by one or two and take the toll; after every third stone the same player goes on."""

    tolls: tuple[int, ...]
    longest_first: bool = False

    def start(self) -> Road:
        return Road(len(self.tolls), 0)

    def moves(self, road: Road) -> Iterator[int]:
        for n in range(1, min(road.left, 2) + 1):
            yield 3 - n if self.longest_first and road.left > 1 else n

    def play(self, road: Road, n: int) -> Road:
        after = road.left - n
        return Road(after, road.player if after % 3 == 0 else 1 - road.player)

    def gain(self, road: Road, n: int) -> int:
        return self.tolls[road.left - n]

    def turn(self, road: Road) -> int:
        return road.player

    def space(self) -> Road:
        return Road(range(512), range(2))


def random(count: int, most: int) -> tuple[int, ...]:
    """Return some numbers that are the same each time."""
    return tuple(np.random.default_rng(7).integers(0, most, count).tolist())


#: Score games, with whether their palette is a range, and whether each move leads to the layer
#: after its own, to a greater number, or to any.
SCORED = {
    "layers": (StoneGame(random(60, 1 << 30)), False, "layers"),
    "layers, margins close together": (StoneGame(random(60, 50)), True, "layers"),
    "layers, some margins": (StoneGame((0, 900, 0, 0, 7)), False, "layers"),
    "turns": (Tolls(random(300, 10)), True, "numbers"),
    "turns, margins far apart": (Tolls(random(300, 1 << 40)), False, "numbers"),
    "moves that lead back": (Tolls(random(300, 10), longest_first=True), True, "ranks"),
}


@pytest.fixture(params=some(SCORED, 3))
def scored(request: pytest.FixtureRequest) -> Any:
    """A solved score game, with what is known of it."""
    game, close, kind = SCORED[request.param]
    return zermelo.solve(game), close, kind


def header_of(path: Path) -> dict[str, Any]:
    """Return what a table says of itself."""
    with path.open("rb") as file:
        found: dict[str, Any] = json.loads(file.read(int(file.readline().split()[2])))
    return found


def test_a_table_of_scores_answers_as_the_solution_did(scored: Any, tmp_path: Path) -> None:
    """Saved, opened, and saved again; and its ranks show that there is no cycle."""
    solution, close, kind = scored
    path = solution.save(tmp_path / "x.table")
    said = header_of(path)
    assert isinstance(said["table"]["palette"], dict) == close
    layers = solution._solved.table.index.layers
    assert (kind == "layers") == (layers is not None)
    assert (kind == "ranks") == (solution._solved.table.index.ranks is not None)
    if layers is not None:
        assert said["arrays"]["ranks"]["dtype"] == "|u1"
    opened = zermelo.open(path, solution.game)
    assert dict(opened.items()) == dict(solution.items())
    assert opened.counts() == solution.counts()
    assert opened.verify()
    assert opened.verify(memory="40MB")
    again = opened.save(tmp_path / "again.table")
    assert again.read_bytes() == path.read_bytes()


def test_ranks_vouch_for_a_table_in_whatever_order_it_is(scored: Any, tmp_path: Path) -> None:
    """What no start reaches is found, and so are ranks that a move does not lower."""
    solution = scored[0]
    opened = zermelo.open(solution.save(tmp_path / "x.table"), solution.game)
    solved = opened._solved
    solved.table = table = solved.table.loaded()
    assert table.reachability_evidence == "places"
    assert opened.verify()
    rules = solved.compiled.rules
    after = rules.layout.pack(rules.play(opened.start, rules.moves(opened.start)[0]))
    starts = np.array([after], np.uint64)
    with mock.patch.object(type(solved.compiled), "start_words", return_value=starts):
        assert "cannot be reached" in str(opened.verify().problem)
    highest = int(table.index.ranks.argmax())
    assert highest == table.starts[0]
    for _ in range(2):
        table.index.ranks[highest] -= 1
    assert "lead in a cycle" in str(opened.verify().problem)


def test_margins_are_counted_however_far_apart_they_are(scored: Any) -> None:
    """By sorting, or one beside the other."""
    solution = scored[0]
    expected = Counter(value.score for value in dict(solution.items()).values())
    assert solution.counts().by_score == expected


FORGED = {
    "from nowhere": {"greatest": 5},
    "to nowhere": {"least": 5},
    "backwards": {"least": 5, "greatest": 4},
    "endless": {"least": 0, "greatest": 1 << 50},
    "beyond all numbers": {"least": 1 << 80, "greatest": (1 << 80) + 100},
    "of halves": {"least": 0.5, "greatest": 100.5},
    "of text": {"least": "a", "greatest": "z"},
    "of truths": {"least": False, "greatest": True},
    "longer": {"least": -1000, "greatest": 1000},
}


@pytest.mark.parametrize("palette", FORGED.values(), ids=FORGED)
def test_a_range_that_somebody_forged_is_refused(palette: Any, tmp_path: Path) -> None:
    """It is too long, or none at all; and only margins are told in this way."""
    path = zermelo.solve(StoneGame((3, 1, 4, 1, 5))).save(tmp_path / "x.table")
    with pytest.raises(CorruptTableError):
        zermelo.open(forged(path, lambda header, _: header["table"].update(palette=palette)))
    path = zermelo.solve(TakeAway(5)).save(tmp_path / "y.table")
    with pytest.raises(CorruptTableError):
        zermelo.open(forged(path, lambda header, _: header["table"].update(palette=palette)))
