"""Sums of games: facts, what is asked of them, forged values, and easy mistakes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

import zermelo
from facts import rows
from support.oracles import oracle
from support.oracles.sums import At, Both, Mirrored, Shared, Token
from zermelo import (
    DRAW,
    LOSS,
    WIN,
    BudgetError,
    Game,
    MoveError,
    OutcomeClass,
    ParameterError,
    PositionError,
    RulesError,
)
from zermelo.games import CatAndMouse, Domineering, StoneGame, TakeAway, TicTacToe
from zermelo.games.blocking.domineering import Covered
from zermelo.play.match import Match, Opponent
from zermelo.web.session import ExplorerSession

#: Cells of the largest board that is solved by default.
SMALL = 12


class Twice(Token):
    """A player moves on from node 1."""

    def play(self, at, node):
        return At(node, at.turn if node == 1 else 1 - at.turn)


@dataclass(frozen=True)
class Parity(Game):
    """Whose turn it is follows from a count."""

    stones: int

    def start(self):
        return self.stones

    def turn(self, stones):
        return stones % 2

    def moves(self, stones):
        if stones:
            yield 1

    def play(self, stones, taken):
        return stones - taken


class Patient(Token):
    """The second player wins if it never ends."""

    endless = 1


@dataclass(frozen=True)
class Misere(TakeAway):
    no_moves = WIN


@dataclass(frozen=True)
class SharedFromAnywhere(Shared):
    """The token may start on any node."""

    def starts(self):
        return range(len(self.graph))


@dataclass(frozen=True)
class TokenFromAnywhere(Token):
    """The token may start on any node, with the first player to move."""

    def starts(self):
        return [At(node, 0) for node in range(len(self.left))]


class FromAnywhere(Both):
    """The oracle's sum of games that may start anywhere, with either player to begin."""

    def starts(self):
        found = [tuple(each) for each in product(*(game.starts() for game in self.games))]
        return [*found, *map(self.passed, found)]


@pytest.mark.parametrize(
    "row",
    [
        row
        if int(row["rows"]) * int(row["cols"]) <= SMALL
        else pytest.param(
            row,
            # The search for proofs finds who wins on the longest strips, too.
            marks=pytest.mark.huge if {"11", "13"} & {*row.values()} else pytest.mark.slow,
        )
        for row in rows("domineering_outcomes")
    ],
    ids=lambda row: f"{row['rows']}x{row['cols']}",
)
def test_boards_of_domineering_have_the_classes_that_are_published(row: dict[str, str]) -> None:
    """And turned by a right angle, those with the players exchanged."""
    height, width = int(row["rows"]), int(row["cols"])
    solution = zermelo.sum(Domineering(height, width))
    assert str(solution.outcome_class()) == row["class"]
    if height * width <= SMALL:
        other = zermelo.sum(Domineering(width, height)).outcome_class()
        assert str(other) == {"L": "R", "R": "L"}.get(row["class"], row["class"])


def test_a_board_and_itself_turned_are_worth_nothing() -> None:
    """G - G is 0, so that the player who begins loses, and it changes no class (Conway)."""
    nothing = (Domineering(2, 3), Domineering(3, 2))
    assert zermelo.sum(*nothing).outcome_class() is OutcomeClass.P
    for height, width in ((2, 2), (1, 3), (3, 1), (2, 4)):
        alone = zermelo.sum(Domineering(height, width))
        more = zermelo.sum(Domineering(height, width), *nothing)
        assert more.outcome_class() is alone.outcome_class()
        assert more.winner == alone.winner


