"""Tables that hold values alone: what is in them, and what is not believed of them."""

from __future__ import annotations

import gc
import random
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import Table, check_checksums, forged
from support.games.boards import FallingMisere, Notakto
from support.small_blocks import small_tiers
from zermelo import CorruptTableError, MissingTableError, limits
from zermelo.errors import ZermeloError
from zermelo.game.placement import MarkingGame
from zermelo.games import CatAndMouse, ConnectFour, Quixo
from zermelo.solution import certificate

HEXAGON = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]


@dataclass(frozen=True)
class Wild(MarkingGame):
    """Either mark may be made, on a board of two by three; three in a row win."""

    width: int = 3
    height: int = 2
    choice = True

    def lines(self):
        """The two rows."""
        return self.straight(3)


#: Each kind of table compiles kernels of its own; test_tables.py has one of each by default.
pytestmark = pytest.mark.slow

#: A game of each kind of table, how it is solved, and the arrays that its table has.
KINDS = {
    "listed": (ConnectFour(4, 3), {"method": "levels"}, {"positions", "values", "first"}),
    "slots": (Quixo(3), {"method": "dense"}, {"held", "slots", "values"}),
    "tiers": (ConnectFour(4, 3), {}, {"present", "held", "patterns", "values"}),
    "pursuit": (CatAndMouse(HEXAGON), {}, {"values"}),
}


@pytest.fixture(scope="module")
def solutions():
    """A solution of each kind."""
    return {kind: zermelo.solve(game, **how) for kind, (game, how, _) in KINDS.items()}


@pytest.fixture(params=KINDS)
def kind(request):
    """The name of a kind of table."""
    return request.param


@pytest.fixture
def table(kind, solutions, tmp_path):
    """The path of a table of that kind."""
    return solutions[kind].save(tmp_path / f"{kind}.table")


def test_positions_that_have_numbers_are_not_written(kind, table):
    """The file has the arrays of its kind, and says in its header which kind that is."""
    header = zermelo.describe_table(table)
    assert header["table"]["kind"] == kind
    assert set(header["arrays"]) == KINDS[kind][2]


def test_a_table_is_the_same_on_any_number_of_threads_and_saved_again(kind, table, tmp_path):
    """Solved and compressed by one thread, two or three, and saved once more after opening."""
    game, how, _ = KINDS[kind]
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}"
        zermelo.solve(game, threads=threads, **how).save(path)
        assert path.read_bytes() == table.read_bytes()
    again = zermelo.open(table, game).save(tmp_path / "again")
    assert again.read_bytes() == table.read_bytes()


def test_what_is_forgotten_is_read_again(kind, table, solutions):
    """A table that keeps nothing of what it has read answers as one that keeps all."""
    with limits.using(file_cache=1):
        opened = zermelo.open(table, KINDS[kind][0])
        solution = solutions[kind]
        for position in random.Random(2).sample(list(solution), 40):
            assert opened[position] == solution[position]
            assert opened.options(position) == solution.options(position)
        assert sorted(opened.items(), key=str) == sorted(solution.items(), key=str)


def test_many_are_found_in_any_order_and_by_several_threads(kind, table, solutions):
    """Each takes a few blocks, and those of a block are looked for together."""
    solution, layout = solutions[kind], solutions[kind]._solved.compiled.rules.layout
    rows = np.array([layout.flatten(position) for position in solution])
    rows = np.concatenate([rows, rows[:50] + 1, rows[:50]])
    rng = np.random.default_rng(5)
    opened = zermelo.open(table, KINDS[kind][0])
    for asked in (rng.permutation(rows), rows, rng.permutation(rows)[:3]):
        with limits.using(sharing=0, at_once=1 << 13):
            found, right = opened.get_many(asked), solution.get_many(asked)
        for name in ("found", "outcome", "remoteness"):
            assert (getattr(found, name) == getattr(right, name)).all()


