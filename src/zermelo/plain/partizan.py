"""A small partizan game: the values of its positions, by its rules in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand.discovery import HandoverError
from zermelo._methods.components import Components
from zermelo._methods.partizan.method import expansion_of, turn_memory, valued_table
from zermelo._methods.partizan.turn_graph import explore_turns
from zermelo.plain.components import PlainComponents
from zermelo.plain.game import PlainGame
from zermelo.plain.index import DictIndex
from zermelo.plain.play_graph import Continues, UnsuitedError
from zermelo.plain.rules import PlainRules
from zermelo.values.partizan import PARTIZAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


def solve_turns(rules: Rules, *, folded: bool, report: Reporter, continues: Continues) -> PlainGame:
    """Find the values of all positions with either player to move; see ``solve_plain``.

    Args:
        rules: the rules.
        folded: whether to store only canonical positions.
        report: receives the phases.
        continues: see ``Continues``; the exploration ends when it returns False.

    Raises:
        UnsuitedError: ``continues`` returned False.
        RulesError: a hook breaks the contract, or moves lead in a cycle.
    """
    plain = PlainRules(rules, PARTIZAN, (), folded=folded)
    expand = expansion_of(plain)

    def abandon(layers: Sequence[int]) -> bool:
        return not continues(layers[-2] if len(layers) > 1 else 0, layers[-1])

    with plain.kernels():
        with report.phase("explore"):
            try:
                budget = turn_memory(expand, Ledger.for_budget(None))
                graph = explore_turns(expand, budget, 1, report, abandon)
            except HandoverError:
                reason = "it has too many positions"
                raise UnsuitedError(reason) from None
        index = DictIndex(graph.keys.reshape(-1), plain.words, None)
        table, _ = valued_table(graph, index, report, compiled=False)
    positions = [graph.position(number) for number in range(len(graph))]
    numbers = {position: number for number, position in enumerate(positions)}
    split = isinstance(expand, Components)
    form = PlainComponents if split else PlainGame
    compiled = plain.with_kind(table.kind)
    return form(compiled.with_positions(positions), table, numbers, split=split)
