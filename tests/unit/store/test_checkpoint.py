"""Checkpoints are whole or absent, of one solve only, and open in one process.

A solve does not show what of its stages was read, kept or cut off.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import zermelo._engine.checkpoint.folder as checkpoint_module
from zermelo import limits
from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo._engine.core.checkpoint import NO_CHECKPOINT
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store import store as store_module
from zermelo._engine.store.arrays import FileArray, MemoryArray, shared_arrays
from zermelo._engine.store.store import Store
from zermelo.errors import CorruptTableError, TableBusyError, TableWriteError

pytestmark = pytest.mark.timing

IDENTITY = {"game": "none", "memory": None}
ARRAYS = {
    "squares": np.arange(30_000, dtype=np.uint64).reshape(3, 100, 100) ** 2,
    "marks": np.arange(999) % 3 == 0,
    "empty": np.zeros((0, 4), np.int32),
    "one": np.array(53),
    "column": np.arange(100, dtype=np.int16).reshape(10, 10)[:, 3],
}

#: Opens the folder of the first argument, writes a line, and waits to be killed.
HOLDER = """
import signal, sys
from pathlib import Path
from zermelo._engine.checkpoint.folder import CheckpointFolder
checkpoint = CheckpointFolder(Path(sys.argv[1]), {"game": "none", "memory": None})
print("held", flush=True)
signal.pause()
"""


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks so small that arrays have several."""
    monkeypatch.setattr(checkpoint_module, "_BLOCK", 1 << 10)


def are_equal(left, right):
    """Return whether stages are equal, in types and shapes too."""
    return left.keys() == right.keys() and all(
        left[name].dtype == right[name].dtype
        and left[name].shape == right[name].shape
        and np.array_equal(left[name], right[name])
        for name in left
    )


@pytest.mark.usefixtures("small_blocks")
def test_a_stage_is_read_as_it_was_written(tmp_path):
    """The next process reads the numbers, types and shapes that one wrote."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        assert checkpoint.found == ()
        assert not checkpoint.has("first")
        checkpoint.write("first", **ARRAYS)
        checkpoint.write("second", nothing=np.zeros(0))
        assert are_equal(checkpoint.read("first"), ARRAYS)
        checkpoint.write("third", [3, True, "in rounds"])
        assert checkpoint.note("third") == [3, True, "in rounds"]
        assert checkpoint.note("first") == []
        assert checkpoint.note("fourth") is None
        checkpoint.drop("third")
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        assert checkpoint.found == ("first", "second")
        assert not checkpoint.restarted
        assert checkpoint.has("first")
        assert are_equal(checkpoint.read("first"), ARRAYS)
        buffer = np.zeros((300, 100), np.uint64)
        found = checkpoint.read("first", squares=buffer, marks=np.zeros(5))
        assert are_equal(found, ARRAYS)
        assert np.shares_memory(found["squares"], buffer)
        checkpoint.drop("first", "never")
        assert not checkpoint.has("first")


def test_discard_leaves_nothing(tmp_path):
    """A finished solve leaves no folder."""
    checkpoint = CheckpointFolder(tmp_path / "solve", IDENTITY)
    checkpoint.write("first", **ARRAYS)
    checkpoint.discard()
    assert list(tmp_path.iterdir()) == []


def test_discard_spares_foreign_files(tmp_path):
    """A file of somebody else in the folder stays, and so does the folder."""
    checkpoint = CheckpointFolder(tmp_path / "solve", IDENTITY)
    (tmp_path / "solve" / "notes.txt").write_text("mine")
    checkpoint.discard()
    assert [path.name for path in (tmp_path / "solve").iterdir()] == ["notes.txt"]


def test_another_solve_restarts(tmp_path):
    """Stages of another game, parameter or memory are deleted and never read."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        checkpoint.write("first", **ARRAYS)
    with CheckpointFolder(tmp_path / "solve", {**IDENTITY, "memory": 10**9}) as checkpoint:
        assert checkpoint.restarted
        assert checkpoint.found == ()
        assert not checkpoint.has("first")
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        assert not checkpoint.restarted  # there was nothing left to delete


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
def test_damage_counts_as_absence(tmp_path):
    """A stage with a flipped bit, missing bytes or further bytes counts as absent."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        checkpoint.write("first", **ARRAYS)
    path = tmp_path / "solve" / "first.stage"
    whole = path.read_bytes()
    draw = random.Random(5)

    def flipped():
        data = bytearray(whole)
        bit = draw.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        return bytes(data)

    cuts = [whole[: draw.randrange(len(whole))] for _ in range(50)]
    identity = path.with_name("identity.json").read_bytes()
    for data in [*(flipped() for _ in range(200)), *cuts, whole + b"\0", b""]:
        path.parent.mkdir(exist_ok=True)  # deleted with the last stage in it
        path.write_bytes(data)
        path.with_name("identity.json").write_bytes(identity)
        with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
            with pytest.raises(CorruptTableError, match=re.escape(str(path))):
                checkpoint.read("first")
            assert not checkpoint.has("first")
        assert not path.exists()


def test_an_unfinished_file_is_not_a_stage(tmp_path):
    """A process killed while it writes leaves no stage, and the next one deletes its file."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        checkpoint.write("first", **ARRAYS)
    (tmp_path / "solve" / "second.part").write_bytes(b"half")
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        assert checkpoint.found == ("first",)
        assert not (tmp_path / "solve" / "second.part").exists()


