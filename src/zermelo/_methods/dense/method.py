"""Dense spaces: every position that ``space`` allows has a number in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._methods.dense.ranking import outside_error, ranking_of
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError
from zermelo.game.spaces import part_size
from zermelo.rules.levels import level_words

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules

#: More slots than this are too many for two bits each.
MOST_SLOTS = 1 << 36
#: From this many slots on it is chosen by itself: what it takes to begin is then soon made up for.
LEAST_SLOTS = 1 << 20
#: From this many slots on it is seen first whether more than a few positions are reached.
WIDE_SLOTS = 1 << 24
#: With more slots than this it is not chosen by itself, as perhaps few can be reached.
MOST_UNASKED = 1 << 31


class DenseMethod:
    """Win, draw or loss and remoteness of every position, numbered by its slot."""

    clusters = True

    def unsuited(self, rules: Rules) -> str | None:
        """Suits games whose ``space`` has so few slots that two bits for each are no matter."""
        if rules.kind.gains:
            return "which is a score game"
        if not rules.has("space"):
            return "which has no space()"
        slots = slots_of(rules)
        if slots > MOST_SLOTS:
            return f"whose space() has {slots:,} positions, and {MOST_SLOTS:,} are the most"
        return None

    def passed_over(self, rules: Rules) -> bool:
        """Whether another method is to be chosen unless this one is asked for."""
        if rules.has("legal"):
            return False
        return not LEAST_SLOTS <= slots_of(rules) <= MOST_UNASKED

    def run(self, task: Task) -> Result:
        """Find the positions, then their values.

        Raises:
            RulesError: a move leads out of the space, or to a position that is not legal.
        """
        # Not imported until some game is solved so: other games start without these kernels.
        from zermelo._engine.core.scratch import Scratch
        from zermelo._engine.expand.expander import Buffers, run_expand
        from zermelo._methods.dense import driver as dense
        from zermelo._methods.dense import rounds as dense_rounds
        from zermelo._methods.dense.workspace import OutsideSpaceError

        compiled, rules = task.compiled, task.compiled.rules
        if not task.asked and not rules.has("legal") and slots_of(rules) >= WIDE_SLOTS:
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
                table, choice = dense.solve(
                    compiled,
                    ranking,
                    compiled.start_words(),
                    task.ledger,
                    task.threads,
                    task.report,
                    scratch,
                    legal=rules.has("legal"),
                    levelled=rules.has("level"),
                    checkpoint=task.checkpoint,
                )
        except dense.MissingStartError as error:
            what = "legal() refuses" if error.inside else "is outside space()"
            position = rules.layout.unpack(rules.start_words()[error.row])
            hook = "starts" if rules.has("starts") else "start"
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
    """Return how many positions a game's space allows."""
    slots = 1
    for part in rules.space_parts():
        slots *= part_size(part)
    return slots
