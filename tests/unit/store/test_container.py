"""The file that a table is: whole or not there, and never believed where a bit is wrong.

A solution has few and small arrays, which fault no block by itself.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from zermelo import limits
from zermelo._engine.file.format import FORMAT, first_line, plan
from zermelo._engine.file.reader import Reader
from zermelo._engine.file.writer import Writer
from zermelo.errors import (
    CorruptTableError,
    MissingTableError,
    TableExistsError,
    TableWriteError,
    ZermeloError,
)

ARRAYS = {
    "squares": np.arange(10_000, dtype=np.uint64) ** 2,
    "bytes": np.arange(999, dtype=np.uint16).astype(np.uint8),
    "empty": np.zeros(0, np.int32),
}


def write(path: Path, *, overwrite: bool = False, arrays=ARRAYS) -> None:
    """Write a small table."""
    with Writer(path, overwrite=overwrite) as writer:
        sizes = {name: (array.dtype, len(array), 256) for name, array in arrays.items()}
        writer.begin({"game": "none", "note": "±"}, plan(sizes))
        for name, array in arrays.items():
            writer.write_array(name, array)
        writer.finish()


def read(path: Path) -> dict[str, np.ndarray]:
    """Read everything that is in a table."""
    reader = Reader(path)
    try:
        reader.check()
        return {name: reader.array(name) for name in reader.arrays}
    finally:
        reader.close()


@pytest.fixture
def table(tmp_path):
    """A small table, alone in its folder."""
    path = tmp_path / "small.table"
    write(path)
    return path


def test_what_is_written_is_read(table):
    """Every array, to its type and length; and the header as it was given."""
    found = read(table)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tolist() == array.tolist()
    assert Reader(table).header["note"] == "±"
    assert [path.name for path in table.parent.iterdir()] == ["small.table"]


def test_the_header_can_be_read_without_zermelo(table):
    """One line, and then JSON of as many bytes as that says."""
    with table.open("rb") as file:
        word, version, size, _ = file.readline().split()
        header = json.loads(file.read(int(size)))
    assert (word, int(version)) == (b"ZERMELO-TABLE", FORMAT)
    assert header["arrays"]["squares"] == {
        "dtype": "<u8",
        "length": 10_000,
        "per_block": 256,
        "first": 0,
        "blocks": 40,
    }


def test_the_same_is_written_the_same(tmp_path):
    """Byte for byte: nothing of the day or the process is in it."""
    write(tmp_path / "a")
    write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def refused(path: Path, data: bytes) -> None:
    """Assert that a file of these bytes is refused in a sentence."""
    path.write_bytes(data)
    with pytest.raises(CorruptTableError) as caught:
        read(path)
    message = str(caught.value)
    assert str(path) in message
    assert "; " in message


def test_any_flipped_bit_is_noticed(table, tmp_path):
    """Hundreds of them, wherever they fall, the first line and the header included."""
    data = table.read_bytes()
    rng = random.Random(5)
    places = [rng.randrange(8 * len(data)) for _ in range(100)]
    places += range(8 * 66) if len(data) > 66 else []
    for place in places:
        wrong = bytearray(data)
        wrong[place // 8] ^= 1 << place % 8
        refused(tmp_path / "wrong", bytes(wrong))


def test_any_flipped_bit_is_noticed_where_blocks_are_read_together(table, tmp_path):
    """Which block it is, is told; and what was compared once is not compared again."""
    reader = Reader(table)
    every = np.arange(len(reader.entries))
    whole, ends = reader.join_blocks(every)
    assert ends.tolist() == np.cumsum(reader._raw).tolist()
    for number in (0, 7, len(every) - 1):
        begin, end = reader._begins[number : number + 2].tolist()
        for place in (8 * begin, 8 * (begin + end) // 2, 8 * end - 1):
            wrong = bytearray(table.read_bytes())
            wrong[place // 8] ^= 1 << place % 8
            (tmp_path / "wrong").write_bytes(wrong)
            with Reader(tmp_path / "wrong") as damaged:
                with pytest.raises(CorruptTableError, match=f"block {number} is damaged"):
                    damaged.join_blocks(every)
                rest = every[every != number]
                assert len(damaged.join_blocks(rest)[0]) == len(whole) - reader._raw[number]


@pytest.mark.parametrize("shown", [None, 1, 5_000])
def test_checksums_are_compared_of_every_block(table, tmp_path, shown):
    """However many are looked at together, and that frames say what the directory says."""
    with limits.using(at_once=7), Reader(table) as reader:
        blocks, begins = len(reader.entries), reader._begins.tolist()
        reader.limit_cache(shown)
        assert reader.compare() == blocks
    for number in range(blocks):
        wrong = bytearray(table.read_bytes())
        wrong[begins[number + 1] - 1] ^= 1
        (tmp_path / "wrong").write_bytes(wrong)
        with Reader(tmp_path / "wrong") as damaged:
            damaged.limit_cache(shown)
            with pytest.raises(CorruptTableError, match=f"block {number} is damaged"):
                damaged.compare()
        with Reader(table) as other:
            other.limit_cache(shown)
            other._raw = other._raw.copy()
            other._raw[number] += 1
            other._sizes = other._raw.data
            with pytest.raises(CorruptTableError, match=f"block {number} cannot be decompressed"):
                other.compare()


def test_any_cut_and_anything_added_is_noticed(table, tmp_path):
    """However little."""
    data = table.read_bytes()
    rng = random.Random(6)
    for end in {0, 1, 65, 66, 67, len(data) - 1, *(rng.randrange(len(data)) for _ in range(80))}:
        refused(tmp_path / "wrong", data[:end])
    for more in (b"\0", b"\n", data):
        refused(tmp_path / "wrong", data + more)


def test_blocks_that_change_places_are_noticed(table, tmp_path):
    """Each is where the directory says, and what stands there is compared."""
    data = bytearray(table.read_bytes())
    reader = Reader(table)
    a, b, end = reader._begins[:3].tolist()
    size = min(b - a, end - b)
    data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]
    refused(tmp_path / "wrong", bytes(data))


def forged(table: Path, change) -> bytes:
    """Return a table whose header was changed by somebody who can make checksums."""
    data = table.read_bytes()
    size = int(data.split(b" ", 3)[2])
    begin = data.index(b"\n") + 1
    header = json.loads(data[begin : begin + size])
    change(header)
    text = json.dumps(header).encode()
    text = text[: size - 1].ljust(size - 1) + b"\n"
    return first_line(text) + text + data[begin + size :]


HOSTILE = {
    "no arrays": lambda h: h.pop("arrays"),
    "arrays of nothing": lambda h: h.update(arrays=None),
    "an array of nothing": lambda h: h["arrays"].update(squares=3),
    "no directory": lambda h: h.pop("directory"),
    "a directory before the file": lambda h: h["directory"].update(at=-64),
    "a directory of text": lambda h: h["directory"].update(at="0"),
    "more blocks than there are": lambda h: h["directory"].update(blocks=10**15),
    "fewer": lambda h: h["directory"].update(blocks=1),
    "blocks past the last": lambda h: h["arrays"]["squares"].update(first=10**6),
    "objects": lambda h: h["arrays"]["squares"].update(dtype="O"),
    "a type that is none": lambda h: h["arrays"]["squares"].update(dtype="rm -rf"),
    "a length beyond all": lambda h: h["arrays"]["squares"].update(length=1 << 60),
    "a negative length": lambda h: h["arrays"]["squares"].update(length=-1),
    "true for a number": lambda h: h["arrays"]["squares"].update(blocks=True),
    "another checksum": lambda h: h["directory"].update(checksum="0" * 32),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_header_that_somebody_forged_does_no_harm(table, tmp_path, how):
    """Whatever it says, it is refused before memory is taken for it."""
    refused(tmp_path / "wrong", forged(table, HOSTILE[how]))


def test_headers_that_are_no_header_are_refused(table, tmp_path):
    """Lists, numbers, endless nesting and text that is not JSON."""
    for text in (b"[]", b"3", b"[" * 5000, b"{", b"\xff\xfe", b"null"):
        padded = text.ljust(8000) + b"\n"
        refused(tmp_path / "wrong", first_line(padded) + padded)
    for text in (b"", b"\n", b"PK\x03\x04" * 99, b"ZERMELO-TABLE" * 9, os.urandom(500)):
        refused(tmp_path / "wrong", text)


def test_a_newer_format_is_told_apart_from_damage(table, tmp_path):
    """It says what can be done."""
    text = b"{}".ljust(63) + b"\n"
    (tmp_path / "newer").write_bytes(first_line(text, FORMAT + 1) + text)
    (tmp_path / "older").write_bytes(first_line(text, FORMAT - 1) + text)
    with pytest.raises(CorruptTableError, match=f"reads {FORMAT}; solve again and save"):
        Reader(tmp_path / "older")
    with pytest.raises(CorruptTableError, match=f"has the format {FORMAT + 1}, .* install a newer"):
        Reader(tmp_path / "newer")


def test_a_file_that_cannot_be_read_is_missing(tmp_path):
    """Not there, or a folder."""
    with pytest.raises(MissingTableError, match="there is no table at"):
        Reader(tmp_path / "none")
    with pytest.raises(MissingTableError, match=r"cannot be read: Is a directory; give the file"):
        Reader(tmp_path)


def test_a_table_that_is_there_is_not_overwritten_by_mistake(table):
    """Unless that is asked for, and then it is replaced in one step."""
    before = table.read_bytes()
    with pytest.raises(TableExistsError, match="already exists; give another path, or use"):
        write(table)
    assert table.read_bytes() == before
    write(table, overwrite=True, arrays={"one": np.ones(3, np.uint8)})
    assert read(table)["one"].tolist() == [1, 1, 1]


def test_of_two_that_write_at_once_one_is_first(tmp_path):
    """The other is told, and loses nothing but its own."""
    path = tmp_path / "both"
    with Writer(path) as slow:
        slow.begin({}, {})
        write(path)
        with pytest.raises(TableExistsError):
            slow.finish()
    assert read(path)["squares"][3] == 9
    assert [each.name for each in tmp_path.iterdir()] == ["both"]


def test_where_nothing_can_be_written_it_is_said_before_anything_is_done(tmp_path):
    """A folder that is not there, and one that is a file."""
    (tmp_path / "file").write_text("")
    for path, why in (
        (tmp_path / "no" / "x", "No such file or directory"),
        (tmp_path / "file" / "x", "Not a directory"),
    ):
        with pytest.raises(TableWriteError, match=f"cannot be written: {re.escape(why)}; give"):
            Writer(path)


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from zermelo._engine.file.format import plan
from zermelo._engine.file.writer import Writer
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
noise = np.random.default_rng(1).integers(0, 1 << 62, 100_000)
try:
    with Writer(Path(sys.argv[1])) as writer:
        writer.begin({}, plan({"noise": (noise.dtype, len(noise), 4096)}))
        writer.write_array("noise", noise)
        writer.finish()
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_full_disk_leaves_nothing_behind(tmp_path):
    """The error says which file could not be written, and no part of it stays."""
    out = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "x")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert out.startswith("TableWriteError")
    assert "cannot be written: File too large" in out
    assert not list(tmp_path.iterdir())


KILLED = """
import sys
from pathlib import Path
import numpy as np
from zermelo._engine.file.format import plan
from zermelo._engine.file.writer import Writer
noise = np.random.default_rng(1).integers(0, 1 << 62, 2_000_000)
print("begun", flush=True)
with Writer(Path(sys.argv[1]), overwrite=True) as writer:
    writer.begin({}, plan({"noise": (noise.dtype, len(noise), 4096)}))
    writer.write_array("noise", noise)
    writer.finish()
