"""Periods of nim-sequences, with proofs that can be repeated.

A nim-sequence G has period p and saltus s from heap n0 on if G(n + p) = G(n) + s for every n >= n0.
A check of finitely many heaps proves it for all, by one of two theorems; the page on heap games
gives both proofs.

* Finite codes: moves leave at most w heaps and take at most t tokens. If s = 0 and the equation
  holds for n0 <= n < w n0 + (w - 1) p + t, where n0 >= 1, it holds for ever: the largest heap that
  a move leaves is so large that it can be replaced by one p smaller, or larger. For w = 2 this is
  the theorem of Guy and Smith (1956). If two heaps must differ, p more heaps have to agree.
* Codes whose last digit repeats for ever, and that never split a heap: the later nimbers depend
  only on the nimbers that every heap has as options, and on the last t nimbers; and not on their
  size, but on their distance above the least nimber that is not yet an option of all. If these are
  the same at n and at n + p, all that follows is the same, s higher.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.heaps.codes import NOTHING, ONE, Code

Nimbers = npt.NDArray[np.int32]

#: The most exceptions that are listed in words.
_LISTED = 12


class Coded(Protocol):
    """A heap game, represented here by its code and its title."""

    code: Code
    title: str


@dataclass(frozen=True)
class PeriodCheck:
    """The result of a repeated proof; true if the period holds.

    Attributes:
        ok: whether the period holds.
        heaps: the number of nimbers that were computed again.
        problem: a sentence on the first fault, or None.
        seconds: its wall-clock seconds.
    """

    ok: bool
    heaps: int
    problem: str | None
    seconds: float

    def __bool__(self) -> bool:
        """Return whether the period holds."""
        return self.ok

    def __str__(self) -> str:
        """Return a sentence on the result."""
        if self.problem is not None:
            return self.problem
        return f"all {self.heaps:,} nimbers computed again, and the conditions of the theorem hold"


@dataclass(frozen=True, repr=False)
class Period:
    """A proved period: G(n + period) = G(n) + saltus for every heap n from ``preperiod`` on.

    Attributes:
        game: the game.
        period: the least period.
        saltus: the growth of nimbers from one period to the next; 0 for most games.
        preperiod: the first heap from which on the equation holds.
        exceptions: the heaps before that whose nimber differs from the rule.
        checked_to: the largest heap whose nimber the proof needs.
    """

    game: Coded
    period: int
    saltus: int
    preperiod: int
    exceptions: tuple[int, ...]
    checked_to: int

    @property
    def last_exception(self) -> int | None:
        """The largest heap that breaks the rule, or None."""
        return self.exceptions[-1] if self.exceptions else None

    def __bool__(self) -> bool:
        """Return True, as there is a period."""
        return True

    def __repr__(self) -> str:
        """Return the period in words."""
        return f"<{self.game!r} {self._sentence}>"

    def __str__(self) -> str:
        """Return the period in a sentence, with the title of the game."""
        return f"{self.game.title} {self._sentence}"

    @property
    def _sentence(self) -> str:
        growth = f", {self.saltus} more in each" if self.saltus else ""
        beginning = (
            f"from heap {self.preperiod:,} on" if self.preperiod else "from the first heap on"
        )
        return (
            f"has period {self.period:,}{growth}, {beginning}; "
            f"proved by the nimbers to {self.checked_to:,}"
        )

    def _repr_html_(self) -> str:
        """Return the period as a table, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.period(self)

    def to_json(self) -> dict[str, Any]:
        """Return the period as a JSON document."""
        return {
            "period": self.period,
            "saltus": self.saltus,
            "preperiod": self.preperiod,
            "last_exception": self.last_exception,
            "exceptions": list(self.exceptions),
            "checked_to": self.checked_to,
        }

    def verify(self, advance: Callable[[int], None] = lambda _: None) -> PeriodCheck:
        """Repeat the proof, independently of the search that found it.

        Every nimber up to ``checked_to`` is computed again from all splits, without a sparse space;
        then each condition of the theorem is checked. If heaps split, the time grows with the
        square of ``checked_to``.

        Args:
            advance: called from time to time with the number of computed nimbers.

        Returns:
            The check, which is true if the period holds.
        """
        from zermelo._engine.heaps.sequence import NimSequence

        began = time.perf_counter()
        numbers = (self.period, self.saltus, self.preperiod, self.checked_to)
        if min(numbers) < 0 or self.period < 1 or self.preperiod + self.period > self.checked_to:
            fault = "the numbers do not make a period"
            return PeriodCheck(ok=False, heaps=0, problem=fault, seconds=0.0)
        code = self.game.code
        anew = NimSequence(code.digits, code.rest, unequal=code.unequal, sparse=False)
        anew.extend(self.checked_to + 1, advance)
        problem = self._problem(anew.values)
        return PeriodCheck(problem is None, anew.known, problem, time.perf_counter() - began)

    def _problem(self, values: Nimbers) -> str | None:
        """Return the fault of the period, from the nimbers up to ``checked_to``; or None."""
        p, first = self.period, self.preperiod
        differs = np.flatnonzero(values[p:] != values[:-p] + self.saltus)
        if len(differs) and differs[-1] >= first:
            n = int(differs[-1])
            return f"heap {n + p:,} has nimber {values[n + p]}, and heap {n:,} has {values[n]}"
        if (int(differs[-1]) + 1 if len(differs) else 0) != first:
            return f"the rule holds from a heap before {first:,} on"
        if exceptions(values, p, self.saltus, first) != self.exceptions:
            return "the exceptions differ"
        if not proves(self.game.code, values, p, self.saltus, first):
            return f"the nimbers to {self.checked_to:,} are too few for the theorem"
        shorter = [q for q in range(1, p) if p % q == 0 and self._repeats(values, q)]
        return f"the period is {shorter[0]:,}" if shorter else None

    def _repeats(self, values: Nimbers, q: int) -> bool:
        """Return whether nimbers repeat after part of the period, with part of the saltus."""
        tail = values[self.preperiod :]
        part = self.saltus * q
        return part % self.period == 0 and bool((tail[q:] == tail[:-q] + part // self.period).all())


@dataclass(frozen=True, repr=False)
class NoPeriod:
    """The result of a search without a proved period; false as a truth value.

    Attributes:
        game: the game.
        checked_to: the largest heap whose nimber was computed.
        reason: why there is none, or what to try.
    """

    game: Coded
    checked_to: int
    reason: str

    def __bool__(self) -> bool:
        """Return False, as there is no period."""
        return False

    def __repr__(self) -> str:
        """Return the result in words."""
        return f"<{self.game!r}: {self._sentence}>"

    def __str__(self) -> str:
        """Return the result in a sentence, with the title of the game."""
        return f"{self.game.title}: {self._sentence}"

    @property
    def _sentence(self) -> str:
        return f"no period proved by the nimbers to {self.checked_to:,}; {self.reason}"

    def _repr_html_(self) -> str:
        """Return the result, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.no_period(self)


def heaps_needed(code: Code, period: Any, first: Any) -> Any:
    """Return the largest heap that the proof of a period needs, for a finite code.

    Args:
        code: the code.
        period: the period, or many periods.
        first: the first heap from which on it holds, or one for each period.
    """
    heaps = max(1, code.most)
    agree = heaps * np.maximum(first, 1) + (heaps - 1) * period + code.last
    return agree - 1 + period * (2 if code.unequal else 1)


def proves(code: Code, values: Nimbers, period: int, saltus: int, first: int) -> bool:
    """Return whether nimbers prove that a period, which holds for all of them, holds for ever.

    Args:
        code: the code of the game.
        values: nimbers by heap.
        period: the period.
        saltus: the growth of nimbers in each period.
        first: the first heap from which on it holds.
    """
    if not code.rest:
        return saltus == 0 and bool(heaps_needed(code, period, first) < len(values))
    if not never_splits(code):
        return False
    n = len(values)
    if n - period < max(first, code.last + 2):
        return False
    low, *state_before = recurrence_state(code, values, n - period)
    high, *state_after = recurrence_state(code, values, n)
    return state_before == state_after and high - low == saltus


def never_splits(code: Code) -> bool:
    """Return whether every move leaves at most one heap."""
    return all(digit <= NOTHING | ONE for digit in (*code.digits, code.rest))


def recurrence_state(code: Code, values: Nimbers, n: int) -> tuple[int, list[int], list[int]]:
    """Return all that the nimbers from heap n on depend on, for a code without end.

    Args:
        code: a code that never splits a heap.
        values: nimbers by heap.
        n: a heap beyond all explicit digits.

    Returns:
        The least nimber that is not an option of all heaps from n on; and relative to it, the
        greater nimbers that are, and the nimbers of the heaps before n that may be options.
    """
    last = code.last
    always = set(values[1 : n - last].tolist()) if code.rest & ONE else set()
    if code.rest & NOTHING:
        always.add(0)
    low = 0
    while low in always:
        low += 1
    greater_options = sorted(x - low for x in always if x > low)
    recent = values[n - last : n].tolist()
    return low, greater_options, [max(-1, x - low) for x in recent]


def exceptions(values: Nimbers, period: int, saltus: int, first: int) -> tuple[int, ...]:
    """Return the heaps before ``first`` whose nimbers differ from the rule."""
    heaps = np.arange(first)
    periods_up = -((heaps - first) // period)
    expected = values[heaps + period * periods_up] - saltus * periods_up
    return tuple(np.flatnonzero(values[:first] != expected).tolist())


def find_period(game: Coded, values: Nimbers) -> Period | None:
    """Return the least period that nimbers prove, or None.

    Args:
        game: the game.
        values: its nimbers by heap.
    """
    from zermelo._engine.heaps.sequence import period_lengths

    code, largest = game.code, len(values) - 1
    if largest < 2 or (code.rest and not never_splits(code)):  # noqa: PLR2004  # a period needs two
        return None
    first = period_lengths(values)[1:]
    periods = np.arange(1, len(first) + 1)
    if code.rest:
        are_long_enough = first + 2 * periods <= largest - code.last
    else:
        are_long_enough = heaps_needed(code, periods, first) <= largest
    for place in np.flatnonzero(are_long_enough).tolist():
        p, n0 = place + 1, int(first[place])
        saltus = int(values[n0 + p]) - int(values[n0])
        if not proves(code, values, p, saltus, n0):
            continue
        # States that agree once agree for ever, so the first such heap can be found by bisection.
        low, high = n0 + p, largest
        while low < high and code.rest:
            middle = (low + high) // 2
            is_proved = proves(code, values[: middle + 1], p, saltus, n0)
            low, high = (low, middle) if is_proved else (middle + 1, high)
        last = high if code.rest else int(heaps_needed(code, p, n0))
        exceptional_heaps = exceptions(values, p, saltus, n0)
        return Period(game, p, saltus, n0, exceptional_heaps, max(last, n0 + p))
    return None


def apparent_period(values: Nimbers) -> str:
    """Return a sentence on an apparent period, for a code without a theorem; or "".

    Args:
        values: nimbers by heap.
    """
    from zermelo._engine.heaps.sequence import period_lengths

    largest = len(values) - 1
    if largest < 2:  # noqa: PLR2004  # a period needs two
        return ""
    first = period_lengths(values)[1:]
    periods = np.arange(1, len(first) + 1)
    likely = np.flatnonzero(first + 3 * periods <= largest)
    if not len(likely):
        return ""
    p, n0 = int(periods[likely[0]]), int(first[likely[0]])
    return (
        f"from heap {n0:,} on the nimbers known grow by {values[n0 + p] - values[n0]} every "
        f"{p:,} heaps, but no theorem here proves that they always do"
    )


def extend_by_period(period: Period, values: Nimbers, count: int) -> Nimbers:
    """Return the first nimbers, from the known ones and a proved period.

    Args:
        period: the period.
        values: the nimbers to the end of its first repetition, or more.
        count: how many to return.
    """
    result = np.empty(count, np.int32)
    known_count = min(len(values), count)
    result[:known_count] = values[:known_count]
    if count > known_count:
        beyond = np.arange(known_count - period.preperiod, count - period.preperiod)
        rounds, places = np.divmod(beyond, period.period)
        result[known_count:] = values[period.preperiod + places] + period.saltus * rounds
    return result
