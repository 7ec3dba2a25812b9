"""The JSON of the explorer for games with chance: bounds, odds, rolls, and matches with them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient

import zermelo
from support.games.dice_games import Cards, Draw, Pig, Snails
from support.oracles import expectations
from support.sizes import but
from zermelo import web
from zermelo.web.chance import margin_text, percentage
from zermelo.web.position_codes import code_of
from zermelo.web.session import ExplorerSession

GAMES = {"pig": Pig(10), "snails": Snails(5), "cards": Cards(4)}


@pytest.fixture(scope="module")
def rooms():
    """Sessions of the solved games."""
    sessions = {}
    for name, game in GAMES.items():
        sessions[name] = ExplorerSession(name)
        sessions[name].show(zermelo.solve(game))
    return sessions


@pytest.mark.parametrize("name", but(GAMES, "pig"))
def test_values_of_positions_and_moves_enclose_the_exact_ones(rooms, name):
    """So that an independent program finds each value, and each move's for its player, inside."""
    room, game = rooms[name], GAMES[name]
    exact = {code_of(position): value for position, value in expectations.solve(game).items()}
    for code, value in exact.items():
        document = room.position(code)
        lower, upper = map(Fraction, document.value.bounds)
        assert lower <= value <= upper
        means = [Fraction(0)]
        for move in document.moves:
            lower, upper = map(Fraction, move.value.bounds)
            keeps = document.chance if name != "pig" else code[0] == move.position[0]
            points = 0
            if name == "cards" and not document.chance:
                points = game.gain(Draw(**document.fields), move.move)
            after = points + (exact[move.position] if keeps else -exact[move.position])
            assert lower <= after <= upper
            if move.odds is not None:
                means.append(after * Fraction(move.odds.weight, move.odds.total))
        assert not document.chance or sum(means) == value


def test_results_of_chance_are_listed_in_their_order_with_odds(rooms):
    """Not by what they are worth, as nobody chooses them."""
    document = rooms["snails"].position("0,0,0")
    assert (document.chance, document.over) == (True, False)
    assert [(move.name, move.odds.weight, move.odds.total) for move in document.moves] == [
        ("1 (2/4)", 2, 4),
        ("2 (1/4)", 1, 4),
        ("3 (1/4)", 1, 4),
    ]
    choice = rooms["snails"].position("0,0,3")
    assert not choice.chance
    assert [move.odds for move in choice.moves] == [None, None]


def test_a_probability_is_half_of_one_more_than_the_result(rooms):
    """In a game that is won or lost; a score game has none."""
    value = rooms["pig"].position("0,0,0,0,0").value
    assert value.probability == tuple((1 + bound) / 2 for bound in value.bounds)
    assert value.probability[1] - value.probability[0] <= 1e-9
    assert rooms["cards"].position("4,0").value.probability is None


def test_other_games_have_no_bounds(ask):
    """Their values are exact, and chance decides nowhere."""
    found = ask("position/0,0")
    assert (found["value"]["bounds"], found["value"]["probability"]) == (None, None)
    assert not found["chance"]
    assert not ask("game")["chance"]
    assert ask("position/0,0/roll") is None


def test_rolls_come_up_by_their_weights(rooms):
    """And the same seed gives the same result; where a player is to move, there is none."""
    room = rooms["snails"]
    counts = Counter(room.roll("0,0,0", seed).name for seed in range(800))
    assert 340 < counts["1 (2/4)"] < 460
    assert 140 < counts["3 (1/4)"] < 260
    assert room.roll("0,0,0", 7) == room.roll("0,0,0", 7)
    assert room.roll("0,0,1", 7) is None
    assert room.answer("0,0,0", 100, 7) is None


def test_a_match_without_turn_keeps_the_turn_past_a_roll(rooms):
    """A move passes the turn, chance does not, and the probabilities are of the same player."""
    keys = ["3 (1/4)", "crawl", "2 (1/4)", "crawl"]
    found = rooms["snails"].match(None, keys)
    assert [ply.player for ply in found.plies] == [0, 0, 1, 1]
    assert [ply.odds is not None for ply in found.plies] == [True, False, True, False]
    assert found.player == 0
    mine = found.position.value.probability
    assert found.course[-1].probability == pytest.approx(sum(mine) / 2)
    theirs = rooms["snails"].position(found.plies[2].position).value.probability
    assert found.course[2].probability == pytest.approx(1 - sum(theirs) / 2)
    turned = rooms["snails"].match(None, keys, 1)
    assert [ply.player for ply in turned.plies] == [1, 1, 0, 0]
    assert turned.course[0].probability == pytest.approx(1 - found.course[0].probability)


