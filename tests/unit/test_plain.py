"""Small games in plain Python: the values of the oracle, the tables of compiled rules, no Numba.

Other tests of the process have compiled kernels, which are put out of sight here.
"""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import numpy as np
import pytest

import zermelo
from support.games.component_games import CutKayles, random_tokens
from support.games.component_games import Kayles as Rows
from support.games.strategies import (
    OwnedLevelScoreGame,
    random_endless_games,
    random_games,
    random_impartial_game,
    random_loopy_score_games,
    random_score_games,
)
from support.games.symmetric import random_symmetric
from support.oracles import oracle
from support.oracles.nimbers import as_oracle, nimbers_of
from support.sizes import but, counts, some
from zermelo import DRAW, LOSS, WIN, Game, ParameterError, PositionError, RulesError, limits
from zermelo._engine.core.kernel import Kernel, interpreting
from zermelo.games import (
    CatAndMouse,
    ConnectFour,
    Domineering,
    EllysCheckers,
    GrundysGame,
    Kayles,
    StoneGame,
    TakeAway,
    TicTacToe,
)
from zermelo.plain.solve import TimeLimit
from zermelo.values.score_and_plies import code_of, parts_of

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
#: A game of points, one with cycles, and three more, which are slow.
POINTS, CYCLES = StoneGame([5, -3, 4, 5]), CatAndMouse(GRAPH)
MORE = [TicTacToe(), EllysCheckers(), TakeAway(21, 3)]
GAMES = but([POINTS, CYCLES, *MORE], *MORE)


@pytest.fixture(autouse=True)
def plain():
    """Solve small games in plain Python, however slow the machine is."""
    with limits.using(plain_seconds=60.0):
        yield


def outcomes(solution):
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


def timed(solution):
    """Return the margins and plies of a solution in the oracle's form."""
    return {p: (v.score, v.remoteness) for p, v in solution.items()}


def assert_solved(games, form, solve, **how):
    """Compare the solutions of games, in the oracle's form, with the oracle's."""
    for game in games:
        solution = zermelo.solve(game, **how)
        assert solution.method == "plain"
        assert form(solution) == solve(game), game
        assert solution.verify(), game


@counts(100, None, 4_000)
def test_random_games_agree_with_the_oracle(count):
    """Loops, duplicate edges, dead ends, extra turns and several starts change nothing."""
    assert_solved(random_games(5, count), outcomes, oracle.solve)


@counts(50, None, 2_000)
def test_endless_wins_agree_with_the_oracle(count):
    """Endless play can be a win for one player."""
    assert_solved(random_endless_games(6, count), outcomes, oracle.solve)


@counts(50, None, 2_000)
def test_random_scores_agree_with_the_oracle(count):
    """Margins are those of the oracle."""
    assert_solved(
        random_score_games(7, count),
        lambda solution: {p: v.score for p, v in solution.items()},
        oracle.solve_scores,
    )


@counts(33, None, 1_500)
def test_loopy_scores_agree_with_the_oracle(count):
    """Where play can repeat a position, margins have plies, too, as have those asked for."""
    games = list(random_loopy_score_games(8, count))
    assert_solved(games, timed, oracle.solve_loopy_scores, value="score-and-plies")
    kinds = Counter(zermelo.solve(game).kind.name for game in games)
    assert kinds["score-and-plies"] > count // 2
    assert kinds["score"] > count // 10


@counts(33, None, 1500)
def test_random_nimbers_agree_with_the_oracle(count):
    """Positions from which play need not end have a nimber, or infinity with a set of them."""
    random = Random(11)
    assert_solved(
        (random_impartial_game(random) for _ in range(count)),
        lambda solution: {p: as_oracle(v) for p, v in solution.items()},
        nimbers_of,
        value="nimber",
    )


@counts(20, None, 600)
def test_sums_of_components_agree_with_the_oracle(count):
    """Where positions are split, any whole position is worth what the oracle finds for it."""
    random = Random(12)
    assert_solved(
        (random_tokens(random) for _ in range(count)),
        lambda solution: {p: as_oracle(solution[p]) for p in nimbers_of(solution.game)},
        nimbers_of,
        value="nimber",
    )


