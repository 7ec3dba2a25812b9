"""The JSON of the explorer for partizan games: values as games, roles of moves, thermographs."""

from __future__ import annotations

import gzip
import json

import pytest

import zermelo
from zermelo import CombinatorialValue
from zermelo.games import Domineering, TicTacToe
from zermelo.web.export.folder import write_site
from zermelo.web.position_codes import code_of
from zermelo.web.session import ExplorerSession


@pytest.fixture(scope="module")
def room():
    """A session with Domineering on 3 by 3 squares."""
    session = ExplorerSession("domineering")
    session.show(zermelo.solve(Domineering(3, 3), value="partizan"))
    return session


def test_a_position_has_its_value_as_a_game(room):
    """With its canonical form, its stops, its temperature, and a picture of the thermograph."""
    document = room.position("0,0")
    assert (document.value.game, document.value.text) == ("±1", "±1")
    found = document.partizan
    assert (found.left, found.right, found.outcome_class) == (["1"], ["-1"], "N")
    assert (found.left_stop, found.right_stop) == ("1", "-1")
    assert (found.temperature, found.mean) == ("1", "0")
    assert found.thermograph.startswith("<svg")
    for option, move in zip(room.solution.options(), document.moves, strict=True):
        assert CombinatorialValue.parse(move.value.game) == option.value
        assert move.value.outcome == str(option.value.outcome)
    assert [move.note for move in document.moves[:3]] == [
        "canonical",
        "canonical",
        "dominated by b3b2",
    ]


def test_equal_games_may_have_other_outcomes(room):
    """A position worth * is won, and a move to it loses; no document is taken for the other."""
    for position in room.solution:
        document = room.position(code_of(position))
        assert document.value.outcome == str(room.solution[position].outcome)
        outcomes = [str(option.value.outcome) for option in room.solution.options(position)]
        assert [move.value.outcome for move in document.moves] == outcomes


def test_other_answers_about_a_partizan_game(room):
    """A tree, an explanation, a match, and the commonest values."""
    branch = room.tree("0,0").moves[0]
    assert (branch.note, branch.replies[0].note) == ("canonical", "reversible")
    assert "The position is worth ±1" in " ".join(room.explain("0,0").sentences)
    match = room.match("0,0", ["a3a2"])
    assert match.plies[0].mistake == "turned a win into a loss"
    assert match.prospects == "horizontal wins"
    counts = room.statistics()
    assert (counts.by_value[0].game, counts.by_value[0].positions) == ("0", 11)
    assert sum(row.positions for row in counts.by_value) == counts.positions
    assert room.game().by == "value of the game, with the player to move as Left"


def test_other_games_have_no_value_as_a_game():
    """Their moves have no notes."""
    session = ExplorerSession("tic-tac-toe")
    session.show(zermelo.solve(TicTacToe()))
    document = session.position("0,0")
    assert (document.partizan, document.value.game) == (None, None)
    assert {move.note for move in document.moves} == {""}
    assert session.statistics().by_value[0].game is None


def test_an_exported_page_has_values_as_games(room, tmp_path):
    """Each value once, with its thermograph; and notes beside moves."""
    write_site(room, tmp_path / "site")
    path = next((tmp_path / "site").glob("files-*/positions.bin"))
    raw = gzip.decompress(path.read_bytes())
    size = int.from_bytes(raw[:4], "little")
    description = json.loads(raw[4 : 4 + size])
    start = next(i for i, value in enumerate(description["values"]) if value["game"] == "±1")
    assert description["partizan"][str(start)] == room.position("0,0").partizan.model_dump()
    assert ["b3b2", "b3b2", None, None, "canonical"] in description["moves"]
    assert code_of(room.solution.start) == description["game"]["start"]