def test_a_roll_is_no_mistake_and_a_bad_move_is_one(rooms):
    """Bad luck is not held against a player."""
    found = rooms["pig"].match(None, ["roll", "3 (1/6)", "hold", "roll", "1 (1/6)"])
    assert [ply.lost for ply in found.plies] == [None, None, "points", None, None]
    assert found.plies[2].mistake.startswith("gave away")
    assert found.plies[2].best == ["roll"]
    assert found.plies[4].best == []


def test_a_match_tells_who_is_ahead(rooms):
    """With the probability in percent, and at the end who has won."""
    found = rooms["pig"].match(None, ["roll", "6 (1/6)", "roll", "6 (1/6)"])
    assert found.course[0].text == "the first player wins with probability 70.94 %"
    assert found.course[0].favours == 0
    assert (found.over, found.winner, found.prospects) == (True, "first", "the first player wins")
    assert found.points is None


def test_points_count_in_expected_margins(rooms):
    """What is expected in the end is the points so far and what is expected from there on."""
    found = rooms["cards"].match(None, ["2 (1/4)", "take", "1 (3/4)", "take"])
    assert found.points == (5, 1)
    lower, upper = found.position.value.bounds
    assert found.course[-1].margin == pytest.approx(5 - 1 + (lower + upper) / 2)
    assert found.prospects.startswith("the first player wins by ")
    assert found.prospects.endswith(" on average")


def test_the_replies_in_a_tree_have_the_points_of_the_move(rooms):
    """A move that makes points, and a result of chance, after which the player moves again."""
    tree = rooms["cards"].tree("4,5")
    points = {move.name: (move.points, move.again) for move in tree.moves}
    assert points == {"take": (5, False), "pass": (1, False)}
    assert [move.again for move in rooms["cards"].tree("4,0").moves] == [True, True]


def test_a_line_follows_the_likeliest_results(rooms):
    """The first of them, and the keys lead along the same line."""
    line = rooms["snails"].line("0,0,0")
    assert line.moves[0] == "1 (2/4)"
    assert rooms["snails"].match(None, line.keys).position.position == line.positions[-1]


def test_statistics_are_by_parts_of_the_range(rooms):
    """Of percentages, with the distance of neighbouring parts."""
    found = rooms["pig"].statistics()
    assert sum(row.positions for row in found.by_value) == found.positions
    places = [row.at for row in found.by_value]
    assert all((a - b) / found.step >= 1 for a, b in pairwise(places))


def test_puzzles_are_about_choices(rooms):
    """A position where chance decides is none, nor one where all moves are about as good."""
    assert rooms["pig"].puzzle(1) is None  # it never has three moves
    places = {rooms["snails"].random(seed).position for seed in range(40)}
    assert any(code.endswith(",0") for code in places)
    for code in places:
        assert not rooms["snails"].position(code).over


def test_the_player_to_move_is_not_guessed_from_a_position(rooms):
    """Where positions do not say whose turn it is, chance leaves it open."""
    assert rooms["snails"].position("0,1,0").mover is None
    assert rooms["snails"].match("0,1,0", []).mover_known is False


def test_a_roll_is_asked_for_by_its_address(rooms):
    """With a seed, and null where a player is to move."""
    client = TestClient(web.app(rooms["pig"].solution), base_url="http://localhost")
    found = client.get("/api/position/0,0,0,0,1/roll", params={"seed": 3}).json()
    assert found["odds"] == {"weight": 1, "total": 6}
    assert client.get("/api/position/0,0,0,0,0/roll").json() is None


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        ((0.0, 0.0), "50"),
        ((1.0, 1.0), "100"),
        ((0.1234, 0.1234), "56.17"),
        ((0.999999, 0.9999991), "99.99995"),
        ((0.1, 0.3), "60"),
        ((1 / 16 - 1, 1 / 16 - 1), "3.13"),
    ],
)
def test_percentages_have_the_decimals_that_are_known(bounds, text):
    """At most two, halves rounded up, and more only where 0 or 100 would be read."""
    assert percentage(*bounds) == text


def test_margins_have_the_decimals_that_are_known():
    """At most two."""
    assert margin_text(1.5, 1.5) == "1.5"
    assert margin_text(1.2345, 1.2345) == "1.23"
    assert margin_text(1.0, 1.4) == "1"