def assert_same(game, tmp_path, **how):
    """Compare the plain solution of a game with that of a compiled method, and their tables."""
    plain = zermelo.solve(game, **how)
    named = {"win-draw-loss": "retrograde", "nimber": "nimber"}
    compiled = zermelo.solve(game, method=named.get(plain.kind.name, "score"), **how)
    assert plain.method == "plain"
    assert plain.kind is compiled.kind
    assert list(plain.items()) == list(compiled.items()), game
    assert plain.counts() == compiled.counts()
    assert plain.verify().moves == compiled.verify().moves
    for position in list(plain)[:20]:
        assert plain.options(position) == compiled.options(position)
    assert plain.line() == compiled.line()
    assert str(plain.explain()) == str(compiled.explain())
    paths = tmp_path / "plain.table", tmp_path / "compiled.table"
    for solution, path in zip((plain, compiled), paths, strict=True):
        solution.save(path, overwrite=True)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_tables_are_those_of_compiled_rules(game, tmp_path):
    """Positions have the same numbers and values, and a saved table is the same to the byte."""
    assert_same(game, tmp_path)


@pytest.mark.parametrize(
    "game",
    some([TakeAway(21, 3), Kayles(20), GrundysGame(12)], 3),
    ids=repr,
)
def test_tables_of_nimbers_are_those_of_compiled_rules(game, tmp_path):
    """A heap, and games of rows and heaps that fall apart."""
    assert_same(game, tmp_path, value="nimber")


@pytest.mark.slow
def test_who_wins_alone_is_found_where_compiled_rules_find_it(tmp_path):
    """Placement games have no remoteness then, except of ties; others have it anyway."""
    board = ConnectFour(3, 3, 3)
    alone = zermelo.solve(board, value="outcome")
    compiled = zermelo.solve(board, value="outcome", method="placement")
    assert alone.method == "plain"
    assert alone.kind is compiled.kind
    assert dict(alone.items()) == dict(compiled.items())
    assert alone.counts() == compiled.counts()
    assert alone.verify()
    assert alone.save(tmp_path / "a").read_bytes() == compiled.save(tmp_path / "b").read_bytes()
    assert zermelo.solve(TakeAway(21, 3), value="outcome").value.remoteness is not None


@counts(None, 8, 300)
def test_random_tables_are_those_of_compiled_rules(count, tmp_path):
    """Cycles, components and points change nothing."""
    random = Random(13)
    for game in random_loopy_score_games(13, count, kinds=[OwnedLevelScoreGame]):
        assert_same(game, tmp_path)
        assert_same(game, tmp_path, value="score-and-plies")
    for _ in range(count):
        assert_same(random_impartial_game(random), tmp_path, value="nimber")
        assert_same(random_tokens(random), tmp_path, value="nimber")


@counts(None, 100, 200)
def test_symmetric_games_agree_with_the_oracle(count):
    """Each position of a class has the value that the oracle finds without symmetries."""
    methods = Counter()
    for game in random_symmetric(10, count):
        solution = zermelo.solve(game)  # compiled, where symmetries exchange who moves twice
        methods[solution.method] += 1
        expected = oracle.solve(game)
        assert {p: (int(solution[p].outcome), solution[p].remoteness) for p in expected} == expected
        assert solution.counts().positions == len(expected)
        assert solution.verify()
        methods["folded"] += solution.method == "plain" and len(solution) < len(expected)
    assert methods["plain"] > count // 2
    assert methods["folded"] > count // 4


@counts(None, 20, 300)
def test_symmetric_games_have_the_classes_of_compiled_rules(count):
    """Classes, their numbers and how many positions they stand for do not depend on the method."""
    methods = Counter()
    for game in random_symmetric(9, count):
        plain = zermelo.solve(game)
        compiled = zermelo.solve(game, method="retrograde")
        methods[plain.method] += 1
        assert list(plain.items()) == list(compiled.items()), game
        assert plain.counts() == compiled.counts(), game
        assert plain.verify(), game
    assert methods["plain"] > count // 2


