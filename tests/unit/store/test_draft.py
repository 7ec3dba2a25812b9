"""Tables under way: what was recorded of one is not made again, and nothing else is believed.

No public call writes tables so small in so many steps, so this asks what writes them.
"""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from support.processes.kills import Killed, dying, eager
from zermelo import limits
from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo._engine.file.format import plan
from zermelo._engine.file.writer import Writer
from zermelo.errors import TableWriteError

#: An array whose blocks are written with those of another, which waits; and one that follows.
NUMBERS = np.random.default_rng(1).integers(0, 50, 2000).astype(np.uint16)
BYTES = (np.arange(2000) % 7).astype(np.uint8)
LAST = np.arange(300, dtype=np.uint64)
EACH, BLOCKS = 100, 20


@pytest.fixture(autouse=True)
def _every_block_is_recorded():
    """Record each step, however little time it took, and do not wait for the disk."""
    with eager(), mock.patch("os.fsync"), limits.using(at_once=2):
        yield


def table(folder: Path, header: str = "some", threads: int = 1) -> tuple[bytes, int]:
    """Write a table in a folder of stages; return it, and how many of its blocks were made."""
    path, made = folder / "whole.table", 0

    def part(begin: int, end: int):
        nonlocal made
        made += end - begin
        some = slice(begin * EACH, end * EACH)
        data = NUMBERS[some].view(np.uint8), BYTES[some]
        return tuple(
            (each, len(each) // (end - begin) * np.arange(1, end - begin + 1)) for each in data
        )

    sizes = {
        "numbers": (NUMBERS.dtype, len(NUMBERS), EACH),
        "bytes": (BYTES.dtype, len(BYTES), EACH),
        "last": (LAST.dtype, len(LAST), EACH),
    }
    with (
        CheckpointFolder(folder, {"game": "none"}, also=(path.name,)) as checkpoint,
        Writer(path, overwrite=True, threads=threads, checkpoint=checkpoint) as writer,
    ):
        writer.begin({"game": header}, plan(sizes))
        blocks = range(writer.known_blocks("numbers"), BLOCKS)
        writer.write_several(part, blocks, 2, (3, 1))
        writer.write_waiting()
        writer.write_array("last", LAST)
        writer.finish()
    return path.read_bytes(), made


def killed(folder: Path, n: int = 5, **how) -> None:
    """Write a table, and be killed behind the n-th record."""
    with pytest.raises(Killed), dying(n, "after"):
        table(folder, **how)


@pytest.fixture
def plain(tmp_path):
    """The table, written from one end to the other."""
    return table(tmp_path / "plain")[0]


@pytest.mark.parametrize(
    ("when", "threads"), [("before", 1), ("during", 1), ("after", 1), ("after", 2)]
)
def test_what_is_recorded_is_not_made_again(plain, tmp_path, when, threads):
    """Killed at each record in turn: the table is the same, and only the rest of it is made."""
    n = 0
    while True:
        n += 1
        folder = tmp_path / f"killed-{n}"
        try:
            with dying(n, when):
                table(folder, threads=threads)
        except Killed:
            recorded = n - (when != "after")
            assert table(folder, threads=threads) == (plain, BLOCKS - 2 * recorded)
        else:
            break
    assert n == BLOCKS / 2


def test_killed_again_and_again(plain, tmp_path):
    """Each process goes on where the one before was, of which only its last steps are lost."""
    folder = tmp_path / "killed"
    for _ in range(4):
        killed(folder, 2)
    assert table(folder) == (plain, BLOCKS - 4 * 2 * 2)


@pytest.mark.slow
def test_damage_counts_as_absence(plain, tmp_path):
    """A bit of a file or a record flips, or one is cut short: what comes before that stands."""
    draw, again = random.Random(4), set()
    for _ in range(15):
        folder = tmp_path / "killed"
        killed(folder)
        path = draw.choice(sorted(folder.glob("table-*")))
        data = bytearray(path.read_bytes())
        at = draw.randrange(len(data))
        if draw.random() < 0.7:
            data[at] ^= 1 << draw.randrange(8)
        else:
            del data[at:]
        path.write_bytes(data)
        found, made = table(folder)
        assert found == plain
        again.add(made)
        (folder / "whole.table").unlink()
    assert min(again) >= BLOCKS - 2 * 5
    assert max(again) == BLOCKS
    assert len(again) > 2


@pytest.mark.parametrize("name", ["table-0.column", "table-1.column", "table-00000.stage"])
def test_what_is_gone_is_made_again(plain, tmp_path, name):
    """Without one of the files, or the first record, nothing is there to go on from."""
    killed(tmp_path / "killed")
    (tmp_path / "killed" / name).unlink()
    assert table(tmp_path / "killed") == (plain, BLOCKS)


def test_another_table_or_compressor_begins_anew(tmp_path, monkeypatch):
    """Blocks of a table that says something else of itself are not mixed in, nor other bytes."""
    other = table(tmp_path / "other", header="more")[0]
    killed(tmp_path / "killed")
    assert table(tmp_path / "killed", header="more") == (other, BLOCKS)
    killed(tmp_path / "again")
    monkeypatch.setattr("zstandard.__version__", "0.0")
    assert table(tmp_path / "again")[1] == BLOCKS


@pytest.mark.parametrize("late", [9, BLOCKS], ids=["on the way", "in the end"])
def test_another_error_leaves_what_is_recorded(plain, tmp_path, monkeypatch, late):
    """A disk that says late that it is full is an error at any time; then the rest is written."""
    folder, full = tmp_path / "full", OSError(28, "No space left on device")
    syncs = []

    def sync(handle):
        if threading.current_thread().name.startswith("zermelo-sync"):
            syncs.append(handle)
            if len(syncs) == late:
                raise full

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(TableWriteError, match=r"whole\.table' cannot be written: No space"):
        table(folder)
    monkeypatch.undo()
    found, made = table(folder)
    assert found == plain
    assert 0 < made < BLOCKS


def test_a_file_that_nobody_can_go_on_with_is_deleted(tmp_path, monkeypatch):
    """Interrupted before there is any record, writing leaves the stages of the solve alone."""
    folder = tmp_path / "stopped"
    with CheckpointFolder(folder, {"game": "none"}) as checkpoint:
        checkpoint.write("solved", one=np.zeros(3))
    monkeypatch.setattr(CheckpointFolder, "put", mock.Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        table(folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "identity.json",
        "lock",
        "solved.stage",
    ]


def test_what_was_not_recorded_is_cut_off(plain, tmp_path):
    """Whatever stands there, and however much of it."""
    killed(tmp_path / "killed")
    for path in (tmp_path / "killed").glob("table-*.column"):
        with path.open("ab") as file:
            file.write(b"not a block" * len(plain))
    assert table(tmp_path / "killed") == (plain, BLOCKS - 2 * 5)