def test_a_sum_of_heaps_is_asked_like_any_game() -> None:
    """Its positions are tuples; nothing of the product is listed."""
    solution = zermelo.sum(TakeAway(5), TakeAway(6, limit=2), TakeAway(5))
    assert solution.start == (5, 6, 5)
    assert solution.value.nimber == 0
    assert solution.winner == "second"
    assert solution[5, 4, 3].nimber == 1 ^ 1 ^ 3
    assert solution.best((5, 4, 3)) == [(2, 3), (0, 3), (1, 2)]
    assert solution.winning_moves((5, 6, 5)) == []
    assert solution.options((0, 0, 0)) == []
    assert (0, 7, 0) not in solution
    assert solution.parse("5+4+3") == solution.parse("[5, 4, 3]") == (5, 4, 3)
    assert solution.parse('{"a": 5, "b": 4, "c": 3}') == (5, 4, 3)
    some = solution.parse("5+4+3")
    assert solution.parse(repr(some)) == solution.parse(solution.rules.position_text(some)) == some
    assert str(solution.show((5, 4, 3))).splitlines()[:4] == [
        *("a: 5 stones", "b: 4 stones", "c: 3 stones"),
        "nimber 3",
    ]
    assert solution.show().svg.count("<svg") == 4
    assert "Of the parts, a is nimber 1, b is nimber 1, c is nimber 3" in str(
        solution.explain((5, 4, 3))
    )
    assert solution.outcome_class((5, 4, 3)) is OutcomeClass.N
    counts = solution.class_counts()
    assert counts[OutcomeClass.P] + counts[OutcomeClass.N] == len(solution) == 6 * 7 * 6
    assert solution.verify().positions == 6 + 7
    assert "<table>" in solution._repr_html_()
    assert repr(solution).endswith("nimber 0; 252 positions: 186 win, 0 draw, 66 loss>")


def test_a_sum_larger_than_any_number_of_64_bits() -> None:
    """Is as quick as a small one."""
    solution = zermelo.sum(*[TakeAway(40)] * 30)
    assert solution.counts().positions == 41**30
    assert solution.value.nimber == 0
    assert solution[(40,) * 29 + (3,)].nimber == 3
    assert solution.best((40,) * 29 + (3,)) == [(29, 3), *((part, 1) for part in range(29))]
    assert solution.probe_many([(1,) * 30, (2,) + (0,) * 29]).nimber.tolist() == [0, 2]
    assert solution.get_many([(1,) * 29 + (99,)]).found.tolist() == [False]
    assert len(next(iter(solution))) == 30
    assert solution.start._fields[26:] == ("aa_", "ab_", "ac_", "ad_")
    assert f"{41**30:,} positions" in repr(solution)


def test_sums_of_sums_and_of_solutions() -> None:
    """A sum counts as its parts; a solution for nimbers is used as it is, any other solved."""
    heap = zermelo.solve(TakeAway(5), value="nimber")
    inner = zermelo.sum(heap, TakeAway(6))
    solution = zermelo.sum(inner, zermelo.solve(TakeAway(3)))
    assert solution.start == (5, 6, 3)
    assert solution.value.nimber == 1 ^ 2 ^ 3
    assert solution._solved.parts[0] is heap  # type: ignore[attr-defined]
    mixed = zermelo.sum(zermelo.sum(Domineering(2, 2)), solution)
    assert len(mixed.start) == 4
    assert mixed.outcome_class() is OutcomeClass.N
    assert zermelo.sum(inner, misere=True).value.outcome is WIN


def test_a_part_that_is_over_and_a_part_with_cycles() -> None:
    """The one changes nothing; with the other a sum may be endless."""
    line, cycle = Shared(((1,), ())), Shared(((1,), (0, 2), (1,)))
    assert zermelo.sum(line, Shared(((),))).winner == "first"
    assert zermelo.sum(cycle).value.outcome is DRAW
    solution = zermelo.sum(line, cycle)
    assert (solution.value.outcome, solution.value.infinity) == (DRAW, ())
    with pytest.raises(ParameterError, match="has no outcome class, as it is a draw if first"):
        solution.outcome_class()


@dataclass(frozen=True)
class Kayles(Game):
    """Rows of pins, a move knocking down one or two neighbours; rows apart are components."""

    pins: int

    def start(self):
        return (1 << self.pins) - 1

    def moves(self, row):
        for at in range(self.pins):
            if row >> at & 1:
                yield 1 << at
            if row >> at & 3 == 3:
                yield 3 << at

    def play(self, row, pins):
        return row & ~pins

    def split(self, row):
        rest = row
        while rest:
            low = rest & -rest
            run = ((rest + low) ^ rest) & rest
            yield run
            rest &= ~run