def test_misere_play_is_solved():
    """Under misère play, a player who cannot move wins."""
    solution = zermelo.solve(TakeAway(10, 3), misere=True)
    assert (solution.method, solution.winner) == ("plain", "second" if 10 % 4 == 1 else "first")
    assert solution.verify()


@pytest.mark.slow
@pytest.mark.parametrize("game", some([TakeAway(21, 3), POINTS, CYCLES, *MORE[:2]], 5), ids=repr)
@pytest.mark.parametrize("remoteness", [False, True])
def test_proofs_say_what_a_search_does(game, remoteness, tmp_path):
    """The same value, and a strategy that is checked, saved and read as any other."""
    if zermelo.solve(game).kind.gains and remoteness:
        return
    proof = zermelo.prove(game, remoteness=remoteness)
    assert proof.choice.endswith("positions that can follow, in Python")
    with limits.using(plain_seconds=0.0):
        searched = zermelo.prove(game, remoteness=remoteness)
    assert str(proof) == str(searched)
    assert (proof.value.bounds, proof.value.remoteness) == (
        searched.value.bounds,
        searched.value.remoteness,
    )
    assert len(proof.line().moves) >= (proof.value.remoteness or 0)
    solution = zermelo.solve(game)
    assert proof.best_move in [
        None,
        *(o.move for o in solution.options() if o.value == solution.value),
    ]
    assert proof.verify()
    read = zermelo.open(proof.save(tmp_path / "x.proof"))
    assert read.value.bounds == proof.value.bounds
    assert read.verify()


def test_a_search_that_is_chosen_or_limited_is_made():
    """Then nothing is solved."""
    for how in ({"search": "alpha-beta"}, {"nodes": 1_000_000}, {"time": 60.0}):
        assert zermelo.prove(TakeAway(21), **how).choice.startswith("alpha-beta")


def test_a_proof_goes_on_to_positions_that_cannot_follow():
    """These are searched for, by compiled rules."""
    late = zermelo.prove(TakeAway(21, 3), position=8)
    assert late.choice.endswith("positions that can follow, in Python")
    assert late.prove(21).value.outcome is WIN
    with pytest.raises(PositionError, match="is not a position of TakeAway"):
        zermelo.prove(TakeAway(21, 3), position="a")


@pytest.mark.slow
@pytest.mark.parametrize("misere", [False, True])
def test_sums_are_those_of_compiled_rules(misere, monkeypatch):
    """The product of parts in which the players have different moves, and where kernels compile."""
    parts = (Domineering(2, 3), Domineering(3, 2))
    with limits.using(plain_seconds=0.0):
        compiled = zermelo.sum(*parts, misere=misere)
    monkeypatch.setattr(Kernel, "overloads", {})  # as if none had been compiled before
    plain = zermelo.sum(*parts, misere=misere)
    assert dict(plain.items()) == dict(compiled.items())
    assert plain.options() == compiled.options()
    assert plain.verify()


@dataclass(frozen=True)
class Doubled(Game):
    """A heap in which one takes one or two, and a mirror image that is wrong for large heaps."""

    stones: int = 12

    def start(self):
        return self.stones

    def moves(self, heap):
        return [n for n in (1, 2) if n <= heap]

    def play(self, heap, n):
        return heap - n

    def canonical(self, heap):
        return 9 if heap == 10 else heap


@dataclass(frozen=True)
class Listed(Doubled):
    """The same heap, with a canonical form that a table gives, for few heaps only."""

    stones: int = 6
    same: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)

    def canonical(self, heap):
        return self.same[heap]


class Dice(TakeAway):
    """A heap of which each move takes what a die shows."""

    def play(self, stones, take):
        return max(0, stones - random.randint(1, 6))


def test_rules_that_draw_lots_are_refused():
    """Compiled rules are refused for the call alone; plain ones for other moves the second time."""
    random.seed(1)
    with pytest.raises(RulesError, match="has other moves at 21 each time; rules must not depend"):
        zermelo.solve(Dice(stones=21))


