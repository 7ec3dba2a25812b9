"""The method for declared spaces: every position has a number in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._methods.dense.ranking import outside_error, ranking_of
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.errors import RulesError
from zermelo.game.spaces import part_size
from zermelo.rules.levels import level_words
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules

#: The most slots of a space, as each takes two bits.
MOST_SLOTS = 1 << 36
#: The least slots for which the method is chosen automatically, as it has a fixed cost.
LEAST_SLOTS = 1 << 20
#: The least slots for which the graph is tried first, in case few positions are reached.
WIDE_SLOTS = 1 << 24
#: The most slots for which the method is chosen automatically, as perhaps few are reachable.
MOST_UNASKED = 1 << 31


class DenseMethod(Method):
    """The method that finds win, draw or loss and remoteness by slots of ``space``."""

    clusters = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs a ``space`` that is not too large."""
        foreign = foreign_values(rules, REMOTENESS_ALGEBRAS)
        if foreign is not None:
            return foreign
        if not rules.has_hook("space"):
            return "which has no space()"
        slots = slots_of(rules)
        if slots > MOST_SLOTS:
            return f"whose space() has {slots:,} positions, and {MOST_SLOTS:,} are the most"
        return None

    def is_passed_over(self, rules: Rules) -> bool:
        """Return whether another method is preferred unless the user names this one."""
        if rules.has_hook("legal"):
            return False
        return not LEAST_SLOTS <= slots_of(rules) <= MOST_UNASKED

    def run(self, task: Task) -> Result:
        """Find the positions, then their values.

        Raises:
            RulesError: a move leads out of the space, or to a position that is not legal.
        """
        # Imported here, so that games of other methods start without these kernels.
        from zermelo._engine.core.scratch import Scratch
        from zermelo._engine.expand.expander import Buffers, run_expand
        from zermelo._methods.dense import driver as dense
        from zermelo._methods.dense import rounds as dense_rounds
        from zermelo._methods.dense.workspace import OutsideSpaceError

        compiled, rules = task.compiled, task.compiled.rules
        check_known(compiled.kind, REMOTENESS_ALGEBRAS, "the method of dense spaces")
        if not task.asked and not rules.has_hook("legal") and slots_of(rules) >= WIDE_SLOTS:
            from zermelo._methods.handover import solve_if_few_reached

            result = solve_if_few_reached(task, slots_of(rules))
            if result is not None:
                return result
        with task.report.phase("compile"):
            nothing = np.empty(0, np.uint64)
            run_expand(compiled, nothing, 0, 0, Buffers.for_rules(compiled, 1, 1))
            ranking = ranking_of(rules, compiled.elements)
        try:
            if task.workers is not None:
                from zermelo._methods.dense.cluster.driver import solve as solve_on_cluster

                return Result(*solve_on_cluster(task, ranking))
            with Scratch() as scratch:
                table, choice = dense.solve(task, ranking, scratch)
        except dense.MissingStartError as error:
            what = "legal() refuses" if error.inside else "is outside space()"
            position = rules.layout.unpack(rules.start_words()[error.row])
            hook = "starts" if rules.has_hook("starts") else "start"
            message = f"{rules.name}.{hook}() gives {position!r}, which {what}; correct one of them"
            raise RulesError(message) from None
        except OutsideSpaceError as error:
            raise outside_error(rules, ranking, error) from None
        except dense_rounds.LevelLoweredError as error:
            position = rules.layout.unpack(error.packed)
            message = (
                f"{rules.name}: {level_words(rules, position, lowered=True)}; count something that "
                "moves never lower, or remove level()"
            )
            raise RulesError(message) from None
        return Result(table, choice)


def slots_of(rules: Rules) -> int:
    """Return the number of positions that a game's space allows."""
    slots = 1
    for part in rules.space_parts():
        slots *= part_size(part)
    return slots