@pytest.mark.slow
def test_a_part_that_is_split_is_asked_about_any_of_its_positions() -> None:
    """Of Kayles only rows without gaps are solved: 0, 1, 2, 3, 1, 4, 3, 2 (Guy and Smith 1956)."""
    rows_of = [0, 1, 2, 3, 1, 4, 3, 2]
    solution = zermelo.sum(Kayles(7), TakeAway(5))
    assert solution.value.nimber == rows_of[7] ^ 1
    for row, nimber in ((0b1110110, 3 ^ 2), (0b1010101, 0), (0b1111011, 1 ^ 2), (0, 0)):
        assert solution[row, 3].nimber == nimber ^ 3
        assert solution.get((row, 6)) is None
        won = solution.winning_moves((row, 3))
        assert bool(won) == (nimber != 3)
        assert all(solution[solution.rules.play((row, 3), move)].nimber == 0 for move in won)
    assert solution.probe_many([(0b1010101, 2), (0b1110110, 1)]).nimber.tolist() == [2, 0]
    assert solution.line().ends == "terminal"
    assert solution.verify()
    assert "sums of components" in repr(solution)


@pytest.mark.slow
def test_misere_play_of_impartial_games_takes_the_product() -> None:
    """Two heaps of one are won by the player who begins; and one heap of two, but not three."""
    solution = zermelo.sum(TakeAway(1), TakeAway(1), misere=True)
    assert solution.value.outcome is WIN
    assert solution.verify()
    nim = [TakeAway(n, limit=9) for n in (1, 2, 3)]
    assert zermelo.sum(*nim, misere=True).winner == "second"
    with pytest.raises(ParameterError, match="player who cannot move does not lose, and in a sum"):
        zermelo.sum(zermelo.solve(TakeAway(3), misere=True), TakeAway(1))


def test_matches_and_pages_of_sums() -> None:
    """A move is found by its name, and an opponent wins what is won."""
    for parts, moves in (
        ((TakeAway(5), TakeAway(6)), ("b: take 1", "a: take 1", "b: take 1")),
        ((Domineering(2, 2), Domineering(2, 3)), ("b: a2a1", "a: a2b2")),
    ):
        solution = zermelo.sum(*parts)
        match = Match(solution)
        for move in moves:
            match.play(move)
        while not match.is_over:
            match.play(Opponent().choose(match))
        again = Match.from_json(solution, match.to_json())
        assert again.position == match.position
        room = ExplorerSession("sum")
        room.show(solution)
        assert room.game().parameters["parts"][0]["game"] == type(parts[0]).__name__
        document = room.match(None, list(moves))
        assert [ply.name for ply in document.plies] == list(moves)
        assert room.statistics().positions == solution.counts().positions
        code = document.position.position
        played = Match(solution)
        for move in moves:
            played.play(move)
        shown = solution.rules.position_text(solution._solved.rules_position(played.position))
        assert room.position(code).text == shown
        assert room.explain(code).sentences
        assert room.line(code).ends == "terminal"


def test_a_part_of_its_own_is_played_in() -> None:
    """A move names its part; what is none is refused."""
    rules = zermelo.sum(TakeAway(5), TakeAway(6)).rules
    assert rules.play((5, 6), (1, 2)) == (5, 4)
    for move in ((2, 1), (-1, 1), 3, "a", (1, 2, 3), None):
        with pytest.raises(MoveError, match="not a move of a sum; give a part, 0 to 1, and a move"):
            rules.play((5, 6), move)
    match = Match(zermelo.sum(TakeAway(0), TakeAway(6)))
    with pytest.raises(MoveError, match=re.escape("(0, 1) is not a move here; play b: take 1")):
        match.play((0, 1))