@pytest.mark.parametrize("method", ["plain", None])
def test_what_a_listener_raises_ends_a_solve(method):
    """It is not taken for a fault of the rules, for which compiled rules would be tried."""
    events = []

    def stop(event):
        events.append(event)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        zermelo.solve(TicTacToe(), method=method, progress=stop)
    assert len(events) == 1


def test_a_wrong_canonical_is_refused():
    """All positions of a small game are checked, so that rare mistakes are found as well."""
    with pytest.raises(RulesError, match=r"canonical\(\) makes positions equivalent that are not"):
        zermelo.solve(Doubled())


def test_large_games_go_on_to_compiled_rules():
    """What was explored within the time is thrown away."""
    with limits.using(plain_seconds=1e-9):
        assert zermelo.solve(TakeAway(2_000, 3)).method == "retrograde"


def test_boards_that_are_tables_of_all_positions_stay_so():
    """A game with ``folded_tables = False`` has every position, though it declares symmetries."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    assert solution.method == "plain"
    assert len(solution) == solution.counts().positions


def test_asked_for_by_name_it_takes_its_time():
    """``method="plain"`` solves games that would be compiled."""
    with limits.using(plain_seconds=0.0):
        solution = zermelo.solve(ConnectFour(3, 3, 3), method="plain")
    assert (solution.method, solution.counts().positions) == ("plain", 694)


def test_a_canonical_that_fails_is_named():
    """A position at which the author's ``canonical`` fails is an error of the rules."""
    solution = zermelo.solve(Listed())
    with pytest.raises(RulesError, match="canonical"):
        solution[40]
    assert solution[5].outcome is WIN


def test_options_that_need_compiled_rules_are_refused():
    """``method="plain"`` solves in memory, to the end."""
    with pytest.raises(ParameterError, match="does not go with horizon=3"):
        zermelo.solve(TakeAway(5), method="plain", horizon=3)
    with pytest.raises(ParameterError, match="value='grundy' is not known"):
        zermelo.solve(TakeAway(5), value="grundy")


@pytest.mark.parametrize("method", [None, "plain"])
def test_values_that_a_game_has_not_are_refused(method):
    """The errors are those of compiled rules, which are not compiled for it."""
    with pytest.raises(ParameterError, match="nimbers are of normal play, and misere=True is not"):
        zermelo.solve(TakeAway(5), method=method, value="nimber", misere=True)
    with pytest.raises(ParameterError, match="in which both players have the same moves"):
        zermelo.solve(CatAndMouse(GRAPH), method=method, value="nimber")
    with pytest.raises(ParameterError, match="does not suit TakeAway, which is not a score game"):
        zermelo.solve(TakeAway(5), method=method, value="score-and-plies")
    with pytest.raises(RulesError, match=r"gives \[3, 12\], together worth nimber 0, but the mov"):
        zermelo.solve(CutKayles(4), method=method, value="nimber")


def test_a_component_that_does_not_arise_is_refused():
    """The errors are those of other solutions."""
    solution = zermelo.solve(Rows(4), value="nimber")
    assert (solution.method, len(solution), solution[0b1011].nimber) == ("plain", 5, 3)
    with pytest.raises(PositionError, match="has the component 31, which does not arise"):
        solution[31]
    with pytest.raises(PositionError, match="not a position of Kayles"):
        solution["x"]
    assert solution.get(31) is None
    assert solution.get_many([0b1011, 31]).found.tolist() == [True, False]
    assert solution.probe_many([0b1011, 0b101]).nimber.tolist() == [3, 0]


def test_positions_that_cannot_be_reached_are_refused():
    """The errors are those of other solutions."""
    solution = zermelo.solve(TakeAway(21, 3))
    with pytest.raises(PositionError, match="cannot be reached from the start of TakeAway"):
        solution[22]
    with pytest.raises(PositionError, match="is not a position of TakeAway"):
        solution["a"]
    assert solution.get(22) is None
    assert solution.get_many([3, 22]).found.tolist() == [True, False]
    boards = np.array([[0, 0], [1, 1]])
    assert zermelo.solve(TicTacToe()).get_many(boards).found.tolist() == [True, False]