@pytest.mark.parametrize("value", [None, "outcome"], ids=["timed", "untimed"])
@pytest.mark.parametrize("game", [Wild(), Notakto(3, 2, 3), FallingMisere(3, 4, 3)], ids=repr)
def test_marks_of_every_kind_have_numbers(game, value, tmp_path, monkeypatch):
    """Each player's own, either, or crosses alone; in blocks of one word, and of many."""
    solution = zermelo.solve(game, value=value)
    truth = dict(solution.items())
    # Looking at positions one by one would hide that looking at 64 at once finds faults.
    monkeypatch.setattr(certificate, "_check_by_expansion", None)
    for blocks, together in [(nullcontext(), 128), (small_tiers(), 1)]:
        # Quick answers are given to the first question, too.
        with (
            blocks,
            zermelo.open(solution.save(tmp_path / str(together)), type(game)) as opened,
            limits.using(bitwise=0, questions=0),
        ):
            path = tmp_path / str(together)
            assert zermelo.describe_table(path)["table"]["kind"] == "tiers"
            assert {position: opened.get(position) for position in truth} == truth
            with limits.using(at_once=together):
                assert opened.verify().moves == solution.verify().moves
            assert {position: opened[position] for position in truth} == truth
            assert dict(opened.items()) == truth
            assert opened.counts() == solution.counts()
            again = opened.save(tmp_path / "again", overwrite=True)
            assert again.read_bytes() == path.read_bytes()


def test_a_table_that_is_closed_gives_its_file_back(kind, table, solutions):
    """What was not read cannot be read any more, which is said; nothing is left open."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        with zermelo.open(table, KINDS[kind][0]) as opened:
            assert opened.value is not None
            position = opened.start
            assert opened[position] == opened.value
        opened.close()
        with pytest.raises(MissingTableError, match="has been closed; open it again"):
            opened.counts(folded=True)
        with pytest.raises(MissingTableError, match="has been closed; open it again"):
            opened.get_many([*solutions[kind]])
        assert opened[position] == opened.value
        del opened
        gc.collect()


def test_any_flipped_bit_or_cut_is_noticed(kind, table):
    """Wherever it falls, before anything of it is believed."""
    data = table.read_bytes()
    rng = random.Random(kind)
    wrong = table.with_name("wrong")
    for place in [rng.randrange(8 * len(data)) for _ in range(250)]:
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        wrong.write_bytes(flipped)
        with pytest.raises(CorruptTableError):
            check_checksums(wrong)
    for end in [rng.randrange(len(data)) for _ in range(100)]:
        wrong.write_bytes(data[:end])
        with pytest.raises(CorruptTableError):
            check_checksums(wrong)


def used(path: Path, game) -> zermelo.Solution | None:
    """Open a table and ask it everything; return it, or None where it is refused."""
    try:
        opened = zermelo.open(path, game)
        some = list(opened.items())
        opened.counts()
        opened.get_many([position for position, _ in some])
        for position, _ in some[:20]:
            opened.get(position)
    except ZermeloError as error:
        assert str(path) in str(error)  # noqa: PT017  # either is right, but not another error
        return None
    return opened


def test_nothing_is_lost_where_a_table_is_written_anew(kind, table):
    """What the next tests change is otherwise as it was."""
    assert Table.of(forged(table, lambda header, parts: None)) == Table.of(table)


HOSTILE = {
    "a value past the palette": lambda h, p: p["values"][0].__setitem__(0, 255),
    "a longer block of values": lambda h, p: p["values"][-1].extend(b"\0\0\0\0\0\0\0\0"),
    "a shorter one": lambda h, p: p["values"][-1].pop(),
    "none": lambda h, p: p["values"].pop(),
    "a bomb of values": lambda h, p: p["values"].__setitem__(0, bytes(1 << 23)),
    "an empty palette": lambda h, p: h["table"].update(palette=[]),
    "a palette of text": lambda h, p: h["table"].update(palette=["win"]),
    "a palette of palettes": lambda h, p: h["table"].update(palette=[[1], [2]]),
    "a short palette": lambda h, p: h["table"]["palette"].pop(),
    "endless values": lambda h, p: h["table"]["palette"].__setitem__(0, 1 << 70),
    "more positions": lambda h, p: h["table"].update(positions=1 << 60),
    "fewer positions": lambda h, p: h["table"].update(positions=3),
    "negative positions": lambda h, p: h["table"].update(positions=-3),
    "positions of text": lambda h, p: h["table"].update(positions="3"),
    "more words": lambda h, p: h["table"].update(words=3),
    "words beyond all": lambda h, p: h["table"].update(words=1 << 50),
    "a start past the last": lambda h, p: h["table"].update(starts=[1 << 40]),
    "a negative start": lambda h, p: h["table"].update(starts=[-5]),
    "no start": lambda h, p: h["table"].update(starts=[]),
    "other turns": lambda h, p: h["table"].update(turns=True),
    "other scores": lambda h, p: h["table"].update(value_kind="score"),
    "no reason to be there": lambda h, p: h["table"].update(reach="because"),
    "no such kind": lambda h, p: h["table"].update(kind="pickled"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_table_that_somebody_forged_is_refused(kind, table, how):
    """Its checksums are right, but it is not of a piece; or at least it is found to be wrong."""
    opened = used(forged(table, HOSTILE[how]), KINDS[kind][0])
    assert opened is None or (how == "other turns" and not opened.verify())


@pytest.mark.parametrize("name", ["patterns", "values"])
@pytest.mark.parametrize("how", ["more", "fewer", "moved"])
def test_bits_in_more_bytes_or_fewer_are_refused(name, how, solutions, tmp_path):
    """Whether they are asked for, or all of them read; also where one block has another's."""
    with small_tiers(words=None):
        check_bits(name, how, solutions["tiers"].save(tmp_path / "x.table"))