def test_forged_values_are_found() -> None:
    """In the product, and in a part."""
    solution = zermelo.sum(Domineering(2, 2), Domineering(2, 3))
    stored = solution._solved.values.stored  # type: ignore[attr-defined]
    for place in range(0, len(stored), 7):
        right = stored[place]
        stored[place] = -right
        found = solution.verify()
        assert not found
        assert found.position is not None
        stored[place] = right
    assert solution.verify()
    nimbers = zermelo.sum(TakeAway(5), TakeAway(6))
    nimbers._solved.parts[1]._solved.table.column.stored[2] = 3  # type: ignore[attr-defined]
    found = nimbers.verify()
    assert not found
    assert str(found.problem).startswith("part b: ")
    assert found.position is not None


def test_games_solved_from_one_start_have_classes_where_both_positions_are() -> None:
    """Of a cat and a mouse, say; what is not there is told."""
    chase = zermelo.pursuit([[1], [0, 2], [1, 3], [2]], start=(0, (3,)))
    assert chase.outcome_class() in OutcomeClass
    board = zermelo.solve(Domineering(2, 3))
    with pytest.raises(PositionError, match=r"cannot be reached here; ask zermelo.sum\(game\)"):
        board.outcome_class()
    with pytest.raises(ParameterError, match="no outcome class is known: TakeAway does not say"):
        zermelo.solve(TakeAway(5)).outcome_class()
    assert zermelo.solve(TakeAway(5), value="nimber").outcome_class() is OutcomeClass.N
    assert OutcomeClass.P.text == "the player who begins loses"


@pytest.mark.parametrize(
    ("parts", "error", "says"),
    [
        ((), ParameterError, "a sum of no games was asked for; give at least one"),
        ((TakeAway(5), 7), ParameterError, "7 is not a game; give zermelo.sum() games"),
        ((TakeAway,), ParameterError, "the class TakeAway is not a game; give zermelo.sum() games"),
        ((TakeAway(5), StoneGame((3, 1))), ParameterError, "is a score game, and margins of a sum"),
        ((TakeAway(5), Misere(4)), ParameterError, "a player who cannot move does not lose"),
        ((Patient(((1,), ()), ((1,), ())),), ParameterError, "never ends is a win for player 1"),
        ((TakeAway(5), TicTacToe()), RulesError, "TicTacToe has no nimber at Board("),
        (
            (TakeAway(5), CatAndMouse(graph=[[2], [2], [0, 1]])),
            RulesError,
            "a sum is decided by who cannot move in any of its parts; add games that end only",
        ),
        ((Parity(3),), RulesError, "with the other player to move; write pass_turn()"),
        ((Twice(((1,), ()), ((1,), ())),), RulesError, "it is the same player's turn; in a sum"),
    ],
    ids=str,
)
def test_what_cannot_be_added_is_refused(parts: Any, error: type[Exception], says: str) -> None:
    """In a sentence that says what to do."""
    with pytest.raises(error, match=re.escape(says)):
        zermelo.sum(*parts)


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ((5,), "(5,) is not a position of TakeAway(stones=5, limit=3) + TakeAway(stones=6, lim"),
        (5, "give a tuple of 2 positions, one for each part"),
        ((5, 7), "part b: 7 cannot be reached from the start of TakeAway"),
        ((5, "x"), "part b: 'x' is not a position of TakeAway; give one such as 6, or read"),
    ],
    ids=str,
)
def test_positions_that_are_none_are_told(position: Any, says: str) -> None:
    """Which part, and what was expected."""
    solution = zermelo.sum(TakeAway(5), TakeAway(6))
    with pytest.raises(PositionError, match=re.escape(says)):
        solution[position]
    assert solution.get(position) is None


