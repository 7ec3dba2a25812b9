"""Solving into a table: whatever ends the process, the next one goes on to the same file."""

from __future__ import annotations

import itertools
import os
import resource
import signal
import stat
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest

import zermelo
from support.games.dense import Ring, fixed_bytes
from support.processes.kills import (
    AGAIN,
    BOARD,
    CASES,
    CAT,
    LARGER,
    Case,
    Killed,
    dying,
    dying_at_the_end,
    eager,
    stages,
)
from support.processes.progress import every_event
from support.sizes import but, some
from zermelo import TableBusyError, TableExistsError, TableWriteError, limits
from zermelo.games import CatAndMouse, ConnectFour, TakeAway, TicTacToe

pytestmark = pytest.mark.timing

#: Memory that is too little for ``BOARD``.
LITTLE = 3800
HOUSE = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


@pytest.fixture(autouse=True)
def _everything_is_worth_keeping():
    """Write every stage, however little time it took.

    Nor is the disk waited for, which a process that ends does not need.
    """
    with eager(), mock.patch("os.fsync"):
        yield


@pytest.mark.parametrize(
    ("case", "when"),
    [
        *some([pytest.param(case, "during", id=f"{case}-during") for case in CASES], 12),
        *some(
            [
                pytest.param(case, when, id=f"{case}-{when}")
                for case in CASES
                for when in ("before", "after")
            ],
            1000,
            slow=8,
        ),
    ],
)
def test_killed_at_every_stage(case: Case, when: str, tmp_path: Path, monkeypatch):
    """Killed at each stage in turn, and gone on from there: the file is the same to the byte."""
    plain = tmp_path / "plain.table"
    whole = case.solve(plain)
    assert [path.name for path in tmp_path.iterdir()] == ["plain.table"]
    assert not whole.resumed
    said = set()
    for n in itertools.count(1):
        path = tmp_path / "killed.table"
        try:
            with dying(n, when):
                case.solve(path)
        except Killed:
            assert not path.exists()
        else:
            break
        # The stages are those of a killed process, once more killed before it went on.
        solution = case.solve(path)
        assert path.read_bytes() == plain.read_bytes(), n
        assert [each.name for each in tmp_path.iterdir() if each != plain] == [path.name]
        said.update(solution.resumed.split("; "))
        path.unlink()
    assert n > case.least
    assert any(said)


