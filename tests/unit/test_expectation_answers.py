"""What a solution of a game with chance answers at positions of players and of chance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import zermelo
from support.games.chance_games import (
    HARD_CASES,
    first,
    hard_case,
    lottery,
    random_chance_games,
    roll,
)
from support.games.snails import Leaves, Pig, Plant, Snails, Track, Turn
from zermelo import LOSS, WIN, Face, Fact, MoveError, ParameterError

#: Positions of random games that are asked.
_ASKED = 40


@pytest.fixture(scope="module")
def snails():
    """The solution of a race without ``turn``."""
    return zermelo.solve(Snails())


@pytest.fixture(scope="module")
def pig():
    """The solution of a race with ``turn``, in which chance may pass it."""
    return zermelo.solve(Pig())


@pytest.fixture(scope="module")
def leaves():
    """The solution of a score game."""
    return zermelo.solve(Leaves())


def test_options_of_random_games_make_the_values_of_positions():
    """The best of the moves, or the mean of the results, is the value, whoever is to move."""
    for game in random_chance_games(7_000, 60):
        solution = zermelo.solve(game)
        for position in list(solution)[:_ASKED]:
            options, value = solution.options(position), solution[position]
            if not options:
                continue
            if options.by_chance:
                expectation = sum(o.value.expectation * Fraction(*o.odds) for o in options)
            else:
                expectation = options[0].value.expectation
            greatest = max(map(abs, value.bounds)) + 1
            assert expectation == pytest.approx(value.expectation, abs=1e-8 * greatest)


def test_results_of_chance_are_in_the_order_of_the_rules(snails):
    """Each is a face with its odds and the value it leads to, and none is a best move."""
    options = snails.options()
    assert [option.move for option in options] == [Face(n, n + 1, 6) for n in range(3)]
    assert [option.odds for option in options] == [(1, 6), (2, 6), (3, 6)]
    assert [option.name for option in options] == ["1 (1/6)", "2 (2/6)", "3 (3/6)"]
    assert options.by_chance
    assert options.best_options == []
    assert snails.best() == snails.winning_moves() == []
    assert not options.undecided


def test_a_result_of_chance_keeps_the_turn_without_the_hook_turn(snails):
    """A sure win after a roll is one for the player who rolls."""
    near = Track(mine=3, theirs=2, die=0)
    assert {option.value.probability for option in snails.options(near)} == {(1.0, 1.0)}
    assert snails.best(near._replace(die=1)) == [0]


def test_best_moves_may_be_several_that_bounds_do_not_tell_apart():
    """One of them is a slow way, whose bounds are wider, to what the other leads to at once."""
    slow_way = roll((999, 1), (1, 3))
    game = hard_case(first(1, 2), slow_way, lottery(1, 3), lottery(1, 3)).game
    solution = zermelo.solve(game)
    assert sorted(solution.best(0)) == [0, 1]
    assert solution.options(0).undecided
    better = zermelo.solve(HARD_CASES["slow way worth more than a quick one"].game)
    assert better.best(0) == [0]
    assert not better.options(0).undecided


def test_moves_of_equal_value_are_not_undecided():
    """What is known exactly cannot be told apart by more precision."""
    options = zermelo.solve(Pig(goal=2)).options(Turn(0, 0, 0, 0, 0))
    assert [option.move for option in options] == ["roll"]
    assert not options.undecided


#: Games in which a player may go round for ever and win, which a chain does not show.
_WON_BY_GOING_ROUND = {
    "cycle that leads to a chance vertex of a cycle that is a win",
    "first player wins by going round through chance",
}


@pytest.mark.parametrize("name", sorted(HARD_CASES.keys() - _WON_BY_GOING_ROUND))
def test_the_first_options_are_best_play(name):
    """If both players follow them, the game is worth what it should be, and does not go round.

    What is left is a chain of chance alone, whose values come from powers of its matrix.
    """
    case = HARD_CASES[name]
    solution = zermelo.solve(case.game)
    rules, places = solution.rules, {position: i for i, position in enumerate(solution)}
    matrix, values = np.zeros((len(places),) * 2), np.zeros(len(places))
    for position, i in places.items():
        options = solution.options(position)
        if not options:
            values[i] = solution[position].expectation
        for option in options if options.by_chance else options[:1]:
            share = option.odds[0] / option.odds[1] if option.odds else 1
            keeps_turn = rules.keeps_turn(position, option.move, option.position)
            matrix[i, places[option.position]] += share if keeps_turn else -share
            values[i] += share * rules.gain(position, option.move)
    for _ in range(30):
        values, matrix = values + matrix @ values, matrix @ matrix
    for position, value in case.values.items():
        if position in places:
            assert values[places[position]] == pytest.approx(float(value), abs=1e-6)


def test_the_winner_is_a_player_who_wins_for_sure(snails):
    """A player who is only ahead is not one."""
    assert snails.value.outcome is WIN
    assert snails.winner is None
    assert snails.winner_at(Track(3, 2, 1)) == "first"
    assert snails.winner_at(Track(2, 4, 0)) == "second"
    assert snails[Track(0, 3, 0)].outcome is LOSS
    assert snails.winner_at(Track(0, 3, 0)) is None


def test_winning_moves_win_for_sure(snails):
    """A move after which the player is only ahead is not one."""
    assert snails.winning_moves(Track(3, 2, 1)) == [0]
    assert snails.options(Track(2, 0, 1))[0].value.outcome is WIN
    assert snails.winning_moves(Track(2, 0, 1)) == []


def test_a_line_follows_the_likeliest_result(snails):
    """It is cut where that leads back to a position, as another result may come."""
    line = snails.line()
    assert line.names[0] == "3 (3/6)"
    assert line.names[2] == "3 (3/6)"
    ends = zermelo.solve(HARD_CASES["cycle of chance alone"].game).line(0).ends
    assert ends == "cut"


def test_a_line_with_a_seed_rolls(pig):
    """The same seed gives the same line to the end of the game, and others give others."""
    lines = [pig.line(seed=seed) for seed in (1, 1, 2, 3)]
    assert lines[0].moves == lines[1].moves
    assert len({tuple(line.moves) for line in lines}) > 1
    assert {line.ends for line in lines} == {"terminal"}


def test_a_rolled_line_without_an_end_is_cut():
    """It has at most 10,000 moves, or as many as are asked for."""
    solution = zermelo.solve(HARD_CASES["cycle of chance alone"].game)
    assert len(solution.line(0, seed=0)) == 10_000
    assert len(solution.line(0, seed=0, longest=7)) == 7


def test_an_explanation_says_what_chance_and_moves_are_worth(snails, leaves):
    """Probabilities in a game that is won, margins in a score game, and the final margin."""
    assert str(snails.explain()).startswith("Chance decides. The player whose turn it is wins with")
    text = str(snails.explain(Track(2, 2, 1)))
    assert text.startswith("The player to move wins with probability")
    assert " % of a win." in text
    assert "expects a margin of" in str(leaves.explain())
    final = leaves.explain(Plant(0, 0))
    assert str(final) == "The game is over; the final margin for the player to move is +0."


def test_a_tree_shows_every_result_of_chance(snails):
    """Also if it is the strategy of one player, with one move of that player each time."""
    tree = snails.tree(depth=2, player="first")
    assert str(tree).startswith("chance decides for first: probability 0.")
    assert [len(node.children) for node in tree] == [3, 1, 0, 1, 0, 1, 0]
    assert [node.player for node in tree][:3] == ["first", "first", "second"]


def test_a_tree_ends_with_who_has_won(pig, leaves):
    """A score game ends with the margin."""
    assert "has won" in str(pig.tree(Turn(0, 7, 0, 0, 0), depth=2))
    assert "score 0" in str(leaves.tree(Plant(1, 1), depth=1))


def test_a_view_and_its_pages_show_chance(snails):
    """A notebook shows the value and the results, and counts who is ahead."""
    view = snails.show()
    assert "2 (2/6)" in str(view)
    assert repr(view).endswith("3 results of chance>")
    assert "chance decides" in view._repr_html_()
    assert "ahead" in snails._repr_html_()
    assert "ahead" in repr(snails)
    assert "nobody" not in snails._repr_html_()


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (zermelo.prove, "which has chance\\(\\); use zermelo.solve"),
        (lambda game: zermelo.sum(game, game), "expectations of a sum do not follow"),
        (lambda game: zermelo.solve(game, misere=True), "set no_moves = WIN"),
        (lambda game: zermelo.solve(game, value="nimber"), "has chance"),
        (zermelo.genus, "has chance"),
        (lambda game: zermelo.solve(game).outcome_class(), "look up the probabilities"),
        (lambda game: zermelo.solve(game).class_counts(), "look up the probabilities"),
    ],
    ids=["prove", "sum", "misere", "nimber", "genus", "outcome class", "class counts"],
)
def test_questions_without_an_answer_are_refused(ask, reason):
    """A sentence names what the game has."""
    with pytest.raises(ParameterError, match=reason):
        ask(Snails())


def test_a_value_has_no_remoteness(snails):
    """How long a game takes depends on the dice."""
    assert snails.value.remoteness is None


@pytest.mark.parametrize("claim", [{"remoteness": 5}, {"outcome": "win"}, {"score": 3}])
def test_a_fact_that_chance_leaves_no_room_for_does_not_agree(claim, snails):
    """A game with chance has no remoteness, no sure winner and no sure score."""
    differences = Fact(source="a test", **claim).differences(snails.value, snails.counts())
    assert len(differences) == 1
    assert differences[0].startswith(f"no {next(iter(claim))} in such a game with chance")


def test_check_does_not_ask_for_names_of_results():
    """The hook ``name`` is for moves only."""
    assert zermelo.check(Snails()).ok


# -- matches ---------------------------------------------------------------------------------------


def test_a_match_counts_turns_without_rolls(snails):
    """A roll keeps the turn, and a move passes it."""
    match = zermelo.Match(snails)
    assert (match.is_chance, match.player) == (True, 0)
    rolled = match.roll(seed=1)
    assert (match.is_chance, match.player) == (False, 0)
    assert (rolled.player, rolled.lost, rolled.best_names) == (0, None, ())
    match.play("crawl")
    assert (match.is_chance, match.player) == (True, 1)


def test_rolls_are_the_same_for_a_seed(pig):
    """So a match can be played again."""
    names = []
    for seed in (5, 5):
        match = zermelo.Match(pig)
        opponent = zermelo.Opponent(seed=seed)
        while not match.is_over:
            played = (
                match.roll(seed=seed) if match.is_chance else match.play(opponent.choose(match))
            )
            names.append(played.option.name)
        assert match.winner in match.players
        assert match.prospects.endswith("player wins")
        assert match.mistakes() == []
    assert names[: len(names) // 2] == names[len(names) // 2 :]


def test_rolls_have_the_frequencies_of_their_weights(snails):
    """A third of 600 rolls, give or take a tenth."""
    match = zermelo.Match(snails)
    counts = {}
    for seed in range(600):
        name = match.roll(seed=seed).option.name
        counts[name] = counts.get(name, 0) + 1
        match.undo()
    assert counts["2 (2/6)"] == pytest.approx(200, abs=60)
    assert counts["1 (1/6)"] == pytest.approx(100, abs=40)


def test_a_result_can_be_typed(snails):
    """By its number, its name or as a face."""
    for typed in ("2", "2 (2/6)", Face(1, 2, 6)):
        match = zermelo.Match(snails)
        assert match.play(typed).option.position == Track(0, 0, 2)


def test_an_opponent_does_not_choose_where_chance_decides(snails):
    """Nor is there anything to roll where a player decides, or nobody."""
    match = zermelo.Match(snails)
    with pytest.raises(MoveError, match=r"call match\.roll"):
        zermelo.Opponent().choose(match)
    with pytest.raises(MoveError, match="'crawl' is not a result of chance here; give 1"):
        match.play("crawl")
    match.roll(seed=0)
    with pytest.raises(MoveError, match="a player is to move"):
        match.roll()
    with pytest.raises(MoveError, match="the game is over"):
        zermelo.Match(snails, Track(2, 4, 0)).roll()


def test_a_mistake_has_what_it_gave_away(snails):
    """In percent of a win."""
    match = zermelo.Match(snails, Track(3, 3, 1))
    played = match.play("push")
    assert played.lost == "points"
    assert played.mistake.startswith("gave away ")
    assert played.mistake.endswith(" % of a win")
    assert played.best_names == ("crawl",)


def test_prospects_name_the_player_who_is_ahead(snails, leaves):
    """A score game has the expected margin with the points so far, and in the end the margin."""
    assert zermelo.Match(snails, Track(0, 2, 0)).prospects.startswith(
        "the second player wins with probability 0."
    )
    match = zermelo.Match(leaves, Plant(3, 1))
    assert match.prospects == "the second player has an expected margin of +1"
    for move in ("1", "2", "1", "1", "1"):
        match.play(move)
    assert match.is_over
    assert match.margin == -1
    assert match.prospects == "the second player wins by 1"
    assert match.winner == "second"


def test_a_record_has_the_rolls(snails, tmp_path):
    """A match is read with the same positions."""
    match = zermelo.Match(snails)
    match.roll(seed=3)
    match.play("crawl")
    match.roll(seed=3)
    again = zermelo.Match.from_json(snails, match.to_json())
    assert again.position == match.position
    assert [played.player for played in again.played] == [0, 0, 1]
