"""Sums of games that need not be impartial, solved over the product of their positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import WRONG_VALUE, Finding
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo._methods.explicit import driver as explicit
from zermelo.errors import PositionError
from zermelo.plain.rules import kernels_for
from zermelo.solution.game import GameArrays
from zermelo.sums.component import check_normal, component_of
from zermelo.sums.layout import labels
from zermelo.sums.product import Numbers, Product
from zermelo.sums.rules import SumRules
from zermelo.sums.solved_sum import SolvedSum, SumIndex

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.explicit.index import VertexCodes
    from zermelo._methods.partizan.turn_graph import TurnGraph
    from zermelo.analysis.survey import ListedSurvey
    from zermelo.game.contract import Game
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


class ProductSum(SolvedSum):
    """A sum of games with the values of the product of their positions.

    Attributes:
        product: the product.
        values: the values, by index.
    """

    def __init__(self, product: Product, values: VertexCodes) -> None:
        """Store the product and its values."""
        super().__init__(SumRules([part.rules for part in product.parts], values.kind))
        self.product = product
        self.values = values
        begins = np.array([self.place(self.start())])
        self.table = Table(SumIndex(self, product.vertices), values, begins, "legal")

    def start(self) -> Any:
        """Return the position in which each part is at its start, with the first player's turn.

        If the starts of the parts have different players to move, the first part with ``turn``
        decides.
        """
        starts = [part.rules.game.start() for part in self.product.parts]
        mover = self.rules.owner(starts)
        return self.kind(
            *(
                start
                if part.owner is None or part.rules.owner(start) == mover
                else part.rules.pass_turn(start)
                for part, start in zip(self.product.parts, starts, strict=True)
            )
        )

    # -- positions and places ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the index of a position; see ``Solved``."""
        positions = self.rules.check_position(position)
        numbers = [int(self._number(i, [at])[0]) for i, at in enumerate(positions)]
        parts = self.product.parts
        movers = [
            None if part.owner is None or number < 0 else int(part.owner[number])
            for part, number in zip(parts, numbers, strict=True)
        ]
        for i, number in enumerate(numbers):
            if number < 0:
                label, rules = labels(len(parts))[i], parts[i].rules
                message = (
                    f"part {label}: {positions[i]!r} cannot be reached in {rules.description} by "
                    f"any sequence of moves; give one of its {len(parts[i]):,} positions"
                )
                raise PositionError(message)
        self.check_turns(position, movers)
        known_movers = [mover for mover in movers if mover is not None]
        return self.product.place(known_movers[0] if known_movers else 0, numbers)

    def _number(self, part: int, positions: Any) -> npt.NDArray[np.int64]:
        component = self.product.parts[part]
        keys, fits = self.keys_of(component.rules, positions)
        numbers = component.find(keys)
        numbers[~fits] = -1
        return numbers

    def places_of(self, columns: list[Any]) -> Numbers:
        """Return the indices of many positions; see ``SolvedSum``."""
        numbers = [self._number(i, column) for i, column in enumerate(columns)]
        exists = np.all([row >= 0 for row in numbers], axis=0)
        owners = [
            part.owner[each]
            for part, each in zip(self.product.parts, numbers, strict=True)
            if part.owner is not None
        ]
        if owners:
            exists &= np.all([owner == owners[0] for owner in owners], axis=0)
        side = owners[0] if owners else np.zeros(len(exists), np.uint8)
        return np.where(exists, self.product.places(side.astype(np.int64), numbers), -1)

    def positions(self, places: Numbers) -> list[Any]:
        """Return the positions at indices."""
        part_numbers = self.product.part_numbers(np.asarray(places, np.int64))
        columns = []
        for part, numbers in zip(self.product.parts, part_numbers, strict=True):
            layout = part.rules.layout
            rows = layout.unpack_many(part.keys[numbers])
            columns.append([layout.build(row) for row in rows.tolist()])
        return [self.kind(*row) for row in zip(*columns, strict=True)]

    def pages(self) -> Iterator[Numbers]:
        """Yield all indices in ascending order, in pages."""
        for start in range(0, self.product.vertices, PAGE):
            yield np.arange(start, min(start + PAGE, self.product.vertices))

    def places_after_pass(self, places: Numbers) -> Numbers:
        """Return the indices of the same positions with the other player to move.

        See ``Solved``.
        """
        return self.product.after_pass(places)

    # -- the whole of it --------------------------------------------------------------------------

    def arrays(self, threads: int) -> GameArrays:  # noqa: ARG002  # copying takes one
        """Return all positions as arrays."""
        places = np.arange(self.product.vertices)
        part_numbers = self.product.part_numbers(places)
        rows = [
            part.rules.layout.unpack_many(part.keys[numbers])
            for part, numbers in zip(self.product.parts, part_numbers, strict=True)
        ]
        mask = np.ones(len(places), np.bool_)
        probes = self.table.kind.probes(mask, self.table.values(places))
        return GameArrays(np.hstack(rows), probes.outcome, probes.remoteness, None, None, None)

    def kernels(self) -> AbstractContextManager[None]:
        """Return a context in which kernels scan all positions; see ``Solved``."""
        return kernels_for(self.product.vertices)

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check every value along the moves, which are generated again; see ``Solved``.

        Raises:
            BudgetError: the memory is too little.
        """
        rules = [part.rules for part in self.product.parts]
        parts = [component_of(part_rules, ledger, threads, report) for part_rules in rules]
        product = Product(parts, self.product.dead_end)
        right = Finding(product.vertices, product.edges)
        scan = product.scan_size(threads, ledger)
        with self.kernels():
            fault = explicit.certify(product, self.values, scan.threads, report, scan.batch)
        if fault is None:
            return right
        place, code = fault
        return right.with_fault(WRONG_VALUE, place, expected=code)

    def survey(self) -> ListedSurvey:
        """Return the positions of the sum and their moves; see ``Solved``."""
        from zermelo.analysis.survey import ListedSurvey

        return ListedSurvey(self, self.product.edges, self._move_arrays)

    def _move_arrays(self) -> tuple[Numbers, Numbers, npt.NDArray[np.uint8]]:
        arrays = self.product.arrays()
        owners = np.arange(self.product.vertices) // self.product.combinations
        sides = owners.astype(np.uint8) if self.product.sides > 1 else np.empty(0, np.uint8)
        return arrays.first, arrays.edges, sides


def solve_product(
    rules: Sequence[Rules], dead_end: int, threads: int, ledger: Ledger, report: Reporter
) -> tuple[ProductSum, str]:
    """Solve a sum over the product of its parts; return also a sentence on the method.

    Args:
        rules: the rules of each part.
        dead_end: the outcome of a position without moves.
        threads: threads to use.
        ledger: the memory budget.
        report: receives the progress.

    Raises:
        RulesError: the games cannot be added.
        BudgetError: the product is too large.
    """
    by_game: dict[Game, TurnGraph] = {}
    with report.phase("parts"):
        for part_rules in rules:
            if part_rules.game not in by_game:
                by_game[part_rules.game] = component_of(part_rules, ledger, threads, report)
    components = [by_game[part_rules.game] for part_rules in rules]
    if len(components) > 1:
        for component in components:
            check_normal(component)
    product = Product(components, dead_end)
    needed_bytes = 3 * product.bytes  # with the least memory of the solver
    sizes = " by ".join(f"{size:,}" for size in product.sizes)
    ledger.reserve(
        needed_bytes,
        f"a sum of {sizes} positions, with {product.vertices:,} positions and {product.edges:,} "
        "moves,",
        "add smaller games",
    )
    with report.phase("product", product.vertices):
        graph = product.arrays()
    plan = explicit.plan(product.vertices, product.edges, product.bytes, ledger)
    with kernels_for(product.vertices):
        values = explicit.solve(graph, plan, threads, report)
    return ProductSum(product, values), f"the product of {sizes} positions: {plan.choice}"
