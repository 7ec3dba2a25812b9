"""Explicit graphs solved by several processes: the same tables, byte for byte."""

from __future__ import annotations

import random
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import forged
from support.processes.driver_stops import ALWAYS, stop_anywhere
from support.processes.fake_workers import pretended, small_rounds
from support.processes.lost_workers import killing
from support.sizes import counts, some
from zermelo import DRAW, LOSS, WIN, limits
from zermelo.errors import ZermeloError
from zermelo.graph import NONE, GraphGame, solve_networkx


def solved(game, path, **how):
    """Return the bytes of a table that one thread makes; nothing of the solve is left beside it."""
    how = {"threads": 1, "memory": "200MB", **how}
    with game.solve(table=path, overwrite=True, **how):
        assert not path.with_name(f"{path.name}.unfinished").exists()
        return path.read_bytes()


def random_graph(rng, most=40, degree=4):
    """Return a random graph: loops, repeated edges, dead ends, and vertices where it is over."""
    n = rng.randrange(most)
    near = rng.random() < 0.3  # so that play is long
    rows = []
    for v in range(n):
        reach = range(max(0, v - 3), min(n, v + 4)) if near else range(n)
        rows.append([rng.choice(reach) for _ in range(rng.randrange(degree + 1))])
        if rows[-1] and rng.random() < 0.1:
            rows[-1] += [v, rows[-1][0]]
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([target for row in rows for target in row], np.int64)
    outcome = rng.choices((NONE, WIN, DRAW, LOSS), (8, 1, rng.choice((0, 1)), 1), k=n)
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.6 else None
    kinds = {
        "no_moves": rng.choice((LOSS, LOSS, DRAW, WIN)),
        "endless": rng.choice((-1, 0, 1)) if owner is not None else -1,
        "start": rng.randrange(n) if n and rng.random() < 0.5 else None,
    }
    kind = rng.choice((np.int32, np.uint32, np.int64))
    given = np.array(outcome, np.int8) if rng.random() < 0.8 else None
    return GraphGame(indptr.astype(kind), indices.astype(kind), given, owner, **kinds)


