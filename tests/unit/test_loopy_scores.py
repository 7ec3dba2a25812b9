"""What a solution says of a score game that can go round in cycles, and which games may do so."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest
from fastapi.testclient import TestClient

import zermelo
from support.faults.tampered_tables import forged
from support.games.strategies import (
    OwnedLevelScoreGame,
    OwnedScoreGame,
    ScoreGame,
    StalledScoreGame,
    random_loopy_score_games,
)
from support.sizes import counts
from zermelo import (
    DRAW,
    BudgetError,
    CorruptTableError,
    Game,
    ParameterError,
    PositionError,
    RulesError,
    Symmetry,
    limits,
    web,
)
from zermelo.cli import main
from zermelo.games import TicTacToe
from zermelo.play.match import Match
from zermelo.values.outcomes import Value
from zermelo.values.score_and_plies import (
    BITS,
    MOST_MARGIN,
    QUARTER,
    TIMED_SCORES,
    UNIT,
    code_of,
    parts_of,
)

#: Two players go round at 0 and 1. The first may take 40,000 points on the way to 2, and stays
#: there for ever; the other may leave for 3, and pays 70,000.
GAME = OwnedScoreGame(
    rows=((1, 2), (0, 3), (3, 2), ()),
    gains=((0, 40_000), (0, -70_000), (0, 0), ()),
    margins=(0, 0, 0, -5),
    owners=(0, 1, 0, 0),
    roots=(0,),
)


@pytest.fixture(scope="module")
def solution():
    """The game, solved."""
    return zermelo.solve(GAME)


def test_the_kind_is_found_while_it_is_solved(solution):
    """A cycle makes values have plies; without one, they have them if they are asked for."""
    assert solution.kind is TIMED_SCORES
    assert solution.value == Value(solution.value.outcome, 1, 40_000)
    assert [(v.score, v.remoteness) for _, v in solution.items()] == [
        (40_000, 1), (-40_000, 2), (0, None), (-5, 0),
    ]  # fmt: skip
    straight = replace(GAME, rows=((1, 2), (2, 3), (3,), ()), gains=((0, 9), (0, 0), (0,), ()))
    assert zermelo.solve(straight).value.remoteness is None
    timed = zermelo.solve(straight, value="score-and-plies")
    assert (timed.value.score, timed.value.remoteness) == (4, 2)
    assert timed.verify()
    with pytest.raises(ParameterError, match="does not suit TicTacToe, which is not a score game"):
        zermelo.solve(TicTacToe(), value="score-and-plies")


def test_it_is_saved_and_opened_and_exported(solution, tmp_path):
    """Margins beyond 16 bits, with plies, are the same from a file; and so is the certificate."""
    path = tmp_path / "round.table"
    kept = zermelo.solve(GAME, table=path)
    assert dict(kept.items()) == dict(solution.items())
    with zermelo.open(path, GAME) as opened:
        assert opened.kind is TIMED_SCORES
        assert opened.counts() == solution.counts()
        assert opened.verify()
        probes = opened.probe_many(list(solution))
    assert probes.score.tolist() == [value.score for _, value in solution.items()]
    assert solution.counts().by_score_and_plies[40_000, 1] == 1
    solution.export(tmp_path / "round.csv")
    header, first, *_ = (tmp_path / "round.csv").read_text().splitlines()
    assert header.endswith("player,outcome,score,remoteness,best_move,best_move_name")
    assert first == "0,0,win,40000,1,1,1"


def test_words_and_documents_tell_plies_and_endless_play(solution):
    """In a match, in the explorer, in an analysis, and on the command line."""
    assert str(solution.value) == "score +40000 in 1"
    assert Match(solution).prospects == "the first player wins by 40,000, settled in 1 ply"
    assert "in all" in str(solution.explain())
    client = TestClient(web.app(solution), base_url="http://localhost:8765")
    told = client.get("/api/game").json()["value"]
    assert (told["score"], told["remoteness"]) == (40_000, 1)
    assert client.get("/api/statistics").json()["positions"] == len(solution)
    found = solution.analyse()
    assert found.plays[0].margin.value == 40_000
    nobody = zermelo.solve(replace(GAME, rows=((1,), (0,), (), ()), gains=((0,), (0,), (), ())))
    assert (nobody.value.outcome, nobody.value.score, nobody.value.remoteness) == (DRAW, 0, None)
    assert Match(nobody).prospects == "a draw, as it comes out even, by endless play"
    assert nobody.analyse().plays[0].endless.value == 1.0
    assert nobody.line().ends == "repeats"


def forge(header, parts, rng):
    """Change what a table has: bytes of a block, a value that occurs, counts, or the start's value.

    The values are near the right ones, or at the ends of what a code is, or beyond them.
    """
    palette = header["table"]["palette"]
    how = rng.randrange(8)
    if how < 3:
        block = rng.choice([block for blocks in parts.values() for block in blocks if block])
        for _ in range(rng.choice((1, 1, 3, 10))):
            block[rng.randrange(len(block))] = rng.randrange(256)
    elif how < 6 and isinstance(palette, list):
        place = rng.randrange(len(palette))
        margin = palette[place] >> BITS
        lows = (0, 1, QUARTER, 2 * QUARTER, 4 * QUARTER - 1, rng.randrange(UNIT))
        near = [((margin + rng.choice((-1, 0, 1))) << BITS) + low for low in lows]
        ends = [-(1 << 63), (1 << 63) - 1, 1 << 63, (MOST_MARGIN << BITS) + QUARTER]
        palette[place] = rng.choice([*near, *ends, palette[place] + 1, -palette[place]])
        if rng.random() < 0.5:
            palette.sort()
    elif how < 7:
        header["counts"][rng.choice(list(header["counts"]))] += rng.choice((-1, 1))
    else:
        header["value"]["score"] += rng.choice((-1, 1))


@counts(None, 65, 2_000)
def test_whatever_is_forged_it_is_refused_or_found_wrong(tmp_path, count):
    """With right checksums, too: what the certificate lets pass is the truth, header and all."""
    rng = random.Random(3)
    games = random_loopy_score_games(5, min(count, 30), vertices=30)
    solutions = [zermelo.solve(game, value="score-and-plies") for game in games]
    refused = wrong = 0
    for number in range(count):
        solution = solutions[number % len(solutions)]
        table = solution.save(tmp_path / "right.table", overwrite=True)
        try:
            path = forged(table, lambda *what: forge(*what, rng))
            with zermelo.open(path, solution.game) as opened:
                for position in solution:
                    try:
                        opened.options(position), opened.line(position, longest=9)
                    except PositionError:  # where moves lead is not in the table
                        continue
                if not opened.verify():
                    wrong += 1
                    continue
                assert dict(opened.items()) == dict(solution.items())
                assert (opened.counts(), opened.value) == (solution.counts(), solution.value)
                told, right = map(zermelo.describe_table, (path, table))
                assert all(told[name] == right[name] for name in ("counts", "value"))
        except CorruptTableError:
            refused += 1
    assert refused > count / 10
    assert wrong > count / 4


def test_what_a_header_says_wrongly_of_its_values_is_found(solution, tmp_path):
    """Counts and the start's value, which ``zermelo info`` shows without reading the values."""
    table = solution.save(tmp_path / "right.table")
    with zermelo.open(forged(table, lambda h, _: h["counts"].update(win=7)), GAME) as opened:
        assert opened.verify().problem == (
            "its header counts {'win': 7, 'draw': 1, 'loss': 2}, but its positions are "
            "{'win': 1, 'draw': 1, 'loss': 2}"
        )
    with zermelo.open(forged(table, lambda h, _: h["value"].update(score=3)), GAME) as opened:
        assert opened.verify().problem == (
            "its header says that the start is a score +3 in 1, but in its values it is a score "
            "+40000 in 1"
        )


