"""Values of partizan games from rules: random games, components, files, and easy mistakes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import zermelo
from support.games.partizan_games import (
    ForgetfulTokens,
    GraphCol,
    KeepingTokens,
    SplitTokens,
    random_tokens,
)
from support.oracles.graphs import all_graphs, connected
from support.oracles.sums import At, Mirrored, Shared, Token, some_game
from support.sizes import counts, some
from zermelo import LOSS, WIN, CombinatorialValue, ParameterError, RulesError
from zermelo.games import CatAndMouse, Domineering, Konane, Nim, Pig, StoneGame
from zermelo.rules.hooks import Rules

KINDS = (Token, Mirrored, Shared)


def value_by_definition(rules: Rules, position: Any, known: dict[Any, Any]) -> CombinatorialValue:
    """Return the value of a position, from its options with either player to move."""
    if position not in known:
        passed = position if not rules.passes else rules.pass_turn(position)
        left, right = (
            [value_by_definition(rules, rules.play(at, move), known) for move in rules.moves(at)]
            for at in (position, passed)
        )
        known[position] = CombinatorialValue.of_options([-value for value in left], right)
    value: CombinatorialValue = known[position]
    return value


def check_values(game: Any, **options: Any) -> None:
    """Compare all values of a solution with the definition, and check its certificate."""
    solution = zermelo.solve(game, value="partizan", **options)
    rules, known = Rules(game), {}
    for position in solution:
        assert solution[position] == value_by_definition(rules, position, known)
    assert solution.verify()


@pytest.mark.parametrize("seed", some(range(4), 4))
def test_values_of_random_games_are_what_their_options_make_them(seed):
    """The value of each position with either player to move is that of its options."""
    random = Random(seed)
    for _ in range(25):
        check_values(some_game(random, KINDS, cycles=False))
        check_values(random_tokens(random))


@pytest.mark.parametrize(
    "nodes",
    [
        1,
        2,
        3,
        4,
        5,
        pytest.param(6, marks=pytest.mark.slow),
        pytest.param(7, marks=pytest.mark.huge),
    ],
)
def test_col_on_every_small_graph_is_a_number_or_a_number_and_a_star(nodes):
    """So it is on all graphs (Berlekamp, Conway and Guy, Winning Ways, chapter 2; recalled)."""
    for graph in filter(connected, all_graphs(nodes)):
        game = GraphCol(graph)
        check_values(game)
        star, solution = CombinatorialValue.parse("*"), zermelo.solve(game, value="partizan")
        for position in solution:
            value = solution[position]
            assert value.is_number or (value + star).is_number, (graph, str(value))


@counts(None, 65, 5_000)
def test_values_of_thousands_of_random_games_are_right(count):
    """The same for more games."""
    random = Random(100)
    for _ in range(count):
        check_values(some_game(random, KINDS, cycles=False))
        check_values(random_tokens(random))


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(2), 2))
def test_components_give_the_value_of_their_sum(seed):
    """A game that is split has the same values as the whole game."""
    random = Random(seed)
    for _ in range(20):
        whole = random_tokens(random)
        split = SplitTokens(whole.left, whole.right, whole.roots)
        solution = zermelo.solve(split, value="partizan")
        rules, known = Rules(whole), {}
        assert solution.verify()
        for position in zermelo.solve(whole, value="partizan"):
            assert solution[position] == value_by_definition(rules, position, known)


@pytest.mark.slow
def test_compiled_rules_give_the_same_file_as_plain_python(tmp_path):
    """The table of a small game is the same byte for byte, whole, folded or split."""
    random = Random(5)
    games = [Domineering(3, 3), random_tokens(random), random_tokens(random, SplitTokens)]
    for number, game in enumerate(games):
        paths = [tmp_path / f"{number}-{method}.zt" for method in ("plain", "partizan")]
        for path in paths:
            method = path.stem.split("-")[1]
            zermelo.solve(game, value="partizan", method=method).save(path)
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_table_answers_and_verifies_as_the_solution(tmp_path):
    """A file holds the canonical forms, and its values are the same."""
    solution = zermelo.solve(Domineering(3, 3), value="partizan")
    solution.save(tmp_path / "three.zt")
    table = zermelo.open(tmp_path / "three.zt")
    assert table.value == solution.value == CombinatorialValue.parse("±1")
    assert dict(table.items()) == dict(solution.items())
    assert table.counts() == solution.counts()
    assert table.verify()


@counts(40, None, 2_500)
def test_the_winner_of_a_sum_follows_from_the_values(count):
    """Sums of two games are won as the sums of their values say, with either player beginning."""
    random = Random(count)
    for _ in range(count):
        parts = [some_game(random, (Token, Mirrored), cycles=False) for _ in range(2)]
        total = zermelo.sum(*parts)
        first, second = (zermelo.solve(part, value="partizan") for part in parts)
        for turn in (0, 1):
            position = (At(0, turn), At(0, turn))
            value = first[position[0]] + second[position[1]]
            assert total[position].outcome is (LOSS if value <= 0 else WIN)


def test_a_sum_of_values_has_a_value_and_winning_moves():
    """With value="partizan", a sum of games is worth the sum, and the moves to at least 0 win."""
    parts = Domineering(2, 2), Domineering(2, 3), Nim((3,))
    total = zermelo.sum(*parts, value="partizan")
    values = [zermelo.solve(part, value="partizan").value for part in parts]
    assert total.value == values[0] + values[1] + values[2]
    for option in total.options():
        assert (option.value.outcome is WIN) == (option.value >= 0)
    assert total.verify()
    solutions = [zermelo.solve(part, value="partizan") for part in parts]
    assert zermelo.sum(*solutions).value == total.value


def test_options_say_which_moves_win_and_what_they_are_worth():
    """A move's value is that of the position after it; it wins if that is at least 0."""
    solution = zermelo.solve(Domineering(2, 2), value="partizan")
    assert str(solution.value) == "±1"
    option = solution.options()[0]
    assert (str(option.value), option.value.outcome) == ("1", WIN)
    assert solution.winner == "vertical"


