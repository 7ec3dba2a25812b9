"""Tables that are kept unasked: never stale, never in the way, and found again at once."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass

import pytest

import zermelo
from support.sizes import some
from zermelo import Game, ParameterError, TableWriteError, limits
from zermelo.games import ConnectFour, Quixo, StoneGame, TakeAway
from zermelo.tables import cache as keeping


@pytest.fixture
def unsolvable(monkeypatch):
    """Make any solve fail from now on, when called."""

    def forbid():
        monkeypatch.setattr(keeping, "solve", lambda *_, **__: pytest.fail("it was solved again"))

    return forbid


def test_the_folder_follows_the_system_and_the_variable(monkeypatch):
    """ZERMELO_HOME wins; without it, it is where the user's programs keep data."""
    monkeypatch.setenv("ZERMELO_HOME", "/somewhere")
    assert str(keeping.cache_folder()) == "/somewhere/tables"
    monkeypatch.delenv("ZERMELO_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert keeping.cache_folder().parts[-2:] == ("zermelo", "tables")


@pytest.mark.parametrize(
    ("game", "how"),
    some(
        [
            (ConnectFour(width=4, height=3), {}),
            (ConnectFour(width=4, height=3), {"value": "outcome"}),
            (Quixo(3), {}),
            (Quixo(3), {"symmetry": False}),
            (StoneGame(piles=(3, 1, 4, 1)), {}),
            (TakeAway(stones=9), {}),
        ],
        4,
    ),
)
def test_what_was_solved_is_recalled(home, unsolvable, game, how):
    """With the same values, counts and starts, and without solving."""
    solved = zermelo.solve_cached(game, **how)
    unsolvable()
    recalled = zermelo.solve_cached(game, **how)
    assert recalled is not solved
    assert recalled.value == solved.value
    assert recalled.counts() == solved.counts()
    assert recalled.counts(folded=True) == solved.counts(folded=True)
    assert sorted(recalled.items(), key=str) == sorted(solved.items(), key=str)
    assert recalled.verify()
    assert [phase for phase, _ in recalled.phases] == ["open"]
    (kept,) = zermelo.cached_tables()
    assert (kept.game, kept.positions, kept.stale) == (type(game).__name__, len(solved), False)
    assert kept.path.parent == home


@pytest.mark.slow
def test_anything_else_is_another_table(home):
    """Other parameters, without remoteness, without symmetries: each has its own."""
    for game, how in (
        (Quixo(3), {}),
        (Quixo(3), {"symmetry": False}),
        (TakeAway(stones=5), {}),
        (ConnectFour(width=4, height=3), {}),
        (ConnectFour(width=4, height=3), {"value": "outcome"}),
    ):
        assert keeping.find_cached(game, **how) is None
        zermelo.solve_cached(game, **how)
        assert keeping.find_cached(game, **how) is not None
    assert len(zermelo.cached_tables()) == 5
    assert len(keeping.find_cached(Quixo(3))) < len(keeping.find_cached(Quixo(3), symmetry=False))


def test_a_limit_of_nothing_turns_it_off(home, monkeypatch):
    """What was kept before is not read either, and stays."""
    zermelo.solve_cached(TakeAway(stones=9))
    (kept,) = keeping.cached_tables()
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "0")
    assert "open" not in dict(zermelo.solve_cached(TakeAway(stones=9)).phases)
    assert keeping.cached_tables() == [kept]


def test_a_limit_that_is_no_amount_is_named(home, monkeypatch):
    """It is the variable that is wrong, and no argument."""
    zermelo.solve_cached(TakeAway(stones=9))
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "much")
    with pytest.raises(ParameterError, match=r"^\$ZERMELO_TABLES_LIMIT is 'much', not an amount"):
        zermelo.solve_cached(TakeAway(stones=9))


def test_solve_itself_neither_looks_nor_keeps(home):
    """It stays what it was."""
    zermelo.solve(TakeAway(stones=9))
    assert not home.exists()
    zermelo.solve_cached(TakeAway(stones=9))
    assert zermelo.solve(TakeAway(stones=9)).phases[0][0] != "open"


def test_fresh_solves_again_and_keeps_that(home, monkeypatch):
    """Whatever is there, even if it is damaged."""
    zermelo.solve_cached(TakeAway(stones=9))
    (kept,) = zermelo.cached_tables()
    whole = kept.path.read_bytes()
    kept.path.write_bytes(whole[:100])
    assert zermelo.solve_cached(TakeAway(stones=9), fresh=True).phases[0][0] != "open"
    assert keeping.find_cached(TakeAway(stones=9)) is not None


def test_a_damaged_table_is_made_again(home):
    """It is listed as stale until then."""
    zermelo.solve_cached(TakeAway(stones=9))
    (kept,) = zermelo.cached_tables()
    kept.path.write_bytes(kept.path.read_bytes()[:-9])
    (damaged,) = zermelo.cached_tables()
    assert damaged.stale
    assert "should be" in damaged.problem
    assert zermelo.solve_cached(TakeAway(stones=9)).phases[0][0] != "open"
    assert not zermelo.cached_tables()[0].stale


def test_what_is_quickly_solved_is_not_kept(home, monkeypatch):
    """Nor what has few positions, nor what would be more than all tables may take."""
    with limits.using(cached_seconds=60.0):
        zermelo.solve_cached(TakeAway(stones=9))
    with limits.using(cached_positions=11):
        zermelo.solve_cached(TakeAway(stones=9))
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "100")
    zermelo.solve_cached(TakeAway(stones=9))
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", "1GB")
    assert not home.exists()
    with limits.using(cached_positions=10):
        zermelo.solve_cached(TakeAway(stones=9))
    assert len(zermelo.cached_tables()) == 1


