"""Lies about what is one, in games with scores, and about what is legal: somebody notices each."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import thread_time
from typing import Any

import pytest

import zermelo
from support.faults import false_declarations
from support.faults.false_declarations import ClaimGame, LeantGame, LegalHunt, Pair, RoundGame
from support.oracles import oracle
from support.sizes import but, counts
from zermelo import Game, RulesError
from zermelo.conformance import sample_check
from zermelo.conformance.brute_force import Solver
from zermelo.conformance.hook_calls import CheckedHooks
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import TimedCalls
from zermelo.conformance.walk import WalkLimits
from zermelo.rules.hooks import Rules


class EveryHunt(LegalHunt):
    """The same with all its legal positions as starts."""

    def starts(self) -> Any:
        yield self.start()
        for p in every(self):
            if self.legal(p):
                yield p


def every(game: LegalHunt) -> Iterator[Pair]:
    """Yield the positions of two men on a graph, legal or not."""
    ranges = range(len(game.rows)), range(len(game.rows)), range(2)
    return itertools.starmap(Pair, itertools.product(*ranges))


def truth(game: Any) -> dict[Any, Any]:
    """Return what each position is worth by brute force, which looks at no declaration."""
    if isinstance(game, LegalHunt):
        found = oracle.solve(EveryHunt(game.rows, game.homes, game.barred, game.perms, game.root))
        return {p: found[p] if game.legal(p) else None for p in every(game)}
    if isinstance(game, RoundGame):
        return {p: margin for p, (margin, _) in oracle.solve_loopy_scores(game).items()}
    return oracle.solve_scores(game)


def worth(solution: Any, position: Any) -> Any:
    """Return the same of a position of a solution, and None where it has no such position."""
    value = solution.get(position)
    if value is None or value.score is not None:
        return None if value is None else value.score
    return int(value.outcome), value.remoteness


def is_wrong(solution: Any, game: Any) -> bool:
    """Whether a solution has another value for a position, lacks one, or has one too many."""
    return any(worth(solution, position) != value for position, value in truth(game).items())


def refusal(game: Any) -> str:
    """Return why ``solve`` refuses a game; nothing if it does not."""
    try:
        zermelo.solve(game, threads=1)
    except RulesError as error:
        return str(error)
    return ""


LIES = {
    "points": (false_declarations.lies_about_points, "symmetries() makes"),
    "canonical": (false_declarations.leant_games, "LeantGame.canonical("),
    "legal": (false_declarations.lies_about_legal, "symmetries() makes"),
}


@pytest.mark.slow
def test_a_look_for_garbage_takes_no_time_from_a_look_at_rules() -> None:
    """However much there is in a process, a ``canonical`` that lies is found out."""
    lies = [game for game in false_declarations.leant_games(8, 40) if refusal(game)]
    assert lies

    def slowly(phase: str, _: Any) -> None:
        until = thread_time() + 0.1 * (phase == "start")
        while thread_time() < until:
            pass

    before = gc.get_threshold()
    gc.callbacks.append(slowly)
    gc.set_threshold(50)
    try:
        assert all(map(refusal, lies))
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(slowly)


@counts(15, None, 1_000)
@pytest.mark.parametrize("about", but(LIES, "legal", "points"))
def test_whoever_lies_is_refused_and_checked_and_not_verified(
    about: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what gives a wrong value, a missing or a strange one, ``verify`` notices everything.

    ``solve`` itself and ``check`` notice nine in ten, as ``solve`` looks at little and ``check`` at
    more; and they say it in the author's words.
    """
    lies, words = LIES[about]
    seen: Counter[str] = Counter()
    for game in lies(7, count):
        with monkeypatch.context() as patched:  # there is no other way to a wrong table
            patched.setattr(sample_check, "check_sample", lambda *_, **__: None)
            try:
                solution = zermelo.solve(game, threads=1)
            except RulesError:  # whatever is sampled: a move leads to what is not legal, say
                continue
        if not is_wrong(solution, game):
            continue
        seen["wrong"] += 1
        assert not solution.verify(), game
        seen["checked"] += not zermelo.check(game)
        said = refusal(game)
        seen["refused"] += bool(said)
        assert not said or words in said
    assert seen["wrong"] > count / 10, seen
    assert seen["checked"] >= 0.9 * seen["wrong"], seen
    assert seen["refused"] >= 0.9 * seen["wrong"], seen


