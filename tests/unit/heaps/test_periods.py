"""Periods of heap games: published ones, proofs that are redone, and proofs that are none."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from facts import rows
from support.sizes import but, counts
from zermelo import ParameterError, TableExistsError
from zermelo.heaps import (
    DAWSONS_CHESS,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
    HeapGame,
    Subtraction,
    TakeAndBreak,
)
from zermelo.heaps.periods import Period, find_period

from .plain import nim_sequence, some_code

#: Those that need more than a hundred thousand heaps.
LONG = {"0.16", "0.560"}

#: Where a source disagrees: its last exception, and what the definition gives.
CORRECTED = {"0.560": (326637, 326639)}


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=pytest.mark.slow if row["code"] == "0.560" else [])
        for row in rows("octal_periods")
    ],
    ids=lambda row: row["code"],
)
def test_published_periods(row):
    """Period and last exception are those published, and the proof can be redone."""
    period = TakeAndBreak(row["code"]).period(1_000_000 if row["code"] in LONG else None)
    told, found = CORRECTED.get(row["code"], (int(row["last_exception"]),) * 2)
    assert told == int(row["last_exception"])
    assert (period.period, period.last_exception) == (int(row["period"]), found)
    assert (period.saltus, period.preperiod) == (0, found + 1)
    if period.checked_to < 10_000:
        assert period.verify(), period.verify().problem


def test_exceptions_are_those_published():
    """OEIS lists all exceptions of Dawson's Chess (A002187) and of 0.117 (A071453)."""
    assert DAWSONS_CHESS.period().exceptions == (0, 14, 16, 17, 31, 34, 51)
    assert TakeAndBreak("0.117").period().exceptions == (2, 6, 7, 12, 16, 22, 26, 36, 46)


def test_a_proof_in_words():
    """The period says where it begins and what proves it."""
    assert repr(DAWSONS_CHESS.period()) == (
        "<TakeAndBreak('0.137') has period 34, from heap 52 on; proved by the nimbers to 174>"
    )
    assert repr(NIM.period()) == (
        "<TakeAndBreak('0.333...') has period 1, 1 more in each, from the first heap on; "
        "proved by the nimbers to 2>"
    )
    assert "all 175 nimbers computed again" in str(DAWSONS_CHESS.period().verify())


@counts(8, 65, 400)
@pytest.mark.parametrize("parts", but([1, 2, 3], 3))
def test_what_is_proved_holds_far_beyond(count, parts):
    """Nimbers by definition follow a proved period for long after it was checked."""
    choose = random.Random(10 + parts)
    proved = 0
    for _ in range(count):
        code = some_code(choose, parts=parts)
        game = HeapGame(code, str(code))
        period = game.period({1: 150, 2: 100, 3: 40}[parts])
        if not period:
            continue
        proved += 1
        assert period.verify(), (code, period.verify().problem)
        size = {1: 400, 2: 250, 3: 60}[parts]
        values = np.array(nim_sequence(code.options, size))
        p, first = period.period, period.preperiod
        assert (values[first + p :] == values[first:-p] + period.saltus).all(), code
        differ = [n for n in range(first) if values[n + p] != values[n] + period.saltus]
        assert not first or differ[-1] == first - 1
        assert (game.nimbers(size - 1) == values).all()
    assert proved >= count // 20


@counts(40, None, 500)
def test_all_but_sets_grow_steadily(count):
    """All-but sets are arithmetic periodic (Siegel), from the start where they have three at most.

    Sleator and Slusky, Subtraction games with FES sets of size 3 (2012).
    """
    choose = random.Random(11)
    for _ in range(count):
        excluded = choose.sample(range(1, 11), choose.randrange(1, 6))
        period = AllBut(excluded).period()
        assert period.saltus > 0
        assert period.preperiod == 0 or len(excluded) > 3
    assert AllBut({1, 2, 8, 9, 10}).period().last_exception == 7


@pytest.mark.parametrize(
    "forged",
    [
        {"period": 68},
        {"period": 17},
        {"period": 0},
        {"period": -34},
        {"saltus": 1},
        {"preperiod": 51},
        {"preperiod": 53},
        {"preperiod": -1},
        {"preperiod": 900},
        {"exceptions": (0, 14)},
        {"exceptions": ()},
        {"checked_to": 173},
        {"checked_to": 60},
        {"game": KAYLES},
        {"game": GRUNDYS_GAME},
        {"game": Subtraction({1, 2})},
    ],
    ids=str,
)
def test_a_forged_period_is_refused(forged):
    """Whatever is changed in a period, doing the proof again shows it, with a reason."""
    check = replace(DAWSONS_CHESS.period(), **forged).verify()
    assert not check
    assert check.problem


def test_a_forged_saltus_is_refused():
    """So for a code that goes on: its period, its saltus, and too few nimbers."""
    period = AllBut({2, 5, 9}).period()
    assert period.verify()
    for forged in ({"saltus": 4, "period": 8}, {"saltus": 3}, {"checked_to": 12}):
        assert not replace(period, **forged).verify()


@pytest.mark.slow
def test_games_without_a_proof():
    """There is a false answer that says how far was looked, and what the nimbers look like."""
    none = GRUNDYS_GAME.period(2000)
    assert not none
    assert repr(none) == (
        "<GRUNDYS_GAME: no period proved by the nimbers to 2,000; only a larger limit can show one>"
    )
    assert not LASKERS_NIM.period(200)
    assert "grow by 4 every 4 heaps" in LASKERS_NIM.period(200).reason
    assert "grow by 1 every 3 heaps" in TakeAndBreak("0.8").period(100).reason
    assert "no theorem here" in TakeAndBreak("0.8").period(100).reason
    assert not DAWSONS_CHESS.period(100)
    assert not TakeAndBreak("0.137").period(173)
    assert TakeAndBreak("0.137").period(174)


def test_a_limit_is_a_number_of_tokens():
    """What is not a number is refused."""
    with pytest.raises(ParameterError, match="is not the size of a heap"):
        KAYLES.period("many")


def test_nothing_is_proved_of_too_little():
    """Nimbers that happen to repeat are no proof until the theorem's last heap."""
    values = KAYLES.nimbers(200, by_period=False)
    least = KAYLES.period().checked_to
    assert find_period(KAYLES, values[:least]) is None
    assert isinstance(find_period(KAYLES, values[: least + 1]), Period)
    assert find_period(KAYLES, values[:1]) is None


@pytest.mark.slow
def test_plots(tmp_path):
    """A plot shows the period where one is proved, and is written as its ending says."""
    plots = pytest.importorskip("zermelo.heaps.plots")
    pytest.importorskip("matplotlib")
    labels = [
        [line.get_label() for line in plots.sequence(game, largest).axes[0].lines][1:]
        for game, largest in ((KAYLES, 300), (KAYLES, 100), (AllBut({2, 5, 9}), 6000))
    ]
    assert labels == [["from here on period 12"], [], ["from here on period 4, 2 more in each"]]
    path = plots.save(KAYLES, tmp_path / "kayles.svg", 300)
    assert "<svg" in path.read_text()
    with pytest.raises(TableExistsError):
        plots.save(KAYLES, path, 300)
    with pytest.raises(ParameterError, match=r"use \.png"):
        plots.save(KAYLES, tmp_path / "kayles", 300)
