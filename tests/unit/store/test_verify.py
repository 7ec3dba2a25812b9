"""Verifying a table from its file: damage and wrong values are told apart, in little memory.

The tables of a test fit into any memory, so orders for larger ones are asked for here.
"""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import zermelo
from support.sizes import but, some
from support.small_blocks import SMALL, small_batches
from zermelo import BudgetError, CorruptTableError, limits
from zermelo._engine.certificate import kernels as certify_checks
from zermelo._engine.certificate import order as certify_places
from zermelo._engine.certificate import table_check as certify
from zermelo._engine.column import header_palette
from zermelo._engine.file.reader import Reader
from zermelo._engine.file.writer import Writer
from zermelo._methods.placement.table_form import TierForm
from zermelo.games import CatAndMouse, ConnectFour, Quixo, StoneGame, TakeAway, TicTacToe
from zermelo.progress import Reporter
from zermelo.solution import certificate
from zermelo.values.registry import KINDS

HEXAGON = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]
#: A game of each layout that values can be stored in.
LAYOUTS = {
    "hashed": (TicTacToe(), {"method": "retrograde"}),
    "levels": (ConnectFour(width=3, height=3, length=3), {"method": "levels"}),
    "placement": (ConnectFour(width=3, height=3, length=3), {}),
    "without remoteness": (ConnectFour(width=3, height=3, length=3), {"value": "outcome"}),
    "dense": (TicTacToe(), {"method": "dense"}),
    "symmetries": (Quixo(3), {}),
    "pursuit": (CatAndMouse(HEXAGON), {}),
    "turns": (CatAndMouse(HEXAGON), {"method": "retrograde"}),
    "scores": (StoneGame(piles=(3, 1, 4, 1, 5, 9, 2, 6)), {}),
}


@pytest.fixture(params=some(LAYOUTS, 4))
def table(request, tmp_path):
    """A table of each layout, and its game."""
    game, how = LAYOUTS[request.param]
    return zermelo.solve(game, **how).save(tmp_path / "right.table"), game


def change_place(raw: list[bytes], reader: Reader, rng: random.Random) -> None:
    """Change one value of blocks that have values as places in the palette."""
    values = reader.array_entry("values")
    shift = int(reader.header["table"]["turns"])
    kind = KINDS[reader.header["table"]["value_kind"]]
    most = len(header_palette.parse_palette(reader.header["table"]["palette"], kind))
    while True:
        block = values.first + rng.randrange(values.blocks)
        chosen = np.frombuffer(raw[block], values.dtype).copy()
        at = rng.randrange(len(chosen))
        other = rng.randrange(most) << shift | int(chosen[at]) & ((1 << shift) - 1)
        if other != chosen[at]:
            break
    chosen[at] = other
    raw[block] = chosen.tobytes()


def change_number(
    raw: list[bytes], path: Path, rng: random.Random, place: int | None = None
) -> None:
    """Change one value of blocks that have values as numbers of few bits, level by level."""
    with zermelo.open(path) as solution:
        levelled = solution._solved.table.column.level_blocks
        first = solution._solved.table.reader.array_entry("values").first
    while True:
        block = rng.randrange(len(levelled.sizes)) if place is None else levelled.locate(place)[1]
        level = levelled.level_of(block)
        width, most = levelled.widths[level], len(levelled.listed[level])
        at = rng.randrange(levelled.bounds[block + 1] - levelled.bounds[block])
        at = at if place is None else place - levelled.bounds.item(block)
        byte, shift = divmod(width * at, 8)
        data = bytearray(raw[first + block])
        number = data[byte] >> shift & ((1 << width) - 1)
        other = rng.randrange(most)
        if other != number:
            break
    data[byte] ^= (number ^ other) << shift
    raw[first + block] = bytes(data)


