"""Tables made by somebody who can make checksums: refused, found wrong, or right."""

from __future__ import annotations

import itertools
import random
import tracemalloc
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import (
    LAYOUTS,
    Table,
    answers,
    change_blocks,
    change_directory,
    change_header,
    forged,
    headed,
    noticed,
    rules_read_once,
)
from support.processes import footprint
from support.sizes import but, counts, some
from zermelo import CorruptTableError
from zermelo.games import TakeAway


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what makes a table of a layout: its parts, its path, its game and its answers."""

    @cache
    def make(name: str):
        layout = LAYOUTS[name]
        solution = layout.solve()
        path = solution.save(tmp_path_factory.mktemp(name) / "right.table")
        game = solution.game if layout.has_game else None
        opened = zermelo.open(path, game)
        assert opened.verify()
        return Table.of(path), path, game, answers(opened)

    return make


@pytest.fixture(autouse=True)
def _rules_are_read_once():
    with rules_read_once():
        yield


def shifted(table: Table, block: int, step: int) -> None:
    """Move the begin of a block of positions back, and enlarge its first step as much."""
    first = table.parts["first"][0]
    begin = int.from_bytes(first[8 * block : 8 * block + 8], "little")
    first[8 * block : 8 * block + 8] = (begin - step).to_bytes(8, "little")
    data = table.parts["positions"][block]
    count = min(1024, table.header["table"]["positions"] - 1024 * block)
    assert data[0] == 0
    assert len(data) >= count
    data[0] = step


@pytest.mark.parametrize("name", but(["listed", "scores"], "listed"))
def test_a_forged_search_array_is_noticed(name, made):
    """Values follow from one another, but what comes before a block is sought in it."""
    table, path, game, _ = made(name)
    wrong, other = table.copy(), path.with_name("forged")
    shifted(wrong, 1, 1)
    other.write_bytes(wrong.data())
    with zermelo.open(other, game) as opened, zermelo.open(path, game) as right:
        assert [p for p, _ in opened.items()] == list(right)
        assert [p for p in right if opened.get(p) is None]
        found = opened.verify()
        assert not found
        assert "is in the table, but cannot be found there" in found.problem


def test_rules_that_fail_at_a_tampered_position_are_no_error(made):
    """The pile beyond the last is asked for, as no move leads to where the row ends behind it."""
    table, path, game, _ = made("scores")
    wrong, other = table.copy(), path.with_name("forged")
    change_blocks(wrong, random.Random("scores 8"))
    other.write_bytes(wrong.data())
    with zermelo.open(other, game) as opened:
        found = opened.verify()
    assert not found
    assert "cannot be reached, at which the rules fail: StoneGame.gain() raised" in found.problem


def swap_first(items: list[object], other: object) -> None:
    """Replace the first item of a list."""
    items[0] = other


#: What headers may be made to say that values follow from as well: by name, in which layout.
SAID = {
    "players": ("listed", lambda h: h.update(players=2)),
    "other players": ("tiers", lambda h: h["players"].reverse()),
    "another start": ("listed", lambda h: h["start"].update(mouse=3)),
    "one start less": ("listed", lambda h: h["table"]["starts"].pop()),
    "true for 1": ("nimbers", lambda h: h["parameters"].update(limit=True)),
    "a parameter less": ("slots", lambda h: h["parameters"].pop("cells")),
    "other conventions": ("pursuit", lambda h: h.update(conventions="values are for White")),
    "a graph in other words": ("graph", lambda h: h.update(holds="a graph of 9 vertices")),
    "other rounds": ("chase", lambda h: h["table"].update(rounds=3)),
    "a start twice": ("chase", lambda h: h["table"]["starts"].append(h["table"]["starts"][0])),
    "the best move of a proof": ("proof", lambda h: h.update(best=h["best"] + 1)),
    "false for 0 in the position of a proof": ("proof", lambda h: h["position"].update(mine=False)),
    "a nimber that is a fraction": ("nimbers", lambda h: swap_first(h["table"]["palette"], 0.5)),
    "a score that is a fraction": ("scores", lambda h: h["value"].update(score=0.5)),
}


@pytest.mark.parametrize("what", some(SAID, 6))
def test_a_header_that_its_values_do_not_confirm_is_noticed(what, made):
    """Whoever reads the header, as ``describe_table`` does, is told nothing that is not so."""
    name, change = SAID[what]
    _, path, game, truth = made(name)
    assert noticed(forged(path, lambda header, _: change(header)), game, truth) != "right"


NAMES = {
    "fewer": lambda h, p: p["names"][0].__delitem__(slice(5)),
    "no JSON": lambda h, p: p["names"][0].__setitem__(0, 0),
    "two alike": lambda h, p: p["names"][0].__setitem__(2, p["names"][0][9]),
}


@pytest.mark.parametrize("how", but(NAMES, "no JSON", "two alike"))
def test_forged_names_are_noticed(how, made):
    """Values need no names, but questions do."""
    _, path, game, truth = made("graph")
    said = "refused" if how == "fewer" else "false"  # a block's size is known from the header
    assert noticed(forged(path, NAMES[how]), game, truth) == said


CHANGES = {
    "to nothing": lambda data: b"",
    "to half": lambda data: data[: len(data) // 2],
    "by the last bytes": lambda data: data[:-20],
    "to zeros": lambda data: bytes(len(data)),
    "to more zeros": lambda data: bytes(len(data) + 100_000),
}


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("name", some([n for n in LAYOUTS if n != "proof"], 12))
def test_a_file_that_is_changed_while_it_is_open(name, how, made, tmp_path):
    """What has been read is right, and what is read then is an error; the process lives on."""
    _, path, game, _ = made(name)
    with zermelo.open(path, game) as right:
        truth = dict(right.items())
    other, refused = tmp_path / "open.table", 0
    data = path.read_bytes()
    for first in (0, 1):  # before anything is asked, and after one question
        other.write_bytes(data)
        with zermelo.open(other, game) as opened:
            for position in list(truth)[:first]:
                assert opened[position] == truth[position]
            with other.open("r+b") as file:
                file.truncate(0)
                file.write(CHANGES[how](data))
            asked = [lambda: dict(opened.items()) == truth, opened.counts, opened.verify]
            some_of = list(truth)[:: len(truth) // 9 or 1]
            asked += [lambda p=p: opened[p] == truth[p] for p in some_of]
            for ask in asked:
                try:
                    assert ask()
                except CorruptTableError as error:
                    assert str(other) in str(error)  # noqa: PT017  # either is right
                    refused += 1
    assert refused or how == "by the last bytes"  # which is only the directory


#: What may become of a forged file; see ``noticed``.
BECOMES = {"refused", "false", "right"}


def forge(table: Table, draw: random.Random) -> bytes:
    """Return the bytes of a table of which something was changed, with right checksums."""
    how = draw.randrange(10)
    if how < 5:
        change_header(table.header, draw)
        return table.data()
    if how < 7:
        return table.data(lambda header: change_header(header, draw))
    return table.data(relisted=lambda entries: change_directory(entries, draw))


@counts(3, 100, 10_000)
@pytest.mark.parametrize("name", some(LAYOUTS, 4))
def test_forged_headers_are_refused_or_found_wrong_or_right(name, count, made):
    """Of header and directory: a sentence of ours, ``verify`` false, or right answers."""
    table, path, game, truth = made(name)
    other, found = path.with_name("forged"), set()
    for number in range(count):
        other.write_bytes(forge(table.copy(), random.Random(f"{name} {number}")))
        found.add(noticed(other, game, truth))
    assert {"refused"} <= found <= BECOMES


@counts(25, None, 1_000)
@pytest.mark.parametrize("name", some(LAYOUTS, 4))
def test_forged_blocks_are_refused_or_found_wrong_or_right(name, count, made):
    """The same of everything else."""
    table, path, game, truth = made(name)
    other, found = path.with_name("forged"), set()
    for number in range(count):
        changed = table.copy()
        change_blocks(changed, random.Random(f"{name} {number}"))
        other.write_bytes(changed.data())
        found.add(noticed(other, game, truth))
    assert {"refused", "false"} <= found <= BECOMES


#: Headers that would take much memory, or time, if they were believed.
HUGE = {
    "nested": lambda: b"[" * 90_000,
    "nested whole": lambda: b'{"a":' * 60_000 + b"1" + b"}" * 60_000,
    "a number": lambda: b'{"a": ' + b"7" * 4_000_000 + b"}",
    "a fraction": lambda: b'{"a": 0.' + b"7" * 4_000_000 + b"}",
    "a power": lambda: b'{"a": 1e' + b"9" * 4_000_000 + b"}",
    "a text": lambda: b'{"a": "' + b"x" * 50_000_000 + b'"}',
    "lists": lambda: b"[" + b"[]," * 1_300_000 + b"[]]",
    "dictionaries": lambda: b"[" + b"{}," * 1_300_000 + b"{}]",
    "no number": lambda: b'{"a": NaN}',
    "endless": lambda: b'{"a": -Infinity}',
}


@pytest.mark.parametrize("what", HUGE)
def test_huge_headers_are_refused_within_little(what, tmp_path):
    """Of 16 MB at most anything is read, and of that no more is made than it takes."""
    path = tmp_path / "huge.table"
    path.write_bytes(headed(HUGE[what]() + b"\n"))
    tracemalloc.start()
    try:
        with pytest.raises(CorruptTableError, match="cannot be used") as caught:
            zermelo.open(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 1000
    assert peak < 64 << 20


def longer_graph(table: Table) -> None:
    """Say that a pursuit has as many nodes as its first array has entries."""
    table.header["table"]["nodes"] = table.arrays["indptr0"]["length"] - 1


#: What there may be beyond what the process had before, of memory.
LITTLE = 16 << 20
#: Zeros of which arrays are made, and how many there are to be. A block takes some hundred bytes.
LONG, LONGEST, MANY = bytes(1 << 22), bytes(1 << 24), 20 << 30
#: What makes the header say that an array is as long as its blocks have it.
LONGER = {("chase", "indptr0"): longer_graph}


def of_zeros(table: Table, name: str, how: str) -> None:
    """Replace an array by zeros.

    Args:
        table: has the array.
        name: the array.
        how: ``long`` and ``longest`` for as many blocks as before, of 4 and 16 MB; ``many`` for
            20 GB of the latter; ``more`` for thousands as the table has them.
    """
    each, blocks = table.arrays[name], len(table.parts[name])
    size, zeros = np.dtype(each["dtype"]).itemsize, LONG if how == "long" else LONGEST
    if how == "more":
        zeros, blocks = bytes(each["per_block"] * size or 1024), 10_000
    elif how == "many":
        each["per_block"], blocks = len(zeros) // size, MANY // len(zeros)
    else:
        each["per_block"] = 0
    table.parts[name] = [zeros] * blocks
    each["length"] = len(zeros) * blocks // size


def all_longer(table: Table) -> None:
    """Extend a table of listed positions to 20 GB of values, in blocks of 4 MB instead of 1,024."""
    blocks = MANY // len(LONG)
    table.header["table"]["positions"] = 1024 * blocks
    for name, block in {"positions": bytes(1024), "values": LONG}.items():
        table.parts[name] = [block] * blocks
        table.arrays[name].update(length=len(block) * blocks, per_block=0)
    first = bytes(table.parts["first"][0][:8]) * blocks
    table.parts["first"] = [bytearray(first[at : at + 8192]) for at in range(0, len(first), 8192)]
    table.arrays["first"]["length"] = blocks
    table.arrays["values"]["length"] = table.arrays["positions"]["length"] = 1024 * blocks


@pytest.mark.skipif(not footprint.RESET.exists(), reason="only Linux tells what is resident")
@pytest.mark.parametrize("name", some([n for n in LAYOUTS if n != "proof"], 16))
def test_gigabytes_of_zeros_are_refused_within_little(name, made, tmp_path):
    """Whichever array is made of them, in blocks as the table has or longer ones."""
    whole, _, game, truth = made(name)
    path = tmp_path / "long.table"
    cases = [*itertools.product(whole.parts, ("long", "longest", "many", "more"))]
    for array, how in [*cases, *[("all", "longer")] * (name == "listed")]:
        table = whole.copy()
        if how == "longer":
            all_longer(table)
        else:
            of_zeros(table, array, how)
            LONGER.get((name, array), lambda _: None)(table)
        path.write_bytes(table.data())
        assert path.stat().st_size < 4 << 20
        del table
        footprint.RESET.write_text("5")
        before = footprint.held("VmRSS")
        assert noticed(path, game, truth) in ("refused", "false"), (array, how)
        assert footprint.held("VmHWM") - before < LITTLE, (array, how)


@dataclass(frozen=True)
class Noted(TakeAway):
    """A heap with notes, which rules do not read."""

    notes: tuple[tuple[int, ...], ...] = ()


def test_a_header_that_no_table_has_is_not_written(tmp_path):
    """It says so before anything is written."""
    solution = zermelo.solve(Noted(3, notes=((),) * 140_000))
    with pytest.raises(zermelo.TableWriteError, match=r"header would .* give the game shorter"):
        solution.save(tmp_path / "x.table")
    assert list(tmp_path.iterdir()) == []