@counts(None, 20, 60)
@pytest.mark.parametrize("games", [false_declarations.point_games, false_declarations.legal_games])
def test_whoever_tells_the_truth_is_believed(
    games: Callable[[int, int], Iterator[Any]], count: int
) -> None:
    """Nothing is said of games that are as they declare."""
    for game in games(8, count):
        solution = zermelo.solve(game, threads=1)
        assert not is_wrong(solution, game), game
        assert solution.verify(), game
        kinds = {problem.kind for problem in zermelo.check(game).problems}
        assert not kinds & {"symmetries", "canonical", "legal", "compiled"}, game


@pytest.mark.slow
def test_a_score_that_is_one_players_is_refused_where_players_may_be_exchanged() -> None:
    """The margin is for the player to move, so that in an image it is the same."""
    game = ClaimGame(((), ()), (1, 1), ((1, 0),), 0, 1)
    told = r"one, but the score of the first is -?1 and that of the second -?1; declare only"
    with pytest.raises(RulesError, match=told):
        zermelo.solve(ClaimGame(((), (), ()), (1, 1, 1), ((1, 0, 2),), 0, 1))
    assert not zermelo.check(ClaimGame(((), (), ()), (1, 1, 1), ((1, 0, 2),), 0, 1))
    assert zermelo.solve(game).value.score == 0  # as many for each, so that it is no lie


def test_rules_that_passed_are_asked_again_once_their_parameters_lie() -> None:
    """Whether positions are one is up to the parameters, also where others of their size passed."""
    rows, worth_of_edges = ((1, 2), (0,), (0,)), ((1, 1), (0,), (0,))
    right = LeantGame(rows, worth_of_edges, (1, 1, 1), (0, 1, 1), 3)
    wrong = LeantGame(rows, worth_of_edges, (1, 0, 1), (0, 1, 1), 3)
    assert sample_check._parameter_sizes(right) == sample_check._parameter_sizes(wrong)
    assert zermelo.solve(right).verify()
    assert refusal(wrong).startswith("LeantGame.canonical(")


@dataclass(frozen=True)
class Wrapped(Game):
    """Nobody can move; every step is legal, every other by numbers with no room in 64 bits."""

    height: int

    def start(self) -> Any:
        return 0

    def moves(self, step: Any) -> Any:
        if step < 0:
            yield 1

    def play(self, step: Any, up: Any) -> Any:
        return step + up

    def legal(self, step: Any) -> Any:
        return step * (1 << 62) >= step

    def space(self) -> Any:
        return range(self.height)


@pytest.mark.slow
def test_legal_means_the_same_compiled_where_play_does_not_come() -> None:
    """Nothing leads to the positions in question, so that no game would show them."""
    told = r"Wrapped.legal computes step \* \(1 << 62\), which is past 64 bits at 2"
    with pytest.raises(RulesError, match=told):
        zermelo.solve(Wrapped(1_000))


def test_a_few_plies_tell_scores_apart_only_where_they_differ() -> None:
    """What is seen of a score bounds it, and all of a game that ends within these plies is seen."""
    told = 0
    for game in false_declarations.leant_games(9, 12):
        rules, right = Rules(game), oracle.solve_scores(game)
        with TimedCalls(5.0) as watch:
            asked = CheckedHooks(rules, Shape(rules.layout, None), watch)
            solver = Solver(asked, {}, WalkLimits(1_000, 600.0))
            for one, other in itertools.islice(itertools.combinations(right, 2), 60):
                for plies in range(1, 5):
                    difference = solver.difference(one, other, plies)
                    if difference is not None:
                        told += 1
                        assert right[one] != right[other], (game, difference)
                    elif max(one.left, other.left) <= plies:
                        assert right[one] == right[other], game
    assert told > 100