def test_a_folder_is_open_in_one_process(tmp_path):
    """The error names the process that has the folder; a dead process has none."""
    folder = tmp_path / "go.table.unfinished"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True
    ) as holder:
        try:
            assert holder.stdout.readline() == "held\n"
            message = rf"go\.table' is being written by process {holder.pid}; .*another path"
            with pytest.raises(TableBusyError, match=message):
                CheckpointFolder(folder, IDENTITY)
        finally:
            os.kill(holder.pid, signal.SIGKILL)
    CheckpointFolder(folder, IDENTITY).discard()
    assert not folder.exists()


def test_nothing_finished_leaves_nothing(tmp_path):
    """Without a saved stage no folder is left."""
    CheckpointFolder(tmp_path / "solve", IDENTITY).close()
    assert list(tmp_path.iterdir()) == []


def test_facts_are_those_of_the_first_process(tmp_path):
    """The next process reads the facts of the first, whatever its own facts are."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY, facts={"allowed": 5}) as checkpoint:
        assert checkpoint.facts == {"allowed": 5}
        checkpoint.write("first", **ARRAYS)
    with CheckpointFolder(tmp_path / "solve", IDENTITY, facts={"allowed": 7}) as checkpoint:
        assert checkpoint.facts == {"allowed": 5}
    with CheckpointFolder(tmp_path / "solve", {}, facts={"allowed": 7}) as checkpoint:
        assert checkpoint.facts == {"allowed": 7}


def test_a_folder_is_open_once_in_a_process(tmp_path):
    """Two solves of one process cannot open the same folder."""
    with (
        CheckpointFolder(tmp_path / "solve", IDENTITY),
        pytest.raises(TableBusyError, match=f"process {os.getpid()}"),
    ):
        CheckpointFolder(tmp_path / "solve", IDENTITY)
    CheckpointFolder(tmp_path / "solve", IDENTITY).discard()


def test_where_nothing_can_be_written(tmp_path):
    """The message names the path and a remedy if the folder is missing or is a file."""
    with pytest.raises(TableWriteError, match=r"nowhere/solve.*No such file.*another path"):
        CheckpointFolder(tmp_path / "nowhere" / "solve", IDENTITY)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(TableWriteError, match=r"file.*Not a directory.*another path"):
        CheckpointFolder(tmp_path / "file", IDENTITY)
    assert (tmp_path / "file").read_text() == "mine"


def test_full_disk(tmp_path, monkeypatch):
    """On a full disk the earlier stage stays, and an optional stage is skipped."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        checkpoint.write("first", **ARRAYS)

        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(checkpoint_module.os, "fsync", full)
        with pytest.raises(TableWriteError, match=r"solve.*No space left on device; make room"):
            checkpoint.write("first", one=np.zeros(3))
        assert are_equal(checkpoint.read("first"), ARRAYS)
        with limits.using(checkpoint_seconds=0.0, checkpoint_share=(1e9, 1e9)):
            assert not checkpoint.put("second", one=np.zeros(3))
            assert not checkpoint.save("second", one=np.zeros(3))
        assert not checkpoint.has("second")
        assert not list((tmp_path / "solve").glob("*.part"))


