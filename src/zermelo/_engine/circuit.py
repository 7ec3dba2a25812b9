"""What a function says of a number, as a circuit of the number's bits, run for 4,096 at a time.

The function is Python as its author wrote it. It is run on an object that behaves as an integer
and notes what is done with its bits. Where the function asks whether something is true, it is run
again for the other answer; so it must ask a few times only, and not as often as bits make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from zermelo._engine.core.bits import PLACES, ones
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.threads import taken

#: Answers that a function may ask for in one run, and runs; gates of a circuit.
_MOST_ASKED, _MOST_RUNS, _MOST_GATES = 64, 256, 1 << 14
#: Words of a gate that are worked out together, and the bits of a number that tell them apart.
_WORDS, _INNER = 64, 12
#: So many words that a thread takes at once, times those.
_SHARE = 1 << 8
_AND, _OR, _NOT = range(3)
#: The gates that are always 0 and always 1.
_NEVER, _ALWAYS = 0, 1

_0 = np.uint64(0)
_1 = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class UnknownFormError(Exception):
    """A function does with a number what is not noted."""


class Circuit:
    """Gates, each of one or two before it; the first are 0, 1 and the inputs."""

    def __init__(self, inputs: int) -> None:
        """Begin without gates.

        Args:
            inputs: how many bits a number has.
        """
        self.gates: list[tuple[int, int, int]] = []
        self.inputs = inputs
        self._made: dict[tuple[int, int, int], int] = {}

    def both(self, a: int, b: int) -> int:
        """Return the gate that is 1 where two are."""
        if b in (a, _ALWAYS):
            return a
        if a == _ALWAYS:
            return b
        return _NEVER if _NEVER in (a, b) else self._gate(_AND, a, b)

    def either(self, a: int, b: int) -> int:
        """Return the gate that is 1 where one of two is."""
        if b in (a, _NEVER):
            return a
        if a == _NEVER:
            return b
        return _ALWAYS if _ALWAYS in (a, b) else self._gate(_OR, a, b)

    def opposite(self, a: int) -> int:
        """Return the gate that is 1 where one is 0."""
        return 1 - a if a in (_NEVER, _ALWAYS) else self._gate(_NOT, a, a)

    def every(self, gates: Iterable[int]) -> int:
        """Return the gate that is 1 where all of some are."""
        found = _ALWAYS
        for gate in gates:
            found = self.both(found, gate)
        return found

    def _gate(self, kind: int, a: int, b: int) -> int:
        key = kind, min(a, b), max(a, b)
        if key not in self._made:
            if len(self.gates) == _MOST_GATES:
                raise UnknownFormError
            self._made[key] = 2 + self.inputs + len(self.gates)
            self.gates.append(key)
        return self._made[key]


class _Run:
    """One run of a function: what it is answered when it asks, and what then holds."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.begin([])

    def begin(self, answers: list[bool]) -> None:
        """Begin a run that is answered so first."""
        self.answers = answers
        self.asked = 0
        self.holds = _ALWAYS
        self.others: list[list[bool]] = []

    def decide(self, gate: int) -> bool:
        """Answer whether a gate is 1."""
        if gate in (_NEVER, _ALWAYS):
            return gate == _ALWAYS
        if self.asked == len(self.answers):
            if self.asked == _MOST_ASKED:
                raise UnknownFormError
            self.others.append([*self.answers, False])
            self.answers.append(True)
        answer = self.answers[self.asked]
        self.asked += 1
        circuit = self.circuit
        self.holds = circuit.both(self.holds, gate if answer else circuit.opposite(gate))
        return answer


class Truth:
    """Whether something is so."""

    __slots__ = ("gate", "run")
    __hash__ = None  # type: ignore[assignment]  # it has no one value

    def __init__(self, run: _Run, gate: int) -> None:
        """Be so where a gate is 1."""
        self.run = run
        self.gate = gate

    def __bool__(self) -> bool:
        """Return what this run is answered."""
        return self.run.decide(self.gate)


class Noted:
    """A number, not negative, of which only the bits' gates are known."""

    __slots__ = ("bits", "run")
    __hash__ = None  # type: ignore[assignment]  # it has no one value

    def __init__(self, run: _Run, bits: dict[int, int]) -> None:
        """Have these gates as bits; those not named are 0."""
        self.run = run
        self.bits = {n: gate for n, gate in bits.items() if gate != _NEVER}

    def __and__(self, other: Any) -> Any:
        """Return the bits that both have."""
        if isinstance(other, Noted):
            circuit, theirs = self.run.circuit, other.bits
            both = {n: circuit.both(bit, theirs[n]) for n, bit in self.bits.items() if n in theirs}
            return Noted(self.run, both)
        if not isinstance(other, int):
            return NotImplemented
        return Noted(self.run, {n: bit for n, bit in self.bits.items() if other >> n & 1})

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        """Return the bits that either has."""
        if not isinstance(other, Noted):
            return NotImplemented
        circuit, mine, theirs = self.run.circuit, self.bits, other.bits
        return Noted(
            self.run,
            {
                n: circuit.either(mine.get(n, _NEVER), theirs.get(n, _NEVER))
                for n in sorted({*mine, *theirs})
            },
        )

    def __rshift__(self, count: Any) -> Any:
        """Return the bits further down."""
        if not isinstance(count, int) or count < 0:
            return NotImplemented
        return Noted(self.run, {n - count: bit for n, bit in self.bits.items() if n >= count})

    def __lshift__(self, count: Any) -> Any:
        """Return the bits further up."""
        if not isinstance(count, int) or count < 0:
            return NotImplemented
        return Noted(self.run, {n + count: bit for n, bit in self.bits.items()})

    def __eq__(self, other: object) -> Any:
        """Say whether it is a number."""
        return Truth(self.run, self._equal(other)) if isinstance(other, int) else NotImplemented

    def __ne__(self, other: object) -> Any:
        """Say whether it is another."""
        if not isinstance(other, int):
            return NotImplemented
        return Truth(self.run, self.run.circuit.opposite(self._equal(other)))

    def __bool__(self) -> bool:
        """Return whether it is not 0, as this run is answered."""
        return bool(self != 0)

    def _equal(self, number: int) -> int:
        if number < 0 or any(number >> n & 1 and n not in self.bits for n in range(64)):
            return _NEVER
        circuit = self.run.circuit
        return circuit.every(
            bit if number >> n & 1 else circuit.opposite(bit) for n, bit in self.bits.items()
        )