#: Cases whose arrays are in a store; in the last, times outgrow the type that they begin with.
STORES = [
    *(case for case in CASES if case.name.startswith(("levels", "placement", "pursuit"))),
    Case("long pursuit", CAT, {"method": "pursuit"}, 4, {"narrow": 2}),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", some(STORES, 4), ids=str)
def test_a_store_goes_on_where_it_was(case: Case, tmp_path: Path):
    """Killed once, with most of it recorded: its arrays are read back, to memory or in files."""
    plain, path = tmp_path / "plain.table", tmp_path / "killed.table"
    case.solve(plain)
    with pytest.raises(Killed), dying(case.least, "after"):
        case.solve(path)
    assert case.solve(path).resumed
    assert path.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("case", some(CASES, 12, slow=4), ids=str)
def test_killed_again_and_again(case: Case, tmp_path: Path, monkeypatch):
    """Killed at every second stage, and always gone on: it ends, and the file is the same."""
    plain, path = tmp_path / "plain.table", tmp_path / "killed.table"
    case.solve(plain)
    kills = 0
    while True:
        try:
            with dying(2, "after"):
                case.solve(path)
        except Killed:
            kills += 1
            continue
        break
    assert path.read_bytes() == plain.read_bytes()
    assert kills >= case.least // 2


@pytest.mark.slow
def test_a_table_does_not_tell_what_one_process_of_several_did(tmp_path: Path):
    """How finely levels were divided, only the process knows that did it."""
    case = next(case for case in CASES if case.name == "levels on disk")
    assert case.solve(tmp_path / "x.table").choice.endswith(
        "; on disk, because the levels do not fit in 64 MB"
    )
    with limits.using(**case.short):
        plain = zermelo.solve(case.game, threads=1, **case.arguments)
    assert "levels looked up in up to 2 parts" in plain.choice


@pytest.mark.huge
def test_levels_in_parts_are_resumed_to_the_same_file(tmp_path: Path):
    """Killed when all large levels are decided: the last process has divided none."""
    game = next(case for case in LARGER if case.name == "levels of 5x4 on disk")
    plain, path = tmp_path / "plain.table", tmp_path / "killed.table"
    with stages() as written:
        game.solve(plain)
    with pytest.raises(Killed), dying(len(written) - 6, "after"):
        game.solve(path)
    assert game.solve(path).resumed
    assert path.read_bytes() == plain.read_bytes()


@pytest.mark.slow
def test_gone_on_while_the_system_has_other_memory(tmp_path, monkeypatch):
    """What was solved in tiers goes on in rounds or with all moves, or the reverse: all right."""
    path, least = tmp_path / "killed.table", fixed_bytes(AGAIN)
    right = dict(zermelo.solve(AGAIN, method="retrograde").items())
    memories = {"rounds": least + 20, "tiers": least + 60, "reversed moves": 1 << 30}
    resumed = set()

    def solve(how: str) -> zermelo.Solution:
        with limits.using(memory=memories[how]):
            return zermelo.solve(AGAIN, method="dense", threads=1, table=path)

    for first, second in itertools.permutations(memories, 2):
        for n in itertools.count(1):
            try:
                with dying(n, "after"):
                    assert f" {first}" in solve(first).choice
            except Killed:
                solution = solve(second)
                assert dict(solution.items()) == right
                resumed.add((first, second, bool(solution.resumed)))
                path.unlink()
            else:
                path.unlink()
                break
    assert {(first, second) for first, second, _ in resumed} == {
        *itertools.permutations(memories, 2)
    }
    assert any(went_on for *_, went_on in resumed)


def test_what_is_solved_into_a_table_answers_from_it(tmp_path):
    """The solution is the table's, and the table that which ``save`` would have written."""
    path = tmp_path / "house.table"
    events = []
    solution = zermelo.solve(CatAndMouse(HOUSE), table=path, progress=events.append)
    saved = zermelo.solve(CatAndMouse(HOUSE)).save(tmp_path / "saved.table")
    assert path.read_bytes() == saved.read_bytes()
    assert solution.value == zermelo.open(path).value
    assert solution.verify()
    assert "save" in [name for name, _ in solution.phases]
    assert not any(event.detail for event in events)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.table", "saved.table"]


@pytest.mark.slow
@pytest.mark.parametrize("game", [ConnectFour(3, 3), TakeAway(9)], ids=["placement", "retrograde"])
def test_every_method_can_solve_into_a_table(game, tmp_path):
    """The file is that of ``save``, and answers the same."""
    path = tmp_path / "game.table"
    solution = zermelo.solve(game, table=path)
    plain = zermelo.solve(game)
    assert path.read_bytes() == plain.save(tmp_path / "saved.table").read_bytes()
    assert dict(solution.items()) == dict(plain.items())
    assert solution.counts() == plain.counts()
    assert (solution.method, solution.choice) == (plain.method, plain.choice)


def test_what_was_finished_is_said(tmp_path):
    """A solve that goes on says so in an event and in the solution."""
    path = tmp_path / "house.table"
    with pytest.raises(Killed), dying(3, "after"):
        zermelo.solve(CatAndMouse(HOUSE), method="retrograde", table=path)
    events = []
    solution = zermelo.solve(
        CatAndMouse(HOUSE), method="retrograde", table=path, progress=events.append
    )
    told = [event.detail for event in events if event.phase == "resume" and event.detail]
    assert "positions were explored" in told[0]
    assert solution.resumed == "; ".join(told)


@pytest.mark.parametrize(
    "other",
    [
        {"game": CatAndMouse(HOUSE, directed=True)},
        {"game": CatAndMouse(HOUSE), "method": "horizon"},
        {"game": CatAndMouse(HOUSE), "memory": "50MB"},
        {"game": TakeAway(9), "method": "retrograde"},
    ],
    ids=["parameters", "method", "memory", "game"],
)
def test_another_solve_restarts(other, tmp_path):
    """Stages of another game, parameter, method or memory are not mixed in, and it is said."""
    path = tmp_path / "house.table"
    with pytest.raises(Killed), dying(3, "after"):
        zermelo.solve(CatAndMouse(HOUSE), method="retrograde", table=path)
    events = []
    other = {"method": "retrograde", **other}
    game = other.pop("game")
    solution = zermelo.solve(game, table=path, progress=events.append, **other)
    assert not solution.resumed
    assert [event.detail for event in events if event.phase == "restart"] == [
        f"restarted, as '{path}.unfinished' was of another solve"
    ]
    expected = zermelo.solve(game, **other).save(tmp_path / "expected.table")
    assert path.read_bytes() == expected.read_bytes()


@pytest.mark.slow
def test_less_memory_than_before_does_not_change_the_file(tmp_path, monkeypatch):
    """Where nobody says how much memory there is, the first process's is what counts."""
    path = tmp_path / "ring.table"
    game = Ring(9, 2)
    with limits.using(memory=fixed_bytes(game) + 4000):
        first = zermelo.solve(game, method="dense", table=tmp_path / "first.table", threads=1)
        with pytest.raises(Killed), dying(2, "after"):
            zermelo.solve(game, method="dense", table=path, threads=1)
    solution = zermelo.solve(game, method="dense", table=path, threads=1)
    assert solution.choice == first.choice
    assert path.read_bytes() == (tmp_path / "first.table").read_bytes()


def test_a_file_that_is_there_is_not_touched(tmp_path):
    """Nothing is even begun where there is a file; told to replace it, it is the last step."""
    path = tmp_path / "nim.table"
    path.write_text("mine")
    with pytest.raises(TableExistsError, match=r"nim\.table' already exists; .*overwrite=True"):
        zermelo.solve(TakeAway(9), table=path)
    with pytest.raises(TableExistsError, match="is a folder"):
        zermelo.solve(TakeAway(9), table=tmp_path)
    with pytest.raises(Killed), dying(1, "after"):
        zermelo.solve(TakeAway(9), table=path, overwrite=True)
    assert path.read_text() == "mine"
    assert zermelo.solve(TakeAway(9), table=path, overwrite=True).value.outcome == zermelo.WIN
    assert zermelo.open(path).game == TakeAway(9)
    assert [each.name for each in tmp_path.iterdir()] == ["nim.table"]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path):
    """Somebody else's file stays, and the table is kept whole: another call has it at once."""
    path = tmp_path / "nim.table"
    with pytest.raises(TableExistsError, match="already exists") as caught:
        zermelo.solve(TakeAway(9), table=path, progress=lambda _: path.write_text("theirs"))
    assert path.read_text() == "theirs"
    assert caught.type is TableExistsError
    solution = zermelo.solve(TakeAway(9), table=path, overwrite=True)
    assert solution.resumed == "the table was whole"
    assert solution.phases == []