def test_a_wrong_stage_is_found(solution):
    """Where the table says that a move with points stays in its stage, or leads to a higher one."""
    right = zermelo.solve(GAME)
    stages = right._solved.table.index.ranks
    assert stages.tolist()[0] > 0
    stages[:] = 0
    assert "makes points" in right.verify().problem
    stages[:] = np.arange(len(stages))
    assert "lead in a cycle" in right.verify().problem


@pytest.mark.slow
def test_points_in_a_cycle_are_refused():
    """The message names the position and the move, and says where points may be kept."""
    message = re.escape(
        "OwnedScoreGame: move 1 from 1 makes -70,000 points and can be part of a cycle, so that "
        "points could be made for ever; put the points into the position, and give them with "
        "score() where the game ends; or, if every cycle takes as many points as it makes, write "
        "endless(position), which says what endless play is still worth there"
    )
    game = replace(GAME, rows=((1, 2), (0, 0), (3, 2), ()))
    with pytest.raises(RulesError, match=message):
        zermelo.solve(game)
    assert re.search(message.partition(": ")[2], str(zermelo.check(game)))


@pytest.mark.slow
def test_endless_play_is_worth_what_the_game_says():
    """As points of the first player, or as a method; the latter must agree along a cycle."""
    rows, gains = ((1, 2), (0, 2), ()), ((0, 0), (0, 0), ())
    shape = (rows, gains, (0, 0, 3), (0, 1, 0), (0,))
    worth = {
        points: zermelo.solve(StalledScoreGame(*shape, endless=points)) for points in (0, 2, 5)
    }
    assert [(s.value.score, s.value.remoteness) for s in worth.values()] == [
        (3, 1), (3, 1), (3, 2),
    ]  # fmt: skip
    said = zermelo.solve(OwnedLevelScoreGame(*shape, levels=(5, -5, 0)))
    assert said[0] == worth[5][0]
    assert said.verify()
    message = r"endless\(.\) is 5, and endless\(.\), where the other player moves, is 5, though"
    with pytest.raises(RulesError, match=message):
        zermelo.solve(OwnedLevelScoreGame(*shape, levels=(5, 5, 0)))
    assert re.search(message, str(zermelo.check(OwnedLevelScoreGame(*shape, levels=(5, 5, 0)))))