class Forged(Game):
    """Tic-tac-toe's simplest relative: one move, then a loss."""

    def start(self):
        return 0

    def moves(self, p):
        return [1] if p == 0 else []

    def play(self, p, move):
        return move


@pytest.mark.parametrize(("place", "code"), [(0, "loss"), (1, "win"), (1, "draw")])
def test_the_certificate_finds_a_wrong_value(place, code):
    """The certificate runs the rules anew and compares each value with its successors'."""
    solution = zermelo.solve(Forged())
    assert solution.verify()
    outcome = {"loss": LOSS, "win": WIN, "draw": DRAW}[code]
    wrong = solution.kind.encode(zermelo.Value(outcome, place))
    solution._solved.table.column.stored[place] = wrong
    found = solution.verify()
    assert not found
    assert "is stored as" in found.problem


def forged(solution, others):
    """Yield a solution with each of its values changed, to all that ``others`` gives for it."""
    codes = solution._answering.table.column.stored
    for place, right in enumerate(codes.tolist()):
        for wrong in set(others(right)) - {right}:
            codes[place] = wrong
            yield place, solution.kind.decode(wrong)
        codes[place] = right


@counts(15, None, 200)
def test_the_certificate_finds_wrong_nimbers(count):
    """Each value is replaced by other nimbers and infinities, of positions and of components."""
    random = Random(14)
    makers = [random_impartial_game, random_tokens] * count
    for game in (make(random) for make in makers):
        solution = zermelo.solve(game, value="nimber")
        for wrong in forged(solution, lambda code: (code + 1, code - 1, 0, 1, 2, -1, -2, -4)):
            assert not solution.verify(), (game, wrong)
        assert solution.verify(), game


@counts(15, None, 200)
def test_the_certificate_finds_wrong_margins(count):
    """Each value is replaced by other margins and by other plies."""

    def others(code):
        margin, plies = parts_of(code)
        yield from (code_of(margin + 1, plies), code_of(margin - 1, plies))
        yield from (code_of(margin, (plies or 0) + 1), code_of(margin, plies and None))
        yield code_of(0 if margin else 1, None)

    for game in random_loopy_score_games(15, count):
        solution = zermelo.solve(game, value="score-and-plies")
        right = list(solution.items())
        for place, value in forged(solution, others):
            if value != right[place][1]:  # there are several codes of one
                assert not solution.verify(), (game, place, value)
        assert solution.verify(), game