@pytest.mark.parametrize("game", but([TakeAway(9), BOARD], BOARD), ids=["stages", "columns"])
def test_a_kill_between_the_last_steps_leaves_a_table(game, tmp_path):
    """Killed when the table has its name but the folder is not deleted: nothing is left later."""
    path = tmp_path / "nim.table"
    with pytest.raises(Killed), dying_at_the_end():
        zermelo.solve(game, table=path)
    assert zermelo.open(path).game == game
    assert Path(f"{path}.unfinished").exists()
    with pytest.raises(TableExistsError):
        zermelo.solve(game, table=path)
    assert [each.name for each in tmp_path.iterdir()] == ["nim.table"]


def test_where_nothing_can_be_written(tmp_path, monkeypatch):
    """A folder that is missing or closed is an error before any work, with what to do."""
    how = {"progress": lambda event: pytest.fail(event.phase)}
    with pytest.raises(TableWriteError, match=r"no folder '.*nowhere'; create it first"):
        zermelo.solve(TakeAway(9), table=tmp_path / "nowhere" / "nim.table", **how)
    closed = tmp_path / "closed"
    closed.mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(TableWriteError, match="may not be written to; give another path"):
        zermelo.solve(TakeAway(9), table=closed / "nim.table", **how)
    assert list(closed.iterdir()) == []


def test_a_folder_that_refuses(tmp_path):
    """What only shows when the folder for stages is made names the table and what to do."""
    path = tmp_path / "nim.table"
    Path(f"{path}.unfinished").write_text("mine")
    with pytest.raises(TableWriteError, match=r"unfinished.*another path"):
        zermelo.solve(TakeAway(9), table=path)
    assert Path(f"{path}.unfinished").read_text() == "mine"