@pytest.mark.slow
def test_points_that_endless_play_makes_up_for_may_go_round():
    """A stone is captured and recaptured for ever, until somebody stops where it suits him best."""
    rows, gains = ((1, 2), (0, 2), ()), ((1, 0), (1, 0), ())
    shape = (rows, gains, (0, 0, 3), (0, 1, 0), (0,))
    game = OwnedLevelScoreGame(*shape, levels=(0, 1, 0))
    solution = zermelo.solve(game)
    assert [(v.score, v.remoteness) for _, v in solution.items()] == [(3, 1), (-2, 2), (3, 0)]
    assert solution.verify()
    assert zermelo.check(game)
    message = re.escape(
        "endless(1) is 2, and endless(0), where the other player moves, is 0, though the one can "
        "follow the other for ever, by move 0, which makes 1 point; let endless() be worth as "
        "many points less after a move as it makes, so that it is -1 there; or put the points into "
        "the position, and give them with score() where the game ends"
    )
    wrong = replace(game, levels=(0, 2, 0))
    with pytest.raises(RulesError, match=message):
        zermelo.solve(wrong)
    assert "by move 0, which makes 1 point" in str(zermelo.check(wrong))
    far = OwnedLevelScoreGame(*shape, levels=(MOST_MARGIN, 1 - MOST_MARGIN, 0))
    with pytest.raises(RulesError, match="is beyond ±8,000,000,000 points"):
        zermelo.solve(far)


@pytest.mark.parametrize(
    ("endless", "message"),
    [
        (-1, "endless is -1, which is NOBODY, too; in a score game leave endless out"),
        (2.5, "endless is 2.5; in a score game use the whole number of points"),
        (True, "endless is True; in a score game use the whole number of points"),
        ("first", "endless is 'first'; in a score game use the whole number of points"),
    ],
)
def test_what_is_not_points_is_refused(endless, message):
    """The message says what to write instead."""
    game = StalledScoreGame(((),), ((),), (0,), (0,), (0,), endless=endless)
    with pytest.raises(RulesError, match=re.escape(message)):
        zermelo.solve(game)
    assert message in str(zermelo.check(game))


def test_points_of_the_first_player_need_to_know_who_that_is():
    """A game without turn() says it with a method."""

    class Alternating(ScoreGame):
        endless = 3

    game = Alternating(((),), ((),), (0,), (0,), (0,))
    with pytest.raises(RulesError, match=r"endless is 3, but there is no turn\(\)"):
        zermelo.solve(game)