def test_the_time_that_compiling_takes_makes_no_solve_worth_keeping(home):
    """A table is worth as much as it takes to solve again, when nothing is compiled any more."""
    solution = zermelo.solve(TakeAway(stones=9))
    assert solution.compile_seconds >= 0
    solution.phases, solution.compile_seconds = [("sweep", 5.0)], 4.5
    with limits.using(cached_seconds=2.0):
        assert keeping.store_solution(solution) is None
        solution.compile_seconds = 1.0
        assert keeping.store_solution(solution).exists()


def test_those_not_used_for_longest_make_room(home, monkeypatch):
    """The one just made stays in any case."""
    for stones in (7, 8, 9):
        zermelo.solve_cached(TakeAway(stones=stones))
    paths = {t.parameters["stones"]: t.path for t in zermelo.cached_tables()}
    for age, stones in ((300, 8), (200, 9), (100, 7)):
        os.utime(paths[stones], (time.time() - age, time.time() - age))
    assert keeping.find_cached(TakeAway(stones=8)) is not None  # which is a use
    size = max(path.stat().st_size for path in paths.values())
    monkeypatch.setenv("ZERMELO_TABLES_LIMIT", str(3 * size + size // 2))
    zermelo.solve_cached(TakeAway(stones=10))
    assert {t.parameters["stones"] for t in zermelo.cached_tables()} == {7, 8, 10}


def test_a_folder_that_cannot_be_written_is_no_error(home, monkeypatch):
    """It is a warning, and the solution is there."""
    home.parent.mkdir()
    home.write_text("a file")
    with pytest.warns(UserWarning, match="the solution is not cached: .* cannot be written"):
        solution = zermelo.solve_cached(TakeAway(stones=9))
    assert str(solution.value) == "win in 5"
    assert zermelo.cached_tables() == []


def test_a_full_disk_is_no_error_either(home, monkeypatch):
    """Nothing of the table stays."""
    monkeypatch.setattr(
        "os.fsync",
        lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")),
    )
    with pytest.warns(UserWarning, match="No space left on device; make room"):
        zermelo.solve_cached(TakeAway(stones=9))
    assert list(home.iterdir()) == []


RULES = """
    from dataclasses import dataclass
    import zermelo
    from zermelo import Game, limits

    @dataclass(frozen=True)
    class Heap(Game):
        top: int = 20

        def start(self):
            return self.top

        def moves(self, n):
            for k in range(1, min({most}, n) + 1):
                yield k

        def play(self, n, k):
            return n - k

    if __name__ == "__main__":
        with limits.using(cached_seconds=0.0, cached_positions=0):
            solution = zermelo.solve_cached(Heap())
        print(solution.value, solution.phases[0][0] == "open", len(zermelo.cached_tables()))
"""


@pytest.mark.slow
def test_other_rules_are_never_answered_from_a_table(home, tmp_path):
    """An edited file is another game, and the old one is found again when it is edited back."""

    def told(most):
        (tmp_path / "heap.py").write_text(textwrap.dedent(RULES.format(most=most)))
        program = [sys.executable, "-B", str(tmp_path / "heap.py")]
        return subprocess.run(program, capture_output=True, text=True, check=True).stdout

    assert told(3) == "loss in 10 False 1\n"
    assert told(3) == "loss in 10 True 1\n"
    assert told(4) == "loss in 8 False 2\n"
    assert told(3) == "loss in 10 True 2\n"


@dataclass(frozen=True)
class Kept(Game):
    """A game that is not of the zoo."""

    def start(self) -> int:
        """Return a heap of three."""
        return 3

    def moves(self, n: int):
        """Go down."""
        if n:
            yield 1

    def play(self, n: int, k: int) -> int:
        """Take one."""
        return n - k


def test_of_games_outside_the_zoo_nobody_can_tell_whether_they_are_stale(home):
    """And of the zoo's, those that nothing would find are."""
    zermelo.solve_cached(Kept())
    (kept,) = zermelo.cached_tables()
    assert kept.stale is None
    kept.remove()
    zermelo.solve_cached(TakeAway(stones=4))
    (kept,) = zermelo.cached_tables()
    kept.path.rename(kept.path.with_name("TakeAway-0123456789abcdef.table"))
    (kept,) = zermelo.cached_tables()
    assert kept.stale is True
    kept.remove()
    kept.remove()
    assert zermelo.cached_tables() == []


@pytest.mark.slow
def test_several_processes_may_keep_the_same_at_once(home, tmp_path):
    """Each answers, and one whole table is there."""
    program = tmp_path / "heap.py"
    program.write_text(textwrap.dedent(RULES.format(most=3)))
    running = [
        subprocess.Popen([sys.executable, "-B", str(program)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in running:
        out, _ = process.communicate()
        assert out.startswith("loss in 10 ")
        assert process.returncode == 0
    assert [path.suffix for path in home.iterdir()] == [".table"]


def test_a_table_that_must_not_be_deleted_is_told(home, monkeypatch):
    """In a sentence."""
    zermelo.solve_cached(TakeAway(stones=4))
    (kept,) = zermelo.cached_tables()
    kept.path.unlink()
    kept.path.mkdir()
    with pytest.raises(TableWriteError, match=r"cannot be deleted: .*; delete it yourself"):
        kept.remove()