def test_a_second_solve_into_the_same_path(tmp_path):
    """It is told whose the path is and what to do; the first one goes on undisturbed."""
    path = tmp_path / "ttt.table"
    seen = []

    def second(event):
        if not seen:
            with pytest.raises(TableBusyError, match=rf"process {os.getpid()}; wait .*") as caught:
                zermelo.solve(TakeAway(9), table=path)
            seen.append(str(caught.value))

    zermelo.solve(TicTacToe(), table=path, progress=second)
    assert repr(str(path)) in seen[0]
    assert zermelo.open(path).game == TicTacToe()


@contextmanager
def small_disk(size):
    """A disk on which no file can be larger than so many bytes, the output of pytest included."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_disk_too_small_for_the_table(tmp_path):
    """The error names the table, and has the solution; with room, the rest of the work is done."""
    path = tmp_path / "ttt.table"
    with (
        small_disk(4000),
        pytest.raises(TableWriteError, match=r"ttt\.table' cannot be written: File") as caught,
    ):
        zermelo.solve(TicTacToe(), table=path)
    assert str(caught.value.solution.value) == "tie in 9"
    assert not path.exists()
    zermelo.solve(TicTacToe(), table=path)
    elsewhere = caught.value.solution.save(tmp_path / "elsewhere.table")
    assert path.read_bytes() == elsewhere.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("size", [0, 10, 300])
def test_full_disk_leaves_no_folder(size, tmp_path):
    """A solve that wrote nothing to resume from deletes its folder, the lock included."""
    said = r"t\.table.* cannot be written"
    with small_disk(size), pytest.raises(TableWriteError, match=said):
        zermelo.solve(TakeAway(9), table=tmp_path / "t.table")
    assert not list(tmp_path.iterdir())


def test_full_disk_keeps_stages_and_says_so(tmp_path):
    """The error names the folder of the finished stages, from which the next solve resumes."""
    path = tmp_path / "t.table"
    said = r"unfinished' has a checkpoint: run .* to resume"
    with small_disk(1000), pytest.raises(TableWriteError, match=said):
        zermelo.solve(TakeAway(9), table=path)
    assert zermelo.solve(TakeAway(9), table=path).resumed
    assert [left.name for left in tmp_path.iterdir()] == ["t.table"]


def test_disk_without_room_for_a_lock_leaves_no_folder(tmp_path, monkeypatch):
    """The folder goes again if not even an empty file can be created in it."""
    open_file = os.open

    def full(path, *rest, **named):
        if str(path).startswith(str(tmp_path)):
            raise OSError(28, "No space left on device", str(path))
        return open_file(path, *rest, **named)

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(TableWriteError, match="No space left on device; make room"):
        zermelo.solve(TakeAway(9), table=tmp_path / "t.table")
    assert not list(tmp_path.iterdir())


def test_a_disk_too_full_for_stages(tmp_path):
    """A disk with room for the table but not for the stages does not stop the solve."""
    path = tmp_path / "ttt.table"

    def full(handle):
        if Path(f"/proc/self/fd/{handle}").readlink().name == "identity.json":
            raise OSError(28, "No space left on device")

    with mock.patch("os.fsync", full):
        solution = zermelo.solve(TicTacToe(), table=path)
    assert str(solution.value) == "tie in 9"
    assert stat.S_ISREG(path.stat().st_mode)


@pytest.mark.slow
def test_an_interrupt_keeps_the_stages(tmp_path):
    """Ctrl-C leaves what was finished, for the same call to go on from."""
    path = tmp_path / "house.table"

    def press(event):
        if event.phase == "retrograde":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        zermelo.solve(CatAndMouse(HOUSE), method="retrograde", table=path, progress=press)
    (note,) = caught.value.__notes__
    assert "house.table.unfinished' has a checkpoint" in note
    assert zermelo.solve(CatAndMouse(HOUSE), method="retrograde", table=path).resumed


@pytest.mark.parametrize("memory", some([None, LITTLE], 2), ids=["in memory", "on disk"])
def test_an_interrupt_keeps_the_levels_of_a_board(memory, tmp_path):
    """Ctrl-C between levels leaves those that were found, and only the others are found again."""
    path, plain = tmp_path / "board.table", tmp_path / "plain.table"
    zermelo.solve(BOARD, table=plain, memory=memory, threads=1)

    def press(event):
        if event.phase == "sweep" and event.done:
            raise KeyboardInterrupt

    with every_event(), pytest.raises(KeyboardInterrupt) as caught:
        zermelo.solve(BOARD, table=path, memory=memory, threads=1, progress=press)
    assert "board.table.unfinished' has a checkpoint" in caught.value.__notes__[0]
    solution = zermelo.solve(BOARD, table=path, memory=memory, threads=1)
    assert "5 of 5 levels were found" in solution.resumed
    assert path.read_bytes() == plain.read_bytes()


@pytest.mark.slow
def test_a_damaged_column_is_not_gone_on_from(tmp_path):
    """A flipped bit in what a record vouches for: all is done again, and the file is the same."""
    path = tmp_path / "board.table"
    zermelo.solve(BOARD, table=path, memory=LITTLE)
    plain = path.read_bytes()
    path.unlink()
    with pytest.raises(Killed), dying(5, "after"):
        zermelo.solve(BOARD, table=path, memory=LITTLE)
    column = Path(f"{path}.unfinished") / "placement-words.column"
    data = bytearray(column.read_bytes())
    data[0] ^= 4
    column.write_bytes(data)
    assert not zermelo.solve(BOARD, table=path, memory=LITTLE).resumed
    assert path.read_bytes() == plain


@pytest.mark.slow
def test_a_damaged_trail_is_not_gone_on_from(tmp_path):
    """A flipped bit in what a pursuit has on disk: it is begun anew, with nothing of the old."""
    case = next(case for case in CASES if case.name == "pursuit on disk")
    path = tmp_path / "chase.table"
    case.solve(path)
    plain = path.read_bytes()
    path.unlink()
    with pytest.raises(Killed), dying(5, "after"):
        case.solve(path)
    column = Path(f"{path}.unfinished") / "rounds-trail1.column"
    data = bytearray(column.read_bytes())
    data[10] ^= 4
    column.write_bytes(data)
    assert not case.solve(path).resumed
    assert path.read_bytes() == plain


@pytest.fixture
def filling_disk(monkeypatch):
    """A disk that is full as soon as there is a stage on it."""

    def usage(folder):
        return SimpleNamespace(free=1000 if list(Path(folder).glob("*.stage")) else 1 << 40)

    monkeypatch.setattr("shutil.disk_usage", usage)


@pytest.mark.slow
@pytest.mark.usefixtures("filling_disk")
def test_a_disk_too_full_for_what_does_not_fit_into_memory(tmp_path, monkeypatch):
    """The error says what to do, and when that is done what was finished is not done again."""
    path = tmp_path / "board.table"
    game, memory = ConnectFour(4, 4), "150kB"
    with pytest.raises(
        zermelo.BudgetError, match=r"unfinished'; free some space there, .*another disk"
    ):
        zermelo.solve(game, table=path, memory=memory)
    monkeypatch.undo()
    assert "of 17 levels were found" in zermelo.solve(game, table=path, memory=memory).resumed
    assert zermelo.open(path).counts() == zermelo.solve(game).counts()


@pytest.mark.usefixtures("filling_disk")
def test_a_disk_too_full_for_what_only_a_kill_would_need(tmp_path):
    """A solve that has room in memory goes on without it."""
    path = tmp_path / "board.table"
    assert zermelo.solve(BOARD, table=path).value == zermelo.solve(BOARD).value
    assert [each.name for each in tmp_path.iterdir()] == ["board.table"]


@pytest.mark.slow
def test_files_on_another_disk_are_left_there(tmp_path, monkeypatch):
    """Whoever names another disk for what does not fit means that, and does without stages."""
    other = Path("/dev/shm")  # noqa: S108  # any disk but that of the table
    for disk, has_stages in ((tmp_path, True), (other, False)):
        monkeypatch.setenv("ZERMELO_SCRATCH", str(disk))
        with stages() as written:
            zermelo.solve(BOARD, table=tmp_path / f"{disk.name}.table", memory=LITTLE, threads=1)
        assert ("placement" in written) == has_stages


def test_an_interrupt_before_anything_is_finished_leaves_nothing(tmp_path):
    """Where no stage was finished there is no folder, and nothing is said of one."""

    def press(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        zermelo.solve(TakeAway(9), table=tmp_path / "nim.table", progress=press)
    assert not getattr(caught.value, "__notes__", [])
    assert list(tmp_path.iterdir()) == []


def test_small_solves_are_not_slowed(tmp_path):
    """No stage is written of what took no time to find."""
    with stages() as written, limits.using(checkpoint_seconds=2.0, checkpoint_share=(0.1, 0.3)):
        zermelo.solve(TakeAway(9), table=tmp_path / "nim.table")
    assert written == []