@pytest.mark.slow
def test_margins_beyond_the_codes_are_refused():
    """The message names the position; and without cycles there are no codes to go beyond."""
    large = replace(GAME, margins=(0, 0, 0, MOST_MARGIN + 1))
    with pytest.raises(RulesError, match=r"score\(3\) is 8,000,000,001, and where moves lead in"):
        zermelo.solve(large)
    gains = ((0, MOST_MARGIN), (0, 0), (0,), ())
    far = replace(GAME, rows=((1, 2), (0, 3), (3,), ()), gains=gains, margins=(0, 0, 0, -9))
    assert zermelo.solve(far).value.score == MOST_MARGIN - 9
    far = replace(far, margins=(0, 0, 0, 9))
    with pytest.raises(RulesError, match=r"at 0 is beyond ±8,000,000,000 points; give smaller"):
        zermelo.solve(far)
    straight = replace(large, rows=((3,), (3,), (3,), ()), gains=((0,), (0,), (0,), ()))
    assert zermelo.solve(straight).value.score == MOST_MARGIN + 1
    with pytest.raises(
        RulesError, match="has no score-and-plies at 3: the final score 8,000,000,001"
    ):
        zermelo.solve(straight, value="score-and-plies")


def test_codes_are_ordered_as_players_prefer():
    """Above endless play soon, at it rather ended than not, below it late; for any such worth."""
    for endless in (-3, 0, 7):
        above = [code_of(endless + 1, plies, endless) for plies in (9, 2, 0)]
        level = [code_of(endless, plies, endless) for plies in (None, 9, 2, 0)]
        below = [code_of(endless - 1, plies, endless) for plies in (0, 2, 9)]
        every = [*below, *level, *above]
        assert every == sorted(every)
        assert [parts_of(code)[1] for code in every] == [0, 2, 9, None, 9, 2, 0, 9, 2, 0]


@pytest.mark.parametrize("short", [{"transposed": 0}, {"in_memory": False}])
def test_too_little_memory_is_refused(short):
    """Cycles need the moves; without any, a game is solved without them."""
    with limits.using(**short), pytest.raises(BudgetError, match="whose moves lead in cycles,"):
        zermelo.solve(GAME, method="score")


def test_the_command_line_tells_plies(capsys):
    """The value in the document has both, and asks for them where there are no cycles."""
    words = ["solve", "stone-game", "--piles", "[5,3,4,5]", "--value", "score-and-plies", "--json"]
    main(words, standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert (told["value"]["score"], told["value"]["remoteness"]) == (1, 4)


class Pads(NamedTuple):
    """Where two frogs sit on a ring of pads, and whose turn it is."""

    mine: int
    yours: int
    turn: int


@dataclass(frozen=True)
class Frogs(Game):
    """Two frogs on a ring: one hops onward, or two pads, and wins points on the other's pad."""

    pads: int
    endless: int = 0

    def start(self):
        return Pads(0, 3, 0)

    def turn(self, p):
        return p.turn

    def outcome(self, p):
        return DRAW if p.mine == p.yours else None

    def score(self, p):
        return -1 - p.mine % 3

    def moves(self, p):
        yield 1
        yield 2

    def play(self, p, hop):
        if p.turn == 0:
            return Pads((p.mine + hop) % self.pads, p.yours, 1)
        return Pads(p.mine, (p.yours + hop) % self.pads, 0)

    def space(self):
        return Pads(range(self.pads), range(self.pads), range(2))

    def symmetries(self):
        return Symmetry(swap=(("mine", "yours"),), flip=("turn",))


@pytest.mark.slow
def test_symmetries_count_where_endless_play_is_worth_the_same():
    """One that exchanges the players is left out where endless play favours one of them."""
    for endless, classes in ((0, 42), (2, 84)):
        plain = zermelo.solve(Frogs(7, endless), symmetry=False)
        folded = zermelo.solve(Frogs(7, endless))
        assert (len(plain), len(folded)) == (84, classes)
        assert all(folded[position] == value for position, value in plain.items())
        assert folded.verify()
        assert plain.counts() == folded.counts()