def check_bits(name, how, table):
    """Check what is said of a table after such a change."""

    def change(_, parts):
        before, last = [block for block in parts[name] if len(block) > 1][-2:]
        if how != "more":
            byte = last.pop()
        if how != "fewer":
            before.append(0 if how == "more" else byte)

    path = forged(table, change)
    assert used(path, KINDS["tiers"][0]) is None
    with (
        limits.using(bitwise=0),
        pytest.raises(CorruptTableError, match="is wrong; make the table again"),
    ):
        zermelo.open(path).verify()


def test_one_question_sees_that_a_block_is_not_of_a_piece(kind, table, solutions):
    """As many at once do; and a position is never told to be where there is none.

    Where blocks have as many bytes as the header says, the file is not opened at all.
    """
    game, solution = KINDS[kind][0], solutions[kind]
    name = {"tiers": "patterns", "listed": "positions"}.get(kind, "values")
    told = 0
    # Any bytes are steps of positions, but not any number of bytes.
    other = lambda block: block.__setitem__(-1, block[-1] ^ 129)  # noqa: E731  # as the first
    for change in (lambda block: block.pop(), {"listed": lambda b: b.append(0)}.get(kind, other)):
        path = forged(table, lambda _, parts, to=change: to(parts[name][-1]))
        try:
            opened = zermelo.open(path, game)
        except CorruptTableError:
            told += 1
            continue
        strange = [position for position in solution if opened._quick(position) is None]
        for position in strange:
            try:
                opened.get(position)
            except CorruptTableError:
                told += 1
                break
        # Not only what is not there any more, but all of its block.
        assert kind != "tiers" or len(strange) > 2
    assert told == 2


@pytest.mark.parametrize("other", KINDS)
def test_a_table_that_says_it_is_of_another_kind_is_refused(kind, table, other):
    """Each kind has arrays of its own."""
    path = forged(table, lambda header, parts: header["table"].update(kind=other))
    assert (used(path, KINDS[kind][0]) is None) == (kind != other)


def test_whatever_is_forged_it_is_refused_or_found_wrong(kind, table, solutions):
    """Changes to blocks and their sizes: what the certificate lets pass is the truth."""
    game, solution = KINDS[kind][0], solutions[kind]
    truth = dict(solution.items())
    rng = random.Random(4)

    def change(header, parts) -> None:
        blocks = parts[rng.choice([name for name in parts if parts[name]])]
        block = blocks[rng.randrange(len(blocks))]
        for _ in range(rng.choice((1, 1, 3, 20))):
            block[rng.randrange(len(block))] = rng.randrange(256)
        if rng.random() < 0.2:
            del block[rng.randrange(len(block)) :]
        if rng.random() < 0.1:
            block.extend(rng.randbytes(8))
        if not block:
            block.append(0)

    passed = 0
    for _ in range(12):
        opened = used(forged(table, change), game)
        if opened is None:
            continue
        try:
            verification = opened.verify()
        except CorruptTableError:
            continue
        if verification:
            passed += 1
            assert dict(opened.items()) == truth
    assert passed < 12