def noted(function: Callable[[Any], Any], circuit: Circuit, places: Sequence[int]) -> int:
    """Return the gate that is 1 where a function says yes.

    Args:
        function: takes a number, and returns True or False.
        circuit: receives its gates.
        places: which bit of the number each input of the circuit is.

    Raises:
        UnknownFormError: the function does with the number what is not noted.
    """
    run = _Run(circuit)
    yes = _NEVER
    ways: list[list[bool]] = [[]]
    for _ in range(_MOST_RUNS):
        if not ways:
            return yes
        run.begin(ways.pop())
        try:
            found = function(Noted(run, {bit: 2 + n for n, bit in enumerate(places)}))
        except Exception as error:  # whatever comes of a number that is none
            raise UnknownFormError from error
        if isinstance(found, Truth):
            yes = circuit.either(yes, circuit.both(run.holds, found.gate))
        elif found is True:
            yes = circuit.either(yes, run.holds)
        elif found is not False:
            raise UnknownFormError
        ways += run.others
    raise UnknownFormError


def first_unlike(
    function: Callable[[Any], Any],
    masks: Sequence[int],
    places: Sequence[int],
    most: int,
    threads: int = 1,
) -> int | None:
    """Return a number of which a function does not say whether it has all bits of some mask.

    All numbers are tried that are made of some bits, and of no more than ``most``. Takes 1/64 as
    many steps as there are numbers, times gates of the function's circuit.

    Args:
        function: takes a number, and returns True or False.
        masks: what it should look for, any of them.
        places: the bits.
        most: how many bits a number may have.
        threads: threads to use.

    Returns:
        The least of the numbers, counted by places, or None where the function is always right.

    Raises:
        UnknownFormError: the function does with the number what is not noted.
    """
    circuit = Circuit(len(places))
    said = noted(function, circuit, places)
    right = _NEVER
    for mask in masks:
        has = circuit.every(2 + n for n, bit in enumerate(places) if mask >> bit & 1)
        right = circuit.either(right, has)
    gates = np.array(circuit.gates, np.int64).reshape(-1, 3)
    rows = -(-(1 << len(places)) // (64 * _WORDS))
    found: list[int] = []

    def work(begin: int) -> None:
        end = min(begin + _SHARE, rows)
        unlike = int(_unlike(gates, len(places), said, right, most, begin, end))
        if unlike >= 0:
            found.append(unlike)

    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        taken(pool, threads - 1, work, range(0, rows, _SHARE))
    if not found:
        return None
    return sum(1 << bit for n, bit in enumerate(places) if min(found) >> n & 1)


@kernel
def _unlike(gates: Any, inputs: int, said: int, right: int, most: int, begin: int, end: int) -> Any:
    """Return the first number of which two gates differ, of no more than ``most`` bits, or -1."""
    rows = np.zeros((2 + inputs + gates.shape[0], _WORDS), np.uint64)
    for w in range(_WORDS):
        rows[1, w] = _ALL
        for n in range(min(inputs, _INNER)):
            if n < 6:
                rows[2 + n, w] = PLACES[n]
            else:
                rows[2 + n, w] = _ALL if w >> (n - 6) & 1 else _0
    for outer in range(begin, end):
        if ones(outer) > most:
            continue
        for n in range(_INNER, inputs):
            value = _ALL if outer >> (n - _INNER) & 1 else _0
            for w in range(_WORDS):
                rows[2 + n, w] = value
        for g in range(gates.shape[0]):
            out, a, b = rows[2 + inputs + g], rows[gates[g, 1]], rows[gates[g, 2]]
            if gates[g, 0] == _AND:
                for w in range(_WORDS):
                    out[w] = a[w] & b[w]
            elif gates[g, 0] == _OR:
                for w in range(_WORDS):
                    out[w] = a[w] | b[w]
            else:
                for w in range(_WORDS):
                    out[w] = ~a[w]
        for w in range(_WORDS):
            unlike = rows[said, w] ^ rows[right, w]
            while unlike != _0:
                low = ones((unlike & -unlike) - _1)
                number = (outer * _WORDS + w) * 64 + low
                if number >> inputs == 0 and ones(number) <= most:
                    return number
                unlike &= unlike - _1
    return -1