def forge(path: Path, rng: random.Random, place: int | None = None) -> Path:
    """Write a table anew with right checksums and one value changed for another that occurs."""
    reader = Reader(path)
    raw = [bytes(reader.block(n)) for n in range(len(reader.entries))]
    if reader.header["table"]["kind"] == "tiers":
        change_number(raw, path, rng, place)
    else:
        change_place(raw, reader, rng)
    header = {k: v for k, v in reader.header.items() if k not in ("arrays", "directory")}
    wrong = path.with_name("wrong.table")
    with Writer(wrong, overwrite=True) as writer:
        writer.begin(header, reader.arrays)
        sizes = [np.array([len(data)]) for data in raw]
        blocks = [np.frombuffer(data, np.uint8) for data in raw]
        writer.write_several(lambda n, _: ((blocks[n], sizes[n]),), range(len(raw)), 1, (3,))
        writer.finish()
    reader.close()
    return wrong


@pytest.fixture
def in_parts():
    """No table fits; of each one block is unpacked at a time, and a few positions are a batch."""
    with small_batches():
        yield


@pytest.fixture(
    params=[None, pytest.param("20MB", marks=pytest.mark.slow)], ids=["whole", "in parts"]
)
def memory(request):
    """As much as is free; or so much that no table fits."""
    if request.param is not None:
        request.getfixturevalue("in_parts")
    return request.param


def test_one_wrong_value_is_found_and_told(table, memory):
    """Whichever it is; and the file is no less whole for it."""
    path, game = table
    rng = random.Random(8)
    right = zermelo.open(path, game).verify(memory=memory)
    assert right
    assert right.moves == zermelo.solve(game).verify().moves
    for _ in range(4 if memory is None else 2):
        wrong = zermelo.open(forge(path, rng), game)
        verification = wrong.verify(memory=memory)
        assert not verification
        assert verification.position in wrong
        assert repr(verification.position) in verification.problem
        assert str(wrong[verification.position]) in verification.problem


@pytest.mark.parametrize("value", [None, "outcome"])
@pytest.mark.slow
def test_a_wrong_value_in_a_placement_file_is_told_alike(tmp_path, monkeypatch, value):
    """Its values are read level by level and made planes, of which 64 are looked at at once."""
    game = ConnectFour(width=4, height=3, length=3)
    solution = zermelo.solve(game, value=value)
    path = solution.save(tmp_path / "right.table")
    rng = random.Random(10)
    at_once, told = TierForm.check, []

    def noted(*arguments):
        told.append(at_once(*arguments))
        return told[-1]

    monkeypatch.setattr(TierForm, "check", noted)
    for number in range(9):
        found = []
        for few in (0, 1 << 62):
            name = path if number == 0 else path.with_name("wrong.table")
            with limits.using(bitwise=few), zermelo.open(name) as table:
                found.append(table.verify())
        fast, slow = found
        assert told[-2] is not None
        assert told[-1] is None
        assert fast.ok == slow.ok == (number == 0)
        assert (fast.problem, fast.position) == (slow.problem, slow.position)
        assert fast.ok is False or fast.moves == slow.moves == solution.verify().moves
        forge(path, rng)


def test_the_first_wrong_position_does_not_depend_on_the_memory(table, request):
    """It is the first in the order of the table, in whatever order they were come to."""
    path, game = table
    rng = random.Random(11)
    wrongs = []
    for _ in range(3):
        for _ in range(3):  # several are wrong
            shutil.copy(forge(path, rng), path)
        wrongs.append(shutil.copy(path, path.with_name(f"{len(wrongs)}.table")))
    told = [zermelo.open(wrong, game).verify() for wrong in wrongs]
    request.getfixturevalue("in_parts")
    for wrong, right in zip(wrongs, told, strict=True):
        found = zermelo.open(wrong, game).verify(memory="20MB")
        assert (found.problem, found.position) == (right.problem, right.position)