#: What is done with small games, by name; each line that one prints ends with whether Numba is
#: imported.
PROGRAMS = {
    "start": """
from zermelo.games import TicTacToe
zermelo.solve(TicTacToe())
for unused in ("components", "expectations", "partizan"):  # a start takes a fifth longer with them
    assert f"zermelo.plain.{unused}" not in sys.modules, unused
print("numba" in sys.modules)
""",
    "solve, verify and probe": """
from zermelo.games import ConnectFour, Domineering, Kayles, StoneGame, TakeAway
for game, how in (
    (Domineering(3, 3), {"value": "partizan"}),
    (TakeAway(21, 3), {}),
    (ConnectFour(3, 3, 3), {"value": "outcome"}),
    (Kayles(20), {"value": "nimber"}),
    (StoneGame([5, 3, 4, 5]), {"value": "score-and-plies"}),
):
    solution = zermelo.solve(game, **how)
    assert solution.verify() and solution.counts() and solution.line() and solution.explain()
    assert solution.method == "plain"
    print(solution, "numba" in sys.modules)
""",
    "ask": """
from zermelo.games import ConnectFour
solution = zermelo.solve(ConnectFour(3, 3, 3))
questions = {
    "arrays": lambda: solution.arrays.outcome.any(),
    "analysis": lambda: solution.analyse().traps,
    "table": lambda: solution.save("three.table").stat().st_size,
    "portable table": lambda: solution.save("portable", portable=True).stat().st_size,
    "rows": lambda: solution.export("three.csv").stat().st_size,
    "values of moves": lambda: solution.export("all.csv", move_values=True).stat().st_size,
    "batches": lambda: len(list(solution.dataset().batches(1000))),
    "agent": lambda: zermelo.evaluate(lambda p: solution.rules.moves(p)[0], solution).everywhere,
}
for name, ask in questions.items():
    assert ask(), name
    print(name, solution.method, "numba" in sys.modules)
""",
    "prove": """
from zermelo.games import ConnectFour
proof = zermelo.prove(ConnectFour(3, 3, 3))
assert proof.line() and proof.verify() and proof.options() and proof.explain()
print("numba" in sys.modules)
""",
    "add": """
from zermelo.games import Domineering
solution = zermelo.sum(Domineering(2, 3), Domineering(3, 2))
assert solution.line() and solution.verify() and solution.options() and solution.explain()
assert len(list(solution)) == 648 and solution.arrays.outcome.any() and solution.analyse().plays
print("numba" in sys.modules)
""",
    "add what falls apart": """
import zermelo
from zermelo.games import Domineering, Kayles, TakeAway

solution = zermelo.solve(Kayles(20), value="nimber")
opened = zermelo.open(solution.save("x.table"))
for each in (solution, opened):
    assert each.verify() and each.counts() and each.line() and each.explain()
    assert len(each.arrays.nimber) == 21
    each.export("x.csv", overwrite=True)
whole = zermelo.sum(opened, Kayles(7), TakeAway(21, 3))
assert whole.verify() and whole.line() and whole.explain() and whole.counts()
product = zermelo.sum(Kayles(3), Domineering(2, 2))
assert product.verify() and product.analyse().plays
print(solution.method, "numba" in sys.modules)
""",
    "commands": """
from click.testing import CliRunner
from zermelo.cli import main
for command in (
    "analyse stone-game",
    "explore take-away --export site",
    "export take-away --csv rows.csv",
    "solve tic-tac-toe --verify --table noughts.table",
    "prove take-away --remoteness --verify --save three.proof",
    "solve domineering --rows 2 --columns 3 --verify",
    "verify three.table",
    "probe three.table",
    "explain three.table",
    "analyse three.table",
    "info three.table",
    "export three.table --csv moves.csv",
    "explore three.table --export board",
    "verify three.proof",
    "explain three.proof",
    "info three.proof",
):
    result = CliRunner().invoke(main, command.split(), catch_exceptions=False)
    print(command, result.exit_code, "numba" in sys.modules)
""",
    "explore": """
from fastapi.testclient import TestClient
from zermelo import web
from zermelo.games import TicTacToe
app = web.app(zermelo.solve(TicTacToe()))
client = TestClient(app, base_url="http://localhost:8765")
for path in ("", "api/game", "api/statistics", "api/position/0,0", "api/random", "api/puzzle"):
    response = client.get(f"/{path}")
    assert response.status_code == 200, path
print("numba" in sys.modules)
""",
}
#: What they print, but for whether Numba is imported.
PRINTED = {
    "solve, verify and probe": [
        "±1; 28 components",
        "win in 11; 22 positions",
        "tie in 9; 694 positions",
        "nimber 1; 21 components",
        "score +1 in 4; 14 positions",
    ],
    "ask": ["plain"] * 8,
    "add what falls apart": ["plain"],
    "commands": ["0"] * 16,
}


