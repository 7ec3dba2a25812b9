"""Broken rules whose fault shows only between positions."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import pytest

from support.games.small_games import Heap, Ring, Spot, fault, hint, uncompiled
from zermelo import DRAW, LOSS, WIN, check


class Turned(NamedTuple):
    """A heap with a mark of whose turn it is."""

    left: int
    turn: int


class Marked(Heap):
    """A heap whose positions say whose turn it is, though players alternate."""

    def start(self):
        return Turned(7, 0)

    def moves(self, heap):
        yield from range(1, min(2, heap.left) + 1)

    def play(self, heap, taken):
        return Turned(heap.left - taken, 1 - heap.turn)


class Pair(NamedTuple):
    """Two heaps."""

    a: int
    b: int


class Heaps(Heap):
    """One is taken from either of two heaps; whoever takes the last one wins."""

    def start(self):
        return Pair(3, 4)

    def moves(self, heaps):
        if heaps.a:
            yield 0
        if heaps.b:
            yield 1

    def play(self, heaps, which):
        return Pair(heaps.a - 1, heaps.b) if which == 0 else Pair(heaps.a, heaps.b - 1)


def test_rules_that_change_between_calls():
    """Rules that remember calls give something else when asked again."""
    calls = count()

    class Counting(Heap):
        def play(self, left, taken):
            return left - taken if next(calls) < 20 else max(left - 2, 0)

    assert fault(Counting, "changes").message.endswith(
        " when asked again; let rules depend on the position and the parameters alone"
    )


def test_rules_that_differ_between_equal_games():
    """Rules that remember in which game they are give something else in an equal one."""
    first: list[Any] = []

    class Remembering(Heap):
        def moves(self, left):
            first.append(self)
            return range(1, min(2 if self is first[0] else 1, left) + 1)

    assert fault(Remembering, "changes").message == (
        "moves(2) gave [1, 2], and [1] in another game with the same parameters; let rules depend "
        "on the position and the parameters alone"
    )


def test_start_that_changes():
    """A start is the same each time."""
    calls = count()

    class Drifting(Heap):
        def start(self):
            return 7 + (next(calls) > 3)

    assert fault(Drifting, "changes").message.startswith("start() returned 7, and 8 ")


def test_over_before_it_begins():
    """An outcome that never is None ends the game at its start."""

    class Hasty(Heap):
        def outcome(self, left):
            return LOSS if left == 0 else DRAW

    assert fault(Hasty, "over").message == (
        "outcome(7) gives DRAW at the start, so the game is over before it begins, though moves() "
        "yields 2 there; return None while the game goes on"
    )


def test_turn_that_is_never_handed_over(monkeypatch):
    """A play that forgets the turn leaves one player to make all the moves."""

    class Selfish(Ring):
        def play(self, spot, steps):
            return Spot((spot.place + steps) % 6, spot.turn)

    assert hint(Selfish, "alternation", monkeypatch).message == (
        "turn() is 0 at all 6 positions, so that one player never moves: play(Spot(place=0, "
        "turn=0), 1) gives Spot(place=1, turn=0); let play() hand the turn over, or let turn() "
        "return 0 alone if you mean that"
    )


def test_a_game_for_one_player_breaks_nothing(monkeypatch):
    """Whose turn it is need not depend on the position; nothing is said of it then."""

    class Patience(Heap):
        def turn(self, left):
            return 0

        def outcome(self, left):
            return WIN if left == 0 else None

    uncompiled(monkeypatch)
    assert check(Patience).problems == ()


def test_turn_in_a_field_but_not_in_a_hook():
    """An extra turn that only a field tells of would go unnoticed."""

    class Again(Marked):
        def play(self, heap, taken):
            return Turned(heap.left - taken, heap.turn if taken == 2 else 1 - heap.turn)

    problem = fault(Again, "alternation")
    assert problem.position == Turned(7, 0)
    assert problem.message == (
        "play(Turned(left=7, turn=0), 2) leaves turn at 0, but without turn() the players "
        "alternate strictly; write turn(), which says whose turn it is, or let play() change turn"
    )


def test_dead_end_that_nobody_decided(monkeypatch):
    """A position without moves that outcome leaves open gets a hint, unless no_moves is written."""

    class Full(Heap):
        def outcome(self, left):
            return DRAW if left == 1 else None

    assert hint(Full, "dead-end", monkeypatch).message == (
        "0 has no moves and outcome() returns None for it, so it is a loss for the player to move; "
        "let outcome() decide it, or write no_moves = LOSS in the class if you mean that"
    )


def test_game_that_never_ends(monkeypatch):
    """A game without an end gets a hint."""

    class Idle(Heap):
        def play(self, left, taken):
            return left

    assert hint(Idle, "no-end", monkeypatch).message == (
        "none of the positions that 7 leads to is an end, so every game goes on for ever; give "
        "some an outcome, or no moves"
    )


def test_outcome_for_the_other_player(monkeypatch):
    """An outcome that is WIN at every end gets a hint, as most games are won by the last move."""

    class Mistaken(Heap):
        def outcome(self, left):
            return WIN if left == 0 else None

    assert hint(Mistaken, "always-win", monkeypatch).message == (
        "outcome(0) is WIN, as at every end that was found, so the last player to move loses; if "
        "the last move is meant to win, return LOSS: the outcome is that of the player to move; if "
        "you mean it to lose, write no_moves = WIN in the class"
    )

    class Meant(Mistaken):
        no_moves = WIN

    uncompiled(monkeypatch)
    assert not any(problem.kind == "always-win" for problem in check(Meant).hints)


def test_outcome_for_the_other_player_where_some_games_are_drawn(monkeypatch):
    """It is the ends with a winner that count."""

    class Mistaken(Heap):
        def outcome(self, left):
            return {0: WIN, 1: DRAW}.get(left)

    assert hint(Mistaken, "always-win", monkeypatch).message == (
        "outcome(0) is WIN, as at every end, draws aside, that was found, so the last player to "
        "move loses; if the last move is meant to win, return LOSS: the outcome is that of the "
        "player to move; if you mean it to lose, write no_moves = WIN in the class"
    )


def test_outcome_for_the_other_player_where_a_player_may_move_twice(monkeypatch):
    """Nothing is said where the same player would go on after the last move."""

    class Twice(Ring):
        winner = None

        def outcome(self, spot):
            return WIN if spot.place == 5 else None

    class Once(Twice):
        def play(self, spot, steps):
            again = spot.place + steps == 5
            return Spot((spot.place + steps) % 6, spot.turn if again else 1 - spot.turn)

    assert hint(Twice, "always-win", monkeypatch).position.place == 5
    assert check(Once).problems == ()


def test_outcome_of_a_score_game(monkeypatch):
    """An outcome that the score of a score game contradicts gets a hint."""

    class Scored(Heap):
        def outcome(self, left):
            return LOSS if left == 0 else None

        def score(self, left):
            return 3

    assert hint(Scored, "unscored", monkeypatch).message == (
        "0 is a loss by its outcome, but in a score game only the score counts, and that is 3 "
        "there; return the margin from score(), or drop gain() and score()"
    )


def test_outcome_of_a_score_game_may_tell_of_what_was_gained(monkeypatch):
    """The score at an end comes on top of that, so an outcome by all points may have any sign."""

    class Gaining(Heap):
        def outcome(self, left):
            return LOSS if left == 0 else None

        def gain(self, left, taken):
            return taken

    uncompiled(monkeypatch)
    assert check(Gaining).problems == ()


class Match(NamedTuple):
    """A heap, and what nobody needs."""

    left: int
    other: int


def test_a_field_that_never_changes(monkeypatch):
    """It takes room in every position and may be forgotten in play, unless space says it is one."""

    class Forgotten(Heap):
        def start(self):
            return Match(20, 4)

        def moves(self, match):
            return super().moves(match.left)

        def play(self, match, taken):
            return match._replace(left=match.left - taken)

    class Declared(Forgotten):
        def space(self):
            return Match(range(21), range(4, 5))

    assert hint(Forgotten, "constant", monkeypatch).message == (
        "the field other is 4 at all 21 positions that were checked; let play() change it, or "
        "keep it out of positions: a parameter, say"
    )
    assert check(Declared).problems == ()


def test_a_counter_that_keeps_equal_positions_apart(monkeypatch):
    """A count of moves makes a small game with cycles an endless one, unless it has a range."""

    class Circling(Heap):
        last = 10**6

        def start(self):
            return Match(7, 0)

        def outcome(self, match):
            return LOSS if match.left == 0 or match.other == self.last else None

        def moves(self, match):
            return 1, 2

        def play(self, match, taken):
            return Match((match.left - taken) % 9, match.other + 1)

    class Declared(Circling):
        last = 50

        def space(self):
            return Match(range(9), range(51))

    message = hint(Circling, "growing", monkeypatch).message
    assert message.startswith("every move raises other, so that no position comes again: ")
    assert message.endswith(
        "were checked, and without it there are 9; leave it out, or give its range in space() if "
        "it has an end"
    )
    assert check(Declared).problems == ()


def test_a_heap_that_grows(monkeypatch):
    """A play that adds where it should take leads on for ever."""

    class Growing(Heap):
        def play(self, left, taken):
            return left + taken

    message = hint(Growing, "growing", monkeypatch).message
    assert message.startswith("every move raises the position, from 7 to ")
    assert message.endswith(
        "positions that were checked, and none of them is an end; check that games end, or "
        "give its range in space()"
    )


def test_score_game_in_a_cycle():
    """Points that can be made again and again are refused, with the move that makes them."""

    class Circling(Heap):
        def play(self, left, taken):
            return 1 + (left + taken) % 7

        def gain(self, left, taken):
            return taken

    problem = fault(Circling, "cycle")
    assert problem.message == (
        "move 1 from 7 makes 1 point and can be part of a cycle, so that points could be made for "
        "ever; put the points into the position, and give them with score() where the game ends; "
        "or, if every cycle takes as many points as it makes, write endless(position), which says "
        "what endless play is still worth there"
    )


def test_level_that_a_move_lowers():
    """A level that falls is shown with the move."""

    class Falling(Heap):
        def level(self, left):
            return left

    assert fault(Falling, "level").message == (
        "play(7, 1) gives 6, which lowers level() from 7 to 6; return a number that no move "
        "lowers, or drop level()"
    )


def test_level_that_is_no_number():
    """A level is a whole number."""

    class Vague(Heap):
        def level(self, left):
            return "high"

    assert fault(Vague, "level").message == "level(7) returned 'high'; return a whole number"


def test_canonical_that_moves_on():
    """Canonical leaves its own results alone."""

    class Restless(Heaps):
        def canonical(self, heaps):
            return Pair(heaps.b, heaps.a)

    assert fault(Restless, "canonical").message == (
        "canonical(Pair(a=3, b=4)) is Pair(a=4, b=3), and canonical() makes that Pair(a=3, b=4); "
        "let it leave its own results as they are"
    )


def test_canonical_that_changes_the_value():
    """Canonical keeps the value, also that of positions that the start does not lead to."""

    class Lossy(Heaps):
        def canonical(self, heaps):
            return Pair(heaps.a + heaps.b, 1) if heaps.b > 1 else heaps

    problem = fault(Lossy, "canonical")
    assert problem.position == Pair(3, 4)
    assert problem.message == (
        "canonical(Pair(a=3, b=4)) is Pair(a=7, b=1), but the value of the first is win in 7 and "
        "that of the second loss in 8; let it change only what does not matter"
    )


@pytest.mark.slow
def test_canonical_of_a_game_too_large_to_solve():
    """What canonical does to a value shows near the ends of a large game too."""

    class Wide(NamedTuple):
        left: int
        noise: int

    class Lossy(Heap):
        def start(self):
            return Wide(14, 0)

        def moves(self, wide):
            yield from range(12 if wide.left else 0)

        def play(self, wide, move):
            return Wide(wide.left - 1, wide.noise * 12 + move)

        def canonical(self, wide):
            return Wide(wide.left - wide.left % 2, 0)

    message = fault(Lossy, "canonical", seconds=30).message
    assert "but the value of the first is win in " in message


def test_canonical_of_a_score_game():
    """Scores count for the value as well."""

    class Lossy(Heaps):
        def gain(self, heaps, which):
            return 1 + which

        def canonical(self, heaps):
            return Pair(min(heaps), max(heaps))

    message = fault(Lossy, "canonical").message
    assert message.startswith("canonical(Pair(a=3, b=2)) is Pair(a=2, b=3), but the value of the ")


def test_canonical_out_of_the_game():
    """Canonical stays where the rules work."""

    class Lost(Heaps):
        def canonical(self, heaps):
            return Pair(-1, 0) if heaps.a == 0 else heaps

        def play(self, heaps, which):
            if heaps.a < 0:
                raise ValueError("no such heap")
            return Heaps.play(self, heaps, which)

    assert fault(Lost, "canonical").message.startswith(
        "canonical(Pair(a=0, b=4)) is Pair(a=-1, b=0), from where the rules fail: moves(Pair(a=-1, "
        "b=0)) yields 0, which play() cannot take: play(Pair(a=-1, b=0), 0) raised "
    )


def test_only_the_first_of_a_kind():
    """Each kind of fault is reported once, and the faults of two hooks both."""

    class Doubly(Heap):
        def level(self, left):
            return left

        def canonical(self, left):
            return left + 1

    from zermelo import check

    assert [problem.kind for problem in check(Doubly).problems] == ["level", "canonical"]


def fault_free(kind, monkeypatch):
    """Whether a check finds nothing at all, compiling apart."""
    from support.games.small_games import uncompiled
    from zermelo import check

    uncompiled(monkeypatch)
    return check(kind).problems == ()