@pytest.mark.slow
@pytest.mark.parametrize("value", [None, pytest.param("outcome", marks=pytest.mark.huge)])
def test_wrong_values_in_a_placement_file_that_does_not_fit_are_told_alike(
    tmp_path, value, monkeypatch
):
    """At the ends of levels and tiers, and anywhere, in three amounts of memory."""
    monkeypatch.setattr(certificate, "_check_by_expansion", None)
    game = ConnectFour(width=5, height=4)
    path = zermelo.solve(game, value=value).save(tmp_path / "right.table")
    rng = random.Random(12)
    with zermelo.open(path) as table:
        right, at = table.verify(), table._solved.table.index.directory
        levels = at.place[at.level_section].tolist()
        tiers = at.place[at.level_section[20] : at.level_section[20] + 3].tolist()
    assert right
    ends = [place for bound in (*levels[15:], *tiers) for place in (bound - 1, bound)]
    for place in [*ends[::3], *(rng.randrange(right.positions) for _ in range(3))]:
        if place == right.positions:
            continue
        wrong = forge(path, rng, place)
        told = []
        for memory in (None, "12MB", "8MB"):
            with zermelo.open(wrong, game) as table:
                table.threads = 2
                told.append(replace(table.verify(memory=memory), seconds=0))
        assert not told[0]
        assert told == told[:1] * 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", but(["hashed", "levels", "dense"], "levels", "dense"))
def test_what_no_start_reaches_is_told_part_by_part(kind, tmp_path, in_parts):
    """And so is a start that is not there."""
    game, how = LAYOUTS[kind]
    solution = zermelo.open(zermelo.solve(game, **how).save(tmp_path / "x.table"))
    compiled, table = solution._solved.compiled, solution._solved.table
    table.limit_cache(1)

    def found(starts):
        return certify.certify(compiled, starts, table, 1, Reporter(None), SMALL)

    starts = compiled.start_words()
    assert found(starts).fault == certify_checks.NOTHING
    after = compiled.rules.play(game.start(), next(iter(game.moves(game.start()))))
    others = compiled.canonical(np.array(compiled.rules.layout.pack(after), np.uint64), 1)
    unreached = found(others.reshape(1, -1))
    assert unreached.fault == certify_checks.UNREACHED
    assert unreached.place <= int(table.starts[0])
    nowhere = np.full_like(starts, (1 << 18) - 1)
    assert found(nowhere).fault == certify_checks.MISSING_START


def test_damage_is_told_before_any_value_is_looked_at(table, memory):
    """Also where the damaged block holds nothing that the start can reach first."""
    path, game = table
    data = path.read_bytes()
    rng = random.Random(9)
    begin = int(data.split(b" ", 3)[2]) + 66
    for _ in range(6):
        wrong = bytearray(data)
        wrong[rng.randrange(begin, len(data))] ^= 1 << rng.randrange(8)
        path.with_name("damaged.table").write_bytes(wrong)
        with pytest.raises(CorruptTableError, match="make the table again"):
            zermelo.open(path.with_name("damaged.table"), game).verify(memory=memory)


def test_too_little_memory_is_refused_with_the_least_it_needs(table):
    """And that is enough."""
    path, game = table
    with pytest.raises(BudgetError, match=r"verifying .* needs at least .* allow more") as found:
        zermelo.open(path, game).verify(memory="200kB")
    assert zermelo.open(path, game).verify(memory=found.value.needed)


def test_pages_are_cut_and_put_together_as_is_asked():
    """Every place is handed out once, whatever the table's own pages are."""
    parts = [np.arange(3), np.arange(3, 10), np.arange(10, 11)]
    for page in (1, 4, 20):
        pages = certify_places.PageOrder(iter(parts), page)
        found = []
        while (some := pages.next_batch()) is not None:
            found.append(some)
        assert np.concatenate(found).tolist() == list(range(11))
        assert all(len(some) == page for some in found[:-1])