def test_positions_of_products_that_are_none_are_told() -> None:
    """Different players to move, and boards that cannot arise."""
    solution = zermelo.sum(Domineering(2, 2), Domineering(2, 3))
    for position, says in (
        ((Covered(0, 0), Covered(0, 1)), "it is the turn of player 0 in part a and of player 1 in"),
        (
            (Covered(1, 0), Covered(0, 0)),
            "part a: Covered(cells=1, player=0) cannot be reached in Domineering",
        ),
        (
            (Covered(0, 0), 5),
            "not positions of Domineering(rows=2, columns=3, first='vertical', setup=''): expected",
        ),
    ):
        with pytest.raises(PositionError, match=re.escape(says)):
            solution[position]
    everything = list(solution)
    assert solution.probe_many(everything).outcome.tolist() == [
        solution[p].outcome for p in everything
    ]
    assert len(solution.arrays.positions) == len(solution)
    assert solution.analyse(samples=10).winner == solution.winner


# No move leads from node 0 to the others.
_APART = ((), (2,), (3, 3), (), (1, 3))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(
    "parts",
    [
        (SharedFromAnywhere(_APART),),
        (SharedFromAnywhere(_APART), SharedFromAnywhere(_APART[:4])),
        (TokenFromAnywhere(_APART, ((), (3,), (), (1,), ())), SharedFromAnywhere(_APART)),
    ],
    ids=["one", "impartial", "partizan"],
)
def test_sums_have_positions_of_all_starts(parts: Any, *, misere: bool) -> None:
    """A sum of several games has values wherever each may start, with or without misère play."""
    whole = FromAnywhere(list(parts), WIN if misere else LOSS)
    solution = zermelo.sum(*parts, misere=misere)
    for position, (outcome, remoteness) in oracle.solve(whole).items():
        found = solution[position]
        assert found.outcome == outcome
        assert found.nimber is not None or found.remoteness == remoteness
    assert solution.verify()


def test_a_later_start_shows_that_a_game_is_not_impartial() -> None:
    """Passing the turn leaves start() as it is, and not the second of starts()."""

    @dataclass(frozen=True)
    class Later(SharedFromAnywhere):
        def pass_turn(self, node):
            return {3: 4, 4: 3}.get(node, node)

    solution = zermelo.sum(Later(((), (), (), (), (0,))))
    assert [solution[node,].outcome for node in (3, 4)] == [LOSS, WIN]
    assert solution.outcome_class((3,)) == OutcomeClass.R


def test_sums_are_not_saved_and_not_made_where_they_do_not_fit(tmp_path: Any) -> None:
    """The sentence says what there is instead, and how large the sum would be."""
    solution = zermelo.sum(TakeAway(5), TakeAway(6))
    with pytest.raises(ParameterError, match="which is not saved; save the solutions of its parts"):
        solution.save(tmp_path / "x.table")
    with pytest.raises(ParameterError, match="which is not exported; export the solutions"):
        solution.export(tmp_path / "x.csv")
    with pytest.raises(ParameterError, match="lists no positions; analyse its parts"):
        solution.analyse()
    with pytest.raises(ParameterError, match="no arrays are made; ask its parts"):
        _ = solution.arrays
    boards = [Domineering(3, 3)] * 4
    says = r"a sum of 98 by 98 by 98 by 98 positions, with 184,473,632 positions and .* needs .* GB"
    with pytest.raises(BudgetError, match=says):
        zermelo.sum(*boards, memory="1GB")


def test_a_position_told_as_the_mover_sees_it() -> None:
    """The same as where it says whose turn it is."""
    left, right = ((1, 2), (2,), ()), ((2,), (2,), ())
    both = [zermelo.sum(kind(left, right), kind(right, left)) for kind in (Token, Mirrored)]
    assert both[0].value == both[1].value
    assert both[0].outcome_class() is both[1].outcome_class()


def test_a_sum_says_that_its_parts_are_taken_for_impartial() -> None:
    """Rules without a turn cannot show that both players have the same moves."""
    heap = zermelo.solve(TakeAway(stones=5), value="nimber")
    added = zermelo.sum(heap, TakeAway(stones=7, limit=2))
    for solution in (heap, added):
        assert "assumed to be impartial, as the rules have neither turn" in solution.choice