def test_a_stage_is_saved_after_long_work(tmp_path, monkeypatch):
    """A stage is saved if the work since the last took long compared with writing it."""
    now = [100.0]
    monkeypatch.setattr(checkpoint_module.time, "monotonic", lambda: now[0])
    with CheckpointFolder(tmp_path / "solve", IDENTITY, durable=False) as checkpoint:
        assert not checkpoint.save("first", **ARRAYS)
        now[0] += 2.5
        assert not checkpoint.should_save(10**9)
        assert checkpoint.save("first", **ARRAYS)
        assert not checkpoint.save("second", **ARRAYS)
        now[0] += 3600
        assert checkpoint.should_save(10**9)
        # The first stage after a while may be one that is quickly written, or else it shows that.
        now[0] = checkpoint._since + 50
        assert not checkpoint.should_save(2 * 10**9)
        now[0] = checkpoint._since + 61
        assert checkpoint.should_save(5 * 10**9)
        checkpoint._rate = 2e8
        assert not checkpoint.should_save(5 * 10**9)


@pytest.mark.usefixtures("small_blocks")
def test_incompressible_blocks_are_written_uncompressed(tmp_path, monkeypatch):
    """After an incompressible block, some blocks are written without an attempt."""
    noise = np.random.default_rng(2).integers(0, 256, 20 << 10).astype(np.uint8)
    arrays = {"noise": noise, "both": np.concatenate([noise, np.zeros(20 << 10, np.uint8)])}
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        tried = []
        compress = checkpoint._packer.compress
        checkpoint._packer = SimpleNamespace(
            compress=lambda raw: tried.append(raw) or compress(raw)
        )
        checkpoint.write("first", **arrays)
        assert len(tried) == 2 + 2 + 8
        assert are_equal(checkpoint.read("first"), arrays)
    size = (tmp_path / "solve" / "first.stage").stat().st_size
    assert 2 * len(noise) < size < 2.7 * len(noise)


def test_names_and_arrays_that_cannot_be_saved(tmp_path):
    """A name is not a path, and only numbers are saved."""
    with CheckpointFolder(tmp_path / "solve", IDENTITY) as checkpoint:
        for name in ("../first", "", "First", "a.b"):
            with pytest.raises(ValueError, match="not a name of a stage"):
                checkpoint.write(name, one=np.zeros(1))
        with pytest.raises(TypeError, match="numbers"):
            checkpoint.write("first", one=np.array([None]))
    assert isinstance(checkpoint.directory, Path)


def test_columns_go_with_the_stages(tmp_path):
    """Columns stay exactly as long as the stages of their solve."""
    folder = tmp_path / "solve"
    with CheckpointFolder(folder, IDENTITY) as checkpoint:
        checkpoint.file("words").write_bytes(b"some")
        checkpoint.write("first", **ARRAYS)
    with CheckpointFolder(folder, IDENTITY) as checkpoint:
        assert checkpoint.file("words").read_bytes() == b"some"
    with CheckpointFolder(folder, {**IDENTITY, "memory": 10**9}) as checkpoint:
        assert not checkpoint.file("words").exists()
        checkpoint.file("words").write_bytes(b"some")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def opened(folder, *, memory, saves=True):
    """Yield a store with arrays in memory or in files, as an earlier process left it."""
    kinds = {"words": np.uint64, "others": np.uint8}
    arrays = {n: MemoryArray(kinds[n], 1 << 20) for n in kinds} if memory else kinds
    with (
        CheckpointFolder(folder, IDENTITY) as checkpoint,
        Scratch(folder, checkpoint=checkpoint if saves else NO_CHECKPOINT) as scratch,
    ):
        yield Store(scratch, "record", 2, arrays)


NUMBERS = np.arange(100, dtype=np.uint64)


