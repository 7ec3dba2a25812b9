"""The builder of a strategy by components: from the root's claim to all claims that it requires."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.proving.search import RepeatedError
from zermelo.proving.strategies.component_strategy import ComponentStrategy
from zermelo.proving.strategies.replies import Claim, Keys, Numbers, WrongStrategyError

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules

#: Components whose claims are expanded in one batch, and the capacity for children of each.
_BATCH, _CHILDREN = 1 << 10, 24
#: The number of further searches of a component for the requirements of its claim.
_TRIES = 4


class NimberSource(Protocol):
    """The interface of a search by components."""

    def look_up(self, rows: Keys) -> npt.NDArray[np.int64]:
        """Return the known facts about components; see ``ComponentArrays.look_up``."""

    def search_nimber(self, packed: Keys, nimber: int) -> int | None:
        """Test whether a component has ``nimber``, or find its nimber if that is -1.

        Returns:
            Its nimber if it was found, else None.
        """


def build_component_strategy(
    compiled: CompiledRules,
    packed: Keys,
    claim: Claim,
    search: NimberSource,
    advance: Callable[[int], None],
) -> ComponentStrategy:
    """Build a strategy by components.

    Args:
        compiled: the rules, canonicalising as they were searched.
        packed: the words of the root position.
        claim: the claim to prove.
        search: finds the nimbers of components.
        advance: called with the number of components done, from time to time.

    Raises:
        WrongStrategyError: the search does not find the requirements of a claim.
        RepeatedError: components repeat, so that play need not end.
        RulesError: a rule breaks the contract.
    """
    return _ComponentBuilder(compiled, claim, search).run(packed, advance)


class _ComponentBuilder:
    """The components reached so far, with the claim about each and its requirements."""

    def __init__(self, compiled: CompiledRules, claim: Claim, search: NimberSource) -> None:
        from zermelo._engine.certificate.claims import NOTHING
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import Arena
        from zermelo._engine.expand.expander import Buffers
        from zermelo._engine.index.hash_index import HashIndex
        from zermelo._methods.components import Components

        self._compiled, self._claim, self._search = compiled, claim, search
        self._parts = Components(compiled)
        self._buffers = Buffers.for_rules(self._parts, _BATCH, _CHILDREN * _BATCH)
        self._words = compiled.words
        limit = Ledger.for_budget(None).allowed
        self._index = HashIndex(compiled.words, compiled.used)
        self._keys = Arena(np.uint64, limit)
        #: The requirement for each component: EXACT, bits, or NOTHING; and its nimber, or -1.
        self._needs, self._nimbers = Arena(np.int64, limit), Arena(np.int64, limit)
        self._nothing, self._count = NOTHING, 0
        self._pending: list[Numbers] = []
        self._arcs: list[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]] = []

    def run(self, packed: Keys, advance: Callable[[int], None]) -> ComponentStrategy:
        """Build the strategy, from the root position on."""
        self._begin(packed)
        expanded_count = 0
        while self._pending:
            numbers = np.unique(np.concatenate(self._pending))
            self._pending = []
            for begin in range(0, len(numbers), _BATCH):
                self._expand(numbers[begin : begin + _BATCH], 0)
                expanded_count += len(numbers[begin : begin + _BATCH])
                advance(expanded_count)
        return self._strategy()

    def _begin(self, packed: Keys) -> None:
        """Add the requirements of the root position's value."""
        from zermelo._engine.certificate.claims import EXACT, SMALL

        parts, _ = self._parts.split(packed, 1)
        rows = parts.reshape(-1, self._words)
        needs, total = np.full(len(rows), EXACT), 0
        for row in rows[:-1]:
            total ^= self._search.search_nimber(row, -1) or 0
        nimber = self._search.search_nimber(rows[-1], total)
        is_outcome = self._claim.mover and self._claim.nimber is None
        if is_outcome and total < SMALL and (nimber is None or total < nimber):
            needs[-1] = 1 << total
        self._require(rows, needs)

    def _expand(self, numbers: Numbers, tries: int) -> None:
        """Add the requirements of the claims about components ``numbers``."""
        from zermelo._engine.certificate.claims import choose_requirements
        from zermelo._engine.expand.expander import expanded_parts

        words = self._words
        keys = self._keys.array[: self._count * words].reshape(-1, words)[numbers]  # a copy
        codes, parts = self._codes(numbers, keys), self._parts
        flat = np.ascontiguousarray(keys).reshape(-1)
        for part in expanded_parts(parts, flat, len(numbers), self._buffers):
            begin, end = part.begin, part.end
            rows, ends, gains = part.children.copy(), part.ends.copy(), part.gains.copy()
            has_no_moves = np.zeros(len(rows), np.uint8)
            low, high, mask = self._known_facts(rows, has_no_moves)
            needs = np.empty(len(rows), np.int64)
            batch_codes, is_retry = codes[begin:end], int(tries > 0)
            failed = np.empty(end - begin, np.uint8)
            choose_requirements(
                ends, gains, has_no_moves, batch_codes, low, high, mask, needs, failed, is_retry
            )
            required = np.flatnonzero(needs != self._nothing)
            origins = np.searchsorted(ends, required, "right")
            targets = self._require(rows[required], needs[required])
            self._arcs.append((numbers[begin + origins].astype(np.uint32), targets))
            for row in np.flatnonzero(failed) + begin:
                self._search_again(int(numbers[row]), keys[row], int(codes[row]), tries)

    def _search_again(self, number: int, key: Keys, code: int, tries: int) -> None:
        """Search a component again for the requirements of its claim, and expand it again.

        Raises:
            WrongStrategyError: the searches did not find them.
        """
        from zermelo._engine.certificate.claims import EXACT

        if tries == _TRIES:
            message = "the search does not hold what its nimber rests on; allow it more memory"
            raise WrongStrategyError(key, message)
        if code >= 0:
            self._search.search_nimber(key, code)
            self._search.search_nimber(key, -1)
        else:
            bits = -1 - code
            for nimber in range(bits.bit_length()):
                if bits >> nimber & 1:
                    exact = self._search.search_nimber(key, nimber)
                    if exact is not None:  # then no move may be known to reach ``nimber``
                        self._needs.array[number], self._nimbers.array[number] = EXACT, exact
        self._expand(np.array([number]), tries + 1)

    def _codes(self, numbers: Numbers, keys: Keys) -> Numbers:
        """Return the codes of claims: the nimber for EXACT, else -1 less the bits."""
        from zermelo._engine.certificate.claims import EXACT

        needs = self._needs.array[numbers]
        exact = np.flatnonzero((needs == EXACT) & (self._nimbers.array[numbers] < 0))
        low, high, _ = self._search.look_up(keys[exact])
        for row, least, most in zip(exact.tolist(), low.tolist(), high.tolist(), strict=True):
            nimber = least if least == most else self._search.search_nimber(keys[row], -1)
            self._nimbers.array[numbers[row]] = nimber
        return np.where(needs == EXACT, self._nimbers.array[numbers], -1 - needs)

    def _known_facts(
        self, rows: Keys, has_no_moves: npt.NDArray[np.uint8]
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return the known facts about components; mark those without moves in ``has_no_moves``."""
        low, high, mask = self._search.look_up(rows)
        unknown = np.flatnonzero((low == 0) & (mask == 0) & (high > 0))
        if len(unknown):
            flat = np.ascontiguousarray(rows[unknown]).reshape(-1)
            is_over = unknown[~self._parts.unsplit.has_moves(flat, len(unknown))]
            high[is_over], has_no_moves[is_over] = 0, 1
        return low, high, mask

    def _require(self, rows: Keys, needs: Numbers) -> npt.NDArray[np.uint32]:
        """Add requirements for components, and return their numbers."""
        from zermelo._engine.certificate.claims import EXACT
        from zermelo._engine.index.hash_index import entries_for

        count, words, old_count = len(rows), self._words, self._count
        stored = self._keys.ensure((old_count + count) * words, old_count * words)
        if self._index.is_full(old_count + count):
            self._index.grow(entries_for(old_count + count), stored, old_count, direct=False)
        numbers = np.empty(count, np.uint32)
        flat = np.ascontiguousarray(rows).reshape(-1)
        self._count = self._index.insert(flat, count, stored, old_count, numbers, 0)
        for arena in (self._needs, self._nimbers):
            arena.ensure(self._count, old_count)
        stored_needs = self._needs.array
        stored_needs[old_count : self._count] = self._nothing
        self._nimbers.array[old_count : self._count] = -1
        unique, inverse = np.unique(numbers, return_inverse=True)
        old_needs, exact = stored_needs[unique], needs == EXACT
        new_needs = np.maximum(old_needs, 0)
        np.bitwise_or.at(new_needs, inverse[~exact], needs[~exact])
        new_needs[old_needs == EXACT] = EXACT
        new_needs[inverse[exact]] = EXACT
        stored_needs[unique] = new_needs
        self._pending.append(unique[new_needs != old_needs].astype(np.int64))
        return numbers

    def _strategy(self) -> ComponentStrategy:
        """Return the strategy, with its components in ascending order.

        Raises:
            RepeatedError: a claim requires itself, as play need not end.
        """
        from zermelo._engine.certificate.claims import EXACT, heights
        from zermelo._engine.sort.sorted_keys import ascending

        count, words = self._count, self._words
        rows = self._keys.array[: count * words].reshape(-1, words)
        needs = self._needs.array[:count]
        codes = np.where(needs == EXACT, self._nimbers.array[:count], -1 - needs)
        origins = np.concatenate([np.zeros(0, np.uint32), *(begin for begin, _ in self._arcs)])
        targets = np.concatenate([np.zeros(0, np.uint32), *(end for _, end in self._arcs)])
        order = np.argsort(origins, kind="stable")
        begins = np.searchsorted(origins[order], np.arange(count + 1))
        ranks = np.zeros(count, np.int64)
        if not heights(begins, targets[order], ranks):
            raise RepeatedError
        order = ascending(np.ascontiguousarray(rows).reshape(-1), words)
        return ComponentStrategy(
            self._compiled,
            self._claim,
            np.ascontiguousarray(rows[order]).reshape(-1),
            codes[order].astype(np.int32),
            ranks[order].astype(np.uint32),
        )