def test_the_sentence_says_what_the_moves_lead_to(tmp_path):
    """The position, its value in the table, and the values in the table that contradict it."""
    solution = zermelo.solve(TicTacToe(), method="retrograde")
    path = solution.save(tmp_path / "right.table")
    table = zermelo.open(forge(path, random.Random(1)))
    verification = table.verify()
    position = verification.position
    for option in table.options(position)[:3]:
        assert f"{option.name} leads to {table[option.position]}" in verification.problem


def test_an_end_that_is_called_wrongly_is_the_rules_to_tell():
    """It has no successors."""
    solution = zermelo.solve(TakeAway(stones=0), method="retrograde")
    solution._solved.table.column.stored *= -1
    problem = solution.verify().problem
    assert problem == "0 is stored as win in 0, but the rules make it loss in 0"


@pytest.mark.slow
def test_places_wait_by_a_mark_where_the_queue_is_long():
    """All positions are come to all the same, each once; and those of an island are not."""
    solution = zermelo.solve(ConnectFour(width=4, height=3), method="retrograde")
    table = solution._solved.table
    reached = np.zeros(table.span, np.uint8)
    table.reachability_evidence = "any"
    with mock.patch.multiple(certify_places, QUEUED=0, _SCAN_PLACES=100, PAGE=64):
        verification = solution.verify()
        walk = certify_places.QueueOrder(np.arange(5), reached, 4)
        walk.add_reached(np.array([900, 7, 3, 900, 700]))
        seen = []
        while (places := walk.next_batch()) is not None:
            seen += places.tolist()
    assert verification
    assert verification.moves == zermelo.solve(solution.game, method="retrograde").verify().moves
    assert sorted(seen) == [0, 1, 2, 3, 4, 7, 700, 900]


@pytest.mark.slow
@mock.patch.multiple(certify_places, _NARROW=1 << 20, _PATIENCE=0)
def test_places_nearby_are_checked_with_narrow_batches(tmp_path):
    """Moves are counted once, however often a position was checked before it was reached."""
    solution = zermelo.solve(ConnectFour(width=4, height=3), method="retrograde")
    table, moves = solution._solved.table, solution.verify().moves
    table.reachability_evidence = "any"
    assert solution.verify().moves == moves
    opened = zermelo.open(solution.save(tmp_path / "x.table"))
    assert opened.verify().moves == moves
    table.column.stored[4_000] += 1
    assert "is stored as" in solution.verify().problem
    solution = zermelo.solve(TicTacToe())
    table = solution._solved.table
    table.reachability_evidence = "any"
    island = solution._solved.compiled.rules.layout.pack(solution.start._replace(theirs=0o777))
    table.column.stored = np.append(table.column.stored, table.column.stored[-1:])
    table.column.stored[-1] = table.kind.encode(zermelo.Value(zermelo.LOSS, 0, None))
    table.column.count = table.index.span = len(table.column.stored)
    table.index.keys = np.append(table.index.keys, np.array(island, np.uint64))
    assert "cannot be reached" in solution.verify().problem


def test_the_command_tells_damage_and_wrong_values_apart(tmp_path, capsys):
    """Code 2 for the one, and 1 for the other, which it shows."""
    from click.testing import CliRunner

    from zermelo.cli import main

    right = zermelo.solve(TicTacToe()).save(tmp_path / "right.table")
    wrong = forge(right, random.Random(2))
    result = CliRunner().invoke(main, ["verify", str(wrong)])
    assert result.exit_code == 1
    first, *shown = result.stdout.splitlines()
    assert first.startswith("the certificate fails: Board(")
    position = zermelo.open(wrong).verify().position
    assert "\n".join(shown) == TicTacToe().show(position)
    document = json.loads(CliRunner().invoke(main, ["verify", str(wrong), "--json"]).stdout)
    assert document["position"] == {"mine": position.mine, "theirs": position.theirs}
    damaged = tmp_path / "damaged.table"
    shutil.copy(right, damaged)
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    result = CliRunner().invoke(main, ["verify", str(damaged), "--memory", "1MB"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is damaged; make the table again" in result.stderr
