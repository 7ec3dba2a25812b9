"""A pursuit's table is certified by rows, and says what looking one by one would say.

``verify`` falls back to positions one by one, so it does not show which check found a fault.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import zermelo
from support.games.heists import Heist
from support.oracles.chases import both_ways, random_rows
from support.sizes import some
from zermelo import limits
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.pursuit import rules_check
from zermelo._methods.pursuit.file import FileMarks
from zermelo._methods.pursuit.table_form import PursuitForm
from zermelo.games import CatAndMouse
from zermelo.progress import Reporter

NEVER = 1 << 62


def heist(rng, n, *, loses):
    """Return a pursuit over random graphs, with loops, dead ends, and the same edge twice."""
    streets, roofs = (random_rows(rng, n, 2.5 / n) for _ in range(2))
    streets = [[*row, *row[:1]] for row in streets]
    exits = sorted(rng.choice(n, 2, replace=False).tolist())
    cellars = sorted(rng.choice(n, 2, replace=False).tolist())
    guard = next(node for node in range(n - 1, 0, -1) if node not in cellars)
    return Heist(streets, roofs, tuple(exits), tuple(cellars), loses, (n // 2, guard))


@pytest.fixture(autouse=True)
def narrow():
    """Few columns at once, so that small tables have several tiles; all are looked at by rows."""
    with limits.using(at_once=5, bitwise=0):
        yield


def by_rows(solution):
    """Return what is found by rows, or None where all are looked at one by one."""
    arguments = (
        solution._solved.compiled,
        solution._solved.table,
        2,
        Ledger(1 << 30),
        Reporter(None),
    )
    return PursuitForm().check(*arguments, None)


def both(solution):
    """Return the certificate by rows, which must be that of looking one by one."""
    assert by_rows(solution) is not None
    quick = solution.verify()
    with limits.using(bitwise=NEVER):
        slow = solution.verify()
    assert (quick.ok, quick.positions) == (slow.ok, slow.positions)
    assert (quick.problem, quick.position) == (slow.problem, slow.position)
    assert not quick.ok or quick.moves == slow.moves
    return quick


def in_a_file(solution, monkeypatch):
    """Return the certificate of a table that is unpacked to a file, and not to memory."""
    spilled, told, by_rows = [], [], PursuitForm.check

    def kept(*given):
        told.append(by_rows(*given))
        return told[-1]

    def noted(table, scratch):
        spilled.append(unpacked(table, scratch))
        return spilled[-1]

    unpacked = FileMarks.spilled
    with monkeypatch.context() as patch:
        patch.setattr(FileMarks, "spilled", noted)
        patch.setattr(PursuitForm, "check", kept)
        with limits.using(in_memory=False):
            found = solution.verify(memory="20MB")
    assert spilled
    assert told[0] is not None
    return replace(found, seconds=0)


def games():
    """Yield pursuits of all kinds."""
    rng = np.random.default_rng(41)
    yield heist(rng, 9, loses=True)
    yield heist(rng, 9, loses=False)
    for n, directed in ((2, False), (11, True), (40, False)):
        rows = random_rows(rng, n, 3 / n)
        rows = rows if directed else both_ways(rows)
        rows[1] = rows[1] or [1]
        yield CatAndMouse(rows, mouse=1, cat=n - 1, hole=0, directed=directed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", some(games(), 5), ids=["lose", "stay", "edge", "one way", "both ways"]
)
def test_a_changed_value_is_found_and_told_as_one_by_one(game, monkeypatch, tmp_path):
    """In either turn and of every kind, of a table in memory and of its file."""
    solution = zermelo.solve(game)
    assert solution.method == "pursuit"
    assert both(solution)
    table = solution._solved.table
    evader, pursuer = table.column.marks
    rng = np.random.default_rng(42)
    for case in range(24):
        where = (int(rng.integers(len(evader))), int(rng.choice(table.index.nodes)))
        if case == 0:
            evader_at, pursuer_at, _ = game.pursuit().fields
            where = getattr(game.start(), evader_at), getattr(game.start(), pursuer_at)
        marks, where = (pursuer, where[::-1]) if case % 2 else (evader, where)
        right = int(marks[where])
        others = {0, 1, -1, right + 1, right - 1, -right, 126, -127, 1000, -32767, 32767, -32768}
        marks[where] = int(rng.choice(sorted(others - {right})))
        found = both(solution)
        assert not found
        if case < 3:
            path = solution.save(tmp_path / f"{case}.table")
            filed = both(zermelo.open(path, game))
            assert (filed.problem, filed.position) == (found.problem, found.position)
            filed = in_a_file(zermelo.open(path, game), monkeypatch)
            assert (filed.problem, filed.position) == (found.problem, found.position)
        marks[where] = right
    filed = zermelo.open(solution.save(tmp_path / "right.table"), game)
    assert both(filed)
    filed = zermelo.open(tmp_path / "right.table", game)
    filed.threads = 2
    assert in_a_file(filed, monkeypatch) == replace(solution.verify(), seconds=0)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["random", "path"])
def test_wrong_values_at_the_ends_of_blocks_are_told_alike(monkeypatch, tmp_path, shape):
    """In files of many blocks, also of chases so long that values take four bytes to compare."""
    rng = np.random.default_rng(44)
    n = 100
    rows = random_rows(rng, n, 4 / n) if shape == "random" else [[i + 1] for i in range(n - 1)]
    rows = both_ways([*rows, *[[]] * (n - len(rows))])
    solution = zermelo.solve(CatAndMouse(rows, mouse=1, cat=n - 1, hole=0))
    table, blocks = solution._solved.table, 2 * n * len(solution._solved.table.index.nodes) // 4096
    half = n * len(table.index.nodes)
    for case in range(2 * blocks):
        number = 4096 * (case // 2 + 1) - case % 2
        turn, pair = divmod(number, half)
        evader, pursuer = (
            pair // len(table.index.nodes),
            table.index.nodes[pair % len(table.index.nodes)],
        )
        marks, where = table.column.marks[turn], (pursuer, evader) if turn else (evader, pursuer)
        right = marks[where]
        marks[where] = int(rng.choice([0, right + 2, -right - 1, 5]))
        marks[where] += marks[where] == right
        path = solution.save(tmp_path / f"{case}.table")
        filed = zermelo.open(path, solution.game)
        filed.threads = 1 + case % 3
        found = in_a_file(filed, monkeypatch)
        whole = solution.verify()
        assert not found.ok
        assert found == replace(whole, seconds=0)
        marks[where] = right


@pytest.mark.slow
def test_threads_and_wide_marks_change_nothing():
    """Marks past 16 bits are compared likewise."""
    solution = zermelo.solve(CatAndMouse([[1], [0, 2], [1, 3], [2]], cat=3))
    table = solution._solved.table
    table.column.marks = tuple(marks.astype(np.int32) for marks in table.column.marks)
    for threads in (1, 3):
        solution.threads = threads
        assert both(solution)
    for wrong in (1 << 20, -(1 << 31) + 2):
        table.column.marks[0][2, 3] = wrong
        assert not both(solution)


@pytest.mark.slow
def test_what_is_no_pursuit_by_its_rules_is_looked_at_one_by_one(monkeypatch):
    """One node's moves, or end, are enough to tell; what counts is then what follows."""
    monkeypatch.setattr(rules_check, "check_rules", lambda *_: None)  # which refuses to solve it
    game = heist(np.random.default_rng(43), 9, loses=True)
    right = dict(zermelo.solve(game).items())
    verdicts = set()
    for node in range(9):
        rest = tuple(other for other in game.roofs[node] if other not in game.cellars)
        if node in game.cellars or len(rest) == 0:
            continue
        roofs = (*game.roofs[:node], rest[1:], *game.roofs[node + 1 :])
        said = replace(replace(game, described=None).pursuit(), pursuer_graph=roofs)
        object.__setattr__(game, "described", said)
        solution = zermelo.solve(game)
        assert by_rows(solution) is None
        verdict = bool(solution.verify())
        assert verdict == (dict(solution.items()) == right)
        verdicts.add(verdict)
    assert False in verdicts
    # A guard in the exit catches who comes there, which the description does not say.
    waiting = replace(game, described=None, cellars=(), caught_first=True)
    solution = zermelo.solve(waiting)
    assert by_rows(solution) is None
    assert not solution.verify()


def test_too_little_memory_is_left_to_looking_one_by_one():
    """Which says how much it needs."""
    solution = zermelo.solve(CatAndMouse([[1], [0, 2], [1, 3], [2]], cat=3))
    arguments = (solution._solved.compiled, solution._solved.table, 2)
    more = Reporter(None), None
    assert PursuitForm().check(*arguments, Ledger(1 << 20), *more) is None
    assert PursuitForm().check(*arguments, Ledger(1 << 23), *more).fault == 0