print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.timing
def test_killed_at_any_moment_it_leaves_the_old_table_or_the_new_one(tmp_path):
    """Never half of one, and what was written so far is not taken for a table."""
    path = tmp_path / "table"
    write(path)
    rng = random.Random(3)
    for _ in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, 0.25))
            process.kill()
        found = read(path)
        assert set(found) in ({"noise"}, set(ARRAYS))
        for part in tmp_path.glob(".table.*.part"):
            try:
                assert set(read(part)) == {"noise"}, "it was about to be given its name"
            except ZermeloError as error:
                assert "cannot be used" in str(error)  # noqa: PT017  # either will do


def test_no_more_memory_is_taken_than_there_is_file(table):
    """A block that says it is of sixteen gigabytes is not unpacked."""
    reader = Reader(table)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reader._raw = reader._raw.copy()
    reader._raw[0] = 1 << 24
    reader._sizes = reader._raw.data
    with pytest.raises(CorruptTableError, match="block 0 cannot be decompressed"):
        reader.block(0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_a_table_may_be_read_by_whoever_may_read_any_new_file(tmp_path):
    """A file is shared like any other: what the user's mask allows, and not the owner alone."""
    usual = tmp_path / "usual"
    usual.touch()
    write(tmp_path / "table")
    assert (tmp_path / "table").stat().st_mode == usual.stat().st_mode