def test_whatever_is_done_with_small_games_imports_no_numba(tmp_path):
    """One process does it all, and each part says whether Numba is imported by then."""
    whole = "import sys, zermelo\nwith zermelo.limits.using(plain_seconds=60.0):\n"
    for name, program in PROGRAMS.items():
        whole += textwrap.indent(f"print({name!r})\n{program}", "    ")
    command = [sys.executable, "-c", whole]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    printed, name = {name: [] for name in PROGRAMS}, ""
    for line in done.stdout.splitlines():
        if line in PROGRAMS:
            name = line
            continue
        assert line.endswith("False"), (name, line)
        printed[name].append(line)
    for name, lines in printed.items():
        for line, part in zip(lines, PRINTED.get(name, [""]), strict=True):
            assert part in line, name


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_table_that_is_solved_for_is_that_of_compiled_rules(game, tmp_path):
    """Where ``table`` is given, the file does not depend on how quick the machine is."""
    paths = [tmp_path / "plain", tmp_path / "compiled"]
    zermelo.solve(game, table=paths[0])
    with limits.using(plain_seconds=0.0):
        zermelo.solve(game, table=paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_table_that_cannot_be_written_is_refused_at_once(tmp_path):
    """Before anything is solved, or with the solution."""
    path = tmp_path / "there"
    path.touch()
    with pytest.raises(zermelo.TableExistsError):
        zermelo.solve(TicTacToe(), table=path)
    zermelo.solve(TicTacToe(), table=path, overwrite=True)
    assert zermelo.open(path).value.remoteness == 9


@pytest.fixture(params=some([POINTS, CYCLES, *MORE], 5), ids=repr)
def both_ways(request, monkeypatch):
    """Return the solutions of a game in plain Python, where no kernel compiles, and compiled."""
    plain = zermelo.solve(request.param)
    compiled = zermelo.solve(request.param, method="score" if plain.kind.gains else "retrograde")

    def in_python(function):
        with monkeypatch.context() as patch, interpreting():
            patch.setattr(Kernel, "overloads", {})  # as if none had been compiled before
            return function(plain)

    return in_python, lambda function: function(compiled)


@pytest.mark.slow
def test_an_analysis_is_that_of_compiled_rules(both_ways):
    """Chances, traps and all else, but for the seconds it took."""
    plain, compiled = (ask(lambda solution: solution.analyse()) for ask in both_ways)
    assert replace(plain, seconds=0.0) == replace(compiled, seconds=0.0)


@pytest.mark.parametrize("portable", [False, True])
def test_files_are_those_of_compiled_rules(portable, both_ways, tmp_path):
    """To the byte: tables, also for readers without rules, and rows."""
    for name, write in {
        "table": lambda solution, path: solution.save(path, portable=portable),
        "rows": lambda solution, path: solution.export(path, format="csv", move_values=portable),
    }.items():
        paths = [tmp_path / f"{name}-plain", tmp_path / f"{name}-compiled"]
        for ask, path in zip(both_ways, paths, strict=True):
            ask(partial(write, path=path))
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_arrays_are_those_of_compiled_rules(both_ways):
    """Positions and values, a row each."""
    plain, compiled = (vars(ask(lambda solution: solution.arrays)) for ask in both_ways)
    for name, array in plain.items():
        np.testing.assert_array_equal(array, compiled[name])


def test_agents_are_measured_as_by_compiled_rules(both_ways):
    """An agent that makes the first move errs as often, and as badly."""
    plain, compiled = (
        ask(lambda solution: zermelo.evaluate(lambda p: solution.rules.moves(p)[0], solution))
        for ask in both_ways
    )
    assert replace(plain, seconds=0.0) == replace(compiled, seconds=0.0)


def test_the_pace_tells_early_that_a_game_is_too_large(monkeypatch):
    """After a tenth of the time, what is known to be left must fit into the rest."""
    now = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])  # no test may depend on the clock
    limit = TimeLimit(1.0)
    continues = limit.phase()
    now[0] = 0.09
    assert continues(1, 1_000)
    now[0] = 0.5
    assert continues(100, 190)
    assert not continues(100, 210)
    second = limit.phase()  # has half of the time
    now[0] = 0.75
    assert second(10, 19)
    assert not second(10, 21)
    assert TimeLimit(None).phase()(1, 1 << 60)


@pytest.mark.slow
def test_boards_are_left_to_their_method_by_their_size():
    """The order of a table's positions does not depend on the speed of a machine."""
    assert zermelo.solve(ConnectFour(3, 3, 3)).method == "plain"
    assert zermelo.solve(ConnectFour(4, 3)).method == "placement"