def test_the_nimber_of_an_impartial_game_is_its_value():
    """An impartial game is worth a nimber, as value='nimber' says."""
    game = Nim((3, 5))
    nimber = zermelo.solve(game, value="nimber").value.nimber
    assert zermelo.solve(game, value="partizan").value == CombinatorialValue.parse(f"*{nimber}")


def test_moves_that_lead_in_a_cycle_are_refused():
    """A game whose play need not end is refused, with the positions of the cycle."""
    with pytest.raises(RulesError, match=r"in a cycle, with either player to move: from At\("):
        zermelo.solve(Token(((1,), (0,)), ((), ())), value="partizan")


def test_a_move_that_keeps_the_turn_is_named_also_in_a_split_game():
    """The message names the move, though moves before it lead to several components."""
    graph = (), (), (1 + 256 * 1, 1 + 256 * 1, 1 + 256 * 1, 0)
    game = KeepingTokens(graph, graph, (2, 1))
    with pytest.raises(RulesError, match=r"after the move \(0, 0\) from Tokens"):
        zermelo.solve(game, value="partizan", method="plain")


def test_a_false_split_is_found():
    """Components that leave something out are refused."""
    game = ForgetfulTokens(((), (0,), (1, 0)), ((), (0,), ()), (2, 1))
    with pytest.raises(RulesError, match="split"):
        zermelo.solve(game, value="partizan")


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (StoneGame((3, 1, 2)), {}, "which is a score game"),
        (Pig(goal=3), {}, "does not suit Pig"),
        (CatAndMouse(), {}, "cannot move"),
        (Domineering(2, 2), {"misere": True}, "normal play"),
        (Konane(3, 3), {"method": "nimber"}, "does not go with"),
    ],
)
def test_games_of_another_kind_are_refused(game, options, message):
    """The message says what the values need."""
    with pytest.raises((ParameterError, RulesError), match=message):
        zermelo.solve(game, value="partizan", **options)


def test_a_forged_value_is_refused():
    """The certificate finds each position whose number of a form was changed."""
    solution = zermelo.solve(Domineering(2, 3), value="partizan")
    stored = solution._solved.table.column.stored  # no public name changes a table
    for number in range(len(stored)):
        kept = stored[number]
        for code in range(int(stored.max()) + 2):
            stored[number] = code
            assert bool(solution.verify()) == (code == kept)
        stored[number] = kept