def large_graph(n, seed):
    """Return a random graph of vertices with owners, and about five edges each."""
    rng = np.random.default_rng(seed)
    degrees = rng.integers(0, 11, n)
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    indices = rng.integers(0, n, indptr[-1], np.uint32)
    return GraphGame(indptr, indices, None, rng.integers(0, 2, n, np.uint8), start=n // 2)


def chain(n, end=LOSS):
    """Return a graph that is one way, with a fan of repeated edges at its beginning."""
    first = np.concatenate([[0], np.minimum(np.arange(n) + 100, n + 98)])
    edges = np.concatenate([np.full(100, 1), np.arange(2, n)])
    return GraphGame(first, edges, np.array([NONE] * (n - 1) + [end], np.int8))


@pytest.fixture
def quick(among):
    """Share even small steps among workers in this process; see ``among``."""
    with limits.using(sharing=0, at_once=300):
        yield among


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("sizes", some([{2}, {1, 3}], 2, slow=2), ids=repr)
def test_the_same_table_with_any_number_of_workers(sizes, tmp_path):
    """Alone, and with one, two and three of them, each a process; the certificate holds."""
    path, saved, told = tmp_path / "graph.table", tmp_path / "saved.table", []
    game = large_graph(20_000, 1)
    alone = solved(game, path)
    assert game.solve(threads=1, memory="200MB").save(saved).read_bytes() == alone
    for size in sizes:
        word = f"local[{size}]"
        with limits.using(sharing=0):
            assert solved(game, path, cluster=word, progress=told.append) == alone
        said = [event.detail for event in told if event.phase == "cluster"][-1]
        assert said.count("worker ") == size
        assert all(f"worker {n} on" in said for n in range(size))
        with zermelo.open(path) as solution:
            verdict = solution.verify(cluster=word)
            assert (bool(verdict), verdict.moves) == (True, game.edges)


@counts(None, 20, 10_000)
def test_random_graphs_when_workers_are_lost_at_any_unit(count, tmp_path, quick):
    """One to four workers; owners, endless wins, loops; some are finished by the driver."""
    rng = random.Random(count)
    path = tmp_path / "graph.table"

    def lost(_):
        return rng.choice(("after", True)) if rng.random() < 0.03 else False

    for n in range(count):
        game = random_graph(rng)
        alone = solved(game, path)
        sharing, narrow = rng.choice((0, 0, 1e-2)), rng.choice((4, 1 << 20))
        with (
            small_rounds(rng.choice((1, 2, 4))),
            limits.using(at_once=rng.choice((1, 5, 300)), narrow=narrow, sharing=sharing),
        ):
            word = quick(rng.randrange(1, 5), lost)
            assert solved(game, path, cluster=word, threads=rng.choice((1, 2))) == alone, n
        if n % 20 == 0:
            with zermelo.open(path) as solution:
                assert solution.verify()
                assert solution.verify(cluster=quick(2))


@pytest.mark.slow
@pytest.mark.parametrize("end", [LOSS, pytest.param(DRAW, marks=pytest.mark.huge)])
def test_long_play_and_many_edges(end, tmp_path, quick):
    """What is known of a vertex takes two bytes then, also where a worker is lost."""
    path, rng = tmp_path / "graph.table", random.Random(5)
    game = chain(400, end)
    alone = solved(game, path)
    assert solved(game, path, cluster=quick(2, lambda _: rng.random() < 0.01)) == alone


@pytest.mark.huge
def test_longer_play_than_two_bytes_say(tmp_path, quick):
    """Then four are taken, here as alone."""
    path = tmp_path / "graph.table"
    game = chain(17_000)
    alone = solved(game, path)
    assert solved(game, path, cluster=quick(2)) == alone


@counts(None, 2, 30)
def test_drivers_that_stop_at_any_unit_resume_with_other_workers(count, tmp_path, quick):
    """Rounds go on from the last that was recorded, and the graph is not written again."""
    rng = random.Random(count)
    path = tmp_path / "graph.table"
    resumed = []
    for n in range(count):
        game = large_graph(300, n) if n % 2 else chain(60)
        resumed += stop_anywhere(solved, game, path, quick, rng, last=40)
    assert [event for event in resumed if event.phase == "resume"]


@pytest.mark.slow
def test_the_stages_of_another_graph_are_not_resumed(tmp_path, quick):
    """One edge leads elsewhere: the solve restarts, and says so."""
    path, told, left = tmp_path / "graph.table", [], 9
    game = chain(60)
    other = GraphGame(game.indptr, np.where(game.indices == 50, 51, game.indices), game.outcome)
    alone = solved(other, path)
    path.unlink()

    def stop(_):
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return False

    with limits.using(**ALWAYS):
        with pytest.raises(KeyboardInterrupt):
            solved(game, path, cluster=quick(2, stop))
        assert solved(other, path, cluster=quick(2), progress=told.append) == alone
    assert [event.phase for event in told if event.detail][:1] == ["restart"]


def test_small_graphs_are_not_worth_asking_anybody(tmp_path, among):
    """The driver solves them as it does alone."""
    path, game = tmp_path / "graph.table", chain(60)
    alone, asked = solved(game, path), []
    assert solved(game, path, cluster=among(2, asked.append)) == alone
    assert not asked


@pytest.mark.slow
def test_names_and_starts_are_in_the_table(tmp_path, quick):
    """As in one that is saved."""
    path = tmp_path / "graph.table"
    arena = nx.DiGraph([("hall", "door"), ("door", "hall"), ("door", ("exit", 1))])
    how = {"table": path, "cluster": quick(2), "start": "hall"}
    with solve_networkx(arena, {("exit", 1): LOSS}, **how) as solution:
        assert (solution.start, str(solution.value)) == ("hall", "loss in 2")
        assert solution.line("door").moves == [("exit", 1)]
        assert list(solution.rules.nodes) == list(arena)


STRANGE = {
    "descends": (([0, 2, 1, 3], [0, 1, 2]), {}, r"indptr\[1\] is 2 and indptr\[2\] 1"),
    "outcome": (([0, 1], [0], [3]), {}, r"outcome\[0\] is 3; use WIN"),
    "elsewhere": (([0, 1], [1]), {}, r"indices\[0\] is 1; give vertices"),
    "start": (([0, 1], [0]), {"start": 7}, "7 is not a vertex"),
    "name": (([0, 1], [0]), {"vertex_names": [frozenset()]}, "cannot be written to a file"),
    "no table": (([0, 1], [0]), {"table": None}, r"needs table=, the path of a file in a folder"),
    "no word": (([0, 1], [0]), {"cluster": "two"}, "cluster='two' is not known"),
    "memory": (([0, 1], [0]), {"memory": 2}, "solving 1 vertex needs at least"),
}


@pytest.mark.parametrize("case", STRANGE)
def test_what_is_no_graph_is_refused_as_it_is_alone(case, tmp_path, quick):
    """In a sentence; nothing is left but what a later call begins with."""
    arrays, how, said = STRANGE[case]
    given = {"table": tmp_path / "graph.table", "cluster": quick(2), **how}
    with pytest.raises(ZermeloError, match=said):
        zermelo.graph.solve(*arrays, **given)
    assert not (tmp_path / "graph.table").exists()


def test_what_does_not_fit_a_worker_is_refused_in_a_sentence(tmp_path, quick):
    """Every process of a machine has its part of the memory, and reversed edges must fit."""
    said = r"a worker's part of a graph of 5,000 v.* needs at least .* start more workers"
    with pytest.raises(zermelo.BudgetError, match=said) as caught:
        solved(large_graph(5_000, 1), tmp_path / "t", cluster=quick(2), memory="150kB")
    assert caught.value.needed > caught.value.allowed


@pytest.mark.parametrize(("name", "place"), [("edges", 0), ("first", 20), ("outcome", 3)])
def test_a_graph_that_has_changed_in_the_shared_folder_is_refused(name, place, tmp_path, quick):
    """A worker looks at what it reads before it follows any of it."""
    path, folder = tmp_path / "graph.table", tmp_path / "graph.table.unfinished"

    def change(unit):
        if not unit.rounds:
            (column,) = folder.glob(f"*-{name}.column")
            data = bytearray(column.read_bytes())
            data[place : place + 4] = b"\xf0" * 4
            column.write_bytes(data)
        return False

    with pytest.raises(zermelo.ClusterError, match=r"the graph .* is damaged"):
        solved(large_graph(300, 1), path, cluster=quick(2, change))


@counts(20, None, 1_000)
def test_whatever_is_forged_the_same_is_said_of_a_table(count, tmp_path):
    """Wrong values, edges and outcomes, with any number of workers."""
    path, rng, heard = tmp_path / "graph.table", random.Random(count), set()
    large_graph(3_000, 3).solve(table=path)

    def change(header, parts):
        block = rng.choice(parts[rng.choice(("values", "values", "edges", "outcomes"))])
        for _ in range(rng.choice((0, 1, 1, 2))):
            block[rng.randrange(len(block))] ^= 1 << rng.randrange(3)

    def said(solution, **how):
        try:
            found = solution.verify(**how)
        except (zermelo.CorruptTableError, zermelo.ClusterError):
            return "refused"
        return found.ok, found.positions, found.moves, found.problem, found.position

    for _ in range(count):
        try:
            solution = zermelo.open(forged(path, change))
        except zermelo.CorruptTableError:
            continue
        with solution:
            alone, size = said(solution), rng.randrange(1, 6)
            with pretended(size):
                assert said(solution, cluster=f"local[{size}]") == alone
        heard.add(alone[0])
    assert {True, False} <= heard


def test_a_solution_in_memory_cannot_be_checked_by_others():
    """There is no file that they could open."""
    with pytest.raises(zermelo.ParameterError, match="only a table in a file"):
        chain(9).solve().verify(cluster="local[2]")


@pytest.mark.huge
@pytest.mark.timing
def test_killed_workers(tmp_path):
    """Another reads the rows of the one that is lost, and all that was decided."""
    path, game = tmp_path / "graph.table", large_graph(20_000, 1)
    alone, told = solved(game, path), []
    with limits.using(sharing=0), killing({2, 9, 17}):
        assert solved(game, path, cluster="local[2]", progress=told.append) == alone
    assert any("3 workers were lost" in event.detail for event in told)


@pytest.mark.slow
def test_as_it_is_typed(tmp_path):
    """The command makes the same table; it names what is missing, and what cannot be shared."""
    (tmp_path / "lift.gm").write_text("parity 3; start 1; 0 2 0 0; 1 1 0 2,3; 2 1 1 0,1; 3 1 0 3;")

    def typed(*words):
        command = [sys.executable, "-m", "zermelo", *words, "--quiet"]
        return subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)

    made = []
    for more in ([], ["--cluster", "local[2]", "--force"]):
        done = typed("graph", "lift.gm", "--table", "lift.table", *more)
        made.append((done.stdout, (tmp_path / "lift.table").read_bytes()))
    assert made[0] == made[1]
    assert typed("verify", "lift.table", "--cluster", "local[2]").returncode == 0
    said = typed("graph", "lift.gm", "--cluster", "local[2]").stderr
    assert "--cluster needs --table, the path of a file" in said
    again = ["--table", "other.table", "--cluster", "local[2]"]
    assert "use zermelo verify --cluster" in typed("graph", "lift.table", *again).stderr
