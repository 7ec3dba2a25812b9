"""Tables of small games, opened without Numba: the answers of compiled rules, and forgeries."""

from __future__ import annotations

from random import Random

import pytest

import zermelo
from support.faults.tampered_tables import (
    answers,
    forged,
    forged_results,
)
from support.games.component_games import random_tokens
from support.games.strategies import (
    OwnedGame,
    random_endless_games,
    random_games,
    random_impartial_game,
    random_loopy_score_games,
    random_score_games,
)
from support.games.symmetric import random_symmetric
from support.sizes import counts
from zermelo import CorruptTableError, StaleTableError, limits
from zermelo.games import CatAndMouse, ConnectFour, Domineering, Kayles, StoneGame

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


def opened_compiled(path, game):
    """Open a table by compiled rules."""
    with limits.using(plain_seconds=0.0):
        return zermelo.open(path, game)


def assert_same(game, path, **how):
    """Compare a table that is opened in Python with the solution that was saved."""
    solution = zermelo.solve(game, **how)
    solution.save(path, overwrite=True)
    opened = zermelo.open(path, game)
    assert dict(opened.items()) == dict(solution.items())
    assert opened.counts() == solution.counts()
    assert opened.options() == solution.options()
    assert opened.verify(), game
    again = opened.save(path.with_name("again.table"), overwrite=True)
    assert zermelo.describe_table(again)["choice"] == zermelo.describe_table(path)["choice"]
    assert dict(zermelo.open(again, game).items()) == dict(solution.items())


@counts(2, 9, 100)
def test_random_tables_answer_as_they_were_solved(count, tmp_path):
    """Loops, extra turns, endless wins, margins, nimbers and components, without Numba's help."""
    random, path = Random(3), tmp_path / "x.table"
    for game in (*random_games(3, count), *random_endless_games(3, count // 2)):
        assert_same(game, path)
    for game in (*random_score_games(3, count // 2), *random_loopy_score_games(3, count // 2)):
        assert_same(game, path)
        assert_same(game, path, value="score-and-plies")
    for _ in range(count // 2):
        assert_same(random_impartial_game(random), path, value="nimber")
        assert_same(random_tokens(random), path, value="nimber")
    for game in random_symmetric(3, count // 2):
        assert_same(game, path)


@pytest.mark.parametrize(
    ("game", "how"),
    [(ConnectFour(3, 3, 3), {"method": "placement"}), (CatAndMouse(GRAPH), {"method": "pursuit"})],
    ids=["tiers", "pursuit"],
)
def test_other_forms_of_tables_answer_as_by_compiled_rules(game, how, tmp_path):
    """Tables without positions, which their methods number, are read in Python as well."""
    path = zermelo.solve(game, **how).save(tmp_path / "x.table")
    opened = zermelo.open(path)
    assert answers(opened) == answers(opened_compiled(path, game))
    assert opened.verify()


GAMES = {
    "loops": (CatAndMouse(GRAPH), {}),
    "turns": (next(iter(random_games(7, 1, kinds=[OwnedGame]))), {}),
    "plies": (StoneGame([5, 3, 4, 5]), {"value": "score-and-plies"}),
    "nimbers": (Kayles(9), {"value": "nimber"}),
}


@pytest.mark.parametrize("name", GAMES)
@counts(40, None, 1_000)
def test_forged_tables_are_noticed(count, name, tmp_path):
    """Whoever can make checksums changes a header or a block: the check finds each wrong answer."""
    game, how = GAMES[name]
    path = zermelo.solve(game, **how).save(tmp_path / "x.table")
    found = forged_results(path, tmp_path / "forged", game, count)
    assert found.keys() >= {"refused", "false"}


def test_a_table_that_is_searched_wrongly_is_noticed(noughts, tmp_path):
    """Positions and values are right, but compiled rules would not find the first of a block."""
    path = noughts.save(tmp_path / "x.table")

    def shift(_, parts):
        first = parts["first"][0]
        first[8:16] = (int.from_bytes(first[8:16], "little") - 1).to_bytes(8, "little")
        parts["positions"][1][0] = 1

    found = zermelo.open(forged(path, shift)).verify()
    assert not found
    assert "is in the table, but cannot be found there" in found.problem


def test_a_wrong_value_is_told_with_what_moves_lead_to(noughts, tmp_path):
    """The sentence names the position, its value, and the values that contradict it."""
    path = noughts.save(tmp_path / "x.table")

    def swap(_, parts):
        block = parts["values"][2]
        block[0] = next(each for each in block if each != block[0])

    table = zermelo.open(forged(path, swap))
    found = table.verify()
    for option in table.options(found.position)[:3]:
        assert f"{option.name} leads to {table[option.position]}" in found.problem


def test_rules_that_have_changed_are_refused(noughts, tmp_path):
    """Nor is a table of other rules looked into, unless it is asked for."""
    path = noughts.save(tmp_path / "x.table")

    def change(header, _):
        header["rules"] = "0" * len(header["rules"])

    other = forged(path, change)
    with pytest.raises(StaleTableError, match="the rules of TicTacToe have changed"):
        zermelo.open(other)
    assert zermelo.open(other, ignore_rules=True).verify()


def test_a_truncated_table_is_refused(noughts, tmp_path):
    """A small table is read whole when it is opened."""
    path = noughts.save(tmp_path / "x.table")
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CorruptTableError):
        zermelo.open(path)


def test_rules_that_take_long_are_compiled_for_the_check(noughts, tmp_path):
    """Then the answer is that of compiled rules."""
    path = noughts.save(tmp_path / "x.table")
    with limits.using(plain_seconds=1e-6):
        found = zermelo.open(path).verify()
    assert found
    assert found.moves == 16_167


def test_a_wrong_turn_in_a_file_is_found(tmp_path):
    """Its checksums are right, and values follow from the rules' turns."""
    game, _ = GAMES["turns"]
    solution = zermelo.solve(game)
    solution._solved.table.column.owner[0] ^= 1  # there is no public way to write a wrong table
    opened = zermelo.open(solution.save(tmp_path / "x.table"), game)
    assert "the table has the wrong turn at" in opened.verify().problem


def test_damage_to_what_only_other_readers_read_is_found(tmp_path):
    """A portable table has images of positions, which Zermelo computes and C looks up."""
    path = zermelo.solve(Domineering(2, 3)).save(tmp_path / "x.table", portable=True)
    data = bytearray(path.read_bytes())
    data[-500] ^= 1
    path.write_bytes(data)
    opened = zermelo.open(path)
    with pytest.raises(CorruptTableError):
        opened.verify()