@pytest.mark.parametrize("memory", [False, True])
def test_an_array_is_found_up_to_its_recorded_length(tmp_path, monkeypatch, memory):
    """Later elements are lost, and so are all elements of a changed file."""
    monkeypatch.setattr(store_module, "_SEALED", 64)
    folder = tmp_path / "solve"
    with opened(folder, memory=memory) as store:
        assert store.note is None
        store["words"].append(NUMBERS)
        assert store.save([7], spans={"words": (0, 50)}, needed=True)
        assert store.save([8], spans={"words": (50, 60), "others": (0, 0)}, needed=True)
        _, shared = shared_arrays(str(folder), store.paths)
        found = shared["words"].read(10, np.empty(50, np.uint64))
        np.testing.assert_array_equal(found, NUMBERS[10:60])
    with opened(folder, memory=not memory) as store:  # memory or file, it does not matter
        assert store.note == [8]
        assert [len(array) for array in store.values()] == [60, 0]
        np.testing.assert_array_equal(store["words"].mapped(), NUMBERS[:60])
        store["words"].append(NUMBERS[60:])
        assert store.save([9], needed=True)
    with opened(folder, memory=memory) as store:
        np.testing.assert_array_equal(store["words"].mapped(), NUMBERS)
    path = folder / "record-words.column"
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    with opened(folder, memory=memory) as store:
        assert store.lost
        assert store.note is None
        assert len(store["words"]) == 0
        assert not (folder / "record.stage").exists()


def test_a_record_without_its_files_is_lost(tmp_path):
    """The store is empty, and the solve restarts."""
    with opened(tmp_path / "solve", memory=False) as store:
        store["words"].append(NUMBERS)
        assert store.save([1], needed=True)
    (tmp_path / "solve" / "record-words.column").unlink()
    with opened(tmp_path / "solve", memory=False) as store:
        assert (store.lost, store.note) == (True, None)


def test_a_range_is_restored_in_its_place(tmp_path):
    """Values are computed from the end; the range before them stays empty."""
    with opened(tmp_path / "solve", memory=True) as store:
        store["others"].extend(50)
        store["others"].write(20, np.arange(30, dtype=np.uint8))
        assert store.save([], spans={"others": (40, 50)}, needed=True)
        assert store.save([], spans={"others": (30, 40)}, needed=True)
    with opened(tmp_path / "solve", memory=True) as store:
        assert store["others"].mapped().tolist() == [0] * 30 + list(range(10, 30))


@pytest.mark.parametrize("saves", [False, True])
def test_an_array_moves_to_its_file(tmp_path, saves):
    """Elements in the file are not written again, and the record continues."""
    with opened(tmp_path / "solve", memory=True, saves=saves) as store:
        store["words"].append(NUMBERS)
        if saves:
            assert store.save([1], spans={"words": (0, 60)}, needed=True)
        store.move_to_file("words")
        assert isinstance(store["words"], FileArray)
        store["words"].append(NUMBERS)
        if saves:
            assert store.save([2], needed=True)
        np.testing.assert_array_equal(store["words"].mapped(), np.tile(NUMBERS, 2))
    if saves:
        with opened(tmp_path / "solve", memory=False) as store:
            assert len(store["words"]) == 200


def test_without_space_arrays_in_memory_are_not_saved(tmp_path, monkeypatch):
    """Their files are deleted, as the table will need the space; the arrays stay."""
    folder = tmp_path / "solve"
    with opened(folder, memory=True) as store:
        store["words"].append(NUMBERS)
        assert store.save([1], spans={"words": (0, 60)}, needed=True)
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=100))
        assert not store.save([2], needed=True)
        assert not (folder / "record.stage").exists()
        assert (folder / "record-words.column").stat().st_size == 0
        np.testing.assert_array_equal(store["words"].mapped(), NUMBERS)


def test_memory_and_files_read_alike(tmp_path):
    """Both give the same elements, and zeros after them."""
    numbers, buffer = np.arange(300, dtype=np.uint16), np.empty(30, np.uint16)
    with Scratch(tmp_path) as scratch:
        for array in (MemoryArray(np.uint16, 1 << 20), FileArray(scratch, np.uint16)):
            assert array.append(numbers[:100]) == 0
            assert array.append(numbers[100:200]) == 100
            array.extend(300)
            array.extend(10)
            array.write(250, numbers[250:])
            np.testing.assert_array_equal(array.elements(90, 120, buffer), numbers[90:120])
            np.testing.assert_array_equal(array.read(190, buffer)[10:], np.zeros(20))
            found, places = array.ranges(np.array([250, 10]), np.array([50, 5]), 7)
            for begin, place, size in zip((250, 10), places.tolist(), (50, 5), strict=True):
                part = found[place : place + size]
                np.testing.assert_array_equal(part, numbers[begin : begin + size])
            assert len(found) >= places.max() + 7
            whole = array.mapped(5)
            assert (len(array), len(whole)) == (300, 305)
            np.testing.assert_array_equal(whole[250:], [*range(250, 300), *[0] * 5])
            array.close()
